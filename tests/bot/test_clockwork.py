"""What happens because time passes."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from handlers.shared.outgoing import Outgoing, Priority
from tests.support.counter import Stage


async def test_each_reminder_carries_its_own_day_when_the_clock_is_moved(sqlite_stage: Stage) -> None:
    """Ten days go by at once: the reminders of days three and seven are dated so, each sent once."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    counter = sqlite_stage.counter
    assert counter is not None
    began = sqlite_stage.clock.now()
    due = [began + timedelta(days=3), began + timedelta(days=7)]

    async def sweep(now: datetime) -> int:
        ripe = [instant for instant in due if instant <= now]
        due[:] = [instant for instant in due if instant > now]
        async with counter.storage.transaction() as connection:
            messages = [Outgoing(ana.id, text=f"dia {instant:%d}", priority=Priority.REMINDER) for instant in ripe]
            counter.delivery.hand_over(await counter.journal.say(connection, messages, now=now))
        return len(ripe)

    expected = [f"dia {instant:%d}" for instant in due]
    days = [instant.date() for instant in due]
    counter.clockwork.add("reminders", sweep)
    await counter.clockwork.run_due(began + timedelta(days=10))
    await ana.sees(expected[-1])
    reminders = [screen.raw for screen in ana.history() if screen.text.startswith("dia")]
    assert [raw["text"] for raw in reminders] == expected
    zone = began.tzinfo
    assert [datetime.fromtimestamp(raw["date"], zone).date() for raw in reminders] == days
    assert sqlite_stage.clock.now() >= began + timedelta(days=10)


async def test_a_sweep_that_knows_its_next_instant_is_woken_then_and_not_every_hour(sqlite_stage: Stage) -> None:
    """A year goes by in one step per due instant."""
    counter = sqlite_stage.counter
    assert counter is not None
    began = sqlite_stage.clock.now()
    due, woken = [began + timedelta(days=200)], []

    async def sweep(now: datetime) -> int:
        woken.append(now)
        ripe = len([instant for instant in due if instant <= now])
        due[:] = [instant for instant in due if instant > now]
        return ripe

    async def upcoming(now: datetime) -> datetime | None:
        return min(due, default=None)

    counter.clockwork.add("reminders", sweep, upcoming)
    await counter.clockwork.run_due(began + timedelta(days=365))
    assert due == []
    assert len(woken) <= 4


async def test_one_failing_sweep_does_not_stop_the_others(sqlite_stage: Stage) -> None:
    """A mistake in one sweep is logged; what is due elsewhere is done."""
    counter = sqlite_stage.counter
    assert counter is not None
    done = [1]

    async def fails(now: datetime) -> int:
        raise RuntimeError("a mistake")

    async def works(now: datetime) -> int:
        return done.pop() if done else 0

    counter.clockwork.add("fails", fails)
    counter.clockwork.add("works", works)
    assert await counter.clockwork.sweep() == 1


async def test_a_sweep_that_was_woken_meanwhile_does_not_let_the_clock_run_ahead(sqlite_stage: Stage) -> None:
    """The scheduler's own sweep is faster than the moved clock's: what it says is still sent on its day."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    counter = sqlite_stage.counter
    assert counter is not None
    began = sqlite_stage.clock.now()
    due, moved = began + timedelta(days=3), asyncio.Event()
    told = False

    async def sweep(now: datetime) -> int:
        nonlocal told
        await moved.wait()
        if told:
            return 0
        told = True
        async with counter.storage.transaction() as connection:
            message = Outgoing(ana.id, text="lembrete", priority=Priority.REMINDER)
            counter.delivery.hand_over(await counter.journal.say(connection, [message], now=counter.clock.now()))
        return 1

    async def upcoming(now: datetime) -> datetime | None:
        moved.set()  # the sweep goes on once the clock stands at the instant that is returned here
        return due if now < due else None

    counter.clockwork.add("reminders", sweep, upcoming)
    await sqlite_stage.phones.fault("sendMessage", status=502, times=1)  # so that sending takes a while
    scheduled = asyncio.create_task(counter.clockwork.sweep())
    await asyncio.sleep(0)
    await counter.clockwork.run_due(began + timedelta(days=300))
    await scheduled

    screen = await ana.sees("lembrete")
    assert datetime.fromtimestamp(screen.raw["date"], began.tzinfo).date() == due.date()


async def test_what_was_handled_cannot_be_read_in_any_file_of_the_database(sqlite_stage: Stage) -> None:
    """Ana tells something; an hour later whoever copies the files finds none of her words, nor what she was told."""
    ana = await sqlite_stage.phones.add("Ana")
    told = "segredo " * 40
    for number in range(9):
        await ana.sends(f"{number} {told}")
    await ana.sees("8 segredo")
    counter = sqlite_stage.counter
    assert counter is not None
    await counter.idle()

    await counter.clockwork.tidy()

    database = Path(counter.storage.engine.url.database or "")
    files = list(database.parent.glob(f"{database.name}*"))
    assert len(files) >= 2
    for file in files:
        assert b"segredo" not in file.read_bytes(), file.name
    async with counter.storage.reading() as connection:  # some builds of SQLite overwrite without being told
        assert await connection.scalar(text("PRAGMA secure_delete")) == 1


async def test_a_sweep_under_way_ends_before_the_process_does(
    sqlite_stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counter closes while somebody is being reminded: that is finished first, and not broken off."""
    monkeypatch.setattr("bot.clockwork.SWEEP_SECONDS", 0.05)
    await sqlite_stage.closes()
    counter = await sqlite_stage.opens()
    begun, closing, ended = asyncio.Event(), asyncio.Event(), []

    async def sweep(_now: datetime) -> int:
        begun.set()
        await closing.wait()
        await asyncio.sleep(0.05)
        ended.append(True)
        return 0

    counter.clockwork.add("slow", sweep)
    await begun.wait()
    closes = asyncio.create_task(sqlite_stage.closes())
    closing.set()
    await closes
    assert ended
