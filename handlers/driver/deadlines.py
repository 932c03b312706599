"""``/prazos``: what one owes and when, why on that day, and who pays what."""

from __future__ import annotations

from html import unescape

from telegram import Update

from domain.cases.model import Case, Outcome
from domain.errors import NotFound
from domain.law.answers import Standing
from domain.law.rules import CertificateRule, RenewalRule, RequirementRule
from domain.reminders.derive import steps_from_json
from domain.reminders.model import Obligation, ObligationState
from domain.reminders.service import SettleObligation
from handlers.driver.common import AREA, button, heading, way_out
from handlers.driver.mine import registrations
from handlers.driver.undated import grounds, undated
from handlers.shared import formats
from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk
from handlers.shared.forms.places import show
from handlers.shared.outgoing import Button
from handlers.shared.pages import page_of
from handlers.shared.reminders import describe
from handlers.shared.texts import N_, Html
from handlers.shared.why import reasons, sources

SHOWN = 8
REASONS = 4  # on one screen
ROOM = 3400  # characters, so that the message stays below Telegram's 4096 whatever the last registration adds


async def owed(context: BotContext) -> list[Obligation]:
    """Return what the person owes in the cities that are served, soonest first."""
    return [one for one in await context.services.my_obligations(context.person) if one.city in context.laws]


async def owed_one(context: BotContext, obligation_id: int) -> Obligation | None:
    """Return something that the person still owes."""
    return next((one for one in await owed(context) if one.id == obligation_id), None)


async def show_dates(context: BotContext, *, note: str = "", page: int = 1) -> None:
    """Show what is owed with its day, and what has none."""
    tr, every = context.tr, await owed(context)
    cases = [case for case in await registrations(context) if case.outcome is not Outcome.DENIED]
    shown = page_of(every, page, SHOWN)
    lines = [note, ""] if note else []
    lines.append(f"<b>{tr('Meus prazos')}</b>")
    rows: list[tuple[Button, ...]] = []
    if not cases and not every:
        lines.append(tr("Você ainda não tem cadastro, então não há prazo seu. Comece por aqui:"))
        rows.append((button(context, N_("Começar um cadastro"), "start"),))
    elif not every:
        lines.append(tr("Nenhum prazo seu com dia marcado agora."))
    if any(not case.is_over for case in cases):
        lines.append(tr("As datas do cadastro em andamento entram aqui quando ele for aprovado."))
    for one in shown.items:
        lines.append(
            tr(
                "• {day} ({distance}): {what}, {city}",
                day=Html(f"<b>{formats.day(one.due_on, tr.language)}</b>"),
                distance=formats.distance(one.due_on, context.today(one.city), tr),
                what=tr(one.label),
                city=context.laws.city(one.city).name,
            )
        )
        day = formats.day(one.due_on, tr.language)
        rows.append((lasting(f"{day} {unescape(tr(one.label))}", AREA, "due", one.id),))
    rows += shown.turns(lambda text, to: button(context, text, "dates", to), N_("Anteriores"), N_("Mais"))
    if shown.number == 1:
        rows += add_undated(context, cases, every, lines)
    rows.append(way_out(context))
    show(context, "\n".join(lines), tuple(rows), again=button(context, N_("Meus prazos"), "dates"))


def add_undated(
    context: BotContext, cases: list[Case], every: list[Obligation], lines: list[str]
) -> list[tuple[Button, ...]]:
    """Add what has no day to ``lines`` while there is room; return buttons to its reasons and to what does not fit."""
    rows: list[tuple[Button, ...]] = []
    seen: set[tuple[str, str, str | None]] = set()
    for case in cases:
        kind = (case.city, case.service, case.subject)
        if kind in seen:
            continue
        seen.add(kind)
        section = undated_section(context, case, every)
        if section:
            text = context.tr("Por quê? Sem dia marcado: {city}", city=context.laws.city(case.city).name)
            rows.append((lasting(unescape(text), AREA, "why_undated", case.id, 1),))
        if section and len("\n".join([*lines, *section])) < ROOM:
            lines += ["", *section]
        elif section:
            text = context.tr("Sem dia marcado: {city}", city=context.laws.city(case.city).name)
            rows.append((lasting(unescape(text), AREA, "undated", case.id),))
    return rows


def undated_section(context: BotContext, case: Case, every: list[Obligation]) -> list[str]:
    """Return what has no day in one registration."""
    dated = {one.rule for one in every if one.case_id == case.id}
    found = undated(context, case, dated)
    if not found:
        return []
    city = context.laws.city(case.city).name
    return [f"<b>{context.tr('Sem dia marcado ou pago por outros ({city})', city=city)}</b>", *found.values()]


async def show_due(context: BotContext, one: Obligation, *, note: str = "") -> None:
    """Show one obligation: what, until when, who, how."""
    tr = context.tr
    lines = [note, ""] if note else []
    lines.append(describe(tr, one, context.laws, context.today(one.city)))
    rows: list[tuple[Button, ...]] = []
    if one.city in context.laws and renews(context, one):
        rows.append((button(context, N_("Renovar agora"), "again", one.case_id),))
    rows.append(
        (button(context, N_("Já fiz"), "done", one.id), button(context, N_("Por que esta data?"), "why_due", one.id))
    )
    rows.append((button(context, N_("Voltar aos prazos"), "dates"), *way_out(context)))
    show(context, "\n".join(lines), tuple(rows))


def renews(context: BotContext, one: Obligation) -> bool:
    """Whether it is settled by handing something in here again."""
    rule = context.laws.rulebook(one.city, one.service).rules.get(one.rule)
    return isinstance(rule, RequirementRule | RenewalRule | CertificateRule)


async def press_dates(context: BotContext, press: Press) -> None:
    """Show the dates, or another page of them."""
    await show_dates(context, page=press.number() if press.ids else 1)


async def press_due(context: BotContext, press: Press) -> None:
    """Show one obligation; one that is owed no more leads to the list."""
    one = await owed_one(context, press.number())
    if one is None:
        await show_dates(context, note=context.tr("Este prazo já foi cumprido ou não vale mais."))
    else:
        await show_due(context, one)


async def press_why(context: BotContext, press: Press) -> None:
    """Show why a date is what it is, as a message of its own: a reminder stays to be read."""
    one = await owed_one(context, press.number())
    tr = context.tr
    if one is None:
        await show_dates(context, note=tr("Este prazo já foi cumprido ou não vale mais."))
        return
    book = context.laws.rulebook(one.city, one.service)
    rule = book.rules.get(one.rule)
    version = (rule.version(one.due_on) or rule.newest) if rule is not None else None
    if version is None:
        raise NotFound("the rule behind this date is gone")
    lines = [
        f"<b>{tr('Por que {day}?', day=formats.day(one.due_on, tr.language))}</b>",
        tr(one.label),
        reasons(
            tr,
            book,
            standing=Standing(one.standing),
            cite=version.cite,
            steps=steps_from_json(one.why),
            assumption=one.assumption,
        ),
    ]
    rows = (
        (button(context, N_("Já fiz"), "done", one.id), button(context, N_("Abrir meus prazos"), "dates")),
        way_out(context),
    )
    show(context, "\n".join(lines), rows, fresh=True)


async def press_done(context: BotContext, press: Press) -> None:
    """Stop reminding of something that is done."""
    tr = context.tr
    settled = await context.services.settle_obligation(
        SettleObligation(by=context.person, obligation_id=press.number())
    )
    label = Html(f"<b>{tr(settled.label)}</b>")
    if settled.state is ObligationState.CANCELLED:
        await show_dates(context, note=tr("{what}: este prazo não vale mais.", what=label))
        return
    context.toast(tr("Anotado."))
    await show_dates(context, note=tr("✅ {what}: anotado como feito. Não lembro mais desta data.", what=label))


async def registration(context: BotContext, number: int) -> Case:
    """Return a registration of the one at the counter.

    Raises:
        NotFound: It is not theirs.
    """
    case = next((case for case in await registrations(context) if case.id == number), None)
    if case is None:
        raise NotFound("no such registration of this person")
    return case


async def press_undated(context: BotContext, press: Press) -> None:
    """Show what has no day in one registration."""
    case = await registration(context, press.number())
    lines = [heading(context, case), "", *undated_section(context, case, await owed(context))]
    why = button(context, N_("Por quê?"), "why_undated", case.id, 1)
    rows = ((why,), (button(context, N_("Voltar aos prazos"), "dates"), *way_out(context)))
    show(context, "\n".join(lines), rows)


async def press_why_undated(context: BotContext, press: Press) -> None:
    """Show what rests on the law of that which has no day, some at a time."""
    tr, case = context.tr, await registration(context, press.number())
    dated = {one.rule for one in await owed(context) if one.case_id == case.id}
    shown = page_of(grounds(context, case, dated), press.number(1), REASONS)
    part = tr("Parte {page} de {pages}", page=shown.number, pages=shown.pages) if shown.pages > 1 else ""
    lines = [heading(context, case), f"<b>{tr('Por quê?')}</b> {part}".rstrip()]
    for told, _ in shown.items:
        lines += ["", told]
    book = context.laws.rulebook(case.city, case.service)
    lines += ["", sources(tr, book, (cite for _, cite in shown.items))]
    moves = shown.turns(
        lambda text, to: button(context, text, "why_undated", case.id, to), N_("Anteriores"), N_("Mais")
    )
    back = (button(context, N_("Voltar aos prazos"), "dates"), *way_out(context))
    show(context, "\n".join(lines), (*moves, back))


async def dates(update: Update, context: BotContext) -> None:
    """``/prazos``: what one owes and when."""
    await show_dates(context)


def register(desk: Desk) -> None:
    """Bring the dates to the desk."""
    desk.command(
        Command(
            handler=dates,
            names={"pt_BR": "prazos", "en": "deadlines", "es": "plazos"},
            description=N_("O que vence, quando, e quem paga"),
            order=40,
        )
    )
    desk.press("r", "dates", press_dates)
    desk.press("r", "due", press_due)
    desk.press("r", "why_due", press_why)
    desk.press("r", "done", press_done)
    desk.press("r", "undated", press_undated)
    desk.press("r", "why_undated", press_why_undated)
