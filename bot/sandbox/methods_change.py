"""Methods that change, remove or answer what is already in a chat."""

from __future__ import annotations

from datetime import timedelta

from telegram.constants import BulkRequestLimit, CallbackQueryLimit, ReactionEmoji, ReactionType

from bot.sandbox.entities import utf16_length
from bot.sandbox.limits import LINK, caption_of, message_text
from bot.sandbox.media import KINDS
from bot.sandbox.methods import (
    Request,
    chat_of,
    inline_only,
    message_of,
    method,
    refuse_what_is_not_here,
    writable_chat,
)
from bot.sandbox.refusals import bad_request
from bot.sandbox.wire import Json
from bot.sandbox.world import Chat

DELETABLE = timedelta(hours=48)
STALE_QUERY = "query is too old and response timeout expired or query ID is invalid"
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


@method("editMessageText")
async def edit_message_text(request: Request) -> Json:
    """Another text, and another keyboard or none."""
    text = message_text(request.params)
    chat, message = _editable(request)
    if "text" not in message:
        raise bad_request("there is no text in the message to edit")
    return _replace(request, chat, message, fields=("text", "entities"), content=text.content())


@method("editMessageCaption")
async def edit_message_caption(request: Request) -> Json:
    """Another caption, and another keyboard or none."""
    caption = caption_of(request.params)
    chat, message = _editable(request)
    if not any(kind in message for kind in KINDS):
        raise bad_request("there is no caption in the message to edit")
    return _replace(
        request, chat, message, fields=("caption", "caption_entities"), content=caption.content(caption=True)
    )


@method("editMessageReplyMarkup")
async def edit_message_reply_markup(request: Request) -> Json:
    """Another keyboard, or none."""
    chat, message = _editable(request)
    return _replace(request, chat, message, fields=(), content={})


@method("deleteMessage")
async def delete_message(request: Request) -> bool:
    """Take a message away."""
    chat = chat_of(request)
    message = message_of(request, wanted="to delete", chat=chat)
    if not _deletable(request, message):
        raise bad_request("message can't be deleted for everyone")
    request.world.delete(chat, [message["message_id"]])
    return True


@method("deleteMessages")
async def delete_messages(request: Request) -> bool:
    """Take messages away, passing over those that are not there."""
    numbers = request.params["message_ids"]
    if not BulkRequestLimit.MIN_LIMIT <= len(numbers) <= BulkRequestLimit.MAX_LIMIT:
        raise bad_request("wrong number of message identifiers: 1-100 expected")
    chat = chat_of(request)
    there = [chat.messages[number] for number in numbers if number in chat.messages]
    request.world.delete(chat, [message["message_id"] for message in there if _deletable(request, message)])
    return True


@method("answerCallbackQuery")
async def answer_callback_query(request: Request) -> bool:
    """Stop the waiting of a pressed button, perhaps with a word."""
    params = request.params
    text = params.get("text", "")
    if utf16_length(text) > CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH:
        raise bad_request("MESSAGE_TOO_LONG")
    if "url" in params and not LINK.fullmatch(params["url"]):
        raise bad_request("URL_INVALID")
    press = request.world.answer(params["callback_query_id"])
    if press is None:
        raise bad_request(STALE_QUERY)
    request.world.events.emit(
        "callback",
        phone=press.phone,
        message_id=press.message_id,
        callback_id=params["callback_query_id"],
        text=text,
        show_alert=params.get("show_alert", False),
    )
    return True


@method("pinChatMessage")
async def pin_chat_message(request: Request) -> bool:
    """Hold a message at the top of the chat."""
    refuse_what_is_not_here(request.params)
    chat = writable_chat(request)
    chat.pinned = message_of(request, wanted="to pin", chat=chat)["message_id"]
    return True


@method("unpinChatMessage")
async def unpin_chat_message(request: Request) -> bool:
    """Let the pinned message go."""
    refuse_what_is_not_here(request.params)
    chat = writable_chat(request)
    if chat.pinned is None or request.params.get("message_id", chat.pinned) != chat.pinned:
        raise bad_request("message to unpin not found")
    chat.pinned = None
    return True


@method("setMessageReaction")
async def set_message_reaction(request: Request) -> bool:
    """One emoji under a message, or none."""
    chat = writable_chat(request)
    message = message_of(request, wanted="to react", chat=chat)
    reactions = request.params.get("reaction", [])
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    for reaction in reactions:
        if not isinstance(reaction, dict) or reaction.get("type") != ReactionType.EMOJI:
            raise bad_request("only emoji reactions are available in the sandbox")
        if reaction.get("emoji") not in list(ReactionEmoji):
            raise bad_request("REACTION_INVALID")
    request.world.events.emit(
        "reaction",
        phone=chat.id,
        message_id=message["message_id"],
        emoji=reactions[0]["emoji"] if reactions else None,
    )
    return True


def _editable(request: Request) -> tuple[Chat, Json]:
    refuse_what_is_not_here(request.params)
    chat = writable_chat(request)
    message = message_of(request, wanted="to edit", chat=chat)
    if message["from"]["id"] != request.world.me["id"] or "forward_origin" in message:
        raise bad_request("message can't be edited")
    return chat, message


def _replace(request: Request, chat: Chat, message: Json, *, fields: tuple[str, ...], content: Json) -> Json:
    dropped = (*fields, "reply_markup")
    edited = {key: value for key, value in message.items() if key not in dropped} | content
    edited |= inline_only(request.params)
    if edited == message:
        raise bad_request(NOT_MODIFIED)
    if request.api.pace:
        request.api.pace.spend(chat.id)
    return request.world.replace(chat, {**edited, "edit_date": int(request.world.now().timestamp())})


def _deletable(request: Request, message: Json) -> bool:
    return bool(message["date"] + DELETABLE.total_seconds() >= request.world.now().timestamp())
