"""Until when an answer is owed: counted at the city hall, and owed for reports alone."""

from __future__ import annotations

from datetime import UTC, date, datetime

from domain.reports.answer import answer_deadline
from tests.support.builders import laws
from tests.support.desk import Cast, Desk


async def test_a_report_of_the_evening_counts_from_the_local_day(desk: Desk, cast: Cast) -> None:
    """Ana writes at 22:30 of 30 November, when it is December in UTC: thirty days from 30 November, by federal law."""
    desk.now = datetime(2026, 12, 1, 2, 30, tzinfo=UTC)
    case = (await desk.report(cast.ana)).update.case

    due = answer_deadline(case, laws=laws())

    assert due is not None
    assert (due.ends_on, due.cite.source) == (date(2026, 12, 30), "lei-13460-2017")


async def test_a_registration_is_owed_no_answer(desk: Desk, cast: Cast) -> None:
    """Its terms are its own law's, handed in or not."""
    draft = await desk.application(cast.ana)
    handed_in = await desk.reviewed(cast.caio, cast.bia)

    assert answer_deadline(draft, laws=laws()) is None
    assert answer_deadline(handed_in, laws=laws()) is None
