"""What the passengers' screens share: whose case it is, how it is opened, where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.cases.commands import CitizenCase
from domain.cases.model import Case, CaseKind, CaseState, Outcome
from domain.errors import NotFound
from handlers.shared import formats
from handlers.shared.buttons import Press, lasting
from handlers.shared.casewords import OUTCOMES, queue_label
from handlers.shared.context import BotContext
from handlers.shared.forms.places import EPHEMERAL
from handlers.shared.menu import menu_button
from handlers.shared.outgoing import Button

OWN, HELD = "p", "a"  # areas of buttons: a case of one's own by its number, an anonymous one by its receipt


@dataclass(frozen=True, slots=True)
class Handle:
    """How somebody holds a case: it is theirs, or they have its receipt. The receipt is in their buttons alone."""

    case_id: int = 0
    receipt: str | None = None

    def button(self, text: str, verb: str, *more: str | int) -> Button:
        """Return a lasting button of this case; ``text`` is plain and translated."""
        if self.receipt is not None:
            return lasting(text, HELD, verb, self.receipt, *more, secret=True)
        return lasting(text, OWN, verb, self.case_id, *more)

    @property
    def params(self) -> dict[str, int | str]:
        """What a form about the case keeps; with a receipt it is never put aside."""
        return {"case": self.case_id} if self.receipt is None else {EPHEMERAL: self.receipt}


def handle_of(press: Press) -> Handle:
    """Return the case of a pressed button."""
    return Handle(receipt=press.word()) if press.area == HELD else Handle(press.number())


def handle_from(params: Mapping[str, Any]) -> Handle:
    """Return the case of a form."""
    return Handle(params.get("case", 0), params.get(EPHEMERAL))


async def opened(context: BotContext, handle: Handle) -> CitizenCase:
    """Return a case as its citizen may see it.

    Raises:
        NotFound: It is not theirs.
        ReceiptUnknown: No case has this receipt.
    """
    if handle.receipt is not None:
        return await context.services.open_by_receipt(handle.receipt)
    return await context.services.case_for_citizen(handle.case_id, context.person)


async def actable(context: BotContext, handle: Handle) -> tuple[int, str | None]:
    """Return what a citizen's command names a case by."""
    if handle.receipt is None:
        return handle.case_id, None
    return (await opened(context, handle)).case.id, handle.receipt


def way_out(context: BotContext, handle: Handle | None = None) -> tuple[Button, ...]:
    """Return the row that every screen ends with."""
    if handle is None:
        return (menu_button(context),)
    return (handle.button(context.tr("Voltar ao caso"), "see"), menu_button(context))


def served(context: BotContext, case: Case) -> bool:
    """Whether the law of a case is still served by this counter."""
    return context.laws.find(case.city, case.service) is not None


def must_be_served(context: BotContext, case: Case) -> None:
    """Refuse a case whose city or service is served no more.

    Raises:
        NotFound: It is.
    """
    if not served(context, case):
        raise NotFound(f"case {case.id}: its city or service is served no more")


def since(context: BotContext, case: Case) -> str:
    """Return for how long it has been somebody's turn: "há 3 dias"."""
    return formats.age(case.turn_since, context.now, context.tr) if case.turn_since else ""


def mark(case: Case) -> str:
    """Return the mark of a case in a list."""
    match case.state:
        case CaseState.WAITING | CaseState.DECIDED:
            return "👉"
        case CaseState.OPEN | CaseState.TAKEN:
            return "⏳"
        case CaseState.CLOSED if case.outcome is Outcome.DENIED:
            return "❌"
        case CaseState.CLOSED if case.outcome is not None:
            return "✅"
        case _:
            return "⬜"


def state_words(context: BotContext, case: Case) -> str:
    """Return where a case stands, in a few plain words."""
    tr = context.tr
    match case.state:
        case CaseState.DRAFT:
            return tr("rascunho")
        case CaseState.OPEN:
            return tr("na fila")
        case CaseState.TAKEN:
            return tr("em análise")
        case CaseState.WAITING:
            return tr("esperando você")
        case CaseState.DECIDED:
            return tr("falta a sua palavra")
        case CaseState.CLOSED if case.outcome is None:
            return tr("você desistiu")
        case CaseState.CLOSED if case.kind is CaseKind.REGISTRATION:
            return tr("aprovado") if case.outcome is Outcome.APPROVED else tr("negado")
        case CaseState.CLOSED:
            return tr("encerrado")


def turn_line(context: BotContext, case: Case) -> str:
    """Return whose turn it is, since when, and what that means."""
    tr, ago = context.tr, since(context, case)
    match case.state:
        case CaseState.DRAFT:
            return tr("⬜ Ainda não foi enviado. A vez é sua.")
        case CaseState.OPEN:
            queue = queue_label(case, case.queue, context.laws, tr)
            return tr("⏳ A vez é da prefeitura ({since}). Está na fila: {queue}.", since=ago, queue=queue)
        case CaseState.TAKEN:
            return tr("⏳ A vez é da prefeitura ({since}). Alguém já está cuidando.", since=ago)
        case CaseState.WAITING if case.asked:
            return tr("👉 A vez é sua ({since}): a prefeitura fez uma pergunta.", since=ago)
        case CaseState.WAITING:
            return tr("👉 A vez é sua ({since}): há um item a corrigir.", since=ago)
        case CaseState.DECIDED:
            return tr("👉 A vez é sua ({since}): diga se o resultado resolve para você.", since=ago)
        case CaseState.CLOSED if case.outcome is not None:
            return tr("Encerrado ({since}): {outcome}.", since=ago, outcome=tr(OUTCOMES[case.outcome]))
        case CaseState.CLOSED:
            return tr("Encerrado: você desistiu ({since}).", since=ago)
