"""People and roles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

LANGUAGES = ("pt_BR", "en", "es")


class Role(StrEnum):
    """What a city lets a member of staff do; ``domain/queues`` says which cases each role works on."""

    REGISTRY = "registry"  # cadastro: registrations of drivers, vehicles, crews
    OMBUDSMAN = "ombudsman"  # ouvidoria: complaints and reports
    INSPECTOR = "inspector"  # fiscalização: irregularities and reports that call for inspection
    MANAGER = "manager"  # gestão: every queue, transfers, invitations


@dataclass(frozen=True, slots=True)
class Grant:
    """A role in one city."""

    city: str
    role: Role


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a Telegram account who has spoken to the bot.

    ``id`` is ours; ``chat_id`` is the private chat (equal to the Telegram user id).
    """

    id: int
    chat_id: int
    name: str
    language: str = "pt_BR"
    language_chosen: bool = False
    city: str | None = None
    reachable: bool = True
    grants: frozenset[Grant] = frozenset()

    def roles_in(self, city: str) -> frozenset[Role]:
        """Roles that this person holds in ``city``."""
        return frozenset(grant.role for grant in self.grants if grant.city == city)

    def may(self, city: str, roles: Iterable[Role]) -> bool:
        """Whether any of ``roles`` is held in ``city``."""
        return not self.roles_in(city).isdisjoint(roles)

    @property
    def is_staff(self) -> bool:
        """Whether any city has given this person a role."""
        return bool(self.grants)


@dataclass(frozen=True, slots=True)
class Recipient:
    """Where and in which language a person is told something."""

    person_id: int
    chat_id: int
    language: str


@dataclass(frozen=True, slots=True)
class Invite:
    """A one-time invitation to a role. Only a hash of its code is kept."""

    code_hash: str
    city: str
    role: Role
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


def language_from_client(code: str | None) -> str:
    """Return the supported language nearest to a client's IETF tag; Portuguese when none is."""
    primary = (code or "").lower().split("-")[0]
    return {"en": "en", "es": "es"}.get(primary, "pt_BR")
