"""What happens because time passes: sweeps ask "what is due?" and keep no list of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from bot.clock import Clock, MovableClock
from bot.delivery import Delivery
from bot.logs import get_logger
from bot.storage.journal import Journal

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = get_logger(__name__)

SWEEP_SECONDS = 20
TIDY_MINUTES = 60
KEEP = timedelta(days=7)
STEP = timedelta(hours=1)
ROUNDS = 1000
SENT_WITHIN = 60.0

Sweep: TypeAlias = Callable[[datetime], Awaitable[int]]
"""Do what is due at an instant, in transactions of its own; return how much it was."""

Upcoming: TypeAlias = Callable[[datetime], Awaitable[datetime | None]]
"""Say when, after an instant, the next thing is due; ``None`` for never."""


@dataclass(frozen=True, slots=True)
class Job:
    """A sweep; with ``upcoming`` a moved clock goes from one due instant to the next instead of hour by hour."""

    name: str
    sweep: Sweep
    upcoming: Upcoming | None = None


class Clockwork:
    """Wakes the sweeps; of several processes only in the one that leads."""

    def __init__(self, clock: Clock, journal: Journal, delivery: Delivery) -> None:
        self._clock, self._journal, self._delivery = clock, journal, delivery
        self._jobs: list[Job] = []
        self._sweeping = asyncio.Lock()
        self._done = 0  # by every sweep so far, whoever woke it
        self._scheduler: AsyncIOScheduler | None = None

    def add(self, name: str, sweep: Sweep, upcoming: Upcoming | None = None) -> None:
        """Register a sweep."""
        self._jobs.append(Job(name, sweep, upcoming))

    def start(self) -> None:
        """Begin to wake."""
        from apscheduler.schedulers.asyncio import AsyncIOScheduler

        self._scheduler = AsyncIOScheduler(timezone="UTC")
        once = {"max_instances": 1, "coalesce": True}
        self._scheduler.add_job(self.sweep, "interval", seconds=SWEEP_SECONDS, **once)
        self._scheduler.add_job(self.tidy, "interval", minutes=TIDY_MINUTES, **once)
        self._scheduler.start()

    async def stop(self) -> None:
        """Let what is under way end and wake nothing else."""
        if self._scheduler is not None:
            self._scheduler.pause()
            async with self._sweeping:  # the scheduler would break it off
                self._scheduler.shutdown(wait=False)
            self._scheduler = None

    async def sweep(self) -> int:
        """Do everything that is due now."""
        if not self._delivery.leads:
            return 0
        done = 0
        async with self._sweeping:
            for job in self._jobs:
                try:
                    for _ in range(ROUNDS):
                        some = await job.sweep(self._clock.now())
                        done += some
                        if not some:
                            break
                except Exception as error:
                    log.error("sweep_failed", sweep=job.name, code=type(error).__name__)
        self._done += done
        if done:
            await self._delivery.sweep()
        return done

    async def tidy(self) -> None:
        """Forget what ended long ago, and what was left open and must not lie about."""
        async with self._sweeping:
            try:
                gone = await self._journal.tidy(now=self._clock.now(), keep=KEEP)
                closed = await self._journal.places.close_secret_forms(now=self._clock.now())
                await self._journal.storage.forget_erased()
                log.info("tidied", rows=gone, forms=closed)
            except Exception as error:
                log.error("tidy_failed", code=type(error).__name__)

    async def run_due(self, until: datetime) -> None:
        """Move a movable clock to ``until``, doing and saying on the way what falls due, each thing at its time."""
        clock = self._clock
        if not isinstance(clock, MovableClock):
            raise TypeError("real time cannot be moved")
        done = self._done
        while (now := clock.now()) < until:
            clock.move_to(min(await self._next(now), until))
            await self.sweep()
            if done != self._done:  # by this sweep, or by one that was woken meanwhile and came first
                done = self._done
                try:
                    async with asyncio.timeout(SENT_WITHIN):
                        await self._delivery.idle()
                except TimeoutError:
                    log.warning("moved_on_unsent")

    async def _next(self, now: datetime) -> datetime:
        hour = now.replace(minute=0, second=0, microsecond=0) + STEP
        instants: list[datetime] = []
        for job in self._jobs:
            if job.upcoming is None:
                return hour
            found = await job.upcoming(now)
            if found is not None:
                instants.append(found)
        last = now + timedelta(days=36500)
        return max(min(instants, default=last), now + timedelta(microseconds=1))
