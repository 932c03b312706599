"""Files that passed through a chat: their bytes, their identities and the message fields that describe them."""

from __future__ import annotations

import hashlib
import mimetypes
import struct
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from telegram.constants import FileSizeLimit, MessageAttachmentType

from bot.sandbox.refusals import bad_request
from bot.sandbox.wire import Json, Upload

LINK_LIFE = timedelta(hours=1)
PHOTO_BOXES = (("s", 90), ("m", 320), ("x", 800), ("y", 1280))
MAX_PHOTO_SIDES = 10_000
MAX_PHOTO_RATIO = 20
OPUS_RATE = 48_000
KINDS = tuple(
    kind.value
    for kind in (
        MessageAttachmentType.PHOTO,
        MessageAttachmentType.DOCUMENT,
        MessageAttachmentType.VOICE,
        MessageAttachmentType.AUDIO,
        MessageAttachmentType.VIDEO,
    )
)


@dataclass
class StoredFile:
    """One file as this bot knows it."""

    file_id: str
    unique_id: str
    kind: str
    name: str | None
    mime: str
    data: bytes
    path: str
    content: Json = field(default_factory=dict)
    linked_until: datetime | None = None

    def wire(self) -> Json:
        """The fields that every Telegram file has."""
        return {"file_id": self.file_id, "file_unique_id": self.unique_id, "file_size": len(self.data)}


class FileStore:
    """Every file of the sandbox; a ``file_id`` holds for one bot, a ``file_unique_id`` for all."""

    def __init__(self, *, token: str, now: Callable[[], datetime]) -> None:
        self._token = token
        self._now = now
        self._numbers = count(1)
        self._by_id: dict[str, StoredFile] = {}
        self._by_path: dict[str, StoredFile] = {}

    def clear(self) -> None:
        """Forget every file; numbers go on, so that an old id never names a new file."""
        self._by_id.clear()
        self._by_path.clear()

    def receive(self, kind: str, upload: Upload) -> Json:
        """Keep a file and describe it as the part of a message that carries it.

        Raises:
            ApiError: It is empty, or not a picture although sent as a photo.
        """
        if not upload.data:
            raise bad_request("file must be non-empty")
        content = self._photo(upload) if kind == MessageAttachmentType.PHOTO else {kind: self._other(kind, upload)}
        carried = content[kind]
        for described in carried if isinstance(carried, list) else [carried]:
            self._by_id[described["file_id"]].content = content
        return content

    def resend(self, kind: str, file_id: str) -> Json:
        """Describe a file that Telegram already has.

        Raises:
            ApiError: It is an address, unknown to this bot or of another kind.
        """
        if "://" in file_id:
            raise bad_request("failed to get HTTP URL content")
        stored = self._by_id.get(file_id)
        if stored is None:
            raise bad_request("wrong file identifier/HTTP URL specified")
        if stored.kind != kind:
            raise bad_request(f"can't use file of type {stored.kind.title()} as {kind.title()}")
        return stored.content

    def get(self, file_id: str) -> StoredFile | None:
        """The file with this id, if this bot knows it."""
        return self._by_id.get(file_id)

    def link(self, file_id: str) -> Json:
        """Answer ``getFile``: a path that can be downloaded for an hour.

        Raises:
            ApiError: The id is unknown, or the file larger than bots may download.
        """
        stored = self._by_id.get(file_id)
        if stored is None:
            raise bad_request("invalid file_id")
        if len(stored.data) > FileSizeLimit.FILESIZE_DOWNLOAD:
            raise bad_request("file is too big")
        stored.linked_until = self._now() + LINK_LIFE
        return {**stored.wire(), "file_path": stored.path}

    def linked(self, path: str) -> StoredFile | None:
        """The file behind a path that ``getFile`` gave less than an hour ago."""
        stored = self._by_path.get(path)
        if stored is None or stored.linked_until is None or stored.linked_until < self._now():
            return None
        return stored

    def _photo(self, upload: Upload) -> Json:
        if len(upload.data) > FileSizeLimit.PHOTOSIZE_UPLOAD:
            raise bad_request("file is too big: too big for a photo")
        size = image_size(upload.data)
        if size is None:
            raise bad_request("IMAGE_PROCESS_FAILED")
        width, height = size
        if width + height > MAX_PHOTO_SIDES or max(size) > MAX_PHOTO_RATIO * min(size):
            raise bad_request("PHOTO_INVALID_DIMENSIONS")
        sizes = []
        number = next(self._numbers)
        path = f"photos/file_{number}.jpg"
        for letter, box in (*((letter, box) for letter, box in PHOTO_BOXES if box < max(size)), ("w", max(size))):
            scale = box / max(size)
            stored = self._store("photo", upload, seed=f"{number}{letter}", path=path, mime=image_type(upload.data))
            sizes.append(
                {
                    **stored.wire(),
                    "width": max(1, round(width * scale)),
                    "height": max(1, round(height * scale)),
                }
            )
        return {"photo": sizes}

    def _other(self, kind: str, upload: Upload) -> Json:
        number = next(self._numbers)
        guessed = mimetypes.guess_type(upload.name)[0]
        generic = upload.content_type in ("", "application/octet-stream")
        mime = (guessed or "application/octet-stream") if generic else upload.content_type
        extension = upload.name.rpartition(".")[2] if "." in upload.name else (mimetypes.guess_extension(mime) or "")
        folder = "voice" if kind == MessageAttachmentType.VOICE else f"{kind}s" if kind != "audio" else "music"
        path = f"{folder}/file_{number}" + (f".{extension.lstrip('.')}" if extension.lstrip(".").isalnum() else "")
        stored = self._store(kind, upload, seed=str(number), path=path, mime=mime)
        described: Json = {**stored.wire(), "mime_type": mime}
        if kind != MessageAttachmentType.VOICE and upload.name:
            described["file_name"] = upload.name
        if kind != MessageAttachmentType.DOCUMENT:
            described["duration"] = duration(upload.data)
        if kind == MessageAttachmentType.VIDEO:
            described |= {"width": 640, "height": 360}
        return described

    def _store(self, kind: str, upload: Upload, *, seed: str, path: str, mime: str) -> StoredFile:
        unique = _short(f"file:{seed}:{kind}:".encode() + hashlib.sha256(upload.data).digest(), 11)
        file_id = f"{kind[:2].title()}{_short(self._token.encode() + unique.encode(), 48)}"
        stored = StoredFile(file_id, unique, kind, upload.name or None, mime, upload.data, path)
        self._by_id[file_id] = stored
        self._by_path[path] = stored
        return stored


def image_type(data: bytes) -> str:
    """Media type of a PNG or JPEG."""
    return "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a PNG or JPEG; None for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return (width, height) if width and height else None
    if not data.startswith(b"\xff\xd8"):
        return None
    position = 2
    while position + 9 <= len(data):
        if data[position] != 0xFF:
            return None
        marker = data[position + 1]
        if marker == 0xFF or 0xD0 <= marker <= 0xD9:
            position += 1 if marker == 0xFF else 2
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return (width, height) if width and height else None
        position += 2 + int(struct.unpack(">H", data[position + 2 : position + 4])[0])
    return None


def duration(data: bytes) -> int:
    """Seconds of an Ogg/Opus recording, from its last page; 1 for what cannot be told from the header."""
    last = data.rfind(b"OggS")
    if not data.startswith(b"OggS") or last < 0 or last + 14 > len(data):
        return 1
    samples = int(struct.unpack("<q", data[last + 6 : last + 14])[0])
    return max(1, round(samples / OPUS_RATE))


def _short(seed: bytes, length: int) -> str:
    return urlsafe_b64encode(hashlib.sha512(seed).digest()).decode().rstrip("=")[:length]
