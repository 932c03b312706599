"""People, their roles and invitations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from bot.storage import tables as t
from bot.storage.statement import Statement, among
from bot.storage.transaction import Unit
from domain.errors import NotFound
from domain.people.model import Grant, Invite, Person, Recipient, Role
from domain.people.ports import StaffMember

_WITH_GRANTS = (
    select(t.person, t.role_grant.c.city.label("grant_city"), t.role_grant.c.role)
    .outerjoin(t.role_grant, t.role_grant.c.person_id == t.person.c.id)
    .order_by(t.person.c.id)
)
_PERSON = Statement(_WITH_GRANTS.where(t.person.c.id == bindparam("this")))
_IN_CHAT = Statement(_WITH_GRANTS.where(t.person.c.chat_id == bindparam("chat")))
_NAMES = Statement(select(t.person.c.id, t.person.c.name).where(among(t.person.c.id, "ids")))
_SAVE = Statement(
    update(t.person).where(t.person.c.id == bindparam("this")),
    ("name", "language", "language_chosen", "city", "reachable"),
)
_RECIPIENT = Statement(
    select(t.person.c.chat_id, t.person.c.language).where(
        t.person.c.id == bindparam("this"), t.person.c.reachable.is_(True)
    )
)
_GRANT = Statement(
    lambda insert: insert(t.role_grant).on_conflict_do_nothing(index_elements=["person_id", "city", "role"]),
    ("person_id", "city", "role", "granted_at"),
)
_SAME = (
    t.role_grant.c.person_id == bindparam("whose"),
    t.role_grant.c.city == bindparam("where"),
    t.role_grant.c.role == bindparam("what"),
)
_REVOKE = Statement(delete(t.role_grant).where(*_SAME))
_STAFF = Statement(
    select(t.person.c.id, t.person.c.name, t.role_grant.c.role)
    .join(t.role_grant, t.role_grant.c.person_id == t.person.c.id)
    .where(t.role_grant.c.city == bindparam("city"))
    .order_by(t.person.c.name, t.role_grant.c.role)
)
_INVITE = Statement(insert(t.invite), ("code_hash", "city", "role", "created_at", "expires_at", "used_at"))
_INVITED = Statement(select(t.invite).where(t.invite.c.code_hash == bindparam("code")))
_USE = Statement(
    update(t.invite).where(t.invite.c.code_hash == bindparam("code"), t.invite.c.used_at.is_(None)), ("used_at",)
)


class StoredPeople:
    """The port ``People``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def get(self, person_id: int) -> Person:
        found = await self._read(_PERSON, this=person_id)
        if not found:
            raise NotFound("no such person")
        return found[0]

    async def names(self, person_ids: Collection[int]) -> Mapping[int, str]:
        if not person_ids:
            return {}
        return {row.id: row.name for row in await self._unit.all(_NAMES, ids=list(person_ids))}

    async def by_chat(self, chat_id: int) -> Person | None:
        found = await self._read(_IN_CHAT, chat=chat_id)
        return found[0] if found else None

    async def save(self, person: Person) -> None:
        await self._unit.change(
            _SAVE,
            this=person.id,
            name=person.name,
            language=person.language,
            language_chosen=person.language_chosen,
            city=person.city,
            reachable=person.reachable,
        )

    async def recipient(self, person_id: int) -> Recipient | None:
        row = await self._unit.one(_RECIPIENT, this=person_id)
        return None if row is None else Recipient(person_id, row.chat_id, row.language)

    async def _read(self, statement: Statement, **values: int) -> tuple[Person, ...]:
        people: dict[int, Person] = {}
        grants: dict[int, set[Grant]] = {}
        rows = await self._unit.all(statement, **values)
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
        await self._unit.change(_GRANT, person_id=person_id, city=grant.city, role=grant.role.value, granted_at=at)

    async def remove(self, person_id: int, grant: Grant) -> bool:
        return await self._unit.change(_REVOKE, whose=person_id, where=grant.city, what=grant.role.value) > 0

    async def of_city(self, city: str) -> tuple[StaffMember, ...]:
        return tuple(StaffMember(row.id, row.name, Role(row.role)) for row in await self._unit.all(_STAFF, city=city))


class StoredInvites:
    """The port ``Invites``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def add(self, invite: Invite) -> None:
        await self._unit.change(
            _INVITE,
            code_hash=invite.code_hash,
            city=invite.city,
            role=invite.role.value,
            created_at=invite.created_at,
            expires_at=invite.expires_at,
            used_at=invite.used_at,
        )

    async def get(self, code_hash: str) -> Invite | None:
        row = await self._unit.one(_INVITED, code=code_hash)
        if row is None:
            return None
        return Invite(row.code_hash, row.city, Role(row.role), row.created_at, row.expires_at, row.used_at)

    async def use(self, code_hash: str, *, at: datetime) -> bool:
        return await self._unit.change(_USE, code=code_hash, used_at=at) > 0


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
