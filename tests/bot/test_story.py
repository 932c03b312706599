"""One update's way from the phone to the answer, over HTTP and on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.builders import laws
from tests.support.counter import Stage, stage


@pytest.fixture
async def open_stage(database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """A running counter with tiny handlers."""
    async with stage(database, tmp_path, laws=laws()) as set_up:
        yield set_up


async def test_ana_is_answered(open_stage: Stage) -> None:
    """Ana writes twice and is answered twice, in order; nothing that she wrote stays in inbox or outbox."""
    ana = await open_stage.phones.add("Ana")
    await ana.sends("bom dia")
    await ana.sees("1. bom dia (1)")
    await ana.sends("boa tarde")
    await ana.sees("2. boa tarde (2)")
    assert open_stage.counter is not None
    await open_stage.counter.idle()
    assert await open_stage.rows("inbox", state="handled", payload="") == 2
    assert await open_stage.rows("outbox", state="delivered", payload="") == 2
