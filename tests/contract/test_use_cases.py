"""The counter's main stories on every store, and two who press at the same moment."""

from __future__ import annotations

import asyncio
from datetime import date, datetime

from domain.cases.commands import Ask, CaseUpdate, Decide, Reply, TakeCase
from domain.cases.errors import CaseTaken
from domain.cases.model import Case, CaseState, EventKind, Outcome, replay
from domain.privacy.model import IdentityMode
from domain.registration.commands import AcceptItem, Approve, RefuseItem
from domain.reminders.model import Told
from tests.support.builders import CITY, MANAGER, OMBUDSMAN, REGISTRY, Counter, laws
from tests.support.stores import Store


async def holds(counter: Counter, case_id: int) -> Case:
    """Check that the stored case is what its timeline says, and return it."""
    case, events = await counter.timeline(case_id)
    assert replay(Case(case.id, case.city, case.service, case.kind), events) == case
    return case


async def test_a_driver_is_approved_and_reminded(store: Store, counter: Counter) -> None:
    """One item is refused and cured; the fee is told of on its days, whatever the database."""
    ana, bia = await store.person("Ana"), await store.person("Bia", REGISTRY)
    case = await counter.reviewed(ana, bia)
    await counter.does("accept_item", AcceptItem(by=bia, case_id=case.id, item="antecedentes"))
    await counter.does(
        "refuse_item", RefuseItem(by=bia, case_id=case.id, item="cnh", reason="glare", comment="reflexo")
    )
    assert (await holds(counter, case.id)).state is CaseState.WAITING
    await counter.send(ana, case, "cnh")
    await counter.does("accept_item", AcceptItem(by=bia, case_id=case.id, item="cnh"))
    await counter.does("approve", Approve(by=bia, case_id=case.id))
    assert (await holds(counter, case.id)).outcome == "approved"

    zone = laws().city(CITY).zone
    heard: list[tuple[date, str]] = []
    for day in (date(2026, 12, 23), date(2027, 1, 7), date(2027, 1, 8), date(2027, 1, 22)):
        for _ in range(2):
            counter.now = datetime(day.year, day.month, day.day, 9, tzinfo=zone)
            told: tuple[Told, ...] = await counter.does("pick_due", limit=10)
            heard += [(day, obligation.rule) for one in told for obligation in one.obligations]
    assert heard == [
        (date(2026, 12, 23), "taxa-motorista"),
        (date(2027, 1, 7), "taxa-motorista"),
        (date(2027, 1, 22), "taxa-motorista"),
    ]
    assert (await counter.does("heal_obligations", limit=10))[0] == 1
    assert (await counter.does("heal_obligations", limit=10))[0] == 0


async def test_an_anonymous_report_is_answered_by_its_receipt(store: Store, counter: Counter) -> None:
    """Asked, answered, decided, without anybody's name."""
    ana, olga = await store.person("Ana"), await store.person("Olga", OMBUDSMAN)
    filed = await counter.report(ana, mode=IdentityMode.ANONYMOUS, files=(await store.file(),))
    case_id = filed.update.case.id
    await counter.does("take_case", TakeCase(by=olga, case_id=case_id))
    await counter.does("ask", Ask(by=olga, case_id=case_id, text="Quando?"))
    seen = await counter.does("open_by_receipt", str(filed.receipt))
    await counter.does("reply", Reply(by=ana, case_id=case_id, receipt=filed.receipt, text="Ontem <b>à noite</b> 🌙"))
    await counter.does("decide", Decide(by=olga, case_id=case_id, outcome=Outcome.RESOLVED, text="Multado."))

    assert seen.case.id == case_id
    assert len(seen.files) == 1
    assert await counter.does("my_cases", ana) == ()
    assert (await holds(counter, case_id)).state is CaseState.DECIDED


async def test_of_two_who_take_a_case_at_once_one_wins(store: Store, counter: Counter) -> None:
    """Whoever it is: the other hears the winner's name, and the timeline has one taking."""
    olga, gil = await store.person("Olga", OMBUDSMAN), await store.person("Gil", MANAGER)
    ana = await store.person("Ana")
    case_id = (await counter.report(ana)).update.case.id

    both = await asyncio.gather(
        *(counter.does("take_case", TakeCase(by=by, case_id=case_id)) for by in (olga, gil)), return_exceptions=True
    )

    (won,) = [one for one in both if isinstance(one, CaseUpdate)]
    (lost,) = [one for one in both if isinstance(one, CaseTaken)]
    names = {olga.id: "Olga", gil.id: "Gil"}
    assert lost.facts == {"holder": names[won.case.assignee or 0]}
    _, events = await counter.timeline(case_id)
    assert [event.kind for event in events].count(EventKind.TAKEN) == 1


async def test_protocols_of_reports_filed_at_once_differ(store: Store, counter: Counter) -> None:
    """Five people at one moment: five numbers without a gap."""
    people = [await store.person(f"Pessoa {number}") for number in range(5)]

    filed = await asyncio.gather(*(counter.report(one) for one in people))

    assert sorted(one.protocol[:-2] for one in filed) == [f"VILMT-2026-{number:05}" for number in range(1, 6)]
