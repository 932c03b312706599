"""Certificates: how they stand on the days around each event."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain.law.loader import load_laws
from domain.law.renewal import renewal
from domain.law.validity import EVENTS, Event, EventKind, Validity, validity

LAWS = load_laws()
DAYS = st.dates(date(2025, 7, 1), date(2032, 12, 31))
PRIMAVERA = "primavera-do-leste-mt"


def stands(slug: str, on: date, *events: Event) -> Validity:
    found = validity(LAWS.rulebook(slug), events, on, LAWS.calendar(slug))
    assert found is not None
    return found


def event(kind: EventKind, on: date) -> Event:
    return Event(kind=kind, on=on)


@given(paid=DAYS, late=st.integers(0, 30))
def test_a_renewal_asked_in_time_and_the_renewal_window_never_contradict(paid: date, late: int) -> None:
    """Who asks by the last day works on; who asks a day later does not."""
    issued = (event("fee-paid", paid), event("issued", paid))
    ends = stands(PRIMAVERA, paid, *issued).until
    assert ends is not None
    window = renewal(LAWS.rulebook(PRIMAVERA), ends, LAWS.calendar(PRIMAVERA))
    assert window is not None
    assert window.ask_by is not None
    after = ends + timedelta(days=1 + late)
    in_time = stands(PRIMAVERA, after, *issued, event("renewal-asked", window.ask_by))
    tardy = stands(PRIMAVERA, after, *issued, event("renewal-asked", window.ask_by + timedelta(days=1)))
    assert (in_time.may_work, tardy.may_work) == (True, False)


@given(
    slug=st.sampled_from(list(LAWS)),
    told=st.lists(st.tuples(st.sampled_from(EVENTS), DAYS), max_size=8),
    on=DAYS,
    order=st.randoms(use_true_random=False),
)
def test_the_order_of_a_file_and_what_comes_later_change_nothing(
    slug: str, told: list[tuple[EventKind, date]], on: date, order: Random
) -> None:
    """The answer depends on what happened up to the day, not on how it was written down."""
    if len({day for _, day in told}) < len(told):
        return
    events = [event(kind, day) for kind, day in told]
    found = stands(slug, on, *events)
    assert stands(slug, on, *order.sample(events, len(events))) == found
    assert stands(slug, on, *(one for one in events if one.on <= on)) == found
    assert found.cite.locator
    assert not (found.may_work and found.may_ask_from)


@given(revoked=DAYS, later=st.integers(0, 2500))
def test_nobody_who_was_revoked_works_before_a_new_certificate(revoked: date, later: int) -> None:
    """Until something new is issued, the old one stays ended."""
    on = revoked + timedelta(days=later)
    for slug in LAWS:
        found = stands(slug, on, event("fee-paid", revoked), event("issued", revoked), event("revoked", revoked))
        assert not found.may_work


def test_the_payment_of_an_earlier_certificate_does_not_count_for_the_next() -> None:
    """Ana paid on the day of her first certificate: the second one waits for a payment of its own."""
    first, second = date(2026, 3, 5), date(2027, 3, 1)
    told = (event("fee-paid", first), event("issued", first), event("issued", second))
    assert stands(PRIMAVERA, second, *told).state == "pending"
    assert stands(PRIMAVERA, second, *told, event("fee-paid", second)).state == "valid"


def test_a_bar_ends_where_the_law_says_and_the_next_day_is_named() -> None:
    """60 months in one law, 180 days in another, silence in a third."""
    day = date(2026, 3, 10)
    ends = {
        slug: (found.until, found.standing.value)
        for slug in ("caceres-mt", PRIMAVERA, "chapada-dos-guimaraes-mt")
        for found in [stands(slug, day, event("issued", day - timedelta(days=9)), event("revoked", day))]
    }
    assert ends == {
        "caceres-mt": (date(2031, 3, 10), "stated"),
        PRIMAVERA: (date(2026, 9, 6), "stated"),
        "chapada-dos-guimaraes-mt": (None, "silent"),
    }
