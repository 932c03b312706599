"""What a report tells, in words that both sides of the counter read: the one place that knows its facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.cases.model import Case
from domain.law.loader import Laws
from domain.values.plate import show_plate
from handlers.shared import formats
from handlers.shared.casewords import named
from handlers.shared.texts import N_, Translator

FACTS: dict[str, str] = {
    "what": N_("O que aconteceu"),
    "grounds": N_("Motivo da discriminação"),
    "where": N_("Onde"),
    "when": N_("Quando"),
    "plate": N_("Placa"),
    "vehicle": N_("Veículo, linha ou pessoa"),
    "evidence": N_("Texto que veio com as provas"),
    "representation": N_("Representação formal"),
}
"""The facts of a report in reading order.

``where`` is text or ``{latitude, longitude, title}``; ``when`` an ISO date, with its time where it is known;
``grounds`` a key of the rulebook or what was written instead; ``representation`` what the law asks of it, by its name
there. What was not told is absent.
"""


def report_facts(case: Case, laws: Laws, tr: Translator) -> list[tuple[str, str]]:
    """Return what the person told, as plain names and values; what was skipped is left out."""
    book = laws.rulebook(case.city, case.service)
    grounds = book.grounds_by_key
    told: list[tuple[str, str]] = []
    for key, label in FACTS.items():
        value = case.facts.get(key)
        if key == "what" and not value:
            value = tr("Contado em áudio: está nos arquivos.")
        if value in (None, "", {}):
            continue
        match key, value:
            case "representation", Mapping():
                told.append((tr(label), ", ".join(filter(None, (tr("sim"), representation_cite(case, laws))))))
                told += [(named(asked, tr), str(said)) for asked, said in value.items()]
            case "grounds", _:
                told.append((tr(label), named(grounds[value].label, tr) if value in grounds else str(value)))
            case "when", _:
                told.append((tr(label), formats.day_and_clock(str(value), tr.language)))
            case "plate", _:
                told.append((tr(label), show_plate(str(value))))
            case _:
                told.append((tr(label), place(value, tr) if isinstance(value, Mapping) else str(value)))
    return told


def representation_cite(case: Case, laws: Laws) -> str:
    """Return where the law has the formal representation; "" where it has none."""
    representation = laws.rulebook(case.city, case.service).representation
    return str(representation.cite) if representation else ""


def place(value: Mapping[str, Any], tr: Translator) -> str:
    """Return a place on the map as text."""
    spot = tr("local no mapa ({latitude}, {longitude})").format(
        latitude=f"{value['latitude']:.5f}", longitude=f"{value['longitude']:.5f}"
    )
    return f"{value['title']}, {spot}" if value.get("title") else spot
