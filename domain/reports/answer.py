"""Until when a city owes an answer to a report."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, tzinfo
from functools import lru_cache

from domain.cases.model import REPORT_KINDS, Case
from domain.law.answers import N_, Standing, Step
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_EXTENSION, OMBUDSMAN_TERM, RuleSet
from domain.law.overlay import Asking
from domain.law.terms import Deadline, deadline

EXTENDED = N_("Prorrogado em {day}, uma vez e com o motivo dado à pessoa.")
STOPPED = N_("Parado desde {day}, à espera da resposta da pessoa.")
PAUSED = N_("De {start} a {end}, à espera da resposta da pessoa, não conta: {days} dias a mais.")
RESTARTED = N_("A pessoa respondeu em {day}, e o prazo recomeçou.")
RUNS = N_(
    "A lei não diz se uma pergunta à pessoa para o prazo: aqui ele segue correndo, e ela não espera mais por isso."
)
CHOSEN = {
    "runs": N_(
        "A lei não diz se uma pergunta à pessoa para o prazo. A prefeitura escolheu que segue correndo: {source}."
    ),
    "pauses": N_("A lei não diz se uma pergunta à pessoa para o prazo. A prefeitura escolheu que para: {source}."),
    "restarts": N_(
        "A lei não diz se uma pergunta à pessoa para o prazo. A prefeitura escolheu que "
        "recomeça com a resposta: {source}."
    ),
}
UNSAID = N_("A lei não diz se uma pergunta à pessoa para o prazo.")
BEGINNING = 2  # steps of a count: where it starts, and how long it is


def answer_deadline(case: Case, *, laws: Laws) -> Deadline | None:
    """Return the deadline of the answer, counted from the local day on which the report came.

    The city's own term goes before the federal one, and is extended as its own law says. What a question to the person
    does to it no law says: it runs on, unless the city chose otherwise. ``None`` for a registration, and before
    anything was sent; an answer without ``ends_on`` is one of which the law names no day, or that stands still.
    """
    return _followed(case, laws)[0]


def stopped_on(case: Case, *, laws: Laws) -> date | None:
    """Return since which local day the term stands still, while the person is asked something."""
    return _followed(case, laws)[1]


def extended_deadline(case: Case, *, laws: Laws) -> Deadline | None:
    """Return the deadline that the answer would have if it were extended; ``None`` where no law extends it."""
    due = answer_deadline(replace(case, extended_at=None), laws=laws)
    return None if due is None else _longer(case, due, laws)


def is_late(case: Case, due: Deadline, today: date) -> bool:
    """Whether the answer should have been given before a local day. For answering anew to who contests an answer after
    the term, no law sets another."""
    return due.ends_on is not None and due.ends_on < today and not case.contested


def may_be_extended(case: Case, *, laws: Laws, today: date) -> bool:
    """Whether the term of the answer can be extended on a local day: it runs, for the first time, and a law says so."""
    due = answer_deadline(case, laws=laws)
    runs = due is not None and due.ends_on is not None and today <= due.ends_on and not case.is_over
    return runs and case.extended_at is None and extended_deadline(case, laws=laws) is not None


def _rules(laws: Laws, city: str, service: str) -> RuleSet:
    book = laws.rulebook(city, service)
    return book if OMBUDSMAN_TERM in book.rules else laws.federal


@lru_cache(maxsize=256)
def _counted(laws: Laws, city: str, service: str, rule_id: str, start: date) -> Deadline:
    """Count a term once for all reports that begin it in one city on one day."""
    return deadline(_rules(laws, city, service), rule_id, start, laws.calendar(city))


def _followed(case: Case, laws: Laws) -> tuple[Deadline | None, date | None]:
    """Follow the term through the questions and the extension of a case; return it, and since when it stands still."""
    if case.submitted_at is None or case.kind not in REPORT_KINDS:
        return None, None
    zone, asking = laws.city(case.city).zone, laws.settings(case.city).asking
    leg, to_extend, asked = (OMBUDSMAN_TERM, _day(case.submitted_at, zone)), case.extended_at, False
    due = _counted(laws, case.city, case.service, *leg)
    for wait in case.waits:
        since = _day(wait.since, zone)
        if to_extend is not None and to_extend <= wait.since and due.ends_on is not None:
            leg, due, to_extend = (OMBUDSMAN_EXTENSION, due.ends_on), _extended(case, due, laws), None
        if due.ends_on is None or due.ends_on < since:
            break  # nothing is left to stop: what is late stays late
        asked = True
        if asking is None or asking.term == "runs":
            continue
        if wait.until is None:
            stands = replace(due, ends_on=None, steps=(*due.steps, Step(STOPPED, {"day": since})))
            return _unsaid(stands, asking), since
        until = _day(wait.until, zone)
        if asking.term == "pauses":
            # so many days later as if it had begun so many days later
            leg, said = (leg[0], leg[1] + (until - since)), BEGINNING
            step = Step(PAUSED, {"start": since, "end": until, "days": (until - since).days})
        else:
            leg, said, step = (OMBUDSMAN_TERM, until), 0, Step(RESTARTED, {"day": until})
        anew = _counted(laws, case.city, case.service, *leg)
        if anew.ends_on is not None and anew.ends_on > due.ends_on:
            due = replace(due, ends_on=anew.ends_on, steps=(*due.steps, step, *anew.steps[said:]))
    if to_extend is not None:
        due = _extended(case, due, laws)
    return _unsaid(due, asking) if asked else due, None


def _day(instant: datetime, zone: tzinfo) -> date:
    return instant.astimezone(zone).date()


def _extended(case: Case, due: Deadline, laws: Laws) -> Deadline:
    if case.extended_at is None:
        return due
    on = _day(case.extended_at, laws.city(case.city).zone)
    return _longer(case, due, laws, Step(EXTENDED, {"day": on})) or due


def _unsaid(due: Deadline, asking: Asking | None) -> Deadline:
    """Add to the reasons what asking does to the term, whose choice that is, and that no law says it."""
    step = Step(CHOSEN[asking.term], {"source": asking.source}) if asking is not None else Step(RUNS)
    return replace(due, steps=(*due.steps, step), standing=Standing.ASSUMED, assumption=due.assumption or UNSAID)


def _longer(case: Case, first: Deadline, laws: Laws, *between: Step) -> Deadline | None:
    if first.ends_on is None or OMBUDSMAN_EXTENSION not in _rules(laws, case.city, case.service).rules:
        return None
    more = _counted(laws, case.city, case.service, OMBUDSMAN_EXTENSION, first.ends_on)
    if more.ends_on is None:
        return None
    return replace(more, rule=first.rule, label=first.label, steps=(*first.steps, *between, *more.steps))
