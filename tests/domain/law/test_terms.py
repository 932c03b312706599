"""Terms: the days around every boundary."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.law.calendar import Calendar, DayRule
from domain.law.fields import Length, Unit
from domain.law.loader import Laws
from domain.law.terms import add_months, anniversary, deadline, term, unit_name

CALENDAR = Calendar(ZoneInfo("America/Cuiaba"), uf="MT")
DAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))
BY_DAYS = tuple(unit for unit in Unit if unit is not Unit.HOUR)  # hours run on over any night
LENGTHS = st.builds(Length, amount=st.integers(1, 40), unit=st.sampled_from(BY_DAYS))


def days(amount: int, unit: Unit = Unit.CALENDAR_DAY) -> Length:
    return Length(amount=amount, unit=unit)


@pytest.mark.parametrize(
    ("start", "last"),
    [
        (date(2026, 3, 2), date(2026, 3, 17)),  # Tuesday
        (date(2026, 3, 5), date(2026, 3, 20)),  # Friday
        (date(2026, 3, 6), date(2026, 3, 23)),  # Saturday moves to Monday
        (date(2026, 3, 7), date(2026, 3, 23)),  # Sunday too
        (date(2026, 3, 8), date(2026, 3, 23)),
        (date(2026, 4, 6), date(2026, 4, 22)),  # Tiradentes
        (date(2026, 12, 10), date(2026, 12, 28)),  # Christmas, then a weekend
    ],
)
def test_fifteen_days_end_on_the_fifteenth_or_the_next_open_day(start: date, last: date) -> None:
    """The day of notification does not count, the last one does, and a closed last day gives the next."""
    assert term(start, days(15), CALENDAR).day == last


def test_a_term_that_does_not_roll_ends_where_it_ends() -> None:
    """A law may say that its days run out on a Saturday."""
    assert term(date(2026, 3, 6), days(15), CALENDAR, rolls=False).day == date(2026, 3, 21)


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        (date(2026, 1, 31), 1, date(2026, 2, 28)),
        (date(2028, 1, 31), 1, date(2028, 2, 29)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2028, 2, 29), 48, date(2032, 2, 29)),
        (date(2026, 12, 15), 1, date(2027, 1, 15)),
        (date(2026, 3, 31), -1, date(2026, 2, 28)),
    ],
)
def test_months_run_from_date_to_date(start: date, months: int, end: date) -> None:
    """Where the month has no such day, its last one is taken."""
    assert add_months(start, months) == end


def test_somebody_born_on_29_february_is_a_year_older_on_the_first_of_march() -> None:
    """No birthday is lost, and none comes early."""
    assert anniversary(date(2004, 2, 29), 21) == date(2025, 3, 1)
    assert anniversary(date(2004, 2, 29), 24) == date(2028, 2, 29)
    assert anniversary(date(2005, 11, 30), 21) == date(2026, 11, 30)


def test_a_deadline_shows_its_start_its_skipped_days_and_its_article(laws: Laws) -> None:
    """João asks why his last day is 9 September: Independence Day stands between."""
    found = deadline(
        laws.rulebook("rolim-de-moura-ro"), "reconsideracao", date(2026, 9, 1), laws.calendar("rolim-de-moura-ro")
    )
    assert found.ends_on == date(2026, 9, 9)
    assert found.cite.locator == "art. 28, § 1º"
    told = " ".join(str(step) for step in found.steps)
    assert "01/09/2026" in told
    assert "07/09/2026: Independência do Brasil" in told


def test_a_term_that_the_law_does_not_fix_has_no_day(laws: Laws) -> None:
    """Chapada's law grants a defence without saying for how long: nothing is invented."""
    slug = "chapada-dos-guimaraes-mt"
    found = deadline(laws.rulebook(slug), "defesa", date(2026, 3, 3), laws.calendar(slug))
    assert found.ends_on is None
    assert found.standing == "silent"
    assert "não diz" in str(found.steps[0])


def test_no_term_before_the_law_is_in_force(laws: Laws) -> None:
    """The law of Rolim de Moura began on 24 October 2011."""
    book, calendar = laws.rulebook("rolim-de-moura-ro"), laws.calendar("rolim-de-moura-ro")
    assert deadline(book, "defesa", date(2011, 10, 24), calendar).ends_on == date(2011, 11, 8)
    with pytest.raises(KeyError):
        deadline(book, "defesa", date(2011, 10, 23), calendar)


@given(start=DAYS, length=LENGTHS)
def test_who_is_notified_later_never_has_to_answer_sooner(start: date, length: Length) -> None:
    """Terms are monotone in their start."""
    assert term(start + timedelta(days=1), length, CALENDAR).day >= term(start, length, CALENDAR).day


@given(start=DAYS, length=LENGTHS)
def test_a_longer_term_never_ends_sooner(start: date, length: Length) -> None:
    """Terms are monotone in their length."""
    longer = Length(amount=length.amount + 1, unit=length.unit)
    assert term(start, longer, CALENDAR).day >= term(start, length, CALENDAR).day


@given(start=DAYS, length=LENGTHS)
def test_a_rolling_term_never_ends_on_a_closed_day(start: date, length: Length) -> None:
    """Nobody's last day is a day on which the city hall cannot receive."""
    assert CALENDAR.why_closed(term(start, length, CALENDAR).day) is None


@given(start=DAYS, length=LENGTHS, extra=DAYS)
def test_one_more_holiday_never_shortens_a_term(start: date, length: Length, extra: date) -> None:
    """A holiday entered later can only give more time."""
    more = CALENDAR.with_days([DayRule(on=extra.isoformat(), name="Feriado", source="Decreto")])
    assert term(start, length, more).day >= term(start, length, CALENDAR).day


def test_one_year_is_called_one_year() -> None:
    """ "1 anos, de data a data" stood on the licence of who is approved for a year."""
    assert unit_name(Length(amount=1, unit=Unit.YEAR)) == "ano, de data a data"
    assert unit_name(Length(amount=2, unit=Unit.YEAR)) == "anos, de data a data"
