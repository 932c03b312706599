"""``balcao law`` as a jurist uses it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

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


KEYS = ["rule", "label", "unit", "standing", "cite", "assumption", "bearer", "steps"]
CITY = "caceres-mt"
ROLIM = "rolim-de-moura-ro"


def written(tmp_path: Path, text: str, name: str = "given.toml") -> str:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    """Return the answers of a command, after looking at their form."""
    capsys.readouterr()
    assert law(*words, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["question", "answers"]
    assert told["question"]["command"] == words[0]
    for one in told["answers"]:
        assert set(KEYS) <= one.keys()
        assert ("verdict" in one) or ("value" in one)
        assert one["standing"] in {"stated", "assumed", "silent", "illegible", "regulation"}
        assert isinstance(one["steps"], list)
    answers: list[dict[str, Any]] = told["answers"]
    return answers


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("show", CITY),
        ("show", CITY, "art. 6"),
        ("show", CITY, "art. 20"),
        ("show", ROLIM, "art. 16"),
        ("checklist", CITY, "--for", "vehicle"),
        ("dues", CITY, "--year", "2027", "--for", "operator"),
        ("term", CITY, "defesa", "--from", "2026-11-30"),
        ("renewal", "primavera-do-leste-mt", "--expires", "2027-03-31"),
        ("periodic", CITY, "--for", "operator", "--year", "2027"),
        ("penalty", CITY, "sem-aplicativo"),
        ("penalty", "chapada-dos-guimaraes-mt", "art. 13, VII"),
        ("penalty", "primavera-do-leste-mt", "cao-guia"),
        ("penalty", "primavera-do-leste-mt", "cão-guia"),
        ("infractions", "pelotas-rs"),
        ("quota", ROLIM, "--population", "56406"),
        ("tariff", ROLIM, "--at", "2026-11-30T20:00"),
        ("subjects", "pelotas-rs"),
        ("doubts", CITY),
        ("representation", "pelotas-rs"),
        ("coverage", "pelotas-rs"),
        ("test", "pelotas-rs"),
    ],
)
def test_every_command_answers_in_one_envelope_and_in_words(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine reads the same answer that a jurist reads."""
    assert asked(capsys, *words)
    assert law(*words) == 0
    assert len(capsys.readouterr().out.splitlines()) > 1


def test_a_check_goes_through_the_whole_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Met, not met and unknown, with the article: also papers, and what only the city knows."""
    facts = written(tmp_path, 'first_plating = 2018-11-30\nhas = ["cnh"]\nlacks = ["inss"]\ndriver_out = false\n')
    found = {one["rule"]: one for one in asked(capsys, "check", CITY, "--facts", facts, "--on", "2026-12-01")}
    assert found["idade-veiculo"]["verdict"] == "unmet"
    assert found["idade-veiculo"]["cite"] == "Lei nº 2.828/2019, art. 12, VIII"
    assert (found["cnh"]["verdict"], found["inss"]["verdict"]) == ("met", "unmet")
    assert found["sem-descadastro"]["verdict"] == "met"
    assert found["cnh-ear"]["missing"] == ["cnh_ear"]
    assert found["idade-minima"]["standing"] == "silent"
    assert found["dpvat"]["blocking"] is False


def test_facts_may_be_json_and_say_what_is_asked_of_whom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rented car needs the consent of its owner; one's own does not."""
    for owner, verdict in (("company", "required"), ("own", "not-required")):
        facts = written(tmp_path, json.dumps({"vehicle_owner": owner, "first_plating": "2020-01-01"}), "facts.json")
        answers = asked(capsys, "checklist", "primavera-do-leste-mt", "--for", "vehicle", "--facts", facts)
        assert next(one["verdict"] for one in answers if one["rule"] == "consentimento") == verdict


def test_a_certificate_is_followed_through_its_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Revoked: until when, and from when on something new may be asked for."""
    events = written(
        tmp_path, '[[events]]\nkind = "issued"\non = 2026-01-31\n[[events]]\nkind = "revoked"\non = 2026-03-10\n'
    )
    (one,) = asked(capsys, "validity", CITY, "--events", events, "--on", "2026-11-30")
    assert (one["verdict"], one["value"], one["may_work"]) == ("revoked", "2031-03-10", False)
    assert one["may_ask_from"] == "2031-03-11"
    assert law("validity", CITY, "--events", events, "--on", "2026-11-30") == 0
    assert "revogado" in capsys.readouterr().out


def test_a_penalty_is_asked_for_by_place_and_doubles_with_a_prior(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The article is enough, for the infraction and for the prior."""
    priors = written(tmp_path, '[[priors]]\ninfraction = "art. 20, III"\ncommitted_on = 2026-06-01\n')
    answers = asked(capsys, "penalty", CITY, "art. 20, III", "--priors", priors, "--on", "2026-11-30")
    assert [(one.get("value"), one["unit"]) for one in answers if one.get("action") == "fine"] == [(20, "URM")]
    assert [one["verdict"] for one in answers if one.get("kind") == "recidivism"] == ["repeated"]


def test_the_days_of_a_monthly_duty_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """The tenth business day of November 2027 is the 16th: All Souls and the Republic are holidays."""
    answers = {one["rule"]: one for one in asked(capsys, "periodic", CITY, "--for", "operator", "--year", "2027")}
    assert answers["relacao-viagens"]["value"][10] == "2027-11-16"
    assert answers["relacao-frota"]["standing"] == "regulation"


@pytest.mark.parametrize(
    ("words", "value", "unit"),
    [
        (("term", CITY, "relacao-viagens", "--from", "2026-03-13"), "2026-04-15", "date"),  # Good Friday is no such day
        (("term", CITY, "art. 18, § 4º", "--from", "2026-03-03"), "2026-03-18", "date"),
        (("term", "chapada-dos-guimaraes-mt", "relacao-frota", "--from", "2026-11-30"), "2027-01-29", "date"),
        (("penalty", "chapada-dos-guimaraes-mt", "fumar"), 20, "UPFM"),  # the words of a duty
        (("penalty", CITY, "art. 5º, § 2º"), 15, "URM"),
        (("penalty", CITY, "art. 6º, § 2º"), 50, "URM"),
        (("penalty", CITY, "art. 17, § 1º"), 60, "month"),  # no infraction, but what a revocation leads to
        (("penalty", CITY, "revogação"), 60, "month"),
        (("penalty", "chapada-dos-guimaraes-mt", "art. 24, parágrafo único"), 12, "month"),
    ],
)
def test_a_term_or_a_penalty_is_found_by_what_a_jurist_knows_of_it(
    words: tuple[str, ...], value: object, unit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids are ours; places and words are the law's. A duty that comes back has a next day as a term has a last one."""
    first = asked(capsys, *words)[0]
    assert (first["value"], first["unit"]) == (value, unit)


def test_a_limit_is_shown_as_the_number_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Eight years since the first plating, for whoever reads the place and not the label."""
    (one,) = asked(capsys, "show", CITY, "art. 12, VIII")
    assert one["value"]["test"] == {"check": "at-most-years-since", "fact": "first_plating", "years": 8}


def test_a_suspension_is_a_number_and_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    """Twelve months, as a fine is so many units."""
    answers = asked(capsys, "penalty", "chapada-dos-guimaraes-mt", "art. 26, V")
    assert next((one["value"], one["unit"]) for one in answers if one.get("action") == "suspension") == (12, "month")


def test_a_duty_without_a_penalty_is_answered_with_that(capsys: pytest.CaptureFixture[str]) -> None:
    """One passenger at a time: the law of the mototáxi punishes nothing by that name."""
    (one,) = asked(capsys, "penalty", ROLIM, "art. 5º, I")
    assert (one["value"], one["standing"], one["cite"]) == (None, "silent", "Lei nº 2.059/2011, art. 5º, I")


def test_a_fact_that_two_places_punish_is_named_with_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    """In words it is the one whose reading is used; by its place it is the one asked for, with the other beside it."""
    assert asked(capsys, "penalty", ROLIM, "documentação adulterada")[0]["cite"].endswith("art. 22, III")
    asked_for = asked(capsys, "penalty", ROLIM, "art. 24, IV")[0]
    assert asked_for["action"] == "suspension"
    assert any("22, III" in step for step in asked_for["steps"])


def test_a_late_request_is_late_and_a_timely_one_is_in_time(capsys: pytest.CaptureFixture[str]) -> None:
    """30 days before 31 March 2027 is 1 March."""
    verdicts = [
        asked(capsys, "renewal", "primavera-do-leste-mt", "--expires", "2027-03-31", "--asked", day)[0]["verdict"]
        for day in ("2027-03-01", "2027-03-02")
    ]
    assert verdicts == ["in-time", "late"]


def test_where_a_law_says_nothing_the_answer_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """No quota, no tariff, no representation: silent, with no number."""
    for words in (("quota", CITY, "--population", "9"), ("tariff", CITY, "--at", "2026-11-30T20:00")):
        (one,) = asked(capsys, *words)
        assert (one["value"], one["standing"]) == (None, "silent")
    (one,) = asked(capsys, "representation", CITY)
    assert one["cite"] == "Lei nº 13.460/2017, art. 16"


def test_amounts_come_in_reais_when_the_city_entered_the_units_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Units always, reais when known."""
    value = (
        '[[units.URM]]\nfrom = 2026-01-01\nvalue = "45.20"\nsource = "Decreto"\nentered_on = 2026-01-05\nauthor = "M"\n'
    )
    (tmp_path / f"{CITY}.toml").write_text(value, encoding="utf-8")
    assert law("--settings", str(tmp_path), "dues", CITY, "--year", "2027", "--json") == 0
    (one,) = json.loads(capsys.readouterr().out)["answers"]
    assert (one["value"], one["unit"], one["reais"]) == (8, "URM", 361.6)


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("term", CITY, "defeza", "--from", "2026-11-30"), "defesa"),
        (("term", CITY, "defesa", "--from", "2019-12-29"), "not in force"),
        (("penalty", CITY, "sem-aplicativos"), "sem-aplicativo"),
        (("penalty", CITY, "multa"), "nearest"),
        (("penalty", CITY, "art. 20"), "more than one infraction: sem-identidade"),
        (("show", CITY, "art. 12, XV"), "art. 12, V"),
        (("show", CITY, "capítulo"), "no place"),
        (("quota", ROLIM, "--population", "0"), "at least one"),
        (("check", CITY, "--facts", "/no/such/file"), "cannot be read"),
    ],
)
def test_what_is_not_known_ends_with_one_sentence(
    words: tuple[str, ...], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, one line, the nearest names."""
    assert law(*words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert near in told.err


@pytest.mark.parametrize(
    ("command", "text", "near"),
    [
        ("check", "first_platin = 2018-11-30", "first_plating"),
        ("check", 'first_plating = "ontem"', "not a day"),
        ("check", "cnh_ear = 1", "true or false"),
        ("check", 'cnh_category = "F"', "must be A or B"),
        ("check", 'has = ["cnhh"]', "cnh"),
        ("check", "a = [", "neither TOML nor JSON"),
        ("validity", '[[events]]\nkind = "emitido"\non = 2026-01-01', "kind of event"),
        ("validity", '[[events]]\nkind = "issued"', "needs its day"),
        ("validity", '[[events]]\nkind = "issued"\nday = 2026-01-01', "no key of an event"),
        ("validity", "x = 1", "no list of events"),
        ("penalty", '[[priors]]\ninfraction = "sem-aplicativo"', "needs 'infraction'"),
        ("penalty", '[[priors]]\ninfraction = "fumar"\ncommitted_on = 2026-01-01', "no infraction 'fumar'"),
    ],
)
def test_a_slip_in_a_file_is_named(
    command: str, text: str, near: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The key, the kind or the day: one sentence, status 2."""
    file = written(tmp_path, text)
    words = {
        "check": ("check", CITY, "--facts", file),
        "validity": ("validity", CITY, "--events", file),
        "penalty": ("penalty", CITY, "sem-aplicativo", "--priors", file),
    }[command]
    assert law(*words) == 2
    assert near in capsys.readouterr().err


def test_the_company_answers_for_what_its_driver_did(capsys: pytest.CaptureFixture[str]) -> None:
    """The law charges the concessionaire; a driver who reads the fine is not frightened by it."""
    answers = asked(capsys, "penalty", "pelotas-rs", "art. 6º, III")
    assert {one["bearer"] for one in answers} == {"operator"}


def test_a_duty_without_a_penalty_of_its_own_is_answered_with_silence(capsys: pytest.CaptureFixture[str]) -> None:
    """The seal has to be on the windscreen, and no group of infractions names it."""
    (told,) = asked(capsys, "penalty", "primavera-do-leste-mt", "art. 20, VIII")
    assert (told["rule"], told["value"], told["standing"]) == ("afixar-selo", None, "silent")


def test_what_is_kept_is_counted_from_date_to_date_and_never_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    """Twelve months from 29 February 2024 end on a 28th; five years may end on a Saturday."""
    (told,) = asked(capsys, "term", "primavera-do-leste-mt", "guarda-documentos", "--from", "2024-02-29")
    assert (told["value"], told["bearer"]) == ("2025-02-28", "operator")
    (told,) = asked(capsys, "term", "primavera-do-leste-mt", "guarda-dados", "--from", "2022-03-20")
    assert told["value"] == "2027-03-20"


def test_a_warning_that_does_not_fit_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rui was fined for an expired certificate in February; in March the fine for smoking stays a fine."""
    text = '[[priors]]\ninfraction = "caa-vencido"\ncommitted_on = 2025-11-10\nfinal_on = 2026-02-10'
    words = ("penalty", "primavera-do-leste-mt", "fumar", "--on", "2026-03-11", "--priors", written(tmp_path, text))
    answers = asked(capsys, *words)
    assert not any(one.get("action") == "warning" for one in answers)
    assert any("não cabe" in step for step in answers[0]["steps"])


def test_a_paper_that_nobody_spoke_of_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing is the paper, not an answer."""
    facts = written(tmp_path, 'vehicle_owner = "own"')
    answers = asked(capsys, "check", "primavera-do-leste-mt", "--facts", facts, "--for", "vehicle")
    assert next(one for one in answers if one["rule"] == "crlv")["missing"] == ["crlv"]


def test_a_yearly_certificate_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    """The CAA is renewed every year: nobody reads that nothing is owed."""
    (told,) = asked(capsys, "periodic", "primavera-do-leste-mt", "--for", "driver")
    assert (told["rule"], told["value"], told["unit"]) == ("caa", 1, "year")


def test_an_example_that_fails_is_shown_and_ends_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A jurist sees which one, and what was found instead."""
    source = Path(__file__).parents[1] / "domain" / "law" / "cities" / "vila-clara-rs"
    (tmp_path / "vila-clara-rs").mkdir()
    for file in source.iterdir():
        text = file.read_text(encoding="utf-8").replace("least = 3, most = 9", "least = 3, most = 8")
        (tmp_path / "vila-clara-rs" / file.name).write_text(text, encoding="utf-8")
    assert law("--rulebooks", str(tmp_path), "test") == 1
    told = capsys.readouterr().out
    assert "Repetir em seis meses triplica" in told
    assert "most: expected 8" in told


def test_a_law_without_examples_or_places_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has only begun reads one sentence, and no table of nothing."""
    source = Path(__file__).parents[1] / "domain" / "law" / "cities" / "vila-clara-rs" / "lei-10-2020.toml"
    (tmp_path / "vila-clara-rs").mkdir()
    (tmp_path / "vila-clara-rs" / source.name).write_bytes(source.read_bytes())
    for words in (("test", "vila-clara-rs"), ("test",)):
        assert law("--rulebooks", str(tmp_path), *words) == 0
        assert capsys.readouterr().out == "There are no examples beside vila-clara-rs/lei-10-2020.\n"
    assert law("--rulebooks", str(tmp_path), "coverage", "vila-clara-rs") == 0
    assert capsys.readouterr().out == "There is no list of places beside vila-clara-rs/lei-10-2020.\n"


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("check", CITY), "--facts"),
        (("checklist", CITY), "--facts"),
        (("dues", CITY, "--year", "2026"), "--facts"),
        (("validity", CITY), "--events"),
        (("penalty", CITY, "sem-aplicativo"), "--priors"),
    ],
)
def test_the_help_shows_a_file_that_can_be_handed_in(
    words: tuple[str, ...], option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A jurist copies what the help shows of a file, and it is read; for the rest the help names the page."""
    with pytest.raises(SystemExit):
        law(words[0], "--help")
    told = capsys.readouterr().out
    assert "docs/law-facts.md" in told
    such = told.partition("Such as:\n")[2].partition("\n\n")[0]
    assert len(such.splitlines()) == 2
    assert law(*words, option, written(tmp_path, such)) == 0


def test_a_small_law_is_shown_without_empty_headings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Vila Clara nothing comes back, and a licence lasts one year, not "1 anos"."""
    monkeypatch.setenv("BALCAO_RULEBOOKS_DIR", str(Path(__file__).parents[1] / "domain" / "law" / "cities"))
    assert law("show", "vila-clara-rs") == 0
    told = capsys.readouterr().out
    assert "O que volta" not in told
    assert "1 ano, de data a data" in told
    assert all("\n" in part for part in told.strip().split("\n\n"))
