"""What a form shows at its place: a text and what can be pressed, computed from the place alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time
from functools import partial
from html import escape, unescape
from typing import Any, NamedTuple

from handlers.shared import formats
from handlers.shared.buttons import on_screen
from handlers.shared.context import BotContext
from handlers.shared.conversation import FormPlace, Stage
from handlers.shared.forms.answers import awaited, show_answer
from handlers.shared.forms.model import Form, FormView, Kind, Question, said
from handlers.shared.outgoing import ReplyButton
from handlers.shared.pages import page_of
from handlers.shared.texts import Html

PAGE = 8
ROOM = 2700  # characters of answers on a review page: the rest of a message's 4096 is for the words around them
TAG = re.compile(r"</?[a-z][^<>]*>")
LABEL = 120  # of a question on the review page
SHORT = 16  # labels up to this length stand two in a row


class Choice(NamedTuple):
    """Something to press; typing its label does the same. ``asks`` is what a phone's own button gives."""

    label: str
    action: str
    asks: Kind | None = None


@dataclass(frozen=True, slots=True)
class Screen:
    """One message of a form: what can be pressed, and its text (HTML), which is made only when it is shown."""

    text: Callable[[], str]
    rows: tuple[tuple[Choice, ...], ...]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Everything that can be pressed."""
        return tuple(choice for row in self.rows for choice in row)

    @property
    def below(self) -> bool:
        """Whether its buttons stand below the text field, because one of them asks the phone for something."""
        return any(choice.asks for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Running:
    """The open form with its place: which questions hold, and what was answered of them."""

    form: Form
    place: FormPlace
    view: FormView
    asked: tuple[Question, ...]

    @property
    def question(self) -> Question | None:
        """The question at the place; None when the form no longer has it."""
        return next((question for question in self.asked if question.key == self.place.step), None)

    @property
    def unanswered(self) -> Question | None:
        """The first question that holds and has no answer."""
        return next((question for question in self.asked if question.key not in self.view.given), None)

    def before(self, step: str) -> Question | None:
        """Return the question asked before ``step``."""
        keys = [question.key for question in self.asked]
        at = keys.index(step) if step in keys else len(keys)
        return self.asked[at - 1] if at > 0 else None


def run(form: Form, place: FormPlace, view: FormView) -> Running:
    """Walk the questions: each condition sees the answers before it, and an answer no longer offered is none."""
    given: dict[str, dict[str, object]] = {}
    walking = FormView(view.person, view.now, view.laws, view.tr, view.params, given)
    asked = []
    for question in form.questions:
        if question.when is not None and not question.when(walking):
            continue
        asked.append(question)
        answer = place.answers.get(question.key)
        if answer is not None and (
            answer["kind"] != Kind.CHOICE
            or answer["value"] is None
            or any(option.key == answer["value"] for option in question.choices(walking))
        ):
            given[question.key] = answer
    return Running(form, place, walking, tuple(asked))


def show(context: BotContext, screen: Screen, note: str = "") -> None:
    """Show a screen, below a note (HTML) when there is something to say first."""
    text = screen.text()
    text = f"{note}\n\n{text}" if note else text
    if not screen.below:
        buttons = tuple(tuple(on_screen(context, choice.label, choice.action) for choice in row) for row in screen.rows)
        context.show(text, buttons=buttons)
        return
    context.show(
        text,
        reply_buttons=tuple(
            tuple(
                ReplyButton(choice.label, contact=choice.asks is Kind.CONTACT, location=choice.asks is Kind.LOCATION)
                for choice in row
            )
            for row in screen.rows
        ),
    )


def screen_of(running: Running) -> Screen:
    """Return what is shown at the place."""
    place, question = running.place, running.question
    if place.leaving:
        return leaving(running)
    if place.stage is Stage.CONFIRM and question is not None and place.pending is not None:
        return confirm(running, question, place.pending)
    if place.stage is Stage.CORRECT:
        return correct(running)
    if place.stage is Stage.ASK and question is not None:
        return ask(running, question)
    return review(running)


def ask(running: Running, question: Question) -> Screen:
    """One question."""
    view, tr, place = running.view, running.view.tr, running.place
    rows: list[tuple[Choice, ...]] = []
    if Kind.LOCATION in question.accepts:
        rows.append((Choice(tr("Enviar o local onde estou"), "here", Kind.LOCATION),))
    if Kind.CONTACT in question.accepts:
        rows.append((Choice(tr("Enviar o meu telefone"), "phone", Kind.CONTACT),))
    rows += options(question, view, place.page)
    files = files_sent(running, question)
    if question.takes_many and files:
        rows.append((Choice(tr("Pronto"), "done"), Choice(tr("Recomeçar os arquivos"), "clear")))
    moves = []
    if place.editing or running.before(question.key) is not None:
        moves.append(Choice(tr("Voltar"), "back"))
    if view.value(question.key) is not None and not question.takes_many:
        moves.append(Choice(tr("Manter"), "keep"))
    elif question.optional and not files:
        moves.append(Choice(tr("Pular"), "skip"))
    rows += [tuple(moves), ways_out(running), asides(running)]
    return Screen(partial(question_text, running, question), tuple(row for row in rows if row))


def question_text(running: Running, question: Question) -> str:
    """Return what is asked, how to answer, and what was answered so far."""
    view, tr, place = running.view, running.view.tr, running.place
    given = view.given.get(question.key)
    lines = [heading(running, question)]
    if running.form.intro and not place.greeted and question is running.asked[0]:
        lines = [said(running.form.intro, view), "", *lines]
    lines.append(f"<b>{said(question.prompt, view)}</b>")
    if question.hint:
        lines.append(said(question.hint, view))
    if question.example:
        lines.append(tr("Exemplo: {example}", example=Html(f"<code>{escape(question.example)}</code>")))
    if question.takes_many:
        begins = bool(place.album) and place.album_parts == 1
        lines.append(files_line(view, files_sent(running, question), album_begins=begins))
    elif given is not None and given["value"] is not None:
        lines.append(tr("Resposta atual: {answer}", answer=shorten(show_answer(dict(given), question, view), 300)))
    return "\n".join(lines)


def files_sent(running: Running, question: Question) -> int:
    """Return how many files have answered a question so far."""
    given = running.view.given.get(question.key)
    return len(given["value"]) if given and isinstance(given["value"], list) else 0


def heading(running: Running, question: Question) -> str:
    """Return the line above a question: where in the form it stands."""
    tr = running.view.tr
    if running.place.editing:
        return f"<i>{tr('Correção')}</i>"
    if len(running.asked) == 1:
        return f"<i>{said(running.form.title, running.view)}</i>"
    known = {key for key, answer in running.view.given.items() if answer.get("known")} - {question.key}
    counted = [asked.key for asked in running.asked if asked.key not in known]
    step = tr("Passo {step} de {total}", step=counted.index(question.key) + 1, total=len(counted))
    return f"<i>{said(running.form.title, running.view)}</i>\n{step}" if running.form.named else f"<i>{step}</i>"


def files_line(view: FormView, files: int, *, album_begins: bool) -> str:
    """Return what has come of the files that may be sent; of an album nobody can tell how many are on their way."""
    tr = view.tr
    if not files:
        return tr("Pode enviar mais de um, um de cada vez ou juntos. No fim, toque em Pronto.")
    if album_begins:
        return tr("Os arquivos que você enviou juntos estão chegando. Quando todos tiverem ido, toque em Pronto.")
    return tr.many(
        "Recebi {n} arquivo até aqui. Envie mais ou toque em Pronto.",
        "Recebi {n} arquivos até aqui. Envie mais ou toque em Pronto.",
        files,
    )


def options(question: Question, view: FormView, page: int) -> list[tuple[Choice, ...]]:
    """Return the rows of a question's options: a long list is shown in pages."""
    every, tr = question.choices(view), view.tr
    if len(every) <= PAGE:
        return in_rows([Choice(tr(option.label), f"o:{option.key}") for option in every])
    pinned = [option for option in every if option.key == question.pinned]
    paged = page_of([option for option in every if option.key != question.pinned], page + 1, PAGE - len(pinned))
    shown = [Choice(tr(option.label), f"o:{option.key}") for option in (*paged.items, *pinned)]
    turns = paged.turns(lambda text, to: Choice(text, f"page:{to - 1}"), tr("Opções anteriores"), tr("Mais opções"))
    return [*in_rows(shown), *turns]


def in_rows(choices: list[Choice]) -> list[tuple[Choice, ...]]:
    """Return choices one below the other, or two in a row where all of them are short."""
    if len(choices) < 2 or any(len(choice.label) > SHORT for choice in choices):
        return [(choice,) for choice in choices]
    return [tuple(choices[at : at + 2]) for at in range(0, len(choices), 2)]


def ways_out(running: Running) -> tuple[Choice, ...]:
    """Return the row that every screen of a form ends with."""
    tr = running.view.tr
    cancel = Choice(tr("Cancelar"), "cancel")
    short = len(running.form.questions) == 1 and not running.form.review
    return (cancel,) if short else (Choice(tr("Guardar para depois"), "save"), cancel)


def asides(running: Running) -> tuple[Choice, ...]:
    """Return the row of what is at hand beside the form."""
    return tuple(Choice(running.view.tr(aside.label), f"aside:{at}") for at, aside in enumerate(running.form.asides))


def confirm(running: Running, question: Question, pending: dict[str, Any]) -> Screen:
    """Read a value back before it counts."""
    tr = running.view.tr
    yes, no = Choice(tr("Sim, confirmo"), "yes"), Choice(tr("Corrigir"), "fix")
    rows = ((yes,), (no,), ways_out(running), asides(running))
    return Screen(partial(pending_text, running, question, pending), tuple(row for row in rows if row))


def pending_text(running: Running, question: Question, pending: dict[str, Any]) -> str:
    """Return how an answer was understood."""
    view, tr = running.view, running.view.tr
    facts, answer = dict(pending["facts"]), pending["answer"]
    lines = [heading(running, question), plain_html(said(question.prompt, view))]
    if answer["kind"] in (Kind.DATE, Kind.MOMENT):
        facts["date"] = Html(f"<b>{long_moment(answer['value'], tr.language)}</b>")
    else:
        lines.append(f"<b>{escape(shorten(show_answer(answer, question, view), 300), quote=False)}</b>")
    lines.append(tr(pending["sentence"], **facts))
    return "\n".join(lines)


def long_moment(value: str, language: str) -> str:
    """Return a date in words, with its time of day where there is one."""
    day, _, clock = value.partition("T")
    words = formats.long_day(date.fromisoformat(day), language)
    return f"{words}, {formats.clock(time.fromisoformat(clock))}" if clock else words


def correct(running: Running) -> Screen:
    """The list of answers, to pick the one to correct."""
    tr = running.view.tr
    rows = [(Choice(label_of(question, running.view), f"q:{question.key}"),) for question in running.asked]
    rows.append((Choice(tr("Voltar"), "review"),))
    return Screen(lambda: f"<b>{tr('Qual resposta você quer corrigir?')}</b>", tuple(rows))


def review(running: Running) -> Screen:
    """Everything given, before it is sent."""
    tr = running.view.tr
    send = tr(running.form.send_label) if running.form.send_label else tr("Enviar")
    rows: tuple[tuple[Choice, ...], ...] = (
        (Choice(send, "send"),),
        (Choice(tr("Corrigir"), "correct"),),
        ways_out(running),
        asides(running),
    )
    return Screen(partial(review_text, running), tuple(row for row in rows if row))


def review_text(running: Running) -> str:
    """Return every question with its answer, cut to what one message has room for."""
    view, tr = running.view, running.view.tr
    labels = {question.key: label_of(question, view, LABEL) for question in running.asked}
    room = max(30, (ROOM - sum(map(len, labels.values()))) // max(1, len(labels)))
    title = said(running.form.review_title, view) if running.form.review_title else tr("Confira antes de enviar")
    lines = [f"<b>{title}</b>", ""]
    for question in running.asked:
        answer = view.given.get(question.key)
        given = show_answer(dict(answer) if answer else None, question, view)
        shown = shorten(given, room)
        if shown != given:
            whole = tr("(vai inteiro)")
            shown = f"{shorten(given, room - len(whole) - 1)} {whole}"
        lines.append(f"<b>{escape(labels[question.key], quote=False)}</b>\n{escape(shown, quote=False)}")
    if running.form.review_note:
        lines += ["", said(running.form.review_note, view)]
    return "\n".join(lines)


def leaving(running: Running) -> Screen:
    """Ask before what was given is thrown away."""
    tr = running.view.tr
    return Screen(
        partial(leaving_text, running),
        (
            (Choice(tr("Não, continuar"), "stay"),),
            (Choice(tr("Guardar para depois"), "save"),),
            (Choice(tr("Sim, descartar"), "discard"),),
        ),
    )


def leaving_text(running: Running) -> str:
    """Return the question whether to throw it away."""
    title = Html(said(running.form.title, running.view))
    return f"<b>{running.view.tr('Descartar o que você já respondeu em “{title}”?', title=title)}</b>"


def label_of(question: Question, view: FormView, most: int = 40) -> str:
    """Return a question's short name, as plain text: for a button unless there is room for ``most``."""
    return shorten(unescape(plain_html(said(question.label or question.prompt, view))), most)


def plain_html(markup: str) -> str:
    """Return HTML without its tags."""
    return TAG.sub("", markup)


def shorten(text: str, limit: int) -> str:
    """Cut a text for display, by Telegram's count (UTF-16: an emoji is two); what is stored stays whole."""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * limit:
        return text
    return units[: 2 * (limit - 1)].decode("utf-16-le", "ignore").rstrip() + "…"


def wrong_kind(running: Running, question: Question | None, what: str) -> str:
    """Return the sentence for the wrong kind of answer."""
    tr = running.view.tr
    if question is None or running.place.stage in (Stage.REVIEW, Stage.CORRECT) or running.place.leaving:
        return tr("Recebi {what}, mas agora é só tocar em um dos botões abaixo.", what=what)
    return tr("Recebi {what}, mas aqui preciso de {awaited}.", what=what, awaited=awaited(question, running.view))


def wrong_text(running: Running, question: Question, text: str) -> str:
    """Return the sentence for words that are none of the options, or that came where no words count."""
    tr = running.view.tr
    if Kind.YESNO in question.accepts:
        return tr("Aqui é “sim” ou “não”: toque em um dos botões ou escreva.")
    if Kind.CHOICE in question.accepts:
        return tr("Não achei “{text}” nas opções. Toque em uma delas.", text=shorten(" ".join(text.split()), 40))
    return wrong_kind(running, question, tr("um texto"))
