"""What people do, as conversations that go round for ever: each step is done when its answer has come.

A script is a generator: it yields a step and is sent the text that answered it. Nothing in it knows a city.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Step:
    """One update and the words, any of them, by which its answer is known.

    ``press`` is the label of a button (its start is enough) or, as a number, its place below the last message;
    ``photo`` sends one.
    """

    until: tuple[str, ...]
    text: str = ""
    press: str | int | None = None
    photo: bool = False


Script: TypeAlias = Generator[Step, str, None]


def says(text: str, *until: str) -> Step:
    """Write."""
    return Step(until, text=text)


def presses(label: str | int, *until: str) -> Step:
    """Press."""
    return Step(until, press=label)


def menu(number: int) -> Script:
    """Come to the counter, look at the languages, go home."""
    while True:
        yield says("/menu", "O que você quer fazer?", "Olá", "De qual cidade")
        yield presses("Idioma", "Em que idioma")
        yield presses("Menu", "O que você quer fazer?")
        yield says("bom dia", "O que você quer fazer?")


def form(number: int) -> Script:
    """Report discrimination: ten questions, no evidence."""
    for report in count(1):
        yield from _up_to_evidence(report)
        yield from _from_evidence(says("Pular", "Como você quer se identificar?"))


def photos(number: int) -> Script:
    """The same report with three photographs."""
    for report in count(1):
        yield from _up_to_evidence(report)
        for sent in ("1 arquivo", "2 arquivos", "3 arquivos"):
            yield Step((f"Recebi {sent}",), photo=True)
        yield from _from_evidence(presses("Pronto", "Como você quer se identificar?"))


def _up_to_evidence(report: int) -> Script:
    yield says("/reclamar", "O que você quer contar?")
    yield presses("Discriminação", "Qual destes é o assunto?")
    yield presses(0, "qual foi o motivo?")
    yield presses(0, "O que aconteceu?")
    yield says(f"Fui deixada na calçada & o carro seguiu <vazio>, pela {report}ª vez.", "Onde foi?")
    yield says("Na praça central, perto da banca", "Quando foi?")
    yield presses("Ontem", "Qual era o veículo")
    yield says("abc-1d23", "Tem fotos")


def _from_evidence(step: Step) -> Script:
    yield step
    seen = yield presses("Identidade protegida", "Confira o seu relato", "representação formal")
    if "Confira o seu relato" not in seen:
        yield presses("Não", "Confira o seu relato")
    yield presses("Enviar para a prefeitura", "A prefeitura recebeu o seu relato")


def staff(number: int) -> Script:
    """Take the oldest case of a queue, read it, answer it, tell how it ends."""
    while True:
        seen = yield says("/fila", "Filas")
        if not re.search(r"\d esperando", seen):
            continue
        seen = yield presses("Pegar o próximo", "Com você.", "Filas")
        if "Com você." not in seen:
            continue
        yield presses("Linha do tempo", "Linha do tempo")
        yield presses("Voltar ao caso", "Com você.")
        yield presses("Responder", "O que você quer dizer ao cidadão?")
        yield says("Estamos vendo com quem dirigia naquele dia.", "assim que você enviar")
        yield presses("Enviar a resposta", "Resposta enviada")
        yield presses("Concluir", "Como o caso termina?")
        yield presses(0, "Explique o resultado")
        yield says("Conversamos com quem dirigia e registramos a orientação.", "assim que você enviar")
        yield presses("Enviar a conclusão", "Conclusão enviada")


def echo(number: int) -> Script:
    """Write something new each time to a bot that says it back."""
    for said in count(1):
        yield says(f"olá {number}-{said}", f"olá {number}-{said}")


def plain_form(number: int) -> Script:
    """Fill in the ten questions of the bare form."""
    while True:
        yield says("/start", "Pergunta 1 de 10")
        for question in range(2, 11):
            yield says(f"resposta {question - 1}", f"Pergunta {question} de 10")
        yield says("resposta 10", "Recebido")


SCRIPTS: dict[str, Callable[[int], Script]] = {
    "menu": menu,
    "form": form,
    "photos": photos,
    "staff": staff,
    "echo": echo,
    "plain_form": plain_form,
}
