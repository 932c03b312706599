"""Identity modes, the party of a case, and receipts that make anonymity two-way."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from enum import StrEnum

RECEIPT_DIGITS = 16


class IdentityMode(StrEnum):
    """How somebody who reports wants to be known."""

    IDENTIFIED = "identified"  # staff sees the name
    PROTECTED = "protected"  # bound to the case but sealed: answers arrive, staff sees no name
    ANONYMOUS = "anonymous"  # bound to nobody: a receipt is the only way back


@dataclass(frozen=True, slots=True)
class Party:
    """Who a case belongs to. Either a person or a receipt's keyed hash is set, never both."""

    mode: IdentityMode
    person_id: int | None = None
    receipt_hash: str | None = None

    def __post_init__(self) -> None:
        anonymous = self.mode is IdentityMode.ANONYMOUS
        if (self.person_id is None) is not anonymous or (self.receipt_hash is None) is anonymous:
            raise ValueError("an anonymous party has a receipt and no person, any other a person and no receipt")


def new_receipt() -> str:
    """Return a new receipt: 16 random digits. It is shown once and never stored."""
    return "".join(secrets.choice("0123456789") for _ in range(RECEIPT_DIGITS))


def show_receipt(receipt: str) -> str:
    """Group the digits as people read them out: ``1234 5678 9012 3456``."""
    return " ".join(receipt[start : start + 4] for start in range(0, len(receipt), 4))


def read_receipt(written: str) -> str | None:
    """Return the digits of a receipt as somebody typed it, whatever stands between them; ``None`` if it is none."""
    digits = re.sub(r"[\s.\-–—]", "", written)
    return digits if re.fullmatch(rf"[0-9]{{{RECEIPT_DIGITS}}}", digits) else None


class Receipts:
    """The keyed hashes (hex) under which receipts are found again; without the key they cannot be tried out.

    The first key writes and all of them read, so that a key can be replaced while receipts are in people's hands.
    """

    def __init__(self, key: str, *earlier: str) -> None:
        self._secrets = [hashlib.sha256(b"balcao receipt\0" + one.encode()).digest() for one in (key, *earlier)]

    def hashes(self, receipt: str) -> tuple[str, ...]:
        """Return a receipt's hashes, under the key of today first."""
        return tuple(hmac.new(secret, receipt.encode(), hashlib.sha256).hexdigest() for secret in self._secrets)
