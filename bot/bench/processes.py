"""The processes of a measurement: the invented Telegram, the product, its peers; and what they use of the machine."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import aiohttp

TICK = os.sysconf("SC_CLK_TCK")
SECRET = "a secret of the measurements, long enough"  # noqa: S105 - opens nothing but invented data
HOUSE = Path(__file__).parents[2]


T = TypeVar("T")


class ProcessEnded(Exception):
    """What is measured does not run."""


@dataclass(frozen=True)
class Process:
    """One process that was started for a measurement."""

    process: asyncio.subprocess.Process

    @property
    def cpu(self) -> float:
        """Seconds of a core that it and its threads have used; zero where the system does not tell."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    @property
    def megabytes(self) -> float:
        """Memory that it keeps; zero where the system does not tell."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0.0
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    async def unless_it_ends(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something that needs the process.

        Raises:
            ProcessEnded: It is there no more; why stands on standard error.
        """
        doing, ending = asyncio.create_task(work), asyncio.create_task(self.process.wait())
        await asyncio.wait((doing, ending), return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            ending.cancel()
            return doing.result()
        doing.cancel()
        raise ProcessEnded(f"a process that is measured ended with {ending.result()}")

    async def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def running(*arguments: str, env: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """Run a module of this house with this Python; it is asked to end, and killed when it does not."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *arguments),
        cwd=HOUSE,
        env={**os.environ, **(env or {})},
        stdin=asyncio.subprocess.DEVNULL,
    )
    try:
        yield Process(process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(20):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


class Telegram:
    """The invented Telegram, seen from the measurement."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url, self._session = url, session

    async def command(self, name: str, **given: Any) -> Any:
        """Use the measurement's own door."""
        async with self._session.post(f"{self.url}/bench/{name}", json=given) as response:
            return await response.json()


@asynccontextmanager
async def telegram() -> AsyncIterator[Telegram]:
    """Open the invented Telegram in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.bench.telegram"),
        cwd=HOUSE,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    if process.stdout is None or process.stdin is None:
        raise RuntimeError("a process without pipes")
    try:
        port = int(await process.stdout.readline())
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(timeout=timeout, read_bufsize=2**26) as session:
            yield Telegram(f"http://127.0.0.1:{port}", session)
    finally:
        process.stdin.close()
        await process.wait()


def token(number: int) -> str:
    """Return a bot's token."""
    return f"{4_200_000 + number}:token-of-a-bot-that-is-measured"


def product_env(telegram: Telegram, folder: Path, database: str, number: int, *, webhook: bool) -> dict[str, str]:
    """Return the settings of a product between ``telegram`` and a database."""
    env = {
        "TELEGRAM_BOT_TOKEN": token(number),
        "TELEGRAM_API_URL": telegram.url,
        "DATABASE_URL": database,
        "BALCAO_DATA_DIR": str(folder),
        "BALCAO_SECRET_KEY": SECRET,
        "BALCAO_CITIES": "",
        "BALCAO_FILES_URL": "",
        "WEBHOOK_URL": "",
        "WEBHOOK_SECRET": "",
    }
    if webhook:
        port = free_port()
        env |= {"WEBHOOK_URL": f"http://127.0.0.1:{port}/told", "WEBHOOK_SECRET": "told", "PORT": str(port)}
    return env


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
