"""One open transaction: statements made once go to the driver as they are, all others through SQLAlchemy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.inline import InlineConnection
from bot.storage.statement import Statement

Values = Sequence[Any]


class Unit(Protocol):
    """A transaction as repositories see it."""

    async def all(self, statement: Statement, /, **values: Any) -> list[Any]:
        """Return the rows of a statement, with names."""

    async def one(self, statement: Statement, /, **values: Any) -> Any:
        """Return the first row of a statement, ``None`` when there is none."""

    async def change(self, statement: Statement, /, **values: Any) -> int:
        """Run a statement that returns no rows; return how many it met."""

    async def each(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a statement that returns no rows once for each of ``rows``."""


class NotCommitted(Exception):
    """The database ended a transaction without keeping it: a statement had failed and nobody had said so."""


class Transaction(ABC):
    """A transaction as one unit, on a connection that is used for one after the other.

    ``connection`` is SQLAlchemy's, for statements that are made as they are needed.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self._dialect = connection.dialect

    @property
    @abstractmethod
    def lost(self) -> bool:
        """Whether its connection is known to be of no use any more."""

    def writes(self, statement: Statement) -> bool:
        """Whether a statement changes anything."""
        return statement.on(self._dialect).writes

    async def all(self, statement: Statement, /, **values: Any) -> list[Any]:
        ready = statement.on(self._dialect)
        return ready.rows(await self.fetch(ready.sql, ready.values(values)))

    async def one(self, statement: Statement, /, **values: Any) -> Any:
        found = await self.all(statement, **values)
        return found[0] if found else None

    async def change(self, statement: Statement, /, **values: Any) -> int:
        ready = statement.on(self._dialect)
        return await self._change(ready.sql, ready.values(values))

    async def each(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        ready = statement.on(self._dialect)
        await self._each(ready.sql, [ready.values(row) for row in rows])

    async def execute(self, statement: Executable, values: Any = None) -> Any:
        """Run a statement that was made for this once; return SQLAlchemy's result."""
        return await self.connection.execute(statement, values)

    async def scalar(self, statement: Executable, values: Any = None) -> Any:
        """Return the first value of the first row of such a statement."""
        return await self.connection.scalar(statement, values)

    @abstractmethod
    async def begin(self, *, reads: bool, slow: bool) -> None:
        """Begin; ``slow`` says that its statements touch many rows, so that nothing else may stand still meanwhile."""

    @abstractmethod
    async def commit(self) -> None:
        """Make it last.

        Raises:
            NotCommitted: It did not.
        """

    @abstractmethod
    async def rollback(self) -> None:
        """Leave nothing of it."""

    @abstractmethod
    async def mark(self) -> None:
        """Begin a part that can be taken back."""

    @abstractmethod
    async def keep(self) -> None:
        """Keep the part."""

    @abstractmethod
    async def undo(self) -> None:
        """Take the part back."""

    @abstractmethod
    async def fetch(self, sql: str, values: Values) -> Sequence[Values]:
        """Return the rows of a statement as the driver has them."""

    @abstractmethod
    async def _change(self, sql: str, values: Values) -> int: ...

    @abstractmethod
    async def _each(self, sql: str, rows: Sequence[Values]) -> None: ...


class SqliteTransaction(Transaction):
    """On a file of this machine: statements run in the event loop, the commit in a thread."""

    def __init__(self, connection: AsyncConnection, driver: InlineConnection) -> None:
        super().__init__(connection)
        self._driver = driver

    @property
    def lost(self) -> bool:
        return False

    async def begin(self, *, reads: bool, slow: bool) -> None:
        self._driver.apart = slow
        # a transaction that reads first and writes later could not be given the lock any more: ask for it at once
        await self._driver.fetch("BEGIN" if reads else "BEGIN IMMEDIATE", ())

    async def commit(self) -> None:
        if not self._driver.in_transaction:
            raise NotCommitted
        await self._driver.commit()
        self._driver.apart = False
        await _forget(self.connection)

    async def rollback(self) -> None:
        await self._driver.rollback()
        self._driver.apart = False
        await _forget(self.connection)

    async def mark(self) -> None:
        self._driver.at_once("SAVEPOINT part")

    async def keep(self) -> None:
        self._driver.at_once("RELEASE part")

    async def undo(self) -> None:
        self._driver.at_once("ROLLBACK TO part")
        self._driver.at_once("RELEASE part")

    def last_number(self) -> int:
        """Return the number of the row inserted last."""
        return self._driver.last_number()

    async def empty_log(self) -> None:
        """Bring what was committed from the log beside the database into it, and leave the log empty."""
        await self._driver.empty_log()

    async def fetch(self, sql: str, values: Values) -> Sequence[Values]:
        return (await self._driver.fetch(sql, values))[0]

    async def _change(self, sql: str, values: Values) -> int:
        return (await self._driver.fetch(sql, values))[1]

    async def _each(self, sql: str, rows: Sequence[Values]) -> None:
        await self._driver.each(sql, rows)


class PostgresqlTransaction(Transaction):
    """On asyncpg's own connection, which keeps its statements prepared; SQLAlchemy leaves its transactions alone."""

    def __init__(self, connection: AsyncConnection, driver: Any) -> None:
        super().__init__(connection)
        self._driver = driver

    @property
    def lost(self) -> bool:
        closed: bool = self._driver.is_closed()
        return closed

    async def begin(self, *, reads: bool, slow: bool) -> None:
        await self._driver.execute("BEGIN READ ONLY" if reads else "BEGIN")

    async def commit(self) -> None:
        ended = await self._driver.execute("COMMIT")
        await _forget(self.connection)
        if ended != "COMMIT":
            raise NotCommitted(ended)

    async def rollback(self) -> None:
        await self._driver.execute("ROLLBACK")
        await _forget(self.connection)

    async def mark(self) -> None:
        await self._driver.execute("SAVEPOINT part")

    async def keep(self) -> None:
        await self._driver.execute("RELEASE SAVEPOINT part")

    async def undo(self) -> None:
        await self._driver.execute("ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")

    async def fetch(self, sql: str, values: Values) -> Sequence[Values]:
        found: Sequence[Values] = await self._driver.fetch(sql, *values)
        return found

    async def _change(self, sql: str, values: Values) -> int:
        return int((await self._driver.execute(sql, *values)).rpartition(" ")[2])  # "UPDATE 3", "INSERT 0 1"

    async def _each(self, sql: str, rows: Sequence[Values]) -> None:
        await self._driver.executemany(sql, rows)


async def transaction_on(connection: AsyncConnection) -> Transaction:
    """Return what runs transactions on a connection."""
    driver = (await connection.get_raw_connection()).driver_connection
    if isinstance(driver, InlineConnection):
        return SqliteTransaction(connection, driver)
    return PostgresqlTransaction(connection, driver)


async def _forget(connection: AsyncConnection) -> None:
    """Let SQLAlchemy forget what it ran: it took part in the transaction and did not know it."""
    if connection.in_transaction():
        await connection.rollback()
