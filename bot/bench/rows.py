"""Many rows at once, copied inside the database from one that the product made itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, String, cast, func, insert, literal, null, select, text

from bot.app import read_laws
from bot.bench.processes import SECRET
from bot.ports import Binder
from bot.settings import load_settings
from bot.storage import tables as t
from bot.storage import tables_cases as tc
from bot.storage import tables_reminders as tr
from bot.storage.engine import Storage
from bot.storage.transaction import Transaction
from domain.cases.model import CaseKind, CaseState, Turn
from domain.law.loader import Laws
from domain.people.model import Person
from domain.privacy.model import IdentityMode
from domain.reminders.model import Obligation, ReminderState
from domain.reports.model import FileReport

STAFF = 2  # the one who closed every case that is over, and looks at the rest
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)  # a Monday, in everybody's office hours


def laws_and_binder() -> tuple[Laws, Binder]:
    """Return the rulebooks and what binds the use cases to a transaction."""
    laws = read_laws(load_settings())
    return laws, Binder(laws, SECRET)


async def person(connection: Transaction, binder: Binder, number: int) -> Person:
    """Return one of the people who were invited, by number."""
    return await binder.ports_for(connection, now=NOW).people.get(number)


async def add_cases(storage: Storage, city: str, closed: int, waiting: int) -> int:
    """Add one report through the counter and copy it: ``closed`` are over, ``waiting`` wait. Return its number."""
    laws, binder = laws_and_binder()
    book = laws.rulebooks(city)[0]
    async with storage.transaction() as connection:
        services = binder.for_unit(connection, now=NOW)
        filed = await services.file_report(
            FileReport(
                by=await person(connection, binder, 1),
                city=city,
                service=book.service.key,
                kind=CaseKind.COMPLAINT,
                subject=book.subjects(CaseKind.COMPLAINT.value)[0].key,
                facts={"what": "Fui deixada na calçada.", "where": "Praça central"},
                files=(),
                mode=IdentityMode.IDENTIFIED,
            )
        )
        first = filed.update.case.id
        over: dict[str, Any] = {"state": CaseState.CLOSED.value, "turn": Turn.NOBODY.value, "closed_at": NOW}
        over["assignee"] = STAFF
        await _copy(connection, tc.case, tc.case.c.id == first, closed, lambda i: over | {"protocol": _name("C", i)})
        await _copy(connection, tc.case, tc.case.c.id == first, waiting, lambda i: {"protocol": _name("W", i)})
        events, parties, other = tc.timeline_event, tc.party, tc.case.alias("other")
        every = [column for column in events.c if column.name != "case_id"]
        told = select(other.c.id, *every).select_from(events.join(other, other.c.id != first))
        names = ["case_id", *(column.name for column in every)]
        await connection.execute(insert(events).from_select(names, told.where(events.c.case_id == first)))
        nobody = select(other.c.id, literal(IdentityMode.ANONYMOUS.value), _name("R", other.c.id))
        whose = ["case_id", "mode", "receipt_hash"]
        await connection.execute(insert(parties).from_select(whose, nobody.where(other.c.id != first)))
    await _analyze(storage)
    return first


async def add_obligations(storage: Storage, city: str, many: int) -> None:
    """Let people owe ``many`` things, the people taking turns, with one reminder of each in a year."""
    laws, binder = laws_and_binder()
    case = await add_cases(storage, city, 0, 0)
    async with storage.transaction() as connection:
        ports = binder.ports_for(connection, now=NOW)
        owed = await ports.obligations.put(
            Obligation(
                person_id=1,
                case_id=case,
                city=city,
                service=laws.rulebooks(city)[0].service.key,
                rule="bench",
                period="0",
                label="Renovar o certificado",
                due_on=NOW.date(),
                cite="art. 1º",
                standing="stated",
            )
        )
        which = tr.obligation.c.id == owed.id
        await _copy(connection, tr.obligation, which, many, lambda i: {"period": cast(i, String)})
    await add_reminders(storage, city, many, NOW + timedelta(days=365), offset=0)


async def add_reminders(storage: Storage, city: str, many: int, due_at: datetime, *, offset: int) -> None:
    """Plan a reminder of the first ``many`` things owed."""
    owed, columns = tr.obligation, tr.reminder.c
    async with storage.transaction() as connection:
        people = await connection.scalar(select(func.max(t.person.c.id)))
        values = {
            "obligation_id": owed.c.id,
            "person_id": owed.c.id % people + 1,
            "city": literal(city),
            "due_on": owed.c.due_on,
            "days_before": literal(offset),
            "due_at": literal(due_at, columns.due_at.type),
            "state": literal(ReminderState.PLANNED.value),
        }
        rows = select(*values.values()).order_by(owed.c.id).limit(many)
        await connection.execute(insert(tr.reminder).from_select(list(values), rows))
    await _analyze(storage)


def _name(prefix: str, number: ColumnElement[int]) -> ColumnElement[str]:
    return literal(prefix) + cast(number, String)


async def _copy(connection: Transaction, table: Any, which: Any, many: int, changes: Any) -> None:
    """Insert ``many`` copies of a row; ``changes`` says, for the number of a copy, what differs."""
    if not many:
        return
    numbers = select(literal(1).label("i")).cte("numbers", recursive=True)
    numbers = numbers.union_all(select(numbers.c.i + 1).where(numbers.c.i < many))
    values = {column.name: column for column in table.c if column.name != "id"}
    for name, value in changes(numbers.c.i).items():
        column = table.c[name]
        values[name] = (
            null() if value is None else value if isinstance(value, ColumnElement) else literal(value, column.type)
        )
    rows = select(*values.values()).select_from(table.join(numbers, literal(True))).where(which)
    await connection.execute(insert(table).from_select(list(values), rows))


async def _analyze(storage: Storage) -> None:
    """Let PostgreSQL look at what it has, as it does by itself now and then; SQLite never does."""
    if storage.is_sqlite:
        return
    async with storage.transaction() as connection:
        await connection.execute(text("ANALYZE"))
