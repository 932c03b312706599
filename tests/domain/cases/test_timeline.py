"""A case is what its timeline says, and a changed past shows."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cases.commands import (
    AddEvidence,
    AddNote,
    AnswerCitizen,
    Ask,
    ConfirmOutcome,
    ContestOutcome,
    Decide,
    ReleaseCase,
    Reply,
    TakeCase,
    TransferCase,
    WithdrawCase,
)
from domain.cases.model import (
    Audience,
    BrokenTimeline,
    Case,
    CaseState,
    Event,
    ItemState,
    Outcome,
    Turn,
    replay,
)
from domain.errors import DomainError
from domain.people.model import Person
from domain.registration.commands import (
    AcceptItem,
    Approve,
    Deny,
    GiveFacts,
    RefuseItem,
    SendItem,
    Submit,
    WithdrawItem,
)
from domain.registration.service import checklist_of, still_owed
from tests.support.builders import HIRED_CAR, NOW, laws
from tests.support.desk import Cast, Desk, everybody, open_desk

STAFF = ("bia", "davi", "olga", "ivo", "gil")
STAFF_ACTS = (
    "take_case",
    "release_case",
    "transfer_case",
    "add_note",
    "ask",
    "answer_citizen",
    "decide",
    "accept_item",
    "refuse_item",
    "approve",
    "deny",
)
CITIZEN_ACTS = (
    "reply",
    "add_evidence",
    "confirm_outcome",
    "contest_outcome",
    "withdraw_case",
    "send_item",
    "withdraw_item",
    "give_facts",
    "submit",
)
ITEMS = ("cnh", "antecedentes", "contrato", "dpvat", "nada")


def blank(case: Case) -> Case:
    """Return the case before its first event."""
    return Case(case.id, case.city, case.service, case.kind)


def staff_command(name: str, by: Person, case: Case, item: str) -> object:
    """Return what a member of staff asks for."""
    match name:
        case "take_case":
            return TakeCase(by=by, case_id=case.id)
        case "release_case":
            return ReleaseCase(by=by, case_id=case.id)
        case "transfer_case":
            return TransferCase(by=by, case_id=case.id, queue="fiscalizacao", text="olhem isto")
        case "add_note":
            return AddNote(by=by, case_id=case.id, text="nota só nossa")
        case "ask":
            return Ask(by=by, case_id=case.id, text="Quando?")
        case "answer_citizen":
            return AnswerCitizen(by=by, case_id=case.id, text="Estamos vendo.")
        case "decide":
            return Decide(by=by, case_id=case.id, outcome=Outcome.RESOLVED, text="Resolvido.")
        case "accept_item":
            return AcceptItem(by=by, case_id=case.id, item=item)
        case "refuse_item":
            return RefuseItem(by=by, case_id=case.id, item=item, reason="blurred")
        case "approve":
            return Approve(by=by, case_id=case.id)
        case _:
            return Deny(by=by, case_id=case.id, text="Não atende.")


def citizen_command(name: str, by: Person, case: Case, item: str, file: int) -> object:
    """Return what a citizen asks for."""
    match name:
        case "reply":
            return Reply(by=by, case_id=case.id, text="Ontem.")
        case "add_evidence":
            return AddEvidence(by=by, case_id=case.id, files=(file,))
        case "confirm_outcome":
            return ConfirmOutcome(by=by, case_id=case.id)
        case "contest_outcome":
            return ContestOutcome(by=by, case_id=case.id, text="Não concordo.")
        case "withdraw_case":
            return WithdrawCase(by=by, case_id=case.id)
        case "send_item":
            return SendItem(by=by, case_id=case.id, item=item, files=(file,))
        case "withdraw_item":
            return WithdrawItem(by=by, case_id=case.id, item=item)
        case "give_facts":
            return GiveFacts(by=by, case_id=case.id, facts={"vehicle_owner": "company" if item in ITEMS[:2] else "own"})
        case _:
            return Submit(by=by, case_id=case.id)


def holds_together(case: Case) -> None:
    """Check what must be true of every case at every moment."""
    if case.state is CaseState.WAITING:
        assert case.turn is Turn.CITIZEN
        assert case.asked or still_owed(checklist_of(case, laws=laws(), now=NOW).lines)
    if case.state is CaseState.OPEN:
        assert case.assignee is None
    if case.state is CaseState.TAKEN:
        assert case.assignee is not None
    if case.state in (CaseState.OPEN, CaseState.TAKEN):
        assert case.turn is Turn.STAFF
        assert case.protocol
        assert ItemState.REFUSED not in {item.state for item in case.items.values()}
    assert (case.closed_at is not None) is (case.state is CaseState.CLOSED)


act = st.one_of(
    st.tuples(st.sampled_from(STAFF), st.sampled_from(STAFF_ACTS), st.sampled_from(ITEMS)),
    st.tuples(st.just("ana"), st.sampled_from(CITIZEN_ACTS), st.sampled_from(ITEMS)),
    st.tuples(st.sampled_from(("bia", "olga")), st.sampled_from(STAFF_ACTS), st.sampled_from(ITEMS[:2])),
)


async def live(desk: Desk, cast: Cast, case: Case, acts: list[tuple[str, str, str]]) -> None:
    """Let people press whatever they like, and check the case after each press."""
    for who, name, item in acts:
        by = getattr(cast, who)
        file = await desk.store.file()
        command = citizen_command(name, by, case, item, file) if who == "ana" else staff_command(name, by, case, item)
        with suppress(DomainError):
            await desk.does(name, command)
        desk.later(minutes=1)
        stored, events = await desk.timeline(case.id)
        assert replay(blank(stored), events) == stored
        holds_together(stored)
    seen = await desk.does("case_for_citizen", case.id, cast.ana)
    assert all(event.audience is Audience.ALL for event in seen.events)
    assert not any("só nossa" in event.text or "olhem" in event.text for event in seen.events)


@settings(max_examples=60)
@given(acts=st.lists(act, max_size=40))
def test_whatever_people_press_a_registration_is_what_its_timeline_says(acts: list[tuple[str, str, str]]) -> None:
    """Ana and five members of staff press anything in any order: the stored state always follows from the events."""

    async def story() -> None:
        desk = open_desk()
        cast = await everybody(desk)
        await live(desk, cast, await desk.reviewed(cast.ana, cast.bia), acts)

    asyncio.run(story())


@settings(max_examples=60)
@given(acts=st.lists(act, max_size=40))
def test_whatever_people_press_a_report_is_what_its_timeline_says(acts: list[tuple[str, str, str]]) -> None:
    """The same of a complaint, and of no moment can a note be read by Ana."""

    async def story() -> None:
        desk = open_desk()
        cast = await everybody(desk)
        await live(desk, cast, (await desk.report(cast.ana)).update.case, acts)

    asyncio.run(story())


async def long_timeline(desk: Desk, cast: Cast) -> tuple[Case, tuple[Event, ...]]:
    """Bring a registration to its approval."""
    approved = await desk.approved(cast.ana, cast.bia, facts=HIRED_CAR, items=("cnh", "antecedentes", "contrato"))
    return await desk.timeline(approved.update.case.id)


@pytest.mark.parametrize("forged", ["text", "data", "author", "audience", "at", "kind"])
async def test_a_changed_past_shows(desk: Desk, cast: Cast, forged: str) -> None:
    """Whatever of a stored event is changed afterwards, the timeline no longer holds at that event."""
    case, events = await long_timeline(desk, cast)
    other = events[1]
    changes = {
        "text": replace(events[3], text="nunca disse isso"),
        "data": replace(events[3], data={**events[3].data, "files": [99]}),
        "author": replace(events[3], author=replace(events[3].author, person_id=cast.davi.id)),
        "audience": replace(events[3], audience=Audience.STAFF),
        "at": replace(events[3], at=other.at.replace(year=2020)),
        "kind": replace(events[3], kind=events[-1].kind),
    }
    past = (*events[:3], changes[forged], *events[4:])

    with pytest.raises(BrokenTimeline, match="event 4"):
        replay(blank(case), past)


async def test_a_cut_or_reordered_past_shows(desk: Desk, cast: Cast) -> None:
    """Taking an event out, or exchanging two, breaks the chain."""
    case, events = await long_timeline(desk, cast)

    with pytest.raises(BrokenTimeline):
        replay(blank(case), (*events[:2], *events[3:]))
    with pytest.raises(BrokenTimeline):
        replay(blank(case), (events[1], events[0], *events[2:]))
    assert replay(blank(case), events) == case


async def test_an_event_of_another_case_does_not_fit(desk: Desk, cast: Cast) -> None:
    """The first event of Caio's case cannot be passed off as the first of Ana's."""
    case, _ = await long_timeline(desk, cast)
    filed = await desk.report(cast.caio)
    _, others = await desk.timeline(filed.update.case.id)

    with pytest.raises(BrokenTimeline):
        replay(blank(case), others)
