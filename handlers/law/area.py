"""“O que diz a lei?” for the registry: the menu's entry, ``/lei``, and the question for words."""

from __future__ import annotations

from telegram import Update

from handlers.law.entries import PASSENGER, book_of
from handlers.law.screens import (
    AREA,
    FORM,
    begin,
    button,
    carried,
    press_book,
    press_find,
    press_home,
    press_in,
    press_list,
    press_open,
    press_why,
    press_words,
    search,
    show_roles,
)
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk, Heard, MenuEntry
from handlers.shared.forms.model import Form, FormView, Kind, Question
from handlers.shared.forms.places import park
from handlers.shared.texts import N_

QUERY = "words"


async def submitted(context: BotContext, view: FormView) -> None:
    """Search for what was typed, in the law that was being read."""
    book = book_of(context.laws, str(view.params.get("book", "")))
    if book is None:
        await begin(context)
        return
    search(context, book, str(view.params.get("role", PASSENGER)), view.text(QUERY))


async def stopped(context: BotContext, view: FormView) -> None:
    """Go back to the law that was being read."""
    book = book_of(context.laws, str(view.params.get("book", "")))
    if book is None:
        await begin(context)
    else:
        show_roles(context, book)


SEARCH = Form(
    key=FORM,
    title=N_("Procurar na lei"),
    questions=(
        Question(
            key=QUERY,
            prompt=N_("O que você procura na lei?"),
            accepts=(Kind.TEXT,),
            hint=N_("Escreva com as suas palavras, por exemplo: multa por fumar. Acentos e erros não atrapalham."),
            max_length=200,
        ),
    ),
    submit=submitted,
    review=False,
    on_cancel=stopped,
)


async def law(update: Update, context: BotContext) -> None:
    """``/lei [palavras]``: the law of one's city, or what it says about some words."""
    park(context.conversation)
    await begin(context, " ".join(context.args or ()))


async def hear(context: BotContext, text: str) -> Heard | None:
    """Offer to look for what was written in the law; it counts for nothing where the text asks for something else."""
    kept = carried(text)
    return Heard(buttons=(button(context, N_("🔎 Procurar isto na lei"), "words", kept),)) if kept else None


def register(desk: Desk) -> None:
    """Bring the law to the desk."""
    desk.form(FORM, SEARCH)
    presses = {"words": press_words, "in": press_in}
    presses |= {"book": press_book, "home": press_home, "list": press_list, "open": press_open, "why": press_why}
    for verb, handler in (*presses.items(), ("find", press_find)):
        desk.press(AREA, verb, handler)
    desk.entry(
        MenuEntry(
            key="law",
            label=N_("O que diz a lei?"),
            action=begin,
            order=40,
            words=(
                *(
                    "lei ",
                    "leis ",
                    "artigo",
                    "law",
                    "ley ",
                    "leyes",
                    "regra",
                    "rule",
                    "norma",
                    "proibid",
                    "pode ",
                    "dever",
                ),
                *("direito", "infra", "multa", "apreen", "penalid", "fine ", "fined", "rights", "allowed", "multad"),
            ),
            about=("quanto ", "how much", "how many", "cuanto ", "quantos ", "qual ", "what is", "cual "),
            hears=hear,
        )
    )
    desk.command(
        Command(
            handler=law,
            names={"pt_BR": "lei", "en": "law", "es": "ley"},
            description=N_("O que diz a lei: deveres, multas, prazos. Ex.: /lei ar-condicionado"),
            order=50,
        )
    )
