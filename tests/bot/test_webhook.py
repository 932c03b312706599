"""Telegram calls us: 200 when the update is stored, and only then."""

from __future__ import annotations

import errno
import socket
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.storage.journal import Journal
from bot.webhook import SECRET_HEADER
from tests.support.builders import laws
from tests.support.counter import stage

HOOK: dict[str, Any] = {"WEBHOOK_SECRET": "a-secret_1"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_ana_is_served_through_the_webhook(database: str, tmp_path: Path) -> None:
    """Updates come by HTTP with the secret; Ana and Bia are answered in order."""
    port = free_port()
    hook = HOOK | {"WEBHOOK_URL": f"http://127.0.0.1:{port}/hook", "PORT": str(port)}
    async with stage(database, tmp_path, laws=laws(), **hook) as set_up:
        phones = [await set_up.phones.add(name) for name in ("Ana", "Bia")]
        for line in range(5):
            for phone in phones:
                set_up.sandbox.world.send_text(phone.id, f"linha {line}")
        for phone in phones:
            await phone.sees("linha 4 (5)")
            said = [screen.text.partition(". ")[2] for screen in phone.history() if screen.by_bot]
            assert said == [f"linha {line} ({line + 1})" for line in range(5)]


async def test_who_is_not_telegram_is_turned_away(sqlite_database: str, tmp_path: Path) -> None:
    """Without the secret, with a wrong one, without JSON or with too much of it: nothing is stored."""
    port = free_port()
    hook = HOOK | {"WEBHOOK_URL": f"http://127.0.0.1:{port}/hook", "PORT": str(port)}
    async with stage(sqlite_database, tmp_path, laws=laws(), **hook) as set_up, aiohttp.ClientSession() as http:
        url, right = f"http://127.0.0.1:{port}/hook", {SECRET_HEADER: "a-secret_1"}

        async def post(data: bytes, headers: dict[str, str]) -> int:
            async with http.post(url, data=BytesIO(data), headers=headers) as answer:
                return answer.status

        update = b'{"update_id": 5, "message": {"chat": {"id": 5, "type": "private"}}}'
        assert await post(update, {}) == 403
        assert await post(update, {SECRET_HEADER: "ção"}) == 403
        assert await post(b"not json", right) == 400
        assert await post(b"[1]", right) == 400
        assert await post(b'{"update_id": "x"}', right) == 400
        assert await post(b" " * 2_000_000, right) == 413
        assert await set_up.rows("inbox") == 0


async def test_what_could_not_be_stored_is_not_acknowledged(
    sqlite_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fails for a moment: Telegram gets a 500, sends the update again, and Ana is served once."""
    port = free_port()
    hook = HOOK | {"WEBHOOK_URL": f"http://127.0.0.1:{port}/hook", "PORT": str(port)}
    store, failures = Journal.store, iter([OSError(errno.ENOSPC, "disk full")] * 2)

    async def fail_twice(*args: object, **kwargs: object) -> None:
        error = next(failures, None)
        if error is not None:
            raise error
        await store(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "store", fail_twice)
    async with stage(sqlite_database, tmp_path, laws=laws(), **hook) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("oi")
        await ana.sees("1. oi (1)")
        assert await set_up.rows("inbox") == 1


async def test_a_press_is_answered_in_the_response(database: str, tmp_path: Path) -> None:
    """Ana presses: the answer goes back with Telegram's own call, no outbox holds it, and it does not come twice."""
    port = free_port()
    hook = HOOK | {"WEBHOOK_URL": f"http://127.0.0.1:{port}/hook", "PORT": str(port)}
    async with stage(database, tmp_path, laws=laws(), **hook) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("/botao")
        await ana.sees("Aperte")
        assert await ana.presses("Editar") == ""
        await ana.sees("Editado")
        await set_up.settles()
        assert await set_up.rows("outbox", kind="toast") == 0
        assert await set_up.rows("inbox", state="handled") == 2


async def test_a_press_that_comes_again_is_answered_again_and_done_once(sqlite_database: str, tmp_path: Path) -> None:
    """The response was lost on its way: when Telegram repeats the press, its waiting ends, and nothing is done anew."""
    port = free_port()
    hook = HOOK | {"WEBHOOK_URL": f"http://127.0.0.1:{port}/hook", "PORT": str(port)}
    async with stage(sqlite_database, tmp_path, laws=laws(), **hook) as set_up, aiohttp.ClientSession() as http:
        ana = await set_up.phones.add("Ana")
        await ana.sends("/botao")
        await ana.sees("Aperte")
        chat = {"id": ana.id, "type": "private", "first_name": "Ana"}
        message = {"message_id": 2, "date": 1_790_000_000, "chat": chat, "text": "Aperte"}
        sender = {"id": ana.id, "is_bot": False, "first_name": "Ana"}
        pressed = {"id": "77", "from": sender, "chat_instance": "1", "message": message, "data": "edit"}
        update = {"update_id": 7_000_000, "callback_query": pressed}
        headers = {SECRET_HEADER: "a-secret_1"}
        answers = []
        for _ in range(2):
            async with http.post(f"http://127.0.0.1:{port}/hook", json=update, headers=headers) as response:
                answers.append(await response.json())
        await set_up.settles()
        assert answers == [{"method": "answerCallbackQuery", "callback_query_id": "77"}] * 2
        assert await set_up.rows("outbox", kind="edit") == 1
