"""My cases, and one case as its citizen sees it: where it stands, whose turn it is, what was said."""

from __future__ import annotations

from html import escape

from telegram import Update

from domain.cases.commands import CitizenCase
from domain.cases.model import AuthorKind, Case, CaseKind, CaseState, Event, EventKind, Outcome
from domain.cases.protocol import read_protocol
from domain.privacy.model import IdentityMode
from domain.reports.answer import answer_deadline
from handlers.passenger.common import (
    OWN,
    Handle,
    handle_of,
    mark,
    must_be_served,
    opened,
    served,
    since,
    state_words,
    turn_line,
    way_out,
)
from handlers.passenger.filing import answer_lines
from handlers.passenger.hearing import hear_case
from handlers.shared import formats
from handlers.shared.buttons import Press, lasting
from handlers.shared.casewords import KINDS, OUTCOMES, headline, item_label, queue_label, quoted, subject_of
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk, MenuEntry
from handlers.shared.forms.places import show
from handlers.shared.forms.screens import shorten
from handlers.shared.menu import menu_button
from handlers.shared.outgoing import Button, Kind
from handlers.shared.pages import page_of
from handlers.shared.reported import report_facts
from handlers.shared.texts import N_, Html
from handlers.shared.why import reasons

PAGE = 7
EVENTS = 6
SENT_BACK = 10  # files shown at once
LABEL = 60
ROOM = 3300  # characters of a page of what was told
MODES = {
    IdentityMode.IDENTIFIED: N_("Com o seu nome"),
    IdentityMode.PROTECTED: N_("Identidade protegida"),
    IdentityMode.ANONYMOUS: N_("Anônimo"),
}


async def list_cases(context: BotContext, page: int = 1, *, fresh: bool = False) -> None:
    """Show the person's cases, those that wait for them first."""
    tr = context.tr
    every = [case for case in await context.services.my_cases(context.person) if served(context, case)]
    every.sort(key=lambda case: case.state not in (CaseState.WAITING, CaseState.DECIDED))
    shown = page_of(every, page, PAGE)
    waiting = sum(case.state in (CaseState.WAITING, CaseState.DECIDED) for case in every)
    lines = [f"<b>{tr('Meus casos')}</b>"]
    if not every:
        lines.append(tr("Você ainda não tem nenhum. Um relato anônimo não aparece aqui: abra-o pelo recibo."))
    elif waiting:
        lines.append(tr.many("👉 {n} espera por você.", "👉 {n} esperam por você.", waiting))
    else:
        lines.append(tr("Nenhum espera por você agora."))
    rows: list[tuple[Button, ...]] = [(line_button(context, case),) for case in shown.items]
    rows += shown.turns(lambda text, to: lasting(text, OWN, "list", to), tr("Mais novos"), tr("Mais antigos"))
    rows += [(lasting(tr("Tenho um recibo"), "a", "ask"),), way_out(context)]
    show(context, "\n".join(lines), tuple(rows), fresh=fresh, again=lasting("", OWN, "list", 1))


def line_button(context: BotContext, case: Case) -> Button:
    """Return a case as one button of the list; a registration opens in its own place."""
    tr = context.tr
    about = subject_of(case, context.laws, tr) or tr(KINDS[case.kind])
    stands = f"{state_words(context, case)}, {since(context, case)}".rstrip(", ")
    label = f"{mark(case)} {shorten(about, LABEL - len(stands))}: {stands}"
    if case.kind is CaseKind.REGISTRATION:
        return lasting(label, "r", "list", case.id)
    return lasting(label, OWN, "see", case.id)


async def show_case(context: BotContext, handle: Handle, *, note: str = "", fresh: bool = False) -> None:
    """Show one case below ``note`` (HTML).

    Raises:
        NotFound: It is not theirs, or its city is served no more.
        ReceiptUnknown: No case has this receipt.
    """
    seen = await opened(context, handle)
    case, tr = seen.case, context.tr
    must_be_served(context, case)
    city = context.laws.city(case.city)
    lines = [note, ""] if note else []
    lines += [headline(case, tr), tr("{subject} · {city}", subject=subject_of(case, context.laws, tr), city=city.name)]
    if case.submitted_at is not None:
        moment = formats.moment(case.submitted_at, city.zone, tr.language)
        lines.append(tr("Enviado em {moment} · {mode}", moment=moment, mode=tr(MODES[seen.mode])))
    lines += ["", turn_line(context, case), *spoken_by_staff(context, seen)]
    if owed(case):
        lines += answer_lines(context, case)
    again = handle.button(tr("Ver o caso"), "see") if handle.receipt is None else None  # no receipt stays in the row
    show(context, "\n".join(lines), buttons_for(context, seen, handle), fresh=fresh, again=again)


def owed(case: Case) -> bool:
    """Return whether the city owes an answer to a report."""
    return case.kind is not CaseKind.REGISTRATION and case.submitted_at is not None and not case.is_over


def spoken_by_staff(context: BotContext, seen: CitizenCase) -> list[str]:
    """Return what staff said last, where it is that which the person is to read now."""
    case, tr = seen.case, context.tr
    said = [event for event in seen.events if event.author.kind is AuthorKind.STAFF and event.text.strip()]
    lines = []
    if case.state is CaseState.DECIDED:
        outcome = tr(OUTCOMES[case.outcome]) if case.outcome else ""
        lines.append(tr("Resultado: {outcome}.", outcome=Html(f"<b>{outcome}</b>")))
    last = said[-1] if said else None
    if last is None or (last.kind is EventKind.ASKED and not case.asked):
        return lines
    label = {
        EventKind.ASKED: tr("A prefeitura perguntou:"),
        EventKind.EXTENDED: tr("A prefeitura prorrogou o prazo para responder. O motivo:"),
    }.get(last.kind, tr("A prefeitura escreveu:"))
    return [*lines, label, quoted(last.text, 1500)]


def buttons_for(context: BotContext, seen: CitizenCase, handle: Handle) -> tuple[tuple[Button, ...], ...]:
    """Return what can be done with a case as it stands."""
    case, tr = seen.case, context.tr
    rows: list[tuple[Button, ...]] = []
    if case.asked:
        rows.append((handle.button(tr("Responder"), "reply"),))
    if case.state is CaseState.DECIDED:
        rows.append((handle.button(tr("Sim, resolve"), "yes"),))
        rows.append((handle.button(tr("Não concordo"), "no"),))
    if case.kind is CaseKind.REGISTRATION:
        rows.append(
            (lasting(tr("Abrir meu cadastro"), "r", "list", case.id), handle.button(tr("Linha do tempo"), "line", 1))
        )
    else:
        rows.append((handle.button(tr("O que contei"), "told", 1), handle.button(tr("Linha do tempo"), "line", 1)))
    if owed(case):
        rows.insert(-1, (handle.button(tr("Acrescentar prova"), "add"),))
        rows.append((handle.button(tr("Por que esta data?"), "why"), handle.button(tr("Desistir"), "drop")))
    if handle.receipt is not None:
        rows.append((handle.button(tr("Fechar"), "close"), menu_button(context)))
    else:
        rows.append((lasting(tr("Meus casos"), OWN, "list", 1), menu_button(context)))
    return tuple(rows)


async def told(context: BotContext, press: Press) -> None:
    """Show what was told, whole: a long report takes several pages."""
    handle, page, tr = handle_of(press), press.number(1), context.tr
    seen = await opened(context, handle)
    must_be_served(context, seen.case)
    facts = report_facts(seen.case, context.laws, tr)
    pages = pages_of(facts)
    shown = page_of(pages, page, 1)
    lines = [headline(seen.case, tr)]
    for name, value in shown.items[0]:
        lines.append(f"<b>{escape(name, quote=False)}</b>\n{quoted(value, ROOM)}")
    moves = shown.turns(lambda text, to: handle.button(text, "told", to), tr("Página anterior"), tr("Próxima página"))
    rows: list[tuple[Button, ...]] = [*moves]
    if seen.files:
        lines.append(tr.many("{n} arquivo enviado.", "{n} arquivos enviados.", len(seen.files)))
        rows.append((handle.button(tr("Ver os arquivos"), "files"),))
    show(context, "\n".join(lines), (*rows, way_out(context, handle)))


def pages_of(facts: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Pack facts into pages, in order."""
    pages: list[list[tuple[str, str]]] = [[]]
    used = 0
    for name, value in facts:
        size = len(name) + min(len(value), ROOM)
        if pages[-1] and used + size > ROOM:
            pages.append([])
            used = 0
        pages[-1].append((name, value))
        used += size
    return pages


async def files(context: BotContext, press: Press) -> None:
    """Send back the files of a case, the newest ones when there are many."""
    handle, tr = handle_of(press), context.tr
    seen = await opened(context, handle)
    sent = sorted(seen.files.values(), key=lambda file: file.id)[-SENT_BACK:]
    for file in sent:
        context.send_file(Kind(file.kind.value), file.file_id)
    context.say(
        tr.many("É {n} arquivo.", "São {n} arquivos.", len(sent)) if sent else tr("Este caso não tem arquivos."),
        buttons=(way_out(context, handle),),
    )


async def timeline(context: BotContext, press: Press) -> None:
    """Show what happened, newest first, a page at a time."""
    handle, tr = handle_of(press), context.tr
    seen = await opened(context, handle)
    must_be_served(context, seen.case)
    zone = context.laws.city(seen.case.city).zone
    shown = page_of(seen.events[::-1], press.number(1), EVENTS)
    lines = [headline(seen.case, tr), f"<b>{tr('Linha do tempo')}</b>"]
    for event in shown.items:
        lines.append(f"{formats.moment(event.at, zone, tr.language)} · {words_for(context, event, seen.case)}")
        if event.text.strip():
            lines.append(quoted(event.text, 450))
    moves = shown.turns(lambda text, to: handle.button(text, "line", to), tr("Mais novos"), tr("Mais antigos"))
    show(context, "\n".join(lines), (*moves, way_out(context, handle)))


def words_for(context: BotContext, event: Event, case: Case) -> str:
    """Return what an event means to the citizen."""
    tr = context.tr
    match event.kind:
        case EventKind.OPENED:
            return tr("Você começou o relato.")
        case EventKind.SUBMITTED:
            return tr("A prefeitura recebeu.")
        case EventKind.TAKEN:
            return tr("A equipe começou a analisar.")
        case EventKind.TRANSFERRED:
            queue = queue_label(case, str(event.data.get("queue", "")), context.laws, tr)
            return tr("Passou para outra equipe: {queue}.", queue=queue)
        case EventKind.ASKED:
            return tr("A prefeitura perguntou:")
        case EventKind.REPLIED:
            return tr("Você respondeu.")
        case EventKind.EVIDENCE_ADDED:
            return tr("Você acrescentou ao caso.")
        case EventKind.ANSWERED:
            return tr("A prefeitura escreveu:")
        case EventKind.EXTENDED:
            return tr("A prefeitura prorrogou o prazo para responder. O motivo:")
        case EventKind.DECIDED:
            return tr("Resultado: {outcome}.", outcome=tr(OUTCOMES[Outcome(event.data["outcome"])]))
        case EventKind.CONFIRMED:
            return tr("Você confirmou o resultado.")
        case EventKind.CONTESTED:
            return tr("Você não concordou, e o caso voltou para a equipe.")
        case EventKind.WITHDRAWN:
            return tr("Você desistiu.")
        case _ if "item" in event.data:
            return item_label(case, str(event.data["item"]), context.laws, tr)
        case _:
            return tr("O caso andou.")


async def why(context: BotContext, press: Press) -> None:
    """Say what the date of the answer rests on."""
    handle, tr = handle_of(press), context.tr
    seen = await opened(context, handle)
    must_be_served(context, seen.case)
    due = answer_deadline(seen.case, laws=context.laws)
    if due is None:
        await show_case(context, handle)
        return
    book = context.laws.rulebook(seen.case.city, seen.case.service)
    text = reasons(tr, book, standing=due.standing, cite=due.cite, steps=due.steps, assumption=due.assumption)
    title = tr("<b>Por que esta data?</b>")
    show(context, f"{title}\n{text}", (way_out(context, handle),))


async def see(context: BotContext, press: Press) -> None:
    """Open a case in place of the screen that was pressed."""
    await show_case(context, handle_of(press))


async def open_anew(context: BotContext, press: Press) -> None:
    """Open a case from a notice, which stays to be read."""
    await show_case(context, handle_of(press), fresh=True)


async def read(context: BotContext, text: str) -> bool:
    """Open the person's own case whose protocol is all that they wrote; say so when none of theirs has it."""
    number, tr = read_protocol(text), context.tr
    if number is None:
        return False
    mine = [case for case in await context.services.my_cases(context.person) if case.protocol == number]
    found = next((case for case in mine if served(context, case)), None)
    if found is None:
        note = tr("Não encontrei o protocolo {protocol} entre os casos que você pode ver.", protocol=number)
        note = f"{note} {tr('Um relato anônimo abre-se pelo recibo.')}"
        await context.desk.home(context, note)
    elif found.kind is CaseKind.REGISTRATION:
        show(context, headline(found, tr), ((line_button(context, found),), way_out(context)), fresh=True)
    else:
        await show_case(context, Handle(found.id), fresh=True)
    return True


async def press_list(context: BotContext, press: Press) -> None:
    """Another page of the list."""
    await list_cases(context, press.number())


async def command(update: Update, context: BotContext) -> None:
    """``/meus``."""
    await list_cases(context)


def register(desk: Desk) -> None:
    """Bring the cases to the desk."""
    desk.readers.append(read)
    desk.press(OWN, "list", press_list)
    desk.press(OWN, "open", open_anew)
    for area in ("p", "a"):
        for verb, handler in (("see", see), ("told", told), ("files", files), ("line", timeline), ("why", why)):
            desk.press(area, verb, handler)
    desk.entry(
        MenuEntry(
            key="cases",
            label=N_("Acompanhar meus casos"),
            action=list_cases,
            order=30,
            words=(
                *(
                    "acompanh",
                    "protocol",
                    "meus casos",
                    "meu caso",
                    "respond",
                    "respost",
                    "andamento",
                    "recibo",
                    "desist",
                ),
                *(
                    "follow",
                    "status",
                    "my case",
                    "answer",
                    "receipt",
                    "withdraw",
                    "seguim",
                    "respuest",
                    "mi caso",
                    "retirar",
                ),
            ),
            hears=hear_case,
        )
    )
    desk.command(
        Command(
            handler=command,
            names={"pt_BR": "meus", "en": "mycases", "es": "miscasos"},
            description=N_("Meus casos: como estão e de quem é a vez"),
            order=40,
        )
    )
