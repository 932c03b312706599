"""What the city hall decided, on the driver's phone: a refusal, an approval, a denial, and where each leads."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from domain.cases.model import CaseState, ItemState
from tests.support.driving import driver


async def test_a_refusal_leads_straight_to_sending_again_and_the_case_returns_by_itself() -> None:
    """Bia refuses a blurred photograph: Ana reads why and how to cure it, sends another, and it is Bia's turn again."""
    ana = await driver()
    await ana.hands_in()
    await ana.taken()
    await ana.refused("cnh", comment="Não dá para ler o <número>.")
    assert "fora de foco" in ana.text

    await ana.presses("Enviar de novo")
    assert "Motivo da recusa" in ana.text
    assert "Não dá para ler o <número>." in ana.text
    assert "toque na tela para focar" in ana.text
    await ana.sends_photo()
    await ana.presses("Pronto")

    assert "voltou sozinho para a prefeitura" in ana.text
    assert ana.case.state is CaseState.TAKEN
    assert ana.case.items["cnh"].state is ItemState.SENT


@pytest.mark.parametrize(
    ("language", "well", "again"), [("pt_BR", "em ordem", "envie de novo"), ("es", "en orden", "envíe de nuevo")]
)
async def test_the_words_beside_a_certificate_are_right_for_it_too(language: str, well: str, again: str) -> None:
    """ "Certidão" is feminine and "CNH" is not: what stands beside an item agrees with every item."""
    ana = await driver()
    await ana.hands_in()
    await ana.taken()
    await ana.accepted("cnh")
    await ana.refused("antecedentes")
    person = ana.phone.memory.committed.people[ana.phone.person.id]
    ana.phone.memory.committed.people[person.id] = replace(person, language=language)
    await ana.phone.presses_data(f"r:list:{ana.case.id}")

    assert f"✅ CNH: {well}" in ana.text
    assert f": {again}" in ana.text
    assert not re.search("aceit[oa]|recusad|aceptad|rechazad", ana.text.partition("✅ ")[2])


@pytest.mark.parametrize("denied", [False, True])
async def test_what_the_clerk_wrote_cannot_pass_for_the_counters_own_words(denied: bool) -> None:
    """Bia's text has its own lines and turns the direction around: it stands in a quotation, and says whose it is."""
    ana = await driver()
    await ana.hands_in()
    written = "Leia:\n\u202eoãçneta <b>Cadastro aprovado</b>"
    if denied:
        await ana.denied(written)
        await ana.sends("/documentos")
        await ana.phone.presses_data(f"r:list:{ana.case.id}")
    else:
        await ana.taken()
        await ana.refused("cnh", comment=written)
        await ana.phone.presses_data(f"r:see:{ana.case.id}:cnh")

    shown = ana.phone.screen.text
    turned = "\u2068\u202eoãçneta &lt;b&gt;Cadastro aprovado&lt;/b&gt;\u2069"
    assert f"escreveu:\n<blockquote>Leia:\n{turned}</blockquote>" in shown


async def test_of_two_refused_items_the_second_is_asked_after_the_first() -> None:
    """Both were refused: curing one leads to the other, and only then the case returns."""
    ana = await driver()
    await ana.hands_in()
    await ana.taken()
    await ana.refused("cnh")
    await ana.refused("antecedentes", "expired")
    await ana.sends("/documentos")
    assert "2 itens precisam ser enviados de novo" in ana.text

    await ana.presses("Enviar agora: CNH")
    await ana.sends_photo()
    await ana.presses("Pronto")
    assert "Enviar: Certidão criminal" in ana.text
    assert "O documento está vencido" in ana.text
    assert ana.case.state is CaseState.WAITING
    await ana.sends_photo()
    await ana.presses("Pronto")

    returned = ana.case
    assert returned.state is CaseState.TAKEN


async def test_a_button_of_an_old_notice_shows_how_the_item_stands_now() -> None:
    """Ana presses "Enviar de novo" after the item was accepted: she reads that it is, and nothing is asked."""
    ana = await driver()
    await ana.hands_in()
    await ana.taken()
    await ana.refused("cnh")
    await ana.accepted("cnh")

    await ana.phone.presses_data(f"r:item:{ana.case.id}:cnh")

    assert "✅ em ordem" in ana.text
    assert "Enviar de novo" not in ana.labels()
    assert ana.phone.conversation.place is None


async def test_an_approval_says_until_when_and_what_comes_next() -> None:
    """Ana is approved: the certificate, its last day with the article, the next dates, and the clerk's words."""
    ana = await driver()
    await ana.hands_in()
    await ana.approved(text="Bem-vinda & boa viagem")
    await ana.presses("Abrir meu cadastro")

    assert "Cadastro aprovado" in ana.text
    assert "Bem-vinda & boa viagem" in ana.text
    assert "Autorização (art. 13)" in ana.text
    assert "Vale até 30/11/2027." in ana.text
    assert "Taxa do motorista" in ana.text
    await ana.presses("Por que esta validade?")
    assert "A aprovação foi em 30/11/2026." in ana.text
    await ana.presses("Voltar ao cadastro")
    assert "Cadastro aprovado" in ana.text


async def test_a_denial_says_why_and_starts_again_from_the_same_answers() -> None:
    """Ana is denied: she reads why; the answers of the first registration are there for the second."""
    ana = await driver()
    first = await ana.hands_in()
    await ana.denied("O seguro não cobre passageiros.")
    await ana.sends("/documentos")
    assert "Cadastro negado" in ana.text
    assert "O seguro não cobre passageiros." in ana.text

    await ana.presses("Começar de novo")
    assert "Confira as suas respostas" in ana.text
    assert "05/03/1990" in ana.text
    await ana.presses("Ver o resultado")

    assert ana.case.id != first.id
    assert ana.case.facts == first.facts
