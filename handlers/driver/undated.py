"""What the law leaves without a day, and what somebody else pays: said plainly, never invented."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from domain.cases.model import Case
from domain.law.answers import Standing
from domain.law.citations import Citation
from domain.law.dues import Due, dues
from domain.law.fields import Cause
from domain.law.model import Rulebook
from domain.law.renewal import Periodic, periodic, renewal
from domain.law.terms import unit_name
from handlers.driver.outcome import paper_of
from handlers.shared import formats
from handlers.shared.context import BotContext
from handlers.shared.lawwords import CAUSES, PAYERS, RHYTHMS
from handlers.shared.texts import Html, Translator
from handlers.shared.why import amount, locator, reasons


def undated(context: BotContext, case: Case, dated: Collection[str]) -> dict[str, str]:
    """Return a line for each of a registration's rules that made no date; ``dated`` are the rules that made one."""
    book = context.laws.rulebook(case.city, case.service)
    lines: dict[str, str] = {}
    for rule, line in (*of_fees(context, book, case), *of_paper(context, book, case), *of_rhythms(context, book, case)):
        if rule not in dated:
            lines.setdefault(rule, line)
    return lines


def grounds(context: BotContext, case: Case, dated: Collection[str]) -> list[tuple[str, Citation]]:
    """Return each of these lines with what it rests on, and where the law says it."""
    tr, today = context.tr, context.today(case.city)
    book = context.laws.rulebook(case.city, case.service)
    found = []
    for key, line in undated(context, case, dated).items():
        version = book.rules[key].version(today) or book.rules[key].newest
        told = reasons(
            tr,
            book,
            standing=version.standing,
            cite=version.cite,
            assumption=version.assumption,
            note=version.note,
            alone=False,
        )
        found.append((f"{line}\n{told}", version.cite))
    return found


def of_fees(context: BotContext, book: Rulebook, case: Case) -> Iterator[tuple[str, str]]:
    """Yield the fees that another pays, and those without a day."""
    tr, today = context.tr, context.today(case.city)
    bearers = book.applicants[case.subject or ""].bearers
    calendar = context.laws.calendar(case.city)
    for bearer in bearers:
        this_year = dues(book, bearer, today.year, calendar)
        for due in this_year:
            if due.due_on is not None and due.due_on < today:
                due = next((one for one in dues(book, bearer, today.year + 1, calendar) if one.rule == due.rule), due)
            if due.exempt or due.payer not in bearers:
                yield due.rule, not_yours(tr, book, due)
            elif due.due_on is None:
                yield due.rule, without_day(tr, book, due)


def not_yours(tr: Translator, book: Rulebook, due: Due) -> str:
    """Return that somebody else pays a fee."""
    article = locator(book, due.exempt_cite or due.cite)
    lines = [
        tr(
            "<b>{fee}</b>{amount}: quem paga é {payer}. De você não se cobra ({article}).",
            fee=tr(due.label),
            amount=Html(f" ({price(tr, due)})" if due.amount is not None else ""),
            payer=tr(PAYERS[due.payer]),
            article=article,
        )
    ]
    if due.due_on is not None:
        lines.append(tr("Vencimento para {payer}: {day}.", payer=tr(PAYERS[due.payer]), day=day(tr, due)))
    return " ".join(lines)


def day(tr: Translator, due: Due) -> str:
    return formats.day(due.due_on, tr.language) if due.due_on is not None else ""


def price(tr: Translator, due: Due) -> str:
    """Return what a fee amounts to and how often."""
    if due.amount is None or due.unit is None:
        return ""
    return f"{amount(tr, due.amount, due.unit)} {tr(RHYTHMS[due.every])}"


def without_day(tr: Translator, book: Rulebook, due: Due) -> str:
    """Return that a fee is the person's own and the law gives it no day, or no amount either."""
    head = f"<b>{tr(due.label)}</b> ({locator(book, due.cite)}): "
    said = [f"{price(tr, due)}."] if due.amount is not None else [tr(step.text) for step in due.steps[:1]]
    if due.every != "request":
        said.append(tr("A lei não fixa o dia."))
    elif due.amount is not None:
        said.append(tr("Paga-se quando se pede."))
    return head + " ".join(said)


def of_paper(context: BotContext, book: Rulebook, case: Case) -> Iterator[tuple[str, str]]:
    """Yield a certificate without an end that the counter can know, and a renewal without a day."""
    tr, today = context.tr, context.today(case.city)
    paper = paper_of(book, case, today)
    if paper is None:
        return
    head = f"<b>{tr(paper.label)}</b> ({locator(book, paper.cite)}): "
    if paper.length is None:
        yield paper.rule, head + tr(paper.no_value or "")
    elif paper.counted_from not in (Cause.APPROVED, Cause.ISSUED, Cause.PRESENTED) and paper.counted_from is not None:
        length = tr(
            "vale {amount} {unit}, a contar {cause}. Este balcão não tem essa data: guarde o comprovante.",
            amount=paper.length.amount,
            unit=tr(unit_name(paper.length)),
            cause=tr(CAUSES[paper.counted_from]),
        )
        yield paper.rule, head + length
    window = renewal(book, today, context.laws.calendar(case.city), bearer=paper.bearers[0])
    if window is not None and window.ask_by is None:
        text = tr(window.steps[0].text) if window.steps else tr("A lei não fixa esta data.")
        yield window.rule, f"<b>{tr(window.label)}</b> ({locator(book, window.cite)}): {text}"


def of_rhythms(context: BotContext, book: Rulebook, case: Case) -> Iterator[tuple[str, str]]:
    """Yield what comes back without a rhythm that the counter can count."""
    tr = context.tr
    for bearer in book.applicants[case.subject or ""].bearers:
        for duty in periodic(book, bearer, context.today(case.city)):
            yield duty.rule, f"<b>{tr(duty.label)}</b> ({locator(book, duty.cite)}): {rhythm(tr, duty)}"


def rhythm(tr: Translator, duty: Periodic) -> str:
    """Return how often a duty comes back, as far as the law says it."""
    if duty.months is None and duty.days is None:
        if duty.steps:
            return tr(duty.steps[0].text)
        return tr("a lei não fixa esta data.") if duty.standing is Standing.SILENT else ""
    every = (
        tr.many("a cada {n} mês", "a cada {n} meses", duty.months)
        if duty.months is not None
        else tr.many("a cada {n} dia", "a cada {n} dias", duty.days or 0)
    )
    if duty.may:
        return tr("a prefeitura pode pedir {every}, e a lei não marca o dia.", every=every)
    if duty.counted_from is not None:
        return tr("{every}, a contar {cause}.", every=every, cause=tr(CAUSES[duty.counted_from]))
    return tr("{every}.", every=every)
