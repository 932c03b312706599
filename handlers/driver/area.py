"""Everything of the drivers' area, for the registry."""

from __future__ import annotations

from handlers.driver import checklist, deadlines, entry, facts, fit, items, mine, outcome, stray
from handlers.shared.desk import Desk


def register(desk: Desk) -> None:
    """Bring the drivers' conversations to the desk."""
    for part in (entry, facts, fit, mine, checklist, items, outcome, deadlines, stray):
        part.register(desk)
