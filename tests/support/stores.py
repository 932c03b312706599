"""What the contract suite runs on: each is a whole database that opens one transaction after another."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.people.model import Grant, Person
from handlers.shared.services import Ports


class Store(Protocol):
    """A database under test. Leaving a unit with an exception undoes all that happened in it."""

    def unit(self, now: datetime) -> AbstractAsyncContextManager[Ports]:
        """Open a transaction and bind the ports to it."""

    async def person(self, name: str, *grants: Grant, reachable: bool = True, language: str = "pt_BR") -> Person:
        """Store somebody who has spoken to the bot, with these roles."""

    async def file(self, *, media_type: str = "image/jpeg") -> int:
        """Store a file that is part of no case yet; return its id."""
