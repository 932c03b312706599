"""Of all processes on one database, one sends and sweeps: pace and order inside a chat can only be kept by one."""

from __future__ import annotations

import fcntl
from pathlib import Path
from time import monotonic
from typing import IO

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.engine import Storage, is_trouble

TRUSTED_SECONDS = 0.5
"""After which the server is asked again whether the lock is still held."""
_LOCK = (1 << 62) + 2  # beside the migrations' lock and beyond every chat's


class Lead:
    """A lock that the system gives back when the process dies, however it dies."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._connection: AsyncConnection | None = None
        self._file: IO[bytes] | None = None
        self._asked_at = 0.0

    async def held(self) -> bool:
        """Whether this process leads; it takes the lead when nobody has it."""
        if self._storage.is_sqlite:
            return self._hold_file()
        try:
            if self._connection is not None:
                if monotonic() - self._asked_at > TRUSTED_SECONDS:
                    await self._connection.execute(text("SELECT 1"))
                    self._asked_at = monotonic()
                return True
            connection = self._connection = await self._storage.engine.connect()
            if await connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK}):
                self._asked_at = monotonic()
                return True
            self._connection = None
            await connection.close()
        except Exception as error:
            if not is_trouble(error):
                raise
            lost, self._connection = self._connection, None
            if lost is not None:
                await lost.invalidate()
                await lost.close()
        return False

    async def release(self) -> None:
        """Let another process lead."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._connection is not None:
            await self._connection.invalidate()  # closing the session gives the lock back; the pool would keep both
            await self._connection.close()
            self._connection = None

    def _hold_file(self) -> bool:
        if self._file is not None:
            return True
        database = make_url(self._storage.url).database
        if not database or database == ":memory:":
            return True
        lock = Path(f"{database}.lead").open("wb")  # noqa: SIM115 - held as long as the process leads
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return False
        self._file = lock
        return True
