"""Worked examples beside each rulebook, which a jurist can read, run against the answers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from domain.law.answers import Answer
from domain.law.dues import dues
from domain.law.eligibility import eligibility
from domain.law.fields import Frozen, Length, Text
from domain.law.limits import quota, representation_completeness, tariff_band
from domain.law.loader import Laws, RulebookError
from domain.law.model import Rulebook
from domain.law.penalties import Penalties, Prior, penalty
from domain.law.renewal import certificate, expires_on, periodic, renewal
from domain.law.rules import PenaltyClassRule
from domain.law.terms import deadline
from domain.law.validity import Event, validity

Told: TypeAlias = dict[str, Any]
SUFFIX = "-examples.toml"


class Example(Frozen):
    """A question to the law with the answer that the text gives."""

    name: Text
    ask: Text
    given: dict[str, Any]
    expect: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """One example and what came of it."""

    city: str
    law: str
    name: str
    expected: Mapping[str, Any]
    got: Mapping[str, Any]

    @property
    def passed(self) -> bool:
        """Whether every expected value was found."""
        return all(_agrees(key, value, self.got) for key, value in self.expected.items())

    def differences(self) -> tuple[str, ...]:
        """Return a line for each value that is not as expected."""
        return tuple(
            f"{key}: expected {value!r}, got {self.got.get(key)!r}"
            for key, value in self.expected.items()
            if not _agrees(key, value, self.got)
        )


def run_examples(
    laws: Laws, directory: Path | None = None, only: Collection[str] | None = None
) -> Iterator[ExampleResult]:
    """Run the examples beside the loaded rulebooks.

    Raises:
        RulebookError: An example cannot be read, or asks what cannot be asked.
    """
    root = directory if directory is not None else files("domain.rulebooks")
    for slug in laws:
        if only is not None and slug not in only:
            continue
        for book in laws.rulebooks(slug):
            entry = root / slug / f"{book.id}{SUFFIX}"
            if entry.is_file():
                yield from _run(laws, book, entry.read_text(encoding="utf-8"), f"{slug}/{book.id}{SUFFIX}")


def _run(laws: Laws, book: Rulebook, text: str, file: str) -> Iterator[ExampleResult]:
    try:
        raw = tomllib.loads(text).get("examples", [])
        examples = [Example.model_validate(example) for example in raw]
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise RulebookError(file, "examples", str(error).splitlines()[0]) from None
    for index, example in enumerate(examples):
        answer = _QUESTIONS.get(example.ask)
        if answer is None:
            raise RulebookError(file, f"examples.{index}.ask", f"{example.ask!r} is none of {', '.join(_QUESTIONS)}")
        try:
            got = answer(laws, book, example.given)
        except (KeyError, TypeError, StopIteration) as error:
            raise RulebookError(file, f"examples.{index}.given", f"cannot be asked: {error}") from None
        yield ExampleResult(book.city.slug, book.id, example.name, example.expect, got)


def _agrees(key: str, expected: Any, got: Mapping[str, Any]) -> bool:
    if key == "has":
        return set(expected) <= set(got["items"])
    if key == "lacks":
        return not set(expected) & set(got["items"])
    value = got.get(key)
    return bool(str(value) == str(expected) if isinstance(expected, str) else value == expected)


def _told(answer: Answer, **values: Any) -> Told:
    return {
        "standing": answer.standing.value,
        "cite": answer.cite.locator,
        **{name: "none" if value is None else value for name, value in values.items()},
    }


def _term(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = deadline(book, given["rule"], given["start"], laws.calendar(book.city.slug))
    return _told(found, due=found.ends_on)


def _eligibility(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = eligibility(
        book, given.get("facts", {}), given["on"], bearers=given.get("for"), readings=given.get("readings")
    )
    finding = next((one for one in found if one.rule == given["rule"]), None)
    return {"verdict": "none"} if finding is None else _told(finding, verdict=finding.verdict)


def _checklist(laws: Laws, book: Rulebook, given: Told) -> Told:
    facts = given.get("facts", {})
    items = [item for item in book.requirements(given["for"], given["on"]) if item.applies(facts) is not False]
    return {"items": [item.id for item in items]}


def _requirement(laws: Laws, book: Rulebook, given: Told) -> Told:
    item = next(item for item in book.requirements(given["for"], given["on"]) if item.id == given["rule"])
    return {
        "kind": item.kind,
        "cite": item.cite.locator,
        "standing": item.standing.value,
        "blocking": item.blocking,
        "months": item.valid_for.months if item.valid_for else "none",
        "alternatives": len(item.alternatives),
    }


def _dues(laws: Laws, book: Rulebook, given: Told) -> Told:
    facts = {key: value for key, value in given.items() if key == "requested_on"}
    found = dues(book, given["for"], given["year"], laws.calendar(book.city.slug), facts)
    due = next((due for due in found if due.rule == given["rule"]), None)
    if due is None:
        return {"due": "none", "amount": "none"}
    return _told(due, due=due.due_on, amount=due.amount, unit=due.unit, payer=due.payer.value, exempt=due.exempt)


def _expiry(laws: Laws, book: Rulebook, given: Told) -> Told:
    which = {"bearer": given.get("for"), "provisional": given.get("provisional", False)}
    paper = certificate(book, given["start"], **which)
    if paper is None:
        return {"expires": "none"}
    return _told(paper, expires=expires_on(book, given["start"], **which))


def _renewal(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = renewal(book, given["expires"], laws.calendar(book.city.slug), bearer=given.get("for"))
    if found is None:
        return {"ask_by": "none"}
    return _told(found, ask_by=found.ask_by, extends=found.extends)


def _periodic(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = next(one for one in periodic(book, given["for"]) if one.rule == given["rule"])
    return _told(found, months=found.months, days=found.days, business_day=found.business_day, may=found.may)


def _queue(laws: Laws, book: Rulebook, given: Told) -> Told:
    queue = book.queue_for(given["kind"], given.get("subject"))
    return {"queue": queue.key, "organ": book.organs[queue.organ].name}


def _subject(laws: Laws, book: Rulebook, given: Told) -> Told:
    subject = book.subject(given["subject"])
    return {"provisions": [cite.locator for cite in subject.provisions] if subject is not None else "none"}


def _ground(laws: Laws, book: Rulebook, given: Told) -> Told:
    ground = book.grounds_by_key[given["ground"]]
    return {"named": ground.named, "cite": ground.cite.locator if ground.cite else "none"}


def _representation(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = book.representation
    basis = str(book.complaint_basis())
    return {"exists": found is not None, "requires": list(found.requires) if found else [], "basis": basis}


def _fine(laws: Laws, book: Rulebook, given: Told) -> Told:
    version = book.rule(given["rule"], PenaltyClassRule).version(given.get("on", date.max))
    if version is None:
        return {}
    told = {"least": version.least, "most": version.most, "unit": version.unit}
    return {**{key: "none" if value is None else value for key, value in told.items()}, "cite": version.cite.locator}


def _events(given: Told) -> tuple[Event, ...]:
    return tuple(Event(**event) for event in given.get("events", ()))


def _validity(laws: Laws, book: Rulebook, given: Told) -> Told:
    events = _events(given)
    found = validity(book, events, given["on"], laws.calendar(book.city.slug), bearer=given.get("for"))
    if found is None:
        return {"state": "none"}
    return _told(found, state=found.state, until=found.until, may_work=found.may_work, back=found.may_ask_from)


def _penalties(book: Rulebook, given: Told) -> Penalties:
    priors = tuple(Prior(**{"infraction": given["infraction"], **prior}) for prior in given.get("priors", ()))
    return penalty(book, given["infraction"], priors, given["on"], readings=given.get("readings"))


def _penalty(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = _penalties(book, given)
    wanted = given.get("action", "fine")
    one = next((answer for answer in found.answers if answer.action.value == wanted), None)
    actions = [answer.action.value for answer in found.answers]
    if one is None:
        return {"items": actions, "least": "none", "most": "none"}
    lasts = (one.shortest, one.longest)
    shortest, longest = (None if length is None else f"{length.amount} {length.unit.value}" for length in lasts)
    told = _told(one, least=one.least, most=one.most, unit=one.unit, shortest=shortest, longest=longest)
    return {**told, "items": actions, "may": one.may, "until": one.until or "none"}


def _recidivism(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = next((one for one in _penalties(book, given).recidivism if given.get("rule") in (None, one.rule)), None)
    return {"count": "none"} if found is None else _told(found, count=found.count, effect=found.effect)


def _quota(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = quota(book, given["population"])
    return {"most": "none"} if found is None else _told(found, most=found.most)


def _tariff(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = tariff_band(book, given["at"], laws.calendar(book.city.slug))
    return {"band": "none"} if found is None else _told(found, band=found.band)


def _complete(laws: Laws, book: Rulebook, given: Told) -> Told:
    found = representation_completeness(book, given["report"])
    return {"complete": "none"} if found is None else _told(found, complete=found.complete, missing=len(found.missing))


def _rule(laws: Laws, book: Rulebook, given: Told) -> Told:
    rule = book.rules.get(given["rule"])
    version = rule.version(given.get("on", date.max)) if rule is not None else None
    if rule is None or version is None:
        return {"kind": "none"}
    told: Told = {"kind": rule.kind, "cite": version.cite.locator, "standing": version.standing.value}
    for name in ("length", "bar", "least", "most", "window"):
        value = getattr(version, name, None)
        told[name] = f"{value.amount} {value.unit.value}" if isinstance(value, Length) else value or "none"
    told["requires"] = len(getattr(version, "requires", ()))
    told["bearers"] = [bearer.value for bearer in getattr(rule, "bearers", ())]
    told["infraction"] = getattr(version, "infraction", None) or "none"
    return told


_QUESTIONS: dict[str, Callable[[Laws, Rulebook, Told], Told]] = {
    "term": _term,
    "eligibility": _eligibility,
    "checklist": _checklist,
    "requirement": _requirement,
    "dues": _dues,
    "expiry": _expiry,
    "renewal": _renewal,
    "periodic": _periodic,
    "queue": _queue,
    "subject": _subject,
    "ground": _ground,
    "representation": _representation,
    "fine": _fine,
    "validity": _validity,
    "penalty": _penalty,
    "recidivism": _recidivism,
    "quota": _quota,
    "tariff": _tariff,
    "complete": _complete,
    "rule": _rule,
}
