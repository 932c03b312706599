"""The ports in memory: transactional and honest. What cannot be kept as JSON is refused, as a database would.

A :class:`Memory` is a whole database; :meth:`Memory.unit` is one transaction of it, rolled back by an exception.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any, TypeVar

from domain.cases.errors import CaseMovedOn
from domain.cases.model import Case, CaseKind, CaseState, Event, Turn
from domain.cases.ports import QueueCount, QueueQuery, Shelf
from domain.errors import NotFound
from domain.files.model import FileKind, ReceivedFile
from domain.law.loader import Laws
from domain.people.model import Grant, Invite, Person, Recipient
from domain.people.ports import StaffMember
from domain.privacy.model import Party, Receipts
from domain.reminders.model import DueReminder, Obligation, ObligationState, Reminder, ReminderState
from domain.reports.ports import UNSEEN
from handlers.shared.services import Ports

UNFINISHED = (CaseState.OPEN, CaseState.TAKEN, CaseState.WAITING)
ValueT = TypeVar("ValueT")
KEY = "a key of the tests, long enough to be one"


@dataclass
class State:
    """Everything that is stored. Values are frozen, so that a shallow copy is a snapshot."""

    people: dict[int, Person] = field(default_factory=dict)
    invites: dict[str, Invite] = field(default_factory=dict)
    cases: dict[int, Case] = field(default_factory=dict)
    events: dict[int, tuple[Event, ...]] = field(default_factory=dict)
    series: dict[str, int] = field(default_factory=dict)
    parties: dict[int, Party] = field(default_factory=dict)
    files: dict[int, ReceivedFile] = field(default_factory=dict)
    attached: dict[int, int] = field(default_factory=dict)
    obligations: dict[int, Obligation] = field(default_factory=dict)
    derived: dict[int, tuple[str, str, str]] = field(default_factory=dict)
    reminders: dict[int, Reminder] = field(default_factory=dict)
    looks: dict[int, date] = field(default_factory=dict)

    def copy(self) -> State:
        return State(**{one.name: dict(getattr(self, one.name)) for one in fields(self)})


class Memory:
    """A database in memory. ``committed`` is what survives; ``person`` and ``file`` put people and files into it."""

    def __init__(self, laws: Laws) -> None:
        self.laws = laws
        self.committed = State()
        self._one_at_a_time = asyncio.Lock()

    @asynccontextmanager
    async def unit(self, now: datetime) -> AsyncIterator[Ports]:
        """Open one transaction, after those before it; an exception undoes all of it."""
        async with self._one_at_a_time:
            state = self.committed.copy()
            yield self._ports(state, now)
            self.committed = state

    def _ports(self, state: State, now: datetime) -> Ports:
        return Ports(
            people=FakePeople(state),
            grants=FakeGrants(state),
            invites=FakeInvites(state),
            cases=FakeCases(state),
            protocols=FakeProtocols(state),
            parties=FakeParties(state),
            files=FakeFiles(state),
            obligations=FakeObligations(state),
            ledger=FakeLedger(state),
            watch=FakeWatch(state),
            laws=self.laws,
            receipts=Receipts(KEY),
            now=now,
        )

    async def person(self, name: str, *grants: Grant, reachable: bool = True, language: str = "pt_BR") -> Person:
        """Let somebody speak to the bot for the first time."""
        number = len(self.committed.people) + 1
        person = Person(number, 7000 + number, name, language=language, reachable=reachable, grants=frozenset(grants))
        self.committed.people[number] = person
        return person

    def blocks(self, person: Person) -> None:
        """Let somebody block the bot."""
        self.committed.people[person.id] = replace(self.committed.people[person.id], reachable=False)

    async def file(self, *, media_type: str = "image/jpeg") -> int:
        """Store a file that nobody has attached yet."""
        number = len(self.committed.files) + 1
        kind = FileKind.PHOTO if media_type.startswith("image/") else FileKind.DOCUMENT
        self.committed.files[number] = ReceivedFile(
            number, kind, media_type, size=1000, sha256=f"{number:064x}", file_id=f"file-{number}"
        )
        return number


@dataclass
class FakePeople:
    state: State

    async def get(self, person_id: int) -> Person:
        return _found(self.state.people, person_id)

    async def names(self, person_ids: Collection[int]) -> Mapping[int, str]:
        return {number: self.state.people[number].name for number in person_ids if number in self.state.people}

    async def by_chat(self, chat_id: int) -> Person | None:
        return next((person for person in self.state.people.values() if person.chat_id == chat_id), None)

    async def save(self, person: Person) -> None:
        known = _found(self.state.people, person.id)
        self.state.people[person.id] = replace(person, grants=known.grants)

    async def recipient(self, person_id: int) -> Recipient | None:
        person = self.state.people.get(person_id)
        if person is None or not person.reachable:
            return None
        return Recipient(person.id, person.chat_id, person.language)


@dataclass
class FakeGrants:
    state: State

    async def add(self, person_id: int, grant: Grant, *, at: datetime) -> None:
        person = _found(self.state.people, person_id)
        self.state.people[person_id] = replace(person, grants=person.grants | {grant})

    async def remove(self, person_id: int, grant: Grant) -> bool:
        person = self.state.people.get(person_id)
        if person is None or grant not in person.grants:
            return False
        self.state.people[person_id] = replace(person, grants=person.grants - {grant})
        return True

    async def of_city(self, city: str) -> tuple[StaffMember, ...]:
        members = [
            StaffMember(person.id, person.name, role)
            for person in self.state.people.values()
            for role in person.roles_in(city)
        ]
        return tuple(sorted(members, key=lambda member: (member.name, member.role, member.person_id)))


@dataclass
class FakeInvites:
    state: State

    async def add(self, invite: Invite) -> None:
        self.state.invites[invite.code_hash] = invite

    async def get(self, code_hash: str) -> Invite | None:
        return self.state.invites.get(code_hash)

    async def use(self, code_hash: str, *, at: datetime) -> bool:
        invite = self.state.invites.get(code_hash)
        if invite is None or invite.used_at is not None:
            return False
        self.state.invites[code_hash] = replace(invite, used_at=at)
        return True


@dataclass
class FakeCases:
    state: State

    async def add(self, *, city: str, service: str, kind: CaseKind) -> Case:
        case = Case(max(self.state.cases, default=0) + 1, city, service, kind)
        self.state.cases[case.id] = case
        self.state.events[case.id] = ()
        return case

    async def get(self, case_id: int, *, lock: bool = False) -> Case:
        return _found(self.state.cases, case_id)

    async def many(self, case_ids: Collection[int]) -> tuple[Case, ...]:
        return tuple(
            self.state.cases[number] for number in sorted(set(case_ids), reverse=True) if number in self.state.cases
        )

    async def by_protocol(self, protocol: str) -> Case | None:
        return next((case for case in self.state.cases.values() if case.protocol == protocol), None)

    async def save(self, case: Case, events: Sequence[Event]) -> None:
        stored = _found(self.state.cases, case.id)
        if stored.seq != events[0].seq - 1:
            raise CaseMovedOn(case_id=case.id)
        for person_id in (case.assignee, *(event.author.person_id for event in events)):
            assert person_id is None or person_id in self.state.people, "staff are people"
        kept = tuple(replace(event, data=_json(event.data)) for event in events)
        self.state.cases[case.id] = replace(case, facts=_json(case.facts))
        self.state.events[case.id] += kept

    async def events(self, case_id: int) -> tuple[Event, ...]:
        return self.state.events.get(case_id, ())

    async def counts(self, *, city: str, kinds: frozenset[CaseKind], staff_id: int) -> tuple[QueueCount, ...]:
        lots: dict[tuple[str, str], list[Case]] = {}
        for case in self.state.cases.values():
            if case.city == city and case.kind in kinds and case.state in UNFINISHED:
                lots.setdefault((case.service, case.queue or ""), []).append(case)
        return tuple(
            QueueCount(
                service,
                queue,
                open=sum(case.state is CaseState.OPEN for case in lot),
                mine=sum(case.assignee == staff_id for case in lot),
                waiting=sum(case.state is CaseState.WAITING for case in lot),
                since=min(
                    (case.turn_since for case in lot if case.turn is Turn.STAFF and case.turn_since), default=None
                ),
            )
            for (service, queue), lot in sorted(lots.items())
        )

    async def page(self, query: QueueQuery, *, after: int | None = None, limit: int) -> tuple[Case, ...]:
        found = sorted((case for case in self.state.cases.values() if _lies_in(case, query)), key=_place)
        if after is not None:
            found = [case for case in found if _place(case) > _place(_found(self.state.cases, after))]
        return tuple(found[:limit])


def _lies_in(case: Case, query: QueueQuery) -> bool:
    shelf = {
        Shelf.OPEN: case.state is CaseState.OPEN,
        Shelf.MINE: case.state in UNFINISHED and case.assignee == query.staff_id,
        Shelf.WAITING: case.state is CaseState.WAITING,
        Shelf.UNFINISHED: case.state in UNFINISHED,
    }
    return (
        case.city == query.city
        and case.kind in query.kinds
        and query.service in (None, case.service)
        and query.queue in (None, case.queue)
        and shelf[query.shelf]
    )


def _place(case: Case) -> tuple[datetime, int]:
    assert case.submitted_at is not None
    return case.submitted_at, case.id


@dataclass
class FakeProtocols:
    state: State

    async def next(self, series: str) -> int:
        self.state.series[series] = self.state.series.get(series, 0) + 1
        return self.state.series[series]


@dataclass
class FakeParties:
    state: State

    async def bind(self, case_id: int, party: Party) -> None:
        assert case_id not in self.state.parties, "a case belongs to one party for ever"
        self.state.parties[case_id] = party

    async def of(self, case_id: int) -> Party:
        return _found(self.state.parties, case_id)

    async def many(self, case_ids: Collection[int]) -> Mapping[int, Party]:
        return {number: self.state.parties[number] for number in case_ids if number in self.state.parties}

    async def cases_of(self, person_id: int) -> tuple[int, ...]:
        theirs = (case_id for case_id, party in self.state.parties.items() if party.person_id == person_id)
        return tuple(sorted(theirs, reverse=True))

    async def by_receipt(self, hashes: Collection[str]) -> int | None:
        held = (case_id for case_id, party in self.state.parties.items() if party.receipt_hash in hashes)
        return next(held, None)


@dataclass
class FakeFiles:
    state: State

    async def many(self, file_ids: Collection[int]) -> tuple[ReceivedFile, ...]:
        return tuple(self.state.files[number] for number in sorted(set(file_ids)) if number in self.state.files)

    async def attach(self, case_id: int, file_ids: Collection[int]) -> None:
        for number in file_ids:
            if number not in self.state.files or self.state.attached.get(number, case_id) != case_id:
                raise NotFound(f"file {number} cannot be attached")
        self.state.attached.update(dict.fromkeys(file_ids, case_id))


@dataclass
class FakeObligations:
    state: State

    async def get(self, obligation_id: int) -> Obligation:
        return _found(self.state.obligations, obligation_id)

    async def of_case(self, case_id: int) -> tuple[Obligation, ...]:
        return self._sorted(case_id=case_id)

    async def of_person(self, person_id: int) -> tuple[Obligation, ...]:
        return self._sorted(person_id=person_id, state=ObligationState.OPEN)

    async def put(self, obligation: Obligation) -> Obligation:
        known = next((one for one in self.state.obligations.values() if one.key == obligation.key), None)
        number = known.id if known is not None else max(self.state.obligations, default=0) + 1
        kept = replace(obligation, id=number, why=tuple(_json(list(obligation.why))))
        self.state.obligations[number] = kept
        return kept

    async def mark_derived(self, case_id: int, *, city: str, service: str, stamp: str) -> None:
        self.state.derived[case_id] = (city, service, stamp)

    async def outdated(self, *, city: str, service: str, stamp: str, limit: int) -> tuple[int, ...]:
        old = (
            case_id
            for case_id, (of_city, of_service, under) in sorted(self.state.derived.items())
            if (of_city, of_service) == (city, service) and under != stamp
        )
        return tuple(old)[:limit]

    def _sorted(self, **wanted: Any) -> tuple[Obligation, ...]:
        found = (
            one
            for one in self.state.obligations.values()
            if all(getattr(one, name) == value for name, value in wanted.items())
        )
        return tuple(sorted(found, key=lambda one: (one.due_on, one.id)))


@dataclass
class FakeLedger:
    state: State

    async def plan(self, reminders: Sequence[Reminder]) -> None:
        for reminder in reminders:
            _found(self.state.obligations, reminder.obligation_id)
            known = next((one for one in self.state.reminders.values() if _same(one, reminder)), None)
            if known is None:
                number = max(self.state.reminders, default=0) + 1
                self.state.reminders[number] = replace(reminder, id=number)
            elif known.state is ReminderState.CANCELLED:
                self.state.reminders[known.id] = replace(known, state=ReminderState.PLANNED, due_at=reminder.due_at)

    async def due(
        self, now: datetime, *, city: str, people: int, due_on: date | None = None
    ) -> tuple[DueReminder, ...]:
        due = sorted(
            (
                one
                for one in self.state.reminders.values()
                if one.state is ReminderState.PLANNED
                and one.city == city
                and one.due_at <= now
                and due_on in (None, one.due_on)
            ),
            key=lambda one: (one.due_at, one.id),
        )
        first = list(dict.fromkeys(one.person_id for one in due))[:people]
        return tuple(
            DueReminder(one, self.state.obligations[one.obligation_id]) for one in due if one.person_id in first
        )

    async def mark(self, reminder_ids: Collection[int], state: ReminderState) -> None:
        for number in reminder_ids:
            self.state.reminders[number] = replace(self.state.reminders[number], state=state)

    async def cancel(self, obligation_id: int) -> None:
        for one in list(self.state.reminders.values()):
            if one.obligation_id == obligation_id and one.state is ReminderState.PLANNED:
                self.state.reminders[one.id] = replace(one, state=ReminderState.CANCELLED)


@dataclass
class FakeWatch:
    state: State

    async def due(self, today: date, *, city: str, service: str, limit: int) -> tuple[Case, ...]:
        owed = [
            case
            for case in self.state.cases.values()
            if (case.city, case.service, case.turn) == (city, service, Turn.STAFF)
            and case.kind is not CaseKind.REGISTRATION
            and self._look(case.id) <= today
        ]
        return tuple(sorted(owed, key=lambda case: (self._look(case.id), case.id))[:limit])

    async def look_again(self, case_id: int, on: date) -> None:
        self.state.looks[case_id] = on

    def _look(self, case_id: int) -> date:
        return self.state.looks.get(case_id, UNSEEN)


def _same(one: Reminder, other: Reminder) -> bool:
    return (one.obligation_id, one.due_on, one.offset) == (other.obligation_id, other.due_on, other.offset)


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _found(kept: dict[int, ValueT], number: int) -> ValueT:
    if number not in kept:
        raise NotFound(f"nothing has the number {number}")
    return kept[number]
