"""What asking the person something does to the term of their answer: nothing, unless the city chose otherwise."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from domain.cases.commands import Ask, ExtendTerm, Reply
from domain.cases.errors import CaseMovedOn
from domain.cases.model import Case
from domain.law.loader import Laws, RulebookError
from domain.reports.answer import answer_deadline, extended_deadline, stopped_on
from tests.support.builders import CITY, chosen
from tests.support.desk import Cast, Desk
from tests.support.fakes import Memory

FIRST = date(2026, 12, 30)  # thirty days from the day on which the report comes


def ends_on(case: Case, laws: Laws) -> date | None:
    due = answer_deadline(case, laws=laws)
    assert due is not None
    return due.ends_on


def reasons(case: Case, laws: Laws) -> str:
    due = answer_deadline(case, laws=laws)
    assert due is not None
    assert due.standing == "assumed"
    return "\n".join([*map(str, due.steps), str(due.assumption)])


async def asked(desk: Desk, cast: Cast, case: Case, *, answered_after: int | None) -> Case:
    """Let Olga ask on this day, and Ana answer so many days later."""
    case = (await desk.does("ask", Ask(by=cast.olga, case_id=case.id, text="Qual era a linha?"))).case
    if answered_after is None:
        return case
    desk.later(days=answered_after)
    answered: Case = (await desk.does("reply", Reply(by=cast.ana, case_id=case.id, text="A 12."))).case
    return answered


async def test_who_is_asked_something_waits_no_longer(desk: Desk, cast: Cast) -> None:
    """No law stops the term and the city chose nothing: the date stays, and the reasons say why it does."""
    case = await desk.taken_report(cast.ana, cast.olga)
    assert "pergunta" not in reasons(case, desk.store.laws)
    desk.later(days=10)
    waiting = await asked(desk, cast, case, answered_after=None)
    desk.later(days=5)
    case = await asked(desk, cast, case, answered_after=0)

    assert ends_on(waiting, desk.store.laws) == ends_on(case, desk.store.laws) == FIRST
    assert stopped_on(waiting, laws=desk.store.laws) is None
    assert "aqui ele segue correndo, e ela não espera mais por isso" in reasons(case, desk.store.laws)


@pytest.mark.parametrize(
    ("term", "until", "words"),
    [
        ("runs", FIRST, "escolheu que segue correndo: Decreto nº 7/2026"),
        ("pauses", date(2027, 1, 4), "De 10/12/2026 a 15/12/2026, à espera da resposta da pessoa, não conta: 5 dias"),
        ("restarts", date(2027, 1, 14), "A pessoa respondeu em 15/12/2026, e o prazo recomeçou."),
    ],
)
async def test_a_city_chooses_and_its_decree_is_named(
    cast: Cast, desk: Desk, tmp_path: Path, term: str, until: date, words: str
) -> None:
    """Olga asks on the tenth day, Ana answers on the fifteenth."""
    laws = chosen(tmp_path, term)
    case = await desk.taken_report(cast.ana, cast.olga)
    desk.later(days=10)

    case = await asked(desk, cast, case, answered_after=5)

    assert ends_on(case, laws) == until
    assert words in reasons(case, laws)
    assert "Decreto nº 7/2026" in reasons(case, laws)


@pytest.mark.parametrize("term", ["pauses", "restarts"])
async def test_while_it_stands_still_no_day_is_named_and_nobody_extends(
    cast: Cast, desk: Desk, tmp_path: Path, term: str
) -> None:
    """Ana has not answered yet: the reasons say since when, and a button pressed late extends nothing."""
    here = Desk(Memory(chosen(tmp_path, term)))
    here.store.committed = desk.store.committed
    case = await here.taken_report(cast.ana, cast.olga)
    here.later(days=10)
    case = await asked(here, cast, case, answered_after=None)
    laws = here.store.laws

    assert (ends_on(case, laws), stopped_on(case, laws=laws)) == (None, date(2026, 12, 10))
    assert extended_deadline(case, laws=laws) is None
    assert "Parado desde 10/12/2026" in reasons(case, laws)
    await here.refuses(CaseMovedOn, "extend_term", ExtendTerm(by=cast.olga, case_id=case.id, text="Falta muito."))


@pytest.mark.parametrize(("after", "moves"), [(30, True), (31, False)])
async def test_what_is_late_stays_late(cast: Cast, desk: Desk, tmp_path: Path, after: int, moves: bool) -> None:
    """Asked on the last day the term stops; asked on the day after, nothing is left to stop."""
    laws = chosen(tmp_path, "pauses")
    case = await desk.taken_report(cast.ana, cast.olga)
    desk.later(days=after)

    case = await asked(desk, cast, case, answered_after=2)

    assert ends_on(case, laws) == (date(2027, 1, 4) if moves else FIRST)  # 1 January is a holiday, then a weekend


async def test_a_pause_before_and_one_after_an_extension_both_count(cast: Cast, desk: Desk, tmp_path: Path) -> None:
    """Three days, the extension, then two days more; two questions in a row are one wait."""
    laws = chosen(tmp_path, "pauses")
    case = await desk.taken_report(cast.ana, cast.olga)
    await asked(desk, cast, case, answered_after=None)
    desk.later(days=1)
    await asked(desk, cast, case, answered_after=2)
    extend = ExtendTerm(by=cast.olga, case_id=case.id, text="Faltam as imagens.")
    case = (await desk.does("extend_term", extend)).case
    extended = ends_on(case, laws)
    assert extended == date(2027, 2, 3)  # 30 days, 3 more to 2 January, which is a Saturday: to the 4th, and 30 more
    desk.later(days=40)

    case = await asked(desk, cast, case, answered_after=2)

    assert ends_on(case, laws) == date(2027, 2, 5)
    assert len(case.waits) == 2


def test_a_choice_that_there_is_not_stops_the_start(tmp_path: Path) -> None:
    """Whoever mistypes it reads the file and the key."""
    with pytest.raises(RulebookError, match=rf"{CITY}\.toml: asking\.term"):
        chosen(tmp_path, "stops")
