"""The disk is full, the database is locked or gone: nothing is lost, and who waits hears it once."""

from __future__ import annotations

import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from bot.storage.engine import is_trouble
from tests.support.builders import laws
from tests.support.counter import Stage, stage


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite waits a tenth of a second for a lock, so that the tests need not wait longer."""
    monkeypatch.setattr("bot.storage.engine.BUSY_TIMEOUT_MS", 100)


async def test_while_the_database_is_locked_ana_hears_it_once_and_is_served_afterwards(
    sqlite_database: str, tmp_path: Path
) -> None:
    """Another program holds the file: Ana's three lines are answered when it lets go, after one word of excuse."""
    async with stage(sqlite_database, tmp_path, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("oi")
        await ana.sees("1. oi (1)")
        assert set_up.counter is not None
        await set_up.counter.idle()
        other = sqlite3.connect(sqlite_database.removeprefix("sqlite+aiosqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for line in range(3):
            await ana.sends(f"linha {line}")
        await ana.sees("problema técnico")
        other.execute("ROLLBACK")
        other.close()
        await ana.sees("4. linha 2 (4)")
        said = [screen.text for screen in ana.history() if screen.by_bot]
        assert sum("problema técnico" in words for words in said) == 1
        assert [words for words in said if "problema" not in words] == [
            "1. oi (1)",
            *(f"{n + 2}. linha {n} ({n + 2})" for n in range(3)),
        ]


async def test_when_the_disk_is_full_nothing_is_acknowledged_unstored(sqlite_database: str, tmp_path: Path) -> None:
    """There is no room for one more page: Telegram keeps the update until there is, and Ana is served then."""
    async with stage(sqlite_database, tmp_path, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("oi")
        await ana.sees("1. oi (1)")
        assert set_up.counter is not None
        await set_up.counter.idle()
        await limit_pages(set_up, full=True)
        long = "é" * 3000  # as JSON many pages, so that no room left by an earlier update is enough
        for _ in range(3):
            await ana.sends(long)
        await ana.sees("problema técnico")
        assert await set_up.rows("inbox") < 4
        await limit_pages(set_up, full=False)
        await ana.sees("4. ééé")
        assert await set_up.rows("inbox", state="handled") == 4


async def test_a_lost_connection_is_opened_again(database: str, tmp_path: Path) -> None:
    """The server ends all connections; Ana's next line is served."""
    async with stage(database, tmp_path, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("oi")
        await ana.sees("1. oi (1)")
        assert set_up.counter is not None
        storage = set_up.counter.storage
        if not storage.is_sqlite:
            async with storage.engine.connect() as connection:
                await connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                )
        await ana.sends("ainda aí?")
        await ana.sees("2. ainda aí? (2)")


async def test_a_mistake_of_the_program_is_no_outage(sqlite_stage: Stage) -> None:
    """A table that does not exist is not there at the second try either: it must not be waited for."""
    assert sqlite_stage.counter is not None
    with pytest.raises(OperationalError) as wrong:
        async with sqlite_stage.counter.storage.transaction() as connection:
            await connection.execute(text("SELECT * FROM nowhere"))
    assert not is_trouble(wrong.value)


async def limit_pages(stage: Stage, *, full: bool) -> None:
    """Fill the disk, as far as SQLite can tell: every connection may use no page more than the file has now."""
    assert stage.counter is not None
    limit = f"PRAGMA max_page_count = {1 if full else 1_000_000}"
    storage = stage.counter.storage
    async with AsyncExitStack() as together:
        for _ in range(10):
            transaction = await together.enter_async_context(storage.reading())
            await transaction.fetch(limit, ())
