"""Quotas, tariffs and representations."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.law.limits import quota, representation_completeness, tariff_band
from domain.law.loader import load_laws

LAWS = load_laws()
ROLIM = LAWS.rulebook("rolim-de-moura-ro")
PELOTAS = LAWS.rulebook("pelotas-rs")


@given(people=st.integers(1, 2_000_000))
def test_a_quota_covers_everybody_and_is_never_one_too_many(people: int) -> None:
    """One for each 886 inhabitants or fraction."""
    found = quota(ROLIM, people)
    assert found is not None
    assert found.most is not None
    assert (found.most - 1) * 886 < people <= found.most * 886


def test_nobody_lives_in_an_empty_city() -> None:
    """A mistyped population is refused, not answered."""
    with pytest.raises(ValueError, match="no quota"):
        quota(ROLIM, 0)


def test_an_instant_with_a_zone_is_read_on_the_citys_clock() -> None:
    """23:59 in Greenwich is 19:59 in Rolim de Moura: still the day's tariff."""
    calendar = LAWS.calendar("rolim-de-moura-ro")
    bands = [
        found.band
        for minute in (datetime(2026, 11, 30, 23, 59, tzinfo=UTC), datetime(2026, 12, 1, 0, 1, tzinfo=UTC))
        if (found := tariff_band(ROLIM, minute, calendar)) is not None
    ]
    assert bands == ["bandeira-1", "bandeira-2"]


@given(st.datetimes().map(lambda instant: instant.replace(year=2020 + instant.year % 10, day=min(instant.day, 28))))
def test_every_instant_has_exactly_one_band_and_a_reason(instant: datetime) -> None:
    """Nobody is charged a tariff that cannot be explained."""
    found = tariff_band(ROLIM, instant, LAWS.calendar("rolim-de-moura-ro"))
    assert found is not None
    assert found.steps
    night = not 5 <= instant.hour < 20
    assert found.band == "bandeira-2" or not (night or instant.weekday() == 6)


def test_a_representation_lacks_what_was_left_empty() -> None:
    """An empty answer is no answer; either proofs or circumstances will do."""
    report = {"name": "Ana", "profession": "", "address": "Rua A, 1", "circumstances": "estava no ônibus"}
    found = representation_completeness(PELOTAS, report)
    assert found is not None
    assert (found.complete, found.missing) == (False, ("Profissão",))
    assert representation_completeness(ROLIM, report) is None
