"""What the page follows: a numbered, bounded log of everything that changed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from itertools import islice

from bot.sandbox.wire import Json

KEPT = 5_000


class Events:
    """The latest changes; a reader who is too far behind is told to read the state anew."""

    def __init__(self) -> None:
        self.rev = 0
        self._log: deque[Json] = deque(maxlen=KEPT)
        self._more = asyncio.Event()
        self._closed = False

    def emit(self, kind: str, **facts: object) -> None:
        """Number one change and wake the readers."""
        self.rev += 1
        self._log.append({"rev": self.rev, "type": kind, **facts})
        self._more.set()
        self._more = asyncio.Event()

    def close(self) -> None:
        """End every reader."""
        self._closed = True
        self._more.set()

    def since(self, rev: int) -> list[Json]:
        """The changes after a revision, or a single reset when they are no longer all there."""
        if rev == self.rev:
            return []
        oldest = self._log[0]["rev"] if self._log else self.rev + 1
        if rev > self.rev or rev < oldest - 1:
            return [{"rev": self.rev, "type": "reset"}]
        return list(islice(reversed(self._log), self.rev - rev))[::-1]

    async def follow(self, rev: int, *, heartbeat: float) -> AsyncIterator[Json | None]:
        """Yield every change after a revision as it happens, and None when nothing happened for a while (seconds)."""
        while not self._closed:
            more = self._more
            changes = self.since(rev)
            for change in changes:
                rev = change["rev"]
                yield change
            if changes:
                continue
            try:
                await asyncio.wait_for(more.wait(), heartbeat)
            except TimeoutError:
                yield None
