"""Cases, their timelines, their files, and the numbers of protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, insert, select, tuple_, update

from bot.storage import tables_cases as t
from bot.storage.engine import Unit
from bot.storage.repositories.dialect import insert_or
from domain.cases.errors import CaseMovedOn
from domain.cases.model import (
    Audience,
    Author,
    AuthorKind,
    Case,
    CaseKind,
    CaseState,
    Event,
    EventKind,
    Item,
    ItemState,
    Outcome,
    Turn,
)
from domain.cases.ports import QueueCount, QueueQuery, Shelf
from domain.errors import NotFound

_SHELVES = {
    Shelf.OPEN: (CaseState.OPEN,),
    Shelf.MINE: (CaseState.TAKEN, CaseState.WAITING),
    Shelf.WAITING: (CaseState.WAITING,),
    Shelf.UNFINISHED: (CaseState.OPEN, CaseState.TAKEN, CaseState.WAITING),
}

# made once: a statement that carries its values costs more to recognise than to run
_ADD = insert(t.case).returning(t.case.c.id)
_GET = select(t.case).where(t.case.c.id == bindparam("this"))
_LOCK = _GET.with_for_update()
_SAVE = update(t.case).where(t.case.c.id == bindparam("this"), t.case.c.seq == bindparam("seen"))
_TELL = insert(t.timeline_event)
_EVENTS = (
    select(t.timeline_event).where(t.timeline_event.c.case_id == bindparam("this")).order_by(t.timeline_event.c.seq)
)


class StoredCases:
    """The port ``Cases``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def add(self, *, city: str, service: str, kind: CaseKind) -> Case:
        connection = await self._unit.touch()
        blank = Case(0, city, service, kind)
        new = {"city": city, "service": service, "kind": kind.value, **_columns(blank)}
        case_id: int = (await connection.execute(_ADD, new)).scalar_one()
        return replace(blank, id=case_id)

    async def get(self, case_id: int, *, lock: bool = False) -> Case:
        connection = await self._unit.touch()
        row = (await connection.execute(_LOCK if lock else _GET, {"this": case_id})).one_or_none()
        if row is None:
            raise NotFound(f"there is no case {case_id}")
        return case_of(row)

    async def many(self, case_ids: Collection[int]) -> tuple[Case, ...]:
        if not case_ids:
            return ()
        connection = await self._unit.touch()
        statement = select(t.case).where(t.case.c.id.in_(list(case_ids))).order_by(t.case.c.id.desc())
        return tuple(case_of(row) for row in await connection.execute(statement))

    async def by_protocol(self, protocol: str) -> Case | None:
        connection = await self._unit.touch()
        row = (await connection.execute(select(t.case).where(t.case.c.protocol == protocol))).one_or_none()
        return None if row is None else case_of(row)

    async def save(self, case: Case, events: Sequence[Event]) -> None:
        if not events:
            return
        connection = await self._unit.touch()
        stored = await connection.execute(_SAVE, {"this": case.id, "seen": events[0].seq - 1, **_columns(case)})
        if stored.rowcount == 0:
            raise CaseMovedOn(case_id=case.id)
        await connection.execute(_TELL, [_event_columns(case.id, event) for event in events])

    async def events(self, case_id: int) -> tuple[Event, ...]:
        connection = await self._unit.touch()
        return tuple(_event(row) for row in await connection.execute(_EVENTS, {"this": case_id}))

    async def counts(self, *, city: str, kinds: frozenset[CaseKind], staff_id: int) -> tuple[QueueCount, ...]:
        connection = await self._unit.touch()
        c = t.case.c
        theirs = c.assignee == staff_id
        statement = (
            select(
                c.service,
                c.queue,
                _how_many(c.state == CaseState.OPEN.value).label("open"),
                _how_many(theirs & c.state.in_(_states(Shelf.MINE))).label("mine"),
                _how_many(c.state == CaseState.WAITING.value).label("waiting"),
                func.min(case((c.turn == Turn.STAFF.value, c.turn_since))).label("since"),
            )
            .where(c.city == city, t.UNFINISHED, c.kind.in_(_values(kinds)))
            .group_by(c.service, c.queue)
            .order_by(c.service, c.queue)
        )
        return tuple(
            QueueCount(row.service, row.queue, row.open, row.mine, row.waiting, row.since)
            for row in await connection.execute(statement)
        )

    async def page(self, query: QueueQuery, *, after: int | None = None, limit: int) -> tuple[Case, ...]:
        connection = await self._unit.touch()
        c = t.case.c
        statement = (
            select(t.case)
            .where(c.city == query.city, c.kind.in_(_values(query.kinds)), _on_shelf(query.shelf))
            .order_by(c.submitted_at, c.id)
            .limit(limit)
        )
        if query.shelf is Shelf.MINE:
            statement = statement.where(c.assignee == query.staff_id)
        if query.service is not None:
            statement = statement.where(c.service == query.service)
        if query.queue is not None:
            statement = statement.where(c.queue == query.queue)
        if after is not None:
            last = t.case.alias("last")
            submitted = select(last.c.submitted_at).where(last.c.id == after).scalar_subquery()
            statement = statement.where(tuple_(c.submitted_at, c.id) > tuple_(submitted, after))
        return tuple(case_of(row) for row in await connection.execute(statement))


class StoredProtocols:
    """The port ``Protocols``: who takes a number holds its series until the transaction ends, so none is left out."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def next(self, series: str) -> int:
        connection = await self._unit.touch()
        counter = t.protocol_counter
        number: int = (
            await connection.execute(
                insert_or(connection, counter)
                .values(series=series, value=1)
                .on_conflict_do_update(index_elements=[counter.c.series], set_={"value": counter.c.value + 1})
                .returning(counter.c.value)
            )
        ).scalar_one()
        return number


def _on_shelf(shelf: Shelf) -> ColumnElement[bool]:
    # an equality where one state is meant: the index then gives the rows in their order
    states = _states(shelf)
    return t.case.c.state == states[0] if len(states) == 1 else t.case.c.state.in_(states)


def _states(shelf: Shelf) -> list[str]:
    return [state.value for state in _SHELVES[shelf]]


def _values(kinds: frozenset[CaseKind]) -> list[str]:
    return sorted(kind.value for kind in kinds)


def _how_many(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.count(case((condition, 1)))


def _columns(case: Case) -> dict[str, Any]:
    """Return what events may change of a case."""
    return {
        "state": case.state.value,
        "protocol": case.protocol,
        "queue": case.queue,
        "subject": case.subject,
        "assignee": case.assignee,
        "turn": case.turn.value,
        "turn_since": case.turn_since,
        "opened_at": case.opened_at,
        "submitted_at": case.submitted_at,
        "closed_at": case.closed_at,
        "outcome": case.outcome.value if case.outcome is not None else None,
        "asked": case.asked,
        "contested": case.contested,
        "extended_at": case.extended_at,
        "facts": dict(case.facts),
        "items": {key: _item_json(item) for key, item in case.items.items()},
        "seq": case.seq,
        "head": case.head,
    }


def case_of(row: Any) -> Case:
    """Read a row of ``case``."""
    columns = {name: getattr(row, name) for name in _NAMES}
    columns |= {
        "state": CaseState(row.state),
        "turn": Turn(row.turn),
        "outcome": Outcome(row.outcome) if row.outcome is not None else None,
        "items": {key: _item(value) for key, value in row.items.items()},
    }
    return Case(row.id, row.city, row.service, CaseKind(row.kind), **columns)


_NAMES = tuple(_columns(Case(0, "", "", CaseKind.REGISTRATION)))


def _item_json(item: Item) -> dict[str, Any]:
    return {
        "state": item.state.value,
        "files": list(item.files),
        "caption": item.caption,
        "reason": item.reason,
        "comment": item.comment,
        "since": item.since and item.since.isoformat(),
    }


def _item(value: dict[str, Any]) -> Item:
    return Item(
        ItemState(value["state"]),
        tuple(value["files"]),
        value["caption"],
        value["reason"],
        value["comment"],
        value["since"] and datetime.fromisoformat(value["since"]),
    )


def _event_columns(case_id: int, event: Event) -> dict[str, Any]:
    return {
        "case_id": case_id,
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind.value,
        "author_kind": event.author.kind.value,
        "author_id": event.author.person_id,
        "author_name": event.author.name,
        "audience": event.audience.value,
        "text": event.text,
        "data": dict(event.data),
        "previous": event.previous,
        "hash": event.hash,
    }


def _event(row: Any) -> Event:
    return Event(
        row.seq,
        row.at,
        EventKind(row.kind),
        Author(AuthorKind(row.author_kind), row.author_id, row.author_name),
        Audience(row.audience),
        row.text,
        row.data,
        row.previous,
        row.hash,
    )
