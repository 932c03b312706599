"""What comes twice happens once: updates that Telegram repeats, and colleagues who reach for the same case."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.sandbox.updates import UpdateQueue
from bot.webhook import SECRET_HEADER
from domain.people.model import Role
from tests.support.counter import Stage, stage
from tests.support.phone import Phone
from tests.support.scenes import Report, joins, reports
from tests.support.towns import CACERES

COMPLAINT = Report("Reclamação do serviço", CACERES.complaint, "Com o meu nome", "Cobrou o dobro.")
TIMES = 3
SECRET = "a-secret_1"


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def repeating(target: str) -> AsyncIterator[tuple[str, list[int]]]:
    """A way to the counter on which each request arrives three times at once, as when answers are lost.

    Yields its address and the answers.
    """
    answers: list[int] = []

    async def forward(request: web.Request) -> web.Response:
        body, headers = await request.read(), {SECRET_HEADER: SECRET}
        async with aiohttp.ClientSession() as http:

            async def once() -> bytes:
                async with http.post(target, data=body, headers=headers) as answer:
                    answers.append(answer.status)
                    return await answer.read()

            said = await asyncio.gather(*(once() for _ in range(TIMES)))
        # one of them may carry the answer to a press
        return web.Response(status=max(answers), body=max(said, key=len), content_type="application/json")

    app = web.Application()
    app.router.add_post("/hook", forward)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/hook", answers
    finally:
        await runner.cleanup()


async def lives_a_report(set_up: Stage) -> None:
    """Rita reports while everything arrives three times: one case, each answer once."""
    rita = await set_up.phones.add("Rita")
    protocol = await reports(rita, CACERES, COMPLAINT, knows_city=False)
    await set_up.settles()

    assert await set_up.rows("case") == 1
    assert await set_up.rows("timeline_event") == 2  # opened and handed in
    assert await set_up.rows("inbox", state="handled") == await set_up.rows("inbox")
    assert await set_up.rows("outbox", state="delivered") == await set_up.rows("outbox")
    assert sum(protocol in screen.text for screen in rita.history()) == 1
    files = Counter(screen.text for screen in rita.history() if "A prefeitura recebeu o seu relato" in screen.text)
    assert set(files.values()) == {1}


async def test_a_report_of_which_every_update_is_polled_three_times_is_filed_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Telegram forgets two of three acknowledgements and hands everything out again."""
    acknowledge, asked = UpdateQueue._acknowledge, Counter[int]()

    def forgetful(queue: UpdateQueue, offset: int) -> None:
        asked[offset] += 1
        if asked[offset] >= TIMES:
            acknowledge(queue, offset)

    monkeypatch.setattr(UpdateQueue, "_acknowledge", forgetful)
    async with stage(database, tmp_path, register=None) as set_up:
        await lives_a_report(set_up)
        assert asked[max(asked)] >= TIMES


async def test_a_report_of_which_every_update_is_pushed_three_times_is_filed_once(
    database: str, tmp_path: Path
) -> None:
    """The webhook is called three times at once with each update."""
    port = free_port()
    hook: dict[str, Any] = {"WEBHOOK_SECRET": SECRET, "PORT": str(port)}
    async with (
        repeating(f"http://127.0.0.1:{port}/hook") as (address, pushed),
        stage(database, tmp_path, register=None, WEBHOOK_URL=address, **hook) as set_up,
    ):
        await lives_a_report(set_up)
        assert len(pushed) == TIMES * await set_up.rows("inbox")


async def test_of_two_colleagues_who_take_a_case_at_once_one_has_it_and_the_other_knows_who(
    database: str, tmp_path: Path
) -> None:
    """Bia and Davi press "Assumir o caso" in the same moment, again and again: always exactly one of them has it."""
    async with stage(database, tmp_path, register=None) as set_up:
        colleagues = [await joins(set_up, name, CACERES, Role.OMBUDSMAN) for name in ("Bia", "Davi")]
        rita = await set_up.phones.add("Rita")
        protocol = await reports(rita, CACERES, COMPLAINT, knows_city=False)
        for _ in range(4):
            for phone in colleagues:
                await phone.sends(f"/caso {protocol}")
                await phone.sees("ninguém assumiu")
            answers = await asyncio.gather(*(phone.presses("Assumir o caso") for phone in colleagues))

            winner = answers.index("O caso é seu.")
            await colleagues[winner].sees("Com você.")
            name = ("Bia", "Davi")[winner]
            assert answers[1 - winner] == f"{name} já está com este caso."
            await colleagues[1 - winner].sees(f"Com {name}.")
            await gives_back(colleagues[winner])


async def gives_back(phone: Phone) -> None:
    """Put a case back into its queue."""
    assert await phone.presses("Devolver à fila") == "De volta à fila."
