"""What the bot's messages show now: an edit that would change nothing is not sent, for Telegram refuses it."""

from __future__ import annotations

from collections import OrderedDict

from handlers.shared.outgoing import Kind, Outgoing

REMEMBERED = 20_000
BARE = hash(())


class Shown:
    """The newest content of the latest messages. What a process before this one sent is not known, and is edited.

    Of text and buttons the hashes are kept: the collector of garbage would go through thousands of buttons again and
    again, and everybody would wait meanwhile.
    """

    def __init__(self) -> None:
        self._content: OrderedDict[tuple[int, int], tuple[int, int]] = OrderedDict()

    def already(self, message: Outgoing) -> bool:
        """Whether an edit would leave its message as it is."""
        if message.kind not in (Kind.EDIT, Kind.STRIP) or message.message_id is None:
            return False
        there = self._content.get((message.chat_id, message.message_id))
        if there is None:
            return False
        return there[1] == BARE if message.kind is Kind.STRIP else there == _seen(message)

    def note(self, message: Outgoing, message_id: int | None) -> None:
        """Remember what was sent or edited; ``message_id`` is what Telegram calls it."""
        if message_id is None or message.kind not in (Kind.TEXT, Kind.EDIT, Kind.STRIP):
            return
        key = (message.chat_id, message_id)
        before = self._content.pop(key, None)
        if message.kind is Kind.STRIP:
            self._content[key] = (before[0] if before else hash(message.text), BARE)
        else:
            self._content[key] = _seen(message)
        while len(self._content) > REMEMBERED:
            self._content.popitem(last=False)


def _seen(message: Outgoing) -> tuple[int, int]:
    return hash(message.text), hash(message.buttons)
