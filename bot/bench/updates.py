"""``balcao bench updates``: how many updates a second, beside bare bots on the same invented Telegram.

The bots take turns in short rounds, so that whatever else the machine does meanwhile falls on all of them alike.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bot.bench import flame
from bot.bench.databases import POSTGRESQL, SQLITE, PostgresqlMissing, database, invite_people
from bot.bench.figures import Figures, machine, quantiles, table
from bot.bench.processes import Process, Telegram, product_env, running, telegram, token

LEAN = "PTB echo on aiohttp, uvloop"
SHARES = {"menu": 0.3, "form": 0.4, "photos": 0.1, "staff": 0.2}
"""Who comes: by default a mix of all conversations."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured."""

    chats: int = 50
    seconds: float = 3.0
    rounds: int = 5
    delay: float = 0.0
    rate: float | None = None
    databases: tuple[str, ...] = (SQLITE, POSTGRESQL)
    intakes: tuple[str, ...] = ("polling", "webhook")
    conversations: tuple[str, ...] = ()
    peers: tuple[str, ...] = ("echo", "form")
    profile: Path | None = None


@dataclass
class Rival:
    """A bot that takes part."""

    figures: Figures
    process: Process
    token: str


def crowd(wanted: Wanted) -> dict[str, int]:
    """Say how many people have which conversation."""
    names = wanted.conversations or tuple(SHARES)
    whole = sum(SHARES[name] for name in names)
    people = {name: max(1, round(wanted.chats * SHARES[name] / whole)) for name in names}
    first = next(iter(people))
    people[first] = max(1, people[first] + wanted.chats - sum(people.values()))
    return people


async def measure(wanted: Wanted) -> dict[str, Any]:
    """Measure; return everything as JSON."""
    notes: list[str] = []
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="balcao-bench-")))
        server = await stack.enter_async_context(telegram())
        rivals = [await _peer(stack, server, folder, name, at, wanted) for at, name in enumerate(wanted.peers)]
        for kind in wanted.databases:
            for intake in wanted.intakes:
                try:
                    rivals.append(await _product(stack, server, folder, kind, intake, len(rivals), wanted))
                except PostgresqlMissing as missing:
                    notes.append(str(missing))
        for rival in rivals:
            await _round(server, rival, wanted, notes, warm=True)
        for _ in range(wanted.rounds):
            for rival in rivals:
                await _round(server, rival, wanted, notes)
        profiled = rivals[-1]
        samples = await _profile(server, profiled, wanted, notes) if wanted.profile is not None else []
    base = next((rival.figures for rival in rivals if rival.figures.name == "PTB echo"), None)
    return {
        "bench": "updates",
        "machine": machine(),
        "delay ms": wanted.delay * 1000,
        "chats": wanted.chats,
        "rate": wanted.rate,
        "rows": [rival.figures.row(base) for rival in rivals],
        "conversations": [
            {"bot": rival.figures.name, "conversation": name, "answers": len(seconds), **quantiles(seconds)}
            for rival in rivals
            for name, seconds in rival.figures.conversations.items()
            if len(rival.figures.conversations) > 1
        ],
        "profile": samples,
        "notes": notes,
    }


def show(result: dict[str, Any]) -> str:
    """Return the result for people."""
    pace = f", {result['rate']:g} updates/s in all" if result["rate"] else ""
    head = f"{result['chats']} chats, {result['delay ms']:g} ms round trip{pace}"
    parts = [head, table(result["rows"])]
    if result["conversations"]:
        parts.append(table(result["conversations"]))
    if result["profile"]:
        parts.append(table(result["profile"]))
    return "\n\n".join([*parts, *result["notes"]])


async def _peer(stack: AsyncExitStack, server: Telegram, folder: Path, name: str, number: int, wanted: Wanted) -> Rival:
    titles = {"echo": "PTB echo", "form": "PTB form, pickle", "per-chat": "PTB echo, per chat", "lean": LEAN}
    await server.command(
        "people", token=token(number), people={"plain_form" if name == "form" else "echo": wanted.chats}
    )
    process = await stack.enter_async_context(running("bot.bench.peers", name, token(number), server.url, str(folder)))
    return Rival(Figures(titles[name]), process, token(number))


async def _product(
    stack: AsyncExitStack, server: Telegram, folder: Path, kind: str, intake: str, number: int, wanted: Wanted
) -> Rival:
    name = f"b{number}"
    address = await stack.enter_async_context(database(kind, folder / name, name))
    people = crowd(wanted)
    names = [one for one, many in people.items() for _ in range(many)]
    await invite_people(address, len(names), frozenset(at for at, one in enumerate(names) if one == "staff"))
    await server.command("people", token=token(number), people=people)
    env = product_env(server, folder / name, address, number, webhook=intake == "webhook")
    process = await stack.enter_async_context(running("bot.bench.product", env=env))
    return Rival(Figures(f"balcao, {kind}, {intake}"), process, token(number))


async def _round(server: Telegram, rival: Rival, wanted: Wanted, notes: list[str], *, warm: bool = False) -> None:
    before = rival.process.cpu
    seconds = min(wanted.seconds, 2.0) if warm else wanted.seconds
    rate = None if warm else wanted.rate
    result = await rival.process.unless_it_ends(
        server.command("run", token=rival.token, seconds=seconds, delay=wanted.delay, rate=rate)
    )
    notes += result["missed"]
    if not warm:
        rival.figures.add(result, rival.process.cpu - before, rival.process.megabytes)


async def _profile(server: Telegram, rival: Rival, wanted: Wanted, notes: list[str]) -> list[dict[str, Any]]:
    """Sample the last bot in a round of its own; return where an update's time goes."""
    path = wanted.profile or Path("profile.json")
    seconds = max(wanted.seconds, 1.0)
    sampling = asyncio.create_task(flame.record(rival.process.process.pid, seconds, path))
    await server.command("run", token=rival.token, seconds=seconds + 0.5, delay=wanted.delay)
    try:
        await sampling
    except flame.ProfilerMissing as missing:
        notes.append(str(missing))
        return []
    notes.append(f"{rival.figures.name}: open {path} with speedscope")
    return flame.areas(path, median(rival.figures.cpu))
