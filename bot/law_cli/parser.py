"""The words of ``balcao law``: its commands, their arguments and their manual."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from textwrap import fill

from bot.law_cli import commands
from bot.law_cli.running import SETTINGS, Answering, run_answer, run_coverage, run_list, run_show, run_test
from domain.law.fields import Bearer

DESCRIPTION = """\
Answers from the rulebooks: what each city's law asks, what it costs, by when, what breaking it leads to, and where the
law says so.

Every answer shows the article and how firmly the text carries it: "está na lei" (the text fixes it), "suposto" (the
text leaves something open and the convention is named), "a lei não diz" (nothing is invented), "ilegível na cópia",
"fica para regulamento" (without a value until the city enters one). Answers are in Portuguese, as the laws are.

With --json every command prints one envelope:
  {"question": {...}, "answers": [{"rule", "verdict" or "value", "unit", "standing", "cite", "assumption", "bearer",
  "steps": [...]}]}
Some answers carry more keys after these. Dates are YYYY-MM-DD; a range is {"least": ..., "most": ...}.
"""
EPILOG = """\
CITY is the slug that "balcao law list" shows. FILE is TOML or JSON; docs/law-facts.md lists facts, events and priors.
An unknown city, rule, fact or place ends with status 2 and the nearest names; a broken file too, with file, key and
reason. "balcao law test" ends with status 1 when an example fails.

environment:
  BALCAO_RULEBOOKS_DIR folder of rulebooks, one folder per city (docs/adding-a-city.md)
  BALCAO_SETTINGS_DIR  folder with what cities entered, one <slug>.toml each

examples:
  balcao law list
  balcao law show CITY "art. 12"
  balcao law check CITY --facts facts.toml --on 2026-11-30 --json
  balcao law penalty CITY "art. 20, III" --priors priors.toml
"""
FACTS, EVENTS, PRIORS = (
    f"FILE is TOML or JSON; docs/law-facts.md lists all that it may say. Such as:\n{such}\n\n"
    for such in (
        '  cnh_category = "B"\n  has = ["cnh"]               # requirements whose paper is at hand',
        '  events = [{ kind = "fee-paid", on = 2026-03-05 },\n            { kind = "issued", on = 2026-03-10 }]',
        '  priors = [{ infraction = "art. 20, III", committed_on = 2026-01-10 },\n'
        '            { infraction = "art. 20, I", committed_on = 2026-02-01 }]',
    )
)
Add = Callable[..., argparse.ArgumentParser]


def add_law_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``law`` and its sub-commands; each sets ``run``, which takes the arguments and returns the exit status."""
    law = subparsers.add_parser(
        "law",
        help="ask the rulebooks",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    law.add_argument("--rulebooks", type=Path, metavar="DIR", help="read the rulebooks of this folder instead of ours")
    law.add_argument("--settings", type=Path, metavar="DIR", help=f"what cities entered (default: ${SETTINGS})")
    parsers = law.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, summary: str, description: str, *examples: str, file: str = "") -> argparse.ArgumentParser:
        lines_of = "\n".join(f"  balcao law {example}" for example in examples)
        parser = parsers.add_parser(
            name,
            help=summary,
            description=fill(description, 100),
            epilog=f"{file}examples:\n{lines_of}" if examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("--json", action="store_true", help="print the envelope instead of text")
        parser.set_defaults(command=name)
        return parser

    _whole(add)
    _asking(add)
    _counting(add)
    _punishing(add)


def _whole(add: Add) -> None:
    listing = add("list", "the cities and their laws", "Lists the cities, their services and laws.", "list --json")
    listing.set_defaults(run=run_list)

    article = add(
        "show",
        "one city's law, at a glance or article by article",
        "Without ARTICLE: organs, queues, certificate, terms, periodic duties, complaint subjects and doubts. "
        "With one, such as 12, 'art. 12' or 'art. 12, III': every rule that expresses it or a part of it.",
        "show CITY",
        'show CITY "art. 12, III"',
    )
    article.add_argument("city", metavar="CITY")
    article.add_argument("article", metavar="ARTICLE", nargs="?")
    article.set_defaults(run=run_show)

    test = add(
        "test",
        "run the worked examples",
        "Runs the examples that stand beside the rulebooks and prints one row per law and every difference.",
        "test",
        "test CITY",
    )
    test.add_argument("city", metavar="CITY", nargs="?")
    test.set_defaults(run=run_test)

    places = add(
        "coverage",
        "which rule expresses which place of the laws",
        "Prints, in Markdown, every article, paragraph and item with the rules that express it, or the reason "
        "that none does. docs/law-coverage.md is this. Ends with status 1 when a place has neither.",
        "coverage > docs/law-coverage.md",
    )
    places.add_argument("city", metavar="CITY", nargs="?")
    places.set_defaults(run=run_coverage)


def _asking(add: Add) -> None:
    checklist = _city(
        add(
            "checklist",
            "what somebody must have, prove, declare or pay",
            "Shows the requirements that fall on one bearer, each with its article, what it is and how to send "
            "it. With facts, each is required, not required, or depends on a fact that is missing.",
            "checklist CITY --for auxiliary",
            "checklist CITY --for vehicle --facts facts.toml",
            file=FACTS,
        ),
        commands.checklist,
    )
    _bearer(checklist, Bearer.DRIVER.value)
    _facts(checklist)
    _on(checklist)

    check = _city(
        add(
            "check",
            "whether somebody and a vehicle may be registered",
            "Compares facts with every requirement of the law: met, not met or unknown, with the article. Who is "
            "asked about is the law's first applicant (driver and vehicle, say) unless --for names one bearer.",
            "check CITY --facts facts.toml",
            "check CITY --facts facts.toml --for vehicle --on 2026-11-30",
            file=FACTS,
        ),
        commands.check,
    )
    _bearer(check, None)
    _facts(check, required=True)
    _on(check)

    subjects = _city(
        add(
            "subjects",
            "what people report, and where the law speaks of it",
            "Shows the subjects of complaints with their provisions and queues, then the grounds of "
            "discrimination, those that the law names and those that it does not.",
            "subjects CITY",
        ),
        commands.subjects,
    )
    subjects.set_defaults(on=None)

    _city(
        add(
            "doubts",
            "places that can be read in more than one way",
            "Shows each doubtful place with its readings and the one that is applied: the city's choice, or the "
            "default, which favours the person unless it would leave a sentence of the law without use.",
            "doubts CITY",
        ),
        commands.doubts,
    )
    report = _city(
        add(
            "representation",
            "whether a report is complete as a representation",
            "Shows what the formal petition of the law needs and what the report lacks: keys name, profession, "
            "address, evidence, circumstances. Where a law has none, the complaint is a matter of the ouvidoria.",
            "representation CITY --report report.toml",
        ),
        commands.representation,
    )
    report.add_argument("--report", type=Path, metavar="FILE", help="what was told, by key")


def _counting(add: Add) -> None:
    owed = _city(
        add(
            "dues",
            "fees of a year",
            "Shows the fees of a year: amount in the law's unit (and in reais when the city entered the unit's "
            "value), who bears it, who collects it, the day and its count.",
            "dues CITY --year 2027 --for operator",
            file=FACTS,
        ),
        commands.fees,
    )
    owed.add_argument("--year", type=int, required=True, metavar="YEAR")
    owed.add_argument("--requested", type=_day, metavar="DATE", help="day on which the authorization was asked for")
    _bearer(owed, Bearer.DRIVER.value)
    _facts(owed)

    term = _city(
        add(
            "term",
            "the last day of a term",
            "Counts a term of the law from a day: the day itself does not count, the last one does. RULE is an id "
            "that 'balcao law show CITY' lists under Prazos or Guarda, a place like 'art. 18', words of the label or "
            "ouvidoria-resposta, which every city owes. Of a duty that comes back, it is the next day after DATE.",
            "term CITY defesa --from 2026-11-30",
        ),
        commands.term,
    )
    term.add_argument("rule", metavar="RULE")
    term.add_argument("--from", dest="start", type=_day, required=True, metavar="DATE", help="day that starts the term")

    renewal = _city(
        add(
            "renewal",
            "until when a renewal is asked for",
            "Counts back from the day on which a certificate expires. With --asked: in time, or late.",
            "renewal CITY --expires 2027-03-31 --asked 2027-02-26",
        ),
        commands.renew,
    )
    renewal.add_argument("--expires", type=_day, required=True, metavar="DATE")
    renewal.add_argument("--asked", type=_day, metavar="DATE")
    _bearer(renewal, None)

    validity = _city(
        add(
            "validity",
            "how a certificate stands on a day",
            "Tells from what happened whether a certificate is provisional, valid, valid while its renewal is "
            "decided, expired, suspended, stopped by an inspection, revoked or cassated, and since when somebody "
            "may come back.",
            "validity CITY --events events.toml --on 2026-11-30",
            file=EVENTS,
        ),
        commands.valid,
    )
    validity.add_argument("--events", type=Path, required=True, metavar="FILE")
    _bearer(validity, None)
    _on(validity)

    again = _city(
        add(
            "periodic",
            "what somebody owes again and again",
            "Shows duties that come back: certificates to renew, inspections, lists and reports, with the days of a "
            "year where the law names the n-th business day of each month.",
            "periodic CITY --for operator --year 2027",
        ),
        commands.again,
    )
    again.add_argument("--year", type=int, metavar="YEAR", help="whose days are shown (default: this year)")
    _bearer(again, Bearer.DRIVER.value)
    _on(again)

    quota = _city(
        add(
            "quota", "how many authorizations there may be", "Divides the population.", "quota CITY --population 56406"
        ),
        commands.limit,
    )
    population = quota.add_mutually_exclusive_group(required=True)
    population.add_argument("population", type=int, nargs="?", metavar="N", help="as the official certificate says")
    population.add_argument("--population", dest="population", type=int, metavar="N", default=argparse.SUPPRESS)

    tariff = _city(
        add(
            "tariff",
            "which tariff is charged at an instant",
            "Tells the band of an instant in the city's local time: night, Sunday and holiday.",
            "tariff CITY --at 2026-11-30T20:00",
        ),
        commands.tariff,
    )
    instant = tariff.add_mutually_exclusive_group(required=True)
    instant.add_argument("at", type=_instant, nargs="?", metavar="DATETIME", help="YYYY-MM-DDTHH:MM, local")
    instant.add_argument("--at", dest="at", type=_instant, metavar="DATETIME", default=argparse.SUPPRESS)


def _punishing(add: Add) -> None:
    penalty = _city(
        add(
            "penalty",
            "what follows an infraction",
            "Shows fine, other penalties, measures and whether a warning can take the fine's place, given earlier "
            "infractions. INFRACTION is an id, a place such as 'art. 20, III', or words of its label.",
            'penalty CITY "art. 20, III"',
            "penalty CITY fumar --priors priors.toml --on 2026-11-30",
            file=PRIORS,
        ),
        commands.punish,
    )
    penalty.add_argument("infraction", metavar="INFRACTION")
    penalty.add_argument("--priors", type=Path, metavar="FILE")
    _on(penalty)

    offences = _city(
        add(
            "infractions",
            "everything that a law punishes",
            "Lists infractions with their first penalty.",
            "infractions CITY",
        ),
        commands.offences,
    )
    _on(offences)


def _city(parser: argparse.ArgumentParser, answering: Answering) -> argparse.ArgumentParser:
    parser.add_argument("city", metavar="CITY")
    parser.set_defaults(run=lambda args: run_answer(args, answering))
    return parser


def _bearer(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--for",
        dest="bearer",
        choices=[bearer.value for bearer in Bearer],
        default=default,
        help=f"whom it is about (default: {default or 'the first that the law has'})",
    )


def _facts(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    parser.add_argument("--facts", type=Path, metavar="FILE", required=required, help="what is known, by name")


def _on(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--on", type=_day, metavar="DATE", help="day of the question, YYYY-MM-DD (default: today)")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-03-18") from None


def _instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an instant such as 2026-03-18T20:00") from None
