"""The control API: what the page and the tests do with phones, clock and server."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit
from zoneinfo import ZoneInfo

from aiohttp import hdrs, web
from telegram.constants import MediaGroupLimit

from bot.sandbox.limits import START_PAYLOAD, for_the_page
from bot.sandbox.record import Record
from bot.sandbox.refusals import ControlError
from bot.sandbox.wire import Json, Upload
from bot.sandbox.world import Phone, World

PAGE = Path(__file__).parent / "page"
STATIC = "/page"
HEARTBEAT = 15.0
REVISION = "X-Sandbox-Rev"
SHOWN_INLINE = ("image/png", "image/jpeg", "audio/", "video/", "application/pdf")
CHANGEABLE = ("language_code", "first_name", "label", "note")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Control:
    """The page's side of the sandbox."""

    def __init__(
        self,
        world: World,
        record: Record,
        *,
        zone: str,
        on_restart: Callable[[], Awaitable[None]],
        on_clock_move: Callable[[datetime], Awaitable[None]] | None,
    ) -> None:
        self._world = world
        self._record = record
        self._zone = ZoneInfo(zone)
        self._on_restart = on_restart
        self._on_clock_move = on_clock_move
        self._moving = asyncio.Lock()

    def add_routes(self, app: web.Application) -> None:
        """Hang the page and the control API on the server."""
        phone = "/sandbox/phones/{id:\\d+}"
        posts: dict[str, Handler] = {
            "/sandbox/phones": self._add_phone,
            f"{phone}/send": self._send,
            f"{phone}/press": self._press,
            f"{phone}/upload": self._upload,
            f"{phone}/location": self._location,
            f"{phone}/contact": self._contact,
            f"{phone}/sticker": self._sticker,
            f"{phone}/poll": self._poll,
            f"{phone}/edit": self._edit,
            f"{phone}/open": self._open,
            f"{phone}/block": self._block,
            f"{phone}/unblock": self._unblock,
            f"{phone}/read": self._read,
            "/sandbox/clock": self._move_clock,
            "/sandbox/restart": self._restart,
            "/sandbox/fault": self._fault,
        }
        for path, handler in posts.items():
            app.router.add_post(path, self._route(handler))
        app.router.add_patch(phone, self._route(self._change_phone))
        app.router.add_get("/", self._page)
        app.router.add_get("/sandbox/state", self._state)
        app.router.add_get("/sandbox/events", self._route(self._events))
        app.router.add_get("/sandbox/files/{file_id}", self._route(self._file))
        app.router.add_get("/sandbox/log", self._log)
        app.router.add_static(STATIC, PAGE)
        app.on_response_prepare.append(_ask_again)

    def _route(self, handler: Handler) -> Handler:
        """Answer refusals as JSON, and say which revision the request found: what it caused is newer."""

        @functools.wraps(handler)
        async def handled(request: web.Request) -> web.StreamResponse:
            found = str(self._world.events.rev)
            try:
                response = await handler(request)
            except ControlError as error:
                response = web.json_response({"error": error.sentence}, status=error.status)
            if not response.prepared:
                response.headers[REVISION] = found
            return response

        return handled

    def tell_the_time(self) -> None:
        """Emit the clock to the page."""
        self._world.events.emit("clock", **self._clock())

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    async def _state(self, request: web.Request) -> web.StreamResponse:
        world = self._world
        return web.json_response(
            {
                "rev": world.events.rev,
                "bot": {key: world.me[key] for key in ("id", "username", "first_name")},
                "clock": self._clock(),
                "phones": [world.describe(phone) for phone in world.shown()],
                "limits": for_the_page(),
            }
        )

    async def _events(self, request: web.Request) -> web.StreamResponse:
        since = request.headers.get("Last-Event-ID") or request.query.get("since", "0")
        if not since.isdigit():
            raise ControlError("since deve ser um número.")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        async for change in self._world.events.follow(int(since), heartbeat=HEARTBEAT):
            line = f"id: {change['rev']}\ndata: {json.dumps(change)}\n\n" if change else ": still here\n\n"
            await response.write(line.encode())
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        stored = self._world.files.get(request.match_info["file_id"])
        if stored is None:
            raise ControlError("Este arquivo não existe.", status=HTTPStatus.NOT_FOUND)
        shown = "inline" if stored.mime.startswith(SHOWN_INLINE) else "attachment"
        name = quote(stored.name or stored.path.rpartition("/")[2])
        headers = {
            "Content-Type": stored.mime if shown == "inline" else "application/octet-stream",
            "Content-Disposition": f"{shown}; filename*=UTF-8''{name}",
            "Content-Security-Policy": "sandbox; default-src 'none'",
        }
        return web.Response(body=stored.data, headers=headers)

    async def _log(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(
            {
                "errors": self._record.errors,
                "calls": dict(self._record.counts),
                "unanswered_callbacks": list(self._world.presses),
            }
        )

    async def _add_phone(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        name = str(values.get("first_name") or "").strip()
        if not name:
            raise ControlError("Diga o nome da pessoa.")
        phone = self._world.add_phone(
            name,
            language_code=str(values.get("language_code") or "pt-br"),
            label=str(values.get("label") or ""),
            note=str(values.get("note") or ""),
        )
        return web.json_response(self._world.describe(phone))

    async def _change_phone(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        if unknown := values.keys() - set(CHANGEABLE):
            raise ControlError(f"Isto não se muda num telefone: {', '.join(sorted(unknown))}.")
        phone = self._world.phone(_id(request))
        self._world.change(phone, **{key: str(value) for key, value in values.items()})
        return self._described(phone)

    async def _send(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        text = str(values.get("text") or "")
        return web.json_response(self._world.send_text(_id(request), text, reply_to=values.get("reply_to")))

    async def _open(self, request: web.Request) -> web.StreamResponse:
        url = urlsplit(str((await _body(request)).get("url") or ""))
        if url.hostname != "t.me" or url.path.strip("/") != self._world.me["username"]:
            raise ControlError("Este endereço não abre este bot.")
        payload = parse_qs(url.query, keep_blank_values=True).get("start", [""])[0]
        if payload and not START_PAYLOAD.fullmatch(payload):
            raise ControlError("O Telegram não aceita este parâmetro de início.")
        return web.json_response(self._world.send_text(_id(request), f"/start {payload}"))

    async def _press(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        callback_id = self._world.press(
            _id(request),
            _integer(values, "message_id"),
            str(values.get("data") or ""),
            forge=bool(values.get("forge")),
        )
        return web.json_response({"callback_id": callback_id})

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        try:
            form = await request.post()
        except web.HTTPRequestEntityTooLarge as error:
            raise ControlError("O arquivo é grande demais.", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE) from error
        uploads = [
            Upload(part.filename, part.content_type, part.file.read())
            for part in form.getall("file", [])
            if isinstance(part, web.FileField)
        ]
        if len(uploads) > MediaGroupLimit.MAX_MEDIA_LENGTH:
            raise ControlError(f"Um álbum tem no máximo {int(MediaGroupLimit.MAX_MEDIA_LENGTH)} arquivos.")
        messages = self._world.send_files(
            _id(request), str(form.get("kind", "")), uploads, caption=str(form.get("caption", ""))
        )
        return web.json_response({"messages": messages})

    async def _location(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        try:
            latitude, longitude = float(values["latitude"]), float(values["longitude"])
        except (KeyError, TypeError, ValueError) as error:
            raise ControlError("Diga latitude e longitude.") from error
        if abs(latitude) > 90 or abs(longitude) > 180:
            raise ControlError("Esse lugar não existe no mapa.")
        content = {"location": {"latitude": latitude, "longitude": longitude}}
        return web.json_response(self._world.send(_id(request), content))

    async def _contact(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        phone = self._world.phone(_id(request))
        number, name = values.get("phone_number"), values.get("first_name")
        contact: Json = {"phone_number": number or phone.phone_number, "first_name": name or phone.first_name}
        if not number:
            contact["user_id"] = phone.id
        return web.json_response(self._world.send(phone.id, {"contact": contact}))

    async def _sticker(self, request: web.Request) -> web.StreamResponse:
        sticker = {
            "file_id": "CAACAgIAAxkBAAE",
            "file_unique_id": "AgADAQAD",
            "type": "regular",
            "width": 512,
            "height": 512,
            "is_animated": False,
            "is_video": False,
            "emoji": "👍",
        }
        return web.json_response(self._world.send(_id(request), {"sticker": sticker}))

    async def _poll(self, request: web.Request) -> web.StreamResponse:
        options = [{"persistent_id": str(n), "text": text, "voter_count": 0} for n, text in enumerate(("Sim", "Não"))]
        poll = {
            "id": "5000000000000000001",
            "question": "Vai chover?",
            "options": options,
            "total_voter_count": 0,
            "is_closed": False,
            "is_anonymous": True,
            "type": "regular",
            "allows_multiple_answers": False,
            "allows_revoting": True,
            "members_only": False,
        }
        return web.json_response(self._world.send(_id(request), {"poll": poll}))

    async def _edit(self, request: web.Request) -> web.StreamResponse:
        values = await _body(request)
        number = _integer(values, "message_id")
        return web.json_response(self._world.edit_text(_id(request), number, str(values.get("text") or "")))

    async def _block(self, request: web.Request) -> web.StreamResponse:
        return self._described(self._world.block(_id(request)))

    async def _unblock(self, request: web.Request) -> web.StreamResponse:
        return self._described(self._world.unblock(_id(request)))

    async def _read(self, request: web.Request) -> web.StreamResponse:
        phone = self._world.phone(_id(request))
        self._world.change(phone, unread=0)
        return self._described(phone)

    async def _move_clock(self, request: web.Request) -> web.StreamResponse:
        target = self._target(await _body(request))
        if self._on_clock_move is None:
            raise ControlError("Este relógio não se move.", status=HTTPStatus.CONFLICT)
        if self._moving.locked():
            raise ControlError("O relógio já está andando; espere.", status=HTTPStatus.CONFLICT)
        if target < self._world.now():
            raise ControlError("O relógio só anda para a frente.")
        async with self._moving:
            await self._on_clock_move(target)
        self.tell_the_time()
        return web.json_response(self._clock())

    async def _restart(self, request: web.Request) -> web.StreamResponse:
        async with self._moving:
            self._world.clear()
            await self._on_restart()
        self._world.events.emit("reset")
        return web.json_response({"ok": True})

    async def _fault(self, request: web.Request) -> web.StreamResponse:
        self._record.add_fault({"method": "*", **await _body(request)})
        return web.json_response({"ok": True})

    def _clock(self) -> Json:
        return {"now": self._world.now().astimezone(UTC).isoformat(), "zone": self._zone.key}

    def _target(self, values: Json) -> datetime:
        local = self._world.now().astimezone(self._zone)
        try:
            if "add_days" in values:
                return (local + timedelta(days=float(values["add_days"]))).astimezone(UTC)
            if "add_hours" in values:
                return self._world.now() + timedelta(hours=float(values["add_hours"]))
            target = datetime.fromisoformat(str(values["to"]))
            return (target if target.tzinfo else target.replace(tzinfo=self._zone)).astimezone(UTC)
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            raise ControlError("Diga para quando: add_days, add_hours ou to.") from error

    def _described(self, phone: Phone) -> web.Response:
        return web.json_response(self._world.describe(phone, messages=False))


async def _ask_again(request: web.Request, response: web.StreamResponse) -> None:
    """Let browsers keep the page's files, but ask each time whether they are still the newest."""
    if request.path.startswith(f"{STATIC}/"):
        response.headers[hdrs.CACHE_CONTROL] = "no-cache"


async def _body(request: web.Request) -> dict[str, Any]:
    if not request.can_read_body:
        return {}
    try:
        body = await request.json()
    except ValueError as error:
        raise ControlError("O pedido não é JSON.") from error
    if not isinstance(body, dict):
        raise ControlError("O pedido não é um objeto JSON.")
    return body


def _id(request: web.Request) -> int:
    return int(request.match_info["id"])


def _integer(values: Json, key: str) -> int:
    value = values.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ControlError(f"{key} deve ser um número.")
    return value
