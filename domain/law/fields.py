"""Kinds of values that rulebooks are made of."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict, StringConstraints

from domain.law.conditions import facts_in


class Frozen(BaseModel):
    """A value that never changes and knows all its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _amount(value: object) -> object:
    if isinstance(value, bool | float):
        raise ValueError("an amount is a whole number or a text such as '10.50', so that no cent is lost")
    return value


def _zone(value: object) -> ZoneInfo:
    try:
        return ZoneInfo(str(value))
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"{value!r} is not a time zone such as 'America/Cuiaba'") from None


def _condition(value: str) -> str:
    facts_in(value)
    return value


Day = Annotated[date, Strict()]
Flag = Annotated[bool, Strict()]
Amount = Annotated[Decimal, BeforeValidator(_amount), Field(ge=0)]
Count = Annotated[int, Strict(), Field(ge=1)]
Text = Annotated[str, Strict(), StringConstraints(min_length=1, strip_whitespace=True)]
Key = Annotated[str, Strict(), StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,23}$")]  # goes into button data
ShortKey = Annotated[str, Strict(), StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,15}$")]
Zone = Annotated[ZoneInfo, BeforeValidator(_zone)]
Condition = Annotated[str, Strict(), AfterValidator(_condition)]


class Bearer(StrEnum):
    """Who a requirement, fee or duty falls on."""

    DRIVER = "driver"
    AUXILIARY = "auxiliary"
    VEHICLE = "vehicle"
    OWNER = "owner"
    OPERATOR = "operator"
    EMPLOYEE = "employee"
    CITY = "city"  # duties of the authority itself


class Cause(StrEnum):
    """What a period is counted from."""

    ISSUED = "issued"  # the document's own date, or the certificate's
    PRESENTED = "presented"  # handed in at the counter
    APPROVED = "approved"  # accepted by the city
    FEE_PAID = "fee-paid"
    INSPECTED = "inspected"
    NOTIFIED = "notified"
    DECISION_KNOWN = "decision-known"
    FAILED = "failed"  # an inspection was not passed
    ASKED = "asked"


class Unit(StrEnum):
    """How a length of time is counted."""

    HOUR = "hour"
    CALENDAR_DAY = "calendar-day"
    BUSINESS_DAY = "business-day"
    MONTH = "month"
    YEAR = "year"


class Length(Frozen):
    """A length of time as the law states it."""

    amount: Count
    unit: Unit
