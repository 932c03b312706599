"""What the areas bring to the counter: forms, lasting buttons, commands, menu entries and deep links.

Each area has ``def register(desk: Desk) -> None``; ``handlers/registry.py`` calls them in one order.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from telegram import Update

if TYPE_CHECKING:
    from handlers.shared.buttons import Press
    from handlers.shared.context import BotContext
    from handlers.shared.forms.model import Builder, Form
    from handlers.shared.outgoing import Button

Action: TypeAlias = "Callable[[BotContext], Awaitable[None]]"
CommandHandlerFunction: TypeAlias = "Callable[[Update, BotContext], Coroutine[Any, Any, None]]"
PressHandler: TypeAlias = "Callable[[BotContext, Press], Awaitable[None]]"
StartHandler: TypeAlias = "Callable[[BotContext, str], Awaitable[None]]"
StrayHandler: TypeAlias = "Callable[[BotContext, str], Awaitable[bool]]"


def always(context: BotContext) -> bool:
    """Return that everybody sees it."""
    return True


def staff_only(context: BotContext) -> bool:
    """Return whether the person has a role in any city."""
    return context.person.is_staff


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What an area understood of free text: what to say (HTML), and buttons that go straight to what is meant.

    ``weight`` is how many of the entry's words it counts for.
    """

    note: str = ""
    buttons: tuple[Button, ...] = ()
    weight: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """A big button of the home screen.

    ``label`` is a sentence to translate, or makes one already translated. ``words`` are the beginnings of words, in any
    language and without accents, that make free text sound like this entry; ``about`` those that decide only where no
    entry's ``words`` do ("motorista" may drive or complain). ``hears`` says what more it understood.
    """

    key: str
    label: str | Callable[[BotContext], str]
    action: Action
    order: int = 50
    when: Callable[[BotContext], bool] = always
    words: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    hears: Callable[[BotContext, str], Awaitable[Heard | None]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: every name works in every language; ``names`` says which one each language lists.

    ``description`` is a sentence to translate (up to 256 characters). ``staff`` lists it only in chats of staff:
    whether somebody may use it is decided by its use case.
    """

    handler: CommandHandlerFunction
    names: dict[str, str]
    description: str
    aliases: tuple[str, ...] = ()
    staff: bool = False
    order: int = 50

    @property
    def every_name(self) -> list[str]:
        """Every name that calls it."""
        return list(dict.fromkeys([*self.names.values(), *self.aliases]))


async def no_home(context: BotContext, note: str) -> None:
    """Stand in for the home screen until ``menu`` registers it."""
    context.say(note or context.tr("Toque em /menu."))


async def no_stray(context: BotContext, what: str) -> bool:
    """Stand in for the area that knows what a file outside of a form was meant for."""
    return False


@dataclass(slots=True)
class Desk:
    """Everything registered; ``home`` shows the home screen below a note.

    Each of ``readers`` is shown a text that no form awaits, until one of them knows what it names and shows that.

    ``stray`` answers a photo or document that no form awaits, named by a phrase, and returns whether it could.

    ``menu`` is in the order of the screen. Two areas that claim one name are a mistake and end the start.
    """

    forms: dict[str, Builder] = field(default_factory=dict)
    presses: dict[tuple[str, str], PressHandler] = field(default_factory=dict)
    menu: dict[str, MenuEntry] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)
    starts: dict[str, StartHandler] = field(default_factory=dict)
    home: StartHandler = no_home
    stray: StrayHandler = no_stray
    readers: list[StrayHandler] = field(default_factory=list)

    def form(self, key: str, builder: Builder | Form) -> None:
        """Register a form, or what builds one from the place's params and answers."""
        free(key, self.forms)
        self.forms[key] = builder if callable(builder) else lambda view: builder

    def press(self, area: str, verb: str, handler: PressHandler) -> None:
        """Register what a lasting button does: ``<area>:<verb>:<ids...>``. Its use case checks everything again."""
        free((area, verb), self.presses)
        self.presses[area, verb] = handler

    def entry(self, entry: MenuEntry) -> None:
        """Register a button of the home screen."""
        free(entry.key, self.menu)
        entries = sorted((*self.menu.values(), entry), key=lambda one: (one.order, one.key))
        self.menu = {one.key: one for one in entries}

    def command(self, command: Command) -> None:
        """Register a command."""
        for name in command.every_name:
            free(name, [taken for other in self.commands for taken in other.every_name])
        self.commands.append(command)

    def start(self, prefix: str, handler: StartHandler) -> None:
        """Register what a deep link ``t.me/<bot>?start=<prefix><rest>`` does; the handler gets the rest."""
        free(prefix, self.starts)
        self.starts[prefix] = handler


def free(name: object, taken: object) -> None:
    if name in taken:  # type: ignore[operator] # a dict or a list
        raise ValueError(f"{name!r} is registered twice")
