"""What waits for whom."""

from __future__ import annotations

import pytest

from domain.cases.commands import Ask, TakeCase
from domain.cases.errors import OwnCase
from domain.cases.model import CaseKind
from domain.cases.ports import Shelf
from domain.errors import NotAllowed
from domain.people.model import Grant, Role
from domain.privacy.model import IdentityMode
from domain.queues.model import WORKS_ON
from domain.queues.service import LookAtQueue
from tests.support.builders import CITY, OTHER_CITY
from tests.support.desk import Cast, Desk


def test_every_role_works_on_something_and_every_kind_has_somebody() -> None:
    """No case waits for nobody, and a manager sees them all."""
    assert set(WORKS_ON) == set(Role)
    assert all(WORKS_ON.values())
    assert WORKS_ON[Role.MANAGER] == set(CaseKind)
    for kind in CaseKind:
        assert any(kind in kinds for role, kinds in WORKS_ON.items() if role is not Role.MANAGER)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("bia", ["Cadastro"]),
        ("olga", ["Ouvidoria", "Fiscalização"]),
        ("ivo", ["Ouvidoria", "Fiscalização"]),
        ("gil", ["Cadastro", "Ouvidoria", "Fiscalização"]),
    ],
)
async def test_each_role_sees_its_queues_even_when_they_are_empty(
    desk: Desk, cast: Cast, name: str, labels: list[str]
) -> None:
    """In the order of the rulebook."""
    (queues,) = await desk.does("queue_overview", getattr(cast, name))

    assert queues.name == "Vila Clara"
    assert [line.label for line in queues.lines] == labels
    assert all((line.open, line.mine, line.waiting, line.since) == (0, 0, 0, None) for line in queues.lines)


async def test_the_overview_counts_what_is_open_mine_and_waiting(desk: Desk, cast: Cast) -> None:
    """The age is that of the longest wait for staff, not of a case that waits for its citizen."""
    asked = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=asked.id, text="Quando?"))
    desk.later(hours=1)
    oldest = desk.now
    await desk.report(cast.caio)
    desk.later(hours=1)
    await desk.report(cast.ana)
    await desk.report(cast.ana, kind=CaseKind.DISCRIMINATION, subject="ofensa")

    (olgas,) = await desk.does("queue_overview", cast.olga)
    (ivos,) = await desk.does("queue_overview", cast.ivo)

    line = olgas.lines[0]
    assert (line.open, line.mine, line.waiting, line.since) == (3, 1, 1, oldest)
    assert (ivos.lines[0].open, ivos.lines[0].mine) == (2, 0)


async def test_who_works_in_two_cities_sees_each(desk: Desk, cast: Cast) -> None:
    """By name; asking for one shows one, asking for a third is refused."""
    vera = await desk.store.person("Vera", Grant(CITY, Role.REGISTRY), Grant(OTHER_CITY, Role.MANAGER))

    both = await desk.does("queue_overview", vera)
    one = await desk.does("queue_overview", vera, CITY)

    assert [queues.name for queues in both] == ["Serra Alta", "Vila Clara"]
    assert [queues.city for queues in one] == [CITY]
    await desk.refuses(NotAllowed, "queue_overview", cast.rui, CITY)


async def test_a_queue_is_for_those_who_work_on_it(desk: Desk, cast: Cast) -> None:
    """Neither citizens nor staff of another city look into it."""
    for by in (cast.ana, cast.rui):
        await desk.refuses(NotAllowed, "queue_page", LookAtQueue(by=by, city=CITY))
        await desk.refuses(NotAllowed, "take_next", LookAtQueue(by=by, city=CITY))
    await desk.refuses(NotAllowed, "queue_overview", cast.ana)


async def test_a_page_never_shows_kinds_of_other_roles(desk: Desk, cast: Cast) -> None:
    """The inspector looks at the ouvidoria's queue: the discrimination report in it is not for him."""
    complaint = await desk.report(cast.ana)
    await desk.report(cast.ana, kind=CaseKind.DISCRIMINATION, subject="ofensa")

    page = await desk.does("queue_page", LookAtQueue(by=cast.ivo, city=CITY, queue="ouvidoria"))

    assert [case.id for case in page.cases] == [complaint.update.case.id]


async def test_pages_follow_each_other_from_the_oldest(desk: Desk, cast: Cast) -> None:
    """Five cases in pages of two; the last page says that it is the last."""
    ids = []
    for _ in range(5):
        ids.append((await desk.report(cast.ana)).update.case.id)
        desk.later(minutes=1)

    seen: list[int] = []
    after: int | None = None
    for _ in range(3):
        page = await desk.does("queue_page", LookAtQueue(by=cast.olga, city=CITY, after=after, limit=2))
        seen += [case.id for case in page.cases]
        after = page.next_after

    assert seen == ids
    assert after is None


async def test_nobody_is_given_a_case_of_their_own(desk: Desk, cast: Cast) -> None:
    """Olga, of the ouvidoria, complained herself: her case is passed over, and she may neither take nor read it."""
    own = (await desk.report(cast.olga)).update.case.id
    other = (await desk.report(cast.ana)).update.case.id

    taken = await desk.does("take_next", LookAtQueue(by=cast.olga, city=CITY))

    assert taken.case.id == other
    await desk.refuses(OwnCase, "take_case", TakeCase(by=cast.olga, case_id=own))
    await desk.refuses(OwnCase, "case_for_staff", own, cast.olga)
    assert (await desk.does("take_case", TakeCase(by=cast.gil, case_id=own))).case.assignee == cast.gil.id


async def test_a_page_names_who_has_what(desk: Desk, cast: Cast) -> None:
    """Gil sees that Olga has one of the two complaints."""
    taken = await desk.taken_report(cast.ana, cast.olga)
    await desk.report(cast.caio)

    page = await desk.does("queue_page", LookAtQueue(by=cast.gil, city=CITY, shelf=Shelf.UNFINISHED))

    assert [page.holders.get(case.assignee or 0) for case in page.cases] == ["Olga", None]
    assert page.cases[0].id == taken.id


async def test_the_next_case_is_the_one_that_waits_longest(desk: Desk, cast: Cast) -> None:
    """Once it is taken, the one after it; in the end there is none."""
    ids = [(await desk.report(cast.ana)).update.case.id for _ in range(2)]
    look = LookAtQueue(by=cast.olga, city=CITY)

    for case_id in ids:
        assert (await desk.does("take_next", look)).case.id == case_id

    assert await desk.does("take_next", look) is None
    mine = await desk.does("queue_page", LookAtQueue(by=cast.olga, city=CITY, shelf=Shelf.MINE))
    assert [case.id for case in mine.cases] == ids


async def test_a_page_names_only_those_who_chose_to_be_known(desk: Desk, cast: Cast) -> None:
    """Of Ana's three complaints the page names her at the one in which she is identified."""
    known = await desk.report(cast.ana)
    await desk.report(cast.ana, mode=IdentityMode.PROTECTED)
    await desk.report(cast.ana, mode=IdentityMode.ANONYMOUS)

    page = await desk.does("queue_page", LookAtQueue(by=cast.olga, city=CITY))

    assert len(page.cases) == 3
    assert page.citizens == {known.update.case.id: cast.ana.name}
