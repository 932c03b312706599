"""Finds sentences for the catalogues: in code, and in rulebooks, whose texts are translated like any other."""

from __future__ import annotations

import ast
import re
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
A_KEY = re.compile(r"[a-z0-9_-]+")  # "between", "multa-leve": for the code, not for people


def rulebook(
    fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield the sentences of a TOML file in the form that Babel's extraction awaits. The line is not known."""
    for sentence in sentences(tomllib.load(fileobj), wanted=False):
        yield 0, "tr", sentence, []


def code(
    fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """Yield the sentences marked in a Python file. Babel's own reader does not see the calls inside f-strings."""
    for node in ast.walk(ast.parse(fileobj.read())):
        if isinstance(node, ast.Call):
            name = str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))
            texts = tuple(map(constant, node.args))
            if name in keywords and any(texts):
                yield node.lineno, name, texts, []


def constant(node: ast.expr) -> str | None:
    """Return a literal text; None for anything computed."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def sentences(value: Any, *, wanted: bool) -> Iterator[str]:
    """Yield every text below a key that people read."""
    match value:
        case str() if wanted and not A_KEY.fullmatch(value):
            yield value
        case dict():
            for key, inner in value.items():
                names_a_day = key == "name" and "on" in value
                yield from sentences(inner, wanted=wanted or key in READ_BY_PEOPLE or names_a_day)
        case list():
            for inner in value:
                yield from sentences(inner, wanted=wanted)
