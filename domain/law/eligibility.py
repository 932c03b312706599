"""May this person and this vehicle be registered? Each requirement met, not met, or not yet known."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeVar

from domain.law.answers import N_, Answer, Shown, Standing, Step
from domain.law.checks import (
    AtLeastYearsSince,
    AtMostYearsAfterYear,
    AtMostYearsSince,
    BarOver,
    Between,
    Check,
    Is,
    MonthsClear,
    NotExpired,
    OneOf,
)
from domain.law.conditions import Facts, facts_in, holds
from domain.law.model import Rulebook, facts_of
from domain.law.rules import RequirementRule, RequirementVersion
from domain.law.terms import add_months, after, anniversary

Verdict = Literal["met", "unmet", "unknown"]
ValueT = TypeVar("ValueT", date, int, str, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Answer):
    """What is known about one requirement."""

    rule: str
    label: str
    verdict: Verdict
    reason: Step
    missing: tuple[str, ...] = ()  # facts that would settle it


@dataclass(frozen=True, slots=True)
class _Outcome:
    verdict: Verdict
    reason: Step
    steps: tuple[Step, ...] = ()


def eligibility(
    rulebook: Rulebook,
    facts: Facts,
    on: date,
    *,
    bearers: Collection[str] | None = None,
    readings: Mapping[str, str] | None = None,
    held: Mapping[str, bool] | None = None,
) -> tuple[Finding, ...]:
    """Compare facts with what the law asks, in the order of the law.

    A requirement that cannot apply under these facts is left out. Where the law asks nothing, the finding says so.

    Args:
        rulebook: The city's law.
        facts: What is known, by the keys of ``facts.toml``; dates as dates.
        on: Local date of the question.
        bearers: Who is asked about; the first applicant of the rulebook when not given.
        readings: Choices among the readings of doubtful texts, before those of the city.
        held: Whether what must be sent is at hand, by requirement. When given, the whole law is gone through: papers
            that no fact speaks of, and what the city knows better than the person (earlier bars, equipment).
    """
    asked = bearers if bearers is not None else next(iter(rulebook.applicants.values())).bearers
    found = []
    for rule in rulebook.of_kind(RequirementRule):
        version = rule.version(on)
        if version is None or not rule.concerns(asked):
            continue
        if held is None and version.when_told and not facts_of(version.test) & facts.keys():
            continue
        finding = _finding(rulebook, rule, version, facts, on, readings, held)
        if finding is not None:
            found.append(finding)
    return tuple(found)


def _finding(
    rulebook: Rulebook,
    rule: RequirementRule,
    version: RequirementVersion,
    facts: Facts,
    on: date,
    readings: Mapping[str, str] | None,
    held: Mapping[str, bool] | None,
) -> Finding | None:
    check = rulebook.check_of(version, readings)
    needed: set[str] = set()
    steps: tuple[Step, ...] = ()
    if version.no_value is not None:
        outcome = _Outcome("met" if version.standing is Standing.SILENT else "unknown", Step(version.no_value))
    elif check is None and (held is None or rule.kind == "fact"):
        return None
    else:
        needed = facts_of(check) | (facts_in(version.condition) if version.condition is not None else set())
        applies = True if version.condition is None else holds(version.condition, facts)
        if applies is False:
            return None
        paper = held is not None and rule.kind != "fact" and applies is True and rule.id not in held
        if paper and not needed - facts.keys():
            needed |= {rule.id}
        text = N_("Falta saber se foi apresentado.") if rule.id in needed else N_("Falta uma resposta sua para saber.")
        outcome = _Outcome("unknown", Step(text))
        if applies:
            outcome = _at_hand(rule, held, None if check is None else compare(check, facts, on)) or outcome
    if version.doubt is not None:
        reading = rulebook.doubts[version.doubt].readings[rulebook.reading(version.doubt, readings)]
        steps = (Step(N_("Aqui vale esta leitura: {reading}"), {"reading": reading}),)
    return Finding(
        rule=rule.id,
        label=rule.label,
        verdict=outcome.verdict,
        reason=outcome.reason,
        missing=tuple(sorted(needed - facts.keys())) if outcome.verdict == "unknown" else (),
        standing=version.standing,
        cite=version.cite,
        steps=(*outcome.steps, *steps),
        assumption=rulebook.assumed(version.doubt, version.assumption, readings),
    )


def _at_hand(rule: RequirementRule, held: Mapping[str, bool] | None, compared: _Outcome | None) -> _Outcome | None:
    """Join what the facts say with whether the paper is at hand."""
    if held is None or rule.kind == "fact" or (compared is not None and compared.verdict == "unmet"):
        return compared
    at_hand = held.get(rule.id)
    if at_hand is None:
        return compared
    if not at_hand:
        return _Outcome("unmet", Step(N_("Falta apresentar.")))
    return compared or _Outcome("met", Step(N_("Foi apresentado.")))


def compare(check: Check, facts: Facts, on: date) -> _Outcome | None:
    """Compare one fact with one check; ``None`` while the fact is not known."""
    match check:
        case AtLeastYearsSince():
            return _at_least_years_since(check, _told(facts, check.fact, date), on)
        case AtMostYearsSince():
            return _at_most_years_since(check, _told(facts, check.fact, date), on)
        case AtMostYearsAfterYear():
            return _at_most_years_after_year(check, _told(facts, check.fact, int), facts, on)
        case Between():
            return _between(check, _told(facts, check.fact, int))
        case OneOf():
            return _answered(_told(facts, check.fact, str), check.values)
        case Is():
            return _answered(_told(facts, check.fact, bool), (check.value,))
        case MonthsClear():
            return _months_clear(check, facts, on)
        case BarOver():
            return _bar_over(check, facts, on)
        case NotExpired():
            return _not_expired(_told(facts, check.fact, date), on)


def _told(facts: Facts, key: str, kind: type[ValueT]) -> ValueT | None:
    value = facts.get(key)
    if value is None:
        return None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"the fact {key!r} is {value!r}, not of the kind {kind.__name__}")
    return value


def _at_least_years_since(check: AtLeastYearsSince, since: date | None, on: date) -> _Outcome | None:
    if since is None:
        return None
    first = anniversary(since, check.years)
    steps = (
        Step(N_("Conta de {since}."), {"since": since}),
        Step(N_("{years} anos se completam em {first}."), {"years": check.years, "first": first}),
    )
    if on >= first:
        return _Outcome("met", Step(N_("Já se completaram {years} anos."), {"years": check.years}), steps)
    text = N_("Faltam anos: os {years} que a lei pede se completam em {first}.")
    return _Outcome("unmet", Step(text, {"years": check.years, "first": first}), steps)


def _at_most_years_since(check: AtMostYearsSince, since: date | None, on: date) -> _Outcome | None:
    if since is None:
        return None
    steps = (Step(N_("Conta de {since}, de data a data."), {"since": since}),)
    return _until(anniversary(since, check.years), check.years, on, steps)


def _at_most_years_after_year(check: AtMostYearsAfterYear, year: int | None, facts: Facts, on: date) -> _Outcome | None:
    if year is None:
        return None
    years = check.years
    for variant in check.variants:
        applies = holds(variant.when, facts)
        if applies is None:
            return _either(check.years, variant.years, year, on)
        if applies:
            years = variant.years
    steps = (Step(N_("Conta do ano {year}, até 31 de dezembro do último ano."), {"year": str(year)}),)
    return _until(date(year + years, 12, 31), years, on, steps)


def _either(one: int, other: int, year: int, on: date) -> _Outcome | None:
    """Settle what does not depend on the missing fact: both limits hold, or neither."""
    first, last = sorted((one, other))
    steps = (Step(N_("Conta do ano {year}, até 31 de dezembro do último ano."), {"year": str(year)}),)
    if on <= date(year + first, 12, 31):
        return _until(date(year + first, 12, 31), first, on, steps)
    return _until(date(year + last, 12, 31), last, on, steps) if on > date(year + last, 12, 31) else None


def _until(last: date, years: int, on: date, steps: tuple[Step, ...]) -> _Outcome:
    told: dict[str, Shown] = {"years": years, "last": last}
    if on <= last:
        return _Outcome("met", Step(N_("O limite de {years} anos vai até {last}."), told), steps)
    return _Outcome("unmet", Step(N_("O limite de {years} anos terminou em {last}."), told), steps)


def _between(check: Between, value: int | None) -> _Outcome | None:
    if value is None:
        return None
    if check.least is not None and value < check.least:
        text = N_("Foi informado {value}; a lei pede pelo menos {least}.")
        return _Outcome("unmet", Step(text, {"value": value, "least": check.least}))
    if check.most is not None and value > check.most:
        return _Outcome(
            "unmet",
            Step(N_("Foi informado {value}; a lei aceita no máximo {most}."), {"value": value, "most": check.most}),
        )
    return _Outcome("met", Step(N_("Foi informado {value}, dentro do que a lei aceita."), {"value": value}))


def _answered(value: ValueT | None, accepted: Collection[ValueT]) -> _Outcome | None:
    if value is None:
        return None
    if value in accepted:
        return _Outcome("met", Step(N_("A sua resposta atende ao que a lei pede.")))
    return _Outcome("unmet", Step(N_("A sua resposta não atende ao que a lei pede.")))


def _months_clear(check: MonthsClear, facts: Facts, on: date) -> _Outcome | None:
    if holds(check.never, facts):
        return _Outcome("met", Step(N_("Não há nada a contar.")))
    last = _told(facts, check.fact, date)
    if last is None:
        return None
    clear = add_months(last, check.months)
    told: dict[str, Shown] = {"months": check.months, "last": last, "clear": clear}
    start = _told(facts, check.back_from, date) if check.back_from is not None else None
    if (start or on) >= clear:
        return _Outcome("met", Step(N_("Já passaram {months} meses desde {last}."), told))
    return _Outcome("unmet", Step(N_("Só a partir de {clear}, {months} meses depois de {last}."), told))


def _bar_over(check: BarOver, facts: Facts, on: date) -> _Outcome | None:
    if holds(check.never, facts):
        return _Outcome("met", Step(N_("Não há nada a contar.")))
    since = _told(facts, check.fact, date)
    if since is None:
        return None
    last = after(since, check.length)
    told: dict[str, Shown] = {"since": since, "last": last}
    if on > last:
        return _Outcome("met", Step(N_("O impedimento que começou em {since} terminou em {last}."), told))
    return _Outcome("unmet", Step(N_("O impedimento que começou em {since} vai até {last}."), told))


def _not_expired(last: date | None, on: date) -> _Outcome | None:
    if last is None:
        return None
    if on <= last:
        return _Outcome("met", Step(N_("Vale até {last}."), {"last": last}))
    return _Outcome("unmet", Step(N_("Venceu em {last}."), {"last": last}))
