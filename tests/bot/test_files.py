"""Photos and documents: fetched before their update is handled, kept once, named for what they are."""

from __future__ import annotations

import hashlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select

from bot.files import FolderStore, attachment_of
from bot.storage import tables as t
from tests.support.counter import Stage

PDF = b"%PDF-1.4\n" + b"0" * 500


def files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def photo(colour: str = "red") -> bytes:
    made = BytesIO()
    Image.new("RGB", (640, 480), colour).save(made, "JPEG")
    return made.getvalue()


async def test_what_a_form_awaits_is_kept_under_its_hash(tiny_stage: Stage) -> None:
    """Ana sends a photo and a PDF: the handler gets both, known by their content, and both lie in the folder."""
    ana = await tiny_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await ana.sends_photo(photo())
    await ana.sees("image/jpeg")
    await ana.sends_document(PDF, "foto.jpg")
    await ana.sees(f"application/pdf {len(PDF)}")
    assert tiny_stage.counter is not None
    async with tiny_stage.counter.storage.reading() as connection:
        rows = (await connection.execute(select(t.file).order_by(t.file.c.id))).all()
    assert [row.media_type for row in rows] == ["image/jpeg", "application/pdf"]
    store = FolderStore(tiny_stage.settings.files_dir)
    assert await store.get(hashlib.sha256(PDF).hexdigest()) == PDF
    assert rows[1].name == "foto.jpg"


async def test_an_album_arrives_part_by_part_in_order(sqlite_stage: Stage) -> None:
    """Three photos sent together are three updates; each is fetched and handled in its turn."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await ana.sends_album([photo("red"), photo("green"), photo("blue")])
    await ana.sends("pronto")
    await ana.sees("1. pronto")
    assert sum("image/jpeg" in screen.text for screen in ana.history()) == 3


async def test_a_file_that_nobody_awaits_is_not_fetched(sqlite_stage: Stage) -> None:
    """Outside of a form a photo is no evidence: the counter does not even ask for it."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends_photo(photo())
    await ana.sees("ninguém esperava")
    assert "getFile" not in (await sqlite_stage.phones.log())["calls"]
    assert await sqlite_stage.rows("file") == 0


@pytest.mark.parametrize(("content", "trouble"), [(b"\x7fELF" + b"0" * 300, "unreadable")])
async def test_what_nobody_can_read_is_told(sqlite_stage: Stage, content: bytes, trouble: str) -> None:
    """A program named as a photo is known by its content and not kept."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await ana.sends_document(content, "foto.jpg")
    await ana.sees(trouble)
    assert await sqlite_stage.rows("file") == 0


async def test_21_megabytes_are_refused_without_a_download(sqlite_stage: Stage) -> None:
    """Telegram would not give it: the message already says how big it is."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await ana.sends_document(b"%PDF-1.4\n" + bytes(21 * 1024 * 1024), "grande.pdf")
    await ana.sees("too_big")
    assert "getFile" not in (await sqlite_stage.phones.log())["calls"]


async def test_a_download_that_fails_twice_is_tried_again(sqlite_stage: Stage) -> None:
    """Telegram fails twice; the third try brings the photo and Ana notices nothing."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await sqlite_stage.phones.fault("getFile", status=502, times=2)
    await ana.sends_photo(photo())
    await ana.sees("image/jpeg")


async def test_a_file_that_cannot_be_had_does_not_stop_the_chat(sqlite_stage: Stage) -> None:
    """Telegram refuses the file: Ana hears so and is served on."""
    ana = await sqlite_stage.phones.add("Ana")
    await ana.sends("/form")
    await ana.sees("Envie o arquivo")
    await sqlite_stage.phones.fault("getFile", status=400, times=10)
    await ana.sends_photo(photo())
    await ana.sees("not_fetched")
    await ana.sends("e agora?")
    await ana.sees("1. e agora?")


async def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    """Two people send the same form: one file lies in the folder, whole."""
    store = FolderStore(tmp_path)
    digest = hashlib.sha256(PDF).hexdigest()
    await store.put(digest, PDF)
    await store.put(digest, PDF)
    assert files_in(tmp_path) == [digest]


def test_the_largest_size_of_a_photo_is_taken() -> None:
    """Telegram gives several sizes of a photo; staff see the largest."""
    sizes = [{"file_id": f"f{n}", "width": n, "height": n, "file_size": n} for n in (90, 1280, 320)]
    found = attachment_of({"message": {"photo": sizes}})
    assert found is not None
    assert (found.file_id, found.size) == ("f1280", 1280)
