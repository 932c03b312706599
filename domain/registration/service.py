"""What an applicant does: start, tell facts, send items, hand in."""

from __future__ import annotations

from datetime import date, datetime

from domain.cases.commands import CaseUpdate
from domain.cases.errors import CaseClosed, CaseMovedOn
from domain.cases.model import Author, Case, CaseKind, CaseState, EventKind, ItemState
from domain.cases.ports import Cases, Protocols
from domain.cases.protocol import protocol, protocol_series
from domain.cases.recording import Happening, Recorder
from domain.errors import NotFound
from domain.files.ports import Files
from domain.law.loader import Laws
from domain.privacy.model import IdentityMode, Party
from domain.privacy.ports import Parties
from domain.registration.commands import (
    ApplicationCommand,
    Checklist,
    GiveFacts,
    SendItem,
    StartApplication,
    Submit,
    WithdrawItem,
)
from domain.registration.errors import ChecklistIncomplete, FileMissing, ItemAlreadyDecided, ItemUnknown
from domain.registration.model import ChecklistLine, checklist, json_facts, law_facts, progress


def checklist_of(case: Case, *, laws: Laws, now: datetime) -> Checklist:
    """Return a registration's checklist, by the law of the day it was handed in or, for a draft, of today."""
    rulebook = laws.rulebook(case.city, case.service)
    lines = checklist(rulebook, case, law_facts(laws, case.facts), _law_day(case, laws=laws, now=now))
    return Checklist(case, lines, progress(lines))


def still_owed(lines: tuple[ChecklistLine, ...]) -> tuple[str, ...]:
    """Return the labels of what keeps a registration from going to staff: missing where needed, refused anywhere."""
    return tuple(
        line.requirement.label
        for line in lines
        if line.state is ItemState.REFUSED or (line.holds_up and line.state is ItemState.MISSING)
    )


async def start_application(
    command: StartApplication, *, cases: Cases, parties: Parties, laws: Laws, record: Recorder
) -> Case:
    """Begin a registration. One that the person has and that is not over is gone on with, with the new facts.

    Raises:
        NotFound: No such city, service or kind of applicant.
    """
    rulebook = laws.find(command.city, command.service)
    if rulebook is None or command.applicant not in rulebook.applicants:
        raise NotFound("no such registration here")
    facts = json_facts(command.facts)
    for known in await cases.many(await parties.cases_of(command.by.id)):
        if _is(known, command) and not known.is_over:
            if known.state is CaseState.DRAFT and any(known.facts.get(key) != value for key, value in facts.items()):
                told = Happening(EventKind.FACTS_GIVEN, data={"facts": facts})
                known = (await record(known, told, author=Author.citizen())).case
            return known
    case = await cases.add(city=command.city, service=command.service, kind=CaseKind.REGISTRATION)
    await parties.bind(case.id, Party(IdentityMode.IDENTIFIED, command.by.id))
    opened = Happening(EventKind.OPENED, data={"subject": command.applicant, "facts": facts})
    return (await record(case, opened, author=Author.citizen())).case


async def application_of(
    command: ApplicationCommand, *, cases: Cases, parties: Parties, laws: Laws, now: datetime
) -> Checklist:
    """Return an applicant's registration with its checklist.

    Raises:
        NotFound: It is not theirs.
    """
    case = await _theirs(command, cases=cases, parties=parties)
    return checklist_of(case, laws=laws, now=now)


async def give_facts(command: GiveFacts, *, cases: Cases, parties: Parties, record: Recorder) -> CaseUpdate:
    """Add or correct facts while the registration is with the applicant; the checklist follows them.

    Raises:
        NotFound: It is not theirs.
        CaseClosed: It is over.
        CaseMovedOn: It is with staff.
    """
    case = await _open(command, cases=cases, parties=parties)
    if case.state not in (CaseState.DRAFT, CaseState.WAITING):
        raise CaseMovedOn(case_id=case.id)
    facts = json_facts(command.facts)
    if all(case.facts.get(key) == value for key, value in facts.items()):
        return CaseUpdate(case)
    told = Happening(EventKind.FACTS_GIVEN, data={"facts": facts})
    return await record(case, told, author=Author.citizen())


async def send_item(
    command: SendItem, *, cases: Cases, parties: Parties, files: Files, laws: Laws, record: Recorder, now: datetime
) -> CaseUpdate:
    """Send an item. When nothing is left to send, to correct or to answer, the case returns to staff by itself.

    Raises:
        NotFound: The registration is not theirs, or a file does not exist.
        CaseClosed: It is over.
        ItemUnknown: Its checklist has no such item.
        ItemAlreadyDecided: The item is accepted.
        FileMissing: No file came.
    """
    case = await _open(command, cases=cases, parties=parties)
    line = line_of(case, command.item, laws=laws, now=now)
    if line.state is ItemState.ACCEPTED:
        raise ItemAlreadyDecided(case_id=case.id, item=line.requirement.label)
    if not command.files:
        raise FileMissing(case_id=case.id)
    await files.attach(case.id, command.files)
    sent = Happening(EventKind.ITEM_SENT, text=command.caption, data={"item": line.key, "files": list(command.files)})
    return await _record_and_return(case, sent, laws=laws, record=record, now=now)


async def withdraw_item(
    command: WithdrawItem, *, cases: Cases, parties: Parties, laws: Laws, record: Recorder, now: datetime
) -> CaseUpdate:
    """Take back what was sent for an item: anything of a draft, afterwards only what the registration can do without.

    Raises:
        NotFound: The registration is not theirs.
        CaseClosed: It is over.
        ItemUnknown: Its checklist has no such item.
        ItemAlreadyDecided: The item is accepted.
        CaseMovedOn: The registration was handed in and rests on the item.
    """
    case = await _open(command, cases=cases, parties=parties)
    line = line_of(case, command.item, laws=laws, now=now)
    if line.state is ItemState.MISSING:
        return CaseUpdate(case)
    if line.state is ItemState.ACCEPTED:
        raise ItemAlreadyDecided(case_id=case.id, item=line.requirement.label)
    if case.state is not CaseState.DRAFT and line.holds_up:
        raise CaseMovedOn(case_id=case.id)
    withdrawn = Happening(EventKind.ITEM_WITHDRAWN, data={"item": line.key})
    return await _record_and_return(case, withdrawn, laws=laws, record=record, now=now)


async def submit(
    command: Submit,
    *,
    cases: Cases,
    protocols: Protocols,
    parties: Parties,
    laws: Laws,
    record: Recorder,
    now: datetime,
) -> CaseUpdate:
    """Hand the registration in: it gets its protocol and its queue. Handing it in again changes nothing.

    Raises:
        NotFound: It is not theirs.
        CaseClosed: It is over.
        ChecklistIncomplete: Items are missing or to be corrected; the refusal names them.
        CaseMovedOn: A question of staff's is to be answered first.
    """
    case = await _open(command, cases=cases, parties=parties)
    if case.state in (CaseState.OPEN, CaseState.TAKEN):
        return CaseUpdate(case)
    missing = still_owed(checklist_of(case, laws=laws, now=now).lines)
    if missing:
        raise ChecklistIncomplete(case_id=case.id, missing=missing)
    if case.asked:
        raise CaseMovedOn(case_id=case.id)
    data: dict[str, str] = {}
    if case.protocol is None:
        series = protocol_series(case.city, now.astimezone(laws.city(case.city).zone).year)
        queue = laws.rulebook(case.city, case.service).queue_for(case.kind, case.subject)
        data = {"protocol": protocol(series, await protocols.next(series)), "queue": queue.key}
    handed_in = Happening(EventKind.SUBMITTED, data=data)
    return await record(case, handed_in, author=Author.citizen())


def returns_to_staff(case: Case, *, laws: Laws, now: datetime) -> bool:
    """Whether a case that waits for its applicant has all that it waited for."""
    if case.state is not CaseState.WAITING or case.asked:
        return False
    return not still_owed(checklist_of(case, laws=laws, now=now).lines)


def line_of(case: Case, item: str, *, laws: Laws, now: datetime) -> ChecklistLine:
    """Return one line of a registration's checklist.

    Raises:
        ItemUnknown: There is no such line.
    """
    for line in checklist_of(case, laws=laws, now=now).lines:
        if line.key == item:
            return line
    raise ItemUnknown(case_id=case.id, item=item)


async def _record_and_return(
    case: Case, happening: Happening, *, laws: Laws, record: Recorder, now: datetime
) -> CaseUpdate:
    update = await record(case, happening, author=Author.citizen())
    if not returns_to_staff(update.case, laws=laws, now=now):
        return update
    back = await record(update.case, Happening(EventKind.SUBMITTED), author=Author.citizen())
    return CaseUpdate(back.case, (*update.events, *back.events), back.citizen, back.staff)


async def _theirs(command: ApplicationCommand, *, cases: Cases, parties: Parties) -> Case:
    party = await parties.of(command.case_id)
    case = await cases.get(command.case_id, lock=True)
    if party.person_id != command.by.id or case.kind is not CaseKind.REGISTRATION:
        raise NotFound(f"registration {command.case_id} is not for this person")
    return case


async def _open(command: ApplicationCommand, *, cases: Cases, parties: Parties) -> Case:
    case = await _theirs(command, cases=cases, parties=parties)
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    return case


def _is(case: Case, command: StartApplication) -> bool:
    return (case.kind, case.city, case.service, case.subject) == (
        CaseKind.REGISTRATION,
        command.city,
        command.service,
        command.applicant,
    )


def _law_day(case: Case, *, laws: Laws, now: datetime) -> date:
    return (case.submitted_at or now).astimezone(laws.city(case.city).zone).date()
