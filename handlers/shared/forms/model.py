"""A form is data: ordered questions, each with what it accepts and when it is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from domain.people.model import Person
from domain.values.dates import Tense
from domain.values.parsed import Parsed
from handlers.shared.texts import N_, Html, Translator

if TYPE_CHECKING:
    from domain.law.loader import Laws
    from handlers.shared.context import BotContext


class Kind(StrEnum):
    """What a question accepts as its answer."""

    CHOICE = "choice"
    YESNO = "yesno"
    TEXT = "text"
    DATE = "date"
    MOMENT = "moment"
    TIME = "time"
    NUMBER = "number"
    YEAR = "year"
    MONEY = "money"
    PLATE = "plate"
    CPF = "cpf"
    CNPJ = "cnpj"
    CNH = "cnh"
    RENAVAM = "renavam"
    NIT = "nit"
    PHONE = "phone"
    PHOTO = "photo"
    DOCUMENT = "document"
    ALBUM = "album"
    VOICE = "voice"
    VIDEO = "video"
    LOCATION = "location"
    CONTACT = "contact"


FILE_KINDS = frozenset({Kind.PHOTO, Kind.DOCUMENT, Kind.ALBUM, Kind.VOICE, Kind.VIDEO})


class Offered(Protocol):
    """One choice: an :class:`Option`, or what a rulebook lists as it is.

    ``key`` is up to 40 printable ASCII characters; ``label`` a sentence to translate, or a name.
    """

    @property
    def key(self) -> str: ...
    @property
    def label(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that no rulebook lists."""

    key: str
    label: str


YES_OR_NO = (Option("yes", N_("Sim")), Option("no", N_("Não")))


@dataclass(frozen=True, slots=True)
class FormView:
    """What a form knows while it is filled in: its builder, prompts, conditions and ``submit`` read it.

    ``given`` holds the answers of the questions whose condition holds (to a builder: all that were stored).
    """

    person: Person
    now: datetime
    laws: Laws
    tr: Translator
    params: Mapping[str, Any]
    given: Mapping[str, Mapping[str, Any]]

    def value(self, key: str, default: Any = None) -> Any:
        """Return an answer as JSON: text, number, bool, option key, list of files; ``default`` when none was given."""
        answer = self.given.get(key)
        return default if answer is None or answer["value"] is None else answer["value"]

    def kind(self, key: str) -> Kind | None:
        """Return which of the accepted kinds the answer has; None when it was skipped or not asked."""
        answer = self.given.get(key)
        return None if answer is None or answer["value"] is None else Kind(answer["kind"])

    def text(self, key: str) -> str:
        """Return a typed answer, "" when there is none."""
        value = self.value(key, "")
        return value if isinstance(value, str) else str(value)

    def files(self, key: str) -> tuple[int, ...]:
        """Return the ids of the files sent."""
        return tuple(file["id"] for file in self.value(key, ()))

    def caption(self, key: str) -> str:
        """Return the words that came with the files."""
        return "\n".join(file["caption"] for file in self.value(key, ()) if file.get("caption"))

    @property
    def values(self) -> dict[str, Any]:
        """Every answer that was given, by question: the facts of a rule, say. What was skipped is left out."""
        return {key: answer["value"] for key, answer in self.given.items() if answer["value"] is not None}

    @property
    def city(self) -> str | None:
        """The city that the form is about: the param or the answer ``city``, or else the person's."""
        return self.params.get("city") or self.value("city") or self.person.city

    @property
    def today(self) -> date:
        """The local date at the city hall; in UTC before any city is known."""
        return self.now.astimezone(self.laws.city(self.city).zone).date() if self.city else self.now.date()


Said: TypeAlias = "str | Callable[[FormView], str | Html]"


def said(text: Said, view: FormView) -> str:
    """Return a declared sentence as HTML of the person's language; what a callable makes is that already."""
    return str(text(view)) if callable(text) else view.tr(text)


@dataclass(frozen=True, slots=True)
class Understood:
    """Answers found in somebody's own words, as plain values by question, and what to say of it (HTML)."""

    answers: Mapping[str, Any]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question, one message.

    Attributes:
        key: Name of the answer; ASCII, up to 32 characters.
        prompt: The question: a sentence, or a callable that returns HTML already translated.
        accepts: What counts as an answer. Typed text is tried in this order, and TEXT takes what the others do not.
        options: For CHOICE: what can be chosen. Where CHOICE is not accepted they are shortcuts: a key is taken as if
            it had been typed ("ontem").
        pinned: Key of the option that stands at the end of every page of a long list: "another", for who does not find
            theirs.
        when: Whether it is asked, given what was answered before it.
        optional: Whether "Pular" is offered.
        many: Any number of files; "Pronto" ends.
        hears: For CHOICE: what somebody's own words, which name no option, answer here and further on.
        parse: In place of the parser of the first typed kind: the text and the view to what it means.
        hint: A line below the prompt.
        example: What a good answer looks like.
        max_length: Of TEXT.
        label: Its name on the review page; the prompt when empty.
        tense: For DATE and MOMENT (a date, and the time where it is known): whether it lies behind or ahead of today.
        minimum, maximum: For NUMBER and YEAR, inclusive.
    """

    key: str
    prompt: Said
    accepts: tuple[Kind, ...]
    options: tuple[Offered, ...] | Callable[[FormView], tuple[Offered, ...]] = ()
    pinned: str = ""
    when: Callable[[FormView], bool] | None = None
    optional: bool = False
    many: bool = False
    hears: Callable[[str, FormView], Understood | None] | None = None
    parse: Callable[[str, FormView], Parsed] | None = None
    hint: Said = ""
    example: str = ""
    max_length: int = 2000
    label: Said = ""
    tense: Tense = "any"
    minimum: int | None = None
    maximum: int | None = None

    def choices(self, view: FormView) -> tuple[Offered, ...]:
        """Return what can be chosen now."""
        if Kind.YESNO in self.accepts:
            return YES_OR_NO
        return self.options(view) if callable(self.options) else self.options

    @property
    def takes_files(self) -> bool:
        """Whether a file can answer it."""
        return not FILE_KINDS.isdisjoint(self.accepts)

    @property
    def takes_many(self) -> bool:
        """Whether it goes on until "Pronto"."""
        return self.many or Kind.ALBUM in self.accepts


@dataclass(frozen=True, slots=True)
class Aside:
    """Something at hand on every question of a form that does not touch its answers: whom to call, for instance.

    ``action`` says what it has to say with ``context.say``.
    """

    label: str
    action: Callable[[BotContext], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A conversation that gathers answers and hands them to one use case.

    Attributes:
        title: What it is, as "Continuar: ..." shows it.
        submit: Called once, with everything given. A refusal (DomainError) leaves the person at the review page.
        intro: Said above the first question.
        named: Whether every question says what the form is about: who fills in many of them tells them apart by it.
        review: Whether everything is shown before it is sent; short forms of one answer may do without.
        review_title: Headline of the review page.
        review_note: Said below the answers: who will see what, for instance.
        send_label: The button that submits.
        asides: What else can be pressed on every question and on the review page.
        on_cancel: Where a person who discards the form is taken; the home screen when None.
        lapsed: Says, translated, why the person may not go on with it any more; "" while they may.
    """

    key: str
    title: Said
    questions: tuple[Question, ...]
    submit: Callable[[BotContext, FormView], Awaitable[None]]
    intro: Said = ""
    named: bool = False
    review: bool = True
    review_title: Said = ""
    review_note: Said = ""
    send_label: str = ""
    asides: tuple[Aside, ...] = ()
    on_cancel: Callable[[BotContext, FormView], Awaitable[None]] | None = None
    lapsed: Callable[[FormView], str] | None = None


Builder: TypeAlias = Callable[[FormView], Form]
