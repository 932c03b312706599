"""The staff's side over HTTP: a real Bot API on one side, real databases on the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.storage.engine import Plain
from domain.cases.model import CaseKind
from domain.people.model import Role
from domain.people.service import InviteStaff
from domain.reports.model import FileReport
from handlers.registry import register_all
from tests.support.builders import CITY, SERVICE, laws
from tests.support.counter import Stage, stage
from tests.support.phone import Phone


async def test_two_who_press_at_once_get_one_case_and_the_question_reaches_its_citizen(
    database: str, tmp_path: Path
) -> None:
    """Olga and Ivo join by their links and press together: one has the case, asks, and Ana reads it at once."""
    async with stage(database, tmp_path, register=register_all, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("/start")
        await ana.sees("De qual cidade se trata?")
        protocol = await reported(set_up, ana.id)
        olga, ivo = await joins(set_up, "Olga"), await joins(set_up, "Ivo")

        for phone in (olga, ivo):
            await phone.sends(f"/caso {protocol}")
            await phone.sees("ninguém assumiu")
        await asyncio.gather(olga.presses("Assumir o caso"), ivo.presses("Assumir o caso"))
        await asyncio.gather(olga.sees("⏳ Com"), ivo.sees("⏳ Com"))
        winners = [phone for phone in (olga, ivo) if "Com você." in (await phone.sees("⏳ Com")).text]
        assert len(winners) == 1
        assert await set_up.rows("timeline_event", kind="taken") == 1

        await winners[0].presses("Perguntar")
        await winners[0].sees("O que você quer perguntar?")
        await winners[0].sends("Qual era a linha?")
        await winners[0].sees("Vai para o cidadão assim que você enviar.")
        await winners[0].presses("Enviar a pergunta")
        await ana.sees("Qual era a linha?")
        await winners[0].sees("à espera do cidadão")
        assert set_up.counter is not None
        await set_up.counter.idle()

        log = await set_up.phones.log()
        assert log["errors"] == []
        assert log["unanswered_callbacks"] == []


async def joins(set_up: Stage, name: str) -> Phone:
    """Let somebody join the ouvidoria by a link of their own."""
    counter = set_up.counter
    assert counter is not None
    async with counter.journal.storage.transaction() as connection:
        services = counter.binder.for_unit(Plain(connection), now=set_up.clock.now())
        payload = (await services.invite_staff(InviteStaff(city=CITY, role=Role.OMBUDSMAN))).payload
    phone = await set_up.phones.add(name)
    await phone.sends(f"/start {payload}")
    await phone.sees("Ouvidoria em Vila Clara.")
    await phone.presses("Aceitar")
    await phone.sees("você agora é da equipe")
    return phone


async def reported(set_up: Stage, chat_id: int) -> str:
    """Let somebody complain; return the protocol."""
    counter = set_up.counter
    assert counter is not None
    async with counter.journal.storage.transaction() as connection:
        services = counter.binder.for_unit(Plain(connection), now=set_up.clock.now())
        by = await services.ports.people.by_chat(chat_id)
        assert by is not None
        report = FileReport(
            by=by,
            city=CITY,
            service=SERVICE,
            kind=CaseKind.COMPLAINT,
            subject="preco",
            facts={"what": "Cobrou o dobro."},
        )
        return (await services.file_report(report)).protocol
