"""Runs the commands of ``balcao law``: reads the rulebooks, asks them and prints what they say."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from bot.clock import Clock
from bot.law_cli import commands
from bot.law_cli.asked import Asked
from bot.law_cli.envelope import BEARERS, VERDICTS, Said, answer, envelope, lines
from bot.law_cli.inputs import Refused, city_of
from bot.law_cli.overview import overview
from bot.law_cli.shown import show
from domain.law.answers import Standing, shown
from domain.law.coverage import coverage, table
from domain.law.loader import Laws, RulebookError, load_laws
from domain.law.model import Rulebook

WRONG = 2
SETTINGS = "BALCAO_SETTINGS_DIR"
RULEBOOKS = "BALCAO_RULEBOOKS_DIR"
Answering = Callable[[Asked], Iterable[Said]]


def run_list(args: argparse.Namespace) -> int:
    """Print the cities."""

    def told(laws: Laws) -> int:
        answers = tuple(commands.listed(laws))
        if args.json:
            print(envelope({"command": "list"}, answers))
        for said in () if args.json else answers:
            print(f"{said['value']:28} {said['label']:26} {said['cite']}")
        return 0

    return _with_laws(args, told)


def run_show(args: argparse.Namespace) -> int:
    """Print a city's law at a glance, or what one article says."""
    if args.json or args.article:
        return run_answer(args, show)

    def told(laws: Laws) -> int:
        for book in laws.rulebooks(args.city):
            print("\n".join(overview(book)))
        return 0

    return _with_laws(args, told)


def run_test(args: argparse.Namespace) -> int:
    """Run the examples."""

    def told(laws: Laws) -> int:
        answers = tuple(commands.examples(laws, args))
        failed = [said for said in answers if said["verdict"] == "failed"]
        if args.json:
            print(envelope({"command": "test", "city": args.city}, answers))
            return 1 if failed else 0
        for said in failed:
            print(f"{said['rule']}: {said['label']}")
            print("\n".join(f"    {step}" for step in said["steps"]))
        run = dict.fromkeys(said["rule"] for said in answers)
        if run:
            print(f"{'law':46} passed failed")
        for law in run:
            of_law = [said["verdict"] for said in answers if said["rule"] == law]
            print(f"{law:46} {of_law.count('passed'):6} {of_law.count('failed'):6}")
        bare = [law for book in _books(laws, args.city) if (law := _named(book)) not in run]
        if bare:
            print(f"There are no examples beside {', '.join(bare)}.")
        return 1 if failed else 0

    return _with_laws(args, told)


def run_coverage(args: argparse.Namespace) -> int:
    """Print the coverage table."""

    def told(laws: Laws) -> int:
        books = _books(laws, args.city)
        blank = any(row.blank for book in books for row in coverage(book))
        if args.json:
            rows = [
                answer(
                    rule=", ".join(row.by) or None,
                    value=row.place,
                    standing=Standing.STATED,
                    cite=f"{book.source.short}, {row.place}",
                    steps=[row.reason] if row.reason else [],
                )
                for book in books
                for row in coverage(book)
            ]
            print(envelope({"command": "coverage", "city": args.city}, rows))
            return 1 if blank else 0
        listed = [book for book in books if book.provisions is not None]
        if listed:
            print("\n".join(coverage_page(listed)))
        bare = [_named(book) for book in books if book.provisions is None]
        if bare:
            print(f"There is no list of places beside {', '.join(bare)}.")
        return 1 if blank else 0

    return _with_laws(args, told)


def coverage_page(books: Iterable[Rulebook]) -> Iterable[str]:
    """Yield the lines of docs/law-coverage.md."""
    yield from (
        "# What expresses each place of the laws",
        "",
        "Written by `balcao law coverage > docs/law-coverage.md`; a test compares the two. Each article, paragraph and",
        "item stands with the rules that express it (`balcao law show CITY ARTICLE` tells what they say), or with the",
        "reason that none does.",
        "",
    )
    for book in books:
        yield from table(book)


def _books(laws: Laws, city: str | None) -> list[Rulebook]:
    return [book for slug in ([city] if city else laws) for book in laws.rulebooks(slug)]


def _named(book: Rulebook) -> str:
    return f"{book.city.slug}/{book.id}"


def run_answer(args: argparse.Namespace, answering: Answering) -> int:
    """Print what a command answers about a city's laws."""

    def told(laws: Laws) -> int:
        now = Clock().now()
        hidden = {"run", "json", "rulebooks", "settings"}
        told_by = {key: value for key, value in vars(args).items() if key not in hidden and value is not None}
        question = {"command": told_by.pop("command"), **told_by}
        answers: list[Said] = []
        for book in laws.rulebooks(args.city):
            asked = Asked(laws, book, args, now.astimezone(book.zone).date())
            if "on" in vars(args):
                question["on"] = asked.on
            answers.extend(answering(asked))
        for key in ("facts", "events", "priors", "report"):
            if key in question:
                question[key] = str(question[key])
        if args.json:
            print(envelope(question, answers))
            return 0
        for book in laws.rulebooks(args.city):
            bearer = f": {BEARERS[args.bearer]}" if getattr(args, "bearer", None) else ""
            print(f"{book.source.title}{bearer}" + (f", {shown(question['on'])}" if "on" in question else ""))
        for said in answers:
            print("\n" + "\n".join(lines(said)))
        if args.command == "check":
            verdicts = [said.get("verdict") for said in answers]
            print("\n" + "; ".join(f"{VERDICTS[one]}: {verdicts.count(one)}" for one in ("met", "unmet", "unknown")))
        return 0

    return _with_laws(args, told)


def _with_laws(args: argparse.Namespace, told: Callable[[Laws], int]) -> int:
    """Read the rulebooks, refuse an unknown city, and answer."""
    try:
        args.rulebooks = args.rulebooks or _folder(RULEBOOKS)
        laws = load_laws(args.rulebooks, settings=args.settings or _folder(SETTINGS))
        if getattr(args, "city", None) is not None:
            args.city = city_of(laws, args.city)
        return told(laws)
    except (RulebookError, Refused) as error:
        print(error, file=sys.stderr)
        return WRONG
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _folder(variable: str) -> Path | None:
    named = os.environ.get(variable)
    return Path(named) if named else None
