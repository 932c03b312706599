"""Everything of the passengers', brought to the counter."""

from __future__ import annotations

from handlers.passenger import actions, cases, danger, receipt, report
from handlers.shared.desk import Desk


def register(desk: Desk) -> None:
    """Bring the passengers' conversations to the desk."""
    for part in (danger, report, cases, actions, receipt):
        part.register(desk)
