"""The address to which Telegram sends updates: 200 when they are stored, and only then.

Where the update is a press that nothing waits before, the answer to it is in the response: a request less.
"""

from __future__ import annotations

import hmac
import json
from urllib.parse import urlsplit

from aiohttp import web
from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from bot.intake import ALLOWED, Inlet, TokenRefused, received_from
from bot.logs import get_logger
from bot.outage import Outage
from bot.speech import call_for

log = get_logger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the header's name
LARGEST_UPDATE = 1024 * 1024
CONNECTIONS = 40


class Webhook:
    """One aiohttp endpoint on the path of ``url``; everything else there is not found."""

    def __init__(self, bot: Bot, inlet: Inlet, outage: Outage, *, url: str, secret: str, port: int) -> None:
        self._bot, self._inlet, self._outage = bot, inlet, outage
        self._url, self._secret, self.port = url, secret.encode(), port
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen, then tell Telegram where.

        Raises:
            TokenRefused: Telegram does not know this bot's token.
            OSError: The port is taken.
        """
        app = web.Application(client_max_size=LARGEST_UPDATE)
        app.router.add_post(urlsplit(self._url).path or "/", self._receive)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=5)
        await self._runner.setup()
        await web.TCPSite(self._runner, port=self.port).start()
        self.port = self._runner.addresses[0][1]
        try:
            await self._bot.set_webhook(
                self._url,
                secret_token=self._secret.decode(),
                allowed_updates=ALLOWED,
                max_connections=CONNECTIONS,
            )
        except InvalidToken as error:
            raise TokenRefused(error.message) from error
        except TelegramError as error:
            log.error("webhook_not_set", code=type(error).__name__)

    async def stop(self) -> None:
        """Stop listening; Telegram keeps what it cannot deliver for a day."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _receive(self, request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._secret):
            log.warning("webhook_forged")
            return web.Response(status=403)
        try:
            received = received_from(json.loads(await request.read()))
        except (ValueError, AttributeError):
            return web.Response(status=400)
        try:
            answer = await self._inlet.answer(received)
        except Exception as error:
            self._outage.begins(error, [received])
            return web.Response(status=500)
        if answer is None:
            return web.Response()
        method, parameters = call_for(answer)
        return web.json_response({"method": method, **parameters})
