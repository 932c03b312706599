"""Cases, their timelines, their files, and the numbers of protocols."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, insert, literal, select, tuple_, update

from bot.storage import tables_cases as t
from bot.storage.statement import Statement, among, first
from bot.storage.transaction import Unit
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
    Wait,
)
from domain.cases.ports import QueueCount, QueueQuery, Shelf
from domain.errors import NotFound

_SHELVES = {
    Shelf.OPEN: (CaseState.OPEN,),
    Shelf.MINE: (CaseState.TAKEN, CaseState.WAITING),
    Shelf.WAITING: (CaseState.WAITING,),
    Shelf.UNFINISHED: (CaseState.OPEN, CaseState.TAKEN, CaseState.WAITING),
}

_CHANGED = (
    *("state", "protocol", "queue", "subject", "assignee", "turn", "turn_since", "opened_at", "submitted_at"),
    *("closed_at", "outcome", "asked", "contested", "extended_at", "waits", "facts", "items", "seq", "head"),
)
"""What events may change of a case."""

_THIS = select(t.case).where(t.case.c.id == bindparam("this"))
_ADD = Statement(insert(t.case).returning(t.case.c.id), ("city", "service", "kind", *_CHANGED))
_GET = Statement(_THIS)
_LOCK = Statement(_THIS.with_for_update())
_MANY = Statement(select(t.case).where(among(t.case.c.id, "ids")).order_by(t.case.c.id.desc()))
_BY_PROTOCOL = Statement(select(t.case).where(t.case.c.protocol == bindparam("protocol")))
_SAVE = Statement(update(t.case).where(t.case.c.id == bindparam("this"), t.case.c.seq == bindparam("seen")), _CHANGED)
_TELL = Statement(
    insert(t.timeline_event),
    (
        *("case_id", "seq", "at", "kind", "author_kind", "author_id", "author_name", "audience", "text", "data"),
        *("previous", "hash"),
    ),
)
_EVENTS = Statement(
    select(t.timeline_event).where(t.timeline_event.c.case_id == bindparam("this")).order_by(t.timeline_event.c.seq)
)
_NEXT = Statement(
    lambda insert: (
        insert(t.protocol_counter)
        .on_conflict_do_update(
            index_elements=[t.protocol_counter.c.series], set_={"value": t.protocol_counter.c.value + 1}
        )
        .returning(t.protocol_counter.c.value)
    ),
    ("series", "value"),
)


class StoredCases:
    """The port ``Cases``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def add(self, *, city: str, service: str, kind: CaseKind) -> Case:
        blank = Case(0, city, service, kind)
        row = await self._unit.one(_ADD, city=city, service=service, kind=kind.value, **_columns(blank))
        return replace(blank, id=row.id)

    async def get(self, case_id: int, *, lock: bool = False) -> Case:
        row = await self._unit.one(_LOCK if lock else _GET, this=case_id)
        if row is None:
            raise NotFound(f"there is no case {case_id}")
        return case_of(row)

    async def many(self, case_ids: Collection[int]) -> tuple[Case, ...]:
        if not case_ids:
            return ()
        return tuple(case_of(row) for row in await self._unit.all(_MANY, ids=list(case_ids)))

    async def by_protocol(self, protocol: str) -> Case | None:
        row = await self._unit.one(_BY_PROTOCOL, protocol=protocol)
        return None if row is None else case_of(row)

    async def save(self, case: Case, events: Sequence[Event]) -> None:
        if not events:
            return
        if not await self._unit.change(_SAVE, this=case.id, seen=events[0].seq - 1, **_columns(case)):
            raise CaseMovedOn(case_id=case.id)
        await self._unit.each(_TELL, [_event_columns(case.id, event) for event in events])

    async def events(self, case_id: int) -> tuple[Event, ...]:
        return tuple(_event(row) for row in await self._unit.all(_EVENTS, this=case_id))

    async def counts(self, *, city: str, kinds: frozenset[CaseKind], staff_id: int) -> tuple[QueueCount, ...]:
        rows = await self._unit.all(_counts(kinds), city=city, staff=staff_id)
        return tuple(QueueCount(row.service, row.queue, row.open, row.mine, row.waiting, row.since) for row in rows)

    async def page(self, query: QueueQuery, *, after: int | None = None, limit: int) -> tuple[Case, ...]:
        asked: dict[str, Any] = {"city": query.city}
        if query.shelf is Shelf.MINE:
            asked["staff"] = query.staff_id
        if query.service is not None:
            asked["service"] = query.service
        if query.queue is not None:
            asked["queue"] = query.queue
        if after is not None:
            asked["after"] = after
        statement = _page(query.shelf, query.kinds, frozenset(asked), limit)
        return tuple(case_of(row) for row in await self._unit.all(statement, **asked))


class StoredProtocols:
    """The port ``Protocols``: who takes a number holds its series until the transaction ends, so none is left out."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def next(self, series: str) -> int:
        number: int = (await self._unit.one(_NEXT, series=series, value=1)).value
        return number


@cache
def _counts(kinds: frozenset[CaseKind]) -> Statement:
    c = t.case.c
    theirs = c.assignee == bindparam("staff")
    return Statement(
        select(
            c.service,
            c.queue,
            _how_many(c.state == CaseState.OPEN.value).label("open"),
            _how_many(theirs & _any_of(c.state, _SHELVES[Shelf.MINE])).label("mine"),
            _how_many(c.state == CaseState.WAITING.value).label("waiting"),
            func.min(case((c.turn == Turn.STAFF.value, c.turn_since))).label("since"),
        )
        .where(c.city == bindparam("city"), t.UNFINISHED, _any_of(c.kind, kinds))
        .group_by(c.service, c.queue)
        .order_by(c.service, c.queue)
    )


@cache
def _page(shelf: Shelf, kinds: frozenset[CaseKind], asked: frozenset[str], limit: int) -> Statement:
    c = t.case.c
    statement = (
        select(t.case)
        .where(c.city == bindparam("city"), _any_of(c.kind, kinds), _on_shelf(shelf))
        .order_by(c.submitted_at, c.id)
        .limit(first(limit))
    )
    if "staff" in asked:
        statement = statement.where(c.assignee == bindparam("staff"))
    if "service" in asked:
        statement = statement.where(c.service == bindparam("service"))
    if "queue" in asked:
        statement = statement.where(c.queue == bindparam("queue"))
    if "after" in asked:
        last, number = t.case.alias("last"), bindparam("after", type_=c.id.type)
        submitted = select(last.c.submitted_at).where(last.c.id == number).scalar_subquery()
        statement = statement.where(tuple_(c.submitted_at, c.id) > tuple_(submitted, number))
    return Statement(statement)


def _on_shelf(shelf: Shelf) -> ColumnElement[bool]:
    # an equality where one state is meant: the index then gives the rows in their order
    states = _SHELVES[shelf]
    return t.case.c.state == states[0].value if len(states) == 1 else _any_of(t.case.c.state, states)


def _any_of(column: ColumnElement[str], values: Iterable[StrEnum]) -> ColumnElement[bool]:
    return column.in_([literal(value) for value in sorted(one.value for one in values)])


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
        "waits": [[wait.since.isoformat(), wait.until and wait.until.isoformat()] for wait in case.waits],
        "facts": dict(case.facts),
        "items": {key: _item_json(item) for key, item in case.items.items()},
        "seq": case.seq,
        "head": case.head,
    }


def case_of(row: Any) -> Case:
    """Read a row of ``case``."""
    columns = {name: getattr(row, name) for name in _CHANGED}
    columns |= {
        "state": CaseState(row.state),
        "turn": Turn(row.turn),
        "outcome": Outcome(row.outcome) if row.outcome is not None else None,
        "waits": tuple(_wait(*value) for value in row.waits),
        "items": {key: _item(value) for key, value in row.items.items()},
    }
    return Case(row.id, row.city, row.service, CaseKind(row.kind), **columns)


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


def _wait(since: str, until: str | None) -> Wait:
    return Wait(datetime.fromisoformat(since), datetime.fromisoformat(until) if until else None)


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
