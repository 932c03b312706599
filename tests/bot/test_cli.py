"""What whoever runs the counter types, and what they read when it cannot be."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sqlite3
import sys
from pathlib import Path

import aiohttp
import pytest

import tests.support
from bot.cli import run
from bot.settings import SettingsError, load_settings
from tests.support.phone import Phones

KEY = "k" * 32
LAWS = Path(tests.support.__file__).parent / "laws"
GOOD_TOKEN = "123456789:AbCdEfGhIjKlMnOpQrStUvWxYz"
VARIABLES = (
    "TELEGRAM_BOT_TOKEN",
    "TELEGRAM_API_URL",
    "DATABASE_URL",
    "BALCAO_DATA_DIR",
    "BALCAO_FILES_URL",
    "BALCAO_CITIES",
    "BALCAO_SECRET_KEY",
    "BALCAO_EARLIER_KEYS",
    "WEBHOOK_URL",
    "WEBHOOK_SECRET",
    "PORT",
    "LOG_LEVEL",
)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of this machine, and a data folder of the test's own."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BALCAO_DATA_DIR", str(tmp_path / "var"))


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("TELEGRAM_BOT_TOKEN", "not a token", "BotFather"),
        ("TELEGRAM_API_URL", "api.example.org", "https://"),
        ("DATABASE_URL", "mysql://somewhere/else", "postgresql://"),
        ("DATABASE_URL", "not an address", "SQLAlchemy"),
        ("BALCAO_FILES_URL", "s3://bucket", "file:///"),
        ("BALCAO_EARLIER_KEYS", f"{KEY}, short", "at least 32 characters"),
        ("WEBHOOK_SECRET", "has spaces", "letters"),
        ("WEBHOOK_URL", "https://example.org/hook", "WEBHOOK_SECRET"),
        ("WEBHOOK_URL", "http://example.org/hook", "must be an https:// address: Telegram calls no other"),
        ("WEBHOOK_URL", "http://127.0.0.1.example.org/hook", "must be an https:// address: Telegram calls no other"),
        ("PORT", "abc", "must be a number from 0 to 65535"),
        ("PORT", "70000", "must be a number from 0 to 65535"),
        ("PORT", "-1", "must be a number from 0 to 65535"),
        ("LOG_LEVEL", "loud", "WARNING"),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence(name: str, value: str, reason: str) -> None:
    """Whoever mistypes a setting reads its name and what it should be, and no traceback."""
    with pytest.raises(SettingsError) as wrong:
        load_settings({name: value})
    sentence = str(wrong.value)
    assert name in sentence
    assert reason in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize(
    "address", ["https://example.org/hook", "http://127.0.0.1:8080/hook", "http://[::1]/hook", "http://localhost/hook"]
)
def test_telegram_calls_https_and_this_machine_itself(address: str) -> None:
    """An address that Telegram calls is taken, and one on which it is played."""
    assert load_settings({"WEBHOOK_URL": address, "WEBHOOK_SECRET": "s"}).webhook_url == address


def test_a_token_needs_a_key() -> None:
    """With a real bot there are real identities to seal: the start ends without a key, and goes on with one."""
    with pytest.raises(SettingsError, match="BALCAO_SECRET_KEY"):
        load_settings({"TELEGRAM_BOT_TOKEN": GOOD_TOKEN})
    assert load_settings({"TELEGRAM_BOT_TOKEN": GOOD_TOKEN, "BALCAO_SECRET_KEY": KEY}).key == KEY


def test_earlier_keys_stand_between_commas_spaces_or_lines() -> None:
    """Whoever keeps a key in each line of a file gives the file's contents; nobody gives any by default."""
    other = "o" * 32
    for written in (f"{KEY},{other}", f"{KEY} {other}", f" {KEY}\n{other}\n"):
        assert load_settings({"BALCAO_EARLIER_KEYS": written}).earlier_keys == (KEY, other)
    assert load_settings().earlier_keys == ()


def test_the_sandbox_never_touches_a_named_database() -> None:
    """The sandbox forgets everything at its start; a database in the environment may be a real counter's."""
    settings = load_settings({"DATABASE_URL": "postgresql://balcao@db/balcao", "BALCAO_FILES_URL": "file:///srv/files"})
    assert settings.database.endswith("/sandbox.db")
    assert settings.files_dir.name == "sandbox-files"


def test_drivers_are_added_to_addresses() -> None:
    """People write postgresql:// and sqlite:///; which driver speaks it is our business."""
    real = {"TELEGRAM_BOT_TOKEN": GOOD_TOKEN, "BALCAO_SECRET_KEY": KEY}
    assert load_settings(real | {"DATABASE_URL": "postgresql://u:p@h/n"}).database == "postgresql+asyncpg://u:p@h/n"
    assert load_settings(real | {"DATABASE_URL": "sqlite:////tmp/x.db"}).database == "sqlite+aiosqlite:////tmp/x.db"


@pytest.mark.parametrize(
    "command",
    [[], ["run"], ["sandbox"], ["migrate"], ["audit"], ["staff"], ["staff", "invite"], ["staff", "list"], ["law"]],
)
def test_help_reads_like_a_manual_page(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Each command says what it does."""
    with pytest.raises(SystemExit) as done:
        run([*command, "--help"])
    assert done.value.code == 0
    assert len(capsys.readouterr().out) > 200


def test_an_invitation_is_printed_once_and_only_its_hash_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A code that fits a deep link; the database could not tell it to anybody."""
    assert run(["staff", "invite", "--city", "pelotas-rs", "--role", "manager"]) == 0
    said = capsys.readouterr().out
    code = re.search(r"code: (\S+)", said)
    assert "for the sandbox" in said, "whoever forgot the token must not look for the invitation on Telegram"
    assert code is not None
    assert re.fullmatch(r"[A-Za-z0-9_-]{20,59}", code[1])
    assert code[1].encode() not in (tmp_path / "var" / "sandbox.db").read_bytes()
    assert run(["staff", "list", "--city", "pelotas-rs"]) == 0
    assert run(["staff", "revoke", "--city", "pelotas-rs", "--role", "manager", "--person", "1"]) == 1


def test_an_unknown_city_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the finger costs a second, not a search."""
    assert run(["staff", "invite", "--city", "pelota-rs", "--role", "manager"]) == 2
    assert "pelotas-rs" in capsys.readouterr().err


def test_a_database_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The address leads nowhere: one sentence names the variable."""
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", GOOD_TOKEN)
    monkeypatch.setenv("BALCAO_SECRET_KEY", KEY)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/no/such/folder/x.db")
    monkeypatch.setenv("BALCAO_RULEBOOKS_DIR", str(LAWS))
    assert run(["run"]) == 2
    # the log goes the same way, and takes in what is noted of things that earlier tests left to be collected
    assert capsys.readouterr().err.splitlines()[-1].startswith("balcao: DATABASE_URL")


def test_a_database_that_does_not_answer_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever mistyped the host reads it again; whoever reads the log learns no password."""
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", GOOD_TOKEN)
    monkeypatch.setenv("BALCAO_SECRET_KEY", KEY)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # nobody listens
        port = nobody.getsockname()[1]
        monkeypatch.setenv("DATABASE_URL", f"postgresql://carla:hunter2@127.0.0.1:{port}/balcao")
        for command in (["migrate"], ["audit"], ["run"]):
            assert run(command) == 2
            error = capsys.readouterr().err
            assert f"DATABASE_URL names a database at 127.0.0.1:{port} that cannot be used" in error
            assert "carla" not in error
            assert "hunter2" not in error


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("caceres", "caceres-mt, primavera-do-leste-mt"),
        ("pelotas-rs,Cáceres", "caceres-mt"),
    ],
)
def test_a_city_without_a_rulebook_is_answered_with_the_nearest(
    typed: str, nearest: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A city that nobody wrote a rulebook for cannot be served; one sentence names those that are nearest."""
    monkeypatch.setenv("BALCAO_CITIES", typed)
    assert run(["sandbox"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    asked = typed.rpartition(",")[2]
    assert error == f"balcao: BALCAO_CITIES: There is no city '{asked}'; the nearest are: {nearest}."


def test_a_taken_port_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Another program listens there: one sentence says so."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setenv("PORT", str(other.getsockname()[1]))
        assert run(["sandbox"]) == 2
    assert "PORT" in capsys.readouterr().err


def test_the_schema_goes_back_and_forth(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`migrate` brings an empty database up to date, and back to nothing."""
    assert run(["migrate"]) == 0
    assert run(["migrate", "--to", "base"]) == 0
    tables = sqlite3.connect(tmp_path / "var" / "sandbox.db").execute("SELECT name FROM sqlite_master").fetchall()
    assert ("inbox",) not in tables
    capsys.readouterr()


async def test_run_without_a_token_opens_the_sandbox_and_serves(tmp_path: Path) -> None:
    """A newcomer types one command: the page is there, a phone is answered, and Ctrl-C closes it in good order."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "run",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "PORT": "0", "BALCAO_DATA_DIR": str(tmp_path)},
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    url = line.partition("http")[1] + line.partition("http")[2].strip()
    try:
        async with Phones(url) as phones:
            ana = await phones.add("Ana")
            await ana.sends("/start")
            await ana.sees("")
        async with aiohttp.ClientSession() as http, http.get(url) as page:
            assert page.status == 200
    finally:
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 0
