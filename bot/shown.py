"""What the bot's messages show now: an edit that would change nothing is not sent, for Telegram refuses it."""

from __future__ import annotations

from collections import OrderedDict

from handlers.shared.outgoing import Keyboard, Kind, Outgoing

REMEMBERED = 20_000


class Shown:
    """The newest content of the latest messages. What a process before this one sent is not known, and is edited."""

    def __init__(self) -> None:
        self._content: OrderedDict[tuple[int, int], tuple[int, Keyboard]] = OrderedDict()

    def already(self, message: Outgoing) -> bool:
        """Whether an edit would leave its message as it is."""
        if message.kind not in (Kind.EDIT, Kind.STRIP) or message.message_id is None:
            return False
        there = self._content.get((message.chat_id, message.message_id))
        if there is None:
            return False
        return there[1] == () if message.kind is Kind.STRIP else there == (hash(message.text), message.buttons)

    def note(self, message: Outgoing, message_id: int | None) -> None:
        """Remember what was sent or edited; ``message_id`` is what Telegram calls it."""
        if message_id is None or message.kind not in (Kind.TEXT, Kind.EDIT, Kind.STRIP):
            return
        key = (message.chat_id, message_id)
        before = self._content.pop(key, (hash(message.text), ()))
        self._content[key] = (before[0], ()) if message.kind is Kind.STRIP else (hash(message.text), message.buttons)
        while len(self._content) > REMEMBERED:
            self._content.popitem(last=False)
