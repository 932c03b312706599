"""What waits: the queues of one's cities and roles, their cases from the oldest, and the next one."""

from __future__ import annotations

from html import escape

from telegram import Update

from domain.cases.model import Case, CaseState, Turn
from domain.cases.ports import Shelf
from domain.errors import NotFound
from domain.queues.model import CityQueues, QueueLine, QueuePage
from domain.queues.service import LookAtQueue
from handlers.shared import formats
from handlers.shared.bidi import isolated
from handlers.shared.buttons import Press, lasting
from handlers.shared.casewords import KINDS, clip, named, subject_of
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk, MenuEntry, staff_only
from handlers.shared.forms.places import park
from handlers.shared.menu import menu_button
from handlers.shared.notices import announce
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_
from handlers.staff.card import answer_due, is_late, show_card
from handlers.staff.common import AREA, token, way_out

PAGE = 8
SOON = 5  # days before the end of a term from which a list says so


async def overview(context: BotContext, *, note: str = "", fresh: bool = False) -> None:
    """Show every queue of one's cities and roles, with counts and the age of the oldest."""
    tr = context.tr
    cities = await context.services.queue_overview(context.person)
    lines = [note, ""] if note else []
    lines.append(f"<b>{tr('Filas')}</b>")
    rows: list[tuple[Button, ...]] = []
    for city in cities:
        lines += ["", f"<b>{escape(city.name, quote=False)}</b>"]
        several = len({line.service for line in city.lines}) > 1
        for line in city.lines:
            lines.append(queue_text(context, city, line, several=several))
            name = queue_name(context, city, line, several=several)
            label = f"{city.name}: {name}" if len(cities) > 1 else name
            buttons = [lasting(f"{label} ({line.open})", "q", "page", token(city.city, line.service, line.queue))]
            if line.open:
                following = tr("Pegar o próximo")
                buttons.append(lasting(following, "q", "next", token(city.city, line.service, line.queue)))
            rows.append(tuple(buttons))
    if sum(line.open + line.mine for city in cities for line in city.lines) == 0:
        lines += ["", tr("Nada espera por você agora.")]
    rows.append((lasting(tr("Casos comigo"), "q", "mine"), menu_button(context)))
    (context.say if fresh else context.replace)("\n".join(lines), buttons=tuple(rows))


def queue_name(context: BotContext, city: CityQueues, line: QueueLine, *, several: bool) -> str:
    """Return a queue's name as plain text, with its service where the city has several."""
    tr = context.tr
    name = named(line.label, tr)
    if not several:
        return name
    service = context.laws.rulebook(city.city, line.service).service
    return f"{name}, {named(service.label, tr)}"


def queue_text(context: BotContext, city: CityQueues, line: QueueLine, *, several: bool) -> str:
    """Return one queue's line."""
    tr = context.tr
    parts = [tr.many("{n} na fila", "{n} na fila", line.open) if line.open else tr("fila vazia")]
    if line.mine:
        parts.append(tr.many("{n} com você", "{n} com você", line.mine))
    if line.waiting:
        parts.append(tr.many("{n} à espera do cidadão", "{n} à espera do cidadão", line.waiting))
    if line.since is not None:
        parts.append(tr("o mais antigo chegou {age}", age=formats.age(line.since, context.now, tr)))
    return f"• {escape(queue_name(context, city, line, several=several), quote=False)}: {', '.join(parts)}"


async def find(context: BotContext, name: str) -> tuple[CityQueues, QueueLine]:
    """Return the queue that a button names.

    Raises:
        NotFound: There is none, or it is not for this person.
        NotAllowed: The person is no staff.
    """
    for city in await context.services.queue_overview(context.person):
        for line in city.lines:
            if token(city.city, line.service, line.queue) == name:
                return city, line
    raise NotFound("no such queue for this person")


def look(context: BotContext, city: CityQueues, line: QueueLine, shelf: Shelf, after: int | None = None) -> LookAtQueue:
    """Return what to look at in a queue."""
    return LookAtQueue(
        by=context.person,
        city=city.city,
        shelf=shelf,
        service=line.service,
        queue=line.queue,
        after=after,
        limit=PAGE,
    )


async def press_page(context: BotContext, press: Press) -> None:
    """One queue, from the oldest: whoever has them."""
    city, line = await find(context, press.word())
    after = press.number(1) if len(press.ids) > 1 else None
    page = await context.services.queue_page(look(context, city, line, Shelf.UNFINISHED, after))
    tr, name = context.tr, press.word()
    title = f"<b>{escape(named(line.label, tr), quote=False)}</b> · {escape(city.name, quote=False)}"
    rows: list[tuple[Button, ...]] = []
    if line.open:
        rows.append((lasting(tr("Pegar o próximo"), "q", "next", name),))
    list_page(context, page, title, rows, more=("page", name), paged=after is not None)


async def press_next(context: BotContext, press: Press) -> None:
    """Take the case that has waited longest; somebody else's hurry only means the one after it."""
    city, line = await find(context, press.word())
    update = await context.services.take_next(look(context, city, line, Shelf.OPEN))
    if update is None:
        context.toast(context.tr("Esta fila está vazia."))
        await overview(context)
        return
    await announce(context, update)
    context.toast(context.tr("O caso é seu."))
    await show_card(context, update.case.id)


async def mine(context: BotContext, *, city: str = "", after: int | None = None, fresh: bool = False) -> None:
    """Show the cases that one has, city by city; ``city`` is a button's name of one."""
    tr = context.tr
    cities = await context.services.queue_overview(context.person)
    chosen = next((one for one in cities if token(one.city) == city), None)
    if chosen is None and len(cities) > 1:
        held = [(one, sum(line.mine for line in one.lines)) for one in cities]
        rows = [(lasting(f"{one.name} ({count})", "q", "mine", token(one.city)),) for one, count in held]
        text = f"<b>{tr('Casos comigo')}</b>\n{tr('De qual cidade?')}"
        (context.say if fresh else context.replace)(text, buttons=(*rows, way_out(context)))
        return
    chosen = chosen or cities[0]
    look_at = LookAtQueue(by=context.person, city=chosen.city, shelf=Shelf.MINE, after=after, limit=PAGE)
    page = await context.services.queue_page(look_at)
    title = f"<b>{tr('Casos comigo')}</b> · {escape(chosen.name, quote=False)}"
    name = token(chosen.city)
    several = sum(line.mine for line in chosen.lines) > 1
    last = (lasting(tr("Devolver todos à fila"), "q", "hand", name),) if several else ()
    list_page(context, page, title, [], more=("mine", name), last=last, paged=after is not None, fresh=fresh)


async def press_mine(context: BotContext, press: Press) -> None:
    """One's own cases, or the next page of them."""
    city = press.word() if press.ids else ""
    await mine(context, city=city, after=press.number(1) if len(press.ids) > 1 else None)


async def find_city(context: BotContext, press: Press) -> CityQueues:
    """Return the city that a button names.

    Raises:
        NotFound: There is none, or it is not for this person.
        NotAllowed: The person is no staff.
    """
    for city in await context.services.queue_overview(context.person):
        if token(city.city) == press.word():
            return city
    raise NotFound("no such city for this person")


async def press_hand(context: BotContext, press: Press) -> None:
    """Ask before all that one has goes back."""
    city, tr = await find_city(context, press), context.tr
    count = sum(line.mine for line in city.lines)
    ask = tr.many("Devolver à fila {n} caso que está com você?", "Devolver à fila {n} casos que estão com você?", count)
    keeps = tr("Nada se perde: quem assumir vê tudo o que já foi feito. As pessoas não são avisadas.")
    rows = (
        (lasting(tr("Sim, devolver"), "q", "handed", press.word()),),
        (lasting(tr("Casos comigo"), "q", "mine", press.word()), menu_button(context)),
    )
    context.replace(f"<b>{ask}</b> ({escape(city.name, quote=False)})\n{keeps}", buttons=rows)


async def press_handed(context: BotContext, press: Press) -> None:
    """Give back all that one has in a city."""
    city, tr = await find_city(context, press), context.tr
    count = await context.services.hand_back(context.person, city.city)
    await overview(context, note=tr.many("✅ {n} caso voltou à fila.", "✅ {n} casos voltaram à fila.", count))


def list_page(
    context: BotContext,
    page: QueuePage,
    title: str,
    rows: list[tuple[Button, ...]],
    *,
    more: tuple[str, str],
    last: tuple[Button, ...] = (),
    paged: bool,
    fresh: bool = False,
) -> None:
    """Show a page of cases: a line and a button each, ``last`` what concerns all of them."""
    tr = context.tr
    lines = [title, ""]
    buttons = []
    for number, case in enumerate(page.cases, start=1):
        lines.append(case_line(context, number, case, page))
        tail = (case.protocol or "").split("-", 2)[-1]
        buttons.append(lasting(f"{number}: {tail}", AREA, "card", case.id))
    rows += [tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2)]
    if not page.cases:
        lines.append(tr("Nada por aqui."))
    verb, name = more
    turns = [lasting(tr("Do começo"), "q", verb, name)] if paged else []
    if page.next_after is not None:
        turns.append(lasting(tr("Mais casos"), "q", verb, name, page.next_after))
    if turns:
        rows.append(tuple(turns))
    rows += [row for row in (last, way_out(context)) if row]
    (context.say if fresh else context.replace)("\n".join(lines), buttons=tuple(rows))


def case_line(context: BotContext, number: int, case: Case, page: QueuePage) -> str:
    """Return one case of a list: what it is and whose, whose turn it is and since when, who has it."""
    tr = context.tr
    whose = isolated(short_name(page.citizens.get(case.id, "")))
    about = " · ".join(part for part in (tr(KINDS[case.kind]), subject_of(case, context.laws, tr), whose) if part)
    if case.state is CaseState.OPEN or case.assignee is None:
        holder = tr("ninguém assumiu")
    elif case.assignee == context.person.id:
        holder = tr("com você")
    else:
        holder = tr("com {holder}", holder=page.holders.get(case.assignee, ""))
    parts = [one for one in (term_mark(context, case), holder) if one]
    if case.turn_since is not None:
        age = formats.age(case.turn_since, context.now, tr)
        parts.append(
            tr("vez do cidadão, {age}", age=age) if case.turn is Turn.CITIZEN else tr("vez da equipe, {age}", age=age)
        )
    protocol = escape(case.protocol or "", quote=False)
    return f"{number}. <b>{protocol}</b>\n{escape(about, quote=False)}\n{', '.join(parts)}"


def term_mark(context: BotContext, case: Case) -> str:
    """Return what a list says of the term of an answer: that it is over, or how soon it ends; "" while it is far."""
    due, tr, today = answer_due(context, case), context.tr, context.today(case.city)
    if is_late(context, case):
        return "⚠️ " + tr("prazo vencido")
    if due is None or due.ends_on is None or not 0 <= (due.ends_on - today).days <= SOON:
        return ""
    return "⏰ " + tr("prazo termina {distance}", distance=formats.distance(due.ends_on, today, tr))


def short_name(name: str) -> str:
    """Return a first name and the initial of the last one: enough to tell the cases of a list apart."""
    words = name.split()
    return clip(f"{words[0]} {words[-1][0]}." if len(words) > 1 else name.strip(), 40)


async def press_all(context: BotContext, press: Press) -> None:
    """Back to the queues."""
    await overview(context)


async def press_open(context: BotContext, press: Press) -> None:
    """The queues, from a notice, which stays as it is."""
    await open_queues(context)


async def queue_command(update: Update, context: BotContext) -> None:
    """``/fila``: the queues."""
    await open_queues(context)


async def mine_command(update: Update, context: BotContext) -> None:
    """``/minhas``: one's own cases."""
    park(context.conversation)
    await mine(context, fresh=True)


async def open_queues(context: BotContext) -> None:
    """The queues, from the menu. A form still open is put aside, so that nothing typed later lands in it."""
    park(context.conversation)
    await overview(context, fresh=True)


async def open_mine(context: BotContext) -> None:
    """One's own cases, from the menu."""
    park(context.conversation)
    await mine(context, fresh=True)


def register(desk: Desk) -> None:
    """Bring the queues to the desk."""
    desk.press("q", "all", press_all)
    desk.press("q", "open", press_open)
    desk.press("q", "page", press_page)
    desk.press("q", "next", press_next)
    desk.press("q", "mine", press_mine)
    desk.press("q", "hand", press_hand)
    desk.press("q", "handed", press_handed)
    desk.entry(
        MenuEntry(
            key="queues",
            label=N_("Filas da equipe"),
            action=open_queues,
            order=10,
            when=staff_only,
            words=("fila", "queue", "cola", "atend"),
        )
    )
    desk.entry(MenuEntry(key="mine", label=N_("Casos comigo"), action=open_mine, order=11, when=staff_only))
    desk.command(
        Command(
            handler=queue_command,
            names={"pt_BR": "fila", "en": "queue", "es": "cola"},
            description=N_("O que espera pela equipe"),
            staff=True,
            order=61,
        )
    )
    desk.command(
        Command(
            handler=mine_command,
            names={"pt_BR": "minhas", "en": "mine", "es": "mias"},
            description=N_("Os casos que estão comigo"),
            staff=True,
            order=62,
        )
    )
