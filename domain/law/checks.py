"""What a requirement compares a fact with. ``domain/law/eligibility.py`` does the comparing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, StrictInt, model_validator

from domain.law.conditions import facts_in
from domain.law.fields import Condition, Count, Flag, Frozen, Key, Length, Text


class _Check(Frozen):
    fact: Key

    def facts(self) -> Iterator[str]:
        """Yield the facts that the check needs."""
        yield self.fact


class AtLeastYearsSince(_Check):
    """So many full years have passed since a date: an age, a habilitation."""

    check: Literal["at-least-years-since"]
    years: Count


class AtMostYearsSince(_Check):
    """No more than so many years since a date, to the day; the anniversary itself is still in time."""

    check: Literal["at-most-years-since"]
    years: Count


class Variant(Frozen):
    """Another limit, where a condition holds."""

    when: Condition
    years: Count


class AtMostYearsAfterYear(_Check):
    """No more than so many years after a year; the whole of the last calendar year is in time."""

    check: Literal["at-most-years-after-year"]
    years: Count
    variants: tuple[Variant, ...] = ()

    def facts(self) -> Iterator[str]:
        yield self.fact
        for variant in self.variants:
            yield from facts_in(variant.when)


class Between(_Check):
    """A number within limits, both included."""

    check: Literal["between"]
    least: StrictInt | None = None
    most: StrictInt | None = None

    @model_validator(mode="after")
    def _limits(self) -> Between:
        if self.least is None and self.most is None:
            raise ValueError("'between' needs 'least', 'most' or both")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("'least' is above 'most'")
        return self


class OneOf(_Check):
    """One of the values that the law accepts."""

    check: Literal["one-of"]
    values: Annotated[tuple[Text, ...], Field(min_length=1)]


class Is(_Check):
    """A yes or a no."""

    check: Literal["is"]
    value: Flag


class MonthsClear(_Check):
    """The last event of a kind lies so many months back, or there never was one."""

    check: Literal["months-clear"]
    months: Count
    never: Condition
    back_from: Key | None = None  # counted back from this day when it is told, else from the day of the question

    def facts(self) -> Iterator[str]:
        yield from facts_in(self.never)
        yield self.fact


class BarOver(_Check):
    """A bar that began with an event has run out, or there never was one. Its last day still bars."""

    check: Literal["bar-over"]
    length: Length
    never: Condition

    def facts(self) -> Iterator[str]:
        yield from facts_in(self.never)
        yield self.fact


class NotExpired(_Check):
    """A paper's last day has not passed."""

    check: Literal["not-expired"]


Check = Annotated[
    AtLeastYearsSince
    | AtMostYearsSince
    | AtMostYearsAfterYear
    | Between
    | OneOf
    | Is
    | MonthsClear
    | BarOver
    | NotExpired,
    Field(discriminator="check"),
]
