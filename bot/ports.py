"""Binds the use cases to one transaction of the database. This is the one place where storage meets the domain."""

from __future__ import annotations

from datetime import datetime

from bot.storage.repositories.cases import StoredCases, StoredProtocols
from bot.storage.repositories.files import StoredFiles
from bot.storage.repositories.parties import StoredParties
from bot.storage.repositories.people import StoredGrants, StoredInvites, StoredPeople
from bot.storage.repositories.reminders import StoredLedger, StoredObligations
from bot.storage.repositories.sealing import Seal
from bot.storage.repositories.watch import StoredWatch
from bot.storage.transaction import Unit
from bot.wiring import Visit, VisitGrants, VisitPeople
from domain.law.loader import Laws
from domain.people.ports import Grants, People
from domain.privacy.model import Receipts
from handlers.shared.services import Ports, Services


class Binder:
    """Makes use cases for a transaction; what is the same for all of them is prepared once."""

    def __init__(self, laws: Laws, key: str, *earlier: str) -> None:
        self._laws = laws
        self._seal = Seal(key, *earlier)
        self._receipts = Receipts(key, *earlier)

    def for_visit(self, visit: Visit) -> Services:
        """Return the use cases of one update; what they change in its person is seen by the rest of the turn."""
        return Services(self._ports(visit.group, visit.group.now, VisitPeople(visit), VisitGrants(visit)))

    def for_unit(self, unit: Unit, *, now: datetime) -> Services:
        """Return the use cases for a command or a sweep."""
        return Services(self.ports_for(unit, now=now))

    def ports_for(self, unit: Unit, *, now: datetime) -> Ports:
        """Return the ports on a transaction of its own."""
        return self._ports(unit, now, StoredPeople(unit), StoredGrants(unit))

    def _ports(self, unit: Unit, now: datetime, people: People, grants: Grants) -> Ports:
        return Ports(
            people=people,
            grants=grants,
            invites=StoredInvites(unit),
            cases=StoredCases(unit),
            protocols=StoredProtocols(unit),
            parties=StoredParties(unit, self._seal),
            files=StoredFiles(unit),
            obligations=StoredObligations(unit),
            ledger=StoredLedger(unit),
            watch=StoredWatch(unit),
            laws=self._laws,
            receipts=self._receipts,
            now=now,
        )
