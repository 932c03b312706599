"""Until when a city owes an answer to a report."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import lru_cache

from domain.cases.model import REPORT_KINDS, Case
from domain.law.answers import N_, Step
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_EXTENSION, OMBUDSMAN_TERM, RuleSet
from domain.law.terms import Deadline, deadline

EXTENDED = N_("Prorrogado em {day}, uma vez e com o motivo dado à pessoa.")


def answer_deadline(case: Case, *, laws: Laws) -> Deadline | None:
    """Return the deadline of the answer, counted from the local day on which the report came.

    The city's own term goes before the federal one, and is extended as its own law says. ``None`` for a registration,
    and before anything was sent; an answer without ``ends_on`` is one of which the law names no day.
    """
    first = _first(case, laws)
    if first is None or case.extended_at is None:
        return first
    on = case.extended_at.astimezone(laws.calendar(case.city).zone).date()
    return _longer(case, first, laws, Step(EXTENDED, {"day": on})) or first


def extended_deadline(case: Case, *, laws: Laws) -> Deadline | None:
    """Return the deadline that the answer would have if it were extended; ``None`` where no law extends it."""
    first = _first(case, laws)
    return None if first is None else _longer(case, first, laws)


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


def _first(case: Case, laws: Laws) -> Deadline | None:
    if case.submitted_at is None or case.kind not in REPORT_KINDS:
        return None
    received_on = case.submitted_at.astimezone(laws.city(case.city).zone).date()
    return _counted(laws, case.city, case.service, OMBUDSMAN_TERM, received_on)


def _longer(case: Case, first: Deadline, laws: Laws, *between: Step) -> Deadline | None:
    if first.ends_on is None or OMBUDSMAN_EXTENSION not in _rules(laws, case.city, case.service).rules:
        return None
    more = _counted(laws, case.city, case.service, OMBUDSMAN_EXTENSION, first.ends_on)
    if more.ends_on is None:
        return None
    return replace(more, rule=first.rule, label=first.label, steps=(*first.steps, *between, *more.steps))
