"""A driver's way from the first document to the counter."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from domain.cases.commands import Ask, Reply, WithdrawCase
from domain.cases.errors import CaseClosed, CaseMovedOn
from domain.cases.model import Case, CaseState, EventKind, ItemState, Turn
from domain.errors import NotFound
from domain.registration.commands import (
    AcceptItem,
    ApplicationCommand,
    Checklist,
    GiveFacts,
    RefuseItem,
    SendItem,
    StartApplication,
    Submit,
    WithdrawItem,
)
from domain.registration.errors import ChecklistIncomplete, FileMissing, ItemAlreadyDecided, ItemUnknown
from domain.registration.model import Progress, law_facts
from domain.registration.service import checklist_of
from tests.support.builders import CITY, HIRED_CAR, OWN_CAR, SERVICE, laws
from tests.support.desk import Cast, Desk


async def checklist(desk: Desk, case: Case) -> Checklist:
    """Return the checklist as it stands in the store."""
    stored, _ = await desk.timeline(case.id)
    return checklist_of(stored, laws=desk.store.laws, now=desk.now)


async def test_the_checklist_follows_the_facts(desk: Desk, cast: Cast) -> None:
    """Ana drives her own car: no contract is asked. The insurance that nobody sells any more holds nothing up."""
    case = await desk.application(cast.ana, items=())

    lines = (await checklist(desk, case)).lines

    assert [(line.key, line.owed, line.holds_up, line.state) for line in lines] == [
        ("cnh", True, True, ItemState.MISSING),
        ("antecedentes", True, True, ItemState.MISSING),
        ("dpvat", True, False, ItemState.MISSING),
    ]


async def test_an_unknown_fact_neither_asks_nor_forgives(desk: Desk, cast: Cast) -> None:
    """Nobody knows yet whose car it is: the contract stands in the list and holds nothing up until it is known."""
    case = await desk.application(cast.ana, {"birth_date": "1990-03-05"}, items=())
    contract = (await checklist(desk, case)).lines[2]
    assert (contract.key, contract.owed, contract.holds_up) == ("contrato", None, False)

    await desk.does("give_facts", GiveFacts(by=cast.ana, case_id=case.id, facts={"vehicle_owner": "company"}))

    contract = (await checklist(desk, case)).lines[2]
    assert (contract.key, contract.owed, contract.holds_up) == ("contrato", True, True)


def test_only_what_the_law_asks_for_is_known() -> None:
    """A fact that was taken back, one that no law asks for and a date that is none count as not known."""
    told = {"birth_date": "1990-03-05", "vehicle_owner": None, "shoe_size": 41, "first_plating": "ontem"}

    assert law_facts(laws(), told) == {"birth_date": date(1990, 3, 5)}


async def test_a_registration_is_gone_on_with(desk: Desk, cast: Cast) -> None:
    """Ana starts again a week later and finds what she had sent; a new fact is taken over."""
    case = await desk.application(cast.ana, items=("cnh",))
    desk.later(days=7)
    command = StartApplication(by=cast.ana, city=CITY, service=SERVICE, applicant="driver", facts=HIRED_CAR)

    again = await desk.does("start_application", command)

    assert again.id == case.id
    assert again.items["cnh"].state is ItemState.SENT
    assert again.facts["vehicle_owner"] == "company"
    assert [one.id for one in await desk.does("my_cases", cast.ana)] == [case.id]


async def test_each_person_and_kind_of_applicant_has_one_of_their_own(desk: Desk, cast: Cast) -> None:
    """Caio's registration is not Ana's, and Ana as operator is another than Ana as driver."""
    anas = await desk.application(cast.ana, items=())
    caios = await desk.application(cast.caio, items=())
    command = StartApplication(by=cast.ana, city=CITY, service=SERVICE, applicant="operator", facts={})

    operator = await desk.does("start_application", command)

    assert len({anas.id, caios.id, operator.id}) == 3


@pytest.mark.parametrize(
    "wrong",
    [{"city": "nowhere-xx"}, {"service": "barco"}, {"applicant": "astronaut"}],
    ids=lambda wrong: next(iter(wrong)),
)
async def test_what_the_city_does_not_register_is_not_started(desk: Desk, cast: Cast, wrong: dict[str, str]) -> None:
    """No such city, service or kind of applicant."""
    names = {"city": CITY, "service": SERVICE, "applicant": "driver", **wrong}

    await desk.refuses(NotFound, "start_application", StartApplication(by=cast.ana, facts=OWN_CAR, **names))


async def test_handing_in_names_what_is_missing(desk: Desk, cast: Cast) -> None:
    """Ana has sent one of two: she learns which one is missing, and gets no protocol."""
    case = await desk.application(cast.ana, items=("cnh",))

    refusal = await desk.refuses(ChecklistIncomplete, "submit", Submit(by=cast.ana, case_id=case.id))

    assert refusal.facts["missing"] == ("Certidão criminal",)


async def test_a_complete_registration_gets_its_protocol_and_its_queue(desk: Desk, cast: Cast) -> None:
    """It is staff's turn from now on; handing it in again changes nothing."""
    case = await desk.application(cast.ana)
    desk.later(hours=1)

    update = await desk.does("submit", Submit(by=cast.ana, case_id=case.id))

    assert update.case.protocol.startswith("VILMT-2026-00001-")
    assert (update.case.queue, update.case.state, update.case.turn) == ("cadastro", CaseState.OPEN, Turn.STAFF)
    assert update.case.submitted_at == desk.now
    assert (await desk.does("submit", Submit(by=cast.ana, case_id=case.id))).events == ()


async def test_a_draft_is_nobodys_business(desk: Desk, cast: Cast) -> None:
    """Before it is handed in, staff neither count nor find it, even after it was given up."""
    case = await desk.application(cast.ana)
    assert (await desk.does("queue_overview", cast.bia))[0].lines[0].open == 0
    await desk.refuses(NotFound, "case_for_staff", case.id, cast.bia)

    await desk.does("withdraw_case", WithdrawCase(by=cast.ana, case_id=case.id))

    await desk.refuses(NotFound, "case_for_staff", case.id, cast.bia)


async def test_an_item_sent_again_takes_the_place_of_the_first(desk: Desk, cast: Cast) -> None:
    """Ana sends a better photograph before anybody looked; the caption is kept as she wrote it."""
    case = await desk.application(cast.ana)
    better = await desk.store.file()

    sent = await desk.does(
        "send_item", SendItem(by=cast.ana, case_id=case.id, item="cnh", files=(better,), caption="<b>frente</b>")
    )

    assert sent.case.items["cnh"].files == (better,)
    assert sent.case.items["cnh"].caption == "<b>frente</b>"


async def test_what_the_checklist_does_not_ask_is_not_taken(desk: Desk, cast: Cast) -> None:
    """Neither an item that the law does not know nor one that the facts rule out, nor one without a file."""
    case = await desk.application(cast.ana)
    photo = await desk.store.file()

    for item in ("brevê", "contrato", "idade", ""):
        await desk.refuses(ItemUnknown, "send_item", SendItem(by=cast.ana, case_id=case.id, item=item, files=(photo,)))
    await desk.refuses(FileMissing, "send_item", SendItem(by=cast.ana, case_id=case.id, item="cnh", files=()))


async def test_a_corrected_item_brings_the_case_back_by_itself(desk: Desk, cast: Cast) -> None:
    """Bia refuses two items. The first corrected one keeps the case with Ana, the second brings it back to Bia."""
    case = await desk.reviewed(cast.ana, cast.bia)
    for item in ("cnh", "antecedentes"):
        await desk.does("refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item=item, reason="blurred"))
    refusal = await desk.refuses(ChecklistIncomplete, "submit", Submit(by=cast.ana, case_id=case.id))
    assert refusal.facts["missing"] == ("CNH", "Certidão criminal")

    first = await desk.send(cast.ana, case, "cnh")
    photo = await desk.store.file()
    command = SendItem(by=cast.ana, case_id=case.id, item="antecedentes", files=(photo,))
    second = await desk.does("send_item", command)

    assert (first.state, first.turn) == (CaseState.WAITING, Turn.CITIZEN)
    assert (second.case.state, second.case.turn, second.case.assignee) == (CaseState.TAKEN, Turn.STAFF, cast.bia.id)
    assert [event.kind for event in second.events] == [EventKind.ITEM_SENT, EventKind.SUBMITTED]
    assert [one.person_id for one in second.staff] == [cast.bia.id]
    assert second.case.protocol == case.protocol
    assert second.case.submitted_at == case.submitted_at


async def test_an_open_question_keeps_the_case_until_it_is_answered(desk: Desk, cast: Cast) -> None:
    """The corrected item is there, the answer is not: only after it is it Bia's turn. In the other order as well."""
    case = await desk.reviewed(cast.ana, cast.bia)
    refuse = RefuseItem(by=cast.bia, case_id=case.id, item="cnh", reason="blurred")
    question = Ask(by=cast.bia, case_id=case.id, text="Qual a sua categoria?")
    answer = Reply(by=cast.ana, case_id=case.id, text="AB")

    await desk.does("refuse_item", refuse)
    await desk.does("ask", question)
    assert (await desk.send(cast.ana, case, "cnh")).state is CaseState.WAITING
    await desk.refuses(CaseMovedOn, "submit", Submit(by=cast.ana, case_id=case.id))
    assert (await desk.does("reply", answer)).case.state is CaseState.TAKEN

    await desk.does("refuse_item", refuse)
    await desk.does("ask", question)
    assert (await desk.does("reply", answer)).case.state is CaseState.WAITING
    assert (await desk.send(cast.ana, case, "cnh")).state is CaseState.TAKEN


async def test_an_accepted_item_is_not_sent_again(desk: Desk, cast: Cast) -> None:
    """What Bia accepted stays accepted."""
    case = await desk.reviewed(cast.ana, cast.bia)
    await desk.does("accept_item", AcceptItem(by=cast.bia, case_id=case.id, item="cnh"))
    photo = await desk.store.file()

    await desk.refuses(
        ItemAlreadyDecided, "send_item", SendItem(by=cast.ana, case_id=case.id, item="cnh", files=(photo,))
    )
    await desk.refuses(ItemAlreadyDecided, "withdraw_item", WithdrawItem(by=cast.ana, case_id=case.id, item="cnh"))


async def test_an_item_is_taken_back_before_handing_in(desk: Desk, cast: Cast) -> None:
    """Afterwards only what the registration can do without; taking back nothing changes nothing."""
    case = await desk.application(cast.ana, items=("cnh", "antecedentes", "dpvat"))
    cnh = WithdrawItem(by=cast.ana, case_id=case.id, item="cnh")

    update = await desk.does("withdraw_item", cnh)
    assert update.case.items["cnh"].state is ItemState.MISSING
    assert (await desk.does("withdraw_item", cnh)).events == ()

    await desk.send(cast.ana, case, "cnh")
    await desk.does("submit", Submit(by=cast.ana, case_id=case.id))
    await desk.refuses(CaseMovedOn, "withdraw_item", cnh)
    update = await desk.does("withdraw_item", WithdrawItem(by=cast.ana, case_id=case.id, item="dpvat"))
    assert update.case.items["dpvat"].state is ItemState.MISSING


async def test_a_refused_extra_is_taken_back_and_the_case_goes_on(desk: Desk, cast: Cast) -> None:
    """Ana sent an insurance proof that nobody needs, and it was refused: without it the case is with Bia again."""
    case = await desk.reviewed(cast.ana, cast.bia, items=("cnh", "antecedentes", "dpvat"))
    await desk.does("refuse_item", RefuseItem(by=cast.bia, case_id=case.id, item="dpvat", reason="cut"))

    update = await desk.does("withdraw_item", WithdrawItem(by=cast.ana, case_id=case.id, item="dpvat"))

    assert (update.case.state, update.case.turn) == (CaseState.TAKEN, Turn.STAFF)


async def test_facts_rest_while_staff_look(desk: Desk, cast: Cast) -> None:
    """The checklist does not change under Bia's hands; while the case is with Ana she may correct herself."""
    case = await desk.reviewed(cast.ana, cast.bia)
    command = GiveFacts(by=cast.ana, case_id=case.id, facts={"vehicle_owner": "company"})
    await desk.refuses(CaseMovedOn, "give_facts", command)

    await desk.does("ask", Ask(by=cast.bia, case_id=case.id, text="De quem é o carro?"))
    update = await desk.does("give_facts", command)

    assert update.case.facts["vehicle_owner"] == "company"
    assert (await desk.does("give_facts", command)).events == ()


async def test_nobody_touches_anothers_registration(desk: Desk, cast: Cast) -> None:
    """Caio finds no such registration, nor do staff on the citizen's side; a report is none either."""
    case = await desk.application(cast.ana)
    report = (await desk.report(cast.ana)).update.case
    photo = await desk.store.file()

    for by, case_id in ((cast.caio, case.id), (cast.bia, case.id), (cast.ana, report.id), (cast.ana, 999)):
        ids: dict[str, Any] = {"by": by, "case_id": case_id}
        await desk.refuses(NotFound, "application_of", ApplicationCommand(**ids))
        await desk.refuses(NotFound, "give_facts", GiveFacts(facts=HIRED_CAR, **ids))
        await desk.refuses(NotFound, "send_item", SendItem(item="cnh", files=(photo,), **ids))
        await desk.refuses(NotFound, "withdraw_item", WithdrawItem(item="cnh", **ids))
        await desk.refuses(NotFound, "submit", Submit(**ids))


async def test_what_is_over_is_over(desk: Desk, cast: Cast) -> None:
    """After the withdrawal nothing can be sent or handed in; a new registration starts empty."""
    case = await desk.application(cast.ana)
    await desk.does("withdraw_case", WithdrawCase(by=cast.ana, case_id=case.id))
    photo = await desk.store.file()

    await desk.refuses(CaseClosed, "submit", Submit(by=cast.ana, case_id=case.id))
    await desk.refuses(CaseClosed, "send_item", SendItem(by=cast.ana, case_id=case.id, item="cnh", files=(photo,)))
    again = await desk.application(cast.ana, items=())

    assert again.id != case.id
    assert (await checklist(desk, again)).progress == Progress(missing=2, sent=0, accepted=0, refused=0)
