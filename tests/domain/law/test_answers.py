"""Eligibility, dues, certificates and renewals around their boundary days."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.law.conditions import FactValue
from domain.law.dues import dues
from domain.law.eligibility import Finding, eligibility
from domain.law.fields import Bearer
from domain.law.loader import load_laws
from domain.law.renewal import certificate, expires_on, periodic, renewal
from domain.law.rules import RequirementRule

LAWS = load_laws()
DAYS = st.dates(date(2025, 7, 1), date(2035, 12, 31))


def finding(city: str, rule: str, on: date, **facts: FactValue) -> Finding:
    return next(one for one in eligibility(LAWS.rulebook(city), facts, on) if one.rule == rule)


@pytest.mark.parametrize(
    ("on", "verdict"),
    [(date(2026, 3, 9), "met"), (date(2026, 3, 10), "met"), (date(2026, 3, 11), "unmet")],
)
def test_a_car_is_too_old_the_day_after_eight_years(on: date, verdict: str) -> None:
    """Ana's car was first plated on 10 March 2018; the anniversary itself still counts."""
    assert finding("caceres-mt", "idade-veiculo", on, first_plating=date(2018, 3, 10)).verdict == verdict


def test_nothing_told_is_nothing_known_and_the_missing_facts_are_named() -> None:
    """João has answered nothing: the counter says what it would need, not yes or no."""
    found = eligibility(LAWS.rulebook("rolim-de-moura-ro"), {}, date(2026, 11, 30))
    asked = [one for one in found if one.standing != "silent"]
    assert asked
    assert all(one.verdict == "unknown" and one.missing for one in asked)


def test_what_only_the_city_knows_is_asked_of_nobody_and_named_in_a_check() -> None:
    """João is not told that a bar of his is unknown; who goes through the whole law is."""
    book, on = LAWS.rulebook("caceres-mt"), date(2026, 11, 30)
    told = {rule.id for rule in book.of_kind(RequirementRule) if (version := rule.version(on)) and version.when_told}
    assert told
    assert not told & {one.rule for one in eligibility(book, {}, on)}
    assert told & {one.rule for one in eligibility(book, {}, on, held={})}


def test_every_finding_says_where_the_law_says_it() -> None:
    """Whatever the verdict, the article stands beside it."""
    for city in LAWS.cities():
        for book in LAWS.rulebooks(city.slug):
            for one in eligibility(book, {}, date(2026, 11, 30)):
                assert one.cite.locator.startswith("art")
                assert str(one.reason)


def test_a_law_that_sets_no_age_says_so() -> None:
    """Bia is 18; where no age is set, nobody invents one."""
    one = finding("primavera-do-leste-mt", "idade-minima", date(2026, 11, 30), birth_date=date(2008, 1, 1))
    assert (one.verdict, one.standing) == ("met", "silent")
    assert "não fixa idade mínima" in str(one.reason)


def test_a_city_may_choose_the_stricter_reading_of_a_doubtful_text() -> None:
    """The default favours the person; the city's setting decides otherwise."""
    book = LAWS.rulebook("chapada-dos-guimaraes-mt")
    facts: dict[str, FactValue] = {"model_year": 2016, "manufacture_year": 2015}
    verdicts = []
    for readings in ({}, {"idade-veiculo": "ano-fabricacao"}):
        found = eligibility(book, facts, date(2026, 6, 1), readings=readings)
        verdicts.append(next(one.verdict for one in found if one.rule == "idade-veiculo"))
    assert verdicts == ["met", "unmet"]


def test_a_fact_of_the_wrong_kind_is_a_mistake_of_ours() -> None:
    """A date that arrives as text is not silently compared."""
    with pytest.raises(TypeError, match="first_plating"):
        finding("caceres-mt", "idade-veiculo", date(2026, 1, 1), first_plating="2018-03-10")


def test_the_driver_sees_the_fee_and_that_somebody_else_pays_it() -> None:
    """In Cáceres the operator bears the fee, the driver is dispensed."""
    (due,) = dues(LAWS.rulebook("caceres-mt"), "driver", 2026, LAWS.calendar("caceres-mt"))
    assert (due.amount, due.unit, due.due_on) == (Decimal(8), "URM", date(2026, 1, 22))
    assert (due.payer, due.exempt) == (Bearer.OPERATOR, True)
    assert str(due.exempt_cite) == "Lei nº 2.828/2019, art. 6º, § 4º"
    assert any("Confraternização" in str(step) for step in due.steps)


def test_a_fee_is_not_due_on_a_day_before_its_law() -> None:
    """The law of 30 December 2019 asks for nothing in January of that year."""
    book, calendar = LAWS.rulebook("caceres-mt"), LAWS.calendar("caceres-mt")
    assert dues(book, "operator", 2019, calendar) == ()
    assert dues(book, "operator", 2020, calendar)[0].due_on == date(2020, 1, 22)


def test_no_law_shows_an_amount_that_it_does_not_have() -> None:
    """Only one of the five laws fixes a fee."""
    for city in LAWS.cities():
        for bearer in ("driver", "operator", "vehicle", "employee", "auxiliary"):
            for due in dues(LAWS.rulebook(city.slug), bearer, 2026, LAWS.calendar(city.slug)):
                assert (due.amount is not None) == (city.slug == "caceres-mt")
                assert (due.due_on is not None) == (city.slug == "caceres-mt")


def test_a_timely_request_keeps_one_certificate_alive_and_the_other_law_is_silent() -> None:
    """Primavera extends, Chapada does not say."""
    for slug, extends in (("primavera-do-leste-mt", True), ("chapada-dos-guimaraes-mt", False)):
        window = renewal(LAWS.rulebook(slug), date(2027, 3, 31), LAWS.calendar(slug))
        assert window is not None
        assert window.extends is extends


def test_a_window_that_closes_on_a_sunday_says_when_the_counter_is_open() -> None:
    """30 days before 1 December 2026 is a Sunday: at the counter itself, Friday is the last day."""
    slug = "primavera-do-leste-mt"
    window = renewal(LAWS.rulebook(slug), date(2026, 12, 1), LAWS.calendar(slug))
    assert window is not None
    assert window.ask_by == date(2026, 11, 1)
    assert "30/10/2026" in str(window.steps[-1])


@given(expires=DAYS)
def test_nobody_is_told_to_renew_after_the_end(expires: date) -> None:
    """The window closes before the certificate ends, by at least what the law says."""
    for slug, days in (("primavera-do-leste-mt", 30), ("chapada-dos-guimaraes-mt", 19)):
        window = renewal(LAWS.rulebook(slug), expires, LAWS.calendar(slug))
        assert window is not None
        assert window.ask_by is not None
        assert (expires - window.ask_by).days >= days


@given(start=DAYS)
def test_a_certificate_started_later_never_ends_sooner(start: date) -> None:
    """Validity is monotone, and the renewal window lies inside it."""
    for slug in ("caceres-mt", "chapada-dos-guimaraes-mt", "primavera-do-leste-mt"):
        book = LAWS.rulebook(slug)
        ends, later = expires_on(book, start), expires_on(book, date.fromordinal(start.toordinal() + 1))
        assert ends is not None
        assert later is not None
        assert start < ends <= later
        window = renewal(book, ends, LAWS.calendar(slug))
        assert window is None or window.ask_by is None or start < window.ask_by < ends


def test_certificates_say_their_length_or_why_they_have_none() -> None:
    """Rolim de Moura leaves it to a regulation, Pelotas says nothing."""
    lengths = {}
    for city in LAWS.cities():
        paper = certificate(LAWS.rulebook(city.slug))
        assert paper is not None
        assert (paper.months is None) == (paper.no_value is not None)
        lengths[city.slug] = paper.months
    assert lengths == {
        "caceres-mt": 36,
        "chapada-dos-guimaraes-mt": 12,
        "pelotas-rs": None,
        "primavera-do-leste-mt": 12,
        "rolim-de-moura-ro": None,
    }


def test_what_comes_back_every_year_is_found_with_its_article() -> None:
    """The mototaxista's certificates and the motorcycle's inspection are annual."""
    book = LAWS.rulebook("rolim-de-moura-ro")
    yearly = {one.rule: one.cite.locator for bearer in ("driver", "vehicle") for one in periodic(book, bearer)}
    assert yearly == {
        "certidao-estadual": "art. 4º, IV",
        "certidao-federal": "art. 4º, IV",
        "vistoria": "art. 6º, IV",
    }
