"""Somebody writes without a command: the right button stands at the top, and what was written is not written again."""

from __future__ import annotations

import pytest

from domain.law.loader import load_laws
from tests.support.turns import Chat, chat

LAWS = load_laws()
DRIVER, REPORT, CASES, LAW = (
    "Trabalho no transporte: meus documentos",
    "Quero reclamar ou denunciar",
    "Acompanhar meus casos",
    "O que diz a lei?",
)


async def in_pelotas(**who: str) -> Chat:
    ana = await chat(city="pelotas-rs", served=LAWS, **who)
    await ana.sends("/start")
    return ana


@pytest.mark.parametrize(
    ("said", "top"),
    [
        ("quero reclamar do motorista", REPORT),
        ("I want to complain about the driver", REPORT),
        ("quiero quejarme del conductor", REPORT),
        ("como faço cadastro?", DRIVER),
        ("how do I register as a driver?", DRIVER),
        ("¿cómo me registro?", DRIVER),
        ("sou motorista", DRIVER),
        ("perdi o prazo", DRIVER),
        ("perdi meu celular no ônibus", "Contar o que perdi ou achei"),
        ("I lost my phone on the bus", "Contar o que perdi ou achei"),
        ("perdí mi celular en el bus", "Contar o que perdi ou achei"),
        ("perdi o recibo", "Tenho um recibo"),
        ("quero desistir da minha reclamação", CASES),
        ("como está o meu protocolo?", CASES),
        ("fui multado", "🔎 Procurar isto na lei"),
        ("¿qué dice la ley?", LAW),
        ("o motorista me assediou", "Estou em perigo"),
        ("o ônibus não passou", "O ônibus não cumpriu o horário"),
        ("the driver was rude to me", "Fui tratado com grosseria"),
        ("o cobrador foi racista", "Fui ofendido ou humilhado"),
    ],
)
async def test_what_is_meant_stands_at_the_top(said: str, top: str) -> None:
    """ "Quero reclamar do motorista" comes from a passenger: the driver's documents are no answer to it."""
    ana = await in_pelotas()

    await ana.sends(said)

    assert ana.labels()[0] == top


async def test_a_driver_and_a_passenger_both_say_motorista() -> None:
    """One word leaves it open: both ways stand at the top, and nothing is guessed."""
    ana = await in_pelotas()

    await ana.sends("motorista")

    assert "Toque no que você procura." in ana.text
    assert ana.labels()[:2] == [DRIVER, REPORT]


async def test_a_late_bus_is_reported_without_saying_it_twice() -> None:
    """Ana writes one line, touches its subject, skips what she can: what she wrote is the report."""
    ana = await in_pelotas()

    await ana.sends("o ônibus da linha 12 está atrasado")
    await ana.presses("O ônibus não cumpriu o horário")
    assert "Guardei o que você escreveu" in ana.text
    assert "Passo 1 de 5" in ana.text
    assert "Onde foi?" in ana.text
    for _ in ("where", "when", "vehicle", "evidence"):
        await ana.sends("Pular")
    await ana.presses("Identidade protegida")
    await ana.presses("Enviar para a prefeitura")

    (case,) = ana.memory.committed.cases.values()
    assert (case.subject, case.facts["what"]) == ("horario", "o ônibus da linha 12 está atrasado")
    assert "linha 12" not in (ana.stored or "")


async def test_two_words_are_no_account_of_what_happened() -> None:
    """ "Ônibus atrasado" finds the subject; what happened is still asked."""
    ana = await in_pelotas()

    await ana.sends("ônibus atrasado")
    await ana.presses("O ônibus não cumpriu o horário")

    assert "O que aconteceu?" in ana.text


async def test_what_was_written_before_the_city_was_known_is_not_lost() -> None:
    """Ana writes first and is asked for the city; her words are heard once it is known."""
    ana = await chat(served=LAWS)

    await ana.sends("o ônibus da linha 12 está atrasado")
    assert "Guardei o que você escreveu. Só falta saber a cidade." in ana.text
    await ana.sends("pelotas")

    assert ana.labels()[0] == "O ônibus não cumpriu o horário"


async def test_a_city_named_in_the_sentence_is_not_asked_for() -> None:
    """And one that is not served is told apart from a riddle."""
    ana = await chat(served=LAWS)
    await ana.sends("Cuiabá")
    assert "Não achei “Cuiabá” entre as cidades" in ana.text

    await ana.sends("quero reclamar do ônibus aqui em Pelotas")

    assert ana.memory.committed.people[1].city == "pelotas-rs"
    assert ana.labels()[0] == REPORT


async def test_a_report_told_the_usual_way_keeps_nothing_of_what_was_written_before() -> None:
    """Ana goes another way than the one offered: her first words do not stay behind an anonymous report."""
    ana = await in_pelotas()

    await ana.sends("o ônibus da linha 12 está atrasado")
    await ana.sends("/reclamar")

    assert "linha 12" not in (ana.stored or "")
