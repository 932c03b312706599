"""When a report is looked at next because of the term of its answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make room for it: what is there, and what the code before writes beside it, is looked at once."""
    op.add_column("case", sa.Column("look_on", sa.Date, nullable=False, server_default="1970-01-01"))
    owed = sa.text("turn = 'staff' AND kind <> 'registration'")
    op.create_index(
        "ix_case_owed",
        "case",
        ["city", "service", "look_on", "id"],
        sqlite_where=owed,
        postgresql_where=owed,
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_index("ix_case_owed", "case")
    op.drop_column("case", "look_on")
