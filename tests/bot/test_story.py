"""One update's way from the phone to the answer, over HTTP and on both databases."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import column, select, table
from telegram import Update
from telegram.ext import MessageHandler, filters

from bot.intake import received_from
from bot.storage import tables as t
from bot.storage.repositories.people import StoredPeople
from bot.storage.statement import Statement
from bot.wiring import CounterApplication, current_visit
from domain.people.model import Person
from handlers.shared.context import BotContext
from tests.support import tiny
from tests.support.builders import laws
from tests.support.counter import Stage, stage
from tests.support.phone import Phone


def counter_of(stage: Stage) -> Any:
    assert stage.counter is not None
    return stage.counter


async def person_of(stage: Stage, chat_id: int) -> Person | None:

    async with counter_of(stage).storage.reading() as connection:
        return await StoredPeople(connection).by_chat(chat_id)


async def test_ana_is_answered_in_order_and_nothing_she_wrote_stays_behind(tiny_stage: Stage) -> None:
    """Ana writes twice and is answered twice; inbox and outbox keep that it happened, not what was said."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("bom dia")
    await ana.sees("1. bom dia (1)")
    await ana.sends("boa tarde")
    await ana.sees("2. boa tarde (2)")
    await counter_of(tiny_stage).idle()
    assert await tiny_stage.rows("inbox", state="handled", payload="") == 2
    assert await tiny_stage.rows("outbox", state="delivered", payload="") == 2
    assert await tiny_stage.rows("inbox", state="pending") == 0


async def test_many_people_at_once_each_keep_their_order(tiny_stage: Stage) -> None:
    """Twenty people write five lines each, all at once: each reads the answers to their own lines in their order."""
    phones = [await tiny_stage.phones.add(f"Pessoa {n}") for n in range(20)]
    for line in range(5):
        for phone in phones:
            tiny_stage.sandbox.world.send_text(phone.id, f"linha {line}")
    for phone in phones:
        await phone.sees("linha 4 (5)")
        said = [screen.text.partition(". ")[2] for screen in phone.history() if screen.by_bot]
        assert said == [f"linha {line} ({line + 1})" for line in range(5)]
    await counter_of(tiny_stage).idle()
    assert await tiny_stage.rows("inbox", state="handled") == 100


async def test_an_update_delivered_three_times_has_one_effect(tiny_stage: Stage) -> None:
    """Telegram repeats itself; Ana's line is numbered once and answered once."""
    ana = await starts(tiny_stage, "Ana")
    inlet = counter_of(tiny_stage).inlet
    update = text_update(7_000_000, ana.id, "uma vez só")
    await asyncio.gather(*(inlet.store([received_from(update)]) for _ in range(3)))
    tiny_stage.sandbox.world.send_text(ana.id, "outra")
    await ana.sees("2. outra (2)")
    await inlet.store([received_from(update)])
    await counter_of(tiny_stage).idle()
    assert [screen.text for screen in ana.history() if screen.by_bot] == ["1. uma vez só (1)", "2. outra (2)"]


async def test_a_later_update_that_overtakes_waits_for_the_earlier_one(tiny_stage: Stage) -> None:
    """Two deliveries cross on the way; once both are stored Ana is served in the order of their numbers."""
    ana = await starts(tiny_stage, "Ana")
    inlet = counter_of(tiny_stage).inlet
    later, earlier = text_update(7_000_002, ana.id, "segunda"), text_update(7_000_001, ana.id, "primeira")
    await inlet.store([received_from(later), received_from(earlier)])
    await ana.sees("2. segunda (2)")
    assert [screen.text for screen in ana.history() if screen.by_bot] == ["1. primeira (1)", "2. segunda (2)"]


async def test_a_refusal_says_so_and_changes_nothing(tiny_stage: Stage) -> None:
    """What a refused update had done and said is gone; the next one is number one."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/recusa")
    await ana.sees("recusado")
    await ana.sends("agora sim")
    await ana.sees("1. agora sim (1)")
    await counter_of(tiny_stage).idle()
    assert await tiny_stage.rows("inbox", state="handled") == 2


async def test_a_mistake_is_told_and_stands_in_nobodys_way(tiny_stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    """Ana meets a mistake of ours: she hears that the team knows, and she and Bia are served on."""
    ana, bia = await tiny_stage.phones.add("Ana"), await tiny_stage.phones.add("Bia")
    world = tiny_stage.sandbox.world
    for phone, text in ((ana, "/erro"), (bia, "oi"), (ana, "e agora?")):
        world.send_text(phone.id, text)
    await ana.sees("a equipe já sabe")
    await ana.sees("e agora? (1)")
    await bia.sees("oi (1)")
    await counter_of(tiny_stage).idle()
    assert await tiny_stage.rows("inbox", state="failed", code="RuntimeError") == 1
    assert "quotes what somebody wrote" not in caplog.text


async def test_what_the_database_refuses_at_the_end_fails_alone(tiny_stage: Stage) -> None:
    """A mistake that shows only when the group is written costs one update, not those that share its transaction."""
    ana, bia = await tiny_stage.phones.add("Ana"), await tiny_stage.phones.add("Bia")
    world = tiny_stage.sandbox.world
    for phone, text in ((ana, "/estrago"), (bia, "oi"), (ana, "e agora?")):
        world.send_text(phone.id, text)
    await ana.sees("a equipe já foi avisada")
    await ana.sees("e agora? (1)")
    await bia.sees("oi (1)")
    assert await tiny_stage.rows("inbox", state="failed") == 1


async def test_a_press_is_always_answered(tiny_stage: Stage) -> None:
    """A press that changes the screen and one that nobody handles both stop the phone's spinner."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/botao")
    await ana.sees("Aperte")
    await ana.presses("Calado")
    await ana.presses("Editar")
    await ana.sees("Editado")
    log = await tiny_stage.phones.log()
    assert log["unanswered_callbacks"] == []
    assert log["errors"] == []


async def test_the_person_is_known_from_the_first_word(tiny_stage: Stage) -> None:
    """Name and language come from the client, once; a new name is noticed, a chosen language is kept."""
    john = await tiny_stage.phones.add("John", language_code="en-GB")
    await john.sends("hello")
    await john.sees("hello (1)")
    person = await person_of(tiny_stage, john.id)
    assert person is not None
    assert (person.name, person.language, person.reachable) == ("John", "en", True)


async def test_a_choice_is_seen_by_the_rest_of_its_turn(tiny_stage: Stage) -> None:
    """Ana chooses English: already the answer to her choice is in English, and it is remembered."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/english")
    await ana.sees("en")
    person = await person_of(tiny_stage, ana.id)
    assert person is not None
    assert (person.language, person.language_chosen) == ("en", True)


async def test_who_blocks_the_bot_is_unreachable_until_they_come_back(tiny_stage: Stage) -> None:
    """Ana blocks the bot and lets it in again: each is known without her saying a word."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("oi")
    await ana.sees("oi (1)")
    await ana.blocks()
    await tiny_stage.until("person", chat_id=ana.id, reachable=False)
    await ana.unblocks()
    await tiny_stage.until("person", chat_id=ana.id, reachable=True)


async def test_a_message_from_a_group_is_noted_and_left_alone(tiny_stage: Stage) -> None:
    """The counter serves private chats: what a group says is not kept."""
    update = text_update(7_000_010, -5005, "oi grupo")
    update["message"]["chat"]["type"] = "group"
    await counter_of(tiny_stage).inlet.store([received_from(update)])
    assert await tiny_stage.rows("inbox", state="ignored", payload="") == 1


async def test_characters_that_databases_refuse_are_served_all_the_same(tiny_stage: Stage) -> None:
    """A NUL and half a surrogate pair in Ana's name and words keep nobody from answering her."""
    ana = await starts(tiny_stage, "Ana")
    update = text_update(7_000_020, ana.id, "zero \0 e meio \ud83d fim")
    update["message"]["from"]["first_name"] = "A\0na\udc00"
    await counter_of(tiny_stage).inlet.store([received_from(update)])
    screen = await ana.sees("1. zero")
    assert screen.text == "1. zero  e meio ? fim (1)"


async def test_what_is_waiting_is_served_after_a_restart(tiny_stage: Stage) -> None:
    """Updates stored just before the process ended are served, in order, by the next one."""
    ana = await starts(tiny_stage, "Ana")
    journal, clock = counter_of(tiny_stage).journal, tiny_stage.clock
    await tiny_stage.counter.intake.stop()  # type: ignore[union-attr]
    stored = [received_from(text_update(7_000_030 + n, ana.id, f"linha {n}")) for n in range(3)]
    await journal.store(stored, now=clock.now())
    await tiny_stage.closes()
    await tiny_stage.opens()
    await ana.sees("3. linha 2 (3)")
    assert [screen.text for screen in ana.history() if screen.by_bot] == [
        f"{n + 1}. linha {n} ({n + 1})" for n in range(3)
    ]


async def test_an_unsent_answer_is_sent_after_a_restart(tiny_stage: Stage) -> None:
    """The answer was committed but Telegram could not be reached; the next process sends it."""
    ana = await tiny_stage.phones.add("Ana")
    await tiny_stage.phones.fault("sendMessage", status=502, times=1000)
    await ana.sends("oi")
    await tiny_stage.until("outbox", state="pending")
    await tiny_stage.closes()
    tiny_stage.sandbox.record.faults.clear()
    await tiny_stage.opens()
    await ana.sees("1. oi (1)")


async def starts(stage: Stage, name: str) -> Phone:
    """Somebody who has pressed "Começar" some time ago, so that the bot may write to them."""
    phone = await stage.phones.add(name)
    stage.sandbox.world.phone(phone.id).started = True
    return phone


async def test_a_press_is_answered_at_once_and_its_answer_is_not_kept(tiny_stage: Stage) -> None:
    """Ana's press is answered from memory; what it changed on her screen went through the outbox."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/botao")
    await ana.sees("Aperte")
    assert await ana.presses("Editar") == ""
    await ana.sees("Editado")
    await counter_of(tiny_stage).idle()
    assert await tiny_stage.rows("outbox", kind="toast") == 0
    assert await tiny_stage.rows("outbox", kind="edit", state="delivered") == 1


async def test_two_who_wait_for_each_other_are_both_served(postgresql_database: str, tmp_path: Path) -> None:
    """Ana's update takes numbers of two series in one order, Bia's in the other: the database ends one of the two
    transactions, and nobody notices."""
    begun, meeting = asyncio.Event(), asyncio.Barrier(2)
    tries: list[str] = []

    async def take(update: Update, context: BotContext) -> None:
        message = update.effective_message
        first, second = (message.text or "").split() if message else ("", "")
        tries.append(first)
        await context.services.ports.protocols.next(first)
        begun.set()
        if len(tries) <= 2:
            await meeting.wait()  # each holds what the other wants next
        number = await context.services.ports.protocols.next(second)
        context.say(f"{second} {number}")

    def register(application: CounterApplication) -> None:
        application.add_handler(MessageHandler(filters.TEXT, take))

    async with stage(postgresql_database, tmp_path, register=register, laws=laws()) as set_up:
        ana, bia = await starts(set_up, "Ana"), await starts(set_up, "Bia")
        store = counter_of(set_up).inlet.store
        first = asyncio.create_task(store([received_from(text_update(7_000_000, ana.id, "um dois"))]))
        await begun.wait()
        await store([received_from(text_update(7_000_001, bia.id, "dois um"))])
        await first
        seen = [await ana.sees("dois "), await bia.sees("um ")]
    assert sorted(screen.text[-1] for screen in seen) == ["1", "2"]
    assert len(tries) == 3


async def test_a_question_that_the_database_refuses_costs_one_update(database: str, tmp_path: Path) -> None:
    """Ana's update reads what is not there, before it has written anything: she hears that the team knows, and what
    Bia and Caio wrote in the same transaction is done."""

    async def ask(update: Update, context: BotContext) -> None:
        await current_visit.get().group.all(Statement(select(column("it")).select_from(table("nowhere"))))

    def register(application: CounterApplication) -> None:
        application.add_handler(MessageHandler(filters.Text(["pergunta"]), ask))
        tiny.register(application)

    async with stage(database, tmp_path, register=register, laws=laws()) as set_up:
        phones = [await starts(set_up, name) for name in ("Bia", "Ana", "Caio")]
        said = zip(phones, ("oi", "pergunta", "oi"), strict=True)
        updates = [text_update(7_000_100 + n, phone.id, words) for n, (phone, words) in enumerate(said)]
        await counter_of(set_up).inlet.store([received_from(one) for one in updates])
        await phones[0].sees("1. oi (1)")
        await phones[1].sees("a equipe já")
        await phones[2].sees("oi (1)")
        assert await set_up.rows("inbox", state="handled") == 2
        assert await set_up.rows("inbox", state="failed") == 1


def text_update(update_id: int, chat_id: int, text: str) -> dict[str, Any]:
    """An update as Telegram writes it."""
    user = {"id": abs(chat_id), "is_bot": False, "first_name": "Ana", "language_code": "pt-br"}
    chat = {"id": chat_id, "type": "private", "first_name": "Ana"}
    message = {"message_id": update_id % 1000, "date": 1_790_000_000, "from": user, "chat": chat, "text": text}
    update: dict[str, Any] = {"update_id": update_id, "message": message}
    return json.loads(json.dumps(update))  # type: ignore[no-any-return]


async def test_housekeeping_forgets_what_ended_long_ago_and_keeps_keys(tiny_stage: Stage) -> None:
    """After eight days updates and answers are gone; a message with a key stays, so that it is never said again."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    counter = counter_of(tiny_stage)
    await counter.idle()
    async with counter.storage.transaction() as connection:
        await connection.execute(t.outbox.update().values(key="reminder:1"))
    await ana.sends("de novo")
    await ana.sees("2. de novo (2)")
    await counter.idle()
    tiny_stage.clock.move_to(tiny_stage.clock.now().replace(year=tiny_stage.clock.now().year + 1))
    await counter.clockwork.tidy()
    assert await tiny_stage.rows("inbox") == 0
    async with counter.storage.reading() as connection:
        assert list((await connection.execute(select(t.outbox.c.key))).scalars()) == ["reminder:1"]
