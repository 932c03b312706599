"""The sandbox as a process of its own, and the system's browser before its page."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIETLY = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SMALL: ViewportSize = {"width": 360, "height": 740}
WIDE: ViewportSize = {"width": 1920, "height": 1080}
PICTURES = "BALCAO_PICTURES"
"""Names a folder that is to keep the pictures; without it they are kept beside the test's other files."""


@pytest.fixture(scope="session")
def sandbox_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the sandbox's page."""
    folder = tmp_path_factory.mktemp("sandbox")
    kept = {key: value for key, value in os.environ.items() if key not in ("TELEGRAM_BOT_TOKEN", "DATABASE_URL")}
    environment = {**kept, "BALCAO_DATA_DIR": str(folder), "PORT": "0", "LOG_LEVEL": "ERROR"}
    command = [sys.executable, "-m", "tests.support.quick_sandbox"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium; it talks to this machine only.

    While it is open this thread has a running event loop, so it is closed before tests that bring their own.
    """
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIETLY))
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Browser, sandbox_url: str) -> Iterator[BrowserContext]:
    """A wide window on a sandbox that has just begun."""
    opened = browser.new_context(base_url=sandbox_url, viewport=WIDE, locale="pt-BR", reduced_motion="reduce")
    opened.request.post("/sandbox/restart", data={})
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """The page, which complains of nothing until the test is over."""
    opened, complaints = context.new_page(), list[str]()

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    opened.on("console", heard)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto("/")
    opened.locator("[data-phone]").first.wait_for()
    yield opened
    log = context.request.get("/sandbox/log").json()
    assert complaints == []
    assert (log["errors"], log["unanswered_callbacks"]) == ([], [])


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures of the page are kept to be looked at."""
    folder = Path(os.environ.get(PICTURES) or tmp_path / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
