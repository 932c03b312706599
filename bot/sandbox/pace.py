"""Telegram's pace: so many messages a second to one chat and to all, a small burst, then 429 until it has passed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from telegram.constants import FloodLimit

from bot.sandbox.refusals import too_many_requests

CHAT_BURST = 5


@dataclass
class _Bucket:
    tokens: float
    at: float
    barred_until: float = 0.0


class Pace:
    """Token buckets for every chat and for the whole bot.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.clear()

    def clear(self) -> None:
        """Forget what was sent."""
        self._chats: dict[int, _Bucket] = {}
        self._all = _Bucket(float(FloodLimit.MESSAGES_PER_SECOND), self._clock())

    def spend(self, chat_id: int, messages: int = 1) -> None:
        """Count messages to a chat; an album may go into debt, which the next message waits off.

        Raises:
            ApiError: 429 with the whole seconds to wait; trying earlier is refused again.
        """
        now = self._clock()
        chat = self._chats.setdefault(chat_id, _Bucket(CHAT_BURST, now))
        buckets = (
            (chat, float(FloodLimit.MESSAGES_PER_SECOND_PER_CHAT), CHAT_BURST),
            (self._all, float(FloodLimit.MESSAGES_PER_SECOND), int(FloodLimit.MESSAGES_PER_SECOND)),
        )
        for bucket, rate, burst in buckets:
            bucket.tokens = min(burst, bucket.tokens + (now - bucket.at) * rate)
            bucket.at = now
            if bucket.tokens < 1 and bucket.barred_until <= now:
                bucket.barred_until = now + math.ceil((1 - bucket.tokens) / rate)
            if bucket.barred_until > now:
                raise too_many_requests(math.ceil(bucket.barred_until - now))
        for bucket, _, _ in buckets:
            bucket.tokens -= messages
