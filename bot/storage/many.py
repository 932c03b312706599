"""One statement and many rows. SQLite's driver is given them as they are: SQLAlchemy would look at every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import UpdateBase

from bot.storage.inline import InlineConnection


class Many:
    """A prepared ``statement``; ``names`` are what each row gives, every row all of them."""

    def __init__(self, statement: UpdateBase, names: Sequence[str]) -> None:
        self._statement: Executable = statement
        compiled: Any = statement.compile(dialect=sqlite.dialect(paramstyle="qmark"), column_keys=list(names))
        self._sql = str(compiled)
        fixed: dict[str, Any] = compiled.params
        self._places = [(name, None if name in names else fixed[name]) for name in compiled.positiontup]
        self._given = frozenset(names)

    async def run(
        self, connection: AsyncConnection | None, inline: InlineConnection | None, rows: Sequence[Mapping[str, Any]]
    ) -> int:
        """Run it inside the open transaction of either connection; return how many rows it met, -1 when unknown."""
        if inline is not None:
            ready = [
                tuple(_plain(row[name]) if name in self._given else value for name, value in self._places)
                for row in rows
            ]
            return (await inline.cursor().executemany(self._sql, ready)).rowcount
        if connection is None:
            raise ValueError("no connection to run it on")
        return (await connection.execute(self._statement, list(rows))).rowcount


def _plain(value: Any) -> Any:
    return _instant(value) if isinstance(value, datetime) else value


@lru_cache(maxsize=64)
def _instant(value: datetime) -> str:
    """Write an instant as the tables' own type does."""
    if value.tzinfo is None:
        raise ValueError("an instant without a zone cannot be stored")
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
