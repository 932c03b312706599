"""Obligations and the ledger of reminders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, func, or_, select, tuple_, update

from bot.storage import tables_reminders as t
from bot.storage.statement import Statement, among, first
from bot.storage.transaction import Unit
from domain.errors import NotFound
from domain.reminders.model import DueReminder, Obligation, ObligationState, Reminder, ReminderState

_CHUNK = 500  # rows read in one statement

_OWED = (
    *("person_id", "case_id", "city", "service", "rule", "period", "label", "due_on", "cite", "standing"),
    *("why", "assumption", "state"),
)
_KEY = ("case_id", "rule", "period")
_DERIVED = ("case_id", "city", "service", "stamp")
_PLANNED = ("obligation_id", "person_id", "city", "due_on", "days_before", "due_at", "state")


def _put(insert: Any) -> Any:
    new = insert(t.obligation)
    changed = {name: new.excluded[name] for name in _OWED if name not in _KEY}
    return new.on_conflict_do_update(index_elements=_KEY, set_=changed).returning(t.obligation)


def _mark_derived(insert: Any) -> Any:
    new = insert(t.derivation)
    changed = {name: new.excluded[name] for name in _DERIVED if name != "case_id"}
    return new.on_conflict_do_update(index_elements=[t.derivation.c.case_id], set_=changed)


def _plan(insert: Any) -> Any:
    new = insert(t.reminder)
    return new.on_conflict_do_update(
        index_elements=[t.reminder.c.obligation_id, t.reminder.c.due_on, t.reminder.c.days_before],
        set_={"state": new.excluded.state, "due_at": new.excluded.due_at},
        where=t.reminder.c.state == ReminderState.CANCELLED.value,
    )


_OBLIGATIONS = select(t.obligation).order_by(t.obligation.c.due_on, t.obligation.c.id)
_GET = Statement(_OBLIGATIONS.where(t.obligation.c.id == bindparam("this")))
_MANY = Statement(_OBLIGATIONS.where(among(t.obligation.c.id, "ids")))
_OF_CASE = Statement(_OBLIGATIONS.where(t.obligation.c.case_id == bindparam("this")))
_OF_PERSON = Statement(
    _OBLIGATIONS.where(
        t.obligation.c.person_id == bindparam("this"), t.obligation.c.state == ObligationState.OPEN.value
    )
)
_PUT = Statement(_put, _OWED)
_MARK_DERIVED = Statement(_mark_derived, _DERIVED)
_PLAN = Statement(_plan, _PLANNED)
_MARK = Statement(update(t.reminder).where(among(t.reminder.c.id, "ids")), ("state",))
_CANCEL = Statement(
    update(t.reminder)
    .where(t.reminder.c.obligation_id == bindparam("this"), t.reminder.c.state == ReminderState.PLANNED.value)
    .values(state=ReminderState.CANCELLED.value)
)


class StoredObligations:
    """The port ``Obligations``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def get(self, obligation_id: int) -> Obligation:
        found = await self._unit.one(_GET, this=obligation_id)
        if found is None:
            raise NotFound(f"there is no obligation {obligation_id}")
        return _obligation(found)

    async def of_case(self, case_id: int) -> tuple[Obligation, ...]:
        return tuple(_obligation(row) for row in await self._unit.all(_OF_CASE, this=case_id))

    async def of_person(self, person_id: int) -> tuple[Obligation, ...]:
        return tuple(_obligation(row) for row in await self._unit.all(_OF_PERSON, this=person_id))

    async def put(self, obligation: Obligation) -> Obligation:
        return _obligation(await self._unit.one(_PUT, **_obligation_columns(obligation)))

    async def mark_derived(self, case_id: int, *, city: str, service: str, stamp: str) -> None:
        await self._unit.change(_MARK_DERIVED, case_id=case_id, city=city, service=service, stamp=stamp)

    async def outdated(self, *, city: str, service: str, stamp: str, limit: int) -> tuple[int, ...]:
        rows = await self._unit.all(_outdated(limit), city=city, service=service, stamp=stamp)
        return tuple(row.case_id for row in rows)


class StoredLedger:
    """The port ``Ledger``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def plan(self, reminders: Sequence[Reminder]) -> None:
        if reminders:
            await self._unit.each(_PLAN, [_reminder_columns(one) for one in reminders])

    async def due(
        self, now: datetime, *, city: str, people: int, due_on: date | None = None
    ) -> tuple[DueReminder, ...]:
        ripe: dict[str, Any] = {"now": now} | ({} if due_on is None else {"due_on": due_on})
        persons = await self._first_persons(ripe, city, people)
        if not persons:
            return ()
        theirs = await self._unit.all(_due_of(frozenset(ripe)), **ripe, persons=persons)
        found = [_reminder(row) for row in theirs if row.city == city]
        ids = list({one.obligation_id for one in found})
        known = {row.id: _obligation(row) for row in await self._unit.all(_MANY, ids=ids)}
        return tuple(DueReminder(one, known[one.obligation_id]) for one in found)

    async def next_due(self, city: str, *, after: datetime | None = None) -> datetime | None:
        """Return when the first planned reminder of a city falls due, or fell due long ago."""
        asked: dict[str, Any] = {"city": city} | ({} if after is None else {"after": after})
        first: datetime | None = (await self._unit.one(_next_due(frozenset(asked)), **asked)).first
        return first

    async def mark(self, reminder_ids: Collection[int], state: ReminderState) -> None:
        if reminder_ids:
            await self._unit.change(_MARK, ids=list(reminder_ids), state=state.value)

    async def cancel(self, obligation_id: int) -> None:
        await self._unit.change(_CANCEL, this=obligation_id)

    async def _first_persons(self, ripe: dict[str, Any], city: str, people: int) -> list[int]:
        """Return the first persons along the index of what is due, reading no further than needed."""
        persons: dict[int, None] = {}
        asked = ripe | {"city": city}
        rows = await self._unit.all(_walk(frozenset(asked)), **asked)
        while rows:
            for row in rows:
                persons[row.person_id] = None
                if len(persons) == people:
                    return list(persons)
            if len(rows) < _CHUNK:
                break
            asked |= {"last_at": rows[-1].due_at, "last_id": rows[-1].id}
            rows = await self._unit.all(_walk(frozenset(asked)), **asked)
        return list(persons)


@cache
def _outdated(limit: int) -> Statement:
    c = t.derivation.c
    # two ranges of the index beside the one that holds: nearly always empty, whatever is stored
    other = or_(c.stamp < bindparam("stamp"), c.stamp > bindparam("stamp"))
    theirs = select(c.case_id).where(c.city == bindparam("city"), c.service == bindparam("service"), other)
    return Statement(theirs.order_by(c.case_id).limit(first(limit)))


def _ripe(asked: frozenset[str]) -> Select[Any]:
    c = t.reminder.c
    ripe = select(t.reminder).where(c.state == ReminderState.PLANNED.value, c.due_at <= bindparam("now"))
    return ripe.where(c.due_on == bindparam("due_on")) if "due_on" in asked else ripe


@cache
def _due_of(asked: frozenset[str]) -> Statement:
    c = t.reminder.c
    # without the city there is one index to choose, the persons': the other one would read all that is due
    theirs = _ripe(asked).where(among(c.person_id, "persons")).order_by(c.due_at, c.id)
    return Statement(theirs.with_for_update(skip_locked=True))


@cache
def _walk(asked: frozenset[str]) -> Statement:
    c = t.reminder.c
    walk = _ripe(asked).where(c.city == bindparam("city")).with_only_columns(c.person_id, c.due_at, c.id)
    if "last_at" in asked:
        last = (bindparam("last_at", type_=c.due_at.type), bindparam("last_id", type_=c.id.type))
        walk = walk.where(tuple_(c.due_at, c.id) > tuple_(*last))
    return Statement(walk.order_by(c.due_at, c.id).limit(first(_CHUNK)).with_for_update(skip_locked=True))


@cache
def _next_due(asked: frozenset[str]) -> Statement:
    c = t.reminder.c
    first = select(func.min(c.due_at).label("first"))
    first = first.where(c.city == bindparam("city"), c.state == ReminderState.PLANNED.value)
    return Statement(first.where(c.due_at > bindparam("after")) if "after" in asked else first)


def _obligation_columns(one: Obligation) -> dict[str, Any]:
    return {
        "person_id": one.person_id,
        "case_id": one.case_id,
        "city": one.city,
        "service": one.service,
        "rule": one.rule,
        "period": one.period,
        "label": one.label,
        "due_on": one.due_on,
        "cite": one.cite,
        "standing": one.standing,
        "why": [dict(step) for step in one.why],
        "assumption": one.assumption,
        "state": one.state.value,
    }


def _obligation(row: Any) -> Obligation:
    return Obligation(
        person_id=row.person_id,
        case_id=row.case_id,
        city=row.city,
        service=row.service,
        rule=row.rule,
        period=row.period,
        label=row.label,
        due_on=row.due_on,
        cite=row.cite,
        standing=row.standing,
        why=tuple(row.why),
        assumption=row.assumption,
        state=ObligationState(row.state),
        id=row.id,
    )


def _reminder_columns(one: Reminder) -> dict[str, Any]:
    return {
        "obligation_id": one.obligation_id,
        "person_id": one.person_id,
        "city": one.city,
        "due_on": one.due_on,
        "days_before": one.offset,
        "due_at": one.due_at,
        "state": one.state.value,
    }


def _reminder(row: Any) -> Reminder:
    return Reminder(
        obligation_id=row.obligation_id,
        person_id=row.person_id,
        city=row.city,
        due_on=row.due_on,
        offset=row.days_before,
        due_at=row.due_at,
        state=ReminderState(row.state),
        id=row.id,
    )
