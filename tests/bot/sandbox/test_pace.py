"""Telegram's pace: a burst passes, a stream does not, and waiting helps only if it is long enough."""

from __future__ import annotations

import pytest
from telegram import Bot, InputMediaPhoto
from telegram.error import RetryAfter

from bot.sandbox.pace import CHAT_BURST, Pace
from bot.sandbox.refusals import ApiError
from bot.sandbox.server import Sandbox
from tests.bot.sandbox.conftest import TOKEN, Clock, Raw
from tests.support.phone import Phone


class Seconds:
    """Monotonic time that a test moves."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def waits(pace: Pace, chat: int) -> int | None:
    """Seconds to wait, or None when the message passes."""
    try:
        pace.spend(chat)
    except ApiError as error:
        return error.retry_after
    return None


def test_one_chat_gets_a_burst_and_then_one_a_second() -> None:
    """The sixth message in a second is refused; a second later one passes, and only one."""
    seconds = Seconds()
    pace = Pace(clock=seconds)
    assert [waits(pace, 1) for _ in range(CHAT_BURST)] == [None] * CHAT_BURST
    assert waits(pace, 1) == 1
    assert waits(pace, 2) is None
    seconds.at += 0.5
    assert waits(pace, 1) == 1
    seconds.at += 0.5
    assert [waits(pace, 1), waits(pace, 1)] == [None, 1]


def test_thirty_a_second_pass_in_all() -> None:
    """The thirty-first person waits, whoever it is."""
    seconds = Seconds()
    pace = Pace(clock=seconds)
    assert [waits(pace, chat) for chat in range(31)] == [None] * 30 + [1]
    seconds.at += 1
    assert [waits(pace, chat) for chat in range(31)] == [None] * 30 + [1]


def test_an_album_is_waited_off() -> None:
    """Ten photos pass at once, and cost ten seconds."""
    seconds = Seconds()
    pace = Pace(clock=seconds)
    pace.spend(1, 10)
    assert waits(pace, 1) == 10 - CHAT_BURST + 1


async def test_a_bot_in_a_hurry_is_told_to_wait(bot: Bot, raw: Raw, ana: Phone, photo: bytes) -> None:
    """429 with retry_after, for new messages and edits alike; answering presses is never paced."""
    sent = [await bot.send_message(ana.id, str(number)) for number in range(CHAT_BURST)]
    for call in (
        bot.send_message(ana.id, "mais"),
        bot.edit_message_text("mais", ana.id, sent[0].message_id),
        bot.send_media_group(ana.id, [InputMediaPhoto(photo)] * 2),
    ):
        with pytest.raises(RetryAfter, match="Retry in 0:00:01"):
            await call
    body = await raw("sendMessage", chat_id=ana.id, text="mais")
    assert body["description"] == f"Too Many Requests: retry after {body['parameters']['retry_after']}"


async def test_the_pace_can_be_switched_off(clock: Clock) -> None:
    """A bench measures the bot and not the pace."""
    sandbox = Sandbox(token=TOKEN, clock=clock, pace=False)
    await sandbox.start()
    ana = sandbox.world.add_phone("Ana", started=True)
    async with Bot(TOKEN, base_url=f"{sandbox.url}/bot") as bot:
        for number in range(40):
            await bot.send_message(ana.id, str(number))
    await sandbox.stop()
    assert len(sandbox.world.chats[ana.id].messages) == 40


async def test_a_refused_call_costs_nothing(raw: Raw, ana: Phone) -> None:
    """An empty text is refused for its own reason, however often."""
    for _ in range(CHAT_BURST + 2):
        assert (await raw("sendMessage", chat_id=ana.id, text=""))["error_code"] == 400
    assert (await raw("sendMessage", chat_id=ana.id, text="oi"))["ok"]
