"""What is told to the other side when a case moves: the one renderer from events to messages.

A notice is in its reader's language and can be acted on at any time. It commits together with the event that it
tells, and carries no key: a key would keep saying, long after, which chat a case belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass

from domain.cases.commands import CaseUpdate
from domain.cases.model import AuthorKind, Case, CaseKind, Event, EventKind, Outcome
from domain.law.loader import Laws
from domain.people.model import Recipient
from domain.registration.service import checklist_of
from domain.reports.answer import answer_deadline, stopped_on
from handlers.shared import formats
from handlers.shared.buttons import lasting
from handlers.shared.casewords import OUTCOMES, bold, headline, item_label, queue_label, quoted
from handlers.shared.context import BotContext
from handlers.shared.outgoing import Button, Keyboard, Outgoing, Priority
from handlers.shared.texts import Html, Translator


@dataclass(frozen=True, slots=True)
class Notice:
    """One message about one event. A silent one arrives without a sound."""

    text: str
    buttons: Keyboard = ()
    silent: bool = False


async def announce(context: BotContext, update: CaseUpdate) -> None:
    """Tell everybody whom an update concerns what happened."""
    context.turn.outbox += notices(update, context.laws)


def notices(update: CaseUpdate, laws: Laws) -> list[Outgoing]:
    """Return the messages for an update, in the order of its events."""
    messages = []
    for event in update.events:
        if update.citizen is not None:
            told = for_citizen(event, update.case, laws, Translator(update.citizen.language))
            messages += addressed(told, update.citizen)
        for recipient in update.staff:
            told = for_staff(event, update, laws, Translator(recipient.language))
            messages += addressed(told, recipient)
    return messages


def addressed(told: Notice | None, recipient: Recipient) -> list[Outgoing]:
    """Address a notice; nothing, when there is nothing to tell."""
    if told is None:
        return []
    return [
        Outgoing(
            recipient.chat_id,
            text=told.text,
            buttons=told.buttons,
            silent=told.silent,
            priority=Priority.NOTICE,
        )
    ]


def for_citizen(event: Event, case: Case, laws: Laws, tr: Translator) -> Notice | None:
    """Return what the person whose case it is reads of something that staff did."""
    head, opened = headline(case, tr), (open_button(case, tr),)
    match event.kind:
        case EventKind.TAKEN:
            text = tr("A equipe começou a analisar. Por enquanto você não precisa fazer nada: avisamos aqui.")
            return Notice(f"{head}\n{text}", (opened,), silent=True)
        case EventKind.TRANSFERRED:
            queue = queue_label(case, event.data["queue"], laws, tr)
            text = tr("Passou para outra equipe: {queue}. Você não precisa fazer nada.", queue=queue)
            return Notice(f"{head}\n{text}", (opened,), silent=True)
        case EventKind.ITEM_ACCEPTED:
            return accepted(event, case, laws, tr)
        case EventKind.ITEM_REFUSED:
            return refused(event, case, laws, tr)
        case EventKind.SUBMITTED if event.author.kind is AuthorKind.SYSTEM:
            text = tr("Nada mais depende de você agora: o cadastro voltou para a prefeitura.")
            return Notice(f"{head}\n{text}", (opened,))
        case EventKind.ASKED:
            text = tr("A prefeitura precisa saber mais. Agora é a sua vez:")
            if stopped_on(case, laws=laws):
                text = f"{tr('O prazo da prefeitura fica parado até você responder.')} {text}"
            reply = lasting(tr("Responder"), "p", "reply", case.id)
            return Notice(f"{head}\n{text}\n{quoted(event.text)}", ((reply,), opened))
        case EventKind.ANSWERED:
            text = tr("A prefeitura escreveu. O caso continua em andamento:")
            return Notice(f"{head}\n{text}\n{quoted(event.text)}", (opened,))
        case EventKind.EXTENDED:
            return extended(event, case, laws, tr)
        case EventKind.DECIDED:
            return decided(event, case, tr)
        case _:
            return None


def accepted(event: Event, case: Case, laws: Laws, tr: Translator) -> Notice:
    """An item is fine: a line without a sound, unless it was the last one."""
    label = item_label(case, event.data["item"], laws, tr)
    progress = checklist_of(case, laws=laws, now=event.at).progress
    lines = [
        headline(case, tr),
        "✅ " + tr("{item}: em ordem.", item=bold(label)),
    ]
    complete = progress.accepted == progress.total
    if complete:
        lines.append(tr("Todos os itens obrigatórios foram aceitos. Falta só a aprovação do cadastro."))
    else:
        lines.append(
            tr(
                "Obrigatórios aceitos até agora: {accepted} de {total}.",
                accepted=progress.accepted,
                total=progress.total,
            )
        )
    return Notice("\n".join(lines), ((open_button(case, tr),),), silent=not complete)


def refused(event: Event, case: Case, laws: Laws, tr: Translator) -> Notice:
    """An item is to be sent again: what is wrong, how to mend it, and the button that does."""
    item = event.data["item"]
    label = item_label(case, item, laws, tr)
    reason = laws.reject_reasons[event.data["reason"]]
    lines = [
        headline(case, tr),
        "❌ " + tr("{item}: precisa enviar de novo.", item=bold(label)),
        tr(reason.sentence),
        tr("Como resolver: {cure}", cure=Html(tr(reason.cure))),
    ]
    if event.text.strip():
        lines += [tr("Quem analisou escreveu:"), quoted(event.text)]
    lines.append(tr("O resto do cadastro continua guardado. Corrija só este item."))
    again = lasting(tr("Enviar de novo"), "r", "item", case.id, item)
    return Notice("\n".join(lines), ((again,), (open_button(case, tr),)))


def extended(event: Event, case: Case, laws: Laws, tr: Translator) -> Notice:
    """The answer takes longer: until when now, and why."""
    due = answer_deadline(case, laws=laws)
    lines = [headline(case, tr)]
    if due is not None and due.ends_on is not None:
        day = Html(f"<b>{formats.day(due.ends_on, tr.language)}</b>")
        told = tr(
            "A prefeitura prorrogou o prazo: agora tem até {day} para responder ({cite}).", day=day, cite=due.cite
        )
        lines.append(told)
    lines += [tr("O motivo:"), quoted(event.text), tr("Você não precisa fazer nada. Não dá para prorrogar de novo.")]
    return Notice("\n".join(lines), ((open_button(case, tr),),))


def decided(event: Event, case: Case, tr: Translator) -> Notice:
    """A case has its outcome; a report's is the person's to confirm or to contest."""
    outcome = Outcome(event.data["outcome"])
    lines = [headline(case, tr)]
    words = [quoted(event.text)] if event.text.strip() else []
    if case.kind is CaseKind.REGISTRATION:
        if outcome is Outcome.APPROVED:
            lines += ["✅ " + tr("O seu cadastro foi aprovado."), *words]
            lines.append(tr("Abra o cadastro para ver a validade. Os próximos prazos estão em /prazos."))
        else:
            lines += ["❌ " + tr("O seu cadastro não foi aprovado. Motivo:"), *words]
            lines.append(tr("Você pode começar outro cadastro quando quiser, pelo /menu."))
        return Notice("\n".join(lines), ((open_button(case, tr),),))
    lines.append(tr("A prefeitura concluiu: {outcome}.", outcome=bold(tr(OUTCOMES[outcome]))))
    lines += [*words, tr("Isso resolve para você? Se não, conte por quê e o caso volta para a equipe.")]
    yes = lasting(tr("Sim, resolve"), "p", "yes", case.id)
    no = lasting(tr("Não concordo"), "p", "no", case.id)
    return Notice("\n".join(lines), ((yes,), (no,), (open_button(case, tr),)))


def for_staff(event: Event, update: CaseUpdate, laws: Laws, tr: Translator) -> Notice | None:
    """Return what the holder of a case reads of something that its citizen or a colleague did."""
    case = update.case
    head = headline(case, tr)
    files = len(event.data.get("files", ()))
    attached = tr.many("Veio {n} arquivo.", "Vieram {n} arquivos.", files) if files else ""
    written = quoted(event.text) if event.text.strip() else ""
    match event.kind:
        case EventKind.REPLIED:
            said = tr("Resposta do cidadão. A vez é sua:")
        case EventKind.EVIDENCE_ADDED:
            said = tr("O cidadão acrescentou ao caso:")
        case EventKind.CONTESTED:
            said = tr("O cidadão não concorda com o resultado. O caso voltou para você:")
        case EventKind.CONFIRMED:
            said = tr("O cidadão confirmou o resultado. Caso encerrado.")
        case EventKind.WITHDRAWN:
            said = tr("O cidadão desistiu. Caso encerrado.")
        case EventKind.SUBMITTED if event.author.kind is AuthorKind.CITIZEN:
            said = tr("O cadastro voltou corrigido. A vez é sua.")
        case EventKind.RELEASED:
            said = tr("{name} devolveu este caso à fila. Ele não está mais com você.", name=event.author.name)
        case EventKind.TRANSFERRED:
            queue = queue_label(case, event.data["queue"], laws, tr)
            said = tr("{name} passou este caso para {queue}.", name=event.author.name, queue=queue)
        case EventKind.NOTED:
            said = "🔒 " + tr("{name} anotou no seu caso, só para a equipe:", name=event.author.name)
        case EventKind.ITEM_SENT if not returned(update) and not case.refused_items:
            item = item_label(case, event.data["item"], laws, tr)
            said = tr("Novo envio no cadastro: {item}.", item=item)
        case _:
            return None
    opened = lasting(tr("Abrir o caso"), "c", "open", case.id)
    return Notice("\n".join(line for line in (head, said, written, attached) if line), ((opened,),))


def returned(update: CaseUpdate) -> bool:
    """Return whether the update brings the whole registration back, which is told instead of its parts."""
    return any(event.kind is EventKind.SUBMITTED for event in update.events)


def open_button(case: Case, tr: Translator) -> Button:
    """Return the citizen's way into a case."""
    if case.kind is CaseKind.REGISTRATION:
        return lasting(tr("Abrir meu cadastro"), "r", "list", case.id)
    return lasting(tr("Ver o caso"), "p", "open", case.id)
