"""People, their roles and invitations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.storage import tables as t
from bot.storage.engine import Unit
from domain.errors import NotFound
from domain.people.model import Grant, Invite, Person, Recipient, Role
from domain.people.ports import StaffMember

_WITH_GRANTS = (
    select(t.person, t.role_grant.c.city.label("grant_city"), t.role_grant.c.role)
    .outerjoin(t.role_grant, t.role_grant.c.person_id == t.person.c.id)
    .order_by(t.person.c.id)
)


class StoredPeople:
    """The port ``People``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def get(self, person_id: int) -> Person:
        found = await self._read(_WITH_GRANTS.where(t.person.c.id == person_id))
        if not found:
            raise NotFound("no such person")
        return found[0]

    async def names(self, person_ids: Collection[int]) -> Mapping[int, str]:
        if not person_ids:
            return {}
        connection = await self._unit.touch()
        statement = select(t.person.c.id, t.person.c.name).where(t.person.c.id.in_(sorted(person_ids)))
        return {row.id: row.name for row in await connection.execute(statement)}

    async def by_chat(self, chat_id: int) -> Person | None:
        found = await self._read(_WITH_GRANTS.where(t.person.c.chat_id == chat_id))
        return found[0] if found else None

    async def save(self, person: Person) -> None:
        connection = await self._unit.touch()
        await connection.execute(
            update(t.person)
            .where(t.person.c.id == person.id)
            .values(
                name=person.name,
                language=person.language,
                language_chosen=person.language_chosen,
                city=person.city,
                reachable=person.reachable,
            )
        )

    async def recipient(self, person_id: int) -> Recipient | None:
        connection = await self._unit.touch()
        statement = select(t.person.c.chat_id, t.person.c.language).where(
            t.person.c.id == person_id, t.person.c.reachable.is_(True)
        )
        row = (await connection.execute(statement)).one_or_none()
        return None if row is None else Recipient(person_id, row.chat_id, row.language)

    async def _read(self, statement: Select[Any]) -> tuple[Person, ...]:
        connection = await self._unit.touch()
        people: dict[int, Person] = {}
        grants: dict[int, set[Grant]] = {}
        rows = (await connection.execute(statement)).all()
        for row in rows:
            held = grants.setdefault(row.id, set())
            if row.role is not None:
                held.add(Grant(row.grant_city, Role(row.role)))
        for row in rows:
            people[row.id] = person_of(row, grants[row.id])
        return tuple(people.values())


class StoredGrants:
    """The port ``Grants``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def add(self, person_id: int, grant: Grant, *, at: datetime) -> None:
        connection = await self._unit.touch()
        try:
            async with connection.begin_nested():
                await connection.execute(
                    insert(t.role_grant).values(
                        person_id=person_id, city=grant.city, role=grant.role.value, granted_at=at
                    )
                )
        except IntegrityError:
            held = select(t.role_grant.c.person_id).where(*_same(person_id, grant))
            if await connection.scalar(held) is None:
                raise

    async def remove(self, person_id: int, grant: Grant) -> bool:
        connection = await self._unit.touch()
        return (await connection.execute(delete(t.role_grant).where(*_same(person_id, grant)))).rowcount > 0

    async def of_city(self, city: str) -> tuple[StaffMember, ...]:
        connection = await self._unit.touch()
        statement = (
            select(t.person.c.id, t.person.c.name, t.role_grant.c.role)
            .join(t.role_grant, t.role_grant.c.person_id == t.person.c.id)
            .where(t.role_grant.c.city == city)
            .order_by(t.person.c.name, t.role_grant.c.role)
        )
        return tuple(StaffMember(row.id, row.name, Role(row.role)) for row in await connection.execute(statement))


def _same(person_id: int, grant: Grant) -> tuple[Any, ...]:
    return (
        t.role_grant.c.person_id == person_id,
        t.role_grant.c.city == grant.city,
        t.role_grant.c.role == grant.role.value,
    )


class StoredInvites:
    """The port ``Invites``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def add(self, invite: Invite) -> None:
        connection = await self._unit.touch()
        await connection.execute(
            insert(t.invite).values(
                code_hash=invite.code_hash,
                city=invite.city,
                role=invite.role.value,
                created_at=invite.created_at,
                expires_at=invite.expires_at,
                used_at=invite.used_at,
            )
        )

    async def get(self, code_hash: str) -> Invite | None:
        connection = await self._unit.touch()
        row = (await connection.execute(select(t.invite).where(t.invite.c.code_hash == code_hash))).one_or_none()
        if row is None:
            return None
        return Invite(row.code_hash, row.city, Role(row.role), row.created_at, row.expires_at, row.used_at)

    async def use(self, code_hash: str, *, at: datetime) -> bool:
        connection = await self._unit.touch()
        unused = update(t.invite).where(t.invite.c.code_hash == code_hash, t.invite.c.used_at.is_(None))
        return (await connection.execute(unused.values(used_at=at))).rowcount > 0


def person_of(row: Any, grants: Collection[Grant]) -> Person:
    """Read a row of ``person``."""
    return Person(
        id=row.id,
        chat_id=row.chat_id,
        name=row.name,
        language=row.language,
        language_chosen=row.language_chosen,
        city=row.city,
        reachable=row.reachable,
        grants=frozenset(grants),
    )
