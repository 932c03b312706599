"""A transaction is kept whole or not at all, and whoever comes next on its connection finds nothing of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import insert, select, text

from bot.storage.engine import Storage, is_trouble
from bot.storage.statement import Statement
from bot.storage.tables import invite
from bot.storage.tables_cases import protocol_counter as numbers
from bot.storage.transaction import NotCommitted, Transaction

_WRITE = Statement(insert(numbers), ("series", "value"))
_READ = Statement(select(numbers).order_by(numbers.c.series))
_WRONG = Statement(text("SELECT * FROM nowhere").columns())
_INVITES = Statement(select(invite))


async def write(transaction: Transaction, series: str) -> None:
    await transaction.change(_WRITE, series=series, value=1)


async def kept(storage: Storage) -> list[str]:
    async with storage.reading() as transaction:
        return [row.series for row in await transaction.all(_READ)]


async def fails(storage: Storage, *steps: Callable[[Transaction], Awaitable[object]]) -> BaseException:
    """Return with what a transaction of some steps ends."""
    try:
        async with storage.transaction() as transaction:
            for step in steps:
                await step(transaction)
    except Exception as error:
        return error
    raise AssertionError("it has not failed")


async def test_both_ways_to_run_a_statement_share_one_transaction(storage: Storage) -> None:
    """What was written through the driver is read through SQLAlchemy and the other way round, and ends together."""

    async def both(transaction: Transaction) -> None:
        await write(transaction, "a")
        await transaction.execute(insert(numbers), {"series": "b", "value": 1})
        assert len(await transaction.all(_READ)) == len((await transaction.execute(select(numbers))).all()) == 2
        raise RuntimeError

    assert isinstance(await fails(storage, both), RuntimeError)
    assert await kept(storage) == []


async def test_a_part_is_taken_back_and_the_rest_is_kept(storage: Storage) -> None:
    """One of three updates of a group fails: the other two have their effects, also when a statement had failed."""
    async with storage.transaction() as transaction:
        for series in "abc":
            await transaction.mark()
            await write(transaction, series)
            if series != "b":
                await transaction.keep()
                continue
            with pytest.raises(Exception, match="nowhere"):
                await transaction.all(_WRONG)
            await transaction.undo()
    assert await kept(storage) == ["a", "c"]


async def test_what_the_database_has_given_up_does_not_pass_for_kept(storage: Storage) -> None:
    """A transaction that ended under its user's hands, and nobody said so: its end says so."""

    async def loses(transaction: Transaction) -> None:
        await write(transaction, "a")
        if storage.is_sqlite:  # as it does by itself when it cannot go on
            await transaction.execute(text("ROLLBACK"))
            return
        with pytest.raises(Exception, match="nowhere"):
            await transaction.all(_WRONG)

    assert isinstance(await fails(storage, loses), NotCommitted)
    assert await kept(storage) == []


@pytest.mark.parametrize("rounds", range(6))
async def test_who_is_broken_off_leaves_nothing_open(storage: Storage, rounds: int) -> None:
    """Before, in or after each statement: what was begun is gone or whole, and the next can write at once."""

    async def both() -> None:
        async with storage.transaction() as transaction:
            await write(transaction, "a")
            await asyncio.sleep(0)
            await write(transaction, "b")

    work = asyncio.create_task(both())
    for _ in range(rounds):
        await asyncio.sleep(0)
    work.cancel()
    await asyncio.wait([work])
    async with asyncio.timeout(5), storage.transaction() as transaction:
        await write(transaction, "c")
    assert await kept(storage) in (["c"], ["a", "b", "c"])


async def test_a_connection_that_only_read_can_write_afterwards(storage: Storage) -> None:
    """One connection, used for one after the other: a reader, a mistake, a writer."""
    for _ in range(2):
        await kept(storage)
        assert "nowhere" in str(await fails(storage, lambda transaction: transaction.all(_WRONG)))
    async with storage.transaction() as transaction:
        await write(transaction, "a")
    assert await kept(storage) == ["a"]
    assert storage.engine.pool.checkedout() == 1  # type: ignore[attr-defined]


async def test_a_server_that_ended_every_connection_is_met_by_nobody(postgresql_database: str) -> None:
    """The server was restarted while five connections waited for work: not one transaction fails for it."""
    storage, met = Storage(postgresql_database), asyncio.Barrier(5)

    async def meets() -> None:
        async with storage.transaction():
            await met.wait()

    await asyncio.gather(*(meets() for _ in range(5)))
    await ends_others(postgresql_database)
    await asyncio.gather(*(kept(storage) for _ in range(5)))
    await storage.close()


async def test_a_connection_that_ends_in_the_middle_is_trouble(postgresql_database: str) -> None:
    """In a statement, in one of SQLAlchemy's, at the commit: it can be tried again, and nothing was kept."""
    storage = Storage(postgresql_database)

    async def ends(_transaction: Transaction) -> None:
        await ends_others(postgresql_database)

    async def begins(transaction: Transaction) -> None:
        await write(transaction, "a")

    last: list[Callable[[Transaction], Awaitable[object]]] = [
        lambda transaction: transaction.all(_READ),
        lambda transaction: transaction.scalar(text("SELECT 1")),
        ends,
    ]
    for then in last:
        assert is_trouble(await fails(storage, begins, ends, then))
        assert await kept(storage) == []
    await storage.close()


async def test_a_migration_by_another_process_is_trouble_at_most_once(postgresql_database: str) -> None:
    """Plans that were made before are of no use after it: the second try has new ones."""
    storage, other = Storage(postgresql_database), Storage(postgresql_database)
    async with storage.reading() as transaction:
        await transaction.all(_INVITES)
    async with other.transaction() as transaction:
        await transaction.execute(text("ALTER TABLE invite ALTER COLUMN city TYPE varchar(80)"))
    assert is_trouble(await fails(storage, lambda transaction: transaction.all(_INVITES)))
    async with storage.reading() as transaction:
        assert await transaction.all(_INVITES) == []
    await storage.close()
    await other.close()


async def ends_others(address: str) -> None:
    """End all connections to a database, as a server does that stops, and return when they are gone."""
    storage = Storage(address)
    ended = None
    while ended != 0:
        async with storage.transaction() as transaction:
            ended = await transaction.scalar(
                text(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
    await storage.close()
