"""What the driver's screens share."""

from __future__ import annotations

from domain.cases.model import Case, CaseState, ItemState, Outcome
from domain.errors import NotFound
from domain.law.loader import Laws
from domain.law.model import Rulebook
from domain.registration.commands import ApplicationCommand, Checklist
from handlers.shared import formats
from handlers.shared.buttons import lasting
from handlers.shared.context import BotContext
from handlers.shared.menu import menu_button
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_
from handlers.shared.why import label

AREA = "r"


def button(context: BotContext, text: str, verb: str, *ids: str | int) -> Button:
    """Return a lasting button of this area; ``text`` is a sentence to translate."""
    return lasting(label(context.tr, text), AREA, verb, *ids)


def way_out(context: BotContext, case: Case | None = None) -> tuple[Button, ...]:
    """Return the row that every screen ends with."""
    if case is None:
        return (menu_button(context),)
    return (button(context, N_("Voltar à lista"), "back", case.id), menu_button(context))


def book_of(laws: Laws, city: str, service: str) -> Rulebook:
    """Return a rulebook.

    Raises:
        NotFound: The city or the service is not served.
    """
    book = laws.find(city, service)
    if book is None:
        raise NotFound("no such city or service")
    return book


async def checklist_for(context: BotContext, case_id: int) -> Checklist:
    """Return a registration of the one at the counter.

    Raises:
        NotFound: It is not theirs.
    """
    return await context.services.application_of(ApplicationCommand(by=context.person, case_id=case_id))


def applicant_label(context: BotContext, case: Case) -> str:
    """Return who is registered, as HTML."""
    applicant = context.laws.rulebook(case.city, case.service).applicants.get(case.subject or "")
    return context.tr(applicant.label) if applicant else ""


def heading(context: BotContext, case: Case) -> str:
    """Return what a registration is, as HTML: who, where, its protocol."""
    parts = [f"<b>{applicant_label(context, case)}</b>", context.laws.city(case.city).name]
    if case.protocol is not None:
        parts.append(f"<code>{case.protocol}</code>")
    return " · ".join(parts)


def state_words(context: BotContext, case: Case) -> str:
    """Return where a registration stands, in a few words."""
    tr = context.tr
    if case.outcome is not None:
        return {Outcome.APPROVED: tr("aprovado"), Outcome.DENIED: tr("negado")}.get(case.outcome, "")
    return {
        CaseState.DRAFT: tr("rascunho"),
        CaseState.OPEN: tr("na fila da prefeitura"),
        CaseState.TAKEN: tr("em análise"),
        CaseState.WAITING: tr("esperando você"),
    }.get(case.state, tr("encerrado"))


def turn_line(context: BotContext, case: Case) -> str:
    """Return whose turn it is and since when."""
    tr = context.tr
    since = formats.age(case.turn_since, context.now, tr) if case.turn_since else ""
    refused = len(case.refused_items)
    match case.state:
        case CaseState.DRAFT:
            return tr("👉 A vez é sua. A prefeitura só vê o cadastro depois que você enviar.")
        case CaseState.OPEN:
            return tr("⏳ A vez é da prefeitura ({since}). Está na fila, e você será avisado.", since=since)
        case CaseState.TAKEN:
            return tr("⏳ A vez é da prefeitura ({since}). Alguém já está analisando.", since=since)
        case CaseState.WAITING if case.asked:
            return tr("👉 A vez é sua ({since}): a prefeitura fez uma pergunta.", since=since)
        case CaseState.WAITING if refused:
            return tr.many(
                "👉 A vez é sua ({since}): {n} item precisa ser enviado de novo.",
                "👉 A vez é sua ({since}): {n} itens precisam ser enviados de novo.",
                refused,
                since=since,
            )
        case CaseState.WAITING:
            return tr("👉 A vez é sua ({since}).", since=since)
        case _:
            return ""


def is_draft(case: Case) -> bool:
    """Whether only the applicant sees it."""
    return case.state is CaseState.DRAFT


def is_with_applicant(case: Case) -> bool:
    """Whether its answers can be changed."""
    return case.state in (CaseState.DRAFT, CaseState.WAITING)


def marked(context: BotContext, case: Case, state: ItemState) -> tuple[str, str]:
    """Return the mark of an item's state and the words beside it."""
    tr = context.tr
    match state:
        case ItemState.SENT if is_draft(case):
            return "📎", tr("arquivo anexado")
        case ItemState.SENT:
            return "⏳", tr("em análise")
        case ItemState.ACCEPTED:
            return "✅", tr("em ordem")
        case ItemState.REFUSED:
            return "❌", tr("para corrigir: envie de novo")
        case ItemState.MISSING:
            return "⬜", tr("falta enviar")
