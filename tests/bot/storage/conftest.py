"""Fresh databases of both kinds."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.storage.engine import Storage
from tests.support.builders import laws
from tests.support.databases import POSTGRESQL, SQLITE, Databases, DatabaseStore


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database this test runs on."""
    name: str = request.param
    return name


@pytest.fixture
def address(kind: str, databases: Databases) -> str:
    """Where this test's database is."""
    return databases.new(kind)


@pytest.fixture
async def storage(address: str) -> AsyncIterator[Storage]:
    """A migrated database."""
    opened = Storage(address)
    yield opened
    await opened.close()


@pytest.fixture
def store(storage: Storage) -> DatabaseStore:
    """The ports on it."""
    return DatabaseStore(storage, laws())
