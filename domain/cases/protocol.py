"""Protocol numbers: short enough to say on the phone, with a check digit that notices a slip."""

from __future__ import annotations

import re

_FORM = re.compile(r"([A-Z]{5})[\s-]*(\d{4})[\s-]*(\d{5,})[\s-]*(\d)")


def protocol_series(city: str, year: int) -> str:
    """Return the series in which a city counts its protocols of a year, such as ``ABCMT-2026``."""
    letters = city.replace("-", "")
    return f"{letters[:3].upper()}{city.rsplit('-', 1)[-1].upper()}-{year}"


def protocol(series: str, number: int) -> str:
    """Return the protocol of a number of a series, such as ``ABCMT-2026-00001-7``."""
    body = f"{series}-{number:05d}"
    return f"{body}-{check_digit(body)}"


def read_protocol(written: str) -> str | None:
    """Return the protocol that somebody wrote in any case and with any spacing; ``None`` when it cannot be one."""
    found = _FORM.fullmatch(written.strip().upper())
    if found is None:
        return None
    prefix, year, number, digit = found.groups()
    body = f"{prefix}-{year}-{number}"
    return f"{body}-{digit}" if check_digit(body) == digit else None


def check_digit(body: str) -> str:
    """Return the digit that notices any single wrong digit and nearly any two exchanged ones.

    Source:
        ISO/IEC 7064, MOD 11,10; letters count as their place from A = 10.
    """
    rest = 10
    for digit in "".join(str(int(letter, 36)) for letter in body if letter.isalnum()):
        rest = (rest + int(digit)) % 10 or 10
        rest = rest * 2 % 11
    return str((11 - rest) % 10)
