"""The one table of who works on what, and what an overview shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from domain.cases.model import Case, CaseKind
from domain.people.model import Person, Role

WORKS_ON: Mapping[Role, frozenset[CaseKind]] = {
    Role.REGISTRY: frozenset({CaseKind.REGISTRATION}),
    Role.OMBUDSMAN: frozenset({CaseKind.COMPLAINT, CaseKind.DISCRIMINATION, CaseKind.IRREGULARITY}),
    Role.INSPECTOR: frozenset({CaseKind.IRREGULARITY, CaseKind.COMPLAINT}),
    Role.MANAGER: frozenset(CaseKind),
}


def kinds_for(person: Person, city: str) -> frozenset[CaseKind]:
    """Return the kinds of case that a person works on in a city."""
    return frozenset(kind for role in person.roles_in(city) for kind in WORKS_ON[role])


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One queue as the overview shows it. ``label`` is a message id; ``since`` is the oldest turn of staff's."""

    service: str
    queue: str
    label: str
    open: int
    mine: int
    waiting: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class CityQueues:
    """A city's queues for one member of staff, in the rulebooks' order."""

    city: str
    name: str
    lines: tuple[QueueLine, ...]


@dataclass(frozen=True, slots=True)
class QueuePage:
    """Some cases of a queue, oldest submission first. ``next_after`` continues it; ``None`` at the end.

    ``holders`` names who has those that somebody has, by their number; ``citizens`` whose case it is, by the case's,
    where that person chose to be identified.
    """

    cases: tuple[Case, ...]
    next_after: int | None
    holders: Mapping[int, str] = field(default_factory=dict)
    citizens: Mapping[int, str] = field(default_factory=dict)
