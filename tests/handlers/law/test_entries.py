"""Every entry of every law: it has an article, fits into a message, and says no number that the law does not have."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import date
from functools import cache

import pytest
from telegram.constants import MessageLimit

from domain.law.conduct import Consequence, RecidivismVersion
from domain.law.fields import Length
from domain.law.loader import Laws, load_laws
from domain.law.model import Rulebook
from domain.law.penalties import infractions, penalty
from handlers.law.details import one_line, whole, why
from handlers.law.entries import Contents, Entry, Topic, contents, roles
from handlers.law.penalties import DEFENCE, Reader
from handlers.shared.texts import Translator
from handlers.shared.why import locator

ON = date(2026, 11, 30)
LANGUAGES = ("pt_BR", "en", "es")
AMOUNT = re.compile(r"(\d+(?:,\d+)?)\s(?:UPFM|UPF|URM|UR|R\$)")
DAYS = re.compile(r"(\d+) (?:dias? corridos?|dias? úteis|dia útil|mês|meses|anos?|horas?)\b")


@cache
def real() -> Laws:
    return load_laws()


def books() -> list[Rulebook]:
    return [book for city in real() for book in real().rulebooks(city)]


def every(book: Rulebook, language: str = "pt_BR") -> Iterator[tuple[Reader, Contents, Entry]]:
    law, reader = contents(book, ON), Reader(Translator(language), real(), book, ON)
    for entry in law.entries:
        yield reader, law, entry


def read(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


served = pytest.mark.parametrize("book", books(), ids=lambda book: str(book.city.slug))


@served
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_fits_and_names_its_article(book: Rulebook, language: str) -> None:
    """Whoever opens any rule in any language reads it whole, with its place in the law, in one message."""
    for reader, law, entry in every(book, language):
        shown, reason = read(whole(reader, entry, law)), read(why(reader, entry))

        assert len(shown) < MessageLimit.MAX_TEXT_LENGTH, entry.key
        assert len(reason) < MessageLimit.MAX_TEXT_LENGTH, entry.key
        assert entry.cite.locator in shown, entry.key
        assert entry.cite.locator in reason, entry.key
        assert locator(book, entry.cite) in read(one_line(reader, entry)), entry.key
        assert not re.search(r"\{\w+\}|\(\)", shown + reason), entry.key
        assert language != "pt_BR" or "None" not in shown + reason, entry.key


@served
def test_no_two_entries_share_a_button(book: Rulebook) -> None:
    """A press opens the rule that its button names and no other."""
    law = contents(book, ON)

    assert len(law.by_code) == len(law.entries)


@served
def test_every_rule_of_the_law_can_be_reached(book: Rulebook) -> None:
    """No rule in force is hidden: the passenger, who sees all, finds each under some topic."""
    law = contents(book, ON)
    passenger = roles(book)[-1]
    reached = {entry.key for topic in Topic for entry in law.of(topic, passenger)}

    assert reached == {entry.key for entry in law.entries}
    assert {rule.id for rule in book.rules.values() if rule.version(ON) is not None} <= reached


@served
def test_a_role_sees_all_that_falls_on_it(book: Rulebook) -> None:
    """A driver, an employee or an operator misses none of the own duties and infractions, and reads no one else's."""
    law = contents(book, ON)
    for role in roles(book):
        seen = {entry.key for topic in Topic for entry in law.of(topic, role)}
        own = {entry.key for entry in law.entries if entry.bearers & role.bearers}

        assert own <= seen
        duties = law.of(Topic.DUTIES, role) + law.of(Topic.INFRACTIONS, role)
        assert all(not entry.bearers or entry.bearers & role.bearers for entry in duties), role.key


@served
def test_a_fine_shows_exactly_the_amounts_of_the_law(book: Rulebook) -> None:
    """Each infraction shows the bounds that the law gives its class, in the law's unit, and no other amount."""
    for rule in infractions(book, ON):
        entry = next(entry for entry in contents(book, ON).entries if entry.key == rule.id)
        reader = Reader(Translator(), real(), book, ON)
        shown = read(whole(reader, entry, contents(book, ON)))
        block = shown.partition("O que acontece\n")[2].partition("\n\n")[0]
        lawful = {
            f"{value.normalize():f}".replace(".", ",")
            for one in penalty(book, rule.id, (), ON).answers
            for value in (one.least, one.most)
            if value is not None
        }

        assert set(AMOUNT.findall(block)) == lawful, rule.id
        assert "R$" not in shown, rule.id


@served
def test_terms_and_durations_come_from_the_rules_alone(book: Rulebook) -> None:
    """No number of days, months or years is shown with an infraction that none of the law's rules has."""
    for rule in infractions(book, ON):
        law = contents(book, ON)
        entry = next(entry for entry in law.entries if entry.key == rule.id)
        shown = read(whole(Reader(Translator(), real(), book, ON), entry, law))
        lawful = {length.amount for length in lengths_of(book, rule.id)}
        written = {int(number) for text in texts_of(book, rule.id) for number in re.findall(r"\d+", text)}

        assert {int(number) for number in DAYS.findall(shown)} <= lawful | written, rule.id


def lengths_of(book: Rulebook, infraction: str) -> Iterator[Length]:
    """Yield the lengths that bear on an infraction: its sanctions, its recidivism, the terms of defence."""
    found = penalty(book, infraction, (), ON)
    for one in found.answers:
        yield from (length for length in (one.shortest, one.longest) if length is not None)
    for again in found.recidivism:
        told = book.rules[again.rule].version(ON)
        if isinstance(told, RecidivismVersion):
            yield from (length for length in (told.window, told.repeat_cap) if length is not None)
            for extra in told.adds:
                yield from spans(extra)
    for key in DEFENCE:
        length = getattr(book.rules[key].version(ON), "length", None) if key in book.rules else None
        if length is not None:
            yield length


def spans(extra: Consequence) -> Iterator[Length]:
    yield from (length for length in (extra.least, extra.most, *extra.readings.values()) if length is not None)


def texts_of(book: Rulebook, infraction: str) -> Iterator[str]:
    """Yield the sentences of the rulebook that may hold a number themselves."""
    rule = book.rules[infraction]
    yield rule.label
    for told in (rule, *(book.rules[again.rule] for again in penalty(book, infraction, (), ON).recidivism)):
        version = told.version(ON)
        yield from (getattr(version, name, None) or "" for name in ("note", "assumption", "no_value"))
        yield told.label
    for doubt in book.doubts.values():
        yield doubt.label
        yield from doubt.readings.values()


@served
def test_what_the_law_leaves_open_is_said_in_its_words(book: Rulebook) -> None:
    """Where the law fixes nothing, the entry and the list say the rulebook's reason, and it stands among the open."""
    for reader, law, entry in every(book):
        if entry.version is None or entry.version.no_value is None:
            continue
        assert Topic.OPEN in entry.topics
        assert entry.version.no_value in read(whole(reader, entry, law))
        assert entry.version.no_value.rstrip(".") in read(one_line(reader, entry))


@served
def test_a_doubt_shows_every_reading(book: Rulebook) -> None:
    """Whoever meets a doubtful text reads all its readings, and which one is used here."""
    for reader, law, entry in every(book):
        if entry.doubt is None:
            continue
        shown = read(whole(reader, entry, law))
        used = entry.doubt.readings[book.reading(entry.doubt.id)]

        assert f"👉 Aqui vale: {used}" in shown
        assert all(text in shown for text in entry.doubt.readings.values())


@served
def test_a_ground_that_the_law_does_not_name_is_not_said_to_be_named(book: Rulebook) -> None:
    """A ground of discrimination is called the law's own only where the law names it."""
    for reader, law, entry in every(book):
        if entry.ground is not None:
            shown = read(whole(reader, entry, law))
            assert ("Esta lei nomeia este motivo" in shown) == entry.ground.named
            assert ("não nomeia este motivo" in shown) != entry.ground.named
