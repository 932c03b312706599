"""How people say what they report, so that a few words of theirs find the subject."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from domain.law.fields import Frozen, Key
from domain.law.model import ReportKind, Subject
from domain.values.text import heard


class SaidWords(Frozen):
    """How people say what a report can be about: folded beginnings of words and phrases, shared by all cities."""

    kinds: dict[ReportKind, tuple[str, ...]] = Field(default_factory=dict)
    subjects: dict[Key, tuple[str, ...]] = Field(default_factory=dict)

    def kind_of(self, text: str) -> str | None:
        """Return the kind that any word of ``text`` makes a report, whatever it is about; mostly there is none."""
        return next((kind for kind, words in self.kinds.items() if heard(text, words)), None)

    def about(self, text: str, subjects: Iterable[Subject]) -> tuple[Subject, ...]:
        """Return which of ``subjects`` ``text`` may be about, the likeliest first."""
        hits = [(heard(text, self.subjects.get(subject.key, ())), subject) for subject in subjects]
        found = sorted((hit for hit in hits if hit[0]), key=lambda hit: -hit[0])
        return tuple(subject for _, subject in found)
