"""Becoming staff by a one-time link."""

from __future__ import annotations

from dataclasses import replace

from domain.cases.protocol import protocol
from domain.people.model import Role
from domain.people.service import InviteStaff
from handlers.shared.outgoing import Kind
from tests.support.builders import CITY, OTHER_CITY
from tests.support.office import Office, office


async def invited(town: Office, role: Role = Role.OMBUDSMAN, city: str = CITY) -> str:
    """Return the payload of a new invitation's link."""
    payload: str = (await town.counter.does("invite_staff", InviteStaff(city=city, role=role))).payload
    return payload


async def test_an_invitation_says_what_it_gives_before_it_is_taken_up() -> None:
    """Olga opens the link, reads city and role, accepts: queues are in her menu and her commands."""
    town = await office()
    olga = await town.phone("Olga")
    await olga.sends("/menu")
    assert "Filas da equipe" not in olga.labels()

    await olga.sends(f"/start {await invited(town)}")
    assert "Ouvidoria em Vila Clara." in olga.text
    assert not olga.memory.committed.people[olga.person.id].grants
    await olga.presses("Aceitar")

    assert "você agora é da equipe" in olga.text
    assert "Filas da equipe" in olga.labels()
    listed = next(message for message in olga.said if message.kind is Kind.COMMANDS)
    assert "fila" in dict(listed.commands)
    await olga.presses("Filas da equipe")
    assert "Nada espera por você agora." in olga.text


async def test_a_link_is_good_once_and_for_a_week() -> None:
    """Used, unknown or a week old: each is told plainly and gives nothing; nobody wastes one on a role they have."""
    town = await office()
    olga, ivo = await town.phone("Olga"), await town.phone("Ivo")
    used, old = await invited(town), await invited(town)
    await olga.sends(f"/start {used}")
    await olga.presses("Aceitar")
    await olga.sends(f"/start {old}")
    assert "Você já tem essa função." in olga.text

    await ivo.sends(f"/start {used}")
    assert "já foi usado" in ivo.text
    await ivo.sends("/start conv_nada")
    assert "Não reconheço este convite" in ivo.text
    await ivo.sends(f"/start {old}")
    town.later(days=7)
    await ivo.presses("Aceitar")
    assert "venceu" in ivo.text
    assert not town.memory.committed.people[ivo.person.id].grants


async def test_a_role_in_a_second_city_comes_beside_the_first() -> None:
    """Olga works in both cities: she sees the queues of each, under its name."""
    town = await office()
    olga = await town.phone("Olga")
    for city in (CITY, OTHER_CITY):
        await olga.sends(f"/start {await invited(town, city=city)}")
        await olga.presses("Aceitar")
    await olga.sends("/fila")

    assert "Vila Clara" in olga.text
    assert "Serra Alta" in olga.text
    await olga.presses("Casos comigo")
    assert "De qual cidade?" in olga.text
    await olga.presses("Vila Clara (0)")
    assert "Nada por aqui." in olga.text


async def test_commands_of_staff_show_nothing_to_others() -> None:
    """Ana tries: she is told that it is for the team, and the way home stays open."""
    town = await office()
    ana = await town.phone("Ana")
    town.memory.committed.people[ana.person.id] = replace(ana.person, city=CITY)
    for command in ("/fila", "/minhas"):
        await ana.sends(command)
        assert "só para quem tem essa função" in ana.text
        assert ana.labels() == ["Menu"]
        listed = next(message.commands for message in ana.said if message.kind is Kind.COMMANDS)
        assert "fila" not in dict(listed)  # were she of the team until yesterday, her list is put right
    await ana.sends(f"/caso {protocol('VILMT-2026', 1)}")
    assert "Não encontrei" in ana.text
