"""Who may touch a case. Every press is checked here again, whatever the button said."""

from __future__ import annotations

from domain.cases.errors import CaseClosed, NotYourCase, OwnCase
from domain.cases.model import Case, CaseState
from domain.cases.ports import Cases
from domain.errors import NotAllowed, NotFound
from domain.people.model import Person, Role
from domain.privacy.model import Party, Receipts
from domain.privacy.ports import Parties
from domain.queues.model import kinds_for


async def for_staff(case_id: int, by: Person, *, cases: Cases, lock: bool = True) -> Case:
    """Return a case that the person's roles let them work on.

    Raises:
        NotFound: There is none, it is still a draft, or it is of a city where the person does not work.
        NotAllowed: The person's roles in its city do not include cases of this kind.
    """
    case = await cases.get(case_id, lock=lock)
    if case.state is CaseState.DRAFT or case.protocol is None or not by.roles_in(case.city):
        raise NotFound(f"case {case_id} is not for this person")
    if case.kind not in kinds_for(by, case.city):
        raise NotAllowed(f"case {case_id} is not for the roles of this person")
    return case


async def for_holder(case_id: int, by: Person, *, cases: Cases) -> Case:
    """Return an unfinished case that the person has taken.

    Raises:
        NotFound, NotAllowed: As :func:`for_staff`.
        CaseClosed: It is over.
        NotYourCase: Somebody else has it, or nobody.
    """
    case = await for_staff(case_id, by, cases=cases)
    must_hold(case, by)
    return case


def must_hold(case: Case, by: Person) -> None:
    """Keep everybody but its holder from working on a case, and its holder too once it is over.

    Raises:
        CaseClosed: It is over.
        NotYourCase: Somebody else has it, or nobody.
    """
    if case.is_over:
        raise CaseClosed(case_id=case.id, protocol=case.protocol)
    if case.assignee != by.id:
        raise NotYourCase(case_id=case.id)


async def for_citizen(
    case_id: int,
    by: Person,
    receipt: str | None = None,
    *,
    cases: Cases,
    parties: Parties,
    receipts: Receipts,
    lock: bool = True,
) -> tuple[Case, Party]:
    """Return a case that belongs to the person, or to who holds its receipt.

    Raises:
        NotFound: There is no such case, or it is somebody else's: the two are told alike.
    """
    case = await cases.get(case_id, lock=lock)
    party = await parties.of(case_id)
    theirs = party.person_id == by.id if party.receipt_hash is None else _holds(receipt, party.receipt_hash, receipts)
    if not theirs:
        raise NotFound(f"case {case_id} is not for this person")
    return case, party


async def not_own(case: Case, by: Person, *, parties: Parties) -> None:
    """Keep a member of staff from working on a case of their own, and from reading the notes in it.

    Raises:
        OwnCase: It is theirs.
    """
    if (await parties.of(case.id)).person_id == by.id:
        raise OwnCase(case_id=case.id)


def is_manager(case: Case, by: Person) -> bool:
    """Whether the person manages the case's city."""
    return by.may(case.city, (Role.MANAGER,))


def _holds(receipt: str | None, receipt_hash: str, receipts: Receipts) -> bool:
    return receipt is not None and receipt_hash in receipts.hashes(receipt)
