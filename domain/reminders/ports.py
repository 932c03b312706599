"""What reminders need from the world."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Protocol

from domain.reminders.model import DueReminder, Obligation, Reminder, ReminderState


class Obligations(Protocol):
    """What is owed, and under which state of the law and the calendar it was worked out."""

    async def get(self, obligation_id: int) -> Obligation:
        """Return an obligation.

        Raises:
            NotFound: There is no such obligation.
        """

    async def of_case(self, case_id: int) -> tuple[Obligation, ...]:
        """Return all obligations of a case, in every state, by due date and id."""

    async def of_person(self, person_id: int) -> tuple[Obligation, ...]:
        """Return what a person owes (state open), by due date and id."""

    async def put(self, obligation: Obligation) -> Obligation:
        """Store it, in place of the one with the same case, rule and period; return it with its id."""

    async def mark_derived(self, case_id: int, *, city: str, service: str, stamp: str) -> None:
        """Record under which ``stamp`` a case's obligations were last worked out."""

    async def outdated(self, *, city: str, service: str, stamp: str, limit: int) -> tuple[int, ...]:
        """Return cases, by id, whose obligations were last worked out under another stamp."""


class Ledger(Protocol):
    """Reminders, each once. Finding what is due costs what is due, whatever is stored."""

    async def plan(self, reminders: Sequence[Reminder]) -> None:
        """Store new reminders; one with the same obligation, due date and offset comes back to life if cancelled."""

    async def due(
        self, now: datetime, *, city: str, people: int, due_on: date | None = None
    ) -> tuple[DueReminder, ...]:
        """Return every planned reminder with ``due_at <= now`` of the city's first ``people`` persons who have one.

        Persons come in the order of their oldest due reminder. ``due_on`` keeps only reminders of that due date. The
        rows are locked for this transaction; rows that another process has locked are left to it.
        """

    async def mark(self, reminder_ids: Collection[int], state: ReminderState) -> None:
        """Give reminders another state."""

    async def cancel(self, obligation_id: int) -> None:
        """Cancel an obligation's planned reminders."""
