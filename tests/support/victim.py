"""A counter in a process of its own, to be killed: ``python -m tests.support.victim API DATABASE FOLDER``."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.app import Counter
from bot.logs import configure_logs
from bot.pace import Pace
from bot.settings import load_settings
from tests.support import tiny
from tests.support.builders import laws
from tests.support.counter import SECRET, TOKEN


async def live(api: str, database: str, folder: Path) -> None:
    """Serve until killed."""
    configure_logs("ERROR")
    settings = load_settings(
        {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_URL": api,
            "DATABASE_URL": database,
            "BALCAO_DATA_DIR": folder,
            "BALCAO_SECRET_KEY": SECRET,
        }
    )
    async with Counter(settings, register=tiny.register, laws=laws(), pace=Pace(factor=1000)):
        print("open", flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    asyncio.run(live(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
