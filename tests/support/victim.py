"""A counter in a process of its own, to be killed: ``python -m tests.support.victim API DATABASE FOLDER [product]``.

With ``product`` it is the real one instead of the tiny one, and opens when a line comes in: it is warm by then.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from bot.app import Counter
from bot.logs import configure_logs
from bot.pace import Pace
from bot.settings import load_settings
from domain.law.loader import load_laws
from tests.support import tiny
from tests.support.builders import laws
from tests.support.counter import SECRET, TOKEN


async def live(api: str, database: str, folder: Path, **given: Any) -> None:
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
    async with Counter(settings, **given, pace=Pace(factor=1000)):
        print("open", flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    if "product" in sys.argv:
        given: dict[str, Any] = {"laws": load_laws()}
        sys.stdin.readline()
    else:
        given = {"laws": laws(), "register": tiny.register}
    asyncio.run(live(sys.argv[1], sys.argv[2], Path(sys.argv[3]), **given))
