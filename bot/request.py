"""Requests to the Bot API on aiohttp, behind PTB's own seam for it."""

from __future__ import annotations

import io
import json
import os
from typing import IO, Any, cast

import aiohttp
from telegram import Bot
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

# PTB gives durations (retry_after among them) as timedelta only when asked so
os.environ.setdefault("PTB_TIMEDELTA", "true")

READ, WRITE, CONNECT, POOL = 15.0, 20.0, 5.0, 10.0
"""Seconds; an upload or download of a file may take :data:`MEDIA`."""
MEDIA = 60.0


class AiohttpRequest(BaseRequest):
    """One session with keep-alive for all that a bot asks."""

    def __init__(self, *, connections: int = 64) -> None:
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds to wait for an answer when a call names none."""
        return READ

    async def initialize(self) -> None:
        """Open the session."""
        if self._session is None or self._session.closed:
            connector = aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=60)
            self._session = aiohttp.ClientSession(
                connector=connector,
                headers={"User-Agent": self.USER_AGENT},
                cookie_jar=aiohttp.DummyCookieJar(),
            )

    async def shutdown(self) -> None:
        """Close the session and its connections."""
        if self._session is not None:
            await self._session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Ask once; the session answers trouble of the network with PTB's own errors."""
        if self._session is None or self._session.closed:
            raise RuntimeError("this request is not initialized")
        uploads = request_data is not None and request_data.contains_files
        moves_file = uploads or request_data is None
        read = _seconds(read_timeout, READ)
        timeout = aiohttp.ClientTimeout(
            # aiohttp waits for the answer from the moment the request is sent, so writing is bounded by the total
            total=None if read is None else read + (MEDIA if moves_file else _seconds(write_timeout, WRITE) or WRITE),
            sock_connect=_seconds(connect_timeout, CONNECT),
            connect=_seconds(pool_timeout, POOL),
            sock_read=read,
        )
        try:
            async with self._session.request(method, url, data=_body(request_data), timeout=timeout) as response:
                return response.status, await response.read()
        except TimeoutError as error:
            raise TimedOut(f"{type(error).__name__} after {timeout.total} seconds at most") from error
        except (aiohttp.ClientError, OSError) as error:
            # the words of aiohttp's errors may name the address, and the address holds the token
            raise NetworkError(type(error).__name__) from None


class Ready:
    """Parameters that are JSON already, in the place of PTB's RequestData, which would look at each of them."""

    contains_files = False

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.json_payload = json.dumps(parameters).encode()


async def call(bot: Bot, method: str, parameters: dict[str, Any]) -> Any:
    """Call a method of the Bot API through a bot's request; return Telegram's result as it is.

    Raises:
        TelegramError: As from any method of PTB's ``Bot``.
    """
    return await bot.request.post(f"{bot.base_url}/{method}", cast(RequestData, Ready(parameters)))


def _seconds(given: Any, default: float) -> float | None:
    """Return a timeout as PTB passes it; only an unset one takes the default, ``None`` means without end."""
    if given is None or isinstance(given, int | float):
        return given
    return default


def _body(data: RequestData | None) -> aiohttp.BytesPayload | aiohttp.FormData | None:
    if data is None:
        return None
    if not data.contains_files:
        # made here, for a dictionary would go through a form, its quoting and a search for who can write it
        return aiohttp.BytesPayload(data.json_payload, content_type="application/json")
    form = aiohttp.FormData(quote_fields=False, default_to_multipart=True)
    for name, value in data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, media_type) in data.multipart_data.items():
        body: IO[bytes] = io.BytesIO(content) if isinstance(content, bytes) else content  # bytes would stop the loop
        form.add_field(name, body, filename=filename, content_type=media_type)
    return form
