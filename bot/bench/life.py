"""``balcao bench start``, ``backlog`` and ``broadcast``: a counter that opens, catches up, and speaks to everybody."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bot.bench.databases import FIRST_CHAT, SQLITE, database, invite_people
from bot.bench.figures import machine, quantiles, table
from bot.bench.processes import SECRET, Process, Telegram, product_env, running, telegram, token
from bot.clock import Clock
from bot.storage.engine import Storage
from bot.storage.journal import Journal
from bot.storage.repositories.sealing import Seal
from handlers.shared.outgoing import Outgoing, Priority

LOOK_EVERY = 0.05
AT_REST = 1.0
BATCH = 500


async def start(times: int) -> dict[str, Any]:
    """Start the counter again and again, on a new database and on one that was there."""
    new: list[float] = []
    later: list[float] = []
    memory: list[float] = []
    with tempfile.TemporaryDirectory(prefix="balcao-bench-") as name:
        async with telegram() as server:
            for at in range(times):
                address = f"sqlite+aiosqlite:///{Path(name) / f'start{at}.db'}"
                for seconds in (new, later):
                    await server.command("people", token=token(at), people={"menu": 1})
                    env = product_env(server, Path(name), address, at, webhook=False)
                    async with running("bot", "run", env=env) as process:
                        told = await server.command("run", token=token(at), seconds=0.01, delay=0)
                        seconds += told["conversations"]["menu"]["latencies"]
                        await asyncio.sleep(AT_REST)
                        memory.append(process.megabytes)
    rows = [
        {"what": "first update handled, first start (schema made)", **quantiles(new), "RSS MB at rest": None},
        {"what": "first update handled, later start", **quantiles(later), "RSS MB at rest": round(median(memory))},
    ]
    return {"bench": "start", "machine": machine(), "rows": rows, "notes": []}


async def backlog(kind: str, updates: int, chats: int) -> dict[str, Any]:
    """Let ``updates`` of ``chats`` wait, then open the counter and see how long it takes to answer them all."""
    each = updates // chats
    with tempfile.TemporaryDirectory(prefix="balcao-bench-") as name:
        async with database(kind, Path(name)) as address, telegram() as server:
            await invite_people(address, chats, frozenset())
            await server.command("keep", token=token(0), first=FIRST_CHAT, chats=chats, each=each)
            env = product_env(server, Path(name), address, 0, webhook=False)
            began = perf_counter()
            async with running("bot.bench.product", env=env) as process:
                sent, first, megabytes = await _until_sent(server, process, chats * each)
                took = perf_counter() - began
                cpu = process.cpu
    row = {
        "database": kind,
        "updates": chats * each,
        "chats": chats,
        "seconds": round(took, 1),
        "first answer s": round(first, 2),
        "updates/s": round(chats * each / (took - first), 1),
        "cpu ms/update": round(1000 * cpu / (chats * each), 2),
        "RSS MB": round(megabytes),
        "lost": max(chats * each - sent, 0),
        "duplicated": max(sent - chats * each, 0),
    }
    return {"bench": "backlog", "machine": machine(), "rows": [row], "notes": []}


async def _until_sent(server: Telegram, process: Process, many: int) -> tuple[int, float, float]:
    """Wait until so many messages were sent, or none comes any more."""
    began = last = perf_counter()
    first, sent, megabytes = 0.0, 0, 0.0
    while perf_counter() - last < 30:
        await asyncio.sleep(LOOK_EVERY)
        state = await server.command("state", token=token(0))
        megabytes = max(megabytes, process.megabytes)
        if state["sent"] > sent:
            first = first or perf_counter() - began
            sent, last = state["sent"], perf_counter()
        if sent >= many:
            await asyncio.sleep(AT_REST)  # anything said twice comes now
            sent = (await server.command("state", token=token(0)))["sent"]
            break
    return sent, first, megabytes


async def broadcast(recipients: int, seconds: float) -> dict[str, Any]:
    """Put a message to each of many into the outbox, then watch it go in Telegram's pace beside people who write."""
    with tempfile.TemporaryDirectory(prefix="balcao-bench-") as name:
        async with database(SQLITE, Path(name)) as address, telegram() as server:
            await invite_people(address, max(recipients, 10), frozenset())
            planned = await _plan(address, recipients)
            await server.command("people", token=token(0), people={"menu": 5})
            env = product_env(server, Path(name), address, 0, webhook=False)
            async with running("bot", "run", env=env):
                await server.command("run", token=token(0), seconds=0.01, delay=0)
                before = (await server.command("state", token=token(0)))["sent"]
                told = await server.command("run", token=token(0), seconds=seconds, delay=0, rate=2)
                after = (await server.command("state", token=token(0)))["sent"]
    row = {
        "recipients": recipients,
        "planned/s": round(recipients / planned),
        "sent/s in Telegram's pace": round((after - before) / told["whole_seconds"], 1),
        **{
            f"answers meanwhile, {key}": value
            for key, value in quantiles(told["conversations"]["menu"]["latencies"]).items()
        },
    }
    return {"bench": "broadcast", "machine": machine(), "rows": [row], "notes": []}


async def _plan(address: str, recipients: int) -> float:
    storage = Storage(address)
    journal, now = Journal(storage, Seal(SECRET)), Clock().now()
    began = perf_counter()
    try:
        for at in range(0, recipients, BATCH):
            messages = [
                Outgoing(
                    FIRST_CHAT + number,
                    text="Amanhã não há atendimento.",
                    key=f"bench:{number}",
                    priority=Priority.NOTICE,
                )
                for number in range(at, min(at + BATCH, recipients))
            ]
            async with storage.transaction() as connection:
                await journal.say(connection, messages, now=now)
    finally:
        await storage.close()
    return perf_counter() - began


def show(result: dict[str, Any]) -> str:
    """Return the result for people."""
    return "\n\n".join([table(result["rows"]), *result["notes"]])
