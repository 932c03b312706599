"""What all tests share: one PostgreSQL and migrated templates for the whole session."""

from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import pytest

from tests.support.databases import POSTGRESQL, SQLITE, Databases

# a busy machine is no reason to fail: only what is claimed is
hypothesis.settings.register_profile(
    "balcao", deadline=None, suppress_health_check=list(hypothesis.HealthCheck), database=None
)
hypothesis.settings.load_profile("balcao")


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """Templates and a server for the session."""
    made = Databases()
    yield made
    made.close()


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def database(request: pytest.FixtureRequest, databases: Databases) -> str:
    """The address of a fresh database; the test runs on each kind."""
    return databases.new(request.param)


@pytest.fixture
def sqlite_database(databases: Databases) -> str:
    """The address of a fresh SQLite database, for what has nothing to do with the kind."""
    return databases.new(SQLITE)


@pytest.fixture
def postgresql_database(databases: Databases) -> str:
    """The address of a fresh PostgreSQL database, for what only several writers can meet."""
    return databases.new(POSTGRESQL)
