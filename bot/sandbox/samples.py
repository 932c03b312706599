"""Small files that the first people of the sandbox have sent: drawn by code, of no value, of nobody."""

from __future__ import annotations

import struct
import zlib
from datetime import date
from typing import Any

WIDTH, HEIGHT = 640, 400
TABLE, CARD, BAND, FACE, INK = (96, 79, 62), (234, 243, 230), (31, 122, 82), (125, 154, 138), (96, 120, 106)
SKY, GROUND, BODY, GLASS, WHEEL = (158, 196, 222), (141, 153, 174), (209, 73, 91), (220, 236, 245), (32, 36, 43)

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int, Colour]
"""Left, top, right, bottom and colour; later boxes cover earlier ones."""


def document_photo() -> bytes:
    """A card on a table, as PNG."""
    lines = [(270, 150 + 42 * row, 270 + (260, 190, 230, 140)[row], 166 + 42 * row, INK) for row in range(4)]
    return picture(
        TABLE,
        (70, 50, 570, 350, CARD),
        (70, 50, 570, 106, BAND),
        (96, 70, 330, 88, CARD),
        (100, 140, 230, 310, FACE),
        *lines,
    )


def street_photo() -> bytes:
    """A car in a street, as PNG."""
    houses = [
        (x, 180 - 30 * (x // 100 % 3), x + 86, 280, (181 - x // 8, 101 + x // 8, 118, 0)[:3])
        for x in range(0, 640, 100)
    ]
    return picture(
        SKY,
        *houses,
        (0, 270, 640, 400, GROUND),
        (150, 230, 500, 315, BODY),
        (220, 170, 420, 240, BODY),
        (236, 184, 312, 232, GLASS),
        (328, 184, 404, 232, GLASS),
        (190, 290, 250, 345, WHEEL),
        (400, 290, 460, 345, WHEEL),
    )


def picture(background: Colour, *boxes: Box) -> bytes:
    """Return boxes on a background as PNG."""
    rows: list[bytes] = []
    for y in range(HEIGHT):
        row = bytearray(bytes(background) * WIDTH)
        for left, top, right, bottom, colour in boxes:
            if top <= y < bottom:
                row[left * 3 : right * 3] = bytes(colour) * (min(right, WIDTH) - left)
        rows.append(b"\0" + bytes(row[: WIDTH * 3]))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def certificate_pdf() -> bytes:
    """One page, as PDF."""
    said = (("F2 22", 760, "DOCUMENTO DE EXEMPLO"), ("F1 12", 726, "Feito pela simulação do Balcão. Não tem valor."))
    content = "\n".join(f"BT /{font} Tf 72 {y} Td ({text}) Tj ET" for font, y, text in said).encode("latin-1")
    plain = "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    bold = "/F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << "
        + f"{plain} {bold} >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
    )
    file, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(file)
    return file + b"xref\n0 5\n0000000000 65535 f \n" + table + end


def good_facts(today: date) -> dict[str, Any]:
    """Return answers with which nothing stands in a registration's way, under any of the laws."""
    return {
        "plate": "QAB3C45",
        "birth_date": date(today.year - 38, 4, 17),
        "cnh_category": "AB",
        "cnh_a_since": date(today.year - 15, 2, 10),
        "cnh_ear": True,
        "resident": True,
        "self_employed": True,
        "public_job": False,
        "public_grant": False,
        "other_permit": False,
        "very_serious": False,
        "listed_crime": False,
        "traffic_crime": False,
        "vehicle_owner": "own",
        "substitute": False,
        "first_plating": date(today.year - 2, 3, 20),
        "manufacture_year": today.year - 2,
        "model_year": today.year - 2,
        "hybrid": False,
        "doors": 4,
        "air_conditioning": True,
        "seats": 5,
        "engine_cc": 150,
        "plated_here": True,
        "hire_plate": True,
    }
