"""Statements that are made once: what goes in comes out alike on both databases, on the drivers themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import bindparam, insert, select, update

from bot.storage.engine import Storage
from bot.storage.statement import Statement, among
from bot.storage.tables import person, role_grant

AT = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
_ADD = Statement(
    insert(person).values(language="pt_BR", city=None).returning(person.c.id, person.c.created_at),
    ("chat_id", "name", "language_chosen", "reachable", "created_at"),
)
_AMONG = Statement(select(person).where(among(person.c.chat_id, "chats")).order_by(person.c.chat_id))
_NAMED = Statement(
    select(person.c.name)
    .where(among(person.c.name, "names"), (person.c.name != bindparam("but")) | (person.c.name == bindparam("but")))
    .order_by(person.c.name)
)
_RENAME = Statement(update(person).where(person.c.reachable == bindparam("was")), ("name",))
_GRANT = Statement(
    lambda insert: insert(role_grant).on_conflict_do_nothing(),
    ("person_id", "city", "role", "granted_at"),
)


async def add(storage: Storage, chat: int, name: str, *, at: datetime = AT) -> int:
    async with storage.transaction() as transaction:
        row = await transaction.one(
            _ADD, chat_id=chat, name=name, language_chosen=True, reachable=chat % 2 == 0, created_at=at
        )
    assert row.created_at == at
    number: int = row.id
    return number


async def test_people_come_back_as_they_were_written_down(storage: Storage) -> None:
    """Ana's truth values, her instant to the microsecond and what she has not chosen are what they were."""
    number = await add(storage, 2, "Ana", at=AT.astimezone(timezone(timedelta(hours=-4))))
    async with storage.reading() as transaction:
        ana = await transaction.one(_AMONG, chats=[2])
    assert (ana.id, ana.name, ana.language, ana.city) == (number, "Ana", "pt_BR", None)
    assert (ana.language_chosen, ana.reachable) == (True, True)
    assert (ana.created_at, ana.created_at.tzinfo) == (AT, UTC)


async def test_of_many_those_are_found_who_are_listed(storage: Storage) -> None:
    """However many are asked for, by number or by name, and also when nobody is."""
    for chat, name in ((1, "Ana"), (2, "Bia"), (3, 'D\'Ávila, "Zé" {x}')):
        await add(storage, chat, name)
    async with storage.reading() as transaction:
        assert [row.chat_id for row in await transaction.all(_AMONG, chats=range(2, 50_000))] == [2, 3]
        assert await transaction.all(_AMONG, chats=[]) == []
        assert await transaction.one(_AMONG, chats=[]) is None
        names = ["Ana", 'D\'Ávila, "Zé" {x}', "Ninguém"]
        assert [row.name for row in await transaction.all(_NAMED, names=names, but="Ana")] == names[:2]


async def test_a_change_says_whom_it_met(storage: Storage) -> None:
    """Two of three could not be reached; then nobody is left whom a change would meet."""
    for chat in (1, 2, 3):
        await add(storage, chat, "?")
    async with storage.transaction() as transaction:
        assert await transaction.change(_RENAME, was=False, name="Ana") == 2
        assert await transaction.change(_RENAME, was=True, name="Bia") == 1
    async with storage.reading() as transaction:
        assert [row.name for row in await transaction.all(_AMONG, chats=[1, 2, 3])] == ["Ana", "Bia", "Ana"]


async def test_a_role_given_twice_is_held_once(storage: Storage) -> None:
    """Each database has its own words for that."""
    held = {"person_id": await add(storage, 1, "Ana"), "city": "x", "role": "manager", "granted_at": AT}
    async with storage.transaction() as transaction:
        await transaction.each(_GRANT, [held, held])
        await transaction.each(_GRANT, [])
        assert len((await transaction.execute(select(role_grant))).all()) == 1


async def test_a_value_that_is_missing_is_a_mistake_before_the_database_sees_it(storage: Storage) -> None:
    """Nothing is written down of a person without a name."""
    async with storage.transaction() as transaction:
        with pytest.raises(KeyError, match="name"):
            await transaction.one(_ADD, chat_id=1, language_chosen=True, reachable=True, created_at=AT)
        with pytest.raises(ValueError, match="zone"):
            await transaction.one(
                _ADD, chat_id=1, name="Ana", language_chosen=True, reachable=True, created_at=AT.replace(tzinfo=None)
            )
        assert await transaction.all(_AMONG, chats=[1]) == []
