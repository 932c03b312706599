"""The one statement that the two databases spell in dialects of their own."""

from __future__ import annotations

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_or(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that can say ``on_conflict_do_...`` on this connection's database."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)
