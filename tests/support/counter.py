"""A whole counter for a test: the local Bot API over HTTP on one side, a real database on the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import func, select

from bot.app import Counter, Register
from bot.clock import MovableClock
from bot.pace import Pace
from bot.sandbox.server import Sandbox
from bot.settings import Settings, load_settings
from bot.storage import tables as t
from domain.law.loader import Laws
from domain.people.model import Role
from domain.people.service import InviteStaff
from tests.support import tiny
from tests.support.phone import Phones

TOKEN = "4200001:sandbox-token-of-the-tests"
SECRET = "a secret of the tests, which is long enough"


def settings_for(sandbox: Sandbox, address: str, folder: Path, **more: Any) -> Settings:
    """Return the settings of a counter between ``sandbox`` and the database at ``address``."""
    return load_settings(
        {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_URL": sandbox.url,
            "DATABASE_URL": address,
            "BALCAO_DATA_DIR": folder,
            "BALCAO_SECRET_KEY": SECRET,
            **more,
        }
    )


@dataclass
class Stage:
    """A sandbox with its people, a counter that can be stopped and started again, and their common clock."""

    sandbox: Sandbox
    phones: Phones
    settings: Settings
    clock: MovableClock
    register: Register | None
    laws: Laws | None
    pace: Pace | None
    counter: Counter | None = None

    async def opens(self) -> Counter:
        """Open the counter."""
        counter = Counter(self.settings, clock=self.clock, register=self.register, laws=self.laws, pace=self.pace)
        await counter.start()
        self.counter = counter
        return counter

    async def closes(self) -> None:
        """Close it."""
        counter, self.counter = self.counter, None
        if counter is not None:
            await counter.stop()

    async def invites(self, city: str, role: Role) -> str:
        """Write a one-time invitation as ``balcao staff invite`` does; what stands behind ``?start=`` in its link."""
        assert self.counter is not None
        async with self.counter.storage.transaction() as connection:
            services = self.counter.binder.for_unit(connection, now=self.clock.now())
            return (await services.invite_staff(InviteStaff(city=city, role=role))).payload

    async def moves(self, target: datetime) -> None:
        """Let time pass until ``target``, with everything that falls due on the way."""
        assert self.counter is not None
        await self.counter.clockwork.run_due(target)

    async def settles(self, *, within: float = 10.0) -> None:
        """Wait until everything that people did is stored, handled and answered."""
        assert self.counter is not None
        async with asyncio.timeout(within):
            while self.sandbox.world.updates.pending(1):  # noqa: ASYNC110 - the sandbox has no word for it
                await asyncio.sleep(0.001)
            await self.counter.idle()

    async def until(self, table: str, *, within: float = 10.0, **where: Any) -> None:
        """Wait until a table of the running counter has such a row."""
        async with asyncio.timeout(within):
            while not await self.rows(table, **where):  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.01)

    async def rows(self, table: str, **where: Any) -> int:
        """Count rows of a table of the running counter."""
        assert self.counter is not None
        found = t.metadata.tables[table]
        statement = select(func.count()).select_from(found)
        for name, value in where.items():
            statement = statement.where(found.c[name] == value)
        async with self.counter.storage.reading() as connection:
            return int(await connection.scalar(statement) or 0)


@asynccontextmanager
async def stage(
    address: str,
    folder: Path,
    *,
    register: Register | None = tiny.register,
    laws: Laws | None = None,
    pace: Pace | None = None,
    sandbox_pace: bool = False,
    open_at_once: bool = True,
    start: datetime | None = None,
    **settings: Any,
) -> AsyncIterator[Stage]:
    """Set the stage; without ``register`` the counter is the product's own. It is now, or ``start``."""
    set_up: Stage

    async def move(target: datetime) -> None:
        await set_up.moves(target)

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    clock = MovableClock(start=start)
    sandbox = Sandbox(token=TOKEN, clock=clock, pace=sandbox_pace, on_clock_move=move)
    await sandbox.start()
    try:
        async with Phones(sandbox.url) as phones:
            set_up = Stage(
                sandbox,
                phones,
                settings_for(sandbox, address, folder, **settings),
                clock,
                register,
                laws,
                pace or Pace(factor=1000),
            )
            try:
                if open_at_once:
                    await set_up.opens()
                yield set_up
            finally:
                await set_up.closes()
    finally:
        await sandbox.stop()
