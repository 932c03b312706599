"""Every sentence exists in every language, says the same things, and fits into a message."""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from telegram.constants import MessageLimit

from domain.law.loader import load_laws
from locales.extract import code

ROOT = Path(__file__).parent.parent
TRANSLATED = ("en", "es")


@cache
def extracted() -> Catalog:
    """Return every sentence that the code and the rulebooks mark, read by the tool that ``make messages`` uses."""
    target = ROOT / "build" / "extracted.pot"
    target.parent.mkdir(exist_ok=True)
    options = ["-F", str(ROOT / "pyproject.toml"), "-k", "tr", "-k", "many:1,2", "-k", "N_", "-o", str(target)]
    run: Callable[[list[str]], object] = CommandLineInterface().run
    run(["pybabel", "-q", "extract", *options, str(ROOT)])
    return read_po(target.read_text("utf-8").splitlines(keepends=True))


@cache
def catalogue(language: str) -> Catalog:
    with (ROOT / "locales" / language / "LC_MESSAGES" / "balcao.po").open("rb") as po:
        return read_po(po, locale=language)


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def tags(text: str) -> list[str]:
    return sorted(piece.split(">")[0] for piece in text.split("<")[1:])


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_holiday_of_the_cities_is_named_in_every_language(language: str) -> None:
    """Whoever reads in English why a date moved does not meet a day named in Portuguese."""
    laws = load_laws()
    calendars = [laws.calendar(city.slug) for city in laws.cities()]
    days = [day for one in calendars for year in range(2026, 2036) for day in one.special_days(year)]
    holidays = {day.name for day in days if day.kind == "holiday"}
    assert {"Natal", "Aniversário do município"} <= holidays
    assert [name for name in sorted(holidays) if catalogue(language).get(name) is None] == []


def test_sentences_inside_f_strings_are_found(tmp_path: Path) -> None:
    """Markup around a sentence does not hide it from the translators."""
    source = tmp_path / "screen.py"
    source.write_text("text = f\"<b>{tr('Qual?')}</b> {context.tr.many('{n} dia', '{n} dias', n)} {tr(other)}\"")

    with source.open("rb") as file:
        found = [texts for _, _, texts, _ in code(file, {"tr": None, "many": (1, 2)}, (), {})]

    assert sorted(found) == [("Qual?",), ("{n} dia", "{n} dias", None)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    """Whoever chose English or Spanish never meets a Portuguese sentence in between."""
    catalog = catalogue(language)
    missing = []
    for message in extracted():
        if not message.id:
            continue
        translated = catalog.get(message.id)
        if translated is None or translated.fuzzy or not all(forms(translated.string)):
            missing.append(forms(message.id)[0])

    assert not missing, f"{len(missing)} sentences lack {language}; run make messages and translate"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_the_facts_and_the_markup(language: str) -> None:
    """A lost placeholder would lose the date or the number that the sentence is about."""
    wrong = [
        source
        for message in catalogue(language)
        if message.id
        for source, translated in zip(forms(message.id), forms(message.string), strict=False)
        if translated and (placeholders(source) != placeholders(translated) or tags(source) != tags(translated))
    ]

    assert not wrong


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_catalogue_keeps_sentences_that_nobody_says(language: str) -> None:
    """What is gone from the code is gone from the catalogues: translators read only what people see."""
    said = {forms(message.id)[0] for message in extracted() if message.id}
    stale = [forms(message.id)[0] for message in catalogue(language) if message.id]

    assert [sentence for sentence in stale if sentence not in said] == []


def test_no_sentence_is_near_the_limit_of_a_message() -> None:
    """With room for the facts that fill it, each fits into one message in every language."""
    room = MessageLimit.MAX_TEXT_LENGTH // 2
    texts = [text for message in extracted() if message.id for text in forms(message.id)]
    texts += [text for language in TRANSLATED for message in catalogue(language) for text in forms(message.string)]

    assert [text for text in texts if len(text) > room] == []
