"""What counts as an answer: typed text by its kinds, files by their content; and how an answer reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any

from domain.files.model import FileKind, FileTrouble, ReceivedFile
from domain.values.dates import parse_date
from domain.values.documents import (
    CNH,
    CNPJ,
    CPF,
    NIT,
    RENAVAM,
    parse_cnh,
    parse_cnpj,
    parse_cpf,
    parse_nit,
    parse_renavam,
    show_number,
)
from domain.values.moments import parse_moment
from domain.values.numbers import parse_money, parse_number, parse_phone, parse_year, show_phone
from domain.values.parsed import Parsed, Rejected, Unsure, Value
from domain.values.plate import parse_plate, show_plate
from domain.values.text import fold, parse_text
from domain.values.times import parse_time
from handlers.shared import formats
from handlers.shared.forms.model import Form, FormView, Kind, Offered, Question
from handlers.shared.texts import N_

YES = frozenset({"sim", "s", "yes", "y", "si", "claro", "isso", "confirmo", "ok"})
NO = frozenset({"nao", "n", "no", "nope", "nunca"})
UNKNOWN = frozenset(
    {"nao sei", "nao lembro", "nao me lembro", "nao faco ideia", "sei la", "esqueci", "prefiro nao dizer", "pular"}
    | {"i don t know", "i dont know", "don t know", "i don t remember", "i dont remember", "no idea", "skip"}
    | {"no lo se", "no se", "no recuerdo", "no me acuerdo", "ni idea", "omitir"}
)
NOTHING = NO | UNKNOWN | {"nao tenho", "nada", "nenhum", "nenhuma", "none", "no tengo", "i don t have any"}


def parse_contact(text: str) -> Parsed:
    """Read a typed telephone number as a contact without a name."""
    parsed = parse_phone(text)
    return Value({"phone": parsed.value, "name": ""}, parsed.shown) if isinstance(parsed, Value) else parsed


PARSERS: dict[Kind, Callable[[str, Question, FormView], Parsed]] = {
    Kind.DATE: lambda text, question, view: parse_date(
        text, today=view.today, tense=question.tense, language=view.tr.language
    ),
    Kind.MOMENT: lambda text, question, view: parse_moment(
        text, today=view.today, tense=question.tense, language=view.tr.language
    ),
    Kind.TIME: lambda text, question, view: parse_time(text),
    Kind.NUMBER: lambda text, question, view: parse_number(
        text, language=view.tr.language, minimum=question.minimum, maximum=question.maximum
    ),
    Kind.YEAR: lambda text, question, view: parse_year(
        text, this_year=view.today.year, minimum=question.minimum or 1950, maximum=question.maximum
    ),
    Kind.MONEY: lambda text, question, view: parse_money(text, language=view.tr.language),
    Kind.PLATE: lambda text, question, view: parse_plate(text),
    Kind.CPF: lambda text, question, view: parse_cpf(text),
    Kind.CNPJ: lambda text, question, view: parse_cnpj(text),
    Kind.CNH: lambda text, question, view: parse_cnh(text),
    Kind.RENAVAM: lambda text, question, view: parse_renavam(text),
    Kind.NIT: lambda text, question, view: parse_nit(text),
    Kind.PHONE: lambda text, question, view: parse_phone(text),
    Kind.CONTACT: lambda text, question, view: parse_contact(text),
}
NUMBERINGS = {Kind.CPF: CPF, Kind.CNPJ: CNPJ, Kind.CNH: CNH, Kind.RENAVAM: RENAVAM, Kind.NIT: NIT}

AWAITED: dict[Kind, str] = {
    Kind.CHOICE: N_("uma das opções"),
    Kind.YESNO: N_("“sim” ou “não”"),
    Kind.TEXT: N_("um texto"),
    Kind.DATE: N_("uma data"),
    Kind.MOMENT: N_("uma data, com a hora se souber"),
    Kind.TIME: N_("um horário"),
    Kind.NUMBER: N_("um número"),
    Kind.YEAR: N_("um ano"),
    Kind.MONEY: N_("um valor em reais"),
    Kind.PLATE: N_("uma placa"),
    Kind.CPF: N_("um CPF"),
    Kind.CNPJ: N_("um CNPJ"),
    Kind.CNH: N_("o número de registro da CNH"),
    Kind.RENAVAM: N_("um RENAVAM"),
    Kind.NIT: N_("um NIT ou PIS"),
    Kind.PHONE: N_("um telefone"),
    Kind.PHOTO: N_("uma foto"),
    Kind.DOCUMENT: N_("um arquivo, como um PDF"),
    Kind.ALBUM: N_("fotos ou vídeos"),
    Kind.VOICE: N_("um áudio"),
    Kind.VIDEO: N_("um vídeo"),
    Kind.LOCATION: N_("um local"),
    Kind.CONTACT: N_("um contato"),
}

TROUBLES: dict[FileTrouble, str] = {
    FileTrouble.TOO_BIG: N_(
        "Este arquivo passa de 20 MB, o máximo que consigo receber. "
        "Envie uma foto no lugar, um PDF menor ou o vídeo em partes."
    ),
    FileTrouble.EMPTY: N_("Este arquivo chegou vazio. Abra-o no seu celular para conferir e envie de novo."),
    FileTrouble.UNREADABLE: N_(
        "Não consigo abrir este tipo de arquivo. Envie uma foto, um PDF, um áudio ou um vídeo. "
        "Uma captura de tela também serve."
    ),
    FileTrouble.NOT_FETCHED: N_("O Telegram não me entregou este arquivo. Envie de novo, por favor."),
}


def awaited(question: Question, view: FormView) -> str:
    """Return what a question accepts, as a phrase: "uma foto ou um arquivo"."""
    kinds = dict.fromkeys(question.accepts)
    if question.choices(view) and Kind.YESNO not in kinds:
        kinds = {Kind.CHOICE: None} | kinds
    return formats.any_of([view.tr(AWAITED[kind]) for kind in kinds], view.tr.language)


def as_answers(form: Form, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return plain values, by question, as a form keeps its answers."""
    kinds = {question.key: question.accepts[0].value for question in form.questions}
    return {key: {"kind": kinds[key], "value": value} for key, value in values.items()}


def option_of(text: str, question: Question, view: FormView) -> Offered | None:
    """Return the option that ``text`` names: its whole label, or the beginning of one label alone."""
    words = fold(text)
    options = question.choices(view)
    labels = [(fold(view.tr(option.label)), option) for option in options]
    for label, option in labels:
        if (words and words == label) or text.strip() == view.tr(option.label):
            return option
    if Kind.YESNO in question.accepts:
        return options[0] if words in YES else options[1] if words in NO else None
    if Kind.CHOICE in question.accepts and len(words) >= 3:
        begun = [option for (label, option) in labels if label.startswith(words)]
        return begun[0] if len(begun) == 1 else None
    return None


def read_option(option: Offered, question: Question, view: FormView) -> tuple[Kind, Parsed]:
    """Return what choosing an option answers. A shortcut counts without being asked back."""
    if Kind.YESNO in question.accepts:
        return Kind.YESNO, Value(option.key == "yes", view.tr(option.label))
    if Kind.CHOICE in question.accepts:
        return Kind.CHOICE, Value(option.key, view.tr(option.label))
    read = read_typed(option.key, question, view)
    if read is None:
        return Kind.TEXT, Value(option.key, view.tr(option.label))
    kind, parsed = read
    return kind, Value(parsed.value, parsed.shown) if isinstance(parsed, Unsure) else parsed


def read_text(text: str, question: Question, view: FormView) -> tuple[Kind, Parsed] | None:
    """Return what typed text answers, or None when the question takes no text."""
    if option := option_of(text, question, view):
        return read_option(option, question, view)
    return read_typed(text, question, view)


def read_typed(text: str, question: Question, view: FormView) -> tuple[Kind, Parsed] | None:
    """Try the accepted kinds in order; TEXT takes what the others do not understand."""
    refusal: tuple[Kind, Parsed] | None = None
    own_parse = question.parse
    for kind in question.accepts:
        if own_parse is not None and (kind in PARSERS or kind is Kind.TEXT):
            parsed = own_parse(text, view)
            own_parse = None
        elif kind in PARSERS:
            parsed = PARSERS[kind](text, question, view)
        elif kind is Kind.TEXT:
            parsed = parse_text(text, max_length=question.max_length)
        else:
            continue
        if not isinstance(parsed, Rejected):
            return kind, parsed
        if refusal is None or kind is Kind.TEXT:
            refusal = kind, parsed
    return refusal


def read_file(file: ReceivedFile, question: Question) -> Kind | None:
    """Return as which accepted kind a file answers; the content decides, not how it was attached."""
    is_video = file.kind is FileKind.VIDEO or file.media_type.startswith("video/")
    is_sound = file.kind in (FileKind.VOICE, FileKind.AUDIO) or file.media_type.startswith("audio/")
    is_photo = file.kind is FileKind.PHOTO or file.is_picture
    fits = {
        Kind.PHOTO: is_photo,
        Kind.VOICE: is_sound,
        Kind.VIDEO: is_video,
        Kind.ALBUM: is_photo or is_video,
        Kind.DOCUMENT: file.kind is FileKind.DOCUMENT,
    }
    return next((kind for kind, fit in fits.items() if fit and kind in question.accepts), None)


def file_entry(file: ReceivedFile, caption: str) -> dict[str, Any]:
    """Return a file as an answer keeps it."""
    return {
        "id": file.id,
        "kind": file.kind.value,
        "type": file.media_type,
        "file_id": file.file_id,
        "name": file.name,
        "caption": caption,
    }


def show_answer(answer: dict[str, Any] | None, question: Question, view: FormView) -> str:
    """Return how an answer reads, as plain text."""
    tr, language = view.tr, view.tr.language
    if answer is None or answer["value"] is None:
        return tr("não informado")
    kind, value = Kind(answer["kind"]), answer["value"]
    match kind:
        case Kind.CHOICE:
            return next((tr(option.label) for option in question.choices(view) if option.key == value), value)
        case Kind.YESNO:
            return tr("Sim") if value else tr("Não")
        case Kind.DATE:
            return formats.day(date.fromisoformat(value), language)
        case Kind.MOMENT:
            return formats.day_and_clock(value, language)
        case Kind.TIME:
            return formats.clock(time.fromisoformat(value))
        case Kind.NUMBER:
            return formats.number(Decimal(str(value)), language)
        case Kind.MONEY:
            return formats.money(Decimal(value), language)
        case Kind.PLATE:
            return show_plate(value)
        case Kind.CPF | Kind.CNPJ | Kind.CNH | Kind.RENAVAM | Kind.NIT:
            return show_number(value, NUMBERINGS[kind])
        case Kind.PHONE:
            return show_phone(value)
        case Kind.CONTACT:
            return ", ".join(filter(None, (value["name"], show_phone(value["phone"]))))
        case Kind.LOCATION:
            return value.get("title") or tr("local marcado no mapa")
        case Kind.PHOTO | Kind.DOCUMENT | Kind.ALBUM | Kind.VOICE | Kind.VIDEO:
            count = counted(value, view)
            words = " · ".join(file["caption"] for file in value if file.get("caption"))
            return f"{count} · {words}" if words else count
        case Kind.TEXT | Kind.YEAR:
            return str(value)


def counted(files: list[dict[str, Any]], view: FormView) -> str:
    """Return how many files there are, by what they are where all are alike: "2 fotos"."""
    tr, n = view.tr, len(files)
    kinds = {FileKind(file["kind"]) for file in files}
    if kinds == {FileKind.PHOTO}:
        return tr.many("{n} foto", "{n} fotos", n)
    if kinds == {FileKind.VIDEO}:
        return tr.many("{n} vídeo", "{n} vídeos", n)
    if kinds and kinds <= {FileKind.VOICE, FileKind.AUDIO}:
        return tr.many("{n} áudio", "{n} áudios", n)
    return tr.many("{n} arquivo", "{n} arquivos", n)
