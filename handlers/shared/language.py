"""The language of a conversation: the client's at first, chosen and remembered afterwards."""

from __future__ import annotations

from telegram import Update

from domain.values.tongue import tongue_of
from handlers.shared.buttons import ForgedButton, Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk
from handlers.shared.listing import refresh_commands
from handlers.shared.menu import menu_button
from handlers.shared.presses import show_again
from handlers.shared.texts import N_, Translator

NAMES = {"pt_BR": "Português", "en": "English", "es": "Español"}


def ask(context: BotContext) -> None:
    """Offer the languages, each under its own name. An open form stays open."""
    rows = [tuple(lasting(name, "lang", "set", code) for code, name in NAMES.items())]
    if context.conversation.place is not None:
        rows.append((lasting(context.tr("Continuar o preenchimento"), "form", "open"),))
    else:
        rows.append((menu_button(context),))
    context.say(context.tr("Em que idioma você prefere conversar?"), buttons=tuple(rows))


def suggest(context: BotContext, text: str) -> bool:
    """Offer the language that somebody writes in, once, in its own words; return whether it was offered."""
    person, offered = context.person, context.conversation.offered
    language = tongue_of(text)
    if language is None or language == person.language or language in offered or person.language_chosen:
        return False
    offered.append(language)
    tr = Translator(language)
    context.say(tr("Prefere conversar em português?"), buttons=((lasting(NAMES[language], "lang", "set", language),),))
    return True


async def command(update: Update, context: BotContext) -> None:
    """``/idioma``: choose the language."""
    ask(context)


async def press_ask(context: BotContext, press: Press) -> None:
    """The button of the home screen."""
    ask(context)


async def press_set(context: BotContext, press: Press) -> None:
    """A language was picked."""
    language = press.word()
    if language not in NAMES:
        raise ForgedButton
    context.turn.person = await context.services.choose_language(context.person, language)
    note = context.tr("Pronto, vamos conversar em português.")
    refresh_commands(context)
    await show_again(context, note)


def register(desk: Desk) -> None:
    """Bring the choice of language to the desk."""
    desk.press("lang", "ask", press_ask)
    desk.press("lang", "set", press_set)
    desk.command(
        Command(
            handler=command,
            names={"pt_BR": "idioma", "en": "language", "es": "idioma"},
            description=N_("Mudar de idioma"),
            order=80,
        )
    )
