"""Behind the counter: invitations, queues, the case card, documents and answers."""

from __future__ import annotations

from handlers.shared.desk import Desk
from handlers.staff import card, documents, history, invite, queues, replies, team, why


def register(desk: Desk) -> None:
    """Bring the staff's side of the counter to the desk."""
    for area in (invite, queues, card, documents, history, replies, team, why):
        area.register(desk)
