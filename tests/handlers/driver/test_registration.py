"""A driver from the first question to the approval, and every way off that road."""

from __future__ import annotations

from datetime import timedelta

import pytest

from domain.cases.model import CaseState
from domain.files.model import FileKind
from handlers.driver import area
from tests.support.builders import CITY, OTHER_CITY
from tests.support.driving import driver
from tests.support.turns import chat


async def test_a_driver_learns_at_once_that_the_law_lets_her() -> None:
    """Ana answers two questions and reads each requirement with its article, and what to do next."""
    ana = await driver()
    await ana.sends("/documentos")
    await ana.presses("Motorista")
    await ana.answers("05/03/1990", "No meu nome")

    assert "você atende à lei daqui" in ana.text
    assert "✅ Idade mínima (art. 5º, III)" in ana.text
    assert "Lei nº 10, de 2 de janeiro de 2020" in ana.text
    assert "Começar meu cadastro" in ana.labels()


async def test_a_driver_who_is_too_young_by_a_day_is_told_when_and_may_still_go_on() -> None:
    """Whoever turns 21 tomorrow reads the day; the road does not end there. One day older, the law lets them."""
    young, old = await driver(), await driver()
    for who, birth in ((young, "01/12/2005"), (old, "30/11/2005")):
        await who.sends("/documentos")
        await who.presses("Motorista")
        await who.answers(birth, "No meu nome")

    assert "❌ Idade mínima" in young.text
    assert "01/12/2026" in young.text
    assert "a prefeitura deve negar" in young.text
    await young.presses("Seguir mesmo assim")
    assert "0 de 2 anexados" in young.text
    assert "✅ Idade mínima" in old.text


async def test_what_was_skipped_is_named_and_can_be_answered_later() -> None:
    """Ana does not know one answer: she reads which, and giving it later settles the requirement."""
    ana = await driver()
    await ana.sends("/documentos")
    await ana.presses("Motorista")
    await ana.answers("", "No meu nome")
    assert "Falta 1 resposta" in ana.text
    assert "Qual é a sua data de nascimento?" in ana.text

    await ana.presses("Responder o que falta")
    await ana.sends("05/03/1990")
    await ana.presses("Ver o resultado")

    assert "você atende à lei daqui" in ana.text
    assert ana.case.facts == {"vehicle_owner": "own", "birth_date": "1990-03-05"}


async def test_why_shows_the_arithmetic_the_article_and_when_the_text_was_checked() -> None:
    """Ana asks why: she sees what was counted, from when, where the law says it."""
    ana = await driver()
    await ana.sends("/documentos")
    await ana.presses("Motorista")
    await ana.answers("05/03/1990", "No meu nome")

    await ana.presses("Por quê?")

    assert "Conta de 05/03/1990." in ana.text
    assert "A lei diz isto com todas as letras." in ana.text
    assert "Idade mínima (art. 5º, III)" in ana.text
    assert "Texto verificado em 30/11/2026." in ana.text
    assert ana.text.count("Lei nº 10, de 2 de janeiro de 2020") == 1
    await ana.presses("Voltar ao resultado")
    assert "Começar meu cadastro" in ana.labels()


async def test_a_driver_in_a_hurry_is_led_from_one_document_to_the_next() -> None:
    """Two photographs and two taps, and everything that the law asks for is there; DPVAT is not asked for."""
    ana = await driver()
    await ana.begins()
    await ana.presses("Enviar agora: CNH")
    await ana.sends_photo()
    await ana.presses("Pronto")
    assert "Recebi: CNH" in ana.text
    assert "1 de 2 anexados" in ana.text
    assert "Enviar: Certidão criminal" in ana.text

    await ana.sends_photo(kind=FileKind.DOCUMENT, caption="emitida hoje")
    await ana.presses("Pronto")

    assert "2 de 2 anexados" in ana.text
    assert "Está tudo aqui" in ana.text
    assert "DPVAT: não é obrigatório" in ana.text
    assert "Certidão criminal: arquivo anexado" in ana.text
    assert ana.labels()[0] == "📨 Enviar para a prefeitura"
    assert ana.case.items["antecedentes"].caption == "emitida hoje"


async def test_an_album_is_one_answer() -> None:
    """Front and back come as an album: both belong to the same document."""
    ana = await driver()
    await ana.begins()
    await ana.presses("⬜ CNH")
    await ana.presses("Enviar")
    await ana.sends_photo(album="7")
    await ana.sends_photo(album="7")
    await ana.presses("Pronto")

    assert len(ana.case.items["cnh"].files) == 2
    assert "antecedentes" not in ana.case.items


async def test_an_item_that_is_skipped_stays_missing_and_the_next_one_is_asked() -> None:
    """Ana does not have the first document at hand: the second is asked, and the list says what is missing."""
    ana = await driver()
    await ana.begins()
    await ana.presses("Enviar agora: CNH")
    await ana.presses("Pular")
    assert "Enviar: Certidão criminal" in ana.text
    await ana.sends_photo()
    await ana.presses("Pronto")

    assert "⬜ CNH: falta enviar" in ana.text
    assert "Falta 1 item." in ana.text
    assert "📨 Enviar para a prefeitura" not in ana.labels()


async def test_a_registration_handed_in_has_a_protocol_and_says_what_happens_now() -> None:
    """Ana hands in: protocol, which office, what comes next; pressing again changes nothing."""
    ana = await driver()
    case = await ana.hands_in()

    assert case.protocol is not None
    assert case.protocol in ana.text
    assert "no setor Cadastro" in ana.text
    ana.phone.now += timedelta(days=3)
    await ana.sends("/documentos")
    assert "A vez é da prefeitura (há 3 dias)" in ana.text
    assert "⏳ CNH: em análise" in ana.text
    await ana.phone.presses_data(f"r:submit:{case.id}")
    assert ana.case == case


async def test_another_vehicle_keeps_what_was_said_of_the_person() -> None:
    """Ana registers another car: her birth date is known, the car's owner is asked again."""
    ana = await driver()
    first = await ana.hands_in()
    await ana.approved()
    await ana.sends("/documentos")
    await ana.presses("Cadastrar outro veículo")
    assert "Em nome de quem está o veículo?" in ana.text
    await ana.presses("Locadora de veículos")
    await ana.presses("Ver o resultado")
    await ana.presses("Começar meu cadastro")

    assert "⬜ Contrato do veículo: falta enviar" in ana.text
    assert ana.case.id != first.id
    await ana.sends("/documentos")
    assert "Meus cadastros" in ana.text
    assert [label for label in ana.labels() if label.startswith("Motorista")] == [
        "Motorista · Vila Clara: rascunho",
        "Motorista · Vila Clara: aprovado",
    ]


async def test_a_fact_that_changes_changes_the_checklist() -> None:
    """Ana's car turns out to be hired: the contract is now asked for."""
    ana = await driver()
    await ana.begins()
    assert "Contrato do veículo" not in ana.text
    await ana.presses("Minhas respostas")
    await ana.presses("Corrigir respostas")
    await ana.presses("Corrigir")
    await ana.presses("Em nome de quem está o veículo?")
    await ana.presses("Locadora de veículos")
    await ana.presses("Ver o resultado")
    await ana.presses("Começar meu cadastro")

    assert "⬜ Contrato do veículo: falta enviar" in ana.text


async def test_answers_do_not_change_while_the_city_hall_reads_them() -> None:
    """Ana presses an old "Corrigir respostas" after handing in: she is told so, and nothing changes."""
    ana = await driver()
    case = await ana.hands_in()
    await ana.phone.presses_data(f"r:facts:{case.id}")

    assert "As respostas não mudam" in ana.text
    assert ana.case == case


async def test_what_was_sent_can_be_looked_at_and_taken_back_until_it_is_handed_in() -> None:
    """Ana looks at her photograph and withdraws it; after handing in, withdrawing is refused and changes nothing."""
    ana = await driver()
    await ana.begins()
    await ana.presses("⬜ CNH")
    await ana.presses("Enviar")
    await ana.sends_photo()
    await ana.presses("Pronto")
    await ana.presses("Cancelar")
    await ana.presses("📎 CNH")
    await ana.presses("Ver o que enviei")
    assert any(message.file_id for message in ana.phone.said)
    await ana.presses("Retirar")
    assert "⬜ falta enviar" in ana.text

    other = await driver()
    case = await other.hands_in()
    await other.phone.presses_data(f"r:withdraw:{case.id}:cnh")
    assert other.case == case
    assert "andou desde que você abriu" in other.text


async def test_a_draft_can_be_thrown_away_after_a_question() -> None:
    """Ana gives up a draft: she is asked first, and it is gone from her registrations."""
    ana = await driver()
    await ana.begins()
    await ana.presses("Apagar")
    assert "Apagar este rascunho?" in ana.text
    await ana.presses("Sim, apagar")

    assert ana.case.state is CaseState.CLOSED
    assert "Você ainda não começou nenhum." in ana.text


async def test_a_registration_of_somebody_else_is_told_like_one_that_does_not_exist() -> None:
    """Caio guesses the buttons of Ana's registration: none of them shows or changes anything."""
    ana = await driver()
    case = await ana.hands_in()
    caio = await ana.phone.memory.person("Caio")
    phone = type(ana.phone)(ana.phone.app, ana.phone.memory, caio)
    before = ana.phone.memory.committed.copy()

    for verb in ("list", "back", "fit", "facts", "again", "swap", "submit", "drop", "drop_yes", "why_paper"):
        await phone.presses_data(f"r:{verb}:{case.id}")
        assert "Não encontrei isso" in phone.text, verb
    for verb in ("see", "item", "send", "files", "withdraw", "why_item"):
        await phone.presses_data(f"r:{verb}:{case.id}:cnh")
        assert "Não encontrei isso" in phone.text, verb

    assert ana.phone.memory.committed.cases == before.cases


async def test_a_forged_item_or_page_is_refused_politely() -> None:
    """Buttons that no screen shows end in a sentence and a way out, never in a mistake."""
    ana = await driver()
    case = await ana.hands_in()
    for data in (
        f"r:see:{case.id}:nada",
        f"r:see:{case.id}",
        "r:list:0",
        "r:list:x",
        f"r:why_fit:{case.id}:0",
        f"r:new:{CITY}:nada:driver",
        f"r:new:{CITY}:app:ninguem",
        "r:new:atlantida-xx:app:driver",
        "r:who:atlantida-xx:app",
    ):
        await ana.phone.presses_data(data)
        assert ana.case == case
        assert all(error.args[0] != "unexpected" for error in ana.phone.errors), data
    await ana.phone.presses_data(f"r:why_fit:{case.id}:99")
    assert "Por que este resultado?" in ana.text


async def test_a_form_left_for_the_list_takes_no_photograph_for_its_own() -> None:
    """Ana was sending one document and opens the list: a photograph sent then is not taken for that document."""
    ana = await driver()
    await ana.begins()
    await ana.presses("Enviar agora: CNH")
    await ana.phone.presses_data(f"r:list:{ana.case.id}")
    await ana.sends_photo()

    assert ana.case.items == {}
    assert "mas não guardei" in ana.text


async def test_one_unfinished_registration_of_a_kind_is_gone_on_with() -> None:
    """Ana begins twice: the second time she is led to the first."""
    ana = await driver()
    await ana.hands_in()
    await ana.phone.presses_data(f"r:new:{CITY}:app:driver")

    assert "A vez é da prefeitura" in ana.text
    assert len(ana.phone.memory.committed.cases) == 1


async def test_a_city_that_asks_nothing_first_goes_straight_to_the_documents() -> None:
    """The operator has no question to answer: its registration begins at once."""
    ana = await driver()
    await ana.sends("/documentos")
    await ana.presses("Operadora")
    assert "depende só dos documentos" in ana.text
    await ana.presses("Começar meu cadastro")

    assert "Sobre a empresa" in ana.text
    assert "⬜ Contrato social: falta enviar" in ana.text


async def test_somebody_without_a_city_is_asked_for_it_first() -> None:
    """Where several cities are served, the command asks which one before anything else."""
    ana = await chat(area.register)
    await ana.sends("/documentos")

    assert "De qual cidade se trata?" in ana.text
    assert OTHER_CITY not in ana.text


async def test_the_same_road_in_english() -> None:
    """A driver whose phone speaks English walks the same road: no button depends on the language."""
    ana = await driver(language="en")
    await ana.sends("/documents")
    await ana.phone.presses_data(f"r:new:{CITY}:app:driver")
    await ana.sends("5 Mar 1990")

    assert ana.phone.conversation.place is not None
    assert not ana.phone.errors


@pytest.mark.parametrize("kind", [FileKind.PHOTO, FileKind.DOCUMENT])
async def test_a_file_sent_before_the_button_is_not_lost_in_silence(kind: FileKind) -> None:
    """Ana sends her CNH right from the checklist: she reads that it was not kept, and one tap later it is."""
    ana = await driver()
    await ana.begins()
    await ana.sends_photo(kind=kind)

    assert "mas não guardei" in ana.text
    assert "O próximo do seu cadastro: CNH." in ana.text
    await ana.presses("Enviar agora: CNH")
    await ana.sends_photo(kind=kind)
    await ana.presses("Pronto")
    assert "1 de 2 anexados" in ana.text


async def test_a_file_sent_after_a_refusal_leads_to_the_refused_item() -> None:
    """Ana answers the refusal of her CNH with a photograph: the button for that item is there, an album is told once.

    With nothing left to send, or with a recording, she meets the menu as ever.
    """
    ana = await driver()
    await ana.hands_in()
    await ana.sends_photo()
    assert "ainda não sei de que se trata" in ana.text

    await ana.taken()
    await ana.refused("cnh")
    await ana.sends_photo(album="7")
    assert "Enviar agora: CNH" in ana.labels()
    assert len(ana.phone.said) == 1
    await ana.sends_photo(album="7")
    assert ana.phone.said == []
    await ana.sends_photo(kind=FileKind.VOICE)
    assert "Recebi um áudio, mas ainda não sei de que se trata." in ana.text


async def test_an_old_button_leads_back_to_the_result_that_was_on_the_screen() -> None:
    """Ana reads what the law says of her, scrolls up and presses an old answer: the result comes again, right below."""
    ana = await driver()
    await ana.sends("/documentos")
    await ana.presses("Motorista")
    old, where = ana.phone.screen, max(ana.phone.shown)
    await ana.answers("05/03/1990", "No meu nome")
    result = ana.text

    await ana.phone.presses_data(old.buttons[0][0].data or "", where)

    assert [toast.text for toast in ana.phone.toasts()] == ["Esta tela já passou."]
    assert max(ana.phone.shown) > where
    assert ana.text == result
