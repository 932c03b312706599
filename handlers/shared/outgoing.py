"""What the counter says: messages as values, stored in the outbox with the change that caused them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any, Self


class Priority(IntEnum):
    """Who goes first when Telegram's pace makes somebody wait: lower is sooner."""

    ANSWER = 0
    NOTICE = 1
    REMINDER = 2


class Kind(StrEnum):
    """Which method of the Bot API carries a message."""

    TEXT = "text"
    EDIT = "edit"  # replaces text and buttons of ``message_id``
    STRIP = "strip"  # takes the buttons off ``message_id``
    PHOTO = "photo"
    DOCUMENT = "document"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"
    LOCATION = "location"
    TOAST = "toast"  # answers a pressed button
    COMMANDS = "commands"  # sets the commands that this chat lists


@dataclass(frozen=True, slots=True)
class Button:
    """One button. ``data`` is at most 64 bytes of UTF-8 (checked here, where a mistake is seen first).

    A ``secret`` one carries what is to lie in no chat's row: a receipt, an invitation. It can be pressed alone.
    """

    text: str
    data: str | None = None
    url: str | None = None
    secret: bool = False

    def __post_init__(self) -> None:
        if (self.data is None) == (self.url is None):
            raise ValueError("a button carries either data or an address")
        if self.data is not None and not 1 <= len(self.data.encode()) <= 64:
            raise ValueError(f"button data must be 1 to 64 bytes: {self.data!r}")

    def payload(self) -> dict[str, Any]:
        """Return the button as JSON."""
        return {"text": self.text, "data": self.data} if self.url is None else {"text": self.text, "url": self.url}


Keyboard = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class ReplyButton:
    """A button of the keyboard below the text field: asks for the phone's contact or place, or sends its own text."""

    text: str
    contact: bool = False
    location: bool = False

    def payload(self) -> dict[str, Any]:
        """Return the button as JSON."""
        asked = {"contact": self.contact, "location": self.location}
        return {"text": self.text} | {name: True for name, asks in asked.items() if asks}


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to one chat. ``text`` is HTML with every interpolation already escaped.

    A file is one that Telegram has (``file_id``) or one that the counter keeps (``sha256``). That one is uploaded anew,
    cleaned, as ``file_name`` with the ending of its kind; where it cannot be, ``if_lost`` (HTML) is said in its place.

    ``key`` makes it unique for ever (a reminder, a notice of one event): storing it twice stores it once.
    """

    chat_id: int
    kind: Kind = Kind.TEXT
    text: str = ""
    buttons: Keyboard = ()
    reply_buttons: tuple[tuple[ReplyButton, ...], ...] | None = None
    remove_reply_buttons: bool = False
    message_id: int | None = None
    file_id: str | None = None
    sha256: str | None = None
    file_name: str | None = None
    if_lost: str = ""
    latitude: float | None = None
    longitude: float | None = None
    callback_id: str | None = None
    alert: bool = False
    commands: tuple[tuple[str, str], ...] = ()
    priority: Priority = Priority.ANSWER
    silent: bool = False
    key: str | None = None
    not_before: datetime | None = None
    expires_at: datetime | None = None

    def payload(self) -> dict[str, Any]:
        """Return the JSON that the outbox stores: what Telegram needs, without what the outbox keeps in columns."""
        kept: dict[str, Any] = {}
        for name in PAYLOAD:
            value = getattr(self, name)
            if value or (value == 0 and value is not False):
                kept[name] = value
        for name in ("buttons", "reply_buttons"):
            if name in kept:
                kept[name] = [[button.payload() for button in row] for row in kept[name]]
        return kept

    @classmethod
    def from_payload(cls, payload: dict[str, Any], **columns: Any) -> Self:
        """Rebuild a message from the outbox."""
        values = dict(payload)
        if "buttons" in values:
            values["buttons"] = tuple(tuple(Button(**button) for button in row) for row in values["buttons"])
        if "reply_buttons" in values:
            rows = values["reply_buttons"]
            values["reply_buttons"] = tuple(tuple(ReplyButton(**button) for button in row) for row in rows)
        if "commands" in values:
            values["commands"] = tuple((name, description) for name, description in values["commands"])
        return cls(**values, **columns)


COLUMNS = frozenset({"chat_id", "kind", "priority", "key", "not_before", "expires_at"})
PAYLOAD = tuple(known.name for known in fields(Outgoing) if known.name not in COLUMNS)
