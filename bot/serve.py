"""Serves until it is interrupted: on Telegram, or in the sandbox."""

from __future__ import annotations

import asyncio
import errno
import gc
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from bot.app import Counter
from bot.pace import Pace
from bot.settings import SANDBOX_TOKEN, Settings, SettingsError

if TYPE_CHECKING:
    from bot.sandbox.server import Sandbox


async def serve(settings: Settings) -> None:
    """Serve on Telegram."""
    async with Counter(settings) as counter:
        await until_stopped(counter)


async def serve_sandbox(settings: Settings) -> None:
    """Serve the people of the sandbox."""
    async with sandbox_open(settings) as (sandbox, counter):
        print(f"Balcão: {sandbox.url}", flush=True)
        await until_stopped(counter)


@asynccontextmanager
async def sandbox_open(settings: Settings, *, pace: Pace | None = None) -> AsyncIterator[tuple[Sandbox, Counter]]:
    """Open the sandbox. At its start as on "recomeçar" it forgets everything and the first people come in anew.

    With a ``pace`` of one's own the server holds nobody to Telegram's.
    """
    # a server's worth of memory, only where one is needed
    from bot.sandbox.seeds import past_clock, sow
    from bot.sandbox.server import Sandbox

    clock = past_clock()
    counter: Counter

    async def move(target: datetime) -> None:
        await counter.clockwork.run_due(target)

    async def begin() -> None:
        clock.reset()
        await counter.clear()
        await asyncio.to_thread(shutil.rmtree, settings.files_dir, ignore_errors=True)
        await sow(counter, sandbox.world, clock)

    sandbox = Sandbox(
        token=SANDBOX_TOKEN,
        port=settings.port,
        clock=clock,
        on_clock_move=move,
        on_restart=begin,
        pace=pace is None,
    )
    try:
        await sandbox.start()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise SettingsError(f"PORT {settings.port} is taken by another program; name a free one.") from error
    try:
        served = settings.model_copy(update={"api_url": sandbox.url})
        async with Counter(served, clock=clock, pace=pace) as counter:
            if not counter.delivery.leads:
                raise SettingsError(f"BALCAO_DATA_DIR {settings.data_dir} is another sandbox's; name another folder.")
            await begin()
            yield sandbox, counter
    finally:
        await sandbox.stop()


async def until_stopped(counter: Counter) -> None:
    """Wait for SIGINT or SIGTERM, or for the counter to say that it cannot go on."""
    # what a start leaves stays (rulebooks, tables, PTB): looked at again and again it would hold up everybody
    gc.collect()
    gc.freeze()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    waits = [asyncio.create_task(stop.wait()), asyncio.create_task(counter.wait())]
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in waits:
            task.cancel()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
