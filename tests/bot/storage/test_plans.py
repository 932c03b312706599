"""What is asked often costs what it finds, not what is stored: the databases say themselves how they would look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from bot.storage.statement import Statement
from bot.storage.transaction import SqliteTransaction, Transaction
from domain.cases.model import CaseKind
from domain.cases.ports import QueueQuery, Shelf
from handlers.shared.services import Ports
from tests.support.builders import CITY, NOW, SERVICE
from tests.support.databases import DatabaseStore

Looks = Callable[[Ports], Awaitable[Any]]

ALL = frozenset(CaseKind)
QUEUE = QueueQuery(city=CITY, kinds=ALL, staff_id=1, service=SERVICE, queue="ouvidoria")
HOT: dict[str, tuple[Looks, set[str]]] = {
    "a page of one queue": (lambda p: p.cases.page(QUEUE, after=7, limit=7), {"ix_case_queue"}),
    "the next case of a city": (
        lambda p: p.cases.page(QueueQuery(city=CITY, kinds=ALL, staff_id=1), limit=1),
        {"ix_case_shelf"},
    ),
    "my cases as staff": (
        lambda p: p.cases.page(QueueQuery(city=CITY, kinds=ALL, staff_id=1, shelf=Shelf.MINE), limit=7),
        {"ix_case_assignee", "ix_case_unfinished"},
    ),
    "the overview of a city": (
        lambda p: p.cases.counts(city=CITY, kinds=ALL, staff_id=1),
        {"ix_case_unfinished"},
    ),
    "my cases as a citizen": (lambda p: p.parties.cases_of(5), {"ix_party_tag"}),
    "a receipt": (lambda p: p.parties.by_receipt(["ab", "cd"]), {"uq_party_receipt_hash", "sqlite_autoindex_party_1"}),
    "what is due": (
        lambda p: p.ledger.due(NOW + timedelta(days=1), city=CITY, people=50),
        {"ix_reminder_due"},
    ),
    "the answers that are due": (
        lambda p: p.watch.due(NOW.date(), city=CITY, service=SERVICE, limit=50),
        {"ix_case_owed"},
    ),
    "what was worked out under other rules": (
        lambda p: p.obligations.outdated(city=CITY, service=SERVICE, stamp="m", limit=20),
        {"ix_derivation_stamp"},
    ),
    "what a person owes": (lambda p: p.obligations.of_person(5), {"ix_obligation_person"}),
}


class Overheard:
    """A unit that notes what is asked of a transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self.asked: list[tuple[Statement, dict[str, Any]]] = []

    async def all(self, statement: Statement, /, **values: Any) -> list[Any]:
        self.asked.append((statement, values))
        return await self._transaction.all(statement, **values)

    async def one(self, statement: Statement, /, **values: Any) -> Any:
        self.asked.append((statement, values))
        return await self._transaction.one(statement, **values)

    async def change(self, statement: Statement, /, **values: Any) -> int:
        return await self._transaction.change(statement, **values)

    async def each(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        await self._transaction.each(statement, rows)


async def explain(transaction: Transaction, statement: Statement, values: dict[str, Any]) -> str:
    """Return how the database would execute a statement if the tables were large."""
    ready = statement.on(transaction.connection.dialect)
    if isinstance(transaction, SqliteTransaction):
        rows = await transaction.fetch(f"EXPLAIN QUERY PLAN {ready.sql}", ready.values(values))
        return "\n".join(row[3] for row in rows)
    await transaction.execute(text("SET LOCAL enable_seqscan = off"))
    rows = await transaction.fetch(f"EXPLAIN {ready.sql}", ready.values(values))
    return "\n".join(row[0] for row in rows)


@pytest.mark.parametrize("name", HOT)
async def test_what_is_asked_often_is_found_through_an_index(name: str, store: DatabaseStore) -> None:
    """Nobody waits longer because the city has served more people."""
    storage, (looks, indexes) = store.storage, HOT[name]
    async with storage.transaction() as transaction:
        unit = Overheard(transaction)
        await looks(store.binder.ports_for(unit, now=NOW))
        plans = [await explain(transaction, statement, values) for statement, values in unit.asked]
    assert plans
    for plan in plans:
        assert any(index in plan for index in indexes), plan
        # the list that was asked for may be gone through, a table may not
        assert "SCAN" not in plan.replace("SCAN json_each", "").replace("Index Scan", ""), plan
        assert "Seq Scan" not in plan, plan


@pytest.mark.parametrize(
    "name", ["a page of one queue", "the next case of a city", "what is due", "the answers that are due"]
)
async def test_the_first_rows_come_in_order_without_sorting_the_rest(name: str, store: DatabaseStore) -> None:
    """The first of a long queue is found at the head of the index."""
    storage, (looks, _) = store.storage, HOT[name]
    async with storage.transaction() as transaction:
        unit = Overheard(transaction)
        await looks(store.binder.ports_for(unit, now=NOW))
        if not storage.is_sqlite:
            await transaction.execute(text("SET LOCAL enable_sort = off"))
        plan = await explain(transaction, *unit.asked[-1])
    assert "TEMP B-TREE" not in plan, plan
    assert "Sort Key" not in plan, plan
