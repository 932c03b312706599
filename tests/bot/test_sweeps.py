"""Time passes at a running counter: who is told what, when, and exactly once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from bot.app import Counter as Running
from bot.storage import tables as t
from bot.storage import tables_reminders
from domain.reminders.model import Obligation
from tests.support.builders import CITY, OMBUDSMAN, REGISTRY, SERVICE, Counter, laws
from tests.support.counter import Stage, stage
from tests.support.databases import SECRET, DatabaseStore
from tests.support.phone import Phone

TOLD = "Lembrete"
MOVED = "o prazo mudou"


@pytest.fixture
async def set_up(database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """A counter of the invented cities, with the secret of the store that the test writes through."""
    async with stage(database, tmp_path, laws=laws(), BALCAO_SECRET_KEY=SECRET) as made:
        yield made


def running(set_up: Stage) -> Running:
    """Return the counter that is open."""
    assert set_up.counter is not None
    return set_up.counter


async def registered(set_up: Stage, name: str) -> tuple[Phone, tuple[Obligation, ...]]:
    """Let somebody speak to the bot and have a registration approved; return the phone and what is owed."""
    counter = running(set_up)
    phone = await set_up.phones.add(name)
    await phone.sends("oi")
    await phone.sees("oi")
    await counter.idle()
    store = DatabaseStore(counter.storage, laws())
    desk = Counter(store, now=set_up.clock.now())
    async with store.unit(desk.now) as ports:
        driver = await ports.people.by_chat(phone.id)
    assert driver is not None
    bia = await store.person("Bia", REGISTRY)
    approved = await desk.approved(driver, bia)
    async with store.unit(desk.now) as ports:
        owed = await ports.obligations.of_case(approved.update.case.id)
    return phone, owed


def told(phone: Phone) -> list[str]:
    """Return the reminders that a phone has, oldest first."""
    return [screen.text for screen in phone.history() if screen.by_bot and TOLD in screen.text]


async def test_ana_is_reminded_on_each_of_the_days_and_once(set_up: Stage) -> None:
    """Ana owes something: she hears 30, 15, 7 and 1 days before and on the day, in the city's morning, each once."""
    ana, owed = await registered(set_up, "Ana")
    first = owed[0]
    counter = running(set_up)
    before = set_up.clock.now()

    await counter.clockwork.run_due(datetime.combine(first.due_on + timedelta(days=1), datetime.min.time(), UTC))

    async with counter.storage.reading() as connection:
        rows = (
            await connection.execute(
                select(tables_reminders.reminder)
                .where(tables_reminders.reminder.c.obligation_id == first.id)
                .order_by(tables_reminders.reminder.c.due_at)
            )
        ).all()
        sent = (
            await connection.connection.scalars(select(t.outbox.c.created_at).where(t.outbox.c.key.like("reminder:%")))
        ).all()
    ahead = [offset for offset in (30, 15, 7, 1, 0) if first.due_on - timedelta(days=offset) > before.date()]
    assert [row.days_before for row in rows] == ahead
    assert {row.state for row in rows} == {"queued"}
    zone = laws().city(CITY).zone
    assert {8 <= instant.astimezone(zone).hour < 20 for instant in sent} == {True}
    await ana.sees(TOLD)
    await counter.idle()
    assert len(told(ana)) == len(sent) == len({instant.date() for instant in sent})

    # when the sweep comes again, nothing is said again
    assert await counter.clockwork.sweep() == 0


async def test_after_a_long_outage_only_the_newest_is_told(set_up: Stage) -> None:
    """The counter was closed for weeks: Ana hears of each thing once, and what she was not told is written down."""
    ana, _ = await registered(set_up, "Ana")
    await set_up.closes()
    set_up.clock.move_to(set_up.clock.now() + timedelta(days=400))
    zone = laws().city(CITY).zone
    while set_up.clock.now().astimezone(zone).hour != 9 or set_up.clock.now().astimezone(zone).weekday() != 2:
        set_up.clock.move_to(set_up.clock.now() + timedelta(hours=1))
    counter = await set_up.opens()

    assert await counter.clockwork.sweep()
    await ana.sees(TOLD)
    await counter.idle()

    assert len(told(ana)) == 1
    async with counter.storage.reading() as connection:
        reminder = tables_reminders.reminder
        rows = (await connection.execute(select(reminder.c.obligation_id, reminder.c.state))).all()
    queued = [row.obligation_id for row in rows if row.state == "queued"]
    assert len(queued) == len(set(queued))
    assert {row.state for row in rows} <= {"queued", "superseded", "planned"}


async def test_who_blocked_the_bot_is_not_told_and_holds_up_nobody(set_up: Stage) -> None:
    """Ana blocked the bot, Rui did not: Rui is told, and Ana's reminders say that she was out of reach."""
    ana, _ = await registered(set_up, "Ana")
    rui, owed = await registered(set_up, "Rui")
    await ana.blocks()
    counter = running(set_up)
    await set_up.until("person", chat_id=ana.id, reachable=False)  # the bot hears of it as of any update

    await counter.clockwork.run_due(datetime.combine(owed[0].due_on + timedelta(days=1), datetime.min.time(), UTC))

    await rui.sees(TOLD)
    assert told(ana) == []
    async with counter.storage.reading() as connection:
        reminder, person = tables_reminders.reminder, t.person
        of_ana = (
            select(reminder.c.state)
            .join(person, person.c.id == reminder.c.person_id)
            .where(person.c.chat_id == ana.id, reminder.c.due_at <= set_up.clock.now())
        )
        assert set((await connection.connection.scalars(of_ana)).all()) <= {"unreachable", "superseded"}


async def test_dates_that_were_worked_out_under_other_rules_are_worked_out_anew(set_up: Stage) -> None:
    """The rules changed while the counter was closed: Ana's date moves and she is told from when to when."""
    ana, owed = await registered(set_up, "Ana")
    counter = running(set_up)
    obligation, derivation = tables_reminders.obligation, tables_reminders.derivation
    other = owed[0].due_on + timedelta(days=3)
    async with counter.storage.transaction() as connection:
        await connection.execute(update(derivation).values(stamp="of the rules before"))
        await connection.execute(update(obligation).where(obligation.c.id == owed[0].id).values(due_on=other))
    await set_up.closes()
    counter = await set_up.opens()

    assert await counter.clockwork.sweep()

    assert other.strftime("%d/%m/%Y") in (await ana.sees(MOVED)).text
    async with counter.storage.reading() as connection:
        due_on = await connection.scalar(select(obligation.c.due_on).where(obligation.c.id == owed[0].id))
        stamps = set((await connection.connection.scalars(select(derivation.c.stamp))).all())
    assert due_on == owed[0].due_on
    assert "of the rules before" not in stamps
    assert await counter.clockwork.sweep() == 0


async def test_olga_is_told_of_the_term_of_an_answer_before_it_ends_and_after(set_up: Stage) -> None:
    """Two complaints wait in her queue: one message on the day before, one after the end, each with the ways there."""
    counter = running(set_up)
    olga = await set_up.phones.add("Olga")
    await olga.sends("oi")
    await olga.sees("oi")
    await counter.idle()
    store = DatabaseStore(counter.storage, laws())
    desk = Counter(store, now=set_up.clock.now())
    ana = await store.person("Ana")
    async with store.unit(desk.now) as ports:
        person = await ports.people.by_chat(olga.id)
        assert person is not None
        await ports.grants.add(person.id, OMBUDSMAN, at=desk.now)
    protocols = [(await desk.report(ana)).protocol for _ in range(2)]
    zone = laws().city(CITY).zone

    await counter.clockwork.run_due(set_up.clock.now() + timedelta(days=40))

    await counter.idle()
    told = [screen for screen in olga.history() if screen.by_bot and "Prazo de resposta: 2 casos" in screen.text]
    assert ["Responder até" in screen.text for screen in told] == [True, False]
    assert ["Prazo vencido" in screen.text for screen in told] == [False, True]
    assert ["Se falta tempo" in screen.text for screen in told] == [True, False]
    for screen in told:
        assert all(protocol in screen.text for protocol in protocols)
        assert screen.labels == [*(f"{at}: {one[11:]}" for at, one in enumerate(protocols, start=1)), "Filas"]
        assert 8 <= datetime.fromtimestamp(screen.raw["date"], zone).hour < 20
        assert datetime.fromtimestamp(screen.raw["date"], zone).weekday() < 5
    assert await counter.clockwork.sweep() == 0


async def test_a_new_year_plans_what_is_due_in_the_year_after(set_up: Stage) -> None:
    """On New Year's Day, local, the yearly dues of the year after are there, without anybody doing anything."""
    _, owed = await registered(set_up, "Ana")
    counter = running(set_up)
    yearly = {one.rule for one in owed if one.period.isdigit() and len(one.period) == 4}
    assert yearly, "the invented law has a yearly fee that a driver bears"
    zone = laws().city(CITY).zone
    year = set_up.clock.now().astimezone(zone).year + 1

    await counter.clockwork.run_due(datetime(year, 1, 1, 0, 1, tzinfo=zone))

    obligation = tables_reminders.obligation
    async with counter.storage.reading() as connection:
        periods = (
            await connection.connection.scalars(
                select(obligation.c.period).where(obligation.c.rule.in_(yearly), obligation.c.service == SERVICE)
            )
        ).all()
    assert str(year + 1) in periods
