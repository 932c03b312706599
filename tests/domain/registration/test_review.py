"""What staff decides on a registration, item by item."""

from __future__ import annotations

import pytest

from domain.cases.commands import Decide, ReleaseCase, TakeCase
from domain.cases.errors import CaseClosed, CaseMovedOn, NotYourCase, TextMissing
from domain.cases.model import CaseState, EventKind, ItemState, Outcome, Turn
from domain.errors import NotAllowed
from domain.law.loader import load_laws
from domain.people.model import Grant, Role
from domain.registration.commands import AcceptItem, Approve, Deny, RefuseItem, SendItem, StartApplication, Submit
from domain.registration.errors import ItemAlreadyDecided, ItemsUndecided, ItemUnknown
from domain.registration.service import checklist_of
from tests.support.builders import HIRED_CAR
from tests.support.desk import Cast, Desk
from tests.support.fakes import Memory


async def test_a_refusal_reaches_the_applicant_with_its_reason(desk: Desk, cast: Cast) -> None:
    """Ana learns which item, why, and what Bia wrote; it is her turn, and Bia keeps the case."""
    case = await desk.reviewed(cast.ana, cast.bia)
    command = RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="glare", comment="O número não aparece.")

    update = await desk.does("refuse_item", command)

    item = update.case.items["cnh"]
    assert (item.state, item.reason, item.comment) == (ItemState.REFUSED, "glare", "O número não aparece.")
    assert (update.case.state, update.case.turn) == (CaseState.WAITING, Turn.CITIZEN)
    assert update.case.assignee == cast.bia.id
    assert update.citizen.person_id == cast.ana.id
    await desk.refuses(ItemAlreadyDecided, "refuse_item", command)


async def test_it_is_the_applicants_turn_since_the_first_refusal(desk: Desk, cast: Cast) -> None:
    """A second refusal an hour later does not make Ana's wait look shorter."""
    case = await desk.reviewed(cast.ana, cast.bia)
    first = await desk.does("refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="dark"))
    desk.later(hours=1)
    second = await desk.does("refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="antecedentes", reason="cut"))

    assert second.case.turn_since == first.case.turn_since


async def test_a_mistaken_refusal_is_mended(desk: Desk, cast: Cast) -> None:
    """Bia refused the wrong item: she accepts it, and the case is with her again."""
    case = await desk.reviewed(cast.ana, cast.bia)
    await desk.does("refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="dark"))

    update = await desk.does("accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="cnh"))

    assert update.case.items["cnh"].state is ItemState.ACCEPTED
    assert (update.case.state, update.case.turn) == (CaseState.TAKEN, Turn.STAFF)
    assert [event.kind for event in update.events] == [EventKind.ITEM_ACCEPTED, EventKind.SUBMITTED]
    await desk.refuses(ItemAlreadyDecided, "accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="cnh"))


async def test_nothing_is_decided_unseen(desk: Desk, cast: Cast) -> None:
    """Bia looks at an old card while Ana sends another photograph: the press is refused, on the new card it works."""
    case = await desk.reviewed(cast.ana, cast.bia)
    seen = case.seq
    case = await desk.send(cast.ana, case, "cnh")

    await desk.refuses(CaseMovedOn, "accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="cnh", seen=seen))
    await desk.refuses(
        CaseMovedOn, "refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="cut", seen=seen)
    )
    await desk.does("accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="antecedentes", seen=seen))
    await desk.does("accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="cnh", seen=case.seq))


async def test_what_was_not_sent_cannot_be_decided(desk: Desk, cast: Cast) -> None:
    """Nor what the checklist does not have, nor for a reason that is not in the list."""
    case = await desk.reviewed(cast.ana, cast.bia)

    await desk.refuses(CaseMovedOn, "accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="dpvat"))
    await desk.refuses(ItemUnknown, "accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="brevê"))
    await desk.refuses(
        ItemUnknown, "refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="porque sim")
    )


async def test_only_who_has_it_decides(desk: Desk, cast: Cast) -> None:
    """Davi and the manager see the case, but Bia has it; Olga does not work on registrations."""
    case = await desk.reviewed(cast.ana, cast.bia)

    for error, by in ((NotYourCase, cast.davi), (NotYourCase, cast.gil), (NotAllowed, cast.olga)):
        await desk.refuses(error, "accept_item", AcceptItem(by=by, case_id=case.id, item="cnh"))
        await desk.refuses(error, "refuse_item", RefuseItem(by=by, case_id=case.id, item="cnh", reason="cut"))
        await desk.refuses(error, "approve", Approve(by=by, case_id=case.id))
        await desk.refuses(error, "deny", Deny(by=by, case_id=case.id, text="não"))


async def test_an_approval_rests_on_every_item(desk: Desk, cast: Cast) -> None:
    """Bia learns what is open; what the law keeps but nobody can show holds nothing up."""
    case = await desk.reviewed(cast.ana, cast.bia, facts=HIRED_CAR, items=("cnh", "antecedentes", "contrato", "dpvat"))
    await desk.does("accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="cnh"))
    refusal = await desk.refuses(ItemsUndecided, "approve", Approve(by=cast.bia, case_id=case.id))
    assert refusal.facts["undecided"] == ("Certidão criminal", "Contrato do veículo")

    for item in ("antecedentes", "contrato"):
        await desk.does("accept_item", AcceptItem(by=cast.bia, case_id=case.id, item=item))
    approved = await desk.does("approve", Approve(by=cast.bia, case_id=case.id))

    assert (approved.update.case.state, approved.update.case.outcome) == (CaseState.CLOSED, "approved")
    assert approved.update.citizen.person_id == cast.ana.id
    assert approved.obligations
    await desk.refuses(CaseClosed, "approve", Approve(by=cast.bia, case_id=case.id))


async def test_a_denial_says_why(desk: Desk, cast: Cast) -> None:
    """Ana reads the reason and may start another registration; nothing is owed."""
    case = await desk.reviewed(cast.ana, cast.bia)
    await desk.refuses(TextMissing, "deny", Deny(by=cast.bia, case_id=case.id, text=""))

    update = await desk.does("deny", Deny(by=cast.bia, case_id=case.id, text="A CNH está cassada."))

    assert (update.case.state, update.case.outcome) == (CaseState.CLOSED, "denied")
    assert await desk.does("my_obligations", cast.ana) == ()
    assert (await desk.application(cast.ana, items=())).id != case.id


async def test_a_registration_has_no_outcome_of_reports(desk: Desk, cast: Cast) -> None:
    """It is approved or denied, and a report is neither."""
    case = await desk.reviewed(cast.ana, cast.bia)
    report = await desk.taken_report(cast.ana, cast.olga)

    await desk.refuses(NotAllowed, "decide", Decide(by=cast.bia, case_id=case.id, outcome=Outcome.RESOLVED, text="x"))
    await desk.refuses(NotAllowed, "approve", Approve(by=cast.olga, case_id=report.id))
    await desk.refuses(NotAllowed, "accept_item", AcceptItem(by=cast.olga, case_id=report.id, item="cnh"))


async def test_a_released_registration_returns_to_the_queue_when_it_is_corrected(desk: Desk, cast: Cast) -> None:
    """Bia refused an item and went on leave: the corrected item puts the case before everyone."""
    case = await desk.reviewed(cast.ana, cast.bia)
    await desk.does("refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="dark"))
    await desk.does("release_case", ReleaseCase(by=cast.bia, case_id=case.id))

    corrected = await desk.send(cast.ana, case, "cnh")

    assert (corrected.state, corrected.assignee) == (CaseState.OPEN, None)


@pytest.mark.parametrize(
    ("city", "applicant"),
    [
        (city.slug, applicant)
        for city in load_laws().cities()
        for book in load_laws().rulebooks(city.slug)
        for applicant in book.applicants
    ],
)
async def test_in_every_city_every_applicant_reaches_the_approval(city: str, applicant: str) -> None:
    """With nothing but the checklist: what it asks is sent, what is sent is accepted, and the registration stands."""
    real = Desk(Memory(load_laws()))
    book = real.store.laws.rulebook(city)
    ana = await real.store.person("Ana")
    bia = await real.store.person("Bia", Grant(city, Role.REGISTRY))
    start = StartApplication(by=ana, city=city, service=book.service.key, applicant=applicant, facts={})
    case = await real.does("start_application", start)
    lines = checklist_of(case, laws=real.store.laws, now=real.now).lines
    assert lines
    for line in lines:
        photo = await real.store.file()
        await real.does("send_item", SendItem(by=ana, case_id=case.id, item=line.key, files=(photo,)))
    submitted = (await real.does("submit", Submit(by=ana, case_id=case.id))).case
    assert submitted.queue in book.queues
    await real.does("take_case", TakeCase(by=bia, case_id=case.id))
    for line in lines:
        await real.does("accept_item", AcceptItem(by=bia, case_id=case.id, item=line.key))
    approved = await real.does("approve", Approve(by=bia, case_id=case.id))

    assert approved.update.case.outcome == "approved"
    assert all(one.person_id == ana.id and one.cite for one in approved.obligations)
