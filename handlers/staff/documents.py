"""Documents of a registration, one at a time: see, accept or refuse, and the next one comes by itself."""

from __future__ import annotations

from html import escape

from domain.cases.commands import CaseCard
from domain.cases.model import CaseKind, Event, EventKind, ItemState
from domain.registration.commands import AcceptItem, Approve
from domain.registration.errors import ItemUnknown
from domain.registration.model import ChecklistLine
from handlers.shared import formats
from handlers.shared.buttons import ForgedButton, Press
from handlers.shared.casewords import MARKS, bold, clip, headline, named, quoted
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms import engine
from handlers.shared.notices import announce
from handlers.shared.outgoing import Button
from handlers.staff.card import Act, law_lines, on_card, show_card, undecided
from handlers.staff.common import AREA, act, back_to, case_params, who
from handlers.staff.history import FILES_AT_ONCE, send_files

REFUSE_FORM = "staff_refuse"


async def press_review(context: BotContext, press: Press, card: CaseCard) -> None:
    """The next document to look at: the first, or the one after that which the button names."""
    waiting = undecided(context.services.checklist_of(card.case))
    every = [line.key for line in context.services.checklist_of(card.case).lines]
    after = press.word(1) if len(press.ids) > 1 else ""
    passed = every[: every.index(after) + 1] if after in every else []
    following = next((key for key in waiting if key not in passed), waiting[0])
    show_item(context, card, line_of(context, card, following))


async def registration(context: BotContext, press: Press) -> CaseCard:
    """Return the registration that a button names; no button of ours names a report here.

    Raises:
        ForgedButton: It is no registration.
    """
    card = await context.services.case_for_staff(press.number(), context.person)
    if card.case.kind is not CaseKind.REGISTRATION:
        raise ForgedButton
    return card


async def show_next(context: BotContext, case_id: int, note: str = "") -> None:
    """After a decision: the next document that waits, or the card when none is left."""
    card = await context.services.case_for_staff(case_id, context.person)
    waiting = undecided(context.services.checklist_of(card.case))
    if waiting:
        show_item(context, card, line_of(context, card, waiting[0]), note=note)
        return
    done = context.tr("Todos os documentos enviados foram conferidos.")
    await show_card(context, case_id, note="\n".join(filter(None, (note, done))), fresh=True)


def line_of(context: BotContext, card: CaseCard, item: str) -> ChecklistLine:
    """Return one line of a case's checklist.

    Raises:
        ItemUnknown: It has no such line.
    """
    for line in context.services.checklist_of(card.case).lines:
        if line.key == item:
            return line
    raise ItemUnknown(case_id=card.case.id, item=item)


def show_item(context: BotContext, card: CaseCard, line: ChecklistLine, *, start: int = 0, note: str = "") -> None:
    """Send an item's files and below them what the law asks, with the decision's buttons."""
    tr, case, item = context.tr, card.case, line.requirement
    name = named(item.label, tr)
    files = [card.files[number] for number in line.files if number in card.files]
    shown = files[start : start + FILES_AT_ONCE]
    captions = [
        tr("{item}, {n} de {total}", item=clip(name, 200), n=start + at + 1, total=len(files))
        for at in range(len(shown))
    ]
    send_files(context, card, shown, captions, after=start)

    checklist = context.services.checklist_of(case)
    waiting, sent = undecided(checklist), [one.key for one in checklist.lines if one.files]
    lines = [note, ""] if note else []
    lines += [headline(case, tr), f"{MARKS[line.state]} <b>{escape(name, quote=False)}</b>"]
    if line.key in waiting and len(sent) > 1:
        decided = len(sent) - len(waiting)
        lines.append(tr("Conferindo {n} de {total}.", n=decided + waiting.index(line.key) + 1, total=len(sent)))
    lines.append(who(card, tr))
    if item.what:
        lines.append(tr("O que se pede: {what} ({cite})", what=named(item.what, tr), cite=item.cite))
    if line.since is not None:
        age = formats.age(line.since, context.now, tr)
        lines.append(tr("Recebido {age}.", age=age) if line.state is ItemState.SENT else tr("Decidido {age}.", age=age))
    if line.caption.strip():
        lines += [tr("Veio com este texto:"), quoted(line.caption, 600)]
    if line.state is ItemState.REFUSED and line.reason is not None:
        reason = context.laws.reject_reasons[line.reason]
        lines.append(tr("Motivo da recusa: {reason}", reason=bold(named(reason.label, tr))))
    if not files:
        lines.append(tr("Nenhum arquivo foi enviado para este item."))

    decide: list[Button] = []
    if card.mine and not case.is_over and files:
        if line.state is not ItemState.ACCEPTED:
            accept = tr("Aceitar") if line.state is ItemState.SENT else tr("Aceitar assim mesmo")
            decide.append(act(accept, "ok", case, line.key, case.seq))
        if line.state is not ItemState.REFUSED:
            decide.append(act(tr("Recusar"), "no", case, line.key, case.seq))
    rows = [tuple(decide)]
    rest = len(files) - start - len(shown)
    if rest > 0:
        more = tr("Ver mais {n}").format(n=rest)
        rows.append((act(more, "item", case, line.key, start + FILES_AT_ONCE),))
    rows.append((act(tr("Por quê?"), "why_item", case, line.key),))
    if card.mine and [key for key in waiting if key != line.key]:
        other = tr("Deixar para depois") if line.state is ItemState.SENT else tr("Próximo documento")
        rows.append((act(other, Act.REVIEW, case, line.key),))
    rows.append(back_to(context, case))
    context.say("\n".join(lines), buttons=tuple(row for row in rows if row))


async def press_items(context: BotContext, press: Press) -> None:
    """Every item for which something was sent."""
    card = await registration(context, press)
    tr = context.tr
    rows = [
        (
            act(
                f"{MARKS[line.state]} {clip(named(line.requirement.label, tr), 50)}",
                "item",
                card.case,
                line.key,
            ),
        )
        for line in context.services.checklist_of(card.case).lines
        if line.files
    ]
    text = f"{headline(card.case, tr)}\n{tr('Qual documento você quer ver?')}"
    context.replace(text, buttons=(*rows, back_to(context, card.case)))


async def press_item(context: BotContext, press: Press) -> None:
    """One item with its files, whatever was decided of it."""
    card = await registration(context, press)
    start = press.number(2) if len(press.ids) > 2 else 0
    show_item(context, card, line_of(context, card, press.word(1)), start=start)


async def press_accept(context: BotContext, press: Press) -> None:
    """Accept what was shown: files that came since are not accepted unseen."""
    card = await registration(context, press)
    item, seen = press.word(1), press.number(2)
    tr, line = context.tr, line_of(context, card, item)
    done = f"{headline(card.case, tr)}\n✅ " + tr("{item}: em ordem.", item=bold(label_of(context, line)))
    if line.state is ItemState.ACCEPTED:
        context.toast(tr("Este item já foi aceito."))
        context.replace(done, buttons=(back_to(context, card.case),))
        return
    if not await still_fits(context, card, line, seen):
        return
    command = AcceptItem(by=context.person, case_id=card.case.id, item=item, seen=seen)
    update = await context.services.accept_item(command)
    await announce(context, update)
    context.toast(tr("Aceito. A pessoa é avisada."))
    context.replace(done)
    await show_next(context, card.case.id)


async def press_refuse(context: BotContext, press: Press) -> None:
    """Ask why, before anybody is told."""
    card = await registration(context, press)
    item, seen = press.word(1), press.number(2)
    line = line_of(context, card, item)
    if not await still_fits(context, card, line, seen):
        return
    params = {**case_params(card.case), "item": item, "seen": seen, "label": label_of(context, line)}
    await engine.start(context, REFUSE_FORM, params=params)


async def still_fits(context: BotContext, card: CaseCard, line: ChecklistLine, seen: int) -> bool:
    """Return whether an item can be decided as it was shown; if not, show how it is now."""
    tr, case = context.tr, card.case
    if case.is_over:
        context.toast(tr("Este caso já foi encerrado."), alert=True)
    elif not card.mine:
        context.toast(tr("Só quem assumiu o caso decide os documentos."), alert=True)
    elif any(event.seq > seen and sends(event, line.key) for event in card.events):
        context.toast(tr("A pessoa mudou o que tinha enviado. Veja como está agora."), alert=True)
        show_item(context, card, line)
        return False
    else:
        return True
    await show_card(context, case.id)
    return False


def sends(event: Event, item: str) -> bool:
    """Return whether an event changes the files of an item."""
    return event.kind in (EventKind.ITEM_SENT, EventKind.ITEM_WITHDRAWN) and event.data.get("item") == item


def label_of(context: BotContext, line: ChecklistLine) -> str:
    """Return an item's name as plain text."""
    return named(line.requirement.label, context.tr)


async def press_approve(context: BotContext, press: Press, card: CaseCard) -> None:
    """Ask once more: an approval is told at once and is not taken back."""
    tr = context.tr
    text = "\n".join(
        (
            headline(card.case, tr),
            who(card, tr),
            "",
            f"<b>{tr('Aprovar este cadastro?')}</b>",
            tr("A pessoa é avisada na hora e os prazos dela começam a contar."),
            *law_lines(context, card.case),
        )
    )
    rows = (
        (act(tr("Sim, aprovar"), "approved", card.case),),
        (act(tr("Aprovar com uma mensagem"), "approvewith", card.case),),
        back_to(context, card.case),
    )
    context.replace(text, buttons=rows)


async def press_approved(context: BotContext, press: Press, card: CaseCard) -> None:
    """Approve."""
    approved = await context.services.approve(Approve(by=context.person, case_id=card.case.id))
    await announce(context, approved.update)
    context.toast(context.tr("Aprovado. A pessoa é avisada."))
    await show_card(context, card.case.id)


def register(desk: Desk) -> None:
    """Bring the documents to the desk."""
    desk.press(AREA, Act.REVIEW, on_card(Act.REVIEW, press_review))
    desk.press(AREA, "items", press_items)
    desk.press(AREA, "item", press_item)
    desk.press(AREA, "ok", press_accept)
    desk.press(AREA, "no", press_refuse)
    desk.press(AREA, Act.APPROVE, on_card(Act.APPROVE, press_approve))
    desk.press(AREA, "approved", on_card(Act.APPROVE, press_approved))
