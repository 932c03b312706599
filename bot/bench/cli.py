"""The command ``balcao bench``."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.bench import updates


def run_updates(args: argparse.Namespace) -> int:
    """``balcao bench updates``."""
    quick = updates.Wanted(chats=8, seconds=0.3, rounds=1, databases=("sqlite",), peers=("echo",))
    wanted = (
        quick
        if args.quick
        else updates.Wanted(
            chats=args.chats,
            seconds=args.seconds,
            rounds=args.rounds,
            delay=args.delay / 1000,
            rate=args.rate,
            databases=tuple(args.databases.split(",")),
            intakes=tuple(args.intakes.split(",")),
            conversations=tuple(filter(None, args.conversations.split(","))),
            peers=tuple(filter(None, args.peers.split(","))),
            profile=args.profile,
        )
    )
    return _tell(args, asyncio.run(updates.measure(wanted)), updates.show)


def _tell(args: argparse.Namespace, result: dict[str, Any], show: Callable[[dict[str, Any]], str]) -> int:
    print(json.dumps(result, ensure_ascii=False) if args.json else show(result))
    return 0


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--quick", action="store_true")
    p.add_argument("--json", action="store_true")
    p.add_argument("--chats", type=int, default=50)
    p.add_argument("--seconds", type=float, default=3.0)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--delay", type=float, default=0.0)
    p.add_argument("--rate", type=float)
    p.add_argument("--databases", default="sqlite,postgresql")
    p.add_argument("--intakes", default="polling,webhook")
    p.add_argument("--conversations", default="")
    p.add_argument("--profile", type=Path)
    p.add_argument("--peers", default="echo,form")
    raise SystemExit(run_updates(p.parse_args()))
