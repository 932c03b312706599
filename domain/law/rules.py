"""The kinds of rule that a rulebook holds. A later kind is one more class in ``Rule``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import Field, StrictInt, model_validator

from domain.law.checks import Check
from domain.law.citations import Citation
from domain.law.conduct import (
    ConductRule,
    ContentsRule,
    InfractionRule,
    LeniencyRule,
    QuotaRule,
    RecidivismRule,
    RetentionRule,
    SanctionRule,
    StatementRule,
    TariffRule,
)
from domain.law.fields import Amount, Bearer, Cause, Condition, Count, Flag, Frozen, Key, Length, Text
from domain.law.versions import WITHOUT_VALUE, BaseRule, Version

__all__ = ["WITHOUT_VALUE", "BaseRule", "Version"]


class ValidFor(Frozen):
    """For how long an accepted item counts; then it is owed again."""

    months: Count
    counted_from: Cause


class RequirementVersion(Version):
    """What a requirement asks for."""

    accepts: tuple[Literal["photo", "pdf"], ...] = ("photo", "pdf")
    pages: Count = 1  # how many photographs are usually needed
    alternatives: tuple[Text, ...] = ()
    condition: Condition | None = None
    valid_for: ValidFor | None = None
    blocking: Flag = True
    asks: tuple[Key, ...] = ()  # facts that name the thing, such as the plate
    test: Check | None = None
    readings: dict[Key, Check] = Field(default_factory=dict)  # what each reading of a doubtful text would test
    doubt: Key | None = None
    when_told: Flag = False  # the city knows it better than the person, who is not asked

    @model_validator(mode="after")
    def _doubt_has_readings(self) -> RequirementVersion:
        if bool(self.readings) != (self.doubt is not None):
            raise ValueError("'readings' and 'doubt' go together")
        if self.readings and self.test is not None:
            raise ValueError("a doubtful text is tested by its 'readings', not by 'test'")
        return self


class RequirementRule(BaseRule[RequirementVersion]):
    """Something that somebody or something must have, prove, declare or pay."""

    kind: Literal["document", "declaration", "fact", "payment", "inspection"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]
    what: Text | None = None  # what it is
    how: Text | None = None  # how to send it with a phone

    def concerns(self, bearers: Collection[str]) -> bool:
        """Whether it falls on any of these bearers."""
        return any(bearer in bearers for bearer in self.bearers)

    @model_validator(mode="after")
    def _can_be_met(self) -> RequirementRule:
        for version in self.versions:
            tested = version.test is not None or bool(version.readings)
            if self.kind == "fact" and version.no_value is None and not tested:
                raise ValueError("a fact needs a 'test', or 'no_value' where the law has none")
            if tested and version.no_value is not None:
                raise ValueError("'test' and 'no_value' are both given")
        if self.kind != "fact" and (self.what is None or self.how is None):
            raise ValueError("what must be sent needs 'what' and 'how'")
        return self


class DayOfYear(Frozen):
    """The day of the year by which something is paid."""

    month: Annotated[int, Field(strict=True, ge=1, le=12)]
    business_day: Count | None = None
    day: Annotated[int, Field(strict=True, ge=1, le=31)] | None = None

    @model_validator(mode="after")
    def _one_way_of_counting(self) -> DayOfYear:
        if (self.business_day is None) == (self.day is None):
            raise ValueError("either 'business_day' or 'day' is given")
        return self


class FeeVersion(Version):
    """What a fee amounts to, who bears it and when. ``no_value`` says why the amount is not known."""

    amount: Amount | None = None
    unit: Text | None = None
    payer: Bearer
    collector: Text  # an organ of the rulebook, or a bearer who merely passes it on
    every: Literal["year", "request", "month"]
    due: DayOfYear | None = None
    exempt: tuple[Bearer, ...] = ()
    exempt_cite: Citation | None = None

    @model_validator(mode="after")
    def _amount_or_reason(self) -> FeeVersion:
        self.needs(amount=self.amount, unit=self.unit)
        return self


class FeeRule(BaseRule[FeeVersion]):
    """A fee, tax or public price."""

    kind: Literal["fee"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]  # for whom it is charged, whoever pays


class CertificateVersion(Version):
    """How long a certificate is valid."""

    length: Length | None = None
    up_to: Flag = False  # the law says "até": the city may grant less
    counted_from: Cause | None = None
    needs_fee: Flag = False  # it is worth nothing before the fee is paid
    fee_cite: Citation | None = None  # where that stands, when not with the length

    @model_validator(mode="after")
    def _length_or_reason(self) -> CertificateVersion:
        self.needs(length=self.length, counted_from=self.counted_from)
        return self


class CertificateRule(BaseRule[CertificateVersion]):
    """The authorization that somebody works with."""

    kind: Literal["certificate"]
    bearers: tuple[Bearer, ...]
    provisional: Flag = False


class RenewalVersion(Version):
    """How long before the end a renewal is asked for, and what asking in time does."""

    before: Length | None = None
    extends: Flag = False  # a timely request keeps the certificate valid until the decision
    extends_cite: Citation | None = None

    @model_validator(mode="after")
    def _before_or_reason(self) -> RenewalVersion:
        self.needs(before=self.before)
        return self


class RenewalRule(BaseRule[RenewalVersion]):
    """The window for renewing a certificate."""

    kind: Literal["renewal"]
    certificate: Key


class PeriodicVersion(Version):
    """How often something is done again."""

    every: Length | None = None
    business_day: Count | None = None  # of each month
    may: Flag = False  # the city may demand it, the law does not fix it

    @model_validator(mode="after")
    def _rhythm_or_reason(self) -> PeriodicVersion:
        self.needs(every=self.every)
        return self


class PeriodicRule(BaseRule[PeriodicVersion]):
    """A duty that comes back: inspections, lists, reports."""

    kind: Literal["periodic"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]


class TermVersion(Version):
    """How long somebody has."""

    length: Length | None = None
    counted_from: Cause | None = None
    rolls: Flag = True  # a last day without office hours moves on to the next business day
    to: Text | None = None  # the organ that decides or receives

    @model_validator(mode="after")
    def _length_or_reason(self) -> TermVersion:
        self.needs(length=self.length)
        return self


class TermRule(BaseRule[TermVersion]):
    """A time limit: to defend oneself, to appeal, to cure a failure, to answer."""

    kind: Literal["term"]
    who: Literal["driver", "operator", "citizen", "city"]


class ScopeVersion(Version):
    """What service the law is about."""

    capacity: StrictInt | None = None
    counts_driver: Flag | None = None


class ScopeRule(BaseRule[ScopeVersion]):
    """The service that the law regulates."""

    kind: Literal["scope"]
    what: Text


class PenaltyClassVersion(Version):
    """What an infraction of a class costs: one amount, or a range."""

    least: Amount | None = None
    most: Amount | None = None
    unit: Text | None = None

    @model_validator(mode="after")
    def _amount_or_reason(self) -> PenaltyClassVersion:
        self.needs(least=self.least, most=self.most, unit=self.unit)
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("'least' is above 'most'")
        return self


class PenaltyClassRule(BaseRule[PenaltyClassVersion]):
    """A class of infractions and its fine."""

    kind: Literal["penalty-class"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]


class RepresentationVersion(Version):
    """Who may denounce an infraction formally, and what the petition contains."""

    who: Text
    requires: Annotated[tuple[Text, ...], Field(min_length=1)]
    owed: Text  # what the authority must do with it
    given_by: tuple[tuple[Key, ...], ...] = ()  # for each of ``requires``, what satisfies it: any one of these

    @model_validator(mode="after")
    def _one_for_each(self) -> RepresentationVersion:
        if self.given_by and len(self.given_by) != len(self.requires):
            raise ValueError("'given_by' and 'requires' differ in length")
        return self


class RepresentationRule(BaseRule[RepresentationVersion]):
    """A citizen's formal petition against an infraction, where the law has one."""

    kind: Literal["representation"]


Rule = Annotated[
    RequirementRule
    | FeeRule
    | CertificateRule
    | RenewalRule
    | PeriodicRule
    | TermRule
    | ScopeRule
    | PenaltyClassRule
    | RepresentationRule
    | ConductRule
    | ContentsRule
    | InfractionRule
    | LeniencyRule
    | QuotaRule
    | RecidivismRule
    | RetentionRule
    | SanctionRule
    | StatementRule
    | TariffRule,
    Field(discriminator="kind"),
]
