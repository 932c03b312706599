"""Reads rulebooks from TOML. A broken file stops the start with one sentence: file, key, reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from domain.law.calendar import Calendar, DayRule
from domain.law.conditions import facts_in
from domain.law.consistency import CASE_KINDS, check, known_facts
from domain.law.model import City, FactQuestion, Federal, RejectReason, Rulebook
from domain.law.overlay import NOTHING, CitySettings, apply_settings, check_settings, read_settings
from domain.law.provisions import Provisions, provisions_of
from domain.law.reading import RulebookError, in_one_line, model, read, resolve_citations, with_ids
from domain.law.said import SaidWords

__all__ = ["CASE_KINDS", "Laws", "RulebookError", "load_laws"]
CONDUCT, PROVISIONS, EXAMPLES = "-conduct.toml", "-provisions.toml", "-examples.toml"


class Laws:
    """Every rulebook that the process serves, indexed once."""

    def __init__(
        self,
        rulebooks: Iterable[Rulebook],
        *,
        federal: Federal,
        facts: Mapping[str, FactQuestion],
        reasons: Iterable[RejectReason],
        settings: Mapping[str, CitySettings] | None = None,
        words: SaidWords | None = None,
    ) -> None:
        self._books: dict[str, dict[str, Rulebook]] = {}
        for book in rulebooks:
            self._books.setdefault(book.city.slug, {})[book.service.key] = book
        self._rulebooks = {slug: tuple(books.values()) for slug, books in self._books.items()}
        cities = [next(iter(books.values())).city for books in self._books.values()]
        self._cities = {city.slug: city for city in sorted(cities, key=lambda city: _unaccented(city.name))}
        self._calendars: dict[str, Calendar] = {}
        self._settings = dict(settings or {})
        self.federal = federal
        self.words = words or SaidWords()
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
        return self._rulebooks[city_slug]

    def rulebook(self, city_slug: str, service_key: str | None = None) -> Rulebook:
        """Return the rulebook of a service; without a key, the city's first.

        Raises:
            KeyError: The city or the service is not known.
        """
        books = self._books[city_slug]
        return books[service_key] if service_key is not None else next(iter(books.values()))

    def find(self, city_slug: str | None, service_key: str | None) -> Rulebook | None:
        """Return the rulebook of a service, if it is served; in a city with one service the key can be left out."""
        books = self._books.get(city_slug or "", {})
        return next(iter(books.values())) if service_key is None and len(books) == 1 else books.get(service_key or "")

    def settings(self, city_slug: str) -> CitySettings:
        """Return what a city entered at its counter."""
        return self._settings.get(city_slug, NOTHING)

    def calendar(self, city_slug: str, extra: Iterable[DayRule] = ()) -> Calendar:
        """Return the city's calendar: national, state and municipal days, and those that the city entered."""
        city = self._cities[city_slug]
        if city_slug not in self._calendars:
            days = (*self.federal.days.get(city.uf, ()), *city.days, *self.settings(city_slug).days)
            self._calendars[city_slug] = Calendar(city.zone, days, uf=city.uf)
        entered = tuple(extra)
        return self._calendars[city_slug].with_days(entered) if entered else self._calendars[city_slug]


def load_laws(
    directory: Path | None = None, only: Collection[str] | None = None, *, settings: Path | None = None
) -> Laws:
    """Read and check the rulebooks.

    Args:
        directory: A folder with one folder per city; the package's own when not given. What it does not bring of the
            shared files (facts, reasons, words, federal rules) is taken from the package.
        only: Slugs of the cities to read.
        settings: A folder with what cities entered, one file per city.

    Raises:
        RulebookError: A file cannot be used, or a city of ``only`` has no rulebook.
    """
    package = files("domain.rulebooks")
    root: Traversable = directory if directory is not None else package

    def shared(name: str) -> dict[str, Any]:
        own = root / name
        return read(own if own.is_file() else package / name, name)

    facts = _facts(shared("facts.toml"))
    reasons = _reasons(shared("reasons.toml"))
    federal = _federal(shared("federal.toml"))
    words = model(SaidWords, shared("words.toml"), "words.toml")
    books: list[Rulebook] = []
    entered: dict[str, CitySettings] = {}
    for folder_given in (directory, settings):
        if folder_given is not None and not folder_given.is_dir():
            raise RulebookError(str(folder_given), "(folder)", "is no folder")
    folders = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=lambda entry: entry.name)
    for file in sorted(settings.glob("*.toml")) if settings is not None else ():
        if file.stem not in {folder.name for folder in folders}:
            raise RulebookError(file.name, "(file)", "names no city that has a rulebook")
    for folder in folders:
        if only is None or folder.name in only:
            entered[folder.name] = read_settings(settings, folder.name) if settings is not None else NOTHING
            books.extend(_city(folder, facts, federal, entered[folder.name]))
    for slug in only or ():
        if slug not in {book.city.slug for book in books}:
            raise RulebookError(slug, "city", "there is no rulebook in the folder of this city")
    return Laws(books, federal=federal, facts=facts, reasons=reasons, settings=entered, words=words)


def _unaccented(name: str) -> str:
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()


def _city(
    folder: Traversable, facts: dict[str, FactQuestion], federal: Federal, settings: CitySettings
) -> Iterator[Rulebook]:
    seen: dict[str, Rulebook] = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not entry.name.endswith(".toml") or entry.name.endswith((CONDUCT, PROVISIONS, EXAMPLES)):
            continue
        law = entry.name.removesuffix(".toml")
        file = f"{folder.name}/{entry.name}"
        raw = read(entry, file)
        raw.setdefault("id", law)
        _join(raw, folder / f"{law}{CONDUCT}", f"{folder.name}/{law}{CONDUCT}")
        in_one_line(raw, raw.pop("in_force_from", None))
        apply_settings(raw, settings, f"{folder.name}.toml")
        listed = _provisions(folder / f"{law}{PROVISIONS}", f"{folder.name}/{law}{PROVISIONS}")
        book = _rulebook(raw, file, federal)
        readings = {key: choice.reading for key, choice in settings.readings.items()}
        book.bind(catalogue=facts, federal=federal, provisions=listed, readings=readings)
        check(book, folder.name, file, facts)
        for other in seen.values():
            if other.city != book.city:
                raise RulebookError(file, "city", f"differs from the city of {other.id}")
        if book.service.key in seen:
            raise RulebookError(file, "service.key", f"{book.service.key!r} is also the service of another rulebook")
        seen[book.service.key] = book
        yield book
    rules = {key for book in seen.values() for key in book.rules}
    doubts = {key: doubt.readings for book in seen.values() for key, doubt in book.doubts.items()}
    check_settings(settings, rules, doubts, f"{folder.name}.toml")


def _join(raw: dict[str, Any], entry: Traversable, file: str) -> None:
    """Add the second file of a law: duties, infractions, sanctions, procedure."""
    if not entry.is_file():
        return
    more = read(entry, file)
    in_one_line(more, more.pop("in_force_from", None))
    for name, section in more.items():
        if name not in ("rules", "doubts") or not isinstance(section, dict):
            raise RulebookError(file, name, "this key is not known")
        into = raw.setdefault(name, {})
        for key, value in section.items():
            if key in into:
                raise RulebookError(file, f"{name}.{key}", "is also in the law's first file")
            into[key] = value


def _provisions(entry: Traversable, file: str) -> Provisions | None:
    return provisions_of(read(entry, file), file) if entry.is_file() else None


def _rulebook(raw: dict[str, Any], file: str, federal: Federal) -> Rulebook:
    with_ids(raw, file)
    sources = raw.setdefault("sources", {})
    if isinstance(sources, dict):
        if raw["id"] not in sources:
            raise RulebookError(file, f"sources.{raw['id']}", "the law that gives the file its name is missing")
        for source in federal.sources.values():
            sources.setdefault(source.id, source.model_dump())
    resolve_citations(raw, raw["id"], sources, file)
    return model(Rulebook, raw, file)


def _federal(raw: dict[str, Any]) -> Federal:
    with_ids(raw, "federal.toml")
    resolve_citations(raw, "", raw.get("sources", {}), "federal.toml")
    return model(Federal, raw, "federal.toml")


def _facts(raw: dict[str, Any]) -> dict[str, FactQuestion]:
    questions = {
        key: model(FactQuestion, {**value, "key": key}, "facts.toml", f"facts.{key}")
        for key, value in raw.get("facts", {}).items()
    }
    for key, question in questions.items():
        if question.condition is not None:
            known_facts(facts_in(question.condition), questions, "facts.toml", f"facts.{key}.condition")
    return questions


def _reasons(raw: dict[str, Any]) -> list[RejectReason]:
    return [
        model(RejectReason, {**value, "code": code}, "reasons.toml", f"reasons.{code}")
        for code, value in raw.get("reasons", {}).items()
    ]
