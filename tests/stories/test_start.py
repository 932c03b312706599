"""The counter is open before anybody has put the phone down, and small enough for the smallest machine."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.clock import MovableClock
from bot.sandbox.server import Sandbox
from tests.support.counter import SECRET, TOKEN
from tests.support.databases import SQLITE, Databases
from tests.support.phone import Phones

HOUSE = Path(__file__).parents[2]
WITHIN = 2.0
BARE = "import telegram.ext, sqlalchemy.ext.asyncio, aiohttp.web"
TIMES_BARE = 5.0  # of what the libraries alone take: a busy machine slows both
MEGABYTES = 120


@asynccontextmanager
async def running(env: Mapping[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    """``balcao run`` in a process of its own, which ends by itself when it is asked to."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"), cwd=HOUSE, env={**os.environ, **env}
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(10):
            assert await process.wait() == 0


async def bare_seconds() -> float:
    """Return how long an interpreter takes to start with nothing but the libraries."""
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", BARE)
    assert await process.wait() == 0
    return time.monotonic() - began


def resident(pid: int) -> float | None:
    """Return how many megabytes a process keeps in memory; None where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    lines = status.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


@pytest.mark.parametrize("is_new", [True, False], ids=["first start", "later start"])
async def test_ana_is_answered_within_two_seconds_of_the_start_and_the_counter_rests_small(
    is_new: bool, sqlite_database: str, databases: Databases, tmp_path: Path
) -> None:
    """Ana has written while nobody was there: two seconds after the start she is answered; the counter stays small."""
    await bare_seconds()  # the first one of all reads the libraries from the disk
    sandbox = Sandbox(token=TOKEN, clock=MovableClock())
    await sandbox.start()
    env = {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_API_URL": sandbox.url,
        "DATABASE_URL": databases.new(SQLITE, migrated=False) if is_new else sqlite_database,
        "BALCAO_DATA_DIR": str(tmp_path),
        "BALCAO_SECRET_KEY": SECRET,
    }
    try:
        async with Phones(sandbox.url) as phones:
            ana = await phones.add("Ana")
            await ana.sends("/start")
            began = time.monotonic()
            async with running(env) as process:
                await ana.sees("De qual cidade se trata?")
                took = time.monotonic() - began
                await ana.presses("Cáceres")
                await ana.sees("O que você quer fazer?")
                await ana.quiet()

                if (kept := resident(process.pid)) is not None:
                    assert kept < MEGABYTES
            assert took < max(WITHIN, TIMES_BARE * await bare_seconds())
    finally:
        await sandbox.stop()
