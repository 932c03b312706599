"""The commands that work in every state: start, menu, help, cancel."""

from __future__ import annotations

import re

from telegram import Update

from handlers.shared.buttons import lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk
from handlers.shared.forms import engine
from handlers.shared.forms.places import park, worth_keeping
from handlers.shared.listing import commands_of
from handlers.shared.menu import home, menu_button
from handlers.shared.texts import N_

PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


async def start(update: Update, context: BotContext) -> None:
    """``/start [payload]``: the home screen, or what a deep link asks for."""
    payload = context.args[0] if context.args else ""
    if payload:
        prefixes = [prefix for prefix in context.desk.starts if payload.startswith(prefix)]
        if prefixes and PAYLOAD.fullmatch(payload):
            prefix = max(prefixes, key=len)
            park(context.conversation)
            await context.desk.starts[prefix](context, payload.removeprefix(prefix))
            return
        await home(context, context.tr("Este link não leva mais a lugar nenhum. Veja o que dá para fazer por aqui."))
        return
    await home(context, kept(context))


async def menu(update: Update, context: BotContext) -> None:
    """``/menu``: the home screen."""
    await home(context, kept(context))


def kept(context: BotContext) -> str:
    """Return what to say to somebody who leaves a form for the home screen."""
    place = context.conversation.place
    keeps = place is not None and worth_keeping(place)
    return context.tr("O que você estava preenchendo ficou guardado: é só continuar.") if keeps else ""


async def explain(update: Update, context: BotContext) -> None:
    """``/ajuda``: how it works. An open form stays open."""
    tr = context.tr
    lines = [
        tr("Toque nos botões ou escreva a resposta. Uma pergunta por vez, e nada se perde se você parar no meio."),
        tr("Voltar corrige a resposta anterior, Guardar deixa para depois e /cancelar desiste."),
        "",
        *(
            f"/{name} – {description}"
            for name, description in commands_of(context.desk, context.person.language, staff=context.person.is_staff)
        ),
    ]
    button = menu_button(context)
    if context.conversation.place is not None:
        lines += ["", tr("Você tem um preenchimento aberto: pode responder à pergunta agora mesmo.")]
        button = lasting(tr("Continuar o preenchimento"), "form", "open")
    context.say("\n".join(lines), buttons=((button,),))


async def cancel(update: Update, context: BotContext) -> None:
    """``/cancelar``: leave the open form."""
    if context.conversation.place is None:
        await home(context, context.tr("Não há nada em andamento para cancelar."))
        return
    await engine.cancel(context)


def register(desk: Desk) -> None:
    """Bring the commands to the desk."""
    desk.command(
        Command(
            handler=start,
            names={"pt_BR": "inicio", "en": "start", "es": "inicio"},
            description=N_("Começar"),
            order=10,
        )
    )
    desk.command(
        Command(
            handler=menu,
            names={"pt_BR": "menu", "en": "menu", "es": "menu"},
            description=N_("O que dá para fazer aqui"),
            order=20,
        )
    )
    desk.command(
        Command(
            handler=explain,
            names={"pt_BR": "ajuda", "en": "help", "es": "ayuda"},
            description=N_("Como funciona"),
            order=70,
        )
    )
    desk.command(
        Command(
            handler=cancel,
            names={"pt_BR": "cancelar", "en": "cancel", "es": "cancelar"},
            description=N_("Desistir do que está em andamento"),
            order=90,
        )
    )
