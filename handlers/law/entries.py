"""What there is to read in a law: its rules, doubts, subjects of complaint and grounds, each under its topics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeAlias
from zlib import crc32

from domain.law.citations import Citation
from domain.law.conduct import (
    ConductRule,
    ContentsRule,
    InfractionRule,
    LeniencyRule,
    RecidivismRule,
    SanctionRule,
    TariffRule,
)
from domain.law.fields import Bearer
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_EXTENSION, OMBUDSMAN_TERM, Doubt, Ground, Rulebook, Subject
from domain.law.rules import (
    BaseRule,
    CertificateRule,
    FeeRule,
    PenaltyClassRule,
    PeriodicRule,
    RenewalRule,
    RepresentationRule,
    RequirementRule,
    TermRule,
    Version,
)
from handlers.shared.lawwords import bearer_name
from handlers.shared.texts import N_

AnyRule: TypeAlias = BaseRule[Any]
PASSENGER = "p"
LETTERS = {"d": Bearer.DRIVER, "a": Bearer.AUXILIARY, "e": Bearer.EMPLOYEE, "o": Bearer.OPERATOR}
OUTSIDE_PROCEDURE = frozenset({"data", "seal", "receipt"})


class Topic(StrEnum):
    """What a reader looks for; the value goes into buttons."""

    DUTIES = "d"
    PROHIBITIONS = "n"
    PERMISSIONS = "l"
    INFRACTIONS = "i"
    TERMS = "z"
    DOCUMENTS = "r"
    VEHICLE = "v"
    FEES = "t"
    VALIDITY = "c"
    RIGHTS = "p"
    SERVICE = "s"
    OPEN = "o"


TOPICS: dict[Topic, str] = {
    Topic.DUTIES: N_("Deveres"),
    Topic.PROHIBITIONS: N_("Proibições"),
    Topic.PERMISSIONS: N_("O que é permitido"),
    Topic.INFRACTIONS: N_("Infrações e multas"),
    Topic.TERMS: N_("Prazos e defesa"),
    Topic.DOCUMENTS: N_("Documentos e requisitos"),
    Topic.VEHICLE: N_("Veículo"),
    Topic.FEES: N_("Taxas e tarifas"),
    Topic.VALIDITY: N_("Validade e renovação"),
    Topic.RIGHTS: N_("Direitos do passageiro"),
    Topic.SERVICE: N_("O serviço e quem decide"),
    Topic.OPEN: N_("O que a lei não diz"),
}


@dataclass(frozen=True, slots=True)
class Role:
    """In whose place somebody reads the law."""

    key: str
    label: str
    bearers: frozenset[Bearer]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """Something to read. ``code`` stands for it in buttons; it holds one of rule, doubt, subject and ground."""

    code: str
    key: str
    title: str
    cite: Citation
    topics: tuple[Topic, ...]
    bearers: frozenset[Bearer] = frozenset()  # empty: everybody
    rule: AnyRule | None = None
    version: Version | None = None
    doubt: Doubt | None = None
    subject: Subject | None = None
    ground: Ground | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """All that one law holds on a day."""

    book: Rulebook
    on: date
    entries: tuple[Entry, ...]
    by_code: dict[str, Entry]

    def of(self, topic: Topic, role: Role) -> tuple[Entry, ...]:
        """Return a topic's entries for a role, in the order of the law."""
        return tuple(one for one in self.entries if topic in one.topics and (concerns(one, role) or topic in FOR_ALL))

    def at(self, cite: Citation) -> tuple[Entry, ...]:
        """Return the rules that stand at a place or complete it."""
        return tuple(one for one in self.entries if one.version is not None and cite in (one.cite, *one.version.also))


FOR_ALL = frozenset({Topic.VEHICLE, Topic.RIGHTS, Topic.SERVICE, Topic.TERMS})


def concerns(entry: Entry, role: Role) -> bool:
    """Whether an entry falls on a role, or on everybody."""
    return not entry.bearers or bool(entry.bearers & role.bearers)


def code_of(text: str) -> str:
    """Return eight figures that stand for a text in the few bytes of a button."""
    return f"{crc32(text.encode()):08x}"


def book_code(book: Rulebook) -> str:
    """Return what stands for a city's law in buttons."""
    return code_of(f"{book.city.slug}/{book.service.key}")


def book_of(laws: Laws, code: str) -> Rulebook | None:
    """Return the law that a button names; None when it is served no more."""
    return next((book for city in laws for book in laws.rulebooks(city) if book_code(book) == code), None)


def roles(book: Rulebook) -> tuple[Role, ...]:
    """Return in whose place this law can be read: those it lays something on, and the passenger."""
    named = {bearer for rule in book.rules.values() for bearer in getattr(rule, "bearers", ())}
    found = []
    for key, bearer in LETTERS.items():
        if bearer not in named:
            continue
        applicant = next((one for one in book.applicants.values() if one.bearers[0] == bearer), None)
        bearers = {bearer, *(applicant.bearers if applicant is not None else ())}
        if bearer is Bearer.DRIVER:
            bearers |= {Bearer.VEHICLE, Bearer.OWNER}
        found.append(Role(key, bearer_name(book, bearer), frozenset(bearers)))
    return (*found, Role(PASSENGER, N_("Passageiro"), frozenset(Bearer)))


def contents(book: Rulebook, on: date) -> Contents:
    """Return everything that a law says on a day, with what holds beside it in every city."""
    found = [*_rules(book, on), *_rights(book), *_doubts(book)]
    return Contents(book, on, tuple(found), {one.code: one for one in found})


def _rules(book: Rulebook, on: date) -> Iterator[Entry]:
    ombudsman = [book.federal.rules[key] for key in (OMBUDSMAN_TERM, OMBUDSMAN_EXTENSION) if key in book.federal.rules]
    for rule in (*book.rules.values(), *ombudsman):
        version: Version | None = rule.version(on)
        if version is None:
            continue
        found = topics_of(rule, version)
        if rule in ombudsman:
            found = (Topic.RIGHTS, *found)
        if version.no_value is not None:
            found = (*found, Topic.OPEN)
        yield Entry(
            code=code_of(rule.id),
            key=rule.id,
            title=rule.label,
            cite=version.cite,
            topics=found,
            bearers=frozenset(getattr(rule, "bearers", ())),
            rule=rule,
            version=version,
        )


def topics_of(rule: AnyRule, version: Version) -> tuple[Topic, ...]:
    """Return where a rule is looked for."""
    match rule:
        case ConductRule(kind="permission"):
            return (Topic.PERMISSIONS,)
        case ConductRule():
            first = Topic.DUTIES if rule.kind == "duty" else Topic.PROHIBITIONS
            punished = getattr(version, "penalty_class", None) is not None
            return (first, Topic.INFRACTIONS) if punished else (first,)
        case InfractionRule() | SanctionRule() | PenaltyClassRule() | RecidivismRule() | LeniencyRule():
            return (Topic.INFRACTIONS,)
        case TermRule():
            return (Topic.TERMS,)
        case ContentsRule():
            return (Topic.SERVICE if rule.of in OUTSIDE_PROCEDURE else Topic.TERMS,)
        case RequirementRule():
            others = [bearer for bearer in rule.bearers if bearer is not Bearer.VEHICLE]
            found = [Topic.VEHICLE] if Bearer.VEHICLE in rule.bearers else []
            return (*found, *([Topic.DOCUMENTS] if others else []))
        case FeeRule():
            return (Topic.FEES,)
        case TariffRule():
            return (Topic.FEES, Topic.RIGHTS)
        case CertificateRule() | RenewalRule():
            return (Topic.VALIDITY,)
        case PeriodicRule():
            return (Topic.DUTIES, Topic.VALIDITY)
        case RepresentationRule():
            return (Topic.RIGHTS,)
        case _:
            return (Topic.SERVICE,)


def _rights(book: Rulebook) -> Iterator[Entry]:
    for subject in book.subjects_by_key.values():
        yield Entry(
            code=code_of(f"subject/{subject.key}"),
            key=f"subject/{subject.key}",
            title=subject.label,
            cite=subject.provisions[0] if subject.provisions else book.complaint_basis(),
            topics=(Topic.RIGHTS,),
            subject=subject,
        )
    for ground in book.grounds:
        yield Entry(
            code=code_of(f"ground/{ground.key}"),
            key=f"ground/{ground.key}",
            title=ground.label,
            cite=ground.cite or book.complaint_basis(),
            topics=(Topic.RIGHTS,) if ground.named else (Topic.RIGHTS, Topic.OPEN),
            ground=ground,
        )


def _doubts(book: Rulebook) -> Iterator[Entry]:
    for doubt in book.doubts.values():
        yield Entry(
            code=code_of(f"doubt/{doubt.id}"),
            key=f"doubt/{doubt.id}",
            title=doubt.label,
            cite=doubt.cite,
            topics=(Topic.OPEN,),
            doubt=doubt,
        )
