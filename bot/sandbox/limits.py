"""What Telegram refuses by measure: lengths, keyboards, commands; every number comes from ``telegram.constants``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from telegram import (
    BotCommand,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    KeyboardButton,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
)
from telegram.constants import (
    BotCommandLimit,
    FileSizeLimit,
    InlineKeyboardButtonLimit,
    InlineKeyboardMarkupLimit,
    MediaGroupLimit,
    MessageLimit,
    ReplyLimit,
)

from bot.sandbox.entities import Formatted, formatted, utf16_length
from bot.sandbox.refusals import bad_request
from bot.sandbox.wire import Json, only_known_fields

COMMAND = re.compile(rf"[a-z0-9_]{{{BotCommandLimit.MIN_COMMAND},{BotCommandLimit.MAX_COMMAND}}}")
START_PAYLOAD = re.compile(rf"[A-Za-z0-9_-]{{1,{MessageLimit.DEEP_LINK_LENGTH}}}")
LINK = re.compile(r"(?:https?|tg|tel|mailto)://?\S+|(?:tel|mailto):\S+", re.IGNORECASE)
BUTTON_LOOKS = ("text", "style", "icon_custom_emoji_id")
REPLY_BUTTONS = 300


def for_the_page() -> Json:
    """The limits that the page shows or keeps."""
    return {
        "text": int(MessageLimit.MAX_TEXT_LENGTH),
        "caption": int(MessageLimit.CAPTION_LENGTH),
        "callback_data": int(InlineKeyboardButtonLimit.MAX_CALLBACK_DATA),
        "album": int(MediaGroupLimit.MAX_MEDIA_LENGTH),
        "download_bytes": int(FileSizeLimit.FILESIZE_DOWNLOAD),
        "upload_bytes": int(FileSizeLimit.FILESIZE_UPLOAD),
        "photo_bytes": int(FileSizeLimit.PHOTOSIZE_UPLOAD),
    }


def message_text(params: Json) -> Formatted:
    """The text of a message that the bot sends or edits.

    Raises:
        ApiError: It is empty, too long or badly marked up.
    """
    text = formatted(params["text"], parse_mode=params.get("parse_mode"), entities=params.get("entities"))
    if not text.text:
        raise bad_request("message text is empty")
    if utf16_length(text.text) > MessageLimit.MAX_TEXT_LENGTH:
        raise bad_request("message is too long")
    return text


def caption_of(params: Json) -> Formatted:
    """The caption of a file that the bot sends or edits; possibly empty."""
    caption = formatted(
        params.get("caption") or "",
        parse_mode=params.get("parse_mode"),
        entities=params.get("caption_entities"),
    )
    if utf16_length(caption.text) > MessageLimit.CAPTION_LENGTH:
        raise bad_request("message caption is too long")
    return caption


def inline_keyboard(markup: object) -> Json | None:
    """Check an inline keyboard; None when it has no button."""
    keyboard = only_known_fields(markup, InlineKeyboardMarkup, what="reply markup").get("inline_keyboard")
    rows = _rows(keyboard, what="inline keyboard")
    for row in rows:
        if len(row) > InlineKeyboardMarkupLimit.BUTTONS_PER_ROW:
            raise bad_request("reply markup is too long: too many buttons in a row")
        for button in row:
            _check_inline_button(button)
    if sum(map(len, rows)) > InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER:
        raise bad_request("reply markup is too long")
    return {"inline_keyboard": rows} if any(rows) else None


def reply_markup(markup: Json) -> tuple[Json | None, Json | None]:
    """Check what may accompany a new message.

    Returns:
        The inline keyboard that stays in the message, and what changes at the bottom of the phone: a reply keyboard,
        its removal or a forced reply.
    """
    if "inline_keyboard" in markup:
        return inline_keyboard(markup), None
    if "keyboard" in markup:
        only_known_fields(markup, ReplyKeyboardMarkup, what="reply markup")
        rows = _rows(markup["keyboard"], what="reply keyboard")
        if not any(rows):
            raise bad_request("reply keyboard must be non-empty")
        if sum(map(len, rows)) > REPLY_BUTTONS:
            raise bad_request("reply markup is too long")
        rows = [[_reply_button(button) for button in row] for row in rows]
        _check_placeholder(markup)
        return None, {**markup, "keyboard": rows}
    if "remove_keyboard" in markup:
        only_known_fields(markup, ReplyKeyboardRemove, what="reply markup")
        return None, markup
    if "force_reply" in markup:
        only_known_fields(markup, ForceReply, what="reply markup")
        _check_placeholder(markup)
        return None, markup
    raise bad_request("object expected as reply markup")


def commands(values: Sequence[object]) -> list[Json]:
    """Check the commands of a bot's menu."""
    if len(values) > BotCommandLimit.MAX_COMMAND_NUMBER:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    checked = []
    for value in values:
        command = only_known_fields(value, BotCommand, what="BotCommand")
        if not COMMAND.fullmatch(str(command.get("command", "")).removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= utf16_length(str(command.get("description", ""))) <= BotCommandLimit.MAX_DESCRIPTION:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        checked.append({"command": command["command"].removeprefix("/"), "description": command["description"]})
    return checked


def _rows(keyboard: object, *, what: str) -> list[list[Json]]:
    if not isinstance(keyboard, list) or not all(isinstance(row, list) for row in keyboard):
        raise bad_request(f"can't parse {what}: array of arrays of buttons expected")
    return [row for row in keyboard if row]


def _check_inline_button(value: object) -> None:
    button = only_known_fields(value, InlineKeyboardButton, what="inline keyboard button")
    text = button.get("text")
    if not isinstance(text, str) or not text.strip():
        raise bad_request('can\'t parse inline keyboard button: Field "text" must be a non-empty String')
    actions = [key for key, given in button.items() if key not in BUTTON_LOOKS and given is not None]
    if not actions:
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise bad_request("can't parse inline keyboard button: exactly one action expected")
    if "callback_data" in button:
        data = button["callback_data"]
        size = len(data.encode()) if isinstance(data, str) else 0
        if not InlineKeyboardButtonLimit.MIN_CALLBACK_DATA <= size <= InlineKeyboardButtonLimit.MAX_CALLBACK_DATA:
            raise bad_request("BUTTON_DATA_INVALID")
    if "url" in button and not LINK.fullmatch(str(button["url"])):
        raise bad_request(f"inline keyboard button URL '{button['url']}' is invalid: URL host is empty")
    if "copy_text" in button:
        copied = str((button["copy_text"] or {}).get("text", ""))
        if not 1 <= utf16_length(copied) <= InlineKeyboardButtonLimit.MAX_COPY_TEXT:
            raise bad_request("BUTTON_COPY_TEXT_INVALID")


def _reply_button(value: object) -> Json:
    if isinstance(value, str):
        value = {"text": value}
    button = only_known_fields(value, KeyboardButton, what="keyboard button")
    if not isinstance(button.get("text"), str) or not button["text"].strip():
        raise bad_request('can\'t parse keyboard button: Field "text" must be a non-empty String')
    return button


def _check_placeholder(markup: Json) -> None:
    placeholder = markup.get("input_field_placeholder")
    if placeholder is not None and not (
        ReplyLimit.MIN_INPUT_FIELD_PLACEHOLDER
        <= utf16_length(str(placeholder))
        <= ReplyLimit.MAX_INPUT_FIELD_PLACEHOLDER
    ):
        raise bad_request("input field placeholder must be 1-64 characters long")
