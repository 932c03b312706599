"""What people photograph and send: real pictures and documents, small."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


@lru_cache
def photograph(shade: int = 0, *, width: int = 320, height: int = 240) -> bytes:
    """Return a JPEG; another shade makes another picture."""
    out = BytesIO()
    Image.new("RGB", (width, height), (40 + shade % 200, 90, 160)).save(out, "JPEG")
    return out.getvalue()


def signed_photograph(owner: str) -> bytes:
    """Return a JPEG whose telephone has noted in it whose it is."""
    exif = Image.Exif()
    exif[0x013B] = owner
    out = BytesIO()
    Image.new("RGB", (320, 240), (60, 90, 160)).save(out, "JPEG", exif=exif)
    return out.getvalue()
