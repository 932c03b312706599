"""What the use cases need to know of stored files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from domain.files.model import ReceivedFile


class Files(Protocol):
    """Stored evidence."""

    async def many(self, file_ids: Collection[int]) -> tuple[ReceivedFile, ...]:
        """Return those of the files that exist, by id."""

    async def attach(self, case_id: int, file_ids: Collection[int]) -> None:
        """Make files part of a case; doing it again changes nothing.

        Raises:
            NotFound: One of them does not exist or is part of another case. Nothing is attached.
        """
