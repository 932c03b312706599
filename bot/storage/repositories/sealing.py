"""Seals who a case belongs to, and what is said in a chat for as long as it is kept.

Without the key, a copy of the database names nobody and quotes nobody.
"""

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
_MARK = 8
_STEP = 256
"""Words are as long as the next multiple of this: their very length would match a draft with the case it became."""


class SealBroken(Exception):
    """What is sealed cannot be read: its key is not among ours, or it was changed or moved to another row."""


@dataclass(frozen=True, slots=True)
class _Key:
    id: str
    cipher: AESGCM
    tag: bytes
    words: AESGCM


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

    def close_words(self, words: str, *, table: str, chat_id: int) -> str:
        """Return a JSON object, readable with the key, in this table and for this chat only.

        A key closes some four thousand million of them before two are likely to begin alike: decades of a large city.
        """
        plain = words.encode("utf-8", "surrogatepass")  # a phone may send half a character
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._current.words.encrypt(nonce, plain.ljust(-(-len(plain) // _STEP) * _STEP), _row(table, chat_id))
        return b64encode(bytes.fromhex(self._current.id) + nonce + sealed).decode()

    def open_words(self, sealed: str, *, table: str, chat_id: int) -> str:
        """Return what was sealed, or what was never: the versions before sealed no words.

        Raises:
            SealBroken: It cannot be read.
        """
        if sealed.startswith("{"):
            return sealed
        try:
            raw = b64decode(sealed)
            key = self._keys.get(raw[:_MARK].hex())
            if key is None:
                raise SealBroken(f"{table}: sealed under a key which was not given")
            start = _MARK + _NONCE
            plain = key.words.decrypt(raw[_MARK:start], raw[start:], _row(table, chat_id))
        except (InvalidTag, ValueError):
            raise SealBroken(f"{table}: the sealed words do not hold") from None
        return plain.rstrip(b" ").decode("utf-8", "surrogatepass")

    def tag(self, person_id: int) -> str:
        """Return the keyed hash under which a person's new cases are found again."""
        return _tag(self._current, person_id)

    def tags(self, person_id: int) -> Sequence[str]:
        """Return the person's keyed hashes under every key."""
        return [_tag(key, person_id) for key in self._keys.values()]


def _key(secret: str) -> _Key:
    return _Key(
        id=_derive(secret, b"key id", _MARK).hex(),
        cipher=AESGCM(_derive(secret, b"identity", 32)),
        tag=_derive(secret, b"person tag", 32),
        words=AESGCM(_derive(secret, b"words", 32)),
    )


def _derive(secret: str, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt=None, info=b"balcao " + purpose).derive(secret.encode())


def _tag(key: _Key, person_id: int) -> str:
    return hmac.new(key.tag, b"%d" % person_id, sha256).hexdigest()


def _bound_to(case_id: int) -> bytes:
    return b"case %d" % case_id


def _row(table: str, chat_id: int) -> bytes:
    return f"{table} of chat {chat_id}".encode()
