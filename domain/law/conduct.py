"""Kinds of rule about conduct: duties, infractions, sanctions, recidivism, and what a procedure consists of."""

from __future__ import annotations

from datetime import time
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, Strict, StrictInt, model_validator

from domain.law.answers import N_
from domain.law.citations import Citation
from domain.law.fields import Amount, Bearer, Count, Flag, Frozen, Key, Length, ShortKey, Text
from domain.law.versions import BaseRule, Version


class Action(StrEnum):
    """What an authority does to somebody: the penalties first, the measures after."""

    WARNING = "warning"
    FINE = "fine"
    SUSPENSION = "suspension"
    REVOCATION = "revocation"
    CASSATION = "cassation"
    CANCELLATION = "cancellation"
    SEIZURE = "seizure"
    DRIVER_OUT = "driver-out"
    VEHICLE_OUT = "vehicle-out"
    REGULARIZATION = "regularization"
    RETENTION = "retention"
    WITHDRAWAL = "withdrawal"
    DOCUMENTS = "documents"
    STOP = "stop"
    TRAFFIC_CODE = "traffic-code"
    OTHER = "other"


ACTIONS = {
    Action.WARNING: N_("advertência"),
    Action.FINE: N_("multa"),
    Action.SUSPENSION: N_("suspensão"),
    Action.REVOCATION: N_("revogação da autorização"),
    Action.CASSATION: N_("cassação da autorização"),
    Action.CANCELLATION: N_("cancelamento da autorização"),
    Action.SEIZURE: N_("apreensão do veículo"),
    Action.DRIVER_OUT: N_("descadastramento do condutor"),
    Action.VEHICLE_OUT: N_("descadastramento do veículo"),
    Action.REGULARIZATION: N_("notificação para regularizar"),
    Action.RETENTION: N_("retenção ou remoção do veículo"),
    Action.WITHDRAWAL: N_("recolhimento do veículo"),
    Action.DOCUMENTS: N_("apreensão de documentos ou equipamentos"),
    Action.STOP: N_("impedimento imediato de prestar o serviço"),
    Action.TRAFFIC_CODE: N_("penalidades do Código de Trânsito"),
    Action.OTHER: N_("outras medidas necessárias"),
}


class Consequence(Frozen):
    """What follows an infraction besides the fine of its class."""

    action: Action
    least: Length | None = None  # of its duration
    most: Length | None = None
    note: Text | None = None  # an end that is no date: "até regularizar"
    no_value: Text | None = None  # why the duration is not known
    cite: Citation | None = None  # where it stands, when not with the infraction
    may: Flag = False  # the authority can, the law does not oblige it
    doubt: Key | None = None  # readings of how long it lasts
    readings: dict[Key, Length] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _doubt_has_readings(self) -> Consequence:
        if bool(self.readings) != (self.doubt is not None):
            raise ValueError("'readings' and 'doubt' go together")
        return self


class ConductVersion(Version):
    """Where a duty stands."""

    infraction: Key | None = None  # what breaking it is, where the law gives that a rule of its own
    penalty_class: Annotated[Key | None, Field(alias="class")] = None  # or the class that it is punished with itself


class ConductRule(BaseRule[ConductVersion]):
    """What somebody has to do, must not do, or may do; the label is the whole sentence."""

    kind: Literal["duty", "prohibition", "permission"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]


class StatementRule(BaseRule[Version]):
    """What the law lays down without asking anything of one person: a definition, a competence, an effect."""

    kind: Literal["definition", "competence", "effect"]
    organ: Key | None = None


class ContentsVersion(Version):
    """What a paper must hold, or in which ways something is done."""

    requires: Annotated[tuple[Text, ...], Field(min_length=1)]


class ContentsRule(BaseRule[ContentsVersion]):
    """The contents of a notice, a defence or a data set; the ways in which somebody is notified."""

    kind: Literal["contents", "ways"]
    of: Literal[
        "notice", "notification", "edict", "defence", "appeal", "decision", "payment", "data", "seal", "receipt"
    ]


class InfractionVersion(Version):
    """How an infraction is punished the first time."""

    penalty_class: Annotated[Key | None, Field(alias="class")] = None
    penalties: tuple[Consequence, ...] = ()
    measures: tuple[Action, ...] = ()
    doubt: Key | None = None
    readings: dict[Key, Key] = Field(default_factory=dict)  # the class that each reading of a doubtful text gives
    disputed: Key | None = None  # a doubt: two places punish one fact
    reading: Key | None = None  # under which the fact is this infraction and not the other

    @model_validator(mode="after")
    def _doubt_has_readings(self) -> InfractionVersion:
        if bool(self.readings) != (self.doubt is not None):
            raise ValueError("'readings' and 'doubt' go together")
        if (self.reading is None) != (self.disputed is None):
            raise ValueError("'reading' and 'disputed' go together")
        return self


class InfractionRule(BaseRule[InfractionVersion]):
    """An infraction; the label says it as people would."""

    kind: Literal["infraction"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]  # who is charged with it
    group: ShortKey | None = None  # infractions among which recidivism may be counted


class SanctionVersion(Version):
    """How long a sanction lasts, and how long whoever suffered it has to stay away."""

    least: Length | None = None
    most: Length | None = None
    bar: Length | None = None  # nothing new can be asked for before this has run
    bar_from: Literal["applied", "final"] = "applied"
    doubt: Key | None = None
    readings: dict[Key, Length] = Field(default_factory=dict)  # the bar that a reading of a doubtful text gives


class SanctionRule(BaseRule[SanctionVersion]):
    """A penalty or measure that the law knows, whatever the infraction."""

    kind: Literal["sanction"]
    action: Action
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]


Sameness = Literal["infraction", "group"]


class RecidivismVersion(Version):
    """What doing it again changes."""

    of: tuple[Key, ...] = ()  # infractions, or duties that are punished themselves
    of_class: Key | None = None  # or all that are punished with a class
    of_group: ShortKey | None = None  # or all of a group
    not_of: tuple[Key, ...] = ()  # named so that nobody looks for them in vain
    same: Sameness = "infraction"  # again the same, or any of those that this rule is about
    doubt: Key | None = None
    readings: dict[Key, Sameness | StrictInt] = Field(default_factory=dict)  # which repeats, or from which count on
    window: Length | None = None  # without it, however long ago
    since: Literal["noticed", "committed"] = "committed"
    punished: Flag = False  # an earlier one counts only once it was punished
    from_count: Count = 1  # the recidivism from which on this holds
    factor: StrictInt | None = None  # multiplies the fine
    becomes: Key | None = None  # the infraction that it then is
    adds: tuple[Consequence, ...] = ()
    repeat_cap: Length | None = None  # a suspension suffered before is doubled, up to this
    repeat_cite: Citation | None = None  # where the doubling stands
    counted_cite: Citation | None = None  # where the counting stands, when not with what it changes
    fine_unknown: Flag = False  # the fine changes, and the text does not let us know how
    fine_cap: Amount | None = None  # though never above this

    @model_validator(mode="after")
    def _doubt_has_readings(self) -> RecidivismVersion:
        if bool(self.readings) != (self.doubt is not None):
            raise ValueError("'readings' and 'doubt' go together")
        return self


class RecidivismRule(BaseRule[RecidivismVersion]):
    """Recidivism: of what, within which window, counted from what, and what it changes."""

    kind: Literal["recidivism"]


class LeniencyVersion(Version):
    """When a warning can take the place of a fine."""

    of_class: Key | None = None
    clean: Length | None = None  # no final penalty of the class in this time
    once_in: Length | None = None  # and asked for only once in this time


class LeniencyRule(BaseRule[LeniencyVersion]):
    """A warning instead of a fine."""

    kind: Literal["leniency"]


class QuotaVersion(Version):
    """How many authorizations there may be."""

    inhabitants: Count | None = None  # for each authorization
    fraction: Flag = False  # a fraction of that number gives one more


class QuotaRule(BaseRule[QuotaVersion]):
    """A limit to the number of authorizations."""

    kind: Literal["quota"]


class Band(Frozen):
    """A tariff and the hours in which it is charged."""

    key: ShortKey
    label: Text
    starts: Annotated[time, Strict()] | None = None
    ends: Annotated[time, Strict()] | None = None  # not included
    weekdays: tuple[Annotated[int, Field(strict=True, ge=0, le=6)], ...] = ()  # 0 is Monday
    holidays: Flag = False


class TariffVersion(Version):
    """The bands; the first one whose hours or days fit is charged, and the last when none does."""

    bands: tuple[Band, ...] = ()


class TariffRule(BaseRule[TariffVersion]):
    """Which tariff is charged when."""

    kind: Literal["tariff"]


class RetentionVersion(Version):
    """How long something is kept."""

    length: Length | None = None


class RetentionRule(BaseRule[RetentionVersion]):
    """Data that somebody has to keep."""

    kind: Literal["retention"]
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]
