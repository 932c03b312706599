"""Updates on their way to the bot: kept a day, polled or pushed, in order, gone only once acknowledged."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from itertools import islice
from urllib.parse import urlsplit

import aiohttp
from telegram.constants import PollingLimit, UpdateType, WebhookLimit

from bot.sandbox.refusals import bad_request, conflict
from bot.sandbox.wire import Json

KEPT = timedelta(hours=24)
LONGEST_POLL = 50
NOT_BY_DEFAULT = (UpdateType.CHAT_MEMBER, UpdateType.MESSAGE_REACTION, UpdateType.MESSAGE_REACTION_COUNT)
DEFAULT_CONNECTIONS = 40
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header
SLOWEST_RETRY = 60.0
WEBHOOK_TIMEOUT = 30.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")
SUPERSEDED = "terminated by other getUpdates request; make sure that only one bot instance is running"
BUSY_WITH_WEBHOOK = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"

WebhookReply = Callable[[Json], Awaitable[object]]


@dataclass(frozen=True)
class Webhook:
    """Where updates are pushed to."""

    url: str
    secret: str | None = None
    max_connections: int = DEFAULT_CONNECTIONS


class UpdateQueue:
    """The updates of one bot.

    Args:
        now: The sandbox's clock.
        first_id: ``update_id`` of the first update.
        reply: Runs the method call that a webhook may answer with.
        first_retry: Seconds before a failed webhook is tried again; doubles from there.
    """

    def __init__(self, *, now: Callable[[], datetime], first_id: int, reply: WebhookReply, first_retry: float) -> None:
        self._now = now
        self.next_id = first_id
        self._reply = reply
        self._first_retry = first_retry
        self._waiting: deque[tuple[datetime, Json]] = deque()
        self._changed = asyncio.Event()
        self._poll: object | None = None
        self._pushing: asyncio.Task[None] | None = None
        self._closed = False
        self.allowed: list[str] = []
        self.webhook: Webhook | None = None
        self.last_error: tuple[datetime, str] | None = None

    def push(self, kind: UpdateType, payload: Json) -> int | None:
        """Queue an update; None when the bot did not ask for this kind."""
        if kind not in self.allowed if self.allowed else kind in NOT_BY_DEFAULT:
            return None
        update_id = self.next_id
        self.next_id += 1
        self._waiting.append((self._now(), {"update_id": update_id, kind.value: payload}))
        self._wake()
        return update_id

    def pending(self, limit: int | None = None) -> list[Json]:
        """What the bot has not acknowledged, oldest first."""
        while self._waiting and self._waiting[0][0] + KEPT < self._now():
            self._waiting.popleft()
        return [update for _, update in islice(self._waiting, limit)]

    def drop(self) -> None:
        """Forget everything that waits."""
        self._waiting.clear()

    def allow(self, kinds: Sequence[object] | None) -> None:
        """Take the bot's choice of kinds; None keeps the one before, an empty list restores the default."""
        if kinds is None:
            return
        unknown = next((kind for kind in kinds if kind not in list(UpdateType)), None)
        if unknown is not None:
            raise bad_request(f"unknown update type {unknown} in allowed_updates")
        self.allowed = [str(kind) for kind in kinds]

    async def poll(self, params: Json) -> list[Json]:
        """Answer ``getUpdates``: acknowledge what lies before the offset, then wait for at least one update.

        Raises:
            ApiError: 409 when a webhook is set, or when another poll takes over.
        """
        if self.webhook:
            raise conflict(BUSY_WITH_WEBHOOK)
        self.allow(params.get("allowed_updates"))
        limit = min(max(params.get("limit", PollingLimit.MAX_LIMIT), PollingLimit.MIN_LIMIT), PollingLimit.MAX_LIMIT)
        self._acknowledge(params.get("offset", 0))
        me = self._poll = object()
        self._wake()
        loop = asyncio.get_running_loop()
        end = loop.time() + min(max(params.get("timeout", 0), 0), LONGEST_POLL)
        try:
            while not self._closed:
                ready = self.pending(limit)
                left = end - loop.time()
                if ready or left <= 0:
                    return ready
                await self._something_changes(left)
                if self._poll is not me:
                    raise conflict(SUPERSEDED)
                if self.webhook:
                    raise conflict("terminated by setWebhook request")
            return []
        finally:
            if self._poll is me:
                self._poll = None

    def set_webhook(self, params: Json) -> None:
        """Push updates to an address from now on, or stop with an empty one."""
        url = params["url"]
        secret = params.get("secret_token")
        if "certificate" in params or "ip_address" in params:
            raise bad_request("certificate and ip_address are not available in the sandbox")
        if url and (urlsplit(url).scheme not in ("http", "https") or urlsplit(url).hostname not in LOOPBACK):
            raise bad_request("bad webhook: the sandbox only calls addresses of this machine")
        if secret is not None and not _good_secret(secret):
            raise bad_request("secret token contains unallowed characters")
        connections = params.get("max_connections", DEFAULT_CONNECTIONS)
        if not WebhookLimit.MIN_CONNECTIONS_LIMIT <= connections <= WebhookLimit.MAX_CONNECTIONS_LIMIT:
            raise bad_request("max_connections must be between 1 and 100")
        self.allow(params.get("allowed_updates"))
        if params.get("drop_pending_updates"):
            self.drop()
        self.webhook = Webhook(url, secret, connections) if url else None
        self.last_error = None
        self._stop_pushing()
        if self.webhook:
            self._pushing = asyncio.create_task(self._push_all(self.webhook))
        self._wake()

    def webhook_info(self) -> Json:
        """Answer ``getWebhookInfo``."""
        info: Json = {
            "url": self.webhook.url if self.webhook else "",
            "has_custom_certificate": False,
            "pending_update_count": len(self.pending()),
        }
        if self.webhook:
            info |= {"max_connections": self.webhook.max_connections, "ip_address": "127.0.0.1"}
        if self.last_error:
            at, message = self.last_error
            info |= {"last_error_date": int(at.timestamp()), "last_error_message": message}
        if self.allowed:
            info["allowed_updates"] = self.allowed
        return info

    async def close(self) -> None:
        """End polls and pushes."""
        self._closed = True
        self._wake()
        pushing = self._pushing
        self._stop_pushing()
        if pushing:
            await asyncio.gather(pushing, return_exceptions=True)

    def _acknowledge(self, offset: int) -> None:
        if offset < 0:
            waiting = self.pending()
            offset = waiting[offset]["update_id"] if len(waiting) >= -offset else 0
        while self._waiting and self._waiting[0][1]["update_id"] < offset:
            self._waiting.popleft()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _something_changes(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return

    def _stop_pushing(self) -> None:
        if self._pushing and self._pushing is not asyncio.current_task():
            self._pushing.cancel()
        self._pushing = None

    async def _push_all(self, webhook: Webhook) -> None:
        timeout = aiohttp.ClientTimeout(total=WEBHOOK_TIMEOUT)
        retry = self._first_retry
        async with aiohttp.ClientSession(timeout=timeout) as session:
            while self.webhook is webhook and not self._closed:
                waiting = self.pending(1)
                if not waiting:
                    await self._something_changes(LONGEST_POLL)
                    continue
                try:
                    answer = await self._push(session, webhook, waiting[0])
                except (aiohttp.ClientError, TimeoutError, OSError) as error:
                    problem = "Read timeout expired" if isinstance(error, TimeoutError) else "Connection refused"
                    self.last_error = (self._now(), problem)
                except _Refused as refused:
                    self.last_error = (self._now(), f"Wrong response from the webhook: {refused}")
                else:
                    retry = self._first_retry
                    self._acknowledge(waiting[0]["update_id"] + 1)
                    if isinstance(answer, dict) and "method" in answer:
                        await self._reply(answer)
                    continue
                await asyncio.sleep(retry)
                retry = min(retry * 2, SLOWEST_RETRY)

    async def _push(self, session: aiohttp.ClientSession, webhook: Webhook, update: Json) -> object:
        headers = {SECRET_HEADER: webhook.secret} if webhook.secret else {}
        async with session.post(webhook.url, json=update, headers=headers, allow_redirects=False) as response:
            if not HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
                raise _Refused(f"{response.status} {response.reason}")
            if response.content_type != "application/json":
                return None
            try:
                return await response.json()
            except ValueError:
                return None


class _Refused(Exception):
    """The webhook answered something other than 2xx."""


def _good_secret(secret: str) -> bool:
    allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
    return 1 <= len(secret) <= WebhookLimit.MAX_SECRET_TOKEN_LENGTH and set(secret) <= allowed
