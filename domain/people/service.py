"""Languages, cities, and who becomes staff."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from domain.cases.model import Author, Case
from domain.cases.ports import Cases
from domain.cases.recording import Recorder, staff_author
from domain.errors import NotAllowed, NotFound
from domain.law.loader import Laws
from domain.people.errors import CityUnknown, InviteExpired, InviteNeedless, InviteUnknown, InviteUsed
from domain.people.model import LANGUAGES, Grant, Invite, Person, Role
from domain.people.ports import Grants, Invites, People, StaffMember
from domain.queues.model import WORKS_ON, kinds_for
from domain.queues.service import release_held

INVITE_LASTS = timedelta(days=7)
INVITE_PREFIX = "conv_"  # of the deep-link payload; the code after it fits Telegram's 64 characters
INVITE_BYTES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteStaff:
    """Invite somebody to a role. ``by`` is a manager of the city; ``None`` is who runs the process."""

    city: str
    role: Role
    by: Person | None = None


@dataclass(frozen=True, slots=True)
class Invited:
    """A new invitation. The code is shown once; only its hash is kept."""

    code: str
    invite: Invite

    @property
    def payload(self) -> str:
        """What stands behind ``?start=`` in the deep link."""
        return INVITE_PREFIX + self.code


@dataclass(frozen=True, slots=True)
class Joined:
    """A role that an invitation gave."""

    person: Person
    grant: Grant


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeRole:
    """Take a role away. ``by`` is a manager of the city; ``None`` is who runs the process."""

    person_id: int
    city: str
    role: Role
    by: Person | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """Who gave a role up, as they are without it, and the cases of theirs that went back to the queues."""

    person: Person
    cases: tuple[Case, ...]


async def invite_staff(command: InviteStaff, *, invites: Invites, laws: Laws, now: datetime) -> Invited:
    """Write a one-time invitation.

    Raises:
        CityUnknown: The city is not served.
        NotAllowed: Who invites does not manage the city.
    """
    if command.city not in laws:
        raise CityUnknown
    _manages(command.by, command.city)
    code = secrets.token_urlsafe(INVITE_BYTES)
    invite = Invite(invite_hash(code), command.city, command.role, created_at=now, expires_at=now + INVITE_LASTS)
    await invites.add(invite)
    return Invited(code, invite)


async def read_invite(code: str, by: Person, *, invites: Invites, now: datetime) -> Invite:
    """Return an invitation that the person can take up.

    Raises:
        InviteUnknown, InviteExpired, InviteUsed: The invitation does not work.
        InviteNeedless: The person holds the role; the invitation stays good for somebody else.
    """
    invite = await invites.get(invite_hash(code.removeprefix(INVITE_PREFIX)))
    if invite is None:
        raise InviteUnknown
    if Grant(invite.city, invite.role) in by.grants:
        raise InviteNeedless(city=invite.city, role=invite.role.value)
    if invite.used_at is not None:
        raise InviteUsed
    if now >= invite.expires_at:
        raise InviteExpired
    return invite


async def accept_invite(
    code: str, by: Person, *, invites: Invites, grants: Grants, people: People, now: datetime
) -> Joined:
    """Take up a role, and the city of it when the person has chosen none.

    Raises:
        InviteUnknown, InviteExpired, InviteUsed, InviteNeedless: As :func:`read_invite`.
    """
    invite = await read_invite(code, by, invites=invites, now=now)
    grant = Grant(invite.city, invite.role)
    if not await invites.use(invite.code_hash, at=now):
        raise InviteUsed
    await grants.add(by.id, grant, at=now)
    if by.city is None:
        await people.save(replace(by, city=invite.city))
    return Joined(await people.get(by.id), grant)


async def revoke_role(command: RevokeRole, *, grants: Grants, people: People, cases: Cases, record: Recorder) -> Left:
    """Take a role away. Cases that the person has and may no longer work on go back to their queues.

    Raises:
        NotAllowed: Who revokes does not manage the city.
        NotFound: The person does not hold the role.
    """
    _manages(command.by, command.city)
    if not await grants.remove(command.person_id, Grant(command.city, command.role)):
        raise NotFound("this role is not held")
    person = await people.get(command.person_id)
    lost = WORKS_ON[command.role] - kinds_for(person, command.city)
    author = Author.system() if command.by is None else staff_author(command.by)
    return Left(person, await release_held(person.id, command.city, lost, author, cases=cases, record=record))


async def list_staff(city: str, by: Person | None = None, *, grants: Grants, laws: Laws) -> tuple[StaffMember, ...]:
    """Return a city's staff.

    Raises:
        CityUnknown: The city is not served.
        NotAllowed: Who asks does not manage the city.
    """
    if city not in laws:
        raise CityUnknown
    _manages(by, city)
    return await grants.of_city(city)


async def choose_language(by: Person, language: str, *, people: People) -> Person:
    """Remember a language that the person chose.

    Raises:
        NotFound: The counter does not speak it.
    """
    if language not in LANGUAGES:
        raise NotFound("no such language")
    await people.save(replace(by, language=language, language_chosen=True))
    return await people.get(by.id)


async def choose_city(by: Person, city: str, *, people: People, laws: Laws) -> Person:
    """Remember the city that the person is served in.

    Raises:
        CityUnknown: The city is not served.
    """
    if city not in laws:
        raise CityUnknown
    await people.save(replace(by, city=city))
    return await people.get(by.id)


def invite_hash(code: str) -> str:
    """Return the hash (hex) under which an invitation is kept; its code is random enough to need no key."""
    return hashlib.sha256(code.encode()).hexdigest()


def _manages(by: Person | None, city: str) -> None:
    if by is not None and not by.may(city, (Role.MANAGER,)):
        raise NotAllowed("only a manager of the city may")
