"""Who reported, and what is said in a chat, stay unknown to who has the database and not the key."""

from __future__ import annotations

import base64

import pytest
from sqlalchemy import select, text

from bot.storage.engine import Storage
from bot.storage.repositories.parties import StoredParties
from bot.storage.repositories.sealing import Seal, SealBroken
from bot.storage.tables_cases import party
from domain.privacy.model import IdentityMode
from tests.support.builders import OMBUDSMAN, Counter
from tests.support.databases import SECRET, DatabaseStore

NEW = "the secret that came after the first one"


async def test_a_copy_of_the_table_names_nobody(store: DatabaseStore, storage: Storage) -> None:
    """Ana reports with protected identity twice: both rows are unlike each other and hold no number of hers."""
    counter = Counter(store)
    for filler in range(40):
        await store.person(f"Vizinha {filler}")
    ana = await store.person("Ana")
    filed = [await counter.report(ana, mode=IdentityMode.PROTECTED) for _ in range(2)]

    async with storage.reading() as connection:
        rows = (await connection.execute(select(party).order_by(party.c.case_id))).all()

    assert [row.case_id for row in rows] == [one.update.case.id for one in filed]
    assert rows[0].sealed != rows[1].sealed
    for row in rows:
        assert str(ana.id).encode() not in base64.b64decode(row.sealed)
        assert (row.receipt_hash, row.mode) == (None, "protected")


async def test_nothing_else_of_a_case_leads_to_who_reported_it(store: DatabaseStore) -> None:
    """Neither the case nor its timeline knows the person of a protected or anonymous report."""
    counter = Counter(store)
    ana = await store.person("Ana")
    for mode in (IdentityMode.PROTECTED, IdentityMode.ANONYMOUS):
        filed = await counter.report(ana, mode=mode)
        case, events = await counter.timeline(filed.update.case.id)
        assert case.assignee is None
        assert {event.author.person_id for event in events} == {None}
        assert "Ana" not in repr((case, events))


async def test_a_sealed_person_moved_to_another_case_does_not_open(store: DatabaseStore, storage: Storage) -> None:
    """Who can write to the database cannot make another case Ana's."""
    counter = Counter(store)
    ana, rui = await store.person("Ana"), await store.person("Rui")
    hers, his = [(await counter.report(person)).update.case.id for person in (ana, rui)]
    moved = text("UPDATE party SET sealed = (SELECT sealed FROM party WHERE case_id = :hers) WHERE case_id = :his")
    async with storage.transaction() as connection:
        await connection.execute(moved, {"hers": hers, "his": his})

    async with store.unit(counter.now) as ports:
        assert (await ports.parties.of(hers)).person_id == ana.id
        with pytest.raises(SealBroken):
            await ports.parties.of(his)


async def test_a_new_key_opens_what_the_earlier_one_sealed(store: DatabaseStore, storage: Storage) -> None:
    """The city changes its secret: Ana still finds her old case beside the new one; with the new key alone, nobody."""
    counter = Counter(store)
    ana = await store.person("Ana", OMBUDSMAN)
    old = (await counter.report(ana)).update.case.id
    async with storage.transaction() as connection:
        both = StoredParties(connection, Seal(NEW, SECRET))
        assert (await both.of(old)).person_id == ana.id
        assert await both.cases_of(ana.id) == (old,)

        alone = StoredParties(connection, Seal(NEW))
        assert await alone.cases_of(ana.id) == ()
        with pytest.raises(SealBroken):
            await alone.of(old)


def test_keys_for_different_purposes_differ() -> None:
    """What finds a person's cases cannot be compared with another city's database."""
    one, other = Seal(SECRET), Seal(NEW)
    assert one.key_id != other.key_id
    assert one.tag(7) != other.tag(7)
    assert one.tag(7) != one.tag(8)
    assert list(Seal(NEW, SECRET).tags(7)) == [other.tag(7), one.tag(7)]


WORDS = '{"what":"Ele me ofendeu."}'


def test_words_open_where_they_were_closed_and_nowhere_else() -> None:
    """Who can write to the database can neither send Ana's message to himself nor change it."""
    seal = Seal(SECRET)
    closed = seal.close_words(WORDS, table="outbox", chat_id=7)
    assert seal.open_words(closed, table="outbox", chat_id=7) == WORDS
    assert closed != seal.close_words(WORDS, table="outbox", chat_id=7)
    changed = closed[:60] + ("A" if closed[60] != "A" else "B") + closed[61:]
    for sealed, table, chat_id in ((closed, "outbox", 8), (closed, "inbox", 7), (changed, "outbox", 7)):
        with pytest.raises(SealBroken):
            seal.open_words(sealed, table=table, chat_id=chat_id)


@pytest.mark.parametrize("sealed", ["", "A", "?", "AAAA", "é" * 40, b"\x00".hex() * 40])
def test_what_is_no_seal_does_not_open(sealed: str) -> None:
    """A row that somebody spoiled says so, whatever stands in it."""
    with pytest.raises(SealBroken):
        Seal(SECRET).open_words(sealed, table="conversation", chat_id=7)


def test_words_are_read_under_a_new_key_for_as_long_as_the_earlier_one_is_named() -> None:
    """The city changes its secret: a draft of before still opens; without the earlier secret it does not."""
    closed = Seal(SECRET).close_words(WORDS, table="conversation", chat_id=7)
    assert Seal(NEW, SECRET).open_words(closed, table="conversation", chat_id=7) == WORDS
    with pytest.raises(SealBroken, match="not given"):
        Seal(NEW).open_words(closed, table="conversation", chat_id=7)
    renewed = Seal(NEW, SECRET).close_words(WORDS, table="conversation", chat_id=7)
    assert Seal(NEW).open_words(renewed, table="conversation", chat_id=7) == WORDS


@pytest.mark.parametrize("words", ['{"what":"oi"}', '{"what":"' + "a" * 5000 + '"}', '{"what":"\ud83d 🚌 \\u0000"}'])
def test_any_words_come_back_as_they_were(words: str) -> None:
    """A short draft, one as long as several messages, and half a character that a phone cut off."""
    seal = Seal(SECRET)
    assert seal.open_words(seal.close_words(words, table="inbox", chat_id=-7), table="inbox", chat_id=-7) == words


def test_a_word_more_is_not_seen_in_the_length() -> None:
    """Whoever has yesterday's copy cannot tell by its length which of today's cases a draft became."""
    seal = Seal(SECRET)
    texts = ['{"what":"' + "a" * count + '"}' for count in (1, 20, 240)]
    assert len({len(seal.close_words(text, table="conversation", chat_id=7)) for text in texts}) == 1
