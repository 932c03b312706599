"""Says one message of the outbox through PTB's ``Bot``, and knows a gentler way when Telegram refuses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from html import escape
from html.parser import HTMLParser
from typing import Any

from telegram import Bot
from telegram.constants import CallbackQueryLimit, MessageLimit, ParseMode

from bot.request import call
from handlers.shared.outgoing import Kind, Outgoing

HTML = ParseMode.HTML.value
_NO_PREVIEW = {"is_disabled": True}
_METHODS = {
    Kind.TEXT: "sendMessage",
    Kind.EDIT: "editMessageText",
    Kind.STRIP: "editMessageReplyMarkup",
    Kind.PHOTO: "sendPhoto",
    Kind.DOCUMENT: "sendDocument",
    Kind.VOICE: "sendVoice",
    Kind.AUDIO: "sendAudio",
    Kind.VIDEO: "sendVideo",
    Kind.LOCATION: "sendLocation",
    Kind.TOAST: "answerCallbackQuery",
    Kind.COMMANDS: "setMyCommands",
}
_FILES = frozenset({Kind.PHOTO, Kind.DOCUMENT, Kind.VOICE, Kind.AUDIO, Kind.VIDEO})


class End(StrEnum):
    """How a message ends."""

    DELIVERED = "delivered"
    BLOCKED = "blocked"
    FAILED = "failed"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"


async def speak(bot: Bot, message: Outgoing) -> int | None:
    """Call the one method that carries ``message``; return the number that Telegram gave it, if it is one.

    The call goes through PTB's request and meets its errors, but neither it nor Telegram's answer is made into PTB's
    objects: at a counter in a hurry that was a third of all work, and only the number is wanted.
    """
    method, parameters = call_for(message)
    answer = await call(bot, method, parameters)
    return answer["message_id"] if isinstance(answer, dict) else message.message_id


def call_for(message: Outgoing) -> tuple[str, dict[str, Any]]:
    """Return the method of the Bot API that carries ``message`` and what it is given, without what is empty."""
    given: dict[str, Any] = {"chat_id": message.chat_id}
    match message.kind:
        case Kind.TEXT:
            given |= {"text": message.text, "parse_mode": HTML, "link_preview_options": _NO_PREVIEW}
            given |= _around(message)
        case Kind.EDIT:
            given |= {"message_id": message.message_id, "text": message.text, "parse_mode": HTML}
            given |= {"link_preview_options": _NO_PREVIEW, "reply_markup": inline(message)}
        case Kind.STRIP:
            given["message_id"] = message.message_id
        case Kind.TOAST:
            words = plain(message.text)[: CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH]
            given = {"callback_query_id": message.callback_id or "", "text": words, "show_alert": message.alert}
        case Kind.COMMANDS:
            commands = [{"command": name, "description": description} for name, description in message.commands]
            given = {"commands": commands, "scope": {"type": "chat", "chat_id": message.chat_id}}
        case Kind.LOCATION:
            given |= {"latitude": message.latitude, "longitude": message.longitude, **_around(message)}
        case _:
            given |= {message.kind.value: message.file_id, "caption": message.text, "parse_mode": HTML}
            given |= _around(message)
    kept = {name: value for name, value in given.items() if value or (value == 0 and value is not False)}
    return _METHODS[message.kind], kept


def _around(message: Outgoing) -> dict[str, Any]:
    return {"disable_notification": message.silent, "reply_markup": markup(message)}


def inline(message: Outgoing) -> dict[str, Any] | None:
    """Return the buttons below a message."""
    if not message.buttons:
        return None
    return {
        "inline_keyboard": [
            [
                {"text": button.text, "url": button.url}
                if button.data is None
                else {"text": button.text, "callback_data": button.data}
                for button in row
            ]
            for row in message.buttons
        ]
    }


def markup(message: Outgoing) -> dict[str, Any] | None:
    """Return what a new message carries below it or in place of the keyboard."""
    if message.buttons:
        return inline(message)
    if message.reply_buttons:
        rows = [
            [
                {"text": button.text}
                | ({"request_contact": True} if button.contact else {})
                | ({"request_location": True} if button.location else {})
                for button in row
            ]
            for row in message.reply_buttons
        ]
        return {"keyboard": rows, "resize_keyboard": True, "one_time_keyboard": True}
    if message.remove_reply_buttons:
        return {"remove_keyboard": True}
    return None


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
        said = [replace(message, kind=Kind.TEXT, text=piece, file_id=None, sha256=None, buttons=()) for piece in pieces]
        return (*said, replace(message, text=""))
    if len(pieces) == 1:
        return (replace(message, text=pieces[0]),)
    bare = replace(message, kind=Kind.TEXT, message_id=None, buttons=(), reply_buttons=None)
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
