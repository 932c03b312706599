"""What stands behind the card: the whole timeline, all the facts, every file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from domain.cases.commands import CaseCard
from domain.cases.model import Audience, AuthorKind, Case, CaseKind, Event, EventKind, Outcome
from domain.files.model import ReceivedFile
from domain.privacy.model import IdentityMode
from handlers.shared import formats
from handlers.shared.buttons import Press
from handlers.shared.casewords import OUTCOMES, headline, item_label, named, queue_label, quoted
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.outgoing import Kind, Outgoing
from handlers.shared.pages import page_of
from handlers.shared.texts import N_, plain
from handlers.staff.common import AREA, act, back_to, facts_of, pages_of

SENTENCES: dict[EventKind, str] = {
    EventKind.OPENED: N_("abriu o caso"),
    EventKind.FACTS_GIVEN: N_("informou dados"),
    EventKind.ITEM_SENT: N_("enviou {item}"),
    EventKind.ITEM_WITHDRAWN: N_("retirou {item}"),
    EventKind.SUBMITTED: N_("entregou à prefeitura"),
    EventKind.TAKEN: N_("assumiu o caso"),
    EventKind.RELEASED: N_("devolveu à fila"),
    EventKind.TRANSFERRED: N_("passou para {queue}"),
    EventKind.ITEM_ACCEPTED: N_("aceitou {item}"),
    EventKind.ITEM_REFUSED: N_("recusou {item}: {reason}"),
    EventKind.ASKED: N_("perguntou ao cidadão"),
    EventKind.REPLIED: N_("respondeu"),
    EventKind.EVIDENCE_ADDED: N_("acrescentou ao caso"),
    EventKind.NOTED: N_("anotou, só para a equipe"),
    EventKind.ANSWERED: N_("escreveu ao cidadão"),
    EventKind.EXTENDED: N_("prorrogou o prazo da resposta"),
    EventKind.DECIDED: N_("concluiu: {outcome}"),
    EventKind.CONFIRMED: N_("confirmou o resultado"),
    EventKind.CONTESTED: N_("contestou o resultado"),
    EventKind.WITHDRAWN: N_("desistiu"),
}
FILES_AT_ONCE = 10
WHOLE = 3000  # as Telegram counts: what a part of a long text can come to
PART = 1500


def told(card: CaseCard) -> tuple[Event, ...]:
    """Return what happened as staff reads it: a report is sent in the moment in which it is opened, and told once."""
    if card.case.kind is CaseKind.REGISTRATION:
        return card.events
    return tuple(event for event in card.events if event.kind is not EventKind.SUBMITTED)


def entry_of(event: Event, case: Case, context: BotContext, *, room: int) -> str:
    """Return one entry of the timeline as HTML; ``room`` is for its text."""
    tr, laws = context.tr, context.laws
    names = {AuthorKind.CITIZEN: tr("O cidadão"), AuthorKind.SYSTEM: tr("O balcão")}
    author = event.author.name or names.get(event.author.kind, tr("A equipe"))
    data = event.data
    reason = laws.reject_reasons.get(str(data.get("reason", "")))
    if event.kind is EventKind.SUBMITTED and not data.get("protocol"):
        sentence = N_("voltou para a equipe")
    elif event.kind is EventKind.OPENED and case.kind is not CaseKind.REGISTRATION:
        sentence = N_("enviou o relato")
    else:
        sentence = SENTENCES[event.kind]
    happened = tr(
        sentence,
        item=item_label(case, str(data.get("item", "")), laws, tr),
        queue=queue_label(case, data.get("queue"), laws, tr),
        reason=named(reason.label, tr) if reason else "",
        outcome=tr(OUTCOMES[Outcome(data["outcome"])]) if "outcome" in data else "",
    )
    zone = laws.city(case.city).zone
    mark = "🔒 " if event.audience is Audience.STAFF else ""
    when = formats.moment(event.at, zone, tr.language)
    line = f"{mark}{when} · <b>{plain(author)}</b> {happened}"
    if files := len(data.get("files", ())):
        line += " · " + tr.many("{n} arquivo", "{n} arquivos", files)
    text = event.text if room < WHOLE else parts_of(event.text)[0]
    return f"{line}\n{quoted(text, room)}" if text.strip() else line


def parts_of(text: str) -> list[str]:
    """Cut a long text into parts that each fit a page: here everything is shown in full."""
    return [text[at : at + PART] for at in range(0, len(text), PART)] or [""]


async def press_log(context: BotContext, press: Press) -> None:
    """The timeline, newest first. Notes carry a lock: the citizen never sees them."""
    card = await context.services.case_for_staff(press.number(), context.person)
    entries = []
    for event in reversed(told(card)):
        entries.append(entry_of(event, card.case, context, room=WHOLE))
        entries += [quoted(part, WHOLE) for part in parts_of(event.text)[1:]]
    show_pages(context, card.case, context.tr("Linha do tempo"), entries, press.number(1), "log")


async def press_facts(context: BotContext, press: Press) -> None:
    """Everything that the citizen told, in full."""
    card = await context.services.case_for_staff(press.number(), context.person)
    tr = context.tr
    facts = facts_of(card.case, context.laws, tr)
    entries = []
    for name, value in facts:
        first, *rest = parts_of(value)
        entries.append(f"<b>{escape(name, quote=False)}</b>\n{quoted(first, WHOLE)}")
        entries += [quoted(part, WHOLE) for part in rest]
    page = press.number(1) if len(press.ids) > 1 else 1
    show_pages(context, card.case, tr("O que foi informado"), entries or [tr("Nada foi informado.")], page, "facts")


def show_pages(context: BotContext, case: Case, title: str, entries: list[str], page: int, verb: str) -> None:
    """Show one page of a long list in place; a page that no longer exists shows the last."""
    tr, shown = context.tr, page_of(pages_of(entries), page, 1)
    head = f"{headline(case, tr)}\n{title}"
    if shown.pages > 1:
        head += " · " + tr("página {page} de {pages}", page=shown.number, pages=shown.pages)
    moves = shown.turns(lambda text, to: act(text, verb, case, to), tr("Anterior"), tr("Próxima"))
    context.replace(f"{head}\n\n{shown.items[0]}", buttons=(*moves, back_to(context, case)))


async def press_files(context: BotContext, press: Press) -> None:
    """The files of a report, with who sent them and when; ten at a time."""
    card = await context.services.case_for_staff(press.number(), context.person)
    tr, zone = context.tr, context.laws.city(card.case.city).zone
    files: list[tuple[ReceivedFile, str]] = []
    for event in card.events:
        when = formats.moment(event.at, zone, tr.language)
        for file_id in event.data.get("files", ()):
            if file := card.files.get(int(file_id)):
                files.append((file, when))
    first = press.number(1) - 1
    captions = [
        tr("{n} de {total}, recebido em {when}", n=first + at + 1, total=len(files), when=when)
        for at, (_, when) in enumerate(files[first : first + FILES_AT_ONCE])
    ]
    send_files(context, card, [file for file, _ in files[first : first + FILES_AT_ONCE]], captions, after=first)
    rest = len(files) - first - FILES_AT_ONCE
    more = (
        ((act(tr("Ver mais {n}").format(n=rest), "files", card.case, first + FILES_AT_ONCE + 1),),) if rest > 0 else ()
    )
    context.say(f"{headline(card.case, tr)}\n{tr('Arquivos do caso')}", buttons=(*more, back_to(context, card.case)))


async def press_map(context: BotContext, press: Press) -> None:
    """The place that a report marked on the map."""
    card = await context.services.case_for_staff(press.number(), context.person)
    where = card.case.facts.get("where")
    if isinstance(where, Mapping):
        context.turn.outbox.append(
            Outgoing(
                context.person.chat_id,
                kind=Kind.LOCATION,
                latitude=where["latitude"],
                longitude=where["longitude"],
            )
        )
    text = f"{headline(card.case, context.tr)}\n{context.tr('Onde foi')}"
    context.say(text, buttons=(back_to(context, card.case),))


def send_files(
    context: BotContext, card: CaseCard, files: Sequence[ReceivedFile], captions: Sequence[str], *, after: int = 0
) -> None:
    """Send files of a case to this chat, each with its caption (HTML); ``after`` of the case's came before.

    Of somebody who is not to be known they come under a neutral name, without what they carry unseen.
    """
    tr, known = context.tr, card.party.mode is IdentityMode.IDENTIFIED
    for number, (file, caption) in enumerate(zip(files, captions, strict=True), start=after + 1):
        if known:
            context.send_file(Kind(file.kind.value), file.file_id, caption=caption)
            continue
        context.turn.outbox.append(
            Outgoing(
                context.person.chat_id,
                kind=Kind(file.kind.value),
                text=caption,
                sha256=file.sha256,
                file_name=f"{tr('prova')}-{number}",
                if_lost=tr("Este arquivo não pode ser mostrado. Se precisar dele, pergunte ao cidadão."),
            )
        )


def register(desk: Desk) -> None:
    """Bring the pages behind the card to the desk."""
    desk.press(AREA, "log", press_log)
    desk.press(AREA, "facts", press_facts)
    desk.press(AREA, "files", press_files)
    desk.press(AREA, "map", press_map)
