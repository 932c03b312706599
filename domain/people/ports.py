"""What the use cases of people need from the world."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.people.model import Grant, Invite, Person, Recipient, Role


@dataclass(frozen=True, slots=True)
class StaffMember:
    """Somebody's role in one city, as lists show it."""

    person_id: int
    name: str
    role: Role


class People(Protocol):
    """Everybody who has spoken to the bot, with their roles."""

    async def get(self, person_id: int) -> Person:
        """Return a person.

        Raises:
            NotFound: There is no such person.
        """

    async def names(self, person_ids: Collection[int]) -> Mapping[int, str]:
        """Return the names of those who are known."""

    async def by_chat(self, chat_id: int) -> Person | None:
        """Return who speaks in a private chat."""

    async def save(self, person: Person) -> None:
        """Store name, language, city and reachability; roles are granted and revoked, never saved."""

    async def recipient(self, person_id: int) -> Recipient | None:
        """Return where a person is told something; ``None`` for one who is unknown or has blocked the bot."""


class Grants(Protocol):
    """Roles that cities gave."""

    async def add(self, person_id: int, grant: Grant, *, at: datetime) -> None:
        """Give a role; giving it again changes nothing."""

    async def remove(self, person_id: int, grant: Grant) -> bool:
        """Take a role away; ``False`` when it was not held."""

    async def of_city(self, city: str) -> tuple[StaffMember, ...]:
        """Return the city's staff by name, then role."""


class Invites(Protocol):
    """One-time invitations, by the hash of their code."""

    async def add(self, invite: Invite) -> None:
        """Store an invitation."""

    async def get(self, code_hash: str) -> Invite | None:
        """Return an invitation."""

    async def use(self, code_hash: str, *, at: datetime) -> bool:
        """Mark an invitation as used; ``False`` when it is unknown or somebody was faster."""
