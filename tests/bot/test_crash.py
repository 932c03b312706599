"""The process is killed at any instant: nothing is lost and no effect is repeated."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.storage.engine import Storage
from bot.storage.lead import Lead
from tests.support.builders import laws
from tests.support.counter import Stage, stage

PEOPLE, LINES, KILLS = 6, 30, 4


async def test_killed_again_and_again_the_counter_loses_and_repeats_nothing(database: str, tmp_path: Path) -> None:
    """Six people write on while the process is killed four times: each line counts once and each answer arrives."""
    chance = random.Random(database)
    async with stage(database, tmp_path, laws=laws(), open_at_once=False) as set_up:
        phones = [await set_up.phones.add(f"Pessoa {n}") for n in range(PEOPLE)]

        async def write() -> None:
            for line in range(LINES):
                for phone in phones:
                    set_up.sandbox.world.send_text(phone.id, f"linha {line}")
                await asyncio.sleep(chance.uniform(0, 0.08))

        writing = asyncio.create_task(write())
        for _ in range(KILLS):
            process = await victim(set_up)
            await asyncio.sleep(chance.uniform(0.02, 0.35))
            process.send_signal(signal.SIGKILL)
            await process.wait()
        await writing

        await set_up.opens()
        for phone in phones:
            await phone.sees(f"linha {LINES - 1} ({LINES})")
        assert set_up.counter is not None
        await set_up.counter.idle()

        total = PEOPLE * LINES
        assert await set_up.rows("inbox", state="handled") == total
        assert await set_up.rows("outbox", state="delivered") == total
        seen: Counter[str] = Counter()
        for phone in phones:
            said = [screen.text.partition(". ") for screen in phone.history() if screen.by_bot]
            seen.update(number for number, _, _ in said)
            in_order = list(dict.fromkeys(text for _, _, text in said))
            assert in_order == [f"linha {line} ({line + 1})" for line in range(LINES)]
        assert set(seen) == {str(number) for number in range(1, total + 1)}
        # a message sent whose end was not yet written down when the process died is sent once more: no one can know
        assert sum(seen.values()) - total <= KILLS * PEOPLE


async def test_the_same_update_in_two_processes_has_one_effect(database: str, tmp_path: Path) -> None:
    """Two processes on one database are handed the same lines: each line is numbered once, in order."""
    async with stage(database, tmp_path, laws=laws()) as set_up:
        phones = [await set_up.phones.add(f"Pessoa {n}") for n in range(4)]
        first = set_up.counter
        assert first is not None
        other = Stage(
            set_up.sandbox, set_up.phones, set_up.settings, set_up.clock, set_up.register, set_up.laws, set_up.pace
        )
        second = await other.opens()
        await second.intake.stop()
        for line in range(10):
            for phone in phones:
                set_up.sandbox.world.send_text(phone.id, f"linha {line}")
            second.dispatcher.enqueue(await second.journal.pending())
            await asyncio.sleep(0.01)
        for phone in phones:
            await phone.sees("linha 9 (10)")
            said = [screen.text.partition(". ")[2] for screen in phone.history() if screen.by_bot]
            assert said == [f"linha {line} ({line + 1})" for line in range(10)]
        await other.closes()


async def test_one_process_leads_and_another_follows_when_it_is_gone(database: str) -> None:
    """Two processes: one sends. When it closes, the other takes over."""
    storage = Storage(database)
    first, second = Lead(storage), Lead(storage)
    assert await first.held()
    assert await first.held()
    assert not await second.held()
    await first.release()
    assert await second.held()
    await second.release()
    await storage.close()


async def test_whoever_could_not_learn_whether_it_leads_holds_nothing(
    postgresql_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The server fails while it is asked for the lead: the connection is given back, and not left to be found."""
    storage = Storage(postgresql_database)
    lead = Lead(storage)

    async def fails(*_given: object, **_more: object) -> None:
        raise TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr("sqlalchemy.ext.asyncio.AsyncConnection.scalar", fails)
        assert not await lead.held()
    assert await lead.held()
    await lead.release()
    assert caplog.messages == []
    await storage.close()


async def victim(set_up: Stage) -> asyncio.subprocess.Process:
    """Start a counter in a process of its own and wait until it is open."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.victim",
        set_up.sandbox.url,
        set_up.settings.database,
        str(set_up.settings.data_dir),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"open\n"
    return process
