"""Planning what is told, healing it when something moved, and picking what is due."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from domain.cases.model import Case
from domain.cases.ports import Cases
from domain.errors import NotFound
from domain.law.loader import Laws
from domain.people.model import Person
from domain.people.ports import People
from domain.privacy.ports import Parties
from domain.reminders.derive import Registered, derivation_stamp, derive_obligations
from domain.reminders.model import DueReminder, Moved, Obligation, ObligationState, ReminderState, Told
from domain.reminders.ports import Ledger, Obligations
from domain.reminders.schedule import is_quiet_day, is_sending_time, reminders_for


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleObligation:
    """Say that something is done: no further reminders of it."""

    by: Person
    obligation_id: int


async def plan_obligations(
    case: Case,
    *,
    people: People,
    parties: Parties,
    obligations: Obligations,
    ledger: Ledger,
    laws: Laws,
    now: datetime,
) -> tuple[Moved, ...]:
    """Work out what an approved registration makes its person owe, and bring what is stored in line with it.

    New obligations are planned with the reminders that lie ahead; one whose date moved keeps its identity and gets
    reminders for the new date; one that the law no longer makes is cancelled. What lies in the past stays.

    Returns:
        The dates that moved or fell away, with whom to tell.
    """
    calendar = laws.calendar(case.city)
    today = now.astimezone(calendar.zone).date()
    rulebook = laws.rulebook(case.city, case.service)
    person_id = (await parties.of(case.id)).person_id
    if person_id is None or case.closed_at is None:
        return ()
    registered = Registered(
        case,
        person_id,
        submitted_on=(case.submitted_at or case.closed_at).astimezone(calendar.zone).date(),
        approved_on=case.closed_at.astimezone(calendar.zone).date(),
    )
    fresh = {one.key: one for one in derive_obligations(rulebook, registered, calendar, today=today)}
    stored = {one.key: one for one in await obligations.of_case(case.id)}
    changes: list[tuple[Obligation, Obligation | None]] = []

    for key, one in fresh.items():
        known = stored.get(key)
        if known is None or known.state is ObligationState.CANCELLED:
            if one.due_on >= today:
                kept = await obligations.put(one)
                await ledger.plan(reminders_for(kept, calendar, now=now))
        elif known.state is ObligationState.OPEN and known != replace(one, id=known.id):
            kept = await obligations.put(one)
            if kept.due_on != known.due_on:
                await ledger.cancel(known.id)
                await ledger.plan(reminders_for(kept, calendar, now=now))
                changes.append((known, kept))
    for key, known in stored.items():
        if key not in fresh and known.state is ObligationState.OPEN and known.due_on >= today:
            await obligations.put(replace(known, state=ObligationState.CANCELLED))
            await ledger.cancel(known.id)
            changes.append((known, None))

    stamp = derivation_stamp(rulebook, calendar, today=today)
    await obligations.mark_derived(case.id, city=case.city, service=case.service, stamp=stamp)
    recipient = await people.recipient(person_id) if changes else None
    return tuple(Moved(recipient, before, after) for before, after in changes)


async def heal_obligations(
    *,
    cases: Cases,
    people: People,
    parties: Parties,
    obligations: Obligations,
    ledger: Ledger,
    laws: Laws,
    now: datetime,
    limit: int,
) -> tuple[int, tuple[Moved, ...]]:
    """Work out anew what was worked out under other rules, other holidays or in another year, ``limit`` cases at most.

    Returns:
        How many cases were worked out anew (fewer than ``limit``: all are done), and the dates that moved.
    """
    done = 0
    moved: list[Moved] = []
    for city in laws.cities():
        calendar = laws.calendar(city.slug)
        today = now.astimezone(calendar.zone).date()
        for rulebook in laws.rulebooks(city.slug):
            stamp = derivation_stamp(rulebook, calendar, today=today)
            for case_id in await obligations.outdated(
                city=city.slug, service=rulebook.service.key, stamp=stamp, limit=limit - done
            ):
                case = await cases.get(case_id, lock=True)
                moved += await plan_obligations(
                    case,
                    people=people,
                    parties=parties,
                    obligations=obligations,
                    ledger=ledger,
                    laws=laws,
                    now=now,
                )
                done += 1
    return done, tuple(moved)


async def pick_due(*, people: People, ledger: Ledger, laws: Laws, now: datetime, limit: int) -> tuple[Told, ...]:
    """Take what is due to be told, one message per person, at most ``limit`` persons per city.

    Outside a city's sending hours nothing is taken; on a Sunday or holiday only what is due that day. Of several
    reminders of one obligation, as after an outage, only the newest is told. Who takes them puts them into the outbox
    in the same transaction.
    """
    told: list[Told] = []
    for city in laws.cities():
        calendar = laws.calendar(city.slug)
        today = now.astimezone(calendar.zone).date()
        if not is_sending_time(now, calendar):
            continue
        due_on = today if is_quiet_day(today, calendar) else None
        due = await ledger.due(now, city=city.slug, people=limit, due_on=due_on)
        by_person: dict[int, list[DueReminder]] = {}
        for one in due:
            by_person.setdefault(one.reminder.person_id, []).append(one)
        for person_id, theirs in by_person.items():
            message = await _message(person_id, theirs, city.slug, people=people, ledger=ledger)
            if message is not None:
                told.append(message)
    return tuple(told)


async def my_obligations(by: Person, *, obligations: Obligations) -> tuple[Obligation, ...]:
    """Return what a person owes, soonest first."""
    return await obligations.of_person(by.id)


async def settle_obligation(command: SettleObligation, *, obligations: Obligations, ledger: Ledger) -> Obligation:
    """Stop reminding of something that is done. Saying it again changes nothing.

    Raises:
        NotFound: It is not theirs.
    """
    known = await obligations.get(command.obligation_id)
    if known.person_id != command.by.id:
        raise NotFound(f"obligation {command.obligation_id} is not for this person")
    if known.state is not ObligationState.OPEN:
        return known
    await ledger.cancel(known.id)
    return await obligations.put(replace(known, state=ObligationState.DONE))


async def _message(
    person_id: int, due: Iterable[DueReminder], city: str, *, people: People, ledger: Ledger
) -> Told | None:
    newest: dict[int, DueReminder] = {}
    overtaken: list[int] = []
    for one in sorted(due, key=lambda one: (-one.reminder.offset, one.reminder.id)):
        earlier = newest.get(one.obligation.id)
        if earlier is not None:
            overtaken.append(earlier.reminder.id)
        newest[one.obligation.id] = one
    await ledger.mark(overtaken, ReminderState.SUPERSEDED)
    ids = [one.reminder.id for one in newest.values()]
    recipient = await people.recipient(person_id)
    if recipient is None:
        await ledger.mark(ids, ReminderState.UNREACHABLE)
        return None
    await ledger.mark(ids, ReminderState.QUEUED)
    obligations = sorted((one.obligation for one in newest.values()), key=lambda one: (one.due_on, one.id))
    return Told(recipient, city, tuple(obligations), key=f"reminder:{person_id}:{max(ids)}")
