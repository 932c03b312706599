"""Inbox, outbox, conversations, files, people and their roles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

instant = sa.DateTime(timezone=True)
big_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
pending = sa.text("state = 'pending'")


def upgrade() -> None:
    """Create the tables that every update passes through."""
    op.create_table(
        "inbox",
        sa.Column("update_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("code", sa.String(80)),
        sa.Column("received_at", instant, nullable=False),
        sa.Column("handled_at", instant),
        sa.PrimaryKeyConstraint("update_id", name="pk_inbox"),
    )
    op.create_index(
        "ix_inbox_pending", "inbox", ["chat_id", "update_id"], sqlite_where=pending, postgresql_where=pending
    )
    op.create_index("ix_inbox_handled_at", "inbox", ["handled_at"])

    op.create_table(
        "outbox",
        sa.Column("id", big_id, nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("priority", sa.SmallInteger, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("key", sa.String(160)),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("created_at", instant, nullable=False),
        sa.Column("not_before", instant),
        sa.Column("expires_at", instant),
        sa.Column("finished_at", instant),
        sa.Column("error", sa.String(200)),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("key", name="uq_outbox_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_pending", "outbox", ["priority", "id"], sqlite_where=pending, postgresql_where=pending)
    op.create_index("ix_outbox_finished_at", "outbox", ["finished_at"])

    op.create_table(
        "person",
        sa.Column("id", big_id, nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("language_chosen", sa.Boolean, nullable=False),
        sa.Column("city", sa.String(60)),
        sa.Column("reachable", sa.Boolean, nullable=False),
        sa.Column("created_at", instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("chat_id", name="uq_person_chat_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "role_grant",
        sa.Column("person_id", big_id, nullable=False),
        sa.Column("city", sa.String(60), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("granted_at", instant, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "city", "role", name="pk_role_grant"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_role_grant_person_id", ondelete="CASCADE"),
    )
    op.create_index("ix_role_grant_city_role", "role_grant", ["city", "role"])
    op.create_table(
        "invite",
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("city", sa.String(60), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("created_at", instant, nullable=False),
        sa.Column("expires_at", instant, nullable=False),
        sa.Column("used_at", instant),
        sa.PrimaryKeyConstraint("code_hash", name="pk_invite"),
    )
    op.create_table(
        "conversation",
        sa.Column("chat_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("updated_at", instant, nullable=False),
        sa.PrimaryKeyConstraint("chat_id", name="pk_conversation"),
    )
    op.create_table(
        "file",
        sa.Column("id", big_id, nullable=False),
        sa.Column("update_id", sa.BigInteger),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("media_type", sa.String(80), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("file_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("received_at", instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_file"),
        sa.UniqueConstraint("update_id", name="uq_file_update_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_file_sha256", "file", ["sha256"])


def downgrade() -> None:
    """Take them away again."""
    for table in ("file", "conversation", "invite", "role_grant", "person", "outbox", "inbox"):
        op.drop_table(table)
