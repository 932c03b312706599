"""What waits, for the member of staff who asks."""

from __future__ import annotations

from dataclasses import dataclass

from domain.cases.commands import CaseUpdate, TakeCase
from domain.cases.errors import CaseTaken, OwnCase
from domain.cases.model import Audience, Author, Case, CaseKind, EventKind
from domain.cases.ports import Cases, QueueCount, QueueQuery, Shelf
from domain.cases.recording import Happening, Recorder, staff_author
from domain.cases.service import take_case
from domain.errors import NotAllowed
from domain.law.loader import Laws
from domain.people.model import Person
from domain.people.ports import People
from domain.privacy.model import IdentityMode
from domain.privacy.ports import Parties
from domain.queues.model import CityQueues, QueueLine, QueuePage, kinds_for

PAGE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtQueue:
    """A look at one shelf of a city; ``service`` and ``queue`` narrow it, ``after`` continues a page."""

    by: Person
    city: str
    shelf: Shelf = Shelf.OPEN
    service: str | None = None
    queue: str | None = None
    after: int | None = None
    limit: int = PAGE


async def queue_overview(by: Person, city: str | None = None, *, cases: Cases, laws: Laws) -> tuple[CityQueues, ...]:
    """Return the queues of every city in which the person works, or of one.

    Raises:
        NotAllowed: The person works in none, or not in ``city``.
    """
    places = [place for place in laws.cities() if kinds_for(by, place.slug) and city in (None, place.slug)]
    if not places:
        raise NotAllowed("no role opens a queue here")
    overview = []
    for place in places:
        kinds = kinds_for(by, place.slug)
        counted = await cases.counts(city=place.slug, kinds=kinds, staff_id=by.id)
        counts = {(count.service, count.queue): count for count in counted}
        lines = tuple(
            _line(book.service.key, queue.key, queue.label, counts.get((book.service.key, queue.key)))
            for book in laws.rulebooks(place.slug)
            for queue in book.queues.values()
            if (book.service.key, queue.key) in counts or not kinds.isdisjoint(CaseKind(kind) for kind in queue.handles)
        )
        overview.append(CityQueues(place.slug, place.name, lines))
    return tuple(overview)


async def queue_page(command: LookAtQueue, *, cases: Cases, people: People, parties: Parties) -> QueuePage:
    """Return a page of cases, with the names of those who hold them and of citizens who chose to be identified.

    Raises:
        NotAllowed: No role of the person opens a queue in this city.
    """
    found = await cases.page(_query(command), after=command.after, limit=command.limit + 1)
    page = found[: command.limit]
    belongs = await parties.many([case.id for case in page])
    open_ids = {
        case_id: party.person_id
        for case_id, party in belongs.items()
        if party.mode is IdentityMode.IDENTIFIED and party.person_id is not None
    }
    staff = {case.assignee for case in page if case.assignee is not None}
    names = await people.names(staff | set(open_ids.values()))
    return QueuePage(
        page,
        page[-1].id if len(found) > len(page) else None,
        holders={number: names[number] for number in staff if number in names},
        citizens={case_id: names[number] for case_id, number in open_ids.items() if number in names},
    )


async def take_next(
    command: LookAtQueue, *, cases: Cases, people: People, parties: Parties, record: Recorder
) -> CaseUpdate | None:
    """Take the case that has waited longest on the shelf; ``None`` when nothing is left that the person can take.

    Their own cases are passed over, and those that a colleague takes at this very moment.

    Raises:
        NotAllowed: No role of the person opens a queue in this city.
    """
    after = command.after
    while page := await cases.page(_query(command), after=after, limit=command.limit):
        for case in page:
            try:
                take = TakeCase(by=command.by, case_id=case.id)
                return await take_case(take, cases=cases, people=people, parties=parties, record=record)
            except (OwnCase, CaseTaken):
                after = case.id
    return None


async def hand_back(by: Person, city: str, *, cases: Cases, record: Recorder) -> int:
    """Put all that a person has in a city back into its queues, as at the end of a day; return how many cases.

    Raises:
        NotAllowed: No role of the person opens a queue in this city.
    """
    kinds = kinds_for(by, city)
    if not kinds:
        raise NotAllowed("no role opens a queue here")
    return len(await release_held(by.id, city, kinds, staff_author(by), cases=cases, record=record))


async def release_held(
    person_id: int, city: str, kinds: frozenset[CaseKind], author: Author, *, cases: Cases, record: Recorder
) -> tuple[Case, ...]:
    """Put all cases of some kinds that a person has in a city back into their queues; return them as they are then."""
    held = QueueQuery(city=city, kinds=kinds, staff_id=person_id, shelf=Shelf.MINE)
    released: list[Case] = []
    after: int | None = None
    while page := await cases.page(held, after=after, limit=PAGE):
        for one in page:
            case, after = await cases.get(one.id, lock=True), one.id
            if case.assignee == person_id and not case.is_over:
                back = await record(case, Happening(EventKind.RELEASED, audience=Audience.STAFF), author=author)
                released.append(back.case)
    return tuple(released)


def _query(command: LookAtQueue) -> QueueQuery:
    kinds = kinds_for(command.by, command.city)
    if not kinds:
        raise NotAllowed("no role opens a queue here")
    return QueueQuery(
        city=command.city,
        kinds=kinds,
        staff_id=command.by.id,
        shelf=command.shelf,
        service=command.service,
        queue=command.queue,
    )


def _line(service: str, queue: str, label: str, count: QueueCount | None) -> QueueLine:
    if count is None:
        return QueueLine(service, queue, label, 0, 0, 0, None)
    return QueueLine(service, queue, label, count.open, count.mine, count.waiting, count.since)
