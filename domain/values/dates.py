"""Dates as people write them, in Portuguese, English and Spanish.

A grammar of our own comes first: measured against dateparser 1.5 it knows "depois de amanhã" and "segunda passada",
names the day that does not exist, and reads "5 março 27" as 2027. dateparser (50 ms and 20 MB at its first use) is
loaded only for words that the grammar leaves over, and what it makes of them is always asked back.
"""

from __future__ import annotations

import re
from calendar import isleap, monthrange
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias

from domain.texts import N_
from domain.values.parsed import Parsed, Rejected, Unsure, Value
from domain.values.text import fold

Tense: TypeAlias = Literal["past", "future", "any"]

MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "janeiro jan january enero ene",
        "fevereiro fev february feb febrero",
        "marco mar march marzo",
        "abril abr april apr",
        "maio mai may mayo",
        "junho jun june junio",
        "julho jul july julio",
        "agosto ago august aug",
        "setembro set september sep sept septiembre setiembre",
        "outubro out october oct octubre",
        "novembro nov november noviembre",
        "dezembro dez december dec diciembre dic",
    ),
    1,
):
    MONTHS.update(dict.fromkeys(_names.split(), _number))
WEEKDAYS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "segunda seg monday mon lunes",
        "terca ter tuesday tue martes",
        "quarta qua wednesday wed miercoles",
        "quinta qui thursday thu jueves",
        "sexta sex friday fri viernes",
        "sabado sab saturday sat",
        "domingo dom sunday sun",
    )
):
    WEEKDAYS.update(dict.fromkeys(_names.split(), _number))
RELATIVE = {
    "hoje": 0, "today": 0, "hoy": 0, "agora": 0, "hoje mesmo": 0, "esta noite": 0, "hoje cedo": 0,
    "ontem": -1, "yesterday": -1, "ayer": -1, "anoche": -1, "last night": -1,
    "anteontem": -2, "antes de ontem": -2, "anteayer": -2, "antier": -2, "day before yesterday": -2,
    "the day before yesterday": -2,
    "amanha": 1, "tomorrow": 1, "manana": 1,
    "depois de amanha": 2, "day after tomorrow": 2, "the day after tomorrow": 2, "pasado manana": 2,
}  # fmt: skip
UNITS = {
    "dia": 1, "dias": 1, "day": 1, "days": 1,
    "semana": 7, "semanas": 7, "week": 7, "weeks": 7,
}  # fmt: skip
COUNTS = {
    "um": 1,
    "uma": 1,
    "a": 1,
    "one": 1,
    "un": 1,
    "una": 1,
    "dois": 2,
    "duas": 2,
    "two": 2,
    "dos": 2,
    "tres": 3,
    "three": 3,
}
LAST = {"passada", "passado", "pasado", "pasada", "ultima", "ultimo", "last"}
NEXT = {"proxima", "proximo", "next", "que vem", "que viene"}
AT_A_TIME = re.compile(
    r"(?<=\w) (?:as|a las|at|pelas|por volta das|umas|la por) [0-9].*$"
    r"|(?<=\w) (?:a|de|da|pela|por la|in the|at) (?:noite|tarde|manha|manana|noche|morning|afternoon|evening|night)$"
)
SKIPPED = {
    "de",
    "del",
    "do",
    "da",
    "of",
    "the",
    "el",
    "la",
    "dia",
    "on",
    "em",
    "no",
    "na",
    "a",
    "o",
    "feira",
    "ano",
    "year",
}
LONGEST = 60
EXAMPLE = "05/03/2027"
INFERRED = N_("Entendi {date}. É isso?")


def parse_date(text: str, *, today: date, tense: Tense = "any", language: str = "pt_BR") -> Parsed:
    """Read a date; the value is in ISO form.

    Args:
        text: What was typed.
        today: Local date, from which relative words and missing years are counted.
        tense: Whether a past or a future date is meant. It completes what was left out, and a whole date on the
            wrong side of today is refused; today itself is on both sides.
        language: Which words dateparser may try when the grammar does not know them.

    Returns:
        A value when day, month and four-digit year were given; unsure when the year or the meaning was inferred.
    """
    parsed = read(text, today, tense, language)
    if isinstance(parsed, Rejected) and parsed.example == EXAMPLE:
        return replace(parsed, example=example(today, tense))
    return parsed


def example(today: date, tense: Tense) -> str:
    """Return a date that would be taken: the last 5 March, or the next."""
    years = (today.year - 1, today.year, today.year + 1)
    if tense == "past":
        return f"05/03/{max(year for year in years if date(year, 3, 5) <= today)}"
    return f"05/03/{min(year for year in years if date(year, 3, 5) >= today)}"


def read(text: str, today: date, tense: Tense, language: str) -> Parsed:
    """Read a date by the grammar, or else by the library."""
    words = fold(text)
    if not words or len(words) > LONGEST:
        return not_understood()
    words = AT_A_TIME.sub("", words)
    tokens = re.sub(r"\b([0-9]{1,2})(?:o|º|st|nd|rd|th)\b", r"\1", words).split()
    tokens = [{"primeiro": "1", "primero": "1", "first": "1"}.get(token, token) for token in tokens]

    if (days := relative(" ".join(tokens), today, tense)) is not None:
        return checked(days, today, tense, inferred=True)
    return (
        numeric(tokens, text, today, tense, language)
        or named(tokens, today, tense)
        or by_library(text, today, tense, language)
        or not_understood()
    )


def relative(words: str, today: date, tense: Tense) -> date | None:
    """Read words that count from today: "amanhã", "há 3 dias", "sexta passada"."""
    if words in RELATIVE:
        return today + timedelta(days=RELATIVE[words])
    ago = re.fullmatch(r"(?:(?:ha|faz|hace) )?(\w+) (\w+)(?: (?:atras|ago))?", words)
    ahead = re.fullmatch(r"(?:daqui (?:a )?|em |in |dentro de |en )(\w+) (\w+)", words)
    for match, sign in ((ahead, 1), (ago, -1)):
        if match is None or match[2] not in UNITS or (sign < 0 and words == f"{match[1]} {match[2]}"):
            continue
        count = int(match[1]) if match[1].isdecimal() and len(match[1]) < 4 else COUNTS.get(match[1])
        if count is not None:
            return today + timedelta(days=sign * count * UNITS[match[2]])
    turned: Tense | None = None
    bare = []
    for word in words.replace("que vem", "next").replace("que viene", "next").split():
        if word in LAST:
            turned = "past"
        elif word in NEXT:
            turned = "future"
        elif word not in SKIPPED:
            bare.append(word)
    if len(bare) != 1 or bare[0] not in WEEKDAYS:
        return None
    ahead_by = (WEEKDAYS[bare[0]] - today.weekday()) % 7
    if ahead_by == 0 and turned:  # "last Monday", said on a Monday, is not today
        return today + timedelta(days=7 if turned == "future" else -7)
    direction = turned or tense
    backwards = direction == "past" or (direction == "any" and ahead_by > 3)
    return today + timedelta(days=ahead_by - 7 if backwards and ahead_by else ahead_by)


def numeric(tokens: list[str], text: str, today: date, tense: Tense, language: str) -> Parsed | None:
    """Read dates of figures alone: 5/3, 05-03-2027, 2027-03-05, 05032027, "dia 5"."""
    if tokens and tokens[0] in WEEKDAYS:
        tokens = [token for token in tokens[1:] if token not in SKIPPED]
    figures = [token for token in tokens if token not in SKIPPED]
    if not figures or not all(token.isdecimal() for token in figures):
        return None
    if len(figures) == 1:
        only = figures[0]
        if len(only) in (6, 8) and not re.search(r"[,.]", text):
            parts = complete(int(only[:2]), int(only[2:4]), only[4:], today, tense)
            return (
                Unsure(parts.value, parts.shown, INFERRED, {"date": parts.value}) if isinstance(parts, Value) else parts
            )
        if len(only) <= 2 and "dia" in tokens:
            return day_alone(int(only), today, tense)
        return None
    if len(figures) == 3 and len(figures[0]) == 4:
        return complete(int(figures[2]), int(figures[1]), figures[0], today, tense)
    if len(figures) > 3 or any(len(figure) > 2 for figure in figures[:2]):
        return None
    day, month = int(figures[0]), int(figures[1])
    swapped = month > 12 >= day
    if swapped and language == "en":
        day, month = month, day
    parsed = complete(day, month, figures[2] if len(figures) == 3 else "", today, tense)
    if language == "en" and isinstance(parsed, Value) and (swapped or (day <= 12 and day != month)):
        return Unsure(parsed.value, parsed.shown, INFERRED, {"date": parsed.value})
    return parsed


def named(tokens: list[str], today: date, tense: Tense) -> Parsed | None:
    """Read dates with the month's name: "5 de março", "5 março 27", "March 5, 2027"."""
    if tokens and tokens[0] in WEEKDAYS:
        tokens = tokens[1:]
    left = [token for token in tokens if token not in SKIPPED]
    months = [token for token in left if token in MONTHS]
    figures = [token for token in left if token.isdecimal()]
    if len(months) != 1 or len(figures) + 1 != len(left) or not 1 <= len(figures) <= 2 or len(figures[0]) > 2:
        return None
    return complete(int(figures[0]), MONTHS[months[0]], figures[1] if len(figures) == 2 else "", today, tense)


def complete(day: int, month: int, year: str, today: date, tense: Tense) -> Parsed:
    """Make a date of its parts; a missing or short year is inferred from the tense, and then asked back."""
    if not 1 <= month <= 12:
        return Rejected(N_("Não existe mês {month}: escreva dia, mês e ano."), {"month": month}, EXAMPLE)
    if not 1 <= day <= 31:
        return Rejected(N_("Não existe dia {day}: escreva dia, mês e ano."), {"day": day}, EXAMPLE)
    if len(year) not in (0, 2, 4):
        return Rejected(N_("O ano tem quatro algarismos."), {}, EXAMPLE)
    if len(year) == 4:
        return exact(int(year), month, day, today, tense)
    if len(year) == 2:
        century = today.year // 100 * 100
        full = century + int(year)
        if (tense == "past" and full > today.year) or (tense == "any" and full > today.year + 20):
            full -= 100
        return asked_back(exact(full, month, day, today, "any"), today, tense)
    if day > monthrange(2024, month)[1]:
        return no_such_day(day, month, today.year)
    candidates = [
        date(near, month, day) for near in range(today.year - 8, today.year + 9) if day <= monthrange(near, month)[1]
    ]
    if tense == "past":
        return asked_back(told(max(day_ for day_ in candidates if day_ <= today)), today, tense)
    if tense == "future":
        return asked_back(told(min(day_ for day_ in candidates if day_ >= today)), today, tense)
    return asked_back(told(min(candidates, key=lambda day_: abs(day_ - today))), today, tense)


def day_alone(day: int, today: date, tense: Tense) -> Parsed:
    """Read "dia 5": the nearest month that has it on the right side of today."""
    if not 1 <= day <= 31:
        return Rejected(N_("Não existe dia {day}: escreva dia, mês e ano."), {"day": day}, EXAMPLE)
    around = [today + timedelta(days=offset) for offset in range(-62, 63)]
    candidates = [near for near in around if near.day == day]
    if tense == "past":
        candidates = [max(near for near in candidates if near <= today)]
    elif tense == "future":
        candidates = [min(near for near in candidates if near >= today)]
    return asked_back(told(min(candidates, key=lambda near: abs(near - today))), today, tense)


def exact(year: int, month: int, day: int, today: date, tense: Tense) -> Parsed:
    """Make a date that was given whole."""
    if not 1900 <= year <= 2199:
        return Rejected(N_("O ano {year} não parece certo."), {"year": str(year)}, EXAMPLE)
    if day > monthrange(year, month)[1]:
        return no_such_day(day, month, year)
    return checked(date(year, month, day), today, tense, inferred=False)


def no_such_day(day: int, month: int, year: int) -> Rejected:
    if month == 2 and day == 29 and not isleap(year):
        return Rejected(
            N_("29 de fevereiro não existe em {year}: nesse ano, fevereiro vai até o dia 28."),
            {"year": str(year)},
            f"28/02/{year}",
        )
    last = monthrange(year, month)[1]
    return Rejected(
        N_("O dia {day}/{month} não existe: esse mês vai até o dia {last}."),
        {"day": day, "month": f"{month:02}", "last": last},
        f"{last}/{month:02}/{year}",
    )


def checked(day: date, today: date, tense: Tense, *, inferred: bool) -> Parsed:
    """Refuse a date on the wrong side of today; ask back an inferred one."""
    if tense == "past" and day > today:
        return Rejected(N_("Esta data ainda não chegou: {date}. Preciso de uma data que já passou."), {"date": day})
    if tense == "future" and day < today:
        return Rejected(N_("Esta data já passou: {date}. Preciso de uma data de hoje em diante."), {"date": day})
    value = told(day)
    return Unsure(value.value, value.shown, INFERRED, {"date": day}) if inferred else value


def asked_back(parsed: Parsed, today: date, tense: Tense) -> Parsed:
    return (
        checked(date.fromisoformat(parsed.value), today, tense, inferred=True) if isinstance(parsed, Value) else parsed
    )


def told(day: date) -> Value:
    return Value(day.isoformat(), day.strftime("%d/%m/%Y"))


def not_understood() -> Rejected:
    return Rejected(N_("Não entendi a data. Escreva dia, mês e ano."), {}, EXAMPLE)


def by_library(text: str, today: date, tense: Tense, language: str) -> Parsed | None:
    """Ask dateparser about words that the grammar does not know."""
    if not re.search(r"[^\W\d_]{3}", text):
        return None
    import dateparser

    prefer = {"past": "past", "future": "future", "any": "current_period"}[tense]
    found = dateparser.parse(
        text,
        languages=sorted({"pt", language[:2]}),
        settings={
            "RELATIVE_BASE": datetime(today.year, today.month, today.day),  # noqa: DTZ001 - a local day, no instant
            "PREFER_DATES_FROM": prefer,
            "DATE_ORDER": "DMY",
            "RETURN_AS_TIMEZONE_AWARE": False,
        },
    )
    if found is None or not 1900 <= found.year <= 2199:
        return None
    return checked(found.date(), today, tense, inferred=True)
