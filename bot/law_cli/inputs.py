"""What a jurist types or hands in as a file: cities, rules, facts, events. A mistake ends with one sentence."""

from __future__ import annotations

import json
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from domain.law.conditions import FactValue
from domain.law.conduct import ConductRule, InfractionRule, RetentionRule, SanctionRule
from domain.law.fields import Bearer
from domain.law.loader import Laws
from domain.law.model import FactQuestion, Rulebook
from domain.law.penalties import Prior, infractions
from domain.law.places import NoPlace, Place, places, written
from domain.law.renewal import Periodic, periodic
from domain.law.rules import RequirementRule, TermRule
from domain.law.validity import EVENTS, Event

TYPES = {"date": "a date", "year": "a year", "number": "a whole number", "plate": "a text", "yesno": "true or false"}


class Refused(Exception):
    """What was asked cannot be answered; the message is one sentence."""


def nearest(asked: str, names: Iterable[str], what: str) -> Refused:
    """Return the refusal that names what is nearest to what was typed."""
    known = {name.casefold(): name for name in names}
    near = [known[name] for name in get_close_matches(asked.casefold(), known, n=3, cutoff=0.4)]
    some = ", ".join(near or list(known.values())[:12])
    return Refused(f"There is no {what} {asked!r}; the nearest are: {some or 'none'}.")


def city_of(laws: Laws, asked: str) -> str:
    """Return a city's slug.

    Raises:
        Refused: The process does not serve it.
    """
    if asked in laws:
        return asked
    raise Refused(unknown_city(asked, laws))


def unknown_city(asked: str, laws: Laws) -> str:
    """Return the sentence for a city that is not served: those whose slugs or names are nearest."""
    slugs = {city.slug: city.slug for city in laws.cities()} | {
        city.name.casefold(): city.slug for city in laws.cities()
    }
    near = dict.fromkeys(slugs[name] for name in get_close_matches(asked.casefold(), slugs, n=3, cutoff=0.4))
    return f"There is no city {asked!r}; the nearest are: {', '.join(near or laws)}."


def term_of(book: Rulebook, asked: str) -> TermRule | RetentionRule | Periodic:
    """Return a term, or how long something is kept, by its id, its place or words of its label; or a duty that returns.

    Raises:
        Refused: None fits, or several do.
    """
    own_terms: list[TermRule | RetentionRule] = [*book.of_kind(TermRule), *book.of_kind(RetentionRule)]
    terms = {rule.id: rule for rule in (*book.federal.of_kind(TermRule), *own_terms)}
    duties = {duty.rule: duty for bearer in Bearer for duty in periodic(book, bearer)}
    known: dict[str, TermRule | RetentionRule | Periodic] = {**duties, **terms}
    if asked in known:
        return known[asked]
    cited = {key: one.cite for key, one in duties.items()} | {rule.id: rule.newest.cite for rule in own_terms}
    at = {key: places(cite.locator) for key, cite in cited.items() if cite.source == book.id}
    wanted = _places(asked)
    found = [key for key, own in at.items() if any(place in wanted for place in own)]
    if not found:
        found = [key for key, own in at.items() if any(place[: len(one)] == one for one in wanted for place in own)]
    if not found and not wanted:
        words = _bare(asked).split()
        found = [key for key, one in known.items() if all(word in _bare(one.label) for word in words)]
    if len(found) == 1:
        return known[found[0]]
    if found:
        raise Refused(f"{asked!r} is more than one term: {', '.join(found[:12])}.")
    raise nearest(asked, known, "term")


def infraction_of(book: Rulebook, asked: str, on: date) -> str:
    """Return an infraction by its id, by its place ("art. 20, III") or by words of its label.

    Raises:
        Refused: None fits, or several do.
    """
    known = {rule.id: rule for rule in infractions(book, on)}
    if asked in known:
        return asked
    found = _at_place(book, asked, on)
    if not found:
        words = _bare(asked).split()
        found = [rule.id for rule in known.values() if all(word in _bare(rule.label) for word in words)]
        found = [key for key in found if not _set_aside(book, key, on)] or found
    if not found:  # what somebody must do or not do, in the words of that
        told = [rule for rule in book.of_kind(ConductRule) if all(word in _bare(rule.label) for word in words)]
        found = list(dict.fromkeys(key for rule in told for key in _punished_as(rule, on)))
    conduct = book.rules.get(asked)
    if isinstance(conduct, ConductRule):
        found = _punished_as(conduct, on)
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(f"{asked!r} is more than one infraction: {', '.join(found[:12])}.")
    raise nearest(asked, known, "infraction")


def unpunished(book: Rulebook, asked: str, on: date) -> list[ConductRule]:
    """Return the duties and prohibitions, by id or place, to which the law ties no penalty of their own."""
    wanted = _places(asked)
    return [
        rule
        for rule in book.of_kind(ConductRule)
        if rule.kind != "permission" and (version := rule.version(on)) is not None and not _punished_as(rule, on)
        if rule.id == asked or (version.cite.source == book.id and places(version.cite.locator)[0] in wanted)
    ]


def sanctions_of(book: Rulebook, asked: str, on: date) -> list[SanctionRule]:
    """Return the penalties of which the law says, or does not say, how long they last: by id, place or words."""
    wanted, words = _places(asked), _bare(asked).split()
    found = [(rule, version) for rule in book.of_kind(SanctionRule) if (version := rule.version(on)) is not None]
    known = [(rule, version) for rule, version in found if version.bar or version.most or version.no_value]
    return [
        rule
        for rule, version in known
        if rule.id == asked
        or any(place in wanted for cite in (version.cite, *version.also) for place in places(cite.locator))
        or (not wanted and all(word in _bare(rule.label) for word in words))
    ]


def places_of(book: Rulebook, asked: str) -> tuple[Place, ...]:
    """Return the places that an article names: "12", "art. 12", "art. 12, III".

    Raises:
        Refused: This law does not have it.
    """
    text = f"art. {asked}" if asked[:1].isdigit() else asked
    try:
        found = places(text)
    except NoPlace:
        raise Refused(f"{asked!r} is no place such as 'art. 12, III'.") from None
    listed = book.provisions.listed if book.provisions is not None else ()
    for place in found:
        if listed and place not in listed:
            raise nearest(written(place), (written(one) for one in listed), "place")
    return found


def read_file(path: Path) -> Any:
    """Return what a TOML or JSON file holds.

    Raises:
        Refused: It cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}).") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise Refused(f"{path} is neither TOML nor JSON: {str(error).splitlines()[0]}.") from None


def read_facts(path: Path, book: Rulebook) -> tuple[dict[str, FactValue], dict[str, bool]]:
    """Return the facts of a file, and which requirements it says are at hand (``has``, ``lacks``).

    Raises:
        Refused: A key is not known, or a value is not of its kind.
    """
    raw = read_file(path)
    if not isinstance(raw, dict):
        raise Refused(f"{path} holds no facts by name.")
    held: dict[str, bool] = {}
    known = [rule.id for rule in book.of_kind(RequirementRule)]
    for key, value in (("has", True), ("lacks", False)):
        for item in raw.pop(key, ()):
            if item not in known:
                raise nearest(str(item), known, "requirement")
            held[item] = value
    return {key: fact(book, key, value) for key, value in raw.items()}, held


def fact(book: Rulebook, key: str, value: Any) -> FactValue:
    """Return a fact in its kind; a date may be a text such as 2026-03-18.

    Raises:
        Refused: The key is not known, or the value is not of its kind.
    """
    question = book.catalogue.get(key)
    if question is None:
        raise nearest(key, book.catalogue, "fact")
    if question.kind == "date" and isinstance(value, str):
        return day(value, key)
    if not _fits(question, value):
        options = " or ".join(option.key for option in question.options)
        raise Refused(f"The fact {key!r} must be {options or TYPES[question.kind]}, not {value!r}.")
    told: FactValue = value
    return told


def read_events(path: Path) -> tuple[Event, ...]:
    """Return the events of a certificate.

    Raises:
        Refused: A kind or key is not known, or a day is missing.
    """
    return tuple(_event(one) for one in _rows(path, "events"))


def read_priors(path: Path, book: Rulebook, on: date) -> tuple[Prior, ...]:
    """Return earlier infractions.

    Raises:
        Refused: An infraction or key is not known, or a day is missing.
    """
    found = []
    for one in _rows(path, "priors"):
        told = _known({**one}, Prior, "a prior")
        if "committed_on" not in told or "infraction" not in told:
            raise Refused("Each prior needs 'infraction' and 'committed_on'.")
        told["infraction"] = infraction_of(book, str(told["infraction"]), on)
        found.append(Prior(**told))
    return tuple(found)


def day(text: Any, key: str) -> date:
    """Return a day.

    Raises:
        Refused: It is none.
    """
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        raise Refused(f"{key!r} is {text!r}, not a day such as 2026-03-18.") from None


def _fits(question: FactQuestion, value: Any) -> bool:
    match question.kind:
        case "date":
            return isinstance(value, date)
        case "yesno":
            return isinstance(value, bool)
        case "year" | "number":
            return isinstance(value, int) and not isinstance(value, bool)
        case "choice":
            return value in {option.key for option in question.options}
    return isinstance(value, str)


def _event(one: Mapping[str, Any]) -> Event:
    told = _known({**one}, Event, "an event")
    if told.get("kind") not in EVENTS:
        raise nearest(str(told.get("kind")), EVENTS, "kind of event")
    if "on" not in told:
        raise Refused(f"The event {told['kind']!r} needs its day, 'on'.")
    return Event(**told)


def _known(raw: dict[str, Any], kind: type[Event] | type[Prior], what: str) -> dict[str, Any]:
    names = [field.name for field in fields(kind)]
    for key in raw:
        if key not in names:
            raise nearest(key, names, f"key of {what}")
    return {
        key: day(value, key) if key == "on" or key == "until" or key.endswith("_on") else value
        for key, value in raw.items()
    }


def _rows(path: Path, name: str) -> list[Mapping[str, Any]]:
    raw = read_file(path)
    rows = raw.get(name) if isinstance(raw, dict) else raw
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Refused(f"{path} holds no list of {name}.")
    return rows


def _at_place(book: Rulebook, asked: str, on: date) -> list[str]:
    """Return the infractions of a place of the law, or of what lies in it."""
    wanted = _places(asked)
    exact: list[str] = []
    inside: list[str] = []
    besides: list[str] = []
    for rule in book.rules.values():
        version = rule.version(on)
        if version is None or not isinstance(rule, InfractionRule | ConductRule):
            continue
        charged = [rule.id] if isinstance(rule, InfractionRule) else _punished_as(rule, on)
        place = places(version.cite.locator)[0]  # where it stands first; others complete it
        exact += charged if place in wanted else []
        inside += charged if any(place[: len(one)] == one for one in wanted) else []
        besides += charged if any(one in wanted for cite in version.also for one in places(cite.locator)) else []
    return list(dict.fromkeys(exact or inside or besides))


def _places(asked: str) -> tuple[Place, ...]:
    try:
        return places(f"art. {asked}" if asked[:1].isdigit() else asked)
    except NoPlace:
        return ()


def _set_aside(book: Rulebook, key: str, on: date) -> bool:
    """Tell whether the reading in use makes a fact another infraction than this one."""
    rule = book.rules[key]
    told = rule.version(on) if isinstance(rule, InfractionRule) else None
    return told is not None and told.disputed is not None and book.reading(told.disputed) != told.reading


def _punished_as(conduct: ConductRule, on: date) -> list[str]:
    told = conduct.version(on)
    if told is None:
        return []
    return [told.infraction] if told.infraction is not None else [conduct.id] if told.penalty_class is not None else []


def _bare(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
