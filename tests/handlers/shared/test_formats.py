"""Dates as distances: what somebody reads must be what the calendar says."""

from __future__ import annotations

from datetime import date

import pytest

from handlers.shared import formats
from handlers.shared.texts import Translator

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("day", "reads"),
    [
        (date(2026, 11, 30), "hoje"),
        (date(2026, 12, 1), "amanhã"),
        (date(2026, 12, 30), "em 30 dias"),
        (date(2027, 11, 30), "em 12 meses"),
        (date(2028, 2, 29), "em 15 meses"),
        (date(2029, 11, 30), "em 36 meses"),
        (date(2031, 11, 30), "em 60 meses"),
    ],
)
def test_a_permit_of_three_years_ends_in_36_months(day: date, reads: str) -> None:
    """Nilo's permit runs for three years to the day: he reads 36 months and not 37."""
    assert formats.distance(day, TODAY, Translator("pt_BR")) == reads
