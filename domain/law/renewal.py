"""How long a certificate is valid, when it is renewed, and what comes back every so often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from domain.law.answers import N_, Answer, Step
from domain.law.calendar import Calendar
from domain.law.citations import Citation
from domain.law.fields import Bearer, Cause, Length, Unit
from domain.law.model import Rulebook
from domain.law.rules import CertificateRule, CertificateVersion, PeriodicRule, RenewalRule, RequirementRule
from domain.law.terms import Ending, add_months, skipping, term, unit_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate(Answer):
    """The authorization, and how long it lasts. Without a length the law does not fix one."""

    rule: str
    label: str
    bearers: tuple[Bearer, ...]
    length: Length | None
    up_to: bool  # the law says "até"
    counted_from: Cause | None
    no_value: str | None
    note: str | None

    @property
    def months(self) -> int | None:
        """The length in months, where it is one of months or years."""
        if self.length is None or self.length.unit not in (Unit.MONTH, Unit.YEAR):
            return None
        return self.length.amount * (12 if self.length.unit is Unit.YEAR else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewalWindow(Answer):
    """Until when a renewal is asked for. Without a day the law fixes none."""

    rule: str
    label: str
    ask_by: date | None
    extends: bool  # a timely request keeps the certificate valid until the decision
    extends_cite: Citation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Periodic(Answer):
    """What is owed again and again: a certificate, an inspection, a list."""

    rule: str
    label: str
    months: int | None
    days: int | None
    business_day: int | None  # of each month
    counted_from: Cause | None
    may: bool  # the city may demand it; the law does not fix it


def certificate(
    rulebook: Rulebook, on: date | None = None, *, bearer: str | None = None, provisional: bool = False
) -> Certificate | None:
    """Return a bearer's certificate, as it stands on a day or now; ``None`` where this law has no such one.

    Without a bearer it is the first that the law has.
    """
    found = _certificate(rulebook, on, bearer, provisional)
    if found is None:
        return None
    rule, version = found
    return Certificate(
        rule=rule.id,
        label=rule.label,
        bearers=rule.bearers,
        length=version.length,
        up_to=version.up_to,
        counted_from=version.counted_from,
        no_value=version.no_value,
        note=version.note,
        standing=version.standing,
        cite=version.cite,
        steps=(Step(version.no_value),) if version.no_value else (),
        assumption=version.assumption,
    )


def expires_on(rulebook: Rulebook, start: date, *, bearer: str | None = None, provisional: bool = False) -> date | None:
    """Return the last day of a certificate whose period starts on a day; ``None`` where the law fixes no length."""
    found = _certificate(rulebook, start, bearer, provisional)
    if found is None or found[1].length is None:
        return None
    length = found[1].length
    if length.unit in (Unit.MONTH, Unit.YEAR):
        return add_months(start, length.amount * (12 if length.unit is Unit.YEAR else 1))
    return start + timedelta(days=length.amount)


def renewal(
    rulebook: Rulebook, expires_on: date, calendar: Calendar, *, bearer: str | None = None
) -> RenewalWindow | None:
    """Return until when the renewal of a certificate that ends on a day is asked for.

    The day of expiry does not count; the law's distance lies between the two days. ``None`` where this law has no
    certificate to renew.
    """
    paper = _certificate(rulebook, expires_on, bearer, False)
    rules = rulebook.of_kind(RenewalRule)
    rule = next((rule for rule in rules if paper is not None and rule.certificate == paper[0].id), None)
    version = rule.version(expires_on) if rule is not None else None
    if rule is None or version is None:
        return None
    ask_by: date | None = None
    steps: tuple[Step, ...] = (Step(version.no_value or ""),)
    if version.before is not None:
        ask_by, steps = _back(expires_on, version.before, calendar)
    return RenewalWindow(
        rule=rule.id,
        label=rule.label,
        ask_by=ask_by,
        extends=version.extends,
        extends_cite=version.extends_cite,
        standing=version.standing,
        cite=version.cite,
        steps=steps,
        assumption=version.assumption,
    )


def periodic(rulebook: Rulebook, bearer: str, on: date | None = None) -> tuple[Periodic, ...]:
    """Return what a bearer owes again and again; what the law leaves open stands there without a rhythm."""
    found = []
    for rule in rulebook.of_kind(RequirementRule):
        version = rule.newest if on is None else rule.version(on)
        if version is not None and version.valid_for is not None and bearer in rule.bearers:
            found.append(
                Periodic(
                    rule=rule.id,
                    label=rule.label,
                    months=version.valid_for.months,
                    days=None,
                    business_day=None,
                    counted_from=version.valid_for.counted_from,
                    may=False,
                    standing=version.standing,
                    cite=version.cite,
                    assumption=version.assumption,
                )
            )
    for duty in rulebook.of_kind(PeriodicRule):
        told = duty.newest if on is None else duty.version(on)
        if told is not None and bearer in duty.bearers:
            every = told.every
            months = every.amount * (12 if every.unit is Unit.YEAR else 1) if every and every.unit in _MONTHLY else None
            found.append(
                Periodic(
                    rule=duty.id,
                    label=duty.label,
                    months=months,
                    days=every.amount if every and every.unit not in _MONTHLY else None,
                    business_day=told.business_day,
                    counted_from=None,
                    may=told.may,
                    standing=told.standing,
                    cite=told.cite,
                    steps=(Step(told.no_value),) if told.no_value else (),
                    assumption=told.assumption,
                )
            )
    return tuple(found)


def month_by_month(duty: Periodic, year: int, calendar: Calendar) -> tuple[date, ...]:
    """Return the days of a year on which a duty of the n-th business day of each month is due; none for another."""
    if duty.business_day is None:
        return ()
    return tuple(calendar.nth_business_day(year, month, duty.business_day).day for month in range(1, 13))


def next_due(duty: Periodic, start: date, calendar: Calendar) -> Ending | None:
    """Return the first day after a day on which a duty is due again; ``None`` where the law gives it no rhythm.

    One of the n-th business day falls in the month of the start or the next; any other so long after the start.
    """
    if duty.business_day is not None:
        month, following = start.replace(day=1), add_months(start.replace(day=1), 1)
        found = [calendar.nth_business_day(one.year, one.month, duty.business_day) for one in (month, following)]
        counted = next(one for one in found if one.day > start)
        text, facts = N_("É o dia útil número {number} do mês."), {"number": duty.business_day}
        return Ending(counted.day, (Step(text, {**facts}), *skipping(counted.skipped)))
    if duty.months is not None:
        return term(start, Length(amount=duty.months, unit=Unit.MONTH), calendar, rolls=False)
    if duty.days is not None:
        return term(start, Length(amount=duty.days, unit=Unit.CALENDAR_DAY), calendar, rolls=False)
    return None


_MONTHLY = (Unit.MONTH, Unit.YEAR)


def _certificate(
    rulebook: Rulebook, on: date | None, bearer: str | None, provisional: bool
) -> tuple[CertificateRule, CertificateVersion] | None:
    for rule in rulebook.of_kind(CertificateRule):
        version = rule.newest if on is None else rule.version(on)
        held = bearer is None or bearer in rule.bearers
        if held and rule.provisional is provisional and version is not None:
            return rule, version
    return None


def _back(expires_on: date, before: Length, calendar: Calendar) -> tuple[date, tuple[Step, ...]]:
    steps = [
        Step(N_("Vence em {expires}; esse dia não conta."), {"expires": expires_on}),
        Step(N_("Antecedência mínima: {amount} {unit}."), {"amount": before.amount, "unit": unit_name(before)}),
    ]
    if before.unit is Unit.BUSINESS_DAY:
        counted = calendar.add_business_days(expires_on, -before.amount)
        day = counted.day
        steps.extend(skipping(counted.skipped))
    elif before.unit is Unit.CALENDAR_DAY:
        day = expires_on - timedelta(days=before.amount)
    else:
        day = add_months(expires_on, -before.amount * (12 if before.unit is Unit.YEAR else 1))
    steps.append(Step(N_("O último dia para pedir é {day}."), {"day": day}))
    why = calendar.why_closed(day)
    if why is not None:
        text = N_("Nesse dia não há expediente ({why}): no balcão da prefeitura, peça até {open_day}.")
        steps.append(Step(text, {"why": why, "open_day": calendar.previous_business_day(day).day}))
    return day, tuple(steps)
