"""What staff is told of the terms of answers: which end soon, which have ended, and the way to each."""

from __future__ import annotations

from datetime import date, datetime

from domain.law.loader import Laws
from domain.reports.answer import may_be_extended
from domain.reports.watch import OwedAnswer, TermsTold
from handlers.shared.buttons import lasting
from handlers.shared.casewords import headline
from handlers.shared.outgoing import Button, Outgoing, Priority
from handlers.shared.texts import Translator
from handlers.staff.card import due_line
from handlers.staff.common import AREA, place_line

SHOWN = 8  # of one message; the rest is in the queues


def render(told: TermsTold, laws: Laws, now: datetime) -> Outgoing:
    """Return one message about every answer of which a member of staff is told now."""
    tr = Translator(told.recipient.language)
    answers, several = told.answers[:SHOWN], len(told.answers) > 1
    title = tr.many("Prazo de resposta: {n} caso", "Prazo de resposta: {n} casos", len(told.answers))
    lines = [f"⏰ <b>{title}</b>"]
    buttons: list[Button] = []
    extendable = False
    for number, one in enumerate(answers, start=1):
        today = now.astimezone(laws.city(one.case.city).zone).date()
        extendable = extendable or may_be_extended(one.case, laws=laws, today=today)
        lines += ["", described(one, told, laws, today, number=number if several else None)]
        tail = (one.case.protocol or "").split("-", 2)[-1]
        buttons.append(lasting(f"{number}: {tail}" if several else tr("Abrir o caso"), AREA, "open", one.case.id))
    if more := len(told.answers) - len(answers):
        lines += ["", tr.many("E mais {n}, em Filas.", "E mais {n}, em Filas.", more)]
    if extendable:
        button = tr("Prorrogar o prazo")
        lines += [
            "",
            tr("Se falta tempo: assuma o caso, toque em “{button}” antes do fim e diga o motivo.", button=button),
        ]
    rows = [tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2)]
    return Outgoing(
        told.recipient.chat_id,
        text="\n".join(lines),
        buttons=(*rows, (lasting(tr("Filas"), "q", "open"),)),
        priority=Priority.REMINDER,
    )


def described(one: OwedAnswer, told: TermsTold, laws: Laws, today: date, *, number: int | None) -> str:
    """Return one answer as HTML: which case, until when, and who has it."""
    tr, case = Translator(told.recipient.language), one.case
    head = f"{number}. " if number is not None else ""
    if case.assignee == told.recipient.person_id:
        holder = tr("Com você.")
    else:
        holder = tr("Ninguém assumiu.") if case.assignee is None else tr("Está com quem não pode ser avisado agora.")
    due = due_line(case, one.due, one.ends_on, today, tr)
    return "\n".join((f"{head}{headline(case, tr)}", place_line(case, laws, tr), due, holder))
