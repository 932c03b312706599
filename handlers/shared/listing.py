"""What Telegram lists before anything is said: commands by language and role, descriptions, menu button."""

from __future__ import annotations

from telegram import Bot, BotCommandScopeAllPrivateChats, MenuButtonCommands

from domain.people.model import LANGUAGES, Person
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.outgoing import Kind, Outgoing
from handlers.shared.texts import N_, Translator

CLIENT_LANGUAGES: dict[str, str | None] = {"pt_BR": None, "en": "en", "es": "es"}
"""The language tag under which Telegram keeps each; None is what every other client gets."""

DESCRIPTION = N_(
    "O balcão da prefeitura para o transporte de passageiros. Motoristas cuidam do cadastro e dos documentos; "
    "passageiros reclamam, denunciam e acompanham. Toque em Começar."
)
SHORT_DESCRIPTION = N_("Balcão da prefeitura: cadastro de motoristas e reclamações de passageiros.")


def commands_of(desk: Desk, language: str, *, staff: bool) -> tuple[tuple[str, str], ...]:
    """Return the commands that a chat lists, with their descriptions."""
    tr = Translator(language)
    listed = [command for command in desk.commands if staff or not command.staff]
    return tuple(
        (command.names[language], tr(command.description))
        for command in sorted(listed, key=lambda command: (command.order, command.names["pt_BR"]))
    )


def refresh_commands(context: BotContext) -> None:
    """List the commands anew in this chat, after its language or the person's roles changed."""
    context.turn.outbox.append(listing_for(context.desk, context.person))


def listing_for(desk: Desk, person: Person) -> Outgoing:
    """Return what lists somebody's commands anew in their chat."""
    commands = commands_of(desk, person.language, staff=person.is_staff)
    return Outgoing(person.chat_id, kind=Kind.COMMANDS, commands=commands)


async def set_listing(bot: Bot, desk: Desk) -> None:
    """Tell Telegram what to list for everybody, in every language. Chats of staff have their own list beside it."""
    scope = BotCommandScopeAllPrivateChats()
    for language in LANGUAGES:
        tr, tag = Translator(language), CLIENT_LANGUAGES[language]
        await bot.set_my_commands(commands_of(desk, language, staff=False), scope=scope, language_code=tag)
        await bot.set_my_description(tr(DESCRIPTION), language_code=tag)
        await bot.set_my_short_description(tr(SHORT_DESCRIPTION), language_code=tag)
    await bot.set_chat_menu_button(menu_button=MenuButtonCommands())
