"""SQLite in the event loop: what takes long, and what finds the database locked, holds up nobody."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from sqlite3 import OperationalError

import pytest
from sqlalchemy import text

from bot.storage.engine import Storage, is_trouble

LONG = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT sum(i) FROM n"


@pytest.fixture
async def storage(sqlite_database: str) -> AsyncIterator[Storage]:
    """An SQLite database, migrated."""
    storage = Storage(sqlite_database)
    yield storage
    await storage.close()


async def ticks(work: asyncio.Task[None]) -> int:
    """Count how often the event loop comes round while something is being done."""
    count = 0
    while not work.done():
        count += 1
        await asyncio.sleep(0.001)
    await work
    return count


async def test_a_long_statement_lets_others_be_served(storage: Storage) -> None:
    """Two million rows are counted, and meanwhile the counter goes on."""

    async def tidy() -> None:
        async with storage.transaction(slow=True) as connection:
            assert await connection.scalar(text(LONG)) == 2000001000000

    assert await ticks(asyncio.create_task(tidy())) > 10
    async with storage.transaction() as connection:
        assert await connection.scalar(text("SELECT 1")) == 1


async def test_what_took_long_the_last_time_lets_others_be_served(storage: Storage) -> None:
    """A city has a million cases waiting, and staff look at them: from the second look on nobody else waits for it."""

    async def look() -> None:
        async with storage.transaction() as transaction:
            assert await transaction.fetch(LONG, ()) == [(2000001000000,)]

    await look()
    assert await ticks(asyncio.create_task(look())) > 10


async def test_who_is_broken_off_in_a_long_statement_holds_up_nobody(storage: Storage) -> None:
    """The process stops while it tidies: the statement ends at once, and the next may write."""
    for_ever = text(LONG.replace("2000000", "2000000000"))

    async def tidy() -> None:
        async with storage.transaction(slow=True) as transaction:
            await transaction.scalar(for_ever)

    async with asyncio.timeout(10):
        work = asyncio.create_task(tidy())
        await asyncio.sleep(0.05)
        work.cancel()
        await asyncio.wait([work])
        async with storage.transaction() as transaction:
            await transaction.execute(text("DELETE FROM invite"))


async def test_a_lock_is_waited_for_without_standing_still(storage: Storage, sqlite_database: str) -> None:
    """Another program holds the file for a moment: the transaction waits its turn and the counter goes on."""
    other = sqlite3.connect(sqlite_database.removeprefix("sqlite+aiosqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def write() -> None:
        async with storage.transaction() as connection:
            await connection.execute(text("DELETE FROM invite"))

    work = asyncio.create_task(write())
    for _ in range(20):
        await asyncio.sleep(0.001)
    assert not work.done()
    other.execute("ROLLBACK")
    other.close()
    await work


async def test_a_lock_that_is_never_given_back_is_trouble(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the patience of the settings the transaction gives up, as one that can be tried again."""
    monkeypatch.setattr("bot.storage.engine.BUSY_TIMEOUT_MS", 50)
    storage = Storage(sqlite_database)
    other = sqlite3.connect(sqlite_database.removeprefix("sqlite+aiosqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(OperationalError) as refused:
        async with storage.transaction():
            pass

    assert is_trouble(refused.value)
    other.close()
    await storage.close()
