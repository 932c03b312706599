"""What people get wrong, and what goes wrong around them: each hears what to do, and nothing half-done stays."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from domain.people.model import Role
from handlers.registry import AREAS, register_all
from handlers.shared.desk import Desk
from handlers.shared.forms.model import Kind
from tests.support.counter import SECRET, TOKEN, Stage, stage
from tests.support.errands import Errand, question
from tests.support.papers import PDF, photograph
from tests.support.phone import Phone
from tests.support.scenes import Report, asks_to_register, fills, joins, reports, takes_next
from tests.support.towns import CACERES

HOUSE = Path(__file__).parents[2]
ODD = "<b>oi</b> & '; DROP TABLE person;-- 👩🏽‍🦽🇧🇷 \u202eשלום\u202c %s {x}"
HUGE = b"%PDF-1.4\n" + bytes(21 * 1024 * 1024)


@pytest.fixture
async def counter(sqlite_database: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """The product, with one more errand that asks for a CPF."""
    errand = Errand(question(Kind.CPF))
    areas: tuple[Callable[[Desk], None], ...] = (*AREAS, errand)
    async with stage(
        sqlite_database, tmp_path, register=lambda application: register_all(application, areas)
    ) as set_up:
        yield set_up
        assert (await set_up.phones.log())["errors"] == []


async def at_the_evidence(counter: Stage) -> Phone:
    """Rita stands at the question for photographs."""
    rita = await counter.phones.add("Rita")
    await rita.sends("/reclamar")
    told = (("O que aconteceu?", "Cobrou o dobro."), ("Onde foi?", "Pular"), ("Quando foi?", "Pular"))
    way = (("O que você quer contar?", "Reclamação do serviço"), ("Em qual cidade foi?", CACERES.button))
    await fills(rita, (*way, ("Qual destes é o assunto?", CACERES.complaint), *told, ("Qual era o veículo", "Pular")))
    await rita.sees("Tem fotos")
    return rita


async def test_a_file_of_21_mb_is_declined_with_the_limit_and_its_caption_is_kept(counter: Stage) -> None:
    """Rita hears the limit and another way; the caption goes with the file that she sends instead."""
    rita = await at_the_evidence(counter)
    await rita.sends_document(HUGE, "filme.pdf", caption="Às 14h na praça")
    told = await rita.sees("20 MB")
    assert "O texto que veio junto ficou guardado." in told.text
    assert told.labels
    await rita.sends_photo(photograph())
    await rita.sees("Recebi 1 arquivo até aqui")
    await rita.presses("Pronto")
    await rita.sees("Como você quer se identificar?")
    await rita.presses("Com o meu nome")
    assert "Às 14h na praça" in (await rita.sees("Confira o seu relato")).text


async def test_what_is_no_picture_and_no_document_is_told_what_is_awaited(counter: Stage) -> None:
    """A spreadsheet, a broken file named as a PDF, a sticker and a poll are no evidence."""
    rita = await at_the_evidence(counter)
    for name, content in (("planilha.xlsx", b"PK\x03\x04" + bytes(200)), ("quebrado.pdf", b"nothing of the kind")):
        await rita.sends_document(content, name)
        screen = await rita.sees("Tem fotos")
        assert not screen.text.startswith("Passo"), "nothing was said about the file"
        assert "Recebi 1 arquivo" not in screen.text
    await rita.sends_sticker()
    assert not (await rita.sees("Tem fotos")).text.startswith("Passo")
    await rita.sends_poll()
    assert not (await rita.sees("Tem fotos")).text.startswith("Passo")
    await rita.sends_document(PDF)
    await rita.sees("Recebi 1 arquivo até aqui")


async def test_a_day_that_does_not_exist_and_a_bad_plate_are_told_with_an_example(counter: Stage) -> None:
    """Ana mistypes her plate and a day; she is told what is wrong, sees an example, and goes on."""
    ana = await counter.phones.add("Ana")
    await ana.sends("/start")
    before = (("De qual cidade", CACERES.button), ("O que você quer fazer?", CACERES.works))
    await fills(ana, (*before, ("Para quem é o cadastro?", "Motorista de aplicativo"), ("placa do veículo", "ABC12D3")))
    assert "Exemplo: ABC1D23" in (await ana.sees("placa do veículo")).text
    await fills(ana, CACERES.answers[:4])
    await ana.sees("emplacado pela primeira vez?")
    await ana.sends("31/02/2021")
    told = await ana.sees("emplacado pela primeira vez?")
    assert "fevereiro" in told.text.lower() or "31/02" in told.text
    assert "Exemplo: 20/08/2021" in told.text
    await ana.sends("20/08/2021")
    await ana.sees("Quantos lugares")


async def test_a_cpf_whose_digits_do_not_check_is_asked_back_and_can_be_confirmed(counter: Stage) -> None:
    """Ana's CPF looks wrong: she is asked, writes "confirmo", and it is taken as she wrote it."""
    ana = await counter.phones.add("Ana")
    await ana.sends("/start")
    await fills(ana, (("De qual cidade", CACERES.button), ("O que você quer fazer?", "Dar um recado")))
    await ana.sees("Pergunta cpf?")
    await ana.sends("529.982.247-26")
    asked = await ana.sees("529.982.247-26")
    assert "Sim, confirmo" in asked.labels
    await ana.sends("confirmo")
    assert "529.982.247-26" in (await ana.sees("Confira")).text


async def test_5000_characters_are_asked_to_be_shortened(counter: Stage) -> None:
    """Rita writes far too much: she hears how much too much, once, and the form waits for a shorter text."""
    rita = await counter.phones.add("Rita")
    await rita.sends("/reclamar")
    way = (("O que você quer contar?", "Reclamação do serviço"), ("Em qual cidade foi?", CACERES.button))
    await fills(rita, (*way, ("Qual destes é o assunto?", CACERES.complaint)))
    await rita.sees("O que aconteceu?")
    await rita.sends("é" * 5000)
    told = await rita.sees("Encurte")
    assert told.labels
    await counter.settles()
    assert "O que aconteceu?" in rita.last().text
    await rita.sends("Foi grosseiro.")
    await rita.sees("Onde foi?")


async def test_whatever_characters_are_written_staff_read_them_as_they_are(counter: Stage) -> None:
    """HTML, SQL, emoji and right-to-left text are stored and shown verbatim, on both sides of the counter."""
    olga = await joins(counter, "Olga", CACERES, Role.OMBUDSMAN)
    rita = await counter.phones.add("Rita <i>&")
    report = Report("Reclamação do serviço", CACERES.complaint, "Com o meu nome", ODD)
    await reports(rita, CACERES, report, knows_city=False)
    card = await takes_next(olga, "Ouvidoria")
    await olga.presses("Ver dados")
    assert ODD in (await olga.sees("O que aconteceu")).text
    assert "Rita <i>&" in card.text
    await rita.presses("Ver o caso")
    await rita.presses("O que contei")
    assert ODD in (await rita.sees("O que aconteceu")).text


async def test_a_forged_press_is_refused_and_logged_without_a_word_about_anybody(counter: Stage) -> None:
    """Malu presses what belongs to Ana and to staff: nothing happens, and the log does not say who she is."""
    ana, malu = await counter.phones.add("Ana"), await counter.phones.add("Malu Forjadora")
    await asks_to_register(ana, CACERES)
    await malu.sends("/start")
    screen = await malu.sees("De qual cidade se trata?")
    await counter.settles()
    with capture_logs() as logs:
        for data in ("r:back:1", "r:submit:1", "r:drop_yes:1", "c:take:1", "c:approved:1", "q:all", "x", "s:99:send"):
            await malu.presses_data(screen.id, data, forge=True)
            await counter.settles()
    assert any(entry["event"] == "button_refused" for entry in logs)
    assert "Malu" not in repr(logs)
    assert str(malu.id) not in repr(logs)
    assert all("Motorista de aplicativo ·" not in screen.text for screen in malu.history())
    assert await counter.rows("case", state="draft") == 1


def test_a_broken_rulebook_stops_the_start_and_names_file_key_and_reason(tmp_path: Path) -> None:
    """The jurist wrote a word where a number belongs: the counter does not open and says where to look."""
    for package in ("bot", "domain", "handlers", "locales"):
        shutil.copytree(HOUSE / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    name = "lei-2828-2019.toml"
    law = tmp_path / "domain" / "rulebooks" / CACERES.slug / name
    law.write_text(law.read_text().replace("amount = 8\n", 'amount = "oito"\n', 1))
    env = {"TELEGRAM_BOT_TOKEN": TOKEN, "BALCAO_SECRET_KEY": SECRET, "BALCAO_DATA_DIR": str(tmp_path / "var")}
    ended = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        cwd=tmp_path,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert ended.returncode == 2
    assert name in ended.stderr
    assert "taxa-operacao" in ended.stderr
    assert "amount" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


async def test_while_the_database_is_locked_a_report_waits_and_goes_on(
    sqlite_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is locked in the middle of Rita's report: she is told to try again, and loses nothing."""
    monkeypatch.setattr("bot.storage.engine.BUSY_TIMEOUT_MS", 100)
    async with stage(sqlite_database, tmp_path, register=None) as set_up:
        rita = await at_the_evidence(set_up)
        await set_up.settles()
        other = sqlite3.connect(sqlite_database.removeprefix("sqlite+aiosqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await rita.sends_photo(photograph())
        assert "tente de novo" in (await rita.sees("problema técnico")).text
        other.execute("ROLLBACK")
        other.close()
        await rita.sees("Recebi 1 arquivo até aqui")
        await rita.presses("Pronto")
        await rita.sees("Como você quer se identificar?")
        assert await set_up.rows("case") == 0
