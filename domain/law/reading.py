"""Reads the text of rulebooks: TOML, keys, citations. What is wrong is named with file, key and reason."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from domain.law.citations import LOCATOR, Citation, articles_in
from domain.law.places import NoPlace, places
from domain.law.rules import Rule

ModelT = TypeVar("ModelT", bound=BaseModel)
SECTIONS_WITH_ID = ("rules", "organs", "doubts", "sources")
SECTIONS_WITH_KEY = ("applicants", "queues", "subjects", "grounds")
LISTS_OF_CITATIONS = ("provisions", "also")
HEADERS: dict[str, frozenset[str]] = {
    kind: frozenset(rule.model_fields) - {"versions"}
    for rule in get_args(get_args(Rule)[0])
    for kind in get_args(rule.model_fields["kind"].annotation)
}
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


def read(entry: Traversable, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(entry.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulebookError(file, "(file)", f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RulebookError(file, "(file)", "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(file, "(file)", f"is not TOML: {error}") from None


def model(kind: type[ModelT], raw: Mapping[str, Any], file: str, prefix: str = "") -> ModelT:
    try:
        return kind.model_validate(raw)
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


def with_ids(raw: dict[str, Any], file: str) -> None:
    for name, field in (*((s, "id") for s in SECTIONS_WITH_ID), *((s, "key") for s in SECTIONS_WITH_KEY)):
        section = raw.get(name)
        for key, value in section.items() if isinstance(section, dict) else ():
            if isinstance(value, dict):
                if field in value:
                    raise RulebookError(file, f"{name}.{key}.{field}", "this key is not known")
                value[field] = key


def resolve_citations(raw: Any, main: str, sources: Any, file: str, path: tuple[str, ...] = ()) -> None:
    """Turn every citation into source, locator and the law's short name; "art. 3º" alone cites the main source."""
    if isinstance(raw, list):
        for index, item in enumerate(raw):
            resolve_citations(item, main, sources, file, (*path, str(index)))
    if not isinstance(raw, dict):
        return
    for key, value in raw.items():
        here = (*path, key)
        if key == "cite" or key.endswith("_cite"):
            raw[key] = _citation(value, main, sources, file, ".".join(here))
        elif key in LISTS_OF_CITATIONS and isinstance(value, list):
            raw[key] = [_citation(item, main, sources, file, ".".join(here)) for item in value]
        else:
            resolve_citations(value, main, sources, file, here)


def _citation(value: Any, main: str, sources: Any, file: str, key: str) -> Citation:
    given = {"source": main, "locator": value} if isinstance(value, str) else value
    cite = model(Citation, given if isinstance(given, dict) else {"locator": given}, file, key)
    source = sources.get(cite.source) if isinstance(sources, dict) else None
    if not isinstance(source, dict):
        raise RulebookError(file, key, f"cites the source {cite.source!r}, which is not listed")
    if not LOCATOR.match(cite.locator):
        raise RulebookError(file, key, f"{cite.locator!r} is not a place such as 'art. 3º, § 1º, II'")
    try:
        places(cite.locator)
    except NoPlace as error:
        raise RulebookError(file, key, str(error)) from None
    last = source.get("articles")
    for number in articles_in(cite.locator):
        if isinstance(last, int) and not 1 <= number <= last:
            raise RulebookError(file, key, f"cites art. {number}, but {cite.source} ends with art. {last}")
    return cite.model_copy(update={"law": str(source.get("short", cite.source))})


def in_one_line(raw: dict[str, Any], since: Any) -> None:
    """Give a rule that is written without versions its only one, in force since the law is."""
    for rule in raw.get("rules", {}).values():
        if not isinstance(rule, dict):
            continue
        kept = HEADERS.get(str(rule.get("kind")))
        if kept is None:
            continue  # a kind that is not known is refused as such
        versions = rule.get("versions")
        if versions is None:
            rule["versions"] = versions = [{key: rule.pop(key) for key in tuple(rule) if key not in kept}]
        for version in versions if isinstance(versions, list) and since is not None else ():
            if isinstance(version, dict):
                version.setdefault("in_force_from", since)
