"""The words of the law that several screens share: who, how long, counted from what, how often."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from domain.law.fields import Bearer, Cause, Length, Unit
from domain.law.model import Rulebook
from handlers.shared import formats
from handlers.shared.texts import N_, Translator

CAUSES: dict[Cause, str] = {
    Cause.ISSUED: N_("da emissão"),
    Cause.PRESENTED: N_("da entrega na prefeitura"),
    Cause.APPROVED: N_("da aprovação"),
    Cause.FEE_PAID: N_("do pagamento da taxa"),
    Cause.INSPECTED: N_("da vistoria"),
    Cause.NOTIFIED: N_("da notificação"),
    Cause.DECISION_KNOWN: N_("da ciência da decisão"),
    Cause.FAILED: N_("da reprovação na vistoria"),
    Cause.ASKED: N_("do pedido"),
}
PAYERS: dict[Bearer, str] = {
    Bearer.DRIVER: N_("o motorista"),
    Bearer.AUXILIARY: N_("o condutor auxiliar"),
    Bearer.VEHICLE: N_("o dono do veículo"),
    Bearer.OWNER: N_("o dono do veículo"),
    Bearer.OPERATOR: N_("a empresa operadora"),
    Bearer.EMPLOYEE: N_("o empregado"),
    Bearer.CITY: N_("a prefeitura"),
}
RHYTHMS = {"year": N_("por ano"), "month": N_("por mês"), "request": N_("por pedido")}
NAMES: dict[Bearer, str] = {
    Bearer.DRIVER: N_("Motorista"),
    Bearer.AUXILIARY: N_("Condutor auxiliar"),
    Bearer.EMPLOYEE: N_("Empregado"),
    Bearer.OPERATOR: N_("Empresa operadora"),
    Bearer.VEHICLE: N_("Veículo"),
    Bearer.OWNER: N_("Dono do veículo"),
    Bearer.CITY: N_("Prefeitura"),
}


def bearer_name(book: Rulebook, bearer: Bearer) -> str:
    """Return what a law calls its driver, employee ...: its applicant's name, where it has one, else the usual word."""
    if bearer is not Bearer.VEHICLE:
        for applicant in book.applicants.values():
            if applicant.bearers[0] == bearer:
                return applicant.label
    return NAMES[bearer]


def bearer_names(tr: Translator, book: Rulebook, bearers: Iterable[Bearer]) -> str:
    """Return whom a rule falls on, as HTML."""
    return formats.all_of([tr(bearer_name(book, bearer)) for bearer in bearers], tr.language)


def length_words(tr: Translator, length: Length) -> str:
    """Return a length of time as the law states it: "15 dias corridos", "1 ano"."""
    n = length.amount
    match length.unit:
        case Unit.HOUR:
            return tr.many("{n} hora", "{n} horas", n)
        case Unit.CALENDAR_DAY:
            return tr.many("{n} dia corrido", "{n} dias corridos", n)
        case Unit.BUSINESS_DAY:
            return tr.many("{n} dia útil", "{n} dias úteis", n)
        case Unit.MONTH:
            return tr.many("{n} mês", "{n} meses", n)
        case Unit.YEAR:
            return tr.many("{n} ano", "{n} anos", n)


def span_words(tr: Translator, least: Length | None, most: Length | None) -> str:
    """Return a duration, or a range of them; "" when the law fixes none."""
    only = most or least
    if only is None:
        return ""
    if least is None or most is None or least == most:
        return length_words(tr, only)
    return tr("de {least} a {most}", least=length_words(tr, least), most=length_words(tr, most))


def organ_name(tr: Translator, book: Rulebook, key: str) -> str:
    """Return an organ's name, or the bearer who stands where an organ could, as HTML."""
    if key in book.organs:
        return tr(book.organs[key].name)
    return tr(PAYERS[Bearer(key)]) if key in list(Bearer) else escape(key, quote=False)
