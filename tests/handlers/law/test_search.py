"""What people type, and the rule that they find first."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from domain.law.loader import Laws, load_laws
from handlers.law.entries import contents
from handlers.law.search import Index, stem
from handlers.shared.texts import Translator

CACERES, CHAPADA, PELOTAS = "caceres-mt", "chapada-dos-guimaraes-mt", "pelotas-rs"
PRIMAVERA, ROLIM = "primavera-do-leste-mt", "rolim-de-moura-ro"


@cache
def real() -> Laws:
    return load_laws()


@cache
def index(city: str, language: str = "pt_BR") -> Index:
    return Index(contents(real().rulebook(city), date(2026, 11, 30)), Translator(language))


def keys(city: str, query: str, language: str = "pt_BR") -> list[str]:
    return [entry.key for entry in index(city, language).find(query).entries]


@pytest.mark.parametrize(
    ("city", "query", "first"),
    [
        (CACERES, "ar-condicionado", "ar-condicionado"),
        (CACERES, "AR CONDISIONADO", "ar-condicionado"),
        (CACERES, "arcondicionado", "ar-condicionado"),
        (CACERES, "idade minima do motorista", "idade-minima"),
        (CACERES, "multa por nao ter identidade visual", "sem-identidade"),
        (CACERES, "pagar com dinheiro", "pagamento"),
        (CACERES, "destino antes do aseite", "destino-antes"),
        (CACERES, "taxa de operação", "taxa-operacao"),
        (CACERES, "defeza", "defesa"),
        (CACERES, "recibo da viajem", "recibo"),
        (CHAPADA, "ar condicionado", "ar-condicionado"),
        (CHAPADA, "agredir o fiscal", "agredir-fiscal"),
        (CHAPADA, "agrediu fiscal", "agredir-fiscal"),
        (CHAPADA, "vistoria", "vistoria"),
        (CHAPADA, "comunicar mudança de dados", "comunicar-mudanca"),
        (CHAPADA, "antecedentes criminais", "antecedentes"),
        (PELOTAS, "troco", "troco"),
        (PELOTAS, "som auto demais", "som-alto"),
        (PELOTAS, "fumou na viagem", "emp-fumar"),
        (PELOTAS, "parar fora do ponto", "parar-fora"),
        (PELOTAS, "velosidade", "velocidade"),
        (PELOTAS, "crachá", "carteira-cracha"),
        (PELOTAS, "animal", "animais-bagagem"),
        (PELOTAS, "meia passagem de estudante", "meia-tarifa"),
        (PELOTAS, "representacao", "representacao"),
        (PRIMAVERA, "multa por fumar", "fumar"),
        (PRIMAVERA, "CAA vencido", "caa-vencido"),
        (PRIMAVERA, "cachorro guia", "acomodar-cao"),
        (PRIMAVERA, "divida ativa", "divida-ativa"),
        (PRIMAVERA, "emergência", "op-emergencia"),
        (PRIMAVERA, "defeza previa", "defesa"),
        (PRIMAVERA, "advertência no lugar da multa", "advertencia"),
        (ROLIM, "multa por fumar", "fumar"),
        (ROLIM, "mutla por fumr", "fumar"),
        (ROLIM, "fumando", "fumar"),
        (ROLIM, "cigarro", "fumar"),
        (ROLIM, "documento vencido", "auxiliar-vencido"),
        (ROLIM, "usando celular", "fones"),
        (ROLIM, "bêbado", "alcool"),
        (ROLIM, "acidentes", "comunicar-acidente"),
        (ROLIM, "toca descartavel", "dar-touca"),
        (ROLIM, "bandeira dois no domingo", "bandeiras"),
        (ROLIM, "ponto de mototaxi", "sem-ponto"),
    ],
)
def test_the_first_answer_is_the_one_that_was_meant(city: str, query: str, first: str) -> None:
    """However it is typed, the rule in question comes first."""
    assert keys(city, query)[:1] == [first]


@pytest.mark.parametrize(
    ("language", "query", "found"),
    [
        ("en", "smoking", "fumar"),
        ("en", "hemlet", "dois-capacetes"),
        ("en", "drunk", "alcool"),
        ("es", "casco", "dois-capacetes"),
        ("es", "accidente", "comunicar-acidente"),
        ("es", "fumar", "fumar"),
    ],
)
def test_a_reader_of_another_language_searches_in_it(language: str, query: str, found: str) -> None:
    """The translated sentences are found by their own words, and the Portuguese ones still are."""
    assert found in keys(ROLIM, query, language)
    assert "fumar" in keys(ROLIM, "fumar", language)


@pytest.mark.parametrize("query", ["xyzzyq", "12345678", "😀", "a de o", ""])
def test_what_no_law_says_finds_nothing(query: str) -> None:
    """Nonsense brings no rule."""
    assert keys(ROLIM, query) == []


def test_a_word_that_is_not_there_brings_the_nearest() -> None:
    """Whoever misses a word reads which words of the law come near."""
    found = index(ROLIM).find("documentaria")

    assert found.entries or "documentos" in found.nearest


@pytest.mark.parametrize(
    "forms",
    [
        ("fumar", "fumando", "fumou", "fuma"),
        ("infracao", "infracoes"),
        ("veiculo", "veiculos"),
        ("embarque", "embarcar"),
        ("vencido", "vencida", "vencidos"),
        ("multa", "multas"),
    ],
)
def test_the_forms_of_a_word_are_one(forms: tuple[str, ...]) -> None:
    """Singular or plural, noun or verb: it is the same search."""
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("city", "query", "unknown"),
    [
        (CACERES, "multa por fumar", ("fumar",)),
        (CACERES, "qual é a multa por fumar no carro", ("fumar",)),
        (CACERES, "cigarro", ("cigarro",)),  # which is near "carro", and is not it
        (PELOTAS, "quanto custa a multa", ()),
        (ROLIM, "mutla por fumr", ()),
        (ROLIM, "cigarro", ()),
    ],
)
def test_a_telling_word_that_a_law_does_not_have_is_named(city: str, query: str, unknown: tuple[str, ...]) -> None:
    """Who asks about smoking where the law says nothing of it is not left with fines for something else."""
    found = index(city).find(query)

    assert found.unknown == unknown
    assert found.entries
