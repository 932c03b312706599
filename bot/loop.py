"""The event loop of a process: uvloop where it is installed, Python's own elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(work)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop
