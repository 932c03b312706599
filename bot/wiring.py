"""Opens one turn per update: who it is, where their conversation stands, and the use cases in this transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sqlalchemy import bindparam, insert, update
from telegram import ChatMember, Update
from telegram.ext import Application, ApplicationHandlerStop, CallbackContext

from bot.files import clean
from bot.logs import get_logger, where
from bot.storage import tables as t
from bot.storage.engine import is_trouble
from bot.storage.journal import FAILED, HANDLED, Group, Received
from bot.storage.repositories.files import write_down
from bot.storage.repositories.people import StoredGrants, StoredPeople
from bot.storage.repositories.sealing import SealBroken
from bot.storage.statement import Statement
from domain.errors import DomainError
from domain.files.model import ReceivedFile
from domain.law.loader import Laws
from domain.people.model import Grant, Person, language_from_client
from handlers.errors import FORM_LOST, UNEXPECTED
from handlers.shared.context import Turn, current_turn
from handlers.shared.conversation import conversation_from_json, conversation_to_json
from handlers.shared.outgoing import Kind, Outgoing
from handlers.shared.services import Services
from handlers.shared.texts import Translator

log = get_logger(__name__)

_WELCOME = Statement(
    insert(t.person).returning(t.person.c.id),
    ("chat_id", "name", "language", "language_chosen", "city", "reachable", "created_at"),
)
_NAMED = Statement(update(t.person).where(t.person.c.id == bindparam("this")), ("name", "reachable"))
_REACHED = Statement(update(t.person).where(t.person.c.id == bindparam("this")), ("reachable",))

CounterApplication: TypeAlias = "Application[Any, Any, Any, Any, Any, Any]"


@dataclass(slots=True)
class Visit:
    """One update on its way through the handlers. ``turn`` is set before any handler runs."""

    group: Group
    update_id: int
    turn: Turn = field(init=False)
    error: Exception | None = None
    trouble: Exception | None = None


current_visit: ContextVar[Visit] = ContextVar("current_visit")

ServicesFor: TypeAlias = Callable[[Visit], Services]


class VisitPeople(StoredPeople):
    """People of whom one is at the counter: what changes in that one is seen by the rest of the turn."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit.group)
        self._visit = visit

    async def save(self, person: Person) -> None:
        await super().save(person)
        turn = self._visit.turn
        if person.id == turn.person.id:
            turn.person = replace(person, grants=turn.person.grants)


class VisitGrants(StoredGrants):
    """Roles, of which those of the one at the counter are seen by the rest of the turn."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit.group)
        self._visit = visit

    async def add(self, person_id: int, grant: Grant, *, at: Any) -> None:
        await super().add(person_id, grant, at=at)
        person = self._visit.turn.person
        if person_id == person.id:
            self._visit.turn.person = replace(person, grants=person.grants | {grant})

    async def remove(self, person_id: int, grant: Grant) -> bool:
        person = self._visit.turn.person
        if person_id == person.id:
            self._visit.turn.person = replace(person, grants=person.grants - {grant})
        return await super().remove(person_id, grant)


class Wiring:
    """Leads updates through the application, each in its own savepoint of a group's transaction."""

    def __init__(self, application: CounterApplication, laws: Laws, services_for: ServicesFor) -> None:
        self._application, self._laws, self._services_for = application, laws, services_for

    async def serve(self, group: Group, received: Received, file: ReceivedFile | None = None) -> None:
        """Handle one update; what it changed and said is left in ``group``.

        Raises:
            Exception: The database is in trouble (``is_trouble``): the group must not be committed.
        """
        visit = Visit(group, received.update_id)
        try:
            read = Update.de_json(lean(received.payload), self._application.bot)
            person = await self._person(group, received.chat_id, read)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            log.error("update_unreadable", update=received.update_id, code=type(error).__name__)
            group.done.append((received.update_id, FAILED, type(error).__name__))
            return
        if person is None:
            group.done.append((received.update_id, HANDLED, None))
            return
        if file is not None and file.trouble is None:
            file = await write_down(group.transaction, file, update_id=received.update_id, at=group.now)
        turn = visit.turn = self._turn(visit, person, read, file)
        current_turn.set(turn)
        current_visit.set(visit)
        await self._application.process_update(read)
        if visit.trouble is not None:
            raise visit.trouble
        await self._close(visit)

    async def _close(self, visit: Visit) -> None:
        group, turn, error = visit.group, visit.turn, visit.error
        code = None
        if error is not None:
            await group.undo()
            if not turn.failed:
                turn.forget()
            if not isinstance(error, DomainError):
                code = type(error).__name__
                self._log_mistake(visit, error)
                if not any(said.kind is not Kind.TOAST or said.text for said in turn.outbox):
                    turn.outbox.append(_apology(turn.person.chat_id, turn.person.language))
        if turn.callback_id is not None:
            self._answer(visit, turn.callback_id)
        body, chat_id = conversation_to_json(turn.conversation), turn.conversation.chat_id
        lost = chat_id in group.lost
        if body != turn.stored or lost:
            group.changed[chat_id] = body
        if lost:
            log.error("conversation_not_opened", update=visit.update_id, code=SealBroken.__name__)
            group.said.append(Outgoing(chat_id, text=Translator(turn.person.language)(FORM_LOST)))
        group.said += turn.outbox
        group.done.append((visit.update_id, HANDLED if code is None else FAILED, code))
        await group.keep()

    def _answer(self, visit: Visit, callback_id: str) -> None:
        """Take what answers the press out of what is stored: it goes at once or never."""
        answer = silence(visit.turn.person.chat_id, callback_id)
        for said in visit.turn.outbox:
            if said.kind is Kind.TOAST:
                answer = said
        visit.group.answers[visit.update_id] = answer
        visit.turn.outbox[:] = [said for said in visit.turn.outbox if said.kind is not Kind.TOAST]

    def fail(self, group: Group, received: Received, error: Exception) -> None:
        """End an update whose effects the database refused; the person hears that the team knows."""
        log.error("update_refused", update=received.update_id, code=type(error).__name__, where=where(error))
        person = group.people.get(received.chat_id)
        if received.chat_id > 0:
            group.said.append(_apology(received.chat_id, person.language if person else "pt_BR"))
        group.done.append((received.update_id, FAILED, type(error).__name__))

    def _turn(self, visit: Visit, person: Person, read: Update, file: ReceivedFile | None) -> Turn:
        group, pressed = visit.group, read.callback_query
        stored = group.conversations.get(person.chat_id)
        conversation = conversation_from_json(person.chat_id, stored)
        return Turn(
            now=group.now,
            person=person,
            conversation=conversation,
            services=self._services_for(visit),
            laws=self._laws,
            callback_id=pressed.id if pressed else None,
            pressed_message=pressed.message.message_id if pressed and pressed.message else None,
            files=(file,) if file is not None else (),
            stored=stored,
        )

    async def _person(self, group: Group, chat_id: int, read: Update) -> Person | None:
        """Return who speaks; ``None`` when the update only told that the bot was blocked or let in again."""
        known = group.people.get(chat_id)
        if read.my_chat_member is not None:
            status = read.my_chat_member.new_chat_member.status
            if known is not None:
                reachable = status not in (ChatMember.BANNED, ChatMember.LEFT)
                await group.transaction.change(_REACHED, this=known.id, reachable=reachable)
            return None
        user = read.effective_user
        if user is None:
            return None
        name = clean(user.full_name)[:130]
        if known is None:
            return await self._welcome(group, chat_id, name, language_from_client(user.language_code))
        if known.name != name or not known.reachable:
            known = replace(known, name=name, reachable=True)
            await group.transaction.change(_NAMED, this=known.id, name=name, reachable=True)
        return known

    async def _welcome(self, group: Group, chat_id: int, name: str, language: str) -> Person:
        """Write down somebody who speaks for the first time; a city is theirs already when there is only one."""
        cities = self._laws.cities()
        city = cities[0].slug if len(cities) == 1 else None
        row = await group.transaction.one(
            _WELCOME,
            chat_id=chat_id,
            name=name,
            language=language,
            language_chosen=False,
            city=city,
            reachable=True,
            created_at=group.now,
        )
        return Person(row.id, chat_id, name, language, city=city)

    def _log_mistake(self, visit: Visit, error: Exception) -> None:
        log.error("update_failed", update=visit.update_id, code=type(error).__name__, where=where(error))


def lean(payload: dict[str, Any]) -> dict[str, Any]:
    """Return an update without what nobody reads: of a pressed message, all but which it is and that it has buttons.

    Telegram sends the whole of it, and its keyboard alone takes PTB longer to read than everything else.
    """
    pressed = payload.get("callback_query")
    message = pressed.get("message") if isinstance(pressed, dict) else None
    if not isinstance(pressed, dict) or not isinstance(message, dict):
        return payload
    kept = {name: message[name] for name in ("message_id", "chat", "date") if name in message}
    if message.get("reply_markup") is not None:
        kept["reply_markup"] = {"inline_keyboard": []}
    return {**payload, "callback_query": {**pressed, "message": kept}}


async def note_error(_update: object, context: CallbackContext[Any, Any, Any, Any]) -> None:
    """Note why an update failed, before the handlers' own error handler finds the words for it.

    Trouble of the database ends here: it is no answer to a person but a reason to try again.
    """
    visit, error = current_visit.get(), context.error
    if error is None:
        return
    if is_trouble(error):
        visit.trouble = error
        raise ApplicationHandlerStop
    visit.error = error


def silence(chat_id: int, callback_id: str) -> Outgoing:
    """Return what ends the waiting of a press without a word."""
    return Outgoing(chat_id, kind=Kind.TOAST, callback_id=callback_id)


def _apology(chat_id: int, language: str) -> Outgoing:
    return Outgoing(chat_id, text=Translator(language)(UNEXPECTED))
