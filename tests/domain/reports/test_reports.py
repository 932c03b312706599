"""Whoever reports chooses how to be known, and each way leads back to them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.cases.commands import Ask, ConfirmOutcome, Decide, Reply, TakeCase
from domain.cases.errors import CaseMovedOn
from domain.cases.model import AuthorKind, CaseKind, CaseState, EventKind, Outcome, Turn
from domain.errors import NotFound
from domain.law.loader import load_laws
from domain.people.model import Grant, Role
from domain.privacy.errors import ReceiptUnknown
from domain.privacy.model import IdentityMode, Party, Receipts, new_receipt, read_receipt, show_receipt
from domain.reports.model import FileReport
from tests.support.builders import CITY, SERVICE
from tests.support.desk import Cast, Desk
from tests.support.fakes import Memory


@pytest.mark.parametrize(
    ("kind", "subject", "queue"),
    [
        (CaseKind.COMPLAINT, "preco", "ouvidoria"),
        (CaseKind.COMPLAINT, "direcao", "fiscalizacao"),
        (CaseKind.COMPLAINT, "outro", "ouvidoria"),
        (CaseKind.DISCRIMINATION, "ofensa", "ouvidoria"),
        (CaseKind.IRREGULARITY, "sem-cadastro", "fiscalizacao"),
    ],
)
async def test_a_report_lands_where_its_law_says(
    desk: Desk, cast: Cast, kind: CaseKind, subject: str, queue: str
) -> None:
    """By its subject where the law names one, by its kind otherwise; it is staff's turn at once."""
    filed = await desk.report(cast.ana, kind=kind, subject=subject)

    case = filed.update.case
    assert (case.queue, case.state, case.turn, case.protocol) == (queue, CaseState.OPEN, Turn.STAFF, filed.protocol)
    assert filed.receipt is None
    assert [event.kind for event in filed.update.events] == [EventKind.OPENED, EventKind.SUBMITTED]


async def test_what_was_said_is_kept_verbatim(desk: Desk, cast: Cast) -> None:
    """Markup, SQL, emoji and right-to-left text are what Ana wrote, and stay it."""
    facts = {"what": "<b>'; DROP TABLE case;--</b> 😡 ‮abc", "when": None, "vehicle": {"plate": "ABC1D23"}}
    photo = await desk.store.file()
    command = FileReport(
        by=cast.ana,
        city=CITY,
        service=SERVICE,
        kind=CaseKind.COMPLAINT,
        subject="preco",
        facts=facts,
        files=(photo,),
    )

    filed = await desk.does("file_report", command)
    await desk.does("take_case", TakeCase(by=cast.olga, case_id=filed.update.case.id))
    card = await desk.does("case_for_staff", filed.update.case.id, cast.olga)

    assert card.case.facts == facts
    assert set(card.files) == {photo}


@pytest.mark.parametrize(
    ("kind", "subject"),
    [(CaseKind.COMPLAINT, "ofensa"), (CaseKind.COMPLAINT, "nada"), (CaseKind.REGISTRATION, "outro")],
)
async def test_a_report_is_about_something_that_the_city_lists(
    desk: Desk, cast: Cast, kind: CaseKind, subject: str
) -> None:
    """A forged subject or kind is refused, and no number is used up."""
    command = FileReport(by=cast.ana, city=CITY, service=SERVICE, kind=kind, subject=subject, facts={})

    await desk.refuses(NotFound, "file_report", command)

    assert (await desk.report(cast.ana)).protocol.startswith("VILMT-2026-00001")


async def test_a_report_needs_a_city_and_a_service_that_exist(desk: Desk, cast: Cast) -> None:
    """And files that are its own."""
    for city, service, files in (("nowhere-xx", SERVICE, ()), (CITY, "barco", ()), (CITY, SERVICE, (77,))):
        command = FileReport(
            by=cast.ana, city=city, service=service, kind=CaseKind.COMPLAINT, subject="preco", facts={}, files=files
        )
        await desk.refuses(NotFound, "file_report", command)


async def test_staff_see_no_name_of_who_is_protected_and_she_hears_all_the_same(desk: Desk, cast: Cast) -> None:
    """Ana is bound to the case: it is in her list, the question reaches her, and no card names her."""
    case = await desk.taken_report(cast.ana, cast.olga, mode=IdentityMode.PROTECTED)

    update = await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Quando?"))
    card = await desk.does("case_for_staff", case.id, cast.olga)

    assert (card.party.mode, card.party.name) == (IdentityMode.PROTECTED, None)
    assert update.citizen.person_id == cast.ana.id
    assert [one.id for one in await desk.does("my_cases", cast.ana)] == [case.id]
    assert "Ana" not in repr(card)


async def test_no_timeline_says_who_the_citizen_is(desk: Desk, cast: Cast) -> None:
    """Whatever the mode: the citizen's events carry neither number nor name."""
    for mode in IdentityMode:
        filed = await desk.report(cast.ana, mode=mode)
        for event in filed.update.events:
            assert event.author.kind is AuthorKind.CITIZEN
            assert (event.author.person_id, event.author.name) == (None, "")


async def test_an_anonymous_report_is_bound_to_nobody(desk: Desk, cast: Cast) -> None:
    """It is in nobody's list, nobody is told of it, and what is stored holds neither Ana nor her receipt."""
    filed = await desk.report(cast.ana, mode=IdentityMode.ANONYMOUS)
    case_id, receipt = filed.update.case.id, str(filed.receipt)

    update = await desk.does("take_case", TakeCase(by=cast.olga, case_id=case_id))

    assert update.citizen is None
    assert await desk.does("my_cases", cast.ana) == ()
    stored = desk.store.committed
    assert stored.parties[case_id].person_id is None
    assert receipt not in repr((stored.cases, stored.events, stored.parties))
    await desk.refuses(NotFound, "case_for_citizen", case_id, cast.ana)


async def test_a_receipt_makes_anonymity_two_way(desk: Desk, cast: Cast) -> None:
    """From another phone, Ana opens her case by its receipt, answers, and confirms the outcome."""
    filed = await desk.report(cast.ana, mode=IdentityMode.ANONYMOUS)
    case_id, receipt = filed.update.case.id, str(filed.receipt)
    await desk.does("take_case", TakeCase(by=cast.olga, case_id=case_id))
    await desk.does("ask", Ask(by=cast.olga, case_id=case_id, text="Quando?"))

    seen = await desk.does("open_by_receipt", f" {show_receipt(receipt)} ")
    key: dict[str, Any] = {"by": cast.caio, "case_id": seen.case.id, "receipt": receipt}
    replied = await desk.does("reply", Reply(text="Ontem.", **key))
    decide = Decide(by=cast.olga, case_id=case_id, outcome=Outcome.FORWARDED, text="Ao Ministério Público.")
    await desk.does("decide", decide)
    confirmed = await desk.does("confirm_outcome", ConfirmOutcome(**key))

    assert [event.text for event in seen.events][-1] == "Quando?"
    assert [one.person_id for one in replied.staff] == [cast.olga.id]
    assert confirmed.case.state is CaseState.CLOSED


async def test_a_wrong_receipt_opens_nothing(desk: Desk, cast: Cast) -> None:
    """A wrong digit, too few, letters, or another case's receipt."""
    filed = await desk.report(cast.ana, mode=IdentityMode.ANONYMOUS)
    other = await desk.report(cast.caio, mode=IdentityMode.ANONYMOUS)
    case_id, right = filed.update.case.id, str(filed.receipt)
    wrong = f"{(int(right) + 1) % 10**16:016}"

    for written in (wrong, right[:-1], right + "0", "abcd efgh ijkl mnop", ""):
        await desk.refuses(ReceiptUnknown, "open_by_receipt", written)
    for receipt in (wrong, other.receipt, None, ""):
        wrong_key = Reply(by=cast.ana, case_id=case_id, receipt=receipt, text="x")
        await desk.refuses(NotFound, "reply", wrong_key)
    await desk.refuses(CaseMovedOn, "confirm_outcome", ConfirmOutcome(by=cast.ana, case_id=case_id, receipt=right))


async def test_a_receipt_opens_no_case_of_who_is_known(desk: Desk, cast: Cast) -> None:
    """An identified case has no receipt, so that none can be tried on it."""
    case = (await desk.report(cast.ana)).update.case

    await desk.refuses(NotFound, "case_for_citizen", case.id, cast.caio, new_receipt())


@pytest.mark.parametrize(
    "typed", ["1234567890123456", "1234 5678 9012 3456", "1234-5678-9012-3456", " 1234.5678 90123456\n"]
)
def test_a_receipt_is_read_however_it_is_typed(typed: str) -> None:
    """Spaces, hyphens and dots do not matter."""
    assert read_receipt(typed) == "1234567890123456"


def test_receipts_are_sixteen_digits_and_shown_in_fours() -> None:
    """No two are alike, and the hash needs the key."""
    receipts = {new_receipt() for _ in range(200)}

    assert len(receipts) == 200
    assert all(read_receipt(show_receipt(receipt)) == receipt for receipt in receipts)
    receipt = receipts.pop()
    assert Receipts("one").hashes(receipt) != Receipts("two").hashes(receipt)
    assert Receipts("two", "one").hashes(receipt) == (
        *Receipts("two").hashes(receipt),
        *Receipts("one").hashes(receipt),
    )


@pytest.mark.parametrize(
    ("mode", "person_id", "receipt_hash"),
    [
        (IdentityMode.ANONYMOUS, 7, "f"),
        (IdentityMode.ANONYMOUS, None, None),
        (IdentityMode.IDENTIFIED, None, None),
        (IdentityMode.PROTECTED, 7, "f"),
    ],
)
def test_a_party_is_a_person_or_a_receipt_never_both(
    mode: IdentityMode, person_id: int | None, receipt_hash: str | None
) -> None:
    """An anonymous report that kept its author would be a lie."""
    with pytest.raises(ValueError, match="anonymous party"):
        Party(mode, person_id, receipt_hash)


@pytest.mark.parametrize("city", [city.slug for city in load_laws().cities()])
async def test_in_every_city_every_subject_can_be_reported_and_found(city: str) -> None:
    """Each lands in a queue of its city, and an ombudsman finds it there."""
    real = Desk(Memory(load_laws()))
    ana = await real.store.person("Ana")
    olga = await real.store.person("Olga", Grant(city, Role.OMBUDSMAN))
    filed = 0
    for book in real.store.laws.rulebooks(city):
        for kind in (CaseKind.COMPLAINT, CaseKind.DISCRIMINATION, CaseKind.IRREGULARITY):
            for subject in book.subjects(kind):
                command = FileReport(
                    by=ana, city=city, service=book.service.key, kind=kind, subject=subject.key, facts={}
                )
                assert (await real.does("file_report", command)).update.case.queue in book.queues
                filed += 1

    (queues,) = await real.does("queue_overview", olga)

    assert sum(line.open for line in queues.lines) == filed
