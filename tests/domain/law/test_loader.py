"""A broken rulebook is refused with one sentence that names file, key and reason."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from domain.law.loader import RulebookError, load_laws

CITY = "rolim-de-moura-ro"
FILE = "lei-2059-2011.toml"
WHOLE = (files("domain.rulebooks") / CITY / FILE).read_text(encoding="utf-8")


def folder_with(tmp_path: Path, text: str, slug: str = CITY) -> Path:
    (tmp_path / slug).mkdir()
    (tmp_path / slug / FILE).write_text(text, encoding="utf-8")
    return tmp_path


SECOND_VERSION = """
[[rules.defesa.versions]]
in_force_from = {day}
length = {{ amount = 20, unit = "calendar-day" }}
cite = "art. 27"
"""


@pytest.mark.parametrize(
    ("was", "becomes", "key", "reason"),
    [
        ("[rules.defesa]\n", "[rules.defesa]\nprazo = 15\n", "rules.defesa.prazo", "not known"),
        ('label = "Defesa contra auto de infração"\n', "", "rules.defesa.label", "missing"),
        ('kind = "term"\nlabel = "Defesa', 'kind = "prazo"\nlabel = "Defesa', "rules.defesa", "prazo"),
        (
            "in_force_from = 2011-10-24\nlength = { amount = 15",
            'in_force_from = "24/10/2011"\nlength = { amount = 15',
            "rules.defesa.versions.0.in_force_from",
            "date",
        ),
        (
            'length = { amount = 15, unit = "calendar-day" }\n',
            "",
            "rules.defesa.versions.0",
            "neither 'length' nor 'no_value'",
        ),
        ('unit = "business-day"', 'unit = "fortnight"', "rules.reconsideracao.versions.0.length.unit", "business-day"),
        ('to = "semam"\ncite = "art. 27"', 'to = "ninguem"\ncite = "art. 27"', "rules.defesa.versions.0.to", "ninguem"),
        ('cite = "art. 27"\n', 'cite = "art. 33"\n', "organs.semam.cite", "ends with art. 32"),
        ('cite = "art. 27"\n', 'cite = "capítulo VII"\n', "organs.semam.cite", "not a place"),
        (
            'cite = "art. 27"\n',
            'cite = { source = "lei-1-2000", locator = "art. 1º" }\n',
            "organs.semam.cite",
            "not listed",
        ),
        ('organ = "inscricao"', 'organ = "cartorio"', "queues.cadastro.organ", "cartorio"),
        ('handles = ["irregularity"]', 'handles = ["complaint"]', "queues", "irregularity"),
        ('fact = "engine_cc"', 'fact = "cilindrada"', "rules.cilindradas.versions.0.test", "cilindrada"),
        (
            'condition = "not substitute"',
            'condition = "not"',
            "rules.uma-autorizacao.versions.0.condition",
            "cannot be read",
        ),
        (
            'condition = "substitute"',
            "condition = \"vehicle_owner == 'minha'\"",
            "rules.idade-substituta.versions.0.condition",
            "not an answer",
        ),
        (
            'to = "semam"\ncite = "art. 27"',
            'to = "semam"\nin_force_until = 2011-10-23\ncite = "art. 27"',
            "rules.defesa.versions.0",
            "lies before",
        ),
        (
            '"between", fact = "engine_cc", least = 125, most = 250',
            '"months-clear", fact = "revoked_on", months = 1, never = "revoked", back_from = "ontem"',
            "rules.cilindradas.versions.0.test.back_from",
            "ontem",
        ),
        ("least = 125, most = 250", "least = 250, most = 125", "rules.cilindradas.versions.0.test", "above"),
        ('zone = "America/Porto_Velho"', 'zone = "America/Rolim"', "city.zone", "not a time zone"),
        ('certificate = "autorizacao"', 'certificate = "alvara"', "rules.renovacao.certificate", "alvara"),
        ('standing = "silent"\n', "", "rules.cnh-ear.versions.0", "'no_value' goes with"),
        ("[rules.defesa]\nkind", "[rules.defesa-contra-o-auto-de-infracao]\nkind", "rules", "match"),
        ("[city]\n", "[city]\nslug = 1\n", "(file)", "TOML"),
        ('slug = "rolim-de-moura-ro"', 'slug = "rolim-ro"', "city.slug", "folder"),
    ],
)
def test_a_broken_file_is_refused_with_file_key_and_reason(
    tmp_path: Path, was: str, becomes: str, key: str, reason: str
) -> None:
    """A jurist mistypes one thing: the process does not start, and one sentence says where and why."""
    assert was in WHOLE
    with pytest.raises(RulebookError) as refused:
        load_laws(folder_with(tmp_path, WHOLE.replace(was, becomes, 1)))
    assert refused.value.file == f"{CITY}/{FILE}"
    assert refused.value.key.startswith(key)
    assert reason in refused.value.reason
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("day", "refuses"), [("2011-10-24", True), ("2011-10-23", True), ("2011-10-25", False)])
def test_versions_that_overlap_are_refused(tmp_path: Path, day: str, refuses: bool) -> None:
    """A second version begins after the first, or nobody could say which holds."""
    text = WHOLE.replace("[rules.reconsideracao]\n", SECOND_VERSION.format(day=day) + "\n[rules.reconsideracao]\n", 1)
    directory = folder_with(tmp_path, text)
    if not refuses:
        assert len(load_laws(directory)) == 1
        return
    with pytest.raises(RulebookError, match="overlap") as refused:
        load_laws(directory)
    assert refused.value.key == "rules.defesa"


def test_two_files_for_one_service_are_refused(tmp_path: Path) -> None:
    """Nobody could say which of the two laws answers."""
    directory = folder_with(tmp_path, WHOLE)
    other = WHOLE.replace("[sources.lei-2059-2011]", "[sources.lei-2060-2011]")
    (directory / CITY / "lei-2060-2011.toml").write_text(other, encoding="utf-8")
    with pytest.raises(RulebookError, match=r"service\.key"):
        load_laws(directory)


def test_a_question_that_hangs_on_a_fact_nobody_asks_is_refused(tmp_path: Path) -> None:
    """Its condition could never be known, and the question never put."""
    directory = folder_with(tmp_path, WHOLE)
    asked = (files("domain.rulebooks") / "facts.toml").read_text(encoding="utf-8")
    broken = asked.replace('condition = "very_serious"', 'condition = "muito_grave"', 1)
    (directory / "facts.toml").write_text(broken, encoding="utf-8")
    with pytest.raises(RulebookError, match="muito_grave") as refused:
        load_laws(directory)
    assert (refused.value.file, refused.value.key) == ("facts.toml", "facts.very_serious_on.condition")


def test_a_city_that_has_no_rulebook_is_refused() -> None:
    """A mistyped BALCAO_CITIES ends the start instead of serving nobody."""
    with pytest.raises(RulebookError, match="vila-nova-sp"):
        load_laws(only=["caceres-mt", "vila-nova-sp"])


def test_only_the_cities_asked_for_are_read(tmp_path: Path) -> None:
    """One city's process is not stopped by another city's broken file."""
    shutil.copytree(Path(str(files("domain.rulebooks"))) / "caceres-mt", tmp_path / "caceres-mt")
    laws = load_laws(folder_with(tmp_path, "broken"), only=["caceres-mt"])
    assert list(laws) == ["caceres-mt"]


def test_the_one_law_of_a_city_is_found_without_its_service(tmp_path: Path) -> None:
    """Where there are two, the service decides; a city or a service that nobody serves has none."""
    directory = folder_with(tmp_path, WHOLE)
    laws = load_laws(directory)
    book = laws.rulebook(CITY)
    assert laws.find(CITY, None) is laws.find(CITY, book.service.key) is book
    assert (laws.find(CITY, "bonde"), laws.find("vila-nova-sp", None), laws.find(None, None)) == (None, None, None)
    other = WHOLE.replace("[sources.lei-2059-2011]", "[sources.lei-2060-2011]")
    other = other.replace(f'key = "{book.service.key}"', 'key = "bonde"', 1)
    (directory / CITY / "lei-2060-2011.toml").write_text(other, encoding="utf-8")
    both = load_laws(directory)
    assert both.find(CITY, None) is None
    assert (found := both.find(CITY, "bonde")) is not None
    assert found.id == "lei-2060-2011"


def test_a_sixth_city_is_a_data_file(tmp_path: Path) -> None:
    """Nothing in code knows the city: another name, state and zone are served at once."""
    text = (
        WHOLE.replace(CITY, "vila-clara-rs")
        .replace('name = "Rolim de Moura"', 'name = "Vila Clara"')
        .replace('uf = "RO"', 'uf = "RS"')
        .replace('zone = "America/Porto_Velho"', 'zone = "America/Sao_Paulo"')
    )
    laws = load_laws(folder_with(tmp_path, text, "vila-clara-rs"))
    city = laws.city("vila-clara-rs")
    assert (city.name, city.zone.key) == ("Vila Clara", "America/Sao_Paulo")
    assert laws.calendar("vila-clara-rs").uf == "RS"
