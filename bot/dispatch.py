"""Hands stored updates to their handlers: in order inside a chat, chats beside each other, many to a commit."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.answers import Answers
from bot.clock import Clock
from bot.delivery import Delivery
from bot.files import Attachment, Files, attachment_of
from bot.logs import get_logger
from bot.outage import Outage
from bot.storage.engine import is_collision, is_trouble
from bot.storage.journal import Group, HandledElsewhere, Journal, Received
from bot.wiring import Wiring, silence
from domain.files.model import ReceivedFile
from handlers.shared.conversation import conversation_from_json
from handlers.shared.outgoing import Outgoing

log = get_logger(__name__)

GROUP = 64
"""How many chats may share a transaction: more would keep the first of them waiting for its answer."""
FETCHES = 8
ANOTHER_HAS_IT = 0.05


class Stopped(Exception):
    """The process ends before an update could be stored."""


@dataclass(slots=True)
class Line:
    """The updates of one chat, in order. ``files`` has what was fetched (or ``None``: nobody awaits it) by update."""

    chat_id: int
    waiting: list[tuple[int, Received]] = field(default_factory=list)
    files: dict[int, ReceivedFile | None] = field(default_factory=dict)
    busy: bool = False

    @property
    def head(self) -> Received:
        return self.waiting[0][1]


@dataclass(frozen=True, slots=True)
class Brought:
    """An update that is stored together with its effects, and who waits for that (``answers``: for an answer too)."""

    stored: asyncio.Future[Outgoing | None]
    answers: bool


class Dispatcher:
    """The lines of one process. SQLite has one writer, so one group is under way there; PostgreSQL takes several."""

    def __init__(
        self,
        journal: Journal,
        wiring: Wiring,
        files: Files,
        answers: Answers,
        delivery: Delivery,
        outage: Outage,
        clock: Clock,
    ) -> None:
        self._journal, self._wiring, self._files, self._answers = journal, wiring, files, answers
        self._delivery, self._outage, self._clock = delivery, outage, clock
        self._lines: dict[int, Line] = {}
        self._fresh: dict[int, Brought] = {}
        self._ready: deque[Line] = deque()
        self._work, self._settled = asyncio.Event(), asyncio.Event()
        self._settled.set()
        self._fetching = asyncio.Semaphore(FETCHES)
        self._tasks: set[asyncio.Task[None]] = set()
        self._workers = 1 if journal.storage.is_sqlite else 3
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = False

    async def start(self) -> None:
        """Begin with what an earlier process left, in order."""
        last = -1
        while found := await self._journal.pending(after=last):
            self.enqueue(found)
            last = found[-1].update_id
        self._loops = [asyncio.create_task(self._loop()) for _ in range(self._workers)]

    async def stop(self) -> None:
        """Let the groups under way commit; what waits stays in the inbox."""
        self._stopping = True
        self._work.set()
        if self._loops:
            await asyncio.wait(self._loops, timeout=5)
        for task in (*self._loops, *self._tasks):
            task.cancel()
        await asyncio.gather(*self._loops, *self._tasks, return_exceptions=True)
        for brought in self._fresh.values():
            _tell(brought, Stopped())

    def enqueue(self, updates: Iterable[Received]) -> None:
        """Take updates that are stored."""
        for received in updates:
            line = self._lines.setdefault(received.chat_id, Line(received.chat_id))
            if all(received.update_id != known for known, _ in line.waiting):
                heapq.heappush(line.waiting, (received.update_id, received))
                self._settled.clear()
                self._offer(line)

    def is_free(self, received: Received) -> bool:
        """Whether an update can be handled at once: nothing waits before it, and nothing has to be fetched for it."""
        return received.chat_id not in self._lines and attachment_of(received.payload) is None

    def take(self, received: Received, *, answers: bool) -> asyncio.Future[Outgoing | None]:
        """Take an update that is free and not stored yet; it is when the result is there, together with its effects.

        With ``answers`` the result is what answers a press, if the update is one; it is not said otherwise then.

        Raises (the future):
            Exception: It is not stored, and whoever brought it must bring it again.
        """
        brought = Brought(asyncio.get_running_loop().create_future(), answers)
        self._fresh[received.update_id] = brought
        self.enqueue([received])
        return brought.stored

    async def idle(self) -> None:
        """Wait until nothing waits."""
        await self._settled.wait()

    def _offer(self, line: Line) -> None:
        """Let the line's head be handled, once its file is here."""
        if line.busy or not line.waiting:
            return
        line.busy = True
        attachment = attachment_of(line.head.payload)
        if attachment is not None and line.head.update_id not in line.files:
            self._spawn(self._fetch(line, line.head, attachment))
        else:
            self._ready.append(line)
            self._work.set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fetch(self, line: Line, received: Received, attachment: Attachment) -> None:
        """Fetch a file outside of any transaction, if the chat's open form may be waiting for one."""
        async with self._fetching:
            while True:
                try:
                    body = await self._journal.places.of(line.chat_id)
                    awaited = conversation_from_json(line.chat_id, body).awaits_file
                    file = await self._files.receive(attachment) if awaited else None
                    break
                except Exception as error:
                    if not is_trouble(error):
                        log.error("file_mistake", update=received.update_id, code=type(error).__name__)
                        file = None
                        break
                    await asyncio.sleep(self._outage.begins(error, [received]))
        line.files[received.update_id] = file
        line.busy = False
        self._offer(line)

    async def _loop(self) -> None:
        while True:
            await self._work.wait()
            if self._stopping:
                return
            lines = [self._ready.popleft() for _ in range(min(GROUP, len(self._ready)))]
            if not self._ready:
                self._work.clear()
            if lines:
                await self._run(lines)

    async def _run(self, lines: Sequence[Line]) -> None:
        """Handle the heads of ``lines`` in one transaction, for as long as it takes."""
        while lines and not self._stopping:
            heads = [line.head for line in lines]
            try:
                group = await self._try(lines, heads)
            except HandledElsewhere:
                continue
            except Exception as error:
                if is_collision(error):
                    log.info("collided", updates=len(lines))
                elif is_trouble(error):
                    lines = self._give_back(lines, error)
                    if lines:
                        await asyncio.sleep(self._outage.begins(error, [line.head for line in lines]))
                    continue
                if len(lines) > 1:  # one of them is to blame: each for itself
                    for line in lines:
                        await self._run([line])
                    return
                if not is_collision(error):
                    await self._give_up(heads[0], error)
                continue
            self._outage.ends()
            self._delivery.hand_over(group.rows)
            for line, head in zip(lines, heads, strict=True):
                self._step(line, head, group)
            return

    async def _try(self, lines: Sequence[Line], heads: Sequence[Received]) -> Group:
        by_chat = {line.chat_id: line for line in lines}
        async with self._journal.group(heads, now=self._clock.now(), fresh=self._fresh_of(heads)) as group:
            for received in group.heads.values():
                line = by_chat[received.chat_id]
                if received.update_id in line.files or attachment_of(received.payload) is None:
                    await self._wiring.serve(group, received, line.files.get(received.update_id))
        return group

    def _fresh_of(self, heads: Sequence[Received]) -> list[int]:
        """Return which of some updates are not stored yet."""
        return [head.update_id for head in heads if head.update_id in self._fresh]

    def _give_back(self, lines: Sequence[Line], error: Exception) -> list[Line]:
        """Let those who brought updates that are not stored bring them again; return the lines of the others."""
        kept = []
        for line in lines:
            brought = self._fresh.pop(line.head.update_id, None)
            if brought is None:
                kept.append(line)
                continue
            _tell(brought, error)
            self._leave(line, line.head.update_id)
            self._go_on(line)
        return kept

    def _step(self, line: Line, head: Received, group: Group) -> None:
        """Move a line on by what became of its head."""
        if line.chat_id not in group.locked:
            self._spawn(self._again(line))
            return
        served = group.heads.get(line.chat_id)
        self._answer(head, served, group)
        done = {update_id for update_id, _, _ in group.done}
        if served is None or served.update_id == head.update_id in done or served.update_id > head.update_id:
            # the database knows nothing before this head that still waits: it is done, now or when it first came
            self._leave(line, head.update_id)
        known = {update_id for update_id, _ in line.waiting}
        if served is not None and served.update_id not in done | known:
            # another process stored it, and its file is not here yet
            heapq.heappush(line.waiting, (served.update_id, served))
        self._go_on(line)

    def _answer(self, head: Received, served: Received | None, group: Group) -> None:
        """Answer what was pressed, and tell who brought an update that it is stored."""
        answers = {received.update_id: group.answers.get(received.update_id) for received in (head, served) if received}
        if served is None or served.update_id > head.update_id:
            # it was handled when it came the first time, and perhaps its answer did not arrive
            answers[head.update_id] = _silence(head)
        brought = self._fresh.pop(head.update_id, None)
        if brought is not None:
            _tell(brought, answers.pop(head.update_id) if brought.answers else None)
        for answer in answers.values():
            if answer is not None:
                self._answers.give(answer)

    def _leave(self, line: Line, update_id: int) -> None:
        line.waiting = [entry for entry in line.waiting if entry[0] != update_id]
        heapq.heapify(line.waiting)
        line.files.pop(update_id, None)

    def _go_on(self, line: Line) -> None:
        line.busy = False
        if line.waiting:
            self._offer(line)
            return
        self._lines.pop(line.chat_id, None)
        if not self._lines:
            self._settled.set()

    async def _again(self, line: Line) -> None:
        await asyncio.sleep(ANOTHER_HAS_IT)
        line.busy = False
        self._offer(line)

    async def _give_up(self, received: Received, error: Exception) -> None:
        """End an update whose effects the database refused, so that it does not stand in its chat's way."""
        try:
            async with self._journal.group(
                [received], now=self._clock.now(), fresh=self._fresh_of([received])
            ) as group:
                for head in group.heads.values():
                    self._wiring.fail(group, head, error)
            self._delivery.hand_over(group.rows)
        except Exception as worse:
            if not is_trouble(worse):
                log.error("update_abandoned", update=received.update_id, code=type(worse).__name__)
                await self._journal.abandon(received, type(worse).__name__, now=self._clock.now())


def _silence(received: Received) -> Outgoing | None:
    pressed = received.payload.get("callback_query")
    return silence(received.chat_id, str(pressed.get("id", ""))) if isinstance(pressed, dict) else None


def _tell(brought: Brought, end: Outgoing | Exception | None) -> None:
    """Tell who waits for an update how it ended; who was broken off waits no more."""
    if brought.stored.done():
        return
    if isinstance(end, Exception):
        brought.stored.set_exception(end)
    else:
        brought.stored.set_result(end)
