"""Reads rulebooks from TOML. A broken file stops the start with one sentence: file, key, reason."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from domain.law.calendar import Calendar, DayRule
from domain.law.citations import LOCATOR, Citation, articles_in
from domain.law.conditions import compared_values, facts_in
from domain.law.model import City, FactQuestion, Federal, RejectReason, Rulebook, facts_of
from domain.law.rules import FeeRule, RenewalRule, RequirementRule, RequirementVersion, TermRule

ModelT = TypeVar("ModelT", bound=BaseModel)
CASE_KINDS = ("registration", "complaint", "discrimination", "irregularity")
SECTIONS_WITH_ID = ("rules", "organs", "doubts", "sources")
SECTIONS_WITH_KEY = ("applicants", "queues", "subjects", "grounds")
_REASONS = {
    "extra_forbidden": "this key is not known",
    "missing": "this key is missing",
    "union_tag_not_found": "this key is missing",
}


class RulebookError(Exception):
    """A rulebook cannot be used: which file, which key, why."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason


class Laws:
    """Every rulebook that the process serves, indexed once."""

    def __init__(
        self,
        rulebooks: Iterable[Rulebook],
        *,
        federal: Federal,
        facts: Mapping[str, FactQuestion],
        reasons: Iterable[RejectReason],
    ) -> None:
        self._books: dict[str, dict[str, Rulebook]] = {}
        for book in rulebooks:
            self._books.setdefault(book.city.slug, {})[book.service.key] = book
        cities = [next(iter(books.values())).city for books in self._books.values()]
        self._cities = {city.slug: city for city in sorted(cities, key=lambda city: _unaccented(city.name))}
        self._calendars: dict[str, Calendar] = {}
        self.federal = federal
        self.facts = dict(facts)
        self.reject_reasons: dict[str, RejectReason] = {reason.code: reason for reason in reasons}

    def __len__(self) -> int:
        return len(self._cities)

    def __iter__(self) -> Iterator[str]:
        return iter(self._cities)

    def __contains__(self, slug: object) -> bool:
        return slug in self._cities

    def cities(self) -> tuple[City, ...]:
        """Return the cities by name."""
        return tuple(self._cities.values())

    def city(self, slug: str) -> City:
        """Return a city.

        Raises:
            KeyError: The process does not serve it.
        """
        return self._cities[slug]

    def rulebooks(self, city_slug: str) -> tuple[Rulebook, ...]:
        """Return the rulebooks of a city."""
        return tuple(self._books[city_slug].values())

    def rulebook(self, city_slug: str, service_key: str | None = None) -> Rulebook:
        """Return the rulebook of a service; without a key, the city's first.

        Raises:
            KeyError: The city or the service is not known.
        """
        books = self._books[city_slug]
        return books[service_key] if service_key is not None else next(iter(books.values()))

    def calendar(self, city_slug: str, extra: Iterable[DayRule] = ()) -> Calendar:
        """Return the city's calendar: national, state and municipal days, and those that the city entered."""
        city = self._cities[city_slug]
        if city_slug not in self._calendars:
            days = (*self.federal.days.get(city.uf, ()), *city.days)
            self._calendars[city_slug] = Calendar(city.zone, days, uf=city.uf)
        entered = tuple(extra)
        return self._calendars[city_slug].with_days(entered) if entered else self._calendars[city_slug]


def load_laws(directory: Path | None = None, only: Collection[str] | None = None) -> Laws:
    """Read and check the rulebooks.

    Args:
        directory: A folder with one folder per city; the package's own when not given. What it does not bring of the
            shared files (facts, reasons, federal rules) is taken from the package.
        only: Slugs of the cities to read.

    Raises:
        RulebookError: A file cannot be used, or a city of ``only`` has no rulebook.
    """
    package = files("domain.rulebooks")
    root: Traversable = directory if directory is not None else package

    def shared(name: str) -> dict[str, Any]:
        own = root / name
        return _read(own if own.is_file() else package / name, name)

    facts = _facts(shared("facts.toml"))
    reasons = _reasons(shared("reasons.toml"))
    federal = _federal(shared("federal.toml"))
    books: list[Rulebook] = []
    folders = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=lambda entry: entry.name)
    for folder in folders:
        if only is None or folder.name in only:
            books.extend(_city(folder, facts, federal))
    for slug in only or ():
        if slug not in {book.city.slug for book in books}:
            raise RulebookError(slug, "city", "there is no rulebook in the folder of this city")
    return Laws(books, federal=federal, facts=facts, reasons=reasons)


def _unaccented(name: str) -> str:
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()


def _city(folder: Traversable, facts: dict[str, FactQuestion], federal: Federal) -> Iterator[Rulebook]:
    seen: dict[str, Rulebook] = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not entry.name.endswith(".toml") or entry.name.endswith("-examples.toml"):
            continue
        file = f"{folder.name}/{entry.name}"
        raw = _read(entry, file)
        raw.setdefault("id", entry.name.removesuffix(".toml"))
        book = _rulebook(raw, file, federal).bind(catalogue=facts, federal=federal)
        _check(book, folder.name, file, facts)
        for other in seen.values():
            if other.city != book.city:
                raise RulebookError(file, "city", f"differs from the city of {other.id}")
        if book.service.key in seen:
            raise RulebookError(file, "service.key", f"{book.service.key!r} is also the service of another rulebook")
        seen[book.service.key] = book
        yield book


def _rulebook(raw: dict[str, Any], file: str, federal: Federal) -> Rulebook:
    _with_ids(raw, file)
    sources = raw.setdefault("sources", {})
    if isinstance(sources, dict):
        if raw["id"] not in sources:
            raise RulebookError(file, f"sources.{raw['id']}", "the law that gives the file its name is missing")
        for source in federal.sources.values():
            sources.setdefault(source.id, source.model_dump())
    _resolve_citations(raw, raw["id"], sources, file)
    return _model(Rulebook, raw, file)


def _federal(raw: dict[str, Any]) -> Federal:
    _with_ids(raw, "federal.toml")
    _resolve_citations(raw, "", raw.get("sources", {}), "federal.toml")
    return _model(Federal, raw, "federal.toml")


def _facts(raw: dict[str, Any]) -> dict[str, FactQuestion]:
    questions = {
        key: _model(FactQuestion, {**value, "key": key}, "facts.toml", f"facts.{key}")
        for key, value in raw.get("facts", {}).items()
    }
    for key, question in questions.items():
        if question.condition is not None:
            _known_facts(facts_in(question.condition), questions, "facts.toml", f"facts.{key}.condition")
    return questions


def _reasons(raw: dict[str, Any]) -> list[RejectReason]:
    return [
        _model(RejectReason, {**value, "code": code}, "reasons.toml", f"reasons.{code}")
        for code, value in raw.get("reasons", {}).items()
    ]


def _read(entry: Traversable, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(entry.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulebookError(file, "(file)", f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RulebookError(file, "(file)", "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(file, "(file)", f"is not TOML: {error}") from None


def _model(model: type[ModelT], raw: Mapping[str, Any], file: str, prefix: str = "") -> ModelT:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        steps = [str(step) for step in first["loc"]]
        if len(steps) > 2 and steps[0] == "rules":
            del steps[2]  # the kind, by which the model was chosen
        key = ".".join(part for part in (prefix, *steps) if part) or "(file)"
        reason = _REASONS.get(first["type"]) or first["msg"].removeprefix("Value error, ")
        value = first.get("input")
        shown = f" (it says {value!r})" if isinstance(value, str | int | float) and "{" not in reason else ""
        raise RulebookError(file, key, reason + shown) from None


def _with_ids(raw: dict[str, Any], file: str) -> None:
    for name, field in (*((s, "id") for s in SECTIONS_WITH_ID), *((s, "key") for s in SECTIONS_WITH_KEY)):
        section = raw.get(name)
        for key, value in section.items() if isinstance(section, dict) else ():
            if isinstance(value, dict):
                if field in value:
                    raise RulebookError(file, f"{name}.{key}.{field}", "this key is not known")
                value[field] = key


def _resolve_citations(raw: Any, main: str, sources: Any, file: str, path: tuple[str, ...] = ()) -> None:
    """Turn every citation into source, locator and the law's short name; "art. 3º" alone cites the main source."""
    if isinstance(raw, list):
        for index, item in enumerate(raw):
            _resolve_citations(item, main, sources, file, (*path, str(index)))
    if not isinstance(raw, dict):
        return
    for key, value in raw.items():
        here = (*path, key)
        if key == "cite" or key.endswith("_cite"):
            raw[key] = _citation(value, main, sources, file, ".".join(here))
        elif key == "provisions" and isinstance(value, list):
            raw[key] = [_citation(item, main, sources, file, ".".join(here)) for item in value]
        else:
            _resolve_citations(value, main, sources, file, here)


def _citation(value: Any, main: str, sources: Any, file: str, key: str) -> Citation:
    given = {"source": main, "locator": value} if isinstance(value, str) else value
    cite = _model(Citation, given if isinstance(given, dict) else {"locator": given}, file, key)
    source = sources.get(cite.source) if isinstance(sources, dict) else None
    if not isinstance(source, dict):
        raise RulebookError(file, key, f"cites the source {cite.source!r}, which is not listed")
    if not LOCATOR.match(cite.locator):
        raise RulebookError(file, key, f"{cite.locator!r} is not a place such as 'art. 3º, § 1º, II'")
    last = source.get("articles")
    for number in articles_in(cite.locator):
        if isinstance(last, int) and not 1 <= number <= last:
            raise RulebookError(file, key, f"cites art. {number}, but {cite.source} ends with art. {last}")
    return cite.model_copy(update={"law": str(source.get("short", cite.source))})


def _check(book: Rulebook, slug: str, file: str, facts: dict[str, FactQuestion]) -> None:
    """Refuse what each part allows and the whole does not: references to nothing, facts that nobody asks."""

    def refuse(key: str, reason: str) -> None:
        raise RulebookError(file, key, reason)

    if book.city.slug != slug:
        refuse("city.slug", f"is {book.city.slug!r}, but the folder is {slug!r}")
    for queue in book.queues.values():
        if queue.organ not in book.organs:
            refuse(f"queues.{queue.key}.organ", f"there is no organ {queue.organ!r}")
    for kind in CASE_KINDS:
        if not any(kind in queue.handles for queue in book.queues.values()):
            refuse("queues", f"no queue handles {kind!r}")
    for subject in book.subjects_by_key.values():
        if subject.queue is not None and subject.queue not in book.queues:
            refuse(f"subjects.{subject.key}.queue", f"there is no queue {subject.queue!r}")
    for doubt in book.doubts.values():
        if doubt.default not in doubt.readings:
            refuse(f"doubts.{doubt.id}.default", f"there is no reading {doubt.default!r}")
    for rule in book.rules.values():
        for index, version in enumerate(rule.versions):
            key = f"rules.{rule.id}.versions.{index}"
            if isinstance(version, RequirementVersion):
                _check_requirement(book, version, file, key, facts)
        if isinstance(rule, RenewalRule) and rule.certificate not in book.rules:
            refuse(f"rules.{rule.id}.certificate", f"there is no certificate {rule.certificate!r}")
        if isinstance(rule, FeeRule):
            for index, fee in enumerate(rule.versions):
                if fee.collector not in book.organs and fee.collector != "operator":
                    refuse(f"rules.{rule.id}.versions.{index}.collector", f"there is no organ {fee.collector!r}")
        if isinstance(rule, TermRule):
            for index, term in enumerate(rule.versions):
                if term.to is not None and term.to not in book.organs:
                    refuse(f"rules.{rule.id}.versions.{index}.to", f"there is no organ {term.to!r}")
    for applicant in book.applicants.values():
        ruled = {bearer for rule in book.of_kind(RequirementRule) for bearer in rule.bearers}
        for bearer in applicant.bearers:
            if bearer not in ruled:
                refuse(f"applicants.{applicant.key}.bearers", f"no requirement falls on {bearer.value!r}")


def _check_requirement(
    book: Rulebook, version: RequirementVersion, file: str, key: str, facts: dict[str, FactQuestion]
) -> None:
    needed = facts_of(version.test, *version.readings.values())
    _known_facts(needed, facts, file, f"{key}.test")
    _known_facts(version.asks, facts, file, f"{key}.asks")
    if version.doubt is not None:
        doubt = book.doubts.get(version.doubt)
        if doubt is None:
            raise RulebookError(file, f"{key}.doubt", f"there is no doubt {version.doubt!r}")
        if doubt.readings.keys() != version.readings.keys():
            raise RulebookError(file, f"{key}.readings", f"are not those of the doubt {version.doubt!r}")
    if version.condition is None:
        return
    _known_facts(facts_in(version.condition), facts, file, f"{key}.condition")
    for fact, value in compared_values(version.condition):
        options = {option.key for option in facts[fact].options}
        if options and value not in options:
            raise RulebookError(file, f"{key}.condition", f"{value!r} is not an answer to {fact!r}")


def _known_facts(keys: Iterable[str], facts: Mapping[str, FactQuestion], file: str, key: str) -> None:
    for fact in keys:
        if fact not in facts:
            raise RulebookError(file, key, f"there is no fact {fact!r} in facts.toml")
