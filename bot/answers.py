"""Answers presses: at once, beside the pace of messages, and only while somebody may still be looking.

Nothing of it is stored. An answer that a process takes with it is given when Telegram brings the press again, and
after a minute nobody waits for one any more.
"""

from __future__ import annotations

import asyncio

from telegram import Bot
from telegram.error import BadRequest, NetworkError, RetryAfter

from bot.logs import get_logger
from bot.speech import End, instead, speak
from handlers.shared.outgoing import Outgoing

log = get_logger(__name__)

LASTS = 60.0
"""Seconds for which Telegram lets a press wait."""
TRIES = 3


class Answers:
    """The answers of one process that are under way."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._under_way: set[asyncio.Task[None]] = set()

    def give(self, answer: Outgoing) -> None:
        """Begin to send an answer."""
        task = asyncio.create_task(self._send(answer))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def idle(self) -> None:
        """Wait until each is given or given up."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def stop(self) -> None:
        """Let what is under way arrive, for a moment."""
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=2)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _send(self, answer: Outgoing) -> None:
        code = "tries"
        try:
            async with asyncio.timeout(LASTS):
                for tries in range(1, TRIES + 1):
                    try:
                        await speak(self._bot, answer)
                        return
                    except RetryAfter as limit:
                        wait = limit.retry_after
                        await asyncio.sleep(wait if isinstance(wait, int | float) else wait.total_seconds())
                    except BadRequest as refusal:
                        if instead(answer, refusal.message) is not End.FAILED:
                            return
                        code = refusal.message
                        break
                    except NetworkError:
                        await asyncio.sleep(0.25 * 2.0**tries)
        except TimeoutError:
            return  # nobody waits for it any more
        except Exception as mistake:
            code = type(mistake).__name__
        log.error("answer_refused", code=code)
