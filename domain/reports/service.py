"""Receiving a report, and taking longer for its answer."""

from __future__ import annotations

from datetime import datetime

from domain.cases.access import for_holder
from domain.cases.commands import CaseUpdate, ExtendTerm
from domain.cases.errors import CaseMovedOn
from domain.cases.model import REPORT_KINDS, Author, EventKind
from domain.cases.ports import Cases, Protocols
from domain.cases.protocol import protocol, protocol_series
from domain.cases.recording import Happening, Recorder, staff_author, words
from domain.errors import NotFound
from domain.files.ports import Files
from domain.law.loader import Laws
from domain.privacy.model import IdentityMode, Party, Receipts, new_receipt
from domain.privacy.ports import Parties
from domain.reports.answer import answer_deadline, extended_deadline, stopped_on
from domain.reports.errors import TermExtended, TermFixed, TermOver
from domain.reports.model import Filed, FileReport


async def file_report(
    command: FileReport,
    *,
    cases: Cases,
    protocols: Protocols,
    parties: Parties,
    files: Files,
    laws: Laws,
    receipts: Receipts,
    record: Recorder,
    now: datetime,
) -> Filed:
    """Receive a report, number it, and put it into the queue that its law or its city names.

    Identified and protected reports are bound to the person, who gets every answer; of a protected one staff sees no
    name. An anonymous one is bound to nobody, so that no answer can be sent: its receipt opens it again.

    Raises:
        NotFound: The city, the service or the subject does not exist, or a file does not.
    """
    city = command.city
    rulebook = laws.find(city, command.service)
    if rulebook is None or command.kind not in REPORT_KINDS:
        raise NotFound("no such report here")
    if command.subject not in {subject.key for subject in rulebook.subjects(command.kind)}:
        raise NotFound("no such subject")

    case = await cases.add(city=city, service=command.service, kind=command.kind)
    receipt = new_receipt() if command.mode is IdentityMode.ANONYMOUS else None
    party = (
        Party(command.mode, receipt_hash=receipts.hashes(receipt)[0]) if receipt else Party(command.mode, command.by.id)
    )
    await parties.bind(case.id, party)
    await files.attach(case.id, command.files)

    series = protocol_series(city, now.astimezone(laws.city(city).zone).year)
    number = protocol(series, await protocols.next(series))
    opened = {"subject": command.subject, "facts": dict(command.facts), "files": list(command.files)}
    queue = rulebook.queue_for(command.kind, command.subject)
    update = await record(
        case,
        Happening(EventKind.OPENED, data=opened),
        Happening(EventKind.SUBMITTED, data={"protocol": number, "queue": queue.key}),
        author=Author.citizen(),
    )
    return Filed(update, number, receipt)


async def extend_term(command: ExtendTerm, *, cases: Cases, laws: Laws, record: Recorder, now: datetime) -> CaseUpdate:
    """Extend the term of a report's answer as the law allows: while it runs, once, and with a reason for the citizen.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        CaseMovedOn: The term stands still, until the citizen has answered.
        TermFixed: No law extends this term, or it is no report.
        TermExtended: It was extended before.
        TermOver: It ended before today.
        TextMissing: It is not said why.
    """
    case = await for_holder(command.case_id, command.by, cases=cases)
    due = answer_deadline(case, laws=laws)
    if stopped_on(case, laws=laws) is not None:
        raise CaseMovedOn(case_id=case.id)
    if due is None or due.ends_on is None or extended_deadline(case, laws=laws) is None:
        raise TermFixed(case_id=case.id)
    if case.extended_at is not None:
        raise TermExtended(case_id=case.id, due=due.ends_on)
    if due.ends_on < now.astimezone(laws.city(case.city).zone).date():
        raise TermOver(case_id=case.id, due=due.ends_on, cite=due.cite)
    return await record(
        case, Happening(EventKind.EXTENDED, text=words(command.text, case)), author=staff_author(command.by)
    )
