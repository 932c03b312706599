"""Where a chat stands: one row per chat, so that any worker, any day later, continues at the same question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class FormPlace:
    """A form being filled in: which one, at which question, with what was given so far. All of it is JSON.

    ``params`` says what the form is about (a city, a case, an item); ``pending`` holds a value that waits for
    "confirmo"; ``editing`` is set while one answer is corrected from the review page.
    """

    form: str
    step: str
    params: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    pending: dict[str, Any] | None = None
    editing: bool = False


@dataclass(slots=True)
class Conversation:
    """The state of one chat. ``screen`` counts the screens shown: buttons carry its number, so an old one is known."""

    chat_id: int
    screen: int = 0
    place: FormPlace | None = None
    saved: dict[str, FormPlace] = field(default_factory=dict)
    reply_keyboard: bool = False

    @property
    def awaits_file(self) -> bool:
        """Whether a form is open, so that a file sent now may be an answer."""
        return self.place is not None
