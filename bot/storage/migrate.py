"""Brings the schema up to date, or back, from the migrations inside the package."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from bot.storage.engine import Storage

_ADDRESS = "BALCAO_MIGRATE"  # in the environment, where a password is not listed with the processes
_LOCK = (1 << 62) + 1  # no chat has such a number, so no chat's lock is ever this one


def newest() -> str:
    """Return the revision of the newest migration; they are numbered in order."""
    names = [entry.name for entry in files("bot.storage.migrations.versions").iterdir()]
    return max(name[1:5] for name in names if name.startswith("v") and name.endswith(".py"))


async def current(storage: Storage) -> str | None:
    """Return the revision of the database; None when it is empty."""
    try:
        async with storage.reading() as transaction:
            found: str | None = await transaction.scalar(text("SELECT version_num FROM alembic_version"))
            return found
    except DBAPIError as error:
        if "alembic_version" in str(error.orig):
            return None
        raise


async def migrate(storage: Storage, target: str = "head") -> bool:
    """Move the schema to ``target`` (a number, ``head`` or ``base``) in one transaction; say whether anything moved.

    Processes that start together wait for each other, so each migration runs once.
    """
    if target == "head" and await current(storage) == newest():
        return False
    async with storage.transaction() as transaction:
        if not storage.is_sqlite:
            await transaction.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        return await transaction.connection.run_sync(_move, target)


class MigrationFailed(Exception):
    """The process that was to bring the schema up to date did not; the message is the name of its error."""


async def migrate_apart(storage: Storage) -> bool:
    """Bring the schema up to date in a process of its own, so that what Alembic needs is given back with it.

    Raises:
        MigrationFailed: It could not be done.
    """
    if await current(storage) == newest():
        return False
    apart = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        env={**os.environ, _ADDRESS: storage.url},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    said, _ = await apart.communicate()
    if apart.returncode:
        raise MigrationFailed(said.decode().strip() or f"status {apart.returncode}")
    return True


async def _apart() -> int:
    from bot.storage.engine import Storage

    storage = Storage(os.environ[_ADDRESS])
    try:
        await migrate(storage)
    except Exception as error:
        print(type(getattr(error, "orig", None) or error).__name__)
        return 1
    finally:
        await storage.close()
    return 0


def _move(connection: Connection, target: str) -> bool:
    # Alembic is needed seldom and costs a third of a second and ten megabytes: it is imported only then
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext

    before = MigrationContext.configure(connection).get_current_revision()
    with as_file(files("bot.storage.migrations")) as scripts:
        config = Config()
        config.set_main_option("script_location", str(scripts).replace("%", "%%"))
        config.attributes["connection"] = connection
        if target == "base" or (before is not None and target.isdigit() and target < before):
            command.downgrade(config, target)
        else:
            command.upgrade(config, target)
    return MigrationContext.configure(connection).get_current_revision() != before


if __name__ == "__main__":
    sys.exit(asyncio.run(_apart()))
