"""Who is told that the term of an answer ends: those who can act on it, before and after, each once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from domain.cases.commands import Ask, ContestOutcome, Decide, ExtendTerm, Reply, WithdrawCase
from domain.cases.model import CaseKind, Outcome
from domain.law.answers import Standing
from domain.law.calendar import DayRule
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_TERM, Federal
from tests.support.builders import CITY, laws
from tests.support.desk import Cast, Desk

# Ana reports on Monday the 30th of November: the term ends on Wednesday the 30th of December
Told = list[tuple[str, list[int]]]


async def on(desk: Desk, day: date, *, hour: int = 9) -> Told:
    """Let the counter look at its reports at an hour of a day of the city, until nothing is left to look at."""
    desk.now = datetime(day.year, day.month, day.day, hour, tzinfo=laws().city(CITY).zone)
    told: Told = []
    people = {person.chat_id: person.name for person in desk.store.committed.people.values()}
    for _ in range(20):
        seen, messages = await desk.does("watch_answers", limit=2)
        told += [(people[one.recipient.chat_id], [owed.case.id for owed in one.answers]) for one in messages]
        if not seen:
            return sorted(told)
    raise AssertionError("there is always something left to look at")


async def every_day(desk: Desk, *days: tuple[int, int]) -> dict[tuple[int, int], Told]:
    """Let the counter look on days of December 2026 (12) and of the year after, and return those with messages."""
    told = {(month, day): await on(desk, date(2026 if month > 10 else 2027, month, day)) for month, day in days}
    return {when: messages for when, messages in told.items() if messages}


DECEMBER = [(12, day) for day in range(1, 32)]
JANUARY = [(1, day) for day in range(1, 32)]


async def test_who_has_a_report_is_told_the_day_before_and_when_it_is_over(desk: Desk, cast: Cast) -> None:
    """Olga hears twice in two months: on the 29th, and on the 31st that the term has ended."""
    case = await desk.taken_report(cast.ana, cast.olga)

    told = await every_day(desk, *DECEMBER, *JANUARY)

    assert told == {(12, 29): [("Olga", [case.id])], (12, 31): [("Olga", [case.id])]}


async def test_of_what_nobody_took_those_hear_who_can_take_it(desk: Desk, cast: Cast) -> None:
    """Complaints are the ombudsman's, the inspector's and the manager's; the registry and another city hear nothing."""
    first, second = [(await desk.report(cast.ana)).update.case.id for _ in range(2)]
    hate = (await desk.report(cast.caio, kind=CaseKind.DISCRIMINATION, subject="ofensa")).update.case.id

    told = await on(desk, date(2026, 12, 29))

    mine = [(name, sorted(number for who, cases in told if who == name for number in cases)) for name, _ in told]
    assert dict(mine) == {"Gil": [first, second, hate], "Ivo": [first, second], "Olga": [first, second, hate]}


async def test_all_that_one_person_is_told_at_once_is_one_message(desk: Desk, cast: Cast) -> None:
    """Three reports end on one day: one message with all of them, the soonest first."""
    cases = [(await desk.taken_report(cast.ana, cast.olga)).id for _ in range(3)]
    desk.now = datetime(2026, 12, 29, 9, tzinfo=laws().city(CITY).zone)

    _, messages = await desk.does("watch_answers", limit=50)

    assert [[owed.case.id for owed in one.answers] for one in messages] == [cases]


@pytest.mark.parametrize("ending", ["decided", "withdrawn", "waiting"])
async def test_what_is_not_the_staffs_turn_is_nobodys_reminder(desk: Desk, cast: Cast, ending: str) -> None:
    """It was answered, given up, or Ana is asked something: the days pass in silence."""
    case = await desk.taken_report(cast.ana, cast.olga)
    steps: dict[str, tuple[str, Any]] = {
        "decided": ("decide", Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text="Devolvido.")),
        "withdrawn": ("withdraw_case", WithdrawCase(by=cast.ana, case_id=case.id)),
        "waiting": ("ask", Ask(by=cast.olga, case_id=case.id, text="Qual era a linha?")),
    }
    await desk.does(*steps[ending])

    assert await every_day(desk, *DECEMBER) == {}


async def test_when_ana_answers_late_olga_is_told_how_it_stands(desk: Desk, cast: Cast) -> None:
    """The term ended while Ana was asked: with her answer it is Olga's turn again, and she hears it once."""
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Qual era a linha?"))
    assert await every_day(desk, *DECEMBER) == {}
    await desk.does("reply", Reply(by=cast.ana, case_id=case.id, text="A 12."))

    assert await every_day(desk, *JANUARY) == {(1, 4): [("Olga", [case.id])]}  # the first business day


async def test_an_extension_moves_what_is_told(desk: Desk, cast: Cast) -> None:
    """Olga is warned and extends: she hears again the day before the new end (29 January), and after it."""
    case = await desk.taken_report(cast.ana, cast.olga)
    assert await every_day(desk, *DECEMBER[:29]) == {(12, 29): [("Olga", [case.id])]}
    await desk.does("extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text="Faltam as imagens."))

    told = await every_day(desk, *DECEMBER[29:], *JANUARY, (2, 1), (2, 2))

    assert told == {(1, 28): [("Olga", [case.id])], (2, 1): [("Olga", [case.id])]}


async def test_nobody_is_told_at_night_or_on_a_closed_day(desk: Desk, cast: Cast) -> None:
    """The day before is a Sunday: Olga hears on the Friday, between eight and eight."""
    desk.later(days=-2)  # a Saturday: the term ends on Monday the 28th of December
    case = await desk.taken_report(cast.ana, cast.olga)

    assert await on(desk, date(2026, 12, 24), hour=23) == []
    assert await on(desk, date(2026, 12, 25)) == []  # Christmas
    assert await on(desk, date(2026, 12, 26)) == []
    assert await on(desk, date(2026, 12, 28), hour=7) == []
    assert await on(desk, date(2026, 12, 28), hour=8) == [("Olga", [case.id])]


async def test_after_an_outage_only_what_holds_now_is_told(desk: Desk, cast: Cast) -> None:
    """The counter was closed over both days: Olga hears once, that the term has ended."""
    case = await desk.taken_report(cast.ana, cast.olga)

    assert await every_day(desk, *JANUARY) == {(1, 4): [("Olga", [case.id])]}


@pytest.mark.parametrize("why", ["left", "blocked"])
async def test_of_what_somebody_holds_who_cannot_be_told_the_others_hear(desk: Desk, cast: Cast, why: str) -> None:
    """Olga left the team, or blocked the bot: her case is told to those who can do something."""
    case = await desk.taken_report(cast.ana, cast.olga)
    if why == "left":
        people = desk.store.committed.people
        people[cast.olga.id] = replace(people[cast.olga.id], grants=frozenset())
    else:
        desk.store.blocks(cast.olga)

    assert await on(desk, date(2026, 12, 29)) == [("Gil", [case.id]), ("Ivo", [case.id])]


async def test_nobody_hears_of_a_case_of_their_own(desk: Desk, cast: Cast) -> None:
    """Olga complained herself: her colleagues hear of it, she cannot work on it."""
    own = (await desk.report(cast.olga)).update.case.id

    assert await on(desk, date(2026, 12, 29)) == [("Gil", [own]), ("Ivo", [own])]


async def test_who_joins_late_still_hears(desk: Desk, cast: Cast) -> None:
    """Nobody worked here on the day: whoever comes hears it on the next one."""
    case = (await desk.report(cast.ana)).update.case.id
    for person in (cast.olga, cast.ivo, cast.gil):
        desk.store.committed.people[person.id] = replace(person, grants=frozenset())
    assert await on(desk, date(2026, 12, 29)) == []
    desk.store.committed.people[cast.olga.id] = cast.olga

    assert await every_day(desk, *DECEMBER[29:]) == {
        (12, 30): [("Olga", [case])],
        (12, 31): [("Olga", [case])],
    }


async def test_an_answer_that_is_contested_after_the_term_is_not_late(desk: Desk, cast: Cast) -> None:
    """Olga answered in time and Ana disagrees in January: no law sets another term, and nobody says that one ended."""
    case = await desk.taken_report(cast.ana, cast.olga)
    outcome = Decide(by=cast.olga, case_id=case.id, outcome=Outcome.RESOLVED, text="Devolvido.")
    await desk.does("decide", outcome)
    assert await every_day(desk, *DECEMBER) == {}
    await desk.does("contest_outcome", ContestOutcome(by=cast.ana, case_id=case.id, text="Não recebi nada."))

    assert await every_day(desk, *JANUARY) == {}


async def test_a_holiday_entered_later_is_met_on_the_way(desk: Desk, cast: Cast) -> None:
    """The last day becomes a holiday: the end moves to the 31st, and so does what Olga hears."""
    case = await desk.taken_report(cast.ana, cast.olga)
    assert await on(desk, date(2026, 12, 1)) == []
    day = DayRule.model_validate({"on": "12-30", "name": "Dia da cidade", "source": "Decreto"})
    desk.store.laws = served(laws().federal.model_copy(update={"days": {"MT": (day,)}}))

    told = await every_day(desk, *DECEMBER[27:], *JANUARY)

    assert told == {(12, 29): [("Olga", [case.id])], (1, 4): [("Olga", [case.id])]}


async def test_where_the_law_names_no_day_nobody_is_told(desk: Desk, cast: Cast) -> None:
    """A law that sets no term for an answer gives nothing to be late for; the counter goes on."""
    await desk.taken_report(cast.ana, cast.olga)
    known = laws()
    term = known.federal.rules[OMBUDSMAN_TERM]
    silent = {"length": None, "standing": Standing.SILENT, "no_value": "A lei não fixa prazo.", "assumption": None}
    versions = tuple(version.model_copy(update=silent) for version in term.versions)
    rules = {**known.federal.rules, OMBUDSMAN_TERM: term.model_copy(update={"versions": versions})}
    desk.store.laws = served(known.federal.model_copy(update={"rules": rules}))

    assert await every_day(desk, *DECEMBER[27:], *JANUARY) == {}


def served(federal: Federal) -> Laws:
    """Return the laws of the invented cities under other federal rules."""
    known = laws()
    return Laws(
        [book for city in known.cities() for book in known.rulebooks(city.slug)],
        federal=federal,
        facts=known.facts,
        reasons=known.reject_reasons.values(),
    )
