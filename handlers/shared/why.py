"""“Por quê?”: what an answer of the law rests on, in plain words, with the article."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from html import escape, unescape

from domain.law.answers import Standing, Step
from domain.law.citations import Citation
from domain.law.model import Rulebook
from handlers.shared import formats
from handlers.shared.texts import N_, Html, Translator

STANDINGS: dict[Standing, str] = {
    Standing.STATED: N_("A lei diz isto com todas as letras."),
    Standing.ASSUMED: N_("A lei deixa uma dúvida aqui. Esta é a leitura usada, e a prefeitura pode mudá-la:"),
    Standing.SILENT: N_("A lei não fixa isto, e este balcão não inventa."),
    Standing.ILLEGIBLE: N_("O texto publicado da lei não pode ser lido neste ponto."),
    Standing.REGULATION: N_("A lei deixa isto para um regulamento, que este balcão ainda não tem."),
}


def label(tr: Translator, text: str) -> str:
    """Return a text of the rulebook for a button: translated and plain."""
    return unescape(tr(text))


def step_text(tr: Translator, step: Step) -> str:
    """Return one line of the reasoning; the names among its facts are translated too."""
    facts = {name: tr(fact) if isinstance(fact, str) else fact for name, fact in step.facts.items()}
    return formats.filled(tr, step.text, facts)


def locator(rulebook: Rulebook, cite: Citation) -> str:
    """Return the article alone where it is one of the city's own law, and the law before it where it is another."""
    return cite.locator if cite.source == rulebook.id else str(cite)


def basis(tr: Translator, rulebook: Rulebook, cite: Citation) -> str:
    """Return where the law says it, and when somebody compared the text."""
    source = rulebook.sources.get(cite.source)
    where = tr("Onde está: {law}, {article}.", law=source.title if source else cite.law, article=cite.locator)
    if source is None or source.compared_on is None:
        return where
    checked = tr("Texto verificado em {day}.", day=formats.day(source.compared_on, tr.language))
    return f"{where} {checked}"


def reasons(
    tr: Translator,
    rulebook: Rulebook,
    *,
    standing: Standing,
    cite: Citation,
    steps: Iterable[Step] = (),
    assumption: str | None = None,
    note: str | None = None,
    alone: bool = True,
) -> str:
    """Return all that an answer rests on, as HTML: its arithmetic, how firm it is, what was assumed, the article.

    One that is not ``alone`` on its screen names the article before it, and :func:`sources` the law once at the end.
    """
    lines = [f"• {step_text(tr, step)}" for step in steps]
    lines.append(tr(STANDINGS[Standing.ASSUMED if assumption else standing]))
    if assumption:
        lines.append(f"<i>{tr(assumption)}</i>")
    if note:
        lines.append(tr(note))
    if alone:
        lines.append(basis(tr, rulebook, cite))
    return "\n".join(lines)


def sources(tr: Translator, rulebook: Rulebook, cites: Iterable[Citation]) -> str:
    """Return the laws that several answers rest on, each once, with the day when somebody compared its text."""
    lines = []
    for key in dict.fromkeys(cite.source for cite in cites):
        source = rulebook.sources.get(key)
        if source is None:
            continue
        line = tr("Base: {law}.", law=source.title)
        if source.compared_on is not None:
            line += " " + tr("Texto verificado em {day}.", day=formats.day(source.compared_on, tr.language))
        lines.append(line)
    return "\n".join(lines)


def amount(tr: Translator, value: Decimal, unit: str) -> Html:
    """Return an amount in the unit of the law: reais, or the city's own."""
    if unit in ("BRL", "R$"):
        return Html(formats.money(value, tr.language))
    return Html(f"{formats.number(value, tr.language)} {escape(tr(unit), quote=False)}")
