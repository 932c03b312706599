"""Where a chat stands: one row per chat, so that any worker, any day later, continues at the same question."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Stage(StrEnum):
    """What a form shows at its place."""

    ASK = "ask"  # the question ``step``
    CONFIRM = "confirm"  # "is this what you mean?" about ``pending``
    REVIEW = "review"  # everything given, before it is sent
    CORRECT = "correct"  # the list of answers, to pick the one to correct


@dataclass(slots=True)
class FormPlace:
    """A form being filled in: which one, at which question, with what was given so far. All of it is JSON.

    Attributes:
        form: Key of the form in the registry.
        step: Key of the current question.
        params: What the form is about (a city, a case, an item).
        answers: By question key: ``{"kind": ..., "value": ...}``; ``value`` is None where the question was skipped.
        pending: The answer that waits for "confirmo".
        stage: What is shown.
        editing: One answer is being corrected from the review page.
        leaving: "Discard everything?" is asked on top of ``stage``.
        touched: Something was given that would be lost.
        greeted: The form was shown: what it says first is not said again.
        page: Which page of a long list of options is shown.
        caption: The words that came with a file which could not be received: they are kept for the next one.
        album: ``media_group_id`` of the album last received, and how many parts of it arrived (``album_parts``).
        answered_by: The message that gave the last answer; an edit of it is noticed.
        overflow: A message as long as Telegram allows was refused: the client sends its rest as the next message.
    """

    form: str
    step: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    pending: dict[str, Any] | None = None
    stage: Stage = Stage.ASK
    editing: bool = False
    leaving: bool = False
    touched: bool = False
    greeted: bool = False
    page: int = 0
    caption: str = ""
    album: str = ""
    album_parts: int = 0
    answered_by: int = 0
    overflow: int = 0


@dataclass(slots=True)
class Conversation:
    """The state of one chat.

    Attributes:
        chat_id: The private chat.
        screen: Counts the screens shown: their buttons carry its number, so an old one is known.
        screen_message: The message that shows the current screen, when it was edited into place; 0 when unknown.
        place: The open form.
        saved: Forms put aside, oldest first, by :func:`slot`.
        album: ``media_group_id`` of an album that came while no form was open: its parts are answered once.
        stripped: The message whose buttons were last taken away: pressed again in a hurry, it has none to take.
        left: The message whose press led to the current screen, when that is a new one below it; 0 otherwise.
        reply_keyboard: A keyboard below the text field is showing and must be taken away.
        said: What was written outside a form, while a button that would use it is on the screen.
        view: The data of the lasting button that shows the current screen again; "" where there is none, and in a form.
        buttons: The labels of the lasting buttons of the newest message that has any, by their data: typing one's label
            presses it. None in a form, which knows its own, and none that carries a secret.
        offered: Languages that were offered to who wrote in them.
        then: The data of the lasting button that goes on with what was asked, once the city that it needs is chosen.
    """

    chat_id: int
    screen: int = 0
    screen_message: int = 0
    place: FormPlace | None = None
    saved: dict[str, FormPlace] = field(default_factory=dict)
    reply_keyboard: bool = False
    album: str = ""
    stripped: int = 0
    then: str = ""
    said: str = ""
    view: str = ""
    buttons: dict[str, str] = field(default_factory=dict)
    offered: list[str] = field(default_factory=list)
    left: int = 0

    @property
    def awaits_file(self) -> bool:
        """Whether a form is open, so that a file sent now may be an answer."""
        return self.place is not None


def conversation_to_json(conversation: Conversation) -> str:
    """Return what the conversation's row keeps beside its chat, without what is as at the start."""
    state = without_defaults(conversation, CONVERSATION_FIELDS)
    if conversation.place is not None:
        state["place"] = without_defaults(conversation.place, PLACE_FIELDS)
    if conversation.saved:
        state["saved"] = {key: without_defaults(place, PLACE_FIELDS) for key, place in conversation.saved.items()}
    return _ENCODE(state)


def conversation_from_json(chat_id: int, text: str | None) -> Conversation:
    """Rebuild a conversation; ``text`` is None for a chat that never spoke.

    Fields that this version does not know are dropped, so that the version before and the one after can share a row.
    """
    state: dict[str, Any] = json.loads(text) if text else {}
    known = {name: value for name, value in state.items() if name in CONVERSATION_FIELDS}
    if known.get("place"):
        known["place"] = place_from(known["place"])
    known["saved"] = {key: place_from(place) for key, place in known.get("saved", {}).items()}
    return Conversation(chat_id, **known)


def place_from(state: dict[str, Any]) -> FormPlace:
    """Rebuild a form's place."""
    known = {name: value for name, value in state.items() if name in PLACE_FIELDS}
    if "stage" in known:
        known["stage"] = Stage(known["stage"])
    return FormPlace(**known)


def without_defaults(state: Conversation | FormPlace, names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(state, name))}


CONVERSATION_FIELDS = dict.fromkeys(known.name for known in fields(Conversation) if known.name != "chat_id")
PLACE_FIELDS = dict.fromkeys(known.name for known in fields(FormPlace))
