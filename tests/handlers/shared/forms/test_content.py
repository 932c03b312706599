"""What is sent into a form that is no text: files, places, contacts, and what nobody asked for."""

from __future__ import annotations

from typing import Any

import pytest

from domain.files.model import FileKind, FileTrouble
from handlers.shared.forms.model import Kind
from tests.support.errands import Errand, begun, colour, name, question


@pytest.mark.parametrize(
    ("kind", "file", "read"),
    [
        (Kind.PHOTO, {"kind": FileKind.PHOTO}, "1 foto"),
        (Kind.PHOTO, {"kind": FileKind.DOCUMENT, "media_type": "image/png"}, "1 arquivo"),
        (Kind.DOCUMENT, {"kind": FileKind.DOCUMENT}, "1 arquivo"),
        (Kind.VOICE, {"kind": FileKind.VOICE}, "1 áudio"),
        (Kind.VIDEO, {"kind": FileKind.VIDEO}, "1 vídeo"),
    ],
)
async def test_a_file_is_an_answer_with_its_caption(kind: Kind, file: dict[str, Any], read: str) -> None:
    """What was sent is read by its content and called what it is; the words with it are kept."""
    errand = Errand(question(kind))
    ana = await begun(errand)

    await ana.sends_file(**file, caption="frente & verso")
    assert f"{read} · frente & verso" in ana.text
    await ana.presses("Enviar")

    view = errand.views[0]
    assert len(view.files(kind.value)) == 1
    assert view.caption(kind.value) == "frente & verso"


async def test_any_number_of_files_until_done() -> None:
    """An album of three is answered once, one more is added, "Pronto" ends."""
    errand = Errand(question(Kind.PHOTO, Kind.VIDEO, many=True), name())
    ana = await begun(errand)

    assert "Pronto" not in ana.labels()
    await ana.sends_file(album="a")
    assert "que você enviou juntos estão chegando" in ana.text
    assert "Recebi 1" not in ana.text
    assert await ana.sends_file(album="a") == []
    assert await ana.sends_file(album="a") == []
    await ana.sends_file(FileKind.VIDEO)
    assert "Recebi 4 arquivos" in ana.text
    await ana.sends("foi ontem")
    await ana.presses("Pronto")
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert len(errand.views[0].files("photo")) == 4
    assert errand.views[0].caption("photo") == "foi ontem"


async def test_an_album_for_one_photo_keeps_the_first_and_says_so_once() -> None:
    """Three photos where one was asked for: the form goes on with the first."""
    errand = Errand(question(Kind.PHOTO), name())
    ana = await begun(errand)

    await ana.sends_file(album="a")
    told = await ana.sends_file(album="a")
    assert "fiquei com o primeiro" in told[0].text
    assert await ana.sends_file(album="a") == []
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert len(errand.views[0].files("photo")) == 1


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (FileTrouble.TOO_BIG, "20 MB"),
        (FileTrouble.EMPTY, "vazio"),
        (FileTrouble.UNREADABLE, "Não consigo abrir"),
        (FileTrouble.NOT_FETCHED, "Envie de novo"),
    ],
)
async def test_a_file_in_trouble_keeps_its_caption(trouble: FileTrouble, told: str) -> None:
    """The file is lost, the words that came with it are not: they go with the next one."""
    errand = Errand(question(Kind.DOCUMENT, Kind.PHOTO))
    ana = await begun(errand)

    await ana.sends_file(FileKind.DOCUMENT, caption="CNH, frente", trouble=trouble)
    assert told in ana.text
    assert "ficou guardado" in ana.text
    await ana.sends_file()
    await ana.presses("Enviar")

    assert errand.views[0].caption("document") + errand.views[0].caption("photo") == "CNH, frente"


async def test_a_place_can_be_shared_or_written() -> None:
    """The phone's button, a pin or words: each answers, and the keyboard below the text field goes away."""
    errand = Errand(question(Kind.LOCATION, Kind.TEXT), name())
    ana = await begun(errand)
    assert ana.labels()[0] == "Enviar o local onde estou"
    assert "Cancelar" in ana.labels()

    said = await ana.posts(location={"latitude": -16.07, "longitude": -57.68})
    assert any(message.remove_reply_buttons for message in said)
    await ana.presses("Voltar")
    await ana.sends("Rua A, 10")
    await ana.presses("Voltar")
    await ana.sends("Manter")
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert errand.sent == [{"location": "Rua A, 10", "name": "Ana"}]


async def test_a_contact_can_be_shared_or_written() -> None:
    """A shared contact keeps its name; a typed number is read as one."""
    errand = Errand(question(Kind.CONTACT))
    ana = await begun(errand)

    await ana.posts(contact={"phone_number": "5565999990000", "first_name": "Bia"})
    assert "Bia, (65) 99999-0000" in ana.text
    await ana.presses("Enviar")

    assert errand.sent == [{"contact": {"phone": "+5565999990000", "name": "Bia"}}]


POLL = {
    "id": "1", "question": "?", "options": [], "total_voter_count": 0, "is_closed": False, "is_anonymous": True,
    "type": "regular", "allows_multiple_answers": False, "allows_revoting": False, "members_only": False,
}  # fmt: skip


STICKER = {
    "file_id": "s", "file_unique_id": "s", "width": 1, "height": 1, "is_animated": False, "is_video": False,
    "type": "regular",
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ({"sticker": STICKER}, "uma figurinha"),
        ({"poll": POLL}, "uma enquete"),
        ({"dice": {"emoji": "🎲", "value": 1}}, "um dado"),
        ({"location": {"latitude": 1, "longitude": 1}}, "um local"),
        ({"contact": {"phone_number": "1", "first_name": "B"}}, "um contato"),
    ],
)
async def test_the_wrong_kind_is_told_what_is_awaited(content: dict[str, Any], what: str) -> None:
    """A date is awaited and something else comes: one sentence says both."""
    errand = Errand(question(Kind.DATE, Kind.TEXT))
    ana = await begun(errand)

    await ana.posts(**content)

    assert f"Recebi {what}, mas aqui preciso de uma data ou um texto." in ana.text
    assert "Pergunta date?" in ana.text


async def test_a_voice_where_a_date_is_awaited_is_told_so() -> None:
    """Files are no dates, and typed text is no file."""
    errand = Errand(question(Kind.DATE), question(Kind.PHOTO))
    ana = await begun(errand)

    await ana.sends_file(FileKind.VOICE)
    assert "Recebi um áudio, mas aqui preciso de uma data" in ana.text
    await ana.sends("05/03/2027")
    await ana.sends("olha a foto")
    assert "Recebi um texto, mas aqui preciso de uma foto" in ana.text
    await ana.sends_file(FileKind.VOICE, caption="na frente da casa")
    assert "Recebi um áudio, mas aqui preciso de uma foto" in ana.text
    await ana.sends_file()
    assert "na frente da casa" in ana.text


async def test_an_edited_answer_is_noticed() -> None:
    """Ana edits what she answered: nothing changes silently, and she hears how to change it."""
    errand = Errand(name(), colour())
    ana = await begun(errand)
    await ana.sends("Ana", message_id=700)

    await ana.edits(700, "Ana Maria")
    assert "toque em Voltar" in ana.text
    await ana.edits(12, "outra coisa")
    assert "corrigir tudo antes de enviar" in ana.text
    await ana.presses("Azul")
    await ana.presses("Enviar")
    await ana.edits(700, "de novo")
    assert "não muda" in ana.text

    assert errand.sent == [{"name": "Ana", "colour": "blue"}]


async def test_files_are_counted_by_what_they_are() -> None:
    """A recording is called an audio before it is sent, and photos are called photos."""
    errand = Errand(question(Kind.VOICE), question(Kind.PHOTO, many=True))
    ana = await begun(errand)

    await ana.sends_file(FileKind.VOICE)
    await ana.sends_file()
    await ana.sends_file()
    await ana.presses("Pronto")

    assert "1 áudio" in ana.text
    assert "2 fotos" in ana.text
