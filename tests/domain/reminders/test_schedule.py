"""When somebody may be told."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.reminders.model import OFFSETS
from domain.reminders.schedule import is_quiet_day, is_sending_time, sending_instant
from tests.support.builders import CITY, OTHER_CITY, laws

CALENDAR = laws().calendar(CITY)


def told_on(due_on: date, offset: int, person_id: int = 1) -> date:
    """Return the local day on which somebody is told."""
    return sending_instant(due_on, offset, person_id, CALENDAR).astimezone(CALENDAR.zone).date()


@pytest.mark.parametrize(
    ("due_on", "offset", "expected"),
    [
        (date(2027, 1, 22), 7, date(2027, 1, 15)),  # a Friday
        (date(2027, 1, 25), 1, date(2027, 1, 23)),  # the day before is a Sunday: the Saturday
        (date(2026, 12, 26), 1, date(2026, 12, 24)),  # Christmas: the day before it
        (date(2027, 1, 2), 1, date(2026, 12, 31)),  # New Year's Day: over the year's end
        (date(2026, 7, 15), 1, date(2026, 7, 13)),  # the city's own holiday
        (date(2026, 9, 14), 7, date(2026, 9, 5)),  # Monday the 7th is a holiday, the 6th a Sunday: the Saturday
    ],
)
def test_a_closed_day_moves_the_reminder_earlier(due_on: date, offset: int, expected: date) -> None:
    """Never later: who is told late may be too late."""
    assert told_on(due_on, offset) == expected


@pytest.mark.parametrize("due_on", [date(2027, 1, 24), date(2026, 12, 25)])
def test_what_is_due_on_a_closed_day_is_told_on_that_day(due_on: date) -> None:
    """Even on a Sunday or at Christmas."""
    assert told_on(due_on, 0) == due_on


@given(due_on=st.dates(date(2026, 1, 1), date(2032, 12, 31)), offset=st.sampled_from(OFFSETS), person_id=st.integers(1))
def test_everybody_is_told_in_the_first_hour_of_an_open_day(due_on: date, offset: int, person_id: int) -> None:
    """At the city hall's eight o'clock, never after the day that was meant, and on no closed day but the due one."""
    instant = sending_instant(due_on, offset, person_id, CALENDAR)
    local = instant.astimezone(CALENDAR.zone)

    assert time(8) <= local.time() < time(9)
    assert local.date() <= due_on - timedelta(days=offset)
    assert offset == 0 or not is_quiet_day(local.date(), CALENDAR)
    assert is_sending_time(instant, CALENDAR)
    assert sending_instant(due_on, offset, person_id, CALENDAR) == instant


def test_people_are_spread_over_the_hour_and_each_keeps_one_minute() -> None:
    """A thousand drivers owe on one day: no minute takes more than its share; two debts of one come together."""
    minutes = [sending_instant(date(2027, 1, 22), 7, person, CALENDAR).minute for person in range(1, 1001)]

    assert len(set(minutes)) == 60
    assert max(minutes.count(minute) for minute in set(minutes)) < 40
    other = sending_instant(date(2027, 1, 16), 1, 5, CALENDAR)
    assert other == sending_instant(date(2027, 1, 22), 7, 5, CALENDAR)


@pytest.mark.parametrize(("hour", "sends"), [(7, False), (8, True), (19, True), (20, False), (0, False)])
def test_the_hours_are_the_city_halls(hour: int, sends: bool) -> None:
    """From eight to twenty, to the minute, in the city's zone."""
    for city in (CITY, OTHER_CITY):
        calendar = laws().calendar(city)
        local = datetime(2026, 11, 30, hour, 0, tzinfo=calendar.zone)
        assert is_sending_time(local.astimezone(UTC), calendar) is sends
        assert is_sending_time((local - timedelta(seconds=1)).astimezone(UTC), calendar) is (8 < hour <= 20)
