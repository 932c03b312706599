"""Somebody writes in another language than the chat's: it is understood, and the language is offered once."""

from __future__ import annotations

import pytest

from domain.values.tongue import tongue_of
from tests.support.office import Phone, office


async def ana(language: str = "pt_BR") -> Phone:
    return await (await office()).phone("Ana", language=language)


@pytest.mark.parametrize(
    ("language", "text", "asks", "button", "then"),
    [
        ("pt_BR", "the driver charged me twice", "Would you like to talk in English?", "English", "Tap the subject"),
        (
            "pt_BR",
            "el conductor me cobro de mas",
            "¿Prefiere conversar en español?",
            "Español",
            "Toque el asunto: lo que escribió ya va",
        ),
        (
            "en",
            "o motorista cobrou o dobro da corrida",
            "Prefere conversar em português?",
            "Português",
            "Toque no assunto",
        ),
    ],
)
async def test_the_language_is_offered_in_its_own_words_and_what_was_written_is_answered_in_it(
    language: str, text: str, asks: str, button: str, then: str
) -> None:
    """Ana's phone speaks one language and she another: one press, and she need not write it again."""
    phone = await ana(language)
    await phone.sends(text)
    assert phone.has(asks)

    await phone.presses_on(button, asks)

    assert then in phone.text


async def test_it_is_offered_once() -> None:
    """Ana goes on in English without pressing: she is not asked at every sentence."""
    phone = await ana()
    await phone.sends("hello")
    assert phone.has("Would you like to talk in English?")
    said = await phone.sends("the bus was late and I want to complain")

    assert not any("Would you like" in message.text for message in said)


async def test_who_chose_a_language_is_not_offered_another() -> None:
    """Ana chose Portuguese in so many presses; an English sentence changes nothing about that."""
    phone = await ana()
    await phone.sends("/idioma")
    await phone.presses("Português")
    await phone.sends("the driver charged me twice")

    assert not phone.has("Would you like")


@pytest.mark.parametrize(
    "text", ["", "Ana", "ok", "taxi", "no", "CNH", "el motorista", "menu", "a 12", "report", "reclamar de un ônibus"]
)
def test_what_could_be_either_offers_nothing(text: str) -> None:
    """A name, a number, a word that two languages share, or a mixture: nobody is asked."""
    assert tongue_of(text) is None
