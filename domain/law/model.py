"""A rulebook: one city and one law, with everything that is looked up in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar
from zoneinfo import ZoneInfo

from pydantic import Field, PrivateAttr

from domain.law.answers import N_, Standing
from domain.law.calendar import DayRule
from domain.law.checks import Check
from domain.law.citations import Citation, Source
from domain.law.conditions import Facts, facts_in, holds
from domain.law.fields import Bearer, Condition, Flag, Frozen, Key, ShortKey, Text, Zone
from domain.law.provisions import Provisions
from domain.law.rules import BaseRule, RepresentationRule, RequirementRule, RequirementVersion, Rule, ValidFor

CaseKind = Literal["registration", "complaint", "discrimination", "irregularity"]
ReportKind = Literal["complaint", "discrimination", "irregularity"]
OTHER_SUBJECT = "outro"
OMBUDSMAN_TERM = "ouvidoria-resposta"
OMBUDSMAN_EXTENSION = "ouvidoria-prorroga"
RACISM_LAW = "lei-7716-1989"


class City(Frozen):
    """A municipality that the counter serves."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*-[a-z]{2}$")]
    name: Text
    uf: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    zone: Zone
    days: tuple[DayRule, ...] = ()  # municipal holidays and other special days


class Service(Frozen):
    """The service that the law regulates, as people call it."""

    key: ShortKey
    label: Text


class Applicant(Frozen):
    """Somebody who registers at the counter, and on whose items the registration rests."""

    key: ShortKey
    label: Text
    bearers: Annotated[tuple[Bearer, ...], Field(min_length=1)]


class Organ(Frozen):
    """An office of the city, as the law writes its name."""

    id: Key
    name: Text
    role: Text
    cite: Citation
    inconsistencies: tuple[Text, ...] = ()


class Queue(Frozen):
    """Where cases wait for one organ's staff."""

    key: ShortKey
    label: Text
    organ: Key
    handles: Annotated[tuple[CaseKind, ...], Field(min_length=1)]


class Subject(Frozen):
    """What a report is about, as a passenger would say it. Without provisions the law is silent on it."""

    key: Key
    label: Text
    kind: ReportKind
    provisions: tuple[Citation, ...] = ()
    queue: ShortKey | None = None  # where it goes when not to the kind's usual queue


class Ground(Frozen):
    """A ground of discrimination. Without a citation this law does not name it; it is offered all the same."""

    key: Key
    label: Text
    cite: Citation | None = None
    note: Text | None = None

    @property
    def named(self) -> bool:
        """Whether this law names the ground."""
        return self.cite is not None


class Doubt(Frozen):
    """A place where the text can be read in more than one way."""

    id: Key
    label: Text
    cite: Citation
    readings: dict[Key, Text]
    default: Key  # favours the person charged where both readings hold; a city can choose another


class Option(Frozen):
    """One answer of a choice."""

    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$")]
    label: Text


class FactQuestion(Frozen):
    """A fact asked for the immediate eligibility answer."""

    key: Key
    kind: Literal["date", "year", "number", "plate", "yesno", "choice"]
    prompt: Text
    hint: Text | None = None
    example: Text | None = None
    options: tuple[Option, ...] = ()
    optional: Flag = False
    known_to_city: Flag = False  # never asked of the person
    condition: Condition | None = None

    def asked(self, facts: Facts) -> bool | None:
        """Whether the question makes sense after these answers; ``None`` while that is open."""
        return True if self.condition is None else holds(self.condition, facts)


class RejectReason(Frozen):
    """Why staff refuse an item, and how the driver cures it."""

    code: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,20}$")]
    label: Text
    sentence: Text
    cure: Text


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a requirement asks of one bearer on one day."""

    id: str
    label: str
    kind: Literal["document", "declaration", "fact", "payment", "inspection"]
    bearer: Bearer
    what: str
    how: str
    cite: Citation
    standing: Standing
    accepts: tuple[str, ...]
    pages: int
    alternatives: tuple[str, ...]
    condition: str | None
    valid_for: ValidFor | None
    blocking: bool
    note: str | None
    assumption: str | None
    test: Check | None

    def applies(self, facts: Facts) -> bool | None:
        """Whether it is owed under these facts; ``None`` while a fact that it turns on is not known."""
        return True if self.condition is None else holds(self.condition, facts)

    @property
    def sent(self) -> bool:
        """Whether something is sent for it; otherwise it is a fact, asked and not proved."""
        return self.kind != "fact"


@dataclass(frozen=True, slots=True)
class Representing:
    """How anyone may denounce an infraction formally."""

    cite: Citation
    who: str
    requires: tuple[str, ...]
    owed: str
    note: str | None


RuleT = TypeVar("RuleT", bound=BaseRule[Any])


class RuleSet(Frozen):
    """Rules with the sources that they cite."""

    sources: dict[str, Source]
    rules: dict[Key, Rule]

    def __copy__(self) -> Self:
        """Copy the fields alone: a copy may get other rules, and then finds anew what is found in them once."""
        copied = super().__copy__()
        for found in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[found]
        return copied

    def of_kind(self, kind: type[RuleT]) -> tuple[RuleT, ...]:
        """Return the rules of one kind, in the order of the file."""
        return self._by_kind.get(kind, ())

    @cached_property
    def _by_kind(self) -> dict[type[Any], tuple[Any, ...]]:
        found: dict[type[Any], tuple[Any, ...]] = {}
        for rule in self.rules.values():
            found[type(rule)] = (*found.get(type(rule), ()), rule)
        return found

    def rule(self, rule_id: str, kind: type[RuleT]) -> RuleT:
        """Return a rule.

        Raises:
            KeyError: There is none of that kind with this id.
        """
        rule = self.rules.get(rule_id)
        if not isinstance(rule, kind):
            raise KeyError(rule_id)
        return rule


class Federal(RuleSet):
    """What holds in every city unless its own law says otherwise."""

    days: dict[str, tuple[DayRule, ...]] = Field(default_factory=dict)  # by state


class Rulebook(RuleSet):
    """One city and one law."""

    id: str  # of the law, as the file is named
    city: City
    service: Service
    applicants: Annotated[dict[ShortKey, Applicant], Field(min_length=1)]
    organs: dict[Key, Organ]
    queues: dict[ShortKey, Queue]
    subjects_by_key: Annotated[dict[Key, Subject], Field(alias="subjects", default_factory=dict)]
    grounds_by_key: Annotated[dict[Key, Ground], Field(alias="grounds", default_factory=dict)]
    doubts: dict[Key, Doubt] = Field(default_factory=dict)
    _catalogue: dict[str, FactQuestion] = PrivateAttr(default_factory=dict)
    _provisions: Provisions | None = PrivateAttr(default=None)
    _readings: dict[str, str] = PrivateAttr(default_factory=dict)
    _federal: Federal = PrivateAttr()

    @property
    def source(self) -> Source:
        """The law itself."""
        return self.sources[self.id]

    @property
    def zone(self) -> ZoneInfo:
        """The city's time zone."""
        return self.city.zone

    def requirements(self, bearer: str, on: date) -> tuple[Requirement, ...]:
        """Return what one bearer must have, prove, declare or pay on a day, in the order of the law."""
        found = []
        for rule in self.of_kind(RequirementRule):
            version = rule.version(on)
            if version is None or version.no_value is not None or bearer not in rule.bearers:
                continue
            found.append(
                Requirement(
                    id=rule.id,
                    label=rule.label,
                    kind=rule.kind,
                    bearer=Bearer(bearer),
                    what=rule.what or "",
                    how=rule.how or "",
                    cite=version.cite,
                    standing=version.standing,
                    accepts=version.accepts,
                    pages=version.pages,
                    alternatives=version.alternatives,
                    condition=version.condition,
                    valid_for=version.valid_for,
                    blocking=version.blocking,
                    note=version.note,
                    assumption=version.assumption,
                    test=self.check_of(version),
                )
            )
        return tuple(found)

    def check_of(self, version: RequirementVersion, readings: Mapping[str, str] | None = None) -> Check | None:
        """Return what a requirement compares; of a doubtful text, the reading chosen by the city or the default."""
        if version.doubt is None:
            return version.test
        return version.readings[self.reading(version.doubt, readings)]

    def reading(self, doubt: str, readings: Mapping[str, str] | None = None) -> str:
        """Return how a doubtful text is read: as asked, as the city chose, or in favour of the person."""
        told = self.doubts[doubt]
        return next(
            (choice[doubt] for choice in (readings or {}, self._readings) if choice.get(doubt) in told.readings),
            told.default,
        )

    def assumed(self, doubt: str | None, said: str | None, readings: Mapping[str, str] | None = None) -> str | None:
        """Return what an answer supposes: as its rule says while the default is read, else the reading instead."""
        if doubt is None or (chosen := self.reading(doubt, readings)) == self.doubts[doubt].default:
            return said
        return self.doubts[doubt].readings[chosen]

    def checklist(self, applicant: str, on: date) -> tuple[Requirement, ...]:
        """Return everything that an applicant's registration rests on and that is sent, each item once."""
        items: dict[str, Requirement] = {}
        for bearer in self.applicants[applicant].bearers:
            for item in self.requirements(bearer, on):
                if item.sent:
                    items.setdefault(item.id, item)
        return tuple(items.values())

    def questions(self, *bearers: str, on: date | None = None) -> tuple[FactQuestion, ...]:
        """Return the facts that some rule of this law about these bearers turns on, in asking order."""
        used: set[str] = set()
        for rule in self.of_kind(RequirementRule):
            version = rule.newest if on is None else rule.version(on)
            if version is None or version.no_value is not None or version.when_told:
                continue
            if rule.concerns(bearers):
                used |= facts_of(version.test, *version.readings.values())
                used.update(version.asks)
                if version.condition is not None:
                    used |= facts_in(version.condition)
        for key in tuple(used):
            condition = self._catalogue[key].condition
            used |= facts_in(condition) if condition is not None else set()
        asked = (question for key, question in self._catalogue.items() if key in used)
        return tuple(question for question in asked if not question.known_to_city)

    def subjects(self, kind: str | None = None) -> tuple[Subject, ...]:
        """Return what reports of a kind can be about; "outro" always comes last."""
        if kind not in self._subjects:
            found = [subject for subject in self.subjects_by_key.values() if kind is None or subject.kind == kind]
            other = Subject(key=OTHER_SUBJECT, label=N_("Outro assunto"), kind=_report_kind(kind))
            self._subjects[kind] = (*found, other)
        return self._subjects[kind]

    @cached_property
    def _subjects(self) -> dict[str | None, tuple[Subject, ...]]:
        return {}

    def subject(self, key: str) -> Subject | None:
        """Return a subject by its key; ``None`` for "outro" and for what this law does not list."""
        return self.subjects_by_key.get(key)

    @cached_property
    def grounds(self) -> tuple[Ground, ...]:
        """The grounds of discrimination, those that this law names first."""
        return tuple(sorted(self.grounds_by_key.values(), key=lambda ground: not ground.named))

    def queue_for(self, kind: str, subject: str | None = None) -> Queue:
        """Return the queue where a case of a kind, about a subject, waits."""
        about = self.subjects_by_key.get(subject) if subject is not None else None
        if about is not None and about.queue is not None:
            return self.queues[about.queue]
        return next(queue for queue in self.queues.values() if kind in queue.handles)

    @cached_property
    def representation(self) -> Representing | None:
        """The formal petition that this law opens to anyone; ``None`` where it has none."""
        for rule in self.of_kind(RepresentationRule):
            law = rule.newest
            return Representing(cite=law.cite, who=law.who, requires=law.requires, owed=law.owed, note=law.note)
        return None

    def complaint_basis(self) -> Citation:
        """Return what a complaint rests on: this law's representation, or the ouvidoria that every city owes."""
        representation = self.representation
        return representation.cite if representation else self._federal.rules[OMBUDSMAN_TERM].newest.cite

    @property
    def federal(self) -> Federal:
        """The rules that hold in every city."""
        return self._federal

    @property
    def provisions(self) -> Provisions | None:
        """Every article, paragraph and item of this law, where somebody listed them."""
        return self._provisions

    @property
    def catalogue(self) -> Mapping[str, FactQuestion]:
        """Every fact that a law can turn on."""
        return self._catalogue

    def bind(
        self,
        *,
        catalogue: dict[str, FactQuestion],
        federal: Federal,
        provisions: Provisions | None = None,
        readings: dict[str, str] | None = None,
    ) -> Rulebook:
        """Give the rulebook what stands outside its file; the loader does it once."""
        self._catalogue = catalogue
        self._federal = federal
        self._provisions = provisions
        self._readings = readings or {}
        return self


def facts_of(*checks: Check | None) -> set[str]:
    """Return the facts that checks need."""
    return {fact for check in checks if check is not None for fact in check.facts()}


def _report_kind(kind: str | None) -> ReportKind:
    return "discrimination" if kind == "discrimination" else "irregularity" if kind == "irregularity" else "complaint"
