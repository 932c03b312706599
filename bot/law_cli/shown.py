"""``balcao law show``: what one place of a law became, rule by rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from bot.law_cli.asked import Asked
from bot.law_cli.envelope import Said, answer, bearers, nothing, plain
from bot.law_cli.inputs import places_of
from domain.law.answers import Standing
from domain.law.citations import Citation
from domain.law.conduct import ACTIONS, TariffVersion
from domain.law.consistency import citations
from domain.law.model import Rulebook
from domain.law.places import places
from domain.law.rules import PenaltyClassRule, RequirementVersion
from domain.law.versions import Version

FIXED = (
    "amount",
    "length",
    "before",
    "every",
    "business_day",
    "counted_from",
    "payer",
    "capacity",
    "counts_driver",
    "least",
    "most",
    "bar",
    "inhabitants",
    "requires",
    "infraction",
    "window",
    "from_count",
    "factor",
    "becomes",
    "clean",
    "once_in",
)


def show(asked: Asked) -> Iterable[Said]:
    """Yield the rules of a law, or those at one place of it."""
    book = asked.book
    wanted = places_of(book, asked.args.article) if asked.args.article else ()
    cited: dict[str, list[Citation]] = {}
    for key, cite in citations(book):
        section, name = key.split(".")[:2]
        cited.setdefault(name if section == "rules" else f"{section}.{name}", []).append(cite)
    for key, cites in cited.items():
        own = [cite for cite in cites if cite.source == book.id]
        found = {place for cite in own for place in places(cite.locator)}
        if wanted and not any(place[: len(one)] == one for one in wanted for place in found):
            continue
        yield _thing(book, key, cites)
    for place in wanted:
        if book.provisions is not None and place in book.provisions.reasons:
            yield nothing(book, book.provisions.reasons[place], label=", ".join(place))


def _thing(book: Rulebook, key: str, cites: list[Citation]) -> Said:
    section, _, name = key.rpartition(".")
    if not section:
        rule = book.rules[key]
        told = rule.newest
        values = _values(book, told)
        return answer(
            rule=key,
            label=getattr(rule, "what", None) if rule.kind == "scope" else rule.label,
            value=values or rule.label,
            unit=getattr(told, "unit", None),
            standing=told.standing,
            cite=told.cite,
            assumption=told.assumption,
            bearer=", ".join(bearers(rule)) or None,
            steps=[told.no_value] if told.no_value else [],
            kind=rule.kind,
            note=told.note,
            places=[cite.locator for cite in told.also],
        )
    more = [cite.locator for cite in cites[1:]]
    if section == "doubts":
        doubt = book.doubts[name]
        return answer(
            rule=key,
            label=doubt.label,
            value=book.reading(name),
            standing=Standing.ASSUMED,
            cite=doubt.cite,
            assumption=doubt.readings[book.reading(name)],
            readings=doubt.readings,
            default=doubt.default,
        )
    label = {
        "organs": lambda: f"{book.organs[name].name}: {book.organs[name].role}",
        "subjects": lambda: book.subjects_by_key[name].label,
        "grounds": lambda: book.grounds_by_key[name].label,
    }[section]()
    return answer(
        rule=key, label=label, value=label, standing=Standing.STATED, cite=cites[0], kind=section, places=more
    )


def _values(book: Rulebook, told: Version) -> dict[str, Any]:
    """Return what a version fixes, by the names that rulebooks use."""
    values = {name: getattr(told, name) for name in FIXED if getattr(told, name, None) not in (None, (), "")}
    if told.no_value is not None and "window" not in values:  # neither a rhythm nor a count is the law's own here
        values.pop("from_count", None)
        if told.standing is Standing.REGULATION:
            values.pop("every", None)
    held = [getattr(told, name, None) for name in ("valid_for", "due")]
    values |= {name: _whole(one) for name, one in zip(("valid_for", "due"), held, strict=True) if one is not None}
    values |= {"bands": [_whole(band) for band in told.bands]} if isinstance(told, TariffVersion) else {}
    if isinstance(told, RequirementVersion) and (check := book.check_of(told)) is not None:
        values["test"] = _whole(check)
    penalties = [ACTIONS[one.action] for one in getattr(told, "penalties", ())]
    penalties += [ACTIONS[action] for action in getattr(told, "measures", ())]
    if penalties:
        values["penalties"] = penalties
    key = getattr(told, "penalty_class", None)
    fine = book.rule(key, PenaltyClassRule).newest if key else None
    if fine is not None and fine.least is None:
        values["fine"] = fine.no_value
    elif fine is not None:
        values["fine"] = {"least": plain(fine.least), "most": plain(fine.most)}
        values["unit"] = fine.unit
    return {name: plain(value) for name, value in values.items()}


def _whole(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
