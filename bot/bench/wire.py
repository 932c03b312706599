"""HTTP/1.1 with nothing but what a measurement needs, so that Telegram's side never is what is measured."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import TypeAlias, cast
from urllib.parse import unquote_plus

Reply: TypeAlias = Callable[[int, bytes], None]
Serve: TypeAlias = Callable[[bytes, bytes, Reply], None]
"""Take path and body of a request; answer by calling the reply, now or later."""
Answered: TypeAlias = Callable[[int, bytes], None]

REASONS = {200: b"OK", 400: b"Bad Request", 403: b"Forbidden", 404: b"Not Found", 500: b"Internal Server Error"}


class Stream(asyncio.Protocol):
    """Cuts a stream of bytes into messages by their Content-Length."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)  # uvloop's are of no class that could be asked for

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    def data_received(self, data: bytes) -> None:
        self._bytes += data
        while (end := self._bytes.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._bytes[:end])
            size = _length(head)
            if len(self._bytes) < end + 4 + size:
                return
            body = bytes(self._bytes[end + 4 : end + 4 + size])
            del self._bytes[: end + 4 + size]
            self.message(head, body)

    def message(self, head: bytes, body: bytes) -> None:
        """Take one message."""

    def write(self, data: bytes) -> None:
        """Send, if anybody still listens."""
        if self._transport is not None:
            self._transport.write(data)


class Served(Stream):
    """One connection of a client; clients here never ask a second time before they were answered."""

    def __init__(self, serve: Serve) -> None:
        super().__init__()
        self._serve = serve

    def message(self, head: bytes, body: bytes) -> None:
        path = head.split(b" ", 2)[1]
        self._serve(path, body, self._reply)

    def _reply(self, status: int, body: bytes) -> None:
        reason = REASONS.get(status, b"?")
        self.write(b"HTTP/1.1 %d %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
            status, reason, len(body), body))  # fmt: skip


class Caller(Stream):
    """One connection to a webhook."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: Answered | None = None

    def message(self, head: bytes, body: bytes) -> None:
        answered, self.answered = self.answered, None
        if answered is not None:
            answered(int(head.split(b" ", 2)[1]), body)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        answered, self.answered = self.answered, None
        if answered is not None:
            answered(0, b"")


class Calls:
    """Posts to one address over a few connections, each with one request at a time, as Telegram does."""

    def __init__(self, host: str, port: int, head: bytes, connections: int) -> None:
        self._host, self._port, self._head, self._room = host, port, head, connections
        self._idle: list[Caller] = []
        self._waiting: deque[tuple[bytes, Answered]] = deque()
        self._opening: set[asyncio.Task[None]] = set()

    def post(self, body: bytes, answered: Answered) -> None:
        """Send ``body`` as soon as a connection is free."""
        self._waiting.append((body, answered))
        self._next()

    def _next(self) -> None:
        while self._waiting and self._idle:
            self._send(self._idle.pop(), *self._waiting.popleft())
        if self._waiting and self._room > 0:
            self._room -= 1
            task = asyncio.create_task(self._open())
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _open(self) -> None:
        try:
            _, caller = await asyncio.get_running_loop().create_connection(Caller, self._host, self._port)
        except OSError:
            await asyncio.sleep(0.05)
            self._room += 1
        else:
            self._idle.append(caller)
        self._next()

    def _send(self, caller: Caller, body: bytes, answered: Answered) -> None:
        def done(status: int, answer: bytes) -> None:
            if status:
                self._idle.append(caller)
                answered(status, answer)
            else:  # the connection broke: Telegram tries again
                self._room += 1
                self._waiting.append((body, answered))
            self._next()

        caller.answered = done
        caller.write(b"%bContent-Length: %d\r\n\r\n%b" % (self._head, len(body), body))


def form(body: bytes) -> dict[str, str]:
    """Read a body: JSON, or urlencoded."""
    if body[:1] == b"{":
        return {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in json.loads(body).items()
        }
    pairs = (part.partition("=") for part in body.decode().split("&") if part)
    return {name: unquote_plus(value) for name, _, value in pairs}


def _length(head: bytes) -> int:
    lower = head.lower()
    at = lower.find(b"content-length:")
    if at < 0:
        return 0
    end = lower.find(b"\r\n", at)
    return int(lower[at + 15 : end if end >= 0 else None])
