"""What every store of obligations and reminders keeps to."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from domain.cases.model import CaseKind
from domain.errors import NotFound
from domain.people.model import Person
from domain.reminders.model import Obligation, ObligationState, Reminder, ReminderState
from handlers.shared.services import Ports
from tests.support.builders import CITY, NOW, OTHER_CITY, SERVICE
from tests.support.stores import Store

DUE = date(2027, 1, 22)


async def owed(ports: Ports, by: Person, *, rule: str = "taxa", period: str = "2027", due_on: date = DUE) -> Obligation:
    """Store something that a person owes, of a case of its own."""
    case = await ports.cases.add(city=CITY, service=SERVICE, kind=CaseKind.REGISTRATION)
    return await ports.obligations.put(
        Obligation(
            person_id=by.id,
            case_id=case.id,
            city=CITY,
            service=SERVICE,
            rule=rule,
            period=period,
            label="Taxa do motorista",
            due_on=due_on,
            cite="Lei nº 10/2020, art. 10",
            standing="assumed",
            why=({"text": "O vencimento é {day}.", "facts": {"day": "2027-01-22", "n": 3}},),
            assumption="Suposto.",
        )
    )


def reminder(obligation: Obligation, *, offset: int = 7, minutes: int = 0, city: str = CITY) -> Reminder:
    """Return a reminder that is due some minutes after NOW."""
    return Reminder(
        obligation_id=obligation.id,
        person_id=obligation.person_id,
        city=city,
        due_on=obligation.due_on,
        offset=offset,
        due_at=NOW + timedelta(minutes=minutes),
    )


async def planned(ports: Ports) -> list[Reminder]:
    """Return every reminder of the city that is yet to be told, by its instant."""
    return [one.reminder for one in await ports.ledger.due(NOW + timedelta(days=1), city=CITY, people=9)]


async def test_an_obligation_keeps_its_number_when_its_date_moves(store: Store) -> None:
    """Stored again with the same case, rule and period, it is the same one with another date."""
    ana = await store.person("Ana")
    async with store.unit(NOW) as ports:
        first = await owed(ports, ana)
        moved = await ports.obligations.put(replace(first, id=0, due_on=DUE + timedelta(days=3)))
        other = await ports.obligations.put(replace(first, id=0, period="2028", due_on=date(2028, 1, 21)))

    async with store.unit(NOW) as ports:
        assert moved.id == first.id
        assert other.id != first.id
        assert await ports.obligations.get(first.id) == replace(first, due_on=DUE + timedelta(days=3))
        assert await ports.obligations.of_case(first.case_id) == (moved, other)
        with pytest.raises(NotFound):
            await ports.obligations.get(9999)


async def test_a_person_sees_what_they_still_owe_soonest_first(store: Store) -> None:
    """What is done or cancelled is owed no more; what another owes was never Ana's."""
    ana, caio = await store.person("Ana"), await store.person("Caio")
    async with store.unit(NOW) as ports:
        later = await owed(ports, ana, due_on=date(2027, 5, 1))
        sooner = await owed(ports, ana)
        done = await owed(ports, ana)
        await ports.obligations.put(replace(done, state=ObligationState.DONE))
        await owed(ports, caio)

    async with store.unit(NOW) as ports:
        assert await ports.obligations.of_person(ana.id) == (sooner, later)
        assert (await ports.obligations.get(done.id)).state is ObligationState.DONE


async def test_what_was_worked_out_under_another_stamp_is_found(store: Store) -> None:
    """Of this city and service only, oldest case first, no more than asked for."""
    ana = await store.person("Ana")
    async with store.unit(NOW) as ports:
        cases = [(await owed(ports, ana)).case_id for _ in range(4)]
        for case_id, stamp in zip(cases, ("old", "new", "older", "old"), strict=True):
            await ports.obligations.mark_derived(case_id, city=CITY, service=SERVICE, stamp=stamp)
        await ports.obligations.mark_derived(cases[3], city=CITY, service=SERVICE, stamp="new")

    async with store.unit(NOW) as ports:
        found = await ports.obligations.outdated(city=CITY, service=SERVICE, stamp="new", limit=9)
        assert found == (cases[0], cases[2])
        assert await ports.obligations.outdated(city=CITY, service=SERVICE, stamp="new", limit=1) == (cases[0],)
        assert await ports.obligations.outdated(city=CITY, service=SERVICE, stamp="new", limit=0) == ()
        assert await ports.obligations.outdated(city=OTHER_CITY, service=SERVICE, stamp="new", limit=9) == ()


async def test_a_reminder_is_planned_once(store: Store) -> None:
    """Planning it again neither doubles it nor brings back one that was told; a cancelled one comes back."""
    ana = await store.person("Ana")
    async with store.unit(NOW) as ports:
        obligation = await owed(ports, ana)
        await ports.ledger.plan((reminder(obligation, offset=7), reminder(obligation, offset=1, minutes=5)))
        await ports.ledger.plan((reminder(obligation, offset=7),))
        seventh, first = await planned(ports)
        await ports.ledger.mark((seventh.id,), ReminderState.QUEUED)
        await ports.ledger.cancel(obligation.id)

    async with store.unit(NOW) as ports:
        assert await planned(ports) == []
        await ports.ledger.plan((reminder(obligation, offset=7), reminder(obligation, offset=1, minutes=9)))

    async with store.unit(NOW) as ports:
        assert await planned(ports) == [replace(first, due_at=NOW + timedelta(minutes=9))]


async def test_another_due_date_makes_another_reminder(store: Store) -> None:
    """The seven days before the new date are not those before the old one."""
    ana = await store.person("Ana")
    async with store.unit(NOW) as ports:
        obligation = await owed(ports, ana)
        moved = replace(obligation, due_on=DUE + timedelta(days=2))
        await ports.ledger.plan((reminder(obligation), reminder(moved, minutes=1)))
        assert len(await planned(ports)) == 2


async def test_what_is_due_comes_whole_for_the_first_people(store: Store) -> None:
    """Of the first person everything that is due comes, of the others nothing yet; the minute itself is due."""
    ana, caio = await store.person("Ana"), await store.person("Caio")
    async with store.unit(NOW) as ports:
        anas = [await owed(ports, ana), await owed(ports, ana, due_on=date(2027, 5, 1))]
        caios = await owed(ports, caio)
        await ports.ledger.plan(
            (
                reminder(anas[0], minutes=-9),
                reminder(caios, minutes=-5),
                reminder(anas[1], minutes=0),
                reminder(anas[1], offset=1, minutes=1),
            )
        )

    async with store.unit(NOW) as ports:
        due = await ports.ledger.due(NOW, city=CITY, people=1)
        assert [one.obligation for one in due] == anas
        assert [one.reminder.state for one in due] == [ReminderState.PLANNED] * 2
        assert [one.obligation.id for one in await ports.ledger.due(NOW, city=CITY, people=9)] == [
            anas[0].id,
            caios.id,
            anas[1].id,
        ]
        assert await ports.ledger.due(NOW, city=OTHER_CITY, people=9) == ()
        only = await ports.ledger.due(NOW, city=CITY, people=9, due_on=date(2027, 5, 1))
        assert [one.obligation for one in only] == [anas[1]]
        await ports.ledger.mark([one.reminder.id for one in due], ReminderState.QUEUED)

    async with store.unit(NOW) as ports:
        assert [one.obligation.id for one in await ports.ledger.due(NOW, city=CITY, people=9)] == [caios.id]
        await ports.ledger.mark((), ReminderState.QUEUED)
