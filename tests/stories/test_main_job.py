"""The main job, lived over HTTP in each of the five cities on each kind of database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from bot.app import Counter
from domain.cases.model import Case, CaseKind, Item, ItemState
from domain.people.model import Role
from domain.reminders.derive import Registered, derive_obligations
from domain.reminders.model import OFFSETS
from domain.reminders.schedule import sending_instant
from tests.support.counter import Stage
from tests.support.counter import stage as set_stage
from tests.support.phone import Phone
from tests.support.scenes import SOON, Report, days_of, is_approved, joins, reports, takes_next
from tests.support.towns import OPERATOR, TOWNS, Town

MONDAY = datetime(2026, 11, 30, 13, tzinfo=UTC)


@pytest.fixture
async def stage(database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """The product, on the 30th of November 2026; whatever is lived there, Telegram has nothing to complain of."""
    async with set_stage(database, tmp_path, register=None, start=MONDAY) as set_up:
        yield set_up
        log = await set_up.phones.log()
        assert log["errors"] == []
        assert log["unanswered_callbacks"] == []


def days_by_law(counter: Counter, town: Town) -> set[date]:
    """Return every day on which the law's dates are told to who handed everything in and was approved today."""
    book, calendar = counter.laws.rulebook(town.slug, town.service), counter.laws.calendar(town.slug)
    today = MONDAY.astimezone(calendar.zone).date()
    items = {item.id: Item(ItemState.ACCEPTED) for item in book.checklist(town.applicant, today)}
    case = Case(1, town.slug, town.service, CaseKind.REGISTRATION, subject=town.applicant, items=items)
    owed = derive_obligations(book, Registered(case, 1, today, today), calendar, today=today)
    planned = [sending_instant(one.due_on, days, 1, calendar) for one in owed for days in OFFSETS]
    return {instant.astimezone(calendar.zone).date() for instant in planned if instant > MONDAY}


@pytest.mark.parametrize("town", [*TOWNS, OPERATOR], ids=lambda town: f"{town.slug}-{town.applicant}")
async def test_who_works_is_led_from_the_first_question_to_the_reminders(stage: Stage, town: Town) -> None:
    """Ana sends every document, cures the refused one, is approved, and is told of what falls due on its days."""
    ana = await is_approved(stage, town)
    counter = stage.counter
    assert counter is not None
    zone = counter.laws.calendar(town.slug).zone

    until = max((day for days in town.told.values() for day in days), default=date(2027, 12, 31))
    await stage.phones.moves_clock(to=datetime.combine(until, time(20), zone))

    for words, days in town.told.items():
        assert days_of(ana, zone, words) == list(days), words
    by_law = {day for day in days_by_law(counter, town) if day <= until}
    assert by_law >= {day for days in town.told.values() for day in days}
    assert days_of(ana, zone) == sorted(by_law)
    await ana.sends("/prazos")
    await ana.sees("Meus prazos")


@pytest.mark.parametrize("town", TOWNS, ids=lambda town: town.slug)
async def test_a_passenger_reports_is_asked_answers_confirms_one_and_contests_the_other(
    stage: Stage, town: Town
) -> None:
    """Rita reports twice with photographs; Olga asks and decides; Rita agrees with one outcome and not the other."""
    olga = await joins(stage, "Olga", town, Role.OMBUDSMAN)
    rita = await stage.phones.add("Rita")
    complaint = Report("Reclamação do serviço", town.complaint, "Com o meu nome", "Fiquei <b>sem</b> resposta & aviso")
    first = await reports(rita, town, complaint, knows_city=False)

    card = await takes_next(olga, "Ouvidoria")
    assert first in card.text
    assert "Rita" in card.text
    assert "Fiquei <b>sem</b> resposta & aviso" in card.text
    await olga.presses("Perguntar")
    await olga.sees("O que você quer perguntar?")
    await olga.sends("A que horas foi?")
    await olga.presses("Enviar a pergunta")
    await olga.sees("Pergunta enviada")

    await rita.sees("A que horas foi?", within=SOON)
    await rita.presses("Responder")
    await rita.sees("Escreva a sua resposta")
    await rita.sends("Às 14h30, na saída da escola.")
    await rita.sees("Agora a vez é da prefeitura")
    await olga.sees("Às 14h30, na saída da escola.", within=SOON)
    await decides(olga, "Conversamos com quem atendeu.")
    await rita.sees("Conversamos com quem atendeu.", within=SOON)
    await rita.presses("Sim, resolve")
    await rita.sees("O caso está encerrado")
    await olga.sees("O cidadão confirmou o resultado", within=SOON)

    discrimination = Report("Discriminação", town.discrimination, "Identidade protegida", "Fui deixada na rua.", "Raça")
    second = await reports(rita, town, discrimination, knows_city=True)
    assert second != first
    card = await takes_next(olga, "Discriminação")
    assert second in card.text
    assert "identidade protegida" in card.text
    assert "Rita" not in card.text
    await decides(olga, "Não foi possível confirmar.", open_first=False)
    await rita.sees("Não foi possível confirmar.", within=SOON)
    await rita.presses("Não concordo")
    await rita.sees("O que não ficou resolvido?")
    await rita.sends("Ninguém ouviu a testemunha.")
    await rita.sees("O caso voltou para a equipe")
    notice = await olga.sees("Ninguém ouviu a testemunha.", within=SOON)
    assert "Rita" not in notice.text
    assert all("Rita" not in screen.text for screen in olga.history() if second in screen.text)


async def decides(olga: Phone, words: str, *, open_first: bool = True) -> None:
    """Tell how a report ends."""
    if open_first:
        await olga.presses("Abrir o caso")
        await olga.sees("Com você.")
    await olga.presses("Concluir")
    screen = await olga.sees("Como o caso termina?")
    await olga.presses(screen.labels[0])
    await olga.sees("Explique o resultado")
    await olga.sends(words)
    await olga.sees("Conclusão")
    await olga.presses("Enviar a conclusão")
    await olga.sees("Conclusão enviada")
