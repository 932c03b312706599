"""Which days are open, and what moves them."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.law.calendar import Calendar, DayRule
from domain.law.loader import Laws

CUIABA = ZoneInfo("America/Cuiaba")
PLAIN = Calendar(CUIABA, uf="MT")
DAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))


def test_carnival_is_an_optional_day_and_still_a_business_day() -> None:
    """The city hall may close on Carnival Tuesday; legal terms go on."""
    carnival = PLAIN.special(date(2026, 2, 17))
    assert carnival is not None
    assert carnival.kind == "optional"
    assert PLAIN.why_closed(date(2026, 2, 17)) is None


def test_a_saturday_and_a_holiday_say_why_they_do_not_count() -> None:
    """Ana asks "por que esta data?": the skipped days come with their names."""
    counted = PLAIN.add_business_days(date(2026, 4, 2), 1)  # the Thursday before Good Friday
    assert counted.day == date(2026, 4, 6)
    assert [(day.day.day, day.why) for day in counted.skipped] == [
        (3, "Sexta-feira Santa"),
        (4, "sábado"),
        (5, "domingo"),
    ]


def test_a_city_adds_its_days_and_takes_one_away(laws: Laws) -> None:
    """18 June is no holiday in Rondônia since the court struck its law down; before, it was."""
    rolim = laws.calendar("rolim-de-moura-ro")
    assert rolim.why_closed(date(2026, 6, 18)) is None
    assert rolim.is_holiday(date(2019, 6, 18))
    caceres = laws.calendar("caceres-mt")
    assert caceres.is_holiday(date(2026, 6, 25))
    assert not laws.calendar("primavera-do-leste-mt").is_holiday(date(2026, 6, 25))


def test_a_day_entered_by_the_city_leaves_the_shared_calendar_alone(laws: Laws) -> None:
    """Staff of one city enter a holiday: nobody else's dates move."""
    entered = DayRule(on="2026-08-05", name="Aniversário", source="Decreto")
    mine = laws.calendar("rolim-de-moura-ro", [entered])
    assert mine.is_holiday(date(2026, 8, 5))
    assert not mine.is_holiday(date(2027, 8, 5))
    assert not laws.calendar("rolim-de-moura-ro").is_holiday(date(2026, 8, 5))


def test_reduced_hours_and_recess_do_not_move_terms() -> None:
    """Only holidays move legal terms; the other kinds move the service clock."""
    days = [
        DayRule(on="2026-06-29", kind="reduced", name="Jogo do Brasil", source="Decreto"),
        DayRule(on="12-22", kind="recess", name="Recesso", source="Decreto"),
    ]
    calendar = Calendar(CUIABA, days, uf="MT")
    assert calendar.why_closed(date(2026, 6, 29)) is None
    assert calendar.why_closed(date(2026, 12, 22)) is None
    special = calendar.special(date(2026, 12, 22))
    assert special is not None
    assert special.kind == "recess"


def test_the_fifteenth_business_day_is_counted_and_the_fortieth_does_not_exist() -> None:
    """January 2026 has 21 business days."""
    assert PLAIN.nth_business_day(2026, 1, 15).day == date(2026, 1, 22)
    assert PLAIN.nth_business_day(2026, 1, 21).day == date(2026, 1, 30)
    with pytest.raises(ValueError, match="no business day number 22"):
        PLAIN.nth_business_day(2026, 1, 22)


@given(start=DAYS, n=st.integers(-40, 40).filter(bool))
def test_business_days_end_on_an_open_day_and_lose_none(start: date, n: int) -> None:
    """Whoever counts business days never lands on a closed one, and every day between is counted or explained."""
    counted = PLAIN.add_business_days(start, n)
    assert PLAIN.why_closed(counted.day) is None
    assert abs((counted.day - start).days) == abs(n) + len(counted.skipped)


@given(start=DAYS, n=st.integers(1, 30), extra=DAYS)
def test_one_more_holiday_never_shortens_a_count(start: date, n: int, extra: date) -> None:
    """A city that enters a holiday gives time, it never takes any."""
    more = PLAIN.with_days([DayRule(on=extra.isoformat(), name="Feriado", source="Decreto")])
    assert more.add_business_days(start, n).day >= PLAIN.add_business_days(start, n).day


def test_a_yearly_29_february_exists_only_in_leap_years() -> None:
    """A holiday on 29 February is no error in the other years."""
    calendar = Calendar(CUIABA, [DayRule(on="02-29", name="Dia raro", source="Decreto")])
    assert calendar.is_holiday(date(2028, 2, 29))
    assert not calendar.is_holiday(date(2027, 3, 1))
