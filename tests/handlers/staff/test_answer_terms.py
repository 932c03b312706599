"""The term of an answer at the counter: its date and why, its extension, what stops it, and who is reminded."""

from __future__ import annotations

from pathlib import Path

from handlers.staff.terms import render
from tests.support.builders import OMBUDSMAN, chosen
from tests.support.office import office, taken


async def test_the_date_of_an_answer_says_why() -> None:
    """Olga asks why an answer is due on its day: the start, the length, the article and what was assumed."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga)

    await olga.presses("Por quê?")

    assert "Começa em 30/11/2026; esse dia não conta." in olga.text
    assert "O último dia é 30/12/2026." in olga.text
    assert "Dias corridos, porque a lei não fala em dias úteis." in olga.text
    await olga.presses("Voltar ao caso")
    assert "Responder até 30/12/2026" in olga.text


async def test_where_the_city_chose_so_a_question_stops_the_term_and_both_read_since_when(tmp_path: Path) -> None:
    """Olga asks on the tenth day, Ana answers two days later: nobody is left to guess which date holds."""
    town = await office(chosen(tmp_path, "pauses"))
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await taken(town, ana, olga)
    town.later(days=10)
    await olga.presses("Perguntar")
    await olga.sends("Qual era a linha?")
    await olga.presses("Enviar a pergunta")

    assert "Prazo parado desde 10/12/2026, à espera do cidadão." in olga.text
    assert "Prorrogar o prazo" not in olga.labels()
    await olga.presses("Por quê?")
    assert "A prefeitura escolheu que para: Decreto nº 7/2026." in olga.text
    assert "Nenhuma lei deste balcão prevê" not in olga.text
    assert "O prazo da prefeitura fica parado até você responder." in ana.text
    await ana.presses("Ver o caso")
    assert "O prazo da prefeitura está parado desde 10/12/2026, até você responder." in ana.text
    town.later(days=2)
    await ana.presses("Responder")
    await ana.sends("A 12.")

    assert "A prefeitura tem até 04/01/2027 para responder" in ana.text
    await ana.presses("Por que esta data?")
    assert "De 10/12/2026 a 12/12/2026, à espera da resposta da pessoa, não conta: 2 dias a mais." in ana.text


async def test_a_term_is_extended_once_with_a_reason_that_ana_reads() -> None:
    """Olga takes longer: she sees the new date before she sends, Ana reads it with the reason, and why it is so."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    await olga.presses("Por quê?")
    assert "Pode ser prorrogado uma vez, com motivo, até 29/01/2027 (Lei nº 13.460/2017, art. 16)." in olga.text
    await olga.presses("Voltar ao caso")
    town.later(days=10)

    await olga.presses("Prorrogar o prazo")
    assert "O prazo passa de 30/12/2026 para 29/01/2027 (Lei nº 13.460/2017, art. 16)." in olga.text
    await olga.sends("Falta a resposta da empresa.")
    assert "O prazo passa de 30/12/2026 para 29/01/2027" in olga.text
    await olga.presses("Prorrogar o prazo")

    assert "Prazo prorrogado. O motivo foi para o cidadão." in olga.text
    assert "Responder até 29/01/2027" in olga.text
    assert "Prorrogado em 10/12/2026: não dá para prorrogar de novo." in olga.text
    assert "prorrogou o prazo da resposta" in olga.text
    assert "Prorrogar o prazo" not in olga.labels()
    assert "agora tem até 29/01/2027 para responder (Lei nº 13.460/2017, art. 16)" in ana.text
    assert "Falta a resposta da empresa." in ana.text
    await ana.presses("Ver o caso")
    assert "A prefeitura prorrogou o prazo para responder. O motivo:\nFalta a resposta da empresa." in ana.text
    assert "A prefeitura tem até 29/01/2027 para responder" in ana.text
    assert "Esse prazo já foi prorrogado: não pode ser de novo." in ana.text
    await ana.presses("Por que esta data?")
    assert "Prorrogado em 10/12/2026, uma vez e com o motivo dado à pessoa." in ana.text
    assert "contados do último dia do primeiro prazo" in ana.text

    town.later(days=30)
    await olga.sends("/fila")
    await olga.presses("Ouvidoria (0)")
    assert "prazo vencido" not in olga.text
    await olga.presses_data(f"c:extend:{case.id}")
    assert olga.toasts()[0].text == "O caso andou. Veja como está agora."


async def test_a_reminder_of_terms_leads_to_each_case_and_stays() -> None:
    """Olga is told of two cases: she opens one, then the queues, and the message with the other is still there."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN, language="en")
    case = await town.counter.taken_report(ana.person, olga.person)
    await town.counter.report(ana.person)
    town.later(days=29)
    _, told = await town.counter.does("watch_answers", limit=50)
    for one in told:
        town.delivers(render(one, town.memory.laws, town.now))

    assert "Deadline to answer: 2 cases" in olga.text
    assert f"1. Complaint {case.protocol}" in olga.text
    assert "Answer by 30 Dec 2026, tomorrow (Lei nº 13.460/2017, art. 16).\nWith you." in olga.text
    assert "Nobody has taken it." in olga.text
    assert "press “Extend the deadline”" in olga.text
    await olga.presses(f"1: {str(case.protocol)[11:]}")
    assert "With you." in olga.text
    assert "Extend the deadline" in olga.labels()
    await olga.presses_on("Queues", "Deadline to answer")
    assert "Queues" in olga.text
    assert olga.has("Deadline to answer: 2 cases")


async def test_the_last_day_of_a_term_is_the_last_to_extend_it() -> None:
    """Olga still has the form open when the term ends: nothing is sent, and she reads since when it is over."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    await olga.presses("Prorrogar o prazo")
    await olga.sends("Falta a resposta da empresa.")
    town.later(days=31)
    await olga.presses("Prorrogar o prazo")

    assert "O prazo terminou em 30/12/2026 (Lei nº 13.460/2017, art. 16) e já não pode ser prorrogado." in olga.text
    assert town.memory.committed.cases[case.id].extended_at is None
    assert not ana.has("prorrogou")
