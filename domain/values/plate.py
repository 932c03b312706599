"""Vehicle plates, in the old form and in that of the Mercosul."""

from __future__ import annotations

import re

from domain.texts import N_
from domain.values.parsed import Parsed, Rejected, Value

SEPARATORS = re.compile(r"[\s.\-–—_·]+")
PLATE = re.compile(r"[A-Z]{3}[0-9][A-Z0-9][0-9]{2}")
EXAMPLE = "ABC1D23"


def parse_plate(text: str) -> Parsed:
    """Read a plate in either form, any case, with or without spaces and hyphens; the value is its seven characters."""
    plate = SEPARATORS.sub("", text).upper()
    if PLATE.fullmatch(plate):
        return Value(plate, show_plate(plate))
    if len(plate) != 7 and plate.isalnum():
        return Rejected(
            N_("Uma placa tem 7 letras e números; aqui contei {length}. Confira no documento ou na foto."),
            {"length": len(plate)},
            EXAMPLE,
        )
    return Rejected(
        N_("Isso não parece uma placa: são três letras, um número, uma letra ou número e dois números."), {}, EXAMPLE
    )


def show_plate(plate: str) -> str:
    """Return a plate as it is painted: the old form carries a hyphen."""
    return f"{plate[:3]}-{plate[3:]}" if plate[4].isdigit() else plate
