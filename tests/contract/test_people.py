"""What every store of people, roles and invitations keeps to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from domain.errors import NotFound
from domain.people.model import Grant, Invite, Recipient, Role
from domain.people.ports import StaffMember
from tests.support.builders import CITY, NOW, OTHER_CITY
from tests.support.stores import Store


async def test_a_person_is_found_by_number_and_by_chat_with_their_roles(store: Store) -> None:
    """Bia comes back in another transaction: she is the same person, with her role."""
    bia = await store.person("Bia", Grant(CITY, Role.REGISTRY))

    async with store.unit(NOW) as ports:
        assert await ports.people.get(bia.id) == bia
        assert await ports.people.by_chat(bia.chat_id) == bia
        assert await ports.people.by_chat(bia.chat_id + 99) is None
        with pytest.raises(NotFound):
            await ports.people.get(bia.id + 99)
        assert await ports.people.names((bia.id, bia.id + 99)) == {bia.id: "Bia"}
        assert await ports.people.names(()) == {}


async def test_what_a_person_chose_is_kept_and_roles_are_not_saved_by_the_way(store: Store) -> None:
    """Ana chooses English and a city; a role slipped into what is saved is not granted."""
    ana = await store.person("Ana")
    chosen = replace(ana, name="Ana L.", language="en", language_chosen=True, city=CITY, reachable=False)

    async with store.unit(NOW) as ports:
        await ports.people.save(replace(chosen, grants=frozenset({Grant(CITY, Role.MANAGER)})))

    async with store.unit(NOW) as ports:
        assert await ports.people.get(ana.id) == chosen


async def test_who_blocked_the_bot_is_nowhere_to_be_told(store: Store) -> None:
    """Ana can be told in her language; Caio, who blocked the bot, and a stranger cannot."""
    ana = await store.person("Ana", language="es")
    caio = await store.person("Caio", reachable=False)

    async with store.unit(NOW) as ports:
        assert await ports.people.recipient(ana.id) == Recipient(ana.id, ana.chat_id, "es")
        assert await ports.people.recipient(caio.id) is None
        assert await ports.people.recipient(caio.id + 99) is None


async def test_roles_are_granted_listed_and_taken_away(store: Store) -> None:
    """Granting twice gives one role; taking it away twice says that it was not held."""
    bia = await store.person("Bia", Grant(OTHER_CITY, Role.REGISTRY))
    davi = await store.person("Davi")
    grant = Grant(CITY, Role.OMBUDSMAN)

    async with store.unit(NOW) as ports:
        await ports.grants.add(davi.id, grant, at=NOW)
        await ports.grants.add(davi.id, grant, at=NOW)
        await ports.grants.add(bia.id, Grant(CITY, Role.MANAGER), at=NOW)

    async with store.unit(NOW) as ports:
        assert await ports.grants.of_city(CITY) == (
            StaffMember(bia.id, "Bia", Role.MANAGER),
            StaffMember(davi.id, "Davi", Role.OMBUDSMAN),
        )
        assert (await ports.people.get(davi.id)).grants == {grant}
        assert await ports.grants.remove(davi.id, grant) is True
        assert await ports.grants.remove(davi.id, grant) is False

    async with store.unit(NOW) as ports:
        assert not (await ports.people.get(davi.id)).grants


async def test_an_invitation_is_used_once(store: Store) -> None:
    """The second one to use it is told so by the store itself."""
    invite = Invite("a" * 64, CITY, Role.REGISTRY, created_at=NOW, expires_at=NOW + timedelta(days=7))

    async with store.unit(NOW) as ports:
        await ports.invites.add(invite)
    async with store.unit(NOW) as ports:
        assert await ports.invites.get("a" * 64) == invite
        assert await ports.invites.get("b" * 64) is None
        assert await ports.invites.use("b" * 64, at=NOW) is False
        assert await ports.invites.use("a" * 64, at=NOW) is True
    async with store.unit(NOW) as ports:
        assert await ports.invites.use("a" * 64, at=NOW) is False
        used = await ports.invites.get("a" * 64)
        assert used == replace(invite, used_at=NOW)
