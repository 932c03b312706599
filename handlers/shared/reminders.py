"""What a reminder says: what is due, until when, who takes care of it, and how."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from domain.law.model import Rulebook
from domain.law.rules import CertificateRule, FeeRule, RenewalRule, RequirementRule
from domain.reminders.model import Moved, Obligation, Told
from handlers.shared import formats
from handlers.shared.buttons import lasting
from handlers.shared.outgoing import Button, Outgoing, Priority
from handlers.shared.texts import N_, Html, Translator
from handlers.shared.why import amount

if TYPE_CHECKING:
    from domain.law.loader import Laws

SHOWN = 6  # of one message; the rest is in /prazos

AGAIN = N_("Para entregar o novo, toque em /documentos, abra este cadastro e toque em “Renovar ou mudar os dados”.")
RENEW = N_("Peça a renovação por aqui: /documentos, abra este cadastro e toque em “Renovar ou mudar os dados”.")
EXPIRES = N_("Depois desse dia o documento não vale mais. Para pedir outro, toque em /documentos.")
DUTY = N_("Combine com a prefeitura como fazer e guarde o comprovante.")


def render(told: Told, laws: Laws, today: date) -> Outgoing:
    """Return one message about everything that one person is told of on one day.

    Args:
        told: Whom, and what is due; soonest first.
        laws: Of the cities that are served.
        today: Local date at the city hall.
    """
    tr = Translator(told.recipient.language)
    shown = told.obligations[:SHOWN]
    several = len(told.obligations) > 1
    lines = [
        "🔔 "
        + tr.many("<b>Lembrete: você tem {n} prazo</b>", "<b>Lembrete: você tem {n} prazos</b>", len(told.obligations))
    ]
    rows: list[tuple[Button, ...]] = []
    for number, obligation in enumerate(shown, start=1):
        lines += ["", describe(tr, obligation, laws, today, number=number if several else None)]
        tail = f" ({number})" if several else ""
        rows.append(
            (
                lasting(tr("Já fiz") + tail, "r", "done", obligation.id),
                lasting(tr("Por quê?") + tail, "r", "why_due", obligation.id),
            )
        )
    if more := len(told.obligations) - len(shown):
        lines += ["", tr.many("E mais {n} em /prazos.", "E mais {n} em /prazos.", more)]
    rows.append((lasting(tr("Abrir meus prazos"), "r", "dates"),))
    return Outgoing(
        told.recipient.chat_id,
        text="\n".join(lines),
        buttons=tuple(rows),
        priority=Priority.REMINDER,
        key=told.key,
    )


def moved(move: Moved, today: date) -> Outgoing | None:
    """Return what somebody is told whose date changed with a rule, a holiday or a fact; None when nobody can be."""
    if move.recipient is None:
        return None
    tr, before, after = Translator(move.recipient.language), move.before, move.now
    facts = {"what": Html(f"<b>{tr(before.label)}</b>"), "before": formats.day(before.due_on, tr.language)}
    if after is None:
        text = tr("{what}: o prazo de {before} não vale mais. Você não precisa fazer nada.", **facts)
    else:
        text = tr(
            "{what}: o prazo mudou de {before} para {day} ({distance}).",
            day=Html(f"<b>{formats.day(after.due_on, tr.language)}</b>"),
            distance=formats.distance(after.due_on, today, tr),
            **facts,
        )
    rows = [(lasting(tr("Por quê?"), "r", "why_due", after.id),)] if after else []
    return Outgoing(
        move.recipient.chat_id,
        text=f"🔔 {text}",
        buttons=(*rows, (lasting(tr("Abrir meus prazos"), "r", "dates"),)),
        priority=Priority.NOTICE,
        key=f"moved:{before.id}:{before.due_on}:{after.due_on if after else ''}",
    )


def describe(
    tr: Translator, obligation: Obligation, laws: Laws, today: date, *, number: int | None = None, how: bool = True
) -> str:
    """Return one obligation as HTML: what, until when, how many days, who, and how."""
    head = f"{number}. " if number is not None else ""
    lines = [
        f"{head}<b>{tr(obligation.label)}</b>",
        tr(
            "Até {day} ({distance})",
            day=Html(f"<b>{formats.long_day(obligation.due_on, tr.language)}</b>"),
            distance=formats.distance(obligation.due_on, today, tr),
        ),
    ]
    if how and obligation.city in laws:
        lines += how_to(tr, laws.rulebook(obligation.city, obligation.service), obligation)
    return "\n".join(lines)


def how_to(tr: Translator, rulebook: Rulebook, obligation: Obligation) -> list[str]:
    """Return who takes care of it and how, read off the rule behind it."""
    rule = rulebook.rules.get(obligation.rule)
    match rule:
        case FeeRule():
            fee = rule.version(obligation.due_on) or rule.newest
            organ = rulebook.organs.get(fee.collector)
            lines = [tr("Quem paga: você. Quem recebe: {organ}.", organ=tr(organ.name) if organ else fee.collector)]
            if fee.amount is not None and fee.unit is not None:
                lines.append(tr("Valor: {amount}.", amount=amount(tr, fee.amount, fee.unit)))
            else:
                lines.append(tr(fee.no_value or ""))
            return lines
        case RequirementRule():
            return [tr("Quem cuida: você."), tr(rule.how or rule.what or ""), tr(AGAIN)]
        case RenewalRule():
            return [tr("Quem cuida: você."), tr(RENEW)]
        case CertificateRule():
            return [tr("Quem cuida: você."), tr(EXPIRES)]
        case _:
            return [tr("Quem cuida: você."), tr(DUTY)]
