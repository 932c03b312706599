"""Keeps the direction of what somebody wrote to itself: the words around it are read as they were meant.

One character can make a screen run from right to left; left open at the end of a text it turns what follows, a date or
a decision, around. What is stored stays verbatim.
"""

from __future__ import annotations

import re

FSI, PDI = "\u2068", "\u2069"
TURNS = re.compile(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides, isolates
    "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"  # letters from the right
)
ENDS = re.compile("([\n\r\x1c-\x1e\x85\u2029])")  # of a paragraph, with which every direction ends
OPENS = frozenset("\u2066\u2067\u2068")


def isolated(text: str) -> str:
    """Return a text that turns nothing around it; most texts as they are."""
    if text.isascii() or TURNS.search(text) is None:
        return text
    return "".join(part if ENDS.fullmatch(part) else _isolate(part) for part in ENDS.split(text))


def _isolate(line: str) -> str:
    if TURNS.search(line) is None:
        return line
    kept, depth = [], 0
    for char in line:
        if char == PDI and depth == 0:
            continue  # it would end our own
        depth += (char in OPENS) - (char == PDI)
        kept.append(char)
    return f"{FSI}{''.join(kept)}{PDI * (depth + 1)}"
