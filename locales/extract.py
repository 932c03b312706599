"""Finds the sentences of a rulebook for the catalogues: what people read in it is translated like any other text."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

READ_BY_PEOPLE = frozenset(
    {
        "alternatives",
        "assumption",
        "cure",
        "hint",
        "how",
        "inconsistencies",
        "label",
        "no_value",
        "note",
        "owed",
        "prompt",
        "readings",
        "requires",
        "role",
        "sentence",
        "what",
        "who",
    }
)


def rulebook(
    fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield the sentences of a TOML file in the form that Babel's extraction awaits. The line is not known."""
    for sentence in sentences(tomllib.load(fileobj), wanted=False):
        yield 0, "tr", sentence, []


def sentences(value: Any, *, wanted: bool) -> Iterator[str]:
    """Yield every text below a key that people read."""
    match value:
        case str() if wanted:
            yield value
        case dict():
            for key, inner in value.items():
                yield from sentences(inner, wanted=wanted or key in READ_BY_PEOPLE)
        case list():
            for inner in value:
                yield from sentences(inner, wanted=wanted)
