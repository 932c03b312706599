"""What the staff's screens share: buttons of a case, the facts of a case in words, pages of long texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any
from zlib import crc32

from domain.cases.commands import CaseCard
from domain.cases.model import Case, CaseKind
from domain.law.conditions import FactValue
from domain.law.loader import Laws
from domain.law.model import FactQuestion
from domain.privacy.model import IdentityMode
from domain.queues.model import kinds_for
from domain.registration.model import law_facts
from domain.values.plate import show_plate
from handlers.shared import formats
from handlers.shared.buttons import lasting
from handlers.shared.casewords import clip, named, subject_of
from handlers.shared.context import BotContext
from handlers.shared.forms.model import FormView
from handlers.shared.menu import menu_button
from handlers.shared.outgoing import Button
from handlers.shared.reported import report_facts
from handlers.shared.texts import Translator, plain

AREA = "c"
PLATE = re.compile(r"[A-Z]{3}[0-9][0-9A-Z][0-9]{2}")
PAGE_ROOM = 3300  # characters of a page's entries: the rest of a message's 4096 is for the words around them


def token(*names: str) -> str:
    """Return a short name, for a button, of a city or of one of its queues."""
    return f"{crc32('/'.join(names).encode()):08x}"


def act(text: str, verb: str, case: Case, *ids: str | int) -> Button:
    """Return a button that does something to a case. ``text`` is already translated."""
    return lasting(text, AREA, verb, case.id, *ids)


def way_out(context: BotContext) -> tuple[Button, ...]:
    """Return the row that every screen of staff's ends with."""
    return (lasting(context.tr("Filas"), "q", "all"), menu_button(context))


def back_to(context: BotContext, case: Case) -> tuple[Button, ...]:
    """Return the row that leads back to the card."""
    return (act(context.tr("Voltar ao caso"), "card", case), menu_button(context))


def case_params(case: Case) -> dict[str, Any]:
    """Return what every form about a case is told of it."""
    return {"case": case.id, "city": case.city, "kind": case.kind.value}


def role_ended(view: FormView) -> str:
    """Return that whoever fills in a form about a case is not of those any more who work on it."""
    city, kind = view.params.get("city", ""), view.params.get("kind")
    if kind in kinds_for(view.person, city):
        return ""
    return view.tr("A sua função na equipe terminou: o que você estava escrevendo não foi enviado.")


def place_line(case: Case, laws: Laws, tr: Translator) -> str:
    """Return city, service and subject, as HTML."""
    book = laws.rulebook(case.city, case.service)
    parts = (book.city.name, named(book.service.label, tr), subject_of(case, laws, tr))
    return escape(" · ".join(part for part in parts if part), quote=False)


def who(card: CaseCard, tr: Translator) -> str:
    """Return whose case it is, as far as staff may know, as HTML."""
    match card.party.mode:
        case IdentityMode.IDENTIFIED:
            return tr("De: {name}", name=card.party.name or "")
        case IdentityMode.PROTECTED:
            return tr("De: identidade protegida. As respostas chegam à pessoa, o nome não aparece aqui.")
        case IdentityMode.ANONYMOUS:
            return tr("De: pessoa anônima. Ela lê as respostas quando abre o recibo.")


def facts_of(case: Case, laws: Laws, tr: Translator) -> list[tuple[str, str]]:
    """Return what the citizen told, as plain names and values in the order of the questions."""
    if case.kind is not CaseKind.REGISTRATION:
        return report_facts(case, laws, tr)
    told = {key: value for key, value in law_facts(laws, case.facts).items() if value is not None}
    return [
        (named(question.prompt, tr), shown(told[question.key], question, tr))
        for question in laws.facts.values()
        if question.key in told
    ]


def shown(value: FactValue, question: FactQuestion, tr: Translator) -> str:
    """Return a fact of a registration as plain text."""
    if isinstance(value, bool):
        return tr("Sim") if value else tr("Não")
    if question.kind == "plate" and PLATE.fullmatch(str(value)):
        return show_plate(str(value))
    labels = {option.key: option.label for option in question.options}
    if str(value) in labels:
        return named(labels[str(value)], tr)
    return str(formats.shown(value, tr.language))


def facts_lines(facts: Iterable[tuple[str, str]], room: int) -> list[str]:
    """Return facts as HTML, each value cut to ``room``."""
    lines = []
    for name, value in facts:
        mark = "" if name.endswith("?") else ":"
        lines.append(f"• {escape(name, quote=False)}{mark} {plain(clip(value, room))}")
    return lines


def pages_of(entries: list[str], room: int = PAGE_ROOM) -> list[str]:
    """Pack entries (HTML) into pages, in order, each within ``room`` characters."""
    pages: list[str] = []
    for entry in entries:
        if pages and len(pages[-1]) + len(entry) + 2 <= room:
            pages[-1] = f"{pages[-1]}\n\n{entry}"
        else:
            pages.append(entry)
    return pages
