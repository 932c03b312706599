"""A day with the time of day beside it, as people write when something happened: "ontem às 14h30"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from domain.values.dates import Tense, parse_date
from domain.values.parsed import Parsed, Rejected, Unsure, Value
from domain.values.text import fold
from domain.values.times import parse_time

CLOCK = re.compile(
    r"[0-9]\s*(?:h|:)"
    r"|^(?:[àa]s?|at|a las|umas|pelas|por volta)\s+[0-9]"
    r"|\b(?:da|de la|am|pm|in the)\b|noon|mid|mei[oa]|media",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"^(?:de|do|da|no|na|em|del|on|of|el)\s+", re.IGNORECASE)
MOST_WORDS = 14


def parse_moment(text: str, *, today: date, tense: Tense = "any", language: str = "pt_BR") -> Parsed:
    """Read a day and, where one is written, a time of day; the value is "2027-03-05" or "2027-03-05T14:30".

    The day is read as :func:`domain.values.dates.parse_date` does, with its arguments, and the time as ``parse_time``;
    what either is unsure of is asked back.
    """
    for day_words, clock_words in splits(text):
        clock = parse_time(clock_words)
        if isinstance(clock, Rejected):
            continue
        day = parse_date(day_words, today=today, tense=tense, language=language)
        if not isinstance(day, Rejected):
            return joined(day, clock)
    return parse_date(text, today=today, tense=tense, language=language)


def splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield every way to take a text for a day and a time, in either order, where one part looks like a time."""
    words = text.replace(",", " ").replace(";", " ").split()
    if len(words) > MOST_WORDS:
        return
    for at in range(1, len(words)):
        before, after = " ".join(words[:at]), " ".join(words[at:])
        if CLOCK.search(after):
            yield before, after
        if CLOCK.search(before) and fold(after):
            yield BETWEEN.sub("", after), before


def joined(day: Value | Unsure, clock: Value | Unsure) -> Parsed:
    """Return day and time as one; the day's doubt is asked before the time's."""
    value, shown = f"{day.value}T{clock.value}", f"{day.shown} {clock.shown}"
    for part in (day, clock):
        if isinstance(part, Unsure):
            return Unsure(value, shown, part.sentence, part.facts)
    return Value(value, shown)
