"""The tables of the pipeline and of people. Only Core statements are made from them.

Free text that came from or goes to Telegram is kept as JSON in ASCII: no database refuses any character of it.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite counts rows by itself only in a column declared INTEGER
BigId = BigInteger().with_variant(Integer, "sqlite")


class Instant(TypeDecorator[datetime]):
    """An aware instant, stored in UTC and given back in UTC on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant without a zone cannot be stored")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


inbox = Table(
    "inbox",
    metadata,
    Column("update_id", BigInteger, primary_key=True, autoincrement=False),
    Column("chat_id", BigInteger, nullable=False),  # 0 when the update is handled
    Column("payload", Text, nullable=False),  # sealed; emptied when the update is handled
    Column("state", String(10), nullable=False),  # pending, handled, ignored, failed
    Column("code", String(80)),  # why it failed: the name of an exception, never its words
    Column("received_at", Instant, nullable=False),
    Column("handled_at", Instant),
)
Index(
    "ix_inbox_pending",
    inbox.c.chat_id,
    inbox.c.update_id,
    sqlite_where=text("state = 'pending'"),
    postgresql_where=text("state = 'pending'"),
)
Index("ix_inbox_handled_at", inbox.c.handled_at)

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("chat_id", BigInteger, nullable=False),  # 0 when the message has come to its end
    Column("kind", String(10), nullable=False),
    Column("priority", SmallInteger, nullable=False),
    Column("payload", Text, nullable=False),  # sealed; emptied when the message has come to its end
    Column("key", String(160), unique=True),
    Column("state", String(10), nullable=False),  # pending, delivered, blocked, failed, superseded, expired
    Column("created_at", Instant, nullable=False),
    Column("not_before", Instant),
    Column("expires_at", Instant),
    Column("finished_at", Instant),
    Column("error", String(200)),
)
Index(
    "ix_outbox_pending",
    *(outbox.c.priority, outbox.c.id),
    sqlite_where=text("state = 'pending'"),
    postgresql_where=text("state = 'pending'"),
)
Index("ix_outbox_finished_at", outbox.c.finished_at)

person = Table(
    "person",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("chat_id", BigInteger, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("language_chosen", Boolean, nullable=False),
    Column("city", String(60)),
    Column("reachable", Boolean, nullable=False),
    Column("created_at", Instant, nullable=False),
)

role_grant = Table(
    "role_grant",
    metadata,
    Column("person_id", ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    Column("city", String(60), primary_key=True),
    Column("role", String(20), primary_key=True),
    Column("granted_at", Instant, nullable=False),
)
Index("ix_role_grant_city_role", role_grant.c.city, role_grant.c.role)

invite = Table(
    "invite",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("city", String(60), nullable=False),
    Column("role", String(20), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("used_at", Instant),
)

conversation = Table(
    "conversation",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),  # sealed
    # true as well where nobody has looked yet: what a version wrote that did not seal
    Column("holds_receipt", Boolean, nullable=False, server_default=true()),
    Column("updated_at", Instant, nullable=False),  # the day alone
)
Index(
    "ix_conversation_receipt",
    conversation.c.updated_at,
    sqlite_where=text("holds_receipt = 1"),
    postgresql_where=text("holds_receipt"),
)

file = Table(
    "file",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("update_id", BigInteger, unique=True),  # one file per update: a second try finds the first
    Column("kind", String(10), nullable=False),
    Column("media_type", String(80), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False, index=True),
    Column("file_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("received_at", Instant, nullable=False),
)
