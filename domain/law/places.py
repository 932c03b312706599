"""Places of a law, taken apart: "art. 8º, § 3º, III e IV" is two of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

Place = tuple[str, ...]  # ("art. 8º", "§ 3º", "III", "a")

_TOKEN = re.compile(
    r"(?P<art>arts?\.)|(?P<pars>§§)|(?P<par>§)|(?P<only>parágrafo único)|(?P<number>\d+)º?|"
    r"(?P<roman>[IVXLC]+)\b|(?P<letter>[a-z])\b|(?P<comma>,)|(?P<space>\s+)|(?P<bad>.)"
)
_ROMAN = (("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1))
ARTICLE, PARAGRAPH, ITEM, LETTER = range(4)


class NoPlace(ValueError):
    """A text is no place of a law."""


def places(locator: str) -> tuple[Place, ...]:
    """Return the places that a locator names, ranges ("I a III") spelt out.

    Raises:
        NoPlace: It cannot be taken apart.
    """
    return tuple(_places(_tokens(locator), locator))


def written(place: Place) -> str:
    """Return a place as a locator."""
    return ", ".join(place)


def parent(place: Place) -> Place:
    """Return the place that holds this one."""
    return place[:-1]


def level(part: str) -> int:
    """Return how deep a part lies: article, paragraph, item, letter."""
    if part.startswith("art."):
        return ARTICLE
    if part.startswith(("§", "parágrafo")):
        return PARAGRAPH
    return ITEM if part.isupper() else LETTER


def expanded(locators: Iterable[str]) -> tuple[Place, ...]:
    """Return every place that these locators name, each once, in order."""
    return tuple(dict.fromkeys(place for locator in locators for place in places(locator)))


def roman(number: int) -> str:
    """Return a number as items are counted."""
    text = ""
    for sign, value in _ROMAN:
        while number >= value:
            text, number = text + sign, number - value
    return text


def unroman(text: str) -> int:
    """Return the number of an item."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    numbers = [values[sign] for sign in text]
    return sum(-one if one < following else one for one, following in zip(numbers, [*numbers[1:], 0], strict=True))


def _tokens(locator: str) -> list[tuple[str, str]]:
    found = []
    for match in _TOKEN.finditer(locator):
        kind = match.lastgroup or "bad"
        if kind == "bad":
            raise NoPlace(f"{locator!r} is no place such as 'art. 3º, § 1º, II'")
        if kind != "space":
            found.append((kind, match.group(kind)))
    return found


def _places(tokens: Sequence[tuple[str, str]], locator: str) -> Iterator[Place]:
    path: list[str] = []
    counting, ranging = "art", False
    for index, (kind, text) in enumerate(tokens):
        if kind in ("art", "par", "pars"):
            counting = kind
            continue
        if kind == "comma":
            continue
        if kind == "letter" and _joins(tokens, index):
            ranging = text == "a"
            continue
        part = _part(kind, text, counting, locator)
        if path and level(part) <= level(path[-1]):
            yield tuple(path)
            if ranging:
                yield from _between(path, part)
        path = [step for step in path if level(step) < level(part)] + [part]
        ranging = False
        if counting == "par":
            counting = "art"
    if not path or level(path[0]) != ARTICLE:
        raise NoPlace(f"{locator!r} names no article")
    yield tuple(path)


def _joins(tokens: Sequence[tuple[str, str]], index: int) -> bool:
    """Whether "e" or "a" is a word between two places and not the letter of one."""
    kind, text = tokens[index]
    if kind != "letter" or text not in "ea" or index == 0 or index + 1 == len(tokens):
        return False
    before, after = tokens[index - 1][0], tokens[index + 1][0]
    if after == "comma":
        return False
    return before != "comma" or text == "e"


def _part(kind: str, text: str, counting: str, locator: str) -> str:
    match kind:
        case "number":
            ordinal = f"{text}º" if int(text) < 10 else text
            return f"art. {ordinal}" if counting == "art" else f"§ {ordinal}"
        case "only":
            return "parágrafo único"
        case "roman" | "letter":
            return text
    raise NoPlace(f"{locator!r} is no place such as 'art. 3º, § 1º, II'")


def _between(path: Sequence[str], last: str) -> Iterator[Place]:
    first, depth = path[-1], level(last)
    stem = tuple(step for step in path if level(step) < depth)
    if level(first) != depth:
        return
    if depth == ITEM:
        inner = [roman(number) for number in range(unroman(first) + 1, unroman(last))]
    elif depth == LETTER:
        inner = [chr(code) for code in range(ord(first) + 1, ord(last))]
    else:
        sign = "art." if depth == ARTICLE else "§"
        start, end = (int(re.sub(r"\D", "", part)) for part in (first, last))
        inner = [f"{sign} {number}º" if number < 10 else f"{sign} {number}" for number in range(start + 1, end)]
    for part in inner:
        yield (*stem, part)
