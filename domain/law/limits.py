"""How many authorizations there may be, which tariff is charged, and whether a representation is complete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from domain.law.answers import N_, Answer, Shown, Standing, Step
from domain.law.calendar import Calendar
from domain.law.conduct import Band, QuotaRule, TariffRule
from domain.law.model import Rulebook
from domain.law.rules import RepresentationRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota(Answer):
    """The most authorizations that there may be; without a number the law sets no limit."""

    rule: str
    label: str
    most: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff(Answer):
    """The band that is charged at an instant."""

    rule: str
    label: str
    band: str
    band_label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness(Answer):
    """What a representation still lacks."""

    rule: str
    label: str
    complete: bool
    missing: tuple[str, ...]
    owed: str


def quota(rulebook: Rulebook, population: int) -> Quota | None:
    """Return the limit for a number of inhabitants; ``None`` where this law has none.

    Raises:
        ValueError: Nobody lives there.
    """
    if population < 1:
        raise ValueError(f"a city of {population} inhabitants has no quota")
    for rule in rulebook.of_kind(QuotaRule):
        told = rule.newest
        if told.inhabitants is None:
            continue
        whole, rest = divmod(population, told.inhabitants)
        most = whole + (1 if told.fraction and rest else 0)
        counted: dict[str, Shown] = {"people": population, "whole": whole, "rest": rest}
        steps = [
            Step(N_("Uma para cada {number} habitantes."), {"number": told.inhabitants}),
            Step(N_("{people} habitantes: {whole}, e sobram {rest}."), counted),
        ]
        if told.fraction and rest:
            steps.append(Step(N_("A fração dá mais uma: {most}."), {"most": most}))
        return Quota(
            rule=rule.id,
            label=rule.label,
            most=most,
            standing=told.standing,
            cite=told.cite,
            steps=tuple(steps),
            assumption=told.assumption,
        )
    return None


def tariff_band(rulebook: Rulebook, instant: datetime, calendar: Calendar) -> Tariff | None:
    """Return the band that is charged at an instant; ``None`` where this law has no bands.

    Args:
        rulebook: The city's law.
        instant: With a zone; without one it is the city's local time.
        calendar: The city's; holidays count, optional days do not. On these, and on the very minute at which a band
            begins or ends, the answer rests on the rulebook's assumption.
    """
    local = instant.astimezone(rulebook.zone) if instant.tzinfo is not None else instant
    for rule in rulebook.of_kind(TariffRule):
        told = rule.version(local.date())
        if told is None or not told.bands:
            continue
        found: tuple[Band, Step] | None = None
        for band in told.bands:
            why = _why(band, local, calendar)
            if why is not None:
                found = band, why
                break
        special = calendar.special(local.date())
        edges = {edge for band in told.bands for edge in (band.starts, band.ends)}
        firm = local.time().replace(tzinfo=None) not in edges and (special is None or special.kind == "holiday")
        band, why = found or (told.bands[-1], Step(N_("Não é noite, domingo nem feriado.")))
        return Tariff(
            rule=rule.id,
            label=rule.label,
            band=band.key,
            band_label=band.label,
            standing=Standing.STATED if firm else told.standing,
            cite=told.cite,
            steps=(why,),
            assumption=None if firm else told.assumption,
        )
    return None


def representation_completeness(rulebook: Rulebook, report: Mapping[str, object]) -> Completeness | None:
    """Return what a report lacks to be a representation; ``None`` where this law has none.

    Args:
        rulebook: The city's law.
        report: What was told, by key; an empty value counts as not told.
    """
    for rule in rulebook.of_kind(RepresentationRule):
        told = rule.newest
        missing = tuple(
            label
            for label, keys in zip(told.requires, told.given_by, strict=False)
            if not any(report.get(key) for key in keys)
        )
        steps = tuple(Step(N_("Falta: {what}."), {"what": label}) for label in missing)
        return Completeness(
            rule=rule.id,
            label=rule.label,
            complete=not missing,
            missing=missing,
            owed=told.owed,
            standing=Standing.STATED,
            cite=told.cite,
            steps=steps or (Step(N_("Está completa.")),),
        )
    return None


def _why(band: Band, local: datetime, calendar: Calendar) -> Step | None:
    hour = local.time().replace(tzinfo=None)
    if band.starts is not None and band.ends is not None:
        inside = band.starts <= hour < band.ends
        if band.starts > band.ends:
            inside = hour >= band.starts or hour < band.ends
        if inside:
            told: dict[str, Shown] = {"starts": f"{band.starts:%H:%M}", "ends": f"{band.ends:%H:%M}"}
            return Step(N_("Horário noturno, das {starts} às {ends}."), told)
    if local.weekday() in band.weekdays:
        return Step(N_("É domingo."))
    special = calendar.special(local.date())
    if band.holidays and special is not None and special.kind == "holiday":
        return Step(N_("É feriado: {name}."), {"name": special.name})
    return None
