"""“Por quê?” for staff: what a date, a doubt about a registration or a demanded paper rests on."""

from __future__ import annotations

from domain.cases.model import Case
from domain.reports.answer import extended_deadline, may_be_extended, stopped_on
from handlers.shared import formats
from handlers.shared.buttons import Press
from handlers.shared.casewords import headline
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.why import locator, reasons, sources, step_text
from handlers.staff.card import answer_due, fitting, show_card, unmet
from handlers.staff.common import AREA, act, back_to
from handlers.staff.documents import line_of, registration


async def press_why(context: BotContext, press: Press) -> None:
    """Show why a report is due on its day, or where a registration does not meet the law."""
    card = await context.services.case_for_staff(press.number(), context.person)
    case, tr = card.case, context.tr
    book = context.laws.rulebook(case.city, case.service)
    lines = [headline(case, tr)]
    due = answer_due(context, case)
    if due is not None:
        told = reasons(tr, book, standing=due.standing, cite=due.cite, steps=due.steps, assumption=due.assumption)
        lines += ["", f"<b>{tr('Por que esta data?')}</b>", told, *longer(context, case)]
    findings = unmet(context, case)
    for one in findings:
        told = reasons(
            tr, book, standing=one.standing, cite=one.cite, steps=one.steps, assumption=one.assumption, alone=False
        )
        lines += ["", f"❌ <b>{tr(one.label)}</b> ({locator(book, one.cite)})", step_text(tr, one.reason), told]
    if findings:
        lines += ["", sources(tr, book, (one.cite for one in findings))]
    if len(lines) == 1:
        await show_card(context, case.id)
        return
    context.replace("\n".join(fitting(lines)), buttons=(back_to(context, case),))


def longer(context: BotContext, case: Case) -> list[str]:
    """Return whether the term can be extended, and until when; the card says of one that was."""
    if case.extended_at is not None or stopped_on(case, laws=context.laws) is not None:
        return []
    tr, more = context.tr, extended_deadline(case, laws=context.laws)
    if more is None or more.ends_on is None:
        return [tr("Nenhuma lei deste balcão prevê prorrogar este prazo.")]
    if not may_be_extended(case, laws=context.laws, today=context.today(case.city)):
        return []
    until = formats.day(more.ends_on, tr.language)
    return [tr("Pode ser prorrogado uma vez, com motivo, até {day} ({cite}).", day=until, cite=more.cite)]


async def press_item(context: BotContext, press: Press) -> None:
    """Show why the law asks for a document; the document's own message stays."""
    card = await registration(context, press)
    tr, item = context.tr, line_of(context, card, press.word(1)).requirement
    book = context.laws.rulebook(card.case.city, card.case.service)
    told = reasons(tr, book, standing=item.standing, cite=item.cite, assumption=item.assumption, note=item.note)
    text = f"{headline(card.case, tr)}\n<b>{tr('Por que pedimos: {item}', item=tr(item.label))}</b>\n{told}"
    back = act(tr("Ver o documento"), "item", card.case, item.id)
    context.say(text, buttons=((back,), back_to(context, card.case)))


def register(desk: Desk) -> None:
    """Bring the reasons to the desk."""
    desk.press(AREA, "why", press_why)
    desk.press(AREA, "why_item", press_item)
