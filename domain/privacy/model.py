"""Identity modes, the party of a case, and receipts that make anonymity two-way."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

RECEIPT_DIGITS = 16

Digest = Callable[[str], str]


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


def receipt_digest(key: bytes) -> Digest:
    """Return the keyed hash (hex) under which receipts are found again; without the key they cannot be tried out."""
    secret = hashlib.sha256(b"balcao receipt\0" + key).digest()
    return lambda receipt: hmac.new(secret, receipt.encode(), hashlib.sha256).hexdigest()
