"""Taking longer for an answer: once, while the term runs, with a reason, and only where a law says so."""

from __future__ import annotations

from datetime import date

import pytest

from domain.cases.commands import Ask, Decide, ExtendTerm
from domain.cases.errors import CaseClosed, NotYourCase, TextMissing
from domain.cases.model import Audience, EventKind, Outcome
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_EXTENSION
from domain.reports.answer import answer_deadline, may_be_extended
from domain.reports.errors import TermExtended, TermFixed, TermOver
from tests.support.builders import laws
from tests.support.desk import Cast, Desk
from tests.support.fakes import Memory

WHY = "A empresa ainda não entregou as imagens."


def without_extension() -> Laws:
    """Return the laws of the invented cities as if none of them let anybody take longer."""
    known = laws()
    rules = {key: rule for key, rule in known.federal.rules.items() if key != OMBUDSMAN_EXTENSION}
    books = [book for city in known.cities() for book in known.rulebooks(city.slug)]
    federal = known.federal.model_copy(update={"rules": rules})
    return Laws(books, federal=federal, facts=known.facts, reasons=[*known.reject_reasons.values()])


async def test_an_extension_moves_the_date_and_tells_why(desk: Desk, cast: Cast) -> None:
    """Olga needs the images first: thirty days more from the last day of the first thirty, for Ana to read."""
    case = await desk.taken_report(cast.ana, cast.olga)
    desk.later(days=20)

    update = await desk.does("extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text=WHY))

    due = answer_deadline(update.case, laws=laws())
    assert due is not None
    assert due.ends_on == date(2027, 1, 29)
    assert due.standing == "assumed"
    assert "contados do último dia do primeiro prazo" in str(due.assumption)
    days = [step.facts.get("day") or step.facts.get("start") for step in due.steps]
    assert [day for day in days if day] == [
        *(date(2026, 11, 30), date(2026, 12, 30)),
        *(date(2026, 12, 20), date(2026, 12, 30), date(2027, 1, 29)),
    ]
    [event] = update.events
    assert (event.kind, event.audience, event.text) == (EventKind.EXTENDED, Audience.ALL, WHY)
    assert update.citizen is not None
    assert not may_be_extended(update.case, laws=laws(), today=date(2026, 12, 20))


async def test_there_is_no_second_time(desk: Desk, cast: Cast) -> None:
    """Olga presses again, or a second message of hers arrives: the date stays and she reads it."""
    case = await desk.taken_report(cast.ana, cast.olga)
    extend = ExtendTerm(by=cast.olga, case_id=case.id, text=WHY)
    await desk.does("extend_term", extend)

    refused = await desk.refuses(TermExtended, "extend_term", extend)

    assert refused.facts["due"] == date(2027, 1, 29)


@pytest.mark.parametrize(("days", "in_time"), [(30, True), (31, False)])
async def test_what_is_over_is_not_extended(desk: Desk, cast: Cast, days: int, in_time: bool) -> None:
    """On its last day the term can still be extended, on the day after it cannot."""
    case = await desk.taken_report(cast.ana, cast.olga)
    desk.later(days=days)
    extend = ExtendTerm(by=cast.olga, case_id=case.id, text=WHY)

    assert may_be_extended(case, laws=laws(), today=desk.now.date()) is in_time
    if in_time:
        assert (await desk.does("extend_term", extend)).case.extended_at == desk.now
        return
    refused = await desk.refuses(TermOver, "extend_term", extend)
    assert refused.facts["due"] == date(2026, 12, 30)


async def test_who_extends_has_the_case_and_a_reason(desk: Desk, cast: Cast) -> None:
    """Neither a colleague nor an empty reason extends anything; waiting for Ana keeps nobody from it."""
    case = await desk.taken_report(cast.ana, cast.olga)

    await desk.refuses(NotYourCase, "extend_term", ExtendTerm(by=cast.gil, case_id=case.id, text=WHY))
    await desk.refuses(TextMissing, "extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text=" "))
    await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Qual era a linha?"))
    await desk.does("extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text=WHY))


async def test_what_is_decided_is_not_extended(desk: Desk, cast: Cast) -> None:
    """The answer was given: there is nothing left to take longer for."""
    case = await desk.taken_report(cast.ana, cast.olga)
    outcome = Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text="Devolvido.")
    decided = (await desk.does("decide", outcome)).case

    assert not may_be_extended(decided, laws=laws(), today=desk.now.date())
    await desk.refuses(CaseClosed, "extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text=WHY))


async def test_where_no_law_says_so_nobody_takes_longer(cast: Cast, desk: Desk) -> None:
    """A registration has no such term; a report has one only where a law extends it."""
    registration = await desk.reviewed(cast.ana, cast.bia)
    await desk.refuses(TermFixed, "extend_term", ExtendTerm(by=cast.bia, case_id=registration.id, text=WHY))

    case = await desk.taken_report(cast.ana, cast.olga)
    silent = Memory(without_extension())
    silent.committed = desk.store.committed
    elsewhere = Desk(silent)
    await elsewhere.refuses(TermFixed, "extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text=WHY))
    assert not may_be_extended(case, laws=silent.laws, today=desk.now.date())
