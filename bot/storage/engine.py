"""Opens the database: one way to begin a transaction on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import errno
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from time import monotonic
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.inline import InlineConnection
from bot.storage.transaction import SqliteTransaction, Transaction, transaction_on

BUSY_TIMEOUT_MS = 2_000
KEPT = 5
"""How many connections wait ready for the next transaction, beside those of SQLAlchemy's pool."""
TRUSTED_SECONDS = 5.0
"""After which a connection to a server is asked whether it still answers."""
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode

_SQLITE_TROUBLE = frozenset({5, 6, 7, 8, 10, 11, 13, 14, 15})
"""BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL."""

_DISK_TROUBLE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Of the folder of the evidence as well. A file that is not there is no such trouble but a mistake."""

_POSTGRESQL_TROUBLE = ("08", "25006", "40", "53", "55P03", "57", "58")
"""Connection, read-only (a standby), rolled back for another, resources, lock not available, operator, system."""

_UNIQUE_VIOLATION = "23505"

_ASYNCPG_TROUBLE = frozenset({"InterfaceError", "InternalClientError", "InvalidCachedStatementError"})
"""What asyncpg itself finds: a connection that is closed, plans that are older than a migration."""


def with_driver(url: str) -> str:
    """Return a database URL with the asynchronous driver that the counter uses named in it."""
    parsed = make_url(url)
    driver = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    drivername = driver.get(parsed.drivername, parsed.drivername)
    return parsed.set(drivername=drivername).render_as_string(hide_password=False)


class Unreachable(Exception):
    """The database could not be connected to."""


class Storage:
    """One database. ``transaction`` is the only way to write to it."""

    def __init__(self, url: str) -> None:
        self.url = with_driver(url)
        self.is_sqlite = make_url(self.url).get_backend_name() == "sqlite"
        self.engine = _engine(self.url, sqlite=self.is_sqlite)
        # SQLite has one writer: waiting here is fair and wakes at once, waiting inside SQLite sleeps and guesses
        self._writer = asyncio.Lock() if self.is_sqlite else None
        self._idle: list[tuple[float, Transaction]] = []

    @asynccontextmanager
    async def transaction(self, *, slow: bool = False) -> AsyncIterator[Transaction]:
        """Open a transaction that commits at the end of the block, or leaves nothing behind when the block raises.

        ``slow`` says that its statements touch many rows, so that nothing else may stand still meanwhile.
        """
        async with self._writer or nullcontext(), self._connected() as transaction:
            await transaction.begin(reads=False, slow=slow)
            yield transaction
            await transaction.commit()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """Open a transaction that only reads, beside any writer."""
        async with self._connected() as transaction:
            await transaction.begin(reads=True, slow=False)
            yield transaction
            await transaction.rollback()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Transaction]:
        """Lend a connection; what was begun on it and not committed leaves nothing behind."""
        transaction = await self._lent()
        try:
            yield transaction
        except Exception:
            if await _rolled_back(transaction):
                await self._keep(transaction)
            else:
                await _discard(transaction)
            raise
        except BaseException:  # broken off in the middle of nobody knows what
            await _discard(transaction)
            raise
        await self._keep(transaction)

    async def _keep(self, transaction: Transaction) -> None:
        if len(self._idle) < KEPT:
            self._idle.append((monotonic(), transaction))
        else:
            await transaction.connection.close()

    async def _lent(self) -> Transaction:
        while self._idle:
            since, transaction = self._idle.pop()
            if transaction.lost:
                await _discard(transaction)
                continue
            if self.is_sqlite or monotonic() - since < TRUSTED_SECONDS:
                return transaction
            await transaction.connection.close()  # the pool looks whether it still answers
        try:
            return await transaction_on(await self.engine.connect())
        except OSError as error:  # a driver lets the socket's own errors through
            raise Unreachable(type(error).__name__) from error

    async def forget_erased(self) -> None:
        """Let nothing that was erased be read beside the database any more: SQLite's log keeps it until then."""
        if self._writer is None:
            return
        async with self._writer, self._connected() as transaction:
            if isinstance(transaction, SqliteTransaction):
                await transaction.empty_log()

    async def close(self) -> None:
        """Give all connections back."""
        while self._idle:
            await self._idle.pop()[1].connection.close()
        await self.engine.dispose()


def _engine(url: str, *, sqlite: bool) -> AsyncEngine:
    if not sqlite:
        return create_async_engine(
            url,
            hide_parameters=True,
            isolation_level="AUTOCOMMIT",  # transactions are begun and ended by :class:`Transaction`
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=5,
            pool_timeout=10,
            connect_args={"timeout": 5, "command_timeout": 30},
        )

    long: set[str] = set()

    def connect(path: str, **_more: Any) -> InlineConnection:
        return InlineConnection(path, busy_timeout_ms=BUSY_TIMEOUT_MS, long=long)

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

    return engine


async def _rolled_back(transaction: Transaction) -> bool:
    try:
        await transaction.rollback()
    except Exception:  # the connection is of no use any more, and what was wrong with it is being raised already
        return False
    return True


async def _discard(transaction: Transaction) -> None:
    await transaction.connection.invalidate()
    await transaction.connection.close()


def is_trouble(error: BaseException) -> bool:
    """Whether ``error`` says that the database or its disk is in trouble, so that trying later may work.

    Anything else (a missing table, a broken constraint) is a mistake of the program, which a second try would repeat.
    """
    if isinstance(error, DBAPIError):
        if error.connection_invalidated or isinstance(error, InterfaceError):
            return True
        return _is_driver_trouble(error.orig)
    return isinstance(error, PoolTimeout | Unreachable) or _is_driver_trouble(error)


def is_collision(error: BaseException) -> bool:
    """Whether transactions stood in each other's way and the database has ended this one for the others."""
    sqlstate = getattr(getattr(error, "orig", None) or error, "sqlstate", None)
    return isinstance(sqlstate, str) and sqlstate.startswith("40")


def is_conflict(error: BaseException) -> bool:
    """Whether a row was refused because there is one like it."""
    return isinstance(error, sqlite3.IntegrityError) or getattr(error, "sqlstate", None) == _UNIQUE_VIOLATION


def _is_driver_trouble(error: BaseException | None) -> bool:
    sqlite_code = getattr(error, "sqlite_errorcode", None)
    if isinstance(sqlite_code, int):
        return sqlite_code & 0xFF in _SQLITE_TROUBLE
    if type(error).__module__.startswith("asyncpg.") and type(error).__name__ in _ASYNCPG_TROUBLE:
        return True
    sqlstate = getattr(error, "sqlstate", None)
    if isinstance(sqlstate, str):
        return sqlstate.startswith(_POSTGRESQL_TROUBLE)
    if isinstance(error, ConnectionError | TimeoutError):
        return True
    return isinstance(error, OSError) and error.errno in _DISK_TROUBLE


def to_json(value: Any) -> str:
    """Write JSON in ASCII: NUL and lone surrogates, which PostgreSQL refuses, are escaped."""
    return _ENCODE(value)
