"""Obligations and the ledger of reminders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, func, or_, select, tuple_, update

from bot.storage import tables_reminders as t
from bot.storage.engine import Unit
from bot.storage.repositories.dialect import insert_or
from domain.errors import NotFound
from domain.reminders.model import DueReminder, Obligation, ObligationState, Reminder, ReminderState

_CHUNK = 500  # rows read, or ids named, in one statement


class StoredObligations:
    """The port ``Obligations``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def get(self, obligation_id: int) -> Obligation:
        found = await self._read(select(t.obligation).where(t.obligation.c.id == obligation_id))
        if not found:
            raise NotFound(f"there is no obligation {obligation_id}")
        return found[0]

    async def of_case(self, case_id: int) -> tuple[Obligation, ...]:
        return await self._read(select(t.obligation).where(t.obligation.c.case_id == case_id))

    async def of_person(self, person_id: int) -> tuple[Obligation, ...]:
        return await self._read(
            select(t.obligation).where(
                t.obligation.c.person_id == person_id, t.obligation.c.state == ObligationState.OPEN.value
            )
        )

    async def put(self, obligation: Obligation) -> Obligation:
        connection = await self._unit.touch()
        columns = _obligation_columns(obligation)
        new = insert_or(connection, t.obligation).values(columns)
        key = ("case_id", "rule", "period")
        changed = {name: new.excluded[name] for name in columns if name not in key}
        stored = new.on_conflict_do_update(index_elements=key, set_=changed).returning(t.obligation)
        return _obligation((await connection.execute(stored)).one())

    async def mark_derived(self, case_id: int, *, city: str, service: str, stamp: str) -> None:
        connection = await self._unit.touch()
        new = insert_or(connection, t.derivation).values(case_id=case_id, city=city, service=service, stamp=stamp)
        changed = {"city": city, "service": service, "stamp": stamp}
        await connection.execute(new.on_conflict_do_update(index_elements=[t.derivation.c.case_id], set_=changed))

    async def outdated(self, *, city: str, service: str, stamp: str, limit: int) -> tuple[int, ...]:
        connection = await self._unit.touch()
        c = t.derivation.c
        # two ranges of the index beside the one that holds: nearly always empty, whatever is stored
        other = or_(c.stamp < stamp, c.stamp > stamp)
        statement = select(c.case_id).where(c.city == city, c.service == service, other)
        return tuple(await connection.scalars(statement.order_by(c.case_id).limit(limit)))

    async def _read(self, statement: Select[Any]) -> tuple[Obligation, ...]:
        connection = await self._unit.touch()
        ordered = statement.order_by(t.obligation.c.due_on, t.obligation.c.id)
        return tuple(_obligation(row) for row in await connection.execute(ordered))


class StoredLedger:
    """The port ``Ledger``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def plan(self, reminders: Sequence[Reminder]) -> None:
        if not reminders:
            return
        connection = await self._unit.touch()
        new = insert_or(connection, t.reminder)
        revived = new.on_conflict_do_update(
            index_elements=[t.reminder.c.obligation_id, t.reminder.c.due_on, t.reminder.c.days_before],
            set_={"state": new.excluded.state, "due_at": new.excluded.due_at},
            where=t.reminder.c.state == ReminderState.CANCELLED.value,
        )
        await connection.execute(revived, [_reminder_columns(one) for one in reminders])

    async def due(
        self, now: datetime, *, city: str, people: int, due_on: date | None = None
    ) -> tuple[DueReminder, ...]:
        connection = await self._unit.touch()
        c = t.reminder.c
        ripe = select(t.reminder).where(c.state == ReminderState.PLANNED.value, c.due_at <= now)
        if due_on is not None:
            ripe = ripe.where(c.due_on == due_on)
        persons = await self._first_persons(ripe.where(c.city == city), people)
        if not persons:
            return ()
        # without the city there is one index to choose, the persons': the other one would read all that is due
        theirs = ripe.where(c.person_id.in_(persons)).order_by(c.due_at, c.id).with_for_update(skip_locked=True)
        found = [_reminder(row) for row in await connection.execute(theirs) if row.city == city]
        known = await self._obligations({one.obligation_id for one in found})
        return tuple(DueReminder(one, known[one.obligation_id]) for one in found)

    async def next_due(self, city: str, *, after: datetime | None = None) -> datetime | None:
        """Return when the first planned reminder of a city falls due, or fell due long ago."""
        connection = await self._unit.touch()
        c = t.reminder.c
        first = select(func.min(c.due_at)).where(c.city == city, c.state == ReminderState.PLANNED.value)
        if after is not None:
            first = first.where(c.due_at > after)
        found: datetime | None = await connection.scalar(first)
        return found

    async def mark(self, reminder_ids: Collection[int], state: ReminderState) -> None:
        if not reminder_ids:
            return
        connection = await self._unit.touch()
        ids = list(reminder_ids)
        for start in range(0, len(ids), _CHUNK):
            named = update(t.reminder).where(t.reminder.c.id.in_(ids[start : start + _CHUNK]))
            await connection.execute(named.values(state=state.value))

    async def cancel(self, obligation_id: int) -> None:
        connection = await self._unit.touch()
        planned = update(t.reminder).where(
            t.reminder.c.obligation_id == obligation_id, t.reminder.c.state == ReminderState.PLANNED.value
        )
        await connection.execute(planned.values(state=ReminderState.CANCELLED.value))

    async def _first_persons(self, ripe: Select[Any], people: int) -> list[int]:
        """Return the first persons along the index of what is due, reading no further than needed."""
        connection = await self._unit.touch()
        c = t.reminder.c
        walk = (
            ripe.with_only_columns(c.person_id, c.due_at, c.id)
            .order_by(c.due_at, c.id)
            .limit(_CHUNK)
            .with_for_update(skip_locked=True)
        )
        persons: dict[int, None] = {}
        rows = (await connection.execute(walk)).all()
        while rows:
            for row in rows:
                persons[row.person_id] = None
                if len(persons) == people:
                    return list(persons)
            if len(rows) < _CHUNK:
                break
            rows = (await connection.execute(walk.where(tuple_(c.due_at, c.id) > (rows[-1].due_at, rows[-1].id)))).all()
        return list(persons)

    async def _obligations(self, ids: Collection[int]) -> dict[int, Obligation]:
        connection = await self._unit.touch()
        wanted = list(ids)
        known: dict[int, Obligation] = {}
        for start in range(0, len(wanted), _CHUNK):
            statement = select(t.obligation).where(t.obligation.c.id.in_(wanted[start : start + _CHUNK]))
            known |= {row.id: _obligation(row) for row in await connection.execute(statement)}
        return known


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
