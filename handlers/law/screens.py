"""The screens of “O que diz a lei?”. Where one is (law, role, topic, page, words) travels in the buttons alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape

from domain.law.model import Rulebook
from domain.values.text import fold
from handlers.law.details import complaint_lines, name, one_line, whole, why
from handlers.law.entries import PASSENGER, TOPICS, Contents, Entry, Role, Topic, book_code, book_of, contents, roles
from handlers.law.penalties import Reader
from handlers.law.search import EMPTY, Index
from handlers.shared.buttons import ForgedButton, Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.forms import engine
from handlers.shared.forms.places import show
from handlers.shared.forms.screens import shorten
from handlers.shared.menu import in_a_city, menu_button
from handlers.shared.outgoing import Button
from handlers.shared.pages import page_of
from handlers.shared.texts import N_, Html
from handlers.shared.why import label

AREA = "law"
FORM = "law_search"
PAGE = 8
WORDS = 34  # characters of a search that a button carries
KNOWN = "law_indexes"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a reader is: in a law, as somebody, in a list (a topic or a search) at a page."""

    book: Rulebook
    role: Role
    topic: Topic | None = None
    words: str = ""
    page: int = 1

    @property
    def here(self) -> tuple[str, str]:
        """The ids that every button starts with."""
        return book_code(self.book), self.role.key

    @property
    def listed(self) -> tuple[str | int, ...]:
        """The ids of the list that one is in."""
        return (self.page, self.topic.value if self.topic is not None else "q", self.words or "-")


def carried(words: str) -> str:
    """Return a search as a button carries it: its words that say something, as many as have room."""
    kept = ""
    for word in fold(words).split():
        if word in EMPTY:
            continue
        longer = f"{kept}.{word}" if kept else word[:WORDS]
        if len(longer) > WORDS:
            break
        kept = longer
    return kept


def spot_of(context: BotContext, press: Press, at: int = 0) -> Spot:
    """Return where a button leads; the ids from ``at`` on name the list.

    Raises:
        ForgedButton: It names a law, role or topic that there is not.
    """
    book = book_of(context.laws, press.word())
    if book is None:
        raise ForgedButton
    role = next((role for role in roles(book) if role.key == press.word(1)), None)
    if role is None:
        raise ForgedButton
    spot = Spot(book, role)
    if at == 0:
        return spot
    page, where, words = press.number(at), press.word(at + 1), press.word(at + 2)
    if where == "q":
        return replace(spot, page=page, words=words)
    if where not in list(Topic):
        raise ForgedButton
    return replace(spot, page=page, topic=Topic(where))


def reader_of(context: BotContext, book: Rulebook) -> Reader:
    """Return who reads the law: in which language, on which day at the city hall."""
    return Reader(context.tr, context.laws, book, context.today(book.city.slug))


def index_of(context: BotContext, book: Rulebook) -> Index:
    """Return a law's words in the person's language, gathered once a day."""
    known: dict[tuple[str, str], Index] = context.bot_data.setdefault(KNOWN, {})
    key, today = (book_code(book), context.tr.language), context.today(book.city.slug)
    held = known.get(key)
    if held is None or held.law.book is not book or held.law.on != today:
        held = known[key] = Index(contents(book, today), context.tr)
    return held


def law_of(context: BotContext, book: Rulebook) -> Contents:
    """Return all that a law says today."""
    return index_of(context, book).law


def button(context: BotContext, text: str, verb: str, *ids: str | int) -> Button:
    """Return a button of this area; ``text`` is a sentence to translate."""
    return lasting(label(context.tr, text), AREA, verb, *ids)


def heading(context: BotContext, spot: Spot) -> str:
    """Return which law it is and in whose place it is read."""
    tr = context.tr
    city = f"<b>{escape(spot.book.city.name, quote=False)}</b>"
    return f"⚖️ {city} · {tr(spot.book.service.label)} · {tr(spot.role.label)}"


# ---- which law, as whom, about what


async def begin(context: BotContext, words: str = "") -> None:
    """Ask which law, where the city has several, and as whom it is read; or look for words in it at once."""
    kept, note, then = carried(words), "", ""
    if kept:
        note = context.tr("Vou procurar “{words}” na lei assim que souber a cidade.", words=kept.replace(".", " "))
        then = f"{AREA}:words:{kept}"
    if not await in_a_city(context, note, then=then):
        return
    books = context.laws.rulebooks(context.person.city or "")
    if len(books) == 1 and words:
        search(context, books[0], PASSENGER, words)
        return
    if len(books) == 1:
        show_roles(context, books[0])
        return
    rows = tuple(
        (button(context, book.service.label, *(("in", book_code(book), kept) if kept else ("book", book_code(book)))),)
        for book in books
    )
    text = f"<b>{context.tr('O que diz a lei?')}</b>\n{context.tr('De qual serviço?')}"
    show(context, text, (*rows, (menu_button(context),)))


def show_roles(context: BotContext, book: Rulebook) -> None:
    """Ask in whose place the law is read."""
    tr, code = context.tr, book_code(book)
    lines = [
        f"⚖️ <b>{tr('O que diz a lei?')}</b>",
        tr("{law}, {city}.", law=book.source.title, city=book.city.name),
        "",
        tr("Quem é você? Assim mostro só o que vale para você."),
    ]
    rows: list[tuple[Button, ...]] = [(button(context, role.label, "home", code, role.key),) for role in roles(book)]
    rows.append((button(context, N_("🔎 Procurar por palavras"), "find", code, PASSENGER), menu_button(context)))
    show(context, "\n".join(lines), tuple(rows))


def show_topics(context: BotContext, spot: Spot, *, note: str = "") -> None:
    """Show the topics that have something for a role."""
    tr, law = context.tr, law_of(context, spot.book)
    lines = [note, ""] if note else []
    lines += [heading(context, spot), tr("{law}.", law=spot.book.source.title), ""]
    first = sorted(Topic, key=lambda topic: topic is not Topic.RIGHTS) if spot.role.key == PASSENGER else list(Topic)
    topics: list[Button] = []
    for topic in first:
        count = len(law.of(topic, spot.role))
        if count:
            text = f"{label(tr, TOPICS[topic])} ({count})"
            topics.append(lasting(text, AREA, "list", *spot.here, *replace(spot, topic=topic).listed))
    in_force = any(entry.key in spot.book.rules for entry in law.entries)
    lines += [] if in_force else [tr("Esta lei ainda não está em vigor.")]
    lines.append(tr("Escolha um assunto, ou procure por palavras."))
    rows = [tuple(topics[at : at + 2]) for at in range(0, len(topics), 2)]
    rows.append((button(context, N_("🔎 Procurar por palavras"), "find", *spot.here),))
    rows.append((button(context, N_("Trocar de papel"), "book", spot.here[0]), menu_button(context)))
    show(context, "\n".join(lines), tuple(rows))


# ---- lists


def show_list(context: BotContext, spot: Spot) -> None:
    """Show one page of a topic or of what a search found."""
    if spot.topic is None:
        show_found(context, spot)
        return
    entries = law_of(context, spot.book).of(spot.topic, spot.role)
    reader, tr = reader_of(context, spot.book), context.tr
    lines = [heading(context, spot), f"<b>{tr(TOPICS[spot.topic])}</b>"]
    if spot.topic is Topic.RIGHTS and spot.page == 1:
        lines += complaint_lines(reader)
    if spot.topic is Topic.OPEN and spot.page == 1:
        lines.append(
            tr("Aqui a lei não fixa, deixa para outro ato ou pode ser lida de mais de um modo. Nada é inventado.")
        )
    listed(context, spot, entries, lines)


def show_found(context: BotContext, spot: Spot) -> None:
    """Show what a search found; without anything, the nearest words and the topics."""
    tr, found = context.tr, index_of(context, spot.book).find(spot.words.replace(".", " "))
    shown = Html(f"<b>{escape(spot.words.replace('.', ' '), quote=False)}</b>")
    if not found.entries:
        note = tr("Não achei “{words}” nesta lei.", words=shown)
        if found.nearest:
            note += "\n" + tr("A lei fala em: {words}.", words=", ".join(found.nearest))
        show_topics(context, replace(spot, words="", page=1), note=note)
        return
    lines = [heading(context, spot)]
    if found.unknown:
        missing = Html(f"<b>{escape(', '.join(found.unknown), quote=False)}</b>")
        lines += [tr("Não achei “{words}” nesta lei.", words=missing), tr("Talvez ajude:")]
    else:
        count = len(found.entries)
        lines.append(tr.many("{n} resultado para “{words}”", "{n} resultados para “{words}”", count, words=shown))
    listed(context, spot, found.entries, lines)


def listed(context: BotContext, spot: Spot, entries: tuple[Entry, ...], lines: list[str]) -> None:
    """Show a page of entries below ``lines``, each with its article and a button."""
    tr, reader = context.tr, reader_of(context, spot.book)
    shown = page_of(entries, spot.page, PAGE)
    spot = replace(spot, page=shown.number)
    if shown.pages > 1:
        lines.append(tr("Parte {page} de {pages}", page=shown.number, pages=shown.pages))
    rows: list[tuple[Button, ...]] = []
    for number, entry in enumerate(shown.items, start=shown.first + 1):
        lines.append(f"\n{number}. {one_line(reader, entry)}")
        text = shorten(f"{number}. {label(tr, name(reader, entry))}", 48)
        rows.append((lasting(text, AREA, "open", *spot.here, entry.code, *spot.listed),))
    rows += shown.turns(
        lambda text, to: button(context, text, "list", *spot.here, *replace(spot, page=to).listed),
        N_("Anteriores"),
        N_("Mais"),
    )
    rows.append(
        (button(context, N_("🔎 Procurar"), "find", *spot.here), button(context, N_("Assuntos"), "home", *spot.here))
    )
    rows.append((menu_button(context),))
    show(context, "\n".join(lines), tuple(rows))


# ---- one entry


def entry_of(context: BotContext, press: Press) -> tuple[Spot, Entry]:
    """Return the entry that a button names, and the list that led there.

    Raises:
        ForgedButton: The law has no such entry today.
    """
    spot = spot_of(context, press, at=3)
    entry = law_of(context, spot.book).by_code.get(press.word(2))
    if entry is None:
        raise ForgedButton
    return spot, entry


def show_entry(context: BotContext, spot: Spot, entry: Entry) -> None:
    """Show an entry whole."""
    text = whole(reader_of(context, spot.book), entry, law_of(context, spot.book))
    rows: list[tuple[Button, ...]] = [(button(context, N_("Por quê?"), "why", *spot.here, entry.code, *spot.listed),)]
    if entry.subject is not None or entry.ground is not None:
        rows.append((lasting(label(context.tr, N_("Quero reclamar ou denunciar")), "menu", "go", "report"),))
    rows.append((button(context, N_("Voltar à lista"), "list", *spot.here, *spot.listed),))
    rows.append((button(context, N_("Assuntos"), "home", *spot.here), menu_button(context)))
    show(context, text, tuple(rows))


async def press_open(context: BotContext, press: Press) -> None:
    """Open an entry."""
    show_entry(context, *entry_of(context, press))


async def press_why(context: BotContext, press: Press) -> None:
    """Show what an entry rests on."""
    spot, entry = entry_of(context, press)
    text = why(reader_of(context, spot.book), entry)
    back = button(context, N_("Voltar"), "open", *spot.here, entry.code, *spot.listed)
    show(context, text, ((back,), (button(context, N_("Assuntos"), "home", *spot.here), menu_button(context))))


async def press_list(context: BotContext, press: Press) -> None:
    """Another page, or back to the list."""
    show_list(context, spot_of(context, press, at=2))


async def press_home(context: BotContext, press: Press) -> None:
    """The topics of a role."""
    show_topics(context, spot_of(context, press))


async def press_book(context: BotContext, press: Press) -> None:
    """Choose in whose place the law is read."""
    book = book_of(context.laws, press.word())
    if book is None:
        raise ForgedButton
    show_roles(context, book)


async def press_words(context: BotContext, press: Press) -> None:
    """Look for words that were typed before the city was known."""
    await begin(context, press.word().replace(".", " "))


async def press_in(context: BotContext, press: Press) -> None:
    """Look for words that were typed before the law was chosen."""
    book = book_of(context.laws, press.word())
    if book is None:
        raise ForgedButton
    search(context, book, PASSENGER, press.word(1).replace(".", " "))


async def press_find(context: BotContext, press: Press) -> None:
    """Ask for words to look for."""
    spot = spot_of(context, press)
    await engine.start(context, FORM, params={"book": spot.here[0], "role": spot.role.key})


def search(context: BotContext, book: Rulebook, role: str, words: str) -> None:
    """Show what a law says about some words."""
    found = [one for one in roles(book) if one.key == role]
    spot = Spot(book, found[0] if found else roles(book)[-1], words=carried(words))
    if spot.words:
        show_found(context, spot)
    else:
        show_topics(context, spot)
