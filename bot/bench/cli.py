"""The command ``balcao bench``."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

Add = Callable[..., argparse.ArgumentParser]
Result = dict[str, Any]

SQLITE, POSTGRESQL = "sqlite", "postgresql"

# what measures is imported where it runs: the parser is built at every start of the counter


def add_bench_commands(bench: argparse.ArgumentParser, add: Add) -> None:
    """Add what can be measured; without a name everything is, one after the other."""
    bench.set_defaults(run=run_all)
    _common(bench)
    one = add(
        "updates",
        run_updates,
        "updates a second, beside bare bots",
        "People in closed loops live the product's conversations over HTTP, beside bare bots of python-telegram-bot on "
        "the same invented Telegram; the bots take turns in short rounds. Prints updates/s, latency, CPU, memory, what "
        "was lost or said twice, and the ratio to the bare echo of the same run.",
        "balcao bench updates",
        "balcao bench updates --delay 40 --chats 200 --peers echo,per-chat",
        "balcao bench updates --rate 30",
        "balcao bench updates --databases sqlite --intakes polling --profile profile.json",
    )
    _common(one)
    one.add_argument("--chats", type=int, default=50, help="how many people at once (default 50)")
    one.add_argument("--seconds", type=float, default=3.0, help="of a round (default 3)")
    one.add_argument("--rounds", type=int, default=5, help="of which medians are taken (default 5)")
    one.add_argument("--delay", type=float, default=0.0, metavar="MS", help="round trip to Telegram (default 0)")
    one.add_argument("--rate", type=float, metavar="N", help="updates a second in all, instead of all they can")
    one.add_argument("--intakes", type=_list, default=("polling", "webhook"), help="of polling,webhook")
    one.add_argument("--conversations", type=_list, default=(), help="of menu,form,photos,staff (default all)")
    one.add_argument("--peers", type=_list, default=("echo", "form", "lean"), help="of echo,form,per-chat,lean")
    one.add_argument("--profile", type=Path, metavar="FILE", help="sample the last bot, for speedscope")
    _databases(one)
    for name, function, summary, description in (
        (
            "queues",
            run_queues,
            "a page, a search, a card as cases grow",
            "Looks at queues of a thousand and a million.",
        ),
        ("reminders", run_reminders, "a sweep as reminders grow", "Sweeps ledgers of a thousand and a million."),
        ("backlog", run_backlog, "drain what waited during an outage", "Opens the counter on 100,000 waiting updates."),
    ):
        command = add(name, function, summary, description, f"balcao bench {name}")
        _common(command)
        _databases(command)
    for name, function, summary, description in (
        ("start", run_start, "time to the first update, memory at rest", "Starts the counter again and again."),
        (
            "broadcast",
            run_broadcast,
            "plan and pace of a message to all",
            "Writes to 10,000 people in Telegram's pace.",
        ),
    ):
        _common(add(name, function, summary, description, f"balcao bench {name}"))


def run_all(args: argparse.Namespace) -> int:
    """``balcao bench``."""
    for name, value in {"databases": (SQLITE,) if args.quick else (SQLITE, POSTGRESQL), **_DEFAULTS}.items():
        setattr(args, name, value)
    for run in (run_updates, run_queues, run_reminders, run_backlog, run_start, run_broadcast):
        run(args)
    return 0


_DEFAULTS: dict[str, Any] = {
    "chats": 50,
    "seconds": 3.0,
    "rounds": 5,
    "delay": 0.0,
    "rate": None,
    "intakes": ("polling", "webhook"),
    "conversations": (),
    "peers": ("echo", "form"),
    "profile": None,
}


def run_updates(args: argparse.Namespace) -> int:
    """``balcao bench updates``."""
    from bot.bench import updates

    quick = updates.Wanted(chats=6, seconds=0.3, rounds=1, databases=(SQLITE,), peers=("echo",))
    wanted = updates.Wanted(
        chats=args.chats,
        seconds=args.seconds,
        rounds=args.rounds,
        delay=args.delay / 1000,
        rate=args.rate,
        databases=args.databases,
        intakes=args.intakes,
        conversations=args.conversations,
        peers=args.peers,
        profile=args.profile,
    )
    _tell(args, _run(updates.measure(quick if args.quick else wanted)), updates.show)
    return 0


def run_queues(args: argparse.Namespace) -> int:
    """``balcao bench queues``."""
    from bot.bench import queries

    sizes, times = ((20, 200), 3) if args.quick else ((1_000, 1_000_000), 30)
    return _each(args, lambda kind: _run(queries.queues(kind, sizes, times)), queries.show)


def run_reminders(args: argparse.Namespace) -> int:
    """``balcao bench reminders``."""
    from bot.bench import queries

    sizes, times = ((100, 200), 3) if args.quick else ((1_000, 1_000_000), 30)
    return _each(args, lambda kind: _run(queries.sweeps(kind, sizes, times)), queries.show)


def run_backlog(args: argparse.Namespace) -> int:
    """``balcao bench backlog``."""
    from bot.bench import life

    updates_, chats = (100, 20) if args.quick else (100_000, 1_000)
    return _each(args, lambda kind: _run(life.backlog(kind, updates_, chats)), life.show)


def run_start(args: argparse.Namespace) -> int:
    """``balcao bench start``."""
    from bot.bench import life

    _tell(args, _run(life.start(1 if args.quick else 7)), life.show)
    return 0


def run_broadcast(args: argparse.Namespace) -> int:
    """``balcao bench broadcast``."""
    from bot.bench import life

    recipients, seconds = (100, 1.0) if args.quick else (10_000, 20.0)
    _tell(args, _run(life.broadcast(recipients, seconds)), life.show)
    return 0


def _run(measure: Coroutine[Any, Any, Result]) -> Result:
    """Measure; asked to end, end what was started too."""
    from bot.bench.processes import ProcessEnded

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return asyncio.run(measure)
    except ProcessEnded as ended:
        raise SystemExit(f"balcao: {ended}.") from ended
    finally:
        signal.signal(signal.SIGTERM, before)


def _each(args: argparse.Namespace, measure: Callable[[str], Result], show: Callable[[Result], str]) -> int:
    from bot.bench.databases import PostgresqlMissing

    for kind in (SQLITE,) if args.quick else args.databases:
        try:
            _tell(args, measure(kind), show)
        except PostgresqlMissing as missing:
            print(f"balcao: {missing}.", file=sys.stderr)
            return 1
    return 0


def _tell(args: argparse.Namespace, result: Result, show: Callable[[Result], str]) -> None:
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    print(f"{result['bench']}\n\n{show(result)}\n", flush=True)


def _list(given: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in given.split(",") if part.strip())


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print everything measured as JSON")
    command.add_argument("--quick", action="store_true", help="only see that it runs; the figures mean nothing")


def _databases(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--databases", type=_list, default=(SQLITE, POSTGRESQL), help=f"of {SQLITE},{POSTGRESQL} (default both)"
    )
