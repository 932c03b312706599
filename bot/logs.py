"""Logs as events: JSON on stderr, readable on a terminal. They name update, city and code; never a person."""

from __future__ import annotations

import logging
import sys
import traceback

import structlog

_QUIET = ("httpx", "httpcore", "apscheduler", "asyncio", "aiohttp.access", "aiosqlite", "alembic", "telegram")


def configure_logs(level: str = "INFO") -> None:
    """Set up logging for the whole process, the libraries' included."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    terminal = sys.stderr.isatty()
    last: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if terminal
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    # what PTB logs on its own quotes requests and answers, which hold what people wrote
    logging.getLogger("telegram").setLevel(logging.CRITICAL)


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a module."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def where(error: BaseException) -> list[str]:
    """Return the last places of a traceback; its words stay out of the log, for they could be a person's."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return [f"{frame.filename.rsplit('/site-packages/')[-1]}:{frame.lineno} {frame.name}" for frame in frames]
