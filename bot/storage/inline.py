"""SQLite without a thread between every statement and its answer, behind the driver that SQLAlchemy expects.

A statement on an indexed table takes microseconds, handing it to another thread and back takes a hundred of them.
So statements run where they are asked for, and only what waits goes to a thread: for the disk (a commit), for another
process (whatever finds the database locked), or for many rows (what took long the last time).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, Self, TypeVar

T = TypeVar("T")

LONG = 0.02
"""Seconds of a statement beyond which it goes to a thread the next time, until it takes less again."""


class InlineConnection:
    """What SQLAlchemy's adapter for aiosqlite asks of a connection. ``apart`` sends every statement to a thread.

    ``long`` has the statements that took long the last time, on any of the connections that share it.
    """

    def __init__(self, path: str, *, busy_timeout_ms: int, long: set[str]) -> None:
        self._busy_timeout_ms, self._long = busy_timeout_ms, long
        # no waiting for locks here: that is done in a thread
        self._connection: sqlite3.Connection | None = sqlite3.connect(
            path, timeout=0, isolation_level=None, check_same_thread=False, uri=path.startswith("file:")
        )
        self.apart = False

    def __await__(self) -> Any:
        return self._ready().__await__()

    async def _ready(self) -> Self:
        return self

    def cursor(self) -> InlineCursor:
        return InlineCursor(self, self._open.cursor())

    async def run(self, sql: str, statement: Callable[[], T]) -> T:
        """Run a statement, in a thread if it has to wait."""
        if not self.apart and sql not in self._long:
            try:
                return self._measured(sql, statement)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
        return await self._apart(lambda: self._measured(sql, statement))

    async def _apart(self, work: Callable[[], T]) -> T:
        """Do something in a thread. Whoever is broken off waits until that has ended: it has the connection."""
        thread = asyncio.ensure_future(asyncio.to_thread(self._patiently, work))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            self._open.interrupt()
            while not thread.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([thread])
            if not thread.cancelled():
                thread.exception()  # nobody else asks for it
            raise

    def _measured(self, sql: str, statement: Callable[[], T]) -> T:
        began = perf_counter()
        found = statement()
        if perf_counter() - began > LONG:
            self._long.add(sql)
        else:
            self._long.discard(sql)
        return found

    def _patiently(self, statement: Callable[[], T]) -> T:
        self._open.execute(f"PRAGMA busy_timeout = {self._busy_timeout_ms}")
        try:
            return statement()
        finally:
            self._open.execute("PRAGMA busy_timeout = 0")

    def at_once(self, sql: str) -> None:
        """Run a statement that waits for nobody, inside an open transaction."""
        self._open.execute(sql)

    async def fetch(self, sql: str, values: Sequence[Any]) -> tuple[list[tuple[Any, ...]], int]:
        """Run a statement; return its rows and how many it met."""

        def statement() -> tuple[list[tuple[Any, ...]], int]:
            cursor = self._open.execute(sql, values)
            return cursor.fetchall(), cursor.rowcount

        return await self.run(sql, statement)

    async def each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement once for each of ``rows``."""
        await self.run(sql, lambda: self._open.executemany(sql, rows))

    def last_number(self) -> int:
        """Return the number of the row inserted last."""
        number: int = self._open.execute("SELECT last_insert_rowid()").fetchone()[0]
        return number

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; SQLite ends one by itself when it cannot go on."""
        return self._open.in_transaction

    async def commit(self) -> None:
        if self._open.in_transaction:
            await self._apart(self._open.commit)

    async def empty_log(self) -> None:
        """Bring what was committed from the log beside the database into it, and leave the log empty."""
        await self._apart(lambda: self._open.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    async def rollback(self) -> None:
        self._open.rollback()

    async def close(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Close at once."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # whoever still holds a cursor keeps SQLite from closing, and would keep the lock of a transaction with it
            connection.rollback()
            connection.close()

    async def create_function(self, *args: Any, **more: Any) -> None:
        self._open.create_function(*args, **more)

    @property
    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ValueError("no active connection")
        return self._connection


class InlineCursor:
    """A cursor of such a connection; its rows are fetched with the statement."""

    def __init__(self, connection: InlineConnection, cursor: sqlite3.Cursor) -> None:
        self._connection, self._cursor = connection, cursor
        self._rows: list[Any] = []
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    @property
    def description(self) -> Any:
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        return self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        return self._cursor.lastrowid

    async def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Self:
        self._rows = await self._connection.run(sql, lambda: self._cursor.execute(sql, parameters).fetchall())
        return self

    async def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> Self:
        rows = list(parameters)
        await self._connection.run(sql, lambda: self._cursor.executemany(sql, rows))
        return self

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        self._cursor.close()
