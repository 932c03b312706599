"""Whether a chat's place holds a receipt; what the place says is sealed from here on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make room for it: what is there, and what the code before writes beside it, is looked at and sealed later."""
    op.add_column("conversation", sa.Column("holds_receipt", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_index(
        "ix_conversation_receipt",
        "conversation",
        ["updated_at"],
        sqlite_where=sa.text("holds_receipt = 1"),
        postgresql_where=sa.text("holds_receipt"),
    )


def downgrade() -> None:
    """Take it away again. The code before opens no seal: open forms, and what still waits, are given up for it."""
    op.execute("DELETE FROM conversation WHERE substr(body, 1, 1) <> '{'")
    op.execute(
        "UPDATE inbox SET state = 'failed', code = 'SealBroken', chat_id = 0, payload = '', handled_at = received_at "
        "WHERE state = 'pending' AND substr(payload, 1, 1) <> '{'"
    )
    op.execute(
        "UPDATE outbox SET state = 'failed', error = 'SealBroken', chat_id = 0, payload = '', finished_at = created_at "
        "WHERE state = 'pending' AND substr(payload, 1, 1) <> '{'"
    )
    op.drop_index("ix_conversation_receipt", "conversation")
    op.drop_column("conversation", "holds_receipt")
