"""The arrows of the house: bot -> handlers -> domain, and the few things that only one place may do."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {
    "domain": {
        "bot",
        "handlers",
        "telegram",
        "sqlalchemy",
        "aiosqlite",
        "asyncpg",
        "aiohttp",
        "apscheduler",
        "alembic",
    },
    "handlers": {"bot", "sqlalchemy", "aiosqlite", "asyncpg", "aiohttp", "apscheduler", "alembic"},
}
CLOCKS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"), ("time", "time")}
CITIES = ("caceres", "cáceres", "chapada", "primavera", "rolim", "pelotas")


def modules(*areas: str) -> Iterator[Path]:
    for area in areas:
        yield from sorted((ROOT / area).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("area", FORBIDDEN)
def test_imports_follow_the_arrows(area: str) -> None:
    """The domain knows neither Telegram nor the database; handlers do not know the process that runs them."""
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(area)
        for name in imported(ast.parse(path.read_text("utf-8")))
        if name in FORBIDDEN[area]
    }

    assert not wrong


def test_only_the_clock_reads_the_time() -> None:
    """Whoever moves the clock moves all of the counter."""
    wrong = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("bot", "handlers", "domain")
        if path != ROOT / "bot" / "clock.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name | ast.Attribute)
        and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr, node.attr) in CLOCKS
    }

    assert not wrong


def test_no_city_is_named_in_code() -> None:
    """Cities differ by data: a sixth one is a file. Only the sandbox's invented people live in named cities."""
    wrong = {
        f"{path.relative_to(ROOT)}:{number}"
        for path in modules("bot", "handlers", "domain")
        if (ROOT / "bot" / "sandbox") not in path.parents
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if any(city in line.lower() for city in CITIES)
    }

    assert not wrong


def test_everything_that_the_code_reads_is_packed() -> None:
    """Whoever installs the counter gets rulebooks, catalogues and page with it: each kind of file is named."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packed = settings["tool"]["setuptools"]["package-data"]["*"]
    left_out = {
        str(path.relative_to(ROOT))
        for area in ("bot", "handlers", "domain", "locales")
        for path in (ROOT / area).rglob("*")
        if path.is_file()
        and path.suffix not in {".py", ".pyc", ".md"}
        and not any(path.match(pattern) for pattern in packed)
    }

    assert not left_out


def test_the_lock_names_versions_and_hashes_and_no_registry() -> None:
    """A fresh machine installs from its own index, and gets the very files that were tested."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")

    assert "--hash=sha256:" in lock
    assert "://" not in lock
    assert "--index-url" not in lock
    assert "--find-links" not in lock
