"""Where a millisecond goes: samples of a running product, as a flame graph for speedscope and as a table."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

RATE = 400

AREAS = (
    # (area, what a frame's file or function has in it): the innermost frame that fits names the area of a sample
    ("requests to Telegram: HTTP", ("request.py",)),
    ("requests to Telegram: PTB's Bot", ("bot/speech.py",)),
    ("delivery", ("bot/delivery.py", "bot/pace.py")),
    ("outbox: results", ("Journal.finish",)),
    ("inbox: store", ("Journal.store", "bot/intake.py", "bot/webhook.py", "aiohttp/web_protocol.py")),
    ("group: heads, people, places, outbox", ("Journal.",)),
    ("group: savepoints", ("Group.",)),
    ("use cases: making statements", ("bot/storage/repositories", "Storage.")),
    ("use cases: rules", ("domain/",)),
    ("handlers: screens, forms, sentences", ("handlers/",)),
    ("PTB: reading the update", ("Update.de_json",)),
    ("PTB: finding the handler", ("Application.process_update",)),
    ("evidence", ("bot/files.py",)),
    ("wiring and dispatch", ("bot/wiring.py", "bot/dispatch.py")),
    ("SQLAlchemy, its driver and SQLite", ("/sqlalchemy/", "storage/inline.py", "asyncpg")),
    ("requests to Telegram: HTTP", ("/aiohttp/",)),
)
HOUSE = Path(__file__).parents[2]
OTHER = "event loop and the rest"


class ProfilerMissing(Exception):
    """py-spy is not installed, or may not look into the process."""


async def record(pid: int, seconds: float, path: Path) -> None:
    """Sample whoever holds the interpreter in a process, and write it for speedscope.

    Raises:
        ProfilerMissing: It cannot be done here.
    """
    spy = shutil.which("py-spy") or shutil.which("py-spy", path=str(Path(sys.executable).parent))
    if spy is None:
        raise ProfilerMissing("py-spy is not installed: it comes with the extra `bench`")
    process = await asyncio.create_subprocess_exec(
        *(spy, "record", "--pid", str(pid), "--duration", str(max(1, round(seconds))), "--rate", str(RATE)),
        *("--gil", "--format", "speedscope", "--output", str(path)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    if process.returncode != 0:
        raise ProfilerMissing(f"py-spy could not look into the process: {said.decode().strip().splitlines()[-1]}")


def areas(path: Path, milliseconds: float) -> list[dict[str, Any]]:
    """Share an update's ``milliseconds`` of a core out among the areas, by the samples in a file of :func:`record`."""
    told = json.loads(path.read_text(encoding="utf-8"))
    frames = [_area(frame) for frame in told["shared"]["frames"]]
    counts: Counter[str] = Counter()
    for profile in told["profiles"]:
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
            if not stack:
                continue  # the process was between two frames
            named = (frames[frame] for frame in reversed(stack))
            counts[next((area for area in named if area), OTHER)] += weight
    whole = sum(counts.values()) or 1
    return [
        {"where": area, "share": f"{100 * weight / whole:.0f}%", "ms": round(milliseconds * weight / whole, 3)}
        for area, weight in counts.most_common()
    ]


def _area(frame: dict[str, Any]) -> str | None:
    place = f"{(frame.get('file') or '').removeprefix(str(HOUSE))} {frame['name']}"
    return next((area for area, marks in AREAS if any(mark in place for mark in marks)), None)
