"""Numbers of documents. A wrong length is refused; check digits that do not fit are asked back, never blocked.

Real CNH numbers fail the public algorithm, and people copy from worn cards: only the city's staff can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from domain.texts import N_
from domain.values.parsed import Parsed, Rejected, Unsure, Value

NOISE = re.compile(r"[\s.\-/–—]+")


@dataclass(frozen=True, slots=True)
class Numbering:
    """How the numbers of one document look. ``groups`` are slices with the mark that follows each when it is shown."""

    name: str
    validator: str
    shape: re.Pattern[str]
    wrong: str
    unsure: str
    example: str
    groups: tuple[tuple[int, str], ...]


CPF = Numbering(
    "CPF",
    "CPF",
    re.compile(r"[0-9]{11}"),
    N_("Um CPF tem 11 números; aqui contei {count}."),
    N_("Os dígitos finais deste CPF não conferem. Veja se há um número trocado."),
    "529.982.247-25",
    ((3, "."), (3, "."), (3, "-"), (2, "")),
)
CNPJ = Numbering(
    "CNPJ",
    "CNPJ",
    re.compile(r"[0-9A-Z]{12}[0-9]{2}"),
    N_("Um CNPJ tem 14 letras e números, e os dois últimos são números; aqui contei {count}."),
    N_("Os dígitos finais deste CNPJ não conferem. Veja se há algo trocado."),
    "12.ABC.345/01DE-35",
    ((2, "."), (3, "."), (3, "/"), (4, "-"), (2, "")),
)
CNH = Numbering(
    "CNH",
    "CNH",
    re.compile(r"[0-9]{11}"),
    N_("O número de registro da CNH tem 11 números; aqui contei {count}. É o do campo “Nº registro”."),
    N_("Este número de registro não segue o cálculo usual. Veja se é o do campo “Nº registro”, e não o do espelho."),
    "01234567890",
    ((11, ""),),
)
RENAVAM = Numbering(
    "RENAVAM",
    "RENAVAM",
    re.compile(r"[0-9]{11}"),
    N_("O RENAVAM tem 11 números; aqui contei {count}. Está no alto do documento do veículo."),
    N_("O dígito final deste RENAVAM não confere. Veja se há um número trocado."),
    "12345678900",
    ((11, ""),),
)
NIT = Numbering(
    "NIT",
    "PIS",
    re.compile(r"[0-9]{11}"),
    N_("O NIT (ou PIS) tem 11 números; aqui contei {count}."),
    N_("O dígito final deste NIT não confere. Veja se há um número trocado."),
    "120.12345.67-8",
    ((3, "."), (5, "."), (2, "-"), (1, "")),
)


@cache
def check_digits(validator: str) -> Callable[[str], bool]:
    """Return the check of one kind of number; the library is loaded when somebody first types one."""
    import validate_docbr

    check: Callable[[str], bool] = getattr(validate_docbr, validator)().validate
    return check


def show_number(number: str, numbering: Numbering) -> str:
    """Return ``number`` with the marks people know it by."""
    shown, at = "", 0
    for length, mark in numbering.groups:
        shown += number[at : at + length] + mark
        at += length
    return shown


def parse_number_of(text: str, numbering: Numbering) -> Parsed:
    """Read the number of a document; the value keeps its digits (and letters) as text, without marks."""
    number = NOISE.sub("", text).upper()
    if numbering is RENAVAM and re.fullmatch(r"[0-9]{9,10}", number):
        number = number.zfill(11)  # documents before 2013 carry nine digits
    if not numbering.shape.fullmatch(number):
        count = sum(char.isascii() and char.isalnum() for char in number)
        return Rejected(numbering.wrong, {"count": count}, numbering.example)
    shown = show_number(number, numbering)
    if check_digits(numbering.validator)(number):
        return Value(number, shown)
    return Unsure(number, shown, numbering.unsure)


def parse_cpf(text: str) -> Parsed:
    """Read a CPF."""
    return parse_number_of(text, CPF)


def parse_cnpj(text: str) -> Parsed:
    """Read a CNPJ, with letters since July 2026."""
    return parse_number_of(text, CNPJ)


def parse_cnh(text: str) -> Parsed:
    """Read the registration number of a CNH."""
    return parse_number_of(text, CNH)


def parse_renavam(text: str) -> Parsed:
    """Read a RENAVAM; the nine digits of older documents are filled up with zeros."""
    return parse_number_of(text, RENAVAM)


def parse_nit(text: str) -> Parsed:
    """Read a NIT, PIS or PASEP."""
    return parse_number_of(text, NIT)
