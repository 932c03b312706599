"""While the database or its disk is in trouble, those who wait hear it once, straight from the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from telegram import Bot
from telegram.error import TelegramError

from bot.logs import get_logger
from bot.storage.journal import Received
from domain.people.model import language_from_client
from handlers.shared.texts import N_, Translator

log = get_logger(__name__)

SORRY = N_(
    "Estamos com um problema técnico e ainda não conseguimos atender você. "
    "O que você enviou está guardado e será atendido assim que isso passar. "
    "Se não receber resposta em alguns minutos, tente de novo."
)


class Outage:
    """One stretch of trouble. Nothing about it can be stored, so it lives in memory."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._told: set[int] = set()
        self._telling: set[asyncio.Task[None]] = set()
        self.tries = 0

    def begins(self, error: BaseException, waiting: Iterable[Received]) -> float:
        """Note that something could not be done; return the seconds after which it is worth another try."""
        self.tries += 1
        log.error("outage", code=type(getattr(error, "orig", None) or error).__name__, tries=self.tries)
        if self.tries > 1:  # the first try may have lost against another process and soon wins
            self._tell_all(waiting)
        return min(0.2 * 2.0 ** min(self.tries - 1, 10), 5.0)

    def _tell_all(self, waiting: Iterable[Received]) -> None:
        for received in waiting:
            if received.chat_id > 0 and received.chat_id not in self._told:
                self._told.add(received.chat_id)
                task = asyncio.create_task(self._tell(received))
                self._telling.add(task)
                task.add_done_callback(self._telling.discard)

    def ends(self) -> None:
        """Note that the database answers again."""
        if self.tries:
            log.info("outage_over", tries=self.tries, told=len(self._told))
        self.tries = 0
        self._told.clear()

    async def _tell(self, received: Received) -> None:
        sender = _sender(received.payload)
        sorry = Translator(language_from_client(sender.get("language_code")))(SORRY)
        try:
            await self._bot.send_message(received.chat_id, sorry)
        except TelegramError as error:
            log.warning("outage_not_told", code=type(error).__name__)


def _sender(payload: dict[str, Any]) -> dict[str, Any]:
    for content in payload.values():
        if isinstance(content, dict) and isinstance(content.get("from"), dict):
            sender: dict[str, Any] = content["from"]
            return sender
    return {}
