"""Every refusal has its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import domain
from domain.cases.errors import CaseTaken
from domain.errors import DomainError, ErrorCode
from handlers.errors import SENTENCES
from handlers.shared.buttons import Press
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.outgoing import Kind
from tests.support.builders import CITY
from tests.support.errands import Errand, name
from tests.support.turns import chat


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_has_a_sentence(code: ErrorCode) -> None:
    """Nobody is refused without a word."""
    assert SENTENCES[code].endswith(".")


def test_every_code_is_some_refusals() -> None:
    """A code that nothing gives is a sentence that nobody hears."""
    for module in walk_packages(domain.__path__, "domain."):
        import_module(module.name)
    assert {refusal.code for refusal in refusals(DomainError)} >= set(ErrorCode)


def refusals(kind: type[DomainError]) -> Iterator[type[DomainError]]:
    for one in kind.__subclasses__():
        yield one
        yield from refusals(one)


async def test_a_refused_press_is_told_with_its_facts_and_changes_nothing_said() -> None:
    """Somebody else took the case: Ana hears who, what was about to be said is forgotten, the press is answered."""

    async def take(context: BotContext, press: Press) -> None:
        context.say("Agora é seu.")
        context.conversation.saved.clear()
        raise CaseTaken(case_id=12, holder="<Bia>")

    def area(desk: Desk) -> None:
        desk.press("c", "take", take)

    ana = await chat(Errand(name()), area, city=CITY)
    await ana.sends("/menu")
    await ana.presses("Dar um recado")
    await ana.sends("Oi, Bia.")
    await ana.sends("/menu")

    await ana.presses_data("c:take:12")

    assert ana.text == "<Bia> já está com este caso."
    assert ana.labels() == ["Menu"]
    assert [message.kind for message in ana.said] == [Kind.TEXT, Kind.TOAST]
    assert "errand" in ana.conversation.saved
