"""The tables of what people owe by when, and of the reminders about it."""

from __future__ import annotations

from sqlalchemy import Column, Date, ForeignKey, Index, SmallInteger, String, Table, Text, UniqueConstraint

from bot.storage.tables import BigId, Instant, metadata
from bot.storage.tables_cases import Json

obligation = Table(
    "obligation",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("case_id", ForeignKey("case.id"), nullable=False),
    Column("city", String(60), nullable=False),
    Column("service", String(40), nullable=False),
    Column("rule", String(80), nullable=False),
    Column("period", String(20), nullable=False),
    Column("label", Text, nullable=False),
    Column("due_on", Date, nullable=False),
    Column("cite", Text, nullable=False),
    Column("standing", String(20), nullable=False),
    Column("why", Json, nullable=False),
    Column("assumption", Text),
    Column("state", String(10), nullable=False),
    UniqueConstraint("case_id", "rule", "period"),
    sqlite_autoincrement=True,
)
Index("ix_obligation_person", obligation.c.person_id, obligation.c.state, obligation.c.due_on, obligation.c.id)

reminder = Table(
    "reminder",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("obligation_id", ForeignKey("obligation.id"), nullable=False),
    Column("person_id", ForeignKey("person.id"), nullable=False),
    Column("city", String(60), nullable=False),
    Column("due_on", Date, nullable=False),
    Column("days_before", SmallInteger, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("state", String(12), nullable=False),
    UniqueConstraint("obligation_id", "due_on", "days_before"),
    sqlite_autoincrement=True,
)
Index("ix_reminder_due", reminder.c.city, reminder.c.state, reminder.c.due_at, reminder.c.id)
Index("ix_reminder_person", reminder.c.person_id, reminder.c.state, reminder.c.due_at, reminder.c.id)

derivation = Table(
    "derivation",
    metadata,
    Column("case_id", ForeignKey("case.id"), primary_key=True),
    Column("city", String(60), nullable=False),
    Column("service", String(40), nullable=False),
    Column("stamp", String(64), nullable=False),
)
Index("ix_derivation_stamp", derivation.c.city, derivation.c.service, derivation.c.stamp, derivation.c.case_id)
