"""What each command of ``balcao law`` answers: arguments in, answers out; nothing is printed here."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from bot.law_cli.asked import Asked
from bot.law_cli.envelope import Said, answer, bearers, nothing, of, plain
from bot.law_cli.inputs import (
    Refused,
    infraction_of,
    read_events,
    read_facts,
    read_file,
    read_priors,
    sanctions_of,
    term_of,
    unpunished,
)
from domain.law.answers import Standing, Step
from domain.law.conduct import ACTIONS, RetentionRule, SanctionRule
from domain.law.dues import dues
from domain.law.eligibility import eligibility
from domain.law.examples import run_examples
from domain.law.limits import quota, representation_completeness, tariff_band
from domain.law.loader import Laws
from domain.law.model import Requirement, Rulebook
from domain.law.penalties import Penalties, Penalty, infractions, penalty
from domain.law.renewal import Periodic, certificate, month_by_month, next_due, periodic, renewal
from domain.law.rules import FeeRule, RenewalRule, RequirementRule
from domain.law.terms import deadline
from domain.law.terms import term as law_term
from domain.law.validity import validity


def checklist(asked: Asked) -> Iterable[Said]:
    """Yield what one bearer must have, prove, declare or pay."""
    facts, _ = read_facts(asked.args.facts, asked.book) if asked.args.facts else ({}, {})
    items = asked.book.requirements(asked.args.bearer, asked.on)
    if not items:
        yield nothing(asked.book, "Esta lei não pede nada dessa parte.", bearer=asked.args.bearer)
    for item in items:
        applies = item.applies(facts)
        verdict = {True: "required", False: "not-required", None: "depends"}[applies]
        yield _item(item, verdict)


def check(asked: Asked) -> Iterable[Said]:
    """Yield each requirement, met or not, under the facts of a file."""
    facts, held = read_facts(asked.args.facts, asked.book)
    bearers = [asked.args.bearer] if asked.args.bearer else None
    found = eligibility(asked.book, facts, asked.on, bearers=bearers, held=held)
    if not found:
        yield nothing(asked.book, "Esta lei não pede nada dessa parte.")
    for one in found:
        rule = asked.book.rule(one.rule, RequirementRule)
        blocking = _blocking(rule, asked.on)
        yield of(
            one,
            verdict=one.verdict,
            bearer=", ".join(bearer.value for bearer in rule.bearers),
            steps=(one.reason, *one.steps),
            missing=one.missing,
            blocking=None if blocking else False,
        )


def fees(asked: Asked) -> Iterable[Said]:
    """Yield the fees of a year."""
    facts, _ = read_facts(asked.args.facts, asked.book) if asked.args.facts else ({}, {})
    given: dict[str, Any] = {**facts}
    if asked.args.requested:
        given["requested_on"] = asked.args.requested
    found = dues(asked.book, asked.args.bearer, asked.args.year, asked.calendar, given)
    if not found:
        yield nothing(asked.book, "Esta lei não cobra nada dessa parte.", bearer=asked.args.bearer)
    for due in found:
        rule = asked.book.rule(due.rule, FeeRule)
        version = rule.version(date(asked.args.year, 12, 31)) or rule.newest
        yield of(
            due,
            value=due.amount,
            unit=due.unit,
            bearer=due.payer.value,
            due_on=due.due_on,
            every=due.every,
            payer=due.payer.value,
            collector=due.collector,
            exempt=due.exempt or None,
            exempt_cite=due.exempt_cite,
            reais=asked.reais(due.amount, due.unit, due.due_on or date(asked.args.year, 12, 31)),
            note=due.note,
            entered=_entered(version),
        )


def term(asked: Asked) -> Iterable[Said]:
    """Yield the last day of a term."""
    rule = term_of(asked.book, asked.args.rule)
    if isinstance(rule, RetentionRule):
        yield from _kept(asked, rule)
        return
    start: date = asked.args.start
    if isinstance(rule, Periodic):
        ending = next_due(rule, start, asked.calendar)
        yield of(
            rule,
            value=ending.day if ending else None,
            unit="date" if ending else None,
            bearer=", ".join(bearers(asked.book.rules[rule.rule])),
            steps=ending.steps if ending else rule.steps,
            starts_on=start,
        )
        return
    holder = asked.book if rule.id in asked.book.rules else asked.book.federal
    version = rule.version(start)
    if version is None:
        raise Refused(f"The term {rule.id!r} was not in force on {start}.")
    found = deadline(holder, rule.id, start, asked.calendar)
    organ = asked.book.organs.get(version.to or "")
    yield of(
        found,
        value=found.ends_on,
        unit="date" if found.ends_on else None,
        bearer=rule.who if rule.who != "citizen" else None,
        starts_on=start,
        to=organ.name if organ else None,
        note=version.note,
        entered=_entered(version),
    )


def _kept(asked: Asked, rule: RetentionRule) -> Iterable[Said]:
    start: date = asked.args.start
    version = rule.version(start)
    if version is None:
        raise Refused(f"The term {rule.id!r} was not in force on {start}.")
    ending = None if version.length is None else law_term(start, version.length, asked.calendar, rolls=False)
    yield answer(
        rule=rule.id,
        label=rule.label,
        value=ending.day if ending else None,
        unit="date" if ending else None,
        standing=version.standing,
        cite=version.cite,
        assumption=version.assumption,
        bearer=", ".join(bearer.value for bearer in rule.bearers),
        steps=ending.steps if ending else (version.no_value or "",),
        kind=rule.kind,
        starts_on=start,
        note=version.note,
    )


def renew(asked: Asked) -> Iterable[Said]:
    """Yield until when a renewal is asked for."""
    expires: date = asked.args.expires
    window = renewal(asked.book, expires, asked.calendar, bearer=asked.args.bearer)
    if window is None:
        yield nothing(asked.book, "Esta lei não tem certificado que se renove.")
        return
    wanted: date | None = asked.args.asked
    verdict: str | None = None
    steps = window.steps
    if wanted is not None:
        verdict = "unknown" if window.ask_by is None else "in-time" if wanted <= window.ask_by else "late"
        if verdict == "in-time":
            steps = (*steps, Step("Pedida a tempo, vale até a decisão." if window.extends else NOT_EXTENDED))
    rule = asked.book.rule(window.rule, RenewalRule)
    paper = certificate(asked.book, expires, bearer=asked.args.bearer)
    yield of(
        window,
        verdict=verdict,
        value=window.ask_by,
        unit="date" if window.ask_by else None,
        bearer=", ".join(bearer.value for bearer in paper.bearers) if paper else None,
        steps=steps,
        extends=window.extends,
        extends_cite=window.extends_cite,
        note=(rule.version(expires) or rule.newest).note,
    )


NOT_EXTENDED = "Pedida a tempo; a lei não diz que isso prolonga a validade."


def valid(asked: Asked) -> Iterable[Said]:
    """Yield how a certificate stands on a day."""
    found = validity(asked.book, read_events(asked.args.events), asked.on, asked.calendar, bearer=asked.args.bearer)
    if found is None:
        yield nothing(asked.book, "Esta lei não tem esse certificado.")
        return
    yield of(
        found,
        verdict=found.state,
        value=found.until,
        unit="date" if found.until else None,
        bearer=asked.args.bearer or ", ".join(bearers(asked.book.rules[found.rule])),
        may_work=found.may_work,
        may_ask_from=found.may_ask_from,
    )


def punish(asked: Asked) -> Iterable[Said]:
    """Yield what follows an infraction, and whether it repeats earlier ones."""
    try:
        infraction = infraction_of(asked.book, asked.args.infraction, asked.on)
    except Refused:
        free = unpunished(asked.book, asked.args.infraction, asked.on)
        sanctions = sanctions_of(asked.book, asked.args.infraction, asked.on)
        if not free and not sanctions:
            raise
        yield from (_sanction(asked, rule) for rule in sanctions)
        for duty in free:
            yield answer(
                rule=duty.id,
                label=duty.label,
                standing=Standing.SILENT,
                cite=(duty.version(asked.on) or duty.newest).cite,
                bearer=", ".join(bearers(duty)),
                steps=["Esta lei não liga a isso uma penalidade própria."],
            )
        return
    priors = read_priors(asked.args.priors, asked.book, asked.on) if asked.args.priors else ()
    found = penalty(asked.book, infraction, priors, asked.on)
    yield from (_penalty(asked, one, found) for one in found.answers)
    yield from _recidivism(asked.book, found)


def offences(asked: Asked) -> Iterable[Said]:
    """Yield everything that a law punishes, with its first penalty."""
    for rule in infractions(asked.book, asked.on):
        first = penalty(asked.book, rule.id, (), asked.on)
        names = [ACTIONS[one.action] for one in first.answers]
        fine = next((one for one in first.answers if one.least is not None), None)
        yield answer(
            rule=rule.id,
            label=rule.label,
            standing=first.answers[0].standing if first.answers else Standing.STATED,
            cite=first.cite,
            value=_amount(fine) if fine else None,
            unit=fine.unit if fine else None,
            bearer=_who(first),
            action=", ".join(names),
        )


def again(asked: Asked) -> Iterable[Said]:
    """Yield what a bearer owes again and again, with the days of the year where the law fixes them."""
    found = periodic(asked.book, asked.args.bearer, asked.on)
    paper = certificate(asked.book, asked.on, bearer=asked.args.bearer)
    if paper is not None and paper.length is not None:
        yield of(
            paper,
            value=paper.length,
            bearer=asked.args.bearer,
            counted_from=paper.counted_from.value if paper.counted_from else None,
            note=paper.note,
        )
    elif not found:
        yield nothing(asked.book, "Esta lei não tem dever periódico dessa parte.", bearer=asked.args.bearer)
    for duty in found:
        days = month_by_month(duty, asked.args.year or asked.on.year, asked.calendar)
        every = {"amount": duty.months or duty.days, "unit": "month" if duty.months else "calendar-day"}
        yield of(
            duty,
            value=days or (every if duty.months or duty.days else None),
            unit="date" if days else None,
            bearer=asked.args.bearer,
            business_day=duty.business_day,
            may=duty.may or None,
            counted_from=duty.counted_from.value if duty.counted_from else None,
        )


def limit(asked: Asked) -> Iterable[Said]:
    """Yield the most authorizations for a number of inhabitants."""
    if asked.args.population < 1:
        raise Refused("A city has at least one inhabitant.")
    found = quota(asked.book, asked.args.population)
    if found is None:
        yield nothing(asked.book, "Esta lei não limita o número de autorizações.")
        return
    yield of(found, value=found.most, unit="autorizações")


def tariff(asked: Asked) -> Iterable[Said]:
    """Yield the tariff band of an instant."""
    instant: datetime = asked.args.at
    found = tariff_band(asked.book, instant, asked.calendar)
    if found is None:
        yield nothing(asked.book, "Esta lei não tem bandeiras de tarifa.")
        return
    yield of(found, value=found.band, kind=found.band_label)


def subjects(asked: Asked) -> Iterable[Said]:
    """Yield what people report, where the law speaks of it, and which queue it goes to; and the grounds."""
    book = asked.book
    for subject in book.subjects_by_key.values():
        where = subject.provisions
        queue = book.queue_for(subject.kind, subject.key)
        yield answer(
            rule=f"subjects.{subject.key}",
            label=subject.label,
            value=[str(cite) for cite in where],
            standing=Standing.STATED if where else Standing.SILENT,
            cite=where[0] if where else book.complaint_basis(),
            kind=subject.kind,
            queue=f"{queue.label}: {book.organs[queue.organ].name}",
            steps=() if where else ("Esta lei não fala disso; a reclamação é recebida do mesmo modo.",),
        )
    for ground in book.grounds:
        yield answer(
            rule=f"grounds.{ground.key}",
            label=ground.label,
            verdict="named" if ground.named else "not-named",
            standing=Standing.STATED if ground.named else Standing.SILENT,
            cite=ground.cite or book.source.short,
            note=ground.note,
        )


def doubts(asked: Asked) -> Iterable[Said]:
    """Yield the places that can be read in more than one way."""
    chosen = asked.laws.settings(asked.book.city.slug).readings
    if not asked.book.doubts:
        yield nothing(asked.book, "Não há dúvida de leitura anotada nesta lei.")
    for doubt in asked.book.doubts.values():
        choice = chosen.get(doubt.id)
        by = f"{choice.source}, {choice.entered_on}, {choice.author}" if choice else None
        yield answer(
            rule=f"doubts.{doubt.id}",
            label=doubt.label,
            value=asked.book.reading(doubt.id),
            standing=Standing.ASSUMED,
            cite=doubt.cite,
            assumption=doubt.readings[asked.book.reading(doubt.id)],
            readings=doubt.readings,
            default=doubt.default,
            entered=by,
        )


def representation(asked: Asked) -> Iterable[Said]:
    """Yield whether a report is complete as a representation."""
    report = read_file(asked.args.report) if asked.args.report else {}
    if not isinstance(report, dict):
        raise Refused(f"{asked.args.report} holds no report.")
    found = representation_completeness(asked.book, report)
    if found is None:
        yield answer(
            rule=None,
            standing=Standing.SILENT,
            cite=asked.book.complaint_basis(),
            steps=["Esta lei não tem representação: a reclamação é assunto de ouvidoria."],
        )
        return
    verdict = "complete" if found.complete else "incomplete"
    yield of(found, verdict=verdict, missing=found.missing, owed=found.owed)


def listed(laws: Laws) -> Iterable[Said]:
    """Yield the cities and their laws."""
    for city in laws.cities():
        for book in laws.rulebooks(city.slug):
            yield answer(
                rule=book.id,
                label=book.service.label,
                value=city.slug,
                standing=Standing.STATED,
                cite=book.source.title,
                note=book.source.note,
            )


def examples(laws: Laws, args: argparse.Namespace) -> Iterable[Said]:
    """Yield each worked example with what came of it."""
    for result in run_examples(laws, args.rulebooks, {args.city} if args.city else None):
        book = next(book for book in laws.rulebooks(result.city) if book.id == result.law)
        yield answer(
            rule=f"{result.city}/{result.law}",
            label=result.name,
            verdict="passed" if result.passed else "failed",
            standing=str(result.got.get("standing", "stated")),
            cite=str(result.got.get("cite") or book.source.short),
            steps=result.differences(),
        )


def _item(item: Requirement, verdict: str) -> Said:
    return answer(
        rule=item.id,
        label=item.label,
        verdict=verdict,
        standing=item.standing,
        cite=item.cite,
        assumption=item.assumption,
        bearer=item.bearer.value,
        kind=item.kind,
        what=item.what,
        how=item.how,
        alternatives=item.alternatives,
        condition=item.condition,
        valid_months=item.valid_for.months if item.valid_for else None,
        blocking=None if item.blocking else False,
        note=item.note,
    )


def _who(found: Penalties) -> str:
    return ", ".join(bearer.value for bearer in found.charged)


def _penalty(asked: Asked, one: Penalty, found: Penalties) -> Said:
    duration = {"least": plain(one.shortest), "most": plain(one.longest)} if one.longest else None
    amount = _amount(one)
    reais = asked.reais(one.most, one.unit, asked.on)
    least = asked.reais(one.least, one.unit, asked.on)
    return of(
        one,
        value=amount if amount is not None else duration,
        unit=one.unit,
        bearer=_who(found),
        action=one.action.value,
        may=one.may or None,
        until=one.until,
        reais=None if reais is None else reais if reais == least else {"least": plain(least), "most": plain(reais)},
    )


def _sanction(asked: Asked, rule: SanctionRule) -> Said:
    told = rule.version(asked.on) or rule.newest
    lasts = {"least": plain(told.least), "most": plain(told.most)} if told.most else None
    read = None if told.doubt is None else asked.book.reading(told.doubt)
    bar = told.readings.get(read, told.bar) if read else told.bar
    return answer(
        rule=rule.id,
        label=rule.label,
        value=bar or lasts,
        standing=Standing.ASSUMED if read in told.readings else told.standing,
        cite=told.cite,
        assumption=asked.book.doubts[told.doubt].readings[read]
        if told.doubt and read in told.readings
        else told.assumption,
        bearer=", ".join(bearers(rule)),
        steps=(told.no_value,) if told.no_value and not bar else (),
        action=rule.action.value,
        kind="bar" if bar else "duration" if lasts else None,
        note=told.note,
    )


def _recidivism(book: Rulebook, found: Penalties) -> Iterable[Said]:
    for one in found.recidivism:
        verdict = "repeated" if one.count else "first"
        if not one.effect and not one.count and one.steps and not any("count" in step.facts for step in one.steps):
            verdict = "unknown" if one.standing is Standing.ILLEGIBLE else "unchanged"
        yield of(one, verdict=verdict, count=one.count, bearer=_who(found), effect=one.effect, kind="recidivism")
    if not found.recidivism:
        yield nothing(book, "Esta lei não trata da reincidência nesta infração.", kind="recidivism")


def _amount(one: Penalty | None) -> Any:
    if one is None or one.least is None or one.most is None:
        return None
    return one.least if one.least == one.most else {"least": plain(one.least), "most": plain(one.most)}


def _blocking(rule: RequirementRule, on: date) -> bool:
    version = rule.version(on)
    return version is None or version.blocking


def _entered(version: Any) -> str | None:
    entered = version.entered
    return f"{entered.source}, {entered.on.isoformat()}, {entered.author}" if entered else None
