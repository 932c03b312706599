"""My registrations: one per city, service and kind of applicant."""

from __future__ import annotations

from html import unescape

from domain.cases.model import Case, CaseKind, CaseState
from handlers.driver.common import AREA, applicant_label, button, state_words, way_out
from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms.places import show
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_

SHOWN = 8


async def registrations(context: BotContext) -> tuple[Case, ...]:
    """Return the person's registrations, newest first, without those that were given up or are served no more."""
    return tuple(
        case
        for case in await context.services.my_cases(context.person)
        if case.kind is CaseKind.REGISTRATION
        and not (case.state is CaseState.CLOSED and case.outcome is None)
        and context.laws.find(case.city, case.service) is not None
    )


async def show_mine(context: BotContext) -> None:
    """List the registrations, with the way to another."""
    tr = context.tr
    cases = await registrations(context)
    lines = [f"<b>{tr('Meus cadastros')}</b>"]
    lines.append(tr("Toque em um para ver como está.") if cases else tr("Você ainda não começou nenhum."))
    rows: list[tuple[Button, ...]] = []
    for case in cases[:SHOWN]:
        where, state = context.laws.city(case.city).name, state_words(context, case)
        text = unescape(f"{applicant_label(context, case)} · {where}: {state}")
        rows.append((lasting(text, AREA, "back", case.id),))
    rows.append((button(context, N_("Começar um cadastro"), "start"),))
    rows.append(way_out(context))
    show(context, "\n".join(lines), tuple(rows))


async def press_mine(context: BotContext, press: Press) -> None:
    """Show the list."""
    await show_mine(context)


def register(desk: Desk) -> None:
    """Bring the list to the desk."""
    desk.press("r", "mine", press_mine)
