"""Inbox and outbox: what came in, what goes out, and the transaction in which one becomes the other.

Several updates, each of another chat, share one transaction (a :class:`Group`), because a commit costs far more than
what a group adds to it. The statements here are all that an update needs beyond its use case.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncTransaction

from bot.storage.engine import Storage, to_json
from bot.storage.inline import InlineConnection
from bot.storage.many import Many
from bot.storage.repositories.people import person_of
from bot.storage.tables import conversation, inbox, outbox, person, role_grant
from domain.people.model import Grant, Person, Role
from handlers.shared.conversation import conversation_from_json, conversation_to_json
from handlers.shared.forms.places import EPHEMERAL
from handlers.shared.outgoing import Kind, Outgoing, Priority

PENDING, HANDLED, IGNORED, FAILED = "pending", "handled", "ignored", "failed"
NOBODY = 0
"""The chat of what has ended: beside its instant, the number would tell whose case moved in that instant."""

# the statements that every group runs, made once
_HEADS = (
    select(inbox.c.chat_id, func.min(inbox.c.update_id).label("first"))
    .where(inbox.c.state == PENDING, inbox.c.chat_id.in_(bindparam("chats", expanding=True)))
    .group_by(inbox.c.chat_id)
)
_PEOPLE = (
    select(person, conversation.c.body, role_grant.c.city.label("grant_city"), role_grant.c.role)
    .outerjoin(conversation, conversation.c.chat_id == person.c.chat_id)
    .outerjoin(role_grant, role_grant.c.person_id == person.c.id)
    .where(person.c.chat_id.in_(bindparam("chats", expanding=True)))
)
_HANDLED = Many(
    update(inbox)
    .where(inbox.c.update_id == bindparam("id"), inbox.c.state == PENDING)
    .values(state=bindparam("to"), code=bindparam("why"), chat_id=NOBODY, payload="", handled_at=bindparam("at")),
    ("id", "to", "why", "at"),
)
_ENDED = Many(
    update(outbox)
    .where(outbox.c.id == bindparam("row"))
    .values(state=bindparam("to"), chat_id=NOBODY, error=bindparam("why"), payload="", finished_at=bindparam("at")),
    ("row", "to", "why", "at"),
)
_SAID = Many(
    outbox.insert(),
    ("chat_id", "kind", "priority", "payload", "key", "state", "created_at", "not_before", "expires_at"),
)


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
    """One open transaction and what its updates leave in it.

    ``locked`` are the chats that no other process can serve meanwhile. ``conversations`` and ``people`` are as stored
    when the group began; what changed is written at its end.
    """

    connection: AsyncConnection
    now: datetime
    locked: frozenset[int] = frozenset()
    heads: dict[int, Received] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    conversations: dict[int, str] = field(default_factory=dict)
    changed: dict[int, str] = field(default_factory=dict)
    said: list[Outgoing] = field(default_factory=list)
    done: list[tuple[int, str, str | None]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    inline: InlineConnection | None = None
    _savepoint: AsyncTransaction | InlineConnection | None = None

    async def touch(self) -> AsyncConnection:
        """Return the connection for a use case, behind a savepoint that this update can be rolled back to."""
        if self._savepoint is None:
            if self.inline is not None:
                # nearly every update has one, and SQLAlchemy's costs more than most statements behind it
                self.inline.at_once("SAVEPOINT turn")
                self._savepoint = self.inline
            else:
                self._savepoint = await self.connection.begin_nested()
        return self.connection

    async def keep(self) -> None:
        """Keep what this update has written."""
        savepoint, self._savepoint = self._savepoint, None
        if isinstance(savepoint, InlineConnection):
            savepoint.at_once("RELEASE turn")
        elif savepoint is not None:
            await savepoint.commit()

    async def undo(self) -> None:
        """Take back what this update has written."""
        savepoint, self._savepoint = self._savepoint, None
        if isinstance(savepoint, InlineConnection):
            savepoint.at_once("ROLLBACK TO turn")
            savepoint.at_once("RELEASE turn")
        elif savepoint is not None:
            await savepoint.rollback()


class Journal:
    """The statements of the hot path."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        insert: Any = sqlite.insert if storage.is_sqlite else postgresql.insert
        self._store = Many(
            insert(inbox).on_conflict_do_nothing(index_elements=["update_id"]),
            ("update_id", "chat_id", "payload", "state", "received_at", "handled_at"),
        )
        place = insert(conversation)
        self._place = Many(
            place.on_conflict_do_update(
                index_elements=["chat_id"],
                set_={"body": place.excluded.body, "updated_at": place.excluded.updated_at},
            ),
            ("chat_id", "body", "updated_at"),
        )
        self._say = outbox.insert().returning(outbox.c.id, sort_by_parameter_order=True)
        self._say_once = (
            insert(outbox).on_conflict_do_nothing(index_elements=["key"]).returning(outbox.c.id, outbox.c.key)
        )

    async def store(self, updates: Sequence[Received], *, now: datetime) -> None:
        """Write updates down; one that is already known stays as it is."""
        if not updates:
            return
        rows = [
            {
                "update_id": update.update_id,
                "chat_id": update.chat_id if update.state == PENDING else NOBODY,
                "payload": to_json(update.payload) if update.state == PENDING else "",
                "state": update.state,
                "received_at": now,
                "handled_at": None if update.state == PENDING else now,
            }
            for update in updates
        ]
        async with self.storage.writing() as (connection, inline):
            await self._store.run(connection, inline, rows)

    async def pending(self, *, after: int = -1, limit: int = 1000) -> list[Received]:
        """Return updates that are still to be handled, in order."""
        statement = (
            select(inbox.c.update_id, inbox.c.chat_id, inbox.c.payload)
            .where(inbox.c.state == PENDING, inbox.c.update_id > after)
            .order_by(inbox.c.update_id)
            .limit(limit)
        )
        async with self.storage.reading() as connection:
            rows = (await connection.execute(statement)).all()
        return [Received(row.update_id, row.chat_id, json.loads(row.payload)) for row in rows]

    async def conversation_of(self, chat_id: int) -> str | None:
        """Return a chat's stored conversation, outside of any group."""
        async with self.storage.reading() as connection:
            body: str | None = await connection.scalar(
                select(conversation.c.body).where(conversation.c.chat_id == chat_id)
            )
        return body

    @asynccontextmanager
    async def group(self, waiting: Collection[Received], *, now: datetime) -> AsyncIterator[Group]:
        """Open a transaction for the next update of each of these chats; it commits, whole, at the end of the block.

        ``heads`` has the updates that are to be handled now. A chat is missing there when another process has it or
        when nothing of it is pending any more; an update that another process stored first comes before ours.
        """
        async with self.storage.transaction() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            group = Group(connection, now, inline=driver if isinstance(driver, InlineConnection) else None)
            chats = [received.chat_id for received in waiting]
            if not self.storage.is_sqlite:
                # a lock on the chat and not on its row: at first contact there is no row, and what this process does
                # not know of yet (an update stored by another) must keep its turn as well
                lock = text(
                    "SELECT chat FROM unnest(CAST(:chats AS bigint[])) AS chat WHERE pg_try_advisory_xact_lock(chat)"
                )
                chats = list((await connection.execute(lock, {"chats": chats})).scalars())
            group.locked = frozenset(chats)
            await self._find_heads(group, chats, {received.update_id: received for received in waiting})
            await self._find_people(group)
            yield group
            await self._write(group)

    async def abandon(self, update_id: int, code: str, *, now: datetime) -> None:
        """End an update about which nothing else can be written."""
        statement = update(inbox).where(inbox.c.update_id == update_id, inbox.c.state == PENDING)
        async with self.storage.transaction() as connection:
            ended = {"state": FAILED, "code": code, "chat_id": NOBODY, "payload": "", "handled_at": now}
            await connection.execute(statement.values(ended))

    async def _find_heads(self, group: Group, chats: Sequence[int], known: dict[int, Received]) -> None:
        found = await group.connection.execute(_HEADS, {"chats": list(chats)})
        firsts: dict[int, int] = {row.chat_id: row.first for row in found}
        strangers = [update_id for update_id in firsts.values() if update_id not in known]
        if strangers:
            found = await group.connection.execute(
                select(inbox.c.update_id, inbox.c.chat_id, inbox.c.payload).where(inbox.c.update_id.in_(strangers))
            )
            known |= {row.update_id: Received(row.update_id, row.chat_id, json.loads(row.payload)) for row in found}
        group.heads = {chat: known[firsts[chat]] for chat in chats if chat in firsts}

    async def _find_people(self, group: Group) -> None:
        grants: dict[int, set[Grant]] = {}
        rows = (await group.connection.execute(_PEOPLE, {"chats": list(group.heads)})).all()
        for row in rows:
            if row.role is not None:
                grants.setdefault(row.chat_id, set()).add(Grant(row.grant_city, Role(row.role)))
        for row in rows:
            group.people[row.chat_id] = person_of(row, grants.get(row.chat_id, ()))
            if row.body is not None:
                group.conversations[row.chat_id] = row.body

    async def _write(self, group: Group) -> None:
        connection, now = group.connection, group.now
        if group.changed:
            # no more than the day: to the microsecond it would be the instant of an event, and name its author
            day = now.replace(hour=0, minute=0, second=0, microsecond=0)
            places = [{"chat_id": chat, "body": body, "updated_at": day} for chat, body in group.changed.items()]
            await self._place.run(connection, group.inline, places)
        group.rows = await self.say(connection, group.said, now=now, inline=group.inline)
        if group.done:
            # only what is still pending: were it handled elsewhere meanwhile, this transaction must not stand
            done = [{"id": update_id, "to": state, "why": code, "at": now} for update_id, state, code in group.done]
            met = await _HANDLED.run(connection, group.inline, done)
            if met not in (len(done), -1):
                raise HandledElsewhere(f"{len(done) - met} of {len(done)} updates were no longer pending")

    async def say(
        self,
        connection: AsyncConnection,
        messages: Iterable[Outgoing],
        *,
        now: datetime,
        inline: InlineConnection | None = None,
    ) -> list[Row]:
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
            columns = [_columns(message, now) for message in plain]
            numbers: Iterable[int]
            if inline is not None:
                # SQLite counts on from the largest number, and nobody else writes meanwhile
                await _SAID.run(connection, inline, columns)
                last = inline.last_number()
                numbers = range(last - len(plain) + 1, last + 1)
            else:
                numbers = (await connection.execute(self._say, columns)).scalars()
            rows += [Row(new, message, now) for new, message in zip(numbers, plain, strict=True)]
        if keyed:
            found = await connection.execute(self._say_once, [_columns(message, now) for message in keyed.values()])
            rows += [Row(new, keyed[key], now) for new, key in found]
        return sorted(rows, key=lambda row: row.id)

    async def unsent(
        self, *, now: datetime, known: Collection[int] = (), limit: int = 500, least: Priority = Priority.REMINDER
    ) -> list[Row]:
        """Return messages that may be sent now and that the sender does not have yet, answers first, then by age."""
        statement = (
            select(outbox)
            .where(outbox.c.state == PENDING, (outbox.c.not_before.is_(None)) | (outbox.c.not_before <= now))
            .where(outbox.c.priority <= int(least))
            .order_by(outbox.c.priority, outbox.c.id)
            .limit(limit + len(known))
        )
        async with self.storage.reading() as connection:
            rows = (await connection.execute(statement)).all()
        return [
            Row(
                row.id,
                Outgoing.from_payload(
                    json.loads(row.payload),
                    chat_id=row.chat_id,
                    kind=Kind(row.kind),
                    priority=Priority(row.priority),
                    key=row.key,
                    not_before=row.not_before,
                    expires_at=row.expires_at,
                ),
                row.created_at,
            )
            for row in rows
            if row.id not in known
        ][:limit]

    async def finish(self, results: Sequence[Result], unreachable: Collection[int], *, now: datetime) -> None:
        """Record how messages ended, and who cannot be reached any more."""
        ends = [
            {
                "row": result.id,
                "to": result.state,
                "why": (result.error or "")[:200] or None,
                "at": now,
            }
            for result in results
        ]
        if ends and not unreachable:
            async with self.storage.writing() as (connection, inline):
                await _ENDED.run(connection, inline, ends)
            return
        async with self.storage.transaction() as connection:
            if ends:
                await _ENDED.run(connection, None, ends)
            if unreachable:
                gone = update(person).where(person.c.chat_id.in_(list(unreachable))).values(reachable=False)
                await connection.execute(gone)

    async def move_chat(self, old: int, new: int) -> None:
        """Follow a group whose chat was given another number."""
        async with self.storage.transaction() as connection:
            waiting = update(outbox).where(outbox.c.chat_id == old, outbox.c.state == PENDING)
            await connection.execute(waiting.values(chat_id=new))

    async def tidy(self, *, now: datetime, keep: timedelta) -> int:
        """Forget updates and messages that ended more than ``keep`` ago; messages with a key stay, for their key."""
        async with self.storage.transaction(slow=True) as connection:
            old = await connection.execute(delete(inbox).where(inbox.c.handled_at < now - keep))
            sent = await connection.execute(
                delete(outbox).where(outbox.c.finished_at < now - keep, outbox.c.key.is_(None))
            )
            return max(old.rowcount, 0) + max(sent.rowcount, 0)

    async def close_secret_forms(self, *, now: datetime) -> int:
        """Close the forms that hold a receipt and that nobody went on with since yesterday; return how many.

        While such a form is open, the row of a chat says which anonymous case it has to do with.
        """
        left = conversation.c.updated_at < now - timedelta(days=1)
        holds = conversation.c.body.like(f'%"{EPHEMERAL}":%')
        statement = select(conversation.c.chat_id, conversation.c.body).where(left, holds)
        close = update(conversation).where(
            conversation.c.chat_id == bindparam("chat"), conversation.c.body == bindparam("found")
        )
        async with self.storage.transaction() as connection:
            closed = []
            for chat_id, body in await connection.execute(statement):
                place = conversation_from_json(chat_id, body)
                if place.place is not None and EPHEMERAL in place.place.params:
                    place.place = None
                    closed.append({"chat": chat_id, "found": body, "left": conversation_to_json(place)})
            if closed:
                await connection.execute(close.values(body=bindparam("left")), closed)
        return len(closed)


class HandledElsewhere(Exception):
    """An update of this group was handled by another process meanwhile; the group leaves nothing behind."""


def _columns(message: Outgoing, now: datetime) -> dict[str, Any]:
    return {
        "chat_id": message.chat_id,
        "kind": message.kind.value,
        "priority": int(message.priority),
        "payload": to_json(message.payload()),
        "key": message.key,
        "state": PENDING,
        "created_at": now,
        "not_before": message.not_before,
        "expires_at": message.expires_at,
    }
