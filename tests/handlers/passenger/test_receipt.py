"""Who stays anonymous holds a receipt: the way back, tied to no account, leaving nothing behind."""

from __future__ import annotations

import re

import pytest

from domain.cases.commands import Ask, Decide, TakeCase
from domain.cases.model import Case, CaseState, Outcome
from domain.privacy.model import show_receipt
from tests.support.builders import OMBUDSMAN
from tests.support.office import Office, Phone, office

RECEIPT = re.compile(r"\d{4} \d{4} \d{4} \d{4}")


async def people() -> tuple[Office, Phone, Phone]:
    town = await office()
    return town, await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)


async def reported(ana: Phone) -> str:
    """Let Ana report anonymously on her phone; return the receipt's digits."""
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")
    await ana.presses("Cobrou a mais")
    await ana.sends("Cobrou o dobro.")
    for _ in range(4):
        await ana.sends("Pular")
    await ana.presses("Anônimo, com recibo")
    await ana.presses("Enviar para a prefeitura")
    found = RECEIPT.search(ana.text)
    assert found is not None
    return found[0].replace(" ", "")


def only_case(town: Office) -> Case:
    (case,) = town.memory.committed.cases.values()
    return case


async def test_the_receipt_is_shown_once_in_a_message_of_its_own() -> None:
    """Ana looks around from the screen with the protocol: the message with her receipt stays as it is."""
    _, ana, _ = await people()
    receipt = await reported(ana)
    shown = [key for key, message in ana.shown.items() if RECEIPT.search(message.text)]
    assert len(shown) == 1
    await ana.presses("Ver o caso")
    assert any("Enviado em 30/11/2026 10:00 · Anônimo" in message.text for message in ana.shown.values())
    await ana.presses_data("menu:home", shown[0])
    assert show_receipt(receipt) in ana.shown[shown[0]].text
    assert [button.text for row in ana.shown[shown[0]].buttons for button in row] == ["Menu"]


async def test_nothing_stored_ties_the_case_to_the_account() -> None:
    """Neither the case, its party nor Ana's conversation knows of the other; /meus does not list it."""
    town, ana, _ = await people()
    receipt = await reported(ana)
    case = only_case(town)

    assert town.memory.committed.parties[case.id].person_id is None
    assert receipt not in repr(town.memory.committed)
    assert receipt not in (ana.stored or "")
    assert str(ana.person.id) not in repr(case.facts)
    await ana.sends("/meus")
    assert "ainda não tem nenhum" in ana.text
    await ana.presses_data(f"p:see:{case.id}")
    assert "Não encontrei isso" in ana.text


@pytest.mark.parametrize("written", ["{grouped}", "{digits}", " {dashed}\n"])
async def test_the_receipt_opens_the_case_from_any_account(written: str) -> None:
    """Ana comes back on a friend's phone and types the number as she likes: question, answer, outcome, agreement."""
    town, ana, olga = await people()
    receipt = await reported(ana)
    friend = await town.phone("Bela")
    case = only_case(town)
    await town.counter.does("take_case", TakeCase(by=olga.person, case_id=case.id))
    await town.counter.does("ask", Ask(by=olga.person, case_id=case.id, text="Que linha?"))

    await friend.sends("/recibo")
    grouped = show_receipt(receipt)
    await friend.sends(written.format(grouped=grouped, digits=receipt, dashed=grouped.replace(" ", "-")))
    assert "Que linha?" in friend.text
    await friend.presses("Responder")
    await friend.sends("A 12.")
    assert "Enviado." in friend.text
    assert only_case(town).state is CaseState.TAKEN
    assert olga.has("A 12.")

    command = Decide(by=olga.person, case_id=case.id, outcome=Outcome.FORWARDED, text="Foi à agência.")
    await town.counter.does("decide", command)
    await friend.sends(f"/recibo {receipt}")
    assert "Foi à agência." in friend.text
    await friend.presses("Não concordo")
    await friend.sends("Não é com a agência.")
    assert only_case(town).contested == 1
    await friend.presses("Desistir")
    await friend.presses("Sim, desistir")
    assert only_case(town).state is CaseState.CLOSED
    assert receipt not in (friend.stored or "")
    assert town.memory.committed.parties[case.id].person_id is None


async def test_closing_takes_the_case_off_the_screen() -> None:
    """Ana is done: "Fechar" leaves a screen without the case, and no button that opens it."""
    town, ana, _ = await people()
    receipt = await reported(ana)
    await ana.presses("Ver o caso")
    await ana.presses("Fechar")

    assert "Fechado." in ana.text or any("Fechado." in message.text for message in ana.shown.values())
    assert not any(receipt in (b.data or "") for m in ana.shown.values() for row in m.buttons for b in row)
    assert only_case(town).protocol is not None


@pytest.mark.parametrize("way_out", ["/menu", "/cancelar", "/reclamar", "/meus"])
async def test_an_answer_left_halfway_leaves_no_receipt_behind(way_out: str) -> None:
    """Ana starts to answer and goes elsewhere: what opens her case is not kept in the chat's row."""
    town, ana, olga = await people()
    receipt = await reported(ana)
    case = only_case(town)
    await town.counter.does("take_case", TakeCase(by=olga.person, case_id=case.id))
    await town.counter.does("ask", Ask(by=olga.person, case_id=case.id, text="Que linha?"))
    await ana.presses_data(f"a:reply:{receipt}")
    assert "Que linha?" in ana.text

    await ana.sends(way_out)
    assert receipt not in (ana.stored or "")
    assert only_case(town).asked


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("1234", "aqui contei 4"),
        ("1234 5678 9012 345", "aqui contei 15"),
        ("1234 5678 9012 3456", "Não encontrei esse recibo"),
        ("perdi", "Sem o recibo ninguém abre um relato anônimo, nem nós"),
    ],
)
async def test_a_wrong_receipt_is_said_and_can_be_typed_again(typed: str, words: str) -> None:
    """Ana mistypes it: she hears what is wrong, and the question stays."""
    town, ana, _ = await people()
    receipt = await reported(ana)
    await ana.sends("/recibo")
    await ana.sends(typed)
    assert words in ana.text
    assert "Qual é o número do recibo?" in ana.text
    await ana.sends(receipt)
    assert (only_case(town).protocol or "?") in ana.text


@pytest.mark.parametrize("data", ["a:see:1", "a:see:0000000000000000", "a:yes:abc", "a:see", "a:line:1:1"])
async def test_a_made_up_receipt_opens_nothing(data: str) -> None:
    """Caio guesses: whatever he presses, he sees no case and changes none."""
    town, ana, _ = await people()
    await reported(ana)
    caio = await town.phone("Caio")
    before = town.memory.committed.copy()
    await caio.presses_data(data)
    heard = caio.text if caio.shown else caio.toasts()[0].text
    assert "Não encontrei" in heard or "não vale mais" in heard
    assert town.memory.committed == before


async def test_the_receipt_of_one_case_opens_no_other() -> None:
    """Ana's receipt goes with her own case alone: a case of Caio's stays closed to it."""
    town, ana, _ = await people()
    caio = await town.phone("Caio")
    receipt = await reported(ana)
    filed = await town.counter.report(caio.person)
    await ana.presses_data(f"a:see:{receipt}")
    assert filed.protocol not in ana.text
    await ana.presses_data(f"p:see:{filed.update.case.id}")
    assert "Não encontrei isso" in ana.text
