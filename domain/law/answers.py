"""What every answer of the law carries: its standing, its citation, its arithmetic and what was assumed.

A sentence here is a message id with named facts; whoever shows it translates it first and fills it in after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from domain.law.citations import Citation

Shown: TypeAlias = str | int | Decimal | date


def N_(sentence: str) -> str:  # noqa: N802 - the name that gettext's tools look for
    """Mark a sentence for the catalogues where it is declared; it is translated where it is shown."""
    return sentence


class Standing(StrEnum):
    """How firmly the text of the law carries an answer."""

    STATED = "stated"  # the text fixes it
    ASSUMED = "assumed"  # the text leaves a question open; the convention chosen is named
    SILENT = "silent"  # the text fixes nothing, and nothing is invented
    ILLEGIBLE = "illegible"  # the published text cannot be read
    REGULATION = "regulation"  # left to a decree that nobody has entered yet


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the reasoning: a sentence with named facts."""

    text: str
    facts: Mapping[str, Shown] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in Portuguese, filled in."""
        return self.text.format(**{name: shown(value) for name, value in self.facts.items()})


def shown(value: Shown) -> str:
    """Return a fact as Portuguese readers write it."""
    if isinstance(value, date):
        return value.strftime("%d/%m/%Y")
    return f"{value.normalize():f}".replace(".", ",") if isinstance(value, Decimal) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The part that all answers share."""

    standing: Standing
    cite: Citation
    steps: tuple[Step, ...] = ()
    assumption: str | None = None
