"""Long lists, a page at a time. Pages count from 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")
ButtonT = TypeVar("ButtonT")


@dataclass(frozen=True, slots=True)
class Page(Generic[ItemT]):
    """One of ``pages``; ``first`` is where its items begin in the whole list, from 0."""

    items: Sequence[ItemT]
    number: int
    pages: int
    first: int

    def turns(self, button: Callable[[str, int], ButtonT], earlier: str, later: str) -> tuple[tuple[ButtonT, ...], ...]:
        """Return the row that leads to the pages beside this one; no row when there are none.

        Args:
            button: Makes a button of a text and the number of the page that it leads to.
            earlier: Text for the page before.
            later: Text for the page after.
        """
        beside = ((earlier, self.number - 1), (later, self.number + 1))
        row = tuple(button(text, to) for text, to in beside if 1 <= to <= self.pages)
        return (row,) if row else ()


def page_of(items: Sequence[ItemT], number: int, size: int) -> Page[ItemT]:
    """Return a page of ``size`` items; one that is not there (the list grew shorter) is the nearest one."""
    pages = max(1, -(-len(items) // size))
    number = min(max(number, 1), pages)
    first = (number - 1) * size
    return Page(items[first : first + size], number, pages, first)
