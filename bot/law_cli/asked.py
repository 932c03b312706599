"""What a command is about: one rulebook, its city's calendar and settings, and the day of the question."""

from __future__ import annotations

import argparse
from datetime import date
from decimal import Decimal

from domain.law.calendar import Calendar
from domain.law.loader import Laws
from domain.law.model import Rulebook


class Asked:
    """One rulebook and the day of the question."""

    def __init__(self, laws: Laws, book: Rulebook, args: argparse.Namespace, today: date) -> None:
        self.laws = laws
        self.book = book
        self.args = args
        self.on: date = getattr(args, "on", None) or today

    @property
    def calendar(self) -> Calendar:
        """The city's, with what the city entered."""
        return self.laws.calendar(self.book.city.slug)

    def reais(self, amount: Decimal | None, unit: str | None, on: date) -> Decimal | None:
        """Return an amount in reais, where the city entered the value of its unit."""
        if amount is None or unit is None:
            return None
        return self.laws.settings(self.book.city.slug).reais(amount, unit, on)
