"""What a city enters at its counter: values of units, decrees, special days, and the readings that it chooses.

One file per city, ``<slug>.toml`` in the folder of settings. Each entry says where it is from, who entered it and when.
A setting never changes what the law itself fixes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from domain.law.calendar import DayRule
from domain.law.fields import Amount, Day, Flag, Frozen, Key, Text
from domain.law.reading import RulebookError, model, read

OPEN = frozenset({"silent", "regulation", "illegible"})
REPLACED = ("no_value", "standing", "assumption", "in_force_from", "in_force_until")
ENTRY = ("source", "entered_on", "author")


class _Entry(Frozen):
    source: Text
    entered_on: Day
    author: Text


class UnitValue(_Entry):
    """What a unit of reference is worth in reais from a day on."""

    since: Annotated[Day, Field(alias="from")]
    value: Amount


class EnteredDay(DayRule):
    """A special day that the city entered, or took away."""

    entered_on: Day
    author: Text


class Choice(_Entry):
    """The reading of a doubtful text that the city applies."""

    reading: Key


class Blocking(_Entry):
    """Whether a missing item stops a registration."""

    blocking: Flag


class Counting(_Entry):
    """How the city counts where its law does not say."""

    rolls: Flag  # a term that would end on a closed day runs on to the next business day


class Asking(_Entry):
    """What asking the person something does to the term of the answer that they are owed, where no law says."""

    term: Literal["runs", "pauses", "restarts"]


class CitySettings(Frozen):
    """Everything that one city entered."""

    units: dict[str, tuple[UnitValue, ...]] = Field(default_factory=dict)
    days: tuple[EnteredDay, ...] = ()
    readings: dict[Key, Choice] = Field(default_factory=dict)
    blocking: dict[Key, Blocking] = Field(default_factory=dict)
    counting: Counting | None = None
    asking: Asking | None = None
    sources: dict[str, dict[str, Any]] = Field(default_factory=dict)  # decrees
    rules: dict[Key, tuple[dict[str, Any], ...]] = Field(default_factory=dict)  # what they fix, soonest first

    def unit_value(self, unit: str, on: date) -> UnitValue | None:
        """Return what a unit is worth on a day; ``None`` while nobody entered it."""
        known = [value for value in self.units.get(unit, ()) if value.since <= on]
        return max(known, key=lambda value: value.since, default=None)

    def reais(self, amount: Decimal, unit: str, on: date) -> Decimal | None:
        """Return an amount in reais, to the cent; ``None`` while the unit's value is not known."""
        if unit == "R$":
            return amount
        value = self.unit_value(unit, on)
        return None if value is None else (amount * value.value).quantize(Decimal("0.01"))


NOTHING = CitySettings()


def read_settings(folder: Path, slug: str) -> CitySettings:
    """Return what a city entered; nothing when it has no file.

    Raises:
        RulebookError: The file cannot be used.
    """
    file = folder / f"{slug}.toml"
    return model(CitySettings, read(file, file.name), file.name) if file.is_file() else NOTHING


def apply_settings(raw: dict[str, Any], settings: CitySettings, file: str) -> None:
    """Write into a rulebook, before it is checked, what the city entered for it.

    Raises:
        RulebookError: An entry changes what the law itself fixes, or does not say where it comes from.
    """
    rules = raw.get("rules", {})
    sources = {key: {**source} for key, source in settings.sources.items() if key not in raw["sources"]}
    raw["sources"].update(sources)
    for key, entries in settings.rules.items():
        if key not in rules:
            continue
        versions = rules[key]["versions"]
        base = versions[-1]
        if base.get("standing") not in OPEN:
            raise RulebookError(file, f"rules.{key}", "the law itself fixes this; a setting cannot change it")
        kept = {name: value for name, value in base.items() if name not in REPLACED}
        for index, entry in enumerate(entries):
            missing = [name for name in (*ENTRY, "in_force_from", "cite") if name not in entry]
            if missing:
                raise RulebookError(file, f"rules.{key}.{index}.{missing[0]}", "this key is missing")
            values = {name: value for name, value in entry.items() if name not in ENTRY}
            proof = {"source": entry["source"], "on": entry["entered_on"], "author": entry["author"]}
            versions.append({**kept, **values, "standing": "regulation", "entered": proof})
    for key, choice in settings.blocking.items():
        for version in rules.get(key, {}).get("versions", ()):
            version["blocking"] = choice.blocking
    if settings.counting is not None:
        for rule in rules.values():
            for version in rule.get("versions", ()) if rule.get("kind") == "term" else ():
                version.setdefault("rolls", settings.counting.rolls)


def check_settings(
    settings: CitySettings, rules: Collection[str], doubts: Mapping[str, Collection[str]], file: str
) -> None:
    """Refuse an entry for something that none of the city's laws has.

    Raises:
        RulebookError: It names no rule, no doubt, or no reading of the doubt.
    """
    for section, keys in (("rules", settings.rules), ("blocking", settings.blocking)):
        for key in keys:
            if key not in rules:
                raise RulebookError(file, f"{section}.{key}", "the city's law has no such rule")
    for key, choice in settings.readings.items():
        if key not in doubts:
            raise RulebookError(file, f"readings.{key}", "the city's law has no such doubt")
        if choice.reading not in doubts[key]:
            raise RulebookError(file, f"readings.{key}.reading", f"there is no reading {choice.reading!r}")
