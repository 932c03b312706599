"""Posts JSON to one server over connections kept open: HTTP/1.1 with what a call of the Bot API needs, and no more.

A client for every purpose spends more on such a call than everything else that an answer takes: it writes, sends and
reads a request through a dozen objects. Files still go through one.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from functools import lru_cache
from typing import cast
from urllib.parse import quote, urlsplit

KEEP = 50.0
"""Seconds after which a connection at rest is not trusted any more: servers close theirs at sixty or later."""
LARGEST_HEAD = 64 * 1024
LARGEST_BODY = 32 * 1024 * 1024


class Broken(ConnectionError):
    """The connection ended before the answer did, or what came over it was no answer."""


class Connection(asyncio.Protocol):
    """One connection, on which one call at a time is under way."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._received = bytearray()
        self._late: asyncio.TimerHandle | None = None
        self.rested_at = 0.0
        self.reusable = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are of no class that could be asked for

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport, self.reusable = None, False
        self._fail(Broken("the connection was closed"))

    def eof_received(self) -> None:
        self.reusable = False

    def data_received(self, data: bytes) -> None:
        if self._answer is None:  # nobody asked: a server that says goodbye, or one that cannot be followed
            self.close()
            return
        self._received += data
        try:
            read = _read(self._received)
        except ValueError:
            self._fail(Broken("no answer in HTTP"))
            self.close()
            return
        if read is None:
            return
        status, body, keep, rest = read
        if rest or not keep:
            self.close()
        self._received.clear()
        if not self._answer.done():
            self._answer.set_result((status, body))

    async def call(self, request: bytes, patience: float | None) -> tuple[int, bytes]:
        """Send ``request`` and return status and body of its answer.

        Raises:
            TimeoutError: No answer within ``patience`` seconds.
            Broken: The connection ended; whether the server did what it was asked is not known.
        """
        if self._transport is None:
            raise Broken("the connection was closed")
        self._answer = self._loop.create_future()
        if patience is not None:
            self._late = self._loop.call_later(patience, self._fail, TimeoutError())
        answered = False
        try:
            self._transport.write(request)
            answer = await self._answer
            answered = True
            return answer
        finally:
            self._answer = None
            if self._late is not None:
                self._late.cancel()
                self._late = None
            if not answered:
                self.close()

    def close(self) -> None:
        """Use it no more."""
        self.reusable = False
        if self._transport is not None:
            self._transport.abort()

    def _fail(self, error: Exception) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)


class Calls:
    """Connections to whatever servers are called, at most ``connections`` with a call under way."""

    def __init__(self, *, connections: int, agent: str) -> None:
        self._room = asyncio.Semaphore(connections)
        self._agent = agent
        self._idle: dict[tuple[str, str, int], list[Connection]] = {}
        self._tls: ssl.SSLContext | None = None
        self._head = lru_cache(maxsize=256)(self._head_for)

    async def post(self, url: str, body: bytes, *, patience: float | None, connect: float) -> tuple[int, bytes]:
        """Post JSON; ``connect`` bounds the making of a connection, ``patience`` the wait for the answer, in seconds.

        Raises:
            TimeoutError: It took longer.
            OSError: The server cannot be reached, or the connection broke (:class:`Broken`).
        """
        server, head = self._head(url)
        async with self._room:
            connection = self._rested(server) or await self._connect(server, connect)
            answer = await connection.call(b"%b%d\r\n\r\n%b" % (head, len(body), body), patience)
            if connection.reusable:
                connection.rested_at = asyncio.get_running_loop().time()
                self._idle.setdefault(server, []).append(connection)
            return answer

    def close(self) -> None:
        """Close what is open."""
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()

    def _rested(self, server: tuple[str, str, int]) -> Connection | None:
        idle = self._idle.get(server)
        oldest = asyncio.get_running_loop().time() - KEEP
        while idle:
            connection = idle.pop()
            if connection.reusable and connection.rested_at > oldest:
                return connection
            connection.close()
        return None

    async def _connect(self, server: tuple[str, str, int], seconds: float) -> Connection:
        scheme, host, port = server
        tls = None
        if scheme == "https":
            tls = self._tls = self._tls or ssl.create_default_context()
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(seconds):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # a network without IPv6 often has its addresses all the same, and loses what is sent there
        found.sort(key=lambda one: one[0] != socket.AF_INET)
        trouble: OSError = Broken("no address")
        for *_, address in found:
            name = host if tls is not None else None
            try:
                async with asyncio.timeout(seconds):
                    _, made = await loop.create_connection(
                        Connection, str(address[0]), int(address[1]), ssl=tls, server_hostname=name
                    )
            except OSError as error:
                trouble = error
            else:
                return made
        raise trouble

    def _head_for(self, url: str) -> tuple[tuple[str, str, int], bytes]:
        parts = urlsplit(url)
        host = parts.hostname or ""
        server = (parts.scheme, host, parts.port or (443 if parts.scheme == "https" else 80))
        head = (
            f"POST {quote(parts.path, safe='/:%')} HTTP/1.1\r\nHost: {parts.netloc.rpartition('@')[2]}\r\n"
            f"User-Agent: {self._agent}\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
            "Content-Length: "
        )
        return server, head.encode("ascii")


def _read(received: bytearray) -> tuple[int, bytes, bool, bool] | None:
    """Return status, body, whether the connection stays open and whether more came; ``None`` for not yet.

    Raises:
        ValueError: This is no answer in HTTP/1.1, or one without an end.
    """
    end = received.find(b"\r\n\r\n")
    if end < 0:
        if len(received) > LARGEST_HEAD:
            raise ValueError("a head without an end")
        return None
    first, _, lines = bytes(received[:end]).partition(b"\r\n")
    version, _, rest = first.partition(b" ")
    if not version.startswith(b"HTTP/1."):
        raise ValueError("not HTTP/1")
    status = int(rest[:3])
    fields = {}
    for line in lines.lower().split(b"\r\n"):
        name, _, value = line.partition(b":")
        fields[name] = value.strip()
    keep = version == b"HTTP/1.1" and fields.get(b"connection") != b"close"
    start = end + 4
    if b"transfer-encoding" in fields:
        return _chunked(received, start, status, keep)
    size = int(fields[b"content-length"]) if b"content-length" in fields else -1
    if not 0 <= size <= LARGEST_BODY:
        raise ValueError("an answer without its length")
    if len(received) < start + size:
        return None
    return status, bytes(received[start : start + size]), keep, len(received) > start + size


def _chunked(received: bytearray, at: int, status: int, keep: bool) -> tuple[int, bytes, bool, bool] | None:
    body = bytearray()
    while (line := received.find(b"\r\n", at)) >= 0:
        size = int(received[at:line].partition(b";")[0], 16)
        if not 0 <= size <= LARGEST_BODY - len(body):
            raise ValueError("too large an answer")
        start, end = line + 2, line + 2 + size
        if len(received) < end + 2:
            return None
        body += received[start:end]
        at = end + 2
        if size == 0:  # no trailers are expected: whatever else is there ends the connection
            return status, bytes(body), keep, len(received) > at
    return None
