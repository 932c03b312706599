"""The use cases, bound to one update's transaction: ``await context.services.take_case(TakeCase(...))``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import wraps
from inspect import Parameter, signature
from typing import Any, Concatenate, TypeVar, overload

from domain.cases import citizen, service, views
from domain.cases.commands import CitizenCase
from domain.cases.ports import Cases, Protocols
from domain.cases.recording import Recorder
from domain.files.ports import Files
from domain.law.loader import Laws
from domain.people import service as staff
from domain.people.model import Person
from domain.people.ports import Grants, Invites, People, StaffMember
from domain.privacy.model import Receipts
from domain.privacy.ports import Parties
from domain.queues import service as queues
from domain.queues.model import CityQueues
from domain.registration import review
from domain.registration import service as registration
from domain.reminders import service as reminders
from domain.reminders.model import Moved, Told
from domain.reminders.ports import Ledger, Obligations
from domain.reports import service as reports
from domain.reports import watch
from domain.reports.ports import AnswerWatch
from domain.reports.watch import TermsTold

FirstT = TypeVar("FirstT")
SecondT = TypeVar("SecondT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What one update's use cases work on; all of it in that update's transaction. ``now`` is UTC.

    A use case gets each by the name that its own argument has.
    """

    people: People
    grants: Grants
    invites: Invites
    cases: Cases
    protocols: Protocols
    parties: Parties
    files: Files
    obligations: Obligations
    ledger: Ledger
    watch: AnswerWatch
    laws: Laws
    receipts: Receipts
    now: datetime

    @property
    def record(self) -> Recorder:
        """What writes timelines, on the same transaction."""
        return Recorder(cases=self.cases, people=self.people, parties=self.parties, now=self.now)


NAMES = frozenset({port.name for port in fields(Ports)} | {"record"})


@overload
def bound(
    use_case: Callable[Concatenate[FirstT, SecondT, ...], ResultT],
) -> Callable[[Services, FirstT, SecondT], ResultT]: ...
@overload
def bound(use_case: Callable[Concatenate[FirstT, ...], ResultT]) -> Callable[[Services, FirstT], ResultT]: ...
def bound(use_case: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method of a use case: what is asked comes from the caller, what it works on from the ports.

    Raises:
        TypeError: The use case names a port that there is not.
    """
    names = tuple(one.name for one in signature(use_case).parameters.values() if one.kind is Parameter.KEYWORD_ONLY)
    if not NAMES.issuperset(names):
        raise TypeError(f"{use_case.__name__} asks for a port that there is not: {set(names) - NAMES}")

    @wraps(use_case)
    def method(services: Services, *asked: Any) -> Any:
        ports = services.ports
        return use_case(*asked, **{name: getattr(ports, name) for name in names})

    return method


@dataclass(frozen=True, slots=True)
class Services:
    """One method per use case; what it refuses and why stands with the use case."""

    ports: Ports

    # people
    invite_staff = bound(staff.invite_staff)
    read_invite = bound(staff.read_invite)
    accept_invite = bound(staff.accept_invite)
    revoke_role = bound(staff.revoke_role)
    choose_language = bound(staff.choose_language)
    choose_city = bound(staff.choose_city)

    async def list_staff(self, city: str, by: Person | None = None) -> tuple[StaffMember, ...]:
        return await staff.list_staff(city, by, grants=self.ports.grants, laws=self.ports.laws)

    # queues
    queue_page = bound(queues.queue_page)
    take_next = bound(queues.take_next)
    hand_back = bound(queues.hand_back)

    async def queue_overview(self, by: Person, city: str | None = None) -> tuple[CityQueues, ...]:
        return await queues.queue_overview(by, city, cases=self.ports.cases, laws=self.ports.laws)

    # cases, as staff
    take_case = bound(service.take_case)
    release_case = bound(service.release_case)
    transfer_queues = bound(service.transfer_queues)
    transfer_case = bound(service.transfer_case)
    add_note = bound(service.add_note)
    ask = bound(service.ask)
    answer_citizen = bound(service.answer_citizen)
    decide = bound(service.decide)
    case_for_staff = bound(views.case_for_staff)
    case_by_protocol = bound(views.case_by_protocol)

    # cases, as a citizen
    reply = bound(citizen.reply)
    add_evidence = bound(citizen.add_evidence)
    confirm_outcome = bound(citizen.confirm_outcome)
    contest_outcome = bound(citizen.contest_outcome)
    withdraw_case = bound(citizen.withdraw_case)
    open_by_receipt = bound(views.open_by_receipt)
    my_cases = bound(views.my_cases)

    async def case_for_citizen(self, case_id: int, by: Person, receipt: str | None = None) -> CitizenCase:
        p = self.ports
        return await views.case_for_citizen(
            case_id, by, receipt, cases=p.cases, parties=p.parties, files=p.files, receipts=p.receipts
        )

    # reports
    file_report = bound(reports.file_report)
    extend_term = bound(reports.extend_term)

    async def watch_answers(self, *, limit: int) -> tuple[int, tuple[TermsTold, ...]]:
        p = self.ports
        return await watch.watch_answers(
            watch=p.watch, people=p.people, grants=p.grants, parties=p.parties, laws=p.laws, now=p.now, limit=limit
        )

    # registrations, as the applicant
    checklist_of = bound(registration.checklist_of)
    start_application = bound(registration.start_application)
    application_of = bound(registration.application_of)
    give_facts = bound(registration.give_facts)
    send_item = bound(registration.send_item)
    withdraw_item = bound(registration.withdraw_item)
    submit = bound(registration.submit)

    # registrations, as staff
    accept_item = bound(review.accept_item)
    refuse_item = bound(review.refuse_item)
    approve = bound(review.approve)
    deny = bound(review.deny)

    # reminders
    my_obligations = bound(reminders.my_obligations)
    settle_obligation = bound(reminders.settle_obligation)

    async def pick_due(self, *, limit: int) -> tuple[Told, ...]:
        p = self.ports
        return await reminders.pick_due(people=p.people, ledger=p.ledger, laws=p.laws, now=p.now, limit=limit)

    async def heal_obligations(self, *, limit: int) -> tuple[int, tuple[Moved, ...]]:
        p = self.ports
        return await reminders.heal_obligations(
            cases=p.cases,
            people=p.people,
            parties=p.parties,
            obligations=p.obligations,
            ledger=p.ledger,
            laws=p.laws,
            now=p.now,
            limit=limit,
        )
