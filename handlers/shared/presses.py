"""The one way in for presses: parsed strictly, sent on to the form or to the area that owns the button."""

from __future__ import annotations

from collections.abc import Mapping

import structlog
from telegram import Message, Update

from domain.values.text import fold
from handlers.shared.buttons import SCREEN, ForgedButton, lasting, read_lasting
from handlers.shared.context import BotContext
from handlers.shared.forms import engine
from handlers.shared.outgoing import Kind, Outgoing

A_BEGINNING = 3  # letters of a label that are enough to mean it, where no other begins like it

log = structlog.get_logger(__name__)


async def pressed(update: Update, context: BotContext) -> None:
    """Every press comes in here."""
    query = update.callback_query
    data = (query.data if query else None) or ""
    turn = context.turn
    if query is not None and query.message is not None:
        turn.pressed_message = query.message.message_id

    if screen := SCREEN.fullmatch(data):
        has_buttons = isinstance(query.message, Message) and query.message.reply_markup is not None if query else False
        await pressed_on_screen(context, int(screen[1]), screen[2], strip=has_buttons)
        return
    await pressed_lasting(context, data)


async def pressed_lasting(context: BotContext, data: str) -> None:
    """Act on a button that is good at any time."""
    press = read_lasting(data)
    handler = context.desk.presses.get((press.area, press.verb)) if press is not None else None
    if press is None or handler is None:
        refuse(context, "unknown")
        return
    try:
        await handler(context, press)
    except ForgedButton:
        refuse(context, "ids")


async def typed(context: BotContext, text: str) -> bool:
    """Press the button of the newest screen whose label ``text`` is, or begins alone; return whether there is one."""
    data = named(text, context.conversation.buttons)
    if data is None:
        return False
    turn, before = context.turn, len(context.turn.outbox)
    await pressed_lasting(context, data)
    if turn.flashed:  # what a press would flash is said first; alone, it leads on
        buttons = () if turn.outbox[before:] else ((lasting(context.tr("Menu"), "menu", "home"),),)
        turn.outbox.insert(before, Outgoing(context.person.chat_id, text=turn.flashed, buttons=buttons))
    return True


def named(text: str, buttons: Mapping[str, str]) -> str | None:
    """Return the data of the one button that ``text`` names, without regard to case, accents and emoji."""
    words = fold(text)
    if not words:
        return next((data for data, label in buttons.items() if label == text.strip()), None)
    labels = {data: fold(label) for data, label in buttons.items()}
    whole = [data for data, label in labels.items() if label == words]
    begun = [data for data, label in labels.items() if label.startswith(words)] if len(words) >= A_BEGINNING else []
    found = whole or begun
    return found[0] if len(found) == 1 else None


async def pressed_on_screen(context: BotContext, screen: int, action: str, *, strip: bool) -> None:
    """Act on a button of the current screen; one of an older screen is told so and meets the current one.

    ``strip``: the message still has its buttons, which an older screen loses.
    """
    turn, conversation = context.turn, context.conversation
    if screen > conversation.screen:
        refuse(context, "screen")
        return
    if screen == conversation.screen and conversation.place is not None:
        turn.pressed_current = True
        if await engine.press(context, action):
            return
        refuse(context, "action")
        turn.pressed_current = False
    elif turn.pressed_message is not None and turn.pressed_message == conversation.screen_message:
        # pressed twice in a hurry: the message already shows what the first press led to
        context.toast()
        return
    else:
        context.toast(context.tr("Esta tela já passou."))
        if strip and turn.pressed_message not in (None, conversation.stripped):
            conversation.stripped = turn.pressed_message or 0
            turn.outbox.append(Outgoing(context.person.chat_id, kind=Kind.STRIP, message_id=turn.pressed_message))
        if screen == conversation.screen - 1 and turn.pressed_message == conversation.left:
            return  # pressed twice in a hurry: what the first press led to stands right below
    await show_again(context)


async def show_again(context: BotContext, note: str = "") -> None:
    """Show the current screen once more, right below: the form, the view that was open, or else the menu."""
    conversation = context.conversation
    view = read_lasting(conversation.view)
    if conversation.place is not None:
        await engine.present(context, note=note)
    elif view is not None and (view.area, view.verb) in context.desk.presses:
        context.turn.pressed_message = None  # it does not take the place of the screen that was pressed
        if note:
            context.say(note)
        await context.desk.presses[view.area, view.verb](context, view)
    else:
        await context.desk.home(context, note)


def refuse(context: BotContext, why: str) -> None:
    """Tell that a button is not ours; the log gets the reason and nothing that was sent."""
    log.warning("button_refused", reason=why)
    context.toast(context.tr("Este botão não vale mais. Toque em /menu para ver o que você pode fazer."), alert=True)
