"""A monkey at the whole counter: whatever anybody presses, writes or sends, nothing breaks and nobody is stuck."""

from __future__ import annotations

import asyncio
import logging
import os
import random
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from domain.people.model import Role
from tests.support.counter import Stage, stage
from tests.support.monkey import Monkey, buttons_of
from tests.support.phone import Json
from tests.support.scenes import joins
from tests.support.towns import CACERES, CHAPADA, PELOTAS

ACTS = int(os.environ.get("MONKEY_ACTS", "5000"))
SEED = os.environ.get("MONKEY_SEED", "balcao")
LANGUAGES = ("pt-br", "pt-br", "en", "es", "en-GB", "pt", "fr")
PASSERS_BY = 14
STAFF = ((Role.REGISTRY, CACERES), (Role.OMBUDSMAN, CACERES), (Role.MANAGER, PELOTAS), (Role.INSPECTOR, CHAPADA))


def leads_on(message: Json, keyboard: Json | None) -> bool:
    """Whether a chat's newest message has a way out: its buttons, the keyboard below, or a command in its words."""
    words = str(message.get("text", "")).split()
    return bool(buttons_of(message) or keyboard) or any(word.lstrip("(“").startswith("/") for word in words)


async def looks_at_every_phone(set_up: Stage, monkeys: list[Monkey]) -> None:
    """Check that every press was answered, Telegram had nothing to complain of, and every screen leads on."""
    await set_up.settles()
    log = await set_up.phones.log()
    assert log["errors"] == []
    assert log["unanswered_callbacks"] == []
    for monkey in monkeys:
        keyboard = set_up.sandbox.world.phone(monkey.phone.id).reply_keyboard
        assert leads_on(monkey.newest(), keyboard), monkey.story()


async def test_thousands_of_random_acts_break_nothing(
    sqlite_database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Many people, eight of them staff, in three languages: no exception, no silence, no Bot API error, no dead end."""
    caplog.set_level(logging.ERROR)
    async with stage(sqlite_database, tmp_path, register=None) as set_up:
        with capture_logs() as logs:
            phones = [
                await set_up.phones.add(f"Pessoa {at}", language_code=LANGUAGES[at % len(LANGUAGES)])
                for at in range(PASSERS_BY)
            ]
            phones += [await joins(set_up, f"{role.value} {at}", town, role) for role, town in STAFF for at in (1, 2)]
            for phone in phones:
                await phone.sends("/start")
            world = set_up.sandbox.world
            monkeys = [Monkey(phone, world, f"{SEED} {at}", others=phones) for at, phone in enumerate(phones)]
            dice = random.Random(SEED)
            while sum(monkey.acts for monkey in monkeys) < ACTS:
                await asyncio.gather(*(monkey.acts_once() for monkey in monkeys))
                await looks_at_every_phone(set_up, monkeys)
                assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []
                if dice.random() < 0.04:
                    await set_up.phones.moves_clock(hours=dice.choice((1, 12, 24 * 8, 24 * 40)))
        assert await set_up.rows("inbox", state="failed") == 0
        assert await set_up.rows("inbox", state="pending") == 0
    assert [record.getMessage() for record in caplog.records] == []
