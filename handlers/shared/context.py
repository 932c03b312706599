"""The context that every handler gets: this update's person, conversation, use cases and outbox.

A :class:`Turn` is one update's unit: what it changes and what it says are committed together or not at all.
``bot/wiring.py`` opens one per update; PTB hands it to the handlers as :class:`BotContext`.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Self

from telegram.ext import Application, CallbackContext, ExtBot

from domain.people.model import Person
from handlers.shared.conversation import Conversation, conversation_from_json, conversation_to_json
from handlers.shared.outgoing import Keyboard, Kind, Outgoing, ReplyButton
from handlers.shared.texts import Translator

if TYPE_CHECKING:
    from domain.files.model import ReceivedFile
    from domain.law.loader import Laws
    from handlers.shared.desk import Desk
    from handlers.shared.services import Services

DESK = "desk"


@dataclass(slots=True)
class Turn:
    """One update being served. ``now`` is UTC and does not move while the update is handled.

    ``stored`` is the conversation as its row has it. ``failed`` names why the update came to nothing (set by the error
    handler): whoever opened the turn then rolls back what its use cases wrote; what the outbox says by then is sent.
    """

    now: datetime
    person: Person
    conversation: Conversation
    services: Services
    laws: Laws
    callback_id: str | None = None
    pressed_message: int | None = None
    pressed_current: bool = False
    files: tuple[ReceivedFile, ...] = ()
    outbox: list[Outgoing] = field(default_factory=list)
    answered: bool = False
    stored: str | None = None
    failed: str = ""
    flashed: str = ""
    known: Person | None = None

    def __post_init__(self) -> None:
        self.known = self.person
        if self.stored is None:
            self.stored = conversation_to_json(self.conversation)

    def forget(self) -> None:
        """Drop all that this update wanted to say and put the conversation and the person back: it was refused."""
        self.outbox.clear()
        self.answered = False
        self.conversation = conversation_from_json(self.conversation.chat_id, self.stored)
        self.person = self.known or self.person


current_turn: ContextVar[Turn] = ContextVar("current_turn")


class BotContext(CallbackContext[ExtBot[None], dict[Any, Any], dict[Any, Any], dict[Any, Any]]):
    """PTB's context with the turn of this update."""

    def __init__(self, application: Application[Any, Any, Any, Any, Any, Any], **ids: Any) -> None:
        super().__init__(application=application, **ids)
        self.turn = current_turn.get()

    @classmethod
    def from_update(cls, update: object, application: Application[Any, Any, Any, Any, Any, Any]) -> Self:
        return cls(application)  # PTB's own data of chats and users, which the ids are for, is not used

    @property
    def person(self) -> Person:
        """Who is at the counter."""
        return self.turn.person

    @property
    def conversation(self) -> Conversation:
        """Where this chat stands; what a handler changes in it is stored with the turn."""
        return self.turn.conversation

    @property
    def desk(self) -> Desk:
        """The forms, buttons, commands and menu entries that the areas registered."""
        desk: Desk = self.bot_data[DESK]
        return desk

    @property
    def services(self) -> Services:
        """The use cases, bound to this update's transaction."""
        return self.turn.services

    @property
    def laws(self) -> Laws:
        """The rulebooks of the cities that this bot serves."""
        return self.turn.laws

    @property
    def now(self) -> datetime:
        """The instant of this turn, UTC."""
        return self.turn.now

    def today(self, city: str) -> date:
        """The local date at the city hall."""
        return self.turn.now.astimezone(self.laws.city(city).zone).date()

    @property
    def tr(self) -> Translator:
        """Sentences in this person's language."""
        return Translator(self.turn.person.language)

    def say(
        self,
        text: str,
        *,
        buttons: Keyboard = (),
        reply_buttons: tuple[tuple[ReplyButton, ...], ...] | None = None,
        silent: bool = False,
    ) -> None:
        """Add a message to this chat; it is sent after the commit. Its buttons must be good at any time."""
        self._keep(buttons)
        self.turn.outbox.append(
            Outgoing(self.person.chat_id, text=text, buttons=buttons, reply_buttons=reply_buttons, silent=silent)
        )

    def show(
        self,
        text: str,
        *,
        buttons: Keyboard = (),
        reply_buttons: tuple[tuple[ReplyButton, ...], ...] | None = None,
        fresh: bool = False,
    ) -> None:
        """Show the conversation's next screen: in place of the pressed one, or as a new message.

        A press on the current screen (``turn.pressed_current``, set by the router of buttons) edits it; a press on an
        older one, a text or a file gets a new message. ``fresh`` always sends a new one. A screen with reply buttons is
        a new message too, since Telegram cannot edit those in. The buttons of every earlier screen are
        old from here on.
        """
        conversation = self.conversation
        keyboard = conversation.reply_keyboard
        in_place = self.turn.pressed_current and not fresh and not reply_buttons and not keyboard
        conversation.screen += 1
        conversation.view = ""
        conversation.buttons = {}
        self._keep(buttons)
        pressed = (self.turn.pressed_message or 0) if self.turn.pressed_current else 0
        conversation.screen_message, conversation.left = (pressed, 0) if in_place else (0, pressed)
        if keyboard and buttons and not reply_buttons:
            # one message carries one kind of buttons: a short one goes before and takes the keyboard away
            self.turn.outbox.append(Outgoing(self.person.chat_id, text=self.tr("Certo."), remove_reply_buttons=True))
        self.turn.outbox.append(
            Outgoing(
                self.person.chat_id,
                kind=Kind.EDIT if in_place else Kind.TEXT,
                text=text,
                buttons=buttons,
                reply_buttons=reply_buttons,
                remove_reply_buttons=keyboard and not reply_buttons and not buttons,
                message_id=self.turn.pressed_message if in_place else None,
            )
        )
        conversation.reply_keyboard = bool(reply_buttons)
        self.turn.pressed_current = False

    def replace(self, text: str, *, buttons: Keyboard = ()) -> None:
        """Put a text in place of the pressed message (the next page of a list, a card after a decision).

        The conversation's current screen stays as it is; the buttons must be good at any time. Without a pressed
        message it is sent as a new one.
        """
        self._keep(buttons)
        pressed = self.turn.pressed_message
        kind = Kind.TEXT if pressed is None else Kind.EDIT
        self.turn.outbox.append(
            Outgoing(self.person.chat_id, kind=kind, text=text, buttons=buttons, message_id=pressed)
        )

    def _keep(self, buttons: Keyboard) -> None:
        """Keep which buttons can be pressed by typing their label from here on; a form knows those of its screen."""
        if buttons:
            every = [button for row in buttons for button in row if not button.secret]
            self.conversation.buttons = {one.data: one.text for one in every if one.data and one.data[:2] != "s:"}

    def toast(self, text: str = "", *, alert: bool = False) -> None:
        """Answer the pressed button; a press that no handler answers is answered silently by the turn.

        Of a button whose label was typed, it is left in ``turn.flashed``.
        """
        if self.turn.callback_id is None:
            self.turn.flashed = text
        if self.turn.callback_id is not None and not self.turn.answered:
            self.turn.answered = True
            self.turn.outbox.append(
                Outgoing(
                    self.person.chat_id,
                    kind=Kind.TOAST,
                    text=text,
                    alert=alert,
                    callback_id=self.turn.callback_id,
                )
            )

    def send_file(self, kind: Kind, file_id: str, *, caption: str = "") -> None:
        """Send a stored file of Telegram's to this chat."""
        self.turn.outbox.append(Outgoing(self.person.chat_id, kind=kind, file_id=file_id, text=caption))
