"""Updates come in any order, at once, again, and into trouble: each has one effect, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import select

from bot.clock import Clock
from bot.dispatch import Dispatcher
from bot.intake import Inlet, received_from
from bot.storage import tables as t
from bot.storage.engine import Storage, is_trouble
from bot.storage.journal import FAILED, HANDLED, Group, HandledElsewhere, Journal, Received, Row
from bot.storage.repositories.sealing import Seal
from bot.storage.transaction import Transaction
from domain.files.model import FileKind, ReceivedFile
from handlers.shared.conversation import Conversation, FormPlace, conversation_to_json
from handlers.shared.outgoing import Kind, Outgoing

ANA, BIA = 100, 101
CHATS = (ANA, BIA, 102, 103)
UPDATES = 40
SECONDS = 20


class Chance:
    """What happens by chance, from one seed."""

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.trouble = 0.0

    async def waver(self) -> None:
        """Let others go first, or end in trouble of the database."""
        for _ in range(self.random.choice((0, 0, 0, 1, 3))):
            await asyncio.sleep(0)
        if self.random.random() < self.trouble:
            raise TimeoutError


class Shaky(Storage):
    """A database that fails before a transaction, in it, and when nobody can know whether it was kept."""

    def __init__(self, url: str, chance: Chance) -> None:
        super().__init__(url)
        self._chance = chance

    @asynccontextmanager
    async def transaction(self, *, slow: bool = False) -> AsyncIterator[Transaction]:
        await self._chance.waver()
        async with super().transaction(slow=slow) as transaction:
            yield transaction
            await self._chance.waver()
        await self._chance.waver()


class Process:
    """Intake and dispatcher as a process has them; around them it is wiring, files, answers, sender and outage."""

    def __init__(self, url: str, chance: Chance) -> None:
        self.chance = chance
        self.storage = Shaky(url, chance)
        self.journal = Journal(self.storage, Seal("a secret of the tests, long enough"))
        self.given: list[Outgoing] = []
        self.surprises: list[str] = []
        around: Any = self
        self.dispatcher = Dispatcher(self.journal, around, around, around, around, around, Clock())
        self.inlet = Inlet(self.journal, self.dispatcher, around, Clock())

    async def serve(self, group: Group, received: Received, file: ReceivedFile | None) -> None:
        await self.chance.waver()
        text = received.payload.get("message", {}).get("text")
        if text == "mistake":
            raise RuntimeError
        if (file is not None) != (text == "file"):
            self.surprises.append(f"update {received.update_id}: {file}")
        if "callback_query" in received.payload:
            group.answers[received.update_id] = answer_to(received)
        self._ends(group, received, HANDLED)
        await group.keep()

    def fail(self, group: Group, received: Received, error: Exception) -> None:
        if type(error) is not RuntimeError:
            self.surprises.append(f"update {received.update_id}: {error!r}")
        self._ends(group, received, FAILED)

    def _ends(self, group: Group, received: Received, state: str) -> None:
        group.said.append(Outgoing(received.chat_id, text=str(received.update_id)))
        group.done.append((received.update_id, state, None))

    async def receive(self, _attachment: object) -> ReceivedFile:
        for _ in range(self.chance.random.randrange(20)):
            await asyncio.sleep(0)
        await self.chance.waver()
        return ReceivedFile(0, FileKind.PHOTO, "image/jpeg", 1, "0" * 64, "x", "")

    def give(self, answer: Outgoing) -> None:
        self.given.append(answer)

    def hand_over(self, rows: Iterable[Row]) -> None:
        pass

    def begins(self, _error: Exception, _waiting: Iterable[Received]) -> float:
        return 0.0

    def ends(self) -> None:
        pass

    async def effects(self) -> list[tuple[int, int]]:
        """Return chat and number of each update that had its effect, in the order of the effects."""
        async with self.storage.reading() as transaction:
            numbers = (await transaction.execute(select(t.outbox.c.id).order_by(t.outbox.c.id))).scalars().all()
        rows = await self.journal.unsent(now=Clock().now())
        assert len(rows) == len(numbers)
        return [(row.message.chat_id, int(row.message.text or "")) for row in rows]

    async def opens_forms(self) -> None:
        """Let everybody have a form open that awaits a file."""
        rows = []
        for chat in CHATS:
            stands = Conversation(chat)
            stands.place = FormPlace("tiny", "file")
            rows.append(self.journal.places.row(chat, conversation_to_json(stands), now=Clock().now()))
        async with self.storage.transaction() as transaction:
            await transaction.execute(t.conversation.insert(), rows)

    def has_nothing_left(self) -> bool:
        left = self.dispatcher._lines, self.dispatcher._fresh, self.inlet._before
        return not any(left) and not self.surprises


@asynccontextmanager
async def processes(url: str, *, chance: Chance | None = None, count: int = 1) -> AsyncIterator[list[Process]]:
    """Open processes on one database."""
    chance = chance or Chance()
    made = [Process(url, chance) for _ in range(count)]
    await made[0].opens_forms()
    for one in made:
        await one.dispatcher.start()
    try:
        async with asyncio.timeout(SECONDS):
            yield made
    finally:
        chance.trouble = 0
        for one in made:
            await one.inlet.stop()
            await one.dispatcher.stop()
            await one.storage.close()


def update(number: int, chat: int = ANA, kind: str = "text") -> Received:
    message: dict[str, Any] = {"chat": {"id": chat, "type": "private"}, "text": kind}
    if kind == "press":
        return received_from({"update_id": number, "callback_query": {"id": str(number), "message": message}})
    if kind == "file":
        message["photo"] = [{"file_id": "x", "width": 1, "height": 1}]
    return received_from({"update_id": number, "message": message})


def any_updates(chance: Chance) -> list[Received]:
    kinds = ("text", "text", "text", "press", "press", "file", "mistake")
    return [update(n, chance.random.choice(CHATS), chance.random.choice(kinds)) for n in range(UPDATES)]


def answer_to(press: Received) -> Outgoing:
    return Outgoing(press.chat_id, kind=Kind.TOAST, callback_id=str(press.update_id), text="feito")


def once_each(updates: Iterable[Received]) -> list[tuple[int, int]]:
    return sorted((one.chat_id, one.update_id) for one in updates)


@pytest.mark.parametrize("seed", [0, 1, 42, 66, 77, 97])
async def test_what_is_polled_has_one_effect_each_in_order(database: str, seed: int) -> None:
    """Batches come, some of them again, and the database is in trouble now and then: nobody sees any of it."""
    chance = Chance(seed)
    async with processes(database, chance=chance) as (process,):
        updates, at = any_updates(chance), 0
        chance.trouble = chance.random.choice((0, 0.02, 0.1, 0.3))
        while at < len(updates):
            size, again = chance.random.randrange(1, 8), chance.random.choice((0, 0, 2))
            await process.inlet.store_at_last(updates[max(at - again, 0) : at + size])
            at += size
        await process.dispatcher.idle()
        chance.trouble = 0

        effects = await process.effects()
        assert sorted(effects) == once_each(updates)
        for chat in CHATS:
            numbers = [number for its, number in effects if its == chat]
            assert numbers == sorted(numbers)
        assert process.has_nothing_left()


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 13, 51])
async def test_what_is_pushed_has_one_effect_each(database: str, seed: int) -> None:
    """Requests come all at once, to one process or to two; with most seeds some come again or break off."""
    chance, rude, count = Chance(seed), seed % 3 > 0, 1 + seed % 2
    async with processes(database, chance=chance, count=count) as made:
        updates = any_updates(chance)
        chance.trouble = chance.random.choice((0, 0.02, 0.1, 0.3)) if rude else 0
        answers: list[Outgoing] = []

        async def push(one: Received) -> None:
            while True:
                for _ in range(chance.random.randrange(30)):
                    await asyncio.sleep(0)
                request = asyncio.create_task(chance.random.choice(made).inlet.answer(one))
                if rude and chance.random.random() < 0.1:
                    await asyncio.sleep(0)
                    request.cancel()
                await asyncio.wait([request])
                if request.cancelled():
                    continue
                if error := request.exception():
                    assert is_trouble(error)
                    continue
                if answer := request.result():
                    answers.append(answer)
                if not rude or chance.random.random() < 0.8:
                    return

        await asyncio.gather(*(push(one) for one in updates))
        for process in made:
            await process.inlet.stop()
            await process.dispatcher.idle()
        chance.trouble = 0

        assert sorted(await made[0].effects()) == once_each(updates)
        assert all(process.has_nothing_left() for process in made)
        presses = [one for one in updates if "callback_query" in one.payload]
        answers += [answer for process in made for answer in process.given]
        worded = Counter(answer.callback_id for answer in answers if answer.text)
        assert set(worded.values()) == {1}
        if not rude and count == 1:
            assert len(answers) == len(worded) == len(presses)


async def test_what_was_stored_while_its_first_try_failed_is_handled(database: str) -> None:
    """Ana's line is pushed twice. The database refuses the first request after it has stored for the second."""
    async with processes(database) as (process,):
        gate = asyncio.Event()

        @asynccontextmanager
        async def fails() -> AsyncIterator[Group]:
            await gate.wait()
            raise TimeoutError
            yield

        only_once(process.journal, fails)
        first = asyncio.create_task(process.inlet.answer(update(1)))
        await asyncio.sleep(0)
        await process.inlet.answer(update(1))
        gate.set()
        await first
        await process.dispatcher.idle()
        assert await process.effects() == [(ANA, 1)]


async def test_who_met_a_mistake_hears_so_though_another_process_came_between(database: str) -> None:
    """The end of Ana's update loses against another process once: it ends all the same, and not without a word."""
    async with processes(database) as (process,):
        serve = process.serve

        async def stumbles(group: Group, received: Received, file: ReceivedFile | None) -> None:
            @asynccontextmanager
            async def loses() -> AsyncIterator[Group]:
                raise HandledElsewhere
                yield

            only_once(process.journal, loses)
            await serve(group, received, file)

        process.serve = stumbles  # type: ignore[method-assign]
        await process.inlet.answer(update(1, kind="mistake"))
        assert await process.effects() == [(ANA, 1)]


async def test_what_not_even_can_be_refused_stops_nobody_else(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No end can be written for Ana's update, at first not even the barest: Bia is served."""
    abandon = Journal.abandon
    failures = iter([TimeoutError()])

    async def fails_once(*given: Any, **more: Any) -> None:
        for error in failures:
            raise error
        await abandon(*given, **more)

    def fails(group: Group, received: Received, error: Exception) -> None:
        raise RuntimeError

    monkeypatch.setattr(Journal, "abandon", fails_once)
    async with processes(database) as (process,):
        process.fail = fails  # type: ignore[method-assign]
        with suppress(TimeoutError):
            await process.inlet.answer(update(1, kind="mistake"))
        await process.inlet.answer(update(1, kind="mistake"))
        await process.inlet.answer(update(2, BIA))
        assert await process.effects() == [(BIA, 2)]
        assert process.has_nothing_left()


async def test_a_press_behind_what_comes_again_is_answered_once(database: str) -> None:
    """Telegram hands out Ana's line again together with her press: the press has its answer, and no silence after."""
    async with processes(database) as (process,):
        await process.inlet.store([update(1)])
        await process.inlet.store([update(1), update(2, kind="press")])
        await process.dispatcher.idle()
        assert process.given == [answer_to(update(2, kind="press"))]


async def test_whoever_breaks_off_has_the_press_answered_otherwise(database: str) -> None:
    """The connection on which Ana's press came is gone: its answer goes out by itself."""
    async with processes(database) as (process,):
        request = asyncio.create_task(process.inlet.answer(update(1, kind="press")))
        await asyncio.sleep(0)
        request.cancel()
        await process.dispatcher.idle()
        assert process.given == [answer_to(update(1, kind="press"))]


def only_once(journal: Journal, opened: Callable[[], AbstractAsyncContextManager[Group]]) -> None:
    """Let the next group of a journal be opened in another way."""

    def group(*_given: Any, **_more: Any) -> AbstractAsyncContextManager[Group]:
        del journal.__dict__["group"]
        return opened()

    journal.__dict__["group"] = group
