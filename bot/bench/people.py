"""People in a closed loop: each does the next thing when the last was answered, and notes how long that took."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bot.bench.scripts import SCRIPTS, Script, Step

PATIENCE = 30.0
MISSED_SHOWN = 3
SENT_AT = 1_790_000_000  # what Telegram writes as the date of a message; nothing here reads it

Send = Callable[[dict[str, Any]], None]


@dataclass(slots=True)
class Tally:
    """What one conversation came to: seconds until each answer, and what went wrong."""

    latencies: list[float] = field(default_factory=list)
    lost: int = 0
    duplicated: int = 0
    others: int = 0
    calls: int = 0


class Person:
    """One phone."""

    def __init__(self, crowd: Crowd, number: int, name: str) -> None:
        self.crowd, self.name = crowd, name
        self.chat_id = 100_000 + number
        self._script: Script = SCRIPTS[name](number)
        self._step: Step | None = None
        self._asked_at = 0.0
        self._answered_by = self._last_words = ""
        self._late: asyncio.TimerHandle | None = None
        self._buttons: list[tuple[str, str]] = []
        self._below = 0
        self._from = {"id": self.chat_id, "is_bot": False, "first_name": "Ana", "language_code": "pt-br"}
        self._chat = {"id": self.chat_id, "type": "private", "first_name": "Ana"}
        self._number = 1
        self._other = ""

    @property
    def tally(self) -> Tally:
        return self.crowd.tallies[self.name]

    def act(self) -> None:
        """Do the next thing."""
        step = self._step = self._script.send(self._last_words) if self._answered_by else next(self._script)
        self._answered_by = "-"
        self._asked_at = perf_counter()  # uvloop's own time is rounded to milliseconds
        self._late = asyncio.get_running_loop().call_later(PATIENCE, self._gives_up)
        self._number += 1
        self.crowd.send(self._update(step))

    def hears(self, text: str, message_id: int, keyboard: list[list[dict[str, Any]]] | None, *, edited: bool) -> None:
        """Get a message, or see one change."""
        tally, step = self.tally, self._step
        if step is not None and any(words in text for words in step.until):
            if keyboard is not None:
                self._buttons = [(b["text"], b.get("callback_data", "")) for row in keyboard for b in row]
                self._below = message_id
            tally.latencies.append(perf_counter() - self._asked_at)
            self._step = None
            if self._late is not None:
                self._late.cancel()
            self._last_words = text
            self.crowd.free(self)
        elif text == self._last_words and not edited:
            tally.duplicated += 1
        else:
            tally.others += 1
            self._other = text

    def _gives_up(self) -> None:
        """Nobody answered: begin anew."""
        self.tally.lost += 1
        if len(self.crowd.missed) < MISSED_SHOWN:
            self.crowd.missed.append(f"{self.name}: {self._step} after {self._last_words!r}; then {self._other!r}")
        self._step = None
        self._answered_by = self._last_words = ""
        self._script = SCRIPTS[self.name](self.chat_id)
        self.crowd.free(self)

    def _update(self, step: Step) -> dict[str, Any]:
        if step.press is not None:
            return {
                "callback_query": {
                    "id": f"{self.chat_id}-{self._number}",
                    "from": self._from,
                    "chat_instance": "1",
                    "message": {
                        "message_id": self._below,
                        "date": SENT_AT,
                        "chat": self._chat,
                        "from": {"id": 1, "is_bot": True, "first_name": "Bot"},
                        "text": "?",
                    },
                    "data": self._data(step.press),
                }
            }
        message: dict[str, Any] = {
            "message_id": self.crowd.message_id(),
            "from": self._from,
            "chat": self._chat,
            "date": SENT_AT,
        }
        if step.photo:
            name = f"{self.chat_id}-{self._number}"
            size = {"file_id": name, "file_unique_id": name, "width": 1280, "height": 960, "file_size": 60_000}
            message["photo"] = [{**size, "width": 90, "height": 67, "file_size": 1200}, size]
        else:
            message["text"] = step.text
            if step.text.startswith("/"):
                message["entities"] = [{"type": "bot_command", "offset": 0, "length": len(step.text.split()[0])}]
        return {"message": message}

    def _data(self, press: str | int) -> str:
        if isinstance(press, int):
            return self._buttons[press][1]
        return next((data for label, data in self._buttons if label.startswith(press)), "none:such")


class Crowd:
    """All people of one bot. ``rate`` is how many updates a second they make together; ``None`` for all they can."""

    def __init__(self, people: dict[str, int], send: Send, message_id: Callable[[], int]) -> None:
        self.send, self.message_id = send, message_id
        self.tallies: dict[str, Tally] = defaultdict(Tally)
        names = [name for name, number in people.items() for _ in range(number)]
        self.people = {p.chat_id: p for p in (Person(self, at, name) for at, name in enumerate(names))}
        self._waiting = list(self.people.values())
        self._running = False
        self._paced = False
        self._calm = asyncio.Event()
        self.missed: list[str] = []
        self.calls: dict[str, int] = defaultdict(int)

    async def run(self, seconds: float, rate: float | None) -> dict[str, Any]:
        """Let them go for ``seconds`` and end what they began; tell what came of it."""
        self.tallies.clear()
        self.calls.clear()
        loop = asyncio.get_running_loop()
        self._running, self._paced = True, rate is not None
        began = loop.time()
        if rate is None:
            waiting, self._waiting = self._waiting, []
            for person in waiting:
                person.act()
            await asyncio.sleep(seconds)
        else:
            for number in range(int(seconds * rate)):
                await asyncio.sleep(max(began + number / rate - loop.time(), 0))
                if self._waiting:
                    self._waiting.pop(0).act()
        self._running = False
        answered_by_then = sum(len(tally.latencies) for tally in self.tallies.values())
        took = loop.time() - began
        while len(self._waiting) < len(self.people):
            self._calm.clear()
            await self._calm.wait()
        return {
            "seconds": took,
            "answered": answered_by_then,
            "whole_seconds": loop.time() - began,
            "conversations": {
                name: {
                    "latencies": tally.latencies,
                    "lost": tally.lost,
                    "duplicated": tally.duplicated,
                    "others": tally.others,
                }
                for name, tally in self.tallies.items()
            },
            "calls": dict(self.calls),
            "missed": self.missed,
        }

    def free(self, person: Person) -> None:
        """Somebody was answered."""
        if self._running and not self._paced:
            person.act()
            return
        self._waiting.append(person)
        self._calm.set()

    def heard(self, method: str, chat_id: int, text: str, message_id: int, markup: str) -> None:
        """Let the bot's call arrive."""
        self.calls[method] += 1
        person = self.people.get(chat_id)
        if person is None or method not in ("sendMessage", "editMessageText"):
            return
        keyboard = json.loads(markup).get("inline_keyboard") if markup else None
        person.hears(text, message_id, keyboard, edited=method == "editMessageText")
