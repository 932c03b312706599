"""Finding what a law says by words, whatever their accents, endings and slips of the thumb.

Every text of an entry is folded and cut to stems; a word that the law does not know counts for those nearest to it.
Rare words weigh more than those that half the law has ("multa"), and a title more than a note.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from domain.law.conduct import ACTIONS, ConductRule, ContentsRule, InfractionRule, TariffRule
from domain.law.rules import RepresentationRule, RequirementRule, ScopeRule
from domain.values.text import fold
from handlers.law.entries import TOPICS, Contents, Entry, Topic
from handlers.shared.texts import Translator

TITLE, TEXT, KIND = 3.0, 1.0, 0.6
TOLD = 0.8  # of a passenger's subject, which leads to the rule that is shown before it
NEAR = 0.7  # how alike two words are at least
SURE = 0.85  # how alike before one word is taken for another
KEPT = 0.4  # of the best score
MEANT = 0.55  # how alike a word of the law is at least for the typed one to count as known
SHORT = 3  # a stem is never cut below this
EMPTY = frozenset(
    fold(
        "a o as os um uma uns umas de do da dos das em no na nos nas por para pra pro com sem que qual quais quanto "
        "quanta quando como onde quem e ou se eu me meu minha ele ela voce posso pode podem preciso ter tem ser é está "
        "tenho quero saber sobre lei diz the of to in for on is are can i my a an what how much do does with "
        "el la los las del un una y al lo mi puedo es cual cuanto law say dice ley"
    ).split()
)
GENERIC = frozenset(  # words that tell nothing of what is meant, and so are not missed in a law
    fold(
        "lei leis regra regras norma artigo multa multas infração prazo prazos documento documentos valor "
        "direito dever taxa pagar custa custar usar usando fazer faço fazem acontece deve devo quer pedir tipo "
        "coisa muito mais menos sempre nunca alguém meus minhas seu sua esse essa isso este esta pela pelo "
        "dentro fora antes depois durante há existe hoje sim não fine fines rule deadline document documents pay "
        "should must does happen happens any there when where if plazo hacer debe hay"
    ).split()
)
ENDINGS = (
    *("amentos", "imentos", "amento", "imento", "amiento", "imiento", "adores", "edores", "adoras", "idades", "mente"),
    *("acoes", "icoes", "coes", "soes", "acao", "icao", "cao", "sao", "cion", "ciones", "tion", "tions"),
    *("idade", "ador", "edor", "adora", "adas", "ados", "idas", "idos", "ada", "ado", "ida", "ido", "ando", "endo"),
    *("indo", "iendo", "aram", "eram", "iram", "avam", "aria", "eria", "iria", "arem", "erem", "irem", "asse", "esse"),
    *(
        "ings",
        "ing",
        "ies",
        "ed",
        "ais",
        "eis",
        "ois",
        "oes",
        "aes",
        "al",
        "el",
        "ar",
        "er",
        "ir",
        "ou",
        "eu",
        "iu",
        "am",
        "em",
    ),
    *("as", "os", "es", "is", "a", "e", "i", "o", "s"),
)
SAME = {  # what people say, and what the laws write for it
    "celular": ("telefone",),
    "carro": ("veiculo",),
    "moto": ("motocicleta",),
    "carteira": ("cnh", "habilitacao"),
    "habilitacao": ("cnh",),
    "cigarro": ("fumar",),
    "bebado": ("alcool", "embriagada"),
    "bebida": ("alcool", "embriagada"),
    "cachorro": ("cao", "animal"),
    "preco": ("valor", "tarifa"),
    "vistoria": ("inspecao",),
    "inspecao": ("vistoria",),
    "recorrer": ("recurso", "defesa"),
    "multas": ("multa",),
    "reincidencia": ("reincidir", "repetir"),
    "antecedentes": ("criminal",),
    "velocidade": ("correr",),
    "idade": ("anos", "fabricacao"),
    "drunk": ("alcohol",),
}


def stem(word: str) -> str:
    """Return a folded word without its ending, so that its other forms are found too."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORT:
            word = word.removesuffix(ending)
            break
    for written, heard in (("qu", "c"), ("gu", "g")):  # embarque, embarcar
        if word.endswith(written) and len(word) > SHORT:
            return word.removesuffix(written) + heard
    return word


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought: the entries, best first, or the words of the law that come nearest.

    ``unknown`` are the telling words that the law does not have: what was found is about the others, or only near.
    """

    entries: tuple[Entry, ...]
    nearest: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


class Index:
    """One law's words, in Portuguese and in the reader's language."""

    def __init__(self, law: Contents, tr: Translator) -> None:
        self.law = law
        self._postings: dict[str, dict[int, float]] = defaultdict(dict)
        self._spelled: dict[str, str] = {}  # a stem, as it is first written
        languages = [Translator()] if tr.language == "pt_BR" else [Translator(), tr]
        for number, entry in enumerate(law.entries):
            for each in languages:
                self._add(number, each(entry.title), TITLE)
                for text in texts_of(law, entry):
                    self._add(number, each(text), TEXT)
                for text in kinds_of(entry):
                    self._add(number, each(text), KIND)
        self._words = list(self._postings)
        total = len(law.entries) or 1
        self._rarity = {word: math.log(1 + total / len(found)) for word, found in self._postings.items()}

    def _add(self, number: int, text: str, weight: float) -> None:
        for word in fold(text).split():
            if word in EMPTY:
                continue
            cut = stem(word)
            self._spelled.setdefault(cut, word)
            held = self._postings[cut]
            held[number] = max(held.get(number, 0.0), weight)

    def find(self, query: str) -> Found:
        """Return what the law says about some words."""
        words = list(dict.fromkeys(word for word in fold(query).split() if word not in EMPTY))
        scores: dict[int, float] = defaultdict(float)
        met: dict[int, int] = defaultdict(int)
        unknown: list[str] = []
        for word in words:
            best: dict[int, float] = {}
            alike = tuple(self._alike(word))
            if word not in GENERIC and max((likeness for _, likeness in alike), default=0.0) < MEANT:
                unknown.append(word)
            for cut, likeness in alike:
                for number, weight in self._postings[cut].items():
                    best[number] = max(best.get(number, 0.0), likeness * weight * self._rarity[cut])
            for number, score in best.items():
                scores[number] += score
                met[number] += 1
        ranked = {
            number: score * math.sqrt(met[number] / len(words)) * (TOLD if self.law.entries[number].subject else 1)
            for number, score in scores.items()
        }
        if not ranked:
            return Found((), self._nearest(words))
        top = max(ranked.values())
        order = sorted((number for number, score in ranked.items() if score >= KEPT * top), key=lambda n: -ranked[n])
        return Found(tuple(self.law.entries[number] for number in order), unknown=tuple(unknown))

    def _alike(self, word: str) -> Iterable[tuple[str, float]]:
        """Return the stems that a typed word may mean, each with how sure that is."""
        cut = stem(word)
        found = {cut: 1.0} if cut in self._postings else {}
        for said, likeness, _ in nearest(word, list(SAME), cutoff=SURE, limit=1):
            for other in SAME[said]:
                if (same := stem(other)) in self._postings:
                    found.setdefault(same, likeness * 0.8)
        if found:
            return found.items()
        starts = [other for other in self._words if len(cut) >= 4 and other.startswith(cut)]
        found |= dict.fromkeys(starts, 0.85)
        near = nearest(cut, self._words, cutoff=NEAR, limit=4)
        whole = nearest(word, self._spelled, cutoff=NEAR, limit=4)
        for hit, likeness in [(hit[0], hit[1]) for hit in near] + [(hit[2], hit[1]) for hit in whole]:
            found[hit] = max(found.get(hit, 0.0), likeness**2)
        return found.items()

    def _nearest(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return words of the law that look a little like what was typed."""
        known = [word for word in self._spelled.values() if len(word) > SHORT]
        hits = [hit for word in words for hit in nearest(word, known, cutoff=0.5, limit=3)]
        return tuple(dict.fromkeys(hit[0] for hit in sorted(hits, key=lambda hit: -hit[1])))[:5]


def nearest(
    word: str, known: Collection[str] | Mapping[str, str], *, cutoff: float, limit: int
) -> list[tuple[str, float, Any]]:
    """Return the words most like one, each with how alike it is and its place, or its key, in ``known``."""
    from rapidfuzz.distance import OSA  # some megabytes that a counter at rest does without
    from rapidfuzz.process import extract

    return extract(word, known, scorer=OSA.normalized_similarity, score_cutoff=cutoff, limit=limit)


def texts_of(law: Contents, entry: Entry) -> list[str]:
    """Return what an entry says besides its title."""
    version, rule = entry.version, entry.rule
    texts: list[str | None] = []
    if version is not None:
        texts += [version.no_value, version.note, version.assumption]
        texts += [*getattr(version, "alternatives", ()), *getattr(version, "requires", ())]
    match rule:
        case RequirementRule() | ScopeRule():
            texts.append(rule.what)
        case TariffRule():
            texts += ["noite domingo feriado", *(band.label for band in rule.newest.bands)]
        case RepresentationRule():
            texts += [rule.newest.who, rule.newest.owed]
        case ConductRule() if version is not None:
            punished = law.book.rules.get(getattr(version, "infraction", None) or "")
            texts.append(punished.label if punished is not None else None)
        case _:
            pass
    if entry.doubt is not None:
        texts += entry.doubt.readings.values()
    if entry.ground is not None:
        texts += [entry.ground.note, "discriminação"]
    return [text for text in texts if text]


def kinds_of(entry: Entry) -> list[str]:
    """Return the words for what an entry is, by which people ask for it."""
    kinds = [TOPICS[topic] for topic in entry.topics if topic is not Topic.OPEN]
    rule, version = entry.rule, entry.version
    if getattr(version, "penalty_class", None) is not None or getattr(version, "readings", None):
        kinds += ["multa", "infração"]
    if isinstance(rule, InfractionRule):
        told = version if version is not None else rule.newest
        kinds += [ACTIONS[one.action] for one in getattr(told, "penalties", ())]
        kinds += [ACTIONS[action] for action in getattr(told, "measures", ())]
    if isinstance(rule, ConductRule):
        kinds.append({"duty": "dever obrigação", "prohibition": "proibido", "permission": "permitido"}[rule.kind])
    if isinstance(rule, ContentsRule):
        kinds.append("defesa" if rule.of == "defence" else "recurso" if rule.of == "appeal" else "auto de infração")
    return kinds
