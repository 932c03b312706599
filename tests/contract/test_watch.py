"""What every store of the days on which reports are looked at keeps to."""

from __future__ import annotations

from datetime import date, timedelta

from domain.cases.commands import Ask, ReleaseCase, Reply
from domain.reports.ports import UNSEEN
from tests.support.builders import CITY, NOW, OMBUDSMAN, OTHER_CITY, REGISTRY, SERVICE, Counter

TODAY = NOW.date()


async def due(counter: Counter, today: date = TODAY, *, city: str = CITY, limit: int = 9) -> list[int]:
    """Return the reports that are to be looked at."""
    async with counter.store.unit(counter.now) as ports:
        return [case.id for case in await ports.watch.due(today, city=city, service=SERVICE, limit=limit)]


async def set_look(counter: Counter, case_id: int, on: date) -> None:
    """Set the day of a report."""
    async with counter.store.unit(counter.now) as ports:
        await ports.watch.look_again(case_id, on)


async def test_a_report_is_looked_at_at_once_and_then_on_its_day(counter: Counter) -> None:
    """Two reports are new; one of them is put off until tomorrow. Another city's are its own."""
    ana = await counter.store.person("Ana")
    first, second = [(await counter.report(ana)).update.case.id for _ in range(2)]

    assert await due(counter, UNSEEN) == [first, second]
    assert await due(counter, limit=1) == [first]
    assert await due(counter, city=OTHER_CITY) == []

    await set_look(counter, first, TODAY + timedelta(days=1))
    assert await due(counter) == [second]
    assert await due(counter, TODAY + timedelta(days=1)) == [second, first]
    await set_look(counter, second, date.max)
    assert await due(counter, TODAY + timedelta(days=1)) == [first]


async def test_what_waits_for_its_citizen_and_registrations_are_not_looked_at(counter: Counter) -> None:
    """While Ana is asked something nobody is told of the term; when she answers, it is looked at again."""
    ana, olga = await counter.store.person("Ana"), await counter.store.person("Olga", OMBUDSMAN)
    bia = await counter.store.person("Bia", REGISTRY)
    await counter.reviewed(ana, bia)
    assert await due(counter) == []
    case = await counter.taken_report(ana, olga)
    assert await due(counter) == [case.id]

    await counter.does("ask", Ask(by=olga, case_id=case.id, text="Qual era a linha?"))
    assert await due(counter) == []
    await counter.does("reply", Reply(by=ana, case_id=case.id, text="A 12."))
    assert await due(counter) == [case.id]
    await set_look(counter, case.id, date.max)
    await counter.does("release_case", ReleaseCase(by=olga, case_id=case.id))
    assert await due(counter) == []
