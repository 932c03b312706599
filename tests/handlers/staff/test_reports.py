"""Olga of the ouvidoria: a report from the queue to its outcome. Nothing that she types goes out by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.cases.commands import AddEvidence, ConfirmOutcome, ContestOutcome, Reply, WithdrawCase
from domain.cases.model import CaseState, EventKind
from domain.privacy.model import IdentityMode
from handlers.shared.outgoing import Kind
from tests.support.builders import INSPECTOR, MANAGER, OMBUDSMAN, REGISTRY
from tests.support.office import by_citizen, office, taken


async def test_a_question_is_asked_answered_and_the_case_decided_and_confirmed() -> None:
    """Olga asks, Ana answers, Olga concludes, Ana agrees: each hears of the other's step with the way to go on."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    assert "Reclamação" in olga.text
    assert "O que aconteceu: Cobrou o dobro." in olga.text
    assert "Responder até 30/12/2026" in olga.text

    await olga.presses("Perguntar")
    await olga.sends("Qual era o horário?")
    await olga.presses("Enviar a pergunta")
    assert "Qual era o horário?" in ana.text
    assert "Responder" in ana.labels()
    assert "à espera do cidadão" in olga.text

    await by_citizen(town, "reply", Reply(by=ana.person, case_id=case.id, text="Às 14h <b>em ponto</b>."))
    assert "Resposta do cidadão" in olga.text
    assert "Às 14h <b>em ponto</b>." in olga.text
    await olga.presses("Abrir o caso")

    await olga.presses("Concluir")
    await olga.presses("Resolvido")
    await olga.sends("A empresa devolveu o valor.")
    assert "Confira" in olga.text or "Conclusão" in olga.text
    await olga.presses("Enviar a conclusão")
    assert "A prefeitura concluiu: Resolvido." in ana.text
    assert "A empresa devolveu o valor." in ana.text
    assert {"Sim, resolve", "Não concordo"} <= set(ana.labels())

    await by_citizen(town, "confirm_outcome", ConfirmOutcome(by=ana.person, case_id=case.id))
    assert "confirmou o resultado" in olga.text
    assert town.memory.committed.cases[case.id].state is CaseState.CLOSED
    assert not olga.errors


async def test_a_report_was_sent_once() -> None:
    """What Ana did in one moment is one line on Olga's card and in the timeline, with the files that came."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga, files=(await town.memory.file(),))

    lines = ["O cidadão enviou o relato · 1 arquivo", "Olga assumiu o caso"]
    assert [line.partition(" · ")[2] for line in olga.text.splitlines() if "10:00 ·" in line] == lines
    await olga.presses("Linha do tempo")
    assert [line.partition(" · ")[2] for line in olga.text.splitlines() if "10:00 ·" in line] == lines[::-1]


async def test_of_forty_cases_the_next_is_one_press_away() -> None:
    """Olga is done with one, asks in another, passes a third on: each time the next of her queue is one press away."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    first = await taken(town, ana, olga)
    second, third, fourth = [(await town.counter.report(ana.person)).protocol for _ in range(3)]
    assert "Pegar o próximo" not in olga.labels()

    await olga.presses("Concluir")
    await olga.presses("Resolvido")
    assert f"Conclusão · Reclamação {first.protocol}\nPasso 2 de 2" in olga.text
    await olga.sends("A empresa devolveu o valor.")
    assert "Explicação\nA empresa devolveu o valor." in olga.text
    await olga.presses("Enviar a conclusão")
    await olga.presses("Pegar o próximo")
    assert second in olga.text
    await olga.presses("Perguntar")
    await olga.sends("Qual era o horário?")
    await olga.presses("Enviar a pergunta")
    await olga.presses("Pegar o próximo")
    assert third in olga.text
    await olga.presses("Passar adiante")
    await olga.presses("Fiscalização")
    await olga.presses("Pular")
    await olga.presses("Passar adiante")
    await olga.presses("Pegar o próximo")
    assert fourth in olga.text


async def test_a_case_of_another_team_is_passed_on_without_being_taken() -> None:
    """Olga sees at once that it is for the inspectors: she passes it on, and Ana is not told that she began on it."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    filed = await town.counter.report(ana.person)
    await olga.sends(f"/caso {filed.protocol}")
    await olga.presses("Passar adiante")
    await olga.presses("Fiscalização")
    await olga.presses("Pular")
    await olga.presses("Passar adiante")

    assert "Passou para outra equipe: Fiscalização." in ana.text
    assert not ana.has("começou a analisar")


async def test_the_one_answer_of_a_form_is_corrected_at_once() -> None:
    """Olga's form asks one thing: "Corrigir" does not ask her which."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga)
    await olga.presses("Responder")
    await olga.sends("Esta semana.")
    await olga.presses("Corrigir")
    await olga.sends("Na sexta.")
    await olga.presses("Enviar a resposta")

    assert "Na sexta." in ana.text
    assert "Esta semana." not in ana.text


async def test_a_protocol_is_all_that_one_needs_to_write() -> None:
    """Olga writes a protocol as it was read to her: the case opens. Ana's opens hers, and nobody's another's."""
    town = await office()
    ana, caio = await town.phone("Ana"), await town.phone("Caio")
    olga, bia = await town.phone("Olga", OMBUDSMAN), await town.phone("Bia", REGISTRY)
    number = (await town.counter.report(ana.person)).protocol
    own = (await town.counter.report(olga.person)).protocol

    slipped = number[:-3] + ("1" if number[-3] != "1" else "2") + number[-2:]
    await olga.sends(f"/caso {slipped}")
    assert f"“{slipped}” não é um protocolo: falta um pedaço ou há um algarismo trocado." in olga.text
    await olga.sends("/caso")
    assert "/caso VILMT-2026-00001-1" in olga.text
    await olga.sends(number.lower().replace("-", " "))
    assert f"Reclamação {number}" in olga.text
    assert "Assumir o caso" in olga.labels()
    await olga.sends(own)
    assert "A vez é da prefeitura" in olga.text
    assert "Assumir o caso" not in olga.labels()
    await ana.sends(number)
    assert "A vez é da prefeitura" in ana.text
    for other in (caio, bia):
        await other.sends(number)
        assert f"Não encontrei o protocolo {number} entre os casos que você pode ver." in other.text


async def test_what_is_written_after_another_case_was_opened_is_no_answer_about_the_first() -> None:
    """Olga is asked for her words about one case and opens another: what she writes then is not taken for them."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga)
    other = (await town.counter.report(ana.person)).protocol
    await olga.presses("Perguntar")
    await olga.sends(f"/caso {other}")
    await olga.sends("Esse também?")

    assert olga.conversation.place is None
    assert "Enviar a pergunta" not in olga.labels()


async def test_a_list_says_how_soon_a_term_ends() -> None:
    """Far from its end the list is short; five days before it says so, and after it that it is over."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga)
    marks = []
    for days in (24, 1, 5, 1):
        town.later(days=days)
        await olga.sends("/minhas")
        marks.append(olga.text.splitlines()[-1].partition(", vez")[0])

    assert marks == [
        "com você",
        "⏰ prazo termina em 5 dias, com você",
        "⏰ prazo termina hoje, com você",
        "⚠️ prazo vencido, com você",
    ]


async def test_what_staff_types_outside_a_form_or_into_a_note_reaches_nobody() -> None:
    """Olga writes to a colleague in the wrong place, and then a note: Ana hears nothing, her timeline shows nothing."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    before = len(ana.shown)

    await olga.sends("Acho que essa aí está inventando.")
    await olga.presses_on("Anotar", case.protocol or "")
    await olga.sends("Ligar para a empresa amanhã.")

    assert "Nota guardada. Só a equipe lê." in olga.text
    assert "🔒" in olga.text
    assert len(ana.shown) == before
    seen = await town.counter.does("case_for_citizen", case.id, ana.person)
    assert all(event.kind is not EventKind.NOTED for event in seen.events)


@pytest.mark.parametrize("button", ["Perguntar", "Responder", "Concluir"])
async def test_a_text_put_aside_was_not_sent(button: str) -> None:
    """Olga writes half of it and cancels: nothing goes out, and she is back at the card."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga)
    before = len(ana.shown)
    await olga.presses(button)
    if button == "Concluir":
        await olga.presses("Resolvido")
    await olga.sends("Rascunho.")
    await olga.sends("/cancelar")
    await olga.presses("Sim, descartar")

    assert "Nada foi enviado." in olga.text
    assert "Com você." in olga.text
    assert len(ana.shown) == before


@pytest.mark.parametrize("put_aside", [False, True])
async def test_who_is_of_the_team_no_more_cannot_go_on_writing(put_aside: bool) -> None:
    """Olga writes to Ana while her role is taken from her: nothing is sent, and nothing names the case to her."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    await olga.presses("Perguntar")
    await olga.sends("Qual era o horário?")
    button = "Enviar a pergunta"
    if put_aside:
        await olga.presses("Guardar para depois")
        button = next(label for label in olga.labels() if label.startswith("Continuar: Pergunta ao cidadão"))
    before = len(ana.shown)

    known = town.memory.committed.people[olga.person.id]
    town.memory.committed.people[olga.person.id] = replace(known, grants=frozenset())
    await olga.presses(button)

    assert "A sua função na equipe terminou" in olga.text
    assert not any("Continuar" in label for label in olga.labels())
    assert str(case.protocol) not in (olga.stored or "")
    assert len(ana.shown) == before


async def test_the_menu_of_who_left_the_team_offers_no_form_of_hers() -> None:
    """Olga had put a question aside; once her role is gone the menu and what is stored say nothing of it."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    await olga.presses("Perguntar")
    await olga.sends("Qual era o horário?")
    known = town.memory.committed.people[olga.person.id]
    town.memory.committed.people[olga.person.id] = replace(known, grants=frozenset())

    await olga.sends("/menu")

    assert not any("Continuar" in label for label in olga.labels())
    assert str(case.protocol) not in (olga.stored or "")


async def test_the_second_who_takes_a_case_is_told_who_has_it() -> None:
    """Olga and Gil look at the same card; Olga presses first, Gil learns it and sees the card as it is."""
    town = await office()
    ana, olga, gil = (
        await town.phone("Ana"),
        await town.phone("Olga", OMBUDSMAN),
        await town.phone("Gil", MANAGER),
    )
    filed = await town.counter.report(ana.person)
    for phone in (olga, gil):
        await phone.sends(f"/caso {filed.protocol}")
    await olga.presses("Assumir o caso")
    await gil.presses("Assumir o caso")

    assert gil.toasts()[0].text == "Olga já está com este caso."
    assert gil.toasts()[0].alert
    assert "Com Olga." in gil.text
    assert town.memory.committed.cases[filed.update.case.id].assignee == olga.person.id
    await gil.presses("Tirar de Olga")
    assert "ninguém assumiu" in gil.text


async def test_an_old_card_of_a_closed_case_shows_it_as_it_is() -> None:
    """Ana withdraws while Olga reads: her press on "Concluir" tells it instead of opening anything."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    await by_citizen(town, "withdraw_case", WithdrawCase(by=ana.person, case_id=case.id))
    assert "O cidadão desistiu." in olga.text

    await olga.presses_on("Concluir", "Com você")

    assert "já foi encerrado" in olga.toasts()[0].text
    assert olga.conversation.place is None
    assert any(message.kind is Kind.EDIT and "desistiu" in message.text for message in olga.said)


async def test_a_case_goes_to_another_queue_with_a_note_that_stays_inside() -> None:
    """Olga passes it to the inspectors; Ana hears that it moved and to where, never the note; Ivo finds it."""
    town = await office()
    ana, olga, ivo = (
        await town.phone("Ana"),
        await town.phone("Olga", OMBUDSMAN),
        await town.phone("Ivo", INSPECTOR),
    )
    await taken(town, ana, olga)
    await olga.presses("Passar adiante")
    await olga.presses("Fiscalização")
    await olga.sends("Ver o taxímetro.")
    await olga.presses("Passar adiante")

    assert "Passou para outra equipe: Fiscalização." in ana.text
    assert not ana.has("taxímetro")
    await ivo.sends("/fila")
    await ivo.presses_on("Pegar o próximo", "Fiscalização: 1 na fila")
    await ivo.presses("Linha do tempo")
    assert "Ver o taxímetro." in ivo.text


@pytest.mark.parametrize("mode", IdentityMode)
async def test_a_file_of_somebody_not_to_be_known_is_never_passed_on(mode: IdentityMode) -> None:
    """Telegram would pass the file on with its name: only who gave a name is shown to staff that way."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    files = (await town.memory.file(), await town.memory.file())
    await taken(town, ana, olga, mode=mode, files=files)
    await olga.presses("Ver arquivos (2)")

    sent = [message for message in olga.said if message.kind is Kind.PHOTO]
    known = mode is IdentityMode.IDENTIFIED
    assert [message.file_name for message in sent] == ([None, None] if known else ["prova-1", "prova-2"])
    assert all((message.file_id is not None) is known for message in sent)
    assert all((message.sha256 is None) is known for message in sent)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (IdentityMode.IDENTIFIED, "De: Ana"),
        (IdentityMode.PROTECTED, "identidade protegida"),
        (IdentityMode.ANONYMOUS, "pessoa anônima"),
    ],
)
async def test_staff_sees_only_who_wants_to_be_known(mode: IdentityMode, words: str) -> None:
    """Ana's name stands on the card only if she chose so; what Olga asks waits for the receipt of an anonymous one."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga, mode=mode)

    assert words in olga.text
    assert ("Ana" in olga.text) is (mode is IdentityMode.IDENTIFIED)
    before = len(ana.shown)
    await olga.presses("Perguntar")
    await olga.sends("Qual era a linha?")
    assert ("recibo" in olga.text) is (mode is IdentityMode.ANONYMOUS)
    await olga.presses("Enviar a pergunta")
    assert len(ana.shown) == before + (mode is not IdentityMode.ANONYMOUS)


async def test_a_contested_outcome_comes_back_and_new_evidence_is_shown() -> None:
    """Ana disagrees and adds a photograph: Olga is told both, and the file is sent with the day it came."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    await olga.presses("Concluir")
    await olga.presses("Não foi possível confirmar o que foi relatado")
    await olga.sends("Sem provas.")
    await olga.presses("Enviar a conclusão")

    await by_citizen(town, "contest_outcome", ContestOutcome(by=ana.person, case_id=case.id, text="Tenho foto."))
    assert "não concorda" in olga.text
    files = (await town.memory.file(),)
    await by_citizen(town, "add_evidence", AddEvidence(by=ana.person, case_id=case.id, files=files))
    assert "Veio 1 arquivo." in olga.text
    await olga.presses("Abrir o caso")
    assert "Contestado 1 vez." in olga.text

    await olga.presses("Ver arquivos (1)")
    sent = next(message for message in olga.said if message.file_id)
    assert sent.file_id == f"file-{files[0]}"
    assert "30/11/2026 10:00" in sent.text


async def test_what_a_colleague_does_to_my_case_is_told_to_me() -> None:
    """Gil notes something in Olga's case and then takes it from her: she hears of both, Ana of neither."""
    town = await office()
    ana, olga, gil = (
        await town.phone("Ana"),
        await town.phone("Olga", OMBUDSMAN),
        await town.phone("Gil", MANAGER),
    )
    case = await taken(town, ana, olga)
    before = len(ana.shown)
    await gil.sends(f"/caso {case.protocol}")
    await gil.presses("Anotar")
    await gil.sends("Olhe o caso 12, é igual.")
    assert "Gil anotou no seu caso" in olga.text
    assert "é igual" in olga.text

    await gil.presses("Tirar de Olga")
    assert "Gil devolveu este caso à fila" in olga.text
    assert len(ana.shown) == before
