"""The checklist of a registration: how far it is, whose turn it is, what to send next; handing it in, giving it up."""

from __future__ import annotations

from html import unescape

from domain.cases.commands import WithdrawCase
from domain.cases.model import Case, CaseState, ItemState
from domain.law.fields import Bearer
from domain.registration.commands import Checklist, Submit
from domain.registration.model import ChecklistLine
from handlers.driver.common import AREA, button, checklist_for, heading, is_draft, marked, turn_line, way_out
from handlers.driver.mine import show_mine
from handlers.driver.outcome import show_outcome
from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms.places import show
from handlers.shared.notices import announce
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_

GROUPS: dict[Bearer, str] = {
    Bearer.DRIVER: N_("Sobre você"),
    Bearer.AUXILIARY: N_("Sobre você"),
    Bearer.EMPLOYEE: N_("Sobre você"),
    Bearer.VEHICLE: N_("Sobre o veículo"),
    Bearer.OWNER: N_("Sobre o dono do veículo"),
    Bearer.OPERATOR: N_("Sobre a empresa"),
}


def to_send(lines: tuple[ChecklistLine, ...], *, after: str = "") -> tuple[ChecklistLine, ...]:
    """Return what the applicant still has to send, refused items too; ``after`` an item, only those that follow it."""
    keys = [line.key for line in lines]
    start = keys.index(after) + 1 if after in keys else 0
    return tuple(
        line
        for line in lines[start:]
        if line.state is ItemState.REFUSED or (line.holds_up and line.state is ItemState.MISSING)
    )


def line_mark(context: BotContext, case: Case, line: ChecklistLine) -> tuple[str, str]:
    """Return a line's mark and words: what nobody asks for is not "missing"."""
    if line.state is ItemState.MISSING and line.owed is None:
        return "❔", context.tr("depende de uma resposta sua")
    if line.state is ItemState.MISSING and not line.requirement.blocking:
        return "▫️", context.tr("não é obrigatório")
    return marked(context, case, line.state)


def progress_line(context: BotContext, checklist: Checklist) -> str:
    """Return how far it is: what was gathered of a draft, what was accepted of the rest."""
    tr, count = context.tr, checklist.progress
    if is_draft(checklist.case):
        return tr("{sent} de {total} anexados", sent=count.sent, total=count.total)
    return tr("{accepted} de {total} aceitos", accepted=count.accepted, total=count.total)


async def show_list(context: BotContext, case_id: int, *, note: str = "", fresh: bool = False) -> None:
    """Show a registration: its checklist while it goes on, its outcome when it is over."""
    checklist = await checklist_for(context, case_id)
    case, lines, tr = checklist.case, checklist.lines, context.tr
    if case.is_over:
        await show_outcome(context, case, note=note, fresh=fresh)
        return
    missing = to_send(lines)
    text = [note, ""] if note else []
    text += [heading(context, case), f"<b>{progress_line(context, checklist)}</b>", turn_line(context, case)]
    group = ""
    for line in lines:
        if (named := GROUPS[line.requirement.bearer]) != group:
            group = named
            text += ["", f"<b>{tr(group)}</b>"]
        mark, words = line_mark(context, case, line)
        text.append(f"{mark} {tr(line.requirement.label)}: <i>{words}</i>")
    text += ["", what_next(context, case, missing, open_items=any(line.owed is None for line in lines))]

    rows: list[tuple[Button, ...]] = []
    if missing:
        rows.append((send_button(context, case, missing[0]),))
    elif is_draft(case):
        rows.append((button(context, N_("📨 Enviar para a prefeitura"), "submit", case.id),))
    if case.asked:
        rows.append((lasting(unescape(tr("Responder à pergunta")), "p", "reply", case.id),))
    for line in lines:
        mark, _ = line_mark(context, case, line)
        rows.append((lasting(f"{mark} {unescape(tr(line.requirement.label))}", AREA, "see", case.id, line.key),))
    if is_draft(case):
        rows.append(
            (button(context, N_("Minhas respostas"), "fit", case.id), button(context, N_("Apagar"), "drop", case.id))
        )
    else:
        rows.append(
            (
                button(context, N_("Minhas respostas"), "fit", case.id),
                lasting(unescape(tr("Histórico")), "p", "open", case.id),
            )
        )
    rows.append((button(context, N_("Meus cadastros"), "mine"), button(context, N_("Meus prazos"), "dates")))
    rows.append(way_out(context))
    again = button(context, N_("Ver meu cadastro"), "back", case.id)
    show(context, "\n".join(text), tuple(rows), fresh=fresh, again=again)


def send_button(context: BotContext, case: Case, line: ChecklistLine) -> Button:
    """Return the button straight to sending an item."""
    item = unescape(context.tr(line.requirement.label))
    return lasting(unescape(context.tr("Enviar agora: {item}", item=item)), AREA, "send", case.id, line.key)


def what_next(context: BotContext, case: Case, missing: tuple[ChecklistLine, ...], *, open_items: bool) -> str:
    """Return what to do now."""
    tr = context.tr
    if missing and case.state is CaseState.WAITING:
        return tr(
            "Toque no item marcado com ❌ para ver o motivo e enviar outro. O cadastro volta sozinho à prefeitura."
        )
    if missing:
        return tr.many(
            "Falta {n} item. Toque no botão abaixo e envie a foto ou o PDF.",
            "Faltam {n} itens. Toque no botão abaixo e envie a foto ou o PDF; eu peço um depois do outro.",
            len(missing),
        )
    if open_items and is_draft(case):
        return tr(
            "Os itens com ❔ podem ser pedidos ou não: responda o que falta em “Minhas respostas” antes de enviar."
        )
    if is_draft(case):
        return tr("Está tudo aqui. Falta só tocar em “Enviar para a prefeitura”.")
    if case.asked:
        return tr("Responda à pergunta para o cadastro andar.")
    return tr("Você não precisa fazer nada agora. Cada decisão chega aqui na hora.")


async def press_back(context: BotContext, press: Press) -> None:
    """Show the checklist in place of another screen."""
    await show_list(context, press.number())


async def press_list(context: BotContext, press: Press) -> None:
    """Show the checklist below a notice, which stays to be read."""
    await show_list(context, press.number(), fresh=True)


async def submit(context: BotContext, press: Press) -> None:
    """Hand the registration in."""
    tr = context.tr
    update = await context.services.submit(Submit(by=context.person, case_id=press.number()))
    await announce(context, update)
    case = update.case
    queue = context.laws.rulebook(case.city, case.service).queues.get(case.queue or "")
    text = "\n".join(
        (
            f"<b>{tr('📨 Cadastro enviado')}</b>",
            tr("Protocolo: {protocol}", protocol=case.protocol or ""),
            "",
            tr("O que acontece agora"),
            tr("1. O cadastro está com a prefeitura, no setor {queue}.", queue=tr(queue.label) if queue else ""),
            tr("2. Alguém confere um documento de cada vez. Cada decisão chega aqui na hora."),
            tr("3. Se algo for recusado, você recebe o motivo, como resolver e um botão para enviar de novo."),
            "",
            tr("Você não precisa fazer nada agora. Para ver como está, toque em /documentos."),
        )
    )
    rows = ((button(context, N_("Ver meu cadastro"), "back", case.id),), way_out(context))
    show(context, text, rows)


async def ask_to_drop(context: BotContext, press: Press) -> None:
    """Ask before a draft is thrown away."""
    tr = context.tr
    case = (await checklist_for(context, press.number())).case
    text = f"<b>{tr('Apagar este rascunho?')}</b>\n{tr('As respostas e os arquivos dele deixam de valer.')}"
    rows = (
        (button(context, N_("Não, continuar o cadastro"), "back", case.id),),
        (button(context, N_("Sim, apagar"), "drop_yes", case.id),),
        way_out(context),
    )
    show(context, f"{heading(context, case)}\n\n{text}", rows)


async def drop(context: BotContext, press: Press) -> None:
    """Throw a draft away; what was handed in is given up elsewhere, with its history."""
    case = (await checklist_for(context, press.number())).case
    if not is_draft(case):
        await show_list(context, case.id)
        return
    update = await context.services.withdraw_case(WithdrawCase(by=context.person, case_id=case.id))
    await announce(context, update)
    await show_mine(context)


def register(desk: Desk) -> None:
    """Bring the checklist to the desk."""
    desk.press("r", "back", press_back)
    desk.press("r", "list", press_list)
    desk.press("r", "submit", submit)
    desk.press("r", "drop", ask_to_drop)
    desk.press("r", "drop_yes", drop)
