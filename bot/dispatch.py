"""Hands updates to their handlers: in order inside a chat, chats beside each other, many to a commit.

Most are stored in the transaction of their effects, the others before it; none is acknowledged before it is stored.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Collection, Coroutine, Iterable, Sequence
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

    def has(self, update_id: int) -> bool:
        """Whether an update is among them."""
        return any(update_id == known for known, _ in self.waiting)


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
            if line.has(received.update_id):
                self._is_stored(received.update_id)  # were it given back from now on, nobody would bring it again
                continue
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
        refused: dict[int, Exception] = {}
        while lines and not self._stopping:
            heads = [line.head for line in lines]
            tried: list[Received] = []
            try:
                group = await self._try(lines, heads, tried, refused)
            except HandledElsewhere:
                continue
            except Exception as error:
                if is_collision(error):
                    log.info("collided", updates=len(lines))
                elif is_trouble(error):
                    lines = await self._wait_out(lines, error)
                    continue
                if len(lines) > 1:  # one of them is to blame: each for itself
                    for line in lines:
                        await self._run([line])
                    return
                if not is_collision(error):
                    lines = await self._refuse(lines, heads[0], tried, refused, error)
                continue
            self._outage.ends()
            self._delivery.hand_over(group.rows)
            ended = {update_id for update_id, _, _ in group.done}
            for line, head in zip(lines, heads, strict=True):
                self._step(line, head, group, ended)
            return

    async def _try(
        self, lines: Sequence[Line], heads: Sequence[Received], tried: list[Received], refused: dict[int, Exception]
    ) -> Group:
        """Handle in one transaction what is first in each chat, and put it into ``tried``.

        Of what is ``refused`` nothing is tried again: it ends, and the person hears that the team knows.
        """
        by_chat = {line.chat_id: line for line in lines}
        async with self._journal.group(heads, now=self._clock.now(), fresh=self._fresh_of(heads)) as group:
            for received in group.heads.values():
                line = by_chat[received.chat_id]
                tried.append(received)
                if received.update_id in refused:
                    self._wiring.fail(group, received, refused[received.update_id])
                elif received.update_id in line.files or attachment_of(received.payload) is None:
                    await self._wiring.serve(group, received, line.files.get(received.update_id))
        return group

    async def _refuse(
        self,
        lines: Sequence[Line],
        head: Received,
        tried: Sequence[Received],
        refused: dict[int, Exception],
        error: Exception,
    ) -> Sequence[Line]:
        """Let an update whose effects the database refused end, so that it does not stand in its chat's way."""
        if tried and tried[0].update_id not in refused:
            refused[tried[0].update_id] = error
            return lines
        log.error("update_abandoned", update=head.update_id, code=type(error).__name__)
        try:
            await self._journal.abandon(head, type(error).__name__, now=self._clock.now())
        except Exception as worse:
            return await self._wait_out(lines, worse)
        return lines

    def _fresh_of(self, heads: Sequence[Received]) -> list[int]:
        """Return which of some updates are not stored yet."""
        return [head.update_id for head in heads if head.update_id in self._fresh]

    async def _wait_out(self, lines: Sequence[Line], error: Exception) -> list[Line]:
        """Let those who brought updates that are not stored bring them again; wait a while for the other lines."""
        kept = []
        for line in lines:
            brought = self._fresh.pop(line.head.update_id, None)
            if brought is None:
                kept.append(line)
                continue
            _tell(brought, error)
            self._leave(line, line.head.update_id)
            self._go_on(line)
        if kept:
            await asyncio.sleep(self._outage.begins(error, [line.head for line in kept]))
        return kept

    def _step(self, line: Line, head: Received, group: Group, ended: Collection[int]) -> None:
        """Move a line on by what became of its head."""
        if line.chat_id not in group.locked:
            self._spawn(self._again(line))
            return
        served = group.heads.get(line.chat_id)
        if served is None or served.update_id > head.update_id:
            # the database knows nothing before this head that still waits: it was done when it first came, and perhaps
            # its answer did not arrive
            self._end(line, head, group)
        if served is not None and served.update_id in ended:
            self._end(line, served, group)
        elif served is not None and not line.has(served.update_id):
            # another process stored it, and its file is not here yet
            heapq.heappush(line.waiting, (served.update_id, served))
        self._is_stored(head.update_id)
        self._go_on(line)

    def _end(self, line: Line, received: Received, group: Group) -> None:
        """Take an update out of its line; answer it if it is a press, and tell who brought it that it is stored."""
        self._leave(line, received.update_id)
        answer = group.answers.get(received.update_id) or _silence(received)
        brought = self._fresh.get(received.update_id)
        if brought is not None and brought.answers and not brought.stored.done():
            self._is_stored(received.update_id, answer)
            return
        self._is_stored(received.update_id)
        if answer is not None:
            self._answers.give(answer)

    def _is_stored(self, update_id: int, answer: Outgoing | None = None) -> None:
        """Tell who brought an update that it is stored."""
        brought = self._fresh.pop(update_id, None)
        if brought is not None:
            _tell(brought, answer)

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
