"""Brings every area to the counter, in one order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telegram.ext import Application, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from handlers import errors
from handlers.driver import area as driver
from handlers.law import area as law
from handlers.passenger import area as passenger
from handlers.shared import commands, language, menu, messages, presses, wishes
from handlers.shared.context import DESK
from handlers.shared.desk import Desk
from handlers.staff import register as staff

AREAS: tuple[Callable[[Desk], None], ...] = (
    menu.register,
    wishes.register,
    commands.register,
    language.register,
    driver.register,
    passenger.register,
    law.register,
    staff,
)


def register_all(
    application: Application[Any, Any, Any, Any, Any, Any], areas: tuple[Callable[[Desk], None], ...] = AREAS
) -> Desk:
    """Register every area's handlers with PTB and return the desk, which ``context.desk`` is from then on.

    No update is for two of them; PTB asks them in this order, so that what comes most often is found soonest.
    """
    desk = Desk()
    for register in areas:
        register(desk)
    application.bot_data[DESK] = desk
    sent = filters.UpdateType.MESSAGE & filters.ChatType.PRIVATE
    application.add_handler(CallbackQueryHandler(presses.pressed))
    application.add_handler(MessageHandler(sent & filters.TEXT & ~filters.COMMAND, messages.received))
    for command in desk.commands:
        application.add_handler(CommandHandler(command.every_name, command.handler, filters=sent))
    application.add_handler(MessageHandler(sent & ~filters.StatusUpdate.ALL, messages.received))
    application.add_handler(
        MessageHandler(filters.UpdateType.EDITED_MESSAGE & filters.ChatType.PRIVATE, messages.edited)
    )
    application.add_error_handler(errors.refused)
    return desk
