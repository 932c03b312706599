"""What somebody is charged with: an infraction, or a duty that is punished itself, its class of fines, who answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from domain.law.conduct import ConductRule, InfractionRule, InfractionVersion
from domain.law.fields import Bearer
from domain.law.model import Rulebook
from domain.law.rules import PenaltyClassRule


@dataclass(frozen=True, slots=True)
class Charge:
    """An infraction as it stands on a day."""

    rule: InfractionRule | ConductRule
    version: InfractionVersion
    group: str | None
    penalty_class: str | None  # as it is read


def charge_of(
    rulebook: Rulebook, infraction: str, on: date, readings: Mapping[str, str] | None = None
) -> Charge | None:
    """Return what somebody is charged with, under the readings that are asked for or in use.

    ``None`` where the law knows no such infraction on that day.
    """
    rule = rulebook.rules.get(infraction)
    if isinstance(rule, InfractionRule) and (version := rule.version(on)) is not None:
        group = version.penalty_class
        if version.doubt is not None:
            group = version.readings.get(rulebook.reading(version.doubt, readings))
        return Charge(rule, version, rule.group, group)
    if isinstance(rule, ConductRule) and (told := rule.version(on)) is not None:
        if told.infraction is not None:
            return charge_of(rulebook, told.infraction, on, readings)
        if told.penalty_class is not None:
            punished = InfractionVersion.model_validate(
                {
                    "in_force_from": told.in_force_from,
                    "cite": told.cite,
                    "class": told.penalty_class,
                    "standing": told.standing,
                    "assumption": told.assumption,
                    "note": told.note,
                }
            )
            return Charge(rule, punished, None, told.penalty_class)
    return None


def charged(rulebook: Rulebook, charge: Charge) -> tuple[Bearer, ...]:
    """Return who answers: whom an infraction names, or on whom the class of fines of a broken duty falls."""
    if isinstance(charge.rule, ConductRule) and charge.penalty_class is not None:
        return rulebook.rule(charge.penalty_class, PenaltyClassRule).bearers
    return charge.rule.bearers
