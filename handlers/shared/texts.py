"""Sentences in the person's language. Portuguese is the source: a sentence is its own message id."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from domain.people.model import LANGUAGES
from domain.texts import N_ as N_  # handlers mark sentences with it too
from handlers.shared.bidi import isolated

SOURCE = "pt_BR"


@dataclass(frozen=True, slots=True)
class Html:
    """A fragment that is already HTML: put into a sentence as it is."""

    markup: str

    def __str__(self) -> str:
        return self.markup


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> NullTranslations:
    """Return the translations of a language, read once from its catalogue; Portuguese needs none."""
    source = files("locales").joinpath(language, "LC_MESSAGES", "balcao.po")
    if language == SOURCE or not source.is_file():
        return NullTranslations()
    with source.open("rb") as po:
        catalog = read_po(po, locale=language, domain="balcao")
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Translations(compiled, domain="balcao")


def plain(value: Any) -> str:
    """Escape a value for HTML, and keep its direction to itself, unless it is markup already."""
    return value.markup if isinstance(value, Html) else escape(isolated(str(value)), quote=False)


@dataclass(frozen=True, slots=True)
class Translator:
    """Turns a sentence and its named facts into HTML of one language."""

    language: str = SOURCE

    def __call__(self, sentence: str, /, **facts: Any) -> str:
        """Translate ``sentence`` and fill in ``facts``, each escaped. Without facts the sentence is not formatted."""
        translates = sentence and self.language != SOURCE  # to gettext an empty one is the catalogue's own head
        text = catalogue(self.language).ugettext(sentence) if translates else sentence
        return text.format(**{name: plain(value) for name, value in facts.items()}) if facts else text

    def many(self, one: str, other: str, n: int, /, **facts: Any) -> str:
        """Translate by number: ``n`` chooses the form and fills ``{n}``."""
        return self.filled(catalogue(self.language).ungettext(one, other, n), {"n": n, **facts})

    def filled(self, text: str, facts: Mapping[str, Any]) -> str:
        """Fill escaped ``facts`` into a text that is already of this language."""
        return text.format(**{name: plain(value) for name, value in facts.items()})
