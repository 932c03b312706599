"""The home screen: who you are, what is open, what you can do; and which city it is about."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from domain.values.text import fold
from handlers.shared.buttons import Press, lasting, read_lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk, MenuEntry
from handlers.shared.forms import engine
from handlers.shared.forms.places import park
from handlers.shared.forms.screens import plain_html, shorten
from handlers.shared.outgoing import Button
from handlers.shared.pages import page_of
from handlers.shared.texts import Html

PAGE = 8
SAVED_SHOWN = 5


def menu_button(context: BotContext) -> Button:
    """Return the way home, for screens that lead nowhere else."""
    return lasting(context.tr("Menu"), "menu", "home")


async def home(
    context: BotContext, note: str = "", *, first: Collection[str] = (), above: tuple[tuple[Button, ...], ...] = ()
) -> None:
    """Show the home screen below ``note`` (HTML). A form in which something was given is put aside and
    offered as "Continuar".

    ``first`` are the keys of the entries that are probably meant: they go to the top, below the buttons ``above``.
    """
    conversation, tr = context.conversation, context.tr
    conversation.said = ""
    park(conversation)
    engine.drop_lapsed(context)
    if not await in_a_city(context, note, then=conversation.then):
        return
    city = context.laws.city(context.person.city or "")
    name = context.person.name.split()[0] if context.person.name.split() else ""
    if conversation.screen == 0:
        greeting = tr(
            "Olá, {name}. Aqui é o balcão do transporte de passageiros da prefeitura de {city}. "
            "Você pode resolver tudo por esta conversa, no seu tempo.",
            name=name,
            city=city.name,
        )
    else:
        greeting = tr("Balcão de {city}. O que você quer fazer?", city=city.name)
    rows: list[tuple[Button, ...]] = [*above]
    for slot, place in list(reversed(conversation.saved.items()))[:SAVED_SHOWN]:
        if title := engine.title_of(context, place):
            label = tr("Continuar: {title}").format(title=plain_html(title))
            rows.append((lasting(shorten(label, 60), "form", "resume", slot),))
    entries = visible(context)
    for entry in sorted(entries, key=lambda entry: entry.key not in first):
        rows.append((lasting(label_of(entry, context), "menu", "go", entry.key),))
    if len(context.laws.cities()) > 1:
        rows.append((lasting(tr("Trocar de cidade"), "city", "ask"), lasting(tr("Idioma"), "lang", "ask")))
    else:
        rows.append((lasting(tr("Idioma"), "lang", "ask"),))
    context.show(f"{note}\n\n{greeting}" if note else greeting, buttons=tuple(rows))


def visible(context: BotContext) -> list[MenuEntry]:
    """Return the entries for this person, in order."""
    return [entry for entry in context.desk.menu.values() if entry.when(context)]


def label_of(entry: MenuEntry, context: BotContext) -> str:
    """Return an entry's label as plain text."""
    return entry.label(context) if callable(entry.label) else context.tr(entry.label)


async def in_a_city(context: BotContext, note: str = "", *, then: str = "") -> bool:
    """Return whether the person's city is known and served; if not, and it cannot be told, ask for it.

    ``then`` is the data of the lasting button that goes on once it is chosen.
    """
    context.conversation.then = ""
    cities = context.laws.cities()
    if any(city.slug == context.person.city for city in cities):
        return True
    granted = {grant.city for grant in context.person.grants}
    candidates = [city for city in cities if len(cities) == 1 or city.slug in granted]
    if len(candidates) == 1:
        context.turn.person = await context.services.choose_city(context.person, candidates[0].slug)
        return True
    context.conversation.then = then
    ask_city(context, note=note)
    return False


def ask_city(context: BotContext, *, page: int = 1, note: str = "") -> None:
    """Ask which city it is about."""
    tr = context.tr
    cities = sorted(context.laws.cities(), key=lambda city: fold(city.name))
    shown = page_of(cities, page, PAGE)
    rows: list[tuple[Button, ...]] = [
        (lasting(f"{city.name} ({city.uf})", "city", "pick", city.slug),) for city in shown.items
    ]
    rows += shown.turns(lambda text, to: lasting(text, "city", "page", to), tr("Opções anteriores"), tr("Mais opções"))
    rows.append((lasting(tr("Idioma"), "lang", "ask"),))
    hello = (
        "" if context.conversation.screen else tr("Olá. Aqui é o balcão do transporte de passageiros da prefeitura.")
    )
    lines = [hello, note, f"<b>{tr('De qual cidade se trata?')}</b>", tr("Toque no nome ou escreva.")]
    context.show("\n".join(line for line in lines if line), buttons=tuple(rows))


async def unexpected(context: BotContext, what: str, *, is_file: bool) -> None:
    """Answer something sent outside a form. ``what`` is a phrase: "uma figurinha"."""
    tr = context.tr
    note = (
        tr(
            "Recebi {what}, mas ainda não sei de que se trata. Escolha o assunto e envie de novo quando eu pedir.",
            what=what,
        )
        if is_file
        else tr("Não consigo usar {what} aqui. Escolha o assunto abaixo.", what=what)
    )
    await home(context, note)


async def choose_city(context: BotContext, slug: str) -> None:
    """Remember the city, and go on with what was asked before it was known."""
    context.turn.person = await context.services.choose_city(context.person, slug)
    press, context.conversation.then = read_lasting(context.conversation.then), ""
    going_on = context.desk.presses.get((press.area, press.verb)) if press is not None else None
    if press is not None and going_on is not None:
        await going_on(context, press)
        return
    city = context.laws.city(slug)
    await home(context, context.tr("Certo: {city}.", city=Html(f"<b>{escape(city.name)}</b>")))


async def press_entry(context: BotContext, press: Press) -> None:
    """A button of the home screen."""
    entry = context.desk.menu.get(press.word())
    if entry is None or not entry.when(context):
        await home(context, context.tr("Esta opção não está mais disponível."))
        return
    await entry.action(context)


async def press_home(context: BotContext, press: Press) -> None:
    """The way home."""
    await home(context)


async def press_resume(context: BotContext, press: Press) -> None:
    """ "Continuar" a form that was put aside."""
    await engine.resume(context, press.word())


async def press_open(context: BotContext, press: Press) -> None:
    """Show the open form again."""
    await engine.resume(context)


async def press_city(context: BotContext, press: Press) -> None:
    """A city was picked."""
    await choose_city(context, press.word())


async def press_city_page(context: BotContext, press: Press) -> None:
    """Another page of the cities."""
    ask_city(context, page=press.number())


async def press_ask_city(context: BotContext, press: Press) -> None:
    """Change the city. A form still open is about the old one: it is put aside."""
    park(context.conversation)
    context.conversation.then = ""
    ask_city(context)


async def show_home(context: BotContext, note: str) -> None:
    """Show the home screen; what :attr:`Desk.home` is."""
    await home(context, note)


def register(desk: Desk) -> None:
    """Bring the home screen to the desk."""
    desk.home = show_home
    desk.press("menu", "go", press_entry)
    desk.press("menu", "home", press_home)
    desk.press("form", "resume", press_resume)
    desk.press("form", "open", press_open)
    desk.press("city", "pick", press_city)
    desk.press("city", "page", press_city_page)
    desk.press("city", "ask", press_ask_city)
