"""What the terms of answers need from the world."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from domain.cases.model import Case

UNSEEN = date(1970, 1, 1)
"""When a report that nobody has looked at yet is to be looked at: at once."""


class AnswerWatch(Protocol):
    """The day on which each report whose turn is the staff's is looked at next. Finding them costs what is due."""

    async def due(self, today: date, *, city: str, service: str, limit: int) -> tuple[Case, ...]:
        """Return reports to look at by ``today``, those first that wait longest (then by id), locked for this
        transaction; rows that another process has locked are left to it."""

    async def look_again(self, case_id: int, on: date) -> None:
        """Set the day on which a report is looked at next."""
