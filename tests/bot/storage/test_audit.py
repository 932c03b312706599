"""A changed past shows: whoever got around the database's own refusal is found by reading again."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

from bot.audit import audited
from bot.cli import run
from bot.storage.engine import Storage
from bot.storage.migrate import migrate
from domain.cases.commands import AddNote, Ask, Reply, TakeCase
from tests.support.builders import OMBUDSMAN, Counter
from tests.support.databases import DatabaseStore


@pytest.fixture
async def cases(store: DatabaseStore) -> list[int]:
    """Two reports of Ana's, each taken and noted upon by Bia."""
    counter = Counter(store)
    ana, bia = await counter.store.person("Ana"), await counter.store.person("Bia", OMBUDSMAN)
    filed = [(await counter.report(ana)).update.case.id for _ in range(2)]
    for number in filed:
        await counter.does("take_case", TakeCase(by=bia, case_id=number))
        await counter.does("add_note", AddNote(by=bia, case_id=number, text="confirmado com a testemunha"))
    return filed


async def behind_its_back(storage: Storage, *statements: str) -> None:
    """Change what the database refuses to change, as somebody with all rights over it could."""
    unlock = (
        ["DROP TRIGGER timeline_event_no_update", "DROP TRIGGER timeline_event_no_delete"]
        if storage.is_sqlite
        else ["ALTER TABLE timeline_event DISABLE TRIGGER USER"]
    )
    async with storage.transaction() as connection:
        for statement in (*unlock, *statements):
            await connection.execute(text(statement))


async def test_a_past_that_nobody_touched_holds(storage: Storage, cases: list[int]) -> None:
    """Every case is read, and nothing is wrong."""
    assert [found async for found in audited(storage)] == [(number, None) for number in cases]


async def test_what_waited_before_the_counter_noted_it_is_read_off_the_timelines(
    storage: Storage, store: DatabaseStore
) -> None:
    """One question was answered, the other waits, in the version before this one: the cases are what they say."""
    counter = Counter(store)
    ana, olga = await counter.store.person("Ana"), await counter.store.person("Olga", OMBUDSMAN)
    answered, waiting, _ = [await counter.taken_report(ana, olga) for _ in range(3)]
    for case in (answered, waiting):
        await counter.does("ask", Ask(by=olga, case_id=case.id, text="Qual era a linha?"))
    counter.later(days=2)
    await counter.does("reply", Reply(by=ana, case_id=answered.id, text="A 12."))
    await migrate(storage, "0004")

    await migrate(storage, "head")

    assert {wrong async for _, wrong in audited(storage)} == {None}
    assert [len((await counter.timeline(case.id))[0].waits) for case in (answered, waiting)] == [1, 1]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE timeline_event SET text = '\"outra coisa\"' WHERE case_id = {case} AND seq = 4", "at event 4"),
        ("UPDATE timeline_event SET author_id = 1 WHERE case_id = {case} AND seq = 3", "at event 3"),
        ("DELETE FROM timeline_event WHERE case_id = {case} AND seq = 2", "at event 3"),
        ("DELETE FROM timeline_event WHERE case_id = {case} AND seq = 4", "is not what its timeline says"),
        ("UPDATE \"case\" SET outcome = 'resolved' WHERE id = {case}", "is not what its timeline says"),
    ],
)
async def test_a_changed_past_shows(storage: Storage, cases: list[int], statement: str, words: str) -> None:
    """One event of the first case is rewritten, cut out or invented: that case is named, and no other."""
    await behind_its_back(storage, statement.format(case=cases[0]))

    found = dict([found async for found in audited(storage)])

    assert words in (found[cases[0]] or "")
    assert found[cases[1]] is None


async def test_the_command_says_how_many_hold(
    address: str,
    storage: Storage,
    cases: list[int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever runs the city's backup runs ``balcao audit`` beside it, and its exit status tells."""
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456789:" + "A" * 35)
    monkeypatch.setenv("BALCAO_SECRET_KEY", "k" * 32)
    monkeypatch.setenv("DATABASE_URL", address)

    assert await asyncio.to_thread(run, ["audit"]) == 0
    assert capsys.readouterr().out == "2 timelines read, 0 do not hold\n"

    await behind_its_back(storage, f"DELETE FROM timeline_event WHERE case_id = {cases[1]} AND seq = 2")
    assert await asyncio.to_thread(run, ["audit"]) == 1
    case, total = capsys.readouterr().out.splitlines()
    assert case.startswith(f"case {cases[1]}: ")
    assert total == "2 timelines read, 1 do not hold"
