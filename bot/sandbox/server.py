"""The local Bot API server on its real wire form; the page and its control API hang on the same port."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Protocol

from aiohttp import hdrs, web

from bot.sandbox import methods_bot, methods_change, methods_send, methods_updates
from bot.sandbox.control import Control
from bot.sandbox.guard import LOOPBACK, only_from_here
from bot.sandbox.media import FileStore
from bot.sandbox.methods import HANDLERS, Api, Request
from bot.sandbox.pace import Pace
from bot.sandbox.record import Record
from bot.sandbox.refusals import ApiError, bad_request
from bot.sandbox.updates import UpdateQueue
from bot.sandbox.wire import Call, Json, decode, proper_name, read_call
from bot.sandbox.world import World

ACTED_ON = (methods_bot, methods_change, methods_send, methods_updates)
"""The modules that fill :data:`HANDLERS` as they are imported."""
LARGEST_REQUEST = 64 * 1024 * 1024
SHUTDOWN_SECONDS = 1.0
IDS_FROM = datetime(2026, 1, 1, tzinfo=UTC)
IDS_PER_SECOND = 8


class SandboxClock(Protocol):
    """What the sandbox needs of a clock."""

    def now(self) -> datetime:
        """The present instant, in UTC."""


class Sandbox:
    """A Bot API server for one bot, with the people around it.

    Args:
        token: Of the bot; its digits before the colon are the bot's user id.
        port: To listen on; 0 takes a free one.
        clock: Dates of messages and the life of files, presses and updates follow it.
        host: A loopback address.
        on_restart: Awaited after the world was cleared; brings in the first people again.
        on_clock_move: Moves the clock and does what falls due on the way.
        zone: In which the page reads and sets the clock.
        pace: Whether too many messages a second are refused; off for benches.
        callback_life: How long a press may wait for its answer.
        first_update_id: Default: grows with the clock, so that a later sandbox does not repeat an earlier one's.
        first_retry: Seconds before a failed webhook is tried again; doubles from there.
    """

    def __init__(
        self,
        *,
        token: str,
        port: int = 0,
        clock: SandboxClock,
        host: str = "127.0.0.1",
        on_restart: Callable[[], Awaitable[None]] | None = None,
        on_clock_move: Callable[[datetime], Awaitable[None]] | None = None,
        zone: str = "America/Cuiaba",
        pace: bool = True,
        callback_life: timedelta = timedelta(seconds=30),
        first_update_id: int | None = None,
        first_retry: float = 0.5,
        name: str = "Balcão",
        username: str = "balcao_sandbox_bot",
    ) -> None:
        if host not in LOOPBACK:
            raise ValueError(f"the sandbox listens on this machine only, not on {host}")
        self._token = token
        self._host = host
        self._port = port
        self._runner: web.AppRunner | None = None
        self.url = ""
        self.record = Record()
        updates = UpdateQueue(
            now=clock.now,
            first_id=_first_update_id(clock.now()) if first_update_id is None else first_update_id,
            reply=self._run_webhook_reply,
            first_retry=first_retry,
        )
        me = {"id": int(token.partition(":")[0]), "is_bot": True, "first_name": name, "username": username}
        files = FileStore(token=token, now=clock.now)
        self.world = World(me=me, now=clock.now, files=files, updates=updates, callback_life=callback_life)
        self._pace = Pace(clock=time.monotonic) if pace else None
        self._api = Api(self.world, self._pace)
        self._on_restart = on_restart
        self._control = Control(
            self.world, self.record, zone=zone, on_restart=self._begin_anew, on_clock_move=on_clock_move
        )

    async def start(self) -> None:
        """Listen; ``url`` is known afterwards."""
        app = web.Application(client_max_size=LARGEST_REQUEST, middlewares=[only_from_here])
        app.router.add_route("*", "/bot{token}/{method}", self._call_over_http)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        self._control.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        shown = f"[{self._host}]" if ":" in self._host else self._host
        self.url = f"http://{shown}:{self._port}"

    async def stop(self) -> None:
        """End polls, streams and webhooks, and stop listening."""
        self.world.events.close()
        await self.world.updates.close()
        if self._runner:
            await self._runner.cleanup()

    async def _begin_anew(self) -> None:
        if self._pace:
            self._pace.clear()
        if self._on_restart:
            await self._on_restart()

    async def run(self, call: Call) -> Json:
        """Act on one call and note it; the body of Telegram's answer.

        Raises:
            ApiError: The call is refused; the refusal is noted too.
        """
        try:
            name = proper_name(call.method)
            handler = HANDLERS.get(name)
            if handler is None:
                raise bad_request("method is not available in the sandbox")
            params = decode(call)
            self.record.called(name, params)
            result = await handler(Request(self._api, params, dict(call.files)))
        except ApiError as error:
            self.record.refused(call.method, error)
            raise
        return {"ok": True, "result": result}

    async def _call_over_http(self, http: web.Request) -> web.StreamResponse:
        method = http.match_info["method"]
        try:
            self._check_token(http.match_info["token"], method)
            call = await self._read(http, method)
        except ApiError as error:
            return _answer(error.body(), status=error.code)
        fault = self.record.fault_for(call)
        if fault and not fault.after:
            return _hang_up(http) if fault.drop else _answer(fault.error().body(), status=fault.status)
        try:
            response = _answer(await self.run(call))
        except ApiError as error:
            response = _answer(error.body(), status=error.code)
        if fault:
            return _hang_up(http) if fault.drop else _answer(fault.error().body(), status=fault.status)
        return response

    async def _read(self, http: web.Request, method: str) -> Call:
        try:
            return await read_call(http, method)
        except web.HTTPRequestEntityTooLarge:
            error = ApiError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Request Entity Too Large")
        except ApiError as refused:
            error = refused
        self.record.refused(method, error)
        raise error

    async def _download(self, http: web.Request) -> web.StreamResponse:
        try:
            self._check_token(http.match_info["token"], "file")
        except ApiError as error:
            return _answer(error.body(), status=error.code)
        stored = self.world.files.linked(http.match_info["path"])
        if stored is None:
            return _answer(ApiError(404, "Not Found").body(), status=404)
        return web.Response(body=stored.data, content_type="application/octet-stream")

    def _check_token(self, token: str, method: str) -> None:
        if token == self._token:
            return
        number, _, secret = token.partition(":")
        known_form = number.isdigit() and bool(secret)
        error = ApiError(401, "Unauthorized") if known_form else ApiError(404, "Not Found")
        self.record.refused(method, error)
        raise error

    async def _run_webhook_reply(self, answer: Json) -> None:
        raw = {key: value for key, value in answer.items() if key != "method"}
        try:
            await self.run(Call(str(answer["method"]), raw))
        except ApiError:
            return  # noted in the record; Telegram does not tell the bot either


def _answer(body: Json | dict[str, object], *, status: int = HTTPStatus.OK) -> web.Response:
    return web.json_response(body, status=status)


def _hang_up(http: web.Request) -> web.Response:
    if http.transport:
        http.transport.abort()
    return web.Response(headers={hdrs.CONNECTION: "close"})


def _first_update_id(now: datetime) -> int:
    return max(1, int((now - IDS_FROM).total_seconds())) * IDS_PER_SECOND % 2**30
