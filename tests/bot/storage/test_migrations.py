"""The schema's history leads to the schema that the statements are made for, and back."""

from __future__ import annotations

from typing import cast

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Constraint, Index, PrimaryKeyConstraint, inspect

from bot.storage import tables_cases, tables_reminders
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
