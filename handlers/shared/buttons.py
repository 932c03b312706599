"""Buttons, and what a press is parsed into.

Screen buttons (``s:<screen>:<action>``) are good only on the current screen. Lasting buttons
(``<area>:<verb>:<id>...``) are good at any time. What comes back is untrusted: it is parsed strictly, and the use
case behind a lasting button checks role, city and ownership again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from handlers.shared.context import BotContext
from handlers.shared.outgoing import Button

SCREEN = re.compile(r"s:(0|[1-9][0-9]{0,9}):([a-z]{1,10}(?::[\x21-\x7e]{1,45})?)")
LASTING = re.compile(r"([a-z]{1,12}):([a-z_]{1,16})((?::[A-Za-z0-9_.\-]{1,48})*)")
NUMBER = re.compile(r"[1-9][0-9]{0,17}")


class ForgedButton(Exception):
    """Data that no button of ours carries."""


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed lasting button."""

    area: str
    verb: str
    ids: tuple[str, ...] = ()

    def word(self, index: int = 0) -> str:
        """Return an id as text.

        Raises:
            ForgedButton: There is none.
        """
        if index >= len(self.ids):
            raise ForgedButton
        return self.ids[index]

    def number(self, index: int = 0) -> int:
        """Return an id as a positive whole number.

        Raises:
            ForgedButton: It is none.
        """
        if not NUMBER.fullmatch(word := self.word(index)):
            raise ForgedButton
        return int(word)


def read_lasting(data: str) -> Press | None:
    """Return what a lasting button's data says; ``None`` when it is none."""
    match = LASTING.fullmatch(data)
    return Press(match[1], match[2], tuple(match[3].split(":")[1:])) if match else None


def on_screen(context: BotContext, label: str, action: str) -> Button:
    """Return a button of the screen that is about to be shown with ``context.show``."""
    data = f"s:{context.conversation.screen + 1}:{action}"
    if not SCREEN.fullmatch(data):
        raise ValueError(f"not the data of a screen's button: {data!r}")
    return Button(label, data=data)


def lasting(label: str, area: str, verb: str, *ids: str | int, secret: bool = False) -> Button:
    """Return a button that is good at any time. ``label`` is plain text, already translated."""
    data = ":".join((area, verb, *map(str, ids)))
    if not LASTING.fullmatch(data):
        raise ValueError(f"not the data of a lasting button: {data!r}")
    return Button(label, data=data, secret=secret)
