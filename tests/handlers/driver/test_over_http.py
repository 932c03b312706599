"""The driver's road over HTTP: a real Bot API on one side, real databases on the other."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from domain.cases.commands import TakeCase
from domain.people.model import Grant, Role
from domain.registration.commands import AcceptItem, Approve
from handlers.driver import area
from handlers.registry import register_all
from handlers.shared import commands, language, menu
from tests.support.builders import CITY, laws
from tests.support.counter import Stage, stage
from tests.support.papers import PDF, photograph


async def test_a_driver_comes_from_the_first_word_to_the_first_reminder(database: str, tmp_path: Path) -> None:
    """Ana answers, sends an album and a PDF, hands in; once approved, the moved clock brings her reminder."""
    areas = (menu.register, commands.register, language.register, area.register)
    async with stage(database, tmp_path, register=lambda app: register_all(app, areas), laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("/start")
        await ana.sees("De qual cidade se trata?")
        await ana.presses("Vila Clara (MT)")
        await ana.presses("Sou motorista")
        await ana.presses("Motorista")
        await ana.sends("05/03/1990")
        await ana.sees("Em nome de quem está o veículo?")
        await ana.presses("No meu nome")
        await ana.presses("Ver o resultado")
        await ana.sees("você atende à lei daqui")
        await ana.presses("Começar meu cadastro")
        await ana.presses("Enviar agora: CNH")
        await ana.sends_album([photograph(1), photograph(2)])
        await ana.sees("juntos estão chegando")
        await ana.presses("Pronto")
        await ana.sees("Enviar: Certidão criminal")
        await ana.sends_document(PDF, "certidao.pdf")
        await ana.sees("Recebi 1 arquivo")
        await ana.presses("Pronto")
        await ana.sees("Está tudo aqui")
        await ana.presses("📨 Enviar para a prefeitura")
        await ana.sees("Protocolo")

        bia = await set_up.phones.add("Bia")
        await bia.sends("/start")
        await bia.sees("De qual cidade se trata?")
        await approve(set_up, bia.id)
        await ana.sends("/prazos")
        await ana.sees("Taxa do motorista")
        assert set_up.counter is not None
        await set_up.counter.clockwork.run_due(set_up.clock.now() + timedelta(days=400))
        await ana.sees("Lembrete")
        await ana.presses("Já fiz")
        await ana.sees("anotado como feito")
        await ana.sends("/documentos")
        await ana.sees("Cadastro aprovado")
        await set_up.counter.idle()

        log = await set_up.phones.log()
        assert log["errors"] == []
        assert log["unanswered_callbacks"] == []


async def approve(set_up: Stage, chat_id: int) -> None:
    """Let somebody of the registry take, accept and approve the only registration."""
    counter = set_up.counter
    assert counter is not None
    now = set_up.clock.now()
    async with counter.journal.storage.transaction() as connection:
        unit = connection
        services = counter.binder.for_unit(unit, now=now)
        bia = await services.ports.people.by_chat(chat_id)
        assert bia is not None
        await services.ports.grants.add(bia.id, Grant(CITY, Role.REGISTRY), at=now)
        bia = await services.ports.people.get(bia.id)
        case = (await services.take_case(TakeCase(by=bia, case_id=1))).case
        for item in case.items:
            await services.accept_item(AcceptItem(by=bia, case_id=1, item=item))
        await services.approve(Approve(by=bia, case_id=1))
