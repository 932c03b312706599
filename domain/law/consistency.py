"""Refuses what each part of a rulebook allows and the whole does not: references to nothing, facts that nobody asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from domain.law.checks import MonthsClear
from domain.law.citations import Citation
from domain.law.conditions import compared_values, facts_in
from domain.law.conduct import (
    ConductRule,
    InfractionRule,
    InfractionVersion,
    LeniencyRule,
    RecidivismRule,
    SanctionRule,
    StatementRule,
)
from domain.law.model import FactQuestion, Rulebook, facts_of
from domain.law.reading import RulebookError
from domain.law.rules import FeeRule, PenaltyClassRule, RenewalRule, RequirementRule, RequirementVersion, TermRule

CASE_KINDS = ("registration", "complaint", "discrimination", "irregularity")


def check(book: Rulebook, slug: str, file: str, facts: dict[str, FactQuestion]) -> None:
    """Refuse what each part allows and the whole does not: references to nothing, facts that nobody asks."""

    def refuse(key: str, reason: str) -> None:
        raise RulebookError(file, key, reason)

    if book.city.slug != slug:
        refuse("city.slug", f"is {book.city.slug!r}, but the folder is {slug!r}")
    for queue in book.queues.values():
        if queue.organ not in book.organs:
            refuse(f"queues.{queue.key}.organ", f"there is no organ {queue.organ!r}")
    for kind in CASE_KINDS:
        if not any(kind in queue.handles for queue in book.queues.values()):
            refuse("queues", f"no queue handles {kind!r}")
    for subject in book.subjects_by_key.values():
        if subject.queue is not None and subject.queue not in book.queues:
            refuse(f"subjects.{subject.key}.queue", f"there is no queue {subject.queue!r}")
    for doubt in book.doubts.values():
        if doubt.default not in doubt.readings:
            refuse(f"doubts.{doubt.id}.default", f"there is no reading {doubt.default!r}")
    for rule in book.rules.values():
        for index, version in enumerate(rule.versions):
            key = f"rules.{rule.id}.versions.{index}"
            if isinstance(version, RequirementVersion):
                _check_requirement(book, version, file, key, facts)
        if isinstance(rule, RenewalRule) and rule.certificate not in book.rules:
            refuse(f"rules.{rule.id}.certificate", f"there is no certificate {rule.certificate!r}")
        if isinstance(rule, FeeRule):
            for index, fee in enumerate(rule.versions):
                if fee.collector not in book.organs and fee.collector != "operator":
                    refuse(f"rules.{rule.id}.versions.{index}.collector", f"there is no organ {fee.collector!r}")
        if isinstance(rule, TermRule):
            for index, term in enumerate(rule.versions):
                if term.to is not None and term.to not in book.organs:
                    refuse(f"rules.{rule.id}.versions.{index}.to", f"there is no organ {term.to!r}")
    for key, reason in _broken_links(book):
        refuse(key, reason)
    if book.provisions is not None:
        for key, cite in citations(book):
            place = book.provisions.unknown(cite) if cite.source == book.id else None
            if place is not None:
                refuse(key, f"cites {', '.join(place)}, which {book.id} does not have")
    for applicant in book.applicants.values():
        ruled = {bearer for rule in book.of_kind(RequirementRule) for bearer in rule.bearers}
        for bearer in applicant.bearers:
            if bearer not in ruled:
                refuse(f"applicants.{applicant.key}.bearers", f"no requirement falls on {bearer.value!r}")


def citations(book: Rulebook) -> Iterator[tuple[str, Citation]]:
    """Yield every citation of a rulebook with the key of what cites."""
    for rule in book.rules.values():
        for index, version in enumerate(rule.versions):
            yield f"rules.{rule.id}.versions.{index}.cite", version.cite
            yield from ((f"rules.{rule.id}.versions.{index}.also", cite) for cite in version.also)
            penalties = version.penalties if isinstance(version, InfractionVersion) else ()
            yield from ((f"rules.{rule.id}.versions.{index}.penalties", one.cite) for one in penalties if one.cite)
    yield from ((f"organs.{organ.id}.cite", organ.cite) for organ in book.organs.values())
    yield from ((f"doubts.{doubt.id}.cite", doubt.cite) for doubt in book.doubts.values())
    for subject in book.subjects_by_key.values():
        yield from ((f"subjects.{subject.key}.provisions", cite) for cite in subject.provisions)
    for ground in book.grounds_by_key.values():
        if ground.cite is not None:
            yield f"grounds.{ground.key}.cite", ground.cite


def _broken_links(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield what a rule about conduct names and the rulebook does not have."""
    classes = {rule.id for rule in book.of_kind(PenaltyClassRule)}
    punished = {rule.id for rule in book.of_kind(InfractionRule)} | {rule.id for rule in book.of_kind(ConductRule)}
    groups = {rule.group for rule in book.of_kind(InfractionRule)}

    def named(
        rule: str, what: str, keys: Iterable[str | None], known: Iterable[str | None]
    ) -> Iterator[tuple[str, str]]:
        for key in keys:
            if key is not None and key not in known:
                yield f"rules.{rule}.{what}", f"there is no {what} {key!r}"

    for statement in book.of_kind(StatementRule):
        yield from named(statement.id, "organ", [statement.organ], book.organs)
    for conduct in book.of_kind(ConductRule):
        for duty in conduct.versions:
            yield from named(conduct.id, "infraction", [duty.infraction], punished)
            yield from named(conduct.id, "class", [duty.penalty_class], classes)
    for infraction in book.of_kind(InfractionRule):
        for version in infraction.versions:
            yield from named(infraction.id, "class", [version.penalty_class, *version.readings.values()], classes)
            doubts = [version.doubt, version.disputed, *(one.doubt for one in version.penalties)]
            yield from named(infraction.id, "doubt", doubts, book.doubts)
            for doubt, used in ((version.doubt, version.readings), (version.disputed, [version.reading])):
                known = book.doubts[doubt].readings if doubt in book.doubts else {}
                yield from named(infraction.id, "reading", used, known)
    for again in book.of_kind(RecidivismRule):
        for told in again.versions:
            yield from named(again.id, "infraction", (*told.of, *told.not_of, told.becomes), punished)
            yield from named(again.id, "class", [told.of_class], classes)
            yield from named(again.id, "group", [told.of_group], groups)
            yield from named(again.id, "doubt", [told.doubt, *(one.doubt for one in told.adds)], book.doubts)
    for sanction in book.of_kind(SanctionRule):
        yield from named(sanction.id, "doubt", (version.doubt for version in sanction.versions), book.doubts)
        for bar in sanction.versions:
            known = book.doubts[bar.doubt].readings if bar.doubt in book.doubts else {}
            yield from named(sanction.id, "reading", bar.readings, known)
    for mercy in book.of_kind(LeniencyRule):
        yield from named(mercy.id, "class", (version.of_class for version in mercy.versions), classes)


def _check_requirement(
    book: Rulebook, version: RequirementVersion, file: str, key: str, facts: dict[str, FactQuestion]
) -> None:
    needed = facts_of(version.test, *version.readings.values())
    known_facts(needed, facts, file, f"{key}.test")
    if isinstance(version.test, MonthsClear) and version.test.back_from is not None:
        known_facts([version.test.back_from], facts, file, f"{key}.test.back_from")
    known_facts(version.asks, facts, file, f"{key}.asks")
    if version.doubt is not None:
        doubt = book.doubts.get(version.doubt)
        if doubt is None:
            raise RulebookError(file, f"{key}.doubt", f"there is no doubt {version.doubt!r}")
        if doubt.readings.keys() != version.readings.keys():
            raise RulebookError(file, f"{key}.readings", f"are not those of the doubt {version.doubt!r}")
    if version.condition is None:
        return
    known_facts(facts_in(version.condition), facts, file, f"{key}.condition")
    for fact, value in compared_values(version.condition):
        options = {option.key for option in facts[fact].options}
        if options and value not in options:
            raise RulebookError(file, f"{key}.condition", f"{value!r} is not an answer to {fact!r}")


def known_facts(keys: Iterable[str], facts: Mapping[str, FactQuestion], file: str, key: str) -> None:
    for fact in keys:
        if fact not in facts:
            raise RulebookError(file, key, f"there is no fact {fact!r} in facts.toml")
