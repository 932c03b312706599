"""Times of day as people write them."""

from __future__ import annotations

import re
from datetime import time

from domain.texts import N_
from domain.values.parsed import Parsed, Rejected, Unsure, Value
from domain.values.text import fold

NAMED = {
    "meio dia": time(12),
    "meio dia e meia": time(12, 30),
    "meia noite": time(0),
    "noon": time(12),
    "midday": time(12),
    "midnight": time(0),
    "mediodia": time(12),
    "medianoche": time(0),
}
MORNING = {"da manha", "de manha", "am", "a m", "de la manana", "in the morning", "da madrugada", "de la madrugada"}
EVENING = {
    "da tarde",
    "de tarde",
    "da noite",
    "de noite",
    "pm",
    "p m",
    "de la tarde",
    "de la noche",
    "in the afternoon",
}
EVENING |= {"in the evening", "at night"}
CLOCK = re.compile(
    r"(?:as|a|at|las|a las|umas|por volta das?|la una)?\s*([0-9]{1,2})"
    r"(?:\s*(?:h|hs|hrs?|horas?|e|o clock)?\s*([0-9]{2})?\s*(?:m|min|minutos?|hs|h)?"
    r"|\s*(?:h|horas?)?\s*(e meia|y media))"
    r"(?:\s*(?:h|horas?))?\s*((?:d[ae]|a|p|am|pm|in|at)\b.*)?"
)


def parse_time(text: str) -> Parsed:
    """Read a time of day; the value is "HH:MM". A small hour without a part of the day is asked back."""
    words = fold(text)
    if words in NAMED:
        return told(NAMED[words])
    match = CLOCK.fullmatch(words)
    part = (match[4] or "").strip() if match else ""
    if match is None or (part and part not in MORNING | EVENING):
        return Rejected(N_("Não entendi o horário."), {}, "14h30")
    hour, minute = int(match[1]), 30 if match[3] else int(match[2] or 0)
    if part and hour > 12 and part in MORNING:
        return Rejected(N_("Não entendi o horário."), {}, "14h30")
    if part in EVENING and hour < 12:
        hour += 12
    elif hour == 12 and part in {"da noite", "de la noche", "at night", *MORNING}:
        hour = 0
    if hour == 24 and minute == 0:
        hour = 0
    if hour > 23 or minute > 59:
        return Rejected(N_("Esse horário não existe: as horas vão de 0 a 23 e os minutos de 0 a 59."), {}, "14h30")
    moment = time(hour, minute)
    if 1 <= hour <= 6 and not part and not re.match(r"\D*0", text):
        shown = f"{moment:%H:%M}"
        return Unsure(
            shown, shown, N_("Entendi de madrugada. Se foi à tarde, toque em Corrigir e escreva, por exemplo, 14h30.")
        )
    return told(moment)


def told(moment: time) -> Value:
    shown = f"{moment:%H:%M}"
    return Value(shown, shown)
