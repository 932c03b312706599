"""A case is what its timeline says: ``replay`` of the events gives the stored state.

Events are only ever appended. Each carries the hash of the one before it, so that a changed past shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any


class CaseKind(StrEnum):
    """What somebody came to the counter for."""

    REGISTRATION = "registration"
    COMPLAINT = "complaint"
    DISCRIMINATION = "discrimination"
    IRREGULARITY = "irregularity"


REPORT_KINDS = frozenset({CaseKind.COMPLAINT, CaseKind.DISCRIMINATION, CaseKind.IRREGULARITY})


class CaseState(StrEnum):
    """Where a case stands."""

    DRAFT = "draft"  # being put together by the citizen; no queue shows it
    OPEN = "open"  # in a queue, nobody has it
    TAKEN = "taken"  # a member of staff has it
    WAITING = "waiting"  # the citizen owes an answer or a corrected item; the same member of staff keeps it
    DECIDED = "decided"  # an outcome was told; the citizen may confirm or contest it
    CLOSED = "closed"  # nothing more is owed by anyone


class Turn(StrEnum):
    """Whose move it is, which people see beside "since when"."""

    CITIZEN = "citizen"
    STAFF = "staff"
    NOBODY = "nobody"


class Audience(StrEnum):
    """Who may read an event."""

    ALL = "all"  # the citizen and staff
    STAFF = "staff"  # staff alone: notes


class EventKind(StrEnum):
    """What can happen to a case."""

    OPENED = "opened"
    FACTS_GIVEN = "facts_given"
    ITEM_SENT = "item_sent"
    ITEM_WITHDRAWN = "item_withdrawn"
    SUBMITTED = "submitted"
    TAKEN = "taken"
    RELEASED = "released"
    TRANSFERRED = "transferred"
    ITEM_ACCEPTED = "item_accepted"
    ITEM_REFUSED = "item_refused"
    ASKED = "asked"
    REPLIED = "replied"
    EVIDENCE_ADDED = "evidence_added"
    NOTED = "noted"
    ANSWERED = "answered"  # an intermediate answer: the case goes on
    EXTENDED = "extended"  # the term of the answer, once and with a reason
    DECIDED = "decided"
    CONFIRMED = "confirmed"
    CONTESTED = "contested"
    WITHDRAWN = "withdrawn"


class Outcome(StrEnum):
    """How a case ended. Closed is not solved: a report's outcome waits for the citizen's word."""

    RESOLVED = "resolved"
    UNFOUNDED = "unfounded"
    OUT_OF_SCOPE = "out_of_scope"  # no matter for this city hall
    FORWARDED = "forwarded"  # handed to the body that can act on it
    NO_REPLY = "no_reply"  # the citizen was asked and did not answer
    APPROVED = "approved"
    DENIED = "denied"


REPORT_OUTCOMES = (Outcome.RESOLVED, Outcome.UNFOUNDED, Outcome.OUT_OF_SCOPE, Outcome.FORWARDED, Outcome.NO_REPLY)


class AuthorKind(StrEnum):
    """Which side of the counter wrote an event. A citizen's identity is never part of the timeline."""

    CITIZEN = "citizen"
    STAFF = "staff"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote an event; ``person_id`` only for staff."""

    kind: AuthorKind
    person_id: int | None = None
    name: str = ""

    @classmethod
    def citizen(cls) -> Author:
        return cls(AuthorKind.CITIZEN)

    @classmethod
    def system(cls) -> Author:
        return cls(AuthorKind.SYSTEM)

    @classmethod
    def staff(cls, person_id: int, name: str) -> Author:
        return cls(AuthorKind.STAFF, person_id, name)


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a timeline.

    ``seq`` counts from 1 without gaps within a case; ``at`` is UTC; ``data`` is JSON with string keys (item, reason,
    files, outcome, queue ...); ``text`` is what was written, verbatim.
    """

    seq: int
    at: datetime
    kind: EventKind
    author: Author
    audience: Audience
    text: str
    data: Mapping[str, Any]
    previous: str
    hash: str


class ItemState(StrEnum):
    """Where one item of a checklist stands."""

    MISSING = "missing"
    SENT = "sent"
    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a registration's checklist as the timeline left it."""

    state: ItemState
    files: tuple[int, ...] = ()
    caption: str = ""
    reason: str | None = None
    comment: str = ""
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """How long a question of staff's waited for its answer; ``until`` is None while it does."""

    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """The state of a case after its event ``seq``; ``head`` is that event's hash.

    ``asked`` says that a question of staff's awaits the citizen's answer, ``waits`` when that was so, the last
    one open while it is; ``extended_at``, when its term was extended; ``facts`` and ``items`` are JSON.
    """

    id: int
    city: str
    service: str
    kind: CaseKind
    state: CaseState = CaseState.DRAFT
    protocol: str | None = None
    queue: str | None = None
    subject: str | None = None
    assignee: int | None = None
    turn: Turn = Turn.CITIZEN
    turn_since: datetime | None = None
    opened_at: datetime | None = None
    submitted_at: datetime | None = None
    closed_at: datetime | None = None
    outcome: Outcome | None = None
    asked: bool = False
    contested: int = 0
    extended_at: datetime | None = None
    waits: tuple[Wait, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    items: Mapping[str, Item] = field(default_factory=dict)
    seq: int = 0
    head: str = ""

    @property
    def is_over(self) -> bool:
        """Whether staff has nothing more to do: decided or closed."""
        return self.state in (CaseState.DECIDED, CaseState.CLOSED)

    @property
    def refused_items(self) -> tuple[str, ...]:
        """Items that wait for a corrected file."""
        return tuple(key for key, item in self.items.items() if item.state is ItemState.REFUSED)


def event_hash(
    previous: str,
    *,
    case_id: int,
    seq: int,
    at: datetime,
    kind: EventKind,
    author: Author,
    audience: Audience,
    text: str,
    data: Mapping[str, Any],
) -> str:
    """Return the SHA-256 (hex) that chains an event to the one before it."""
    body = json.dumps(
        [
            previous,
            case_id,
            seq,
            at.isoformat(timespec="microseconds"),
            kind.value,
            author.kind.value,
            author.person_id,
            audience.value,
            text,
            data,
        ],
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    # half a surrogate pair, which JSON can carry, must not keep a case from going on
    return hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest()


def happen(
    case: Case,
    kind: EventKind,
    *,
    at: datetime,
    author: Author,
    audience: Audience = Audience.ALL,
    text: str = "",
    data: Mapping[str, Any] | None = None,
) -> tuple[Case, Event]:
    """Append an event: return it and the case as it stands after it. Whether it may happen is the use case's to say."""
    facts = dict(data or {})
    seq = case.seq + 1
    digest = event_hash(
        case.head,
        case_id=case.id,
        seq=seq,
        at=at,
        kind=kind,
        author=author,
        audience=audience,
        text=text,
        data=facts,
    )
    event = Event(seq, at, kind, author, audience, text, facts, case.head, digest)
    return apply(case, event), event


def apply(case: Case, event: Event) -> Case:
    """Return ``case`` as ``event`` leaves it. Pure and total: every kind of event has its line here."""
    data, moved = event.data, partial(replace, case, seq=event.seq, head=event.hash)
    match event.kind:
        case EventKind.OPENED:
            return moved(
                opened_at=event.at,
                subject=data.get("subject"),
                facts=data.get("facts", {}),
                turn=Turn.CITIZEN,
                turn_since=event.at,
            )
        case EventKind.FACTS_GIVEN:
            return moved(facts={**case.facts, **data["facts"]})
        case EventKind.ITEM_SENT:
            item = Item(ItemState.SENT, tuple(data["files"]), caption=event.text, since=event.at)
            return moved(items={**case.items, data["item"]: item})
        case EventKind.ITEM_WITHDRAWN:
            return moved(items={**case.items, data["item"]: Item(ItemState.MISSING, since=event.at)})
        case EventKind.SUBMITTED:
            # a resubmission after a correction goes back to the member of staff who asked for it
            state = CaseState.TAKEN if case.assignee else CaseState.OPEN
            return moved(
                state=state,
                protocol=data.get("protocol", case.protocol),
                queue=data.get("queue", case.queue),
                submitted_at=case.submitted_at or event.at,
                turn=Turn.STAFF,
                turn_since=event.at,
            )
        case EventKind.TAKEN:
            state = CaseState.TAKEN if case.state is CaseState.OPEN else case.state
            return moved(state=state, assignee=event.author.person_id)
        case EventKind.RELEASED:
            state = CaseState.OPEN if case.state is CaseState.TAKEN else case.state
            return moved(state=state, assignee=None)
        case EventKind.TRANSFERRED:
            state = CaseState.OPEN if case.state is CaseState.TAKEN else case.state
            return moved(state=state, assignee=None, queue=data["queue"])
        case EventKind.ITEM_ACCEPTED:
            was = case.items[data["item"]]
            item = replace(was, state=ItemState.ACCEPTED, reason=None, comment="", since=event.at)
            return moved(items={**case.items, data["item"]: item})
        case EventKind.ITEM_REFUSED:
            was = case.items[data["item"]]
            item = replace(was, state=ItemState.REFUSED, reason=data["reason"], comment=event.text, since=event.at)
            return moved(
                items={**case.items, data["item"]: item},
                state=CaseState.WAITING,
                turn=Turn.CITIZEN,
                turn_since=case.turn_since if case.turn is Turn.CITIZEN else event.at,
            )
        case EventKind.ASKED:
            waits = case.waits if case.asked else (*case.waits, Wait(event.at))
            return moved(state=CaseState.WAITING, asked=True, waits=waits, turn=Turn.CITIZEN, turn_since=event.at)
        case EventKind.REPLIED:
            if case.refused_items:  # the question is answered, a corrected item is still owed
                return moved(**_answered(case, event))
            state = CaseState.TAKEN if case.assignee else CaseState.OPEN
            return moved(state=state, **_answered(case, event), turn=Turn.STAFF, turn_since=event.at)
        case EventKind.DECIDED:
            # a registration's decision is final here; a report's outcome waits for the citizen's word
            final = case.kind is CaseKind.REGISTRATION
            return moved(
                state=CaseState.CLOSED if final else CaseState.DECIDED,
                outcome=Outcome(data["outcome"]),
                **_answered(case, event),
                turn=Turn.NOBODY if final else Turn.CITIZEN,
                turn_since=event.at,
                closed_at=event.at if final else None,
            )
        case EventKind.CONFIRMED | EventKind.WITHDRAWN:
            return moved(
                state=CaseState.CLOSED,
                **_answered(case, event),
                turn=Turn.NOBODY,
                turn_since=event.at,
                closed_at=event.at,
            )
        case EventKind.CONTESTED:
            return moved(
                state=CaseState.TAKEN if case.assignee else CaseState.OPEN,
                outcome=None,
                contested=case.contested + 1,
                turn=Turn.STAFF,
                turn_since=event.at,
                closed_at=None,
            )
        case EventKind.EXTENDED:
            return moved(extended_at=event.at)
        case EventKind.EVIDENCE_ADDED | EventKind.NOTED | EventKind.ANSWERED:
            return moved()


def _answered(case: Case, event: Event) -> dict[str, Any]:
    """Return what changes when a question waits no more, if one did."""
    waits = (*case.waits[:-1], Wait(case.waits[-1].since, event.at)) if case.asked else case.waits
    return {"asked": False, "waits": waits}


def replay(case: Case, events: Iterable[Event]) -> Case:
    """Return what ``events`` make of a blank ``case`` (its id, city, service and kind only).

    Raises:
        BrokenTimeline: An event is missing, out of order, or was changed after it was written.
    """
    for event in events:
        digest = event_hash(
            case.head,
            case_id=case.id,
            seq=event.seq,
            at=event.at,
            kind=event.kind,
            author=event.author,
            audience=event.audience,
            text=event.text,
            data=event.data,
        )
        if event.seq != case.seq + 1 or event.previous != case.head or event.hash != digest:
            raise BrokenTimeline(f"case {case.id}: the timeline does not hold at event {event.seq}")
        case = apply(case, event)
    return case


class BrokenTimeline(Exception):
    """A stored timeline was changed, cut or reordered."""
