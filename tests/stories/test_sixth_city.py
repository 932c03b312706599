"""A sixth city is a folder: its people live the main job beside the five, and no line of code knows of it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from domain.people.model import Role
from tests.support.counter import Stage
from tests.support.counter import stage as set_stage
from tests.support.scenes import SOON, Report, days_of, is_approved, joins, reports, takes_next
from tests.support.towns import TOWNS, Town

INVENTED = Path(__file__).parent.parent / "domain" / "law" / "cities" / "vila-clara-rs"

# the fee is due on the tenth business day of March, Friday the 12th in 2027
VILA_CLARA = Town(
    slug="vila-clara-rs",
    name="Vila Clara",
    uf="RS",
    service="charrete",
    works="Sou charreteiro: meus documentos",
    applicant="driver",
    applicant_label=None,
    answers=(("nascimento", "05/03/1990"),),
    refused="Atestado do veterinário",
    complaint="Maus-tratos ao cavalo",
    discrimination="Outro assunto",
    told={
        "Taxa": (date(2027, 2, 10), date(2027, 2, 25), date(2027, 3, 5), date(2027, 3, 11), date(2027, 3, 12)),
    },
)


@pytest.fixture
async def six_cities(sqlite_database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """The product, whose folder of rulebooks holds the five cities and an invented one."""
    folder = tmp_path / "rulebooks"
    with as_file(files("domain.rulebooks")) as rulebooks:
        shutil.copytree(rulebooks, folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(INVENTED, folder / INVENTED.name)
    monday = datetime(2026, 11, 30, 13, tzinfo=UTC)
    async with set_stage(sqlite_database, tmp_path, register=None, start=monday, rulebooks_dir=folder) as set_up:
        yield set_up
        log = await set_up.phones.log()
        assert log["errors"] == []
        assert log["unanswered_callbacks"] == []


async def test_a_sixth_city_serves_its_drivers(six_cities: Stage) -> None:
    """Ana drives a cart in Vila Clara: she registers, cures what was refused, and is told when the fee is due."""
    ana = await is_approved(six_cities, VILA_CLARA, queue="Balcão")
    counter = six_cities.counter
    assert counter is not None
    zone = counter.laws.calendar(VILA_CLARA.slug).zone

    await six_cities.phones.moves_clock(to=datetime.combine(date(2027, 3, 31), time(20), zone))

    for words, days in VILA_CLARA.told.items():
        assert days_of(ana, zone, words) == list(days)


async def test_a_sixth_city_hears_its_passengers(six_cities: Stage) -> None:
    """Rita complains about how a horse was treated; Olga of Vila Clara reads it, and nobody else has it in a queue."""
    olga = await joins(six_cities, "Olga", VILA_CLARA, Role.OMBUDSMAN)
    bia = await joins(six_cities, "Bia", TOWNS[0], Role.OMBUDSMAN)
    rita = await six_cities.phones.add("Rita")
    complaint = Report("Reclamação do serviço", VILA_CLARA.complaint, "Com o meu nome", "Bateram no cavalo.")
    protocol = await reports(rita, VILA_CLARA, complaint, knows_city=False)

    await bia.sends("/fila")
    assert "1 na fila" not in (await bia.sees("Filas")).text
    card = await takes_next(olga, "Balcão")
    assert protocol in card.text
    await rita.sees("A equipe começou a analisar", within=SOON)
