"""The schema's history leads to the schema that the statements are made for, and back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Constraint, Index, PrimaryKeyConstraint, insert, inspect, text

from bot.storage import tables, tables_cases, tables_reminders
from bot.storage.engine import Storage
from bot.storage.migrate import current, migrate, newest
from bot.storage.tables import metadata

EVERY_TABLE = {*metadata.tables} | {tables_cases.case.name, tables_reminders.reminder.name}


async def test_the_migrations_make_the_schema_of_the_tables(storage: Storage) -> None:
    """Whoever changes a table and forgets the migration is told which one differs."""

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    async with storage.reading() as connection:
        assert await connection.connection.run_sync(differences) == []


async def test_every_constraint_and_index_has_the_name_that_the_tables_give_it(storage: Storage) -> None:
    """A later migration can name what it changes, on both databases alike."""

    def names(connection: Connection) -> set[str | None]:
        look = inspect(connection)
        return {
            named["name"]
            for table in EVERY_TABLE
            for named in (
                *look.get_unique_constraints(table),
                *look.get_foreign_keys(table),
                *look.get_indexes(table),
            )
        }

    async with storage.reading() as connection:
        stored = await connection.connection.run_sync(names)
    # keys of their own name are left out: SQLite drops it where a column counts by itself
    declared = {
        str(cast(Constraint | Index, named).name)
        for table in metadata.tables.values()
        for named in (*table.constraints, *table.indexes)
        if not isinstance(named, PrimaryKeyConstraint)
    }
    assert stored == declared


async def test_each_step_back_and_forth_works(storage: Storage) -> None:
    """Whoever runs the counter can go back to the version before, and forth again."""

    def tables(connection: Connection) -> set[str]:
        return set(inspect(connection).get_table_names())

    steps = [f"{number:04d}" for number in range(int(newest()) - 1, 0, -1)]
    for step in [*steps, "base", *reversed(steps), "head"]:
        assert await migrate(storage, step)
        assert await current(storage) == {"base": None, "head": newest()}.get(step, step)
        if step == "base":
            async with storage.reading() as connection:
                assert await connection.connection.run_sync(tables) == {"alembic_version"}
    async with storage.reading() as connection:
        assert await connection.connection.run_sync(tables) == EVERY_TABLE | {"alembic_version"}


async def test_going_back_before_the_seal_leaves_nothing_that_the_code_before_cannot_read(storage: Storage) -> None:
    """Sealed drafts, updates and messages are given up; what was plain stays as it was."""
    at = datetime(2026, 11, 30, tzinfo=UTC)
    waits = {"state": "pending", "chat_id": 7}
    async with storage.transaction() as transaction:
        for number, words in enumerate(("{}", "c2VhbGVk"), 1):
            place = {"chat_id": number, "body": words, "holds_receipt": False, "updated_at": at}
            await transaction.execute(insert(tables.conversation).values(place))
            arrived = {"update_id": number, "payload": words, "received_at": at}
            await transaction.execute(insert(tables.inbox).values(waits | arrived))
            said = {"kind": "text", "priority": 1, "payload": words, "created_at": at}
            await transaction.execute(insert(tables.outbox).values(waits | said))

    await migrate(storage, "0005")

    async with storage.reading() as transaction:
        chats = await transaction.execute(text("SELECT chat_id FROM conversation"))
        assert list(chats.scalars()) == [1]
        for table in ("inbox", "outbox"):
            left = await transaction.execute(text(f"SELECT chat_id, payload, state FROM {table} ORDER BY state"))
            assert [tuple(row) for row in left] == [(0, "", "failed"), (7, "{}", "pending")]
