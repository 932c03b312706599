"""The words for a case that both sides of the counter read: kind, outcome, item, and long texts cut to fit."""

from __future__ import annotations

from html import escape, unescape

from domain.cases.model import Case, CaseKind, ItemState, Outcome
from domain.law.loader import Laws
from handlers.shared.texts import N_, Html, Translator, plain

KINDS: dict[CaseKind, str] = {
    CaseKind.REGISTRATION: N_("Cadastro"),
    CaseKind.COMPLAINT: N_("Reclamação"),
    CaseKind.DISCRIMINATION: N_("Discriminação"),
    CaseKind.IRREGULARITY: N_("Irregularidade"),
}
OUTCOMES: dict[Outcome, str] = {
    Outcome.RESOLVED: N_("Resolvido"),
    Outcome.UNFOUNDED: N_("Não foi possível confirmar o que foi relatado"),
    Outcome.OUT_OF_SCOPE: N_("Fora do que esta prefeitura pode decidir"),
    Outcome.FORWARDED: N_("Encaminhado ao órgão responsável"),
    Outcome.NO_REPLY: N_("Encerrado por falta de resposta"),
    Outcome.APPROVED: N_("Aprovado"),
    Outcome.DENIED: N_("Não aprovado"),
}
CONTESTED = N_("O prazo da resposta era até {day} ({cite}). Depois de contestada, a lei não marca outro.")
MARKS: dict[ItemState, str] = {
    ItemState.MISSING: "⬜",
    ItemState.SENT: "⏳",
    ItemState.ACCEPTED: "✅",
    ItemState.REFUSED: "❌",
}


def named(text: str, tr: Translator) -> str:
    """Return a text of the rulebook translated, as plain text: sentences are HTML, names in buttons are not."""
    return unescape(tr(text))


def headline(case: Case, tr: Translator) -> str:
    """Return kind and protocol in bold: the first line of whatever is said about a case."""
    return f"<b>{tr(KINDS[case.kind])} {escape(case.protocol or '', quote=False)}</b>"


def subject_of(case: Case, laws: Laws, tr: Translator) -> str:
    """Return what a case is about, as plain text: the kind of applicant, or the subject of a report."""
    if case.subject is None:
        return ""
    book = laws.rulebook(case.city, case.service)
    if case.kind is CaseKind.REGISTRATION:
        applicant = book.applicants.get(case.subject)
        return named(applicant.label, tr) if applicant else case.subject
    subject = next((one for one in book.subjects(case.kind.value) if one.key == case.subject), None)
    return named(subject.label, tr) if subject else case.subject


def item_label(case: Case, item: str, laws: Laws, tr: Translator) -> str:
    """Return the name of a checklist's item, as plain text."""
    rule = laws.rulebook(case.city, case.service).rules.get(item)
    return named(rule.label, tr) if rule else item


def queue_label(case: Case, queue: str | None, laws: Laws, tr: Translator) -> str:
    """Return the name of a queue, as plain text."""
    known = laws.rulebook(case.city, case.service).queues.get(queue or "")
    return named(known.label, tr) if known else queue or ""


def clip(text: str, room: int) -> str:
    """Cut a text to the room that a message has for it, counted as Telegram does; what is stored stays whole."""
    if len(text.encode("utf-16-le", "surrogatepass")) <= 2 * room:
        return text
    cut = text.encode("utf-16-le", "surrogatepass")[: 2 * room - 2].decode("utf-16-le", "ignore")
    return f"{cut.rstrip()}…"


def bold(text: str) -> Html:
    """Return plain text in bold, to be put into a sentence."""
    return Html(f"<b>{plain(text)}</b>")


def quoted(text: str, room: int = 2200) -> str:
    """Return what somebody wrote, verbatim, as a quotation."""
    return f"<blockquote>{plain(clip(text, room))}</blockquote>"
