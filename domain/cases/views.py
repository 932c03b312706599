"""What each side of the counter sees of a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain.cases.access import for_citizen, for_staff, not_own
from domain.cases.commands import CaseCard, CitizenCase, PartyView
from domain.cases.model import Audience, Case, Event
from domain.cases.ports import Cases
from domain.cases.protocol import read_protocol
from domain.errors import NotFound
from domain.files.model import ReceivedFile
from domain.files.ports import Files
from domain.people.model import Person
from domain.people.ports import People
from domain.privacy.errors import ReceiptUnknown
from domain.privacy.model import IdentityMode, Receipts, read_receipt
from domain.privacy.ports import Parties


async def case_for_staff(
    case_id: int, by: Person, *, cases: Cases, people: People, parties: Parties, files: Files
) -> CaseCard:
    """Return all that staff may see of a case. The name appears only of a citizen who chose to be identified.

    Raises:
        NotFound, NotAllowed: The case is not for this person.
        OwnCase: It is the person's own: they read it as its citizen.
    """
    case = await for_staff(case_id, by, cases=cases, lock=False)
    await not_own(case, by, parties=parties)
    events = await cases.events(case.id)
    party = await parties.of(case.id)
    reachable = party.person_id is None or await people.recipient(party.person_id) is not None
    identified = party.mode is IdentityMode.IDENTIFIED and party.person_id is not None
    name = (await people.get(party.person_id)).name if identified and party.person_id is not None else None
    holder = (await people.get(case.assignee)).name if case.assignee is not None else None
    return CaseCard(
        case=case,
        events=events,
        files=await _files_of(events, files),
        party=PartyView(party.mode, name, reachable),
        holder=holder,
        mine=case.assignee == by.id,
    )


async def case_by_protocol(written: str, by: Person, *, cases: Cases) -> Case:
    """Return the case that a member of staff names by its protocol, however it was typed.

    Raises:
        NotFound: It is no protocol, or of no case of this person's cities.
        NotAllowed: The person's roles do not include it.
    """
    number = read_protocol(written)
    found = await cases.by_protocol(number) if number is not None else None
    if found is None:
        raise NotFound("no case has this protocol")
    return await for_staff(found.id, by, cases=cases, lock=False)


async def case_for_citizen(
    case_id: int,
    by: Person,
    receipt: str | None = None,
    *,
    cases: Cases,
    parties: Parties,
    files: Files,
    receipts: Receipts,
) -> CitizenCase:
    """Return what a citizen sees of a case of theirs: nothing that only staff reads.

    Raises:
        NotFound: The case is not theirs.
    """
    case, party = await for_citizen(case_id, by, receipt, cases=cases, parties=parties, receipts=receipts, lock=False)
    events = tuple(event for event in await cases.events(case.id) if event.audience is Audience.ALL)
    return CitizenCase(case, events, await _files_of(events, files), party.mode)


async def open_by_receipt(
    written: str, *, cases: Cases, parties: Parties, files: Files, receipts: Receipts
) -> CitizenCase:
    """Return an anonymous case to who holds its receipt. Nothing about who asks is recorded.

    Raises:
        ReceiptUnknown: It is not 16 digits, or no case has it.
    """
    receipt = read_receipt(written)
    case_id = await parties.by_receipt(receipts.hashes(receipt)) if receipt is not None else None
    if case_id is None:
        raise ReceiptUnknown
    case = await cases.get(case_id)
    events = tuple(event for event in await cases.events(case_id) if event.audience is Audience.ALL)
    return CitizenCase(case, events, await _files_of(events, files), IdentityMode.ANONYMOUS)


async def my_cases(by: Person, *, cases: Cases, parties: Parties) -> tuple[Case, ...]:
    """Return a person's cases, newest first, drafts and closed ones too; anonymous ones are nobody's."""
    return await cases.many(await parties.cases_of(by.id))


async def _files_of(events: Iterable[Event], files: Files) -> Mapping[int, ReceivedFile]:
    ids = sorted({int(file_id) for event in events for file_id in event.data.get("files", ())})
    return {file.id: file for file in await files.many(ids)} if ids else {}
