"""When the term of a report's answer was extended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make room for it; of the cases that are there, none was."""
    op.add_column("case", sa.Column("extended_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("case", "extended_at")
