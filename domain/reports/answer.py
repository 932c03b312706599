"""Until when a city owes an answer to a report."""

from __future__ import annotations

from domain.cases.model import REPORT_KINDS, Case
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_TERM
from domain.law.terms import Deadline, deadline


def answer_deadline(case: Case, *, laws: Laws) -> Deadline | None:
    """Return the deadline of the answer, counted from the local day on which the report came.

    The city's own term goes before the federal one. ``None`` for a registration, and before anything was sent; an
    answer without ``ends_on`` is one of which the law names no day.
    """
    if case.submitted_at is None or case.kind not in REPORT_KINDS:
        return None
    book = laws.rulebook(case.city, case.service)
    rules = book if OMBUDSMAN_TERM in book.rules else laws.federal
    received_on = case.submitted_at.astimezone(book.zone).date()
    return deadline(rules, OMBUDSMAN_TERM, received_on, laws.calendar(case.city))
