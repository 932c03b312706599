"""Figures of a measurement, and the tables that they are shown in."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any

from bot.clock import Clock


@dataclass
class Figures:
    """What the rounds of one bot came to. Rates and shares are medians over the rounds, latencies are of all."""

    name: str
    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # milliseconds of a core per update
    cores: list[float] = field(default_factory=list)  # share of a core
    latencies: list[float] = field(default_factory=list)
    megabytes: float = 0.0
    lost: int = 0
    duplicated: int = 0
    conversations: dict[str, list[float]] = field(default_factory=dict)

    def add(self, round_: Mapping[str, Any], cpu_seconds: float, megabytes: float) -> None:
        """Add a round."""
        self.rates.append(round_["answered"] / round_["seconds"])
        answered = 0
        for name, one in round_["conversations"].items():
            self.latencies += one["latencies"]
            self.conversations.setdefault(name, []).extend(one["latencies"])
            self.lost += one["lost"]
            self.duplicated += one["duplicated"]
            answered += len(one["latencies"])
        self.cpu.append(1000 * cpu_seconds / max(answered, 1))
        self.cores.append(cpu_seconds / round_["whole_seconds"])
        self.megabytes = max(self.megabytes, megabytes)

    @property
    def rate(self) -> float:
        """Updates answered a second."""
        return median(self.rates) if self.rates else 0.0

    def row(self, base: Figures | None = None) -> dict[str, Any]:
        """Return the figures by name; with ``base`` the ratio to it, as the median of the rounds' ratios."""
        ratios = [mine / other for mine, other in zip(self.rates, base.rates, strict=False) if other] if base else []
        return {
            "bot": self.name,
            "updates/s": round(self.rate, 1),
            "ratio": round(median(ratios), 2) if ratios else None,
            **quantiles(self.latencies),
            "cpu ms/update": round(median(self.cpu), 2) if self.cpu else None,
            "cores": round(median(self.cores), 2) if self.cores else None,
            "RSS MB": round(self.megabytes),
            "lost": self.lost,
            "duplicated": self.duplicated,
        }


def quantiles(seconds: Sequence[float], digits: int = 1) -> dict[str, float | None]:
    """Return p50, p95 and p99 in milliseconds."""
    ordered = sorted(seconds)
    return {
        f"p{percent} ms": round(1000 * ordered[min(len(ordered) * percent // 100, len(ordered) - 1)], digits)
        if ordered
        else None
        for percent in (50, 95, 99)
    }


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as a Markdown table, columns aligned so that a terminal shows it as well."""
    rows = list(rows)
    if not rows:
        return ""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [names, *[["" if row.get(name) is None else str(row[name]) for name in names] for row in rows]]
    widths = [max(len(line[at]) for line in cells) for at in range(len(names))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
             for line in cells]  # fmt: skip
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def machine() -> dict[str, Any]:
    """Say where and with what this was measured."""
    model = "unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            model = next((line.partition(":")[2].strip() for line in info if line.startswith("model name")), model)
    except OSError:
        model = platform.processor() or model
    return {
        "date": f"{Clock().now():%Y-%m-%d %H:%M} UTC",
        "cores": os.cpu_count(),
        "processor": model,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": round(os.getloadavg()[0], 2),
        **{name: _version(name) for name in ("python-telegram-bot", "sqlalchemy", "aiohttp", "uvloop", "httpx")},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
