"""What follows breaking a rule, in words: fine, measures, what doing it again changes, until when to defend oneself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from domain.law.answers import Standing
from domain.law.charges import charge_of
from domain.law.conduct import ACTIONS, Consequence, RecidivismRule, RecidivismVersion
from domain.law.loader import Laws
from domain.law.model import Rulebook
from domain.law.overlay import CitySettings
from domain.law.penalties import NO_WINDOW, OTHER_READING, READ_SO, Penalties, Penalty, penalty
from domain.law.rules import TermRule
from handlers.law.entries import AnyRule
from handlers.shared import formats
from handlers.shared.lawwords import CAUSES, bearer_names, length_words, organ_name, span_words
from handlers.shared.texts import Html, Translator
from handlers.shared.why import STANDINGS, amount, locator, step_text

DEFENCE = ("defesa", "recurso", "reconsideracao")  # the ids that every law's terms of defence have
NAMED = 8


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads which law on which day."""

    tr: Translator
    laws: Laws
    book: Rulebook
    today: date

    @property
    def settings(self) -> CitySettings:
        """What the city entered."""
        return self.laws.settings(self.book.city.slug)


def title(text: str) -> str:
    """Return a headline between paragraphs."""
    return f"\n<b>{text}</b>"


def punishment(reader: Reader, rule: AnyRule) -> Penalties | None:
    """Return what follows breaking a rule the first time; None where the law ties nothing to it."""
    charge = charge_of(reader.book, rule.id, reader.today)
    return None if charge is None else penalty(reader.book, rule.id, (), reader.today)


def penalty_lines(reader: Reader, found: Penalties) -> list[str]:
    """Return what follows, one line each, and where recidivism and the terms of defence stand."""
    tr = reader.tr
    lines = [title(tr("O que acontece"))]
    lines += [f"• {penalty_words(reader, one)}" for one in found.answers]
    if not found.answers:
        lines.append(tr("A lei não fixa penalidade para esta infração."))
    units = {one.unit for one in found.answers if one.unit is not None}
    lines += [line for unit in sorted(units) for line in unit_lines(reader, unit)]
    again = [line for one in found.recidivism for line in again_lines(reader, one.rule)]
    known = all(one.standing is not Standing.ILLEGIBLE for one in found.answers)
    if again or known:
        lines.append(title(tr("Se acontecer de novo")))
        lines += again or [tr("A lei não diz que a repetição desta infração muda a penalidade.")]
    doubts = dict.fromkeys(doubt for one in found.recidivism if (doubt := doubt_of(reader, one.rule)) is not None)
    lines += [line for doubt in doubts for line in doubt_lines(reader, doubt)]
    return lines + defence_lines(reader)


def doubt_of(reader: Reader, rule_id: str) -> str | None:
    """Return the doubt that a rule on recidivism turns on."""
    told = reader.book.rule(rule_id, RecidivismRule).version(reader.today)
    return None if told is None else told.doubt


def penalty_words(reader: Reader, one: Penalty) -> str:
    """Return one penalty: what, how much or how long, whether it must follow, and where that stands."""
    tr = reader.tr
    words = tr(ACTIONS[one.action])
    if one.least is not None and one.most is not None and one.unit is not None:
        words = f"{words}: <b>{range_words(tr, one.least, one.most, one.unit)}</b>"
        words += reais_words(reader, one.least, one.most, one.unit)
    elif duration := span_words(tr, one.shortest, one.longest):
        words = f"{words}: <b>{duration}</b>"
    if one.until is not None:
        words += f", {tr(one.until)}"
    told = [step_text(tr, step) for step in one.steps if step.text not in (READ_SO, OTHER_READING)]
    if one.standing in (Standing.SILENT, Standing.REGULATION, Standing.ILLEGIBLE) and not told:
        told = [tr(STANDINGS[one.standing])]
    if one.may and not told:
        told = [tr("A autoridade pode aplicar; a lei não obriga.")]
    place = locator(reader.book, one.cite)
    return f"{words} ({place}). {' '.join(told)}".rstrip()


def range_words(tr: Translator, least: Decimal, most: Decimal, unit: str) -> str:
    """Return an amount in the law's unit, or a range of them."""
    if least == most:
        return str(amount(tr, least, unit))
    return tr("de {least} a {most}", least=amount(tr, least, unit), most=amount(tr, most, unit))


def reais_words(reader: Reader, least: Decimal, most: Decimal, unit: str) -> str:
    """Return the same in reais, where the city gave the unit's value; "" otherwise."""
    if unit in ("R$", "BRL"):
        return ""
    low, high = (reader.settings.reais(value, unit, reader.today) for value in (least, most))
    return "" if low is None or high is None else f" = {range_words(reader.tr, low, high, 'R$')}"


def unit_lines(reader: Reader, unit: str) -> list[str]:
    """Return what a unit of reference is worth, and who said so; or that nobody told yet."""
    tr = reader.tr
    if unit in ("R$", "BRL"):
        return []
    value = reader.settings.unit_value(unit, reader.today)
    if value is None:
        text = tr("Em reais depende do valor da {unit}, que a prefeitura ainda não informou a este balcão.", unit=unit)
        return [f"<i>{text}</i>"]
    text = tr(
        "1 {unit} = {value} desde {day} ({source}).",
        unit=unit,
        value=formats.money(value.value, tr.language),
        day=formats.day(value.since, tr.language),
        source=value.source,
    )
    return [f"<i>{text}</i>"]


def again_lines(reader: Reader, rule_id: str) -> list[str]:
    """Return what a rule on recidivism says, with its article."""
    tr, book = reader.tr, reader.book
    rule = book.rule(rule_id, RecidivismRule)
    told = rule.version(reader.today)
    if told is None:
        return []
    place = locator(book, told.cite)
    if told.no_value is not None and not told.fine_unknown:
        return [f"• {closed(tr(told.no_value), place)}"]
    changed = list(changes(reader, told))
    if not changed:
        return [f"• {closed(tr(told.note or rule.label), place)}"]
    count = read_count(reader, told)
    head = (
        tr("Na primeira repetição: {changes}", changes=Html("; ".join(changed)))
        if count == 1
        else tr("Na {n}ª repetição: {changes}", n=count, changes=Html("; ".join(changed)))
    )
    return [f"• {closed(head, place)} {' '.join(counting(reader, told))}".rstrip()]


def closed(sentence: str, place: str) -> str:
    """Return a sentence with its article before the full stop."""
    return f"{sentence.rstrip('.')} ({place})."


def read_count(reader: Reader, told: RecidivismVersion) -> int:
    """Return from which repetition on a rule holds, as its text is read here."""
    if told.doubt is None:
        return told.from_count
    read = told.readings[reader.book.reading(told.doubt)]
    return read if isinstance(read, int) else told.from_count


def changes(reader: Reader, told: RecidivismVersion) -> Iterator[str]:
    """Yield what doing it again changes."""
    tr = reader.tr
    if told.factor is not None:
        yield tr("a multa é multiplicada por {factor}", factor=told.factor)
    if told.becomes is not None and told.becomes in reader.book.rules:
        yield tr("passa a ser “{infraction}”", infraction=Html(tr(reader.book.rules[told.becomes].label)))
    for extra in told.adds:
        yield consequence_words(reader, extra)
    if told.fine_unknown:
        cap = told.fine_cap
        unit = next((rule.newest.unit for rule in classes(reader, told.of_class) if rule.newest.unit), "")
        limit = "" if cap is None else f" {tr('O máximo é {most}.', most=amount(tr, cap, unit))}"
        yield f"{tr(told.no_value or '')}{limit}"


def classes(reader: Reader, key: str | None) -> tuple[Any, ...]:
    """Return the class of a key as a tuple: of none, or one."""
    rule = reader.book.rules.get(key or "")
    return () if rule is None else (rule,)


def consequence_words(reader: Reader, one: Consequence) -> str:
    """Return what is added, and for how long."""
    tr = reader.tr
    words = tr(ACTIONS[one.action])
    least, most = one.least, one.most
    if one.doubt is not None:
        least = most = one.readings[reader.book.reading(one.doubt)]
    duration = span_words(tr, least, most)
    more = [part for part in (duration, tr(one.note) if one.note else "", tr(one.no_value or "")) if part]
    return f"{words}: {', '.join(more)}" if more else words


def counting(reader: Reader, told: RecidivismVersion) -> Iterator[str]:
    """Yield how earlier infractions are counted."""
    tr = reader.tr
    if told.window is None:
        yield tr(told.assumption or NO_WINDOW)
    else:
        window = length_words(tr, told.window)
        yield (
            tr("Conta a repetição em {window} da autuação anterior.", window=window)
            if told.since == "noticed"
            else tr("Conta a repetição em {window} da infração anterior.", window=window)
        )
    if told.punished:
        yield tr("Só conta a que foi punida.")


def doubt_lines(reader: Reader, doubt_id: str | None) -> list[str]:
    """Return a doubt of the text with all its readings, the one that is used here first."""
    if doubt_id is None:
        return []
    tr, doubt = reader.tr, reader.book.doubts[doubt_id]
    chosen = reader.book.reading(doubt_id)
    others = [text for key, text in doubt.readings.items() if key != chosen]
    return [
        f"❔ <i>{tr(doubt.label)} ({locator(reader.book, doubt.cite)})</i>",
        f"👉 {tr('Aqui vale:')} {tr(doubt.readings[chosen])}",
        *(f"▫️ {tr('Outra leitura:')} {tr(text)}" for text in others),
    ]


def defence_lines(reader: Reader) -> list[str]:
    """Return until when one can defend oneself and appeal."""
    terms = [reader.book.rules[key] for key in DEFENCE if key in reader.book.rules]
    lines = [line for rule in terms if isinstance(rule, TermRule) for line in term_line(reader, rule)]
    return [title(reader.tr("Defesa")), *lines] if lines else []


def term_line(reader: Reader, rule: TermRule) -> list[str]:
    """Return a term in one line."""
    version = rule.version(reader.today)
    if version is None:
        return []
    tr, place = reader.tr, locator(reader.book, version.cite)
    if version.length is None:
        return [f"• {tr(rule.label)}: {closed(tr(version.no_value or ''), place)}"]
    words = f"<b>{length_words(tr, version.length)}</b>"
    if version.counted_from is not None:
        words += tr(", a contar {cause}", cause=tr(CAUSES[version.counted_from]))
    if version.to is not None:
        words += f"; {organ_name(tr, reader.book, version.to)}"
    return [f"• {tr(rule.label)}: {words} ({place})"]


def concerned(reader: Reader, told: RecidivismVersion) -> list[str]:
    """Return which infractions a rule on recidivism is about, some by name."""
    tr, book = reader.tr, reader.book
    keys = list(told.of or told.not_of)
    for rule in book.rules.values():
        version = rule.version(reader.today)
        punished = getattr(version, "penalty_class", None)
        of_class = told.of_class is not None and punished == told.of_class
        of_group = told.of_group is not None and getattr(rule, "group", None) == told.of_group
        if of_class or of_group:
            keys.append(rule.id)
    names = [f"• {tr(book.rules[key].label)}" for key in keys[:NAMED] if key in book.rules]
    if len(keys) > NAMED:
        names.append(tr.many("e mais {n}", "e mais {n}", len(keys) - NAMED))
    return [title(tr("De quais infrações se trata")), *names] if names else []


def whom(reader: Reader, rule: AnyRule) -> list[str]:
    """Return on whom a rule falls, in one line; nothing where it falls on nobody."""
    bearers = getattr(rule, "bearers", ())
    if not bearers:
        return []
    return [reader.tr("Para quem: {who}", who=Html(bearer_names(reader.tr, reader.book, bearers)))]
