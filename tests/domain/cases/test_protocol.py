"""Protocols are said on the phone and typed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cases.protocol import protocol, protocol_series, read_protocol
from tests.support.builders import OTHER_CITY
from tests.support.desk import Cast, Desk

numbers = st.integers(min_value=1, max_value=9_999_999)


def test_a_protocol_names_city_state_and_year() -> None:
    """The city's first letters and its state come from its slug."""
    assert protocol_series("vila-clara-mt", 2026) == "VILMT-2026"
    assert protocol_series("sao-jose-do-rio-ro", 2027) == "SAORO-2027"
    assert protocol("VILMT-2026", 1).startswith("VILMT-2026-00001-")


@given(number=numbers)
def test_a_protocol_is_read_however_it_is_typed(number: int) -> None:
    """Lower case, spaces instead of hyphens or none at all."""
    written = protocol("VILMT-2026", number)

    for typed in (written, written.lower(), written.replace("-", " "), written.replace("-", ""), f"  {written}\n"):
        assert read_protocol(typed) == written


@given(number=numbers, place=st.integers(min_value=0), digit=st.sampled_from("0123456789"))
def test_one_wrong_digit_is_noticed(number: int, place: int, digit: str) -> None:
    """A slip of one digit is never another case's protocol."""
    written = protocol("VILMT-2026", number)
    places = [index for index, letter in enumerate(written) if letter.isdigit()]
    index = places[place % len(places)]
    slip = written[:index] + digit + written[index + 1 :]

    assert read_protocol(slip) == (written if digit == written[index] else None)


@pytest.mark.parametrize("typed", ["", "reclamação", "VILMT-2026", "VILMT-2026-00001", "VILMT-2026-0001-1", "٣" * 16])
def test_what_is_no_protocol_is_none(typed: str) -> None:
    """Anything else is not mistaken for one."""
    assert read_protocol(typed) is None


async def test_every_city_and_year_counts_from_one(desk: Desk, cast: Cast) -> None:
    """The year is the city hall's: at two in the morning UTC on 1 January it is still December there."""
    first = await desk.report(cast.ana)
    second = await desk.report(cast.caio)
    elsewhere = await desk.report(cast.ana, city=OTHER_CITY)
    desk.now = desk.now.replace(year=2027, month=1, day=1, hour=2)
    new_year_eve = await desk.report(cast.ana)
    desk.later(hours=2)
    new_year = await desk.report(cast.ana)

    assert [one.protocol[:-2] for one in (first, second, elsewhere, new_year_eve, new_year)] == [
        "VILMT-2026-00001",
        "VILMT-2026-00002",
        "SERRO-2026-00001",
        "VILMT-2026-00003",
        "VILMT-2027-00001",
    ]


async def test_staff_find_a_case_by_its_protocol(desk: Desk, cast: Cast) -> None:
    """Olga types what Ana tells her on the phone."""
    filed = await desk.report(cast.ana)

    found = await desk.does("case_by_protocol", filed.protocol.lower().replace("-", " "), cast.olga)

    assert found.id == filed.update.case.id
