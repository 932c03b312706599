"""Sending a report, and what the person then has in hand: protocol, receipt, who answers and until when."""

from __future__ import annotations

from typing import Any

from domain.cases.model import Case, CaseKind
from domain.privacy.model import IdentityMode, show_receipt
from domain.reports.answer import answer_deadline, extended_deadline, is_late, stopped_on
from domain.reports.model import Filed, FileReport
from handlers.passenger.common import Handle
from handlers.passenger.danger import danger_button
from handlers.shared import formats
from handlers.shared.casewords import CONTESTED, queue_label
from handlers.shared.context import BotContext
from handlers.shared.forms.model import FormView, Kind
from handlers.shared.menu import menu_button
from handlers.shared.notices import announce
from handlers.shared.texts import Html

REQUIRED = "rep_"  # answers to what the law's representation asks for, by their place in its list


async def file(context: BotContext, view: FormView) -> None:
    """Send the report and say what happens now."""
    city = view.city or ""
    books = context.laws.rulebooks(city)
    filed = await context.services.file_report(
        FileReport(
            by=context.person,
            city=city,
            service=view.value("service") or books[0].service.key,
            kind=CaseKind(view.text("kind")),
            subject=view.text("subject"),
            facts=facts_of(context, view),
            files=(*spoken(view), *view.files("evidence")),
            mode=IdentityMode(view.text("identity")),
        )
    )
    if context.person.city is None:
        context.turn.person = await context.services.choose_city(context.person, city)
    await announce(context, filed.update)
    show_filed(context, filed)


def spoken(view: FormView) -> tuple[int, ...]:
    """Return the recording in which it was told."""
    return view.files("what") if view.kind("what") is Kind.VOICE else ()


def facts_of(context: BotContext, view: FormView) -> dict[str, Any]:
    """Return what was told as the facts of the case (``handlers/shared/reported.py`` names them), verbatim."""
    facts: dict[str, Any] = {
        "what": view.caption("what") if view.kind("what") is Kind.VOICE else view.text("what"),
        "grounds": view.value("grounds"),
        "where": view.value("where"),
        "when": view.value("when"),
        "plate" if view.kind("vehicle") is Kind.PLATE else "vehicle": view.value("vehicle"),
        "evidence": view.caption("evidence"),
    }
    if view.value("formal") is True:
        facts["representation"] = representation(context, view)
    return {name: value for name, value in facts.items() if value not in (None, "")}


def representation(context: BotContext, view: FormView) -> dict[str, str]:
    """Return what the law's representation asks for, each by its name there; what was skipped is empty."""
    book = context.laws.find(view.city, view.value("service"))
    law = book.representation if book is not None else None
    return {asked: view.text(f"{REQUIRED}{at}") for at, asked in enumerate(law.requires)} if law else {}


def show_filed(context: BotContext, filed: Filed) -> None:
    """Show what the person has in hand now; a receipt in a message of its own, which no button replaces."""
    tr, case = context.tr, filed.update.case
    handle = Handle(case.id, filed.receipt)
    lines = [
        "✅ " + tr("<b>A prefeitura recebeu o seu relato.</b>"),
        tr("Protocolo: {protocol}", protocol=Html(f"<code>{filed.protocol}</code>")),
    ]
    queue = queue_label(case, case.queue, context.laws, tr)
    lines += ["", tr("Agora a vez é da prefeitura: {queue}.", queue=queue), *answer_lines(context, case)]
    if filed.receipt is None:
        lines.append(tr("Se precisarem saber mais, a pergunta chega aqui. Você não precisa ficar conferindo."))
    else:
        lines.append(tr("Volte de vez em quando com /recibo: pode haver uma pergunta ou a resposta."))
        lines.append(tr("O recibo está na mensagem abaixo. 👇"))
    context.show(
        "\n".join(lines),
        buttons=(
            (handle.button(tr("Ver o caso"), "see"), handle.button(tr("Por que esta data?"), "why")),
            (danger_button(context),),
            (menu_button(context),),
        ),
    )
    if filed.receipt is not None:
        receipt = Html(f"<code>{show_receipt(filed.receipt)}</code>")
        keep = tr(
            "Guarde este número agora: ele aparece só esta vez, e sem ele ninguém encontra o caso, nem nós. "
            "Se outra pessoa mexe no seu celular, anote em outro lugar e apague esta mensagem."
        )
        text = "\n".join(("🔑 " + tr("O seu recibo: {receipt}", receipt=receipt), keep))
        context.say(text, buttons=((menu_button(context),),))


def answer_lines(context: BotContext, case: Case) -> list[str]:
    """Return until when the city owes an answer, and how much longer it may take."""
    due, tr = answer_deadline(case, laws=context.laws), context.tr
    if stopped := stopped_on(case, laws=context.laws):
        day = formats.day(stopped, tr.language)
        return [tr("O prazo da prefeitura está parado desde {day}, até você responder.", day=day)]
    if due is None or due.ends_on is None:
        return []
    if context.today(case.city) > due.ends_on:
        day = formats.day(due.ends_on, tr.language)
        if not is_late(case, due, context.today(case.city)):
            return [tr(CONTESTED, day=day, cite=due.cite)]
        over = "⚠️ " + tr("O prazo para responder terminou em {day} ({cite}).", day=day, cite=due.cite)
        insist = tr(
            "A prefeitura ainda deve a resposta, e a equipe vê o prazo vencido. Você pode cobrar por aqui: toque em "
            "“{button}” e escreva.",
            button=tr("Acrescentar prova"),
        )
        return [over] if case.asked else [over, insist]  # whoever is asked something does not wait for an answer
    lines = [
        tr(
            "A prefeitura tem até {day} para responder ({cite}).",
            day=Html(f"<b>{formats.day(due.ends_on, tr.language)}</b>"),
            cite=due.cite,
        )
    ]
    longer = extended_deadline(case, laws=context.laws)
    if case.extended_at is not None:
        lines.append(tr("Esse prazo já foi prorrogado: não pode ser de novo."))
    elif longer is not None and longer.ends_on is not None:
        until = formats.day(longer.ends_on, tr.language)
        lines.append(tr("Ela pode prorrogar uma vez, até {day}, explicando o motivo.", day=until))
    return lines
