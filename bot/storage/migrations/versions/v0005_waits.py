"""When questions of staff's waited for their answer, which may stop the term of a report."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import groupby

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ASKED, ANSWERED = "asked", ("replied", "decided", "confirmed", "withdrawn")


def upgrade() -> None:
    """Make room for it, and read it off the timelines that are there."""
    op.add_column("case", sa.Column("waits", sa.Text, nullable=False, server_default="[]"))
    case = sa.table("case", sa.column("id"), sa.column("waits"))
    event = sa.table(
        "timeline_event",
        *(sa.column("case_id"), sa.column("seq"), sa.column("kind"), sa.column("at", sa.DateTime(timezone=True))),
    )
    told = sa.select(event.c.case_id, event.c.kind, event.c.at).where(event.c.kind.in_([ASKED, *ANSWERED]))
    connection = op.get_bind()
    rows = connection.execute(told.order_by(event.c.case_id, event.c.seq)).all()
    for case_id, events in groupby(rows, key=lambda row: row.case_id):
        if waits := waits_of([(row.kind, row.at) for row in events]):
            connection.execute(sa.update(case).where(case.c.id == case_id).values(waits=json.dumps(waits)))


def waits_of(events: list[tuple[str, datetime]]) -> list[list[str | None]]:
    """Return each wait as its first and its last instant."""
    waits: list[list[str | None]] = []
    for kind, at in events:
        waiting = bool(waits) and waits[-1][1] is None
        utc = (at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)).isoformat()
        if kind == ASKED and not waiting:
            waits.append([utc, None])
        elif kind != ASKED and waiting:
            waits[-1][1] = utc
    return waits


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("case", "waits")
