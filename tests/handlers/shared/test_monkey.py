"""A monkey at the counter: whatever is pressed, typed or sent, nothing breaks and every screen has a way out."""

from __future__ import annotations

import random
from html.parser import HTMLParser
from typing import Any

import pytest

from domain.files.model import FileKind, FileTrouble
from handlers.shared.forms.model import Kind as Accepts
from handlers.shared.outgoing import Kind, Outgoing
from tests.support.builders import CITY
from tests.support.errands import Errand, colour, question
from tests.support.turns import Chat, chat

WORDS = (
    *(
        "sim",
        "não",
        "azul",
        "voltar",
        "pular",
        "enviar",
        "cancelar",
        "guardar para depois",
        "pronto",
        "manter",
        "recado",
    ),
    *("corrigir", "5/3", "amanhã", "29/02/2027", "2:30", "14h30", "ABC1D23", "52998224725", "12", "2019", "x"),
    *(
        "<b>&</b>",
        "😀",
        "\u202eabc",
        "'; DROP TABLE x;--",
        "/menu",
        "/ajuda",
        "/cancelar",
        "/inicio",
        "/idioma",
        "/start",
    ),
    *("/xyz", "oi", "Enviar o meu telefone"),
)


class Tags(HTMLParser):
    """Checks that a text opens and closes its tags as Telegram demands."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.length = 0
        self.feed(text)
        self.close()
        assert not self.open, text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"b", "i", "code"}, tag
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.length += len(data.encode("utf-16-le")) // 2


def check(message: Outgoing) -> None:
    if message.kind in (Kind.TEXT, Kind.EDIT):
        assert message.text.strip()
        assert Tags(message.text).length <= 4096
        assert all(button.text.strip() for row in message.buttons for button in row)
        assert all(row for row in message.buttons)


async def act(ana: Chat, dice: random.Random) -> list[Outgoing]:
    buttons = [(button.data or "", at) for at, shown in ana.shown.items() for row in shown.buttons for button in row]
    newest = [(data, at) for data, at in buttons if at == max(ana.shown)]
    match dice.randrange(12):
        case 0 | 1 | 2 | 3 if newest:
            return await ana.presses_data(*dice.choice(newest))
        case 4 if buttons:
            return await ana.presses_data(*dice.choice(buttons))
        case 5:
            forged = "".join(dice.choice("s:09abmenu_go-/ç") for _ in range(dice.randrange(1, 30)))
            return await ana.presses_data(forged[:60])
        case 6:
            trouble = dice.choice([None, None, *FileTrouble])
            kind, album = dice.choice(list(FileKind)), dice.choice(["", "", "a", "b"])
            return await ana.sends_file(kind, caption=dice.choice(["", "x < y"]), album=album, trouble=trouble)
        case 7:
            content: list[dict[str, Any]] = [
                {"location": {"latitude": 1.5, "longitude": 2.5}},
                {"contact": {"phone_number": "65999990000", "first_name": "<i>B"}},
                {"dice": {"emoji": "🎲", "value": 1}},
            ]
            return await ana.posts(**dice.choice(content))
        case 8:
            return await ana.edits(dice.randrange(100, ana.message_id + 1), "outra")
        case 9:
            return await ana.sends(dice.choice(["x", "&", "ß", "😀"]) * dice.choice([1, 200, 4096]))
        case _:
            return await ana.sends(dice.choice(WORDS))


@pytest.mark.parametrize("seed", range(6))
async def test_a_monkey_never_meets_a_dead_end(seed: int) -> None:
    """Hundreds of random acts: every press is answered once, every message is sound, and /menu always helps."""
    dice = random.Random(seed)
    kinds = [kind for kind in Accepts if kind not in (Accepts.CHOICE, Accepts.ALBUM)]
    errand = Errand(
        colour(optional=True),
        *(question(kind, Accepts.TEXT, optional=True) for kind in dice.sample(kinds, 3)),
        question(Accepts.ALBUM, Accepts.DOCUMENT, Accepts.VOICE, optional=True),
    )
    ana = await chat(errand, city=CITY if seed else None)
    await ana.sends("/start")

    for _ in range(300):
        said = await act(ana, dice)
        assert not ana.errors
        assert sum(message.kind is Kind.TOAST for message in said) <= 1
        for message in said:
            check(message)
        if any(message.kind in (Kind.TEXT, Kind.EDIT) for message in said) and ana.conversation.place is not None:
            screens = [message for message in said if message.buttons or message.reply_buttons]
            assert screens or said[-1].kind is Kind.TEXT

    await ana.sends("/menu")
    assert ana.labels()
