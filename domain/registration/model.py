"""The checklist of a registration: what its law asks, as the timeline left it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from domain.cases.model import Case, Item, ItemState
from domain.law.conditions import FactValue
from domain.law.loader import Laws
from domain.law.model import Requirement, Rulebook

_MISSING = Item(ItemState.MISSING)


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """One item and where it stands.

    ``owed`` is ``None`` while a fact that decides it is not known. ``since`` is when it was last sent or decided.
    """

    requirement: Requirement
    owed: bool | None
    state: ItemState
    files: tuple[int, ...]
    caption: str
    reason: str | None
    comment: str
    since: datetime | None

    @property
    def key(self) -> str:
        """The item's key, stable and short enough for a button."""
        return self.requirement.id

    @property
    def holds_up(self) -> bool:
        """Whether the registration cannot be approved without it."""
        return self.owed is True and self.requirement.blocking


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the items that the registration rests on stand where, and how many there are."""

    missing: int
    sent: int
    accepted: int
    refused: int

    @property
    def total(self) -> int:
        return self.missing + self.sent + self.accepted + self.refused


def law_facts(laws: Laws, facts: Mapping[str, Any]) -> dict[str, FactValue]:
    """Return facts as the law compares them; a case keeps them as JSON, with dates in ISO form.

    What no law asks for, or cannot be read as what it asks for, is left out: it counts as not known.
    """
    read: dict[str, FactValue] = {}
    for key, value in facts.items():
        question = laws.facts.get(key)
        if question is None or value is None:
            continue
        if question.kind != "date" or isinstance(value, date):
            read[key] = value
        elif isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            read[key] = date.fromisoformat(value)
    return read


def json_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as a timeline keeps them: dates in ISO form."""
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in facts.items()}


def checklist(rulebook: Rulebook, case: Case, facts: Mapping[str, FactValue], on: date) -> tuple[ChecklistLine, ...]:
    """Return a registration's items in the order of the law.

    Items that the facts rule out are left out unless something was sent for them; those that hang on a fact that is
    not known are kept and hold nothing up.

    Args:
        rulebook: The law of the case's city and service.
        case: A registration; its subject is the kind of applicant.
        facts: As :func:`law_facts` reads them.
        on: Local date that decides which version of each rule counts.
    """
    lines = []
    for requirement in rulebook.checklist(case.subject or "", on):
        owed = requirement.applies(facts)
        item = case.items.get(requirement.id, _MISSING)
        if owed is False and item.state is ItemState.MISSING:
            continue
        lines.append(
            ChecklistLine(
                requirement=requirement,
                owed=owed,
                state=item.state,
                files=item.files,
                caption=item.caption,
                reason=item.reason,
                comment=item.comment,
                since=item.since,
            )
        )
    return tuple(lines)


def progress(lines: tuple[ChecklistLine, ...]) -> Progress:
    """Count the items that hold the registration up."""
    states = [line.state for line in lines if line.holds_up]
    return Progress(
        missing=states.count(ItemState.MISSING),
        sent=states.count(ItemState.SENT),
        accepted=states.count(ItemState.ACCEPTED),
        refused=states.count(ItemState.REFUSED),
    )
