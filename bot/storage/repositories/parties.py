"""Who each case belongs to, sealed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import bindparam, insert, select

from bot.storage.repositories.sealing import Seal
from bot.storage.statement import Statement, among
from bot.storage.tables_cases import party as t
from bot.storage.transaction import Unit
from domain.errors import NotFound
from domain.privacy.model import IdentityMode, Party

_BIND = Statement(insert(t), ("case_id", "mode", "key_id", "sealed", "tag", "receipt_hash"))
_OF = Statement(select(t).where(t.c.case_id == bindparam("this")))
_MANY = Statement(select(t).where(among(t.c.case_id, "ids")))
_CASES = Statement(select(t.c.case_id).where(among(t.c.tag, "tags")).order_by(t.c.case_id.desc()))
_BY_RECEIPT = Statement(select(t.c.case_id).where(among(t.c.receipt_hash, "hashes")))


class StoredParties:
    """The port ``Parties``."""

    def __init__(self, unit: Unit, seal: Seal) -> None:
        self._unit = unit
        self._seal = seal

    async def bind(self, case_id: int, party: Party) -> None:
        known = party.person_id
        await self._unit.change(
            _BIND,
            case_id=case_id,
            mode=party.mode.value,
            key_id=None if known is None else self._seal.key_id,
            sealed=None if known is None else self._seal.close(known, case_id=case_id),
            tag=None if known is None else self._seal.tag(known),
            receipt_hash=party.receipt_hash,
        )

    async def of(self, case_id: int) -> Party:
        row = await self._unit.one(_OF, this=case_id)
        if row is None:
            raise NotFound(f"case {case_id} belongs to nobody")
        return self._party(row)

    async def many(self, case_ids: Collection[int]) -> Mapping[int, Party]:
        if not case_ids:
            return {}
        return {row.case_id: self._party(row) for row in await self._unit.all(_MANY, ids=list(case_ids))}

    async def cases_of(self, person_id: int) -> tuple[int, ...]:
        return tuple(row.case_id for row in await self._unit.all(_CASES, tags=self._seal.tags(person_id)))

    async def by_receipt(self, hashes: Collection[str]) -> int | None:
        row = await self._unit.one(_BY_RECEIPT, hashes=hashes)
        return None if row is None else row.case_id

    def _party(self, row: Any) -> Party:
        known = None if row.sealed is None else self._seal.open(row.sealed, key_id=row.key_id, case_id=row.case_id)
        return Party(IdentityMode(row.mode), known, row.receipt_hash)
