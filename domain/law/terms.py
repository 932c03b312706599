"""Counting time as the law counts it."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from domain.law.answers import N_, Answer, Standing, Step
from domain.law.calendar import SATURDAY, SUNDAY, Calendar, Skipped
from domain.law.fields import Length, Unit
from domain.law.model import RuleSet
from domain.law.rules import TermRule

UNIT_NAMES = {
    Unit.HOUR: N_("horas"),
    Unit.CALENDAR_DAY: N_("dias corridos"),
    Unit.BUSINESS_DAY: N_("dias úteis"),
    Unit.MONTH: N_("meses, de data a data"),
    Unit.YEAR: N_("anos, de data a data"),
}
ONE = {
    Unit.HOUR: N_("hora"),
    Unit.CALENDAR_DAY: N_("dia corrido"),
    Unit.BUSINESS_DAY: N_("dia útil"),
    Unit.MONTH: N_("mês, de data a data"),
    Unit.YEAR: N_("ano, de data a data"),
}
ROLLED = N_("A lei não diz o que acontece se o prazo termina em dia sem expediente: aqui vai até o próximo dia útil.")

BY_THE_HOUR = N_("Conta de hora a hora: termina em {day}, na mesma hora.")


def unit_name(length: Length) -> str:
    """Return how the unit of a length is called beside its amount: "ano" beside one, "anos" beside any other."""
    return (ONE if length.amount == 1 else UNIT_NAMES)[length.unit]


@dataclass(frozen=True, slots=True)
class Ending:
    """The last day of a term, and how it was found."""

    day: date
    steps: tuple[Step, ...]
    rolled: bool = False  # it would have ended on a closed day


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline(Answer):
    """The last day for something that a rule limits; without a day, the law fixes no term that can be used."""

    rule: str
    label: str
    ends_on: date | None


def term(start: date, length: Length, calendar: Calendar, *, rolls: bool = True) -> Ending:
    """Return the last day on which acting is still in time.

    The day the term starts does not count and the last day does. Months and years run from date to date; where the
    month has no such day, to its last; hours from hour to hour, open or closed. A term of days that would end on a
    closed day runs on to the next business day.

    Args:
        start: Local date of the city.
        length: As the law states it.
        calendar: The city's.
        rolls: Whether a closed last day moves on; a term of business days never ends on one.

    Source:
        Lei nº 9.784/1999 (federal), art. 66; a rulebook may name another rule.
    """
    steps = [
        Step(N_("Começa em {start}; esse dia não conta."), {"start": start}),
        Step(N_("O prazo é de {amount} {unit}."), {"amount": length.amount, "unit": unit_name(length)}),
    ]
    if length.unit is Unit.BUSINESS_DAY:
        counted = calendar.add_business_days(start, length.amount)
        return Ending(counted.day, (*steps, *skipping(counted.skipped), _ends(counted.day)))
    if length.unit is Unit.HOUR:
        return Ending(day := start + timedelta(hours=length.amount), (*steps, Step(BY_THE_HOUR, {"day": day})))
    if length.unit is Unit.CALENDAR_DAY:
        day = start + timedelta(days=length.amount)
    else:
        day = add_months(start, length.amount * (12 if length.unit is Unit.YEAR else 1))
    why = calendar.why_closed(day)
    if rolls and why is not None:
        steps.append(
            Step(N_("Terminaria em {day}, que não é dia útil ({why}): vai até o próximo."), {"day": day, "why": why})
        )
        return Ending(moved := calendar.next_business_day(day).day, (*steps, _ends(moved)), rolled=True)
    return Ending(day, (*steps, _ends(day)))


def deadline(rules: RuleSet, rule_id: str, start: date, calendar: Calendar) -> Deadline:
    """Return the last day of a rule's term that starts on a day.

    Raises:
        KeyError: There is no such term.
    """
    rule = rules.rule(rule_id, TermRule)
    version = rule.version(start)
    if version is None:
        raise KeyError(rule_id)
    ending = None if version.length is None else term(start, version.length, calendar, rolls=version.rolls)
    standing, assumption = version.standing, version.assumption
    if ending is not None and ending.rolled and standing is Standing.STATED:
        standing, assumption = Standing.ASSUMED, ROLLED
    return Deadline(
        rule=rule.id,
        label=rule.label,
        ends_on=ending.day if ending else None,
        standing=standing,
        cite=version.cite,
        steps=ending.steps if ending else (Step(version.no_value or ""),),
        assumption=assumption,
    )


def add_months(start: date, months: int) -> date:
    """Return the same day so many months on, or the last day of the month where it is shorter."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def after(start: date, length: Length) -> date:
    """Return the last day of a period that starts on a day, in calendar days or from date to date.

    Raises:
        ValueError: It is one of business days, which need a calendar.
    """
    match length.unit:
        case Unit.CALENDAR_DAY:
            return start + timedelta(days=length.amount)
        case Unit.MONTH:
            return add_months(start, length.amount)
        case Unit.YEAR:
            return add_months(start, 12 * length.amount)
    raise ValueError("business days need a calendar")


def anniversary(day: date, years: int) -> date:
    """Return the day on which so many years are complete; of 29 February, 1 March where there is none.

    Source:
        Código Civil, art. 132, § 3º.
    """
    month_end = add_months(day, years * 12)
    return month_end if month_end.day == day.day else month_end + timedelta(days=1)


def skipping(skipped: Iterable[Skipped]) -> tuple[Step, ...]:
    """Return one line for each day passed over, weekends as one number."""
    days = tuple(skipped)
    weekend = [day for day in days if day.why in {SATURDAY, SUNDAY}]
    steps = [
        Step(N_("Não conta {day}: {why}."), {"day": day.day, "why": day.why}) for day in days if day not in weekend
    ]
    if weekend:
        steps.append(Step(N_("Sábados e domingos que não contam: {number}."), {"number": len(weekend)}))
    return tuple(steps)


def _ends(day: date) -> Step:
    return Step(N_("O último dia é {day}."), {"day": day})
