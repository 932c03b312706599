"""A manager and the team: who works here, who comes, who goes."""

from __future__ import annotations

import re
from dataclasses import replace

from domain.people.model import Grant, Role
from tests.support.builders import CITY, MANAGER, OMBUDSMAN, OTHER_CITY
from tests.support.office import Phone, office


def link_in(phone: Phone) -> str:
    """Return what stands behind ``?start=`` in the newest invitation."""
    texts = "\n".join(message.text for _, message in sorted(phone.shown.items(), reverse=True))
    found = re.search(r"https://t\.me/balcao_bot\?start=(\S+)", texts)
    assert found, texts
    return found[1]


async def test_a_manager_invites_without_anybody_at_the_machine() -> None:
    """Gil chooses a role and forwards the message; Olga opens the link and is of the team."""
    town = await office()
    gil, olga = await town.phone("Gil", MANAGER), await town.phone("Olga")
    await gil.sends("/menu")
    await gil.presses("Equipe")
    assert "Equipe · Vila Clara\n• Gil: gestão (você)" in gil.text
    assert "toque no nome" not in gil.text
    await gil.presses("Convidar")
    assert "Ouvidoria: Você atende reclamações e denúncias e responde às pessoas." in gil.text
    await gil.presses("Ouvidoria")
    assert gil.has("Convite para a equipe: <b>ouvidoria</b> em Vila Clara.\nVale uma vez, até 07/12/2026 10:00.")
    assert "Voltar à equipe" in gil.labels()

    await olga.sends(f"/start {link_in(gil)}")
    await olga.presses("Aceitar")
    await gil.presses("Voltar à equipe")

    assert town.memory.committed.people[olga.person.id].grants == {OMBUDSMAN}
    assert gil.has("• Olga: ouvidoria")


async def test_who_leaves_is_asked_about_once_and_leaves_no_case_behind() -> None:
    """Gil takes Olga's role away: her case lies in the queue again, and her screens open nothing more."""
    town = await office()
    ana, gil, olga = await town.phone("Ana"), await town.phone("Gil", MANAGER), await town.phone("Olga", OMBUDSMAN)
    case = await town.counter.taken_report(ana.person, olga.person)
    await gil.sends("/menu")
    await gil.presses("Equipe")
    assert "Para tirar uma função, toque no nome." in gil.text
    await gil.presses("Olga: ouvidoria")
    assert "Olga deixa de ser da equipe: ouvidoria em Vila Clara." in gil.text
    assert town.memory.committed.people[olga.person.id].grants
    await gil.presses("Sim, tirar")

    assert "✅ Olga não tem mais essa função.\n1 caso voltou à fila." in gil.text
    assert "• Olga" not in gil.text
    assert town.memory.committed.cases[case.id].assignee is None
    assert "A sua função na equipe de Vila Clara terminou: ouvidoria. Obrigado" in olga.text
    assert f"O caso que estava com você voltou à fila, com tudo o que você fez: {case.protocol}." in olga.text
    await olga.sends(f"/caso {case.protocol}")
    assert "Não encontrei" in olga.text


async def test_who_leaves_with_many_cases_reads_the_first_ten_in_their_language() -> None:
    """Olga, who reads English, had twelve cases; another, who had none, is thanked and told of none."""
    town = await office()
    ana, gil = await town.phone("Ana"), await town.phone("Gil", MANAGER)
    olga, rui = await town.phone("Olga", OMBUDSMAN, language="en"), await town.phone("Rui", OMBUDSMAN)
    cases = [await town.counter.taken_report(ana.person, olga.person) for _ in range(12)]
    for label in ("Olga: ouvidoria", "Rui: ouvidoria"):
        await gil.sends("/menu")
        await gil.presses("Equipe")
        await gil.presses(label)
        await gil.presses("Sim, tirar")

    assert "Your role in the team of Vila Clara has ended: ombudsman's office (ouvidoria)." in olga.text
    assert "The 12 cases you had went back to the queue" in olga.text
    assert all((case.protocol or "?") in olga.text for case in cases[:10])
    assert "and 2 more." in olga.text
    assert rui.text.endswith("Obrigado por ter atendido as pessoas.")


async def test_a_city_keeps_who_manages_it_and_its_team_from_others() -> None:
    """Gil cannot take his own role away; a colleague and another city's manager get nowhere by any button."""
    town = await office()
    gil, olga = await town.phone("Gil", MANAGER), await town.phone("Olga", OMBUDSMAN)
    rita = await town.phone("Rita", Grant(OTHER_CITY, Role.MANAGER))
    await gil.sends("/menu")
    await gil.presses("Equipe")
    assert not any(label.startswith("Gil") for label in gil.labels())
    name = (gil.screen.buttons[0][0].data or "").split(":")[-1]
    await gil.presses_data(f"team:gone:{name}:{gil.person.id}:manager")
    assert town.memory.committed.people[gil.person.id].grants == {MANAGER}

    await olga.sends("/menu")
    assert "Equipe" not in olga.labels()
    for other in (olga, rita):
        for data in (
            f"show:{name}:1",
            f"roles:{name}",
            f"invite:{name}:manager",
            f"gone:{name}:{gil.person.id}:manager",
        ):
            await other.presses_data(f"team:{data}")
            assert "só para quem tem essa função" in other.text
    assert not town.memory.committed.invites
    await gil.presses_data(f"team:invite:{name}:king")
    assert not town.memory.committed.invites


async def test_a_manager_of_two_cities_chooses_and_a_button_pressed_late_says_how_it_is() -> None:
    """Gil manages both: he chooses one; who left meanwhile is not asked about again."""
    town = await office()
    gil, olga = await town.phone("Gil", MANAGER, Grant(OTHER_CITY, Role.MANAGER)), await town.phone("Olga", OMBUDSMAN)
    await gil.sends("/menu")
    await gil.presses("Equipe")
    assert "De qual cidade?" in gil.text
    await gil.presses("Vila Clara")
    people = town.memory.committed.people
    people[olga.person.id] = replace(people[olga.person.id], grants=frozenset())
    await gil.presses("Olga: ouvidoria")

    assert "Essa pessoa já não tem essa função." in gil.text
    assert CITY in {grant.city for grant in people[gil.person.id].grants}
