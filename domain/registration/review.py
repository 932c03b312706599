"""What staff does to a registration: item by item, then approve or deny."""

from __future__ import annotations

from datetime import datetime

from domain.cases.access import for_holder
from domain.cases.commands import CaseUpdate, StaffCommand
from domain.cases.errors import CaseMovedOn
from domain.cases.model import Author, Case, CaseKind, EventKind, ItemState, Outcome
from domain.cases.ports import Cases
from domain.cases.recording import Happening, Recorder, staff_author, words
from domain.errors import NotAllowed
from domain.law.loader import Laws
from domain.people.ports import People
from domain.privacy.ports import Parties
from domain.registration.commands import AcceptItem, Approve, Approved, Deny, RefuseItem
from domain.registration.errors import ItemAlreadyDecided, ItemsUndecided, ItemUnknown
from domain.registration.service import checklist_of, line_of, returns_to_staff
from domain.reminders.ports import Ledger, Obligations
from domain.reminders.service import plan_obligations


async def accept_item(command: AcceptItem, *, cases: Cases, laws: Laws, record: Recorder, now: datetime) -> CaseUpdate:
    """Accept an item; a refused one too, if the refusal was a mistake: the case is then with staff again.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        ItemUnknown: The checklist has no such item.
        ItemAlreadyDecided: It is accepted.
        CaseMovedOn: Nothing was sent for it, or newer files than those that were looked at.
    """
    case = await _held(command, cases=cases)
    line = line_of(case, command.item, laws=laws, now=now)
    if line.state is ItemState.ACCEPTED:
        raise ItemAlreadyDecided(case_id=case.id, item=line.requirement.label)
    await _check_seen(case, line.key, line.state, command.seen, cases=cases)
    author = staff_author(command.by)
    happening = Happening(EventKind.ITEM_ACCEPTED, data={"item": line.key})
    update = await record(case, happening, author=author)
    if not returns_to_staff(update.case, laws=laws, now=now):
        return update
    back = Happening(EventKind.SUBMITTED, author=Author.system())
    returned = await record(update.case, back, author=author)
    return CaseUpdate(returned.case, (*update.events, *returned.events), citizen=returned.citizen)


async def refuse_item(command: RefuseItem, *, cases: Cases, laws: Laws, record: Recorder, now: datetime) -> CaseUpdate:
    """Refuse an item with a reason of the list; the case waits for the applicant and stays with who refused.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        ItemUnknown: The checklist has no such item, or the list no such reason.
        ItemAlreadyDecided: It is refused.
        CaseMovedOn: Nothing was sent for it, or newer files than those that were looked at.
    """
    case = await _held(command, cases=cases)
    line = line_of(case, command.item, laws=laws, now=now)
    if command.reason not in laws.reject_reasons:
        raise ItemUnknown(case_id=case.id, item=command.reason)
    if line.state is ItemState.REFUSED:
        raise ItemAlreadyDecided(case_id=case.id, item=line.requirement.label)
    await _check_seen(case, line.key, line.state, command.seen, cases=cases)
    return await record(
        case,
        Happening(EventKind.ITEM_REFUSED, text=command.comment, data={"item": line.key, "reason": command.reason}),
        author=staff_author(command.by),
    )


async def approve(
    command: Approve,
    *,
    cases: Cases,
    people: People,
    parties: Parties,
    obligations: Obligations,
    ledger: Ledger,
    laws: Laws,
    record: Recorder,
    now: datetime,
) -> Approved:
    """Approve a registration; what the person owes from now on is planned with its reminders.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        ItemsUndecided: Items that it rests on are not accepted; the refusal names them.
    """
    case = await _held(command, cases=cases)
    lines = checklist_of(case, laws=laws, now=now).lines
    undecided = tuple(
        line.requirement.label for line in lines if line.holds_up and line.state is not ItemState.ACCEPTED
    )
    if undecided:
        raise ItemsUndecided(case_id=case.id, undecided=undecided)
    update = await record(
        case,
        Happening(EventKind.DECIDED, text=command.text, data={"outcome": Outcome.APPROVED.value}),
        author=staff_author(command.by),
    )
    await plan_obligations(
        update.case, people=people, parties=parties, obligations=obligations, ledger=ledger, laws=laws, now=now
    )
    return Approved(update, await obligations.of_case(case.id))


async def deny(command: Deny, *, cases: Cases, record: Recorder) -> CaseUpdate:
    """Deny a registration; the applicant reads why and may start another.

    Raises:
        NotFound, NotAllowed, CaseClosed, NotYourCase: As :func:`for_holder`.
        TextMissing: It is not said why.
    """
    case = await _held(command, cases=cases)
    return await record(
        case,
        Happening(EventKind.DECIDED, text=words(command.text, case), data={"outcome": Outcome.DENIED.value}),
        author=staff_author(command.by),
    )


async def _held(command: StaffCommand, *, cases: Cases) -> Case:
    case = await for_holder(command.case_id, command.by, cases=cases)
    if case.kind is not CaseKind.REGISTRATION:
        raise NotAllowed(f"case {case.id} is no registration")
    return case


async def _check_seen(case: Case, item: str, state: ItemState, seen: int | None, *, cases: Cases) -> None:
    """Refuse to decide on what was not sent, or on files that came after those that were looked at."""
    if state is ItemState.MISSING:
        raise CaseMovedOn(case_id=case.id)
    if seen is None:
        return
    for event in await cases.events(case.id):
        if event.seq > seen and event.kind is EventKind.ITEM_SENT and event.data["item"] == item:
            raise CaseMovedOn(case_id=case.id)
