"""Which reports are looked at next because of the term of their answer."""

from __future__ import annotations

from datetime import date
from functools import cache

from sqlalchemy import bindparam, func, select, update

from bot.storage import tables_cases as t
from bot.storage.repositories.cases import case_of
from bot.storage.statement import Statement, first
from bot.storage.transaction import Unit
from domain.cases.model import Case

_OF_SERVICE = (t.case.c.city == bindparam("city"), t.case.c.service == bindparam("service"), t.ANSWER_OWED)
_NEXT = Statement(select(func.min(t.case.c.look_on).label("first")).where(*_OF_SERVICE))
_AGAIN = Statement(update(t.case).where(t.case.c.id == bindparam("this")), ("look_on",))


class StoredWatch:
    """The port ``AnswerWatch``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def due(self, today: date, *, city: str, service: str, limit: int) -> tuple[Case, ...]:
        rows = await self._unit.all(_due(limit), city=city, service=service, today=today)
        return tuple(case_of(row) for row in rows)

    async def look_again(self, case_id: int, on: date) -> None:
        await self._unit.change(_AGAIN, this=case_id, look_on=on)

    async def next_look(self, city: str, service: str) -> date | None:
        """Return the day on which the first report of a service is looked at."""
        found: date | None = (await self._unit.one(_NEXT, city=city, service=service)).first
        return found


@cache
def _due(limit: int) -> Statement:
    c = t.case.c
    due = select(t.case).where(*_OF_SERVICE, c.look_on <= bindparam("today")).order_by(c.look_on, c.id)
    return Statement(due.limit(first(limit)).with_for_update(skip_locked=True))
