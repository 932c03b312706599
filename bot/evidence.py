"""Shows staff a kept file as one that nobody knows: uploaded anew, under a name of the counter's, cleaned.

Sent again by its ``file_id`` it would carry the name that its owner gave it, and all that stands unseen in it.
"""

from __future__ import annotations

import asyncio
from typing import Any

import filetype
from telegram import Bot, InputFile
from telegram.constants import ParseMode
from telegram.error import BadRequest, NetworkError

from bot.cleaning import Unclean, cleaned
from bot.files import FileStore
from bot.logs import get_logger
from bot.speech import speak
from handlers.shared.outgoing import Kind, Outgoing

log = get_logger(__name__)


async def give(bot: Bot, store: FileStore, message: Outgoing) -> int | None:
    """Say a message, uploading the kept file that it carries; ``message.if_lost`` stands in for one that cannot be.

    Raises:
        TelegramError: As from any method of PTB's ``Bot``; trouble of the disk becomes one that is tried again.
    """
    if message.sha256 is None:
        return await speak(bot, message)
    try:
        content = await asyncio.to_thread(cleaned, await store.get(message.sha256))
    except (FileNotFoundError, Unclean) as error:
        log.error("evidence_not_shown", kind=message.kind.value, code=type(error).__name__)
        return await _without(bot, message)
    except OSError as error:
        raise NetworkError(type(error).__name__) from error
    try:
        return await _upload(bot, message, content)
    except BadRequest as refusal:
        if message.kind is not Kind.PHOTO:
            raise
        log.warning("photo_refused", code=refusal.message)
    return await _upload(bot, message, content, kind=Kind.DOCUMENT)


async def _without(bot: Bot, message: Outgoing) -> int | None:
    text = "\n".join(part for part in (message.text, message.if_lost) if part)
    return await speak(bot, Outgoing(message.chat_id, text=text, buttons=message.buttons, silent=message.silent))


async def _upload(bot: Bot, message: Outgoing, content: bytes, *, kind: Kind | None = None) -> int:
    file = InputFile(content, filename=f"{message.file_name or ''}.{filetype.guess_extension(content) or 'bin'}")
    said: dict[str, Any] = {
        "caption": message.text or None,
        "parse_mode": ParseMode.HTML,
        "disable_notification": message.silent,
    }
    match kind or message.kind:
        case Kind.PHOTO:
            sent = await bot.send_photo(message.chat_id, file, **said)
        case Kind.VOICE:
            sent = await bot.send_voice(message.chat_id, file, **said)
        case Kind.AUDIO:
            sent = await bot.send_audio(message.chat_id, file, **said)
        case Kind.VIDEO:
            sent = await bot.send_video(message.chat_id, file, **said)
        case _:
            sent = await bot.send_document(message.chat_id, file, disable_content_type_detection=True, **said)
    return sent.message_id
