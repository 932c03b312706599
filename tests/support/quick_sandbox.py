"""``python -m tests.support.quick_sandbox``: the sandbox without Telegram's pace, so that a story takes seconds."""

from __future__ import annotations

import asyncio

from bot.logs import configure_logs
from bot.pace import Pace
from bot.serve import sandbox_open, until_stopped
from bot.settings import load_settings


async def main() -> None:
    """Serve until interrupted."""
    settings = load_settings()
    configure_logs(settings.log_level)
    async with sandbox_open(settings, pace=Pace(factor=1000)) as (sandbox, counter):
        print(sandbox.url, flush=True)
        await until_stopped(counter)


if __name__ == "__main__":
    asyncio.run(main())
