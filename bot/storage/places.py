"""Where each chat stands, sealed: the table shows the chat, the day, and whether a receipt is held.

All of it is sealed, and not only open forms: a menu's row may hold the button of the case that is being looked at, and
were some rows plain, the others would show who is writing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Integer, bindparam, select, update

from bot.storage.engine import Storage
from bot.storage.repositories.sealing import Seal, SealBroken
from bot.storage.statement import Statement
from bot.storage.tables import conversation
from handlers.shared.conversation import Conversation, conversation_from_json, conversation_to_json
from handlers.shared.forms.places import EPHEMERAL

BATCH = 500

_PLACE = Statement(select(conversation.c.body).where(conversation.c.chat_id == bindparam("chat")))
_LEFT = Statement(
    select(conversation.c.chat_id, conversation.c.body)
    .where(conversation.c.holds_receipt, conversation.c.updated_at < bindparam("before"))
    .limit(bindparam("most", type_=Integer))
)
_SETTLE = Statement(
    # whoever went on meanwhile has written another day
    update(conversation)
    .where(conversation.c.chat_id == bindparam("chat"), conversation.c.updated_at < bindparam("before"))
    .values(holds_receipt=False),
    ("body",),
)


class Places:
    """The rows of ``conversation``."""

    def __init__(self, storage: Storage, seal: Seal) -> None:
        self._storage, self._seal = storage, seal

    def row(self, chat_id: int, body: str, *, now: datetime) -> dict[str, Any]:
        """Return the row of a chat that stands at ``body``."""
        return {
            "chat_id": chat_id,
            "body": self._close(chat_id, body),
            "holds_receipt": f'"{EPHEMERAL}":' in body,
            # no more than the day: to the microsecond it would be the instant of an event, and name its author
            "updated_at": now.replace(hour=0, minute=0, second=0, microsecond=0),
        }

    def opened(self, chat_id: int, body: str) -> str:
        """Return where a chat stands.

        Raises:
            SealBroken: It cannot be read any more.
        """
        return self._seal.open_words(body, table=conversation.name, chat_id=chat_id)

    async def of(self, chat_id: int) -> str | None:
        """Return where a chat stands, outside of any group; ``None`` where that is unknown."""
        async with self._storage.reading() as transaction:
            found = await transaction.one(_PLACE, chat=chat_id)
        try:
            return None if found is None else self.opened(chat_id, found.body)
        except SealBroken:
            return None

    async def close_secret_forms(self, *, now: datetime) -> int:
        """Close the forms that hold a receipt and that nobody went on with since yesterday; return how many.

        While such a form is open, the row of a chat says that it has to do with an anonymous case, and to whoever has
        the key with which. What a version before left unsealed is sealed on the way.
        """
        before, closed = now - timedelta(days=1), 0
        while True:
            async with self._storage.transaction() as transaction:
                rows = await transaction.all(_LEFT, before=before, most=BATCH)
                settled = []
                for row in rows:
                    place = self._conversation(row.chat_id, row.body)
                    if place.place is not None and EPHEMERAL in place.place.params:
                        place.place = None
                        closed += 1
                    body = self._close(row.chat_id, conversation_to_json(place))
                    settled.append({"chat": row.chat_id, "before": before, "body": body})
                if settled:
                    await transaction.each(_SETTLE, settled)
            if len(rows) < BATCH:
                return closed

    def _conversation(self, chat_id: int, body: str) -> Conversation:
        try:
            return conversation_from_json(chat_id, self.opened(chat_id, body))
        except SealBroken:
            return Conversation(chat_id)

    def _close(self, chat_id: int, body: str) -> str:
        return self._seal.close_words(body, table=conversation.name, chat_id=chat_id)
