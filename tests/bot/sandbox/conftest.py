"""A sandbox with a clock that a test moves, the real ``telegram.Bot`` on it, and raw HTTP beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import aiohttp
import pytest
from PIL import Image
from telegram import Bot

from bot.sandbox.server import Sandbox
from tests.support.phone import Phone, Phones

TOKEN = "4200001:sandbox-token-for-tests"

Raw = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """The test's time."""
        return self.at

    def move(self, step: timedelta) -> None:
        """Let time pass."""
        self.at += step


@pytest.fixture(autouse=True)
def durations_as_timedelta(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's newer form, without its warnings about the older."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
def clock() -> Clock:
    """The sandbox's clock."""
    return Clock()


@pytest.fixture
async def sandbox(clock: Clock) -> AsyncIterator[Sandbox]:
    """A running sandbox in which nobody is yet."""

    async def move(target: datetime) -> None:
        clock.at = target

    async def seed() -> None:
        server.world.add_phone("Semente", label="Motorista")

    server = Sandbox(token=TOKEN, clock=clock, on_restart=seed, on_clock_move=move, first_retry=0.01)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[Bot]:
    """The unmodified library, speaking to the sandbox."""
    async with Bot(TOKEN, base_url=f"{sandbox.url}/bot", base_file_url=f"{sandbox.url}/file/bot") as bot:
        yield bot


@pytest.fixture
async def phones(sandbox: Sandbox) -> AsyncIterator[Phones]:
    """The people."""
    async with Phones(sandbox.url) as phones:
        yield phones


@pytest.fixture
async def ana(phones: Phones) -> Phone:
    """Ana has written to the bot."""
    ana = await phones.add("Ana")
    await ana.sends("/start")
    return ana


@pytest.fixture
async def http(sandbox: Sandbox) -> AsyncIterator[aiohttp.ClientSession]:
    """Plain HTTP to the sandbox."""
    async with aiohttp.ClientSession(sandbox.url) as session:
        yield session


@pytest.fixture
def raw(http: aiohttp.ClientSession) -> Raw:
    """Call a method with a JSON body; Telegram's answer as it is."""

    async def call(method: str, **params: object) -> dict[str, Any]:
        async with http.post(f"/bot{TOKEN}/{method}", json=params) as response:
            body: dict[str, Any] = await response.json()
            assert response.status == (200 if body["ok"] else body["error_code"])
            return body

    return call


def picture(width: int = 1600, height: int = 1200, form: str = "JPEG") -> bytes:
    """A real picture of this size."""
    out = BytesIO()
    Image.new("RGB", (width, height), (40, 90, 160)).save(out, form)
    return out.getvalue()


@pytest.fixture
def photo() -> bytes:
    """A JPEG as a phone takes it."""
    return picture()
