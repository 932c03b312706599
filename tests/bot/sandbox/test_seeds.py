"""Whom and what a newcomer finds in the sandbox before anybody has done anything."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.app import Counter
from bot.clock import Clock
from bot.sandbox.server import Sandbox
from bot.serve import sandbox_open
from bot.settings import load_settings
from bot.storage.tables_cases import case as case_record
from domain.cases.model import CaseKind, CaseState
from domain.law.loader import load_laws
from domain.privacy.model import IdentityMode
from tests.support.phone import Phones


@dataclass(frozen=True)
class Opened:
    """A sandbox as ``balcao sandbox`` opens it."""

    sandbox: Sandbox
    counter: Counter
    phones: Phones


@asynccontextmanager
async def opened(folder: Path, **settings: Any) -> AsyncIterator[Opened]:
    values = {"TELEGRAM_BOT_TOKEN": None, "BALCAO_DATA_DIR": folder, "PORT": 0, "LOG_LEVEL": "ERROR", **settings}
    async with sandbox_open(load_settings(values)) as (sandbox, counter), Phones(sandbox.url) as phones:
        yield Opened(sandbox, counter, phones)


@pytest.mark.parametrize("city", sorted(load_laws()))
async def test_nobody_meets_an_empty_counter(tmp_path: Path, city: str) -> None:
    """Whichever city is served: João is greeted, Ana has a question to answer, Bia sees who waits, since when."""
    async with opened(tmp_path, BALCAO_CITIES=city) as here:
        state = await here.phones.get("/sandbox/state")
        assert [phone["label"] for phone in state["phones"]] == ["Motorista", "Passageira", "Servidora"]
        assert all(phone["note"] and phone["messages"] and phone["unread"] == 0 for phone in state["phones"])
        assert abs(here.counter.clock.now() - Clock().now()) < timedelta(minutes=1)

        ana, bia = here.phones.named("Ana"), here.phones.named("Bia")
        assert "Responder" in ana.buttons()
        assert [screen.text for screen in bia.history()][-2] == "/fila"
        assert "na fila" in bia.last().text

        states = {CaseState.OPEN, CaseState.WAITING, CaseState.CLOSED}
        async with here.counter.storage.reading() as connection:
            found = (await connection.execute(select(case_record.c.kind, case_record.c.state))).all()
        assert {kind for kind, _ in found} == set(CaseKind)
        assert {state for _, state in found} == states
        log = await here.phones.log()
        assert (log["errors"], log["unanswered_callbacks"]) == ([], [])


async def test_starting_over_begins_the_same_again(tmp_path: Path) -> None:
    """Whatever was done meanwhile is gone: the same people stand there with the same words."""
    async with opened(tmp_path) as here:
        before = said(await here.phones.get("/sandbox/state"))
        await here.phones.named("Ana").sends("/cancelar")
        await here.phones.moves_clock(days=3)
        await here.phones.restarts()
        assert said(await here.phones.get("/sandbox/state")) == before
        assert abs(here.counter.clock.now() - Clock().now()) < timedelta(minutes=1)


async def test_who_is_written_to_has_a_phone(tmp_path: Path) -> None:
    """Bia takes the registration of somebody who is not on the page: the phone that is told comes up."""
    async with opened(tmp_path) as here:
        bia = here.phones.named("Bia")
        await bia.presses("Pegar o próximo")
        await here.counter.idle()
        marta = here.phones.named("Marta")
        assert "começou a analisar" in marta.last().text
        assert marta.facts()["label"] == "Motorista"


async def test_a_protected_name_is_protected_in_the_story_as_well(tmp_path: Path) -> None:
    """Rute asked for protection: no text that the counter keeps of her report has her name."""
    async with opened(tmp_path) as here, here.counter.storage.reading() as connection:
        ports = here.counter.binder.ports_for(connection, now=here.counter.clock.now())
        rows = await connection.execute(select(case_record.c.id).where(case_record.c.kind == CaseKind.DISCRIMINATION))
        case_id = rows.scalar_one()
        assert (await ports.parties.of(case_id)).mode is IdentityMode.PROTECTED
        assert not any("Rute" in event.text or "Rute" in str(event.data) for event in await ports.cases.events(case_id))


def said(state: dict[str, Any]) -> list[tuple[str, int, list[str]]]:
    """Who is there and what stands on each phone, but for what is random: the code of an invitation."""
    return [
        (phone["first_name"], phone["id"], [message["text"].partition(" conv_")[0] for message in phone["messages"]])
        for phone in state["phones"]
    ]
