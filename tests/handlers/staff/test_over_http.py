"""The staff's side over HTTP: a real Bot API on one side, real databases on the other."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from domain.cases.model import CaseKind
from domain.people.model import Role
from domain.people.service import InviteStaff
from domain.reports.model import FileReport
from handlers.registry import register_all
from tests.support.builders import CITY, SERVICE, laws
from tests.support.counter import Stage, stage
from tests.support.papers import PDF, signed_photograph
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


async def test_what_staff_get_of_a_protected_report_does_not_say_whose_it_is(
    sqlite_database: str, tmp_path: Path
) -> None:
    """Dandara's files carry her name outside and inside: Olga gets them without, and is told of one that is lost."""
    async with stage(sqlite_database, tmp_path, register=register_all, laws=laws()) as set_up:
        dandara = await set_up.phones.add("Dandara")
        await dandara.sends("/reclamar")
        await dandara.sees("O que você quer contar?")
        for label in ("Reclamação do serviço", "Vila Clara (MT)", "Cobrou a mais"):
            await dandara.presses(label)
        await dandara.sees("O que aconteceu?")
        await dandara.sends("Cobrou o dobro.")
        for asked in ("Onde foi?", "Quando foi?", "Qual era o veículo"):
            await dandara.sees(asked)
            await dandara.presses("Pular")
        await dandara.sees("tiro o nome do arquivo")
        await dandara.sends_document(PDF, "Dandara_CPF.pdf", content_type="application/pdf")
        await dandara.sees("Recebi 1 arquivo")
        await dandara.sends_document(signed_photograph("Dandara"), "Dandara.jpg", content_type="image/jpeg")
        await dandara.sees("Recebi 2 arquivos")
        await dandara.presses("Pronto")
        await dandara.presses("Identidade protegida")
        await dandara.sees("Tiro o nome de cada arquivo")
        await dandara.presses("Enviar para a prefeitura")
        filed = await dandara.sees("Protocolo:")
        olga = await joins(set_up, "Olga")
        await olga.sends(f"/caso {protocol_in(filed.text)}")
        await olga.sees("ninguém assumiu")
        await olga.presses("Ver arquivos (2)")
        await olga.sees("Arquivos do caso")

        got = [screen.raw["document"] for screen in olga.history() if "document" in screen.raw]
        assert [document["file_name"] for document in got] == ["prova-1.pdf", "prova-2.jpg"]
        contents = [set_up.sandbox.world.files.get(document["file_id"]) for document in got]
        assert contents[0] is not None
        assert contents[0].data == PDF
        assert contents[1] is not None
        assert b"Dandara" not in contents[1].data
        assert not any("Dandara" in str(screen.raw) for screen in olga.history())

        (tmp_path / "files").rename(tmp_path / "elsewhere")
        await olga.presses("Ver arquivos (2)")
        await olga.sees("Arquivos do caso")
        told = [screen.text for screen in olga.history() if "não pode ser mostrado" in screen.text]
        assert [text.split(",")[0] for text in told] == ["1 de 2", "2 de 2"]
        assert (await set_up.phones.log())["errors"] == []


def protocol_in(text: str) -> str:
    found = re.search(r"Protocolo: (\S+)", text)
    assert found is not None
    return found[1]


async def joins(set_up: Stage, name: str) -> Phone:
    """Let somebody join the ouvidoria by a link of their own."""
    counter = set_up.counter
    assert counter is not None
    async with counter.journal.storage.transaction() as connection:
        services = counter.binder.for_unit(connection, now=set_up.clock.now())
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
        services = counter.binder.for_unit(connection, now=set_up.clock.now())
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
