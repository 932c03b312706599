"""One entry whole: what it says, to whom, with which numbers, how firmly, and where."""

from __future__ import annotations

from html import escape

from domain.law.conduct import (
    ACTIONS,
    ConductRule,
    ContentsRule,
    InfractionRule,
    LeniencyRule,
    QuotaRule,
    RecidivismRule,
    RetentionRule,
    SanctionRule,
    StatementRule,
    TariffRule,
)
from domain.law.dues import dues
from domain.law.fields import Bearer
from domain.law.model import Doubt, Ground, Subject
from domain.law.penalties import Penalty
from domain.law.rules import (
    CertificateRule,
    FeeRule,
    PenaltyClassRule,
    PeriodicRule,
    RenewalRule,
    RepresentationRule,
    RequirementRule,
    ScopeRule,
    TermRule,
    Version,
)
from domain.law.terms import Deadline, deadline
from handlers.law.entries import Contents, Entry
from handlers.law.penalties import (
    Reader,
    again_lines,
    closed,
    concerned,
    doubt_lines,
    penalty_lines,
    punishment,
    range_words,
    reais_words,
    term_line,
    title,
    unit_lines,
    whom,
)
from handlers.shared import formats
from handlers.shared.lawwords import CAUSES, PAYERS, RHYTHMS, bearer_names, length_words, organ_name, span_words
from handlers.shared.texts import Html
from handlers.shared.why import amount, basis, locator, reasons, step_text

MATCHED = 6


def name(reader: Reader, entry: Entry) -> str:
    """Return an entry's title, as HTML."""
    if entry.ground is not None:
        return reader.tr("Discriminação: {ground}", ground=Html(reader.tr(entry.title)))
    return reader.tr(entry.title)


def one_line(reader: Reader, entry: Entry) -> str:
    """Return an entry in one line with its article; where the law is silent, that is the line."""
    place = locator(reader.book, entry.cite)
    if entry.version is not None and entry.version.no_value is not None:
        return f"{name(reader, entry)}: {closed(reader.tr(entry.version.no_value), place)}"
    return f"{name(reader, entry)} ({place})"


def whole(reader: Reader, entry: Entry, law: Contents) -> str:
    """Return an entry whole, as HTML."""
    lines = [f"<b>{name(reader, entry)}</b>"]
    if entry.doubt is not None:
        lines += doubt_entry(reader, entry.doubt)
    elif entry.subject is not None:
        lines += subject_entry(reader, entry.subject, law)
    elif entry.ground is not None:
        lines += ground_entry(reader, entry.ground)
    elif entry.rule is not None and entry.version is not None:
        lines += rule_entry(reader, entry, entry.version)
    return "\n".join(lines)


def rule_entry(reader: Reader, entry: Entry, version: Version) -> list[str]:
    """Return all that a rule says."""
    tr, rule = reader.tr, entry.rule
    if rule is None:
        return []
    lines = [*whom(reader, rule), *told(reader, rule)]
    if isinstance(rule, ConductRule | InfractionRule) and getattr(rule, "kind", "") != "permission":
        found = punishment(reader, rule)
        if found is None:
            lines.append(tr("A lei não liga a isto uma penalidade própria."))
        else:
            if found.infraction != rule.id:
                law = f"<b>{tr(found.label)}</b> ({locator(reader.book, found.cite)})"
                lines.append(tr("Descumprir é a infração: {infraction}", infraction=Html(law)))
            charged = charged_with(reader, found.infraction)
            if set(charged) != set(rule.bearers):
                lines.append(tr("Quem responde: {who}", who=Html(bearer_names(tr, reader.book, charged))))
            lines += penalty_lines(reader, found)
    lines += doubts_of(reader, version)
    lines.append(title(tr("Quanto disso está na lei")))
    if version.no_value is not None:
        lines.append(tr(version.no_value))
    if version.entered is not None:
        lines.append(entered_line(reader, version))
        lines += [tr(version.note)] if version.note else []
        lines.append(basis(tr, reader.book, version.cite))
    else:
        lines.append(
            reasons(
                tr,
                reader.book,
                standing=version.standing,
                cite=version.cite,
                assumption=version.assumption,
                note=version.note,
            )
        )
    return lines


def charged_with(reader: Reader, infraction: str) -> tuple[Bearer, ...]:
    """Return who answers for an infraction: whom it names, or whom its class of fines falls on."""
    rule = reader.book.rules[infraction]
    if isinstance(rule, ConductRule):
        told = rule.version(reader.today)
        punished = reader.book.rules.get(told.penalty_class or "") if told is not None else None
        return punished.bearers if isinstance(punished, PenaltyClassRule) else rule.bearers
    return rule.bearers if isinstance(rule, InfractionRule) else ()


def entered_line(reader: Reader, version: Version) -> str:
    """Return that the city gave a value which the law leaves to it."""
    entered = version.entered
    if entered is None:
        return ""
    return reader.tr(
        "A lei deixa isto para a prefeitura, que informou em {day}: {source}.",
        day=formats.day(entered.on, reader.tr.language),
        source=entered.source,
    )


def doubts_of(reader: Reader, version: Version) -> list[str]:
    """Return the doubts that a rule's text leaves, with their readings."""
    places = (version.cite, *version.also)
    named = [getattr(version, "doubt", None), *(getattr(one, "doubt", None) for one in getattr(version, "adds", ()))]
    beside = [doubt.id for doubt in reader.book.doubts.values() if doubt.cite in places]
    keys = dict.fromkeys(key for key in (*named, *beside) if key is not None)
    lines = [line for key in keys for line in doubt_lines(reader, key)]
    return [title(reader.tr("Dúvida no texto")), *lines] if lines else []


def told(reader: Reader, rule: object) -> list[str]:
    """Return what is particular to a kind of rule."""
    match rule:
        case RequirementRule():
            return requirement(reader, rule)
        case FeeRule():
            return fee(reader, rule)
        case TermRule():
            return [*term_line(reader, rule), *example(reader, rule)]
        case CertificateRule() | RenewalRule() | PeriodicRule():
            return lasting_rule(reader, rule)
        case PenaltyClassRule() | SanctionRule() | LeniencyRule():
            return sanction(reader, rule)
        case RecidivismRule():
            version = rule.version(reader.today)
            return [] if version is None else [*again_lines(reader, rule.id), *concerned(reader, version)]
        case _:
            return statement(reader, rule)


def requirement(reader: Reader, rule: RequirementRule) -> list[str]:
    """Return what must be had or sent, what serves as well, and for how long it counts."""
    tr, version = reader.tr, rule.version(reader.today)
    if version is None or version.no_value is not None:
        return []
    lines = [tr(rule.what)] if rule.what else []
    if version.alternatives:
        others = formats.any_of([tr(other) for other in version.alternatives], tr.language)
        lines.append(tr("Também serve: {others}.", others=Html(others)))
    if version.condition is not None:
        lines.append(tr("Só vale em alguns casos."))
    if version.valid_for is not None:
        months = version.valid_for.months
        lines.append(
            tr.many("Vale {n} mês; depois é pedido de novo.", "Vale {n} meses; depois é pedido de novo.", months)
        )
    if not version.blocking:
        lines.append(tr("A falta não impede o cadastro."))
    return lines


def fee(reader: Reader, rule: FeeRule) -> list[str]:
    """Return what a fee amounts to, who pays it to whom, and until when this year."""
    tr, book, version = reader.tr, reader.book, rule.version(reader.today)
    if version is None:
        return []
    lines = []
    if version.amount is not None and version.unit is not None:
        worth = f"<b>{amount(tr, version.amount, version.unit)}</b>"
        worth += reais_words(reader, version.amount, version.amount, version.unit)
        lines.append(tr("Valor: {amount}.", amount=Html(f"{worth} {tr(RHYTHMS[version.every])}")))
        lines += unit_lines(reader, version.unit)
    payer, collector = Html(tr(PAYERS[version.payer])), Html(organ_name(tr, book, version.collector))
    lines.append(tr("Quem paga: {payer}. Quem recebe: {organ}.", payer=payer, organ=collector))
    if version.exempt:
        exempt = formats.all_of([tr(PAYERS[one]) for one in version.exempt], tr.language)
        place = locator(book, version.exempt_cite or version.cite)
        lines.append(tr("De {who} não se cobra ({article}).", who=Html(exempt), article=place))
    calendar = reader.laws.calendar(book.city.slug)
    due = next((one for one in dues(book, rule.bearers[0], reader.today.year, calendar) if one.rule == rule.id), None)
    if due is not None and due.due_on is not None:
        lines.append(tr("Vencimento em {year}: {day}.", year=due.due_on.year, day=formats.day(due.due_on, tr.language)))
    elif version.every != "request":
        lines.append(tr("A lei não fixa o dia do vencimento."))
    return lines


def ending(reader: Reader, rule: TermRule) -> Deadline | None:
    """Return where a term would end that starts today; None where the law fixes no length."""
    rules = reader.book if rule.id in reader.book.rules else reader.book.federal
    due = deadline(rules, rule.id, reader.today, reader.laws.calendar(reader.book.city.slug))
    return due if due.ends_on is not None else None


def example(reader: Reader, rule: TermRule) -> list[str]:
    """Return until when a term would run that starts today."""
    tr, due = reader.tr, ending(reader, rule)
    if due is None or due.ends_on is None:
        return []
    today, day = formats.day(reader.today, tr.language), formats.day(due.ends_on, tr.language)
    return [
        tr("Se começasse hoje, {today}, o último dia seria {day}. O cálculo está em “Por quê?”.", today=today, day=day)
    ]


def lasting_rule(reader: Reader, rule: CertificateRule | RenewalRule | PeriodicRule) -> list[str]:
    """Return how long something is valid, when it is renewed, or how often it comes back."""
    tr, version = reader.tr, rule.version(reader.today)
    lines: list[str] = []
    if version is None or version.no_value is not None:
        return lines
    if isinstance(rule, CertificateRule):
        paper = rule.version(reader.today)
        if paper is not None and paper.length is not None:
            words = Html(f"<b>{length_words(tr, paper.length)}</b>")
            lines.append(tr("Vale até {length}.", length=words) if paper.up_to else tr("Vale {length}.", length=words))
            if paper.counted_from is not None:
                lines.append(tr("Conta {cause}.", cause=tr(CAUSES[paper.counted_from])))
            if paper.needs_fee:
                lines.append(tr("Só vale depois de paga a taxa."))
    elif isinstance(rule, RenewalRule):
        window = rule.version(reader.today)
        if window is not None and window.before is not None:
            before = Html(f"<b>{length_words(tr, window.before)}</b>")
            lines.append(tr("Pede-se pelo menos {length} antes do fim da validade.", length=before))
            if window.extends:
                place = locator(reader.book, window.extends_cite or window.cite)
                lines.append(
                    tr("Quem pede a tempo continua com a autorização até a decisão ({article}).", article=place)
                )
    else:
        duty = rule.version(reader.today)
        if duty is not None and duty.every is not None:
            every = Html(f"<b>{length_words(tr, duty.every)}</b>")
            lines.append(tr("A cada {length}.", length=every))
            if duty.business_day is not None:
                lines.append(tr("Até o dia útil número {n} do mês.", n=duty.business_day))
            if duty.may:
                lines.append(tr("A prefeitura pode pedir; a lei não marca o dia."))
    return lines


def sanction(reader: Reader, rule: PenaltyClassRule | SanctionRule | LeniencyRule) -> list[str]:
    """Return the amount of a class, the duration of a sanction, or when a warning takes a fine's place."""
    tr, lines = reader.tr, list[str]()
    if isinstance(rule, PenaltyClassRule):
        cost = rule.version(reader.today)
        if cost is not None and cost.least is not None and cost.most is not None and cost.unit is not None:
            words = f"<b>{range_words(tr, cost.least, cost.most, cost.unit)}</b>"
            words += reais_words(reader, cost.least, cost.most, cost.unit)
            lines += [tr("Valor: {amount}.", amount=Html(words)), *unit_lines(reader, cost.unit)]
    elif isinstance(rule, SanctionRule):
        lasts = rule.version(reader.today)
        if lasts is not None and (duration := span_words(tr, lasts.least, lasts.most)):
            lines.append(tr("Duração: {length}.", length=Html(f"<b>{duration}</b>")))
        if lasts is not None and lasts.bar is not None:
            bar = Html(f"<b>{length_words(tr, lasts.bar)}</b>")
            lines.append(
                tr("Quem a sofre fica {length} sem poder pedir outra, a contar da decisão definitiva.", length=bar)
                if lasts.bar_from == "final"
                else tr("Quem a sofre fica {length} sem poder pedir outra, a contar da aplicação.", length=bar)
            )
    else:
        mild = rule.version(reader.today)
        if mild is not None and mild.of_class in reader.book.rules:
            label = Html(tr(reader.book.rules[mild.of_class or ""].label))
            lines.append(tr("A advertência pode tomar o lugar desta multa: {fine}.", fine=label))
        if mild is not None and mild.clean is not None:
            clean = length_words(tr, mild.clean)
            lines.append(tr("Não cabe a quem teve penalidade da mesma natureza há menos de {length}.", length=clean))
        if mild is not None and mild.once_in is not None:
            lines.append(tr("Só pode ser pedida uma vez a cada {length}.", length=length_words(tr, mild.once_in)))
    return lines


def statement(reader: Reader, rule: object) -> list[str]:
    """Return what the other kinds say: lists, organs, limits, bands, how long data are kept."""
    tr, book, today = reader.tr, reader.book, reader.today
    match rule:
        case ContentsRule():
            held = rule.version(today)
            return [f"• {tr(item)}" for item in held.requires] if held is not None else []
        case StatementRule() if rule.organ is not None:
            return [tr("Quem cuida: {organ}.", organ=Html(organ_name(tr, book, rule.organ)))]
        case QuotaRule():
            most = rule.version(today)
            if most is None or most.inhabitants is None:
                return []
            lines = [tr("Uma autorização para cada {n} habitantes.", n=most.inhabitants)]
            return [*lines, tr("A fração dá mais uma.")] if most.fraction else lines
        case TariffRule():
            tariff = rule.version(today)
            return [band_line(reader, band) for band in tariff.bands] if tariff is not None else []
        case RetentionRule():
            kept = rule.version(today)
            if kept is None or kept.length is None:
                return []
            return [tr("Guarda-se por {length}, pelo menos.", length=length_words(tr, kept.length))]
        case RepresentationRule():
            asked = rule.version(today)
            if asked is None:
                return []
            items = [f"• {tr(item)}" for item in asked.requires]
            return [
                tr(asked.who),
                title(tr("O que ela contém")),
                *items,
                title(tr("O que a autoridade deve fazer")),
                tr(asked.owed),
            ]
        case ScopeRule():
            return [tr(rule.what)]
        case _:
            return []


def band_line(reader: Reader, band: object) -> str:
    """Return when a band of the tariff is charged."""
    tr = reader.tr
    label, starts, ends = (getattr(band, key) for key in ("label", "starts", "ends"))
    if starts is None or ends is None:
        return f"• <b>{tr(label)}</b>: {tr('nas outras horas e dias')}"
    clock = (formats.clock(value) for value in (starts, ends))
    words = [tr("das {starts} às {ends}", starts=next(clock), ends=next(clock))]
    if getattr(band, "weekdays", ()) == (6,):
        words.append(tr("aos domingos"))
    if getattr(band, "holidays", False):
        words.append(tr("nos feriados"))
    return f"• <b>{tr(label)}</b>: {formats.all_of(words, tr.language)}"


# ---- what is no rule


def doubt_entry(reader: Reader, doubt: Doubt) -> list[str]:
    """Return a doubt with its readings, and whose choice it is."""
    tr = reader.tr
    text = tr(
        "O texto da lei pode ser lido de mais de um modo. "
        "A leitura usada favorece quem é cobrado, salvo escolha da prefeitura."
    )
    return [text, *doubt_lines(reader, doubt.id)[1:], basis(tr, reader.book, doubt.cite)]


def subject_entry(reader: Reader, subject: Subject, law: Contents) -> list[str]:
    """Return what the law says of something that a passenger can complain about."""
    tr, book = reader.tr, reader.book
    if not subject.provisions:
        return [
            tr("Esta lei não trata disto. Você pode reclamar do mesmo jeito, e a prefeitura tem de responder."),
            *complaint_lines(reader),
        ]
    lines = [title(tr("O que a lei diz"))]
    matched = {one.code: one for cite in subject.provisions for one in law.at(cite)}
    lines += [f"• {one_line(reader, one)}" for one in list(matched.values())[:MATCHED]]
    if not matched:
        lines.append(
            formats.all_of([escape(locator(book, cite), quote=False) for cite in subject.provisions], tr.language)
        )
    return [*lines, *complaint_lines(reader)]


def ground_entry(reader: Reader, ground: Ground) -> list[str]:
    """Return whether the law names a ground of discrimination; all can be reported."""
    tr = reader.tr
    if ground.cite is not None:
        lines = [tr("Esta lei nomeia este motivo de discriminação."), basis(tr, reader.book, ground.cite)]
    else:
        lines = [tr("Esta lei não nomeia este motivo. Você pode denunciar do mesmo jeito.")]
    lines += [tr(ground.note)] if ground.note else []
    return [*lines, *complaint_lines(reader)]


def complaint_lines(reader: Reader) -> list[str]:
    """Return what a complaint rests on: this law's representation, or the ouvidoria that every city owes."""
    tr, book = reader.tr, reader.book
    cite = book.complaint_basis()
    lines = [title(tr("Como reclamar"))]
    if book.representation is not None:
        lines.append(tr("Esta lei tem a representação: {who}", who=Html(tr(book.representation.who))))
    else:
        lines.append(tr("Esta lei não tem representação; a reclamação é da ouvidoria, e pode ser feita aqui."))
    return [*lines, basis(tr, book, cite)]


# ---- why


def why(reader: Reader, entry: Entry) -> str:
    """Return the arithmetic behind an entry's numbers, since when it holds, and where else it stands."""
    tr, book, rule, version = reader.tr, reader.book, entry.rule, entry.version
    lines = [f"<b>{tr('Por quê?')}</b> {name(reader, entry)}"]
    if rule is None or version is None:
        return "\n".join([*lines, basis(tr, book, entry.cite)])
    found = punishment(reader, rule) if isinstance(rule, ConductRule | InfractionRule) else None
    lines += [line for one in (found.answers if found is not None else ()) for line in penalty_why(reader, one)]
    for again in found.recidivism if found is not None else ():
        steps = [step for step in again.steps if "count" not in step.facts]  # nothing was done before
        told = reasons(tr, book, standing=again.standing, cite=again.cite, steps=steps, assumption=again.assumption)
        lines += [title(tr(again.label)), told]
    due = ending(reader, rule) if isinstance(rule, TermRule) else None
    if due is not None:
        lines += [f"• {step_text(tr, step)}" for step in due.steps]
    standing, assumption = (due.standing, due.assumption) if due is not None else (version.standing, version.assumption)
    if isinstance(rule, FeeRule):
        calendar = reader.laws.calendar(book.city.slug)
        for fee_due in dues(book, rule.bearers[0], reader.today.year, calendar):
            if fee_due.rule == rule.id:
                lines += [f"• {step_text(tr, step)}" for step in fee_due.steps]
    lines.append(title(tr("A regra")))
    if version.entered is None:
        lines.append(
            reasons(tr, book, standing=standing, cite=version.cite, assumption=assumption, note=version.no_value)
        )
    else:
        lines += [entered_line(reader, version), basis(tr, book, version.cite)]
    lines.append(tr("Vale desde {day}.", day=formats.day(version.in_force_from, tr.language)))
    if version.also:
        places = formats.all_of([locator(book, cite) for cite in version.also], tr.language)
        lines.append(tr("Também em: {places}.", places=places))
    source = book.sources.get(version.cite.source)
    if source is not None and source.address is not None:
        lines.append(tr("Publicada em: {address}", address=source.address))
    return "\n".join(lines)


def penalty_why(reader: Reader, one: Penalty) -> list[str]:
    """Return what one penalty rests on."""
    tr = reader.tr
    told = reasons(tr, reader.book, standing=one.standing, cite=one.cite, steps=one.steps, assumption=one.assumption)
    return [title(tr(ACTIONS[one.action])), told]
