"""Obligations with their dates, and the ledger of the reminders about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from domain.people.model import Recipient

OFFSETS = (30, 15, 7, 1, 0)  # days before the due date: the product's choice, no law's


class ObligationState(StrEnum):
    """Whether something is still owed."""

    OPEN = "open"
    DONE = "done"
    CANCELLED = "cancelled"  # the rule or a fact changed: it is owed no more


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    """Something that one person must do by a date.

    Unique by case, rule and ``period`` (a year, a month, or the day that something counts from): when a rule, a holiday
    or a fact changes, the same obligation gets another ``due_on``. ``label``, ``assumption`` and the texts of ``why``
    are message ids; ``why`` is JSON: ``[{"text": ..., "facts": {...}}]`` with dates in ISO form and amounts as text.
    """

    person_id: int
    case_id: int
    city: str
    service: str
    rule: str
    period: str
    label: str
    due_on: date
    cite: str
    standing: str
    why: tuple[Mapping[str, Any], ...] = ()
    assumption: str | None = None
    state: ObligationState = ObligationState.OPEN
    id: int = 0

    @property
    def key(self) -> tuple[int, str, str]:
        """What makes it the same obligation, whatever its date."""
        return self.case_id, self.rule, self.period


class ReminderState(StrEnum):
    """Where a reminder stands."""

    PLANNED = "planned"
    QUEUED = "queued"  # its message was put into the outbox, whose row says how that ended
    SUPERSEDED = "superseded"  # a later one of the same obligation was due as well
    CANCELLED = "cancelled"  # the date moved, or nothing is owed any more
    UNREACHABLE = "unreachable"  # who it was for has blocked the bot


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """One telling of one due date. Unique by obligation, due date and offset; ``due_at`` is UTC."""

    obligation_id: int
    person_id: int
    city: str
    due_on: date
    offset: int
    due_at: datetime
    state: ReminderState = ReminderState.PLANNED
    id: int = 0


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A planned reminder whose time has come, with what it is about."""

    reminder: Reminder
    obligation: Obligation


@dataclass(frozen=True, slots=True)
class Told:
    """One message to one person: everything of theirs that is due to be told now, soonest due date first.

    ``key`` is the outbox key, so that it is never said twice.
    """

    recipient: Recipient
    city: str
    obligations: tuple[Obligation, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A due date that changed after it was planned, and who is told. Without ``now`` nothing is owed any more."""

    recipient: Recipient | None
    before: Obligation
    now: Obligation | None
