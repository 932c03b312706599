"""What a message shows already is not said again."""

from __future__ import annotations

from bot.shown import Shown
from handlers.shared.buttons import lasting
from handlers.shared.outgoing import Kind, Outgoing

MENU = ((lasting("Menu", "menu", "home"),),)


def edit(text: str, *, chat: int = 7) -> Outgoing:
    return Outgoing(chat, kind=Kind.EDIT, text=text, buttons=MENU, message_id=5)


def test_an_edit_that_changes_nothing_is_known_and_one_that_does_is_not() -> None:
    """Ana presses twice: then her screen shows it already; another chat's message of that number does not."""
    shown = Shown()
    assert not shown.already(edit("Filas"))
    shown.note(edit("Filas"), 5)
    assert shown.already(edit("Filas"))
    assert not shown.already(edit("Casos comigo"))
    assert not shown.already(edit("Filas", chat=8))


def test_buttons_are_taken_away_once() -> None:
    """An old screen has lost its buttons: it has none to lose, and showing it again with them is a change."""
    shown, strip = Shown(), Outgoing(7, kind=Kind.STRIP, message_id=5)
    shown.note(edit("Filas"), 5)
    assert not shown.already(strip)
    shown.note(strip, 5)
    assert shown.already(strip)
    assert not shown.already(edit("Filas"))
