"""Received files, and the case that each is part of."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import select

from bot.storage.engine import Unit
from bot.storage.repositories.dialect import insert_or
from bot.storage.tables import file
from bot.storage.tables_cases import case_file
from domain.errors import NotFound
from domain.files.model import FileKind, ReceivedFile


class StoredFiles:
    """The port ``Files``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def many(self, file_ids: Collection[int]) -> tuple[ReceivedFile, ...]:
        if not file_ids:
            return ()
        connection = await self._unit.touch()
        statement = select(file).where(file.c.id.in_(list(file_ids))).order_by(file.c.id)
        return tuple(file_of(row) for row in await connection.execute(statement))

    async def attach(self, case_id: int, file_ids: Collection[int]) -> None:
        if not file_ids:
            return
        connection = await self._unit.touch()
        wanted = list(dict.fromkeys(file_ids))
        known = select(file.c.id, case_file.c.case_id).outerjoin(case_file, case_file.c.file_id == file.c.id)
        owners = {row.id: row.case_id for row in await connection.execute(known.where(file.c.id.in_(wanted)))}
        if len(owners) < len(wanted) or not set(owners.values()) <= {None, case_id}:
            raise NotFound(f"case {case_id}: a file does not exist or is part of another case")
        free = [{"file_id": one, "case_id": case_id} for one in wanted if owners[one] is None]
        if not free:
            return
        # another process may attach one at this very moment: what is there afterwards decides
        await connection.execute(insert_or(connection, case_file).on_conflict_do_nothing(), free)
        ours = select(case_file.c.file_id).where(case_file.c.case_id == case_id, case_file.c.file_id.in_(wanted))
        if len((await connection.scalars(ours)).all()) < len(wanted):
            raise NotFound(f"case {case_id}: a file became part of another case meanwhile")


def file_of(row: Any) -> ReceivedFile:
    """Read a row of ``file``."""
    return ReceivedFile(row.id, FileKind(row.kind), row.media_type, row.size, row.sha256, row.file_id, row.name)
