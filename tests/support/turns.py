"""One person's chat through a real PTB application, without network: each update opens a turn as the wiring does.

The conversation is stored as JSON between any two updates, so every test is a test of restarts as well.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from telegram import Update, User
from telegram.ext import Application, ApplicationBuilder, ContextTypes, ExtBot

from domain.files.model import FileKind, FileTrouble, ReceivedFile
from domain.law.loader import Laws
from domain.people.model import Person
from handlers.registry import AREAS, register_all
from handlers.shared import commands, language, menu, wishes
from handlers.shared.context import BotContext, Turn, current_turn
from handlers.shared.conversation import Conversation, conversation_from_json, conversation_to_json
from handlers.shared.desk import Desk
from handlers.shared.outgoing import Kind, Outgoing
from handlers.shared.services import Services
from tests.support.builders import NOW, laws
from tests.support.fakes import Memory

Area = Callable[[Desk], None]
SHARED: tuple[Area, ...] = (menu.register, wishes.register, commands.register, language.register)


class OfflineBot(ExtBot[None]):
    """A bot that knows its name and reaches nobody."""

    async def initialize(self) -> None:
        self._bot_user = User(1, "Balcão", is_bot=True, username="balcao_bot")
        self._initialized = True


async def application(*areas: Area) -> Application[Any, Any, Any, Any, Any, Any]:
    """Build an application with what all areas share and ``areas``; with the product's own when none are named."""
    built = (
        ApplicationBuilder()
        .bot(OfflineBot("1:offline"))
        .updater(None)
        .context_types(ContextTypes(context=BotContext))
        .build()
    )
    register_all(built, (*SHARED, *areas) if areas else AREAS)
    await built.initialize()
    return built


@dataclass
class Chat:
    """A private chat. Every action returns what the bot said to it."""

    app: Application[Any, Any, Any, Any, Any, Any]
    memory: Memory
    person: Person
    now: datetime = NOW
    stored: str | None = None
    shown: dict[int, Outgoing] = field(default_factory=dict)
    said: list[Outgoing] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    message_id: int = 100
    update_id: int = 0

    # what the person does

    async def sends(self, text: str, **extra: Any) -> list[Outgoing]:
        """Send a text; a command gets the entity that clients add."""
        if text.startswith("/"):
            extra.setdefault("entities", [{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}])
        return await self.posts(text=text, **extra)

    async def posts(self, *, files: tuple[ReceivedFile, ...] = (), **content: Any) -> list[Outgoing]:
        """Send a message of any kind."""
        message_id = content.pop("message_id", None) or self.new_id()
        return await self.serve({"message": self.message(message_id, **content)}, files=files)

    async def edits(self, message_id: int, text: str) -> list[Outgoing]:
        """Edit a message sent before."""
        return await self.serve({"edited_message": self.message(message_id, text=text, edit_date=self.stamp())})

    async def sends_file(
        self,
        kind: FileKind = FileKind.PHOTO,
        *,
        caption: str = "",
        album: str = "",
        trouble: FileTrouble | None = None,
        media_type: str = "",
    ) -> list[Outgoing]:
        """Send a file, fetched as intake does when a form is open."""
        number = self.new_id()
        types = {FileKind.PHOTO: "image/jpeg", FileKind.DOCUMENT: "application/pdf", FileKind.VIDEO: "video/mp4"}
        file = ReceivedFile(
            0 if trouble else number,
            kind,
            media_type or types.get(kind, "audio/ogg"),
            1000,
            f"{number:064x}",
            f"file-{number}",
            trouble=trouble,
        )
        if self.conversation.awaits_file and not trouble:
            self.memory.committed.files[number] = file
        item = {"file_id": file.file_id, "file_unique_id": f"u{number}", "file_size": 1000, "duration": 1}
        item |= {"width": 10, "height": 10}
        content: dict[str, Any] = {kind.value: [item] if kind is FileKind.PHOTO else item}
        content |= {"caption": caption} if caption else {}
        content |= {"media_group_id": album} if album else {}
        return await self.posts(files=(file,) if self.conversation.awaits_file else (), **content)

    async def presses(self, label: str) -> list[Outgoing]:
        """Press the newest button with this label."""
        for message_id, message in sorted(self.shown.items(), reverse=True):
            for row in message.buttons:
                for button in row:
                    if button.text == label:
                        return await self.presses_data(button.data or "", message_id)
        raise AssertionError(f"no button {label!r}; there are {self.labels()}")

    async def presses_data(self, data: str, message_id: int | None = None) -> list[Outgoing]:
        """Press a button by what it carries, real or forged."""
        at = message_id if message_id is not None else max(self.shown, default=1)
        shown = self.shown.get(at)
        keyboard = [[{"text": one.text, "callback_data": "…"} for one in row] for row in shown.buttons] if shown else []
        markup = {"reply_markup": {"inline_keyboard": keyboard}} if keyboard else {}
        return await self.serve(
            {
                "callback_query": {
                    "id": f"call-{self.update_id}",
                    "from": self.user(),
                    "chat_instance": "x",
                    "data": data,
                    "message": self.message(at, text="…", **markup),
                }
            }
        )

    # what the person sees

    @property
    def conversation(self) -> Conversation:
        """Where the chat stands, as stored."""
        return conversation_from_json(self.person.chat_id, self.stored)

    @property
    def screen(self) -> Outgoing:
        """The newest message of the bot."""
        return self.shown[max(self.shown)]

    @property
    def text(self) -> str:
        """What the newest message reads, without markup."""
        return html.unescape(re.sub(r"<[^>]+>", "", self.screen.text))

    def labels(self) -> list[str]:
        """The buttons of the newest message, inline or below the text field."""
        inline = [button.text for row in self.screen.buttons for button in row]
        return inline or [button.text for row in self.screen.reply_buttons or () for button in row]

    def toasts(self) -> list[Outgoing]:
        """The answers to the last press."""
        return [message for message in self.said if message.kind is Kind.TOAST]

    # how the turn is opened

    async def serve(self, content: dict[str, Any], *, files: tuple[ReceivedFile, ...] = ()) -> list[Outgoing]:
        """Serve one update in one transaction; a refusal undoes what its use cases wrote."""
        self.update_id += 1
        update = Update.de_json({"update_id": self.update_id, **content}, self.app.bot)
        pressed = update.callback_query
        try:
            async with self.memory.unit(self.now) as ports:
                self.person = await ports.people.get(self.person.id)
                turn = Turn(
                    now=self.now,
                    person=self.person,
                    conversation=conversation_from_json(self.person.chat_id, self.stored),
                    services=Services(ports),
                    laws=self.memory.laws,
                    callback_id=pressed.id if pressed else None,
                    pressed_message=pressed.message.message_id if pressed and pressed.message else None,
                    files=files,
                )
                current_turn.set(turn)
                await self.app.process_update(update)
                if turn.failed:
                    raise Undo
        except Undo:
            self.errors.append(Undo(turn.failed))
        if turn.callback_id is not None and not turn.answered:
            turn.outbox.append(Outgoing(self.person.chat_id, kind=Kind.TOAST, callback_id=turn.callback_id))
        self.stored = conversation_to_json(turn.conversation)
        self.said = turn.outbox
        for message in turn.outbox:
            self.delivers(message)
        return turn.outbox

    def delivers(self, message: Outgoing) -> None:
        """Do what Telegram does with a message."""
        if message.kind in (Kind.TOAST, Kind.COMMANDS) or message.chat_id != self.person.chat_id:
            return
        if message.kind is Kind.STRIP:
            if message.message_id in self.shown:
                self.shown[message.message_id] = replace(self.shown[message.message_id], buttons=())
        elif message.kind is Kind.EDIT and message.message_id is not None:
            self.shown[message.message_id] = message
        else:
            self.shown[self.new_id()] = message

    def new_id(self) -> int:
        self.message_id += 1
        return self.message_id

    def stamp(self) -> int:
        return int(self.now.astimezone(UTC).timestamp())

    def user(self) -> dict[str, Any]:
        return {"id": self.person.chat_id, "is_bot": False, "first_name": self.person.name}

    def message(self, message_id: int, **content: Any) -> dict[str, Any]:
        chat = {"id": self.person.chat_id, "type": "private"}
        return {"message_id": message_id, "date": self.stamp(), "chat": chat, "from": self.user(), **content}


class Undo(Exception):
    """Rolls the turn's transaction back."""


async def chat(
    *areas: Area, name: str = "Ana", language: str = "pt_BR", city: str | None = None, served: Laws | None = None
) -> Chat:
    """Open a chat with somebody new; ``areas`` come beside the shared ones, ``served`` in place of invented cities."""
    memory = Memory(served or laws())
    person = await memory.person(name, language=language)
    if city is not None:
        person = memory.committed.people[person.id] = replace(person, city=city)
    return Chat(await application(*areas), memory, person)
