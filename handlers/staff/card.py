"""The case card: everything about one case on one screen, with the buttons that fit its state and no others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from enum import StrEnum
from html import escape

from telegram import Update

from domain.cases.commands import CaseCard, ReleaseCase, TakeCase
from domain.cases.errors import CaseClosed, CaseMovedOn, CaseTaken, NotYourCase, OwnCase
from domain.cases.model import Case, CaseKind, CaseState, ItemState, Outcome, Turn
from domain.cases.protocol import protocol, protocol_series, read_protocol
from domain.errors import NotAllowed, NotFound
from domain.law.eligibility import Finding, eligibility
from domain.law.terms import Deadline
from domain.people.model import Role
from domain.registration.commands import Checklist
from domain.registration.model import law_facts
from domain.reports.answer import answer_deadline, may_be_extended, stopped_on
from domain.reports.answer import is_late as over
from handlers.shared import formats
from handlers.shared.buttons import Press, lasting
from handlers.shared.casewords import CONTESTED, MARKS, OUTCOMES, bold, headline, named, queue_label
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk
from handlers.shared.forms.places import park
from handlers.shared.menu import menu_button
from handlers.shared.notices import announce
from handlers.shared.outgoing import Button, Keyboard
from handlers.shared.texts import N_, Translator, plain
from handlers.staff.common import AREA, act, facts_lines, facts_of, place_line, token, way_out, who
from handlers.staff.history import entry_of, told

FACTS_SHOWN = 6
EVENTS_SHOWN = 3
ITEMS_SHOWN = 14
ROOM = 3700


class Act(StrEnum):
    """What staff can do to a case; the values are the verbs of the buttons."""

    TAKE = "take"
    RELEASE = "free"
    MOVE = "move"
    REVIEW = "docs"
    APPROVE = "approve"
    DENY = "deny"
    ASK = "ask"
    ANSWER = "answer"
    DECIDE = "decide"
    EXTEND = "extend"
    NOTE = "note"


def acts_of(context: BotContext, card: CaseCard) -> frozenset[Act]:
    """Return what this member of staff can do to the case as it is now."""
    case, acts = card.case, {Act.NOTE}
    if case.is_over:
        return frozenset(acts)
    if card.holder is None:
        acts.add(Act.TAKE)
    elif card.mine or context.person.may(case.city, (Role.MANAGER,)):
        acts.add(Act.RELEASE)
    if (Act.RELEASE in acts or Act.TAKE in acts) and context.services.transfer_queues(case):
        acts.add(Act.MOVE)
    if not card.mine:
        return frozenset(acts)
    acts |= {Act.ASK, Act.ANSWER}
    if case.kind is not CaseKind.REGISTRATION:
        if may_be_extended(case, laws=context.laws, today=context.today(case.city)):
            acts.add(Act.EXTEND)
        return frozenset(acts | {Act.DECIDE})
    acts.add(Act.DENY)
    checklist = context.services.checklist_of(case)
    if undecided(checklist):
        acts.add(Act.REVIEW)
    elif all(line.state is ItemState.ACCEPTED for line in checklist.lines if line.holds_up):
        acts.add(Act.APPROVE)
    return frozenset(acts)


def undecided(checklist: Checklist) -> list[str]:
    """Return the items that wait to be looked at, in the order of the law."""
    return [line.key for line in checklist.lines if line.state is ItemState.SENT]


def card_text(context: BotContext, card: CaseCard) -> str:
    """Return the card as HTML; what does not fit is cut from below, its buttons show the rest."""
    case, tr, now = card.case, context.tr, context.now
    zone = context.laws.city(case.city).zone
    lines = [headline(case, tr), place_line(case, context.laws, tr), "", state_line(context, card)]
    if case.turn is not Turn.NOBODY and case.turn_since is not None:
        age = formats.age(case.turn_since, now, tr)
        lines.append(
            tr("Vez da equipe, {age}.", age=age) if case.turn is Turn.STAFF else tr("Vez do cidadão, {age}.", age=age)
        )
    lines.append(who(card, tr))
    if not card.party.reachable:
        lines.append("⚠️ " + tr("A pessoa bloqueou este balcão: por enquanto, nada do que você envia chega a ela."))
    if case.submitted_at is not None:
        lines.append(tr("Recebido em {moment}.", moment=formats.moment(case.submitted_at, zone, tr.language)))
        lines += answer_by(context, case)
    if case.contested:
        lines.append(tr.many("Contestado {n} vez.", "Contestado {n} vezes.", case.contested))
    facts = facts_of(case, context.laws, tr)
    if facts:
        lines += ["", f"<b>{tr('O que foi informado')}</b>", *facts_lines(facts[:FACTS_SHOWN], 160)]
        if len(facts) > FACTS_SHOWN:
            lines.append(tr.many("e mais {n}, em Ver dados", "e mais {n}, em Ver dados", len(facts) - FACTS_SHOWN))
    if case.kind is CaseKind.REGISTRATION:
        lines += item_lines(context, case)
        lines += law_lines(context, case)
    lines += ["", f"<b>{tr('Por último')}</b>"]
    recent = [entry_of(event, case, context, room=120) for event in told(card)[-EVENTS_SHOWN:]]
    return "\n".join(fitting([*lines, *recent]))


def fitting(lines: list[str]) -> list[str]:
    """Return as many lines as one message has room for."""
    kept, room = [], ROOM
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def state_line(context: BotContext, card: CaseCard) -> str:
    """Return where the case stands and who has it."""
    case, tr = card.case, context.tr
    if case.state is CaseState.CLOSED and case.outcome is None:
        return "✅ " + tr("Encerrado: o cidadão desistiu.")
    if case.outcome is not None:
        outcome = bold(tr(OUTCOMES[case.outcome]))
        if case.state is CaseState.DECIDED:
            return "✅ " + tr("Concluído: {outcome}. O cidadão ainda pode confirmar ou contestar.", outcome=outcome)
        return ("❌ " if case.outcome is Outcome.DENIED else "✅ ") + tr("Encerrado: {outcome}.", outcome=outcome)
    waiting = case.state is CaseState.WAITING
    if card.mine:
        return "⏳ " + (tr("Com você, à espera do cidadão.") if waiting else tr("Com você."))
    if card.holder is not None:
        holder = bold(card.holder)
        return "⏳ " + (
            tr("Com {holder}, à espera do cidadão.", holder=holder) if waiting else tr("Com {holder}.", holder=holder)
        )
    return "⏳ " + tr("Na fila {queue}: ninguém assumiu.", queue=queue_label(case, case.queue, context.laws, tr))


def answer_due(context: BotContext, case: Case) -> Deadline | None:
    """Return until when a report must still be answered; None where no day can be named nor stands still."""
    due = None if case.is_over else answer_deadline(case, laws=context.laws)
    return due if due is not None and (due.ends_on is not None or stopped_on(case, laws=context.laws)) else None


def is_late(context: BotContext, case: Case) -> bool:
    """Return whether a report should have been answered before today."""
    due = answer_due(context, case)
    return due is not None and over(case, due, context.today(case.city))


def answer_by(context: BotContext, case: Case) -> list[str]:
    """Return until when a report must be answered, with the article."""
    due, tr = answer_due(context, case), context.tr
    if due is None:
        return []
    if due.ends_on is None:
        since = stopped_on(case, laws=context.laws)
        stands = (
            tr("Prazo parado desde {day}, à espera do cidadão.", day=formats.day(since, tr.language)) if since else ""
        )
        return [stands] if stands else []
    lines = [due_line(case, due, due.ends_on, context.today(case.city), tr)]
    if case.extended_at is not None:
        on = case.extended_at.astimezone(context.laws.city(case.city).zone).date()
        lines.append(tr("Prorrogado em {day}: não dá para prorrogar de novo.", day=formats.day(on, tr.language)))
    return lines


def due_line(case: Case, due: Deadline, ends_on: date, today: date, tr: Translator) -> str:
    """Return until when an answer is owed, or since when it is late, with the article."""
    facts = {
        "day": formats.day(ends_on, tr.language),
        "distance": formats.distance(ends_on, today, tr),
        "cite": due.cite,
    }
    if over(case, due, today):
        return "⚠️ " + tr("Prazo vencido em {day}, {distance} ({cite}).", **facts)
    if ends_on < today:
        return tr(CONTESTED, **facts)
    return tr("Responder até {day}, {distance} ({cite}).", **facts)


def item_lines(context: BotContext, case: Case) -> list[str]:
    """Return the checklist, one line per item."""
    tr = context.tr
    checklist = context.services.checklist_of(case)
    total, accepted = checklist.progress.total, checklist.progress.accepted
    title = tr("Documentos: {accepted} de {total} obrigatórios aceitos", accepted=accepted, total=total)
    lines = ["", f"<b>{title}</b>"]
    states = {
        ItemState.MISSING: N_("falta enviar"),
        ItemState.SENT: N_("para conferir"),
        ItemState.ACCEPTED: N_("em ordem"),
        ItemState.REFUSED: N_("para corrigir"),
    }
    sent = [line for line in checklist.lines if line.holds_up or line.state is not ItemState.MISSING]
    for line in sent[:ITEMS_SHOWN]:
        name = escape(named(line.requirement.label, tr), quote=False)
        lines.append(f"{MARKS[line.state]} {name}: {tr(states[line.state])}")
    if len(sent) > ITEMS_SHOWN:
        rest = len(sent) - ITEMS_SHOWN
        lines.append(tr.many("e mais {n}, em Ver documentos", "e mais {n}, em Ver documentos", rest))
    return lines


def unmet(context: BotContext, case: Case) -> list[Finding]:
    """Return where the facts that were told do not meet the law."""
    laws = context.laws
    book = laws.rulebook(case.city, case.service)
    applicant = book.applicants.get(case.subject or "")
    if case.kind is not CaseKind.REGISTRATION or applicant is None or case.is_over:
        return []
    facts = law_facts(laws, case.facts)
    findings = eligibility(book, facts, context.today(case.city), bearers=applicant.bearers)
    return [finding for finding in findings if finding.verdict == "unmet"]


def law_lines(context: BotContext, case: Case) -> list[str]:
    """Return what the law holds against the facts that were told: staff decides, but knows."""
    tr, found = context.tr, unmet(context, case)
    if not found:
        return []
    lines = ["", f"<b>{tr('Pelo que foi informado, a lei não é atendida em:')}</b>"]
    return lines + [f"❌ {escape(named(one.label, tr), quote=False)} ({plain(one.cite)})" for one in found]


def card_buttons(context: BotContext, card: CaseCard, queue: str | None = None) -> Keyboard:
    """Return what can be pressed: first what brings the case on, then what shows more, last the ways out.

    ``queue`` is where the case was when something was done to it: the next one comes from there.
    """
    case, tr, acts = card.case, context.tr, acts_of(context, card)
    to_review = len(undecided(context.services.checklist_of(case))) if Act.REVIEW in acts else 0
    labels = {
        Act.TAKE: tr("Assumir o caso"),
        Act.REVIEW: tr("Conferir documentos ({n})").format(n=to_review),
        Act.APPROVE: tr("Aprovar"),
        Act.DECIDE: tr("Concluir"),
        Act.ASK: tr("Perguntar"),
        Act.ANSWER: tr("Responder"),
        Act.DENY: tr("Não aprovar"),
        Act.EXTEND: tr("Prorrogar o prazo"),
        Act.NOTE: tr("Anotar"),
        Act.MOVE: tr("Passar adiante"),
        Act.RELEASE: tr("Devolver à fila") if card.mine else tr("Tirar de {holder}").format(holder=card.holder),
    }

    def row(*verbs: Act) -> tuple[Button, ...]:
        return tuple(act(labels[verb], verb, case) for verb in verbs if verb in acts)

    looks = [act(tr("Ver dados"), "facts", case), act(tr("Linha do tempo"), "log", case, 1)]
    if case.kind is CaseKind.REGISTRATION:
        if any(item.files for item in case.items.values()):
            looks.append(act(tr("Ver documentos"), "items", case))
    elif card.files:
        looks.append(act(tr("Ver arquivos ({n})").format(n=len(card.files)), "files", case, 1))
    if isinstance(case.facts.get("where"), Mapping):
        looks.append(act(tr("Ver no mapa"), "map", case))
    rows = (
        row(Act.TAKE),
        row(Act.REVIEW),
        row(Act.APPROVE),
        row(Act.ASK, Act.ANSWER),
        row(Act.DECIDE, Act.DENY),
        tuple(looks[:2]),
        (*looks[2:], *why_button(context, case)),
        row(Act.NOTE, Act.MOVE),
        row(Act.EXTEND, Act.RELEASE),
        following(context, card, queue),
        way_out(context),
    )
    return tuple(row for row in rows if row)


def following(context: BotContext, card: CaseCard, queue: str | None) -> tuple[Button, ...]:
    """Return the way to the next case of the queue, once there is nothing to do for this one."""
    case = card.case
    to_do = case.turn is Turn.STAFF and (card.mine or queue is None)
    if to_do or not (card.mine or case.is_over or queue is not None):
        return ()
    name = token(case.city, case.service, queue or case.queue or "")
    return (lasting(context.tr("Pegar o próximo"), "q", "next", name),)


def why_button(context: BotContext, case: Case) -> tuple[Button, ...]:
    """Return the way to what the card's date, or what it says against a registration, rests on."""
    if answer_due(context, case) is None and not unmet(context, case):
        return ()
    return (act(context.tr("Por quê?"), "why", case),)


async def card_of(
    context: BotContext, case_id: int, note: str = "", *, queue: str | None = None
) -> tuple[str, Keyboard]:
    """Return the card as it is now, below ``note`` (HTML), with its buttons; ``queue`` as for :func:`card_buttons`."""
    card = await context.services.case_for_staff(case_id, context.person)
    text = card_text(context, card)
    return f"{note}\n\n{text}" if note else text, card_buttons(context, card, queue)


async def show_card(context: BotContext, case_id: int, *, note: str = "", fresh: bool = False) -> None:
    """Show the card in place of the pressed message, or anew."""
    text, buttons = await card_of(context, case_id, note)
    (context.say if fresh else context.replace)(text, buttons=buttons)


def on_card(
    verb: Act, do: Callable[[BotContext, Press, CaseCard], Awaitable[None]]
) -> Callable[[BotContext, Press], Awaitable[None]]:
    """Return a press handler for a button of the card: what no longer fits the case shows the card as it is now."""

    async def pressed(context: BotContext, press: Press) -> None:
        card = await context.services.case_for_staff(press.number(), context.person)
        if verb in acts_of(context, card):
            try:
                await do(context, press, card)
                return
            except (CaseTaken, CaseMovedOn, CaseClosed, NotYourCase):
                # a colleague was faster between the look and the act; the use case refused before it wrote anything
                card = await context.services.case_for_staff(card.case.id, context.person)
        tr = context.tr
        if card.case.is_over:
            why = tr("Este caso já foi encerrado.")
        elif card.holder is not None and not card.mine:
            why = tr("{holder} já está com este caso.").format(holder=card.holder)
        elif card.holder is None:
            why = tr("Ninguém está com este caso. Assuma o caso primeiro.")
        else:
            why = tr("O caso andou. Veja como está agora.")
        context.toast(why, alert=True)
        await show_card(context, card.case.id)

    return pressed


async def press_take(context: BotContext, press: Press, card: CaseCard) -> None:
    """Take the case; a colleague who presses a moment later is told who has it."""
    update = await context.services.take_case(TakeCase(by=context.person, case_id=card.case.id))
    await announce(context, update)
    context.toast(context.tr("O caso é seu."))
    await show_card(context, card.case.id)


async def press_release(context: BotContext, press: Press, card: CaseCard) -> None:
    """Put the case back into its queue."""
    update = await context.services.release_case(ReleaseCase(by=context.person, case_id=card.case.id))
    await announce(context, update)
    context.toast(context.tr("De volta à fila."))
    await show_card(context, card.case.id)


async def press_open(context: BotContext, press: Press) -> None:
    """Open a case from a notice, which stays as it is. A form still open is put aside: see :func:`find`."""
    park(context.conversation)
    await show_card(context, press.number(), fresh=True)


async def press_card(context: BotContext, press: Press) -> None:
    """Show the card in place of the list or page that led here."""
    await show_card(context, press.number())


async def find(update: Update, context: BotContext) -> None:
    """``/caso PROTOCOLO``: open a case by its number."""
    if not context.args:
        city = next((grant.city for grant in context.person.grants if grant.city in context.laws), None)
        year = context.now.year if city is None else context.today(city).year
        example = protocol(protocol_series(city or context.laws.cities()[0].slug, year), 1)
        hint = context.tr("Escreva o protocolo depois do comando, assim: /caso {example}", example=example)
        context.say(hint, buttons=((menu_button(context),),))
        return
    written = " ".join(context.args)
    if read_protocol(written) is None:
        slip = context.tr(
            "“{written}” não é um protocolo: falta um pedaço ou há um algarismo trocado.", written=written[:40]
        )
        context.say(slip, buttons=((menu_button(context),),))
        return
    case = await context.services.case_by_protocol(written, context.person)
    park(context.conversation)
    await show_card(context, case.id, fresh=True)


async def read(context: BotContext, text: str) -> bool:
    """Open the case whose protocol is all that staff wrote; one of their own they open as its citizen."""
    if not context.person.is_staff or read_protocol(text) is None:
        return False
    try:
        case = await context.services.case_by_protocol(text, context.person)
        await show_card(context, case.id, fresh=True)
    except (NotFound, NotAllowed, OwnCase):
        return False
    return True


def register(desk: Desk) -> None:
    """Bring the card to the desk."""
    desk.readers.insert(0, read)  # before who looks for a case of their own
    desk.press(AREA, "open", press_open)
    desk.press(AREA, "card", press_card)
    desk.press(AREA, Act.TAKE, on_card(Act.TAKE, press_take))
    desk.press(AREA, Act.RELEASE, on_card(Act.RELEASE, press_release))
    desk.command(
        Command(
            handler=find,
            names={"pt_BR": "caso", "en": "case", "es": "caso"},
            description=N_("Abrir um caso pelo protocolo"),
            staff=True,
            order=63,
        )
    )
