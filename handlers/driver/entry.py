"""The way in: which service, who one is, and on to the questions or to the registration one has."""

from __future__ import annotations

from html import unescape

from telegram import Update

from domain.law.model import Rulebook
from handlers.driver import facts
from handlers.driver.checklist import show_list
from handlers.driver.common import AREA, book_of, way_out
from handlers.driver.mine import registrations, show_mine
from handlers.shared.buttons import ForgedButton, Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk, MenuEntry
from handlers.shared.forms.places import show
from handlers.shared.menu import in_a_city
from handlers.shared.texts import N_
from handlers.shared.why import label

WORDS = (
    *(
        "document",
        "cadastr",
        "cnh",
        "habilit",
        "licen",
        "regist",
        "inscri",
        "credenci",
        "alvara",
        "vistori",
        "recadastr",
    ),
    *("praz", "venc", "taxa", "renov", "deadline", "fee ", "fees ", "renew", "plazo", "permit", "permis"),
    *("sou motor", "sou mototax", "sou condut", "ser motor", "virar motor", "trabalhar com", "i am a driver"),
    *("i m a driver", "become a driver", "soy conduct", "soy mototax", "ser conduct"),
)
ABOUT = (
    "motorist",
    "mototax",
    "condut",
    "driver",
    "conduct",
    "meu carro",
    "minha moto",
    "my car",
    "mi auto",
    "mi carro",
)
SHORT = 34  # a longer name of an applicant is no label for a button


def entry_label(context: BotContext) -> str:
    """Return the label of the menu entry: by service, where the city has one."""
    city = context.person.city
    books = context.laws.rulebooks(city) if city in context.laws and city is not None else ()
    if len(books) == 1:
        name = label(context.tr, next(iter(books[0].applicants.values())).label)
        if len(name) <= SHORT:
            return unescape(context.tr("Sou {who}: meus documentos", who=name[:1].lower() + name[1:]))
    return context.tr("Trabalho no transporte: meus documentos")


async def enter(context: BotContext) -> None:
    """Open the registration that one has, the list of several, or begin the first."""
    if not await in_a_city(context):
        return
    cases = await registrations(context)
    if not cases:
        await choose_service(context)
    elif len(cases) == 1:
        await show_list(context, cases[0].id)
    else:
        await show_mine(context)


async def choose_service(context: BotContext) -> None:
    """Ask which service it is about, where the city regulates several."""
    if not await in_a_city(context):
        return
    city = context.person.city or ""
    books = context.laws.rulebooks(city)
    if len(books) == 1:
        await choose_applicant(context, books[0])
        return
    rows = [(lasting(label(context.tr, book.service.label), AREA, "who", city, book.service.key),) for book in books]
    text = f"<b>{context.tr('Qual é o serviço?')}</b>\n{context.laws.city(city).name}"
    show(context, text, (*rows, way_out(context)))


async def choose_applicant(context: BotContext, book: Rulebook) -> None:
    """Ask who one is, where several kinds of people register."""
    if len(book.applicants) == 1:
        await begin(context, book, next(iter(book.applicants)))
        return
    tr = context.tr
    rows = [
        (lasting(label(tr, one.label), AREA, "new", book.city.slug, book.service.key, one.key),)
        for one in book.applicants.values()
    ]
    text = "\n".join(
        (
            f"<b>{tr('Para quem é o cadastro?')}</b>",
            f"{tr(book.service.label)} · {book.city.name}",
            tr("A cidade é outra? Volte ao menu e toque em “Trocar de cidade”."),
        )
    )
    show(context, text, (*rows, way_out(context)))


async def begin(context: BotContext, book: Rulebook, applicant: str) -> None:
    """Go on with an unfinished registration of this kind, or ask what the law turns on."""
    for case in await registrations(context):
        same = (case.city, case.service, case.subject) == (book.city.slug, book.service.key, applicant)
        if same and not case.is_over:
            await show_list(context, case.id)
            return
    await facts.ask(context, book, applicant, {})


async def press_start(context: BotContext, press: Press) -> None:
    """Begin a registration in the person's city."""
    await choose_service(context)


async def press_who(context: BotContext, press: Press) -> None:
    """A service was chosen."""
    await choose_applicant(context, book_of(context.laws, press.word(), press.word(1)))


async def press_new(context: BotContext, press: Press) -> None:
    """It was said who one is."""
    book = book_of(context.laws, press.word(), press.word(1))
    if press.word(2) not in book.applicants:
        raise ForgedButton
    await begin(context, book, press.word(2))


async def documents(update: Update, context: BotContext) -> None:
    """``/documentos``: the checklist, or the way to it."""
    await enter(context)


def register(desk: Desk) -> None:
    """Bring the way in to the desk."""
    desk.entry(
        MenuEntry(
            key="driver",
            label=entry_label,
            action=enter,
            order=20,
            words=WORDS,
            about=ABOUT,
        )
    )
    desk.command(
        Command(
            handler=documents,
            names={"pt_BR": "documentos", "en": "documents", "es": "documentos"},
            description=N_("Meu cadastro e meus documentos"),
            aliases=("cadastro",),
            order=30,
        )
    )
    desk.press("r", "start", press_start)
    desk.press("r", "who", press_who)
    desk.press("r", "new", press_new)
