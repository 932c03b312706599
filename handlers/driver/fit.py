"""Does the law let me? Each requirement met, not met or unknown, answered at once from what was typed."""

from __future__ import annotations

from domain.cases.model import Case
from domain.law.answers import Standing
from domain.law.eligibility import Finding, eligibility
from domain.law.model import Rulebook
from domain.registration.model import law_facts
from handlers.driver.common import button, checklist_for, heading, is_draft, is_with_applicant, way_out
from handlers.shared.buttons import Press
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms.places import show
from handlers.shared.outgoing import Button
from handlers.shared.pages import page_of
from handlers.shared.texts import N_, Html
from handlers.shared.why import locator, reasons, sources, step_text

MARKS = {"met": "✅", "unmet": "❌", "unknown": "❔"}
PAGE = 4


def findings_of(context: BotContext, case: Case) -> tuple[Rulebook, tuple[Finding, ...]]:
    """Return what the law says of a registration's answers today."""
    book = context.laws.rulebook(case.city, case.service)
    facts = law_facts(context.laws, case.facts)
    bearers = book.applicants[case.subject or ""].bearers
    return book, eligibility(book, facts, context.today(case.city), bearers=bearers)


def is_silence(finding: Finding) -> bool:
    """Whether the law asks nothing there."""
    return finding.verdict == "met" and finding.standing is Standing.SILENT


async def show_fit(context: BotContext, case_id: int, *, note: str = "") -> None:
    """Show how the answers stand before the law, and what to do next."""
    tr = context.tr
    case = (await checklist_for(context, case_id)).case
    book, findings = findings_of(context, case)
    unmet = [finding for finding in findings if finding.verdict == "unmet"]
    unknown = [finding for finding in findings if finding.verdict == "unknown"]
    met = [finding for finding in findings if finding.verdict == "met" and not is_silence(finding)]
    silent = [finding for finding in findings if is_silence(finding)]

    lines = [note, ""] if note else []
    lines += [heading(context, case), "", f"<b>{verdict(context, unmet, unknown, met)}</b>"]
    if unmet:
        lines += ["", f"<b>{tr('Não atende')}</b>"]
        lines += [f"❌ {named(context, book, one)}\n{step_text(tr, one.reason)}" for one in unmet]
    if unknown:
        lines += ["", f"<b>{tr('Ainda não sei')}</b>"]
        lines += [f"❔ {named(context, book, one)}\n{missing_line(context, one)}" for one in unknown]
    if met:
        lines += ["", f"<b>{tr('Atende')}</b>", *(f"✅ {named(context, book, one)}" for one in met)]
    if silent:
        lines += ["", f"<b>{tr('A lei daqui não pede')}</b>", *(f"▫️ {tr(one.label)}" for one in silent)]
    lines += ["", next_step(context, case, unmet, unknown)]
    if findings:
        lines.append(f"<i>{tr('Base: {law}.', law=book.source.title)}</i>")

    rows: list[tuple[Button, ...]] = [(button(context, go_on_label(case, unmet), "back", case.id),)]
    if is_with_applicant(case) and book.questions(*book.applicants[case.subject or ""].bearers):
        open_answers = any(one.missing for one in unknown)
        text = N_("Responder o que falta") if open_answers else N_("Corrigir respostas")
        rows.append((button(context, text, "facts", case.id),))
    if findings:
        rows.append((button(context, N_("Por quê?"), "why_fit", case.id, 1),))
    rows.append(way_out(context))
    again = button(context, N_("Voltar ao resultado"), "fit", case.id)
    show(context, "\n".join(lines), tuple(rows), again=again)


def named(context: BotContext, book: Rulebook, finding: Finding) -> str:
    """Return a requirement with its article."""
    return f"{context.tr(finding.label)} ({locator(book, finding.cite)})"


def missing_line(context: BotContext, finding: Finding) -> str:
    """Return what would settle an open requirement: the questions that were skipped, or the law's own gap."""
    tr = context.tr
    if not finding.missing:
        return step_text(tr, finding.reason)
    prompts = [context.laws.facts[key].prompt for key in finding.missing if key in context.laws.facts]
    return tr("Falta responder: {questions}", questions=Html(" ".join(tr(prompt) for prompt in prompts)))


def verdict(context: BotContext, unmet: list[Finding], unknown: list[Finding], met: list[Finding]) -> str:
    """Return the answer in one line."""
    tr = context.tr
    if unmet:
        return tr.many(
            "❌ Há {n} ponto que a lei daqui não aceita.", "❌ Há {n} pontos que a lei daqui não aceita.", len(unmet)
        )
    if unknown:
        return tr.many("❔ Falta {n} resposta para eu saber.", "❔ Faltam {n} respostas para eu saber.", len(unknown))
    if met:
        return tr("✅ Pelo que você respondeu, você atende à lei daqui.")
    return tr("✅ Não há nada a conferir antes: o cadastro depende só dos documentos.")


def next_step(context: BotContext, case: Case, unmet: list[Finding], unknown: list[Finding]) -> str:
    """Return what to do now; nothing here ends the road."""
    tr = context.tr
    if not is_draft(case):
        return tr("Estas são as respostas que acompanham o seu cadastro.")
    if unmet:
        return tr(
            "Se algo foi digitado errado, corrija. Você pode seguir mesmo assim, mas do jeito que está "
            "a prefeitura deve negar o pedido por causa do que está marcado com ❌."
        )
    if unknown:
        return tr("Você já pode juntar os documentos e responder o que falta depois.")
    return tr("O próximo passo é juntar os documentos: um de cada vez, por aqui mesmo.")


def go_on_label(case: Case, unmet: list[Finding]) -> str:
    """Return the button that leads to the documents."""
    if not is_draft(case):
        return N_("Ver meu cadastro")
    return N_("Seguir mesmo assim") if unmet else N_("Começar meu cadastro")


async def why(context: BotContext, press: Press) -> None:
    """Show what each finding rests on, some at a time."""
    tr = context.tr
    case = (await checklist_for(context, press.number())).case
    book, findings = findings_of(context, case)
    shown = page_of(findings, press.number(1), PAGE)
    lines = [f"<b>{tr('Por que este resultado?')}</b>"]
    if shown.pages > 1:
        lines.append(tr("Parte {page} de {pages}", page=shown.number, pages=shown.pages))
    for finding in shown.items:
        lines += [
            "",
            f"{MARKS[finding.verdict] if not is_silence(finding) else '▫️'} <b>{tr(finding.label)}</b>"
            f" ({locator(book, finding.cite)})",
            step_text(tr, finding.reason),
            reasons(
                tr,
                book,
                standing=finding.standing,
                cite=finding.cite,
                steps=finding.steps,
                assumption=finding.assumption,
                alone=False,
            ),
        ]
    lines += ["", sources(tr, book, (finding.cite for finding in shown.items))]
    moves = shown.turns(lambda text, to: button(context, text, "why_fit", case.id, to), N_("Anteriores"), N_("Mais"))
    back = (button(context, N_("Voltar ao resultado"), "fit", case.id), *way_out(context))
    show(context, "\n".join(lines), (*moves, back))


async def press_fit(context: BotContext, press: Press) -> None:
    """Show the answer again."""
    await show_fit(context, press.number())


def register(desk: Desk) -> None:
    """Bring the answer of the law to the desk."""
    desk.press("r", "fit", press_fit)
    desk.press("r", "why_fit", why)
