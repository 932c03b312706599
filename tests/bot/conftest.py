"""A running counter with tiny handlers between a local Bot API server and a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.builders import laws
from tests.support.counter import Stage, stage


@pytest.fixture
async def tiny_stage(database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """On each kind of database."""
    async with stage(database, tmp_path, laws=laws()) as set_up:
        yield set_up


@pytest.fixture
async def sqlite_stage(sqlite_database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """On SQLite alone, for what has nothing to do with the database."""
    async with stage(sqlite_database, tmp_path, laws=laws()) as set_up:
        yield set_up
