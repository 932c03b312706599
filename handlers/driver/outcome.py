"""How a registration ended: approved, with its validity and the next dates; or denied, and what can still be done."""

from __future__ import annotations

from datetime import date

from domain.cases.model import Case, EventKind, Outcome
from domain.law.answers import Step
from domain.law.fields import Cause
from domain.law.model import Rulebook
from domain.law.renewal import Certificate, certificate, expires_on
from domain.law.terms import unit_name
from handlers.driver.common import button, checklist_for, heading, way_out
from handlers.shared import formats
from handlers.shared.buttons import Press
from handlers.shared.casewords import quoted
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms.places import show
from handlers.shared.lawwords import CAUSES
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_, Html, Translator
from handlers.shared.why import locator, reasons

SHOWN = 3


def paper_of(book: Rulebook, case: Case, on: date) -> Certificate | None:
    """Return the certificate that a registration leads to; None where this law has none for this applicant."""
    for bearer in book.applicants[case.subject or ""].bearers:
        if (paper := certificate(book, on, bearer=bearer)) is not None:
            return paper
    return None


def validity(tr: Translator, book: Rulebook, paper: Certificate, approved_on: date) -> str:
    """Return how long a certificate is valid: until when, where the counter knows the day it counts from."""
    if paper.length is None:
        return tr(paper.no_value or "")
    if paper.counted_from in (Cause.APPROVED, Cause.ISSUED):
        ends = expires_on(book, approved_on, bearer=paper.bearers[0])
        if ends is not None:
            day = Html(f"<b>{formats.day(ends, tr.language)}</b>")
            if paper.up_to:
                return tr("Vale até {day}, no máximo: a data escrita no documento é a que conta.", day=day)
            return tr("Vale até {day}.", day=day)
    return tr(
        "Vale {amount} {unit}, a contar {cause}.",
        amount=paper.length.amount,
        unit=tr(unit_name(paper.length)),
        cause=tr(CAUSES[paper.counted_from]) if paper.counted_from else "",
    )


async def show_outcome(context: BotContext, case: Case, *, note: str = "", fresh: bool = False) -> None:
    """Show how a registration ended and what comes next."""
    tr = context.tr
    lines = [note, ""] if note else []
    lines.append(heading(context, case))
    rows: list[tuple[Button, ...]] = []
    if case.outcome is Outcome.APPROVED:
        lines += await approved(context, case)
        rows.append((button(context, N_("Meus prazos"), "dates"),))
        book = context.laws.rulebook(case.city, case.service)
        if paper_of(book, case, approval_day(context, case)) is not None:
            rows.append((button(context, N_("Por que esta validade?"), "why_paper", case.id),))
        rows.append((button(context, N_("Renovar ou mudar os dados"), "again", case.id),))
        if "vehicle" in book.applicants[case.subject or ""].bearers:
            rows.append((button(context, N_("Cadastrar outro veículo"), "swap", case.id),))
    elif case.outcome is Outcome.DENIED:
        lines.append(f"❌ <b>{tr('Cadastro negado')}</b>")
        lines += await words(context, case)
        lines += ["", tr("Se puder resolver o motivo, comece de novo: as suas respostas já vêm preenchidas.")]
        rows.append((button(context, N_("Começar de novo"), "again", case.id),))
    else:
        lines.append(tr("Você desistiu deste cadastro. Pode começar outro quando quiser."))
        rows.append((button(context, N_("Começar um cadastro"), "start"),))
    rows.append((button(context, N_("Meus cadastros"), "mine"), *way_out(context)))
    show(context, "\n".join(lines), tuple(rows), fresh=fresh)


async def approved(context: BotContext, case: Case) -> list[str]:
    """Return what an approval means: the certificate, until when, and the next dates."""
    tr = context.tr
    on = approval_day(context, case)
    lines = [
        f"✅ <b>{tr('Cadastro aprovado')}</b>",
        tr("Em {day}, a prefeitura aceitou os seus documentos.", day=formats.day(on, tr.language)),
    ]
    lines += await words(context, case)
    book = context.laws.rulebook(case.city, case.service)
    paper = paper_of(book, case, on)
    if paper is not None:
        article = locator(book, paper.cite)
        lines += ["", f"<b>{tr(paper.label)}</b> ({article})", validity(tr, book, paper, on)]
    owed = [one for one in await context.services.my_obligations(context.person) if one.case_id == case.id]
    lines += ["", f"<b>{tr('Próximas datas')}</b>"]
    for one in owed[:SHOWN]:
        lines.append(
            tr(
                "{day} ({distance}): {what}",
                day=Html(f"<b>{formats.day(one.due_on, tr.language)}</b>"),
                distance=formats.distance(one.due_on, context.today(case.city), tr),
                what=tr(one.label),
            )
        )
    if owed:
        lines.append(tr("Eu aviso antes de cada uma."))
    else:
        lines.append(tr("Nenhuma com dia marcado na lei. Em “Meus prazos” está o que ela deixa em aberto."))
    return lines


async def words(context: BotContext, case: Case) -> list[str]:
    """Return what the clerk wrote with the decision."""
    tr, told = context.tr, await context.services.case_for_citizen(case.id, context.person)
    decided = [event.text for event in told.events if event.kind is EventKind.DECIDED and event.text.strip()]
    return [tr("A prefeitura escreveu:"), quoted(decided[-1], 2000)] if decided else []


def approval_day(context: BotContext, case: Case) -> date:
    """Return the local day of the decision."""
    return (case.closed_at or context.now).astimezone(context.laws.city(case.city).zone).date()


async def press_why(context: BotContext, press: Press) -> None:
    """Show what a validity rests on."""
    tr = context.tr
    case = (await checklist_for(context, press.number())).case
    book, on = context.laws.rulebook(case.city, case.service), approval_day(context, case)
    paper = paper_of(book, case, on)
    if paper is None:
        await show_outcome(context, case)
        return
    steps = list(paper.steps)
    if paper.counted_from in (Cause.APPROVED, Cause.ISSUED):
        steps.append(Step(N_("A aprovação foi em {day}."), {"day": on}))
    lines = [
        heading(context, case),
        "",
        f"<b>{tr(paper.label)}</b>",
        validity(tr, book, paper, on),
        reasons(
            tr,
            book,
            standing=paper.standing,
            cite=paper.cite,
            steps=steps,
            assumption=paper.assumption,
            note=paper.note,
        ),
    ]
    rows = ((button(context, N_("Voltar ao cadastro"), "back", case.id),), way_out(context))
    show(context, "\n".join(lines), rows)


def register(desk: Desk) -> None:
    """Bring the outcome to the desk."""
    desk.press("r", "why_paper", press_why)
