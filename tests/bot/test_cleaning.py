"""What a picture carries unseen: gone before staff get it, and the picture as it was."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from bot.cleaning import Unclean, cleaned

OWNER = "Dandara da Silva"
LATITUDE = 0x8825


def picture() -> Image.Image:
    """Return a picture that is not the same when turned."""
    image = Image.new("RGB", (48, 32), (200, 30, 30))
    image.paste((20, 20, 200), (0, 0, 16, 16))
    return image


def told(*, turned: int = 1) -> Image.Exif:
    """Return what a telephone writes into a photograph: whose it is, where it was, and which side is up."""
    exif = Image.Exif()
    exif[0x013B] = OWNER
    exif[0x0112] = turned
    exif.get_ifd(LATITUDE)[1] = "S"
    return exif


def saved(form: str, **more: Any) -> bytes:
    out = BytesIO()
    picture().save(out, form, **more)
    return out.getvalue()


def pixels(content: bytes) -> bytes:
    return Image.open(BytesIO(content)).convert("RGB").tobytes()


def notes() -> PngInfo:
    info = PngInfo()
    info.add_text("Author", OWNER)
    info.add_itxt("Comment", OWNER)
    info.add_text("Long", OWNER * 9, zip=True)
    info.add(b"tIME", b"\x07\xea\x01\x01\x01\x01\x01")
    return info


PICTURES = {
    "jpeg": lambda: saved("JPEG", exif=told(), comment=OWNER.encode(), xmp=OWNER.encode()),
    "progressive jpeg": lambda: saved("JPEG", exif=told(), comment=OWNER.encode(), progressive=True),
    "jpeg with something behind": lambda: saved("JPEG") + b"\xff\xd8\xff\xe1" + OWNER.encode(),
    "png": lambda: saved("PNG", exif=told(), pnginfo=notes()),
    "webp": lambda: saved("WEBP", exif=told(), xmp=OWNER.encode(), lossless=True),
    "boxes, as a heic has them": lambda: saved("AVIF", exif=told()),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_tells_nothing_but_what_is_seen(kind: str) -> None:
    """Dandara's telephone wrote her name and her place into the photograph: both go, every point of it stays."""
    sent = PICTURES[kind]()
    assert OWNER.encode() in sent

    given = cleaned(sent)

    assert OWNER.encode() not in given
    assert not {b"tIME", b"zTXt", b"eXIf", b"EXIF", b"XMP "} & {given[at : at + 4] for at in range(len(given))}
    assert pixels(given) == pixels(sent)
    exif = Image.open(BytesIO(given)).getexif()
    assert 0x013B not in exif
    assert not exif.get_ifd(LATITUDE)


@pytest.mark.parametrize("turned", [3, 6, 8])
def test_a_photograph_stays_the_right_side_up(turned: int) -> None:
    """Held sideways, the telephone only notes it: staff still see the picture upright."""
    given = cleaned(saved("JPEG", exif=told(turned=turned)))
    assert dict(Image.open(BytesIO(given)).getexif()) == {0x0112: turned}


def box(name: bytes, *held: bytes) -> bytes:
    body = b"".join(held)
    return struct.pack(">I", len(body) + 8) + name + body


def test_a_video_does_not_say_where_it_was_taken() -> None:
    """The place that a telephone notes beside the film is overwritten; nothing else moves or changes."""
    place = b"-16.0714-057.6789/"
    film = box(b"mdat", b"\x01" * 40)
    video = (
        box(b"ftyp", b"isom\0\0\0\0")
        + box(b"moov", box(b"mvhd", b"\2" * 9), box(b"trak", box(b"udta", place)), box(b"udta", box(b"\xa9xyz", place)))
        + film
    )
    given = cleaned(video)
    assert place not in given
    assert len(given) == len(video)
    assert given.endswith(film)
    assert box(b"mvhd", b"\2" * 9) in given


def test_a_song_loses_its_tags() -> None:
    """The tags before and after the sound go, the sound stays."""
    sound = b"\xff\xfb\x90\x00" * 40
    tag = b"ID3\x03\x00\x00\x00\x00\x00\x10" + OWNER.encode()
    assert cleaned(tag + sound + b"TAG" + OWNER.encode().ljust(125)) == sound


def test_what_has_no_such_part_stays_as_it_is() -> None:
    """A PDF and a voice message are given on byte for byte."""
    for content in (b"%PDF-1.4\n%%EOF\n", b"OggS" + bytes(40)):
        assert cleaned(content) == content


@pytest.mark.parametrize("at", [3, 20, 40])
def test_a_file_that_is_broken_is_not_called_clean(at: int) -> None:
    """Cut within its head, nobody can tell what a picture carries."""
    with pytest.raises(Unclean):
        cleaned(saved("JPEG", exif=told())[:at])


def test_a_picture_whose_end_is_missing_is_still_shown() -> None:
    """The connection broke near the end: most of the picture can be seen."""
    sent = saved("JPEG", exif=told())[:-9]
    assert OWNER.encode() not in cleaned(sent)
    assert cleaned(sent)[-9:] == sent[-9:]
