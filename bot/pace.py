"""How fast Telegram lets a bot speak: 30 messages a second in all, one a second to a chat, 20 a minute to a group."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Bucket:
    """``burst`` at once, then ``rate`` a second. Instants are seconds of a clock that only runs forwards."""

    rate: float
    burst: float
    level: float = 0.0
    seen: float = 0.0

    def wait(self, now: float) -> float:
        """Return how many seconds it takes until one more fits."""
        return max(self._level(now) + 1 - self.burst, 0.0) / self.rate

    def take(self, now: float) -> None:
        """Count one more."""
        self.level = self._level(now) + 1
        self.seen = now

    def _level(self, now: float) -> float:
        return max(self.level - (now - self.seen) * self.rate, 0.0)


@dataclass(frozen=True, slots=True)
class Pace:
    """The limits in force. ``factor`` slows or speeds all of them (a Bot API server of one's own, a measurement).

    A burst grows with a faster pace, or the sender would be woken between any two messages for microseconds.
    """

    factor: float = 1.0

    def overall(self) -> Bucket:
        """Return the bucket that all messages share: a short burst, for a burst and a second's worth add up."""
        return Bucket(rate=28 * self.factor, burst=2 * max(self.factor, 1))

    def for_chat(self, chat_id: int) -> Bucket:
        """Return a chat's bucket; Telegram gives groups negative numbers."""
        if chat_id < 0:
            return Bucket(rate=20 / 60 * self.factor, burst=3 * max(self.factor, 1))
        return Bucket(rate=1 * self.factor, burst=3 * max(self.factor, 1))
