"""Where the law says it."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr

from domain.law.fields import Day

_ARTICLES = re.compile(r"\barts?\.\s+((?:\d+º?(?:(?:,| e| a)\s+(?=\d))?)+)")
LOCATOR = re.compile(r"^arts?\. \d")


class Citation(BaseModel):
    """A place in a source: article, paragraph, item."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: StrictStr
    locator: StrictStr
    law: StrictStr = ""  # the source's short name, filled in when the rulebook is read

    def __str__(self) -> str:
        return f"{self.law or self.source}, {self.locator}"


class Source(BaseModel):
    """A law that rules are taken from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: StrictStr
    title: StrictStr
    short: StrictStr
    articles: StrictInt | None = None  # how many it has, so that a citation of one more is noticed
    published: Day | None = None
    address: StrictStr | None = None
    compared_on: Day | None = None
    note: StrictStr | None = None


def articles_in(locator: str) -> tuple[int, ...]:
    """Return the numbers of the articles that a locator names."""
    return tuple(int(number) for found in _ARTICLES.findall(locator) for number in re.findall(r"\d+", found))
