"""Who becomes staff, and what people choose for themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from domain.cases.commands import AddNote, Ask, Reply, TakeCase
from domain.errors import NotAllowed, NotFound
from domain.people.errors import CityUnknown, InviteExpired, InviteNeedless, InviteUnknown, InviteUsed
from domain.people.model import Grant, Role, language_from_client
from domain.people.service import INVITE_LASTS, InviteStaff, RevokeRole
from tests.support.builders import CITY, OMBUDSMAN, OTHER_CITY
from tests.support.desk import Cast, Desk


async def test_an_invitation_makes_staff_once(desk: Desk, cast: Cast) -> None:
    """Caio opens the link and works in the registry; Ana, who opens it after him, does not."""
    invited = await desk.does("invite_staff", InviteStaff(city=CITY, role=Role.REGISTRY, by=cast.gil))

    joined = await desk.does("accept_invite", invited.payload, cast.caio)

    assert joined.person.grants == {Grant(CITY, Role.REGISTRY)}
    assert joined.person.city == CITY
    await desk.refuses(InviteUsed, "accept_invite", invited.payload, cast.ana)


async def test_a_code_fits_a_deep_link_and_is_kept_as_a_hash(desk: Desk) -> None:
    """At most 64 characters of Telegram's alphabet; whoever reads the database cannot use it."""
    invited = await desk.does("invite_staff", InviteStaff(city=CITY, role=Role.MANAGER))

    assert len(invited.payload) <= 64
    assert set(invited.payload) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
    assert invited.code not in repr(desk.store.committed)


async def test_an_invitation_lasts_a_week_to_the_second(desk: Desk, cast: Cast) -> None:
    """A second before its end it works, at its end it does not; the bare code works like the link."""
    first = await desk.does("invite_staff", InviteStaff(city=CITY, role=Role.REGISTRY))
    second = await desk.does("invite_staff", InviteStaff(city=CITY, role=Role.REGISTRY))

    desk.now += INVITE_LASTS - timedelta(seconds=1)
    await desk.does("accept_invite", first.code, cast.caio)
    desk.later(seconds=1)

    await desk.refuses(InviteExpired, "accept_invite", second.code, cast.ana)


async def test_who_has_the_role_does_not_use_the_invitation_up(desk: Desk, cast: Cast) -> None:
    """Bia opens the link that she was to pass on: it still works for Caio, and his city of choice stays his."""
    caio = await desk.does("choose_city", cast.caio, OTHER_CITY)
    invited = await desk.does("invite_staff", InviteStaff(city=CITY, role=Role.REGISTRY))
    await desk.refuses(InviteNeedless, "accept_invite", invited.code, cast.bia)

    joined = await desk.does("accept_invite", invited.code, caio)

    assert joined.person.city == OTHER_CITY


@pytest.mark.parametrize("code", ["", "conv_", "conv_abc", "x" * 500, "'; DROP TABLE invite"])
async def test_a_made_up_code_is_unknown(desk: Desk, cast: Cast, code: str) -> None:
    """Whatever somebody types after /start."""
    await desk.refuses(InviteUnknown, "accept_invite", code, cast.ana)


async def test_only_a_manager_of_the_city_gives_and_takes_roles(desk: Desk, cast: Cast) -> None:
    """Neither a colleague, nor a citizen, nor the manager of another city; who runs the process may."""
    rita = await desk.store.person("Rita", Grant(OTHER_CITY, Role.MANAGER))

    for by in (cast.bia, cast.ana, rita):
        await desk.refuses(NotAllowed, "invite_staff", InviteStaff(city=CITY, role=Role.REGISTRY, by=by))
        await desk.refuses(
            NotAllowed, "revoke_role", RevokeRole(person_id=cast.davi.id, city=CITY, role=Role.REGISTRY, by=by)
        )
        await desk.refuses(NotAllowed, "list_staff", CITY, by)
    await desk.does("revoke_role", RevokeRole(person_id=cast.davi.id, city=CITY, role=Role.REGISTRY, by=cast.gil))

    names = [(member.name, member.role) for member in await desk.does("list_staff", CITY)]
    assert names == [
        ("Bia", Role.REGISTRY),
        ("Gil", Role.MANAGER),
        ("Ivo", Role.INSPECTOR),
        ("Olga", Role.OMBUDSMAN),
    ]
    await desk.refuses(
        NotFound, "revoke_role", RevokeRole(person_id=cast.davi.id, city=CITY, role=Role.REGISTRY, by=cast.gil)
    )


async def test_what_somebody_has_who_leaves_goes_back_to_the_queues(desk: Desk, cast: Cast) -> None:
    """Olga leaves: her cases are anybody's to take again, also one that waits. One who keeps a role keeps the cases."""
    held = await desk.taken_report(cast.ana, cast.olga)
    waiting = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=waiting.id, text="Qual era a linha?"))
    managed = await desk.taken_report(cast.ana, cast.gil)
    desk.store.committed.people[cast.gil.id] = replace(cast.gil, grants=cast.gil.grants | {OMBUDSMAN})

    olga = await desk.does("revoke_role", RevokeRole(person_id=cast.olga.id, city=CITY, role=Role.OMBUDSMAN))
    gil = await desk.does("revoke_role", RevokeRole(person_id=cast.gil.id, city=CITY, role=Role.MANAGER))

    assert {case.id for case in olga.cases} == {held.id, waiting.id}
    assert not olga.person.is_staff
    assert gil.cases == ()

    cases = desk.store.committed.cases
    assert [cases[one.id].assignee for one in (held, waiting, managed)] == [None, None, cast.gil.id]
    assert [cases[one.id].state for one in (held, waiting)] == ["open", "waiting"]
    assert (await desk.timeline(held.id))[1][-1].author.kind == "system"
    await desk.does("take_case", TakeCase(by=cast.ivo, case_id=held.id))


async def test_who_left_reads_nothing_more_of_a_case(desk: Desk, cast: Cast) -> None:
    """Olga's role ended without her case having moved: what Ana answers, and what Gil notes, is not told to her."""
    case = await desk.taken_report(cast.ana, cast.olga)
    await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Qual era a linha?"))
    desk.store.committed.people[cast.olga.id] = replace(cast.olga, grants=frozenset())

    replied = await desk.does("reply", Reply(by=cast.ana, case_id=case.id, text="A 12, do meu bairro."))
    noted = await desk.does("add_note", AddNote(by=cast.gil, case_id=case.id, text="Ver com a empresa."))

    assert (replied.staff, noted.staff) == ((), ())


async def test_a_city_that_is_not_served_is_unknown(desk: Desk, cast: Cast) -> None:
    """For choosing, inviting and listing alike."""
    await desk.refuses(CityUnknown, "choose_city", cast.ana, "nowhere-xx")
    await desk.refuses(CityUnknown, "invite_staff", InviteStaff(city="nowhere-xx", role=Role.MANAGER))
    await desk.refuses(CityUnknown, "list_staff", "nowhere-xx")


async def test_a_chosen_language_is_remembered(desk: Desk, cast: Cast) -> None:
    """Ana chooses Spanish; a language that the counter does not speak is refused."""
    ana = await desk.does("choose_language", cast.ana, "es")

    assert (ana.language, ana.language_chosen) == ("es", True)
    await desk.refuses(NotFound, "choose_language", cast.ana, "tlh")


@pytest.mark.parametrize(
    ("tag", "language"),
    [("pt-br", "pt_BR"), ("en-US", "en"), ("es", "es"), ("de", "pt_BR"), (None, "pt_BR"), ("", "pt_BR")],
)
def test_the_first_language_is_the_phones(tag: str | None, language: str) -> None:
    """Portuguese where the counter does not speak it."""
    assert language_from_client(tag) == language
