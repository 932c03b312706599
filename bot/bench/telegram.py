"""An invented Telegram in a process of its own: ``python -m bot.bench.telegram`` prints its port and serves.

It takes any bot by its token, checks nothing, and answers as little as PTB accepts. ``/bench/<command>`` is the
measurement's own door.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

from bot.bench.people import SENT_AT, Crowd
from bot.bench.wire import Calls, Reply, Served, form
from bot.loop import run

SECRET_HEADER = b"X-Telegram-Bot-Api-Secret-Token"
CONNECTIONS = 40
AGAIN = 1.0  # seconds until an update that was not taken is brought again
BATCH = 100
PHOTO = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + b"\x5a" * 60_000


class Line:
    """What Telegram knows of one bot."""

    def __init__(self, token: str, exchange: Exchange) -> None:
        self.token, self._exchange = token, exchange
        self.crowd: Crowd | None = None
        self._updates: deque[tuple[int, bytes]] = deque()
        self._update_id = self._message_id = 0
        self._asks: Reply | None = None
        self._calls: Calls | None = None
        self._handing: asyncio.Handle | None = None
        self.sent = 0

    def next_message(self) -> int:
        """Return a number for a message."""
        self._message_id += 1
        return self._message_id

    def put(self, update: dict[str, Any]) -> None:
        """Let somebody's update wait for the bot, or be told to it."""
        self._update_id += 1
        body = json.dumps({"update_id": self._update_id, **update}).encode()
        if self._calls is None:
            self._updates.append((self._update_id, body))
            self._hand_over()
        else:
            self._exchange.later(self._exchange.delay / 2, self._tell, body)

    def keep(self, first: int, chats: int, each: int) -> None:
        """Let each of many people write many times, as while the bot was away; each line is answered by one message."""
        for number in range(each):
            for chat_id in range(first, first + chats):
                sender = {"id": chat_id, "is_bot": False, "first_name": "Ana", "language_code": "pt-br"}
                chat = {"id": chat_id, "type": "private", "first_name": "Ana"}
                message = {"message_id": self.next_message(), "from": sender, "chat": chat, "date": SENT_AT}
                self._update_id += 1
                update = {"update_id": self._update_id, "message": message | {"text": f"bom dia {number}"}}
                self._updates.append((self._update_id, json.dumps(update).encode()))

    @property
    def waiting(self) -> int:
        """How many updates nobody has acknowledged."""
        return len(self._updates)

    def _tell(self, body: bytes) -> None:
        if self._calls is not None:
            self._calls.post(body, lambda status, answer: self._told(body, status, answer))

    def _told(self, body: bytes, status: int, answer: bytes) -> None:
        if status != 200:
            self._exchange.later(AGAIN, self._tell, body)
        elif answer:
            said = json.loads(answer)
            self.call(said.pop("method"), {name: _text(value) for name, value in said.items()})

    def ask(self, params: dict[str, str], reply: Reply) -> None:
        """``getUpdates``."""
        offset = int(params.get("offset", 0))
        while self._updates and self._updates[0][0] < offset:
            self._updates.popleft()
        self._asks = reply
        if self._updates:
            self._hand_over()
        elif not int(params.get("timeout", 0)):
            self._asks = None
            reply(200, b'{"ok":true,"result":[]}')

    def _hand_over(self) -> None:
        # whatever people do in the same moment arrives together
        if self._asks is not None and self._handing is None:
            self._handing = asyncio.get_running_loop().call_later(self._exchange.delay / 2, self._answer)

    def _answer(self) -> None:
        reply, self._asks, self._handing = self._asks, None, None
        if reply is not None:
            some = [self._updates[at][1] for at in range(min(BATCH, len(self._updates)))]
            reply(200, b'{"ok":true,"result":[' + b",".join(some) + b"]}")

    def call(self, method: str, params: dict[str, str]) -> bytes:
        """Take any other call of the bot; return Telegram's answer to it."""
        if method == "getMe":
            return b'{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"Bench","username":"bench_bot"}}'
        if method == "setWebhook":
            self._listen(params)
        elif method == "deleteWebhook":
            self._calls = None
        elif method == "getFile":
            name = params["file_id"]
            return b'{"ok":true,"result":{"file_id":"%b","file_unique_id":"%b","file_path":"%b"}}' % (
                (name.encode(),) * 3
            )
        elif "chat_id" in params and method.startswith(("send", "editMessage")):
            chat_id, text = int(params["chat_id"]), params.get("text", "")
            message_id = int(params["message_id"]) if "message_id" in params else self.next_message()
            self.sent += method.startswith("send")
            if self.crowd is not None:
                self.crowd.heard(method, chat_id, text, message_id, params.get("reply_markup", ""))
            return b'{"ok":true,"result":{"message_id":%d,"date":%d,"chat":{"id":%d,"type":"private"},"text":%b}}' % (
                message_id,
                SENT_AT,
                chat_id,
                json.dumps(text).encode(),
            )
        elif self.crowd is not None:
            self.crowd.calls[method] += 1
        return b'{"ok":true,"result":true}'

    def _listen(self, params: dict[str, str]) -> None:
        if not params.get("url"):
            self._calls = None
            return
        url = urlsplit(params["url"])
        head = "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{}: {}\r\n".format(
            url.path or "/", url.netloc, SECRET_HEADER.decode(), params.get("secret_token", "")
        )
        self._calls = Calls(url.hostname or "", url.port or 80, head.encode(), CONNECTIONS)
        while self._updates:
            self._tell(self._updates.popleft()[1])


class Exchange:
    """All bots. ``delay`` is the round trip that every request of theirs takes, in seconds."""

    def __init__(self) -> None:
        self.delay = 0.0
        self.lines: dict[str, Line] = {}
        self._commands: set[asyncio.Task[None]] = set()

    def later(self, seconds: float, do: Callable[..., object], *given: object) -> None:
        """Do something after a while, or now."""
        if seconds:
            asyncio.get_running_loop().call_later(seconds, do, *given)
        else:
            do(*given)

    def serve(self, path: bytes, body: bytes, reply: Reply) -> None:
        """Answer one request."""
        parts = path.decode().partition("?")
        words = parts[0].split("/")
        if words[1] == "bench":
            self._spawn(self._command(words[2], json.loads(body or b"{}"), reply))
        elif words[1] == "file":
            self.later(self.delay, reply, 200, PHOTO + words[-1].encode())
        else:
            line = self._line(words[1].removeprefix("bot"))
            params = form(body) | form(parts[2].encode())
            if words[2] == "getUpdates":
                line.ask(params, reply)
            elif self.delay:
                self.later(self.delay / 2, self._arrive, line, words[2], params, reply)
            else:
                reply(200, line.call(words[2], params))

    def _arrive(self, line: Line, method: str, params: dict[str, str], reply: Reply) -> None:
        self.later(self.delay / 2, reply, 200, line.call(method, params))

    def _line(self, token: str) -> Line:
        return self.lines.setdefault(token, Line(token, self))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)

    async def _command(self, name: str, given: dict[str, Any], reply: Reply) -> None:
        line = self._line(given.get("token", ""))
        answer: Any = {}
        match name:
            case "people":
                line.crowd = Crowd(given["people"], line.put, line.next_message)
            case "run" if line.crowd is not None:
                self.delay = given["delay"]
                answer = await line.crowd.run(given["seconds"], given.get("rate"))
                self.delay = 0.0
            case "keep":
                line.keep(given["first"], given["chats"], given["each"])
            case "state":
                answer = {"waiting": line.waiting, "sent": line.sent}
        reply(200, json.dumps(answer).encode())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


async def main() -> None:
    """Serve until standard input is closed: whoever started this process is gone then."""
    loop = asyncio.get_running_loop()
    exchange = Exchange()
    server = await loop.create_server(lambda: Served(exchange.serve), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    run(main())
