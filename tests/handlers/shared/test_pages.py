"""Whoever turns pages finds every item once, and a way on and back wherever there is one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from handlers.shared.pages import page_of


@given(st.lists(st.integers(), max_size=40), st.integers(1, 9))
def test_turning_the_pages_shows_everything_once(items: list[int], size: int) -> None:
    """From the first page, always on: all items in order, and the last page leads only back."""
    number = 1
    seen: list[int] = []
    while True:
        page = page_of(items, number, size)
        assert page.first == len(seen)
        seen += page.items
        turns = [to for row in page.turns(lambda _, to: to, "earlier", "later") for to in row]
        assert turns == [to for to in (number - 1, number + 1) if 1 <= to <= page.pages]
        if number + 1 not in turns:
            break
        number += 1

    assert seen == items


@given(st.integers(-3, 12))
def test_a_page_that_is_not_there_is_the_nearest(number: int) -> None:
    """The list grew shorter since the button was sent, or the number was made up: something is shown."""
    page = page_of("abcde", number, 2)

    assert page.number == min(max(number, 1), 3)
    assert page.items
