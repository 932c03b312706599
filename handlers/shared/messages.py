"""The one way in for messages that are no command: to the open form, or to the menu."""

from __future__ import annotations

from telegram import Message, MessageEntity, Update
from telegram.constants import MessageType
from telegram.helpers import effective_message_type

from domain.files.model import FileKind, FileTrouble, ReceivedFile
from handlers.shared import menu, presses, wishes
from handlers.shared.context import BotContext
from handlers.shared.forms import engine
from handlers.shared.texts import N_

FILES: dict[str, tuple[FileKind, str]] = {
    MessageType.PHOTO: (FileKind.PHOTO, N_("uma foto")),
    MessageType.DOCUMENT: (FileKind.DOCUMENT, N_("um arquivo")),
    MessageType.VOICE: (FileKind.VOICE, N_("um áudio")),
    MessageType.AUDIO: (FileKind.AUDIO, N_("um áudio")),
    MessageType.VIDEO: (FileKind.VIDEO, N_("um vídeo")),
    MessageType.VIDEO_NOTE: (FileKind.VIDEO, N_("um vídeo")),
    MessageType.ANIMATION: (FileKind.VIDEO, N_("um GIF")),
}
OTHERS: dict[str, str] = {
    MessageType.STICKER: N_("uma figurinha"),
    MessageType.POLL: N_("uma enquete"),
    MessageType.DICE: N_("um dado"),
    MessageType.GAME: N_("um jogo"),
    MessageType.STORY: N_("um story"),
    MessageType.LOCATION: N_("um local"),
    MessageType.VENUE: N_("um local"),
    MessageType.CONTACT: N_("um contato"),
}


async def received(update: Update, context: BotContext) -> None:
    """Every new message that is no known command comes in here."""
    message = update.message
    if message is None:
        return
    if message.text is not None:
        await received_text(context, message, message.text)
        return
    kind = str(effective_message_type(message) or "")
    if kind in FILES or context.turn.files:
        await received_file(context, message, kind)
    elif context.conversation.place is None:
        await menu.unexpected(context, context.tr(OTHERS.get(kind, N_("esta mensagem"))), is_file=False)
    elif message.venue is not None:
        place = message.venue.location
        await engine.take_location(context, place.latitude, place.longitude, message.venue.title, message.message_id)
    elif message.location is not None:
        await engine.take_location(
            context, message.location.latitude, message.location.longitude, "", message.message_id
        )
    elif message.contact is not None:
        name = " ".join(filter(None, (message.contact.first_name, message.contact.last_name)))
        await engine.take_contact(context, message.contact.phone_number, name, message.message_id)
    else:
        await engine.take_other(context, context.tr(OTHERS.get(kind, N_("esta mensagem"))))


async def received_text(context: BotContext, message: Message, text: str) -> None:
    """Text: an answer, a wish, or a command that nobody registered."""
    commands = message.parse_entities([MessageEntity.BOT_COMMAND])
    if any(entity.offset == 0 for entity in commands):
        unknown = context.tr("Não conheço o comando {command}.", command=text.split()[0][:33])
        if context.conversation.place is not None:
            await engine.present(context, note=unknown)
        else:
            await menu.home(context, unknown)
    elif context.conversation.place is not None:
        await engine.take_text(context, text, message.message_id)
    elif not await presses.typed(context, text):
        await wishes.free_text(context, text)


async def received_file(context: BotContext, message: Message, kind: str) -> None:
    """A file: intake fetched it if a form was open."""
    conversation, album = context.conversation, message.media_group_id or ""
    carried, name = FILES.get(kind, (FileKind.DOCUMENT, N_("um arquivo")))
    if conversation.place is None:
        if not album or album != conversation.album:
            conversation.album = album
            what = context.tr(name)
            sendable = carried in (FileKind.PHOTO, FileKind.DOCUMENT)
            if not (sendable and await context.desk.stray(context, what)):
                await menu.unexpected(context, what, is_file=True)
        return
    # the form may have been opened while the file was on its way: then it is asked for again
    missing = ReceivedFile(0, carried, "", 0, "", "", trouble=FileTrouble.NOT_FETCHED)
    files = context.turn.files or (missing,)
    await engine.take_files(context, files, message.caption or "", message.message_id, album, context.tr(name))


async def edited(update: Update, context: BotContext) -> None:
    """An edit of something sent before."""
    if update.edited_message is not None and update.edited_message.location is None:  # a live place moves by edits
        await engine.edited(context, update.edited_message.message_id)
