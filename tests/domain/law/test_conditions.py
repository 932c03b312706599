"""Conditions over facts that may not be known yet."""

from __future__ import annotations

import pytest

from domain.law.conditions import FactValue, compared_values, facts_in, holds


@pytest.mark.parametrize(
    ("condition", "facts", "answer"),
    [
        ('vehicle_owner == "company"', {"vehicle_owner": "company"}, True),
        ('vehicle_owner == "company"', {"vehicle_owner": "own"}, False),
        ('vehicle_owner == "company"', {}, None),
        ('vehicle_owner in ("company", "person")', {"vehicle_owner": "person"}, True),
        ("hybrid", {"hybrid": True}, True),
        ("not hybrid", {"hybrid": True}, False),
        ("not hybrid", {}, None),
        ("hybrid or seats > 5", {"seats": 7}, True),
        ("hybrid or seats > 5", {"seats": 5}, None),
        ("hybrid and seats > 5", {"seats": 5}, False),
        ("hybrid and seats > 5", {"hybrid": True}, None),
        ("seats >= 5 and seats <= 7", {"seats": 7}, True),
        ("hybrid == true", {"hybrid": True}, True),
    ],
)
def test_a_condition_is_true_false_or_still_open(
    condition: str, facts: dict[str, FactValue], answer: bool | None
) -> None:
    """Bia has answered some questions only: what her answers settle is settled, the rest stays open."""
    assert holds(condition, facts) is answer


@pytest.mark.parametrize("condition", ["hybrid ==", "open('/etc/passwd')", "seats + 1 == 5", "a.b", "1 < seats < 5"])
def test_whatever_is_not_a_condition_is_refused(condition: str) -> None:
    """A rulebook cannot make the counter run anything."""
    with pytest.raises(ValueError, match="condition"):
        facts_in(condition)


def test_a_condition_names_its_facts_and_the_values_it_compares() -> None:
    """The loader can tell a jurist that an option is misspelt."""
    condition = 'vehicle_owner in ("own", "leased") and not hybrid'
    assert facts_in(condition) == {"vehicle_owner", "hybrid"}
    assert set(compared_values(condition)) == {("vehicle_owner", "own"), ("vehicle_owner", "leased")}
