"""The methods that the sandbox acts on, and what they share: finding chats, messages and who may be written to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from telegram import ReplyParameters

from bot.sandbox.limits import inline_keyboard, reply_markup
from bot.sandbox.pace import Pace
from bot.sandbox.refusals import bad_request, forbidden
from bot.sandbox.wire import Json, Upload, only_known_fields
from bot.sandbox.world import Chat, World

NOT_HERE = (
    "business_connection_id",
    "direct_messages_topic_id",
    "suggested_post_parameters",
    "allow_paid_broadcast",
    "message_effect_id",
    "inline_message_id",
)
QUOTING = ("quote", "quote_parse_mode", "quote_entities", "quote_position", "checklist_task_id", "poll_option_id")


@dataclass(frozen=True)
class Api:
    """What a method works with."""

    world: World
    pace: Pace | None


@dataclass(frozen=True)
class Request:
    """One call, decoded: the parameters by name, and the files that ``attach://`` may name."""

    api: Api
    params: Json
    files: dict[str, Upload]

    @property
    def world(self) -> World:
        """Everything around the bot."""
        return self.api.world


Handler = Callable[[Request], Awaitable[object]]
HANDLERS: dict[str, Handler] = {}


def method(name: str) -> Callable[[Handler], Handler]:
    """Register what a Bot API method does."""

    def register(handler: Handler) -> Handler:
        HANDLERS[name] = handler
        return handler

    return register


def chat_of(request: Request, *, key: str = "chat_id") -> Chat:
    """The chat that a call names.

    Raises:
        ApiError: 400, there is no such chat.
    """
    chat = request.world.chats.get(request.params[key]) if key in request.params else None
    if chat is None:
        raise bad_request("chat not found")
    return chat


def writable_chat(request: Request) -> Chat:
    """The chat that a call names, if the bot may write there.

    Raises:
        ApiError: 400 for an unknown chat; 403 when its person blocked the bot or never wrote to it.
    """
    chat = chat_of(request)
    phone = request.world.phones[chat.id]
    if phone.blocked:
        raise forbidden("bot was blocked by the user")
    if not phone.started:
        raise forbidden("bot can't initiate conversation with a user")
    return chat


def message_of(request: Request, *, wanted: str, chat: Chat, key: str = "message_id") -> Json:
    """The message that a call names; ``wanted`` ends Telegram's sentence when it is not there."""
    message = chat.messages.get(request.params.get(key, 0))
    if message is None:
        raise bad_request(f"message {wanted} not found")
    return message


def refuse_what_is_not_here(params: Json) -> None:
    """Businesses, stars, effects and topics are refused plainly rather than ignored."""
    asked = next((name for name in NOT_HERE if name in params), None)
    if asked is not None:
        raise bad_request(f"{asked} is not available in the sandbox")
    if "message_thread_id" in params:
        raise bad_request("message thread not found")


def inline_only(params: Json) -> Json:
    """The reply markup of an edited message, as message fields."""
    markup = inline_keyboard(params["reply_markup"]) if "reply_markup" in params else None
    return {"reply_markup": markup} if markup else {}


def reply_fields(request: Request, chat: Chat) -> Json:
    """What a message that answers another one carries."""
    if "reply_parameters" not in request.params:
        return {}
    parameters = only_known_fields(request.params["reply_parameters"], ReplyParameters, what="reply parameters")
    if any(parameters.get(key) is not None for key in QUOTING) or parameters.get("chat_id", chat.id) != chat.id:
        raise bad_request("quotes and replies to other chats are not available in the sandbox")
    replied = chat.messages.get(parameters.get("message_id", 0))
    if replied is None:
        if parameters.get("allow_sending_without_reply"):
            return {}
        raise bad_request("message to be replied not found")
    return {"reply_to_message": {key: value for key, value in replied.items() if key != "reply_to_message"}}


def send(request: Request, *contents: Json) -> list[Json]:
    """Put one message, or an album, into the chat that a call names.

    Raises:
        ApiError: The chat cannot be written to, a keyboard or a reply is wrong, or the pace is too fast.
    """
    params = request.params
    refuse_what_is_not_here(params)
    chat = writable_chat(request)
    inline, bottom = reply_markup(params["reply_markup"]) if "reply_markup" in params else (None, None)
    shared = reply_fields(request, chat)
    if inline:
        shared["reply_markup"] = inline
    if params.get("protect_content"):
        shared["has_protected_content"] = True
    if request.api.pace:
        request.api.pace.spend(chat.id, len(contents))
    sent = [request.world.post(chat, content | shared) for content in contents]
    if bottom is not None:
        _change_bottom(request.world, chat, bottom)
    return sent


def _change_bottom(world: World, chat: Chat, bottom: Json) -> None:
    phone = world.phones[chat.id]
    if "keyboard" in bottom:
        world.change(phone, reply_keyboard=bottom, placeholder=bottom.get("input_field_placeholder"))
    elif bottom.get("remove_keyboard"):
        world.change(phone, reply_keyboard=None, placeholder=None)
    else:
        world.change(phone, placeholder=bottom.get("input_field_placeholder"))
