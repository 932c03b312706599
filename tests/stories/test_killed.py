"""The process is killed at every step of a form, and the form goes on where it was: nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.counter import Stage, stage
from tests.support.papers import photograph
from tests.support.phone import Phone
from tests.support.towns import CACERES, Answers

HOUSE = Path(__file__).parents[2]
LATEST = 0.03  # seconds after the answer at which the process dies: before, while or after it is handled


class Mortal:
    """A counter that dies and comes back on the same database; the next process is already warming up."""

    def __init__(self, set_up: Stage, seed: str) -> None:
        self._set_up, self._chance = set_up, random.Random(seed)
        self._next: Process | None = None
        self._now: Process | None = None

    async def opens(self) -> None:
        """Open the counter in the process that waits for it."""
        process = self._next or await self._warms_up()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        assert await process.stdout.readline() == b"open\n"
        self._now, self._next = process, await self._warms_up()

    async def dies(self, *, within: float = LATEST) -> None:
        """Be killed some moment from now."""
        assert self._now is not None
        await asyncio.sleep(self._chance.uniform(0, within))
        self._now.send_signal(signal.SIGKILL)
        await self._now.wait()
        self._now = None

    async def ends(self) -> None:
        """Leave no process behind."""
        for process in filter(None, (self._now, self._next)):
            process.kill()
            await process.wait()

    async def _warms_up(self) -> Process:
        settings = self._set_up.settings
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.support.victim", settings.api_url, settings.database),
            *(str(settings.data_dir), "product"),
            stdin=PIPE,
            stdout=PIPE,
            cwd=HOUSE,
        )


@asynccontextmanager
async def mortal(set_up: Stage) -> AsyncIterator[Mortal]:
    """An open counter that can be killed."""
    counter = Mortal(set_up, set_up.settings.database[:10])
    await counter.opens()
    try:
        yield counter
    finally:
        await counter.ends()


async def answers(set_up: Stage, phone: Phone, answer: str) -> None:
    """Press where it is offered last or write, and do not wait for anything.

    A message that was under way when the process died comes again, so the newest need not be the one that asks.
    """
    world = set_up.sandbox.world
    for screen in reversed(phone.history()):
        for button in screen.buttons:
            if button["text"] == answer:
                world.press(phone.id, screen.id, button["callback_data"])
                return
    world.send_text(phone.id, answer)


async def lives_through(set_up: Stage, counter: Mortal, phone: Phone, form: Answers, *, then: str) -> None:
    """Answer each question in the moment in which the process dies; the next one is asked by the process after it."""
    following = [words for words, _ in form[1:]] + [then]
    await phone.sees(form[0][0])
    for (_, answer), words in zip(form, following, strict=True):
        await answers(set_up, phone, answer)
        await counter.dies()
        await counter.opens()
        await phone.sees(words)
        await phone.quiet(0.05)


async def test_a_report_lives_through_a_kill_at_each_of_its_steps(database: str, tmp_path: Path) -> None:
    """Rita's report loses nothing that she gave and is filed once, although the process dies at every answer."""
    form = (
        ("O que você quer contar?", "Reclamação do serviço"),
        ("Em qual cidade foi?", CACERES.button),
        ("Qual destes é o assunto?", CACERES.complaint),
        ("O que aconteceu?", "Cobrou o dobro."),
        ("Onde foi?", "Praça central"),
        ("Quando foi?", "Ontem"),
        ("Qual era o veículo", "abc-1d23"),
    )
    async with stage(database, tmp_path, register=None, open_at_once=False) as set_up:
        rita = await set_up.phones.add("Rita")
        async with mortal(set_up) as counter:
            await rita.sends("/reclamar")
            await lives_through(set_up, counter, rita, form, then="Tem fotos")
            await rita.sends_photo(photograph())
            await counter.dies()
            await counter.opens()
            await rita.sees("Recebi 1 arquivo até aqui")
            rest = (("Recebi 1 arquivo", "Pronto"), ("Como você quer se identificar?", "Com o meu nome"))
            send = (("Confira o seu relato", "Enviar para a prefeitura"),)
            await lives_through(set_up, counter, rita, (*rest, *send), then="A prefeitura recebeu o seu relato")

        await set_up.opens()
        await rita.presses("Ver o caso")
        await rita.presses("O que contei")
        told = await rita.sees("Cobrou o dobro.")
        assert all(words in told.text for words in ("Praça central", "ABC", "1 arquivo"))
        await set_up.settles()
        assert await set_up.rows("case") == 1
        assert await set_up.rows("timeline_event") == 2  # begun and handed in
        assert await set_up.rows("inbox", state="failed") == 0


async def test_the_questions_of_the_law_live_through_a_kill_at_each_of_them(
    sqlite_database: str, tmp_path: Path
) -> None:
    """Ana's answers are all there at the end, and one registration is begun."""
    async with stage(sqlite_database, tmp_path, register=None, open_at_once=False) as set_up:
        ana = await set_up.phones.add("Ana")
        async with mortal(set_up) as counter:
            await ana.sends("/start")
            way = (
                ("De qual cidade se trata?", CACERES.button),
                ("O que você quer fazer?", CACERES.works),
                ("Para quem é o cadastro?", "Motorista de aplicativo"),
                *CACERES.answers,
                ("Confira as suas respostas", "Ver o resultado"),
            )
            await lives_through(set_up, counter, ana, way, then="você atende à lei daqui")

        await set_up.opens()
        await set_up.settles()
        assert await set_up.rows("case") == 1
        await ana.presses("Corrigir respostas")
        review = await ana.sees("Confira as suas respostas")
        for words in ("ABC1D23", "20/08/2021"):
            assert words in review.text
