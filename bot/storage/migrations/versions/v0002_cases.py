"""Cases with their timelines, files and parties; obligations and reminders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

instant = sa.DateTime(timezone=True)
big_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create what cases and reminders need."""
    _cases()
    _reminders()
    _keep_timelines()


def _cases() -> None:
    op.create_table(
        "case",
        sa.Column("id", big_id, nullable=False),
        sa.Column("city", sa.String(60), nullable=False),
        sa.Column("service", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("protocol", sa.String(40)),
        sa.Column("queue", sa.String(40)),
        sa.Column("subject", sa.String(40)),
        sa.Column("assignee", big_id),
        sa.Column("turn", sa.String(10), nullable=False),
        sa.Column("turn_since", instant),
        sa.Column("opened_at", instant),
        sa.Column("submitted_at", instant),
        sa.Column("closed_at", instant),
        sa.Column("outcome", sa.String(20)),
        sa.Column("asked", sa.Boolean, nullable=False),
        sa.Column("contested", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("items", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_case"),
        sa.UniqueConstraint("protocol", name="uq_case_protocol"),
        sa.ForeignKeyConstraint(["assignee"], ["person.id"], name="fk_case_assignee"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_case_shelf", "case", ["city", "state", "submitted_at", "id"])
    op.create_index("ix_case_queue", "case", ["city", "service", "queue", "state", "submitted_at", "id"])
    op.create_index("ix_case_assignee", "case", ["assignee", "state", "submitted_at", "id"])
    unfinished = sa.text("state IN ('open', 'taken', 'waiting')")
    op.create_index(
        "ix_case_unfinished",
        "case",
        ["city", "service", "queue", "state", "kind", "assignee", "turn", "turn_since"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
    op.create_table(
        "timeline_event",
        sa.Column("case_id", big_id, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", instant, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("author_kind", sa.String(10), nullable=False),
        sa.Column("author_id", big_id),
        sa.Column("author_name", sa.Text, nullable=False),
        sa.Column("audience", sa.String(10), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("case_id", "seq", name="pk_timeline_event"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name="fk_timeline_event_case_id"),
        sa.ForeignKeyConstraint(["author_id"], ["person.id"], name="fk_timeline_event_author_id"),
    )
    op.create_table(
        "protocol_counter",
        sa.Column("series", sa.String(40), nullable=False),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("series", name="pk_protocol_counter"),
    )
    op.create_table(
        "case_file",
        sa.Column("file_id", big_id, nullable=False),
        sa.Column("case_id", big_id, nullable=False),
        sa.PrimaryKeyConstraint("file_id", name="pk_case_file"),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name="fk_case_file_file_id"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name="fk_case_file_case_id"),
    )
    op.create_index("ix_case_file_case_id", "case_file", ["case_id"])
    op.create_table(
        "party",
        sa.Column("case_id", big_id, nullable=False),
        sa.Column("mode", sa.String(10), nullable=False),
        sa.Column("key_id", sa.String(16)),
        sa.Column("sealed", sa.String(200)),
        sa.Column("tag", sa.String(64)),
        sa.Column("receipt_hash", sa.String(64)),
        sa.PrimaryKeyConstraint("case_id", name="pk_party"),
        sa.UniqueConstraint("receipt_hash", name="uq_party_receipt_hash"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name="fk_party_case_id"),
    )
    op.create_index("ix_party_tag", "party", ["tag", "case_id"])


def _reminders() -> None:
    op.create_table(
        "obligation",
        sa.Column("id", big_id, nullable=False),
        sa.Column("person_id", big_id, nullable=False),
        sa.Column("case_id", big_id, nullable=False),
        sa.Column("city", sa.String(60), nullable=False),
        sa.Column("service", sa.String(40), nullable=False),
        sa.Column("rule", sa.String(80), nullable=False),
        sa.Column("period", sa.String(20), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("due_on", sa.Date, nullable=False),
        sa.Column("cite", sa.Text, nullable=False),
        sa.Column("standing", sa.String(20), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("assumption", sa.Text),
        sa.Column("state", sa.String(10), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_obligation"),
        sa.UniqueConstraint("case_id", "rule", "period", name="uq_obligation_case_id_rule_period"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_obligation_person_id"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name="fk_obligation_case_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_obligation_person", "obligation", ["person_id", "state", "due_on", "id"])
    op.create_table(
        "reminder",
        sa.Column("id", big_id, nullable=False),
        sa.Column("obligation_id", big_id, nullable=False),
        sa.Column("person_id", big_id, nullable=False),
        sa.Column("city", sa.String(60), nullable=False),
        sa.Column("due_on", sa.Date, nullable=False),
        sa.Column("days_before", sa.SmallInteger, nullable=False),
        sa.Column("due_at", instant, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reminder"),
        sa.UniqueConstraint(
            "obligation_id", "due_on", "days_before", name="uq_reminder_obligation_id_due_on_days_before"
        ),
        sa.ForeignKeyConstraint(["obligation_id"], ["obligation.id"], name="fk_reminder_obligation_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_reminder_person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_reminder_due", "reminder", ["city", "state", "due_at", "id"])
    op.create_index("ix_reminder_person", "reminder", ["person_id", "state", "due_at", "id"])
    op.create_table(
        "derivation",
        sa.Column("case_id", big_id, nullable=False),
        sa.Column("city", sa.String(60), nullable=False),
        sa.Column("service", sa.String(40), nullable=False),
        sa.Column("stamp", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("case_id", name="pk_derivation"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name="fk_derivation_case_id"),
    )
    op.create_index("ix_derivation_stamp", "derivation", ["city", "service", "stamp", "case_id"])


def _keep_timelines() -> None:
    """Let the database itself refuse to change the past."""
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER timeline_event_no_{change.lower()} BEFORE {change} ON timeline_event "
                "BEGIN SELECT RAISE(ABORT, 'a timeline is only appended to'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION timeline_event_keep() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'a timeline is only appended to'; END $$"
    )
    op.execute(
        "CREATE TRIGGER timeline_event_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON timeline_event "
        "FOR EACH STATEMENT EXECUTE FUNCTION timeline_event_keep()"
    )


def downgrade() -> None:
    """Take them away again."""
    for table in (
        "derivation",
        "reminder",
        "obligation",
        "party",
        "case_file",
        "protocol_counter",
        "timeline_event",
        "case",
    ):
        op.drop_table(table)
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION timeline_event_keep()")
