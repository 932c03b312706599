"""Updates: kept until acknowledged, polled by one or pushed in order, never lost before their day is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, Conflict

from bot.sandbox.server import Sandbox
from tests.bot.sandbox.conftest import TOKEN, Clock, Raw
from tests.support.phone import Phone, Phones

SECRET = "sEcret-1"


class Hook:
    """The bot's own endpoint: answers with what a test lays ready, and 200 afterwards."""

    def __init__(self) -> None:
        self.url = ""
        self.answers: list[Callable[[], web.Response]] = []
        self.got: asyncio.Queue[tuple[str | None, dict[str, Any]]] = asyncio.Queue()

    async def receive(self, request: web.Request) -> web.Response:
        """Take an update."""
        await self.got.put((request.headers.get("X-Telegram-Bot-Api-Secret-Token"), await request.json()))
        return self.answers.pop(0)() if self.answers else web.Response()

    async def texts(self, count: int) -> list[str]:
        """The texts of the next deliveries."""
        async with asyncio.timeout(5):
            return [(await self.got.get())[1]["message"]["text"] for _ in range(count)]


@pytest.fixture
async def hook() -> AsyncIterator[Hook]:
    """A web server on this machine."""
    hook = Hook()
    app = web.Application()
    app.router.add_post("/hook", hook.receive)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield hook
    await runner.cleanup()


def texts(updates: Sequence[Any]) -> list[str]:
    """What the messages in these updates say."""
    return [update.message.text for update in updates]


async def polls(phones: Phones, count: int) -> None:
    """Wait until so many polls have reached the server."""
    reached = 0
    while reached < count:
        reached = (await phones.log())["calls"].get("getUpdates", 0)


async def test_an_update_comes_again_until_it_is_acknowledged(bot: Bot, ana: Phone) -> None:
    """Only a higher offset takes it away; ids grow one by one."""
    await ana.sends("1")
    await ana.sends("2")
    first = await bot.get_updates()
    assert texts(first) == texts(await bot.get_updates()) == ["/start", "1", "2"]
    assert [update.update_id - first[0].update_id for update in first] == [0, 1, 2]
    assert texts(await bot.get_updates(offset=first[1].update_id)) == ["1", "2"]
    assert texts(await bot.get_updates(limit=1)) == ["1"]
    assert await bot.get_updates(offset=first[2].update_id + 1) == ()
    assert await bot.get_updates(offset=0) == ()


async def test_a_negative_offset_keeps_the_last_ones(bot: Bot, ana: Phone) -> None:
    """A bot that starts anew may forget what is older."""
    for text in ("1", "2", "3"):
        await ana.sends(text)
    assert texts(await bot.get_updates(offset=-2)) == ["2", "3"]
    assert texts(await bot.get_updates()) == ["2", "3"]


async def test_a_long_poll_ends_with_the_first_update(bot: Bot, ana: Phone) -> None:
    """The bot hears of a message at once, not at the end of its timeout."""
    last = (await bot.get_updates())[-1].update_id
    async with asyncio.timeout(5):
        waiting = asyncio.create_task(bot.get_updates(offset=last + 1, timeout=50, read_timeout=60))
        await polls(ana.phones, 2)
        await ana.sends("agora")
        assert texts(await waiting) == ["agora"]
    assert await bot.get_updates(offset=last + 2, timeout=1) == ()


async def test_a_second_poll_ends_the_first(raw: Raw, phones: Phones) -> None:
    """Two processes with one token find out: the one that waited hears a conflict."""
    async with asyncio.timeout(5):
        first = asyncio.create_task(raw("getUpdates", timeout=50))
        await polls(phones, 1)
        assert (await raw("getUpdates"))["ok"]
        refused = await first
    assert refused["error_code"] == 409
    assert refused["description"].startswith("Conflict: terminated by other getUpdates request; make sure")


async def test_an_update_is_kept_a_day(bot: Bot, ana: Phone, clock: Clock) -> None:
    """A bot that sleeps longer misses what is older, and nothing else."""
    clock.move(timedelta(hours=23))
    await ana.sends("ontem")
    clock.move(timedelta(hours=2))
    assert texts(await bot.get_updates()) == ["ontem"]


async def test_a_bot_gets_the_kinds_it_asked_for(bot: Bot, ana: Phone) -> None:
    """The choice is remembered; an empty one restores the default; a misspelt one is refused."""
    await bot.get_updates(allowed_updates=["callback_query"])
    await ana.sends("não pedido")
    await bot.get_updates(allowed_updates=[])
    await ana.sends("pedido")
    assert texts(await bot.get_updates()) == ["/start", "pedido"]
    with pytest.raises(BadRequest, match="update type"):
        await bot.get_updates(allowed_updates=["mesage"])


async def test_a_webhook_gets_every_update_in_order_with_its_secret(bot: Bot, ana: Phone, hook: Hook) -> None:
    """What waited and what comes, each with the header; nothing is left pending."""
    await ana.sends("1")
    assert await bot.set_webhook(hook.url, secret_token=SECRET, allowed_updates=["message"])
    await ana.sends("2")
    async with asyncio.timeout(5):
        got = [await hook.got.get() for _ in range(3)]
    assert [update["message"]["text"] for _, update in got] == ["/start", "1", "2"]
    assert {secret for secret, _ in got} == {SECRET}
    info = await bot.get_webhook_info()
    assert (info.url, info.allowed_updates, info.last_error_message) == (hook.url, ("message",), None)


async def test_a_failing_webhook_is_tried_again_and_order_is_kept(bot: Bot, ana: Phone, hook: Hook) -> None:
    """Until 2xx the same update comes again; the next waits for it."""
    hook.answers = [
        lambda: web.Response(status=500),
        lambda: web.Response(status=302),
        lambda: web.Response(status=204),
    ]
    await bot.set_webhook(hook.url)
    await ana.sends("depois")
    assert await hook.texts(4) == ["/start", "/start", "/start", "depois"]
    assert (await bot.get_webhook_info()).last_error_message == "Wrong response from the webhook: 302 Found"


async def test_a_webhook_that_nobody_serves_is_tried_until_it_is(
    bot: Bot, ana: Phone, hook: Hook, sandbox: Sandbox
) -> None:
    """The update waits; polling takes it once the webhook is deleted."""
    await bot.set_webhook("http://127.0.0.1:9/nobody")
    async with asyncio.timeout(5):
        info = await bot.get_webhook_info()
        while not info.last_error_message:
            info = await bot.get_webhook_info()
    assert (info.last_error_message, info.pending_update_count) == ("Connection refused", 1)
    with pytest.raises(Conflict, match="webhook is active"):
        await bot.get_updates()
    assert await bot.delete_webhook()
    assert texts(await bot.get_updates()) == ["/start"]
    assert (await bot.get_webhook_info()).url == ""
    assert await bot.delete_webhook(drop_pending_updates=True)
    assert await bot.get_updates() == ()


async def test_a_webhook_may_answer_with_a_call(bot: Bot, ana: Phone, hook: Hook, phones: Phones) -> None:
    """The body of the 200 is a method call; a wrong one is noted, not raised."""
    hook.answers = [
        lambda: web.json_response({"method": "sendMessage", "chat_id": ana.id, "text": "Pelo corpo"}),
        lambda: web.json_response({"method": "sendMessage", "chat_id": 5, "text": "x"}),
        lambda: web.Response(text="{", content_type="application/json"),
    ]
    await bot.set_webhook(hook.url)
    await ana.sees("Pelo corpo")
    await ana.sends("1")
    await ana.sends("2")
    await hook.texts(3)
    assert [error["description"] for error in (await phones.log())["errors"]] == ["Bad Request: chat not found"]


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"url": "https://example.org/hook"}, "only calls addresses of this machine"),
        ({"url": "ftp://127.0.0.1/hook"}, "only calls addresses of this machine"),
        ({"url": "http://127.0.0.1/", "secret_token": "com espaço"}, "secret token contains unallowed characters"),
        ({"url": "http://127.0.0.1/", "secret_token": "x" * 257}, "secret token contains unallowed characters"),
        ({"url": "http://127.0.0.1/", "max_connections": 101}, "max_connections must be between"),
        ({"url": "http://127.0.0.1/", "ip_address": "10.0.0.1"}, "not available in the sandbox"),
    ],
)
async def test_a_wrong_webhook_is_refused(params: dict[str, object], reason: str, raw: Raw) -> None:
    """The sandbox calls nobody outside this machine."""
    assert reason in (await raw("setWebhook", **params))["description"]


async def test_a_webhook_ends_a_waiting_poll(bot: Bot, raw: Raw, hook: Hook, phones: Phones) -> None:
    """The poller hears a conflict and not silence."""
    async with asyncio.timeout(5):
        waiting = asyncio.create_task(raw("getUpdates", timeout=50))
        await polls(phones, 1)
        await bot.set_webhook(hook.url)
        assert (await waiting)["error_code"] == 409


async def test_ids_of_a_later_sandbox_do_not_repeat_those_of_an_earlier_one(clock: Clock) -> None:
    """A database that outlives the sandbox meets only new update ids."""
    earlier = Sandbox(token=TOKEN, clock=clock).world.updates
    clock.move(timedelta(minutes=1))
    later = Sandbox(token=TOKEN, clock=clock).world.updates
    assert 0 < earlier.next_id < later.next_id < 2**31
    assert Sandbox(token=TOKEN, clock=clock, first_update_id=7).world.updates.next_id == 7
