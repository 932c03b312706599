"""Which rule expresses which place of a law, and why none does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from domain.law.citations import Citation
from domain.law.consistency import citations
from domain.law.model import Rulebook
from domain.law.places import Place, places, written


@dataclass(frozen=True, slots=True)
class Covered:
    """One place of a law."""

    place: str
    by: tuple[str, ...]  # ids of rules, or "organs.x", "subjects.x", "doubts.x"
    inner: bool  # expressed by what stands in its own items
    reason: str | None

    @property
    def blank(self) -> bool:
        """Whether nobody can say what became of it."""
        return not (self.by or self.inner or self.reason)


def coverage(rulebook: Rulebook) -> tuple[Covered, ...]:
    """Return a row for every place of a law, in its order; none where the places are not listed."""
    listed = rulebook.provisions
    if listed is None:
        return ()
    by: dict[Place, dict[str, None]] = {}
    for key, cite in _cited(rulebook):
        for place in places(cite.locator):
            by.setdefault(place, {})[_short(key)] = None
    told = {place for place in listed.listed if place in by or place in listed.reasons}
    rows = []
    for place in listed.listed:
        children = [one for one in listed.listed if len(one) > len(place) and one[: len(place)] == place]
        inner = bool(children) and all(child in told for child in children if not _has_children(child, listed.listed))
        rows.append(Covered(written(place), tuple(by.get(place, ())), inner, listed.reasons.get(place)))
    return tuple(rows)


def table(rulebook: Rulebook) -> Iterator[str]:
    """Yield the lines of a law's coverage table in Markdown."""
    yield f"## {rulebook.city.name} ({rulebook.city.uf}): {rulebook.source.title}"
    yield ""
    yield "| dispositivo | regras |"
    yield "|---|---|"
    for row in coverage(rulebook):
        text = ", ".join(f"`{one}`" for one in row.by) or row.reason or ("nos seus itens" if row.inner else "")
        yield f"| {row.place} | {text} |"
    yield ""


def _has_children(place: Place, listed: tuple[Place, ...]) -> bool:
    return any(len(one) > len(place) and one[: len(place)] == place for one in listed)


def _cited(rulebook: Rulebook) -> Iterator[tuple[str, Citation]]:
    yield from ((key, cite) for key, cite in citations(rulebook) if cite.source == rulebook.id)


def _short(key: str) -> str:
    section, name = key.split(".")[:2]
    return name if section == "rules" else f"{section}.{name}"
