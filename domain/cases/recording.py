"""How use cases write a timeline: what happens at once is stored together and told to whom it touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domain.cases.commands import CaseUpdate
from domain.cases.errors import TextMissing
from domain.cases.model import Audience, Author, AuthorKind, Case, Event, EventKind, happen
from domain.cases.ports import Cases
from domain.people.model import Person, Recipient
from domain.people.ports import People
from domain.privacy.ports import Parties
from domain.queues.model import kinds_for


@dataclass(frozen=True, slots=True)
class Happening:
    """An event about to be written. ``author`` only where it differs from who acts."""

    kind: EventKind
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    audience: Audience = Audience.ALL
    author: Author | None = None


def staff_author(person: Person) -> Author:
    """Return the author of what a member of staff does."""
    return Author.staff(person.id, person.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """Writes the timelines of one update's transaction. ``now`` is UTC."""

    cases: Cases
    people: People
    parties: Parties
    now: datetime

    async def __call__(self, case: Case, *happenings: Happening, author: Author) -> CaseUpdate:
        """Append what happened, store it, and say who is to be told.

        Raises:
            CaseMovedOn: Somebody was faster.
        """
        holder_before = case.assignee
        events: list[Event] = []
        for happening in happenings:
            case, event = happen(
                case,
                happening.kind,
                at=self.now,
                author=happening.author or author,
                audience=happening.audience,
                text=happening.text,
                data=happening.data,
            )
            events.append(event)
        await self.cases.save(case, events)
        if author.kind is AuthorKind.CITIZEN:
            return CaseUpdate(case, tuple(events), staff=await self._holder(case.assignee, case))
        staff: tuple[Recipient, ...] = ()
        if author.kind is AuthorKind.STAFF and holder_before != author.person_id:
            staff = await self._holder(holder_before, case)
        citizen = None
        if any(event.audience is Audience.ALL for event in events):
            party = await self.parties.of(case.id)
            citizen = await self.people.recipient(party.person_id) if party.person_id is not None else None
        return CaseUpdate(case, tuple(events), citizen=citizen, staff=staff)

    async def _holder(self, person_id: int | None, case: Case) -> tuple[Recipient, ...]:
        """Return who has a case, to be told of it; nobody who left its team reads on."""
        if person_id is None or case.kind not in kinds_for(await self.people.get(person_id), case.city):
            return ()
        holder = await self.people.recipient(person_id)
        return (holder,) if holder is not None else ()


def words(text: str, case: Case) -> str:
    """Return a text that the other side will read, verbatim.

    Raises:
        TextMissing: Nothing is written in it.
    """
    if not text.strip():
        raise TextMissing(case_id=case.id)
    return text
