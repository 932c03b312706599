"""``balcao law``: what the rulebooks say, for jurists and for staff, without the bot."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from datetime import date
from difflib import get_close_matches
from pathlib import Path

from bot.clock import Clock
from domain.law.answers import Step, shown
from domain.law.dues import dues
from domain.law.examples import run_examples
from domain.law.fields import Bearer
from domain.law.loader import Laws, RulebookError, load_laws
from domain.law.model import Rulebook
from domain.law.renewal import certificate, periodic
from domain.law.rules import TermRule
from domain.law.terms import UNIT_NAMES

WRONG = 2

STANDINGS = {
    "stated": "está na lei",
    "assumed": "suposto",
    "silent": "a lei não diz",
    "illegible": "ilegível na cópia",
    "regulation": "fica para regulamento",
}
FORMS = {
    "document": "documento",
    "declaration": "declaração",
    "fact": "condição",
    "payment": "pagamento",
    "inspection": "vistoria",
}

BEARERS = {
    "driver": "motorista",
    "auxiliary": "condutor auxiliar",
    "vehicle": "veículo",
    "owner": "proprietário",
    "operator": "operadora",
    "employee": "empregado",
}
KINDS = {"complaint": "reclamação", "discrimination": "discriminação", "irregularity": "irregularidade"}

DESCRIPTION = """\
Answers from the rulebooks: what each city's law asks, what it costs, by when, and where the law says so.

Every answer shows the article and how firmly the text carries it: "está na lei" (the text fixes it), "suposto" (the
text leaves something open and the convention is named), "a lei não diz" (nothing is invented), "ilegível na cópia",
"fica para regulamento". Answers are in Portuguese, the language of the laws.
"""

EPILOG = """\
CITY is the slug that "balcao law list" shows. An unknown city ends with status 2 and the nearest names; a broken
rulebook too, with its file, key and reason. "balcao law test" ends with status 1 when an example fails.

examples:
  balcao law list
  balcao law show CITY
  balcao law checklist CITY --for auxiliary
  balcao law dues CITY --year 2027 --for operator
  balcao law test
"""


def add_law_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``law`` and its sub-commands; each sets ``run``, which takes the arguments and returns the exit status."""
    law = _parser(subparsers, "law", "ask the rulebooks", DESCRIPTION, EPILOG)
    law.add_argument("--rulebooks", type=Path, metavar="DIR", help="read the rulebooks of this folder instead of ours")
    commands = law.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = _parser(commands, "list", "the cities and their laws", "Lists the cities, their services and laws.")
    listing.set_defaults(run=run_list)

    show = _parser(
        commands,
        "show",
        "one city's law at a glance",
        "Shows organs, queues, certificate, terms, periodic duties, complaint subjects and doubts of a city.",
    )
    show.add_argument("city", metavar="CITY")
    show.set_defaults(run=run_show)

    checklist = _parser(
        commands,
        "checklist",
        "what somebody must have, prove, declare or pay",
        "Shows the requirements that fall on one bearer, each with its article, what it is and how to send it.",
    )
    checklist.add_argument("city", metavar="CITY")
    checklist.add_argument(
        "--for",
        dest="bearer",
        choices=[bearer.value for bearer in Bearer],
        default=Bearer.DRIVER.value,
        help="on whom the requirements fall (default: driver)",
    )
    checklist.add_argument(
        "--on", type=_day, metavar="DATE", help="as the law stood on a day, YYYY-MM-DD (default: today)"
    )
    checklist.set_defaults(run=run_checklist)

    owed = _parser(
        commands,
        "dues",
        "fees of a year",
        "Shows the fees of a year: amount in the law's unit, who bears it, who collects it, the day and its count.",
    )
    owed.add_argument("city", metavar="CITY")
    owed.add_argument("--year", type=int, required=True, metavar="YEAR")
    owed.add_argument(
        "--for",
        dest="bearer",
        choices=[bearer.value for bearer in Bearer],
        default=Bearer.DRIVER.value,
        help="for whom they are charged (default: driver)",
    )
    owed.set_defaults(run=run_dues)

    test = _parser(
        commands,
        "test",
        "run the worked examples",
        "Runs the examples that stand beside the rulebooks and prints one row per law and every difference.",
    )
    test.add_argument("city", metavar="CITY", nargs="?")
    test.set_defaults(run=run_test)


def run_list(args: argparse.Namespace) -> int:
    """Print the cities."""

    def answer(laws: Laws) -> int:
        for city in laws.cities():
            for book in laws.rulebooks(city.slug):
                print(f"{city.slug:28} {book.service.label:26} {book.source.title}")
        return 0

    return _with_laws(args, answer)


def run_show(args: argparse.Namespace) -> int:
    """Print a city's law at a glance."""

    def answer(laws: Laws) -> int:
        for book in laws.rulebooks(args.city):
            print("\n".join(_overview(book)))
        return 0

    return _with_laws(args, answer)


def run_checklist(args: argparse.Namespace) -> int:
    """Print the requirements that fall on a bearer."""

    def answer(laws: Laws) -> int:
        for book in laws.rulebooks(args.city):
            on = args.on or Clock().now().astimezone(book.zone).date()
            items = book.requirements(args.bearer, on)
            print(f"{book.source.title}: {BEARERS[args.bearer]}, {shown(on)}")
            if not items:
                print("  Esta lei não pede nada dessa parte.")
            for item in items:
                print(f"\n{item.label} [{FORMS[item.kind]}; {item.id}]")
                rows = (
                    ("artigo", f"{item.cite} ({STANDINGS[item.standing.value]})"),
                    ("o que é", item.what),
                    ("como enviar", item.how),
                    ("ou", "; ".join(item.alternatives)),
                    ("se", item.condition),
                    ("vale", f"{item.valid_for.months} meses" if item.valid_for else ""),
                    ("suposto", item.assumption),
                    ("nota", item.note),
                    ("impede", "" if item.blocking else "não impede o cadastro"),
                )
                _print_rows(rows)
        return 0

    return _with_laws(args, answer)


def run_dues(args: argparse.Namespace) -> int:
    """Print the fees of a year."""

    def answer(laws: Laws) -> int:
        for book in laws.rulebooks(args.city):
            found = dues(book, args.bearer, args.year, laws.calendar(args.city))
            print(f"{book.source.title}: {BEARERS[args.bearer]}, {args.year}")
            if not found:
                print("  Esta lei não cobra nada dessa parte.")
            for due in found:
                amount = f"{shown(due.amount)} {due.unit}" if due.amount is not None else "sem valor na lei"
                print(f"\n{due.label} [{due.rule}]")
                rows = (
                    ("artigo", f"{due.cite} ({STANDINGS[due.standing.value]})"),
                    ("valor", amount),
                    ("vence", shown(due.due_on) if due.due_on else "sem data na lei"),
                    ("paga", BEARERS[due.payer]),
                    ("recebe", BEARERS.get(due.collector, due.collector)),
                    ("dispensa", f"{BEARERS[args.bearer]} ({due.exempt_cite})" if due.exempt else ""),
                    ("nota", due.note),
                    *(("conta", step) for step in due.steps),
                )
                _print_rows(rows)
        return 0

    return _with_laws(args, answer)


def run_test(args: argparse.Namespace) -> int:
    """Run the examples."""

    def answer(laws: Laws) -> int:
        passed: dict[tuple[str, str], int] = {}
        failed: dict[tuple[str, str], int] = {}
        for result in run_examples(laws, args.rulebooks, {args.city} if args.city else None):
            law = (result.city, result.law)
            passed[law] = passed.get(law, 0) + result.passed
            failed[law] = failed.get(law, 0) + (not result.passed)
            if not result.passed:
                print(f"{result.city}: {result.name}")
                for line in result.differences():
                    print(f"    {line}")
        print(f"{'city':28} {'law':16} passed failed")
        for law in passed:
            print(f"{law[0]:28} {law[1]:16} {passed[law]:6} {failed[law]:6}")
        return 1 if any(failed.values()) else 0

    return _with_laws(args, answer)


def _with_laws(args: argparse.Namespace, answer: Callable[[Laws], int]) -> int:
    """Read the rulebooks, refuse an unknown city, and answer."""
    try:
        laws = load_laws(args.rulebooks)
        city = getattr(args, "city", None)
        if city is not None and city not in laws:
            print(unknown_city(city, laws), file=sys.stderr)
            return WRONG
        return answer(laws)
    except RulebookError as error:
        print(error, file=sys.stderr)
        return WRONG


def unknown_city(asked: str, laws: Laws) -> str:
    """Return one sentence that names the cities nearest to what was typed."""
    slugs = {city.slug: city.slug for city in laws.cities()} | {
        city.name.casefold(): city.slug for city in laws.cities()
    }
    near = dict.fromkeys(slugs[name] for name in get_close_matches(asked.casefold(), slugs, n=3, cutoff=0.4))
    return f"There is no city {asked!r}; the nearest are: {', '.join(near or laws)}."


def _overview(book: Rulebook) -> Iterable[str]:
    yield f"{book.city.name} ({book.city.uf}): {book.service.label}"
    yield f"  {book.source.title}"
    if book.source.note:
        yield f"  {book.source.note}"
    yield "\nÓrgãos"
    for organ in book.organs.values():
        yield f"  {organ.name}: {organ.role} ({organ.cite})"
        yield from (f"      {remark}" for remark in organ.inconsistencies)
    yield "\nFilas"
    for queue in book.queues.values():
        yield f"  {queue.label}: {book.organs[queue.organ].name}"
    for provisional in (False, True):
        paper = certificate(book, provisional=provisional)
        if paper is not None:
            length = f"{paper.length.amount} {UNIT_NAMES[paper.length.unit]}" if paper.length else paper.no_value
            until = "até " if paper.up_to else ""
            yield f"\n{paper.label}\n  {until}{length} ({paper.cite}; {STANDINGS[paper.standing.value]})"
    yield "\nPrazos"
    for rule in book.of_kind(TermRule):
        term = rule.newest
        length = f"{term.length.amount} {UNIT_NAMES[term.length.unit]}" if term.length else term.no_value
        yield f"  {rule.label}: {length} ({term.cite.locator}) [{rule.id}]"
    yield "\nO que volta"
    for bearer in Bearer:
        for duty in periodic(book, bearer):
            every = f"{duty.months} meses" if duty.months else f"{duty.days} dias" if duty.days else duty.steps[0]
            yield f"  {duty.label} [{BEARERS[bearer]}]: {every} ({duty.cite.locator})"
    yield "\nAssuntos"
    for subject in book.subjects_by_key.values():
        places = "; ".join(cite.locator for cite in subject.provisions) or STANDINGS["silent"]
        yield f"  {KINDS[subject.kind]}: {subject.label} ({places}) [{subject.key}]"
    for doubt in book.doubts.values():
        yield f"\nDúvida: {doubt.label} ({doubt.cite})"
        for key, reading in doubt.readings.items():
            yield f"  {'*' if key == doubt.default else ' '} {reading} [{key}]"


def _print_rows(rows: Iterable[tuple[str, str | Step | None]]) -> None:
    for name, value in rows:
        if value:
            print(f"  {name:12} {value}")


def _parser(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    description: str,
    epilog: str | None = None,
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-03-18") from None
