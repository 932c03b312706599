"""Sends the outbox: in Telegram's pace, in order inside a chat, until each message has come to a named end.

Rows arrive from memory right after their commit; the table is the net below, read at the start and now and then. A
chat's next message follows when the end of the one before is written down, so that a process which dies repeats at
most one message to a chat: the one of which nobody can know whether it arrived.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import random
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from time import monotonic
from typing import Any

from telegram import Bot
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter

from bot.clock import Clock
from bot.evidence import give
from bot.files import FileStore
from bot.logs import get_logger, where
from bot.pace import Bucket, Pace
from bot.shown import Shown
from bot.speech import End, instead
from bot.storage.journal import Journal, Result, Row
from bot.storage.lead import Lead
from handlers.shared.outgoing import Kind, Priority

log = get_logger(__name__)

AT_ONCE = 64
"""How many calls to Telegram may be under way together."""
GIVE_UP_AFTER = 400
"""Tries on a broken network; with :data:`LONGEST_PAUSE` between them this is more than a day."""
LONGEST_PAUSE = 240.0
LAST_TRIES = 3
"""Tries to write down the last ends when the process is asked to stop while the database is in trouble."""
SWEEP_EVERY = 0.5
ENOUGH = 2000
"""Messages in memory beyond which the table keeps the rest; the sender catches up from there, in order."""
ANSWERS = 200
"""How many answers are taken into a memory that is full of what can wait."""


@dataclass(slots=True)
class Lane:
    """The messages of one chat. One is under way at a time; ``opens_at`` is when the next may follow."""

    chat_id: int
    bucket: Bucket
    rows: list[tuple[int, int, Row]] = field(default_factory=list)
    busy: bool = False
    queued: bool = False
    opens_at: float = 0.0
    tries: int = 0


class Delivery:
    """The sender of one process; of several on one database only the one that leads sends."""

    def __init__(
        self, bot: Bot, journal: Journal, lead: Lead, clock: Clock, store: FileStore, *, pace: Pace | None = None
    ) -> None:
        self._bot, self._journal, self._lead, self._clock, self._store = bot, journal, lead, clock, store
        self._pace = pace or Pace()
        self._overall = self._pace.overall()
        self._lanes: dict[int, Lane] = {}
        self._later: list[tuple[float, int]] = []  # chats whose lane opens then
        self._ready: list[tuple[int, int, int]] = []  # (priority, row, chat): who goes first
        self._known: set[int] = set()
        self._results: list[Result] = []
        self._unreachable: set[int] = set()
        self._shown = Shown()
        self._under_way: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._recorder: asyncio.Task[None] | None = None
        self._stopping = self._recording_ends = False
        self._work, self._ended, self._settled = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._settled.set()
        self._written = asyncio.Event()
        self._behind = self._reading = False
        self._sweeping = asyncio.Lock()  # two at once could each take a row that the other has just ended
        self._newest = 0
        self._at_hand: dict[int, Row] = {}  # what this process has said, until the table was read
        self._at_end: set[int] = set()
        self._unwritten: dict[int, Lane] = {}
        self._closed_until = 0.0
        self._limited: tuple[int, float] | None = None
        self.leads = False

    async def start(self) -> None:
        """Begin to send, first of all what an earlier process left."""
        await self.sweep()
        self._loops = [asyncio.create_task(loop()) for loop in (self._send_loop, self._sweep_loop)]
        self._recorder = asyncio.create_task(self._record_loop())

    async def stop(self) -> None:
        """Let what is under way end, write down how everything ended, and stop."""
        # loops that use the database are not cancelled: what is broken off in the middle may hold its locks for a while
        self._stopping = True
        self._work.set()
        self._written.set()
        await asyncio.gather(*self._loops)
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=5)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._recorder is not None:
            self._recording_ends = True
            self._ended.set()
            await self._recorder
        await self._lead.release()

    def hand_over(self, rows: Iterable[Row]) -> None:
        """Take rows whose transaction has committed.

        With one process their memory is enough. Where another process may have written to the same chat just before
        (on SQLite a gap between the numbers tells), or when the sender is behind, only the table knows the order.
        """
        fresh = list(rows)
        if not fresh or not self.leads:
            return
        follows = fresh[0].id == self._newest + 1
        self._newest = fresh[-1].id  # not the largest: where all was forgotten, SQLite counts from one again
        from_table = self._behind or self._reading or self._written.is_set()
        if self._journal.storage.is_sqlite and follows and not from_table:
            self._take(fresh)
            return
        if len(self._at_hand) < ENOUGH:
            self._at_hand |= {row.id: row for row in fresh}
        self._written.set()

    def _take(self, rows: Iterable[Row]) -> None:
        now = self._clock.now()
        for row in rows:
            if row.id in self._known or (row.message.not_before is not None and row.message.not_before > now):
                continue
            self._known.add(row.id)
            self._settled.clear()
            lane = self._lane(row.message.chat_id)
            heapq.heappush(lane.rows, (int(row.message.priority), row.id, row))
            self._queue(lane)

    async def sweep(self) -> None:
        """Take up what the table holds and memory does not."""
        async with self._sweeping:
            self._written.clear()
            self.leads = await self._lead.held()
            if not self.leads:
                self._behind = False
                self._at_hand.clear()
                return
            # however much waits, whoever writes now does not wait behind it
            room = ENOUGH - len(self._known)
            least, limit = (Priority.REMINDER, room) if room > 0 else (Priority.ANSWER, ANSWERS)
            self._reading = True
            try:
                known, at_hand = frozenset(self._known), dict(self._at_hand)
                rows = await self._journal.unsent(
                    now=self._clock.now(), known=known, at_hand=at_hand, limit=limit, least=least
                )
                self._behind = room <= 0 or len(rows) == room
                self._take(rows)
                for row_id in at_hand:
                    if not self._behind or row_id in self._known:  # otherwise it was taken before, or must wait
                        self._at_hand.pop(row_id, None)
            finally:
                self._reading = False

    async def idle(self) -> None:
        """Wait until everything taken up has come to its end."""
        await self._settled.wait()

    def _lane(self, chat_id: int) -> Lane:
        lane = self._lanes.get(chat_id)
        if lane is None:
            lane = self._lanes[chat_id] = Lane(chat_id, self._pace.for_chat(chat_id))
        return lane

    def _queue(self, lane: Lane) -> None:
        """Let the lane take part, now or as soon as its chat's pace allows."""
        if lane.busy or lane.queued or not lane.rows:
            return
        now = monotonic()
        opens = max(lane.opens_at, now + lane.bucket.wait(now))
        lane.queued = True
        heapq.heappush(self._later, (opens, lane.chat_id))
        self._work.set()

    async def _send_loop(self) -> None:
        while not self._stopping:
            self._work.clear()
            pause = self._dispatch()
            timer = None if pause is None else asyncio.get_running_loop().call_later(pause, self._work.set)
            await self._work.wait()
            if timer is not None:
                timer.cancel()

    def _dispatch(self) -> float | None:
        """Send what may be sent now; return the seconds until more may be, ``None`` when only an event can tell."""
        while True:
            now = monotonic()
            while self._later and self._later[0][0] <= now:
                lane = self._lanes.get(heapq.heappop(self._later)[1])
                if lane is not None and lane.rows:
                    priority, row_id, _ = lane.rows[0]
                    heapq.heappush(self._ready, (priority, row_id, lane.chat_id))
                elif lane is not None:
                    lane.queued = False
            until_later = max(self._later[0][0] - now, 0.0) if self._later else None
            if not self._ready:
                return until_later
            if len(self._under_way) >= AT_ONCE:
                return None
            wait = max(self._overall.wait(now), self._closed_until - now)
            if wait > 0:
                return wait if until_later is None else min(wait, until_later)
            lane = self._lanes.get(heapq.heappop(self._ready)[2])
            if lane is not None and lane.rows and not lane.busy:
                lane.queued, lane.busy = False, True
                row = heapq.heappop(lane.rows)[2]
                self._overall.take(now)
                lane.bucket.take(now)
                self._spawn(self._serve(lane, row))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._landed)

    def _landed(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._work.set()
        mistake = None if task.cancelled() else task.exception()
        if mistake is not None:
            log.error("delivery_mistake", code=type(mistake).__name__, where=where(mistake))

    async def _serve(self, lane: Lane, row: Row) -> None:
        """Try one message; it ends, or it goes back to the head of its lane."""
        try:
            end = self._already_over(lane, row)
            if end is None:
                await self._deliver(row)
            else:
                self._finish(row, end)
            lane.tries = 0
        except RetryAfter as limit:
            self._slow_down(lane, limit)
            self._put_back(lane, row)
        except ChatMigrated as moved:
            self._move(lane, row, moved.new_chat_id)
        except Forbidden as refusal:
            self._block(lane, row, refusal.message)
        except InvalidToken as refusal:
            log.error("token_refused", code=refusal.message)
            self._closed_until = monotonic() + 30
            self._put_back(lane, row)
        except NetworkError as trouble:
            lane.tries += 1
            if lane.tries >= GIVE_UP_AFTER:
                lane.tries = 0
                self._finish(row, End.FAILED, error=type(trouble).__name__)
            else:
                lane.opens_at = monotonic() + _pause(lane.tries)
                self._put_back(lane, row)
        except Exception as mistake:
            log.error(
                "message_failed",
                message=row.id,
                kind=row.message.kind.value,
                code=type(mistake).__name__,
                where=where(mistake),
            )
            self._finish(row, End.FAILED, error=type(mistake).__name__)
        if row.id in self._at_end:
            self._unwritten[row.id] = lane
        else:
            self._release(lane)

    def _release(self, lane: Lane) -> None:
        """Let the lane's next message follow."""
        lane.busy = False
        self._queue(lane)
        self._retire(lane)

    def _already_over(self, lane: Lane, row: Row) -> End | None:
        expires = row.message.expires_at
        if expires is not None and expires <= self._clock.now():
            return End.EXPIRED
        if row.message.kind in (Kind.EDIT, Kind.STRIP):
            edited = row.message.message_id
            later = (other.message for _, _, other in lane.rows)
            if any(other.kind is Kind.EDIT and other.message_id == edited for other in later):
                return End.SUPERSEDED
        return None

    async def _deliver(self, row: Row) -> None:
        if self._shown.already(row.message):
            self._finish(row, End.DELIVERED)
            return
        try:
            sent = await give(self._bot, self._store, row.message)
            self._shown.note(row.message, sent)
        except BadRequest as refusal:
            other = instead(row.message, refusal.message)
            if isinstance(other, End):
                self._end_refused(row, other, refusal.message)
                return
            log.warning("said_otherwise", message=row.id, kind=row.message.kind.value, code=refusal.message)
            try:
                for message in other:
                    await give(self._bot, self._store, message)
            except BadRequest as again:
                last = instead(row.message, again.message)
                self._end_refused(row, last if isinstance(last, End) else End.FAILED, again.message)
                return
        self._finish(row, End.DELIVERED)

    def _end_refused(self, row: Row, end: End, words: str) -> None:
        if end is End.FAILED:
            log.error("message_refused", message=row.id, kind=row.message.kind.value, code=words)
        if end is End.BLOCKED:
            self._unreachable.add(row.message.chat_id)
        self._finish(row, end, error=words)

    def _slow_down(self, lane: Lane, limit: RetryAfter) -> None:
        """Wait as long as Telegram says: this chat, and everybody when a second chat hears it meanwhile."""
        now = monotonic()
        opens = now + _seconds(limit)
        lane.opens_at = max(lane.opens_at, opens)
        if self._limited is not None and self._limited[0] != lane.chat_id and self._limited[1] > now:
            self._closed_until = max(self._closed_until, opens, self._limited[1])
        self._limited = (lane.chat_id, opens)
        log.warning("slowed_down", seconds=round(opens - now, 1))

    def _put_back(self, lane: Lane, row: Row) -> None:
        heapq.heappush(lane.rows, (int(row.message.priority), row.id, row))

    def _block(self, lane: Lane, row: Row, words: str) -> None:
        """Whoever blocked the bot is told nothing more of what waits; nobody else is touched."""
        self._unreachable.add(lane.chat_id)
        for blocked in (row, *(other for _, _, other in lane.rows)):
            self._finish(blocked, End.BLOCKED, error=words)
        lane.rows.clear()

    def _move(self, lane: Lane, row: Row, new: int) -> None:
        rows = [row, *(other for _, _, other in lane.rows)]
        lane.rows.clear()
        other = self._lane(new)
        for old in rows:
            moved = replace(old, message=replace(old.message, chat_id=new))
            heapq.heappush(other.rows, (int(moved.message.priority), moved.id, moved))
        self._queue(other)
        self._spawn(self._journal.move_chat(lane.chat_id, new))

    def _retire(self, lane: Lane) -> None:
        """Forget a lane that is empty and whose pace owes nothing, so that memory follows who is spoken to."""
        idle = not lane.rows and not lane.queued and not lane.busy
        if idle and len(self._lanes) > 1000 and lane.bucket.wait(monotonic()) == 0 and lane.opens_at <= monotonic():
            self._lanes.pop(lane.chat_id, None)

    def _finish(self, row: Row, end: End, *, error: str | None = None) -> None:
        self._results.append(Result(row.id, end.value, error))
        self._at_end.add(row.id)
        self._ended.set()

    async def _record_loop(self) -> None:
        tries = 0
        while True:
            await self._ended.wait()
            self._ended.clear()
            try:
                await self._record()
                tries = 0
            except Exception as error:
                tries += 1
                log.warning("results_wait", code=type(error).__name__, tries=tries)
                if not self._recording_ends or tries < LAST_TRIES:
                    await asyncio.sleep(min(_pause(tries), 5.0))
                    self._ended.set()
            if self._recording_ends and not self._ended.is_set():
                return

    async def _record(self) -> None:
        results, self._results = self._results, []
        gone, self._unreachable = self._unreachable, set()
        if not results and not gone:
            return
        try:
            await self._journal.finish(results, gone, now=self._clock.now())
        except BaseException:
            self._results[:0] = results
            self._unreachable |= gone
            raise
        for result in results:
            self._known.discard(result.id)
            self._at_end.discard(result.id)
            lane = self._unwritten.pop(result.id, None)
            if lane is not None:
                self._release(lane)
        if not self._known:
            self._settled.set()

    async def _sweep_loop(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_EVERY):
                    await self._written.wait()
            if self._stopping:
                return
            try:
                await self.sweep()
            except Exception as error:
                log.warning("outbox_not_read", code=type(error).__name__)
                await asyncio.sleep(1)


def _pause(tries: int) -> float:
    """Return the seconds before another try: twice as long each time, never in step with others."""
    return min(0.25 * 2.0 ** min(tries, 20), LONGEST_PAUSE) * random.uniform(0.5, 1.0)  # noqa: S311


def _seconds(limit: RetryAfter) -> float:
    wait = limit.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
