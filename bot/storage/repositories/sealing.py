"""Seals who a case belongs to: without the key, a copy of the database names nobody."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE = 12


class SealBroken(Exception):
    """A sealed identity cannot be read: its key is not among ours, or it was changed or moved to another case."""


@dataclass(frozen=True, slots=True)
class _Key:
    id: str
    cipher: AESGCM
    tag: bytes


class Seal:
    """Writes with the first secret and reads with all of them, so that a secret can be replaced while its sealed rows
    are still there."""

    def __init__(self, secret: str, *earlier: str) -> None:
        self._keys = {key.id: key for key in map(_key, (secret, *earlier))}
        self._current = next(iter(self._keys.values()))

    @property
    def key_id(self) -> str:
        """Which key seals now."""
        return self._current.id

    def close(self, person_id: int, *, case_id: int) -> str:
        """Return the person, readable with the key and for this case only."""
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._current.cipher.encrypt(nonce, b"%020d" % person_id, _bound_to(case_id))
        return b64encode(nonce + sealed).decode()

    def open(self, sealed: str, *, key_id: str, case_id: int) -> int:
        """Return who was sealed.

        Raises:
            SealBroken: It cannot be read.
        """
        key = self._keys.get(key_id)
        if key is None:
            raise SealBroken(f"case {case_id}: sealed under the key {key_id}, which was not given")
        raw = b64decode(sealed)
        try:
            return int(key.cipher.decrypt(raw[:_NONCE], raw[_NONCE:], _bound_to(case_id)))
        except InvalidTag:
            raise SealBroken(f"case {case_id}: the sealed identity does not hold") from None

    def tag(self, person_id: int) -> str:
        """Return the keyed hash under which a person's new cases are found again."""
        return _tag(self._current, person_id)

    def tags(self, person_id: int) -> Sequence[str]:
        """Return the person's keyed hashes under every key."""
        return [_tag(key, person_id) for key in self._keys.values()]


def _key(secret: str) -> _Key:
    return _Key(
        id=_derive(secret, b"key id", 8).hex(),
        cipher=AESGCM(_derive(secret, b"identity", 32)),
        tag=_derive(secret, b"person tag", 32),
    )


def _derive(secret: str, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt=None, info=b"balcao " + purpose).derive(secret.encode())


def _tag(key: _Key, person_id: int) -> str:
    return hmac.new(key.tag, b"%d" % person_id, sha256).hexdigest()


def _bound_to(case_id: int) -> bytes:
    return b"case %d" % case_id
