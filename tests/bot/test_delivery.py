"""Messages on their way: pace, order, and an end for each, whatever Telegram answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.pace import Bucket, Pace
from bot.storage import tables as t
from handlers.shared.outgoing import Button, Kind, Outgoing, Priority
from tests.support.builders import laws
from tests.support.counter import Stage, stage
from tests.support.phone import Phone


@pytest.fixture
async def strict_stage(sqlite_database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """The counter in its real pace, against a server that refuses whoever is faster."""
    async with stage(sqlite_database, tmp_path, laws=laws(), pace=Pace(), sandbox_pace=True) as set_up:
        yield set_up


async def starts(stage: Stage, name: str) -> Phone:
    """Somebody who has pressed "Começar" some time ago."""
    phone = await stage.phones.add(name)
    stage.sandbox.world.phone(phone.id).started = True
    return phone


async def say(stage: Stage, *messages: Outgoing) -> list[int]:
    """Put messages into the outbox as an update's transaction does; return their numbers."""
    assert stage.counter is not None
    journal = stage.counter.journal
    async with journal.storage.transaction() as connection:
        rows = await journal.say(connection, messages, now=stage.clock.now())
    stage.counter.delivery.hand_over(rows)
    return [row.id for row in rows]


async def ends(stage: Stage) -> list[tuple[str, str]]:
    """Return how each message ended, in order, once all have."""
    assert stage.counter is not None
    await stage.counter.idle()
    async with stage.counter.storage.reading() as connection:
        rows = await connection.execute(select(t.outbox.c.state, t.outbox.c.payload).order_by(t.outbox.c.id))
        return [(row.state, row.payload) for row in rows]


async def states(stage: Stage) -> list[str]:
    """Return the state of each message, in order, once all have ended."""
    return [state for state, _ in await ends(stage)]


def said(phone: Phone) -> list[str]:
    return [screen.text for screen in phone.history() if screen.by_bot]


async def test_a_long_answer_arrives_in_order_and_never_too_fast(strict_stage: Stage) -> None:
    """Six messages to Ana at once: a few come immediately, the rest a second apart, and Telegram complains of none."""
    ana = await starts(strict_stage, "Ana")
    await say(strict_stage, *(Outgoing(ana.id, text=f"parte {n}") for n in range(6)))
    assert await states(strict_stage) == ["delivered"] * 6
    assert said(ana) == [f"parte {n}" for n in range(6)]
    assert (await strict_stage.phones.log())["errors"] == []


async def test_answers_go_before_notices_and_notices_before_reminders(strict_stage: Stage) -> None:
    """Many reminders wait for Telegram's pace; an answer that comes later goes first."""
    people = [await starts(strict_stage, f"Pessoa {n}") for n in range(12)]
    reminders = [Outgoing(p.id, text="lembrete", priority=Priority.REMINDER) for p in people]
    await say(strict_stage, *reminders, Outgoing(people[-1].id, text="resposta"))
    await states(strict_stage)
    calls = [params["text"] for name, params in strict_stage.sandbox.record.latest if name == "sendMessage"]
    assert calls.index("resposta") <= 3
    assert said(people[-1]) == ["resposta", "lembrete"]


async def test_who_writes_is_answered_however_much_waits(strict_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """More notices wait than the sender keeps in memory, and Ana's answer does not wait behind them."""
    monkeypatch.setattr("bot.delivery.ENOUGH", 10)
    ana = await starts(strict_stage, "Ana")
    await say(strict_stage, *(Outgoing(10**9 + n, text="aviso", priority=Priority.NOTICE) for n in range(400)))

    await ana.sends("oi")
    await ana.sees("1. oi (1)", within=5)

    assert await strict_stage.rows("outbox", state="pending", priority=int(Priority.NOTICE)) > 100


async def test_who_blocked_the_bot_holds_up_nobody(sqlite_stage: Stage) -> None:
    """Ana blocked the bot: her messages end as blocked, she counts as unreachable, and Bia hears everything."""
    ana, bia = await sqlite_stage.phones.add("Ana"), await starts(sqlite_stage, "Bia")
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    sqlite_stage.sandbox.world.phone(ana.id).blocked = True
    await say(sqlite_stage, *(Outgoing(person.id, text=f"{n}") for n in range(3) for person in (ana, bia)))
    assert await states(sqlite_stage) == ["delivered", *["blocked", "delivered"] * 3]
    assert said(bia) == ["0", "1", "2"]
    assert await sqlite_stage.rows("person", chat_id=ana.id, reachable=False) == 1


async def test_retry_after_is_obeyed_and_concerns_one_chat(sqlite_stage: Stage) -> None:
    """Telegram asks to wait two seconds for Ana's chat: Bia does not notice, Ana's messages come later and in order."""
    ana, bia = await starts(sqlite_stage, "Ana"), await starts(sqlite_stage, "Bia")
    await sqlite_stage.phones.fault("sendMessage", status=429, retry_after=2, chat_id=ana.id, times=1)
    began = asyncio.get_running_loop().time()
    await say(sqlite_stage, Outgoing(ana.id, text="um"), Outgoing(ana.id, text="dois"), Outgoing(bia.id, text="oi"))
    await bia.sees("oi", within=1)
    assert said(ana) == []
    assert await states(sqlite_stage) == ["delivered"] * 3
    assert asyncio.get_running_loop().time() - began >= 2
    assert said(ana) == ["um", "dois"]


@pytest.mark.parametrize("fault", [{"status": 502}, {"status": 500}, {"drop": True}])
async def test_trouble_on_the_way_is_tried_again(sqlite_stage: Stage, fault: dict[str, Any]) -> None:
    """Telegram fails or hangs up twice; the message arrives once, and what follows it after it."""
    ana = await starts(sqlite_stage, "Ana")
    await sqlite_stage.phones.fault("sendMessage", times=2, **fault)
    await say(sqlite_stage, Outgoing(ana.id, text="um"), Outgoing(ana.id, text="dois"))
    assert await states(sqlite_stage) == ["delivered"] * 2
    assert said(ana) == ["um", "dois"]


async def test_broken_markup_is_said_plainly(sqlite_stage: Stage) -> None:
    """A mistake in our markup costs the bold letters, not the message; its button is still there."""
    ana = await starts(sqlite_stage, "Ana")
    await say(sqlite_stage, Outgoing(ana.id, text="<b>a &lt; b</i>", buttons=((Button("Ok", "ok"),),)))
    screen = await ana.sees("a < b")
    assert screen.labels == ["Ok"]
    assert await states(sqlite_stage) == ["delivered"]


async def test_a_text_over_the_limit_comes_in_pieces(sqlite_stage: Stage) -> None:
    """Five thousand characters are more than a message holds: nothing of them is lost."""
    ana = await starts(sqlite_stage, "Ana")
    text = "🚌" * 5000
    await say(sqlite_stage, Outgoing(ana.id, text=text))
    assert await states(sqlite_stage) == ["delivered"]
    assert "".join(said(ana)) == text


async def test_a_screen_that_is_gone_is_shown_anew(sqlite_stage: Stage) -> None:
    """Ana deleted the chat's history: an edit finds no message and becomes one."""
    ana = await starts(sqlite_stage, "Ana")
    await say(sqlite_stage, Outgoing(ana.id, kind=Kind.EDIT, message_id=4321, text="tela nova"))
    await ana.sees("tela nova")
    assert await states(sqlite_stage) == ["delivered"]


async def test_an_edit_that_changes_nothing_is_delivered(sqlite_stage: Stage) -> None:
    """Telegram says "message is not modified": what Ana sees is what was meant."""
    ana = await starts(sqlite_stage, "Ana")
    await say(sqlite_stage, Outgoing(ana.id, text="tela"))
    screen = await ana.sees("tela")
    await say(sqlite_stage, Outgoing(ana.id, kind=Kind.EDIT, message_id=screen.id, text="tela"))
    assert await states(sqlite_stage) == ["delivered"] * 2


async def test_of_several_edits_that_wait_only_the_last_is_sent(sqlite_stage: Stage) -> None:
    """Ana pressed fast: the screens between the first and the last are passed over."""
    ana = await starts(sqlite_stage, "Ana")
    await say(sqlite_stage, Outgoing(ana.id, text="tela"))
    screen = await ana.sees("tela")
    await say(
        sqlite_stage, *(Outgoing(ana.id, kind=Kind.EDIT, message_id=screen.id, text=f"tela {n}") for n in range(4))
    )
    assert (await states(sqlite_stage))[1:] == ["superseded", "superseded", "superseded", "delivered"]
    assert said(ana) == ["tela 3"]


async def test_what_is_too_late_is_not_said(sqlite_stage: Stage) -> None:
    """A press that nobody waits for any more, and a message with a date of its own, expire quietly."""
    ana = await starts(sqlite_stage, "Ana")
    await say(
        sqlite_stage,
        Outgoing(ana.id, kind=Kind.TOAST, callback_id="123456", text="tarde"),
        Outgoing(ana.id, text="ontem", expires_at=sqlite_stage.clock.now() - timedelta(seconds=1)),
    )
    assert await states(sqlite_stage) == ["expired", "expired"]
    assert said(ana) == []


async def test_what_must_wait_is_said_in_time(sqlite_stage: Stage) -> None:
    """A message for tomorrow is not said today; the moved clock brings it."""
    ana = await starts(sqlite_stage, "Ana")
    tomorrow = sqlite_stage.clock.now() + timedelta(days=1)
    await say(sqlite_stage, Outgoing(ana.id, text="amanhã", not_before=tomorrow), Outgoing(ana.id, text="hoje"))
    await ana.sees("hoje")
    assert said(ana) == ["hoje"]
    sqlite_stage.clock.move_to(tomorrow)
    await ana.sees("amanhã", within=2)


async def test_a_key_is_said_once_for_ever(tiny_stage: Stage) -> None:
    """A notice with a key is stored twice in one transaction and again later: Ana reads it once."""
    ana = await starts(tiny_stage, "Ana")
    notice = Outgoing(ana.id, text="decidido", key="case:1:2:3")
    assert len(await say(tiny_stage, notice, notice, Outgoing(ana.id, text="outro"))) == 2
    assert await say(tiny_stage, notice) == []
    assert await states(tiny_stage) == ["delivered"] * 2
    assert sorted(said(ana)) == ["decidido", "outro"]


async def test_nothing_of_a_message_stays_when_it_has_ended(sqlite_stage: Stage) -> None:
    """Delivered, refused or expired: the outbox keeps the end, not the words."""
    ana = await starts(sqlite_stage, "Ana")
    await say(
        sqlite_stage,
        Outgoing(ana.id, text="segredo"),
        Outgoing(ana.id, kind=Kind.PHOTO, file_id="unknown", text="segredo"),
        Outgoing(987654321, text="segredo"),
    )
    assert await ends(sqlite_stage) == [("delivered", ""), ("failed", ""), ("blocked", "")]


def test_the_pace_lets_a_few_through_and_then_one_a_second() -> None:
    """Three at once, the fourth a second later; after a rest three at once again."""
    bucket = Bucket(rate=1, burst=3)
    waits = []
    for _ in range(4):
        waits.append(bucket.wait(10.0))
        bucket.take(10.0 + waits[-1])
    assert waits == [0, 0, 0, 1]
    assert bucket.wait(20.0) == 0


def test_a_group_is_spoken_to_twenty_times_a_minute_at_most() -> None:
    """Whatever its burst, no minute has more than Telegram allows by more than the burst."""
    bucket, now, sent = Pace().for_chat(-100), 0.0, 0
    while now < 600:
        now += bucket.wait(now) + 1e-9
        bucket.take(now)
        sent += 1
    assert sent <= 200 + 4


async def test_two_looks_at_the_outbox_at_once_say_nothing_twice(tiny_stage: Stage) -> None:
    """While one look reads, another takes a message and it ends: Ana reads it once."""
    ana = await starts(tiny_stage, "Ana")
    counter = tiny_stage.counter
    assert counter is not None
    for number in range(20):
        async with counter.storage.transaction() as connection:
            await counter.journal.say(
                connection, [Outgoing(ana.id, text=f"aviso {number}")], now=tiny_stage.clock.now()
            )
        await asyncio.gather(*(counter.delivery.sweep() for _ in range(4)))
    await counter.idle()
    assert sorted(said(ana)) == sorted(f"aviso {number}" for number in range(20))


async def test_of_what_has_ended_nothing_stays_at_hand(tiny_stage: Stage) -> None:
    """A look at the table finds a message before its transaction has told of it, and another must wait for tomorrow:
    Ana reads each once, in its time, and the sender remembers neither."""
    ana, counter = await starts(tiny_stage, "Ana"), tiny_stage.counter
    assert counter is not None
    tomorrow = tiny_stage.clock.now() + timedelta(days=1)
    messages = [Outgoing(ana.id, text="hoje"), Outgoing(ana.id, text="amanhã", not_before=tomorrow)]
    async with counter.storage.transaction() as connection:
        rows = await counter.journal.say(connection, messages, now=tiny_stage.clock.now())
    await counter.delivery.sweep()
    counter.delivery.hand_over(rows)
    await counter.idle()
    assert counter.delivery._at_hand == {}
    tiny_stage.clock.move_to(tomorrow)
    await counter.idle()
    assert said(ana) == ["hoje", "amanhã"]
