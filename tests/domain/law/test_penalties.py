"""Penalties: what doubles and what does not, ladders, windows, caps."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.law.answers import Standing
from domain.law.conduct import Action
from domain.law.loader import load_laws
from domain.law.penalties import Prior, infractions, penalty, recidivism
from domain.law.rules import PenaltyClassRule

LAWS = load_laws()
ON = date(2026, 11, 30)
DAYS = st.lists(st.dates(date(2025, 7, 1), date(2026, 11, 29)), max_size=12, unique=True)
CASES = [(slug, rule.id) for slug in LAWS for rule in infractions(LAWS.rulebook(slug), ON)]


def priors(infraction: str, days: list[date]) -> tuple[Prior, ...]:
    return tuple(Prior(infraction=infraction, committed_on=day) for day in days)


@pytest.mark.parametrize(("slug", "infraction"), CASES)
def test_everything_punished_leads_to_something_that_cites_its_article(slug: str, infraction: str) -> None:
    """Whoever is charged sees what follows, from which article, and how firm that is."""
    found = penalty(LAWS.rulebook(slug), infraction, (), ON)
    assert found.answers
    for one in found.answers:
        assert one.cite.locator.startswith("art")
        assert (one.standing is Standing.ASSUMED) == (one.assumption is not None)
        if one.action is Action.FINE and one.least is None:
            assert one.standing in (Standing.ILLEGIBLE, Standing.REGULATION, Standing.SILENT)


@given(case=st.sampled_from(CASES), days=DAYS)
def test_no_fine_passes_the_caps_of_the_law(case: tuple[str, str], days: list[date]) -> None:
    """Whatever was done before, a fine is that of a class or its double, never more."""
    book = LAWS.rulebook(case[0])
    most = max((rule.newest.most or Decimal(0) for rule in book.of_kind(PenaltyClassRule)), default=Decimal(0))
    for one in penalty(book, case[1], priors(case[1], days), ON).answers:
        if one.most is not None:
            assert one.least is not None
            assert one.least <= one.most <= 2 * most
        if one.action is Action.SUSPENSION and case[0] == "pelotas-rs":
            assert one.longest is not None
            assert one.longest.amount <= 30


@given(case=st.sampled_from(CASES), days=DAYS)
def test_what_was_never_punished_makes_no_recidivism_where_the_law_wants_it_punished(
    case: tuple[str, str], days: list[date]
) -> None:
    """Only the company's punished infractions count against it."""
    unpunished = tuple(Prior(infraction=case[1], committed_on=day, punished=False) for day in days)
    for one in recidivism(LAWS.rulebook(case[0]), case[1], unpunished, ON):
        if case[0] == "pelotas-rs":
            assert one.count == 0


@given(case=st.sampled_from(CASES), days=DAYS, shift=st.integers(1, 400))
def test_the_later_the_day_the_fewer_repetitions_count(case: tuple[str, str], days: list[date], shift: int) -> None:
    """Time works for whoever was charged."""
    book = LAWS.rulebook(case[0])
    now = recidivism(book, case[1], priors(case[1], days), ON)
    later = recidivism(book, case[1], priors(case[1], days), ON + timedelta(days=shift))
    assert [one.count for one in later] <= [one.count for one in now]


def test_what_happens_after_the_day_changes_nothing() -> None:
    """A later notice cannot double an earlier fine."""
    book = LAWS.rulebook("caceres-mt")
    found = penalty(book, "sem-aplicativo", priors("sem-aplicativo", [date(2027, 1, 1)]), ON)
    assert found.answers[0].least == Decimal(10)


def test_the_ladder_of_the_mototaxi_climbs_and_says_so() -> None:
    """Warning, fine, seizure: the third time the answer shows which earlier ones it counted."""
    book = LAWS.rulebook("rolim-de-moura-ro")
    first = [penalty(book, "fumar", priors("fumar", days), ON).answers[0].action for days in ([], [date(2026, 1, 1)])]
    assert first == [Action.WARNING, Action.FINE]
    third = penalty(book, "fumar", priors("fumar", [date(2026, 1, 1), date(2026, 2, 1)]), ON).answers
    assert [one.action for one in third] == [Action.SEIZURE, Action.SUSPENSION]
    assert all(one.standing is Standing.ASSUMED for one in third)
    assert "01/02/2026" in " ".join(str(step) for step in third[0].steps)


def test_an_infraction_that_this_law_does_not_have_is_a_mistake_of_ours() -> None:
    """Nothing is punished without a rule."""
    with pytest.raises(KeyError):
        penalty(LAWS.rulebook("pelotas-rs"), "sem-aplicativo", (), ON)
    with pytest.raises(KeyError):
        penalty(LAWS.rulebook("caceres-mt"), "sem-aplicativo", (), date(2019, 12, 29))
