"""What a citizen does to a case of theirs, known or by receipt."""

from __future__ import annotations

from domain.cases.access import for_citizen
from domain.cases.commands import (
    AddEvidence,
    CaseUpdate,
    CitizenCommand,
    ConfirmOutcome,
    ContestOutcome,
    Reply,
    WithdrawCase,
)
from domain.cases.errors import CaseClosed, CaseMovedOn, TextMissing
from domain.cases.model import Author, Case, CaseState, EventKind
from domain.cases.ports import Cases
from domain.cases.recording import Happening, Recorder
from domain.files.ports import Files
from domain.privacy.model import Receipts
from domain.privacy.ports import Parties


async def reply(
    command: Reply, *, cases: Cases, parties: Parties, files: Files, receipts: Receipts, record: Recorder
) -> CaseUpdate:
    """Answer staff's question; the case goes back to who asked, unless an item is still to be corrected.

    Raises:
        NotFound: The case is not theirs.
        CaseClosed: It is over.
        CaseMovedOn: Nothing is asked, or it was answered already.
        TextMissing: There is neither a word nor a file.
    """
    case = await _theirs(command, cases=cases, parties=parties, receipts=receipts)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    if not case.asked:
        raise CaseMovedOn(case_id=case.id)
    if not command.text.strip() and not command.files:
        raise TextMissing(case_id=case.id)
    await files.attach(case.id, command.files)
    return await record(
        case,
        Happening(EventKind.REPLIED, text=command.text, data={"files": list(command.files)}),
        author=Author.citizen(),
    )


async def add_evidence(
    command: AddEvidence, *, cases: Cases, parties: Parties, files: Files, receipts: Receipts, record: Recorder
) -> CaseUpdate:
    """Add files or words to a submitted case that is not over; whose turn it is stays as it was.

    Raises:
        NotFound: The case is not theirs.
        CaseClosed: It is over.
        CaseMovedOn: It is still a draft.
        TextMissing: There is neither a word nor a file.
    """
    case = await _theirs(command, cases=cases, parties=parties, receipts=receipts)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    if case.state is CaseState.DRAFT:
        raise CaseMovedOn(case_id=case.id)
    if not command.text.strip() and not command.files:
        raise TextMissing(case_id=case.id)
    await files.attach(case.id, command.files)
    return await record(
        case,
        Happening(EventKind.EVIDENCE_ADDED, text=command.text, data={"files": list(command.files)}),
        author=Author.citizen(),
    )


async def confirm_outcome(
    command: ConfirmOutcome, *, cases: Cases, parties: Parties, receipts: Receipts, record: Recorder
) -> CaseUpdate:
    """Agree with the outcome. Doing it again changes nothing.

    Raises:
        NotFound: The case is not theirs.
        CaseMovedOn: There is no outcome to confirm.
    """
    case = await _theirs(command, cases=cases, parties=parties, receipts=receipts)
    if case.state is CaseState.CLOSED and case.outcome is not None:
        return CaseUpdate(case)
    if case.state is not CaseState.DECIDED:
        raise CaseMovedOn(case_id=case.id)
    return await record(case, Happening(EventKind.CONFIRMED), author=Author.citizen())


async def contest_outcome(
    command: ContestOutcome, *, cases: Cases, parties: Parties, files: Files, receipts: Receipts, record: Recorder
) -> CaseUpdate:
    """Disagree with the outcome: the case goes back to who decided it.

    Raises:
        NotFound: The case is not theirs.
        CaseMovedOn: There is no outcome that can still be contested.
        TextMissing: It is not said why, by a word or a file.
    """
    case = await _theirs(command, cases=cases, parties=parties, receipts=receipts)
    if case.state is not CaseState.DECIDED:
        raise CaseMovedOn(case_id=case.id)
    if not command.text.strip() and not command.files:
        raise TextMissing(case_id=case.id)
    await files.attach(case.id, command.files)
    return await record(
        case,
        Happening(EventKind.CONTESTED, text=command.text, data={"files": list(command.files)}),
        author=Author.citizen(),
    )


async def withdraw_case(
    command: WithdrawCase, *, cases: Cases, parties: Parties, receipts: Receipts, record: Recorder
) -> CaseUpdate:
    """Give a case up. Doing it again changes nothing.

    Raises:
        NotFound: The case is not theirs.
        CaseClosed: An outcome was told; there is nothing left to withdraw.
    """
    case = await _theirs(command, cases=cases, parties=parties, receipts=receipts)
    if case.state is CaseState.CLOSED and case.outcome is None:
        return CaseUpdate(case)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    return await record(case, Happening(EventKind.WITHDRAWN, text=command.text), author=Author.citizen())


async def _theirs(command: CitizenCommand, *, cases: Cases, parties: Parties, receipts: Receipts) -> Case:
    case, _ = await for_citizen(
        command.case_id, command.by, command.receipt, cases=cases, parties=parties, receipts=receipts
    )
    return case
