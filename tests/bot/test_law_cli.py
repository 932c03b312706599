"""``balcao law`` as a jurist uses it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from bot.law_cli import add_law_commands


def law(*words: str) -> int:
    """Run ``balcao law`` with these words and return its exit status."""
    parser = argparse.ArgumentParser(prog="balcao")
    add_law_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(["law", *words])
    status: int = args.run(args)
    return status


def test_the_cities_are_listed_with_their_laws(capsys: pytest.CaptureFixture[str]) -> None:
    """The slug that the other commands want stands first in its row."""
    assert law("list") == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 5
    assert rows[0].startswith("caceres-mt")


@pytest.mark.parametrize("typed", ["caseres", "Cáceres", "caceres"])
def test_an_unknown_city_ends_with_the_nearest_names(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A typing mistake costs one line, not a search."""
    assert law("show", typed) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "caceres-mt" in told


def test_a_checklist_of_a_past_day_is_empty_before_the_law(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was asked the day before the law began."""
    assert law("checklist", "rolim-de-moura-ro", "--on", "2011-10-23") == 0
    assert "não pede nada" in capsys.readouterr().out
    assert law("checklist", "rolim-de-moura-ro", "--on", "2011-10-24") == 0
    assert "art. 4º, I (está na lei)" in capsys.readouterr().out


def test_dues_show_amount_day_payer_and_article(capsys: pytest.CaptureFixture[str]) -> None:
    """The operator's fee, in the law's own unit."""
    assert law("dues", "caceres-mt", "--year", "2027", "--for", "operator") == 0
    told = capsys.readouterr().out
    for part in ("8 URM", "22/01/2027", "operadora", "art. 6º, § 1º"):
        assert part in told


@pytest.mark.parametrize("city", ["caceres-mt", "pelotas-rs", "chapada-dos-guimaraes-mt"])
def test_a_law_is_shown_at_a_glance(city: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Organs, queues, terms and subjects on one page."""
    assert law("show", city) == 0
    told = capsys.readouterr().out
    for heading in ("Órgãos", "Filas", "Prazos", "Assuntos"):
        assert heading in told


def test_the_examples_pass_and_a_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """One row per law."""
    assert law("test") == 0
    assert len(capsys.readouterr().out.splitlines()) == 6


def test_a_broken_rulebook_ends_with_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File, key and reason, and status 2."""
    (tmp_path / "vila-clara-rs").mkdir()
    (tmp_path / "vila-clara-rs" / "lei-1-2020.toml").write_text("[city", encoding="utf-8")
    assert law("--rulebooks", str(tmp_path), "list") == 2
    assert capsys.readouterr().err.startswith("vila-clara-rs/lei-1-2020.toml: (file): is not TOML")
