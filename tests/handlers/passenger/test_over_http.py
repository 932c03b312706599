"""An anonymous report over HTTP: a real Bot API on one side, real databases on the other."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from bot.storage import tables as t
from bot.storage.tables_cases import timeline_event
from domain.cases.commands import Ask, TakeCase
from domain.people.model import Grant, Role
from handlers.passenger import area
from handlers.registry import register_all
from handlers.shared import commands, language, menu
from tests.support.builders import CITY, laws
from tests.support.counter import Stage, stage
from tests.support.papers import photograph


async def test_an_anonymous_report_is_answered_by_receipt_and_leaves_no_trace(database: str, tmp_path: Path) -> None:
    """Ana reports with a photograph; Olga asks; Ana answers with her receipt. No row tells that it was she."""
    areas = (menu.register, commands.register, language.register, area.register)
    async with stage(database, tmp_path, register=lambda app: register_all(app, areas), laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await ana.sends("/start")
        await ana.sees("De qual cidade se trata?")
        await ana.presses("Vila Clara (MT)")
        await ana.presses("Quero reclamar ou denunciar")
        await ana.sees("Ligue 190")
        await ana.presses("Discriminação")
        await ana.presses("Ofendeu")
        await ana.presses("Cor")
        await ana.sees("O que aconteceu?")
        await ana.sends("Ele me ofendeu.")
        await ana.sees("Onde foi?")
        await ana.sends("Praça central")
        await ana.sees("Quando foi?")
        await ana.presses("Ontem")
        await ana.sees("Qual era o veículo")
        await ana.sends("ABC1D23")
        await ana.sees("Tem fotos")
        await ana.sends_photo(photograph(1), caption="o carro")
        await ana.sees("Recebi 1 arquivo")
        await ana.presses("Pronto")
        await ana.presses("Anônimo, com recibo")
        await ana.sees("sem nome nenhum")
        await ana.presses("Enviar para a prefeitura")
        await ana.sees("O seu recibo")
        receipt = next(found[0] for screen in ana.history() if (found := re.search(r"(?:\d{4} ){3}\d{4}", screen.text)))

        olga = await set_up.phones.add("Olga")
        await olga.sends("/start")
        await olga.sees("De qual cidade se trata?")
        await question(set_up, olga.id)
        await ana.sends("/recibo")
        await ana.sees("Qual é o número do recibo?")
        await ana.sends(receipt)
        await ana.sees("Que horas eram?")
        await ana.presses("Responder")
        await ana.sends("Dez da manhã.")
        await ana.sees("Enviado. Agora a vez é da prefeitura.")
        assert set_up.counter is not None
        await set_up.counter.idle()

        async with set_up.counter.storage.reading() as connection:
            said = list((await connection.execute(select(t.outbox.c.payload))).scalars())
        places = [await conversation_of(set_up, phone.id) for phone in (ana, olga)]
        assert not any(receipt.replace(" ", "") in text.replace(" ", "") for text in (*places, *said))
        assert await chats_by_instant(set_up) == set()
        await ana.presses("Acrescentar prova")
        await ana.sees("Acrescentar ao caso")
        await set_up.counter.idle()
        assert receipt.replace(" ", "") in await conversation_of(set_up, ana.id)
        assert await set_up.rows("conversation", holds_receipt=True) == 1
        set_up.clock.move_to(set_up.clock.now() + timedelta(days=2))
        await set_up.counter.clockwork.tidy()
        assert receipt.replace(" ", "") not in await conversation_of(set_up, ana.id)
        assert await set_up.rows("conversation", holds_receipt=True) == 0
        await ana.sends("oi")
        await ana.sees("O que você quer fazer?")

        log = await set_up.phones.log()
        assert log["errors"] == []
        assert log["unanswered_callbacks"] == []


async def conversation_of(set_up: Stage, chat_id: int) -> str:
    assert set_up.counter is not None
    return await set_up.counter.journal.places.of(chat_id) or ""


async def chats_by_instant(set_up: Stage) -> set[int]:
    """Return the chats that stand beside an instant at which a case moved: whoever reads them knows who reported."""
    assert set_up.counter is not None
    async with set_up.counter.storage.reading() as connection:
        moved = set((await connection.execute(select(timeline_event.c.at))).scalars())
        ended = select(t.outbox.c.chat_id).where(t.outbox.c.created_at.in_(moved), t.outbox.c.chat_id != 0)
        handled = select(t.inbox.c.chat_id).where(t.inbox.c.handled_at.in_(moved), t.inbox.c.chat_id != 0)
        fetched = select(t.inbox.c.chat_id).join(t.file, t.file.c.update_id == t.inbox.c.update_id)
        places = select(t.conversation.c.chat_id).where(t.conversation.c.updated_at.in_(moved))
        found: set[int] = set()
        for statement in (ended, handled, fetched.where(t.inbox.c.chat_id != 0), places):
            found |= set((await connection.execute(statement)).scalars())
    return found


async def question(set_up: Stage, chat_id: int) -> None:
    """Let somebody of the ouvidoria take the only case and ask."""
    counter = set_up.counter
    assert counter is not None
    now = set_up.clock.now()
    async with counter.journal.storage.transaction() as connection:
        services = counter.binder.for_unit(connection, now=now)
        olga = await services.ports.people.by_chat(chat_id)
        assert olga is not None
        await services.ports.grants.add(olga.id, Grant(CITY, Role.OMBUDSMAN), at=now)
        olga = await services.ports.people.get(olga.id)
        await services.take_case(TakeCase(by=olga, case_id=1))
        await services.ask(Ask(by=olga, case_id=1, text="Que horas eram?"))
