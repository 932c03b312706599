"""Forms put aside and taken up again."""

from __future__ import annotations

import json
from zlib import crc32

from handlers.shared.context import BotContext
from handlers.shared.conversation import Conversation, FormPlace

EPHEMERAL = "receipt"


def slot(place: FormPlace) -> str:
    """Return the name under which a form is saved: one for each form and what it is about."""
    about = json.dumps(place.params, sort_keys=True, ensure_ascii=False) if place.params else ""
    return f"{place.form}.{crc32(about.encode()):08x}" if about else place.form


def park(conversation: Conversation, *, always: bool = False) -> FormPlace | None:
    """Put the open form aside, if anything was given (or ``always``); return it if it was kept.

    A form whose params hold a secret is never put aside: what opens an anonymous case is not to lie in a chat's row.
    """
    place, conversation.place = conversation.place, None
    if place is None or EPHEMERAL in place.params or not (place.touched or always):
        return None
    place.leaving = False
    name = slot(place)
    conversation.saved.pop(name, None)
    conversation.saved[name] = place
    return place


def is_open(context: BotContext) -> bool:
    """Whether a form is being filled in."""
    return context.conversation.place is not None
