"""A chat's row: what is stored is what comes back, in this version and the next."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.shared.conversation import (
    Conversation,
    FormPlace,
    Stage,
    conversation_from_json,
    conversation_to_json,
)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
answers = st.dictionaries(st.text(min_size=1), st.fixed_dictionaries({"kind": st.just("text"), "value": values}))
places = st.builds(
    FormPlace,
    form=st.text(min_size=1),
    step=st.text(),
    params=st.dictionaries(st.text(), values),
    answers=answers,
    pending=st.none() | st.dictionaries(st.text(), values, min_size=1),
    stage=st.sampled_from(Stage),
    editing=st.booleans(),
    leaving=st.booleans(),
    touched=st.booleans(),
    page=st.integers(0, 9),
    caption=st.text(),
    answered_by=st.integers(0),
)


@settings(max_examples=40)
@given(
    st.builds(
        Conversation,
        chat_id=st.just(7),
        screen=st.integers(0),
        screen_message=st.integers(0),
        place=st.none() | places,
        saved=st.dictionaries(st.text(), places, max_size=3),
        reply_keyboard=st.booleans(),
    )
)
def test_a_conversation_comes_back_as_it_was(conversation: Conversation) -> None:
    """Whatever was given, in any script, at any stage."""
    assert conversation_from_json(7, conversation_to_json(conversation)) == conversation


def test_a_chat_that_never_spoke_starts_blank_and_takes_little_room() -> None:
    """No row yet, and two bytes once there is one."""
    assert conversation_from_json(7, None) == Conversation(7)
    assert conversation_to_json(Conversation(7)) == "{}"


def test_the_next_versions_fields_do_no_harm() -> None:
    """Two versions share a row while one replaces the other."""
    stored = json.dumps({"screen": 3, "colour": "blue", "place": {"form": "f", "step": "q", "mood": 1}})

    assert conversation_from_json(7, stored) == Conversation(7, screen=3, place=FormPlace("f", "q"))
