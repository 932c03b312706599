"""The questions that the city's law turns on, asked as a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.cases.model import Case
from domain.errors import NotFound
from domain.law.fields import Bearer
from domain.law.model import Applicant, FactQuestion, Rulebook
from domain.registration.commands import GiveFacts, StartApplication
from domain.registration.model import law_facts
from domain.values.numbers import parse_number
from domain.values.parsed import Parsed
from handlers.driver.common import book_of, checklist_for, is_with_applicant
from handlers.driver.fit import show_fit
from handlers.driver.mine import show_mine
from handlers.shared.buttons import Press
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Option, Question
from handlers.shared.notices import announce
from handlers.shared.texts import N_, Html

FORM = "driver_facts"
KINDS = {
    "date": Kind.DATE,
    "year": Kind.YEAR,
    "number": Kind.NUMBER,
    "plate": Kind.PLATE,
    "yesno": Kind.YESNO,
    "choice": Kind.CHOICE,
}


def asked_of(laws_book: Rulebook, applicant: Applicant, view: FormView) -> tuple[FactQuestion, ...]:
    """Return the law's questions about an applicant."""
    return laws_book.questions(*applicant.bearers, on=view.today)


def read(view: FormView) -> tuple[Rulebook, Applicant]:
    """Return what the form is about.

    Raises:
        NotFound: It is served no more.
    """
    book = book_of(view.laws, view.params["city"], view.params["service"])
    applicant = book.applicants.get(view.params["applicant"])
    if applicant is None:
        raise NotFound("no such applicant")
    return book, applicant


def build(view: FormView) -> Form:
    """Build the form from the rulebook."""
    book, applicant = read(view)
    return Form(
        key=FORM,
        title=lambda view: view.tr("Minhas respostas: {who}", who=view.tr(applicant.label)),
        questions=tuple(question_of(asked) for asked in asked_of(book, applicant, view)),
        submit=submit,
        intro=lambda view: Html(
            "{head}\n{say}".format(
                head=f"<b>{view.tr(applicant.label)}</b> · {view.laws.city(book.city.slug).name}",
                say=view.tr(
                    "Algumas perguntas rápidas mostram na hora se você e o veículo atendem à lei daqui. "
                    "O que não souber agora, pule. Só a prefeitura lê, e só depois que você enviar o cadastro."
                ),
            )
        ),
        review_title=N_("Confira as suas respostas"),
        send_label=N_("Ver o resultado"),
        on_cancel=cancelled,
    )


def question_of(asked: FactQuestion) -> Question:
    """Return a question of the rulebook as the form asks it; whatever is not known can be skipped."""

    def when(view: FormView) -> bool:
        return asked.asked(law_facts(view.laws, view.values)) is True

    return Question(
        key=asked.key,
        prompt=asked.prompt,
        accepts=(KINDS[asked.kind],),
        options=tuple(Option(option.key, option.label) for option in asked.options),
        when=when,
        optional=True,
        parse=whole if asked.kind == "number" else None,
        hint=asked.hint or "",
        example=asked.example or "",
        tense="past",
    )


def whole(text: str, view: FormView) -> Parsed:
    """Read a count: the law compares whole numbers."""
    return parse_number(text, language=view.tr.language, minimum=0, maximum=9999, whole=True)


async def submit(context: BotContext, view: FormView) -> None:
    """Keep the answers with the registration and show at once what the law says of them."""
    given = view.values
    if case_id := view.params.get("case"):
        book, applicant = read(view)
        facts = {asked.key: given.get(asked.key) for asked in asked_of(book, applicant, view)}
        update = await context.services.give_facts(GiveFacts(by=context.person, case_id=case_id, facts=facts))
        await announce(context, update)
        await show_fit(context, update.case.id)
        return
    await begin(context, view.params, given)


async def begin(context: BotContext, about: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Begin a registration with its facts."""
    case = await context.services.start_application(
        StartApplication(
            by=context.person,
            city=about["city"],
            service=about["service"],
            applicant=about["applicant"],
            facts=facts,
        )
    )
    await show_fit(context, case.id)


async def cancelled(context: BotContext, view: FormView) -> None:
    """Go back to where the form was opened from."""
    if case_id := view.params.get("case"):
        await show_fit(context, case_id)
    else:
        await show_mine(context)


async def ask(
    context: BotContext, book: Rulebook, applicant: str, known: Mapping[str, Any], *, case: Case | None = None
) -> None:
    """Ask what the law turns on; where it turns on nothing, go on at once."""
    params: dict[str, Any] = {"city": book.city.slug, "service": book.service.key, "applicant": applicant}
    questions = book.questions(*book.applicants[applicant].bearers, on=context.today(book.city.slug))
    if not questions and case is None:
        await begin(context, params, {})
        return
    if case is not None:
        params["case"] = case.id
    context.turn.pressed_current = context.turn.pressed_message is not None
    keys = {asked.key for asked in questions}
    answers = {key: value for key, value in known.items() if key in keys and value is not None}
    await engine.start(context, FORM, params=params, answers=answers)


async def correct(context: BotContext, press: Press) -> None:
    """Correct the answers of a registration that is with the applicant."""
    case = (await checklist_for(context, press.number())).case
    if not is_with_applicant(case):
        note = context.tr("As respostas não mudam enquanto o cadastro está com a prefeitura ou depois da decisão.")
        await show_fit(context, case.id, note=note)
        return
    book = context.laws.rulebook(case.city, case.service)
    await ask(context, book, case.subject or "", case.facts, case=case)


async def again(context: BotContext, press: Press) -> None:
    """Begin another registration of the same kind, to renew it or after a denial, from the answers of the last."""
    case = (await checklist_for(context, press.number())).case
    book = context.laws.rulebook(case.city, case.service)
    await ask(context, book, case.subject or "", case.facts)


async def swap(context: BotContext, press: Press) -> None:
    """Begin a registration with another vehicle: what was said of the person is kept."""
    case = (await checklist_for(context, press.number())).case
    book = context.laws.rulebook(case.city, case.service)
    others = [bearer for bearer in book.applicants[case.subject or ""].bearers if bearer is not Bearer.VEHICLE]
    kept = {asked.key for asked in book.questions(*others)}
    known = {key: value for key, value in case.facts.items() if key in kept}
    await ask(context, book, case.subject or "", known)


def register(desk: Desk) -> None:
    """Bring the questions to the desk."""
    desk.form(FORM, build)
    desk.press("r", "facts", correct)
    desk.press("r", "again", again)
    desk.press("r", "swap", swap)
