"""Free text outside a form: what it seems to ask for, with the button for it at the top of the menu."""

from __future__ import annotations

from domain.law.model import City
from domain.values.text import fold, heard
from handlers.shared import language
from handlers.shared.buttons import Press
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk, Heard
from handlers.shared.menu import choose_city, home, in_a_city, label_of, visible
from handlers.shared.texts import N_

GREETING = frozenset(
    {"oi", "oie", "ola", "opa", "alo", "e", "ai", "bom", "boa", "dia", "tarde", "noite", "tudo", "bem", "como", "vai"}
    | {"voce", "hello", "hi", "hey", "good", "morning", "afternoon", "evening", "how", "are", "you", "hola", "buenos"}
    | {"buenas", "dias", "tardes", "noches", "que", "tal", "esta"}
)
THANKS = frozenset(
    {"obrigado", "obrigada", "muito", "valeu", "brigado", "brigada", "thanks", "thank", "you", "gracias", "muchas"}
)
A_NAME = 3  # words: as short a text may be the name of a city
REMEMBERED = 3000
GUESS = N_("Parece que você procura “{entry}”. Toque no botão para seguir.")


async def free_text(context: BotContext, text: str) -> None:
    """Answer text that no form awaits: with what it seems to ask for, or with the menu."""
    words, suggested = fold(text), language.suggest(context, text)
    entry = next((entry for entry in visible(context) if words and words == fold(label_of(entry, context))), None)
    if entry is not None:
        await entry.action(context)
    elif await read(context, text):
        return
    elif words and THANKS.issuperset(words.split()):
        await home(context, context.tr("De nada."))
    elif words and GREETING.issuperset(words.split()):
        await home(context)
    elif await in_a_named_city(context, text):
        await offer(context, text)
        if suggested:  # in the other language it is answered anew
            context.conversation.said, context.conversation.view = text[:REMEMBERED], "menu:said"


async def read(context: BotContext, text: str) -> bool:
    """Return whether the text names something that could be shown: a case by its protocol."""
    for reader in context.desk.readers:
        if await reader(context, text):
            return True
    return False


async def in_a_named_city(context: BotContext, text: str) -> bool:
    """Return whether the city is known, the text itself may name it; if not, keep the text until it is chosen."""
    if context.person.city in context.laws:
        return True
    tr, conversation, words = context.tr, context.conversation, fold(text)
    named = [city for city in context.laws.cities() if names(words, city)]
    if len(named) == 1 and (words in fold(named[0].name) or words == fold(f"{named[0].name} {named[0].uf}")):
        await choose_city(context, named[0].slug)
        return False
    if len(named) == 1:
        context.turn.person = await context.services.choose_city(context.person, named[0].slug)
        return True
    if len(words.split()) <= A_NAME and not any(
        heard(text, (*entry.words, *entry.about)) for entry in visible(context)
    ):
        note = tr("Não achei “{text}” entre as cidades que este balcão atende.", text=text[:40])
        return await in_a_city(context, note, then=conversation.then)
    note = tr("Guardei o que você escreveu. Só falta saber a cidade.")
    if await in_a_city(context, note, then="menu:said"):
        return True
    conversation.said = text[:REMEMBERED]
    return False


def names(words: str, city: City) -> bool:
    """Return whether folded ``words`` name a city: the beginning of its name alone, or all of it among others."""
    name = fold(city.name)
    return (len(words) >= A_NAME and name.startswith(words)) or f" {name} " in f" {words} "


async def offer(context: BotContext, text: str) -> None:
    """Show the menu with what ``text`` seems to ask for at the top."""
    tr = context.tr
    guesses: dict[str, tuple[tuple[int, int], Heard]] = {}
    for entry in visible(context):
        told = await entry.hears(context, text) if entry.hears is not None else None
        score = (heard(text, entry.words) + (told.weight if told else 0), heard(text, entry.about))
        guesses[entry.key] = score, told or Heard()
    best = max((score for score, _ in guesses.values()), default=(0, 0))
    if best == (0, 0):
        note = tr("Para eu não errar o assunto, escolha abaixo. Dentro de cada um você escreve à vontade.")
        await home(context, note)
        return
    first = [key for key, (score, _) in guesses.items() if score == best]
    likely = [guesses[key][1] for key in first]
    note = next((told.note for told in likely if told.note), "")
    if not note and len(first) == 1:
        note = tr(GUESS, entry=label_of(context.desk.menu[first[0]], context))
    straight = tuple((button,) for told in likely for button in told.buttons)
    await home(context, note or tr("Toque no que você procura."), first=first, above=straight)
    context.conversation.said = text[:REMEMBERED] if straight else ""


async def press_said(context: BotContext, press: Press) -> None:
    """Go on, once the city is known, with what was written before."""
    if context.conversation.said:
        await offer(context, context.conversation.said)
    else:
        await home(context)


def register(desk: Desk) -> None:
    """Bring the ear to the desk."""
    desk.press("menu", "said", press_said)
