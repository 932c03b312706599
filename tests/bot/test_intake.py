"""Asking Telegram for updates, and what is said when that is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import structlog
from telegram import Bot

from bot.app import Counter
from bot.files import Attachment, attachment_of
from bot.intake import received_from
from bot.request import AiohttpRequest
from bot.settings import SettingsError, load_settings
from bot.storage.journal import IGNORED
from domain.files.model import FileKind
from tests.support.builders import laws
from tests.support.counter import SECRET, TOKEN, Stage, settings_for, stage
from tests.support.tiny import register


async def test_another_process_on_the_token_is_told_in_one_sentence_and_survived(sqlite_stage: Stage) -> None:
    """Somebody else polls: the log says so, and Ana is served when they stop."""
    ana = await sqlite_stage.phones.add("Ana")
    with structlog.testing.capture_logs() as logs:
        async with Bot(TOKEN, base_url=f"{sqlite_stage.sandbox.url}/bot", request=AiohttpRequest()) as other:
            await other.get_updates(timeout=0)
            async with asyncio.timeout(5):
                while True:
                    if any(entry.get("code") == "conflict" for entry in logs):
                        break
                    await asyncio.sleep(0.01)
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    said = [entry["event"] for entry in logs if entry.get("code") == "conflict"]
    assert said == ["another process asks for this bot's updates; only one may"]


async def test_a_webhook_left_from_before_does_not_stop_the_asking(sqlite_database: str, tmp_path: Path) -> None:
    """The city went from webhook to polling: the old address is taken back at the start."""
    async with stage(sqlite_database, tmp_path, laws=laws(), open_at_once=False) as set_up:
        async with Bot(TOKEN, base_url=f"{set_up.sandbox.url}/bot", request=AiohttpRequest()) as before:
            await before.set_webhook("http://127.0.0.1:1/hook")
        await set_up.opens()
        ana = await set_up.phones.add("Ana")
        await ana.sends("oi")
        await ana.sees("1. oi (1)")


@pytest.mark.parametrize("answer", [b"<html>", b'{"ok": true}', b'{"ok": true, "result": [{"message": {}}]}'])
async def test_an_answer_that_is_none_leaves_nobody_unheard(
    sqlite_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    """Something between us and Telegram answers in its place for a moment: Ana is heard afterwards."""
    retrieve, strange = AiohttpRequest.retrieve, iter([answer])

    async def interfered(*given: Any, **more: Any) -> bytes:
        for instead in strange:
            return instead
        return await retrieve(*given, **more)

    monkeypatch.setattr(AiohttpRequest, "retrieve", interfered)
    async with stage(sqlite_database, tmp_path, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("oi")
        await ana.sees("1. oi (1)")


def test_whatever_an_update_says_of_itself_is_read_or_refused() -> None:
    """A chat that no database could keep, or a photo of no size, stops nobody who comes after it."""
    message: dict[str, Any] = {"chat": {"id": 2**70, "type": "private"}, "photo": [7, {"width": "wide"}]}
    assert received_from({"update_id": 1, "message": message}).state == IGNORED
    assert attachment_of({"message": message}) is None
    message["photo"].append({"file_id": "x", "width": None, "file_size": "big", "file_name": 4})
    assert attachment_of({"message": message}) == Attachment(FileKind.PHOTO, "x", 0, "")


async def test_a_token_of_nobody_ends_the_start(sqlite_stage: Stage, tmp_path: Path) -> None:
    """A mistyped token: one sentence names the variable."""
    values = {"TELEGRAM_BOT_TOKEN": "4200001:another-token-of-nobody", "BALCAO_SECRET_KEY": SECRET}
    settings = load_settings(
        {**values, "TELEGRAM_API_URL": sqlite_stage.sandbox.url, "BALCAO_DATA_DIR": tmp_path / "other"}
    )
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        async with Counter(settings, register=register, laws=laws()):
            pass


async def test_telegram_may_come_later_than_the_counter(
    sqlite_stage: Stage, sqlite_database: str, tmp_path: Path
) -> None:
    """Telegram fails at the start: the counter opens as soon as it answers."""
    await sqlite_stage.closes()
    await sqlite_stage.phones.fault("getMe", status=502, times=2)
    settings = settings_for(sqlite_stage.sandbox, sqlite_database, tmp_path)
    ana = await sqlite_stage.phones.add("Ana")
    async with Counter(settings, register=register, laws=laws()):
        await ana.sends("oi")
        await ana.sees("1. oi (1)")
