"""One suite, three stores: in memory, SQLite and PostgreSQL must not be told apart."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.storage.engine import Storage
from tests.support.builders import Counter, laws, memory
from tests.support.databases import POSTGRESQL, SQLITE, Databases, DatabaseStore
from tests.support.stores import Store


@pytest.fixture(params=["memory", SQLITE, POSTGRESQL])
def address(request: pytest.FixtureRequest, databases: Databases) -> str | None:
    """Where this test's database is; ``None`` in memory."""
    return None if request.param == "memory" else databases.new(request.param)


@pytest.fixture
async def store(address: str | None) -> AsyncIterator[Store]:
    """An empty store."""
    if address is None:
        yield memory()
        return
    storage = Storage(address)
    yield DatabaseStore(storage, laws())
    await storage.close()


@pytest.fixture
def counter(store: Store) -> Counter:
    """A counter on this test's store."""
    return Counter(store)
