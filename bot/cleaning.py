"""Takes out of pictures and recordings what they carry unseen: place, device, author, comments, earlier versions.

What is seen and heard stays as it is, byte for byte. Formats that carry such data in boxes of known offsets (HEIC, MP4
and their like) keep their length: there the data is overwritten in place.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

JPEG, PNG, RIFF, ID3 = b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"ID3"
PNG_KEEPS = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split()
)
WEBP_KEEPS = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"})
WEBP_TELLS = 0b0000_1100  # the flags of VP8X that announce EXIF and XMP
HOLD_BOXES = frozenset({b"moov", b"trak", b"mdia", b"moof", b"traf"})
HIDE_BOXES = frozenset({b"udta", b"meta", b"uuid"})
HIDDEN_ITEMS = frozenset({b"Exif", b"mime", b"uri "})
ORIENTATION = 0x0112
PRIMARY_EXIF = b"Exif\0\0"
EMPTY_EXIF = struct.pack(">I2sHIHI", 0, b"MM", 42, 8, 0, 0)  # as an item of a HEIC has it: without any entry


class Unclean(Exception):
    """A file is built otherwise than its kind says, so that nobody can tell what it still carries."""


def cleaned(content: bytes) -> bytes:
    """Return a file without what it carries unseen; a PDF, or sound without such a part, is returned as it is.

    Raises:
        Unclean: It cannot be told what it carries.
    """
    try:
        if content.startswith(JPEG):
            return _jpeg(content)
        if content.startswith(PNG):
            return _png(content)
        if content.startswith(RIFF) and content[8:12] == b"WEBP":
            return _webp(content)
        if content[4:8] == b"ftyp":
            return _boxes(content)
        if content.startswith(ID3):
            return _untagged(content)
    except (struct.error, IndexError, ValueError) as error:
        raise Unclean(type(error).__name__) from error
    return content


def _jpeg(content: bytes) -> bytes:
    """Keep what a decoder needs, the profile of the colours and which side is up; end where the picture ends."""
    kept, at, turned = [JPEG], 2, b""
    while True:
        if content[at] != 0xFF:
            raise ValueError("no marker")
        marker = content[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker == 0xD9:
            return b"".join((kept[0], turned, *kept[1:], b"\xff\xd9"))
        (size,) = struct.unpack_from(">H", content, at + 2)
        segment, at = content[at : at + 2 + size], at + 2 + size
        if marker == 0xE1 and segment[4:].startswith(PRIMARY_EXIF) and not turned:
            turned = _orientation(segment[10:])
        if _shows(marker, segment[4:]):
            kept.append(segment)
        if marker == 0xDA:
            end = _scan_end(content, at)
            kept.append(content[at:end])
            if end == len(content):  # the last bytes did not arrive: what is there can be looked at
                return b"".join((kept[0], turned, *kept[1:]))
            at = end


def _shows(marker: int, body: bytes) -> bool:
    if marker == 0xE0:
        return body.startswith(b"JFIF\0")
    if marker == 0xE2:
        return body.startswith(b"ICC_PROFILE\0")
    if marker == 0xEE:
        return body.startswith(b"Adobe")
    return not (0xE0 <= marker <= 0xEF or marker == 0xFE)


def _scan_end(content: bytes, at: int) -> int:
    """Return where the next marker stands that is no part of the compressed picture."""
    while (at := content.find(b"\xff", at)) >= 0 and at + 1 < len(content):
        following = content[at + 1]
        if following != 0 and not 0xD0 <= following <= 0xD7 and following != 0xFF:
            return at
        at += 1 if following == 0xFF else 2
    return len(content)


def _orientation(tiff: bytes) -> bytes:
    """Return a segment that says which side is up and nothing else; nothing when that is not told."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return b""
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        for at in range(first + 2, first + 2 + 12 * count, 12):
            tag, kind, _, value = struct.unpack_from(f"{order}HHIH", tiff, at)
            if tag == ORIENTATION and kind == 3 and 2 <= value <= 8:
                body = PRIMARY_EXIF + struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, ORIENTATION, 3, 1, value, 0, 0)
                return struct.pack(">BBH", 0xFF, 0xE1, len(body) + 2) + body
    except struct.error:
        return b""
    return b""


def _png(content: bytes) -> bytes:
    kept, at = [PNG], len(PNG)
    while at < len(content):
        size, name = struct.unpack_from(">I4s", content, at)
        end = at + 12 + size
        if name in PNG_KEEPS:
            kept.append(content[at:end])
        elif not name[0] & 0x20:
            raise ValueError("an unknown part that is needed to show the picture")
        at = end
        if name == b"IEND":
            break
    return b"".join(kept)


def _webp(content: bytes) -> bytes:
    kept, at = [], 12
    while at + 8 <= len(content):
        name, size = struct.unpack_from("<4sI", content, at)
        end = at + 8 + size + size % 2
        if name == b"VP8X":
            kept.append(content[at : at + 8] + bytes([content[at + 8] & ~WEBP_TELLS]) + content[at + 9 : end])
        elif name in WEBP_KEEPS:
            kept.append(content[at:end])
        at = end
    body = b"WEBP" + b"".join(kept)
    return RIFF + struct.pack("<I", len(body)) + body


def _boxes(content: bytes) -> bytes:
    """Overwrite the boxes of a recording that describe it, and the items of a picture that are not the picture."""
    out = bytearray(content)
    _hide(out, 0, len(out), top=True)
    return bytes(out)


def _hide(out: bytearray, start: int, end: int, *, top: bool = False) -> None:
    for name, at, body, after in _walk(out, start, end, cut=top):
        if name == b"meta" and top and out[body + 20 : body + 24] == b"pict":
            for first, size in _hidden_items(out, body + 4, after):
                if first + size > len(out):
                    raise ValueError("an item outside of the file")
                out[first : first + size] = EMPTY_EXIF[:size].ljust(size, b"\0")
        elif name in HIDE_BOXES:
            out[at + 4 : at + 8] = b"free"
            out[body:after] = bytes(after - body)
        elif name in HOLD_BOXES:
            _hide(out, body, after)


def _walk(out: bytearray, start: int, end: int, *, cut: bool = False) -> Iterator[tuple[bytes, int, int, int]]:
    """Go through boxes: name, start, start of what it holds, end; with ``cut`` the last may have come in part."""
    at = start
    while at + 8 <= end:
        size, name = struct.unpack_from(">I4s", out, at)
        body = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", out, body)
            body += 8
        after = end if size == 0 or (cut and at + size > end) else at + size
        if after < body or after > end:
            raise ValueError("a box outside of the one that holds it")
        yield name, at, body, after
        at = after


def _hidden_items(out: bytearray, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Go through the places of the items of a HEIC picture that are its EXIF, its XMP and their like."""
    inside = {name: (body, after) for name, _, body, after in _walk(out, start, end)}
    if b"iinf" not in inside or b"iloc" not in inside:
        return
    body, after = inside[b"iinf"]
    hidden = set()
    for name, _, entry, _ in _walk(out, body + (6 if out[body] == 0 else 8), after):
        wide = out[entry] >= 3
        if name == b"infe" and out[entry] >= 2:
            number, _, kind = struct.unpack_from(">IH4s" if wide else ">HH4s", out, entry + 4)
            if kind in HIDDEN_ITEMS:
                hidden.add(number)
    data = inside.get(b"idat", (0, 0))[0]
    for number, from_data, extents in _locations(out, inside[b"iloc"][0]):
        if number in hidden:
            yield from ((first + (data if from_data else 0), size) for first, size in extents)


def _locations(out: bytearray, at: int) -> Iterator[tuple[int, bool, list[tuple[int, int]]]]:
    version = out[at]
    widths = out[at + 4] >> 4, out[at + 4] & 15, out[at + 5] >> 4, out[at + 5] & 15 if version else 0
    offset, length, base, index = widths
    at += 6

    def take(width: int) -> int:
        nonlocal at
        at += width
        return int.from_bytes(out[at - width : at])

    for _ in range(take(4 if version == 2 else 2)):
        number = take(4 if version == 2 else 2)
        method = take(2) & 15 if version else 0
        take(2)
        first = take(base)
        extents = []
        for _ in range(take(2)):
            take(index)
            extents.append((first + take(offset), take(length)))
        yield number, method == 1, extents


def _untagged(content: bytes) -> bytes:
    """Leave out the tags before and after the sound of an MP3."""
    size = 0
    for part in content[6:10]:
        size = size << 7 | part & 0x7F
    end = len(content) - 128 if content[-128:-125] == b"TAG" else len(content)
    return content[10 + size + (10 if content[5] & 0x10 else 0) : end]
