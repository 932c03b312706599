"""The tables of cases: what they are, what happened to them, what belongs to them, and, apart, whom they belong to."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
)

from bot.storage.engine import to_json
from bot.storage.tables import BigId, Instant, metadata
from domain.reports.ports import UNSEEN


class Json(TypeDecorator[Any]):
    """JSON as the text that was written: both databases give back the very same value, so that hashes still hold."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


case = Table(
    "case",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("city", String(60), nullable=False),
    Column("service", String(40), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("state", String(10), nullable=False),
    Column("protocol", String(40), unique=True),
    Column("queue", String(40)),
    Column("subject", String(40)),
    Column("assignee", ForeignKey("person.id")),
    Column("turn", String(10), nullable=False),
    Column("turn_since", Instant),
    Column("opened_at", Instant),
    Column("submitted_at", Instant),
    Column("closed_at", Instant),
    Column("outcome", String(20)),
    Column("asked", Boolean, nullable=False),
    Column("contested", Integer, nullable=False),
    Column("extended_at", Instant),
    Column("waits", Json, nullable=False, server_default="[]"),
    Column("facts", Json, nullable=False),
    Column("items", Json, nullable=False),
    Column("seq", Integer, nullable=False),  # of its last event: whoever writes says which one was seen last
    Column("head", String(64), nullable=False),
    Column("look_on", Date, nullable=False, server_default=UNSEEN.isoformat()),  # no part of what a timeline says
    sqlite_autoincrement=True,
)
Index("ix_case_shelf", case.c.city, case.c.state, case.c.submitted_at, case.c.id)
Index("ix_case_queue", case.c.city, case.c.service, case.c.queue, case.c.state, case.c.submitted_at, case.c.id)
Index("ix_case_assignee", case.c.assignee, case.c.state, case.c.submitted_at, case.c.id)
# the overview of a city counts what waits, however much is over; a database only sees that the index will do when
# the states stand in the statement itself
UNFINISHED = text("state IN ('open', 'taken', 'waiting')")
Index(
    "ix_case_unfinished",
    *(case.c.city, case.c.service, case.c.queue, case.c.state, case.c.kind, case.c.assignee, case.c.turn),
    case.c.turn_since,
    sqlite_where=UNFINISHED,
    postgresql_where=UNFINISHED,
)

# whose answer staff owes: what waits for its citizen, or is over, is out of the index and costs its sweep nothing
ANSWER_OWED = text("turn = 'staff' AND kind <> 'registration'")
Index(
    "ix_case_owed",
    *(case.c.city, case.c.service, case.c.look_on, case.c.id),
    sqlite_where=ANSWER_OWED,
    postgresql_where=ANSWER_OWED,
)

# append only: the migration adds triggers that refuse a change
timeline_event = Table(
    "timeline_event",
    metadata,
    Column("case_id", ForeignKey("case.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("author_kind", String(10), nullable=False),
    Column("author_id", ForeignKey("person.id")),  # staff alone
    Column("author_name", Json, nullable=False),
    Column("audience", String(10), nullable=False),
    Column("text", Json, nullable=False),
    Column("data", Json, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)

protocol_counter = Table(
    "protocol_counter",
    metadata,
    Column("series", String(40), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

case_file = Table(
    "case_file",
    metadata,
    Column("file_id", ForeignKey("file.id"), primary_key=True),  # a file is part of one case
    Column("case_id", ForeignKey("case.id"), nullable=False, index=True),
)

party = Table(
    "party",
    metadata,
    Column("case_id", ForeignKey("case.id"), primary_key=True),
    Column("mode", String(10), nullable=False),
    Column("key_id", String(16)),  # which key sealed it and made its tag
    Column("sealed", String(200)),  # the person, readable with the key alone
    Column("tag", String(64)),  # the person's keyed hash: finds "my cases" and says nothing without the key
    Column("receipt_hash", String(64), unique=True),
)
Index("ix_party_tag", party.c.tag, party.c.case_id)
