"""Received files, and the case that each is part of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select

from bot.storage.statement import Statement, among
from bot.storage.tables import file
from bot.storage.tables_cases import case_file
from bot.storage.transaction import Unit
from domain.errors import NotFound
from domain.files.model import FileKind, ReceivedFile

_WRITE_DOWN = Statement(
    insert(file).returning(file.c.id),
    ("update_id", "kind", "media_type", "size", "sha256", "file_id", "name", "received_at"),
)
_MANY = Statement(select(file).where(among(file.c.id, "ids")).order_by(file.c.id))
_OWNERS = Statement(
    select(file.c.id, case_file.c.case_id)
    .outerjoin(case_file, case_file.c.file_id == file.c.id)
    .where(among(file.c.id, "ids"))
)
_ATTACH = Statement(lambda insert: insert(case_file).on_conflict_do_nothing(), ("file_id", "case_id"))
_OURS = Statement(
    select(case_file.c.file_id).where(case_file.c.case_id == bindparam("this"), among(case_file.c.file_id, "ids"))
)


class StoredFiles:
    """The port ``Files``."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    async def many(self, file_ids: Collection[int]) -> tuple[ReceivedFile, ...]:
        if not file_ids:
            return ()
        return tuple(file_of(row) for row in await self._unit.all(_MANY, ids=list(file_ids)))

    async def attach(self, case_id: int, file_ids: Collection[int]) -> None:
        if not file_ids:
            return
        wanted = list(dict.fromkeys(file_ids))
        owners = {row.id: row.case_id for row in await self._unit.all(_OWNERS, ids=wanted)}
        if len(owners) < len(wanted) or not set(owners.values()) <= {None, case_id}:
            raise NotFound(f"case {case_id}: a file does not exist or is part of another case")
        free = [{"file_id": one, "case_id": case_id} for one in wanted if owners[one] is None]
        if not free:
            return
        # another process may attach one at this very moment: what is there afterwards decides
        await self._unit.each(_ATTACH, free)
        if len(await self._unit.all(_OURS, this=case_id, ids=wanted)) < len(wanted):
            raise NotFound(f"case {case_id}: a file became part of another case meanwhile")


async def write_down(unit: Unit, received: ReceivedFile, *, update_id: int, at: datetime) -> ReceivedFile:
    """Return a file that has come with an update, by the number under which it is known from now on."""
    row = await unit.one(
        _WRITE_DOWN,
        update_id=update_id,
        kind=received.kind.value,
        media_type=received.media_type,
        size=received.size,
        sha256=received.sha256,
        file_id=received.file_id,
        name=received.name,
        received_at=at,
    )
    return replace(received, id=row.id)


def file_of(row: Any) -> ReceivedFile:
    """Read a row of ``file``."""
    return ReceivedFile(row.id, FileKind(row.kind), row.media_type, row.size, row.sha256, row.file_id, row.name)
