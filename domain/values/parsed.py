"""What a parser makes of what somebody typed: a value, a value to confirm, or a refusal that helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Value:
    """Understood beyond doubt. ``value`` is JSON (dates in ISO form, decimals as text); ``shown`` is how it reads."""

    value: Any
    shown: str


@dataclass(frozen=True, slots=True)
class Unsure:
    """Understood, but asked back before it counts: something was inferred, or a check digit does not fit."""

    value: Any
    shown: str
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rejected:
    """Not usable: one sentence says what is wrong, and ``example`` what would be right."""

    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    example: str = ""


Parsed: TypeAlias = Value | Unsure | Rejected
