"""Evidence: fetched from Telegram before its update is handled, kept once under the hash of its content."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import filetype
from telegram import Bot
from telegram.constants import FileSizeLimit
from telegram.error import BadRequest, InvalidToken, RetryAfter, TelegramError

from bot.logs import get_logger
from domain.files.model import FileKind, FileTrouble, ReceivedFile

log = get_logger(__name__)

TRIES = 4
READABLE = frozenset(
    {
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/heic",
        "application/pdf",
        "audio/ogg",
        "audio/mpeg",
        "audio/mp4",
        "audio/m4a",
        "audio/x-m4a",
        "audio/aac",
        "audio/wav",
        "audio/x-wav",
        "audio/amr",
        "video/mp4",
        "video/quicktime",
        "video/webm",
        "video/3gpp",
        "video/x-m4v",
    }
)
"""What staff can look at or listen to, by content."""


class FileStore(Protocol):
    """Where evidence lies: a folder now, anything that keeps bytes under a name later."""

    async def put(self, sha256: str, content: bytes) -> None:
        """Keep ``content``; when this returns it survives a power cut. Keeping it twice keeps it once."""

    async def get(self, sha256: str) -> bytes:
        """Return a kept content.

        Raises:
            FileNotFoundError: Nothing is kept under this hash.
        """


class FolderStore:
    """A local folder, two levels deep so that no folder grows without end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, sha256: str, content: bytes) -> None:
        await asyncio.to_thread(self._put, self._path(sha256), content)

    async def get(self, sha256: str) -> bytes:
        return await asyncio.to_thread(self._path(sha256).read_bytes)

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256[2:4] / sha256

    @staticmethod
    def _put(path: Path, content: bytes) -> None:
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as part:
            try:
                part.write(content)
                part.flush()
                os.fsync(part.fileno())
                Path(part.name).replace(path)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@dataclass(frozen=True, slots=True)
class Attachment:
    """What an update says about the file that it carries, before anything is fetched."""

    kind: FileKind
    file_id: str
    size: int
    name: str


def attachment_of(update: dict[str, Any]) -> Attachment | None:
    """Return the file of an update as Telegram gave it; a photo's largest size."""
    message = update.get("message")
    if not isinstance(message, dict):
        return None
    for kind in FileKind:
        found = message.get(kind.value)
        if isinstance(found, list):
            sizes = [size for size in found if isinstance(size, dict) and "file_id" in size]
            found = max(sizes, key=_area, default=None)
        if isinstance(found, dict) and isinstance(found.get("file_id"), str):
            size, name = found.get("file_size"), found.get("file_name")
            return Attachment(kind, found["file_id"], _number(size), name if isinstance(name, str) else "")
    return None


def _area(size: dict[str, Any]) -> int:
    return _number(size.get("width")) * _number(size.get("height"))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


class Files:
    """Fetches files and keeps their content; that they came is written down with the update that brought them."""

    def __init__(self, store: FileStore, bot: Bot) -> None:
        self._store, self._bot = store, bot

    async def receive(self, attachment: Attachment) -> ReceivedFile:
        """Fetch a file and keep its content, once however often it comes; its ``id`` is 0 until it is written down."""
        if attachment.size > FileSizeLimit.FILESIZE_DOWNLOAD:
            return _trouble(attachment, FileTrouble.TOO_BIG)
        content = await self._fetch(attachment)
        if isinstance(content, FileTrouble):
            return _trouble(attachment, content)
        if not content:
            return _trouble(attachment, FileTrouble.EMPTY)
        media_type = filetype.guess_mime(content) or ""
        if media_type not in READABLE:
            return _trouble(attachment, FileTrouble.UNREADABLE)
        sha256 = hashlib.sha256(content).hexdigest()
        await self._store.put(sha256, content)
        name = clean(attachment.name)[:200]
        return ReceivedFile(0, attachment.kind, media_type, len(content), sha256, attachment.file_id, name)

    async def _fetch(self, attachment: Attachment) -> bytes | FileTrouble:
        for tries in range(TRIES):
            try:
                file = await self._bot.get_file(attachment.file_id)
                return bytes(await file.download_as_bytearray())
            except BadRequest as refusal:
                too_big = "too big" in refusal.message.lower()
                return FileTrouble.TOO_BIG if too_big else FileTrouble.NOT_FETCHED
            except RetryAfter as limit:
                wait = limit.retry_after
                await asyncio.sleep(wait if isinstance(wait, int | float) else wait.total_seconds())
            except (InvalidToken, TelegramError) as error:
                log.warning("file_not_fetched", code=type(error).__name__, tries=tries + 1)
                await asyncio.sleep(0.3 * 2**tries)
        return FileTrouble.NOT_FETCHED


def clean(text: str) -> str:
    """Return ``text`` without NUL and lone surrogates, which no database keeps."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _trouble(attachment: Attachment, trouble: FileTrouble) -> ReceivedFile:
    return ReceivedFile(
        0, attachment.kind, "", attachment.size, "", attachment.file_id, clean(attachment.name), trouble=trouble
    )
