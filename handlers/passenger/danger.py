"""Whom to call before anything is written: within reach on every step of a report."""

from __future__ import annotations

from telegram import Update

from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk
from handlers.shared.forms.model import Aside
from handlers.shared.menu import menu_button
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_, Translator


def exits(tr: Translator) -> str:
    """Return the two lines that come before a report."""
    return "\n".join(
        (
            tr("🚨 <b>Perigo agora? Ligue 190.</b>"),
            tr("Violência contra a mulher: 180. Violação de direitos humanos: Disque 100."),
        )
    )


async def say_exits(context: BotContext) -> None:
    """Say whom to call; an open form stays as it is."""
    tr = context.tr
    lines = [
        tr("🚨 <b>Se você está em perigo, ligue agora para o 190.</b>"),
        tr("Violência contra a mulher: ligue 180."),
        tr("Racismo, discriminação e outras violações de direitos humanos: ligue 100."),
        "",
        tr("São ligações gratuitas, a qualquer hora. Este balcão não consegue mandar ajuda até você."),
    ]
    filling = context.conversation.place is not None
    if filling:
        lines.append(tr("O que você já respondeu continua guardado."))
    way = lasting(tr("Continuar o preenchimento"), "form", "open") if filling else menu_button(context)
    context.say("\n".join(lines), buttons=((way,),))


ASIDE = Aside(N_("Estou em perigo"), say_exits)


def danger_button(context: BotContext) -> Button:
    """Return the button that is at hand after the report as well."""
    return lasting(context.tr(ASIDE.label), "p", "danger")


async def press_danger(context: BotContext, press: Press) -> None:
    """The button."""
    await say_exits(context)


async def command(update: Update, context: BotContext) -> None:
    """``/perigo``."""
    await say_exits(context)


def register(desk: Desk) -> None:
    """Bring the exits to the desk."""
    desk.press("p", "danger", press_danger)
    desk.command(
        Command(
            handler=command,
            names={"pt_BR": "perigo", "en": "danger", "es": "peligro"},
            description=N_("Estou em perigo: para quem ligar"),
            aliases=("socorro", "emergencia", "emergency"),
            order=65,
        )
    )
