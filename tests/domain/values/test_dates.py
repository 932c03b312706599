"""Dates as people write them: what counts at once, what is asked back, what is refused and why."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.values.dates import Tense, parse_date
from domain.values.parsed import Rejected, Unsure, Value

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    "text",
    [
        *("05/03/2027", "5/3/2027", "05-03-2027", "5.3.2027", "5 3 2027", "2027-03-05", "5 mar. 2027"),
        *("5 de março de 2027", "5 MARÇO 2027", "sexta, 5 de março de 2027", "5 de marzo de 2027"),
        *("March 5, 2027", "5th of March 2027"),
    ],
)
def test_a_whole_date_counts_at_once(text: str) -> None:
    """Day, month and year were written: nothing is asked back."""
    assert parse_date(text, today=MONDAY) == Value("2027-03-05", "05/03/2027")


@pytest.mark.parametrize(
    ("text", "past", "future"),
    [
        ("5/3", "2026-03-05", "2027-03-05"),
        ("5 de março", "2026-03-05", "2027-03-05"),
        ("30/11", "2026-11-30", "2026-11-30"),
        ("29/11", "2026-11-29", "2027-11-29"),
        ("1/12", "2025-12-01", "2026-12-01"),
        ("29/2", "2024-02-29", "2028-02-29"),
        ("1º de maio", "2026-05-01", "2027-05-01"),
        ("dia 5", "2026-11-05", "2026-12-05"),
        ("dia 30", "2026-11-30", "2026-11-30"),
        ("sexta", "2026-11-27", "2026-12-04"),
        ("segunda-feira", "2026-11-30", "2026-11-30"),
        ("hoje", "2026-11-30", "2026-11-30"),
    ],
)
def test_what_was_left_out_follows_the_tense_and_is_asked_back(text: str, past: str, future: str) -> None:
    """A missing year or month is the nearest on the meant side of today; today is on both sides."""
    for tense, expected in (("past", past), ("future", future)):
        parsed = parse_date(text, today=MONDAY, tense=tense)  # type: ignore[arg-type] # a literal in a loop
        assert isinstance(parsed, Unsure)
        assert parsed.value == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ontem", "2026-11-29"),
        ("Ontem à noite", "2026-11-29"),
        ("ontem às 14h30", "2026-11-29"),
        ("anteontem", "2026-11-28"),
        ("amanhã", "2026-12-01"),
        ("depois de amanhã", "2026-12-02"),
        ("segunda passada", "2026-11-23"),
        ("segunda-feira que vem", "2026-12-07"),
        ("próxima sexta", "2026-12-04"),
        ("sexta passada", "2026-11-27"),
        ("há 3 dias", "2026-11-27"),
        ("3 dias atrás", "2026-11-27"),
        ("daqui a duas semanas", "2026-12-14"),
        ("yesterday", "2026-11-29"),
        ("3 days ago", "2026-11-27"),
        ("last friday", "2026-11-27"),
        ("day after tomorrow", "2026-12-02"),
        ("ayer", "2026-11-29"),
        ("mañana", "2026-12-01"),
        ("pasado mañana", "2026-12-02"),
        ("hace 3 días", "2026-11-27"),
        ("semana passada", "2026-11-23"),
        ("5 março 27", "2027-03-05"),
        ("05032027", "2027-03-05"),
    ],
)
def test_words_that_count_from_today_are_asked_back(text: str, expected: str) -> None:
    """Said in any of the three languages; the clock is the one given."""
    parsed = parse_date(text, today=MONDAY, language="pt_BR")

    assert isinstance(parsed, Unsure)
    assert parsed.value == expected


def test_a_birth_year_of_two_digits_lies_in_the_past() -> None:
    """ "05/03/90" is 1990, and "05/03/27" of somebody born is 1927; of a document that expires it is 2027."""
    for text, tense, expected in (("05/03/90", "past", 1990), ("05/03/27", "past", 1927), ("05/03/27", "future", 2027)):
        parsed = parse_date(text, today=MONDAY, tense=tense)  # type: ignore[arg-type] # a literal in a loop
        assert isinstance(parsed, Unsure)
        assert parsed.value == f"{expected}-03-05"


@pytest.mark.parametrize(
    ("text", "tense", "told"),
    [
        ("29/02/2027", "any", "29 de fevereiro não existe em {year}"),
        ("29/02/1900", "any", "29 de fevereiro não existe em {year}"),
        ("30/02", "any", "esse mês vai até o dia {last}"),
        ("31/04/2027", "any", "esse mês vai até o dia {last}"),
        ("32/01", "any", "Não existe dia"),
        ("0/1/2027", "any", "Não existe dia"),
        ("05/13/2027", "any", "Não existe mês"),
        ("05/03/2", "any", "quatro algarismos"),
        ("05/03/0027", "any", "não parece certo"),
        ("banana", "any", "Não entendi"),
        ("12", "any", "Não entendi"),
        ("", "any", "Não entendi"),
        ("01/12/2026", "past", "ainda não chegou"),
        ("29/11/2026", "future", "já passou"),
        ("amanhã", "past", "ainda não chegou"),
    ],
)
def test_a_date_that_cannot_be_is_refused_with_the_reason(text: str, tense: Tense, told: str) -> None:
    """The sentence names what is wrong: the day, the month, the year, or the side of today."""
    parsed = parse_date(text, today=MONDAY, tense=tense)

    assert isinstance(parsed, Rejected)
    assert told in parsed.sentence
    parsed.sentence.format(**parsed.facts)


def test_29_february_exists_in_a_leap_year() -> None:
    """2028 has one, and so had 2000."""
    assert parse_date("29/02/2028", today=MONDAY) == Value("2028-02-29", "29/02/2028")
    assert parse_date("29/02/2000", today=MONDAY) == Value("2000-02-29", "29/02/2000")


def test_the_day_before_and_after_today_are_on_their_sides() -> None:
    """Past and future both hold today itself."""
    for tense, good, bad in (("past", -1, 1), ("future", 1, -1)):
        for days in (0, good):
            day = MONDAY + timedelta(days=days)
            assert isinstance(parse_date(f"{day:%d/%m/%Y}", today=MONDAY, tense=tense), Value)  # type: ignore[arg-type]
        wrong = MONDAY + timedelta(days=bad)
        assert isinstance(parse_date(f"{wrong:%d/%m/%Y}", today=MONDAY, tense=tense), Rejected)  # type: ignore[arg-type]


def test_english_month_first_is_read_and_asked_back() -> None:
    """ "03/13/2027" can only be the 13th of March; "03/05/2027" could be either and is asked back."""
    certain = parse_date("03/13/2027", today=MONDAY, language="en")
    doubtful = parse_date("03/05/2027", today=MONDAY, language="en")

    assert isinstance(certain, Unsure)
    assert certain.value == "2027-03-13"
    assert isinstance(doubtful, Unsure)
    assert doubtful.value == "2027-05-03"


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2199, 12, 31)))
def test_every_day_is_read_in_every_way_of_writing_it(day: date) -> None:
    """Numbers, ISO, month names: the same day."""
    months = "janeiro,fevereiro,março,abril,maio,junho,julho,agosto,setembro,outubro,novembro,dezembro"
    month = months.split(",")[day.month - 1]
    written = (f"{day.day}/{day.month}/{day.year}", f"{day:%d%m%Y}", day.isoformat())
    for text in (*written, f"{day.day} de {month} de {day.year}"):
        parsed = parse_date(text, today=MONDAY)
        assert not isinstance(parsed, Rejected), text
        assert parsed.value == day.isoformat()


@given(st.text(max_size=80), st.dates(min_value=date(2000, 1, 1), max_value=date(2150, 1, 1)))
def test_nothing_typed_breaks_the_parser(text: str, today: date) -> None:
    """Whatever comes, the answer is a value, a question or a refusal whose sentence can be filled in."""
    for tense in ("past", "future", "any"):
        parsed = parse_date(text, today=today, tense=tense)
        if isinstance(parsed, Rejected | Unsure):
            parsed.sentence.format(**parsed.facts)


@pytest.mark.parametrize("tense", ["past", "future", "any"])
@pytest.mark.parametrize("today", [MONDAY, date(2027, 1, 2), date(2028, 3, 5)])
def test_the_example_of_a_refusal_would_be_taken(tense: Tense, today: date) -> None:
    """Whoever copies the example is not refused again, on whatever side of today the date must lie."""
    refused = parse_date("placa ABC", today=today, tense=tense)

    assert isinstance(refused, Rejected)
    assert isinstance(parse_date(refused.example, today=today, tense=tense), Value)
