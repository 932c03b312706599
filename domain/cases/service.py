"""What staff does to a case. Each use case checks city, role, holder and state again."""

from __future__ import annotations

from domain.cases.access import for_holder, for_staff, is_manager, must_hold, not_own
from domain.cases.commands import (
    AddNote,
    AnswerCitizen,
    Ask,
    CaseUpdate,
    Decide,
    ReleaseCase,
    StaffCommand,
    TakeCase,
    TransferCase,
)
from domain.cases.errors import CaseClosed, CaseMovedOn, CaseTaken, NotYourCase
from domain.cases.model import REPORT_KINDS, REPORT_OUTCOMES, Audience, Case, CaseKind, CaseState, EventKind
from domain.cases.ports import Cases
from domain.cases.recording import Happening, Recorder, staff_author, words
from domain.errors import NotAllowed, NotFound
from domain.law.loader import Laws
from domain.law.model import Queue
from domain.people.ports import People
from domain.privacy.ports import Parties


async def take_case(
    command: TakeCase, *, cases: Cases, people: People, parties: Parties, record: Recorder
) -> CaseUpdate:
    """Take a case. Taking what one has already changes nothing.

    Raises:
        NotFound, NotAllowed: The case is not for this person.
        CaseClosed: It is over.
        CaseTaken: A colleague has it; the refusal names them.
        OwnCase: It is the person's own.
    """
    case = await _of_others(command, cases=cases, parties=parties)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    if case.assignee == command.by.id:
        return CaseUpdate(case)
    if case.assignee is not None:
        raise CaseTaken(case_id=case.id, holder=(await people.get(case.assignee)).name)
    return await record(case, Happening(EventKind.TAKEN), author=staff_author(command.by))


async def release_case(command: ReleaseCase, *, cases: Cases, parties: Parties, record: Recorder) -> CaseUpdate:
    """Put a case back into its queue. One that nobody has stays as it is.

    Raises:
        NotFound, NotAllowed: The case is not for this person.
        CaseClosed: It is over.
        NotYourCase: A colleague has it, and the person is no manager.
        OwnCase: It is the person's own.
    """
    case = await _of_others(command, cases=cases, parties=parties)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    if case.assignee is None:
        return CaseUpdate(case)
    if case.assignee != command.by.id and not is_manager(case, command.by):
        raise NotYourCase(case_id=case.id)
    return await record(case, Happening(EventKind.RELEASED, audience=Audience.STAFF), author=staff_author(command.by))


def transfer_queues(case: Case, *, laws: Laws) -> tuple[Queue, ...]:
    """Return the other queues that a case can be handed to: of registrations, or of reports of any kind."""
    kinds = {CaseKind.REGISTRATION} if case.kind is CaseKind.REGISTRATION else REPORT_KINDS
    return tuple(
        queue
        for queue in laws.rulebook(case.city, case.service).queues.values()
        if queue.key != case.queue and not kinds.isdisjoint(CaseKind(kind) for kind in queue.handles)
    )


async def transfer_case(
    command: TransferCase, *, cases: Cases, parties: Parties, laws: Laws, record: Recorder
) -> CaseUpdate:
    """Hand a case over to another queue; nobody holds it then. The citizen learns of it, the note stays with staff.

    Raises:
        NotFound: The case is not for this person, or its service has no such queue.
        NotAllowed: The person's roles do not include it.
        CaseClosed: It is over.
        NotYourCase: A colleague has it, and the person is no manager.
        OwnCase: It is the person's own.
    """
    case = await _of_others(command, cases=cases, parties=parties)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    if case.assignee not in (None, command.by.id) and not is_manager(case, command.by):
        raise NotYourCase(case_id=case.id)
    if case.queue == command.queue:
        return CaseUpdate(case)
    if command.queue not in {queue.key for queue in transfer_queues(case, laws=laws)}:
        raise NotFound(f"case {case.id}: no queue {command.queue!r} for its kind")
    note = Happening(EventKind.NOTED, text=command.text, audience=Audience.STAFF)
    return await record(
        case,
        *((note,) if command.text.strip() else ()),
        Happening(EventKind.TRANSFERRED, data={"queue": command.queue}),
        author=staff_author(command.by),
    )


async def add_note(command: AddNote, *, cases: Cases, parties: Parties, record: Recorder) -> CaseUpdate:
    """Write a note that never reaches the citizen; anyone who works on the case may, even when it is over.

    Raises:
        NotFound, NotAllowed: The case is not for this person.
        TextMissing: The note is empty.
        OwnCase: It is the person's own.
    """
    case = await _of_others(command, cases=cases, parties=parties)
    return await record(
        case,
        Happening(EventKind.NOTED, text=words(command.text, case), audience=Audience.STAFF),
        author=staff_author(command.by),
    )


async def ask(command: Ask, *, cases: Cases, record: Recorder) -> CaseUpdate:
    """Ask the citizen something; the case waits for the answer and stays with who asked.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        TextMissing: The question is empty.
    """
    case = await for_holder(command.case_id, command.by, cases=cases)
    return await record(
        case, Happening(EventKind.ASKED, text=words(command.text, case)), author=staff_author(command.by)
    )


async def answer_citizen(command: AnswerCitizen, *, cases: Cases, record: Recorder) -> CaseUpdate:
    """Tell the citizen something while the case goes on: an intermediate answer, no outcome.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        TextMissing: The answer is empty.
    """
    case = await for_holder(command.case_id, command.by, cases=cases)
    return await record(
        case, Happening(EventKind.ANSWERED, text=words(command.text, case)), author=staff_author(command.by)
    )


async def decide(command: Decide, *, cases: Cases, record: Recorder) -> CaseUpdate:
    """Tell a report's outcome; the citizen may then confirm or contest it. Registrations are approved or denied.

    Raises:
        NotFound, NotAllowed, NotYourCase: As :func:`for_holder`.
        NotAllowed: It is a registration, or reports have no such outcome.
        CaseMovedOn: An outcome was told already.
        CaseClosed: It is closed.
        TextMissing: The outcome comes without a word.
    """
    case = await for_staff(command.case_id, command.by, cases=cases)
    if case.kind is CaseKind.REGISTRATION or command.outcome not in REPORT_OUTCOMES:
        raise NotAllowed(f"case {case.id}: a {case.kind.value} has no outcome {command.outcome.value!r}")
    if case.state is CaseState.DECIDED:
        raise CaseMovedOn(case_id=case.id)
    must_hold(case, command.by)
    return await record(
        case,
        Happening(EventKind.DECIDED, text=words(command.text, case), data={"outcome": command.outcome.value}),
        author=staff_author(command.by),
    )


async def _of_others(command: StaffCommand, *, cases: Cases, parties: Parties) -> Case:
    """Return a case that the person's roles let them work on and that is not their own."""
    case = await for_staff(command.case_id, command.by, cases=cases)
    await not_own(case, command.by, parties=parties)
    return case
