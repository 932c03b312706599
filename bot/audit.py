"""Reads every timeline again: whether its chain holds, and whether the stored case is what it says."""

from __future__ import annotations

from collections.abc import AsyncIterator

from sqlalchemy import select

from bot.storage import tables_cases as t
from bot.storage.engine import Storage
from bot.storage.repositories.cases import StoredCases
from domain.cases.model import BrokenTimeline, Case, replay

AT_ONCE = 500


async def audited(storage: Storage) -> AsyncIterator[tuple[int, str | None]]:
    """Yield each case's number with what is wrong with it, ``None`` when nothing is. A counter may work meanwhile."""
    last = 0
    while True:
        async with storage.reading() as connection:
            ids = select(t.case.c.id).where(t.case.c.id > last).order_by(t.case.c.id).limit(AT_ONCE)
            numbers = list((await connection.execute(ids)).scalars())
        for number in numbers:
            yield number, await fault(storage, number)
        if len(numbers) < AT_ONCE:
            return
        last = numbers[-1]


async def fault(storage: Storage, number: int) -> str | None:
    """Return what is wrong with one case, in one sentence that names nobody."""
    async with storage.reading() as connection:
        cases = StoredCases(connection)
        stored = await cases.get(number)
        events = (await cases.events(number))[: stored.seq]  # a counter at work may have written more in between
    try:
        replayed = replay(Case(stored.id, stored.city, stored.service, stored.kind), events)
    except BrokenTimeline as broken:
        return str(broken)
    if replayed != stored:
        return f"case {number}: what is stored is not what its timeline says"
    return None
