"""Which of the languages spoken here a text is clearly written in."""

from __future__ import annotations

from domain.values.text import fold

MARKS: dict[str, frozenset[str]] = {
    "pt_BR": frozenset(
        {"nao", "quero", "preciso", "meu", "meus", "minha", "minhas", "voce", "onde", "uma", "um", "com", "oi", "ola"}
        | {"obrigado", "obrigada", "estou", "tenho", "muito", "foi", "ontem", "hoje", "eu", "ele", "ela", "isso", "dos"}
        | {"das", "pelo", "pela", "sou", "fazer", "onibus", "corrida", "cobrou", "motorista", "bom", "boa", "tarde"}
    ),
    "en": frozenset(
        {"the", "my", "is", "was", "were", "want", "need", "how", "where", "what", "when", "i", "am", "have", "has"}
        | {"with", "please", "hello", "hi", "thanks", "thank", "and", "you", "can", "of", "he", "she", "they", "would"}
        | {"like", "this", "that", "it", "driver", "bus", "ride", "charged", "good", "morning", "afternoon", "evening"}
    ),
    "es": frozenset(
        {"el", "los", "las", "y", "quiero", "necesito", "donde", "una", "mi", "mis", "muy", "pero", "usted", "hola"}
        | {"gracias", "buenos", "buenas", "estoy", "tengo", "hay", "del", "ayer", "hoy", "fue", "quien", "hacer"}
        | {"puedo", "soy", "yo", "ella", "con", "conductor", "viaje", "cobro", "dias", "tardes", "noches", "chofer"}
    ),
}
"""Words, folded, that only one of the languages has."""
ENOUGH = 2


def tongue_of(text: str) -> str | None:
    """Return the language of a text when its words leave no doubt: two marks or nothing but marks, and no other's."""
    words = fold(text).split()
    marks = {language: sum(word in known for word in words) for language, known in MARKS.items()}
    found = [language for language, count in marks.items() if count]
    if len(found) == 1 and marks[found[0]] >= min(ENOUGH, len(words)):
        return found[0]
    return None
