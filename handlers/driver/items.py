"""One item: what it is, why, how to send it; and sending one after the other."""

from __future__ import annotations

from datetime import date
from typing import Any

from domain.cases.model import Case, EventKind, ItemState
from domain.errors import NotFound
from domain.law.model import Requirement
from domain.registration.commands import SendItem, WithdrawItem
from domain.registration.errors import ItemUnknown
from domain.registration.model import ChecklistLine
from handlers.driver.checklist import line_mark, show_list, to_send
from handlers.driver.common import book_of, button, checklist_for, heading, is_draft, way_out
from handlers.shared import formats
from handlers.shared.buttons import Press
from handlers.shared.casewords import quoted
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Question
from handlers.shared.forms.places import show
from handlers.shared.notices import announce
from handlers.shared.outgoing import Button
from handlers.shared.outgoing import Kind as Carrier
from handlers.shared.texts import N_, Html, Translator
from handlers.shared.why import reasons

FORM = "driver_item"
FILES = "files"


async def line_for(context: BotContext, press: Press) -> tuple[Case, ChecklistLine]:
    """Return the registration and the item that a button names.

    Raises:
        NotFound: The registration is not theirs.
        ItemUnknown: It has no such item.
    """
    checklist = await checklist_for(context, press.number())
    return checklist.case, line_in(checklist.lines, press.word(1), checklist.case)


def line_in(lines: tuple[ChecklistLine, ...], key: str, case: Case) -> ChecklistLine:
    """Return the line of an item."""
    for line in lines:
        if line.key == key:
            return line
    raise ItemUnknown(case_id=case.id, item=key)


# ---- the item's screen


async def show_item(
    context: BotContext, case: Case, line: ChecklistLine, *, note: str = "", fresh: bool = False
) -> None:
    """Show an item: what it is, how it stands, what can be done."""
    tr, item = context.tr, line.requirement
    mark, words = line_mark(context, case, line)
    state = f"{mark} <b>{words}</b>"
    if line.since is not None and line.state is not ItemState.MISSING:
        state += f", {formats.age(line.since, context.now, tr)}"
    text = [note, ""] if note else []
    text += [f"<b>{tr(item.label)}</b>", state, "", tr(item.what)]
    if line.state is ItemState.REFUSED:
        text += ["", *refusal(context, line)]
    if item.alternatives:
        text.append(tr("Também serve: {others}.", others=Html(alternatives(tr, item))))
    if line.state is not ItemState.ACCEPTED:
        text += ["", f"<b>{tr('Como enviar')}</b>", tr(item.how)]
    if item.note:
        text += ["", f"<i>{tr(item.note)}</i>"]
    if line.owed is None:
        text += ["", tr("Só é pedido em alguns casos, e falta uma resposta sua para saber. Veja “Minhas respostas”.")]
    if line.files:
        text += ["", tr.many("Você enviou {n} arquivo.", "Você enviou {n} arquivos.", len(line.files))]

    rows: list[tuple[Button, ...]] = []
    if not case.is_over and line.state is not ItemState.ACCEPTED:
        send = N_("Enviar") if line.state is ItemState.MISSING else N_("Enviar de novo")
        rows.append((button(context, send, "send", case.id, item.id),))
    seen: list[Button] = []
    if line.files:
        seen.append(button(context, N_("Ver o que enviei"), "files", case.id, item.id))
    if line.state is ItemState.SENT and not case.is_over and (is_draft(case) or not line.holds_up):
        seen.append(button(context, N_("Retirar"), "withdraw", case.id, item.id))
    if seen:
        rows.append(tuple(seen))
    rows.append((button(context, N_("Por quê?"), "why_item", case.id, item.id),))
    rows.append(way_out(context, case))
    show(context, "\n".join(text), tuple(rows), fresh=fresh)


def refusal(context: BotContext, line: ChecklistLine) -> list[str]:
    """Return why an item was refused, how it is cured, and what the clerk wrote."""
    tr = context.tr
    reason = context.laws.reject_reasons.get(line.reason or "")
    lines = [f"<b>{tr('Motivo da recusa')}</b>", tr(reason.sentence) if reason else ""]
    if line.comment:
        lines += [tr("Quem analisou escreveu:"), quoted(line.comment, 1000)]
    if reason:
        lines += [f"<b>{tr('Como resolver')}</b>", tr(reason.cure)]
    return [one for one in lines if one]


def alternatives(tr: Translator, item: Requirement) -> str:
    """Return what serves as well."""
    return formats.any_of([tr(other) for other in item.alternatives], tr.language)


async def press_see(context: BotContext, press: Press) -> None:
    """Show an item in place of the list."""
    await show_item(context, *await line_for(context, press))


async def press_item(context: BotContext, press: Press) -> None:
    """Go from a notice straight to sending again; where there is nothing to send, show how the item stands."""
    case, line = await line_for(context, press)
    if line.state is ItemState.REFUSED and not case.is_over:
        await ask_for(context, case, line, fresh=True)
    else:
        await show_item(context, case, line, fresh=True)


async def press_why(context: BotContext, press: Press) -> None:
    """Show what the item rests on in the law."""
    case, line = await line_for(context, press)
    tr, item = context.tr, line.requirement
    text = [heading(context, case), "", f"<b>{tr('Por que pedimos: {item}', item=tr(item.label))}</b>"]
    if item.valid_for is not None:
        text.append(
            tr.many(
                "Vale {n} mês; depois é pedido de novo.",
                "Vale {n} meses; depois é pedido de novo.",
                item.valid_for.months,
            )
        )
    book = context.laws.rulebook(case.city, case.service)
    text.append(reasons(tr, book, standing=item.standing, cite=item.cite, assumption=item.assumption, note=item.note))
    rows = ((button(context, N_("Voltar ao item"), "see", case.id, item.id),), way_out(context, case))
    show(context, "\n".join(text), rows)


async def press_files(context: BotContext, press: Press) -> None:
    """Send back what was sent for an item."""
    case, line = await line_for(context, press)
    stored = (await context.services.case_for_citizen(case.id, context.person)).files
    sent = [stored[file_id] for file_id in line.files if file_id in stored]
    for number, file in enumerate(sent, start=1):
        caption = f"{context.tr(line.requirement.label)} ({number}/{len(sent)})"
        context.send_file(Carrier(file.kind.value), file.file_id, caption=caption)
    await show_item(context, case, line, fresh=True)


async def press_withdraw(context: BotContext, press: Press) -> None:
    """Take back what was sent for an item."""
    case, line = await line_for(context, press)
    update = await context.services.withdraw_item(WithdrawItem(by=context.person, case_id=case.id, item=line.key))
    await announce(context, update)
    now = context.services.checklist_of(update.case)
    await show_item(context, now.case, line_in(now.lines, line.key, case), note=context.tr("Retirado."))


# ---- sending


def build(view: FormView) -> Form:
    """Build the form of one item: any number of photographs or PDFs."""
    item = requirement(view)
    accepts = (Kind.PHOTO, Kind.DOCUMENT) if "pdf" in item.accepts else (Kind.PHOTO,)
    return Form(
        key=FORM,
        title=lambda view: view.tr("Enviar: {item}", item=Html(f"<b>{view.tr(item.label)}</b>")),
        questions=(
            Question(
                key=FILES,
                prompt=N_("Mande agora a foto ou o PDF.") if Kind.DOCUMENT in accepts else N_("Mande agora a foto."),
                accepts=accepts,
                many=True,
                optional=True,
                hint=lambda view: Html(hint(view.tr, item)),
            ),
        ),
        submit=submit,
        review=False,
        on_cancel=cancelled,
    )


def requirement(view: FormView) -> Requirement:
    """Return the item that the form is about, as the law of its day has it.

    Raises:
        NotFound: The law asks for it no more.
    """
    params = view.params
    book = book_of(view.laws, params["city"], params["service"])
    on = date.fromisoformat(params["on"]) if "on" in params else view.today
    for item in book.checklist(params["applicant"], on) if params["applicant"] in book.applicants else ():
        if item.id == params["item"]:
            return item
    raise NotFound("no such item")


def hint(tr: Translator, item: Requirement) -> str:
    """Return how to send it."""
    lines = [tr(item.what), tr(item.how)]
    if item.alternatives:
        lines.append(tr("Também serve: {others}.", others=Html(alternatives(tr, item))))
    if item.note:
        lines.append(f"<i>{tr(item.note)}</i>")
    return "\n".join(lines)


async def ask_for(context: BotContext, case: Case, line: ChecklistLine, *, note: str = "", fresh: bool = False) -> None:
    """Open the form of one item, below what there is to say first."""
    params: dict[str, Any] = {
        "case": case.id,
        "item": line.key,
        "city": case.city,
        "service": case.service,
        "applicant": case.subject or "",
    }
    if case.submitted_at is not None:
        params["on"] = case.submitted_at.astimezone(context.laws.city(case.city).zone).date().isoformat()
    notes = [note] if note else []
    if line.state is ItemState.REFUSED:
        notes.append("\n".join(refusal(context, line)))
    context.turn.pressed_current = context.turn.pressed_message is not None and not fresh
    await engine.start(context, FORM, params=params, note="\n\n".join(notes))


async def press_send(context: BotContext, press: Press) -> None:
    """Send an item."""
    case, line = await line_for(context, press)
    if case.is_over or line.state is ItemState.ACCEPTED:
        await show_item(context, case, line)
    else:
        await ask_for(context, case, line)


async def submit(context: BotContext, view: FormView) -> None:
    """Keep what was sent and go straight on to the next item; without a file, skip it."""
    tr, key = context.tr, view.params["item"]
    checklist = await checklist_for(context, view.params["case"])
    line = line_in(checklist.lines, key, checklist.case)
    files = view.files(FILES)
    if not files:
        await go_on(context, checklist.case, checklist.lines, after=key)
        return
    update = await context.services.send_item(
        SendItem(by=context.person, case_id=checklist.case.id, item=key, files=files, caption=view.caption(FILES))
    )
    await announce(context, update)
    now = context.services.checklist_of(update.case)
    label = Html(f"<b>{tr(line.requirement.label)}</b>")
    if any(event.kind is EventKind.SUBMITTED for event in update.events):
        note = tr("✅ Recebi: {item}. Era o que faltava: o cadastro voltou sozinho para a prefeitura.", item=label)
        await show_list(context, now.case.id, note=note)
        return
    note = tr("✅ Recebi: {item}.", item=label)
    if is_draft(now.case):
        done = now.progress
        note += " " + tr("{sent} de {total} anexados.", sent=done.sent, total=done.total)
    await go_on(context, now.case, now.lines, after=key, note=note)


async def go_on(
    context: BotContext, case: Case, lines: tuple[ChecklistLine, ...], *, after: str, note: str = ""
) -> None:
    """Ask for the next item that is missing, or show the list."""
    following = to_send(lines, after=after)
    if not following:
        await show_list(context, case.id, note=note)
        return
    await ask_for(context, case, following[0], note=note)


async def cancelled(context: BotContext, view: FormView) -> None:
    """Go back to the list."""
    await show_list(context, view.params["case"])


def register(desk: Desk) -> None:
    """Bring the items to the desk."""
    desk.form(FORM, build)
    desk.press("r", "see", press_see)
    desk.press("r", "item", press_item)
    desk.press("r", "send", press_send)
    desk.press("r", "files", press_files)
    desk.press("r", "withdraw", press_withdraw)
    desk.press("r", "why_item", press_why)
