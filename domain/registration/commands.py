"""What can be asked of a registration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.cases.commands import CaseUpdate, StaffCommand
from domain.cases.model import Case
from domain.people.model import Person
from domain.registration.model import ChecklistLine, Progress
from domain.reminders.model import Obligation


@dataclass(frozen=True, slots=True)
class Checklist:
    """A registration with its items and how far it is."""

    case: Case
    lines: tuple[ChecklistLine, ...]
    progress: Progress


@dataclass(frozen=True, slots=True)
class Approved:
    """An approval and what the person owes from now on."""

    update: CaseUpdate
    obligations: tuple[Obligation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartApplication:
    """Begin a registration, or go on with the one that is not over. ``facts`` as the questions of the law name them."""

    by: Person
    city: str
    service: str
    applicant: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationCommand:
    """Something that an applicant does to their registration."""

    by: Person
    case_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveFacts(ApplicationCommand):
    """Add or correct facts; ``None`` takes one back."""

    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SendItem(ApplicationCommand):
    """Send the files of one item, in place of those sent before."""

    item: str
    files: tuple[int, ...]
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawItem(ApplicationCommand):
    """Take back what was sent for an item, before the registration is submitted."""

    item: str


class Submit(ApplicationCommand):
    """Hand the registration in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptItem(StaffCommand):
    """Accept an item. ``seen`` is the case's ``seq`` when its files were shown: newer files are not accepted unseen."""

    item: str
    seen: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseItem(StaffCommand):
    """Refuse an item for one of the listed reasons; ``comment`` is read by the applicant. ``seen`` as on accepting."""

    item: str
    reason: str
    comment: str = ""
    seen: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve(StaffCommand):
    """Approve a registration."""

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deny(StaffCommand):
    """Deny a registration; the applicant reads why."""

    text: str
