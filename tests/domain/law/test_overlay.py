"""What a city enters: decrees, values of units, days and readings, each with its source; never against the law."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from domain.law.dues import dues
from domain.law.eligibility import eligibility
from domain.law.loader import Laws, RulebookError, load_laws
from domain.law.penalties import penalty
from domain.law.terms import deadline
from domain.law.validity import Event, validity

PROOF = 'source = "Decreto nº 7/2026"\nentered_on = 2026-01-05\nauthor = "Maria"\n'
DECREE = '[sources.decreto-7-2026]\ntitle = "Decreto nº 7/2026"\nshort = "Decreto nº 7/2026"\n'
CITE = 'cite = { source = "decreto-7-2026", locator = "art. 4º" }\n'


def entered(tmp_path: Path, slug: str, text: str) -> Laws:
    (tmp_path / f"{slug}.toml").write_text(text, encoding="utf-8")
    return load_laws(only=[slug], settings=tmp_path)


def test_a_fine_left_to_regulation_has_a_value_from_the_decree_on(tmp_path: Path) -> None:
    """The law of the mototáxi names no amount; the city entered its decree, and the answer cites it."""
    slug = "rolim-de-moura-ro"
    rule = f'[[rules.multa]]\nin_force_from = 2026-03-02\nleast = 5\nmost = 5\nunit = "UR"\n{CITE}{PROOF}'
    book = entered(tmp_path, slug, DECREE + rule).rulebook(slug)
    before, after = (penalty(book, "fones", (), day).answers[0] for day in (date(2026, 3, 1), date(2026, 3, 2)))
    assert (before.least, before.standing) == (None, "regulation")
    assert (after.least, after.unit, after.standing) == (Decimal(5), "UR", "regulation")
    told = book.rules["multa"].newest
    assert str(told.cite) == "Decreto nº 7/2026, art. 4º"
    assert told.entered is not None
    assert told.entered.author == "Maria"


def test_a_term_that_the_law_does_not_fix_is_counted_once_the_city_entered_it(tmp_path: Path) -> None:
    """Chapada grants a defence without days; after the decree there are ten."""
    slug = "chapada-dos-guimaraes-mt"
    ten_days = 'length = { amount = 10, unit = "business-day" }\n'
    rule = f"[[rules.defesa]]\nin_force_from = 2026-03-02\n{ten_days}{CITE}{PROOF}"
    laws = entered(tmp_path, slug, DECREE + rule)
    found = [
        deadline(laws.rulebook(slug), "defesa", day, laws.calendar(slug))
        for day in (date(2026, 3, 1), date(2026, 3, 2))
    ]
    assert [one.ends_on for one in found] == [None, date(2026, 3, 16)]


def test_nothing_that_the_law_fixes_can_be_changed(tmp_path: Path) -> None:
    """The defence in Rolim de Moura is fifteen days whatever somebody enters."""
    rule = (
        f'[[rules.defesa]]\nin_force_from = 2026-03-02\nlength = {{ amount = 5, unit = "calendar-day" }}\n{CITE}{PROOF}'
    )
    with pytest.raises(RulebookError, match=r"rolim-de-moura-ro\.toml: rules\.defesa: the law itself fixes this"):
        entered(tmp_path, "rolim-de-moura-ro", DECREE + rule)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (
            f'[[rules.multa]]\nin_force_from = 2026-03-02\nleast = 5\nmost = 5\nunit = "UR"\n{CITE}',
            "rules.multa.0.source",
        ),
        (f"[[rules.multas]]\nin_force_from = 2026-03-02\n{CITE}{PROOF}", "rules.multas"),
        (f'[readings.idade]\nreading = "ano-modelo"\n{PROOF}', "readings.idade"),
        (f'[readings.reincidencia]\nreading = "nunca"\n{PROOF}', "readings.reincidencia.reading"),
        (f"[blocking.dpvat]\nblocking = true\n{PROOF}", "blocking.dpvat"),
        ("[[units.UR]]\nfrom = 2026-01-01\nvalue = 4.5\n" + PROOF, "units.UR.0.value"),
        ("[moedas]\nUR = 4\n", "moedas"),
        ('[[units.UR]]\nfrom = 2026-01-01\nvalue = "4"\n', "units.UR.0.source"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_key(tmp_path: Path, text: str, key: str) -> None:
    """Each entry names where it comes from, and what the city's law has."""
    with pytest.raises(RulebookError) as refused:
        entered(tmp_path, "rolim-de-moura-ro", DECREE + text)
    assert refused.value.key == key


def test_amounts_are_shown_in_reais_from_the_day_of_the_units_value(tmp_path: Path) -> None:
    """Eight URM at 45.20 are 361.60; before the first value they stay in URM."""
    first, second = (
        f'[[units.URM]]\nfrom = {day}\nvalue = "{value}"\n{PROOF}'
        for day, value in (("2026-01-01", "45.20"), ("2027-01-01", "47.05"))
    )
    text = first + second
    settings = entered(tmp_path, "caceres-mt", text).settings("caceres-mt")
    worth = [
        settings.reais(Decimal(8), "URM", day) for day in (date(2025, 12, 31), date(2026, 1, 22), date(2027, 1, 1))
    ]
    assert worth == [None, Decimal("361.60"), Decimal("376.40")]


def test_a_day_added_or_taken_away_moves_what_is_due(tmp_path: Path) -> None:
    """A holiday in January moves the fifteenth business day; one taken away moves the defence back."""
    added = f'[[days]]\non = "2027-01-15"\nname = "Luto"\n{PROOF}'
    gone = f'[[days]]\non = "06-25"\nname = "Não é mais feriado"\ntake_away = true\n{PROOF}'
    laws = entered(tmp_path, "caceres-mt", added + gone)
    book, calendar = laws.rulebook("caceres-mt"), laws.calendar("caceres-mt")
    assert dues(book, "operator", 2027, calendar)[0].due_on == date(2027, 1, 25)
    assert deadline(book, "defesa", date(2026, 5, 26), calendar).ends_on == date(2026, 6, 25)


def test_a_city_that_does_not_roll_terms_ends_them_where_they_end(tmp_path: Path) -> None:
    """The convention is an assumption, and the city can choose another."""
    laws = entered(tmp_path, "rolim-de-moura-ro", f"[counting]\nrolls = false\n{PROOF}")
    found = deadline(laws.rulebook("rolim-de-moura-ro"), "defesa", date(2026, 3, 6), laws.calendar("rolim-de-moura-ro"))
    assert (found.ends_on, found.standing) == (date(2026, 3, 21), "stated")


def test_the_reading_that_a_city_chose_is_applied_everywhere(tmp_path: Path) -> None:
    """Seven seats pass while the driver is not counted, and fail once the city counts them."""
    laws = entered(tmp_path, "caceres-mt", f'[readings.lotacao]\nreading = "com-motorista"\n{PROOF}')
    for book, verdict in ((laws.rulebook("caceres-mt"), "unmet"), (load_laws().rulebook("caceres-mt"), "met")):
        found = eligibility(book, {"seats": 7}, date(2026, 11, 30))
        assert next(one.verdict for one in found if one.rule == "lotacao") == verdict


def test_a_city_decides_whether_an_old_insurance_stops_anybody(tmp_path: Path) -> None:
    """By default it does not."""
    laws = entered(tmp_path, "caceres-mt", f"[blocking.dpvat]\nblocking = true\n{PROOF}")
    items = {item.id: item for item in laws.rulebook("caceres-mt").requirements("vehicle", date(2026, 11, 30))}
    assert items["dpvat"].blocking


def test_a_city_that_reads_cassation_as_revocation_bars_for_as_long(tmp_path: Path) -> None:
    """By default the law sets no bar; the chosen reading is named in the answer."""
    laws = entered(tmp_path, "caceres-mt", f'[readings.cassacao]\nreading = "como-revogacao"\n{PROOF}')
    events = [Event(kind="issued", on=date(2026, 1, 1)), Event(kind="cassated", on=date(2026, 3, 10))]
    for book, until in ((laws.rulebook("caceres-mt"), date(2031, 3, 10)), (load_laws().rulebook("caceres-mt"), None)):
        found = validity(book, events, date(2026, 11, 30), laws.calendar("caceres-mt"))
        assert found is not None
        assert (found.state, found.until, found.assumption is None) == ("cassated", until, until is None)


def test_a_folder_that_is_not_there_and_a_city_that_is_none_are_refused(tmp_path: Path) -> None:
    """A mistyped path or slug does not pass for a city that entered nothing."""
    with pytest.raises(RulebookError, match="is no folder"):
        load_laws(settings=tmp_path / "nowhere")
    with pytest.raises(RulebookError, match="is no folder"):
        load_laws(tmp_path / "nowhere")
    with pytest.raises(RulebookError, match=r"caceres\.toml: \(file\): names no city"):
        entered(tmp_path, "caceres", "")
