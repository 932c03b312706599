"""Forms put aside, when another screen is shown or for later."""

from __future__ import annotations

import json
from zlib import crc32

from handlers.shared.context import BotContext
from handlers.shared.conversation import Conversation, FormPlace
from handlers.shared.outgoing import Button, Keyboard

EPHEMERAL = "receipt"


def slot(place: FormPlace) -> str:
    """Return the name under which a form is saved: one for each form and what it is about."""
    about = json.dumps(place.params, sort_keys=True, ensure_ascii=False) if place.params else ""
    return f"{place.form}.{crc32(about.encode()):08x}" if about else place.form


def worth_keeping(place: FormPlace) -> bool:
    """Return whether anything in a form would be missed: one that was only looked at is begun as fast as continued.

    A form whose params hold a secret is never put aside: what opens an anonymous case is not to lie in a chat's row.
    """
    return EPHEMERAL not in place.params and (place.touched or bool(place.caption))


def park(conversation: Conversation) -> FormPlace | None:
    """Leave the open form: put it aside if it is worth keeping, and return it if so."""
    place, conversation.place = conversation.place, None
    if place is None or not worth_keeping(place):
        return None
    place.leaving = False
    name = slot(place)
    conversation.saved.pop(name, None)
    conversation.saved[name] = place
    return place


def show(context: BotContext, text: str, rows: Keyboard, *, fresh: bool = False, again: Button | None = None) -> None:
    """Show a screen in place of the pressed one; ``fresh`` sends it anew, so that a notice stays to be read.

    ``again`` is the lasting button that shows it again: whoever presses a button of an older screen meets it.
    A form that was being filled in is put aside, so that what is sent next is not taken for its answer.
    """
    if park(context.conversation) is not None:
        text = f"{context.tr('O que você estava preenchendo ficou guardado. Está em /menu.')}\n\n{text}"
    context.turn.pressed_current = context.turn.pressed_message is not None and not fresh
    context.show(text, buttons=rows, fresh=fresh)
    context.conversation.view = again.data or "" if again is not None else ""
