"""Buttons of a form: long lists, old screens, hasty and forged presses."""

from __future__ import annotations

import pytest

from handlers.shared.forms.model import Kind, Option, Question
from handlers.shared.outgoing import Kind as Carrier
from tests.support.errands import Errand, begun, colour, name, question


async def test_long_lists_are_shown_in_pages() -> None:
    """Twenty options fit on three pages, eight at a time, and the last page has a way back."""
    options = tuple(Option(f"n{number}", f"Linha número {number:02}") for number in range(20))
    errand = Errand(Question(key="line", prompt="Qual linha?", accepts=(Kind.CHOICE,), options=options))
    ana = await begun(errand)

    assert ana.labels()[:8] == [f"Linha número {number:02}" for number in range(8)]
    await ana.presses("Mais opções")
    await ana.presses("Mais opções")
    assert "Mais opções" not in ana.labels()
    await ana.presses("Opções anteriores")
    await ana.presses("Linha número 12")
    await ana.presses("Enviar")

    assert errand.sent == [{"line": "n12"}]


async def test_who_does_not_find_theirs_finds_another_on_every_page() -> None:
    """ "Outra" ends the first page of a long list as well as the last: nobody has to turn pages to learn of it."""
    lines = [Option(f"n{number}", f"Linha número {number:02}") for number in range(10)]
    options = (*lines, Option("other", "Outra linha"))
    question = Question(key="line", prompt="Qual linha?", accepts=(Kind.CHOICE,), options=options, pinned="other")
    errand = Errand(question)
    ana = await begun(errand)

    assert ana.labels()[6:9] == ["Linha número 06", "Outra linha", "Mais opções"]
    await ana.presses("Mais opções")
    assert ana.labels()[:4] == ["Linha número 07", "Linha número 08", "Linha número 09", "Outra linha"]
    await ana.presses("Outra linha")
    await ana.presses("Enviar")

    assert errand.sent == [{"line": "other"}]


async def test_a_button_of_an_old_screen_shows_the_current_one() -> None:
    """Ana scrolls up and presses an answer she left behind: nothing changes, and she is where she was."""
    errand = Errand(colour(), name())
    ana = await begun(errand)
    old, where = ana.screen, max(ana.shown)
    await ana.sends("azul")

    await ana.presses_data(old.buttons[0][0].data or "", where)

    assert [toast.text for toast in ana.toasts()] == ["Esta tela já passou."]
    assert ana.shown[where].buttons == ()
    assert "Qual é o nome?" in ana.text
    place = ana.conversation.place
    assert place is not None
    assert place.answers["colour"]["value"] == "blue"


async def test_a_hasty_second_press_does_nothing() -> None:
    """The same button pressed twice: the second press finds the next question already there, and only that."""
    errand = Errand(colour(), name())
    ana = await begun(errand)
    data = ana.screen.buttons[0][0].data or ""
    where = max(ana.shown)
    await ana.presses_data(data, where)
    first = ana.stored

    said = await ana.presses_data(data, where)

    assert [(message.kind, message.text) for message in said] == [(Carrier.TOAST, "")]
    assert ana.stored == first


async def test_a_hasty_second_press_before_a_keyboard_does_not_ask_twice() -> None:
    """Ana taps twice and the next question has a keyboard below: it is asked once, and later the old button helps."""
    errand = Errand(colour(), question(Kind.TEXT, Kind.LOCATION), name())
    ana = await begun(errand)
    old, where = ana.screen.buttons[1][0].data or "", max(ana.shown)
    await ana.presses("Azul")
    for _ in range(2):
        said = await ana.presses_data(old, where)
        assert [message.kind for message in said if message.kind is not Carrier.STRIP] == [Carrier.TOAST]
    assert "Enviar o local onde estou" in ana.labels()
    assert ana.shown[where].buttons == ()

    await ana.sends("Na praça")
    await ana.presses_data(old, where)

    assert "Qual é o nome?" in ana.text
    assert [message.kind for message in ana.said][-1] is Carrier.TEXT


@pytest.mark.parametrize(
    "data",
    [
        "",
        "s",
        "s:1:send",
        "s:99999:send",
        "s:{n}:o:purple",
        "s:{n}:send",
        "s:{n}:q:colour",
        "s:-1:back",
        "s:{n}:BACK",
        "s:{n}:page:x",
        "menu:go",
        "menu:go:../../x",
        "menu:go:none",
        "city:page:0",
        "nobody:knows:1",
        "lang:set:xx",
        "c:take:1e9",
        "ç:é",
    ],
)
async def test_a_forged_button_is_refused_and_changes_nothing(data: str) -> None:
    """Data that no screen offered: politely refused or sent to the current screen, always answered, never obeyed."""
    errand = Errand(colour(), name())
    ana = await begun(errand)
    before = ana.conversation.place

    await ana.presses_data(data.format(n=ana.conversation.screen))

    assert len(ana.toasts()) == 1
    assert ana.errors == []
    assert errand.sent == []
    if not data.startswith("menu:go:"):
        assert ana.conversation.place == before


async def test_a_shortcut_counts_at_once() -> None:
    """What a button says need not be asked back, though the same word typed would be."""
    errand = Errand(question(Kind.DATE, options=(Option("ontem", "Ontem"),), tense="past"))
    ana = await begun(errand)

    await ana.presses("Ontem")
    await ana.presses("Enviar")

    assert errand.sent == [{"date": "2026-11-29"}]
