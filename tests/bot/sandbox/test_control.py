"""The page's side: state, events, clock, restart, files, and who may come in at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import aiohttp
import pytest
from telegram import Bot

from bot.sandbox.events import KEPT, Events
from bot.sandbox.server import Sandbox
from tests.bot.sandbox.conftest import TOKEN, Clock
from tests.support.phone import Phone, Phones, Refused


async def events(http: aiohttp.ClientSession, since: int, count: int) -> list[dict[str, Any]]:
    """The next events after a revision."""
    got: list[dict[str, Any]] = []
    async with http.get("/sandbox/events", params={"since": str(since)}) as response:
        assert response.content_type == "text/event-stream"
        async for line in response.content:
            if line.startswith(b"data: "):
                got.append(json.loads(line.removeprefix(b"data: ")))
                if len(got) == count:
                    break
    return got


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:8080"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
@pytest.mark.parametrize("path", ["/sandbox/state", f"/bot{TOKEN}/getMe", "/page/index.html", "/sandbox/nothing"])
async def test_other_sites_cannot_use_the_sandbox(
    headers: dict[str, str], path: str, http: aiohttp.ClientSession
) -> None:
    """A page on the web that makes this browser call, or rebinds its name to loopback, is refused everywhere."""
    async with http.get(path, headers=headers) as response:
        assert response.status == 403
        assert "caixa de areia" in (await response.json())["error"]


async def test_the_own_page_may_use_it(http: aiohttp.ClientSession, sandbox: Sandbox) -> None:
    """Its origin is the sandbox itself; a link from elsewhere may open the page."""
    own = {"Origin": sandbox.url, "Sec-Fetch-Site": "same-origin"}
    async with http.post("/sandbox/phones", json={"first_name": "Ana"}, headers=own) as response:
        assert response.status == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    async with http.get("/", headers=link) as response:
        assert response.status == 200
        assert response.content_type == "text/html"


def test_it_listens_on_loopback_only(clock: Clock) -> None:
    """Nobody can open it to the network by accident."""
    with pytest.raises(ValueError, match="this machine only"):
        Sandbox(token=TOKEN, clock=clock, host="0.0.0.0")


async def test_the_state_says_everything_the_page_shows(http: aiohttp.ClientSession, bot: Bot, ana: Phone) -> None:
    """Bot, clock, limits, and phones with their messages."""
    await bot.send_message(ana.id, "Olá")
    async with http.get("/sandbox/state") as response:
        state = await response.json()
    assert state["bot"] == {"id": bot.id, "username": bot.username, "first_name": "Balcão"}
    assert state["clock"] == {"now": "2026-03-02T12:00:00+00:00", "zone": "America/Cuiaba"}
    assert state["limits"]["text"] == 4096
    (phone,) = state["phones"]
    assert [message["text"] for message in phone["messages"]] == ["/start", "Olá"]
    assert (phone["unread"], phone["blocked"], phone["started"]) == (1, False, True)


async def test_events_continue_where_a_reader_left(http: aiohttp.ClientSession, bot: Bot, ana: Phone) -> None:
    """A page that lost its connection gets what it missed, in order, and nothing twice."""
    every = await events(http, 0, 3)
    assert [event["type"] for event in every] == ["phone_added", "message", "phone"]
    assert [event["rev"] for event in every] == [1, 2, 3]
    message = await bot.send_message(ana.id, "Olá")
    await bot.edit_message_text("Olá!", ana.id, message.message_id)
    await bot.delete_message(ana.id, message.message_id)
    later = await events(http, 3, 4)
    assert [event["type"] for event in later] == ["message", "phone", "edited", "deleted"]
    assert later[2]["message"]["text"] == "Olá!"
    (beyond,) = await events(http, 999, 1)
    assert beyond["type"] == "reset"
    async with http.get("/sandbox/events", params={"since": "x"}) as response:
        assert response.status == 400


def test_a_reader_too_far_behind_starts_anew() -> None:
    """The log is bounded; the state is not."""
    log = Events()
    for number in range(KEPT + 5):
        log.emit("clock", now=number)
    assert [event["type"] for event in log.since(4)] == ["reset"]
    assert len(log.since(5)) == KEPT
    assert log.since(log.rev) == []


@pytest.mark.parametrize(
    ("order", "now"),
    [
        ({"add_days": 1}, "2026-03-03T12:00:00+00:00"),
        ({"add_hours": 5}, "2026-03-02T17:00:00+00:00"),
        ({"to": "2026-03-10T08:00"}, "2026-03-10T12:00:00+00:00"),
        ({"to": "2026-03-10T08:00-03:00"}, "2026-03-10T11:00:00+00:00"),
    ],
)
async def test_the_clock_moves_forwards(
    order: dict[str, object], now: str, http: aiohttp.ClientSession, sandbox: Sandbox
) -> None:
    """By days, by hours, or to a local time; the page is told."""
    rev = sandbox.world.events.rev
    async with http.post("/sandbox/clock", json=order) as response:
        assert await response.json() == {"now": now, "zone": "America/Cuiaba"}
    (event,) = await events(http, rev, 1)
    assert (event["type"], event["now"]) == ("clock", now)


@pytest.mark.parametrize(
    "order", [{"add_days": -1}, {"to": "2026-03-01T00:00"}, {"to": "ontem"}, {}, {"add_days": "x"}]
)
async def test_the_clock_never_goes_back(order: dict[str, object], phones: Phones, clock: Clock) -> None:
    """Nor anywhere that is no time."""
    before = clock.now()
    with pytest.raises(Refused, match="400"):
        await phones.post("/sandbox/clock", order)
    assert clock.now() == before


async def test_a_clock_that_nobody_moves_stands(clock: Clock) -> None:
    """Without a mover the page is told."""
    sandbox = Sandbox(token=TOKEN, clock=clock)
    await sandbox.start()
    async with Phones(sandbox.url) as phones:
        with pytest.raises(Refused, match="409"):
            await phones.moves_clock(days=1)
    await sandbox.stop()


async def test_one_move_at_a_time(clock: Clock) -> None:
    """While what falls due is being done, a second move waits its turn by being refused."""
    sandbox: Sandbox
    second: list[str] = []

    async def move(target: datetime) -> None:
        async with Phones(sandbox.url) as others:
            try:
                await others.moves_clock(days=1)
            except Refused as refused:
                second.append(str(refused))
        clock.at = target

    sandbox = Sandbox(token=TOKEN, clock=clock, on_clock_move=move)
    await sandbox.start()
    async with Phones(sandbox.url) as phones:
        assert await phones.moves_clock(days=2) == datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    await sandbox.stop()
    assert len(second) == 1
    assert "409" in second[0]


async def test_restart_brings_back_the_beginning(bot: Bot, ana: Phone, phones: Phones, sandbox: Sandbox) -> None:
    """Only the seeded people are there; waiting updates are gone; the bot's own commands and new ids stay."""
    await bot.set_my_commands([("inicio", "Começar")])
    last = (await bot.get_updates())[-1].update_id
    await phones.restarts()
    seeded = phones.named("Motorista")
    assert seeded.facts()["first_name"] == "Semente"
    assert [phone.first_name for phone in sandbox.world.phones.values()] == ["Semente"]
    assert await bot.get_updates() == ()
    assert seeded.facts()["commands"] == [{"command": "inicio", "description": "Começar"}]
    await seeded.sends("/start")
    assert (await bot.get_updates())[0].update_id > last


async def test_files_are_shown_but_never_run(http: aiohttp.ClientSession, ana: Phone, photo: bytes) -> None:
    """A photo shows in the page; a page that somebody sent as a document is only ever saved."""
    shown = await ana.sends_photo(photo)
    async with http.get(f"/sandbox/files/{shown.raw['photo'][-1]['file_id']}") as response:
        assert (await response.read(), response.content_type) == (photo, "image/jpeg")
    hostile = await ana.sends_document(b"<script>alert(1)</script>", "x.html", content_type="text/html")
    async with http.get(f"/sandbox/files/{hostile.raw['document']['file_id']}") as response:
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"].startswith("attachment")
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    async with http.get("/sandbox/files/none") as response:
        assert response.status == 404


async def test_uploads_from_the_page_have_limits(ana: Phone, photo: bytes) -> None:
    """Ten files to an album, a thousand and twenty-four characters to a caption, pictures as photos."""
    with pytest.raises(Refused, match="no máximo 10"):
        await ana.sends_album([photo] * 11)
    with pytest.raises(Refused, match="legenda"):
        await ana.sends_photo(photo, caption="x" * 1025)
    with pytest.raises(Refused, match="como documento"):
        await ana.sends_photo(b"no picture")
    with pytest.raises(Refused, match="Escolha"):
        await ana.sends_files("hologram", [("a", b"x")])
    with pytest.raises(Refused, match="grande demais"):
        await ana.sends_document(bytes(65 * 1024 * 1024), "a.bin")
    await ana.quiet(0.05)
    assert [screen.text for screen in ana.history()] == ["/start"]


async def test_a_person_may_change_name_and_language(http: aiohttp.ClientSession, ana: Phone) -> None:
    """Only what is theirs to change."""
    async with http.patch(f"/sandbox/phones/{ana.id}", json={"language_code": "en", "first_name": "Anna"}) as response:
        phone = await response.json()
    assert (phone["language_code"], phone["first_name"]) == ("en", "Anna")
    async with http.patch(f"/sandbox/phones/{ana.id}", json={"blocked": True}) as response:
        assert response.status == 400
    async with http.patch("/sandbox/phones/5", json={"first_name": "X"}) as response:
        assert response.status == 404
    for body in ("{", "[]"):
        async with http.post("/sandbox/phones", data=body) as response:
            assert response.status == 400


async def test_a_phone_waits_for_what_is_new(bot: Bot, ana: Phone, phones: Phones) -> None:
    """What was seen before the person acted, or before the clock was moved, does not count as an answer."""
    await bot.send_message(ana.id, "Lembrete")
    await ana.sees("Lembrete")
    await phones.moves_clock(days=1)
    with pytest.raises(AssertionError, match="Ana never saw 'Lembrete'"):
        await ana.sees("Lembrete", within=0.05)
    await bot.send_message(ana.id, "Lembrete de novo")
    assert (await ana.sees("Lembrete")).text == "Lembrete de novo"
    assert [screen.text for screen in ana.news()] == ["Lembrete de novo"]
    with pytest.raises(AssertionError, match="no button 'Sim' for Ana"):
        await ana.presses("Sim", within=0.05)
