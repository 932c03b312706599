"""A city's law on one page."""

from __future__ import annotations

from collections.abc import Iterable

from bot.law_cli.envelope import BEARERS, STANDINGS
from domain.law.conduct import RetentionRule
from domain.law.fields import Bearer, Length
from domain.law.model import Rulebook
from domain.law.renewal import Periodic, certificate, periodic
from domain.law.rules import TermRule
from domain.law.terms import unit_name

KINDS = {"complaint": "reclamação", "discrimination": "discriminação", "irregularity": "irregularidade"}


def overview(book: Rulebook) -> Iterable[str]:
    """Yield a city's law at a glance."""
    yield f"{book.city.name} ({book.city.uf}): {book.service.label}"
    yield f"  {book.source.title}"
    if book.source.note:
        yield f"  {book.source.note}"
    yield from below("Órgãos", organs(book))
    yield from below("Filas", (f"{queue.label}: {book.organs[queue.organ].name}" for queue in book.queues.values()))
    for provisional in (False, True):
        paper = certificate(book, provisional=provisional)
        if paper is not None:
            length, until = lasts(paper.length) or paper.no_value, "até " if paper.up_to else ""
            yield from below(paper.label, [f"{until}{length} ({paper.cite}; {STANDINGS[paper.standing.value]})"])
    yield from below("Prazos", timed(book.of_kind(TermRule)))
    yield from below("Guarda", timed(book.of_kind(RetentionRule)))
    yield from below("O que volta", returning(book))
    yield from below("Assuntos", subjects(book))
    for doubt in book.doubts.values():
        readings = (f"{'*' if key == doubt.default else ' '} {text} [{key}]" for key, text in doubt.readings.items())
        yield from below(f"Dúvida: {doubt.label} ({doubt.cite})", readings)


def below(heading: str, lines: Iterable[str]) -> Iterable[str]:
    """Yield lines below their heading, and nothing where there are none."""
    listed = [f"  {line}" for line in lines]
    if listed:
        yield f"\n{heading}"
        yield from listed


def organs(book: Rulebook) -> Iterable[str]:
    for organ in book.organs.values():
        yield f"{organ.name}: {organ.role} ({organ.cite})"
        yield from (f"    {remark}" for remark in organ.inconsistencies)


def timed(rules: Iterable[TermRule | RetentionRule]) -> Iterable[str]:
    for rule in rules:
        told = rule.newest
        yield f"{rule.label}: {lasts(told.length) or told.no_value} ({told.cite.locator}) [{rule.id}]"


def returning(book: Rulebook) -> Iterable[str]:
    for bearer in Bearer:
        for duty in periodic(book, bearer):
            yield f"{duty.label} [{BEARERS[bearer]}]: {rhythm(duty)} ({duty.cite.locator})"


def rhythm(duty: Periodic) -> str:
    """Return how often a duty comes back."""
    if duty.months:
        return "todo mês" if duty.months == 1 else f"a cada {duty.months} meses"
    if duty.days:
        return "todo dia" if duty.days == 1 else f"a cada {duty.days} dias"
    return str(duty.steps[0])


def subjects(book: Rulebook) -> Iterable[str]:
    for subject in book.subjects_by_key.values():
        places = "; ".join(cite.locator for cite in subject.provisions) or STANDINGS["silent"]
        yield f"{KINDS[subject.kind]}: {subject.label} ({places}) [{subject.key}]"


def lasts(length: Length | None) -> str:
    """Return a length of time in words; "" for none."""
    return f"{length.amount} {unit_name(length)}" if length else ""
