"""A photo or PDF sent from the checklist without "Enviar agora": what became of it, and the way to send it."""

from __future__ import annotations

from handlers.driver.checklist import send_button, to_send
from handlers.driver.common import button, checklist_for, way_out
from handlers.driver.mine import registrations
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms.places import show
from handlers.shared.texts import N_, Html


async def stray(context: BotContext, what: str) -> bool:
    """Say that it was not kept and which item is next; ``False`` when no registration misses anything."""
    tr = context.tr
    for case in await registrations(context):
        missing = () if case.is_over else to_send((await checklist_for(context, case.id)).lines)
        if missing:
            item = Html(f"<b>{tr(missing[0].requirement.label)}</b>")
            lines = (
                tr("Recebi {what}, mas não guardei: primeiro preciso saber de qual item é.", what=what),
                tr("O próximo do seu cadastro: {item}. Toque no botão e mande de novo.", item=item),
            )
            others = button(context, N_("Escolher outro item"), "back", case.id)
            show(context, "\n".join(lines), ((send_button(context, case, missing[0]),), (others,), way_out(context)))
            return True
    return False


def register(desk: Desk) -> None:
    """Bring the answer to the desk."""
    desk.stray = stray
