"""Free text: kept as it was written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from domain.texts import N_
from domain.values.parsed import Parsed, Rejected, Value

NOT_WORDS = re.compile(r"[^a-z0-9]+")


def fold(text: str) -> str:
    """Return the words of ``text`` for comparison: no case, no accents, no punctuation, single spaces."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    return NOT_WORDS.sub(" ", plain).strip()


def heard(text: str, beginnings: Iterable[str]) -> int:
    """Return how many of ``beginnings`` ``text`` has: of words or phrases, folded; a space at the end ends the word."""
    words = f" {fold(text)} "
    return sum(f" {beginning}" in words for beginning in beginnings)


def parse_text(text: str, *, max_length: int) -> Parsed:
    """Accept any text up to ``max_length`` characters, verbatim: newlines, markup and any script included.

    Only blank text is refused, and the NUL character, which no database keeps.
    """
    if "\0" in text:
        return Rejected(N_("Este texto traz um caractere que não consigo guardar. Escreva de novo, por favor."))
    if not text.strip():
        return Rejected(N_("A mensagem chegou vazia. Escreva com as suas palavras."))
    if len(text) > max_length:
        return Rejected(
            N_("Seu texto tem {length} caracteres e aqui cabem {limit}. Encurte em {over} e envie de novo."),
            {"length": len(text), "limit": max_length, "over": len(text) - max_length},
        )
    return Value(text, text)
