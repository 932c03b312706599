"""Says one message of the outbox through PTB's ``Bot``, and knows a gentler way when Telegram refuses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from html import escape
from html.parser import HTMLParser
from typing import Any

from telegram import (
    Bot,
    BotCommandScopeChat,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    KeyboardButton,
    LinkPreviewOptions,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
)
from telegram.constants import CallbackQueryLimit, MessageLimit, ParseMode

from handlers.shared.outgoing import Kind, Outgoing

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_FILES = frozenset({Kind.PHOTO, Kind.DOCUMENT, Kind.VOICE, Kind.AUDIO, Kind.VIDEO})


class End(StrEnum):
    """How a message ends."""

    DELIVERED = "delivered"
    BLOCKED = "blocked"
    FAILED = "failed"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"


async def speak(bot: Bot, message: Outgoing) -> int | None:
    """Call the one method that carries ``message``; return the number that Telegram gave it, if it is one."""
    chat = message.chat_id
    common: dict[str, Any] = {"reply_markup": markup(message), "disable_notification": message.silent or None}
    mode = ParseMode.HTML
    match message.kind:
        case Kind.TEXT:
            sent = await bot.send_message(
                chat, message.text, parse_mode=mode, link_preview_options=_NO_PREVIEW, **common
            )
        case Kind.EDIT:
            edited = await bot.edit_message_text(
                message.text,
                chat_id=chat,
                message_id=message.message_id,
                parse_mode=mode,
                link_preview_options=_NO_PREVIEW,
                reply_markup=inline(message),
            )
            return edited.message_id if isinstance(edited, Message) else message.message_id
        case Kind.STRIP:
            await bot.edit_message_reply_markup(chat_id=chat, message_id=message.message_id)
            return message.message_id
        case Kind.TOAST:
            words = plain(message.text)[: CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH]
            await bot.answer_callback_query(
                message.callback_id or "", text=words or None, show_alert=message.alert or None
            )
            return None
        case Kind.COMMANDS:
            await bot.set_my_commands(message.commands, scope=BotCommandScopeChat(chat))
            return None
        case Kind.LOCATION:
            sent = await bot.send_location(chat, latitude=message.latitude, longitude=message.longitude, **common)
        case _:
            sent = await _send_file(bot, message, common | {"caption": message.text or None, "parse_mode": mode})
    return sent.message_id


async def _send_file(bot: Bot, message: Outgoing, common: dict[str, Any]) -> Message:
    file_id = message.file_id or ""
    match message.kind:
        case Kind.PHOTO:
            return await bot.send_photo(message.chat_id, file_id, **common)
        case Kind.DOCUMENT:
            return await bot.send_document(message.chat_id, file_id, **common)
        case Kind.VOICE:
            return await bot.send_voice(message.chat_id, file_id, **common)
        case Kind.AUDIO:
            return await bot.send_audio(message.chat_id, file_id, **common)
        case Kind.VIDEO:
            return await bot.send_video(message.chat_id, file_id, **common)
    raise ValueError(f"{message.kind} is no kind of file")


def inline(message: Outgoing) -> InlineKeyboardMarkup | None:
    """Return the buttons below a message."""
    if not message.buttons:
        return None
    rows = [
        [InlineKeyboardButton(button.text, callback_data=button.data, url=button.url) for button in row]
        for row in message.buttons
    ]
    return InlineKeyboardMarkup(rows)


def markup(message: Outgoing) -> InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove | ForceReply | None:
    """Return what a new message carries below it or in place of the keyboard."""
    buttons = inline(message)
    if buttons is not None:
        return buttons
    if message.reply_buttons:
        rows = [
            [
                KeyboardButton(b.text, request_contact=b.contact or None, request_location=b.location or None)
                for b in row
            ]
            for row in message.reply_buttons
        ]
        return ReplyKeyboardMarkup(
            rows, resize_keyboard=True, one_time_keyboard=True, input_field_placeholder=message.placeholder
        )
    if message.remove_reply_buttons:
        return ReplyKeyboardRemove()
    return ForceReply(input_field_placeholder=message.placeholder) if message.placeholder else None


def instead(message: Outgoing, refusal: str) -> Sequence[Outgoing] | End:
    """Return what to say in place of a message that Telegram refused, or how it ends."""
    words = refusal.lower()
    if "message is not modified" in words:
        return End.DELIVERED
    if "query is too old" in words or "query_id_invalid" in words or "query id is invalid" in words:
        return End.EXPIRED
    if any(gone in words for gone in ("chat not found", "user not found", "peer_id_invalid", "chat_id_invalid")):
        return End.BLOCKED
    if any(lost in words for lost in ("message to edit not found", "message can't be edited", "message_id_invalid")):
        if message.kind is Kind.STRIP:
            return End.SUPERSEDED
        return (replace(message, kind=Kind.TEXT, message_id=None),)
    if "can't parse entities" in words or "too long" in words:
        return _plainly(message)
    return End.FAILED


def _plainly(message: Outgoing) -> Sequence[Outgoing] | End:
    """Return a message without markup, in as many pieces as its length needs; the last one has the buttons."""
    if message.kind is Kind.TOAST or not message.text:
        return End.FAILED
    text, size = plain(message.text), MessageLimit.MAX_TEXT_LENGTH // 2  # Telegram counts an emoji twice
    pieces = [escape(text[start : start + size], quote=False) for start in range(0, len(text), size)]
    if message.kind in _FILES:
        said = [replace(message, kind=Kind.TEXT, text=piece, file_id=None, buttons=()) for piece in pieces]
        return (*said, replace(message, text=""))
    if len(pieces) == 1:
        return (replace(message, text=pieces[0]),)
    bare = replace(message, kind=Kind.TEXT, message_id=None, buttons=(), reply_buttons=None, placeholder=None)
    last = replace(message, kind=Kind.TEXT, message_id=None, text=pieces[-1])
    return (*(replace(bare, text=piece) for piece in pieces[:-1]), last)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def plain(html: str) -> str:
    """Return the text of some HTML."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "".join(parser.found)
