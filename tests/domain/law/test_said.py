"""A few words of a passenger find what the report is about, in every city and three languages."""

from __future__ import annotations

import pytest

from domain.law.loader import Laws
from domain.values.text import fold


@pytest.mark.parametrize(
    ("city", "said", "subject"),
    [
        ("pelotas-rs", "O ônibus está atrasado de novo", "horario"),
        ("pelotas-rs", "the bus was an hour late", "horario"),
        ("pelotas-rs", "el autobús llegó tarde", "horario"),
        ("pelotas-rs", "não me deram o troco", "troco"),
        ("caceres-mt", "cobraram mais do que o aplicativo mostrou", "preco"),
        ("chapada-dos-guimaraes-mt", "o motorista estava bêbado", "alcool"),
        ("primavera-do-leste-mt", "recusou meu cão-guia", "cao-guia"),
        ("rolim-de-moura-ro", "me deu um capacete sem viseira", "capacete"),
    ],
)
def test_who_says_what_happened_is_taken_to_its_subject(laws: Laws, city: str, said: str, subject: str) -> None:
    """Nobody has to know the law's name for a bus that is late."""
    every = laws.rulebook(city).subjects_by_key.values()

    assert laws.words.about(said, every)[0].key == subject


def test_every_subject_of_every_city_can_be_said(laws: Laws) -> None:
    """A subject that nobody's words reach would be found only by who reads the whole list."""
    listed = {key for city in laws for book in laws.rulebooks(city) for key in book.subjects_by_key}

    assert listed <= set(laws.words.subjects)
    assert set(laws.words.subjects) <= listed


def test_words_are_written_as_they_are_compared(laws: Laws) -> None:
    """An accent or a capital letter in the list would never be heard."""
    for words in (*laws.words.subjects.values(), *laws.words.kinds.values()):
        assert [word for word in words if fold(word) != word.rstrip()] == []


def test_an_insult_makes_a_report_one_of_discrimination(laws: Laws) -> None:
    """ "Racista" is no matter of manners; rudeness is."""
    assert laws.words.kind_of("o motorista foi racista") == "discrimination"
    assert laws.words.kind_of("me chamou de macaca") == "discrimination"
    assert laws.words.kind_of("o motorista foi grosseiro") is None
