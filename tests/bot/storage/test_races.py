"""Two at once: two connections, one database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.storage.engine import Storage
from domain.cases.commands import TakeCase
from domain.cases.errors import CaseMovedOn, CaseTaken
from domain.cases.model import Author, CaseKind, EventKind, happen, replay
from domain.errors import DomainError, NotFound
from domain.people.model import Person
from domain.reminders.model import ReminderState
from handlers.shared.services import Ports
from tests.support.builders import CITY, NOW, OMBUDSMAN, REGISTRY, SERVICE, Counter
from tests.support.databases import DatabaseStore


@pytest.fixture
def counter(store: DatabaseStore) -> Counter:
    """A counter on this test's database."""
    return Counter(store)


async def test_of_two_who_take_a_case_at_once_one_has_it(counter: Counter) -> None:
    """Bia and Caio press "assumir" in the same moment: one has the case, the other hears who."""
    # given
    ana = await counter.store.person("Ana")
    staff = [await counter.store.person(name, OMBUDSMAN) for name in ("Bia", "Caio")]
    case_id = (await counter.report(ana)).update.case.id

    async def takes(person: Person) -> Any:
        try:
            return (await counter.does("take_case", TakeCase(by=person, case_id=case_id))).case.assignee
        except DomainError as refusal:
            return refusal

    # when
    ends = await asyncio.gather(*(takes(person) for person in staff))

    # then
    holders = [end for end in ends if isinstance(end, int)]
    refusals = [end for end in ends if not isinstance(end, int)]
    assert len(holders) == 1
    assert isinstance(refusals[0], CaseTaken)
    case, events = await counter.timeline(case_id)
    assert case.assignee == holders[0]
    assert [event.kind for event in events] == [EventKind.OPENED, EventKind.SUBMITTED, EventKind.TAKEN]


async def test_who_read_without_a_lock_and_was_slower_changes_nothing(store: DatabaseStore) -> None:
    """Two write after the same event: the second is told, and the timeline has one of them."""
    async with store.unit(NOW) as ports:
        blank = await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.COMPLAINT)
    read = asyncio.Barrier(2)

    async def opens(note: str) -> bool:
        if store.storage.is_sqlite:  # one writer at a time: both have read before either begins
            await read.wait()
        async with store.unit(NOW) as ports:
            if not store.storage.is_sqlite:
                await ports.cases.get(blank.id)
                await read.wait()
            moved, event = happen(blank, EventKind.OPENED, at=NOW, author=Author.citizen(), text=note)
            try:
                await ports.cases.save(moved, (event,))
            except CaseMovedOn:
                return False
        return True

    assert sorted(await asyncio.gather(opens("um"), opens("dois"))) == [False, True]
    async with store.unit(NOW) as ports:
        events = await ports.cases.events(blank.id)
        assert len(events) == 1
        assert replay(blank, events) == await ports.cases.get(blank.id)


async def test_two_protocols_at_once_are_never_equal_and_leave_no_gap(store: DatabaseStore) -> None:
    """Twenty people file at the same time and one of them fails: the others have 1 to 19."""

    async def takes(turn: int) -> int | None:
        try:
            async with store.unit(NOW) as ports:
                number = await ports.protocols.next("TST-2026")
                if turn == 7:
                    raise NotFound("what comes after the number refuses")
                return number
        except NotFound:
            return None

    numbers = await asyncio.gather(*(takes(turn) for turn in range(20)))
    assert sorted(number for number in numbers if number is not None) == list(range(1, 20))


async def test_a_file_that_two_cases_want_at_once_is_part_of_one(store: DatabaseStore) -> None:
    """A picture never shows up in somebody else's case."""
    picture = await store.file()
    async with store.unit(NOW) as ports:
        cases = [await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.COMPLAINT) for _ in range(2)]

    async def attaches(case_id: int) -> bool:
        try:
            async with store.unit(NOW) as ports:
                await ports.files.attach(case_id, [picture])
        except NotFound:
            return False
        return True

    assert sorted(await asyncio.gather(*(attaches(case.id) for case in cases))) == [False, True]


async def test_what_one_process_is_telling_another_leaves_alone(counter: Counter, storage: Storage) -> None:
    """Two sweeps overlap on PostgreSQL: nobody is told twice, nobody waits."""
    if storage.is_sqlite:
        pytest.skip("SQLite has one writer: sweeps cannot overlap")
    ana, bia = await counter.store.person("Ana"), await counter.store.person("Bia", REGISTRY)
    await counter.approved(ana, bia)
    counter.later(days=400)

    async def due(ports: Ports) -> list[int]:
        return [one.reminder.id for one in await ports.ledger.due(counter.now, city=CITY, people=10)]

    async with counter.store.unit(counter.now) as first:
        taken = await due(first)
        async with counter.store.unit(counter.now) as second:
            assert await due(second) == []
        await first.ledger.mark(taken, ReminderState.QUEUED)
    assert taken
    async with counter.store.unit(counter.now) as third:
        assert await due(third) == []


@pytest.mark.parametrize(
    "tamper", ["UPDATE timeline_event SET text = '\"outra coisa\"'", "DELETE FROM timeline_event WHERE seq = 2"]
)
async def test_the_database_itself_refuses_to_change_the_past(counter: Counter, storage: Storage, tamper: str) -> None:
    """Not even a statement written by hand changes what happened to Ana's case."""
    ana = await counter.store.person("Ana")
    case_id = (await counter.report(ana)).update.case.id
    before = await counter.timeline(case_id)

    with pytest.raises(DBAPIError, match="only appended"):
        async with storage.transaction() as connection:
            await connection.execute(text(tamper))

    assert await counter.timeline(case_id) == before


async def test_a_reader_is_not_held_up_by_a_writer(store: DatabaseStore) -> None:
    """A queue can be read while somebody else's change is not committed yet, and does not show it."""
    async with store.unit(NOW) as ports:
        case = await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.COMPLAINT)
        async with store.storage.reading() as connection:
            seen = store.binder.ports_for(connection, now=NOW)
            assert await seen.cases.many([case.id]) == ()


async def test_no_character_that_somebody_sends_breaks_a_timeline(store: DatabaseStore) -> None:
    """NUL and half an emoji come back as they came, in text, facts and files' words, and the chain holds."""
    odd = 'fim\x00 de linha \ud83d\u2028 \'; DROP TABLE "case"; --'
    async with store.unit(NOW) as ports:
        blank = await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.REGISTRATION)
        data = {"subject": "driver", "facts": {odd: odd}}
        opened, first = happen(blank, EventKind.OPENED, at=NOW, author=Author.citizen(), text=odd, data=data)
        item = {"item": "cnh", "files": []}
        sent, second = happen(opened, EventKind.ITEM_SENT, at=NOW, author=Author.citizen(), text=odd, data=item)
        await ports.cases.save(sent, (first, second))

    async with store.unit(NOW) as ports:
        stored, events = await ports.cases.get(blank.id), await ports.cases.events(blank.id)
    assert stored == sent == replay(blank, events)
    assert events[0].text == stored.items["cnh"].caption == stored.facts[odd] == odd
