"""What every store of cases, numbers, parties and files keeps to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from domain.cases.errors import CaseMovedOn
from domain.cases.model import Audience, Author, Case, CaseKind, CaseState, EventKind, happen, replay
from domain.cases.ports import QueueCount, QueueQuery, Shelf
from domain.errors import NotFound
from domain.people.model import Person
from domain.privacy.model import IdentityMode, Party
from handlers.shared.services import Ports
from tests.support.builders import CITY, NOW, OTHER_CITY, SERVICE
from tests.support.stores import Store

REPORTS = frozenset({CaseKind.COMPLAINT, CaseKind.IRREGULARITY})


async def submitted(
    ports: Ports, *, city: str = CITY, queue: str = "ouvidoria", kind: CaseKind = CaseKind.COMPLAINT, minutes: int = 0
) -> Case:
    """Put a report into a queue, some minutes later than the first."""
    at = NOW + timedelta(minutes=minutes)
    case = await ports.cases.add(city=city, service=SERVICE, kind=kind)
    number = await ports.protocols.next("TST-2026")
    data = {"protocol": f"TST-2026-{number}", "queue": queue}
    opened = {"subject": "preco", "facts": {"o quê": "<b>caro</b> 😡"}, "files": []}
    moved, first = happen(case, EventKind.OPENED, at=at, author=Author.citizen(), data=opened)
    moved, second = happen(moved, EventKind.SUBMITTED, at=at, author=Author.citizen(), data=data)
    await ports.cases.save(moved, (first, second))
    return moved


async def moved_on(ports: Ports, case: Case, kind: EventKind, *, by: Person, minutes: int = 0) -> Case:
    """Let staff do something to a case."""
    author = Author.staff(by.id, by.name)
    moved, event = happen(case, kind, at=NOW + timedelta(minutes=minutes), author=author)
    await ports.cases.save(moved, (event,))
    return moved


async def test_a_case_comes_back_as_its_timeline_says(store: Store) -> None:
    """All that was stored is read again, to the microsecond and the character, and the chain of hashes holds."""
    bia = await store.person("Bia")
    staff = Author.staff(bia.id, bia.name)
    async with store.unit(NOW) as ports:
        blank = await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.REGISTRATION)
        case = blank
        events = []
        steps: tuple[tuple[EventKind, str, dict[str, Any]], ...] = (
            (
                EventKind.OPENED,
                "",
                {"subject": "driver", "facts": {"vehicle_owner": "own", "seats": 4, "hybrid": True}},
            ),
            (EventKind.ITEM_SENT, "frente\ne verso", {"item": "cnh", "files": [3, 5]}),
            (EventKind.SUBMITTED, "", {"protocol": "TST-1", "queue": "cadastro"}),
            (EventKind.ITEM_REFUSED, "ilegível ‮ ok", {"item": "cnh", "reason": "blurred"}),
            (EventKind.ASKED, "Qual o ano?", {}),
        )
        for number, (kind, text, data) in enumerate(steps):
            at = NOW.replace(microsecond=number)
            author = staff if number > 2 else Author.citizen()
            case, event = happen(case, kind, at=at, author=author, text=text, data=data)
            events.append(event)
        case, note = happen(case, EventKind.NOTED, at=NOW, author=staff, audience=Audience.STAFF, text="só entre nós")
        events.append(note)
        await ports.cases.save(case, events)

    async with store.unit(NOW) as ports:
        assert await ports.cases.get(blank.id) == case
        assert await ports.cases.get(blank.id, lock=True) == case
        assert await ports.cases.by_protocol("TST-1") == case
        assert await ports.cases.by_protocol("TST-2") is None
        assert list(await ports.cases.events(blank.id)) == events
        assert replay(blank, await ports.cases.events(blank.id)) == case


async def test_the_slower_of_two_is_told_that_the_case_moved_on(store: Store) -> None:
    """Two members of staff saw the same state; what the second wanted to store is not stored."""
    bia = await store.person("Bia")
    async with store.unit(NOW) as ports:
        seen = await submitted(ports)
        await moved_on(ports, seen, EventKind.TAKEN, by=bia)

    async with store.unit(NOW) as ports:
        with pytest.raises(CaseMovedOn):
            await moved_on(ports, seen, EventKind.NOTED, by=bia)

    async with store.unit(NOW) as ports:
        assert [event.kind for event in await ports.cases.events(seen.id)][-1] is EventKind.TAKEN
        assert (await ports.cases.get(seen.id)).seq == 3


async def test_what_is_refused_leaves_nothing_behind(store: Store) -> None:
    """A use case fails after it stored something: neither the case nor its number is used up."""
    numbers: list[int] = []

    async def plug_pulled() -> None:
        async with store.unit(NOW) as ports:
            numbers.append((await submitted(ports)).id)
            raise RuntimeError("somebody pulled the plug")

    with pytest.raises(RuntimeError, match="the plug"):
        await plug_pulled()

    async with store.unit(NOW) as ports:
        with pytest.raises(NotFound):
            await ports.cases.get(numbers[0])
        assert await ports.protocols.next("TST-2026") == 1


async def test_numbers_count_per_series(store: Store) -> None:
    """Another city or another year starts at one."""
    async with store.unit(NOW) as ports:
        assert [await ports.protocols.next("A-2026") for _ in range(3)] == [1, 2, 3]
    async with store.unit(NOW) as ports:
        assert await ports.protocols.next("B-2026") == 1
        assert await ports.protocols.next("A-2026") == 4


async def test_queues_count_what_is_open_mine_and_waiting(store: Store) -> None:
    """Only unfinished cases of the city and of the kinds asked for; drafts and closed ones are in no queue."""
    bia = await store.person("Bia")
    async with store.unit(NOW) as ports:
        await submitted(ports, minutes=1)
        taken = await moved_on(ports, await submitted(ports, minutes=2), EventKind.TAKEN, by=bia, minutes=3)
        await moved_on(ports, await submitted(ports, minutes=4), EventKind.ASKED, by=bia, minutes=5)
        closed = await moved_on(ports, await submitted(ports, minutes=6), EventKind.CONFIRMED, by=bia, minutes=7)
        await submitted(ports, queue="fiscalizacao", kind=CaseKind.IRREGULARITY, minutes=8)
        await submitted(ports, queue="discriminacao", kind=CaseKind.DISCRIMINATION)
        await submitted(ports, city=OTHER_CITY)
        await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.COMPLAINT)

    async with store.unit(NOW) as ports:
        counts = await ports.cases.counts(city=CITY, kinds=REPORTS, staff_id=bia.id)
        assert set(counts) == {
            QueueCount(SERVICE, "ouvidoria", 1, 1, 1, since=NOW + timedelta(minutes=1)),
            QueueCount(SERVICE, "fiscalizacao", 1, 0, 0, since=NOW + timedelta(minutes=8)),
        }
        assert taken.assignee == bia.id
        assert closed.state is CaseState.CLOSED
        assert await ports.cases.counts(city=CITY, kinds=frozenset({CaseKind.REGISTRATION}), staff_id=bia.id) == ()


async def test_a_queue_is_paged_from_the_oldest_without_gaps_or_doubles(store: Store) -> None:
    """Cases submitted in the same instant follow each other by number; a case that moved on still holds the place."""
    bia = await store.person("Bia")
    async with store.unit(NOW) as ports:
        late = await submitted(ports, minutes=9)
        twins = [await submitted(ports, minutes=1) for _ in range(3)]
        await submitted(ports, queue="fiscalizacao", kind=CaseKind.IRREGULARITY)
    query = QueueQuery(city=CITY, kinds=REPORTS, staff_id=bia.id, queue="ouvidoria")

    async with store.unit(NOW) as ports:
        first = await ports.cases.page(query, limit=2)
        assert first == (twins[0], twins[1])
        await moved_on(ports, twins[1], EventKind.TAKEN, by=bia)
        assert await ports.cases.page(query, after=twins[1].id, limit=5) == (twins[2], late)
        assert await ports.cases.page(query, after=late.id, limit=5) == ()


@pytest.mark.parametrize(
    ("shelf", "expected"),
    [(Shelf.OPEN, [0]), (Shelf.MINE, [1, 2]), (Shelf.WAITING, [2]), (Shelf.UNFINISHED, [0, 1, 2])],
)
async def test_each_shelf_shows_its_part_of_the_queue(store: Store, shelf: Shelf, expected: list[int]) -> None:
    """Open, mine, waiting for the citizen, and all that is not finished."""
    bia = await store.person("Bia")
    async with store.unit(NOW) as ports:
        cases = [await submitted(ports, minutes=number) for number in range(4)]
        await moved_on(ports, cases[1], EventKind.TAKEN, by=bia)
        await moved_on(ports, await moved_on(ports, cases[2], EventKind.TAKEN, by=bia), EventKind.ASKED, by=bia)
        await moved_on(ports, await moved_on(ports, cases[3], EventKind.TAKEN, by=bia), EventKind.WITHDRAWN, by=bia)

    async with store.unit(NOW) as ports:
        page = await ports.cases.page(QueueQuery(city=CITY, kinds=REPORTS, staff_id=bia.id, shelf=shelf), limit=9)
        assert [case.id for case in page] == [cases[number].id for number in expected]


async def test_cases_are_found_by_number_newest_first(store: Store) -> None:
    """A number that nothing has is left out."""
    async with store.unit(NOW) as ports:
        first, second = await submitted(ports), await submitted(ports)
        assert await ports.cases.many((first.id, second.id, 9999)) == (second, first)
        assert await ports.cases.many(()) == ()


async def test_a_case_belongs_to_its_party_alone(store: Store) -> None:
    """Ana finds her two cases; the anonymous one is found by its receipt's hash and by nothing else."""
    ana = await store.person("Ana")
    async with store.unit(NOW) as ports:
        cases = [await submitted(ports) for _ in range(3)]
        await ports.parties.bind(cases[0].id, Party(IdentityMode.IDENTIFIED, ana.id))
        await ports.parties.bind(cases[1].id, Party(IdentityMode.ANONYMOUS, receipt_hash="f" * 64))
        await ports.parties.bind(cases[2].id, Party(IdentityMode.PROTECTED, ana.id))

    async with store.unit(NOW) as ports:
        assert await ports.parties.cases_of(ana.id) == (cases[2].id, cases[0].id)
        assert await ports.parties.cases_of(ana.id + 1) == ()
        assert await ports.parties.of(cases[1].id) == Party(IdentityMode.ANONYMOUS, receipt_hash="f" * 64)
        assert await ports.parties.of(cases[2].id) == Party(IdentityMode.PROTECTED, ana.id)
        assert await ports.parties.many([case.id for case in cases[1:]] + [9999]) == {
            case.id: await ports.parties.of(case.id) for case in cases[1:3]
        }
        assert await ports.parties.many(()) == {}
        assert await ports.parties.by_receipt(["e" * 64, "f" * 64]) == cases[1].id
        assert await ports.parties.by_receipt(["e" * 64]) is None
        with pytest.raises(NotFound):
            await ports.parties.of(9999)


async def test_a_file_is_part_of_one_case(store: Store) -> None:
    """Attaching again changes nothing; attaching to another case is refused, and nothing of the lot is attached."""
    one, two = await store.file(), await store.file(media_type="application/pdf")
    async with store.unit(NOW) as ports:
        first, second = await submitted(ports), await submitted(ports)
        await ports.files.attach(first.id, (one,))
        await ports.files.attach(first.id, (one,))

    async with store.unit(NOW) as ports:
        with pytest.raises(NotFound):
            await ports.files.attach(second.id, (two, one))
    async with store.unit(NOW) as ports:
        with pytest.raises(NotFound):
            await ports.files.attach(second.id, (9999,))
    async with store.unit(NOW) as ports:
        await ports.files.attach(second.id, (two,))
        await ports.files.attach(second.id, ())
        found = await ports.files.many((two, one, 9999))
        assert [(file.id, file.media_type) for file in found] == [(one, "image/jpeg"), (two, "application/pdf")]
        assert replace(found[0], id=0).trouble is None
