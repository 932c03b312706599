"""What an approved registration makes its person owe: what they bear, on days that the law gives."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from domain.cases.model import Case, CaseKind, Item, ItemState
from domain.law.loader import load_laws
from domain.reminders.derive import (
    BEFORE_PAYMENT,
    FROM_APPROVAL,
    Registered,
    derivation_stamp,
    derive_obligations,
    steps_from_json,
)
from domain.reminders.model import Obligation
from tests.support.builders import CITY, SERVICE, laws

APPROVED = date(2026, 11, 30)
ACCEPTED = {"cnh": Item(ItemState.ACCEPTED), "antecedentes": Item(ItemState.ACCEPTED)}


def registered(
    applicant: str = "driver",
    *,
    submitted_on: date = date(2026, 11, 20),
    approved_on: date = APPROVED,
    city: str = CITY,
    service: str = SERVICE,
    items: dict[str, Item] | None = None,
) -> Registered:
    """Return an approved registration of Ana's."""
    case = Case(5, city, service, CaseKind.REGISTRATION, subject=applicant, items=ACCEPTED if items is None else items)
    return Registered(case, person_id=9, submitted_on=submitted_on, approved_on=approved_on)


def owed(applicant: str = "driver", *, today: date = APPROVED, **how: Any) -> dict[tuple[str, str], Obligation]:
    """Return what is owed by rule and period."""
    book, calendar = laws().rulebook(CITY, SERVICE), laws().calendar(CITY)
    found = derive_obligations(book, registered(applicant, **how), calendar, today=today)
    assert list(found) == sorted(found, key=lambda one: (one.due_on, one.rule))
    return {(one.rule, one.period): one for one in found}


def test_a_driver_owes_the_drivers_fee_on_the_fifteenth_business_day() -> None:
    """In January 2027 that is the 22nd: the 1st is a holiday. Why can be asked, in steps with their dates."""
    fee = owed()[("taxa-motorista", "2027")]

    assert fee.due_on == date(2027, 1, 22)
    assert (fee.cite, fee.standing, fee.person_id, fee.case_id) == ("Lei nº 10/2020, art. 10", "stated", 9, 5)
    assert any(step.facts.get("day") == date(2027, 1, 22) for step in steps_from_json(fee.why))
    assert all(str(step) for step in steps_from_json(fee.why))


def test_a_fee_that_the_operator_bears_never_reminds_a_driver() -> None:
    """It is charged per driver, and the operator pays it: the operator is reminded, Ana never."""
    assert not any(rule == "taxa-operacao" for rule, _ in owed())
    assert owed("operator")[("taxa-operacao", "2027")].due_on == date(2027, 2, 10)


def test_what_the_law_gives_no_day_for_reminds_nobody() -> None:
    """A fee left to a decree, and an inspection that the city may or may not demand."""
    rules = {rule for rule, _ in owed()}

    assert "taxa-decreto" not in rules
    assert "vistoria-extra" not in rules


def test_a_fee_of_before_the_approval_is_not_owed() -> None:
    """Approved in February, Ana owes nothing for that January; approved on the due date itself, nothing either."""
    assert ("taxa-motorista", "2026") not in owed(approved_on=date(2026, 2, 2), today=date(2026, 2, 2))
    assert ("taxa-motorista", "2027") not in owed(approved_on=date(2027, 1, 22), today=date(2027, 1, 22))
    assert ("taxa-motorista", "2027") in owed(approved_on=date(2027, 1, 21), today=date(2027, 1, 21))


def test_a_renewal_is_asked_for_so_long_before_the_end() -> None:
    """A year from the approval, less thirty days."""
    renewal = owed()[("renovacao", "2026-11-30")]

    assert renewal.due_on == date(2027, 10, 31)
    assert renewal.cite == "Lei nº 10/2020, art. 14"


def test_an_item_that_counts_for_a_year_is_owed_again() -> None:
    """A year after Ana handed it in; one that was not accepted is not counted."""
    assert owed()[("antecedentes", "2026-11-20")].due_on == date(2027, 11, 20)
    assert not any(rule == "antecedentes" for rule, _ in owed(items={"cnh": Item(ItemState.ACCEPTED)}))


def test_what_comes_back_is_counted_from_the_approval_and_says_so() -> None:
    """The law says every six months and not since when: the convention is named."""
    inspections = [one for (rule, _), one in owed().items() if rule == "vistoria"]

    assert [one.due_on for one in inspections] == [date(2027, 5, 30), date(2027, 11, 30)]
    assert {(one.standing, one.assumption) for one in inspections} == {("assumed", FROM_APPROVAL)}


def test_a_monthly_list_is_due_on_its_business_day() -> None:
    """The tenth business day of each month until the end of the next year, and only of months to come."""
    lists = [one for (rule, _), one in owed("operator").items() if rule == "relacao"]

    assert lists[0].due_on == date(2026, 12, 14)
    assert len(lists) == 13
    assert lists[-1].period == "2027-12"


def test_next_year_the_fee_after_it_is_known() -> None:
    """On 31 December 2027 is the horizon; a day later the fee of 2029 comes into sight."""
    assert ("taxa-motorista", "2028") not in owed()
    assert ("taxa-motorista", "2028") in owed(today=date(2027, 1, 1))


def test_the_stamp_moves_with_the_rules_the_days_and_the_year() -> None:
    """The same law and calendar give the same stamp all year; anything that could move a date gives another."""
    book, calendar = laws().rulebook(CITY, SERVICE), laws().calendar(CITY)
    stamp = derivation_stamp(book, calendar, today=APPROVED)
    moved_holiday = calendar.with_days(laws().city(CITY).days[0].model_copy(update={"on": day}) for day in ("01-05",))
    fee = book.rules["taxa-motorista"]
    dearer = fee.model_copy(
        update={"versions": tuple(v.model_copy(update={"amount": Decimal(4)}) for v in fee.versions)}
    )
    other_law = book.model_copy(update={"rules": {**book.rules, fee.id: dearer}})

    assert derivation_stamp(book, calendar, today=date(2026, 1, 1)) == stamp
    assert derivation_stamp(book, calendar, today=date(2027, 1, 1)) != stamp
    assert derivation_stamp(book, moved_holiday, today=APPROVED) != stamp
    assert derivation_stamp(other_law, calendar, today=APPROVED) != stamp


@pytest.mark.parametrize("slug", [city.slug for city in load_laws().cities()])
def test_in_every_city_what_is_owed_is_cited_and_borne(slug: str) -> None:
    """Nobody is reminded of a fee that another bears, whatever they registered as."""
    real = load_laws()
    for book in real.rulebooks(slug):
        for applicant in book.applicants.values():
            items = {one.id: Item(ItemState.ACCEPTED) for one in book.checklist(applicant.key, APPROVED)}
            ana = registered(applicant.key, city=slug, service=book.service.key, items=items)
            for one in derive_obligations(book, ana, real.calendar(slug), today=APPROVED):
                assert one.due_on > APPROVED
                assert "art." in one.cite
                rule = book.rules[one.rule]
                assert rule.kind != "fee" or rule.newest.payer in applicant.bearers


def test_a_validity_from_the_payment_is_counted_from_the_earliest_day() -> None:
    """One of the five laws counts from the payment of the fee, whose day nobody knows: told too soon loses nothing."""
    found = [
        (one, book)
        for city in load_laws().cities()
        for book in load_laws().rulebooks(city.slug)
        for applicant in book.applicants
        for one in derive_obligations(
            book,
            registered(applicant, city=city.slug, service=book.service.key, items={}),
            load_laws().calendar(city.slug),
            today=APPROVED,
        )
        if one.assumption == BEFORE_PAYMENT
    ]

    assert found
    assert all(one.period == "2026-11-20" and one.standing == "assumed" for one, _ in found)


def test_who_holds_a_certificate_of_their_own_renews_that_one() -> None:
    """In Primavera do Leste operator and driver have one certificate each: each asks for their own renewal in time."""
    laws_ = load_laws()
    book, calendar = laws_.rulebook("primavera-do-leste-mt", "app"), laws_.calendar("primavera-do-leste-mt")
    for applicant, rule in (("driver", "renovacao"), ("operator", "renova-operadora")):
        found = derive_obligations(
            book, registered(applicant, city=book.city.slug, service="app", items={}), calendar, today=APPROVED
        )
        assert [(one.rule, one.due_on) for one in found] == [(rule, date(2027, 10, 31))]
