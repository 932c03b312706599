"""Calls on the wire: every form that Telegram accepts, and nothing that its signatures do not know."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import aiohttp
import pytest
from telegram import Bot
from telegram.error import InvalidToken, NetworkError, RetryAfter

from bot.sandbox.methods import HANDLERS
from bot.sandbox.server import Sandbox
from bot.sandbox.wire import methods
from tests.bot.sandbox.conftest import TOKEN, Raw
from tests.support.phone import Phone, Phones

ACTED_ON = """
answerCallbackQuery copyMessage deleteMessage deleteMessages deleteMyCommands deleteWebhook editMessageCaption
editMessageReplyMarkup editMessageText forwardMessage getChat getChatMember getChatMenuButton getFile getMe
getMyCommands getMyDescription getMyName getMyShortDescription getUpdates getUserProfilePhotos getWebhookInfo
pinChatMessage sendAudio sendChatAction sendContact sendDocument sendLocation sendMediaGroup sendMessage sendPhoto
sendVideo sendVoice setChatMenuButton setMessageReaction setMyCommands setMyDescription setMyName setMyShortDescription
setWebhook unpinChatMessage
"""


def test_which_methods_are_acted_on_is_a_decision() -> None:
    """A method that the sandbox begins or ceases to act on changes this list; all of them are Telegram's."""
    assert set(HANDLERS) == set(ACTED_ON.split())
    assert set(HANDLERS) <= {name for name, _ in methods().values()}


@pytest.mark.parametrize("name", sorted({name for name, _ in methods().values()} - set(ACTED_ON.split())))
async def test_every_other_method_of_telegram_is_refused_plainly(name: str, raw: Raw) -> None:
    """A bot that uses what the sandbox does not have hears so, and is not left to believe that it worked."""
    body = await raw(name)
    assert body["description"] == "Bad Request: method is not available in the sandbox"


async def test_a_method_that_is_not_telegrams_is_not_found(raw: Raw) -> None:
    """A misspelt method never passes."""
    assert await raw("sendMesage") == {"ok": False, "error_code": 404, "description": "Not Found"}
    assert (await raw("send_message"))["error_code"] == 404
    assert (await raw("initialize"))["error_code"] == 404


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"text": "oi", "txt": "oi"}, "unknown parameter txt"),
        ({"text": "oi", "reply_to_message_id": 3}, "unknown parameter reply_to_message_id"),
        ({}, "message text is empty"),
        ({"text": "oi", "disable_notification": "perhaps"}, 'can\'t parse parameter "disable_notification"'),
        ({"text": "oi", "reply_markup": "{"}, "can't parse reply_markup JSON object"),
        ({"text": "oi", "reply_markup": "[]"}, 'can\'t parse parameter "reply_markup"'),
        ({"text": {"no": 1}}, 'can\'t parse parameter "text"'),
        ({"text": "oi", "message_thread_id": "seven"}, 'can\'t parse parameter "message_thread_id"'),
        ({"text": "oi", "message_thread_id": 7}, "message thread not found"),
        ({"text": "oi", "business_connection_id": "b"}, "business_connection_id is not available in the sandbox"),
        ({"text": "oi", "link_preview_options": {"disabled": True}}, "unknown field disabled in link preview options"),
        ({"text": "oi", "reply_parameters": {"message": 1}}, "unknown field message in reply parameters"),
    ],
)
async def test_a_wrong_parameter_is_refused_with_its_name(
    params: dict[str, object], reason: str, raw: Raw, ana: Phone
) -> None:
    """Telegram ignores what it does not know; the sandbox says so instead."""
    body = await raw("sendMessage", chat_id=ana.id, **params)
    assert body["error_code"] == 400
    assert body["description"].startswith(f"Bad Request: {reason}")
    assert not ana.news()


async def test_a_missing_chat_is_refused(raw: Raw) -> None:
    """Required parameters come from the signature."""
    assert (await raw("sendMessage", text="oi"))["description"] == "Bad Request: chat_id is empty"


async def test_one_call_may_come_in_any_form(http: aiohttp.ClientSession, ana: Phone) -> None:
    """JSON, urlencoded, multipart and a GET query say the same."""
    path = f"/bot{TOKEN}/sendMessage"
    markup = {"inline_keyboard": [[{"text": "Sim", "callback_data": "s"}]]}
    plain = {"chat_id": str(ana.id), "text": "Olá & até", "reply_markup": json.dumps(markup)}
    multipart = aiohttp.FormData(plain, default_to_multipart=True)
    calls = [
        http.post(path, json={"chat_id": ana.id, "text": "Olá & até", "reply_markup": markup}),
        http.post(path, data=plain),
        http.post(path, data=multipart),
        http.get(path, params=plain),
        http.post(path.replace("sendMessage", "SENDMESSAGE"), data=plain),
    ]
    for call in calls:
        async with call as response:
            result = (await response.json())["result"]
            assert (result["text"], result["reply_markup"]) == ("Olá & até", markup)


async def test_a_broken_body_is_refused(http: aiohttp.ClientSession) -> None:
    """Half a JSON object is nobody's message."""
    for body in ("{", "[1]"):
        async with http.post(f"/bot{TOKEN}/getMe", data=body, headers={"Content-Type": "application/json"}) as response:
            assert (await response.json())["description"] == "Bad Request: can't parse JSON object"


async def test_a_file_nobody_asked_for_is_refused(http: aiohttp.ClientSession, ana: Phone) -> None:
    """An attached file must be named by a parameter, and a named file attached."""
    form = aiohttp.FormData({"chat_id": str(ana.id), "text": "oi"})
    form.add_field("extra", b"x", filename="x.bin")
    async with http.post(f"/bot{TOKEN}/sendMessage", data=form) as response:
        assert (await response.json())["description"] == "Bad Request: unknown parameter extra"
    async with http.post(f"/bot{TOKEN}/sendDocument", json={"chat_id": ana.id, "document": "attach://doc"}) as response:
        assert (await response.json())["description"] == "Bad Request: can't find the attached file in the request"


async def test_a_wrong_token_is_refused(sandbox: Sandbox, http: aiohttp.ClientSession) -> None:
    """Somebody else's token is unauthorized, rubbish is not found, and neither downloads a file."""
    with pytest.raises(InvalidToken):
        async with Bot("4200001:another", base_url=f"{sandbox.url}/bot"):
            pass
    for path, status in (("/botrubbish/getMe", 404), ("/file/bot1:x/photos/file_1.jpg", 401)):
        async with http.get(path) as response:
            assert response.status == status


async def test_failures_can_be_ordered(bot: Bot, phones: Phones, ana: Phone) -> None:
    """So many calls of one method to one chat fail as ordered, then all is well, and the bot is not blamed."""
    bia = await phones.add("Bia")
    await bia.sends("/start")
    await phones.fault("sendMessage", status=429, retry_after=7, times=1, chat_id=ana.id)
    await phones.fault("sendMessage", status=502, chat_id=ana.id)

    await bot.send_message(bia.id, "Não é com a Bia.")
    with pytest.raises(RetryAfter) as waits:
        await bot.send_message(ana.id, "1")
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(ana.id, "2")
    await bot.send_message(ana.id, "3")

    assert waits.value.retry_after == timedelta(seconds=7)
    assert (await ana.sees("3")) == ana.last()
    assert (await phones.log())["errors"] == []


@pytest.mark.parametrize("after", [False, True])
async def test_a_connection_can_be_dropped(after: bool, bot: Bot, phones: Phones, ana: Phone) -> None:
    """The answer is lost: before the message was sent, or after it was, as in life."""
    await phones.fault("sendMessage", drop=True, after=after)
    with pytest.raises(NetworkError):
        await bot.send_message(ana.id, "Chegou?")
    await ana.quiet(0.05)
    assert [screen.text for screen in ana.news()] == (["Chegou?"] if after else [])


async def test_an_unknown_failure_cannot_be_ordered(http: aiohttp.ClientSession) -> None:
    """A misspelt order is told so."""
    async with http.post("/sandbox/fault", json={"metod": "getMe"}) as response:
        assert response.status == 400


async def test_the_log_counts_calls_and_what_the_bot_earned(
    raw: Raw, phones: Phones, ana: Phone, sandbox: Sandbox
) -> None:
    """A test can ask for a bot that made no mistake."""
    await raw("sendMessage", chat_id=ana.id, text="oi")
    await raw("sendmessage", chat_id=1, text="oi")
    log: dict[str, Any] = await phones.log()
    assert log["calls"] == {"sendMessage": 2}
    assert log["errors"] == [{"method": "sendMessage", "error_code": 400, "description": "Bad Request: chat not found"}]
    assert sandbox.record.latest[0] == ("sendMessage", {"chat_id": ana.id, "text": "oi"})


async def test_many_calls_at_once_are_all_served(bot: Bot, ana: Phone) -> None:
    """Twenty concurrent calls of one bot get twenty answers."""
    assert {me.username for me in await asyncio.gather(*(bot.get_me() for _ in range(20)))} == {bot.username}
