"""Several people on their phones around one counter: what one does arrives on the phones of the others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from telegram.ext import Application

from domain.cases.commands import CaseUpdate
from domain.cases.model import Case
from domain.law.loader import Laws
from domain.people.model import Grant
from handlers.shared.notices import notices
from handlers.shared.outgoing import Outgoing
from tests.support.builders import CITY, NOW, Counter, laws
from tests.support.fakes import Memory
from tests.support.turns import Chat, application


@dataclass
class Phone(Chat):
    """A chat whose messages to others arrive there."""

    office: Office = None  # type: ignore[assignment] # given by the office, which every phone belongs to

    async def serve(self, content: dict[str, Any], **more: Any) -> list[Outgoing]:
        said = await super().serve(content, **more)
        for message in said:
            if message.chat_id != self.person.chat_id:
                self.office.delivers(message)
        return said

    async def presses_on(self, label: str, words: str) -> list[Outgoing]:
        """Press a button of an older message, found by words in it."""
        for message_id, message in sorted(self.shown.items(), reverse=True):
            for row in message.buttons:
                for button in row:
                    if button.text == label and words in message.text:
                        return await self.presses_data(button.data or "", message_id)
        raise AssertionError(f"no button {label!r} below {words!r}")

    def has(self, words: str) -> bool:
        """Whether any message that stands in the chat contains these words."""
        return any(words in message.text for message in self.shown.values())


@dataclass
class Office:
    """One counter, with everybody's phones and a clock."""

    app: Application[Any, Any, Any, Any, Any, Any]
    memory: Memory
    phones: dict[int, Phone] = field(default_factory=dict)
    now: Any = NOW

    async def phone(self, name: str, *grants: Grant, language: str = "pt_BR") -> Phone:
        """Let somebody in, as staff when they have roles."""
        person = await self.memory.person(name, *grants, language=language)
        person = self.memory.committed.people[person.id] = replace(person, city=CITY)
        phone = Phone(self.app, self.memory, person, now=self.now, office=self)
        self.phones[person.chat_id] = phone
        return phone

    def delivers(self, message: Outgoing) -> None:
        """Bring a message to its chat."""
        if phone := self.phones.get(message.chat_id):
            phone.delivers(message)

    @property
    def counter(self) -> Counter:
        """The use cases, without phones."""
        return Counter(self.memory, self.now)

    def later(self, **time: float) -> None:
        """Move the clock on."""
        self.now += timedelta(**time)
        for phone in self.phones.values():
            phone.now = self.now


async def office(served: Laws | None = None) -> Office:
    """Open an empty counter with every area of the product; ``served`` in place of the invented cities' laws."""
    return Office(await application(), Memory(served or laws()))


async def taken(town: Office, ana: Phone, olga: Phone, **report: Any) -> Case:
    """Let Ana report something and Olga take it from her queue."""
    filed = await town.counter.report(ana.person, **report)
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")
    return town.memory.committed.cases[filed.update.case.id]


async def by_citizen(town: Office, name: str, command: Any) -> CaseUpdate:
    """Let a citizen do something, and bring its notices to the phones."""
    update: CaseUpdate = await town.counter.does(name, command)
    for message in notices(update, town.memory.laws):
        town.delivers(message)
    return update
