"""``balcao bench queues`` and ``reminders``: what a look costs as the rows behind it grow."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bot.bench.databases import database, invite_people
from bot.bench.figures import machine, quantiles, table
from bot.bench.rows import NOW, STAFF, add_cases, add_obligations, add_reminders, laws_and_binder, person
from bot.storage.engine import Storage
from domain.cases.ports import Shelf
from domain.queues.service import LookAtQueue
from handlers.shared import reminders
from handlers.shared.services import Services

WAITING = 500
DUE = 50

Look = Callable[[Services], Awaitable[object]]


async def queues(kind: str, sizes: tuple[int, ...], times: int) -> dict[str, Any]:
    """Look at queues of different sizes: in most, all but :data:`WAITING` cases are over; in the last, none is."""
    rows: list[dict[str, Any]] = []
    shapes = [(f"{size:,} cases, {min(WAITING, size // 2)} waiting", size, min(WAITING, size // 2)) for size in sizes]
    shapes.append((f"{sizes[-1]:,} cases, all waiting", sizes[-1], sizes[-1]))
    base: dict[str, float] = {}
    for name, size, waiting in shapes:
        with tempfile.TemporaryDirectory(prefix="balcao-bench-") as folder:
            async with database(kind, Path(folder)) as address:
                city = await invite_people(address, 10, frozenset({STAFF - 1}))
                storage = Storage(address)
                try:
                    first = await add_cases(storage, city, size - waiting, waiting - 1)
                    for what, seconds in (await _looks(storage, city, first, times)).items():
                        middle = 1000 * median(seconds)
                        base.setdefault(what, middle)
                        rows.append(
                            {
                                "rows": name,
                                "what": what,
                                **quantiles(seconds, 2),
                                "ratio": round(middle / base[what], 2),
                            }
                        )
                finally:
                    await storage.close()
    return {"bench": "queues", "machine": machine(), "database": kind, "rows": rows, "notes": []}


async def _looks(storage: Storage, city: str, first: int, times: int) -> dict[str, list[float]]:
    laws, binder = laws_and_binder()
    book = laws.rulebooks(city)[0]
    async with storage.transaction() as connection:
        by = await person(connection, binder, STAFF)
        case = await binder.ports_for(connection, now=NOW).cases.get(first)
        second = (await binder.ports_for(connection, now=NOW).cases.get(first + 1)).protocol or ""
    shelf = LookAtQueue(by=by, city=city, shelf=Shelf.UNFINISHED, service=book.service.key, queue=case.queue, limit=8)
    mine = LookAtQueue(by=by, city=city, shelf=Shelf.MINE, limit=8)
    return {
        "overview of the queues": await _timed(storage, lambda s: s.queue_overview(by), times),
        "a page of a queue": await _timed(storage, lambda s: s.queue_page(shelf), times),
        "one's own cases": await _timed(storage, lambda s: s.queue_page(mine), times),
        "search by protocol": await _timed(storage, lambda s: s.ports.cases.by_protocol(second), times),
        "a card": await _timed(storage, lambda s: s.case_for_staff(first, by), times),
    }


async def sweeps(kind: str, sizes: tuple[int, ...], times: int) -> dict[str, Any]:
    """Sweep ledgers of different sizes, in all of which the same number is due."""
    rows: list[dict[str, Any]] = []
    base: dict[str, float] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="balcao-bench-") as folder:
            async with database(kind, Path(folder)) as address:
                city = await invite_people(address, 1000, frozenset())
                storage = Storage(address)
                try:
                    await add_obligations(storage, city, size)
                    for due in (0, DUE):
                        if due:
                            await add_reminders(storage, city, due, NOW, offset=7)
                        seconds = await _timed(storage, _sweep, times)
                        what = f"a sweep with {due} due"
                        middle = 1000 * median(seconds)
                        base.setdefault(what, middle)
                        rows.append(
                            {
                                "reminders": f"{size:,}",
                                "what": what,
                                **quantiles(seconds, 2),
                                "ratio": round(middle / base[what], 2),
                            }
                        )
                finally:
                    await storage.close()
    return {"bench": "reminders", "machine": machine(), "database": kind, "rows": rows, "notes": []}


async def _sweep(services: Services) -> object:
    told = await services.pick_due(limit=DUE)
    laws = services.ports.laws
    return [reminders.render(one, laws, NOW.astimezone(laws.city(one.city).zone).date()) for one in told]


class _TakenBack(Exception):
    """Nothing of a look is to stay."""


async def _timed(storage: Storage, look: Look, times: int) -> list[float]:
    """Look again and again; each look is taken back, so that the next one finds the same."""
    _, binder = laws_and_binder()
    seconds = []
    for _ in range(times + 2):
        with suppress(_TakenBack):
            async with storage.transaction() as transaction:
                began = perf_counter()
                await look(binder.for_unit(transaction, now=NOW))
                seconds.append(perf_counter() - began)
                raise _TakenBack
    return seconds[2:]


def show(result: dict[str, Any]) -> str:
    """Return the result for people."""
    return "\n\n".join([result["database"], table(result["rows"]), *result["notes"]])
