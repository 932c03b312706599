"""Invented errands: forms with every kind of question, for tests of the engine."""

from __future__ import annotations

from typing import Any

from domain.errors import DomainError, ErrorCode
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk, MenuEntry
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Option, Question
from tests.support.builders import CITY
from tests.support.turns import Chat, chat

COLOURS = (Option("red", "Vermelho"), Option("blue", "Azul"), Option("green", "Verde-água"))


class Shut(DomainError):
    """The errand cannot be done."""

    code = ErrorCode.CITY_UNKNOWN


class Errand:
    """An area with one form. ``sent`` is what its use case got; ``refuse`` and ``broken`` make it fail."""

    def __init__(self, *questions: Question, **form: Any) -> None:
        self.questions, self.form = questions, form
        self.sent: list[dict[str, Any]] = []
        self.views: list[FormView] = []
        self.refuse = self.broken = False

    async def submit(self, context: BotContext, view: FormView) -> None:
        if self.refuse:
            raise Shut("shut")
        if self.broken:
            raise RuntimeError("a mistake of ours")
        self.sent.append(view.values)
        self.views.append(view)
        context.show("Recebido.", buttons=())

    def build(self, view: FormView) -> Form:
        form: dict[str, Any] = {
            "key": "errand",
            "title": "Recado",
            "questions": self.questions,
            "submit": self.submit,
        } | self.form
        return Form(**form)

    async def begin(self, context: BotContext) -> None:
        await engine.start(context, "errand")

    def __call__(self, desk: Desk) -> None:
        desk.form("errand", self.build)
        desk.entry(MenuEntry(key="errand", label="Dar um recado", action=self.begin, words=("recad", "message")))


def name(**more: Any) -> Question:
    return Question(key="name", prompt="Qual é o nome?", accepts=(Kind.TEXT,), label="Nome", **more)


def colour(**more: Any) -> Question:
    return Question(key="colour", prompt="Qual é a cor?", accepts=(Kind.CHOICE,), options=COLOURS, label="Cor", **more)


def question(kind: Kind, *others: Kind, **more: Any) -> Question:
    return Question(key=kind.value, prompt=f"Pergunta {kind.value}?", accepts=(kind, *others), **more)


async def begun(errand: Errand, **who: Any) -> Chat:
    """Return a chat in which the errand was just begun from the menu."""
    ana = await chat(errand, city=CITY, **who)
    await ana.sends("/menu")
    await ana.presses("Dar um recado")
    return ana
