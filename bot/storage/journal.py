"""Inbox and outbox: what came in, what goes out, and the transaction in which one becomes the other.

Several updates, each of another chat, share one transaction (a :class:`Group`), because a commit costs far more than
what a group adds to it. The statements here are all that an update needs beyond its use case.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Table, bindparam, delete, func, literal_column, select, text, update
from sqlalchemy.dialects import postgresql

from bot.logs import get_logger
from bot.storage.engine import Storage, is_conflict, to_json
from bot.storage.places import Places
from bot.storage.repositories.people import person_of
from bot.storage.repositories.sealing import Seal, SealBroken
from bot.storage.statement import Statement, among, first
from bot.storage.tables import conversation, inbox, outbox, person, role_grant
from bot.storage.transaction import SqliteTransaction, Transaction
from domain.people.model import Grant, Person, Role
from handlers.shared.outgoing import Kind, Outgoing, Priority

log = get_logger(__name__)

PENDING, HANDLED, IGNORED, FAILED = "pending", "handled", "ignored", "failed"
NOBODY = 0
"""The chat of what has ended: beside its instant, the number would tell whose case moved in that instant."""

AT_ONCE = 1000
"""How many updates that an earlier process left are read together."""

_PENDING: Any = literal_column(f"'{PENDING}'")  # so that a database sees that the index will do

_LOCK = Statement(
    # a lock on the chat and not on its row: at first contact there is no row, and what this process does not know of
    # yet (an update stored by another) must keep its turn as well
    text("SELECT chat FROM unnest(:chats) AS chat WHERE pg_try_advisory_xact_lock(chat)")
    .bindparams(bindparam("chats", type_=postgresql.ARRAY(BigInteger), required=True))
    .columns(chat=BigInteger)
)
_HEADS = Statement(
    select(inbox.c.chat_id, func.min(inbox.c.update_id).label("first"))
    .where(inbox.c.state == _PENDING, among(inbox.c.chat_id, "chats"))
    .group_by(inbox.c.chat_id)
)
_STORED = select(inbox.c.update_id, inbox.c.chat_id, inbox.c.payload)
_SOME = Statement(_STORED.where(among(inbox.c.update_id, "ids")))
_WAITING = Statement(
    _STORED.where(inbox.c.state == _PENDING, inbox.c.update_id > bindparam("after"))
    .order_by(inbox.c.update_id)
    .limit(first(AT_ONCE))
)
_PEOPLE = Statement(
    select(person, conversation.c.body, role_grant.c.city.label("grant_city"), role_grant.c.role)
    .outerjoin(conversation, conversation.c.chat_id == person.c.chat_id)
    .outerjoin(role_grant, role_grant.c.person_id == person.c.id)
    .where(among(person.c.chat_id, "chats"))
)
_ARRIVED = ("update_id", "chat_id", "payload", "state", "code", "received_at", "handled_at")
_STORE = Statement(
    lambda insert: insert(inbox).on_conflict_do_nothing(index_elements=["update_id"]),
    _ARRIVED,
)
_ARRIVE = Statement(inbox.insert(), _ARRIVED)
_STANDS = ("chat_id", "body", "holds_receipt", "updated_at")
_MOVE = Statement(
    lambda insert: (place := insert(conversation)).on_conflict_do_update(
        index_elements=["chat_id"], set_={name: place.excluded[name] for name in _STANDS[1:]}
    ),
    _STANDS,
)
_DONE = Statement(
    update(inbox).where(among(inbox.c.update_id, "ids"), inbox.c.state == _PENDING).values(chat_id=NOBODY, payload=""),
    ("state", "code", "handled_at"),
)
_ENDED = Statement(
    update(outbox).where(among(outbox.c.id, "ids")).values(chat_id=NOBODY, payload=""),
    ("state", "error", "finished_at"),
)
_SAID = ("chat_id", "kind", "priority", "payload", "key", "state", "created_at", "not_before", "expires_at")
_SAY = Statement(outbox.insert(), _SAID)


def _listed(name: str) -> Any:
    return bindparam(name, type_=postgresql.ARRAY(outbox.c[name].type), required=True)


_SAY_ALL = Statement(
    # the rows of one statement get their numbers in their order
    lambda insert: (
        insert(outbox)
        .from_select(_SAID, select(*(func.unnest(_listed(name)) for name in _SAID)))
        .returning(outbox.c.id)
    )
)
_SAY_ONCE = Statement(
    lambda insert: insert(outbox).on_conflict_do_nothing(index_elements=["key"]).returning(outbox.c.id), _SAID
)
_GONE = Statement(update(person).where(among(person.c.chat_id, "chats")).values(reachable=False))


@cache
def _unsent(limit: int) -> Statement:
    ripe = (outbox.c.not_before.is_(None)) | (outbox.c.not_before <= bindparam("now"))
    waits = select(outbox.c.id).where(outbox.c.state == _PENDING, ripe, outbox.c.priority <= bindparam("least"))
    return Statement(waits.order_by(outbox.c.priority, outbox.c.id).limit(first(limit)))


_MESSAGES = Statement(select(outbox).where(among(outbox.c.id, "ids"), outbox.c.state == _PENDING))
_OF_CHAT = Statement(
    select(outbox.c.id, outbox.c.payload).where(outbox.c.chat_id == bindparam("chat"), outbox.c.state == _PENDING)
)
_FOLLOW = Statement(update(outbox).where(outbox.c.id == bindparam("this")), ("chat_id", "payload"))


@dataclass(frozen=True, slots=True)
class Received:
    """One update as Telegram gave it, and the chat whose order it must keep."""

    update_id: int
    chat_id: int
    payload: dict[str, Any]
    state: str = PENDING


@dataclass(frozen=True, slots=True)
class Row:
    """One message of the outbox on its way."""

    id: int
    message: Outgoing
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Result:
    """How a message of the outbox ended; ``error`` is Telegram's word, without anything that a person wrote."""

    id: int
    state: str
    error: str | None = None


@dataclass(slots=True)
class Group:
    """One open transaction and what its updates leave in it; the unit of their use cases.

    ``locked`` are the chats that no other process can serve meanwhile. ``conversations`` and ``people`` are as stored
    when the group began; what changed is written at its end. ``lost`` are chats whose conversation cannot be opened any
    more. ``fresh`` are updates that come straight from Telegram
    and are written down together with their effects. ``answers`` has what answers a press, by update: it is no use
    later, so it is not stored, and a press whose answer was lost comes again.
    """

    transaction: Transaction
    now: datetime
    fresh: dict[int, Received] = field(default_factory=dict)
    locked: frozenset[int] = frozenset()
    heads: dict[int, Received] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    conversations: dict[int, str] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    changed: dict[int, str] = field(default_factory=dict)
    said: list[Outgoing] = field(default_factory=list)
    answers: dict[int, Outgoing] = field(default_factory=dict)
    done: list[tuple[int, str, str | None]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    _marked: bool = False

    async def all(self, statement: Statement, /, **values: Any) -> list[Any]:
        if self.transaction.writes(statement):
            await self._mark()
        return await self.transaction.all(statement, **values)

    async def one(self, statement: Statement, /, **values: Any) -> Any:
        found = await self.all(statement, **values)
        return found[0] if found else None

    async def change(self, statement: Statement, /, **values: Any) -> int:
        await self._mark()
        return await self.transaction.change(statement, **values)

    async def each(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        await self._mark()
        await self.transaction.each(statement, rows)

    async def _mark(self) -> None:
        """Let this update be taken back to here: most only read and need no such mark."""
        if not self._marked:
            self._marked = True
            await self.transaction.mark()

    async def keep(self) -> None:
        """Keep what this update has written."""
        if self._marked:
            self._marked = False
            await self.transaction.keep()

    async def undo(self) -> None:
        """Take back what this update has written."""
        if self._marked:
            self._marked = False
            await self.transaction.undo()


class Journal:
    """The statements of the hot path. What is said is sealed for as long as it waits."""

    def __init__(self, storage: Storage, seal: Seal) -> None:
        self.storage, self.places, self._seal = storage, Places(storage, seal), seal

    async def store(self, updates: Sequence[Received], *, now: datetime) -> None:
        """Write updates down; one that is already known stays as it is."""
        if not updates:
            return
        async with self.storage.transaction() as transaction:
            # in one order everywhere, so that two processes that are given the same do not wait for each other
            ordered = sorted(updates, key=lambda update: update.update_id)
            await transaction.each(_STORE, [self._arrival(update, now) for update in ordered])

    async def pending(self, *, after: int = -1) -> list[Received]:
        """Return the next updates that are still to be handled, in order."""
        async with self.storage.reading() as transaction:
            return [self._received(row) for row in await transaction.all(_WAITING, after=after)]

    @asynccontextmanager
    async def group(
        self,
        waiting: Collection[Received],
        *,
        now: datetime,
        fresh: Collection[int] = (),
    ) -> AsyncIterator[Group]:
        """Open a transaction for the next update of each of these chats; it commits, whole, at the end of the block.

        ``heads`` has the updates that are to be handled now. A chat is missing there when another process has it or
        when nothing of it is pending any more; an update that another process stored first comes before ours. The
        numbers in ``fresh`` are of updates that are not stored yet.

        Raises:
            HandledElsewhere: Another process was quicker; the same group can be opened again.
        """
        async with self.storage.transaction() as transaction:
            group = Group(transaction, now)
            chats = [received.chat_id for received in waiting]
            if not self.storage.is_sqlite:
                chats = [row.chat for row in await transaction.all(_LOCK, chats=chats)]
            group.locked = frozenset(chats)
            known = {received.update_id: received for received in waiting if received.chat_id in group.locked}
            group.fresh = {update_id: known[update_id] for update_id in fresh if update_id in known}
            await self._find_heads(group, chats, known)
            await self._find_people(group)
            yield group
            await self._write(group)

    async def abandon(self, received: Received, code: str, *, now: datetime) -> None:
        """End an update, or what waits before it in its chat, about which nothing else can be written."""
        async with self.storage.transaction() as transaction:
            await transaction.each(_STORE, [self._arrival(received, now)])
            firsts = [row.first for row in await transaction.all(_HEADS, chats=[received.chat_id])]
            await transaction.change(_DONE, ids=firsts, state=FAILED, code=code, handled_at=now)

    async def _find_heads(self, group: Group, chats: Sequence[int], known: dict[int, Received]) -> None:
        if group.fresh:
            for row in await group.transaction.all(_SOME, ids=list(group.fresh)):
                del group.fresh[row.update_id]
        firsts = {row.chat_id: row.first for row in await group.transaction.all(_HEADS, chats=chats)}
        for update_id, received in group.fresh.items():
            firsts[received.chat_id] = min(update_id, firsts.get(received.chat_id, update_id))
        strangers = [update_id for update_id in firsts.values() if update_id not in known]
        if strangers:
            known |= {row.update_id: self._received(row) for row in await group.transaction.all(_SOME, ids=strangers)}
        group.heads = {chat: known[firsts[chat]] for chat in chats if chat in firsts}

    async def _find_people(self, group: Group) -> None:
        grants: dict[int, set[Grant]] = {}
        rows = await group.transaction.all(_PEOPLE, chats=list(group.heads))
        for row in rows:
            if row.role is not None:
                grants.setdefault(row.chat_id, set()).add(Grant(row.grant_city, Role(row.role)))
        for row in rows:
            group.people[row.chat_id] = person_of(row, grants.get(row.chat_id, ()))
            if row.body is None or row.chat_id in group.conversations:  # a row for each role
                continue
            try:
                group.conversations[row.chat_id] = self.places.opened(row.chat_id, row.body)
            except SealBroken:
                group.lost.add(row.chat_id)

    async def _write(self, group: Group) -> None:
        transaction, now = group.transaction, group.now
        if group.changed:
            places = [self.places.row(chat, body, now=now) for chat, body in group.changed.items()]
            await transaction.each(_MOVE, places)
        group.rows = await self.say(transaction, group.said, now=now)
        ends: dict[tuple[str, str | None], list[int]] = {}
        arrivals = []
        waiting = dict(group.fresh)
        for update_id, state, code in group.done:
            fresh = waiting.pop(update_id, None)
            if fresh is None:
                ends.setdefault((state, code), []).append(update_id)
            else:
                arrivals.append(self._arrival(replace(fresh, state=state), now, code))
        arrivals += [self._arrival(fresh, now) for fresh in waiting.values()]
        # only what is still pending: were it handled elsewhere meanwhile, this transaction must not stand
        for (state, code), ids in ends.items():
            met = await transaction.change(_DONE, ids=ids, state=state, code=code, handled_at=now)
            if met != len(ids):
                raise HandledElsewhere(f"{len(ids) - met} of {len(ids)} updates were no longer pending")
        if arrivals:
            arrivals.sort(key=lambda row: row["update_id"])
            try:
                await transaction.each(_ARRIVE, arrivals)
            except Exception as error:
                if is_conflict(error):
                    raise HandledElsewhere("another process stored one of these updates") from error
                raise

    async def say(self, transaction: Transaction, messages: Iterable[Outgoing], *, now: datetime) -> list[Row]:
        """Store messages, those with a key at most once ever; return the new ones in order."""
        plain: list[Outgoing] = []
        keyed: dict[str, Outgoing] = {}
        for message in messages:
            if message.key is None:
                plain.append(message)
            else:
                keyed.setdefault(message.key, message)
        rows: list[Row] = []
        if plain:
            columns = [self._columns(message, now) for message in plain]
            numbers: Iterable[int]
            if isinstance(transaction, SqliteTransaction):
                # SQLite counts on from the largest number, and nobody else writes meanwhile
                await transaction.each(_SAY, columns)
                last = transaction.last_number()
                numbers = range(last - len(plain) + 1, last + 1)
            else:
                lists = {name: [row[name] for row in columns] for name in _SAID}
                numbers = sorted(row.id for row in await transaction.all(_SAY_ALL, **lists))
            rows += [Row(new, message, now) for new, message in zip(numbers, plain, strict=True)]
        for message in keyed.values():
            said = await transaction.one(_SAY_ONCE, **self._columns(message, now))
            if said is not None:
                rows.append(Row(said.id, message, now))
        return sorted(rows, key=lambda row: row.id)

    async def unsent(
        self,
        *,
        now: datetime,
        known: Collection[int] = (),
        at_hand: Mapping[int, Row] | None = None,
        limit: int = 500,
        least: Priority = Priority.REMINDER,
    ) -> list[Row]:
        """Return messages that may be sent now and that the sender does not have yet, answers first, then by age.

        Those ``at_hand`` are not read again. One that cannot be opened any more has come to its end.
        """
        found, broken = dict(at_hand or {}), []
        async with self.storage.reading() as transaction:
            enough = 1 << (limit + len(known)).bit_length()  # a statement for each number would be too many
            rows = await transaction.all(_unsent(enough), now=now, least=int(least))
            wanted = [row.id for row in rows if row.id not in known][:limit]
            if missing := [row_id for row_id in wanted if row_id not in found]:
                for row in await transaction.all(_MESSAGES, ids=missing):
                    try:
                        found[row.id] = self._message(row)
                    except SealBroken:
                        broken.append(Result(row.id, FAILED, SealBroken.__name__))
        if broken:
            log.error("messages_not_opened", messages=len(broken), code=SealBroken.__name__)
            await self.finish(broken, (), now=now)
        return [found[row_id] for row_id in wanted if row_id in found]

    async def finish(self, results: Sequence[Result], unreachable: Collection[int], *, now: datetime) -> None:
        """Record how messages ended, and who cannot be reached any more."""
        ends: dict[tuple[str, str | None], list[int]] = {}
        for result in results:
            ends.setdefault((result.state, (result.error or "")[:200] or None), []).append(result.id)
        async with self.storage.transaction() as transaction:
            for (state, error), ids in ends.items():
                await transaction.change(_ENDED, ids=ids, state=state, error=error, finished_at=now)
            if unreachable:
                await transaction.change(_GONE, chats=list(unreachable))

    async def move_chat(self, old: int, new: int) -> None:
        """Follow a group whose chat was given another number."""
        async with self.storage.transaction() as transaction:
            for row in await transaction.all(_OF_CHAT, chat=old):
                try:
                    payload = self._closed(self._opened(outbox, old, row.payload), outbox, new)
                except SealBroken:
                    continue
                await transaction.change(_FOLLOW, this=row.id, chat_id=new, payload=payload)

    async def tidy(self, *, now: datetime, keep: timedelta) -> int:
        """Forget updates and messages that ended more than ``keep`` ago; messages with a key stay, for their key."""
        async with self.storage.transaction(slow=True) as transaction:
            old = await transaction.execute(delete(inbox).where(inbox.c.handled_at < now - keep))
            sent = await transaction.execute(
                delete(outbox).where(outbox.c.finished_at < now - keep, outbox.c.key.is_(None))
            )
            return int(max(old.rowcount, 0) + max(sent.rowcount, 0))

    def _arrival(self, update: Received, now: datetime, code: str | None = None) -> dict[str, Any]:
        """Return the row of an update that has just come; of what is not to be handled any more nothing is kept."""
        waits = update.state == PENDING
        return {
            "update_id": update.update_id,
            "chat_id": update.chat_id if waits else NOBODY,
            "payload": self._closed(to_json(update.payload), inbox, update.chat_id) if waits else "",
            "state": update.state,
            "code": code,
            "received_at": now,
            "handled_at": None if waits else now,
        }

    def _received(self, row: Any) -> Received:
        """Return a stored update; one that cannot be opened any more is empty, and ends as unreadable in its turn."""
        try:
            payload = json.loads(self._opened(inbox, row.chat_id, row.payload))
        except SealBroken:
            payload = {}
        return Received(row.update_id, row.chat_id, payload)

    def _columns(self, message: Outgoing, now: datetime) -> dict[str, Any]:
        return {
            "chat_id": message.chat_id,
            "kind": message.kind.value,
            "priority": int(message.priority),
            "payload": self._closed(to_json(message.payload()), outbox, message.chat_id),
            "key": message.key,
            "state": PENDING,
            "created_at": now,
            "not_before": message.not_before,
            "expires_at": message.expires_at,
        }

    def _message(self, row: Any) -> Row:
        message = Outgoing.from_payload(
            json.loads(self._opened(outbox, row.chat_id, row.payload)),
            chat_id=row.chat_id,
            kind=Kind(row.kind),
            priority=Priority(row.priority),
            key=row.key,
            not_before=row.not_before,
            expires_at=row.expires_at,
        )
        return Row(row.id, message, row.created_at)

    def _closed(self, words: str, table: Table, chat_id: int) -> str:
        return self._seal.close_words(words, table=table.name, chat_id=chat_id)

    def _opened(self, table: Table, chat_id: int, sealed: str) -> str:
        return self._seal.open_words(sealed, table=table.name, chat_id=chat_id)


class HandledElsewhere(Exception):
    """An update of this group was handled by another process meanwhile; the group leaves nothing behind."""
