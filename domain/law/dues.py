"""What is paid, by whom, to whom, how much and by when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from domain.law.answers import N_, Answer, Shown, Standing, Step
from domain.law.calendar import Calendar
from domain.law.citations import Citation
from domain.law.conditions import Facts
from domain.law.fields import Bearer
from domain.law.model import Rulebook
from domain.law.rules import FeeRule, FeeVersion
from domain.law.terms import skipping

REQUESTED_ON = "requested_on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due(Answer):
    """One fee of one year. Without an amount or a day the law does not fix it, and nothing is invented."""

    rule: str
    label: str
    payer: Bearer
    collector: str  # name of the organ, or the bearer who passes it on
    amount: Decimal | None
    unit: str | None
    every: str
    due_on: date | None
    exempt: bool  # the one asked about does not bear it
    exempt_cite: Citation | None
    note: str | None


def dues(rulebook: Rulebook, bearer: str, year: int, calendar: Calendar, facts: Facts | None = None) -> tuple[Due, ...]:
    """Return the fees charged for a bearer in a year, whoever pays them.

    Args:
        rulebook: The city's law.
        bearer: For whom (driver, operator, ...).
        year: Calendar year.
        calendar: The city's.
        facts: ``requested_on`` (date) when it is known: a day before the request is nobody's due date.
    """
    found = []
    for rule in rulebook.of_kind(FeeRule):
        version = rule.version(date(year, 12, 31))
        if version is None or bearer not in rule.bearers:
            continue
        due_on, steps = _due_on(version, year, calendar)
        if due_on is not None and rule.version(due_on) is None:  # the law came later in that year
            continue
        requested = (facts or {}).get(REQUESTED_ON)
        standing = version.standing
        if isinstance(requested, date) and due_on is not None and due_on < requested:
            text = N_("O pedido é de {requested}, depois do vencimento de {due}; a lei não fixa data para esse ano.")
            steps = (*steps, Step(text, {"requested": requested, "due": due_on}))
            due_on, standing = None, Standing.SILENT
        organ = rulebook.organs.get(version.collector)
        found.append(
            Due(
                rule=rule.id,
                label=rule.label,
                payer=version.payer,
                collector=organ.name if organ is not None else version.collector,
                amount=version.amount,
                unit=version.unit,
                every=version.every,
                due_on=due_on,
                exempt=bearer in version.exempt,
                exempt_cite=version.exempt_cite if bearer in version.exempt else None,
                note=version.note,
                standing=standing,
                cite=version.cite,
                steps=(Step(version.no_value), *steps) if version.no_value else steps,
                assumption=version.assumption,
            )
        )
    return tuple(found)


def _due_on(version: FeeVersion, year: int, calendar: Calendar) -> tuple[date | None, tuple[Step, ...]]:
    rule = version.due
    if rule is None:
        return None, (Step(N_("A lei não fixa o dia do vencimento.")),)
    if rule.business_day is not None:
        counted = calendar.nth_business_day(year, rule.month, rule.business_day)
        text = N_("O dia útil número {number} do mês {month} de {year} é {day}.")
        told: dict[str, Shown] = {
            "number": rule.business_day,
            "month": rule.month,
            "year": str(year),
            "day": counted.day,
        }
        return counted.day, (*skipping(counted.skipped), Step(text, told))
    day = date(year, rule.month, 1) + timedelta(days=(rule.day or 1) - 1)
    return day, (Step(N_("O vencimento é {day}."), {"day": day}),)
