"""Every article, paragraph, item and letter of a law, with the reason where no rule can express it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.law.citations import Citation
from domain.law.places import NoPlace, Place, expanded, parent, places
from domain.law.reading import RulebookError


@dataclass(frozen=True, slots=True)
class Provisions:
    """The places of a law, in its order."""

    listed: tuple[Place, ...]
    known: frozenset[Place]
    reasons: Mapping[Place, str]

    def unknown(self, cite: Citation) -> Place | None:
        """Return the first place of a citation that this law does not have."""
        return next((place for place in places(cite.locator) if place not in self.known), None)


def provisions_of(raw: Mapping[str, Any], file: str) -> Provisions:
    """Read the list of a law's places.

    Raises:
        RulebookError: A place cannot be read, a reason is given for one that is not listed, or a key is not known.
    """
    for key in raw:
        if key not in ("provisions", "reasons"):
            raise RulebookError(file, key, "this key is not known")
    try:
        listed = expanded(raw.get("provisions", ()))
        reasons = {place: str(why) for locator, why in raw.get("reasons", {}).items() for place in places(locator)}
    except NoPlace as error:
        raise RulebookError(file, "provisions", str(error)) from None
    known = frozenset(listed)
    for place in (*reasons, *(parent(one) for one in listed if len(one) > 1)):
        if place not in known:
            raise RulebookError(file, "reasons", f"{', '.join(place)!r} is not among the provisions")
    return Provisions(listed, known, reasons)
