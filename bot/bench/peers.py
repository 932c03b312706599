"""Bare bots to compare with: ``python -m bot.bench.peers NAME TOKEN API_URL FOLDER``.

They are written as PTB's own examples are, on its own request backend, with ``sniffio`` installed. ``lean`` is the echo
on the counter's request backend and event loop: no bot passes it that uses PTB's objects and a call for each answer.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from telegram import Update
from telegram.ext import (
    ApplicationBuilder,
    BaseUpdateProcessor,
    CommandHandler,
    ContextTypes,
    ConversationHandler,
    MessageHandler,
    PicklePersistence,
    filters,
)

QUESTIONS = 10


class PerChat(BaseUpdateProcessor):
    """Chats beside each other, each in order: what a bot needs that waits for Telegram."""

    def __init__(self) -> None:
        super().__init__(max_concurrent_updates=256)
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        chat = update.effective_chat if isinstance(update, Update) else None
        async with self._locks[chat.id if chat else 0]:
            await coroutine

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""


async def echo(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Say it back."""
    if update.message is not None:
        await update.message.reply_text(update.message.text or "")


async def ask(update: Update, context: ContextTypes.DEFAULT_TYPE) -> int:
    """Keep the answer and ask the next question."""
    data: dict[Any, Any] = context.user_data if context.user_data is not None else {}
    message = update.message
    if message is None:
        return ConversationHandler.END
    answers: list[str] = data.setdefault("answers", [])
    if message.text == "/start":
        answers.clear()
    else:
        answers.append(message.text or "")
    if len(answers) == QUESTIONS:
        await message.reply_text("Recebido.")
        return ConversationHandler.END
    await message.reply_text(f"Pergunta {len(answers) + 1} de {QUESTIONS}")
    return 1


def main(name: str, token: str, api_url: str, folder: str) -> None:
    """Run one of them until it is asked to end."""
    builder: Any = ApplicationBuilder().token(token).base_url(f"{api_url}/bot").base_file_url(f"{api_url}/file/bot")
    if name == "lean":
        from bot.loop import new_event_loop  # the other bots are to be as bare as they are
        from bot.request import AiohttpRequest

        builder = builder.request(AiohttpRequest()).get_updates_request(AiohttpRequest(connections=1))
        asyncio.set_event_loop(new_event_loop())
    if name == "form":
        builder = builder.persistence(PicklePersistence(Path(folder) / "form.pickle"))
    if name == "per-chat":
        builder = builder.concurrent_updates(PerChat()).connection_pool_size(256).pool_timeout(60)
    application = builder.build()
    text = filters.TEXT & ~filters.COMMAND
    if name == "form":
        entry: list[Any] = [CommandHandler("start", ask)]
        states: dict[object, list[Any]] = {1: [MessageHandler(text, ask)]}
        application.add_handler(ConversationHandler(entry, states, [], persistent=True, name="form"))
    else:
        application.add_handler(MessageHandler(text, echo))
    application.run_polling()


if __name__ == "__main__":
    main(*sys.argv[1:])
