"""The people of an invented city, on an empty counter in memory."""

from __future__ import annotations

import pytest

from tests.support.desk import Cast, Desk, everybody, open_desk


@pytest.fixture
def desk() -> Desk:
    """An empty counter."""
    return open_desk()


@pytest.fixture
async def cast(desk: Desk) -> Cast:
    """Everybody has spoken to the bot once."""
    return await everybody(desk)
