"""What people do at the counter, a scene at a time, so that a story says who does what and not which button it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from domain.people.model import Role
from tests.support.counter import Stage
from tests.support.papers import PDF, photograph
from tests.support.phone import Phone, Screen
from tests.support.towns import Answers, Town

SOON = 3.0  # seconds on a busy machine; a decision is told within one


async def answered(phone: Phone) -> Screen:
    """Wait for the bot's answer to what was done last; the newest message of it."""
    return await phone.phones.until(lambda: news[-1] if (news := phone.news()) else None)


async def next_document(phone: Phone) -> Screen | None:
    """Wait for the next document to decide; None when all are decided."""

    def found() -> tuple[Screen | None] | None:
        for screen in phone.news():
            if "Recusar" in screen.labels:
                return (screen,)
            if "Todos os documentos enviados foram conferidos." in screen.text:
                return (None,)
        return None

    return (await phone.phones.until(found))[0]


async def gives(phone: Phone, screen: Screen, answer: str) -> None:
    """Answer a question: press what the screen offers, or else write."""
    if answer in screen.labels:
        await phone.presses(answer)
    else:
        await phone.sends(answer)


async def fills(phone: Phone, answers: Answers) -> None:
    """Answer a form's questions, each when it is asked."""
    for words, answer in answers:
        await gives(phone, await phone.sees(words), answer)


async def joins(stage: Stage, name: str, town: Town, role: Role) -> Phone:
    """Somebody becomes staff by a one-time link."""
    phone = await stage.phones.add(name)
    await phone.sends(f"/start {await stage.invites(town.slug, role)}")
    await phone.sees("Convite para a equipe")
    await phone.presses("Aceitar")
    await phone.sees("você agora é da equipe")
    return phone


async def chooses_city(phone: Phone, town: Town) -> Screen:
    """Come to the counter of a city."""
    await phone.sends("/start")
    await phone.sees("De qual cidade se trata?")
    await phone.presses(town.button)
    return await phone.sees("O que você quer fazer?")


async def asks_to_register(phone: Phone, town: Town) -> Screen:
    """Say who one is and what the law turns on; what the law says of it."""
    await chooses_city(phone, town)
    await phone.presses(town.works)
    if town.applicant_label is not None:
        await phone.sees("Para quem é o cadastro?")
        await phone.presses(town.applicant_label)
    await fills(phone, town.answers)
    if town.answers:
        await phone.sees("Confira as suas respostas")
        await phone.presses("Ver o resultado")
    return await phone.sees("✅")


async def sends_every_item(phone: Phone) -> int:
    """Photograph, or send as a PDF, one item after the other until nothing is missing; how many there were."""
    screen, count = await answered(phone), 0
    while "Está tudo aqui" not in screen.text:
        count += 1
        if count % 2 or "o PDF" not in screen.text:
            await phone.sends_album([photograph(count), photograph(count + 100)])
            await phone.sees("estão chegando")
        else:
            await phone.sends_document(PDF)
            await phone.sees("Recebi 1 arquivo até aqui")
        await phone.presses("Pronto")
        screen = await answered(phone)
    return count


def protocol_in(screen: Screen) -> str:
    """Return the protocol that a screen tells."""
    line = next(line for line in screen.text.splitlines() if line.startswith("Protocolo: "))
    return line.removeprefix("Protocolo: ")


async def hands_in(phone: Phone, town: Town) -> str:
    """Register up to the protocol."""
    await asks_to_register(phone, town)
    await phone.presses("Começar meu cadastro")
    await phone.sees("Toque no botão abaixo")
    await phone.presses("Enviar agora")
    await sends_every_item(phone)
    await phone.presses("Enviar para a prefeitura")
    return protocol_in(await phone.sees("Cadastro enviado"))


async def takes_next(phone: Phone, queue: str) -> Screen:
    """Take the oldest case of a queue."""
    await phone.sends("/fila")
    await phone.sees("Filas")
    await phone.presses(f"{queue} (1)")
    await phone.sees(queue)
    await phone.presses("Pegar o próximo")
    return await phone.sees("Com você.")


async def reviews(phone: Phone, *, refuse: str = "") -> int:
    """Decide every document that waits: refuse the one whose name is given as blurred, accept the others."""
    await phone.presses("Conferir documentos")
    decided = 0
    while screen := await next_document(phone):
        decided += 1
        if refuse and refuse in screen.text.partition("De: ")[0]:
            refuse = ""
            await phone.presses("Recusar")
            await fills(phone, (("O que há de errado?", "Fora de foco"), ("A pessoa vai ler:", "Enviar a recusa")))
        else:
            await phone.presses("Aceitar")
    assert not refuse, f"nobody sent {refuse}"
    return decided


@dataclass(frozen=True)
class Report:
    """What a passenger tells."""

    kind: str
    subject: str
    identity: str
    what: str
    grounds: str = ""


async def reports(phone: Phone, town: Town, report: Report, *, knows_city: bool) -> str:
    """Tell what happened, with two photographs and a PDF, up to the protocol."""
    await phone.sends("/reclamar")
    screen = await phone.sees("O que você quer contar?")
    assert "190" in screen.text, "who is in danger must first read whom to call"
    await phone.presses(report.kind)
    if not knows_city:
        await fills(phone, (("Em qual cidade foi?", town.button),))
    await fills(phone, (("Qual destes é o assunto?", report.subject),))
    if report.grounds:
        await fills(phone, (("qual foi o motivo?", report.grounds),))
    await fills(
        phone,
        (
            ("O que aconteceu?", report.what),
            ("Onde foi?", "Praça central"),
            ("Quando foi?", "Ontem"),
            ("Qual era o veículo", "abc-1d23"),
        ),
    )
    await phone.sees("Tem fotos")
    await phone.sends_album([photograph(1), photograph(2)])
    await phone.sees("estão chegando")
    await phone.sends_document(PDF, "recibo.pdf")
    await phone.sees("Recebi 3 arquivos até aqui")
    await phone.presses("Pronto")
    await phone.sees("Como você quer se identificar?")
    await phone.presses(report.identity)
    screen = await answered(phone)
    if "representação formal" in screen.text and "Não" in screen.labels:
        await phone.presses("Não")
    await phone.sees("Confira o seu relato")
    await phone.presses("Enviar para a prefeitura")
    return protocol_in(await phone.sees("A prefeitura recebeu o seu relato"))


async def is_approved(stage: Stage, town: Town, *, queue: str = "Cadastro") -> Phone:
    """Ana registers, one document is refused, she cures it and is approved by Bia."""
    bia = await joins(stage, "Bia", town, Role.REGISTRY)
    ana = await stage.phones.add("Ana")
    protocol = await hands_in(ana, town)

    card = await takes_next(bia, queue)
    assert protocol in card.text
    await ana.sees("A equipe começou a analisar", within=SOON)
    await reviews(bia, refuse=town.refused)

    await ana.sees("precisa enviar de novo", within=SOON)
    notice = next(screen for screen in ana.news() if "precisa enviar de novo" in screen.text)
    assert "A imagem está fora de foco e não dá para ler." in notice.text
    assert "toque na tela para focar" in notice.text
    await ana.presses("Enviar de novo")
    await ana.sees("Mande agora a foto")
    await ana.sends_photo(photograph(77))
    await ana.sees("Recebi 1 arquivo até aqui")
    await ana.presses("Pronto")
    await ana.sees("o cadastro voltou sozinho para a prefeitura")

    await bia.sees("O cadastro voltou corrigido", within=SOON)
    await bia.presses("Abrir o caso")
    await bia.sees("Com você.")
    assert await reviews(bia) == 1
    await bia.presses("Aprovar")
    await bia.sees("Aprovar este cadastro?")
    await bia.presses("Sim, aprovar")
    await ana.sees("O seu cadastro foi aprovado.", within=SOON)
    return ana


def days_of(phone: Phone, zone: ZoneInfo, words: str = "") -> list[date]:
    """Return the local days on which somebody was reminded of something."""
    told = [screen for screen in phone.history() if screen.by_bot and "Lembrete" in screen.text]
    return [
        datetime.fromtimestamp(screen.raw["date"], zone).date()
        for screen in told
        if any(words in line for line in screen.text.splitlines())
    ]
