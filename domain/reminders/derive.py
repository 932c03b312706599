"""What an approved registration makes its person owe, and by when. Pure; never what another bears, never a date the
law does not give."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from domain.cases.model import Case, ItemState
from domain.law.answers import N_, Shown, Standing, Step
from domain.law.calendar import Calendar
from domain.law.citations import Citation
from domain.law.dues import dues
from domain.law.fields import Bearer, Cause
from domain.law.model import Rulebook
from domain.law.renewal import Periodic, certificate, expires_on, periodic, renewal
from domain.law.terms import add_months
from domain.reminders.model import Obligation

UP_TO = N_("A lei diz “até”: vale a data escrita no seu certificado, se for anterior.")
FROM_HANDING_IN = N_("Contado do dia em que o pedido foi entregue, porque a data do documento não é conhecida.")
BEFORE_PAYMENT = N_("Contado do dia em que o pedido foi entregue, porque o do pagamento da taxa não é conhecido.")
FROM_APPROVAL = N_("Contado da aprovação do cadastro, porque a lei não diz desde quando se conta.")


@dataclass(frozen=True, slots=True)
class Registered:
    """An approved registration: the case, whose it is, and the local days of its handing in and its approval."""

    case: Case
    person_id: int
    submitted_on: date
    approved_on: date


@dataclass(frozen=True, slots=True)
class _Owed:
    rule: str
    period: str
    label: str
    due_on: date
    standing: Standing
    cite: Citation
    steps: tuple[Step, ...]
    assumption: str | None


def derive_obligations(
    rulebook: Rulebook, registered: Registered, calendar: Calendar, *, today: date
) -> tuple[Obligation, ...]:
    """Return what the person owes until the end of the next year, soonest first.

    Rules without a day (silent, illegible, left to a regulation) and duties that the city may or may not demand make
    no obligation.

    Args:
        rulebook: The law of the case's city and service.
        registered: The approved registration; its subject is the kind of applicant.
        calendar: The city's.
        today: Local date; decides how far is looked ahead.
    """
    applicant = rulebook.applicants.get(registered.case.subject or "")
    if applicant is None:  # this law registers such applicants no more
        return ()
    bearers = applicant.bearers
    horizon = date(today.year + 1, 12, 31)
    owed: dict[tuple[str, str], _Owed] = {}
    for found in (
        *_dues(rulebook, bearers, calendar, range(registered.approved_on.year, horizon.year + 1)),
        *_renewal(rulebook, bearers, registered, calendar),
        *_periodic(rulebook, bearers, registered, calendar, horizon),
    ):
        if found.due_on > registered.approved_on:
            owed.setdefault((found.rule, found.period), found)
    return tuple(
        Obligation(
            person_id=registered.person_id,
            case_id=registered.case.id,
            city=registered.case.city,
            service=registered.case.service,
            rule=one.rule,
            period=one.period,
            label=one.label,
            due_on=one.due_on,
            cite=str(one.cite),
            standing=one.standing.value,
            why=steps_to_json(one.steps),
            assumption=one.assumption,
        )
        for one in sorted(owed.values(), key=lambda one: (one.due_on, one.rule))
    )


def derivation_stamp(rulebook: Rulebook, calendar: Calendar, *, today: date) -> str:
    """Return a mark of all that obligations follow from besides their case: rules, days and the year."""
    rules = [rule.model_dump_json() for rule in rulebook.rules.values()]
    applicants = [applicant.model_dump_json() for applicant in rulebook.applicants.values()]
    days = [special for year in (today.year, today.year + 1) for special in calendar.special_days(year)]
    return hashlib.sha256(repr((rules, applicants, days)).encode()).hexdigest()[:32]


def steps_to_json(steps: Iterable[Step]) -> tuple[Mapping[str, Any], ...]:
    """Return an answer's steps as JSON keeps them: dates in ISO form, amounts as text."""
    return tuple(
        {
            "text": step.text,
            "facts": {
                name: value.isoformat()
                if isinstance(value, date)
                else str(value)
                if isinstance(value, Decimal)
                else value
                for name, value in step.facts.items()
            },
        }
        for step in steps
    )


def steps_from_json(why: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Return the steps that :func:`steps_to_json` kept."""
    return tuple(Step(step["text"], {name: _fact(value) for name, value in step["facts"].items()}) for step in why)


def _fact(value: str | int) -> Shown:
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    return value


def _dues(rulebook: Rulebook, bearers: tuple[Bearer, ...], calendar: Calendar, years: range) -> Iterator[_Owed]:
    for year in years:
        for bearer in bearers:
            for due in dues(rulebook, bearer, year, calendar):
                if due.due_on is None or due.every != "year" or due.exempt or due.payer not in bearers:
                    continue
                yield _Owed(
                    due.rule, str(year), due.label, due.due_on, due.standing, due.cite, due.steps, due.assumption
                )


def _renewal(
    rulebook: Rulebook, bearers: tuple[Bearer, ...], registered: Registered, calendar: Calendar
) -> Iterator[_Owed]:
    start = registered.approved_on
    papers = ((bearer, certificate(rulebook, start, bearer=bearer)) for bearer in bearers)
    bearer, paper = next(((bearer, paper) for bearer, paper in papers if paper is not None), (None, None))
    if paper is None:
        return
    standing, assumption = paper.standing, paper.assumption
    match paper.counted_from:
        case Cause.APPROVED | Cause.ISSUED:
            pass
        case Cause.PRESENTED:
            start = registered.submitted_on
        case Cause.FEE_PAID:  # the earliest day that it can be: who is told too soon loses nothing
            start, standing, assumption = registered.submitted_on, Standing.ASSUMED, BEFORE_PAYMENT
        case _:
            return  # counted from something that a registration does not know
    ends = expires_on(rulebook, start, bearer=bearer)
    if ends is None:
        return
    if paper.up_to:
        standing, assumption = Standing.ASSUMED, assumption or UP_TO
    window = renewal(rulebook, ends, calendar, bearer=bearer)
    if window is None or window.ask_by is None:
        steps = (Step(N_("Vale de {start} até {ends}."), {"start": start, "ends": ends}),)
        yield _Owed(paper.rule, start.isoformat(), paper.label, ends, standing, paper.cite, steps, assumption)
        return
    if window.standing is not Standing.STATED:
        standing, assumption = window.standing, window.assumption or assumption
    yield _Owed(
        window.rule, start.isoformat(), window.label, window.ask_by, standing, window.cite, window.steps, assumption
    )


def _periodic(
    rulebook: Rulebook, bearers: tuple[Bearer, ...], registered: Registered, calendar: Calendar, horizon: date
) -> Iterator[_Owed]:
    for bearer in bearers:
        for duty in periodic(rulebook, bearer, registered.approved_on):
            if duty.may:
                continue
            if duty.counted_from is not None:
                yield from _item_again(duty, registered)
            elif duty.business_day is not None:
                yield from _monthly(duty, duty.business_day, registered, calendar, horizon)
            elif duty.months is not None:
                yield from _every(duty, duty.months, registered, horizon)


def _item_again(duty: Periodic, registered: Registered) -> Iterator[_Owed]:
    """An accepted item that counts for some months, once: what comes after depends on the next one."""
    item = registered.case.items.get(duty.rule)
    if item is None or item.state is not ItemState.ACCEPTED or duty.months is None:
        return
    start, standing, assumption = registered.submitted_on, duty.standing, duty.assumption
    if duty.counted_from is Cause.APPROVED:
        start = registered.approved_on
    elif duty.counted_from is not Cause.PRESENTED:
        standing, assumption = Standing.ASSUMED, FROM_HANDING_IN
    ends = add_months(start, duty.months)
    yield _Owed(duty.rule, start.isoformat(), duty.label, ends, standing, duty.cite, _counted(start, ends), assumption)


def _every(duty: Periodic, months: int, registered: Registered, horizon: date) -> Iterator[_Owed]:
    start, turn = registered.approved_on, 1
    while (due_on := add_months(start, months * turn)) <= horizon:
        yield _Owed(
            duty.rule,
            f"{turn}",
            duty.label,
            due_on,
            Standing.ASSUMED,
            duty.cite,
            _counted(start, due_on),
            duty.assumption or FROM_APPROVAL,
        )
        turn += 1


def _monthly(duty: Periodic, number: int, registered: Registered, calendar: Calendar, horizon: date) -> Iterator[_Owed]:
    month = registered.approved_on.replace(day=1)
    while month <= horizon:
        due_on = calendar.nth_business_day(month.year, month.month, number).day
        text = N_("O dia útil número {number} do mês {month} de {year} é {day}.")
        facts: dict[str, Shown] = {"number": number, "month": month.month, "year": str(month.year), "day": due_on}
        yield _Owed(
            duty.rule,
            f"{month:%Y-%m}",
            duty.label,
            due_on,
            duty.standing,
            duty.cite,
            (Step(text, facts),),
            duty.assumption,
        )
        month = add_months(month, 1)


def _counted(start: date, ends: date) -> tuple[Step, ...]:
    return (Step(N_("Conta de {start}, de data a data, até {ends}."), {"start": start, "ends": ends}),)
