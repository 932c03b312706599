"""Ana follows her cases: whose turn it is, what was said, and what she can do about it."""

from __future__ import annotations

from typing import Any

import pytest

from domain.cases.commands import AddNote, Ask, Decide
from domain.cases.model import Case, CaseState, EventKind, Outcome
from domain.files.model import FileKind
from handlers.passenger import cases
from handlers.shared.outgoing import Kind
from tests.support.builders import OMBUDSMAN, REGISTRY
from tests.support.office import Office, Phone, office


async def people() -> tuple[Office, Phone, Phone]:
    town = await office()
    return town, await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)


async def taken(town: Office, ana: Phone, olga: Phone, **report: Any) -> Case:
    return await town.counter.taken_report(ana.person, olga.person, **report)


async def asked(town: Office, ana: Phone, olga: Phone) -> Case:
    case = await taken(town, ana, olga)
    await town.counter.does("ask", Ask(by=olga.person, case_id=case.id, text="Qual <linha>?"))
    return stored(town, case)


async def decided(town: Office, ana: Phone, olga: Phone) -> Case:
    case = await taken(town, ana, olga)
    command = Decide(by=olga.person, case_id=case.id, outcome=Outcome.RESOLVED, text="A empresa pagou.")
    await town.counter.does("decide", command)
    return stored(town, case)


def stored(town: Office, case: Case) -> Case:
    return town.memory.committed.cases[case.id]


async def test_the_list_says_what_waits_for_ana_and_opens_it() -> None:
    """Ana has one in the queue and one with a question: the one that waits for her is on top."""
    town, ana, olga = await people()
    await asked(town, ana, olga)
    await town.counter.report(ana.person)
    town.later(days=2)

    await ana.sends("/meus")
    assert "👉 1 espera por você." in ana.text
    assert ana.labels()[0] == "👉 Cobrou a mais: esperando você, há 2 dias"
    assert ana.labels()[1] == "⏳ Cobrou a mais: na fila, há 2 dias"
    await ana.presses(ana.labels()[0])
    assert "A vez é sua (há 2 dias): a prefeitura fez uma pergunta." in ana.text
    assert "A prefeitura perguntou:\nQual <linha>?" in ana.text
    assert "até 30/12/2026" in ana.text


async def test_a_long_subject_is_cut_and_not_how_the_case_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ana follows two cases of one subject: their buttons still say where each stands and for how long."""
    monkeypatch.setattr(cases, "subject_of", lambda *_: "O preço não foi informado antes da viagem ou mudou no fim")
    town, ana, _ = await people()
    await town.counter.report(ana.person)
    town.later(days=365)

    await ana.sends("/meus")

    assert ana.labels()[0].startswith("⏳ O preço não foi informado")
    assert ana.labels()[0].endswith("…: na fila, há 1 ano")
    assert len(ana.labels()[0]) <= 64


async def test_ana_answers_from_the_case_and_it_is_the_citys_turn() -> None:
    """Ana reads the question above the form and answers in a photograph with words; Olga has both."""
    town, ana, olga = await people()
    case = await asked(town, ana, olga)
    await ana.presses_data(f"p:reply:{case.id}")
    assert "Qual <linha>?" in ana.text
    await ana.sends_file(FileKind.PHOTO, caption="A 12.")
    await ana.presses("Pronto")

    assert "Enviado. Agora a vez é da prefeitura." in ana.text
    assert "Qual <linha>?" not in ana.text  # it is answered
    assert stored(town, case).state is CaseState.TAKEN
    assert olga.has("A 12.")
    await ana.presses_data(f"p:reply:{case.id}")
    assert "Não há pergunta à espera" in ana.text
    assert ana.conversation.place is None


async def test_a_reply_left_halfway_sends_nothing() -> None:
    """Ana cancels her answer: nothing went out, the question still waits."""
    town, ana, olga = await people()
    case = await asked(town, ana, olga)
    await ana.presses_data(f"p:reply:{case.id}")
    await ana.presses("Cancelar")
    assert "não enviei nada" in ana.text
    assert "Responder" in ana.labels()
    assert stored(town, case).asked


async def test_ana_agrees_and_a_second_press_changes_nothing() -> None:
    """From the notice Ana says yes, twice in a hurry: the case is closed once."""
    town, ana, olga = await people()
    case = await decided(town, ana, olga)
    await ana.presses_data(f"p:open:{case.id}")
    assert "Resultado: Resolvido." in ana.text
    assert "A empresa pagou." in ana.text
    await ana.presses("Sim, resolve")
    await ana.presses_data(f"p:yes:{case.id}")

    assert stored(town, case).state is CaseState.CLOSED
    assert "O caso está encerrado" in ana.text
    assert "Encerrado (agora mesmo): Resolvido." in ana.text
    assert len(town.memory.committed.events[case.id]) == stored(town, case).seq
    assert not ana.errors


async def test_ana_disagrees_and_says_why() -> None:
    """ "Não concordo" asks why, and brings the case back to who decided it."""
    town, ana, olga = await people()
    case = await decided(town, ana, olga)
    await ana.presses_data(f"p:no:{case.id}")
    await ana.sends("Pagou só a metade.")

    assert stored(town, case).state is CaseState.TAKEN
    assert "voltou para a equipe" in ana.text
    assert olga.has("Pagou só a metade.")


async def test_ana_disagrees_in_a_voice_message_and_a_photograph() -> None:
    """Ana speaks instead of writing and adds what she photographed: Olga is told and can open both."""
    town, ana, olga = await people()
    case = await decided(town, ana, olga)
    await ana.presses_data(f"p:no:{case.id}")
    await ana.sends_file(FileKind.VOICE)
    await ana.sends_file(FileKind.PHOTO, caption="O recibo.")
    await ana.presses("Pronto")

    assert "voltou para a equipe" in ana.text
    contested = town.memory.committed.events[case.id][-1]
    assert (contested.kind, contested.text, len(contested.data["files"])) == (EventKind.CONTESTED, "O recibo.", 2)
    assert olga.has("Vieram 2 arquivos.")
    await olga.presses_on("Abrir o caso", "Vieram 2 arquivos.")
    assert "Ver arquivos (2)" in olga.labels()
    await ana.presses_data(f"p:no:{case.id}")
    assert "Não há resultado para contestar" in ana.text
    await ana.presses_data(f"p:yes:{case.id}")
    assert "Não há resultado para confirmar" in ana.text


async def test_giving_up_is_asked_first() -> None:
    """Ana presses "Desistir", reads what it means and stays; the second time she means it."""
    town, ana, olga = await people()
    case = await taken(town, ana, olga)
    await ana.presses_data(f"p:see:{case.id}")
    await ana.presses("Desistir")
    await ana.presses("Não, continuar")
    assert stored(town, case).state is CaseState.TAKEN

    await ana.presses("Desistir")
    await ana.presses("Sim, desistir")
    assert stored(town, case).state is CaseState.CLOSED
    assert "você desistiu" in ana.text
    assert olga.has("O cidadão desistiu.")


async def test_more_evidence_can_come_until_the_case_is_over() -> None:
    """Ana adds a video to an open case; on a decided one the old button answers politely."""
    town, ana, olga = await people()
    case = await taken(town, ana, olga)
    await ana.presses_data(f"p:add:{case.id}")
    await ana.sends_file(FileKind.VIDEO)
    await ana.presses("Pronto")
    assert "Juntei ao caso" in ana.text
    assert olga.has("Veio 1 arquivo.")
    await ana.presses("O que contei")
    await ana.presses("Ver os arquivos")
    assert [message.kind for message in ana.said if message.file_id] == [Kind.VIDEO]

    command = Decide(by=olga.person, case_id=case.id, outcome=Outcome.UNFOUNDED, text="Sem provas.")
    await town.counter.does("decide", command)
    await ana.presses_data(f"p:add:{case.id}")
    assert "já foi concluído" in ana.text
    assert ana.conversation.place is None


async def test_the_timeline_is_the_citizens_and_never_shows_a_note() -> None:
    """Olga notes, asks, and Ana pages through her timeline: all that was said to her, nothing else."""
    town, ana, olga = await people()
    case = await taken(town, ana, olga)
    await town.counter.does("add_note", AddNote(by=olga.person, case_id=case.id, text="Segredo da equipe."))
    for number in range(7):
        await town.counter.does("ask", Ask(by=olga.person, case_id=case.id, text=f"Pergunta {number}?"))
        await ana.presses_data(f"p:reply:{case.id}")
        await ana.sends(f"Resposta {number}.")

    await ana.presses_data(f"p:line:{case.id}:1")
    pages = [ana.text]
    while "Mais antigos" in ana.labels():
        await ana.presses("Mais antigos")
        pages.append(ana.text)
    told = "\n".join(pages)
    assert all(f"Pergunta {number}?" in told and f"Resposta {number}." in told for number in range(7))
    assert "Você começou o relato." in told
    assert "Segredo" not in told


@pytest.mark.parametrize("verb", ["see", "open", "reply", "add", "yes", "no", "drop", "dropyes", "why", "files"])
async def test_somebody_elses_case_cannot_be_pressed(verb: str) -> None:
    """Caio forges buttons of Ana's case: he is told that there is none, and nothing changes."""
    town, ana, olga = await people()
    caio = await town.phone("Caio")
    case = await decided(town, ana, olga)
    before = town.memory.committed.copy()

    await caio.presses_data(f"p:{verb}:{case.id}")
    assert "Não encontrei isso" in caio.text
    for data in (f"p:told:{case.id}:1", f"p:line:{case.id}:1"):
        await caio.presses_data(data)
        assert "Não encontrei isso" in caio.text
    assert town.memory.committed == before


async def test_a_case_opened_in_the_middle_of_a_report_keeps_the_report() -> None:
    """A notice arrives while Ana is telling something else: she looks, answers it, and goes on where she was."""
    town, ana, olga = await people()
    case = await asked(town, ana, olga)
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")
    await ana.presses("Dirigiu com perigo")
    await ana.presses_data(f"p:reply:{case.id}")
    assert "ficou guardado" in ana.text
    await ana.sends("A linha 12.")
    assert not stored(town, case).asked
    await ana.sends("/menu")
    await ana.presses("Continuar: Meu relato")
    assert "O que aconteceu?" in ana.text


async def test_who_has_no_case_learns_where_an_anonymous_one_is() -> None:
    """Caio has none: the list says so and shows the way by receipt."""
    town, *_ = await people()
    caio = await town.phone("Caio")
    await caio.sends("/meus")
    assert "ainda não tem nenhum" in caio.text
    await caio.presses("Tenho um recibo")
    assert "Qual é o número do recibo?" in caio.text


async def test_ana_can_ask_what_the_date_rests_on() -> None:
    """ "Por que esta data?" shows the start, the count, what was assumed and the article."""
    town, ana, olga = await people()
    case = await taken(town, ana, olga)
    await ana.presses_data(f"p:why:{case.id}")
    for words in ("Começa em 30/11/2026", "30 dias corridos", "30/12/2026", "não fala em dias úteis", "art. 16"):
        assert words in ana.text


async def test_a_question_about_a_registration_is_answered_the_same_way() -> None:
    """Bia of the registry asks Ana about her registration: the same button answers, and leads back to it."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    case = await town.counter.reviewed(ana.person, bia.person)
    await town.counter.does("ask", Ask(by=bia.person, case_id=case.id, text="Mudou de endereço?"))
    await ana.presses_data(f"p:reply:{case.id}")
    assert "relato" not in ana.text
    assert "Um cadastro leva o seu nome" in ana.text
    await ana.sends("Não.")
    assert "Enviado." in ana.text
    assert "Abrir meu cadastro" in ana.labels()
    assert "ouvidoria" not in ana.text


@pytest.mark.parametrize(("days", "words"), [(30, "tem até 30/12/2026 para responder"), (31, "terminou em 30/12/2026")])
async def test_a_late_answer_is_called_late_the_day_after(days: int, words: str) -> None:
    """On the last day the city still has its time; a day later Ana reads that the term is over."""
    town, ana, olga = await people()
    case = await taken(town, ana, olga)
    town.later(days=days)
    await ana.presses_data(f"p:see:{case.id}")
    assert words in ana.text


async def test_an_answer_that_is_late_leaves_ana_something_to_do_and_olga_a_mark() -> None:
    """On the last day both read the date; a day later Ana reads how to insist, and Olga's queue marks the case."""
    town, ana, olga = await people()
    filed = await town.counter.report(ana.person)
    case = filed.update.case
    for days, late in ((30, False), (1, True)):
        town.later(days=days)
        await ana.presses_data(f"p:see:{case.id}")
        assert ("O prazo para responder terminou em 30/12/2026" in ana.text) is late
        assert ("toque em “Acrescentar prova” e escreva" in ana.text) is late
        assert "Acrescentar prova" in ana.labels()
        await olga.sends("/fila")
        await olga.presses("Ouvidoria (1)")
        assert ("⚠️ prazo vencido" in olga.text) is late
        await olga.sends(f"/caso {filed.protocol}")
        assert ("⚠️ Prazo vencido em 30/12/2026, ontem" in olga.text) is late
        assert ("Responder até 30/12/2026" in olga.text) is not late


async def test_an_answer_written_without_a_button_is_offered_to_be_sent() -> None:
    """Ana answers the question straight into the chat: one touch sends just that, and a second one sends nothing."""
    town, ana, olga = await people()
    case = await asked(town, ana, olga)

    await ana.sends("Foi na 12, às 7 da manhã")
    assert f"A prefeitura espera uma resposta sua em {case.protocol}" in ana.text
    await ana.presses("Enviar isto como resposta")

    assert "Enviado. Agora a vez é da prefeitura." in ana.text
    assert olga.has("Foi na 12, às 7 da manhã")
    assert not stored(town, case).asked
    await ana.presses_data(f"p:said:{case.id}")
    assert "Não há pergunta à espera de resposta." in ana.text


async def test_somebody_else_cannot_send_an_answer_into_a_case() -> None:
    """Bento presses a forged button with words of his own: he is told there is no such case."""
    town, ana, olga = await people()
    case = await asked(town, ana, olga)
    bento = await town.phone("Bento")

    await bento.sends("o ônibus da linha 12 está atrasado")
    await bento.presses_data(f"p:said:{case.id}")

    assert "Não encontrei isso" in bento.text
    assert stored(town, case).asked


async def test_an_old_button_leads_back_to_the_case_that_was_on_the_screen() -> None:
    """Ana has her case open and presses a button of the report she sent long ago: she is not thrown out to the menu."""
    town, ana, olga = await people()
    await ana.sends("/reclamar")
    old, where = ana.screen, max(ana.shown)
    await ana.sends("/cancelar")
    case = await asked(town, ana, olga)
    await ana.sends("/meus")
    await ana.presses(ana.labels()[0])

    await ana.presses_data(old.buttons[0][0].data or "", where)

    assert (case.protocol or "?") in ana.text
    assert "Responder" in ana.labels()


async def test_the_language_changes_under_the_case_that_is_open() -> None:
    """Ana reads her case, picks English, and reads the same case in English."""
    town, ana, olga = await people()
    case = await asked(town, ana, olga)
    await ana.sends("/meus")
    await ana.presses(ana.labels()[0])

    await ana.sends("/idioma")
    await ana.presses("English")

    assert (case.protocol or "?") in ana.text
    assert "City hall asked:" in ana.text


async def test_who_writes_that_they_disagree_is_led_to_the_outcome_they_can_contest() -> None:
    """Ana answers the conclusion in anger and without a button: "Não concordo" is the first thing she can press."""
    town, ana, olga = await people()
    case = await decided(town, ana, olga)

    await ana.sends("não concordo, isso é um absurdo")
    assert ana.labels()[0] == "Não concordo"
    await ana.presses("Não concordo")
    await ana.sends("Ninguém me pagou.")

    assert stored(town, case).state is CaseState.TAKEN


async def test_who_writes_that_they_give_up_is_asked_about_that_very_case() -> None:
    """ "Quero retirar minha denúncia" leads to the question before a case is given up, and nothing is given up yet."""
    town, ana, olga = await people()
    case = await taken(town, ana, olga)

    await ana.sends("quero retirar minha denúncia")
    await ana.presses(f"Desistir: {case.protocol}")

    assert "Quer mesmo desistir deste caso?" in ana.text
    assert not stored(town, case).is_over
