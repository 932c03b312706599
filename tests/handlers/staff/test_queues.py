"""Looking for work: queues, pages, one's own cases, and buttons that nobody gave out."""

from __future__ import annotations

import random

from domain.cases.commands import Ask
from domain.people.model import Grant, Role
from domain.privacy.model import IdentityMode
from domain.registration.commands import Submit
from handlers.shared.outgoing import Kind
from tests.support.builders import MANAGER, OMBUDSMAN, OTHER_CITY, REGISTRY
from tests.support.office import office


async def test_a_queue_is_read_from_the_oldest_in_pages_that_name_who_has_what() -> None:
    """Ten complaints: eight on the first page; Gil sees which one Olga has, and opens the ninth."""
    town = await office()
    ana, olga, gil = (
        await town.phone("Ana"),
        await town.phone("Olga", OMBUDSMAN),
        await town.phone("Gil", MANAGER),
    )
    protocols = []
    for _ in range(10):
        protocols.append((await town.counter.report(ana.person)).protocol)
        town.later(hours=1)
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")

    await gil.sends("/fila")
    await gil.presses("Ouvidoria (9)")
    assert f"1. {protocols[0]}" in gil.text
    assert "com Olga, vez da equipe, há 10 horas" in gil.text
    assert protocols[8] not in gil.text
    await gil.presses("Mais casos")
    assert f"1. {protocols[8]}" in gil.text
    await gil.presses(f"1: {protocols[8].split('-', 2)[2]}")
    assert protocols[8] in gil.text
    assert "Assumir o caso" in gil.labels()


async def test_registrations_in_a_queue_are_told_apart_by_name() -> None:
    """Bia reads whose each registration is: a first name and an initial, and never the name of who is protected."""
    town = await office()
    bia, olga = await town.phone("Bia", REGISTRY), await town.phone("Olga", OMBUDSMAN)
    for name in ("Ana Maria de Souza", "Caio", "\u202e<b>Davi Lima"):
        person = (await town.phone(name)).person
        case = await town.counter.application(person)
        await town.counter.does("submit", Submit(by=person, case_id=case.id))
    eva = await town.phone("Eva Prado")
    await town.counter.report(eva.person, mode=IdentityMode.PROTECTED)

    await bia.sends("/fila")
    await bia.presses("Cadastro (3)")
    assert " · Ana S.\n" in bia.text
    assert " · Caio\n" in bia.text
    assert "\u2068\u202e<b>Davi L.\u2069\n" in bia.text
    assert "Souza" not in bia.text

    await olga.sends("/fila")
    await olga.presses("Ouvidoria (1)")
    assert "Eva" not in olga.text


async def test_nobody_is_handed_their_own_complaint() -> None:
    """Olga complained herself before Ana did: "o próximo" gives her Ana's, and her own is refused with the reason."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    own = await town.counter.report(olga.person)
    other = await town.counter.report(ana.person)
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")
    assert other.protocol in olga.text

    await olga.sends(f"/caso {own.protocol}")
    assert "Este caso é seu" in olga.text
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")
    assert olga.toasts()[0].text == "Esta fila está vazia."


async def test_minhas_lists_what_one_has_and_menu_and_cards_lead_to_each_other() -> None:
    """Olga finds her case again from the menu, reads everything behind the card and comes back to it."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    filed = await town.counter.report(ana.person)
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")
    await olga.sends("/fila")
    assert "Ouvidoria: fila vazia, 1 com você" in olga.text
    await olga.sends("/minhas")
    assert "com você" in olga.text
    await olga.presses(f"1: {filed.protocol.split('-', 2)[2]}")
    for page, words in (("Ver dados", "Cobrou o dobro."), ("Linha do tempo", "assumiu o caso")):
        await olga.presses(page)
        assert words in olga.text
        await olga.presses("Voltar ao caso")
        assert "Com você." in olga.text
    await olga.presses("Devolver à fila")
    assert "ninguém assumiu" in olga.text
    await olga.presses("Filas")
    assert "Ouvidoria: 1 na fila" in olga.text


async def test_staff_of_another_city_cannot_press_their_way_in() -> None:
    """Rui sends buttons of a case that is not his city's: each is refused, nothing changes, nothing is shown."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    rui = await town.phone("Rui", Grant(OTHER_CITY, Role.MANAGER), Grant(OTHER_CITY, Role.OMBUDSMAN))
    filed = await town.counter.report(ana.person)
    case_id = filed.update.case.id
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")
    before = town.memory.committed.copy()

    verbs = {verb for area, verb in town.app.bot_data["desk"].presses if area == "c"}
    for verb in sorted(verbs):
        said = await rui.presses_data(f"c:{verb}:{case_id}:1:1")
        assert not any(filed.protocol in message.text for message in said), verb
        assert any(message.text for message in said), verb
    assert town.memory.committed == before


async def test_forged_and_stale_buttons_never_break_anything() -> None:
    """A thousand presses of anything, also by people without a role: always answered, never a mistake of ours."""
    town = await office()
    ana, bia, olga = (
        await town.phone("Ana"),
        await town.phone("Bia", REGISTRY),
        await town.phone("Olga", OMBUDSMAN),
    )
    chance = random.Random(7)
    for phone in (ana, bia, olga):
        await phone.sends("/menu")
    counter = town.counter
    for _ in range(3):
        await counter.report(ana.person)
    await counter.reviewed(ana.person, bia.person)
    presses = [f"{area}:{verb}" for area, verb in town.app.bot_data["desk"].presses if area in ("c", "q", "staff")]
    seen: list[str] = []
    for _ in range(1000):
        phone = chance.choice((ana, bia, olga, olga))
        if seen and chance.random() < 0.6:
            data = chance.choice(seen)
        elif chance.random() < 0.2:
            await phone.sends(chance.choice(("/fila", "/minhas", "/menu", "Texto", "/caso x", "7")))
            continue
        else:
            ids = [chance.choice(("1", "2", "4", "9", "cnh", "x")) for _ in range(chance.randint(0, 3))]
            data = ":".join((chance.choice(presses), *ids))
        said = await phone.presses_data(data)
        assert any(message.kind is Kind.TOAST for message in said), data
        assert phone.labels(), data
        fresh = [button.data for message in said for row in message.buttons for button in row if button.data]
        seen = (seen + fresh)[-60:]

    assert {str(error) for phone in (ana, bia, olga) for error in phone.errors} <= {
        *("not_allowed", "not_found", "own_case", "not_your_case", "case_moved_on", "case_closed", "item_unknown"),
        *("item_already_decided", "items_undecided", "invite_unknown", "case_taken"),
    }


async def test_at_the_end_of_the_day_all_that_one_has_goes_back_at_once() -> None:
    """Olga goes on leave with two cases, one of which waits for Ana: Gil finds both, and Ana hears nothing."""
    town = await office()
    ana, olga, gil = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN), await town.phone("Gil", MANAGER)
    counter = town.counter
    await counter.taken_report(ana.person, olga.person)
    waiting = await counter.taken_report(ana.person, olga.person)
    await counter.does("ask", Ask(by=olga.person, case_id=waiting.id, text="Qual era a linha?"))
    kept = await counter.taken_report(ana.person, gil.person)
    heard = len(ana.shown)

    await olga.sends("/minhas")
    await olga.presses("Devolver todos à fila")
    assert "Devolver à fila 2 casos que estão com você?" in olga.text
    assert town.memory.committed.cases[waiting.id].assignee == olga.person.id
    await olga.presses("Sim, devolver")

    assert "✅ 2 casos voltaram à fila." in olga.text
    assert [case.assignee for case in town.memory.committed.cases.values()] == [None, None, gil.person.id]
    assert town.memory.committed.cases[waiting.id].state == "waiting"
    assert len(ana.shown) == heard
    await gil.sends(f"/caso {waiting.protocol}")
    await gil.presses("Assumir o caso")
    assert "Com você, à espera do cidadão." in gil.text
    assert town.memory.committed.cases[kept.id].assignee == gil.person.id
    await olga.sends("/minhas")
    assert "Devolver todos à fila" not in olga.labels()
