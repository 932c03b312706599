"""The counter as ``balcao run`` opens it, only that it may speak as fast as it can: ``python -m bot.bench.product``."""

from __future__ import annotations

from bot.app import Counter
from bot.logs import configure_logs
from bot.loop import run
from bot.pace import Pace
from bot.serve import until_stopped
from bot.settings import load_settings

UNPACED = 10_000.0


async def main() -> None:
    """Serve until interrupted."""
    async with Counter(load_settings(), pace=Pace(factor=UNPACED)) as counter:
        await until_stopped(counter)


if __name__ == "__main__":
    configure_logs("WARNING")
    run(main())
