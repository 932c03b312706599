"""Runs forms: shows the question, takes the answer, moves on. The place is all in the conversation's row."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import structlog
from telegram.constants import MessageLimit

from domain.errors import DomainError
from domain.files.model import ReceivedFile
from domain.values.parsed import Parsed, Rejected, Unsure
from domain.values.text import fold
from handlers.shared import formats
from handlers.shared.buttons import lasting
from handlers.shared.context import BotContext
from handlers.shared.conversation import FormPlace, Stage
from handlers.shared.forms.answers import (
    NO,
    NOTHING,
    TROUBLES,
    UNKNOWN,
    YES,
    as_answers,
    file_entry,
    option_of,
    read_file,
    read_option,
    read_text,
)
from handlers.shared.forms.model import FormView, Kind, Question, said
from handlers.shared.forms.places import park, slot
from handlers.shared.forms.screens import Running, run, screen_of, show, wrong_kind, wrong_text
from handlers.shared.texts import Html

log = structlog.get_logger(__name__)


async def start(
    context: BotContext,
    key: str,
    *,
    params: Mapping[str, Any] | None = None,
    answers: Mapping[str, Any] | None = None,
    note: str = "",
    told: bool = False,
) -> None:
    """Open a form at its first question without an answer, or where it was put aside.

    Args:
        context: Of this update.
        key: The form, as registered.
        params: What it is about; JSON. A form is saved once for each key and params.
        answers: Known already, by question, as plain JSON values: not asked nor counted as steps, but shown for review,
            where they can be corrected.
        note: HTML above the first screen.
        told: Among ``answers`` are words of the person's own, which would be lost with the form.
    """
    conversation, tr = context.conversation, context.tr
    place = FormPlace(key, params=dict(params or {}), touched=told)
    name = slot(place)
    notes = [note] if note else []
    if conversation.place is not None and slot(conversation.place) == name:
        await present(context, note=note)
        return
    if park(conversation) is not None:
        notes.append(tr("O que você estava preenchendo ficou guardado. Está em /menu."))
    if name in conversation.saved:
        conversation.place = conversation.saved.pop(name)
        await present(context, note="\n".join([*notes, tr("Continuamos de onde você parou.")]))
        return
    conversation.place = place
    form = context.desk.forms[key](view_of(context, place))
    place.answers |= {name: given | {"known": True} for name, given in as_answers(form, answers or {}).items()}
    await advance(context, note="\n".join(notes))


async def resume(context: BotContext, name: str = "") -> None:
    """Take up a form that was put aside, by its slot; with "" show the open one again."""
    conversation = context.conversation
    if name and name in conversation.saved:
        park(conversation)
        conversation.place = conversation.saved.pop(name)
    if conversation.place is None:
        await context.desk.home(context, context.tr("Este preenchimento já terminou ou foi descartado."))
        return
    await present(context)


def view_of(context: BotContext, place: FormPlace) -> FormView:
    """Return what a builder sees: everything stored."""
    return FormView(context.person, context.now, context.laws, context.tr, place.params, place.answers)


def running_of(context: BotContext, place: FormPlace) -> Running | None:
    """Build a form at its place; None when it exists no more (another version, a city no longer served)."""
    builder = context.desk.forms.get(place.form)
    if builder is None:
        return None
    view = view_of(context, place)
    try:
        return run(builder(view), place, view)
    except DomainError:
        return None


def title_of(context: BotContext, place: FormPlace) -> str | None:
    """Return a form's title as HTML; None when it exists no more or is broken: the way home must stay open."""
    try:
        running = running_of(context, place)
        return said(running.form.title, running.view) if running else None
    except Exception as error:  # whatever it is, the home screen is shown without this form
        log.error("form_broken", form=place.form, code=type(error).__name__)
        return None


async def opened(context: BotContext) -> Running | None:
    """Return the open form. One that exists no more, or that has lapsed, is closed, and the person is told."""
    place = context.conversation.place
    if place is None:
        return None
    running = running_of(context, place)
    over = lapsed(running) if running else context.tr("Este preenchimento não existe mais. Comece de novo pelo menu.")
    if over:
        context.conversation.place = None
        await context.desk.home(context, over)
        return None
    return running


def lapsed(running: Running) -> str:
    """Return why the person may not go on with a form, translated; "" while they may."""
    return running.form.lapsed(running.view) if running.form.lapsed else ""


def drop_lapsed(context: BotContext) -> None:
    """Throw away the forms put aside that the person may not go on with: they tell of what is not theirs any more."""
    saved = context.conversation.saved
    for name, place in list(saved.items()):
        try:
            running = running_of(context, place)
            over = lapsed(running) if running else ""
        except Exception as error:
            log.error("form_broken", form=place.form, code=type(error).__name__)
            continue
        if over:
            del saved[name]


async def present(context: BotContext, *, note: str = "") -> None:
    """Show the current screen, below ``note`` (HTML)."""
    if running := await opened(context):
        render(context, running, note)


def render(context: BotContext, running: Running, note: str = "") -> None:
    """Show the screen of a form that was opened in this update and whose answers have not changed since."""
    place = running.place
    if place.stage in (Stage.ASK, Stage.CONFIRM) and running.question is None:
        go(place, running.unanswered)
    show(context, screen_of(running), note)
    place.greeted = True


def go(place: FormPlace, question: Question | None) -> None:
    """Move to a question, or to the review page."""
    place.step = question.key if question else ""
    place.stage = Stage.ASK if question else Stage.REVIEW
    place.pending = None
    place.leaving = False
    place.page = 0
    place.caption = ""
    if question is None:
        place.editing = False


async def advance(context: BotContext, *, note: str = "") -> None:
    """Move to the first question without an answer; after the last one to the review page, or straight to the end."""
    if running := await opened(context):
        go(running.place, running.unanswered)
        if running.unanswered is None and not running.form.review:
            await finish(context, running)
            return
        render(context, running, note)


async def finish(context: BotContext, running: Running) -> None:
    """Hand everything to the form's use case. If that refuses, the turn is put back and the review page stays."""
    conversation = context.conversation
    conversation.place = None
    conversation.saved.pop(slot(running.place), None)
    said_before = len(context.turn.outbox)
    await running.form.submit(context, running.view)
    if len(context.turn.outbox) == said_before and conversation.place is None:
        await context.desk.home(context, context.tr("Pronto."))


async def answer(context: BotContext, running: Running, question: Question, kind: Kind, parsed: Parsed) -> None:
    """Take what was understood: keep it, ask it back, or say what is wrong."""
    place = running.place
    if isinstance(parsed, Rejected):
        complain(context, running, question, parsed)
        return
    given = {"kind": kind.value, "value": parsed.value}
    place.touched = True
    if isinstance(parsed, Unsure):
        facts = {name: formats.shown(fact, context.tr.language) for name, fact in parsed.facts.items()}
        place.pending = {"answer": given, "sentence": parsed.sentence, "facts": facts}
        place.stage = Stage.CONFIRM
        place.leaving = False
        render(context, running)
        return
    place.answers[question.key] = given
    await advance(context)


def complain(context: BotContext, running: Running, question: Question, refusal: Rejected) -> None:
    """Say what is wrong with an answer above the same question, with an example where the question shows none."""
    tr = context.tr
    note = formats.filled(tr, refusal.sentence, refusal.facts)
    if refusal.example and not question.example:
        note += " " + tr("Exemplo: {example}", example=Html(f"<code>{escape(refusal.example)}</code>"))
    place = running.place
    if place.stage is Stage.CONFIRM:
        place.stage, place.pending = Stage.ASK, None
    render(context, running, note)


async def take_text(context: BotContext, text: str, message_id: int) -> None:
    """Take typed text: the label of something on the screen, or an answer."""
    running = await opened(context)
    if running is None:
        return
    place = running.place
    if place.overflow and message_id == place.overflow + 1:
        return  # the rest of a message that was too long, cut in two by the client: it was answered already
    place.overflow = 0
    words = fold(text)
    choices = screen_of(running).choices
    chosen = next((choice for choice in choices if words and words == fold(choice.label)), None)
    if chosen is None and (place.stage is Stage.CONFIRM or place.leaving):
        agreed, declined = ("discard", "stay") if place.leaving else ("yes", "fix")
        action = agreed if words in YES else declined if words in NO else ""
        chosen = next((choice for choice in choices if choice.action == action), None)
    if chosen is not None:
        place.answered_by = message_id
        await act(context, running, chosen.action)
        return
    question = running.question
    if question is None or place.stage in (Stage.REVIEW, Stage.CORRECT) or place.leaving:
        render(context, running, context.tr("Toque em um dos botões abaixo."))
        return
    given = running.view.given.get(question.key)
    if question.takes_many and given and isinstance(given["value"], list):
        last = place.answers[question.key]["value"][-1]
        last["caption"] = "\n".join(filter(None, (last["caption"], text)))[: question.max_length]
        await present(context, note=context.tr("Guardei o texto junto com o arquivo."))
        return
    read = read_text(text, question, running.view)
    is_option = option_of(text, question, running.view) is not None
    if question.optional and not is_option and words in (UNKNOWN if read else NOTHING):
        await act(context, running, "skip")
        return
    if read is None:
        understood = question.hears(text, running.view) if question.hears is not None else None
        if understood is None:
            render(context, running, wrong_text(running, question, text))
            return
        place.touched = True
        place.answers |= as_answers(running.form, understood.answers)
        await advance(context, note=understood.note)
        return
    if isinstance(read[1], Rejected) and len(text) >= MessageLimit.MAX_TEXT_LENGTH:
        place.overflow = message_id
    place.answered_by = message_id
    await answer(context, running, question, *read)


async def take_files(
    context: BotContext, files: tuple[ReceivedFile, ...], caption: str, message_id: int, album: str, what: str
) -> None:
    """Take files; parts of an album arrive one by one, and only the first is answered with a screen.

    ``what`` is a phrase for what came: "um áudio".
    """
    running = await opened(context)
    if running is None:
        return
    place, question, tr = running.place, running.question, context.tr
    later_part = bool(album) and album == place.album
    place.album_parts = place.album_parts + 1 if later_part else 1
    place.album = album
    if question is None or place.stage in (Stage.REVIEW, Stage.CORRECT) or place.leaving or not question.takes_files:
        if later_part:
            if place.album_parts == 2:
                note = tr("Aqui cabia um arquivo só: fiquei com o primeiro. Para trocar, volte a essa pergunta.")
                render(context, running, note)
            return
        render(context, running, wrong_kind(running, question, what))
        return
    for file in files:
        if file.trouble is not None:
            place.caption = caption or place.caption
            note = tr(TROUBLES[file.trouble])
            if caption:
                note += " " + tr("O texto que veio junto ficou guardado.")
            await present(context, note=note)
            return
        kind = read_file(file, question)
        if kind is None:
            place.caption = caption or place.caption
            await present(context, note=wrong_kind(running, question, what))
            return
        place.touched = True
        place.answered_by = message_id
        entry = file_entry(file, caption or place.caption)
        place.caption = ""
        if not question.takes_many:
            place.answers[question.key] = {"kind": kind.value, "value": [entry]}
            await advance(context)
            return
        given = place.answers.get(question.key)
        sent = given["value"] if given and isinstance(given["value"], list) else []
        if all(other["id"] != entry["id"] for other in sent):
            sent = [*sent, entry]
        place.answers[question.key] = {"kind": kind.value, "value": sent}
        place.stage, place.pending = Stage.ASK, None
    if not later_part:
        await present(context)


async def take_location(context: BotContext, latitude: float, longitude: float, title: str, message_id: int) -> None:
    """Take a place on the map."""
    value = {"latitude": latitude, "longitude": longitude, "title": title}
    await take_shared(context, Kind.LOCATION, value, message_id)


async def take_contact(context: BotContext, phone: str, name: str, message_id: int) -> None:
    """Take a contact."""
    digits = "".join(char for char in phone if char.isdecimal())
    await take_shared(context, Kind.CONTACT, {"phone": f"+{digits}", "name": name}, message_id)


async def take_shared(context: BotContext, kind: Kind, value: dict[str, Any], message_id: int) -> None:
    """Take what a phone shares with one tap."""
    running = await opened(context)
    if running is None:
        return
    place, question = running.place, running.question
    asks = place.stage in (Stage.ASK, Stage.CONFIRM) and not place.leaving
    if question is None or not asks or kind not in question.accepts:
        what = context.tr("um local") if kind is Kind.LOCATION else context.tr("um contato")
        render(context, running, wrong_kind(running, question, what))
        return
    place.touched = True
    place.answered_by = message_id
    place.answers[question.key] = {"kind": kind.value, "value": value}
    await advance(context)


async def take_other(context: BotContext, what: str) -> None:
    """Say what is awaited to somebody who sent something that is never an answer. ``what`` is a phrase."""
    if running := await opened(context):
        render(context, running, wrong_kind(running, running.question, what))


async def edited(context: BotContext, message_id: int) -> None:
    """Tell somebody who edited a message that what was answered stays, above the screen where it can be corrected."""
    place, tr = context.conversation.place, context.tr
    if place is None:
        note = tr("Vi que você editou uma mensagem. O que já foi registrado não muda: envie de novo o que mudou.")
        context.say(note, buttons=((lasting(tr("Menu"), "menu", "home"),),))
    elif message_id == place.answered_by:
        note = tr("Vi que você editou a última resposta, mas ficou valendo a anterior. Para mudar, toque em Voltar.")
        await present(context, note=note)
    else:
        note = tr("Editar a mensagem não muda a resposta. Você pode corrigir tudo antes de enviar.")
        await present(context, note=note)


async def press(context: BotContext, action: str) -> bool:
    """Act on a pressed button of the current screen; False when that screen has no such button."""
    running = await opened(context)
    if running is None:
        return True
    if all(choice.action != action for choice in screen_of(running).choices):
        return False
    await act(context, running, action)
    return True


async def act(context: BotContext, running: Running, action: str) -> None:
    """Do what something on the screen says."""
    place, question, tr = running.place, running.question, context.tr
    verb, _, rest = action.partition(":")
    note = ""
    match verb:
        case "o" if question is not None:
            option = next(option for option in question.choices(running.view) if option.key == rest)
            await answer(context, running, question, *read_option(option, question, running.view))
            return
        case "yes" if question is not None and place.pending is not None:
            place.answers[question.key] = place.pending["answer"]
            await advance(context)
            return
        case "skip" if question is not None:
            place.answers[question.key] = {"kind": question.accepts[0].value, "value": None}
            place.touched = True
            await advance(context)
            return
        case "keep" | "done":
            await advance(context)
            return
        case "send":
            if running.unanswered is None:
                await finish(context, running)
            else:
                await advance(context)
            return
        case "aside":
            await running.form.asides[int(rest)].action(context)
            return
        case "save":
            place.touched = True  # whoever asks for it to be kept finds it, even empty
            park(context.conversation)
            await context.desk.home(context, tr("Ficou guardado. Quando quiser, é só continuar por aqui."))
            return
        case "cancel":
            await cancel(context)
            return
        case "discard":
            await discard(context, running)
            return
        case "page":
            place.page = int(rest)
        case "clear" if question is not None:
            place.answers.pop(question.key, None)
            await present(context)
            return
        case "fix":
            place.stage, place.pending = Stage.ASK, None
        case "back" if place.editing:
            go(place, None)
        case "back":
            go(place, running.before(place.step))
        case "correct" if len(running.asked) == 1:
            go(place, running.asked[0])
            place.editing = True
        case "correct":
            place.stage = Stage.CORRECT
        case "review":
            go(place, None)
        case "q":
            go(place, next(asked for asked in running.asked if asked.key == rest))
            place.editing = True
        case "stay":
            place.leaving = False
        case "here" | "phone":
            note = tr("Seu aparelho não enviou. Você também pode escrever a resposta.")
    render(context, running, note)


async def cancel(context: BotContext) -> None:
    """Leave the open form: asked back when something was given. One that cannot even be shown is left at once."""
    place = context.conversation.place
    if place is not None and title_of(context, place) is None:
        context.conversation.place = None
        await context.desk.home(context, context.tr("Tudo bem, não enviei nada."))
        return
    running = await opened(context)
    if running is None:
        return
    if running.place.touched:
        running.place.leaving = True
        render(context, running)
        return
    await discard(context, running)


async def discard(context: BotContext, running: Running) -> None:
    """Throw the form away and go where its area says."""
    context.conversation.place = None
    if running.form.on_cancel is not None:
        await running.form.on_cancel(context, running.view)
        return
    await context.desk.home(context, context.tr("Tudo bem, não enviei nada."))
