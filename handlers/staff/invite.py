"""Becoming staff: a one-time link, what it gives, and "Aceitar"."""

from __future__ import annotations

from domain.people.model import Grant, Role
from domain.people.service import INVITE_PREFIX
from handlers.shared.buttons import Press, lasting
from handlers.shared.casewords import bold
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.listing import refresh_commands
from handlers.shared.menu import home, menu_button
from handlers.shared.texts import N_, Translator

ROLES: dict[Role, tuple[str, str]] = {
    Role.REGISTRY: (N_("cadastro"), N_("Você confere os documentos e aprova os cadastros.")),
    Role.OMBUDSMAN: (N_("ouvidoria"), N_("Você atende reclamações e denúncias e responde às pessoas.")),
    Role.INSPECTOR: (N_("fiscalização"), N_("Você atende irregularidades e reclamações que pedem fiscalização.")),
    Role.MANAGER: (N_("gestão"), N_("Você vê todas as filas, passa casos de uma equipe para outra e convida colegas.")),
}


async def open_invite(context: BotContext, code: str) -> None:
    """Say what an invitation gives, before it is taken up."""
    tr = context.tr
    invite = await context.services.read_invite(code, context.person)
    text = "\n".join(
        (
            f"<b>{tr('Convite para a equipe')}</b>",
            offer(Grant(invite.city, invite.role), context.laws.city(invite.city).name, tr),
            "",
            tr("O convite vale uma vez. Se não era para você, não aceite e avise quem enviou."),
        )
    )
    accept = lasting(tr("Aceitar"), "staff", "join", code, secret=True)
    context.show(text, buttons=((accept,), (menu_button(context),)))


def offer(grant: Grant, city: str, tr: Translator) -> str:
    """Return what a role is, in a line or two."""
    role, work = ROLES[grant.role]
    return "\n".join((tr("{role} em {city}.", role=bold(tr(role).capitalize()), city=city), tr(work)))


async def press_join(context: BotContext, press: Press) -> None:
    """Take the role up: menu and commands are those of staff from here on."""
    joined = await context.services.accept_invite(press.word(), context.person)
    context.turn.person = joined.person
    refresh_commands(context)
    tr, city = context.tr, context.laws.city(joined.grant.city)
    welcome = f"<b>{tr('Pronto: você agora é da equipe.')}</b>"
    begin = tr("Comece por “{button}”.", button=tr("Filas da equipe"))
    await home(context, "\n".join((welcome, offer(joined.grant, city.name, tr), begin)))


def register(desk: Desk) -> None:
    """Bring invitations to the desk."""
    desk.start(INVITE_PREFIX, open_invite)
    desk.press("staff", "join", press_join)
