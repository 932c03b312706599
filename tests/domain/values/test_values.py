"""Plates, document numbers, times, amounts, telephones and text as people type them."""

from __future__ import annotations

from decimal import Decimal

import pytest
import validate_docbr
from hypothesis import given
from hypothesis import strategies as st

from domain.values.documents import parse_cnh, parse_cnpj, parse_cpf, parse_nit, parse_renavam
from domain.values.numbers import decimal_of, parse_money, parse_number, parse_phone, parse_year
from domain.values.parsed import Rejected, Unsure, Value
from domain.values.plate import parse_plate
from domain.values.text import fold, parse_text
from domain.values.times import parse_time


@pytest.mark.parametrize("text", ["ABC1234", "abc-1234", "Abc 1234", " a b c 1 2 3 4 ", "ABC–1234", "abc.1234"])
def test_an_old_plate_is_read_however_it_is_written(text: str) -> None:
    """Case, spaces and hyphens do not matter."""
    assert parse_plate(text) == Value("ABC1234", "ABC-1234")


def test_a_mercosul_plate_is_read_and_shown_without_a_hyphen() -> None:
    """Both forms are valid."""
    assert parse_plate("abc-1d23") == Value("ABC1D23", "ABC1D23")


@pytest.mark.parametrize("text", ["AB1234", "ABCD123", "1234567", "ABC12345", "ABC1DE3", "", "placa", "АВС1234"])
def test_what_is_no_plate_is_refused_with_an_example(text: str) -> None:
    """Wrong length, wrong order, letters of another alphabet."""
    parsed = parse_plate(text)

    assert isinstance(parsed, Rejected)
    assert parsed.example == "ABC1D23"


def test_whoever_types_too_few_or_too_many_characters_hears_how_many() -> None:
    """One that is missing is found by counting; a plate of seven in the wrong order is told the order."""
    short, long, mixed = (parse_plate(text) for text in ("ABC 123", "ABC12345", "ABCD123"))

    assert isinstance(short, Rejected)
    assert short.facts == {"length": 6}
    assert isinstance(long, Rejected)
    assert long.facts == {"length": 8}
    assert isinstance(mixed, Rejected)
    assert mixed.facts == {}


DOCUMENTS = [
    (parse_cpf, validate_docbr.CPF, 11),
    (parse_cnh, validate_docbr.CNH, 11),
    (parse_renavam, validate_docbr.RENAVAM, 11),
    (parse_nit, validate_docbr.PIS, 11),
    (parse_cnpj, validate_docbr.CNPJ, 14),
]


@pytest.mark.parametrize(("parse", "document", "length"), DOCUMENTS)
def test_a_number_is_accepted_warned_of_or_refused(parse: object, document: type, length: int) -> None:
    """Right digits count, wrong check digits are asked back, a wrong length is refused; marks never matter."""
    assert callable(parse)
    for _ in range(20):
        number = document().generate()
        assert isinstance(parse(number), Value)
        assert parse(document().mask(number)).value == number
        wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
        assert isinstance(parse(wrong), Unsure)
        assert parse(wrong).value == wrong
    refused = parse("1" * (length + 1))
    assert isinstance(refused, Rejected)
    assert refused.facts["count"] == length + 1
    if parse is not parse_renavam:  # older documents carry fewer digits of that one alone
        assert isinstance(parse("1" * (length - 1)), Rejected)
    assert isinstance(parse("não tenho"), Rejected)


def test_a_cnpj_may_have_letters() -> None:
    """As issued since July 2026, in either case."""
    assert parse_cnpj("12.abc.345/01de-35") == Value("12ABC34501DE35", "12.ABC.345/01DE-35")


def test_a_renavam_of_nine_digits_is_filled_up() -> None:
    """Documents before 2013 carry nine digits."""
    parsed = parse_renavam("639884962")

    assert not isinstance(parsed, Rejected)
    assert parsed.value == "00639884962"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14h30", "14:30"),
        ("14:30", "14:30"),
        ("14.30", "14:30"),
        ("1430", "14:30"),
        ("14h", "14:00"),
        ("14 horas", "14:00"),
        ("às 14h30", "14:30"),
        ("2:30 da tarde", "14:30"),
        ("2 e meia da tarde", "14:30"),
        ("8 da noite", "20:00"),
        ("7h da manhã", "07:00"),
        ("meio-dia", "12:00"),
        ("meia-noite", "00:00"),
        ("12 da noite", "00:00"),
        ("2:30 pm", "14:30"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("8 de la noche", "20:00"),
        ("00:15", "00:15"),
        ("23:59", "23:59"),
        ("24:00", "00:00"),
        ("06:30", "06:30"),
    ],
)
def test_a_time_is_read_as_people_say_it(text: str, expected: str) -> None:
    """With h, colon, words, and the part of the day."""
    assert parse_time(text) == Value(expected, expected)


def test_a_small_hour_is_asked_back() -> None:
    """ "2:30" alone is the night, which few people mean."""
    parsed = parse_time("2:30")

    assert isinstance(parsed, Unsure)
    assert parsed.value == "02:30"


@pytest.mark.parametrize("text", ["24:01", "25h", "14:60", "banana", "", "14h30 da lua", "13 da manhã", "1:2:3"])
def test_a_time_that_is_none_is_refused(text: str) -> None:
    """With an example."""
    parsed = parse_time(text)

    assert isinstance(parsed, Rejected)
    assert parsed.example == "14h30"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("1.234,56", "pt_BR", "1234.56"),
        ("1,234.56", "en", "1234.56"),
        ("1.234,56", "en", "1234.56"),
        ("1.500", "pt_BR", "1500"),
        ("1.500", "en", "1.500"),
        ("1.234.567", "pt_BR", "1234567"),
        ("1,5", "pt_BR", "1.5"),
        ("1.5", "pt_BR", "1.5"),
        ("1 500", "pt_BR", "1500"),
        ("-3", "pt_BR", "-3"),
    ],
)
def test_both_decimal_marks_are_understood(text: str, language: str, expected: str) -> None:
    """Three digits after one mark are thousands where the language groups with it."""
    assert decimal_of(text, language=language) == Decimal(expected)


def test_a_number_keeps_to_its_bounds() -> None:
    """The bound itself is in, one beyond is out and told."""
    assert parse_number("5", minimum=5, maximum=7) == Value(5, "5")
    assert parse_number("7", minimum=5, maximum=7) == Value(7, "7")
    assert isinstance(parse_number("4", minimum=5, maximum=7), Rejected)
    assert isinstance(parse_number("8", minimum=5, maximum=7), Rejected)
    assert isinstance(parse_number("5,5", whole=True), Rejected)
    for text in ("1,2,3.4.5", "--1", "1e9", "½", "٣", ""):
        assert isinstance(parse_number(text), Rejected), text


def test_years_of_two_digits_or_two_years_are_asked_back() -> None:
    """ "2019/2020" on a vehicle's document is manufacture and model: the first is meant."""
    assert parse_year("2027", this_year=2026) == Value(2027, "2027")
    assert isinstance(parse_year("2028", this_year=2026), Rejected)
    assert isinstance(parse_year("1949", this_year=2026), Rejected)
    for text, year in (("19", 2019), ("99", 1999), ("2019/2020", 2019), ("19/20", 2019)):
        parsed = parse_year(text, this_year=2026)
        assert isinstance(parsed, Unsure)
        assert parsed.value == year


def test_money_has_two_places() -> None:
    """With or without the currency; a third decimal is no money."""
    for text in ("R$ 1.234,50", "1234,5", "r$1234.50", "1.234,50 reais"):
        parsed = parse_money(text)
        assert isinstance(parsed, Value), text
        assert parsed.value == "1234.50"
    for text in ("1,2345", "-5", "muito", ""):
        assert isinstance(parse_money(text), Rejected), text


def test_telephones_are_kept_in_international_form() -> None:
    """Brazilian with the area code; foreign ones start with +."""
    for text in ("65 99999-0000", "(65)999990000", "+55 65 99999 0000", "065999990000"):
        parsed = parse_phone(text)
        assert isinstance(parsed, Value), text
        assert parsed.value == "+5565999990000"
    assert parse_phone("+54 9 11 2345-6789") == Value("+5491123456789", "+5491123456789")
    for text in ("99999-0000", "65 89999-00001", "telefone", "12", "+12", ""):
        assert isinstance(parse_phone(text), Rejected), text


@given(st.text(max_size=300))
def test_text_is_kept_verbatim_or_refused_with_a_reason(text: str) -> None:
    """Nothing is cleaned away: markup, newlines, right-to-left marks stay."""
    parsed = parse_text(text, max_length=200)

    if "\0" in text or not text.strip() or len(text) > 200:
        assert isinstance(parsed, Rejected)
        parsed.sentence.format(**parsed.facts)
    else:
        assert parsed == Value(text, text)


def test_the_limit_of_a_text_is_inclusive_and_says_by_how_much() -> None:
    """Exactly the limit fits; one more is told to be one too many."""
    assert isinstance(parse_text("x" * 10, max_length=10), Value)
    parsed = parse_text("x" * 11, max_length=10)
    assert isinstance(parsed, Rejected)
    assert parsed.facts == {"length": 11, "limit": 10, "over": 1}


@given(st.text(max_size=60))
def test_nothing_typed_breaks_a_parser(text: str) -> None:
    """Every parser answers every text, and every sentence can be filled in."""
    parsers = (parse_plate, parse_cpf, parse_cnpj, parse_cnh, parse_renavam, parse_nit, parse_time, parse_number)
    for parse in (*parsers, parse_money, parse_phone, lambda typed: parse_year(typed, this_year=2026)):
        parsed = parse(text)
        if isinstance(parsed, Rejected | Unsure):
            parsed.sentence.format(**parsed.facts)


def test_words_are_compared_without_case_accents_and_marks() -> None:
    """What people type for a label need not look like it."""
    assert fold("  Água-MARINHA! ") == "agua marinha"
    assert fold("🚕") == ""
