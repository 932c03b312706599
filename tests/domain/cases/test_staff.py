"""What staff may do to a case, and what they may not."""

from __future__ import annotations

import pytest

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
from domain.cases.errors import CaseClosed, CaseMovedOn, CaseTaken, NotYourCase, OwnCase, TextMissing
from domain.cases.model import Audience, CaseKind, CaseState, EventKind, Outcome, Turn
from domain.errors import NotAllowed, NotFound
from tests.support.builders import CITY
from tests.support.desk import Cast, Desk


async def test_of_two_who_take_a_case_the_second_hears_who_has_it(desk: Desk, cast: Cast) -> None:
    """Olga is first; Gil is told her name, and the case stays hers."""
    case = await desk.taken_report(cast.ana, cast.olga)

    refusal = await desk.refuses(CaseTaken, "take_case", TakeCase(by=cast.gil, case_id=case.id))

    assert refusal.facts == {"holder": "Olga"}


async def test_taking_what_one_has_changes_nothing(desk: Desk, cast: Cast) -> None:
    """Olga presses twice: one event, and nobody is told a second time."""
    case = await desk.taken_report(cast.ana, cast.olga)

    again = await desk.does("take_case", TakeCase(by=cast.olga, case_id=case.id))

    assert again.events == ()
    assert again.citizen is None
    assert again.case == case


async def test_the_citizen_hears_that_somebody_took_the_case(desk: Desk, cast: Cast) -> None:
    """Caio, who speaks English, is to be told in English."""
    filed = await desk.report(cast.caio)

    update = await desk.does("take_case", TakeCase(by=cast.olga, case_id=filed.update.case.id))

    assert update.citizen.person_id == cast.caio.id
    assert update.citizen.language == "en"
    assert update.case.state is CaseState.TAKEN


@pytest.mark.parametrize("name", ["bia", "ivo"])
async def test_a_role_opens_only_its_kinds_of_case(desk: Desk, cast: Cast, name: str) -> None:
    """The registry and the inspector do not work on discrimination reports."""
    filed = await desk.report(cast.ana, kind=CaseKind.DISCRIMINATION, subject="ofensa")
    case_id = filed.update.case.id
    by = getattr(cast, name)

    await desk.refuses(NotAllowed, "take_case", TakeCase(by=by, case_id=case_id))
    await desk.refuses(NotAllowed, "case_for_staff", case_id, by)


@pytest.mark.parametrize("name", ["rui", "caio", "ana"])
async def test_staff_of_another_city_and_citizens_find_no_such_case(desk: Desk, cast: Cast, name: str) -> None:
    """What is not theirs is told as if it did not exist, even to Ana herself on staff's side."""
    filed = await desk.report(cast.ana)
    case_id = filed.update.case.id
    by = getattr(cast, name)

    for command, use_case in (
        (TakeCase(by=by, case_id=case_id), "take_case"),
        (AddNote(by=by, case_id=case_id, text="x"), "add_note"),
        (Decide(by=by, case_id=case_id, outcome=Outcome.RESOLVED, text="x"), "decide"),
        (TransferCase(by=by, case_id=case_id, queue="fiscalizacao"), "transfer_case"),
    ):
        await desk.refuses(NotFound, use_case, command)
    await desk.refuses(NotFound, "case_for_staff", case_id, by)
    await desk.refuses(NotFound, "case_by_protocol", filed.protocol, by)


async def test_only_who_has_the_case_speaks_for_the_city(desk: Desk, cast: Cast) -> None:
    """Gil manages the city, but Olga has the case; an untaken one is nobody's."""
    case = await desk.taken_report(cast.ana, cast.olga)
    untaken = (await desk.report(cast.ana)).update.case

    for case_id in (case.id, untaken.id):
        await desk.refuses(NotYourCase, "ask", Ask(by=cast.gil, case_id=case_id, text="Quando?"))
        await desk.refuses(NotYourCase, "answer_citizen", AnswerCitizen(by=cast.gil, case_id=case_id, text="Oi"))
        await desk.refuses(
            NotYourCase, "decide", Decide(by=cast.gil, case_id=case_id, outcome=Outcome.RESOLVED, text="x")
        )


async def test_a_released_case_is_in_its_queue_again(desk: Desk, cast: Cast) -> None:
    """Olga gives it back; the inspector cannot do so for her, the manager can."""
    case = await desk.taken_report(cast.ana, cast.olga)

    await desk.refuses(NotYourCase, "release_case", ReleaseCase(by=cast.ivo, case_id=case.id))
    update = await desk.does("release_case", ReleaseCase(by=cast.gil, case_id=case.id))

    assert update.case.state is CaseState.OPEN
    assert update.case.assignee is None
    assert update.citizen is None
    assert (await desk.does("release_case", ReleaseCase(by=cast.olga, case_id=case.id))).events == ()


async def test_a_case_that_waits_keeps_waiting_when_it_changes_hands(desk: Desk, cast: Cast) -> None:
    """Olga asked and gave the case back: it is still Ana's turn when Gil takes it, and her answer goes to him."""
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Quando?"))
    await desk.does("release_case", ReleaseCase(by=cast.olga, case_id=case.id))

    taken = (await desk.does("take_case", TakeCase(by=cast.gil, case_id=case.id))).case
    replied = await desk.does("reply", Reply(by=cast.ana, case_id=case.id, text="Ontem."))

    assert (taken.state, taken.turn) == (CaseState.WAITING, Turn.CITIZEN)
    assert replied.case.state is CaseState.TAKEN
    assert [one.person_id for one in replied.staff] == [cast.gil.id]


async def test_a_transferred_case_waits_in_the_other_queue(desk: Desk, cast: Cast) -> None:
    """The citizen learns where it is; the note to the colleagues stays with them. Again changes nothing."""
    case = await desk.taken_report(cast.ana, cast.olga)
    command = TransferCase(by=cast.olga, case_id=case.id, queue="fiscalizacao", text="motorista conhecido")

    update = await desk.does("transfer_case", command)

    assert (update.case.queue, update.case.assignee, update.case.state) == ("fiscalizacao", None, CaseState.OPEN)
    assert update.citizen.person_id == cast.ana.id
    assert [(event.kind, event.audience) for event in update.events] == [
        (EventKind.NOTED, Audience.STAFF),
        (EventKind.TRANSFERRED, Audience.ALL),
    ]
    assert update.events[1].text == ""
    assert (await desk.does("transfer_case", command)).events == ()


async def test_a_report_is_not_handed_to_the_registry(desk: Desk, cast: Cast) -> None:
    """Nor to a queue that the city does not have; nor by a colleague who does not have it."""
    case = await desk.taken_report(cast.ana, cast.olga)

    for queue in ("cadastro", "marte"):
        await desk.refuses(NotFound, "transfer_case", TransferCase(by=cast.olga, case_id=case.id, queue=queue))
    await desk.refuses(NotYourCase, "transfer_case", TransferCase(by=cast.ivo, case_id=case.id, queue="fiscalizacao"))


async def test_a_note_never_reaches_the_citizen(desk: Desk, cast: Cast) -> None:
    """Staff read it, Ana is neither told nor shown it, and whose turn it is stays as it was."""
    case = await desk.taken_report(cast.ana, cast.olga)

    update = await desk.does("add_note", AddNote(by=cast.ivo, case_id=case.id, text="placa clonada?"))
    seen = await desk.does("case_for_citizen", case.id, cast.ana)
    card = await desk.does("case_for_staff", case.id, cast.olga)

    assert update.citizen is None
    assert not any(event.kind is EventKind.NOTED for event in seen.events)
    assert [event.text for event in card.events if event.kind is EventKind.NOTED] == ["placa clonada?"]
    assert (update.case.turn, update.case.turn_since) == (case.turn, case.turn_since)


async def test_a_question_waits_for_its_answer_and_returns_to_who_asked(desk: Desk, cast: Cast) -> None:
    """Olga asks, Ana answers with a photograph, Olga is told; a second answer to nothing is refused."""
    case = await desk.taken_report(cast.ana, cast.olga)
    asked = await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Tem foto?"))
    desk.later(hours=3)
    photo = await desk.store.file()

    replied = await desk.does("reply", Reply(by=cast.ana, case_id=case.id, text="Tenho", files=(photo,)))

    assert (asked.case.state, asked.case.turn, asked.case.asked) == (CaseState.WAITING, Turn.CITIZEN, True)
    assert (replied.case.state, replied.case.turn, replied.case.asked) == (CaseState.TAKEN, Turn.STAFF, False)
    assert replied.case.turn_since == desk.now
    assert [one.person_id for one in replied.staff] == [cast.olga.id]
    assert replied.citizen is None
    await desk.refuses(CaseMovedOn, "reply", Reply(by=cast.ana, case_id=case.id, text="e mais"))


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_nothing_is_told_without_words(desk: Desk, cast: Cast, text: str) -> None:
    """An empty question, answer, note or outcome is refused."""
    case = await desk.taken_report(cast.ana, cast.olga)

    await desk.refuses(TextMissing, "ask", Ask(by=cast.olga, case_id=case.id, text=text))
    await desk.refuses(TextMissing, "answer_citizen", AnswerCitizen(by=cast.olga, case_id=case.id, text=text))
    await desk.refuses(TextMissing, "add_note", AddNote(by=cast.olga, case_id=case.id, text=text))
    await desk.refuses(
        TextMissing, "decide", Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text=text)
    )


async def test_an_intermediate_answer_is_no_outcome(desk: Desk, cast: Cast) -> None:
    """Ana hears from Olga, and the case goes on as it was."""
    case = await desk.taken_report(cast.ana, cast.olga)

    update = await desk.does("answer_citizen", AnswerCitizen(by=cast.olga, case_id=case.id, text="Pedimos as imagens."))

    assert update.citizen.person_id == cast.ana.id
    assert (update.case.state, update.case.outcome) == (CaseState.TAKEN, None)


async def test_an_outcome_is_told_once(desk: Desk, cast: Cast) -> None:
    """The same press again is told that the case moved on."""
    case = await desk.taken_report(cast.ana, cast.olga)
    command = Decide(by=cast.olga, case_id=case.id, outcome=Outcome.UNFOUNDED, text="A tarifa estava certa.")

    update = await desk.does("decide", command)

    assert (update.case.state, update.case.outcome) == (CaseState.DECIDED, "unfounded")
    assert update.case.turn is Turn.CITIZEN
    await desk.refuses(CaseMovedOn, "decide", command)
    await desk.refuses(CaseClosed, "ask", Ask(by=cast.olga, case_id=case.id, text="Mais uma coisa"))
    await desk.refuses(CaseClosed, "take_case", TakeCase(by=cast.gil, case_id=case.id))


@pytest.mark.parametrize("outcome", [Outcome.APPROVED, Outcome.DENIED])
async def test_a_report_has_only_the_outcomes_of_reports(desk: Desk, cast: Cast, outcome: Outcome) -> None:
    """A complaint is neither approved nor denied, and what nobody knows is refused."""
    case = await desk.taken_report(cast.ana, cast.olga)

    await desk.refuses(NotAllowed, "decide", Decide(by=cast.olga, case_id=case.id, outcome=outcome, text="x"))


async def test_closed_is_not_solved_until_the_citizen_says_so(desk: Desk, cast: Cast) -> None:
    """Ana contests: the case returns to Olga without an outcome. The second she confirms, and it is closed."""
    case = await desk.taken_report(cast.ana, cast.olga)
    decide = Decide(by=cast.olga, case_id=case.id, outcome=Outcome.UNFOUNDED, text="Nada errado.")
    await desk.does("decide", decide)

    contested = await desk.does("contest_outcome", ContestOutcome(by=cast.ana, case_id=case.id, text="Tenho recibo."))
    await desk.refuses(CaseMovedOn, "confirm_outcome", ConfirmOutcome(by=cast.ana, case_id=case.id))
    await desk.does("decide", Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text="Devolvido."))
    confirmed = await desk.does("confirm_outcome", ConfirmOutcome(by=cast.ana, case_id=case.id))

    assert (contested.case.state, contested.case.outcome, contested.case.contested) == (CaseState.TAKEN, None, 1)
    assert [one.person_id for one in contested.staff] == [cast.olga.id]
    assert (confirmed.case.state, confirmed.case.outcome) == (CaseState.CLOSED, "resolved")
    assert (await desk.does("confirm_outcome", ConfirmOutcome(by=cast.ana, case_id=case.id))).events == ()
    await desk.refuses(
        CaseMovedOn, "contest_outcome", ContestOutcome(by=cast.ana, case_id=case.id, text="mudei de ideia")
    )


async def test_contesting_says_why(desk: Desk, cast: Cast) -> None:
    """Staff cannot answer a disagreement without a reason."""
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("decide", Decide(by=cast.olga, case_id=case.id, outcome=Outcome.UNFOUNDED, text="Não."))

    await desk.refuses(TextMissing, "contest_outcome", ContestOutcome(by=cast.ana, case_id=case.id, text=" "))


async def test_a_withdrawn_case_is_closed_for_everyone(desk: Desk, cast: Cast) -> None:
    """Ana gives up: Olga is told, nobody works on it any more, and withdrawing again changes nothing."""
    case = await desk.taken_report(cast.ana, cast.olga)

    update = await desk.does("withdraw_case", WithdrawCase(by=cast.ana, case_id=case.id, text="resolvi sozinha"))

    assert [one.person_id for one in update.staff] == [cast.olga.id]
    assert update.case.state is CaseState.CLOSED
    assert (await desk.does("withdraw_case", WithdrawCase(by=cast.ana, case_id=case.id))).events == ()
    await desk.refuses(CaseClosed, "add_evidence", AddEvidence(by=cast.ana, case_id=case.id, text="ah"))
    await desk.refuses(CaseClosed, "decide", Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text="x"))


async def test_what_was_decided_cannot_be_withdrawn(desk: Desk, cast: Cast) -> None:
    """The outcome stays on record; Ana may confirm or contest it."""
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("decide", Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text="Feito."))

    await desk.refuses(CaseClosed, "withdraw_case", WithdrawCase(by=cast.ana, case_id=case.id))


async def test_nobody_does_a_citizens_part_for_them(desk: Desk, cast: Cast) -> None:
    """Caio finds no such case, and neither does the member of staff who has it."""
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Quando?"))

    for by in (cast.caio, cast.olga):
        await desk.refuses(NotFound, "reply", Reply(by=by, case_id=case.id, text="hoje"))
        await desk.refuses(NotFound, "add_evidence", AddEvidence(by=by, case_id=case.id, text="x"))
        await desk.refuses(NotFound, "confirm_outcome", ConfirmOutcome(by=by, case_id=case.id))
        await desk.refuses(NotFound, "contest_outcome", ContestOutcome(by=by, case_id=case.id, text="x"))
        await desk.refuses(NotFound, "withdraw_case", WithdrawCase(by=by, case_id=case.id))
        await desk.refuses(NotFound, "case_for_citizen", case.id, by)


async def test_a_photograph_of_another_case_is_no_evidence(desk: Desk, cast: Cast) -> None:
    """A file belongs to the case that it was sent to; Ana cannot attach it to another, nor one that does not exist."""
    photo = await desk.store.file()
    await desk.report(cast.caio, files=(photo,))
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Tem foto?"))

    for file in (photo, 999):
        for name, command in (("add_evidence", AddEvidence), ("reply", Reply)):
            await desk.refuses(NotFound, name, command(by=cast.ana, case_id=case.id, text="veja", files=(file,)))


async def test_nothing_is_added_to_a_draft(desk: Desk, cast: Cast) -> None:
    """Ana's registration is still hers to put together: what belongs to it is sent as its items."""
    case = await desk.application(cast.ana)

    await desk.refuses(CaseMovedOn, "add_evidence", AddEvidence(by=cast.ana, case_id=case.id, text="mais isto"))


async def test_evidence_is_added_while_it_is_anyones_turn(desk: Desk, cast: Cast) -> None:
    """Ana remembers something: whose turn it is stays the same, and who has the case is told."""
    case = await desk.taken_report(cast.ana, cast.olga)
    photo = await desk.store.file()

    update = await desk.does("add_evidence", AddEvidence(by=cast.ana, case_id=case.id, text="achei", files=(photo,)))
    card = await desk.does("case_for_staff", case.id, cast.olga)

    assert (update.case.state, update.case.turn) == (case.state, case.turn)
    assert [one.person_id for one in update.staff] == [cast.olga.id]
    assert set(card.files) == {photo}
    assert card.mine
    assert (card.holder, card.party.name) == ("Olga", "Ana")
    await desk.refuses(TextMissing, "add_evidence", AddEvidence(by=cast.ana, case_id=case.id))


async def test_who_blocked_the_bot_holds_nothing_up(desk: Desk, cast: Cast) -> None:
    """The case goes on; there is only nobody to tell."""
    case = await desk.taken_report(cast.ana, cast.olga)
    desk.store.blocks(cast.ana)

    update = await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Quando?"))

    assert update.citizen is None
    assert update.case.city == CITY


async def test_nobody_works_on_a_case_of_their_own(desk: Desk, cast: Cast) -> None:
    """Olga complained of a ride herself: on staff's side it is closed to her, on the other it is hers."""
    case = (await desk.report(cast.olga)).update.case

    await desk.refuses(OwnCase, "case_for_staff", case.id, cast.olga)
    await desk.refuses(OwnCase, "take_case", TakeCase(by=cast.olga, case_id=case.id))
    await desk.refuses(OwnCase, "release_case", ReleaseCase(by=cast.olga, case_id=case.id))
    await desk.refuses(OwnCase, "transfer_case", TransferCase(by=cast.olga, case_id=case.id, queue="fiscalizacao"))
    await desk.refuses(OwnCase, "add_note", AddNote(by=cast.olga, case_id=case.id, text="é minha"))
    await desk.does("add_evidence", AddEvidence(by=cast.olga, case_id=case.id, text="era ontem"))
