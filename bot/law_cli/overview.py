"""A city's law on one page."""

from __future__ import annotations

from collections.abc import Iterable

from bot.law_cli.envelope import BEARERS, STANDINGS
from domain.law.conduct import RetentionRule
from domain.law.fields import Bearer
from domain.law.model import Rulebook
from domain.law.renewal import certificate, periodic
from domain.law.rules import TermRule
from domain.law.terms import UNIT_NAMES

KINDS = {"complaint": "reclamação", "discrimination": "discriminação", "irregularity": "irregularidade"}


def overview(book: Rulebook) -> Iterable[str]:
    """Yield a city's law at a glance."""
    yield f"{book.city.name} ({book.city.uf}): {book.service.label}"
    yield f"  {book.source.title}"
    if book.source.note:
        yield f"  {book.source.note}"
    yield "\nÓrgãos"
    for organ in book.organs.values():
        yield f"  {organ.name}: {organ.role} ({organ.cite})"
        yield from (f"      {remark}" for remark in organ.inconsistencies)
    yield "\nFilas"
    for queue in book.queues.values():
        yield f"  {queue.label}: {book.organs[queue.organ].name}"
    for provisional in (False, True):
        paper = certificate(book, provisional=provisional)
        if paper is not None:
            length = f"{paper.length.amount} {UNIT_NAMES[paper.length.unit]}" if paper.length else paper.no_value
            until = "até " if paper.up_to else ""
            yield f"\n{paper.label}\n  {until}{length} ({paper.cite}; {STANDINGS[paper.standing.value]})"
    yield "\nPrazos"
    for rule in book.of_kind(TermRule):
        term = rule.newest
        length = f"{term.length.amount} {UNIT_NAMES[term.length.unit]}" if term.length else term.no_value
        yield f"  {rule.label}: {length} ({term.cite.locator}) [{rule.id}]"
    kept = book.of_kind(RetentionRule)
    if kept:
        yield "\nGuarda"
    for kind in kept:
        told = kind.newest
        length = f"{told.length.amount} {UNIT_NAMES[told.length.unit]}" if told.length else told.no_value
        yield f"  {kind.label}: {length} ({told.cite.locator}) [{kind.id}]"
    yield "\nO que volta"
    for bearer in Bearer:
        for duty in periodic(book, bearer):
            every = f"{duty.months} meses" if duty.months else f"{duty.days} dias" if duty.days else duty.steps[0]
            yield f"  {duty.label} [{BEARERS[bearer]}]: {every} ({duty.cite.locator})"
    yield "\nAssuntos"
    for subject in book.subjects_by_key.values():
        places = "; ".join(cite.locator for cite in subject.provisions) or STANDINGS["silent"]
        yield f"  {KINDS[subject.kind]}: {subject.label} ({places}) [{subject.key}]"
    for doubt in book.doubts.values():
        yield f"\nDúvida: {doubt.label} ({doubt.cite})"
        for key, reading in doubt.readings.items():
            yield f"  {'*' if key == doubt.default else ' '} {reading} [{key}]"
