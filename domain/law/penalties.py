"""What an infraction costs, given what was done before: fine, other penalties, measures, recidivism, leniency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from domain.law.answers import N_, Answer, Shown, Standing, Step
from domain.law.charges import Charge, charge_of, charged
from domain.law.citations import Citation
from domain.law.conduct import (
    Action,
    ConductRule,
    Consequence,
    InfractionRule,
    LeniencyRule,
    RecidivismRule,
    RecidivismVersion,
)
from domain.law.fields import Bearer, Length, Unit
from domain.law.model import Rulebook
from domain.law.rules import PenaltyClassRule
from domain.law.terms import after

NO_WINDOW = N_("A lei não diz em quanto tempo a repetição conta: conta qualquer infração anterior.")
READ_SO = N_("Aqui vale esta leitura: {reading}")
OTHER_READING = N_("Outra leitura possível: {reading}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """An earlier infraction of the same person."""

    infraction: str
    committed_on: date
    noticed_on: date | None = None
    punished: bool = True
    final_on: date | None = None  # the decision could not be appealed any more
    suspended_days: int | None = None
    warning_asked_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Answer):
    """One thing that follows. Without an amount or a duration the law fixes none, and nothing is invented."""

    rule: str
    label: str
    action: Action
    least: Decimal | None = None
    most: Decimal | None = None
    unit: str | None = None
    shortest: Length | None = None
    longest: Length | None = None
    until: str | None = None
    may: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recidivism(Answer):
    """Whether an infraction repeats earlier ones, and how many of them."""

    rule: str
    label: str
    count: int
    effect: bool  # it changes the penalty
    suspended_before: int | None = None  # days of the last suspension among those repeated, where it is doubled


@dataclass(frozen=True, slots=True)
class Penalties:
    """All that follows one infraction."""

    infraction: str
    label: str
    cite: Citation
    recidivism: tuple[Recidivism, ...]
    answers: tuple[Penalty, ...]
    charged: tuple[Bearer, ...]  # who answers for it, whoever did it


def penalty(
    rulebook: Rulebook,
    infraction: str,
    priors: Sequence[Prior],
    on: date,
    *,
    readings: Mapping[str, str] | None = None,
) -> Penalties:
    """Return what follows an infraction committed on a day.

    Args:
        rulebook: The city's law.
        infraction: Id of an infraction, or of a duty that is punished itself.
        priors: What the same person did before; later ones are left out.
        on: Local date of the infraction.
        readings: Choices among the readings of doubtful texts, before those of the city.

    Raises:
        KeyError: This law knows no such infraction on that day.
    """
    charge = _charge(rulebook, infraction, on, readings)
    counted = recidivism(rulebook, infraction, priors, on, readings=readings)
    effects = [(one, _version(rulebook, one.rule, on)) for one in counted if one.effect]
    punished, cite = charge, charge.version.cite
    climbed = [(one, told) for one, told in effects if told.becomes is not None]
    steps: tuple[Step, ...] = ()
    if climbed:
        one, told = max(climbed, key=lambda found: found[1].from_count)
        punished = _charge(rulebook, told.becomes or "", on, readings)
        cite, steps = punished.version.cite, one.steps
    found = [*_fines(rulebook, punished, cite, on, readings, effects, steps)]
    found += [_consequence(rulebook, punished.rule.id, one, cite, readings) for one in punished.version.penalties]
    for one, told in effects:
        found += [_again(rulebook, one, told, extra, readings) for extra in told.adds]
    found += [
        Penalty(rule=punished.rule.id, label=punished.rule.label, action=action, standing=Standing.STATED, cite=cite)
        for action in punished.version.measures
    ]
    if climbed:  # no firmer than the repetition that led here
        one = climbed[-1][0]
        found = [
            replace(answer, standing=one.standing, assumption=one.assumption, steps=answer.steps or steps)
            if answer.standing is Standing.STATED
            else answer
            for answer in found
        ]
    if punished.version.disputed is not None:
        dispute = _read(rulebook, punished.version.disputed, readings)
        found = [replace(answer, steps=(*answer.steps, *dispute)) for answer in found]
    mild, refused = _leniency(rulebook, punished, priors, on, readings)
    if refused and found:
        found[0] = replace(found[0], steps=(*found[0].steps, *refused))
    label, who = charge.rule.label, charged(rulebook, punished)
    return Penalties(charge.rule.id, label, charge.version.cite, counted, (*found, *mild), who)


def recidivism(
    rulebook: Rulebook,
    infraction: str,
    priors: Sequence[Prior],
    on: date,
    *,
    readings: Mapping[str, str] | None = None,
) -> tuple[Recidivism, ...]:
    """Return what each rule on recidivism says of an infraction committed on a day.

    The earlier ones count as a chain: each lies within the window before the next. The day on which the window is
    complete still lies within it.

    Raises:
        KeyError: This law knows no such infraction on that day.
    """
    charge = _charge(rulebook, infraction, on, readings)
    found = []
    for rule in rulebook.of_kind(RecidivismRule):
        told = rule.version(on)
        if told is None:
            continue
        if infraction in told.not_of:
            found.append(_unchanged(rule, told))
            continue
        if not _concerns(told, charge):
            continue
        if told.no_value is not None and not told.fine_unknown:
            found.append(_unchanged(rule, told))
            continue
        read = told.same if told.doubt is None else told.readings[rulebook.reading(told.doubt, readings)]
        same, from_count = (told.same, read) if isinstance(read, int) else (read, told.from_count)
        chain, steps = _chain(rulebook, told, same, charge, priors, on)
        suffered = _suffered(chain) if told.repeat_cap is not None else None
        standing, assumption = told.standing, rulebook.assumed(told.doubt, told.assumption, readings)
        if told.fine_unknown:  # what cannot be read is the fine, not how repetitions count
            standing = Standing.STATED
        if told.window is None and standing is Standing.STATED:
            standing, assumption = Standing.ASSUMED, NO_WINDOW
        found.append(
            Recidivism(
                rule=rule.id,
                label=rule.label,
                count=len(chain),
                effect=len(chain) >= from_count or suffered is not None,
                suspended_before=suffered,
                standing=standing,
                cite=told.counted_cite or told.cite,
                steps=(*steps, *_read(rulebook, told.doubt, readings)),
                assumption=assumption,
            )
        )
    return tuple(found)


def infractions(rulebook: Rulebook, on: date) -> tuple[InfractionRule | ConductRule, ...]:
    """Return everything that this law punishes on a day."""
    return tuple(
        rule
        for rule in rulebook.rules.values()
        if (isinstance(rule, InfractionRule) and rule.version(on) is not None)
        or (isinstance(rule, ConductRule) and (told := rule.version(on)) is not None and told.penalty_class is not None)
    )


def _concerns(told: RecidivismVersion, charge: Charge) -> bool:
    return (
        charge.rule.id in told.of
        or (told.of_class is not None and charge.penalty_class == told.of_class)
        or (told.of_group is not None and charge.group == told.of_group)
    )


def _chain(
    rulebook: Rulebook, told: RecidivismVersion, same: str, charge: Charge, priors: Sequence[Prior], on: date
) -> tuple[list[Prior], tuple[Step, ...]]:
    def alike(prior: Prior) -> bool:
        if prior.infraction == charge.rule.id:
            return True
        known = charge_of(rulebook, prior.infraction, on) if same == "group" else None
        return known is not None and _concerns(told, known)

    def day(prior: Prior) -> date:
        return (prior.noticed_on or prior.committed_on) if told.since == "noticed" else prior.committed_on

    earlier = sorted((one for one in priors if alike(one) and day(one) < on), key=day, reverse=True)
    chain: list[Prior] = []
    steps: list[Step] = []
    following = on
    for one in earlier:
        if told.punished and not one.punished:
            steps.append(Step(N_("A de {day} não conta: não foi punida."), {"day": day(one)}))
            continue
        if told.punished and one.final_on is not None and one.final_on > following:
            text = N_("A de {day} não conta: só foi punida em {final}.")
            steps.append(Step(text, {"day": day(one), "final": one.final_on}))
            continue
        last = following if told.window is None else after(day(one), told.window)
        if following > last:
            text = N_("A de {day} não conta: o período terminou em {last}.")
            steps.append(Step(text, {"day": day(one), "last": last}))
            break
        steps.append(Step(N_("A de {day} conta."), {"day": day(one)}))
        chain.append(one)
        following = day(one)
    steps.append(Step(N_("Reincidências: {count}."), {"count": len(chain)}))
    return chain, tuple(steps)


def _unchanged(rule: RecidivismRule, told: RecidivismVersion) -> Recidivism:
    steps = (Step(told.no_value or told.note or N_("A repetição desta infração não muda a penalidade.")),)
    return Recidivism(
        rule=rule.id,
        label=rule.label,
        count=0,
        effect=False,
        standing=told.standing,
        cite=told.cite,
        steps=steps,
        assumption=told.assumption,
    )


def _fines(
    rulebook: Rulebook,
    charge: Charge,
    cite: Citation,
    on: date,
    readings: Mapping[str, str] | None,
    effects: Sequence[tuple[Recidivism, RecidivismVersion]],
    climbed: tuple[Step, ...],
) -> list[Penalty]:
    version, key = charge.version, charge.penalty_class
    if key is None and version.no_value is not None:
        no_class = (Step(version.no_value), *_read(rulebook, version.doubt, readings))
        return [
            Penalty(
                rule=charge.rule.id,
                label=charge.rule.label,
                action=Action.FINE,
                standing=version.standing,
                cite=cite,
                steps=no_class,
            )
        ]
    if key is None:
        return []
    rule = rulebook.rule(key, PenaltyClassRule)
    told = rule.version(on)
    if told is None:
        return []
    standing, assumption = told.standing, told.assumption
    if version.standing is not Standing.STATED:
        standing, assumption = version.standing, version.assumption
    if version.doubt is not None:
        chosen = rulebook.reading(version.doubt, readings)
        standing, assumption = Standing.ASSUMED, rulebook.doubts[version.doubt].readings[chosen]
    fine = Penalty(
        rule=charge.rule.id,
        label=charge.rule.label,
        action=Action.FINE,
        least=told.least,
        most=told.most,
        unit=told.unit,
        standing=standing,
        cite=cite,
        assumption=assumption,
        steps=(
            *climbed,
            Step(N_("{class_} ({place})."), {"class_": rule.label, "place": told.cite.locator}),
            *((Step(told.no_value),) if told.no_value else ()),
            *_read(rulebook, version.doubt, readings),
        ),
    )
    for one, again in effects:
        fine = _aggravated(fine, one, again)
    return [fine]


def _aggravated(fine: Penalty, one: Recidivism, again: RecidivismVersion) -> Penalty:
    if again.fine_unknown:
        cap: tuple[Step, ...] = ()
        if again.fine_cap is not None:
            told: dict[str, Shown] = {"most": again.fine_cap, "unit": fine.unit or ""}
            cap = (Step(N_("Em nenhum caso passa de {most} {unit}."), told),)
        steps = (*fine.steps, *one.steps, Step(again.no_value or ""), *cap)
        return replace(fine, least=None, most=None, standing=again.standing, cite=again.cite, steps=steps)
    if again.factor is None or fine.least is None or fine.most is None:
        return fine
    steps = (
        *fine.steps,
        *one.steps,
        Step(N_("Multiplica por {factor} ({place})."), {"factor": again.factor, "place": one.cite.locator}),
    )
    firm = fine.standing is not Standing.STATED
    return replace(
        fine,
        least=fine.least * again.factor,
        most=fine.most * again.factor,
        steps=steps,
        standing=fine.standing if firm else one.standing,
        assumption=fine.assumption if firm else one.assumption,
    )


def _consequence(
    rulebook: Rulebook, rule: str, one: Consequence, cite: Citation, readings: Mapping[str, str] | None
) -> Penalty:
    shortest, longest = one.least, one.most
    standing, assumption, steps = Standing.STATED, None, _read(rulebook, one.doubt, readings)
    if one.doubt is not None:
        reading = rulebook.reading(one.doubt, readings)
        shortest = longest = one.readings[reading]
        standing, assumption = Standing.ASSUMED, rulebook.doubts[one.doubt].readings[reading]
    if one.no_value is not None:
        standing, steps = Standing.REGULATION, (Step(one.no_value),)
    return Penalty(
        rule=rule,
        label=rulebook.rules[rule].label,
        action=one.action,
        shortest=shortest,
        longest=longest,
        until=one.note,
        may=one.may,
        standing=standing,
        cite=one.cite or cite,
        steps=steps,
        assumption=assumption,
    )


def _again(
    rulebook: Rulebook,
    one: Recidivism,
    told: RecidivismVersion,
    extra: Consequence,
    readings: Mapping[str, str] | None,
) -> Penalty:
    found = _consequence(rulebook, one.rule, extra, one.cite, readings)
    if found.standing is Standing.STATED:
        found = replace(found, standing=one.standing, assumption=one.assumption)
    before = one.suspended_before
    if told.repeat_cap is None or before is None or extra.action is not Action.SUSPENSION:
        return replace(found, steps=(*one.steps, *found.steps))
    days = min(2 * before, told.repeat_cap.amount)
    text = N_("A suspensão anterior foi de {before} dias: em dobro são {days}, com o limite de {most}.")
    facts: dict[str, Shown] = {"before": before, "days": days, "most": told.repeat_cap.amount}
    length, cite = Length(amount=days, unit=Unit.CALENDAR_DAY), told.repeat_cite or found.cite
    return replace(
        found,
        shortest=length,
        longest=length,
        may=False,
        standing=Standing.STATED,
        assumption=None,
        cite=cite,
        steps=(*one.steps, Step(text, facts)),
    )


def _suffered(chain: Sequence[Prior]) -> int | None:
    """Return the days of the last suspension in a chain, which has the last infraction first."""
    return next((prior.suspended_days for prior in chain if prior.suspended_days), None)


def _leniency(
    rulebook: Rulebook, charge: Charge, priors: Sequence[Prior], on: date, readings: Mapping[str, str] | None
) -> tuple[list[Penalty], list[Step]]:
    """Return the warnings that may be asked for, and why others may not."""
    found: list[Penalty] = []
    refused: list[Step] = []
    for rule in rulebook.of_kind(LeniencyRule):
        told = rule.version(on)
        if told is None or told.of_class is None or told.of_class != charge.penalty_class:
            continue
        why: Step | None = None
        for prior in priors:
            final, asked = prior.final_on or (prior.committed_on if prior.punished else None), prior.warning_asked_on
            same = _class_of(rulebook, prior.infraction, on, readings) == told.of_class
            if told.clean is not None and same and final is not None and final < on <= after(final, told.clean):
                text = N_("Advertência no lugar da multa não cabe: já houve penalidade da mesma natureza em {day}.")
                why = Step(text, {"day": final})
            elif told.once_in is not None and asked is not None and asked < on <= after(asked, told.once_in):
                text = N_("Advertência no lugar da multa não cabe: já foi pedida em {day}.")
                why = Step(text, {"day": asked})
        if why is not None:
            refused.append(why)
            continue
        doubt = charge.version.doubt
        firm = doubt is None
        found.append(
            Penalty(
                rule=rule.id,
                label=rule.label,
                action=Action.WARNING,
                may=True,
                standing=told.standing if firm else charge.version.standing,
                cite=told.cite,
                assumption=rulebook.assumed(doubt, (told if firm else charge.version).assumption, readings),
                steps=(Step(N_("A pedido de quem foi autuado, a advertência pode tomar o lugar da multa.")),),
            )
        )
    return found, refused


def _charge(rulebook: Rulebook, infraction: str, on: date, readings: Mapping[str, str] | None) -> Charge:
    charge = charge_of(rulebook, infraction, on, readings)
    if charge is None:
        raise KeyError(infraction)
    return charge


def _class_of(rulebook: Rulebook, infraction: str, on: date, readings: Mapping[str, str] | None) -> str | None:
    charge = charge_of(rulebook, infraction, on, readings)
    return None if charge is None else charge.penalty_class


def _read(rulebook: Rulebook, doubt: str | None, readings: Mapping[str, str] | None) -> tuple[Step, ...]:
    if doubt is None:
        return ()
    chosen = rulebook.reading(doubt, readings)
    texts = rulebook.doubts[doubt].readings
    return (
        Step(READ_SO, {"reading": texts[chosen]}),
        *(Step(OTHER_READING, {"reading": text}) for key, text in texts.items() if key != chosen),
    )


def _version(rulebook: Rulebook, rule: str, on: date) -> RecidivismVersion:
    version = rulebook.rule(rule, RecidivismRule).version(on)
    if version is None:
        raise KeyError(rule)
    return version
