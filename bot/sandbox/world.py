"""The world of the sandbox, in memory: phones, chats, messages, files and the updates that await the bot.

Message objects are Telegram's own JSON and never changed in place: an edit puts a new object where the old one was,
so that an update already queued keeps what was true when it happened.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from telegram.constants import ChatMemberStatus, ChatType, MessageLimit, UpdateType

from bot.sandbox.entities import Formatted, formatted, utf16_length
from bot.sandbox.events import Events
from bot.sandbox.media import KINDS, FileStore
from bot.sandbox.refusals import ApiError, ControlError
from bot.sandbox.updates import UpdateQueue
from bot.sandbox.wire import Json, Upload

FIRST_PHONE = 7_000_000_001
SHOWN = 200
TYPING_SECONDS = 5.0
MENU_DEFAULT: Json = {"type": "default"}


@dataclass
class Chat:
    """A conversation with the bot; its id is the phone's for private ones."""

    id: int
    type: ChatType
    messages: dict[int, Json] = field(default_factory=dict)
    pinned: int | None = None


@dataclass
class Phone:
    """A person with a phone, as the page shows it."""

    id: int
    first_name: str
    language_code: str
    last_name: str | None = None
    username: str | None = None
    label: str = ""
    note: str = ""
    phone_number: str = ""
    blocked: bool = False
    started: bool = False
    unread: int = 0
    typing: bool = False
    reply_keyboard: Json | None = None
    placeholder: str | None = None
    hidden: bool = False

    def user(self) -> Json:
        """Telegram's ``User``."""
        return {"id": self.id, "is_bot": False, **self.names(), "language_code": self.language_code}

    def chat(self) -> Json:
        """Telegram's ``Chat`` for the private chat."""
        return {"id": self.id, "type": ChatType.PRIVATE.value, **self.names()}

    def names(self) -> Json:
        names = {"first_name": self.first_name, "last_name": self.last_name, "username": self.username}
        return {key: value for key, value in names.items() if value}


@dataclass
class Press:
    """A press of an inline button that the bot has not answered yet."""

    phone: int
    message_id: int
    at: datetime


class World:
    """Everybody and everything around the bot.

    Args:
        me: The bot's ``User``.
        now: The sandbox's clock.
        callback_life: How long a press may wait for its answer.
    """

    def __init__(
        self, *, me: Json, now: Callable[[], datetime], files: FileStore, updates: UpdateQueue, callback_life: timedelta
    ) -> None:
        self.me = me
        self.now = now
        self.files = files
        self.updates = updates
        self.events = Events()
        self.phones: dict[int, Phone] = {}
        self.chats: dict[int, Chat] = {}
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.menu_buttons: dict[int | None, Json] = {}
        self.texts: dict[tuple[str, str], str] = {}
        self.presses: dict[str, Press] = {}
        self.preparing = False
        self._callback_life = callback_life
        self._message_ids = count(1)
        self.album_ids = count(13_000_000_000_000_001)
        self._typing_ends: dict[int, asyncio.TimerHandle] = {}

    def clear(self) -> None:
        """Back to before anybody came; numbers go on, and so does what the bot said of itself."""
        for handle in self._typing_ends.values():
            handle.cancel()
        for kept in (self.phones, self.chats, self.presses, self._typing_ends):
            kept.clear()
        self.commands = {key: value for key, value in self.commands.items() if not key[0].startswith("chat:")}
        self.menu_buttons = {key: value for key, value in self.menu_buttons.items() if key is None}
        self.files.clear()
        self.updates.drop()

    def add_phone(
        self,
        first_name: str,
        *,
        language_code: str = "pt-br",
        last_name: str | None = None,
        username: str | None = None,
        label: str = "",
        note: str = "",
        started: bool = False,
        hidden: bool = False,
    ) -> Phone:
        """Bring in a person; the bot may write to them only once they have written.

        A hidden phone is shown when the bot first writes to it, but not while the world is being prepared.
        """
        number = len(self.phones)
        phone = Phone(
            FIRST_PHONE + number,
            first_name,
            language_code,
            last_name=last_name,
            username=username,
            label=label,
            note=note,
            phone_number=f"+5500900{number:06d}",
            started=started,
            hidden=hidden,
        )
        self.phones[phone.id] = phone
        self.chats[phone.id] = Chat(phone.id, ChatType.PRIVATE)
        if not hidden:
            self.events.emit("phone_added", phone=self.describe(phone))
        return phone

    def shown(self) -> list[Phone]:
        """The phones on the page."""
        return [phone for phone in self.phones.values() if not phone.hidden]

    def phone(self, phone_id: int) -> Phone:
        """The phone with this id."""
        phone = self.phones.get(phone_id)
        if phone is None:
            raise ControlError("Este telefone não existe.", status=404)
        return phone

    def change(self, phone: Phone, **changes: Any) -> None:
        """Change what the page shows of a phone, and tell it."""
        shown: Json = {}
        for name, value in changes.items():
            if getattr(phone, name) != value:
                setattr(phone, name, value)
                shown[name] = value
        if {"language_code"} & shown.keys():
            shown["commands"] = self.commands_of(phone)
        if shown:
            self.events.emit("phone", phone=phone.id, changes=shown)

    def describe(self, phone: Phone, *, messages: bool = True) -> Json:
        """A phone as the page reads it."""
        described = {
            **phone.names(),
            "id": phone.id,
            "language_code": phone.language_code,
            "label": phone.label,
            "note": phone.note,
            "blocked": phone.blocked,
            "started": phone.started,
            "unread": phone.unread,
            "typing": phone.typing,
            "reply_keyboard": phone.reply_keyboard,
            "placeholder": phone.placeholder,
            "commands": self.commands_of(phone),
            "menu_button": self.menu_button_of(phone.id),
        }
        if messages:
            described["messages"] = list(self.chats[phone.id].messages.values())[-SHOWN:]
        return described

    def commands_of(self, phone: Phone) -> list[Json]:
        """The commands in this phone's menu: the most specific scope, in its language before any."""
        language = phone.language_code.partition("-")[0]
        for scope in (f"chat:{phone.id}", "all_private_chats", "default"):
            for code in (language, ""):
                if self.commands.get((scope, code)):
                    return self.commands[scope, code]
        return []

    def menu_button_of(self, phone_id: int | None) -> Json:
        """The menu button of a private chat, or the default one."""
        return self.menu_buttons.get(phone_id) or self.menu_buttons.get(None) or MENU_DEFAULT

    def post(self, chat: Chat, content: Json, *, sender: Json | None = None) -> Json:
        """Put a message into a chat, by the bot when no sender is given."""
        phone = self.phones[chat.id]
        message: Json = {
            "message_id": next(self._message_ids),
            "from": sender or self.me,
            "chat": phone.chat(),
            "date": int(self.now().timestamp()),
            **content,
        }
        chat.messages[message["message_id"]] = message
        self.events.emit("message", phone=phone.id, message=message)
        if sender is None:
            self.change(phone, unread=phone.unread + 1, typing=False)
            if phone.hidden and not self.preparing:
                phone.hidden = False
                self.events.emit("phone_added", phone=self.describe(phone), quiet=True)
        return message

    def replace(self, chat: Chat, message: Json) -> Json:
        """Put an edited message where it was."""
        chat.messages[message["message_id"]] = message
        self.events.emit("edited", phone=chat.id, message=message)
        return message

    def delete(self, chat: Chat, message_ids: Iterable[int]) -> list[int]:
        """Take messages away; those that are not there are passed over."""
        gone = [number for number in message_ids if chat.messages.pop(number, None)]
        if gone:
            self.events.emit("deleted", phone=chat.id, message_ids=gone)
        return gone

    def type(self, phone: Phone) -> None:
        """The bot is seen typing, for a few seconds or until its message comes."""
        earlier = self._typing_ends.pop(phone.id, None)
        if earlier:
            earlier.cancel()
        self.change(phone, typing=True)
        self._typing_ends[phone.id] = asyncio.get_running_loop().call_later(
            TYPING_SECONDS, lambda: self.change(phone, typing=False)
        )

    # What people do with their phones

    def send_text(self, phone_id: int, text: str, *, reply_to: int | None = None) -> Json:
        """A person writes; a text beyond Telegram's limit leaves in parts, as from a real client. Gives the first."""
        phone = self._writing(phone_id)
        parts = [formatted(part) for part in _parts(text)]
        sendable = [part for part in parts if part.text]
        if not sendable:
            raise ControlError("Escreva alguma coisa antes de enviar.")
        said = [self._say(phone, part.content() | self._reply(phone, reply_to)) for part in sendable]
        return said[0]

    def send_files(self, phone_id: int, kind: str, uploads: Sequence[Upload], *, caption: str = "") -> list[Json]:
        """A person sends files; several make an album: separate updates under one ``media_group_id``."""
        phone = self._writing(phone_id)
        if kind not in KINDS or not uploads:
            raise ControlError("Escolha uma foto, um documento, um áudio ou um vídeo.")
        words = formatted(caption)
        if utf16_length(words.text) > MessageLimit.CAPTION_LENGTH:
            raise ControlError(f"A legenda passa de {int(MessageLimit.CAPTION_LENGTH)} caracteres.")
        try:
            contents = [self.files.receive(kind, upload) for upload in uploads]
        except ApiError as error:
            raise ControlError("Este arquivo não pode ser enviado assim; tente como documento.") from error
        album = {"media_group_id": str(next(self.album_ids))} if len(contents) > 1 else {}
        captions = [words, *[Formatted("")] * (len(contents) - 1)]
        return [
            self._say(phone, content | words.content(caption=True) | album)
            for content, words in zip(contents, captions, strict=True)
        ]

    def send(self, phone_id: int, content: Json) -> Json:
        """A person sends anything else: a location, a contact, a sticker ..."""
        return self._say(self._writing(phone_id), content)

    def edit_text(self, phone_id: int, message_id: int, text: str) -> Json:
        """A person edits an own message."""
        phone = self._writing(phone_id)
        chat = self.chats[phone_id]
        message = chat.messages.get(message_id)
        if message is None or message["from"]["id"] != phone_id or "text" not in message:
            raise ControlError("Só uma mensagem de texto própria pode ser editada.")
        words = formatted(text)
        if not words.text or utf16_length(words.text) > MessageLimit.MAX_TEXT_LENGTH:
            raise ControlError("O texto editado está vazio ou longo demais.")
        kept = {key: value for key, value in message.items() if key not in ("text", "entities")}
        edited = self.replace(chat, {**kept, "edit_date": int(self.now().timestamp()), **words.content()})
        self.updates.push(UpdateType.EDITED_MESSAGE, {**edited, "from": phone.user()})
        return edited

    def press(self, phone_id: int, message_id: int, data: str, *, forge: bool = False) -> str:
        """A person presses an inline button; ``forge`` sends data that no button carries, as a hostile client may."""
        phone = self._writing(phone_id)
        message = self.chats[phone_id].messages.get(message_id)
        carried = [
            button.get("callback_data")
            for row in ((message or {}).get("reply_markup") or {}).get("inline_keyboard", ())
            for button in row
        ]
        if not forge and data not in carried:
            raise ControlError("Esta mensagem não tem (mais) este botão.", status=409)
        callback_id = str(secrets.randbits(62))
        self.presses[callback_id] = Press(phone_id, message_id, self.now())
        inaccessible = {"chat": phone.chat(), "message_id": message_id, "date": 0}
        self.updates.push(
            UpdateType.CALLBACK_QUERY,
            {
                "id": callback_id,
                "from": phone.user(),
                "message": message or inaccessible,
                "chat_instance": str(phone.id * 7919),
                "data": data,
            },
        )
        return callback_id

    def answer(self, callback_id: str) -> Press | None:
        """Take a press off the unanswered ones; None when it is unknown, answered or too old."""
        press = self.presses.pop(callback_id, None)
        return press if press and press.at + self._callback_life >= self.now() else None

    def block(self, phone_id: int) -> Phone:
        """A person blocks the bot."""
        return self._membership(phone_id, blocked=True)

    def unblock(self, phone_id: int) -> Phone:
        """A person lets the bot write again."""
        return self._membership(phone_id, blocked=False)

    def _membership(self, phone_id: int, *, blocked: bool) -> Phone:
        phone = self.phone(phone_id)
        if phone.blocked == blocked:
            return phone
        self.change(phone, blocked=blocked)
        member: Json = {"user": self.me, "status": ChatMemberStatus.MEMBER.value}
        banned: Json = {"user": self.me, "status": ChatMemberStatus.BANNED.value, "until_date": 0}
        old, new = (member, banned) if blocked else (banned, member)
        self.updates.push(
            UpdateType.MY_CHAT_MEMBER,
            {
                "chat": phone.chat(),
                "from": phone.user(),
                "date": int(self.now().timestamp()),
                "old_chat_member": old,
                "new_chat_member": new,
            },
        )
        return phone

    def _writing(self, phone_id: int) -> Phone:
        phone = self.phone(phone_id)
        if phone.blocked:
            raise ControlError("Este telefone bloqueou o bot; desbloqueie para escrever.", status=409)
        return phone

    def _reply(self, phone: Phone, message_id: int | None) -> Json:
        if message_id is None:
            return {}
        replied = self.chats[phone.id].messages.get(message_id)
        if replied is None:
            raise ControlError("A mensagem respondida não existe mais.", status=404)
        return {"reply_to_message": {key: value for key, value in replied.items() if key != "reply_to_message"}}

    def _say(self, phone: Phone, content: Json) -> Json:
        message = self.post(self.chats[phone.id], content, sender=phone.user())
        once = bool(phone.reply_keyboard and phone.reply_keyboard.get("one_time_keyboard"))
        self.change(
            phone,
            started=True,
            placeholder=None,
            reply_keyboard=None if once else phone.reply_keyboard,
        )
        self.updates.push(UpdateType.MESSAGE, message)
        return message


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    part: list[str] = []
    length = 0
    for character in text:
        width = 1 if ord(character) <= 0xFFFF else 2
        if length + width > MessageLimit.MAX_TEXT_LENGTH:
            parts.append("".join(part))
            part, length = [], 0
        part.append(character)
        length += width
    return [*parts, "".join(part)]
