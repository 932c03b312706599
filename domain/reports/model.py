"""What is reported, and what the one who reports gets in hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.cases.commands import CaseUpdate
from domain.cases.model import CaseKind
from domain.people.model import Person
from domain.privacy.model import IdentityMode


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """A report. ``subject`` is one of the rulebook's for this kind, or "outro"; ``facts`` is JSON (where, when, which
    vehicle, what happened ...), kept verbatim; ``files`` are ids of stored files."""

    by: Person
    city: str
    service: str
    kind: CaseKind
    subject: str
    facts: Mapping[str, Any]
    files: tuple[int, ...] = ()
    mode: IdentityMode = IdentityMode.IDENTIFIED


@dataclass(frozen=True, slots=True)
class Filed:
    """A report that was received. ``receipt`` (16 digits) only of an anonymous one: shown once, kept nowhere."""

    update: CaseUpdate
    protocol: str
    receipt: str | None
