"""The smallest handlers that show what the pipeline does: ordinary PTB handlers, with one effect that is counted."""

from __future__ import annotations

from telegram import Update
from telegram.ext import CallbackQueryHandler, CommandHandler, MessageHandler, filters

from bot.wiring import CounterApplication
from domain.errors import DomainError, NotFound
from handlers.shared.context import BotContext
from handlers.shared.conversation import FormPlace
from handlers.shared.outgoing import Button, Kind, Outgoing

SERIES = "eco"


async def echo(update: Update, context: BotContext) -> None:
    """Number what was written: each number is given once."""
    message = update.effective_message
    number = await context.services.ports.protocols.next(SERIES)
    context.conversation.screen += 1
    context.say(f"{number}. {message.text if message else ''} ({context.conversation.screen})")


async def refuse(update: Update, context: BotContext) -> None:
    """Do something and then refuse."""
    await echo(update, context)
    raise NotFound("no such thing")


async def fail(update: Update, context: BotContext) -> None:
    """Do something and then make a mistake."""
    await echo(update, context)
    raise RuntimeError("a mistake that quotes what somebody wrote")


async def spoil(update: Update, context: BotContext) -> None:
    """Say what no outbox can keep: the mistake shows only when the group is written."""
    await echo(update, context)
    context.turn.outbox.append(Outgoing(context.person.chat_id, text="x", key="k" * 100_000, priority=None))  # type: ignore[arg-type]


async def button(update: Update, context: BotContext) -> None:
    """Show a screen with buttons."""
    context.say("Aperte", buttons=((Button("Editar", "edit"), Button("Calado", "quiet")),))


async def press(update: Update, context: BotContext) -> None:
    """Answer a press by changing the screen, or not at all."""
    query = update.callback_query
    if query is not None and query.data == "edit":
        await context.services.ports.protocols.next(SERIES)
        context.turn.outbox.append(
            Outgoing(context.person.chat_id, kind=Kind.EDIT, text="Editado", message_id=context.turn.pressed_message)
        )


async def form(update: Update, context: BotContext) -> None:
    """Await a file from now on."""
    context.conversation.place = FormPlace("tiny", "file")
    context.say("Envie o arquivo")


async def file(update: Update, context: BotContext) -> None:
    """Say what arrived."""
    for received in context.turn.files:
        context.say(f"{received.trouble or received.media_type} {received.size}")
    if not context.turn.files:
        context.say("ninguém esperava")


async def speak_english(update: Update, context: BotContext) -> None:
    """Change the language through the use case; the rest of the turn sees it."""
    await context.services.choose_language(context.person, "en")
    context.say(context.person.language)


async def errors(update: object, context: BotContext) -> None:
    """Give every failure its sentence, as the product's own error handler does."""
    context.turn.forget()
    context.turn.failed = type(context.error).__name__
    context.say("recusado" if isinstance(context.error, DomainError) else "a equipe já sabe")


def register(application: CounterApplication) -> None:
    """Register all of them."""
    for name, handler in (
        ("recusa", refuse),
        ("erro", fail),
        ("estrago", spoil),
        ("botao", button),
        ("form", form),
        ("english", speak_english),
    ):
        application.add_handler(CommandHandler(name, handler))
    application.add_handler(CallbackQueryHandler(press))
    application.add_handler(MessageHandler(filters.ATTACHMENT, file))
    application.add_handler(MessageHandler(filters.TEXT & filters.UpdateType.MESSAGE, echo))
    application.add_error_handler(errors)
