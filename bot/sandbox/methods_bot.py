"""Methods by which the bot asks about others and speaks of itself."""

from __future__ import annotations

from telegram import (
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    BotCommandScopeDefault,
    MenuButtonCommands,
    MenuButtonDefault,
    MenuButtonWebApp,
)
from telegram.constants import BotDescriptionLimit, BotNameLimit, ChatMemberStatus, MenuButtonType

from bot.sandbox.entities import utf16_length
from bot.sandbox.limits import commands
from bot.sandbox.methods import Request, chat_of, method
from bot.sandbox.refusals import bad_request
from bot.sandbox.wire import Json, only_known_fields

SCOPES: dict[str, type[BotCommandScope]] = {
    BotCommandScope.DEFAULT: BotCommandScopeDefault,
    BotCommandScope.ALL_PRIVATE_CHATS: BotCommandScopeAllPrivateChats,
    BotCommandScope.ALL_GROUP_CHATS: BotCommandScopeAllGroupChats,
    BotCommandScope.ALL_CHAT_ADMINISTRATORS: BotCommandScopeAllChatAdministrators,
    BotCommandScope.CHAT: BotCommandScopeChat,
}
MENU_BUTTONS = {
    MenuButtonType.DEFAULT: MenuButtonDefault,
    MenuButtonType.COMMANDS: MenuButtonCommands,
    MenuButtonType.WEB_APP: MenuButtonWebApp,
}
REACTIONS_PER_MESSAGE = 11
NO_GIFTS = (
    "unlimited_gifts",
    "limited_gifts",
    "unique_gifts",
    "premium_subscription",
    "gifts_from_channels",
)


@method("getMe")
async def get_me(request: Request) -> Json:
    """Who the bot is."""
    return {
        **request.world.me,
        "can_join_groups": False,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


@method("getFile")
async def get_file(request: Request) -> Json:
    """Where a file can be downloaded, for an hour."""
    return request.world.files.link(request.params["file_id"])


@method("getChat")
async def get_chat(request: Request) -> Json:
    """All that is known of a chat."""
    chat = chat_of(request)
    described: Json = {
        **request.world.phones[chat.id].chat(),
        "accent_color_id": chat.id % 7,
        "max_reaction_count": REACTIONS_PER_MESSAGE,
        "accepted_gift_types": dict.fromkeys(NO_GIFTS, False),
    }
    if chat.pinned in chat.messages:
        described["pinned_message"] = chat.messages[chat.pinned]
    return described


@method("getChatMember")
async def get_chat_member(request: Request) -> Json:
    """Whether someone is in a chat."""
    chat = chat_of(request)
    phone = request.world.phones[chat.id]
    user_id = request.params["user_id"]
    if user_id == phone.id:
        return {"user": phone.user(), "status": ChatMemberStatus.MEMBER.value}
    if user_id != request.world.me["id"]:
        raise bad_request("user not found")
    if phone.blocked:
        return {"user": request.world.me, "status": ChatMemberStatus.BANNED.value, "until_date": 0}
    return {"user": request.world.me, "status": ChatMemberStatus.MEMBER.value}


@method("getUserProfilePhotos")
async def get_user_profile_photos(request: Request) -> Json:
    """Nobody in the sandbox has a profile photo."""
    if request.params["user_id"] not in request.world.phones:
        raise bad_request("user not found")
    return {"total_count": 0, "photos": []}


@method("setMyCommands")
async def set_my_commands(request: Request) -> bool:
    """The commands in the menu of a scope and language."""
    checked = commands(request.params["commands"])
    _keep_commands(request, checked)
    return True


@method("deleteMyCommands")
async def delete_my_commands(request: Request) -> bool:
    """No own commands for a scope and language; the next wider ones show again."""
    _keep_commands(request, [])
    return True


@method("getMyCommands")
async def get_my_commands(request: Request) -> list[Json]:
    """The commands of exactly this scope and language."""
    return request.world.commands.get((_scope(request), _language(request)), [])


@method("setMyName")
async def set_my_name(request: Request) -> bool:
    """The name shown above the chat."""
    return _set_text(request, "name", limit=BotNameLimit.MAX_NAME_LENGTH)


@method("getMyName")
async def get_my_name(request: Request) -> Json:
    """The name in a language."""
    return _get_text(request, "name", default=request.world.me["first_name"])


@method("setMyDescription")
async def set_my_description(request: Request) -> bool:
    """What an empty chat shows."""
    return _set_text(request, "description", limit=BotDescriptionLimit.MAX_DESCRIPTION_LENGTH)


@method("getMyDescription")
async def get_my_description(request: Request) -> Json:
    """The description in a language."""
    return _get_text(request, "description", default="")


@method("setMyShortDescription")
async def set_my_short_description(request: Request) -> bool:
    """What the profile shows."""
    return _set_text(request, "short_description", limit=BotDescriptionLimit.MAX_SHORT_DESCRIPTION_LENGTH)


@method("getMyShortDescription")
async def get_my_short_description(request: Request) -> Json:
    """The short description in a language."""
    return _get_text(request, "short_description", default="")


@method("setChatMenuButton")
async def set_chat_menu_button(request: Request) -> bool:
    """The button beside the text field, in one private chat or in all."""
    world = request.world
    chat_id = chat_of(request).id if "chat_id" in request.params else None
    button = request.params.get("menu_button", {"type": MenuButtonType.DEFAULT.value})
    cls = MENU_BUTTONS.get(button.get("type"))
    if cls is None:
        raise bad_request("can't parse menu button: unsupported type specified")
    only_known_fields(button, cls, what="menu button")
    before = {phone_id: world.menu_button_of(phone_id) for phone_id in world.phones}
    world.menu_buttons[chat_id] = button
    for phone_id, shown in before.items():
        if world.menu_button_of(phone_id) != shown:
            changes = {"menu_button": world.menu_button_of(phone_id)}
            world.events.emit("phone", phone=phone_id, changes=changes)
    return True


@method("getChatMenuButton")
async def get_chat_menu_button(request: Request) -> Json:
    """The menu button of a private chat, or the default one."""
    return request.world.menu_button_of(chat_of(request).id if "chat_id" in request.params else None)


def _keep_commands(request: Request, values: list[Json]) -> None:
    world = request.world
    before = {phone.id: world.commands_of(phone) for phone in world.phones.values()}
    world.commands[_scope(request), _language(request)] = values
    for phone in world.phones.values():
        if world.commands_of(phone) != before[phone.id]:
            world.events.emit("phone", phone=phone.id, changes={"commands": world.commands_of(phone)})


def _scope(request: Request) -> str:
    scope = request.params.get("scope", {"type": BotCommandScope.DEFAULT})
    cls = SCOPES.get(scope.get("type"))
    if cls is None:
        raise bad_request("can't parse BotCommandScope: unsupported type specified")
    only_known_fields(scope, cls, what="BotCommandScope")
    if cls is not BotCommandScopeChat:
        return str(scope["type"])
    if scope.get("chat_id") not in request.world.chats:
        raise bad_request("chat not found")
    return f"chat:{scope['chat_id']}"


def _language(request: Request) -> str:
    code = str(request.params.get("language_code", ""))
    if code and not (len(code) == 2 and code.isascii() and code.isalpha() and code.islower()):
        raise bad_request("invalid language code specified")
    return code


def _set_text(request: Request, key: str, *, limit: int) -> bool:
    text = request.params.get(key, "")
    if utf16_length(text) > limit:
        raise bad_request(f"{key.replace('_', ' ')} is too long")
    request.world.texts[key, _language(request)] = text
    return True


def _get_text(request: Request, key: str, *, default: str) -> Json:
    texts = request.world.texts
    return {key: texts.get((key, _language(request))) or texts.get((key, "")) or default}
