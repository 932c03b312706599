"""Reminders come once each, together, in time, and follow their dates when these move."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from domain.errors import NotFound
from domain.law.loader import Laws, load_laws
from domain.reminders.model import ObligationState, ReminderState, Told
from domain.reminders.service import SettleObligation
from tests.support.builders import CITY, laws
from tests.support.desk import Cast, Desk

ZONE = laws().city(CITY).zone
LAWS = Path(__file__).parents[2] / "support" / "laws"


def at(day: date, hour: int = 9, minute: int = 0) -> datetime:
    """Return an instant of the city's clock."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZONE)


async def sweep(desk: Desk, *, limit: int = 100) -> tuple[Told, ...]:
    """Pick what is due now."""
    told: tuple[Told, ...] = await desk.does("pick_due", limit=limit)
    return told


async def heal(desk: Desk, *, limit: int = 100) -> tuple[int, list[tuple[str, date, date | None]]]:
    """Work out anew what is outdated; return how many cases, and which dates moved from when to when."""
    done, moved = await desk.does("heal_obligations", limit=limit)
    return done, [(one.before.rule, one.before.due_on, one.now.due_on if one.now else None) for one in moved]


def other_law(folder: Path, *changes: tuple[str, str]) -> Laws:
    """Return the laws with something changed in the city's file."""
    copytree(LAWS, folder, dirs_exist_ok=True)
    file = folder / CITY / "lei-10-2020.toml"
    text = file.read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file.write_text(text, "utf-8")
    return load_laws(folder)


def days(first: date, last: date) -> Iterator[date]:
    """Yield each day from the first to the last."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


async def test_a_year_of_reminders_comes_on_its_days_and_once_each(desk: Desk, cast: Cast) -> None:
    """Ana is told of her fee 30, 15, 7 and 1 days before and on the day, however often the sweep runs."""
    await desk.approved(cast.ana, cast.bia)
    heard: list[tuple[date, str, int]] = []

    for day in days(date(2026, 12, 1), date(2027, 1, 31)):
        for hour in (7, 9, 9, 15, 21):
            desk.now = at(day, hour)
            for told in await sweep(desk):
                assert told.recipient.person_id == cast.ana.id
                heard += [(day, one.rule, (one.due_on - day).days) for one in told.obligations]

    assert heard == [
        (date(2026, 12, 23), "taxa-motorista", 30),
        (date(2027, 1, 7), "taxa-motorista", 15),
        (date(2027, 1, 15), "taxa-motorista", 7),
        (date(2027, 1, 21), "taxa-motorista", 1),
        (date(2027, 1, 22), "taxa-motorista", 0),
    ]


async def test_two_debts_of_one_day_make_one_message(desk: Desk, cast: Cast) -> None:
    """The inspection and the certificate are due on one day: Ana gets one message, and Caio one of his own."""
    desk.now = at(date(2026, 11, 30), 10)
    await desk.approved(cast.ana, cast.bia)
    await desk.approved(cast.caio, cast.bia)
    desk.now = at(date(2027, 11, 16), 9)

    told = await sweep(desk)

    assert {one.recipient.person_id for one in told} == {cast.ana.id, cast.caio.id}
    assert len(told) == 2
    assert [one.rule for one in told[0].obligations][-2:] == ["antecedentes", "vistoria"]
    assert told[0].key != told[1].key
    assert {one.recipient.language for one in told} == {"pt_BR", "en"}
    assert await sweep(desk) == ()


async def test_after_an_outage_only_the_newest_is_told(desk: Desk, cast: Cast) -> None:
    """Three weeks without power: Ana hears of her fee once, not three times."""
    await desk.approved(cast.ana, cast.bia)
    desk.now = at(date(2027, 1, 16), 9)

    (told,) = await sweep(desk)

    assert [one.rule for one in told.obligations] == ["taxa-motorista"]
    states = [one.state for one in desk.store.committed.reminders.values() if one.due_on == date(2027, 1, 22)]
    assert sorted(states) == sorted(
        [ReminderState.SUPERSEDED] * 2 + [ReminderState.QUEUED] + [ReminderState.PLANNED] * 2
    )


@pytest.mark.parametrize(("hour", "minute", "count"), [(7, 59, 0), (20, 0, 0), (19, 59, 1)])
async def test_nobody_is_told_at_night(desk: Desk, cast: Cast, hour: int, minute: int, count: int) -> None:
    """What was due in the morning waits for the hours of the city."""
    await desk.approved(cast.ana, cast.bia)
    desk.now = at(date(2027, 1, 7), hour, minute)
    if hour == 7:
        desk.now = at(date(2027, 1, 8), hour, minute)

    assert len(await sweep(desk)) == count


async def test_on_a_closed_day_only_what_is_due_that_day_is_told(desk: Desk, cast: Cast) -> None:
    """The outage ends on a Sunday: the reminders of the week wait for Monday."""
    await desk.approved(cast.ana, cast.bia)
    desk.now = at(date(2027, 1, 17))
    assert desk.now.weekday() == 6
    assert await sweep(desk) == ()

    desk.later(days=1)

    assert len(await sweep(desk)) == 1


async def test_who_blocked_the_bot_lands_in_the_call_list(desk: Desk, cast: Cast) -> None:
    """Nothing is queued for Ana, and the next sweep does not try again; Caio hears his."""
    await desk.approved(cast.ana, cast.bia)
    await desk.approved(cast.caio, cast.bia)
    desk.store.blocks(cast.ana)
    desk.now = at(date(2027, 1, 15))

    told = await sweep(desk)

    assert [one.recipient.person_id for one in told] == [cast.caio.id]
    mine = [one.state for one in desk.store.committed.reminders.values() if one.person_id == cast.ana.id]
    assert ReminderState.UNREACHABLE in mine
    assert await sweep(desk) == ()


async def test_a_sweep_takes_no_more_people_than_asked(desk: Desk, cast: Cast) -> None:
    """One after the other, each exactly once."""
    await desk.approved(cast.ana, cast.bia)
    await desk.approved(cast.caio, cast.bia)
    desk.now = at(date(2027, 1, 15))

    heard = [[one.recipient.person_id for one in await sweep(desk, limit=1)] for _ in range(3)]

    assert sorted(number for one in heard for number in one) == [cast.ana.id, cast.caio.id]
    assert [len(one) for one in heard] == [1, 1, 0]


async def test_what_is_done_is_not_reminded_of(desk: Desk, cast: Cast) -> None:
    """Ana says that she paid; saying it again changes nothing, and Caio cannot say it for her."""
    approved = await desk.approved(cast.ana, cast.bia)
    fee = next(one for one in approved.obligations if one.rule == "taxa-motorista")
    await desk.refuses(NotFound, "settle_obligation", SettleObligation(by=cast.caio, obligation_id=fee.id))

    settled = await desk.does("settle_obligation", SettleObligation(by=cast.ana, obligation_id=fee.id))

    assert settled.state is ObligationState.DONE
    assert await desk.does("settle_obligation", SettleObligation(by=cast.ana, obligation_id=fee.id)) == settled
    assert fee.id not in {one.id for one in await desk.does("my_obligations", cast.ana)}
    desk.now = at(date(2027, 1, 22))
    assert await sweep(desk) == ()


async def test_reminders_that_lie_behind_are_not_made_up(desk: Desk, cast: Cast) -> None:
    """Approved ten days before the fee is due, Ana hears 7, 1 and 0 days before, and not at once of 30 and 15."""
    desk.now = at(date(2027, 1, 12), 10)
    await desk.approved(cast.ana, cast.bia)

    assert await sweep(desk) == ()
    planned = [one.offset for one in desk.store.committed.reminders.values() if one.due_on == date(2027, 1, 22)]
    assert planned == [7, 1, 0]


async def test_a_new_holiday_moves_the_date_and_its_reminders(desk: Desk, cast: Cast, tmp_path: Path) -> None:
    """The city decrees a holiday in January: the fee falls due a business day later, and Ana is to be told."""
    approved = await desk.approved(cast.ana, cast.bia)
    fee = next(one for one in approved.obligations if one.rule == "taxa-motorista")
    assert await heal(desk) == (0, [])
    desk.store.laws = other_law(
        tmp_path, ('{ on = "07-14"', '{ on = "01-20", name = "N", source = "S" }, { on = "07-14"')
    )

    done, moved = await heal(desk)

    assert (done, moved) == (1, [("taxa-motorista", date(2027, 1, 22), date(2027, 1, 25))])
    assert await heal(desk) == (0, [])
    (kept,) = [one for one in await desk.does("my_obligations", cast.ana) if one.rule == "taxa-motorista"]
    assert (kept.id, kept.due_on) == (fee.id, date(2027, 1, 25))
    desk.now = at(date(2027, 1, 22))
    assert [one.due_on for told in await sweep(desk) for one in told.obligations] == [date(2027, 1, 25)]


async def test_a_date_that_moves_there_and_back_keeps_its_reminders(desk: Desk, cast: Cast, tmp_path: Path) -> None:
    """The decree is withdrawn a day later: the old reminders live again, each still once."""
    await desk.approved(cast.ana, cast.bia)
    before = desk.store.laws
    desk.store.laws = other_law(
        tmp_path, ('{ on = "07-14"', '{ on = "01-20", name = "N", source = "S" }, { on = "07-14"')
    )
    await heal(desk)
    desk.store.laws = before

    assert await heal(desk) == (1, [("taxa-motorista", date(2027, 1, 25), date(2027, 1, 22))])

    heard = []
    for day in days(date(2026, 12, 1), date(2027, 1, 31)):
        desk.now = at(day)
        heard += [day for told in await sweep(desk) for one in told.obligations if one.rule == "taxa-motorista"]
    assert heard == [date(2026, 12, 23), date(2027, 1, 7), date(2027, 1, 15), date(2027, 1, 21), date(2027, 1, 22)]


async def test_what_the_law_no_longer_asks_is_cancelled(desk: Desk, cast: Cast, tmp_path: Path) -> None:
    """The driver's fee now falls on the operator: Ana owes it no more and is not reminded of it."""
    await desk.approved(cast.ana, cast.bia)
    desk.store.laws = other_law(
        tmp_path,
        (
            'payer = "driver"\ncollector = "transito"\nevery = "year"\ndue',
            'payer = "operator"\ncollector = "transito"\nevery = "year"\ndue',
        ),
    )

    assert await heal(desk) == (1, [("taxa-motorista", date(2027, 1, 22), None)])

    assert "taxa-motorista" not in {one.rule for one in await desk.does("my_obligations", cast.ana)}
    desk.now = at(date(2027, 1, 22))
    assert await sweep(desk) == ()


async def test_the_new_year_brings_the_next_fee_into_sight(desk: Desk, cast: Cast) -> None:
    """On 1 January the fee of the year after is planned; nothing that was planned moves, nobody is told of it."""
    await desk.approved(cast.ana, cast.bia)
    desk.now = at(date(2027, 1, 1), 0, 5)

    assert await heal(desk) == (1, [])

    fees = {
        one.period: one.due_on for one in await desk.does("my_obligations", cast.ana) if one.rule == "taxa-motorista"
    }
    assert fees == {"2027": date(2027, 1, 22), "2028": date(2028, 1, 21)}


async def test_healing_goes_on_where_it_stopped(desk: Desk, cast: Cast) -> None:
    """One case at a time, until all are done."""
    await desk.approved(cast.ana, cast.bia)
    await desk.approved(cast.caio, cast.bia)
    desk.now = at(date(2027, 1, 1), 0, 5)

    assert [(await heal(desk, limit=1))[0] for _ in range(3)] == [1, 1, 0]


async def test_what_was_done_stays_done_when_the_year_turns(desk: Desk, cast: Cast) -> None:
    """Working it out anew does not bring back what Ana settled."""
    approved = await desk.approved(cast.ana, cast.bia)
    fee = next(one for one in approved.obligations if one.rule == "taxa-motorista")
    await desk.does("settle_obligation", SettleObligation(by=cast.ana, obligation_id=fee.id))
    desk.now = at(date(2027, 1, 1), 0, 5)

    await heal(desk)

    assert desk.store.committed.obligations[fee.id].state is ObligationState.DONE
