"""What all kinds of rule share: dated versions, each with its place in the law and its standing."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import Annotated, Generic, TypeVar

from pydantic import Field, model_validator

from domain.law.answers import Standing
from domain.law.citations import Citation
from domain.law.fields import Day, Frozen, Key, Text

WITHOUT_VALUE = frozenset({Standing.SILENT, Standing.ILLEGIBLE, Standing.REGULATION})


class Entered(Frozen):
    """Who entered at the counter what a decree says, and when."""

    source: Text
    on: Day
    author: Text


class Version(Frozen):
    """What a rule says from a day on, and where the law says it."""

    in_force_from: Day
    in_force_until: Day | None = None  # the last day; without it, until the next version
    cite: Citation
    standing: Standing = Standing.STATED
    no_value: Text | None = None
    assumption: Text | None = None
    note: Text | None = None
    also: tuple[Citation, ...] = ()  # other places of the law that say the same or complete it
    entered: Entered | None = None  # a regulation's value that the city gave, never the law's own

    @model_validator(mode="after")
    def _standing_is_honest(self) -> Version:
        valueless = self.standing in WITHOUT_VALUE and self.entered is None
        if (self.no_value is not None) != valueless:
            raise ValueError("'no_value' goes with the standings silent, illegible and regulation, and only with them")
        if self.entered is not None and self.standing is not Standing.REGULATION:
            raise ValueError("what a city entered has the standing regulation")
        if (self.assumption is not None) != (self.standing is Standing.ASSUMED):
            raise ValueError("'assumption' goes with the standing assumed, and only with it")
        if self.in_force_until is not None and self.in_force_until < self.in_force_from:
            raise ValueError("'in_force_until' lies before 'in_force_from'")
        return self

    def needs(self, **values: object) -> None:
        """Refuse a version that has neither these values nor a reason for having none, or has both."""
        for name, value in values.items():
            if self.no_value is None and value is None:
                raise ValueError(f"neither {name!r} nor 'no_value' is given")
            if self.no_value is not None and value is not None:
                raise ValueError(f"{name!r} and 'no_value' are both given")


VersionT = TypeVar("VersionT", bound=Version)


class BaseRule(Frozen, Generic[VersionT]):
    """A rule is its versions, in the order in which they came into force."""

    id: Key
    label: Text
    versions: Annotated[tuple[VersionT, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _versions_follow_each_other(self) -> BaseRule[VersionT]:
        for earlier, later in pairwise(self.versions):
            ends = earlier.in_force_until
            if later.in_force_from <= earlier.in_force_from or (ends is not None and later.in_force_from <= ends):
                first, second = earlier.in_force_from, later.in_force_from
                raise ValueError(f"the versions from {first} and from {second} overlap or are out of order")
        return self

    def version(self, on: date) -> VersionT | None:
        """Return what the rule says on a day; ``None`` before its first and after its last day."""
        for version in reversed(self.versions):
            if version.in_force_from <= on:
                return version if version.in_force_until is None or on <= version.in_force_until else None
        return None

    @property
    def newest(self) -> VersionT:
        """The version that came into force last."""
        return self.versions[-1]
