"""What time brings about: reminders that fall due, and due dates that are worked out anew.

Each round is one transaction: what the ledger says of a reminder and its message in the outbox commit together.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from bot.clockwork import Clockwork
from bot.delivery import Delivery
from bot.ports import Binder
from bot.storage.journal import Journal
from bot.storage.repositories.reminders import StoredLedger
from bot.storage.repositories.watch import StoredWatch
from domain.law.loader import Laws
from domain.reminders.schedule import FIRST_HOUR
from domain.reports.ports import UNSEEN
from domain.reports.watch import NEVER
from handlers.shared import reminders
from handlers.staff import terms

PERSONS = 50  # of a city in one transaction: whoever writes to the bot meanwhile waits no longer than that takes
CASES = 20
ANSWERS = 200  # of a service in one transaction, and so in one message to each of those who are told
HOUR = timedelta(hours=1)


class Sweeps:
    """The counter's sweeps, on one database and for the cities that are served."""

    def __init__(self, binder: Binder, journal: Journal, delivery: Delivery, laws: Laws) -> None:
        self._binder, self._journal, self._delivery, self._laws = binder, journal, delivery, laws
        self._healed: frozenset[tuple[str, int]] = frozenset()

    def register(self, clockwork: Clockwork) -> None:
        """Let the clockwork wake them: first the dates, then what is said about them."""
        clockwork.add("heal", self.heal, self.next_year)
        clockwork.add("remind", self.remind, self.next_reminder)
        clockwork.add("answers", self.watch_answers, self.next_answer)

    async def remind(self, now: datetime) -> int:
        """Put the reminders that are due into the outbox, one message for each person; return how many people."""
        async with self._journal.storage.transaction() as connection:
            told = await self._binder.for_unit(connection, now=now).pick_due(limit=PERSONS)
            messages = [
                reminders.render(one, self._laws, now.astimezone(self._laws.city(one.city).zone).date()) for one in told
            ]
            rows = await self._journal.say(connection, messages, now=now)
        self._delivery.hand_over(rows)
        return len(told)

    async def heal(self, now: datetime) -> int:
        """Work out anew some of what was worked out under other rules or holidays, or in an earlier year.

        All of these are known when the process starts or turn with the local year, so between two of them nothing is
        looked for.
        """
        years = self._years(now)
        if years == self._healed:
            return 0
        async with self._journal.storage.transaction() as connection:
            done, moves = await self._binder.for_unit(connection, now=now).heal_obligations(limit=CASES)
            messages = [
                reminders.moved(move, now.astimezone(self._laws.city(move.before.city).zone).date()) for move in moves
            ]
            rows = await self._journal.say(connection, [one for one in messages if one is not None], now=now)
        self._delivery.hand_over(rows)
        if done < CASES:
            self._healed = years
        return done

    async def watch_answers(self, now: datetime) -> int:
        """Tell staff of the answers whose term ends or has ended, one message each; return how many were looked at."""
        async with self._journal.storage.transaction() as connection:
            seen, told = await self._binder.for_unit(connection, now=now).watch_answers(limit=ANSWERS)
            rows = await self._journal.say(connection, [terms.render(one, self._laws, now) for one in told], now=now)
        self._delivery.hand_over(rows)
        return seen

    async def next_answer(self, now: datetime) -> datetime | None:
        """Return when a report is looked at next; one that waits for a business day is tried every hour."""
        instants: list[datetime] = []
        async with self._journal.storage.reading() as connection:
            watch = StoredWatch(connection)
            for city in self._laws.cities():
                for book in self._laws.rulebooks(city.slug):
                    on = await watch.next_look(city.slug, book.service.key)
                    if on == UNSEEN:
                        return now
                    if on is None or on == NEVER:
                        continue
                    first = datetime.combine(on, time(FIRST_HOUR), city.zone).astimezone(now.tzinfo)
                    instants.append(max(first, now.replace(minute=0, second=0, microsecond=0) + HOUR))
        return min(instants, default=None)

    async def next_reminder(self, now: datetime) -> datetime | None:
        """Return when a reminder falls due next; one that waits for sending hours is tried every hour."""
        instants: list[datetime] = []
        async with self._journal.storage.reading() as connection:
            ledger = StoredLedger(connection)
            for city in self._laws.cities():
                first = await ledger.next_due(city.slug)
                if first is not None and first <= now:
                    instants.append(now.replace(minute=0, second=0, microsecond=0) + HOUR)
                    first = await ledger.next_due(city.slug, after=now)
                if first is not None:
                    instants.append(first)
        return min(instants, default=None)

    async def next_year(self, now: datetime) -> datetime | None:
        """Return when the next local year begins; its dues are planned then."""
        return min(
            (
                datetime(now.astimezone(city.zone).year + 1, 1, 1, tzinfo=city.zone).astimezone(now.tzinfo)
                for city in self._laws.cities()
            ),
            default=None,
        )

    def _years(self, now: datetime) -> frozenset[tuple[str, int]]:
        return frozenset((city.slug, now.astimezone(city.zone).year) for city in self._laws.cities())
