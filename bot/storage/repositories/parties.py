"""Who each case belongs to, sealed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import bindparam, insert, select

from bot.storage.engine import Unit
from bot.storage.repositories.sealing import Seal
from bot.storage.tables_cases import party as t
from domain.errors import NotFound
from domain.privacy.model import IdentityMode, Party

_BIND = insert(t)
_OF = select(t).where(t.c.case_id == bindparam("this"))


class StoredParties:
    """The port ``Parties``."""

    def __init__(self, unit: Unit, seal: Seal) -> None:
        self._unit = unit
        self._seal = seal

    async def bind(self, case_id: int, party: Party) -> None:
        connection = await self._unit.touch()
        known = party.person_id
        await connection.execute(
            _BIND,
            {
                "case_id": case_id,
                "mode": party.mode.value,
                "key_id": None if known is None else self._seal.key_id,
                "sealed": None if known is None else self._seal.close(known, case_id=case_id),
                "tag": None if known is None else self._seal.tag(known),
                "receipt_hash": party.receipt_hash,
            },
        )

    async def of(self, case_id: int) -> Party:
        connection = await self._unit.touch()
        row = (await connection.execute(_OF, {"this": case_id})).one_or_none()
        if row is None:
            raise NotFound(f"case {case_id} belongs to nobody")
        return self._party(row)

    async def many(self, case_ids: Collection[int]) -> Mapping[int, Party]:
        if not case_ids:
            return {}
        connection = await self._unit.touch()
        rows = await connection.execute(select(t).where(t.c.case_id.in_(sorted(case_ids))))
        return {row.case_id: self._party(row) for row in rows}

    async def cases_of(self, person_id: int) -> tuple[int, ...]:
        connection = await self._unit.touch()
        theirs = select(t.c.case_id).where(t.c.tag.in_(self._seal.tags(person_id))).order_by(t.c.case_id.desc())
        return tuple(await connection.scalars(theirs))

    async def by_receipt(self, hashes: Collection[str]) -> int | None:
        connection = await self._unit.touch()
        found: int | None = await connection.scalar(select(t.c.case_id).where(t.c.receipt_hash.in_(hashes)))
        return found

    def _party(self, row: Any) -> Party:
        known = None if row.sealed is None else self._seal.open(row.sealed, key_id=row.key_id, case_id=row.case_id)
        return Party(IdentityMode(row.mode), known, row.receipt_hash)
