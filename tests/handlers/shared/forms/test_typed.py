"""What is typed into a form: read, read back, asked again; nothing is lost over it."""

from __future__ import annotations

from typing import Any

import pytest

from handlers.shared.forms.model import Kind
from tests.support.errands import Errand, begun, colour, name, question

TYPED = [
    (Kind.DATE, "05/03/2027", "2027-03-05", "05/03/2027"),
    (Kind.TIME, "14h30", "14:30", "14:30"),
    (Kind.NUMBER, "1.234,5", "1234.5", "1.234,5"),
    (Kind.YEAR, "2019", 2019, "2019"),
    (Kind.MONEY, "R$ 12", "12.00", "R$\xa012,00"),
    (Kind.PLATE, "abc 1234", "ABC1234", "ABC-1234"),
    (Kind.CPF, "52998224725", "52998224725", "529.982.247-25"),
    (Kind.CNPJ, "12abc34501de35", "12ABC34501DE35", "12.ABC.345/01DE-35"),
    (Kind.CNH, "52333356446", "52333356446", "52333356446"),
    (Kind.RENAVAM, "17652792140", "17652792140", "17652792140"),
    (Kind.NIT, "19852600900", "19852600900", "198.52600.90-0"),
    (Kind.PHONE, "65 99999-0000", "+5565999990000", "(65) 99999-0000"),
    (Kind.YESNO, "claro", True, "Sim"),
    (Kind.YESNO, "NÃO", False, "Não"),
    (Kind.TEXT, "  duas\nlinhas ", "  duas\nlinhas ", "duas\nlinhas"),
]


@pytest.mark.parametrize(("kind", "typed", "kept", "shown"), TYPED)
async def test_what_is_typed_is_kept_and_shown_for_review(kind: Kind, typed: str, kept: Any, shown: str) -> None:
    """Each kind of answer is kept in one form and read back in the other."""
    errand = Errand(question(kind))
    ana = await begun(errand)

    await ana.sends(typed)

    assert shown in ana.text
    await ana.presses("Enviar")
    assert errand.sent == [{kind.value: kept}]


WRONG = [
    (Kind.DATE, "29/02/2027", "29 de fevereiro não existe em 2027"),
    (Kind.DATE, "banana", "Não entendi a data"),
    (Kind.TIME, "25h", "Esse horário não existe"),
    (Kind.NUMBER, "doze", "Preciso de um número"),
    (Kind.YEAR, "1900", "O ano 1900 não serve aqui"),
    (Kind.PLATE, "AB-12", "aqui contei 4"),
    (Kind.CPF, "5299822472", "aqui contei 10"),
    (Kind.PHONE, "99999-0000", "Faltou o DDD"),
    (Kind.MONEY, "caro", "Preciso de um valor"),
]


@pytest.mark.parametrize(("kind", "typed", "told"), WRONG)
async def test_bad_input_is_told_with_an_example_and_loses_nothing(kind: Kind, typed: str, told: str) -> None:
    """Ana mistypes the second answer: the first one stays, and the sentence shows what would be right."""
    errand = Errand(name(), question(kind))
    ana = await begun(errand)
    await ana.sends("Ana")

    await ana.sends(typed)

    assert told in ana.text
    assert "Exemplo:" in ana.text
    assert f"Pergunta {kind.value}?" in ana.text
    place = ana.conversation.place
    assert place is not None
    assert place.answers == {"name": {"kind": "text", "value": "Ana"}}


async def test_an_inferred_date_is_read_back_and_can_be_corrected() -> None:
    """ "amanhã" is asked back with its weekday; "não" goes back to the question and "sim" goes on."""
    errand = Errand(question(Kind.DATE))
    ana = await begun(errand)

    await ana.sends("amanhã")
    assert "terça-feira, 1 de dezembro de 2026" in ana.text
    await ana.sends("não")
    assert "Pergunta date?" in ana.text
    await ana.sends("5/3")
    await ana.presses("Corrigir")
    await ana.sends("5/3")
    await ana.sends("10/12")
    assert "quinta-feira, 10 de dezembro de 2026" in ana.text
    await ana.sends("sim")
    await ana.sends("enviar")

    assert errand.sent == [{"date": "2026-12-10"}]


async def test_check_digits_that_do_not_fit_warn_and_never_block() -> None:
    """The CPF on Ana's worn card fails the check: she confirms it and goes on."""
    errand = Errand(question(Kind.CPF))
    ana = await begun(errand)

    await ana.sends("529.982.247-26")
    assert "não conferem" in ana.text
    assert "529.982.247-26" in ana.text
    await ana.presses("Sim, confirmo")
    await ana.presses("Enviar")

    assert errand.sent == [{"cpf": "52998224726"}]


async def test_a_long_text_is_asked_to_be_shortened_and_its_second_half_is_no_answer() -> None:
    """5,000 characters come as two messages: neither slips in as an answer to anything."""
    errand = Errand(name(), question(Kind.TEXT))
    ana = await begun(errand)
    await ana.sends("Ana")

    await ana.sends("x" * 4096, message_id=500)
    assert "Encurte em 2096" in ana.text
    assert await ana.sends("x" * 904, message_id=501) == []
    await ana.sends("x" * 1999, message_id=502)
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana", "text": "x" * 1999}]


async def test_an_option_can_be_typed_without_accents_or_case() -> None:
    """The label, or the beginning of just one, chooses as well as a press; anything else is told what is awaited."""
    errand = Errand(colour())
    ana = await begun(errand)

    await ana.sends("roxo")
    assert "Não achei “roxo” nas opções" in ana.text
    await ana.sends("VERDE AGUA")
    await ana.presses("Enviar")

    assert errand.sent == [{"colour": "green"}]


async def test_a_typed_phone_answers_a_contact() -> None:
    """Who shares no contact types the number."""
    errand = Errand(question(Kind.CONTACT))
    ana = await begun(errand)

    await ana.sends("65 99999-0000")
    await ana.presses("Enviar")

    assert errand.sent == [{"contact": {"phone": "+5565999990000", "name": ""}}]


async def test_a_form_greets_once_and_shows_one_example() -> None:
    """Ana mistypes a date: she reads what is wrong and one example, not the whole introduction again."""
    errand = Errand(question(Kind.DATE, example="20/08/2021"), name(), intro="Bem-vinda ao recado.")
    ana = await begun(errand)
    assert "Bem-vinda ao recado." in ana.text

    await ana.sends("31/02/2021")

    assert "O dia 31/02 não existe" in ana.text
    assert "Bem-vinda" not in ana.text
    assert ana.text.count("Exemplo:") == 1
    assert "Exemplo: 20/08/2021" in ana.text


@pytest.mark.parametrize(
    ("kind", "words"), [(Kind.TEXT, "não lembro"), (Kind.DATE, "I don't know"), (Kind.PLATE, "no sé")]
)
async def test_who_does_not_know_skips_by_saying_so(kind: Kind, words: str) -> None:
    """ "Não lembro" is no name of a street: what can be skipped is skipped, and asked again offers it."""
    errand = Errand(question(kind, optional=True), name())
    ana = await begun(errand)

    await ana.sends(words)
    assert "Qual é o nome?" in ana.text
    await ana.presses("Voltar")
    assert "Resposta atual" not in ana.text
    assert "Pular" in ana.labels()
    await ana.presses("Pular")
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana"}]
