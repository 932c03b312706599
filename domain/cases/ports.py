"""What the use cases of cases need from the world."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.cases.model import Case, CaseKind, Event


class Shelf(StrEnum):
    """Which part of a queue is looked at."""

    OPEN = "open"  # nobody has them: state open
    MINE = "mine"  # held by the one who asks, taken or waiting for the citizen
    WAITING = "waiting"  # the citizen owes something, whoever holds them
    UNFINISHED = "unfinished"  # open, taken and waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueQuery:
    """Which cases of a city are looked at, and for whom. ``service`` and ``queue`` narrow it."""

    city: str
    kinds: frozenset[CaseKind]
    staff_id: int
    shelf: Shelf = Shelf.OPEN
    service: str | None = None
    queue: str | None = None


@dataclass(frozen=True, slots=True)
class QueueCount:
    """How much lies in one queue of one service.

    ``since`` is the oldest ``turn_since`` among its unfinished cases whose turn is the staff's; ``None`` without any.
    """

    service: str
    queue: str
    open: int
    mine: int
    waiting: int
    since: datetime | None


class Cases(Protocol):
    """Stored cases and their timelines. Drafts are in no queue."""

    async def add(self, *, city: str, service: str, kind: CaseKind) -> Case:
        """Store a blank draft and return it with its id; its first event is saved with :meth:`save`."""

    async def get(self, case_id: int, *, lock: bool = False) -> Case:
        """Return a case; ``lock`` holds it until the transaction ends.

        Raises:
            NotFound: There is no such case.
        """

    async def many(self, case_ids: Collection[int]) -> tuple[Case, ...]:
        """Return those of the cases that exist, newest first (by id)."""

    async def by_protocol(self, protocol: str) -> Case | None:
        """Return the case with this protocol."""

    async def save(self, case: Case, events: Sequence[Event]) -> None:
        """Append ``events`` and store ``case`` as they leave it.

        Raises:
            CaseMovedOn: The stored case is not at the event before the first of ``events``. Nothing is stored.
        """

    async def events(self, case_id: int) -> tuple[Event, ...]:
        """Return a case's timeline in order."""

    async def counts(self, *, city: str, kinds: frozenset[CaseKind], staff_id: int) -> tuple[QueueCount, ...]:
        """Count a city's unfinished cases of these kinds per service and queue; empty queues are left out."""

    async def page(self, query: QueueQuery, *, after: int | None = None, limit: int) -> tuple[Case, ...]:
        """Return cases in the order in which they were submitted (then by id), following the case ``after``."""


class Protocols(Protocol):
    """Numbers without gaps within a transaction that commits."""

    async def next(self, series: str) -> int:
        """Return the next number of a series, from 1."""
