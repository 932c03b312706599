"""The use cases, bound to one update's transaction: ``await context.services.take_case(TakeCase(...))``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from domain.cases import citizen, service, views
from domain.cases.commands import (
    AddEvidence,
    AddNote,
    AnswerCitizen,
    Ask,
    CaseCard,
    CaseUpdate,
    CitizenCase,
    ConfirmOutcome,
    ContestOutcome,
    Decide,
    ReleaseCase,
    Reply,
    TakeCase,
    TransferCase,
    WithdrawCase,
)
from domain.cases.model import Case
from domain.cases.ports import Cases, Protocols
from domain.files.ports import Files
from domain.law.loader import Laws
from domain.law.model import Queue
from domain.people import service as staff
from domain.people.model import Invite, Person
from domain.people.ports import Grants, Invites, People, StaffMember
from domain.people.service import Invited, InviteStaff, Joined, RevokeRole
from domain.privacy.model import Receipts
from domain.privacy.ports import Parties
from domain.queues import service as queues
from domain.queues.model import CityQueues, QueuePage
from domain.queues.service import LookAtQueue
from domain.registration import review
from domain.registration import service as registration
from domain.registration.commands import (
    AcceptItem,
    ApplicationCommand,
    Approve,
    Approved,
    Checklist,
    Deny,
    GiveFacts,
    RefuseItem,
    SendItem,
    StartApplication,
    Submit,
    WithdrawItem,
)
from domain.reminders import service as reminders
from domain.reminders.model import Moved, Obligation, Told
from domain.reminders.ports import Ledger, Obligations
from domain.reminders.service import SettleObligation
from domain.reports import service as reports
from domain.reports.model import Filed, FileReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What one update's use cases work on; all of it in that update's transaction. ``now`` is UTC."""

    people: People
    grants: Grants
    invites: Invites
    cases: Cases
    protocols: Protocols
    parties: Parties
    files: Files
    obligations: Obligations
    ledger: Ledger
    laws: Laws
    receipts: Receipts
    now: datetime


@dataclass(frozen=True, slots=True)
class Services:
    """One short method per use case; what it refuses and why stands with the use case."""

    ports: Ports

    # people

    async def invite_staff(self, command: InviteStaff) -> Invited:
        p = self.ports
        return await staff.invite_staff(command, invites=p.invites, laws=p.laws, now=p.now)

    async def read_invite(self, code: str, by: Person) -> Invite:
        p = self.ports
        return await staff.read_invite(code, by, invites=p.invites, now=p.now)

    async def accept_invite(self, code: str, by: Person) -> Joined:
        p = self.ports
        return await staff.accept_invite(code, by, invites=p.invites, grants=p.grants, people=p.people, now=p.now)

    async def revoke_role(self, command: RevokeRole) -> None:
        await staff.revoke_role(command, grants=self.ports.grants)

    async def list_staff(self, city: str, by: Person | None = None) -> tuple[StaffMember, ...]:
        return await staff.list_staff(city, by, grants=self.ports.grants, laws=self.ports.laws)

    async def choose_language(self, by: Person, language: str) -> Person:
        return await staff.choose_language(by, language, people=self.ports.people)

    async def choose_city(self, by: Person, city: str) -> Person:
        return await staff.choose_city(by, city, people=self.ports.people, laws=self.ports.laws)

    # queues

    async def queue_overview(self, by: Person, city: str | None = None) -> tuple[CityQueues, ...]:
        return await queues.queue_overview(by, city, cases=self.ports.cases, laws=self.ports.laws)

    async def queue_page(self, command: LookAtQueue) -> QueuePage:
        p = self.ports
        return await queues.queue_page(command, cases=p.cases, people=p.people, parties=p.parties)

    async def take_next(self, command: LookAtQueue) -> CaseUpdate | None:
        p = self.ports
        return await queues.take_next(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    # cases, as staff

    async def take_case(self, command: TakeCase) -> CaseUpdate:
        p = self.ports
        return await service.take_case(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    async def release_case(self, command: ReleaseCase) -> CaseUpdate:
        p = self.ports
        return await service.release_case(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    def transfer_queues(self, case: Case) -> tuple[Queue, ...]:
        return service.transfer_queues(case, laws=self.ports.laws)

    async def transfer_case(self, command: TransferCase) -> CaseUpdate:
        p = self.ports
        return await service.transfer_case(
            command, cases=p.cases, people=p.people, parties=p.parties, laws=p.laws, now=p.now
        )

    async def add_note(self, command: AddNote) -> CaseUpdate:
        p = self.ports
        return await service.add_note(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    async def ask(self, command: Ask) -> CaseUpdate:
        p = self.ports
        return await service.ask(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    async def answer_citizen(self, command: AnswerCitizen) -> CaseUpdate:
        p = self.ports
        return await service.answer_citizen(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    async def decide(self, command: Decide) -> CaseUpdate:
        p = self.ports
        return await service.decide(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    async def case_for_staff(self, case_id: int, by: Person) -> CaseCard:
        p = self.ports
        return await views.case_for_staff(case_id, by, cases=p.cases, people=p.people, parties=p.parties, files=p.files)

    async def case_by_protocol(self, written: str, by: Person) -> Case:
        return await views.case_by_protocol(written, by, cases=self.ports.cases)

    # cases, as a citizen

    async def reply(self, command: Reply) -> CaseUpdate:
        p = self.ports
        return await citizen.reply(
            command,
            cases=p.cases,
            people=p.people,
            parties=p.parties,
            files=p.files,
            receipts=p.receipts,
            now=p.now,
        )

    async def add_evidence(self, command: AddEvidence) -> CaseUpdate:
        p = self.ports
        return await citizen.add_evidence(
            command,
            cases=p.cases,
            people=p.people,
            parties=p.parties,
            files=p.files,
            receipts=p.receipts,
            now=p.now,
        )

    async def confirm_outcome(self, command: ConfirmOutcome) -> CaseUpdate:
        p = self.ports
        return await citizen.confirm_outcome(
            command, cases=p.cases, people=p.people, parties=p.parties, receipts=p.receipts, now=p.now
        )

    async def contest_outcome(self, command: ContestOutcome) -> CaseUpdate:
        p = self.ports
        return await citizen.contest_outcome(
            command, cases=p.cases, people=p.people, parties=p.parties, receipts=p.receipts, now=p.now
        )

    async def withdraw_case(self, command: WithdrawCase) -> CaseUpdate:
        p = self.ports
        return await citizen.withdraw_case(
            command, cases=p.cases, people=p.people, parties=p.parties, receipts=p.receipts, now=p.now
        )

    async def case_for_citizen(self, case_id: int, by: Person, receipt: str | None = None) -> CitizenCase:
        p = self.ports
        return await views.case_for_citizen(
            case_id, by, receipt, cases=p.cases, parties=p.parties, files=p.files, receipts=p.receipts
        )

    async def open_by_receipt(self, written: str) -> CitizenCase:
        p = self.ports
        return await views.open_by_receipt(
            written, cases=p.cases, parties=p.parties, files=p.files, receipts=p.receipts
        )

    async def my_cases(self, by: Person) -> tuple[Case, ...]:
        return await views.my_cases(by, cases=self.ports.cases, parties=self.ports.parties)

    # reports

    async def file_report(self, command: FileReport) -> Filed:
        p = self.ports
        return await reports.file_report(
            command,
            cases=p.cases,
            protocols=p.protocols,
            people=p.people,
            parties=p.parties,
            files=p.files,
            laws=p.laws,
            receipts=p.receipts,
            now=p.now,
        )

    # registrations, as the applicant

    def checklist_of(self, case: Case) -> Checklist:
        return registration.checklist_of(case, laws=self.ports.laws, now=self.ports.now)

    async def start_application(self, command: StartApplication) -> Case:
        p = self.ports
        return await registration.start_application(
            command, cases=p.cases, people=p.people, parties=p.parties, laws=p.laws, now=p.now
        )

    async def application_of(self, command: ApplicationCommand) -> Checklist:
        p = self.ports
        return await registration.application_of(command, cases=p.cases, parties=p.parties, laws=p.laws, now=p.now)

    async def give_facts(self, command: GiveFacts) -> CaseUpdate:
        p = self.ports
        return await registration.give_facts(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    async def send_item(self, command: SendItem) -> CaseUpdate:
        p = self.ports
        return await registration.send_item(
            command,
            cases=p.cases,
            people=p.people,
            parties=p.parties,
            files=p.files,
            laws=p.laws,
            now=p.now,
        )

    async def withdraw_item(self, command: WithdrawItem) -> CaseUpdate:
        p = self.ports
        return await registration.withdraw_item(
            command, cases=p.cases, people=p.people, parties=p.parties, laws=p.laws, now=p.now
        )

    async def submit(self, command: Submit) -> CaseUpdate:
        p = self.ports
        return await registration.submit(
            command,
            cases=p.cases,
            protocols=p.protocols,
            people=p.people,
            parties=p.parties,
            laws=p.laws,
            now=p.now,
        )

    # registrations, as staff

    async def accept_item(self, command: AcceptItem) -> CaseUpdate:
        p = self.ports
        return await review.accept_item(
            command, cases=p.cases, people=p.people, parties=p.parties, laws=p.laws, now=p.now
        )

    async def refuse_item(self, command: RefuseItem) -> CaseUpdate:
        p = self.ports
        return await review.refuse_item(
            command, cases=p.cases, people=p.people, parties=p.parties, laws=p.laws, now=p.now
        )

    async def approve(self, command: Approve) -> Approved:
        p = self.ports
        return await review.approve(
            command,
            cases=p.cases,
            people=p.people,
            parties=p.parties,
            obligations=p.obligations,
            ledger=p.ledger,
            laws=p.laws,
            now=p.now,
        )

    async def deny(self, command: Deny) -> CaseUpdate:
        p = self.ports
        return await review.deny(command, cases=p.cases, people=p.people, parties=p.parties, now=p.now)

    # reminders

    async def my_obligations(self, by: Person) -> tuple[Obligation, ...]:
        return await reminders.my_obligations(by, obligations=self.ports.obligations)

    async def settle_obligation(self, command: SettleObligation) -> Obligation:
        return await reminders.settle_obligation(command, obligations=self.ports.obligations, ledger=self.ports.ledger)

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
