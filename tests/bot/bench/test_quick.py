"""Every measurement runs, through the product and over HTTP; what it measures on a busy machine means nothing."""

from __future__ import annotations

import json

import pytest

from bot.cli import run


def measured(capsys: pytest.CaptureFixture[str], name: str) -> list[dict[str, object]]:
    """Run a command quickly; return the rows of its table."""
    assert run(["bench", name, "--quick", "--json"]) == 0
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)["rows"]
    return rows


def test_the_counter_is_measured_beside_a_bare_bot(capsys: pytest.CaptureFixture[str]) -> None:
    """The product, by asking and by being told, answers everybody once beside the bare echo."""
    rows = measured(capsys, "updates")

    assert [row["bot"] for row in rows] == ["PTB echo", "balcao, sqlite, polling", "balcao, sqlite, webhook"]
    assert all(row["p99 ms"] for row in rows)
    assert all((row["lost"], row["duplicated"]) == (0, 0) for row in rows)


def test_a_backlog_is_answered_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """What waited while nobody was there is answered once each."""
    (row,) = measured(capsys, "backlog")

    assert (row["lost"], row["duplicated"]) == (0, 0)


@pytest.mark.parametrize("name", ["queues", "reminders", "start", "broadcast"])
def test_the_other_measurements_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each tells something in every row."""
    rows = measured(capsys, name)

    assert rows
    assert all(any(isinstance(value, int | float) for value in row.values()) for row in rows)
