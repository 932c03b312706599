"""An anonymous case, opened with its receipt. Nothing here ties it to the account: the receipt is in the buttons."""

from __future__ import annotations

from telegram import Update

from domain.privacy.model import read_receipt, show_receipt
from domain.values.parsed import Parsed, Rejected, Value
from handlers.passenger.cases import show_case
from handlers.passenger.common import HELD, Handle
from handlers.passenger.hearing import LOST_RECEIPT
from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Question
from handlers.shared.menu import menu_button
from handlers.shared.texts import N_

FORM = "receipt"


def understood(text: str, view: FormView) -> Parsed:
    """Read a receipt however its digits are grouped."""
    receipt = read_receipt(text)
    if receipt is None:
        digits = sum(char.isdigit() for char in text)
        if not digits:
            return Rejected(LOST_RECEIPT)
        return Rejected(
            N_("Um recibo tem 16 números; aqui contei {count}. Confira e envie de novo."), {"count": digits}
        )
    return Value(receipt, show_receipt(receipt))


async def open_case(context: BotContext, view: FormView) -> None:
    """Open the case of the receipt that was typed."""
    await show_case(context, Handle(receipt=view.text("receipt")), note=hint(context))


def hint(context: BotContext) -> str:
    """Return how to leave no trace."""
    return context.tr("Se outra pessoa mexe no seu celular, apague a mensagem com o recibo e toque em Fechar ao sair.")


async def ask(context: BotContext) -> None:
    """Ask for the receipt."""
    await engine.start(context, FORM)


async def press_ask(context: BotContext, press: Press) -> None:
    """The button that asks for it."""
    await ask(context)


async def press_close(context: BotContext, press: Press) -> None:
    """Take the case off the screen."""
    tr = context.tr
    context.replace(
        tr("Fechado. Para voltar ao caso, use o recibo."),
        buttons=((lasting(tr("Tenho um recibo"), HELD, "ask"),), (menu_button(context),)),
    )


async def command(update: Update, context: BotContext) -> None:
    """``/recibo [número]``: open an anonymous case."""
    typed = " ".join(context.args or ())
    receipt = read_receipt(typed)
    if receipt is not None:
        await show_case(context, Handle(receipt=receipt), note=hint(context))
        return
    await ask(context)


def register(desk: Desk) -> None:
    """Bring the receipt to the desk."""
    desk.form(
        FORM,
        Form(
            key=FORM,
            title=N_("Abrir com o recibo"),
            questions=(
                Question(
                    key="receipt",
                    prompt=N_("Qual é o número do recibo?"),
                    accepts=(Kind.TEXT,),
                    parse=understood,
                    hint=N_("São 16 números, com ou sem espaços."),
                    example="1234 5678 9012 3456",
                ),
            ),
            review=False,
            submit=open_case,
        ),
    )
    desk.press(HELD, "ask", press_ask)
    desk.press(HELD, "close", press_close)
    desk.command(
        Command(
            handler=command,
            names={"pt_BR": "recibo", "en": "receipt", "es": "recibo"},
            description=N_("Abrir um relato anônimo com o recibo"),
            order=50,
        )
    )
