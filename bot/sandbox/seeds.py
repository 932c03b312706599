"""The first people of the sandbox and their cases, so that nobody meets an empty counter.

All of it is made by the product: people write to the bot, whoever works at the counter comes by an invitation, and
cases go through the use cases on the day on which they happened. ``seeds.toml`` tells who and what.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import datetime, time, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from bot.app import Counter
from bot.clock import Clock, MovableClock
from bot.files import Files, FolderStore, attachment_of
from bot.sandbox.samples import certificate_pdf, document_photo, good_facts, street_photo
from bot.sandbox.wire import Json, Upload
from bot.sandbox.world import Phone, World
from bot.storage.repositories.files import write_down
from domain.cases.commands import Ask, CaseUpdate, ConfirmOutcome, Decide, TakeCase
from domain.cases.model import CaseKind, Outcome
from domain.people.model import Person, Role
from domain.people.service import InviteStaff
from domain.privacy.model import IdentityMode
from domain.registration.commands import (
    AcceptItem,
    ApplicationCommand,
    Approve,
    RefuseItem,
    SendItem,
    StartApplication,
    Submit,
)
from domain.reports.model import FileReport
from handlers.shared.notices import notices
from handlers.shared.services import Services

STORY = tomllib.loads((Path(__file__).parent / "seeds.toml").read_text(encoding="utf-8"))
BEGINS = timedelta(days=60)
PATIENCE = 60.0
STAFF = ("bia", "caio")
LATE = {"joao": "/start", "bia": "/fila"}
"""What is written only when the present is reached: it stands at the end of these chats."""

Told: TypeAlias = dict[str, Any]
Step: TypeAlias = tuple[datetime, Callable[[Services], Awaitable[CaseUpdate]]]


def past_clock() -> MovableClock:
    """Return the sandbox's clock: it begins before anything happened, and the seeds lead it to the present."""
    return MovableClock(start=Clock().now() - BEGINS)


async def sow(counter: Counter, world: World, clock: MovableClock) -> None:
    """Bring everybody in, let everything happen, and leave the clock at the present."""
    world.preparing = True
    try:
        async with asyncio.timeout(PATIENCE):
            await Sowing(counter, world, clock).run()
    finally:
        world.preparing = False


class Sowing:
    """One run through the story."""

    def __init__(self, counter: Counter, world: World, clock: MovableClock) -> None:
        self.counter, self.world, self.clock = counter, world, clock
        laws = counter.laws
        self.city = laws.city(next((slug for slug in STORY["cities"] if slug in laws), laws.cities()[0].slug))
        self.book = laws.rulebook(self.city.slug)
        self.applicant = next(iter(self.book.applicants.values()))
        self.today = Clock().now().astimezone(self.city.zone).date()
        self.phones: dict[str, Phone] = {}
        self.people: dict[str, Person] = {}
        self.photos: list[int] = []
        self.papers: list[int] = []

    async def run(self) -> None:
        """Live through the story, step by step in the order of time."""
        steps = [step for told in STORY["registrations"] for step in self.registration(told)]
        steps += [step for told in STORY["reports"] for step in self.report(told)]
        steps.sort(key=lambda step: step[0])
        self.clock.move_to(steps[0][0] - timedelta(hours=2))
        await self.everybody_comes()
        await self.gather_files()
        for at, act in steps:
            self.clock.move_to(at)
            await self.happens(act)
        self.clock.move_to(Clock().now())
        await self.today_begins()

    async def everybody_comes(self) -> None:
        """Give everybody a phone and let them write: staff by an invitation, the others by a first word."""
        for told in STORY["people"]:
            named = {name: value for name, value in told.items() if name not in ("key", "note")}
            self.phones[told["key"]] = self.world.add_phone(**named, note=told["note"].format(city=self.city.name))
        async with self.services() as services:
            words = {}
            for key in STAFF:
                invited = await services.invite_staff(InviteStaff(city=self.city.slug, role=Role.MANAGER))
                words[key] = f"/start {invited.payload}"
        early = [phone for key, phone in self.phones.items() if key in STAFF or key not in LATE]
        for key, phone in self.phones.items():
            if phone in early:
                self.world.send_text(phone.id, words.get(key, "/start"))
        await self.until(lambda: all(self.answer_on(phone) for phone in early))
        for phone in early:
            self.press(phone, "staff:join:", f"city:pick:{self.city.slug}")
        await self.until(lambda: not self.world.presses)
        await self.counter.idle()
        async with self.services() as services:
            for key, phone in self.phones.items():
                person = await services.ports.people.by_chat(phone.id)
                if person is not None:
                    self.people[key] = person

    async def gather_files(self) -> None:
        """Let the counter receive what people will have sent, as it receives any file."""
        settings = self.counter.settings
        files = Files(FolderStore(settings.files_dir), self.counter.bot)
        numbers = count(-1, -1)  # these came with no update
        items = len(STORY["registrations"]) * len(self.book.checklist(self.applicant.key, self.today))

        async def receive(kind: str, name: str, data: bytes) -> int:
            content = self.world.files.receive(kind, Upload(name, "", data))
            attachment = attachment_of({"message": content})
            if attachment is None:
                raise ValueError(f"{name} is no file that the counter receives")
            came = await files.receive(attachment)
            async with self.counter.storage.transaction() as transaction:
                return (await write_down(transaction, came, update_id=next(numbers), at=self.clock.now())).id

        card, street, paper = document_photo(), street_photo(), certificate_pdf()
        self.photos = [await receive("photo", "foto.png", street) for told in STORY["reports"] if told.get("photo")]
        for number in range(items):
            sent = ("photo", "foto.png", card) if number % 2 else ("document", "documento.pdf", paper)
            self.papers.append(await receive(*sent))

    async def today_begins(self) -> None:
        """What stands on the phones at first sight: the driver's first word, and the queues of who serves."""
        for key, word in LATE.items():
            self.world.send_text(self.phones[key].id, word)
        await self.until(lambda: all(self.answer_on(self.phones[key]) for key in LATE))
        await self.counter.idle()
        for phone in self.phones.values():
            self.world.change(phone, unread=0)

    # stories

    def registration(self, told: Told) -> Iterator[Step]:
        """Yield a registration from its first answer to where the story leaves it."""
        who = told["who"]
        known: dict[str, Any] = {}

        async def hand_in(services: Services) -> CaseUpdate:
            by = self.people[who]
            asked = {question.key for question in self.book.questions(*self.applicant.bearers, on=self.today)}
            case = await services.start_application(
                StartApplication(
                    by=by,
                    city=self.city.slug,
                    service=self.book.service.key,
                    applicant=self.applicant.key,
                    facts={key: value for key, value in good_facts(self.today).items() if key in asked},
                )
            )
            checklist = await services.application_of(ApplicationCommand(by=by, case_id=case.id))
            owed = [line.key for line in checklist.lines if line.holds_up]
            known.update(case=case.id, items=owed)
            for item in owed:
                await services.send_item(SendItem(by=by, case_id=case.id, item=item, files=(self.papers.pop(),)))
            return await services.submit(Submit(by=by, case_id=case.id))

        async def take(services: Services) -> CaseUpdate:
            return await services.take_case(TakeCase(by=self.people[told["by"]], case_id=known["case"]))

        async def look(services: Services) -> CaseUpdate:
            by, case_id = self.people[told["by"]], known["case"]
            first, *others = known["items"]
            for item in others[: None if "approved" in told else 2]:
                await services.accept_item(AcceptItem(by=by, case_id=case_id, item=item))
            if "refused" not in told:
                return await services.accept_item(AcceptItem(by=by, case_id=case_id, item=first))
            return await services.refuse_item(
                RefuseItem(by=by, case_id=case_id, item=first, reason=told["refused"], comment=told["comment"])
            )

        async def approve(services: Services) -> CaseUpdate:
            by = self.people[told["by"]]
            return (await services.approve(Approve(by=by, case_id=known["case"], text=told["text"]))).update

        yield self.day(told["days"], told["time"]), hand_in
        if "taken" in told:
            yield self.day(told["taken"], "09:05"), take
            yield self.day(told["taken"], "09:20"), look
        if "approved" in told:
            yield self.day(told["approved"], "10:00"), approve

    def report(self, told: Told) -> Iterator[Step]:
        """Yield a report from its filing to where the story leaves it."""
        kind = CaseKind(told["kind"])
        known: dict[str, int] = {}
        at = self.day(told["days"], told["time"])

        async def file(services: Services) -> CaseUpdate:
            subjects = [subject.key for subject in self.book.subjects(kind)]
            happened = (at - timedelta(hours=2)).astimezone(self.city.zone)
            filed = await services.file_report(
                FileReport(
                    by=self.people[told["who"]],
                    city=self.city.slug,
                    service=self.book.service.key,
                    kind=kind,
                    subject=next((key for key in told["subjects"] if key in subjects), subjects[0]),
                    facts={**told["facts"], "when": happened.isoformat(timespec="minutes")[:16]},
                    files=(self.photos.pop(),) if told.get("photo") else (),
                    mode=IdentityMode(told.get("mode", IdentityMode.IDENTIFIED)),
                )
            )
            known["case"] = filed.update.case.id
            return filed.update

        async def take(services: Services) -> CaseUpdate:
            return await services.take_case(TakeCase(by=self.people[told["by"]], case_id=known["case"]))

        async def ask(services: Services) -> CaseUpdate:
            return await services.ask(Ask(by=self.people[told["by"]], case_id=known["case"], text=told["question"]))

        async def decide(services: Services) -> CaseUpdate:
            command = Decide(
                by=self.people[told["by"]], case_id=known["case"], outcome=Outcome.RESOLVED, text=told["text"]
            )
            return await services.decide(command)

        async def confirm(services: Services) -> CaseUpdate:
            return await services.confirm_outcome(ConfirmOutcome(by=self.people[told["who"]], case_id=known["case"]))

        yield at, file
        if "taken" in told:
            yield self.day(told["taken"], "10:30"), take
        if "question" in told:
            yield self.day(told["taken"], "10:40"), ask
        if "decided" in told:
            yield self.day(told["decided"], "15:10"), decide
        if "confirmed" in told:
            yield self.day(told["confirmed"], "19:00"), confirm

    # how it is done

    def day(self, back: int, at: str) -> datetime:
        """Return a local time so many work days ago."""
        day = self.counter.laws.calendar(self.city.slug).add_business_days(self.today, -back).day
        return datetime.combine(day, time.fromisoformat(at), tzinfo=self.city.zone)

    async def happens(self, act: Callable[[Services], Awaitable[CaseUpdate]]) -> None:
        """Do one step; who has a phone on the page is told."""
        async with self.services() as services:
            update = await act(services)
        shown = {phone.id for phone in self.phones.values() if not phone.hidden}
        told = [message for message in notices(update, self.counter.laws) if message.chat_id in shown]
        if told:
            async with self.counter.storage.transaction() as connection:
                await self.counter.journal.say(connection, told, now=self.clock.now())
            await self.counter.idle()

    @asynccontextmanager
    async def services(self) -> AsyncIterator[Services]:
        """Open the use cases on one transaction, at the clock's time."""
        async with self.counter.storage.transaction() as connection:
            yield self.counter.binder.for_unit(connection, now=self.clock.now())

    def press(self, phone: Phone, *data: str) -> None:
        """Press the button of the newest message whose data begins so, if there is one."""
        screen = self.answer_on(phone) or {}
        rows = screen.get("reply_markup", {}).get("inline_keyboard", ())
        found = [button["callback_data"] for row in rows for button in row if "callback_data" in button]
        for one in found:
            if one.startswith(data):
                self.world.press(phone.id, screen["message_id"], one)
                return

    def answer_on(self, phone: Phone) -> Json | None:
        """Return the bot's message that came last, if nothing came after it."""
        message = next(reversed(self.world.chats[phone.id].messages.values()), None)
        return message if message is not None and message["from"]["is_bot"] else None

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something to hold; looks again at every event of the world."""
        if holds():
            return
        async for _ in self.world.events.follow(self.world.events.rev, heartbeat=PATIENCE):
            if holds():
                return
