"""When somebody may be told: in the city's sending hours, and on closed days only of what is due that day."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, time, timedelta

from domain.law.calendar import Calendar
from domain.reminders.model import OFFSETS, Obligation, Reminder

FIRST_HOUR = 8
LAST_HOUR = 20
_SUNDAY = 6


def is_quiet_day(day: date, calendar: Calendar) -> bool:
    """Whether nobody is told of anything that is not due on this very day."""
    return day.weekday() == _SUNDAY or calendar.is_holiday(day)


def is_sending_time(now: datetime, calendar: Calendar) -> bool:
    """Whether it is between 8:00 and 20:00 at the city hall."""
    return FIRST_HOUR <= now.astimezone(calendar.zone).hour < LAST_HOUR


def sending_instant(due_on: date, offset: int, person_id: int, calendar: Calendar) -> datetime:
    """Return the instant (UTC) at which a person is told, ``offset`` days before a due date.

    A Sunday or holiday moves it earlier, never later; on the due date itself it stays. Everything that one person is
    told on one day comes in the same minute of the first hour, persons spread over it.
    """
    day = due_on - timedelta(days=offset)
    while offset and is_quiet_day(day, calendar):
        day -= timedelta(days=1)
    minute = int.from_bytes(hashlib.sha256(str(person_id).encode()).digest()[:4], "big") % 60
    return datetime.combine(day, time(FIRST_HOUR, minute), calendar.zone).astimezone(UTC)


def reminders_for(obligation: Obligation, calendar: Calendar, *, now: datetime) -> tuple[Reminder, ...]:
    """Return the reminders of an obligation that still lie ahead, soonest first."""
    planned = [
        Reminder(
            obligation_id=obligation.id,
            person_id=obligation.person_id,
            city=obligation.city,
            due_on=obligation.due_on,
            offset=offset,
            due_at=sending_instant(obligation.due_on, offset, obligation.person_id, calendar),
        )
        for offset in OFFSETS
    ]
    return tuple(reminder for reminder in planned if reminder.due_at > now)
