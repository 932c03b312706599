"""Files that people send, as the counter received them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FileKind(StrEnum):
    """How Telegram carried a file, which is also how it is shown to staff."""

    PHOTO = "photo"
    DOCUMENT = "document"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"


class FileTrouble(StrEnum):
    """Why a file could not be received. What came with it (its caption) is kept."""

    TOO_BIG = "too_big"  # over the 20 MB that Telegram lets a bot download
    EMPTY = "empty"
    UNREADABLE = "unreadable"  # its content is none of the kinds the counter can read
    NOT_FETCHED = "not_fetched"  # Telegram did not give it, even after several tries


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """One file of an update, fetched before the update is handled.

    ``id`` is what handlers know it by, 0 until it is written down; ``media_type`` is read from the content, never from
    the name; ``size`` is in bytes. With ``trouble`` set nothing was kept, and ``id`` stays 0.
    """

    id: int
    kind: FileKind
    media_type: str
    size: int
    sha256: str
    file_id: str
    name: str = ""
    trouble: FileTrouble | None = None

    @property
    def is_picture(self) -> bool:
        """Whether the content is an image that a phone shows."""
        return self.media_type.startswith("image/")
