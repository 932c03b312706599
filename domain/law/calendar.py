"""Which days are open: four kinds of closed or short days, of which only holidays move legal terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import StrictInt, model_validator

from domain.law.answers import N_
from domain.law.fields import Flag, Frozen, Text

DayKind = Literal["holiday", "optional", "reduced", "recess"]
SATURDAY = N_("sábado")
SUNDAY = N_("domingo")

# as the library names in Portuguese what closes offices nationwide and in the states served; it speaks no Spanish
NAMES = (
    N_("Confraternização Universal"),
    N_("Sexta-feira Santa"),
    N_("Tiradentes"),
    N_("Dia do Trabalhador"),
    N_("Independência do Brasil"),
    N_("Nossa Senhora Aparecida"),
    N_("Finados"),
    N_("Proclamação da República"),
    N_("Consciência Negra"),
    N_("Dia Nacional de Zumbi e da Consciência Negra"),
    N_("Natal"),
    N_("Criação do Estado"),
    N_("Dia do Gaúcho"),
)


class DayRule(Frozen):
    """A special day of a state or a city: once ("2026-08-25") or every year ("08-25").

    ``take_away`` removes a day that the library still lists.
    """

    on: Text
    kind: DayKind = "holiday"
    name: Text
    source: Text
    first_year: StrictInt | None = None
    last_year: StrictInt | None = None
    take_away: Flag = False

    @model_validator(mode="after")
    def _is_a_day(self) -> DayRule:
        if not re.fullmatch(r"(\d{4}-)?\d{2}-\d{2}", self.on):
            raise ValueError(f"{self.on!r} is neither a day such as '2026-08-25' nor a yearly one such as '08-25'")
        date.fromisoformat(self.on if len(self.on) == 10 else f"2024-{self.on}")
        return self

    def in_year(self, year: int) -> date | None:
        """Return the day in a year, if it falls there."""
        if len(self.on) == 10:
            day = date.fromisoformat(self.on)
            return day if day.year == year else None
        if (self.first_year or year) > year or (self.last_year or year) < year:
            return None
        month, number = (int(part) for part in self.on.split("-"))
        return None if (month, number) == (2, 29) and not _is_leap(year) else date(year, month, number)


@dataclass(frozen=True, slots=True)
class SpecialDay:
    """A day that is not like the others."""

    day: date
    kind: DayKind
    name: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A day that a count passed over, and why."""

    day: date
    why: str


@dataclass(frozen=True, slots=True)
class Counted:
    """Where a count of business days ended, and what it passed over."""

    day: date
    skipped: tuple[Skipped, ...]


class Calendar:
    """The days of one place: national and state ones from the library, corrected and completed by ``days``."""

    def __init__(self, zone: ZoneInfo, days: Iterable[DayRule] = (), *, uf: str | None = None) -> None:
        self.zone = zone
        self.uf = uf
        self._rules = tuple(days)
        self._years: dict[int, dict[date, SpecialDay]] = {}

    def with_days(self, days: Iterable[DayRule]) -> Calendar:
        """Return this calendar with more days, such as those that a city entered."""
        return Calendar(self.zone, (*self._rules, *days), uf=self.uf)

    def special_days(self, year: int) -> tuple[SpecialDay, ...]:
        """Return the special days of a year, in order."""
        return tuple(sorted(self._of(year).values(), key=lambda special: special.day))

    def special(self, day: date) -> SpecialDay | None:
        """Return what is special about a day, if anything."""
        return self._of(day.year).get(day)

    def is_holiday(self, day: date) -> bool:
        """Whether a day is a holiday by law; optional days, reduced hours and recess are not."""
        special = self.special(day)
        return special is not None and special.kind == "holiday"

    def why_closed(self, day: date) -> str | None:
        """Return why a day is no business day; ``None`` when it is one."""
        special = self.special(day)
        if special is not None and special.kind == "holiday":
            return special.name
        return {5: SATURDAY, 6: SUNDAY}.get(day.weekday())

    def nth_business_day(self, year: int, month: int, n: int) -> Counted:
        """Return the n-th business day of a month.

        Raises:
            ValueError: The month has fewer.
        """
        counted = self.add_business_days(date(year, month, 1) - timedelta(days=1), n)
        if (counted.day.year, counted.day.month) != (year, month) or n < 1:
            raise ValueError(f"{year}-{month:02} has no business day number {n}")
        return counted

    def add_business_days(self, start: date, n: int) -> Counted:
        """Count ``n`` business days on from ``start``, or back when negative. The start itself does not count."""
        step = timedelta(days=1 if n > 0 else -1)
        day, left = start, abs(n)
        skipped: list[Skipped] = []
        while left:
            day += step
            why = self.why_closed(day)
            if why is None:
                left -= 1
            else:
                skipped.append(Skipped(day, why))
        return Counted(day, tuple(skipped))

    def next_business_day(self, day: date) -> Counted:
        """Return ``day`` itself when it is open, or else the first open day after it."""
        return self.add_business_days(day - timedelta(days=1), 1)

    def previous_business_day(self, day: date) -> Counted:
        """Return ``day`` itself when it is open, or else the last open day before it."""
        return self.add_business_days(day + timedelta(days=1), -1)

    def _of(self, year: int) -> dict[date, SpecialDay]:
        if year not in self._years:
            days = {special.day: special for special in _library(self.uf, year)}
            for rule in self._rules:
                day = rule.in_year(year)
                if day is None:
                    continue
                if rule.take_away:
                    days.pop(day, None)
                elif day not in days or days[day].kind != "holiday":
                    days[day] = SpecialDay(day, rule.kind, rule.name)
            self._years[year] = days
        return self._years[year]


@lru_cache(maxsize=512)
def _library(uf: str | None, year: int) -> tuple[SpecialDay, ...]:
    return tuple(_from_library(uf, year))


def _from_library(uf: str | None, year: int) -> Iterator[SpecialDay]:
    import holidays  # eight megabytes: at rest, while nobody counts days, they are not needed

    kinds: tuple[tuple[str, DayKind], ...] = (("optional", "optional"), ("public", "holiday"))
    for category, kind in kinds:
        listed = holidays.country_holidays("BR", subdiv=uf, years=year, language="pt_BR", categories=(category,))
        for day, name in listed.items():
            yield SpecialDay(day, kind, name)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
