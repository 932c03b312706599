"""A counter in memory with its people; refusals on it are checked to change nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from domain.errors import DomainError
from domain.people.model import Grant, Person, Role
from tests.support.builders import INSPECTOR, MANAGER, OMBUDSMAN, OTHER_CITY, REGISTRY, Counter, memory
from tests.support.fakes import Memory

ErrorT = TypeVar("ErrorT", bound=DomainError)


@dataclass(frozen=True)
class Cast:
    """Ana and Caio come to the counter; the others work behind it, Rui in another city."""

    ana: Person
    caio: Person
    bia: Person  # registry
    davi: Person  # registry
    olga: Person  # ombudsman
    ivo: Person  # inspector
    gil: Person  # manager
    rui: Person  # registry and ombudsman of the other city


class Desk(Counter):
    """A counter in memory on which refusals are checked to change nothing."""

    store: Memory

    async def refuses(self, error: type[ErrorT], name: str, *args: Any, **kwargs: Any) -> ErrorT:
        """Check that a use case refuses and that nothing changed; return the refusal."""
        before = self.store.committed.copy()
        with pytest.raises(error) as told:
            await self.does(name, *args, **kwargs)
        assert self.store.committed == before
        return told.value


async def everybody(desk: Desk) -> Cast:
    """Let everybody speak to the bot once."""
    person = desk.store.person
    return Cast(
        ana=await person("Ana"),
        caio=await person("Caio", language="en"),
        bia=await person("Bia", REGISTRY),
        davi=await person("Davi", REGISTRY),
        olga=await person("Olga", OMBUDSMAN),
        ivo=await person("Ivo", INSPECTOR),
        gil=await person("Gil", MANAGER),
        rui=await person("Rui", Grant(OTHER_CITY, Role.REGISTRY), Grant(OTHER_CITY, Role.OMBUDSMAN)),
    )


def open_desk() -> Desk:
    """Return an empty counter, open since ten o'clock."""
    return Desk(memory())
