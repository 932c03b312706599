"""Answers to presses: at once or soon, once, and never too late."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import structlog

from handlers.shared.outgoing import Kind, Outgoing
from tests.support.counter import Stage
from tests.support.phone import Phone


@pytest.fixture
async def ana(sqlite_stage: Stage) -> Phone:
    """Somebody who has a button before her."""
    phone = await sqlite_stage.phones.add("Ana")
    await phone.sends("/botao")
    await phone.sees("Aperte")
    return phone


@pytest.mark.parametrize("fault", [{"status": 502}, {"drop": True}, {"status": 429, "retry_after": 1}])
async def test_trouble_on_the_way_to_telegram_leaves_no_press_waiting(
    sqlite_stage: Stage, ana: Phone, fault: dict[str, Any]
) -> None:
    """Telegram fails once, or asks for a second of patience: Ana's press is answered a little later, and once."""
    await sqlite_stage.phones.fault("answerCallbackQuery", times=1, **fault)
    assert await ana.presses("Calado") == ""
    await sqlite_stage.settles()
    log = await sqlite_stage.phones.log()
    assert log["unanswered_callbacks"] == []
    assert log["calls"]["answerCallbackQuery"] == 1


async def test_an_answer_that_comes_too_late_is_nobodys_mistake(sqlite_stage: Stage) -> None:
    """Telegram does not know the press any more: that is the end of it, and nothing for the log."""
    with structlog.testing.capture_logs() as logs:
        gives(sqlite_stage, Outgoing(1, kind=Kind.TOAST, callback_id="123456", text="tarde"))
        await sqlite_stage.settles()
    assert logs == []


async def test_an_answer_that_cannot_be_given_is_noted_without_its_words(sqlite_stage: Stage, ana: Phone) -> None:
    """Telegram refuses it, or never answers: the log names a code, and who waited is served on."""
    await sqlite_stage.phones.fault("answerCallbackQuery", status=502, times=100)
    with structlog.testing.capture_logs() as logs:
        gives(sqlite_stage, Outgoing(ana.id, kind=Kind.TOAST, callback_id="1", text="segredo"))
        await sqlite_stage.settles()
    assert [entry["event"] for entry in logs] == ["answer_refused"]
    assert "segredo" not in str(logs)
    await ana.sends("oi")
    await ana.sees("oi")


async def test_a_process_that_stops_waits_no_longer_than_a_moment(sqlite_stage: Stage) -> None:
    """Telegram asks for a minute of patience while the counter closes: it closes."""
    await sqlite_stage.phones.fault("answerCallbackQuery", status=429, retry_after=60, times=1)
    gives(sqlite_stage, Outgoing(1, kind=Kind.TOAST, callback_id="1"))
    async with asyncio.timeout(10):
        await sqlite_stage.closes()


def gives(stage: Stage, answer: Outgoing) -> None:
    assert stage.counter is not None
    stage.counter.answers.give(answer)
