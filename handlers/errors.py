"""The one place where a refusal becomes a sentence."""

from __future__ import annotations

from typing import Any

from telegram import Update

from domain.errors import DomainError, ErrorCode, NotAllowed
from handlers.shared import formats
from handlers.shared.buttons import SCREEN
from handlers.shared.context import BotContext
from handlers.shared.forms import engine
from handlers.shared.listing import refresh_commands
from handlers.shared.menu import menu_button
from handlers.shared.texts import N_

SENTENCES: dict[ErrorCode, str] = {
    ErrorCode.NOT_ALLOWED: N_("Isto é só para quem tem essa função na prefeitura. Se é o seu caso, peça um convite."),
    ErrorCode.NOT_FOUND: N_("Não encontrei isso. Confira o número e tente de novo."),
    ErrorCode.CITY_UNKNOWN: N_("Ainda não atendemos essa cidade por aqui."),
    ErrorCode.CASE_TAKEN: N_("{holder} já está com este caso."),
    ErrorCode.OWN_CASE: N_("Este caso é seu: outra pessoa da equipe precisa atender. Acompanhe pelo /menu."),
    ErrorCode.CASE_MOVED_ON: N_("Este caso andou desde que você abriu a tela. Abra-o de novo para ver como está."),
    ErrorCode.CASE_CLOSED: N_("Este caso já foi encerrado. Se ainda precisa de ajuda, comece um novo pelo menu."),
    ErrorCode.NOT_YOUR_CASE: N_("Só quem assumiu o caso pode fazer isso. Assuma o caso primeiro."),
    ErrorCode.ITEM_UNKNOWN: N_("Este item não faz parte da lista. Abra a lista de novo."),
    ErrorCode.ITEM_ALREADY_DECIDED: N_("Este item já foi decidido. Abra o caso de novo para ver como está."),
    ErrorCode.CHECKLIST_INCOMPLETE: N_("Ainda falta enviar itens da lista ({count}). Abra a lista para ver quais."),
    ErrorCode.ITEMS_UNDECIDED: N_("Antes de aprovar, decida todos os itens obrigatórios (faltam {count})."),
    ErrorCode.INVITE_UNKNOWN: N_("Não reconheço este convite. Confira o link ou peça outro à gestão."),
    ErrorCode.INVITE_EXPIRED: N_("Este convite venceu. Peça outro à gestão."),
    ErrorCode.INVITE_USED: N_("Este convite já foi usado. Peça outro à gestão."),
    ErrorCode.INVITE_NEEDLESS: N_("Você já tem essa função. O convite continua valendo para outra pessoa."),
    ErrorCode.RECEIPT_UNKNOWN: N_("Não encontrei esse recibo. São 16 números: confira e envie de novo."),
    ErrorCode.TERM_FIXED: N_("A lei não prevê prorrogar o prazo deste caso."),
    ErrorCode.TERM_EXTENDED: N_("O prazo deste caso já foi prorrogado, até {due}. A lei só deixa uma vez."),
    ErrorCode.TERM_OVER: N_("O prazo terminou em {due} ({cite}) e já não pode ser prorrogado."),
    ErrorCode.TEXT_MISSING: N_("Faltou escrever o texto. Escreva com as suas palavras."),
    ErrorCode.FILE_MISSING: N_("Faltou enviar o arquivo. Envie uma foto ou um PDF."),
}
UNEXPECTED = N_(
    "Algo deu errado do nosso lado e a equipe já foi avisada. "
    "O que você tinha preenchido continua guardado. Toque em /menu para seguir."
)
FORM_LOST = N_(
    "Se você estava preenchendo algo por aqui, isso se perdeu numa mudança do nosso lado. Comece de novo pelo /menu."
)


async def refused(update: object, context: BotContext) -> None:
    """Say why nothing happened, and put the person back to where they stood: what was given is kept."""
    turn, error = context.turn, context.error
    turn.failed = error.code.value if isinstance(error, DomainError) else "unexpected"
    turn.forget()
    sentence = (
        formats.filled(context.tr, SENTENCES[error.code], error.facts)
        if isinstance(error, DomainError)
        else context.tr(UNEXPECTED)
    )
    if isinstance(error, DomainError) and concerns_form(update, context):
        await engine.present(context, note=sentence)
        return
    context.say(sentence, buttons=((menu_button(context),),))
    if isinstance(error, NotAllowed) and not context.person.is_staff:
        refresh_commands(context)  # whoever was staff until now still has the team's commands listed


def concerns_form(update: Any, context: BotContext) -> bool:
    """Return whether what was refused came from the open form; a lasting button may belong to anything else."""
    turn, place = context.turn, context.conversation.place
    if place is None:
        return False
    pressed = update.callback_query if isinstance(update, Update) else None
    if pressed is None:
        return True
    screen = SCREEN.fullmatch(pressed.data or "")
    turn.pressed_current = screen is not None and int(screen[1]) == context.conversation.screen
    return turn.pressed_current
