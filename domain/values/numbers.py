"""Numbers, years, money and telephone numbers as people type them."""

from __future__ import annotations

import re
from decimal import Decimal

from domain.texts import N_
from domain.values.parsed import Parsed, Rejected, Unsure, Value

NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:[.,' ][0-9]{1,15})*")
CURRENCY = re.compile(r"(?i)^\s*(?:r\$|brl)|\s*(?:reais|real)\s*$")


def decimal_of(text: str, *, language: str = "pt_BR") -> Decimal | None:
    """Return the number that ``text`` writes with either decimal mark, or None.

    The last of two different marks is the decimal one. A single mark before exactly three digits groups thousands
    when it is the language's grouping mark ("1.500" in Portuguese) and is decimal otherwise.
    """
    written = text.strip()
    if not NUMBER.fullmatch(written):
        return None
    written = re.sub(r"[' ]", "", written)
    grouping = "," if language == "en" else "."
    marks = [char for char in written if char in ".,"]
    if len(set(marks)) == 2:
        point = marks[-1]
        if marks.count(point) > 1:
            return None
    elif len(marks) > 1 or (marks and marks[0] == grouping and re.search(r"[.,][0-9]{3}$", written)):
        point = ""
    else:
        point = marks[0] if marks else ""
    for mark in ".,":
        if mark != point:
            written = written.replace(mark, "")
    return Decimal(written.replace(point, ".") if point else written)


def parse_number(
    text: str,
    *,
    language: str = "pt_BR",
    minimum: Decimal | int | None = None,
    maximum: Decimal | int | None = None,
    whole: bool = False,
) -> Parsed:
    """Read a number; the value is an int, or a decimal as text."""
    number = decimal_of(text, language=language)
    if number is None:
        return Rejected(N_("Preciso de um número, só com algarismos."), {}, "12")
    if whole and number != number.to_integral_value():
        return Rejected(N_("Preciso de um número inteiro, sem vírgula."), {}, "12")
    if minimum is not None and number < minimum:
        return Rejected(N_("O menor número aceito aqui é {minimum}."), {"minimum": minimum}, str(minimum))
    if maximum is not None and number > maximum:
        return Rejected(N_("O maior número aceito aqui é {maximum}."), {"maximum": maximum}, str(maximum))
    value = int(number) if number == number.to_integral_value() else str(number)
    return Value(value, str(value))


def parse_year(text: str, *, this_year: int, minimum: int = 1950, maximum: int | None = None) -> Parsed:
    """Read a year. Two digits are asked back, and so is "2019/2020", of which the first (manufacture) is taken."""
    latest = this_year + 1 if maximum is None else maximum
    match = re.fullmatch(r"([0-9]{4}|[0-9]{2})(?:\s*[/\-]\s*([0-9]{4}|[0-9]{2}))?", text.strip())
    if match is None:
        return Rejected(N_("Preciso de um ano com quatro algarismos."), {}, str(this_year - 4))
    written = match[1]
    year = int(written)
    if len(written) == 2:
        year += this_year // 100 * 100
        if year > latest:
            year -= 100
    if not minimum <= year <= latest:
        return Rejected(
            N_("O ano {year} não serve aqui: vai de {minimum} a {maximum}."),
            {"year": str(year), "minimum": str(minimum), "maximum": str(latest)},
            str(this_year - 4),
        )
    if match[2]:
        return Unsure(year, str(year), N_("Você escreveu dois anos. O de fabricação é o primeiro, certo?"))
    if len(written) == 2:
        return Unsure(year, str(year), N_("Entendi o ano com quatro algarismos assim. É isso?"))
    return Value(year, str(year))


def parse_money(text: str, *, language: str = "pt_BR") -> Parsed:
    """Read an amount in reais; the value is a decimal with two places, as text."""
    amount = decimal_of(CURRENCY.sub("", CURRENCY.sub("", text)), language=language)
    if amount is None or amount < 0 or amount != round(amount, 2) or amount > Decimal("1e12"):
        return Rejected(N_("Preciso de um valor em reais."), {}, "R$ 120,50")
    value = f"{amount:.2f}"
    return Value(value, "R$ " + value.replace(".", ","))


def parse_phone(text: str) -> Parsed:
    """Read a telephone number; the value is in international form, Brazilian unless it starts with +."""
    written = text.strip()
    digits = re.sub(r"[^0-9]", "", written)
    example = "(65) 99999-0000"
    if re.search(r"[^0-9\s()+.\-/]", written):
        return Rejected(N_("Preciso de um telefone, com o DDD e só com números."), {}, example)
    if written.startswith("+") and not digits.startswith("55"):
        if 8 <= len(digits) <= 15:
            return Value(f"+{digits}", f"+{digits}")
        return Rejected(N_("Este número internacional não tem o tamanho certo."), {}, "+54 9 11 2345-6789")
    digits = digits.lstrip("0")
    if len(digits) in (12, 13) and digits.startswith("55"):
        digits = digits[2:]
    if len(digits) in (8, 9):
        return Rejected(N_("Faltou o DDD no telefone."), {}, example)
    if len(digits) not in (10, 11) or (len(digits) == 11 and digits[2] != "9"):
        return Rejected(N_("Um telefone tem o DDD e mais 8 ou 9 números."), {}, example)
    return Value(f"+55{digits}", show_phone(f"+55{digits}"))


def show_phone(phone: str) -> str:
    """Return a telephone number as Brazilians write it; a foreign one as it is."""
    if not re.fullmatch(r"\+55[0-9]{10,11}", phone):
        return phone
    return f"({phone[3:5]}) {phone[5:-4]}-{phone[-4:]}"
