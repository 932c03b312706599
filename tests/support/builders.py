"""People, an invented city's law, and cases on their way, so that a test says only what matters to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from domain.cases.commands import TakeCase
from domain.cases.model import Case, CaseKind, Event
from domain.law.loader import Laws, load_laws
from domain.people.model import Grant, Person, Role
from domain.privacy.model import IdentityMode
from domain.registration.commands import AcceptItem, Approve, Approved, SendItem, StartApplication, Submit
from domain.reports.model import Filed, FileReport
from handlers.shared.services import Services
from tests.support.fakes import Memory
from tests.support.stores import Store

CITY = "vila-clara-mt"
OTHER_CITY = "serra-alta-ro"
SERVICE = "app"
NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)  # a Monday, ten in the morning at the city hall
OWN_CAR = {"vehicle_owner": "own", "birth_date": "1990-03-05"}
HIRED_CAR = {"vehicle_owner": "company", "birth_date": "1990-03-05"}
REGISTRY = Grant(CITY, Role.REGISTRY)
OMBUDSMAN = Grant(CITY, Role.OMBUDSMAN)
INSPECTOR = Grant(CITY, Role.INSPECTOR)
MANAGER = Grant(CITY, Role.MANAGER)


@cache
def laws() -> Laws:
    """Return the laws of two invented cities."""
    return load_laws(Path(__file__).parent / "laws")


def chosen(folder: Path, term: str) -> Laws:
    """Return the same laws, where the first city chose by decree what asking a person does to the term of an answer."""
    proof = 'source = "Decreto nº 7/2026"\nentered_on = 2026-01-05\nauthor = "Maria"\n'
    (folder / f"{CITY}.toml").write_text(f'[asking]\nterm = "{term}"\n{proof}', encoding="utf-8")
    return load_laws(Path(__file__).parent / "laws", settings=folder)


@dataclass
class Counter:
    """A counter without Telegram: each command is one transaction, at an instant that a test moves."""

    store: Store
    now: datetime = NOW

    async def does(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call one use case by its name, commit what it did or undo it when it refuses, and return its result."""
        async with self.store.unit(self.now) as ports:
            method = getattr(Services(ports), name)
            return await method(*args, **kwargs)

    def later(self, **time: float) -> None:
        """Move the clock on."""
        self.now += timedelta(**time)

    async def timeline(self, case_id: int) -> tuple[Case, tuple[Event, ...]]:
        """Return what is stored of a case."""
        async with self.store.unit(self.now) as ports:
            return await ports.cases.get(case_id), await ports.cases.events(case_id)

    async def report(
        self,
        by: Person,
        *,
        kind: CaseKind = CaseKind.COMPLAINT,
        subject: str = "preco",
        mode: IdentityMode = IdentityMode.IDENTIFIED,
        city: str = CITY,
        files: tuple[int, ...] = (),
    ) -> Filed:
        """File a report."""
        filed: Filed = await self.does(
            "file_report",
            FileReport(
                by=by,
                city=city,
                service=SERVICE,
                kind=kind,
                subject=subject,
                facts={"what": "Cobrou o dobro.", "plate": "ABC1D23"},
                files=files,
                mode=mode,
            ),
        )
        return filed

    async def taken_report(self, by: Person, staff: Person, **report: Any) -> Case:
        """File a report and let a member of staff take it."""
        filed = await self.report(by, **report)
        case: Case = (await self.does("take_case", TakeCase(by=staff, case_id=filed.update.case.id))).case
        return case

    async def application(
        self, by: Person, facts: dict[str, Any] | None = None, *, items: tuple[str, ...] = ("cnh", "antecedentes")
    ) -> Case:
        """Start a driver's registration and send items, one photograph each."""
        command = StartApplication(by=by, city=CITY, service=SERVICE, applicant="driver", facts=facts or OWN_CAR)
        case: Case = await self.does("start_application", command)
        for item in items:
            case = await self.send(by, case, item)
        return case

    async def send(self, by: Person, case: Case, item: str) -> Case:
        """Send one photograph for an item."""
        files = (await self.store.file(),)
        sent: Case = (await self.does("send_item", SendItem(by=by, case_id=case.id, item=item, files=files))).case
        return sent

    async def reviewed(self, by: Person, staff: Person, **application: Any) -> Case:
        """Hand in a complete registration and let a member of staff take it."""
        case = await self.application(by, **application)
        await self.does("submit", Submit(by=by, case_id=case.id))
        taken: Case = (await self.does("take_case", TakeCase(by=staff, case_id=case.id))).case
        return taken

    async def approved(self, by: Person, staff: Person, **application: Any) -> Approved:
        """Bring a driver's registration to its approval."""
        case = await self.reviewed(by, staff, **application)
        for item in case.items:
            await self.does("accept_item", AcceptItem(by=staff, case_id=case.id, item=item))
        approved: Approved = await self.does("approve", Approve(by=staff, case_id=case.id))
        return approved


def memory() -> Memory:
    """Return an empty database in memory, of the invented cities."""
    return Memory(laws())
