"""Every place of the five laws is expressed by a rule, or has a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.law_cli.running import coverage_page
from domain.law.coverage import coverage
from domain.law.loader import RulebookError, load_laws
from domain.law.places import NoPlace, expanded, places, roman, unroman, written
from domain.law.provisions import provisions_of

DOCS = Path(__file__).parents[3] / "docs"
LAWS = load_laws()
PLACES = {
    "caceres-mt": 26,
    "chapada-dos-guimaraes-mt": 30,
    "pelotas-rs": 18,
    "primavera-do-leste-mt": 63,
    "rolim-de-moura-ro": 32,
}


@pytest.mark.parametrize("slug", PLACES)
def test_no_place_of_a_law_is_left_without_rule_or_reason(slug: str) -> None:
    """A jurist who looks for an item finds what became of it."""
    rows = coverage(LAWS.rulebook(slug))
    assert [row.place for row in rows if row.blank] == []
    articles = [row.place for row in rows if row.place.count(",") == 0]
    assert articles == [f"art. {number}{'º' if number < 10 else ''}" for number in range(1, PLACES[slug] + 1)]
    assert sum(row.reason is not None for row in rows) <= 3


def test_the_table_in_the_docs_is_what_the_rulebooks_say() -> None:
    """Who reads the table reads today's rules: `balcao law coverage > docs/law-coverage.md`."""
    books = [LAWS.rulebook(slug) for slug in LAWS]
    assert (DOCS / "law-coverage.md").read_text(encoding="utf-8").splitlines() == list(coverage_page(books))


@pytest.mark.parametrize(
    ("locator", "found"),
    [
        ("art. 8º, § 3º, III e IV", ["art. 8º, § 3º, III", "art. 8º, § 3º, IV"]),
        ("arts. 30, I, e 31, I", ["art. 30, I", "art. 31, I"]),
        ("art. 2º, §§ 1º e 2º", ["art. 2º, § 1º", "art. 2º, § 2º"]),
        ("art. 59, III, e", ["art. 59, III, e"]),
        ("art. 7º, § 5º, a a c", ["art. 7º, § 5º, a", "art. 7º, § 5º, b", "art. 7º, § 5º, c"]),
        ("arts. 8º a 11", ["art. 8º", "art. 9º", "art. 10", "art. 11"]),
        ("art. 15, parágrafo único, VIII", ["art. 15, parágrafo único, VIII"]),
        ("art. 1º, VIII a XI", ["art. 1º, VIII", "art. 1º, IX", "art. 1º, X", "art. 1º, XI"]),
    ],
)
def test_a_locator_names_the_places_that_a_jurist_means(locator: str, found: list[str]) -> None:
    """Ranges and lists, with "e" and "a" as words or as letters."""
    assert [written(place) for place in places(locator)] == found


def test_items_are_counted_as_romans_did() -> None:
    """There and back for as many items as a law may have."""
    assert all(unroman(roman(number)) == number for number in range(1, 90))
    assert expanded(["art. 1º", "art. 1º"]) == (("art. 1º",),)


@pytest.mark.parametrize("locator", ["§ 1º", "art. x?", "capítulo VII", "art. 3º; art. 4º"])
def test_what_is_no_place_is_refused(locator: str) -> None:
    """A slip of the pen is noticed where it was made."""
    with pytest.raises(NoPlace):
        places(locator)


@pytest.mark.parametrize(
    "raw",
    [
        {"provisions": ["art. 1º, I"]},
        {"provisions": ["art. 1º"], "reasons": {"art. 2º": "Vigência."}},
        {"provisions": ["art. um"]},
        {"provisoes": ["art. 1º"]},
    ],
)
def test_a_broken_list_of_places_is_refused(raw: dict[str, object]) -> None:
    """An item without its article, a reason for nothing, a wrong key."""
    with pytest.raises(RulebookError):
        provisions_of(raw, "x.toml")
