"""A measurement is worth what it notices: answers that never come, that come twice, and how long each took."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.bench.figures import Figures, quantiles, table
from bot.bench.people import Crowd
from bot.bench.processes import ProcessEnded, running
from bot.bench.wire import Stream, form

ECHO = {"echo": 3}


class Bot:
    """Answers on the spot, as often as it is told to."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.crowd = Crowd(ECHO, self.take, lambda: 1)

    def take(self, update: dict[str, Any]) -> None:
        asyncio.get_running_loop().call_soon(self.answer, update["message"])

    def answer(self, message: dict[str, Any]) -> None:
        for _ in range(self.times):
            self.crowd.heard("sendMessage", message["chat"]["id"], message["text"], 1, "")


async def test_a_bot_that_answers_once_is_found_without_fault() -> None:
    """Three people write as fast as they are answered: all is counted, nothing is missed."""
    told = await Bot(times=1).crowd.run(0.05, None)

    echo = told["conversations"]["echo"]
    assert told["answered"] <= len(echo["latencies"]) == told["calls"]["sendMessage"]
    assert (echo["lost"], echo["duplicated"]) == (0, 0)


async def test_a_bot_that_says_everything_twice_is_found_out() -> None:
    """The second of two equal answers is counted as said twice."""
    told = await Bot(times=2).crowd.run(0.05, None)

    echo = told["conversations"]["echo"]
    assert echo["duplicated"] == len(echo["latencies"])


async def test_a_bot_that_keeps_silent_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is not answered in time counts as lost, and what was awaited is told."""
    monkeypatch.setattr("bot.bench.people.PATIENCE", 0.05)

    told = await Bot(times=0).crowd.run(0.01, None)

    assert told["conversations"]["echo"]["lost"] == 3
    assert "olá" in told["missed"][0]


async def test_people_can_be_held_to_a_pace() -> None:
    """Ten updates a second for half a second are five."""
    told = await Bot(times=1).crowd.run(0.5, 10)

    assert len(told["conversations"]["echo"]["latencies"]) == 5


def test_the_ratio_is_of_rounds_side_by_side() -> None:
    """A machine that slows down for a while slows both: the ratio stays."""
    base, mine = Figures("base"), Figures("mine")
    for slowed in (1.0, 0.5, 0.25):
        for figures, rate in ((base, 100), (mine, 200)):
            round_ = {"answered": rate * slowed, "seconds": 1, "whole_seconds": 1, "conversations": {}}
            figures.add(round_, cpu_seconds=0.1, megabytes=1)

    assert mine.row(base)["ratio"] == 2.0


def test_quantiles_and_tables_show_what_there_is() -> None:
    """Without a single answer there is no latency, and the table has a gap."""
    hundred = quantiles([number / 1000 for number in range(1, 101)])
    assert hundred == {"p50 ms": 51.0, "p95 ms": 96.0, "p99 ms": 100.0}
    assert quantiles([])["p99 ms"] is None
    assert table([{"bot": "a", "ms": 1}, {"bot": "b", "ms": None}]).splitlines() == [
        "| bot | ms |",
        "|-----|----|",
        "| a   | 1  |",
        "| b   |    |",
    ]


def test_messages_are_cut_out_of_the_stream_however_it_arrives() -> None:
    """Two messages, byte by byte, are two messages."""

    class Kept(Stream):
        def __init__(self) -> None:
            super().__init__()
            self.bodies: list[bytes] = []

        def message(self, head: bytes, body: bytes) -> None:
            self.bodies.append(body)

    kept = Kept()
    for byte in b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nfirstPOST / HTTP/1.1\r\nHost: a\r\n\r\n":
        kept.data_received(bytes([byte]))

    assert kept.bodies == [b"first", b""]


def test_both_forms_of_a_call_are_read_alike() -> None:
    """PTB sends its parameters urlencoded, the counter as JSON."""
    assert form(b"chat_id=7&text=ol%C3%A1+a%26b") == form('{"chat_id": 7, "text": "olá a&b"}'.encode())


async def test_a_measurement_ends_with_what_it_measures() -> None:
    """A bot that cannot start is not waited for: whoever measures hears that it is gone."""
    async with running("bot.bench.no_such_bot") as process:
        with pytest.raises(ProcessEnded, match="ended with 1"):
            await process.unless_it_ends(asyncio.Event().wait())
