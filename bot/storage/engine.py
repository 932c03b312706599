"""Opens the database: one way to begin a transaction on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import event
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.storage.inline import InlineConnection

BUSY_TIMEOUT_MS = 2_000
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode

_SQLITE_TROUBLE = frozenset({5, 6, 7, 8, 10, 11, 13, 14, 15})
"""BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL."""

_DISK_TROUBLE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Of the folder of the evidence as well. A file that is not there is no such trouble but a mistake."""

_POSTGRESQL_TROUBLE = ("08", "25006", "40", "53", "55P03", "57", "58")
"""Connection, read-only (a standby), rolled back for another, resources, lock not available, operator, system."""


def with_driver(url: str) -> str:
    """Return a database URL with the asynchronous driver that the counter uses named in it."""
    parsed = make_url(url)
    driver = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    drivername = driver.get(parsed.drivername, parsed.drivername)
    return parsed.set(drivername=drivername).render_as_string(hide_password=False)


class Unreachable(Exception):
    """The database could not be connected to."""


class Unit(Protocol):
    """A transaction as repositories see it."""

    async def touch(self) -> AsyncConnection:
        """Return the connection to execute a statement on."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A whole transaction as one unit: for commands and sweeps, which have no update to roll back to."""

    connection: AsyncConnection

    async def touch(self) -> AsyncConnection:
        return self.connection


class Storage:
    """One database. ``transaction`` is the only way to write to it."""

    def __init__(self, url: str) -> None:
        self.url = with_driver(url)
        self.is_sqlite = make_url(self.url).get_backend_name() == "sqlite"
        self.engine = _engine(self.url, sqlite=self.is_sqlite)
        # SQLite has one writer: waiting here is fair and wakes at once, waiting inside SQLite sleeps and guesses
        self._writer = asyncio.Lock() if self.is_sqlite else None
        self._kept: AsyncConnection | None = None

    @asynccontextmanager
    async def transaction(self, *, slow: bool = False) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that commits at the end of the block, or leaves nothing behind when the block raises.

        ``slow`` says that its statements touch many rows, so that nothing else may stand still meanwhile.
        """
        if self._writer is None:
            async with self._connection() as connection, connection.begin():
                yield connection
            return
        async with self._writer, self._connection() as connection:
            driver = (await connection.get_raw_connection()).driver_connection if slow else None
            if isinstance(driver, InlineConnection):
                driver.apart = True
            try:
                async with connection.begin():
                    yield connection
            finally:
                if isinstance(driver, InlineConnection):
                    driver.apart = False

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[tuple[AsyncConnection | None, InlineConnection | None]]:
        """Open a transaction for a few prepared statements; on SQLite the driver's own, on one that is kept."""
        if self._writer is None:
            async with self.transaction() as connection:
                yield connection, None
            return
        async with self._writer:
            if self._kept is None:
                self._kept = await self.engine.connect()
            try:
                driver = (await self._kept.get_raw_connection()).driver_connection
                if not isinstance(driver, InlineConnection):
                    raise TypeError("SQLite is opened with a driver of its own")
                await driver.cursor().execute("BEGIN IMMEDIATE")
                yield None, driver
                await driver.commit()
            except BaseException:
                kept, self._kept = self._kept, None
                await kept.close()  # rolls back
                raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that only reads, beside any writer."""
        async with self._connection() as connection:
            yield await connection.execution_options(balcao_reads=True)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        try:
            connection = await self.engine.connect()
        except OSError as error:  # a driver lets the socket's own errors through
            raise Unreachable(type(error).__name__) from error
        try:
            yield connection
        finally:
            await connection.close()

    async def forget_erased(self) -> None:
        """Let nothing that was erased be read beside the database any more: SQLite's log keeps it until then."""
        if self._writer is None:
            return
        async with self._writer, self._connection() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            if isinstance(raw, InlineConnection):
                await raw.empty_log()

    async def close(self) -> None:
        """Give all connections back."""
        if self._kept is not None:
            await self._kept.close()
            self._kept = None
        await self.engine.dispose()


def _engine(url: str, *, sqlite: bool) -> AsyncEngine:
    if not sqlite:
        return create_async_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=5,
            pool_timeout=10,
            connect_args={"timeout": 5, "command_timeout": 30},
        )

    def connect(path: str, **_more: Any) -> InlineConnection:
        return InlineConnection(path, busy_timeout_ms=BUSY_TIMEOUT_MS)

    engine = create_async_engine(url, hide_parameters=True, connect_args={"async_creator_fn": connect})

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode = WAL",
            "foreign_keys = ON",
            "synchronous = FULL",
            "secure_delete = ON",  # what is erased is overwritten, not only forgotten
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        # a transaction that reads first and writes later could not be given the lock any more: ask for it at once
        reads = connection.get_execution_options().get("balcao_reads", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def is_trouble(error: BaseException) -> bool:
    """Whether ``error`` says that the database or its disk is in trouble, so that trying later may work.

    Anything else (a missing table, a broken constraint) is a mistake of the program, which a second try would repeat.
    """
    if isinstance(error, DBAPIError):
        if error.connection_invalidated or isinstance(error, InterfaceError):
            return True
        return _is_driver_trouble(error.orig)
    return isinstance(error, PoolTimeout | Unreachable) or _is_driver_trouble(error)


def _is_driver_trouble(error: BaseException | None) -> bool:
    sqlite_code = getattr(error, "sqlite_errorcode", None)
    if isinstance(sqlite_code, int):
        return sqlite_code & 0xFF in _SQLITE_TROUBLE
    sqlstate = getattr(error, "sqlstate", None)
    if isinstance(sqlstate, str):
        return sqlstate.startswith(_POSTGRESQL_TROUBLE)
    return isinstance(error, OSError) and (isinstance(error, ConnectionError) or error.errno in _DISK_TROUBLE)


def to_json(value: Any) -> str:
    """Write JSON in ASCII: NUL and lone surrogates, which PostgreSQL refuses, are escaped."""
    return _ENCODE(value)
