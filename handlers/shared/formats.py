"""Dates, numbers, money and ages in the person's language: figures as they are, words through Babel."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_timedelta
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal

from handlers.shared.texts import Translator

MONTH = 365.2425 / 12  # days
THRESHOLD = 9


@cache
def locale(language: str) -> Locale:
    """Return what Babel knows of a language; to find it by its name takes as long as to write a date."""
    return Locale.parse(language)


def day(value: date, language: str) -> str:
    """Return a date in figures: 05/03/2027, 5 Mar 2027, 5/3/2027 are each clear to their readers."""
    if language == "en":
        return format_date(value, "d MMM yyyy", locale=locale(language))
    return f"{value.day:02}/{value.month:02}/{value.year:04}"


def long_day(value: date, language: str) -> str:
    """Return a date in words with its weekday, for reading back what was understood."""
    return format_date(value, "full", locale=locale(language))


def moment(value: datetime, zone: ZoneInfo, language: str) -> str:
    """Return an instant as date and time at the city hall."""
    local = value.astimezone(zone)
    return f"{day(local.date(), language)} {clock(local.time())}"


def clock(value: time) -> str:
    """Return a time of day, which all languages write alike."""
    return f"{value.hour:02}:{value.minute:02}"


def day_and_clock(value: str, language: str) -> str:
    """Return an ISO date, with its time of day where it has one, in figures."""
    day_part, _, clock_part = value.partition("T")
    shown_day = day(date.fromisoformat(day_part), language)
    return f"{shown_day} {clock(time.fromisoformat(clock_part))}" if clock_part else shown_day


def number(value: Decimal | int, language: str) -> str:
    """Return a number with the marks of the language."""
    return format_decimal(value, locale=locale(language))


def money(value: Decimal | int, language: str) -> str:
    """Return an amount in reais."""
    return format_currency(value, "BRL", locale=locale(language)).replace("BRL", "R$")


def any_of(items: list[str], language: str) -> str:
    """Return "a, b ou c"."""
    return format_list(items, style="or", locale=locale(language))


def all_of(items: list[str], language: str) -> str:
    """Return "a, b e c"."""
    return format_list(items, style="standard", locale=locale(language))


def age(since: datetime, now: datetime, tr: Translator) -> str:
    """Return how long ago something was, in one unit: "há 3 dias"."""
    elapsed = now - since
    if elapsed < timedelta(minutes=1):
        return tr("agora mesmo")
    return format_timedelta(-elapsed, granularity="minute", threshold=1, add_direction=True, locale=locale(tr.language))


def distance(day_: date, today: date, tr: Translator) -> str:
    """Return how far a day is from today: "hoje", "amanhã", "em 3 dias", "há 2 dias"."""
    days = (day_ - today).days
    near = {0: tr("hoje"), 1: tr("amanhã"), -1: tr("ontem")}
    if days in near:
        return near[days]
    months = round(days / MONTH)
    # a unit is used from nine of it on; months are those of the calendar, and Babel's have thirty days
    apart = timedelta(days=30 * months) if abs(months) >= THRESHOLD else timedelta(days=days)
    return format_timedelta(
        apart, granularity="day", threshold=THRESHOLD, add_direction=True, locale=locale(tr.language)
    )


def shown(value: Any, language: str) -> Any:
    """Return a fact as the language writes it; text and markup stay as they are."""
    if isinstance(value, datetime):
        return day(value.date(), language)
    if isinstance(value, date):
        return day(value, language)
    if isinstance(value, time):
        return clock(value)
    if isinstance(value, Decimal):
        return number(value, language)
    return value


def filled(tr: Translator, sentence: str, facts: Mapping[str, Any]) -> str:
    """Translate a sentence and fill in its facts as the language writes them."""
    return tr(sentence, **{name: shown(value, tr.language) for name, value in facts.items()})
