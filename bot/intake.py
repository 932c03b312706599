"""Takes updates from Telegram: nothing is acknowledged before it is stored.

In polling the offset moves after the commit; a webhook is answered 200 after it.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from telegram import Bot
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.clock import Clock
from bot.dispatch import Dispatcher
from bot.logs import get_logger, where
from bot.outage import Outage
from bot.request import AiohttpRequest
from bot.storage.engine import is_trouble
from bot.storage.journal import IGNORED, PENDING, Journal, Received
from handlers.shared.outgoing import Outgoing

log = get_logger(__name__)

ALLOWED = ("message", "edited_message", "callback_query", "my_chat_member")
POLL_SECONDS = 25
BATCH = 100


class TokenRefused(Exception):
    """Telegram does not know this bot's token."""


class Inlet:
    """Stores updates and passes them on.

    One that nothing waits before is stored together with its effects; all others first, those that wait together in
    one transaction, and are handled in their turn.
    """

    def __init__(self, journal: Journal, dispatcher: Dispatcher, outage: Outage, clock: Clock) -> None:
        self._journal, self._dispatcher, self._outage, self._clock = journal, dispatcher, outage, clock
        self._waiting: list[tuple[Sequence[Received], asyncio.Future[None]]] = []
        self._before: Counter[int] = Counter()  # how many updates of a chat are being stored and not passed on yet
        self._storing: asyncio.Task[None] | None = None

    async def store(self, updates: Sequence[Received]) -> None:
        """Return when ``updates`` are committed.

        Raises:
            Exception: They are not all stored, and whoever sent them must send them again.
        """
        chats = Counter(received.chat_id for received in updates)
        free = [received for received in updates if chats[received.chat_id] == 1 and self._is_free(received)]
        handled: list[asyncio.Future[Any]] = [self._dispatcher.take(received, answers=False) for received in free]
        if len(free) < len(updates):
            numbers = {received.update_id for received in free}
            handled.append(self._store_first([one for one in updates if one.update_id not in numbers]))
        await asyncio.gather(*handled)

    async def answer(self, received: Received) -> Outgoing | None:
        """Return when an update is committed; what answers it when it is a press, unless that is said otherwise.

        Raises:
            Exception: It is not stored, and whoever sent it must send it again.
        """
        if self._is_free(received):
            return await self._dispatcher.take(received, answers=True)
        await self._store_first([received])
        return None

    async def store_at_last(self, updates: Sequence[Received]) -> None:
        """Store ``updates`` however long the database is in trouble; those who wait are told."""
        while True:
            try:
                await self.store(updates)
            except Exception as error:
                if not is_trouble(error):
                    raise
                await asyncio.sleep(self._outage.begins(error, updates))
            else:
                return

    async def stop(self) -> None:
        """Let what is being stored be stored."""
        if self._storing is not None:
            await self._storing

    def _is_free(self, received: Received) -> bool:
        return received.state == PENDING and received.chat_id not in self._before and self._dispatcher.is_free(received)

    def _store_first(self, updates: Sequence[Received]) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((updates, done))
        self._before.update(received.chat_id for received in updates)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._drain())
        return done

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            updates = [received for some, _ in batch for received in some]
            error: Exception | None = None
            try:
                await self._journal.store(updates, now=self._clock.now())
                self._dispatcher.enqueue(received for received in updates if received.state == PENDING)
            except Exception as trouble:
                error = trouble
            self._before -= Counter(received.chat_id for received in updates)
            for _, done in batch:
                if done.done():
                    continue
                if error is None:
                    done.set_result(None)
                else:
                    done.set_exception(error)


class Poller:
    """Asks Telegram for updates, again and again."""

    def __init__(self, bot: Bot, inlet: Inlet) -> None:
        self._bot, self._inlet = bot, inlet
        self._request = AiohttpRequest(connections=2)
        self._offset = 0
        self._task: asyncio.Task[None] | None = None
        self.refused: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Begin to ask."""
        await self._request.initialize()
        self.refused = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._poll())

    async def stop(self) -> None:
        """Stop asking; what was stored is acknowledged to Telegram by the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._request.shutdown()

    async def _poll(self) -> None:
        failures = 0
        listening = False
        while True:
            try:
                if not listening:
                    await self._bot.delete_webhook()  # with one set, Telegram refuses to be asked
                    listening = True
                await self._take(await self._ask())
                failures = 0
            except Conflict:
                log.error("another process asks for this bot's updates; only one may", code="conflict")
                listening = False
                await asyncio.sleep(3)
            except InvalidToken as error:
                if self.refused is not None and not self.refused.done():
                    self.refused.set_exception(TokenRefused(error.message))
                return
            except RetryAfter as limit:
                wait = limit.retry_after
                await asyncio.sleep(wait if isinstance(wait, int | float) else wait.total_seconds())
            except TelegramError as error:
                failures += 1
                if failures > 1:
                    log.warning("telegram_unreachable", code=type(error).__name__, tries=failures)
                await asyncio.sleep(_pause(failures))
            except Exception as error:  # an answer that is none, or a mistake of ours: whoever does not ask is deaf
                failures += 1
                log.error("updates_not_taken", code=type(error).__name__, where=where(error), tries=failures)
                await asyncio.sleep(_pause(failures))

    async def _ask(self) -> list[dict[str, Any]]:
        query = {
            "offset": self._offset,
            "timeout": POLL_SECONDS,
            "limit": BATCH,
            "allowed_updates": json.dumps(ALLOWED),
        }
        address = f"{self._bot.base_url}/getUpdates?{urlencode(query)}"
        answer = await self._request.retrieve(address, read_timeout=POLL_SECONDS + 10)
        updates: list[dict[str, Any]] = json.loads(answer)["result"]
        return updates

    async def _take(self, updates: list[dict[str, Any]]) -> None:
        if updates:
            await self._inlet.store_at_last([received_from(update) for update in updates])
            self._offset = max(update["update_id"] for update in updates) + 1


def _pause(failures: int) -> float:
    return min(0.2 * 2.0 ** min(failures, 10), 20.0)


def received_from(update: dict[str, Any]) -> Received:
    """Read of an update what intake must know: its number and whose order it keeps.

    Only private chats are served; what groups send is marked as ignored.

    Raises:
        ValueError: It is no update.
    """
    update = sound(update)
    update_id = update.get("update_id")
    if not isinstance(update_id, int) or not 0 <= update_id < 2**63:
        raise ValueError("an update has a number")
    for name in ALLOWED:
        content = update.get(name)
        if not isinstance(content, dict):
            continue
        message = content.get("message") if name == "callback_query" else content
        chat = message.get("chat") if isinstance(message, dict) else None
        if isinstance(chat, dict) and isinstance(chat.get("id"), int) and abs(chat["id"]) < 2**63:
            state = PENDING if chat.get("type") == "private" else IGNORED
            return Received(update_id, chat["id"], update, state)
    return Received(update_id, 0, update, IGNORED)


def sound(update: dict[str, Any]) -> dict[str, Any]:
    """Return the update without NUL and lone surrogates, which no database keeps and Telegram does not take back."""
    text = json.dumps(update, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        update = json.loads(text.encode("utf-8", "replace"))
    if "\\u0000" in text:
        update = _without_nul(update)
    return update


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, dict):
        return {key: _without_nul(inner) for key, inner in value.items()}
    return [_without_nul(inner) for inner in value] if isinstance(value, list) else value
