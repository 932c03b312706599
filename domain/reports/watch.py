"""Telling staff that the term of an answer is about to end, and that it has ended: each once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from domain.cases.model import Case
from domain.law.calendar import Calendar
from domain.law.loader import Laws
from domain.law.terms import Deadline
from domain.people.model import Recipient
from domain.people.ports import Grants, People
from domain.privacy.ports import Parties
from domain.queues.model import WORKS_ON, kinds_for
from domain.reminders.schedule import is_sending_time
from domain.reports.answer import answer_deadline, is_late
from domain.reports.ports import UNSEEN, AnswerWatch

DAY = timedelta(days=1)
NO_DAY = timedelta(days=30)  # until a report of whose answer the law names no day is looked at again
NEVER = date.max


@dataclass(frozen=True, slots=True)
class OwedAnswer:
    """An answer whose term ends soon or has ended; ``ends_on`` is the day of ``due``."""

    case: Case
    due: Deadline
    ends_on: date


@dataclass(frozen=True, slots=True)
class TermsTold:
    """One message to one member of staff: every answer of which they are told now, soonest first."""

    recipient: Recipient
    answers: tuple[OwedAnswer, ...]


async def watch_answers(
    *, watch: AnswerWatch, people: People, grants: Grants, parties: Parties, laws: Laws, now: datetime, limit: int
) -> tuple[int, tuple[TermsTold, ...]]:
    """Look at the reports whose day has come, ``limit`` of a service at most, and say who is to be told of which.

    Who has a report is told of it; where nobody has it, or whoever has it can be told no more, those who can take it.
    It is told in the city's sending hours on a business day: on the last one before the term ends, and on the first
    one after. One that waits for its citizen is not looked at until it is the staff's turn again.

    Returns:
        How many reports were looked at (none: all are done), and the messages.
    """
    seen = 0
    told: dict[Recipient, list[OwedAnswer]] = {}
    for city in laws.cities():
        calendar = laws.calendar(city.slug)
        today = now.astimezone(calendar.zone).date()
        may_tell = is_sending_time(now, calendar) and calendar.why_closed(today) is None
        for book in laws.rulebooks(city.slug):
            found = await watch.due(
                today if may_tell else UNSEEN, city=city.slug, service=book.service.key, limit=limit
            )
            seen += len(found)
            for case in found:
                owed = _owed(case, laws)
                tell, again = next_look(case, owed, calendar, today)
                if tell and not may_tell:
                    tell, again = False, today
                readers = await _readers(case, people=people, grants=grants, parties=parties) if tell else ()
                if tell and not readers:
                    again = today + DAY  # until somebody works here
                await watch.look_again(case.id, again)
                for reader in readers:
                    if owed is not None:
                        told.setdefault(reader, []).append(owed)
    return seen, tuple(
        TermsTold(reader, tuple(sorted(answers, key=lambda one: (one.ends_on, one.case.id))))
        for reader, answers in told.items()
    )


def next_look(case: Case, owed: OwedAnswer | None, calendar: Calendar, today: date) -> tuple[bool, date]:
    """Return whether a report is to be told of today, and when to look at it next.

    What is told is read off the day alone: after it the report is looked at on a day of the next telling, so that an
    extension, a holiday or a rule that moved the end meanwhile is met there.
    """
    if owed is None:
        return False, today + NO_DAY
    if is_late(case, owed.due, today):
        return True, NEVER
    if owed.ends_on < today:
        return False, NEVER
    before = calendar.previous_business_day(owed.ends_on - DAY).day
    after = calendar.next_business_day(owed.ends_on + DAY).day
    return (True, after) if before <= today else (False, before)


def _owed(case: Case, laws: Laws) -> OwedAnswer | None:
    due = answer_deadline(case, laws=laws)
    return None if due is None or due.ends_on is None else OwedAnswer(case, due, due.ends_on)


async def _readers(case: Case, *, people: People, grants: Grants, parties: Parties) -> tuple[Recipient, ...]:
    if case.assignee is not None and case.kind in kinds_for(await people.get(case.assignee), case.city):
        holder = await people.recipient(case.assignee)
        if holder is not None:
            return (holder,)
    own = (await parties.of(case.id)).person_id  # nobody works on a case of their own
    team = {member.person_id for member in await grants.of_city(case.city) if case.kind in WORKS_ON[member.role]}
    found = [await people.recipient(person_id) for person_id in sorted(team - {own, case.assignee})]
    return tuple(one for one in found if one is not None)
