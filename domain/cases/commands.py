"""What can be asked of a case, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from domain.cases.model import Case, Event, Outcome
from domain.files.model import ReceivedFile
from domain.people.model import Person, Recipient
from domain.privacy.model import IdentityMode


@dataclass(frozen=True, slots=True)
class CaseUpdate:
    """What happened, and who is to be told: ``citizen`` when staff acted, ``staff`` when the citizen did, or when a
    colleague did something to a case that somebody holds.

    Without ``events`` nothing changed: what was asked for was so already. Nobody can be told of an anonymous case;
    its receipt is the way back.
    """

    case: Case
    events: tuple[Event, ...] = ()
    citizen: Recipient | None = None
    staff: tuple[Recipient, ...] = ()


@dataclass(frozen=True, slots=True)
class PartyView:
    """The citizen as staff may see them: ``name`` only of who is identified. One who is not ``reachable`` has blocked
    the bot; nobody can be told of an anonymous case, which says so of itself."""

    mode: IdentityMode
    name: str | None
    reachable: bool = True


@dataclass(frozen=True, slots=True)
class CaseCard:
    """A case with all that staff may see. ``holder`` names who has it; ``mine`` says that it is the one who looks."""

    case: Case
    events: tuple[Event, ...]
    files: Mapping[int, ReceivedFile]
    party: PartyView
    holder: str | None
    mine: bool


@dataclass(frozen=True, slots=True)
class CitizenCase:
    """A case as its citizen sees it: no notes, no names of files that staff added to notes."""

    case: Case
    events: tuple[Event, ...]
    files: Mapping[int, ReceivedFile]
    mode: IdentityMode


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffCommand:
    """Something that a member of staff does to a case."""

    by: Person
    case_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CitizenCommand:
    """Something that a citizen does to their case; an anonymous one shows the receipt (16 digits) each time."""

    by: Person
    case_id: int
    receipt: str | None = None


class TakeCase(StaffCommand):
    """Take a case out of its queue."""


class ReleaseCase(StaffCommand):
    """Put a case back into its queue; a manager may do it for a colleague."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferCase(StaffCommand):
    """Hand a case over to another queue of its service; ``text`` is a note to the colleagues there."""

    queue: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNote(StaffCommand):
    """Write something that only staff reads."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(StaffCommand):
    """Ask the citizen something; the case waits for the answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCitizen(StaffCommand):
    """Tell the citizen something while the case goes on."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendTerm(StaffCommand):
    """Take longer for a report's answer than the law first allows; the citizen reads why."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(StaffCommand):
    """Tell a report's outcome (one of ``REPORT_OUTCOMES``)."""

    outcome: Outcome
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(CitizenCommand):
    """Answer what staff asked."""

    text: str
    files: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEvidence(CitizenCommand):
    """Add files or words to a case that is not over."""

    text: str = ""
    files: tuple[int, ...] = ()


class ConfirmOutcome(CitizenCommand):
    """Agree that the outcome settles it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestOutcome(CitizenCommand):
    """Disagree with the outcome: the case goes back to staff."""

    text: str
    files: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawCase(CitizenCommand):
    """Give a case up; a draft as well."""

    text: str = ""
