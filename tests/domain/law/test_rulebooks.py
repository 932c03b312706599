"""The five rulebooks: whole, usable by the chat, and true to their examples."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import fields
from datetime import date
from pathlib import Path

import pytest

from domain.law.conduct import ConductRule, InfractionRule
from domain.law.examples import ExampleResult, run_examples
from domain.law.loader import CASE_KINDS, Laws, RulebookError, load_laws
from domain.law.model import OTHER_SUBJECT, Rulebook
from domain.law.penalties import Prior
from domain.law.rules import PenaltyClassRule, RepresentationRule
from domain.law.validity import EVENTS, Event

TODAY = date(2026, 11, 30)
SLUGS = ["caceres-mt", "chapada-dos-guimaraes-mt", "pelotas-rs", "primavera-do-leste-mt", "rolim-de-moura-ro"]
LAWS = load_laws()
EXAMPLES = list(run_examples(LAWS))


@pytest.fixture(params=SLUGS)
def book(request: pytest.FixtureRequest) -> Rulebook:
    return LAWS.rulebook(request.param)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.city}: {example.name}")
def test_a_worked_example_gives_what_the_text_gives(example: ExampleResult) -> None:
    """A jurist worked it out by hand; the rulebook says the same."""
    assert example.passed, example.differences()


def test_every_law_has_enough_examples_with_names_of_their_own() -> None:
    """No law is left to be trusted unread."""
    for slug in SLUGS:
        names = [example.name for example in EXAMPLES if example.city == slug]
        assert len(names) >= 60
        assert len(set(names)) == len(names)


def test_a_wrong_example_fails_and_says_what_differs(tmp_path: Path) -> None:
    """An example that contradicts the law is noticed, not skipped."""
    (tmp_path / "caceres-mt").mkdir()
    examples = tmp_path / "caceres-mt" / "lei-2828-2019-examples.toml"
    given = 'given = {{ rule = "defesa", start = 2026-03-03 }}'
    ask = f'[[examples]]\nname = "x"\nask = "{{}}"\n{given}\nexpect = {{{{ due = 2026-03-18 }}}}'
    examples.write_text(ask.format("term"), encoding="utf-8")
    (result,) = run_examples(LAWS, tmp_path)
    assert not result.passed
    assert result.differences() == ("due: expected datetime.date(2026, 3, 18), got datetime.date(2026, 4, 2)",)
    examples.write_text(ask.format("prazo"), encoding="utf-8")
    with pytest.raises(RulebookError, match=r"examples\.0\.ask"):
        list(run_examples(LAWS, tmp_path))


def test_cities_come_in_the_order_that_people_look_for_them() -> None:
    """Cáceres stands before Chapada, accent or not."""
    assert [city.slug for city in LAWS.cities()] == SLUGS


def test_somebody_can_register_and_sees_what_to_send(book: Rulebook) -> None:
    """Each applicant has items to send, each said in plain words, with a key that fits into a button."""
    for applicant in book.applicants:
        items = book.checklist(applicant, TODAY)
        assert items
        assert len({item.id for item in items}) == len(items)
        for item in items:
            assert item.what
            assert item.how
            assert re.fullmatch(r"[a-z0-9-]{1,24}", item.id)


def test_every_report_finds_a_queue_and_offers_another_subject(book: Rulebook) -> None:
    """A passenger whose case fits no subject chooses "outro" and still reaches somebody."""
    for kind in CASE_KINDS:
        assert book.queue_for(kind).organ in book.organs
    for kind in CASE_KINDS[1:]:
        subjects = book.subjects(kind)
        assert subjects[-1].key == OTHER_SUBJECT
        assert len(subjects) > 3
        for subject in subjects:
            assert kind in book.queue_for(kind, subject.key).handles


def test_questions_are_only_those_that_this_law_turns_on(book: Rulebook) -> None:
    """Nobody is asked for a birth date where no age is set."""
    bearers = [bearer for applicant in book.applicants.values() for bearer in applicant.bearers]
    keys = {question.key for question in book.questions(*bearers)}
    assert ("birth_date" in keys) == (book.city.slug == "rolim-de-moura-ro")
    assert ("hybrid" in keys) == (book.city.slug == "primavera-do-leste-mt")
    assert ("first_plating" in keys) == (book.city.slug == "caceres-mt")
    assert "plate" in keys


def test_grounds_of_discrimination_show_whether_the_law_names_them(laws: Laws) -> None:
    """Every ground is offered; those the law names come first, with their article."""
    named = {slug: [ground.key for ground in laws.rulebook(slug).grounds if ground.named] for slug in SLUGS}
    assert named == {
        "caceres-mt": ["cor", "raca", "identidade-genero", "deficiencia"],
        "chapada-dos-guimaraes-mt": ["deficiencia"],
        "pelotas-rs": [],
        "primavera-do-leste-mt": ["deficiencia"],
        "rolim-de-moura-ro": [],
    }
    assert all("raca" in laws.rulebook(slug).grounds_by_key for slug in SLUGS)


def test_only_one_law_has_a_representation(laws: Laws) -> None:
    """Elsewhere the complaint is an ouvidoria matter."""
    having = [slug for slug in SLUGS if laws.rulebook(slug).representation is not None]
    assert having == ["pelotas-rs"]


def test_a_law_that_changed_is_read_anew(laws: Laws) -> None:
    """Without its representation a law has none, whatever was found in it before the change."""
    before = laws.rulebook("pelotas-rs")
    assert before.representation is not None
    kept = {key: rule for key, rule in before.rules.items() if not isinstance(rule, RepresentationRule)}
    after = before.model_copy(update={"rules": kept})
    assert after.representation is None
    assert after.complaint_basis() != before.complaint_basis()


def test_dpvat_is_kept_with_its_article_and_stops_nobody(laws: Laws) -> None:
    """The two laws that demand it still show it, with what became of it."""
    for slug, article in (("caceres-mt", "art. 12, VI"), ("chapada-dos-guimaraes-mt", "art. 15, parágrafo único, IV")):
        items = {item.id: item for item in laws.rulebook(slug).requirements("vehicle", TODAY)}
        assert items["dpvat"].cite.locator == article
        assert not items["dpvat"].blocking
        assert "LC 211/2024" in (items["dpvat"].note or "")
    for slug in ("primavera-do-leste-mt", "rolim-de-moura-ro", "pelotas-rs"):
        assert "dpvat" not in laws.rulebook(slug).rules


def test_every_reason_for_a_refusal_comes_with_its_cure(laws: Laws) -> None:
    """A driver whose item is refused always learns what to do."""
    assert len(laws.reject_reasons) >= 15
    for reason in laws.reject_reasons.values():
        assert reason.sentence
        assert reason.cure


def test_reading_the_five_laws_costs_little_of_the_start() -> None:
    """Well under 150 ms on one core, whatever else the machine does: processor time, not the clock."""
    fastest = min(_cost(load_laws) for _ in range(3))
    assert fastest < 0.15


def _cost(read: Callable[[], Laws]) -> float:
    before = time.process_time()
    read()
    return time.process_time() - before


def test_every_duty_is_a_whole_sentence_and_every_penalty_can_be_reached(book: Rulebook) -> None:
    """What people read of a law ends like a sentence; a class that no infraction uses would be dead text."""
    for rule in book.of_kind(ConductRule):
        assert rule.label.endswith("."), rule.id
    reached = {told.penalty_class for rule in book.of_kind(InfractionRule) for told in rule.versions}
    reached |= {
        key for rule in book.of_kind(InfractionRule) for told in rule.versions for key in told.readings.values()
    }
    reached |= {told.penalty_class for rule in book.of_kind(ConductRule) for told in rule.versions}
    assert {rule.id for rule in book.of_kind(PenaltyClassRule)} <= reached


def test_the_facts_in_the_docs_are_those_that_can_be_told(laws: Laws) -> None:
    """A jurist who writes a file finds every fact, event and key in docs/law-facts.md, and no other."""
    text = (Path(__file__).parents[3] / "docs" / "law-facts.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_-]+)`", text))
    keys = {*laws.facts, *EVENTS, *(field.name for kind in (Event, Prior) for field in fields(kind))} - {"kind"}
    assert keys <= named
    rows = re.findall(r"^\| `([a-z_]+)` \| (?:date|whole|text|true|`)", text, re.MULTILINE)
    assert rows == list(laws.facts)
