"""A sixth city, invented, is a folder of text files: nothing in the code knows its name."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from bot.app import read_laws
from bot.cli import run
from bot.settings import load_settings
from domain.law.coverage import coverage
from domain.law.dues import dues
from domain.law.eligibility import eligibility
from domain.law.examples import run_examples
from domain.law.limits import quota, representation_completeness, tariff_band
from domain.law.loader import Laws, RulebookError, load_laws
from domain.law.penalties import Prior, penalty
from domain.law.renewal import renewal
from domain.law.terms import deadline
from domain.law.validity import Event, validity

SLUG = "vila-clara-rs"
CITIES = Path(__file__).parent / "cities"
LAW = (CITIES / SLUG / "lei-10-2020.toml").read_text(encoding="utf-8")
DAY = date(2026, 3, 9)
GUIDE = (Path(__file__).parents[3] / "docs" / "adding-a-city.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of the test's own, with the city in it."""
    shutil.copytree(CITIES / SLUG, tmp_path / SLUG)
    return tmp_path


@pytest.fixture
def laws(folder: Path) -> Laws:
    return load_laws(folder)


def test_the_counter_serves_the_city_and_answers_every_question(laws: Laws) -> None:
    """Whoever comes to Vila Clara hears what her own law says."""
    book, calendar = laws.rulebook(SLUG), laws.calendar(SLUG)
    assert [item.id for item in book.checklist("driver", DAY)] == ["atestado"]
    assert [question.key for question in book.questions("driver", "vehicle")] == ["birth_date"]
    assert eligibility(book, {"birth_date": date(2008, 3, 10)}, DAY)[0].verdict == "unmet"
    due = dues(book, "driver", 2026, calendar)[0]
    assert (due.amount, due.due_on) == (Decimal(2), date(2026, 3, 13))
    assert deadline(book, "defesa", DAY, calendar).ends_on == date(2026, 3, 20)
    window = renewal(book, date(2026, 4, 1), calendar)
    assert window is not None
    assert window.ask_by == date(2026, 3, 17)
    stands = validity(book, [Event(kind="issued", on=DAY)], date(2027, 3, 9), calendar)
    assert stands is not None
    assert stands.state == "valid"
    prior = Prior(infraction="maus-tratos", committed_on=date(2026, 1, 1))
    assert penalty(book, "maus-tratos", [prior], DAY).answers[0].most == Decimal(9)
    most = quota(book, 2500)
    assert most is not None
    assert most.most == 2
    band = tariff_band(book, datetime.fromisoformat("2026-03-09T19:00"), calendar)
    assert band is not None
    assert band.band == "noite"
    petition = representation_completeness(book, {})
    assert petition is not None
    assert petition.missing == ("Nome",)
    assert book.queue_for("complaint", "cavalo").label == "Balcão"


def test_its_examples_run_and_none_of_its_places_is_blank(folder: Path, laws: Laws) -> None:
    """A jurist of Vila Clara can check the file as those of the first five cities can."""
    assert [result.passed for result in run_examples(laws, folder)] == [True]
    assert not any(row.blank for row in coverage(laws.rulebook(SLUG)))


@pytest.mark.parametrize(
    ("was", "becomes", "key", "reason"),
    [
        ('cite = "art. 3º, I"', 'cite = "art. 3º, III"', "rules.idade.versions.0.cite", "art. 3º, III"),
        ('cite = "art. 7º", of', 'cite = "art. 10", of', "rules.repetir.versions.0.cite", "ends with art. 9"),
        ('class = "leve"', 'class = "grave"', "rules.maus-tratos.class", "grave"),
        ('of = ["maus-tratos"]', 'of = ["maltrato"]', "rules.repetir.infraction", "maltrato"),
        ("starts = 19:00:00", 'starts = "19h"', "rules.noite.versions.0.bands.0.starts", "time"),
        ("inhabitants = 1000", "habitantes = 1000", "rules.numero.versions.0.habitantes", "not known"),
        ('given_by = [["name"]]', "given_by = [[], []]", "rules.peticao.versions.0", "differ in length"),
        ("in_force_from = 2020-02-01", 'in_force_from = "01/02/2020"', "rules.", "date"),
    ],
)
def test_a_slip_in_the_new_file_is_named(folder: Path, was: str, becomes: str, key: str, reason: str) -> None:
    """File, key and reason: whoever wrote it finds it at once."""
    text = LAW.replace(was, becomes, 1)
    (folder / SLUG / "lei-10-2020.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RulebookError) as refused:
        load_laws(folder)
    assert refused.value.file == f"{SLUG}/lei-10-2020.toml"
    assert refused.value.key.startswith(key)
    assert reason in refused.value.reason


def snippets(language: str) -> list[str]:
    """Return the guide's blocks in a language, in order; of none, the drawing of the folders."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    return [block for named, block in blocks if named == language]


def pasted(root: Path) -> Iterator[tuple[Path, str]]:
    """Paste one of the guide's blocks after the other into the file that its first line names."""
    for block in snippets("toml"):
        name = block.partition("\n")[0].removeprefix("# ")
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as text:
            text.write(block)
        (root / "settings").mkdir(exist_ok=True)
        yield file, block


@pytest.mark.parametrize(("ends", "renews"), [(date(2025, 12, 31), False), (date(2026, 1, 1), True)])
def test_a_certificate_that_ended_before_there_was_a_renewal_has_none(folder: Path, ends: date, renews: bool) -> None:
    """A renewal that came with a later law holds from its first day on."""
    file = folder / SLUG / "lei-10-2020.toml"
    file.write_text(LAW.replace('kind = "renewal",', 'kind = "renewal", in_force_from = 2026-01-01,'), encoding="utf-8")
    laws = load_laws(folder)
    found = renewal(laws.rulebook(SLUG), ends, laws.calendar(SLUG))
    assert (found is not None) == renews


def test_a_fee_may_fall_due_on_a_day_of_the_month(folder: Path) -> None:
    """A law that writes "until the 10th" names a day, open or closed, and no business day."""
    file = folder / SLUG / "lei-10-2020.toml"
    file.write_text(LAW.replace("business_day = 10 }", "day = 10 }"), encoding="utf-8")
    laws = load_laws(folder)
    assert dues(laws.rulebook(SLUG), "driver", 2026, laws.calendar(SLUG))[0].due_on == date(2026, 3, 10)


def test_the_guide_can_be_followed_block_by_block(tmp_path: Path) -> None:
    """Whoever pastes docs/adding-a-city.md has a city after the first block, and no later one breaks it."""
    for file, block in pasted(tmp_path):
        laws = load_laws(tmp_path / "rulebooks", settings=tmp_path / "settings")
        assert "cnh" in [item.id for item in laws.rulebook(SLUG).checklist("driver", DAY)], f"{file.name}:\n{block}"
    drawn = re.findall(r"^ +(\S+\.toml) ", snippets("")[0], re.MULTILINE)
    written = [file.name for folder in ("rulebooks", "settings") for file in (tmp_path / folder).rglob("*.toml")]
    assert sorted(drawn) == sorted(written)


def test_the_guide_says_what_its_city_answers(tmp_path: Path) -> None:
    """Its example passes, its decree gives the fine a value, and its readings and blocking are the city's."""
    for _ in pasted(tmp_path):
        pass
    laws = load_laws(tmp_path / "rulebooks", settings=tmp_path / "settings")
    book, calendar = laws.rulebook(SLUG), laws.calendar(SLUG)
    assert [result.differences() for result in run_examples(laws, tmp_path / "rulebooks")] == [()]
    assert deadline(book, "defesa", date(2026, 3, 3), calendar).ends_on == date(2026, 3, 25)  # São José is no work day
    before, after = (penalty(book, "sem-cadastro", (), day).answers[0] for day in (date(2026, 3, 1), date(2026, 3, 2)))
    assert (before.least, after.least, after.unit) == (None, Decimal(5), "URM")
    assert laws.settings(SLUG).reais(Decimal(5), "URM", DAY) == Decimal("226.00")
    found = eligibility(book, {"very_serious": True, "very_serious_on": date(2020, 1, 1)}, DAY)
    assert {one.rule: one.verdict for one in found}["sem-gravissima"] == "unmet"
    assert not next(item for item in book.checklist("driver", DAY) if item.id == "seguro").blocking
    assert any(row.blank for row in coverage(book))


def test_the_commands_of_the_guide_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The two variables lead the counter to the city, and every command about its law says something of it."""
    for _ in pasted(tmp_path / "my-cities"):
        pass
    monkeypatch.chdir(tmp_path)
    said = [line.partition("#")[0].split() for block in snippets("sh") for line in block.splitlines()]
    for word, told in [line for line in said if line[0] == "export"]:
        assert word == "export"
        monkeypatch.setenv(*told.split("=", 1))
    statuses = {" ".join(line[1:]): run(line[1:]) for line in said if line[:2] == ["balcao", "law"]}
    assert statuses == {
        "law list": 0,
        f"law show {SLUG}": 0,
        f"law test {SLUG}": 0,
        f"law coverage {SLUG}": 1,  # places are missing, as the guide says
    }
    assert "| art. 20 |" in capsys.readouterr().out
    assert ["balcao", "sandbox"] in said
    assert list(read_laws(load_settings())) == [SLUG]


def test_a_place_that_nothing_expresses_is_blank_and_so_is_what_holds_it(folder: Path) -> None:
    """An item and its letter were overlooked: both are blank, and the article is not taken for expressed by them."""
    file = folder / SLUG / "lei-10-2020-provisions.toml"
    text = file.read_text(encoding="utf-8").replace('"arts. 7º a 9º"', '"arts. 7º a 9º", "art. 9º, I", "art. 9º, I, a"')
    file.write_text(text, encoding="utf-8")
    rows = {row.place: row for row in coverage(load_laws(folder).rulebook(SLUG))}
    assert [place for place, row in rows.items() if row.blank] == ["art. 9º, I", "art. 9º, I, a"]
    assert not rows["art. 9º"].inner
