"""A person with a phone in the sandbox, driven over HTTP as the page drives it, so that tests read as a story.

::

    async with Phones(sandbox.url) as phones:
        ana = await phones.add("Ana")
        await ana.sends("/start")
        await ana.sees("Qual é a sua cidade")
        await ana.presses("Cáceres")
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self, TypeVar

import aiohttp

Json = dict[str, Any]
T = TypeVar("T")

PATIENCE = 30.0  # seconds; a busy machine is no reason to fail, and whoever sees waits no longer than needed
CALM = 0.3
LONGEST_LINE = 2**24
SHOWN = 6


@dataclass(frozen=True)
class Screen:
    """One message as the person sees it now."""

    raw: Json
    rev: int

    @property
    def id(self) -> int:
        """Its number in the chat."""
        return int(self.raw["message_id"])

    @property
    def text(self) -> str:
        """Text or caption."""
        return str(self.raw.get("text") or self.raw.get("caption") or "")

    @property
    def by_bot(self) -> bool:
        """Whether the bot wrote it."""
        return bool(self.raw["from"]["is_bot"])

    @property
    def buttons(self) -> list[Json]:
        """Its inline buttons, left to right and down."""
        return [button for row in (self.raw.get("reply_markup") or {}).get("inline_keyboard", ()) for button in row]

    @property
    def labels(self) -> list[str]:
        """What its inline buttons say."""
        return [button["text"] for button in self.buttons]

    def __str__(self) -> str:
        kinds = [
            key for key in ("photo", "document", "voice", "audio", "video", "location", "contact") if key in self.raw
        ]
        who = "bot" if self.by_bot else "   "
        return f"{who} #{self.id}: {' '.join([*(f'<{kind}>' for kind in kinds), self.text])} {self.labels or ''}"


@dataclass
class _Seen:
    """What is known of one phone."""

    facts: Json = field(default_factory=dict)
    screens: dict[int, Screen] = field(default_factory=dict)
    rev: int = 0


class Refused(AssertionError):
    """The sandbox did not let a person do this."""


class Phones:
    """All phones of one sandbox; follows its events, so that waiting ends the moment something happens."""

    def __init__(self, url: str, *, patience: float = PATIENCE) -> None:
        self.url = url
        self.patience = patience
        self._session: aiohttp.ClientSession | None = None
        self._following: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._seen: dict[int, _Seen] = {}
        self._callbacks: dict[str, Json] = {}
        self.known_until = 0

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            self.url, timeout=aiohttp.ClientTimeout(total=None), read_bufsize=LONGEST_LINE
        )
        rev = await self._load()
        self._following = asyncio.create_task(self._follow(rev))
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._following:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        if self._session:
            await self._session.close()

    async def add(self, first_name: str, *, language_code: str = "pt-br", label: str = "") -> Phone:
        """A new person with a phone that has never written to the bot."""
        values = {"first_name": first_name, "language_code": language_code, "label": label}
        answer, rev = await self.post("/sandbox/phones", values)
        self._seen.setdefault(answer["id"], _Seen(facts=answer))
        return Phone(self, answer["id"], since=rev)

    def named(self, first_name: str) -> Phone:
        """Somebody who is already there, by first name (or the start of the label)."""
        for phone_id, seen in self._seen.items():
            if seen.facts["first_name"] == first_name or seen.facts["label"].startswith(first_name):
                return Phone(self, phone_id, since=seen.rev)
        raise AssertionError(
            f"nobody is called {first_name}: {[seen.facts['first_name'] for seen in self._seen.values()]}"
        )

    async def moves_clock(
        self, *, days: float | None = None, hours: float | None = None, to: datetime | str | None = None
    ) -> datetime:
        """Move the sandbox's clock forwards; what falls due has happened when this returns the new time."""
        values: Json = {"add_days": days, "add_hours": hours, "to": to.isoformat() if isinstance(to, datetime) else to}
        given = {key: value for key, value in values.items() if value is not None}
        answer, self.known_until = await self.post("/sandbox/clock", given)
        return datetime.fromisoformat(answer["now"])

    async def now(self) -> datetime:
        """The sandbox's time."""
        return datetime.fromisoformat((await self.get("/sandbox/state"))["clock"]["now"])

    async def restarts(self) -> None:
        """Everything back to the beginning."""
        _, self.known_until = await self.post("/sandbox/restart", {})
        await self._load()

    async def fault(self, method: str, **values: object) -> None:
        """The next calls of a method fail; see the control API."""
        await self.post("/sandbox/fault", {"method": method, **values})

    async def log(self) -> Json:
        """What the server noted: errors the bot earned, calls by count, unanswered callbacks."""
        return await self.get("/sandbox/log")

    async def get(self, path: str) -> Json:
        """Read from the control API."""
        async with self._http.get(path) as response:
            answer: Json = await response.json()
            return answer

    async def post(self, path: str, values: Json | aiohttp.FormData) -> tuple[Json, int]:
        """Act through the control API; the answer, and the revision that the action found."""
        body: dict[str, Any] = {"data": values} if isinstance(values, aiohttp.FormData) else {"json": values}
        async with self._http.post(path, **body) as response:
            answer: Json = await response.json()
            if response.status != HTTPStatus.OK:
                raise Refused(f"{path}: {response.status} {answer.get('error')}")
            return answer, int(response.headers["X-Sandbox-Rev"])

    async def until(self, found: Callable[[], T | None], *, within: float | None = None) -> T:
        """Wait, so many seconds, for something to be there; looks again at every event.

        Raises:
            TimeoutError: It did not come.
        """
        async with asyncio.timeout(within or self.patience):
            while True:
                news = self._news
                result = found()
                if result is not None:
                    return result
                await self._or_broken(news.wait())

    def seen(self, phone_id: int) -> _Seen:
        """What is known of one phone."""
        return self._seen.setdefault(phone_id, _Seen())

    def callback(self, callback_id: str) -> Json | None:
        """The bot's answer to a press, once it came."""
        return self._callbacks.get(callback_id)

    @property
    def _http(self) -> aiohttp.ClientSession:
        assert self._session, "use 'async with Phones(url)'"
        return self._session

    async def _or_broken(self, waiting: Awaitable[object]) -> None:
        wait = asyncio.ensure_future(waiting)
        try:
            await asyncio.wait([wait, *filter(None, [self._following])], return_when=asyncio.FIRST_COMPLETED)
            if self._following and self._following.done():
                self._following.result()
                raise ConnectionError("the sandbox ended its stream of events")
        finally:
            wait.cancel()

    async def _load(self) -> int:
        state = await self.get("/sandbox/state")
        rev = int(state["rev"])
        earlier, self._seen = self._seen, {}
        for phone in state["phones"]:
            known = earlier.get(phone["id"], _Seen()).screens
            screens = {message["message_id"]: Screen(message, rev) for message in phone.pop("messages")}
            for number, screen in screens.items():
                if number in known and known[number].raw == screen.raw:
                    screens[number] = known[number]
            self._seen[phone["id"]] = _Seen(phone, screens, rev)
        return rev

    async def _follow(self, rev: int) -> None:
        async with self._http.get("/sandbox/events", params={"since": str(rev)}) as response:
            async for line in response.content:
                if line.startswith(b"data: "):
                    await self._learn(json.loads(line.removeprefix(b"data: ")))
                    self._news.set()
                    self._news = asyncio.Event()

    async def _learn(self, event: Json) -> None:
        kind, rev = event["type"], event["rev"]
        if kind == "reset":
            await self._load()
            return
        if kind == "phone_added":
            phone = event["phone"]
            self.seen(phone["id"]).facts = {key: value for key, value in phone.items() if key != "messages"}
            return
        if "phone" not in event:
            return
        seen = self.seen(event["phone"])
        seen.rev = rev
        match kind:
            case "message" | "edited":
                seen.screens[event["message"]["message_id"]] = Screen(event["message"], rev)
            case "deleted":
                for number in event["message_ids"]:
                    seen.screens.pop(number, None)
            case "phone":
                seen.facts.update(event["changes"])
            case "callback":
                self._callbacks[event["callback_id"]] = event


class Phone:
    """One person's phone."""

    def __init__(self, phones: Phones, phone_id: int, *, since: int) -> None:
        self.phones = phones
        self.id = phone_id
        self._acted_at = since

    # what the person does

    async def sends(self, text: str, *, reply_to: int | None = None) -> Screen:
        """Write a text or a command."""
        return await self._says("send", {"text": text} | ({"reply_to": reply_to} if reply_to else {}))

    async def opens(self, url: str) -> Screen:
        """Follow a deep link to the bot."""
        return await self._says("open", {"url": url})

    async def presses(self, label: str, *, within: float | None = None) -> str:
        """Press a button by its label, on the newest message that carries it; the text of the bot's answer.

        An exact label goes before one that contains the words; a button of the reply keyboard is sent as text.
        """
        try:
            found = await self.phones.until(lambda: self._button(label), within=within)
        except TimeoutError:
            raise AssertionError(f"no button {label!r} for {self._name}; the chat:\n{self._transcript()}") from None
        screen, button = found
        if screen is None:
            await self._presses_below(button)
            return ""
        assert "callback_data" in button, f"{button['text']!r} is a link: {button}"
        return await self.presses_data(screen.id, button["callback_data"], within=within)

    async def presses_data(
        self, message_id: int, data: str, *, forge: bool = False, within: float | None = None
    ) -> str:
        """Press a button by its data; ``forge`` presses what is not there. The text of the bot's answer."""
        answer = await self._does("press", {"message_id": message_id, "data": data, "forge": forge})
        try:
            callback = await self.phones.until(lambda: self.phones.callback(answer["callback_id"]), within=within)
        except TimeoutError:
            raise AssertionError(f"the press of {data!r} was never answered; the chat:\n{self._transcript()}") from None
        return str(callback["text"])

    async def sends_photo(self, photo: Path | str | bytes, *, caption: str = "", name: str = "foto.jpg") -> Screen:
        """Send a picture."""
        return (await self.sends_files("photo", [(name, photo)], caption=caption))[0]

    async def sends_document(
        self,
        document: Path | str | bytes,
        name: str | None = None,
        *,
        caption: str = "",
        content_type: str | None = None,
    ) -> Screen:
        """Send a file."""
        given = name or (Path(document).name if not isinstance(document, bytes) else "documento.pdf")
        sent = await self.sends_files("document", [(given, document)], caption=caption, content_type=content_type)
        return sent[0]

    async def sends_voice(self, voice: Path | str | bytes = b"OggS" + bytes(60), *, caption: str = "") -> Screen:
        """Send a voice message."""
        sent = await self.sends_files("voice", [("voz.ogg", voice)], caption=caption, content_type="audio/ogg")
        return sent[0]

    async def sends_album(self, photos: Sequence[Path | str | bytes], *, caption: str = "") -> list[Screen]:
        """Send several pictures at once."""
        named = [(f"foto{number}.jpg", photo) for number, photo in enumerate(photos, start=1)]
        return await self.sends_files("photo", named, caption=caption)

    async def sends_files(
        self,
        kind: str,
        files: Sequence[tuple[str, Path | str | bytes]],
        *,
        caption: str = "",
        content_type: str | None = None,
    ) -> list[Screen]:
        """Send files of one kind; more than one make an album."""
        form = aiohttp.FormData({"kind": kind, "caption": caption}, quote_fields=False)
        for name, content in files:
            data = content if isinstance(content, bytes) else await asyncio.to_thread(Path(content).read_bytes)
            form.add_field("file", data, filename=name, content_type=content_type)
        answer = await self._does("upload", form)
        return [await self._own(message["message_id"]) for message in answer["messages"]]

    async def sends_location(self, latitude: float = -16.07, longitude: float = -57.68) -> Screen:
        """Send a place."""
        return await self._says("location", {"latitude": latitude, "longitude": longitude})

    async def sends_contact(self, phone_number: str | None = None, first_name: str | None = None) -> Screen:
        """Send a contact; one's own when nothing is given."""
        values = {"phone_number": phone_number, "first_name": first_name}
        return await self._says("contact", {key: value for key, value in values.items() if value})

    async def sends_sticker(self) -> Screen:
        """Send a sticker."""
        return await self._says("sticker", {})

    async def sends_poll(self) -> Screen:
        """Send a poll."""
        return await self._says("poll", {})

    async def edits(self, message: Screen, text: str) -> Screen:
        """Edit an own message."""
        return await self._says("edit", {"message_id": message.id, "text": text})

    async def blocks(self) -> None:
        """Block the bot."""
        await self._does("block", {})

    async def unblocks(self) -> None:
        """Let the bot write again."""
        await self._does("unblock", {})

    # what the person sees

    async def sees(self, text: str, *, within: float | None = None) -> Screen:
        """Wait for a bot message with this text, new or edited since the person last acted or the clock was moved."""
        try:
            return await self.phones.until(
                lambda: next(
                    (screen for screen in self._newest() if screen.rev > self._since and text in screen.text), None
                ),
                within=within,
            )
        except TimeoutError:
            raise AssertionError(f"{self._name} never saw {text!r}; the chat:\n{self._transcript()}") from None

    async def quiet(self, calm: float = CALM) -> None:
        """Wait until nothing has happened on this phone for a short while."""
        before = -1
        with contextlib.suppress(TimeoutError):
            while before != self._seen.rev:
                before = self._seen.rev
                await self.phones.until(functools.partial(self._newer, before), within=calm)

    def news(self) -> list[Screen]:
        """Bot messages, new or edited, since the person last acted or the clock was moved; oldest first."""
        return [screen for screen in self.history() if screen.by_bot and screen.rev > self._since]

    def last(self) -> Screen:
        """The newest bot message."""
        newest = next(self._newest(), None)
        assert newest, f"{self._name} has no message of the bot"
        return newest

    def buttons(self) -> list[str]:
        """The labels of the newest inline keyboard, or else of the reply keyboard."""
        inline = next((screen.labels for screen in self._newest() if screen.labels), None)
        return inline or [button["text"] for button in self._below()]

    def history(self) -> list[Screen]:
        """The whole chat, oldest first."""
        return [screen for _, screen in sorted(self._seen.screens.items())]

    def facts(self) -> Json:
        """What the page knows of the phone: commands, menu button, reply keyboard, unread ..."""
        return self._seen.facts

    @property
    def _since(self) -> int:
        return max(self._acted_at, self.phones.known_until)

    def _newer(self, rev: int) -> bool | None:
        return self._seen.rev > rev or None

    @property
    def _seen(self) -> _Seen:
        return self.phones.seen(self.id)

    @property
    def _name(self) -> str:
        return str(self._seen.facts.get("first_name", self.id))

    def _newest(self) -> Iterator[Screen]:
        return (screen for screen in reversed(self.history()) if screen.by_bot)

    def _button(self, label: str) -> tuple[Screen | None, Json] | None:
        for fits in (label.__eq__, lambda text: label in text):
            for screen in self._newest():
                for button in screen.buttons:
                    if fits(button["text"]):
                        return screen, button
            for button in self._below():
                if fits(button["text"]):
                    return None, button
        return None

    def _below(self) -> list[Json]:
        keyboard = self._seen.facts.get("reply_keyboard") or {}
        return [button for row in keyboard.get("keyboard", ()) for button in row]

    async def _presses_below(self, button: Json) -> None:
        if button.get("request_contact"):
            await self.sends_contact()
        elif button.get("request_location"):
            await self.sends_location()
        else:
            await self.sends(button["text"])

    async def _says(self, action: str, values: Json) -> Screen:
        return await self._own((await self._does(action, values))["message_id"])

    async def _own(self, number: int) -> Screen:
        return await self.phones.until(functools.partial(self._changed, number))

    def _changed(self, number: int) -> Screen | None:
        screen = self._seen.screens.get(number)
        return screen if screen and screen.rev > self._since else None

    async def _does(self, action: str, values: Json | aiohttp.FormData) -> Json:
        answer, self._acted_at = await self.phones.post(f"/sandbox/phones/{self.id}/{action}", values)
        return answer

    def _transcript(self) -> str:
        return "\n".join(f"  {screen}" for screen in self.history()[-SHOWN:]) or "  (empty)"
