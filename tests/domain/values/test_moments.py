"""When something happened, as people write it: a day, and the time beside it where they know it."""

from __future__ import annotations

from datetime import date

import pytest

from domain.values.moments import parse_moment
from domain.values.parsed import Rejected, Unsure, Value

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("29/11/2026 14:30", "2026-11-29T14:30"),
        ("29/11/2026, às 14h30", "2026-11-29T14:30"),
        ("29/11/2026", "2026-11-29"),
        ("14h30 do dia 29/11/2026", "2026-11-29T14:30"),
    ],
)
def test_a_whole_date_with_its_time_is_taken_as_it_stands(written: str, meant: str) -> None:
    """Ana writes the day in full, with or without the hour: nothing is asked back."""
    parsed = parse_moment(written, today=TODAY, tense="past")
    assert isinstance(parsed, Value)
    assert parsed.value == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ontem às 14h30", "2026-11-29T14:30"),
        ("ontem", "2026-11-29"),
        ("ontem à noite", "2026-11-29"),
        ("28 de novembro às 7 da noite", "2026-11-28T19:00"),
        ("sexta passada por volta das 18h", "2026-11-27T18:00"),
        ("14h30 de ontem", "2026-11-29T14:30"),
        ("ayer a las 9", "2026-11-29T09:00"),
        ("at 5pm yesterday", "2026-11-29T17:00"),
        ("29/11/2026 às 3", "2026-11-29T03:00"),
    ],
)
def test_what_was_inferred_is_asked_back(written: str, meant: str) -> None:
    """Ana writes as she speaks: the day or the hour that was worked out of it is read back to her."""
    parsed = parse_moment(written, today=TODAY, tense="past")
    assert isinstance(parsed, Unsure)
    assert parsed.value == meant


@pytest.mark.parametrize("written", ["amanhã às 8h", "29/11/2026 25h", "às 8h", "sempre", "30/02/2026 10:00", ""])
def test_a_day_that_cannot_be_is_refused(written: str) -> None:
    """A day to come, an hour that does not exist, an hour without a day: Ana hears what is missing."""
    assert isinstance(parse_moment(written, today=TODAY, tense="past"), Rejected)
