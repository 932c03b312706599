"""What keeps identities apart from cases."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from domain.privacy.model import Party


class Parties(Protocol):
    """Who each case belongs to. Implementations encrypt it; in the clear only within a use case."""

    async def bind(self, case_id: int, party: Party) -> None:
        """Record once and for all who a case belongs to."""

    async def of(self, case_id: int) -> Party:
        """Return who a case belongs to.

        Raises:
            NotFound: Nobody was bound to it.
        """

    async def many(self, case_ids: Collection[int]) -> Mapping[int, Party]:
        """Return who each of some cases belongs to."""

    async def cases_of(self, person_id: int) -> tuple[int, ...]:
        """Return the cases bound to a person, newest first."""

    async def by_receipt(self, hashes: Collection[str]) -> int | None:
        """Return the case whose receipt has one of these keyed hashes."""
