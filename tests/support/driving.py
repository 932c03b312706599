"""A driver's chat and the office behind it: what the office decides arrives in the chat as its notices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from domain.cases.commands import CaseUpdate, TakeCase
from domain.cases.model import Case, CaseKind
from domain.law.loader import Laws
from domain.people.model import Grant, Person, Role
from domain.registration.commands import AcceptItem, Approve, Approved, Deny, RefuseItem
from handlers.driver import area
from handlers.shared.notices import notices
from tests.support.builders import CITY, Counter
from tests.support.turns import Chat, chat


@dataclass
class Driver:
    """Somebody at the counter as a driver, and Bia of the registry."""

    phone: Chat
    bia: Person

    @property
    def text(self) -> str:
        """What the newest message reads."""
        return self.phone.text

    def labels(self) -> list[str]:
        """The buttons of the newest message."""
        return self.phone.labels()

    async def sends(self, text: str) -> None:
        """Write something."""
        await self.phone.sends(text)

    async def presses(self, label: str) -> None:
        """Press a button."""
        await self.phone.presses(label)

    async def sends_photo(self, **more: Any) -> None:
        """Send a photograph, fetched as intake does."""
        await self.phone.sends_file(**more)

    async def begins(self, *, birth: str = "05/03/1990", owner: str = "No meu nome") -> None:
        """Answer the invented city's two questions and go on to the checklist."""
        await self.sends("/documentos")
        await self.presses("Motorista")
        await self.answers(birth, owner)
        await self.presses("Começar meu cadastro")

    async def answers(self, birth: str, owner: str) -> None:
        """Answer the invented city's two questions; "" skips."""
        for answer in (birth, owner):
            if answer:
                await self.sends(answer)
            else:
                await self.presses("Pular")
        await self.presses("Ver o resultado")

    async def hands_in(self) -> Case:
        """Send the two documents and hand in."""
        await self.begins()
        await self.presses("Enviar agora: CNH")
        for _ in range(2):
            await self.sends_photo()
            await self.presses("Pronto")
        await self.presses("📨 Enviar para a prefeitura")
        return self.case

    @property
    def case(self) -> Case:
        """The newest registration, as stored."""
        cases = self.phone.memory.committed.cases.values()
        return [case for case in cases if case.kind is CaseKind.REGISTRATION][-1]

    @property
    def office(self) -> Counter:
        """The office, at the same instant."""
        return Counter(self.phone.memory, self.phone.now)

    async def taken(self) -> None:
        """Let Bia take the registration."""
        self.hears(await self.office.does("take_case", TakeCase(by=self.bia, case_id=self.case.id)))

    async def accepted(self, *items: str) -> None:
        """Let Bia accept items."""
        for item in items:
            command = AcceptItem(by=self.bia, case_id=self.case.id, item=item)
            self.hears(await self.office.does("accept_item", command))

    async def refused(self, item: str, reason: str = "blurred", comment: str = "") -> None:
        """Let Bia refuse an item."""
        command = RefuseItem(by=self.bia, case_id=self.case.id, item=item, reason=reason, comment=comment)
        self.hears(await self.office.does("refuse_item", command))

    async def approved(self, text: str = "") -> None:
        """Let Bia take, accept and approve everything."""
        await self.taken()
        await self.accepted(*self.case.items)
        done: Approved = await self.office.does("approve", Approve(by=self.bia, case_id=self.case.id, text=text))
        self.hears(done.update)

    async def denied(self, text: str) -> None:
        """Let Bia deny the registration."""
        await self.taken()
        self.hears(await self.office.does("deny", Deny(by=self.bia, case_id=self.case.id, text=text)))

    def hears(self, update: CaseUpdate) -> None:
        """Deliver the notices of something that the office did."""
        for message in notices(update, self.phone.memory.laws):
            self.phone.delivers(message)

    def restarts(self) -> None:
        """Stand elsewhere: the newest message is far up and another has been read since."""
        self.phone.shown.clear()


async def driver(*, city: str = CITY, language: str = "pt_BR", served: Laws | None = None) -> Driver:
    """Open a driver's chat in a city, with Bia behind the counter."""
    phone = await chat(area.register, city=city, language=language, served=served)
    bia = await phone.memory.person("Bia", Grant(city, Role.REGISTRY))
    return Driver(phone, replace(bia))
