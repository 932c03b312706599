"""Only this machine, and only the sandbox's own page, may speak to the sandbox.

Listening on loopback does not suffice: a page on the web can make the browser of this machine call it, under a foreign
origin or, with a name that resolves to loopback, under a foreign host.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from aiohttp import hdrs, web

LOOPBACK = ("127.0.0.1", "localhost", "::1")
REFUSED = "Só esta máquina, e a própria página, podem usar a caixa de areia."


@web.middleware
async def only_from_here(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse foreign hosts, foreign origins and requests that other sites make a browser send."""
    if not (_local_host(request) and _own_origin(request) and _not_cross_site(request)):
        return web.json_response({"error": REFUSED}, status=HTTPStatus.FORBIDDEN)
    response = await handler(request)
    if not response.prepared:
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _local_host(request: web.Request) -> bool:
    try:
        return urlsplit(f"//{request.headers.get(hdrs.HOST, '')}").hostname in LOOPBACK
    except ValueError:
        return False


def _own_origin(request: web.Request) -> bool:
    origin = request.headers.get(hdrs.ORIGIN)
    return origin is None or origin == f"http://{request.headers.get(hdrs.HOST)}"


def _not_cross_site(request: web.Request) -> bool:
    if request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin"):
        return True
    opening = request.headers.get("Sec-Fetch-Mode") == "navigate" and request.method == hdrs.METH_GET
    return opening and request.path == "/"
