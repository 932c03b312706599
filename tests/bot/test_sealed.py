"""Whoever copies the database, at whatever moment, reads neither what somebody is writing nor what they are told."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update
from structlog.testing import capture_logs

from bot.storage import tables as t
from bot.storage.journal import Received
from handlers.shared.outgoing import Outgoing
from tests.bot.test_story import text_update
from tests.support.builders import laws
from tests.support.counter import SECRET, Stage, stage
from tests.support.papers import photograph
from tests.support.phone import Phone

NEW = "the key that the city made after the first one"
LOST = "Se você estava preenchendo algo por aqui, isso se perdeu numa mudança do nosso lado."
SAID = ("gritou comigo", "Rua das Acácias", "ABC1D23", "o carro dele")


async def copy_of(set_up: Stage) -> str:
    """Return all that whoever copies the database has: SQLite's files, or every row of PostgreSQL's tables."""
    assert set_up.counter is not None
    storage = set_up.counter.storage
    if storage.is_sqlite:
        path = Path(storage.engine.url.database or "")
        files = sorted(path.parent.glob(f"{path.name}*"))
        assert f"{path.name}-wal" in {file.name for file in files}
        return "".join(file.read_bytes().decode("latin-1") for file in files)
    async with storage.reading() as connection:
        rows = [(await connection.execute(select(table))).all() for table in t.metadata.sorted_tables]
    return repr(rows)


def found_in(copy: str, *words: str) -> set[str]:
    """Return which of some words stand in a copy, as they are or as JSON writes them."""
    spelled = {word: {word, word.encode().decode("latin-1"), json.dumps(word)[1:-1]} for word in words}
    return {word for word, spellings in spelled.items() if any(spelling in copy for spelling in spellings)}


async def half_a_report(ana: Phone) -> None:
    """Tell what happened, to the page before it is sent, with the identity protected."""
    await ana.sends("/start")
    await ana.sees("De qual cidade se trata?")
    await ana.presses("Vila Clara (MT)")
    await ana.presses("Quero reclamar ou denunciar")
    await ana.sees("Ligue 190")
    await ana.presses("Discriminação")
    await ana.presses("Ofendeu")
    await ana.presses("Cor")
    await ana.sees("O que aconteceu?")
    await ana.sends("Ele gritou comigo.")
    await ana.sees("Onde foi?")
    await ana.sends("Rua das Acácias")
    await ana.sees("Quando foi?")
    await ana.presses("Ontem")
    await ana.sees("Qual era o veículo")
    await ana.sends("ABC1D23")
    await ana.sees("Tem fotos")
    await ana.sends_photo(photograph(1), caption="o carro dele")
    await ana.sees("Recebi 1 arquivo")
    await ana.presses("Pronto")
    await ana.sees("Como você quer se identificar?")


async def test_a_draft_is_in_no_copy_of_the_database(database: str, tmp_path: Path) -> None:
    """Ana stops at the last page of a protected report: no file, the log beside it included, has a word of it."""
    async with stage(database, tmp_path, register=None, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await half_a_report(ana)
        await ana.presses("Identidade protegida")
        await ana.sees("Confira o seu relato")
        await set_up.settles()

        copy = await copy_of(set_up)

        assert found_in(copy, *SAID) == set()
        assert found_in(copy, "Ofendeu", "protected", "vila-clara-mt") == {"vila-clara-mt"}, "whose city is no secret"
        assert set_up.counter is not None
        place = await set_up.counter.journal.places.of(ana.id)
        assert found_in(place or "", *SAID) == set(SAID), "these are the words that would have been found"
        await set_up.closes()
        await set_up.opens()
        await ana.sends("/menu")
        await ana.presses("Continuar")
        await ana.sees("Confira o seu relato")


async def test_a_receipt_is_in_no_copy_of_the_database(database: str, tmp_path: Path) -> None:
    """Ana is told her receipt, and opens her case with it: its digits are in no file."""
    async with stage(database, tmp_path, register=None, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await half_a_report(ana)
        await ana.presses("Anônimo, com recibo")
        await ana.sees("Confira o seu relato")
        await ana.presses("Enviar para a prefeitura")
        told = await ana.sees("O seu recibo")
        receipt = re.search(r"(?:\d{4} ){3}\d{4}", told.text)
        assert receipt is not None
        await ana.sends("/recibo")
        await ana.sees("Qual é o número do recibo?")
        await ana.sends(receipt[0])
        await ana.presses("Acrescentar prova")
        await ana.sees("Acrescentar ao caso")
        await set_up.settles()

        assert found_in(await copy_of(set_up), receipt[0], receipt[0].replace(" ", "")) == set()
        assert await set_up.rows("conversation", holds_receipt=True) == 1


async def test_what_waits_is_in_no_copy_of_the_database(tiny_stage: Stage) -> None:
    """A message waits for an hour in which it may be sent, an update for its turn; both are read when it comes."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    counter = tiny_stage.counter
    assert counter is not None
    now = tiny_stage.clock.now()
    async with counter.storage.transaction() as connection:
        await counter.journal.say(
            connection, [Outgoing(ana.id, text="a multa de Ana", not_before=now + timedelta(hours=9))], now=now
        )
    waiting = Received(8_000_000, ana.id, text_update(8_000_000, ana.id, "ele me seguiu"))
    await counter.journal.store([waiting], now=now)

    assert await tiny_stage.rows("outbox", state="pending") == await tiny_stage.rows("inbox", state="pending") == 1
    assert found_in(await copy_of(tiny_stage), "a multa de Ana", "ele me seguiu") == set()

    await tiny_stage.closes()
    tiny_stage.clock.move_to(now + timedelta(hours=10))
    await tiny_stage.opens()
    await ana.sees("2. ele me seguiu (2)")
    await ana.sees("a multa de Ana")


@pytest.fixture
async def at_the_last_page(database: str, tmp_path: Path) -> Any:
    """Ana has half a report when the counter closes."""
    async with stage(database, tmp_path, register=None, laws=laws()) as set_up:
        ana = await set_up.phones.add("Ana")
        await half_a_report(ana)
        await set_up.closes()
        yield set_up, ana


async def test_a_draft_goes_on_under_a_new_key(at_the_last_page: tuple[Stage, Phone]) -> None:
    """The city changes its key and names the earlier one: Ana goes on where she was, and it is sealed anew."""
    set_up, ana = at_the_last_page
    for renewed in ({"secret_key": NEW, "earlier_keys": (SECRET,)}, {"secret_key": NEW, "earlier_keys": ()}):
        set_up.settings = set_up.settings.model_copy(update=renewed)
        await set_up.opens()
        await ana.sends("/menu")
        await ana.presses("Continuar")
        await ana.sees("Como você quer se identificar?")
        await set_up.closes()


async def test_a_draft_whose_key_is_lost_is_given_up_in_one_sentence(at_the_last_page: tuple[Stage, Phone]) -> None:
    """The city lost its key: Ana is told once, her button answers, and she begins anew; the log names nobody."""
    set_up, ana = at_the_last_page
    set_up.settings = set_up.settings.model_copy(update={"secret_key": NEW, "earlier_keys": ()})
    with capture_logs() as logs:
        await set_up.opens()
        await ana.sends_photo(photograph(2))
        await ana.sees(LOST)
        await ana.sends("/reclamar")
        await ana.sees("O que você quer contar?")
        await set_up.settles()

    assert sum(LOST in screen.text for screen in ana.history()) == 1
    lost = [entry for entry in logs if entry["event"] == "conversation_not_opened"]
    assert [set(entry) for entry in lost] == [{"event", "log_level", "update", "code"}]
    log = await set_up.phones.log()
    assert log["errors"] == []
    assert await set_up.rows("inbox", state="failed") == 0


async def test_a_refusal_does_not_swallow_that_a_draft_is_lost(tiny_stage: Stage) -> None:
    """The first thing that Ana does under the new key is refused: she hears both, and the former once."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await tiny_stage.closes()
    tiny_stage.settings = tiny_stage.settings.model_copy(update={"secret_key": NEW})
    await tiny_stage.opens()
    for _ in range(2):
        await ana.sends("/recusa")
        await ana.sees("recusado")
    assert [LOST in screen.text for screen in ana.history() if screen.by_bot] == [False, True, False, False]


async def test_what_waits_under_a_lost_key_ends_and_stands_in_nobodys_way(tiny_stage: Stage) -> None:
    """What was to be said to Ana, and what she wrote, cannot be read: both end as failed, and she is served."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("oi")
    await ana.sees("1. oi (1)")
    counter = tiny_stage.counter
    assert counter is not None
    now = tiny_stage.clock.now()
    async with counter.storage.transaction() as connection:
        await counter.journal.say(
            connection, [Outgoing(ana.id, text="aviso", not_before=now + timedelta(hours=1))], now=now
        )
    await counter.journal.store([Received(9, ana.id, text_update(9, ana.id, "antes"))], now=now)
    await tiny_stage.closes()
    tiny_stage.settings = tiny_stage.settings.model_copy(update={"secret_key": NEW})
    tiny_stage.clock.move_to(now + timedelta(hours=2))
    with capture_logs() as logs:
        await tiny_stage.opens()
        await ana.sends("de novo")
        await ana.sees("2. de novo (1)")
        await tiny_stage.settles()

    assert await tiny_stage.rows("inbox", state="failed", payload="") == 1
    assert await tiny_stage.rows("outbox", state="failed", payload="", error="SealBroken") == 1
    assert {"event": "messages_not_opened", "log_level": "error", "messages": 1, "code": "SealBroken"} in logs


async def test_a_groups_new_number_keeps_what_waits_for_it(tiny_stage: Stage) -> None:
    """A group was given another number while a message waited: it is read under the new one."""
    counter = tiny_stage.counter
    assert counter is not None
    now = tiny_stage.clock.now()
    async with counter.storage.transaction() as connection:
        await counter.journal.say(
            connection, [Outgoing(-7, text="aviso", not_before=now + timedelta(hours=1))], now=now
        )
    await counter.journal.move_chat(-7, -1007)
    (row,) = await counter.journal.unsent(now=now + timedelta(hours=2))
    assert (row.message.chat_id, row.message.text) == (-1007, "aviso")


async def test_what_was_there_before_is_read_and_then_sealed(tiny_stage: Stage) -> None:
    """The version before left its rows plain: Ana's form still awaits her file; Rui's, left days ago, is sealed."""
    phones = [await tiny_stage.phones.add(name) for name in ("Ana", "Rui", "Eva")]
    ana, rui, eva = phones
    for phone in phones:
        await phone.sends("oi")
        await phone.sees("oi")
    counter = tiny_stage.counter
    assert counter is not None
    await tiny_stage.settles()
    now = tiny_stage.clock.now()
    form = {"form": "tiny", "step": "file"}
    async with counter.storage.transaction() as connection:
        await connection.execute(t.conversation.delete())
        for phone, days, params in ((ana, 0, {}), (rui, 3, {}), (eva, 3, {"receipt": "1234"})):
            place = {"screen": 4, "place": {**form, "params": params}}
            plain = {"chat_id": phone.id, "body": json.dumps(place), "updated_at": now - timedelta(days=days)}
            await connection.execute(insert(t.conversation).values(plain))

    await counter.clockwork.tidy()
    async with counter.storage.reading() as connection:
        stored = (await connection.execute(select(t.conversation))).all()
    sealed = {row.chat_id: not row.body.startswith("{") for row in stored}
    assert sealed == {ana.id: False, rui.id: True, eva.id: True}
    assert {row.chat_id for row in stored if row.holds_receipt} == {ana.id}
    assert '"place"' in (await counter.journal.places.of(rui.id) or "")
    assert await counter.journal.places.of(eva.id) == '{"screen":4}'

    for phone in (ana, rui):
        await phone.sends_photo(photograph(1))
        await phone.sees("image/jpeg")
    await ana.sends("obrigada")
    await ana.sees("obrigada (5)")
    await tiny_stage.settles()
    assert await tiny_stage.rows("conversation", holds_receipt=False) == 3


async def test_a_receipts_form_that_cannot_be_opened_is_closed_all_the_same(tiny_stage: Stage) -> None:
    """Nobody went on with it since yesterday: it does not stay only because its key is lost."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    counter = tiny_stage.counter
    assert counter is not None
    await tiny_stage.settles()
    left = {"body": "of another key", "holds_receipt": True}
    async with counter.storage.transaction() as connection:
        await connection.execute(update(t.conversation).values(left))
    tiny_stage.clock.move_to(tiny_stage.clock.now() + timedelta(days=2))
    await counter.clockwork.tidy()
    assert await counter.journal.places.of(ana.id) == "{}"
    assert await tiny_stage.rows("conversation", holds_receipt=True) == 0
