"""The whole main job on the sandbox's page, in a real browser."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SMALL
from tests.support.handset import PATIENCE, Handset

CLOCK = "[data-role='clock-now']"
ITEMS = (
    "Identidade e CPF",
    "CNH com EAR",
    "Certidão negativa criminal",
    "Compromisso de atender só por aplicativo",
    "Inscrição no INSS",
    "CRLV em dia",
    "Seguro de passageiros (APP)",
)
REFUSED = "CNH com EAR"
ANSWERS = ("qab-3c45", "B", "Sim", "Não", "20/08/2023", "5", "Sim")
WRITTEN = (0, 4, 5)


def test_a_driver_is_led_from_the_checklist_to_the_reminder(page: Page, pictures: Path) -> None:
    """João sends photos and PDFs; Bia refuses one and accepts the others; he cures it, is approved and reminded."""
    joao, bia = Handset(page, "Motorista"), Handset(page, "Servidora")
    picture(page, pictures / "first-sight.png")
    joao.taps("Cáceres")
    joao.sees("O que você quer fazer?")
    joao.taps("Sou motorista")
    joao.sees("Para quem é o cadastro?")
    joao.taps("Motorista de aplicativo")
    for number, answer in enumerate(ANSWERS):
        joao.sees(f"Passo {number + 1} de {len(ANSWERS)}")
        (joao.writes if number in WRITTEN else joao.taps)(answer)
    joao.sees("Confira as suas respostas")
    picture(page, pictures / "answers.png")
    joao.taps("Ver o resultado")
    joao.sees("você atende à lei daqui")
    picture(page, pictures / "eligible.png")
    joao.taps("Começar meu cadastro")
    joao.sees(f"0 de {len(ITEMS)} anexados")
    picture(page, pictures / "checklist.png")

    joao.taps("Enviar agora")
    for number, item in enumerate(ITEMS):
        joao.sees(f"Enviar: {item}")
        expect(joao.messages.last).not_to_contain_text("até aqui")
        joao.attaches("sample-pdf" if number % 2 else "sample-photo", caption="Frente" if number == 0 else "")
        joao.sees("Recebi 1 arquivo até aqui")
        joao.taps("Pronto")
    joao.sees("Está tudo aqui")
    picture(page, pictures / "complete.png")
    joao.taps("Enviar para a prefeitura")
    protocol = protocol_in(joao.sees("Cadastro enviado"))

    bia.writes("/fila")
    bia.sees("Cadastro: 2 na fila")
    bia.taps("Cadastro (2)")
    bia.sees("Cadastro ·")
    picture(page, pictures / "queue.png")
    bia.taps(protocol.split("-", 2)[2])
    bia.sees("João Siqueira")
    bia.taps("Assumir o caso")
    bia.sees("Com você.")
    joao.has("A equipe começou a analisar")
    picture(page, pictures / "card.png")
    bia.taps("Conferir documentos")
    for item in ITEMS:
        bia.sees(f"⏳ {item}")
        if item == REFUSED:
            picture(page, pictures / "document.png")
            bia.taps("Recusar")
            bia.sees("O que há de errado?")
            bia.taps("Fora de foco")
            bia.sees("A pessoa vai ler:")
            bia.taps("Enviar a recusa")
        else:
            bia.taps("Aceitar")
    bia.sees("Todos os documentos enviados foram conferidos")
    joao.has("precisa enviar de novo")
    picture(page, pictures / "refused.png")

    joao.taps("Enviar de novo")
    joao.sees("Mande agora")
    joao.attaches("sample-photo")
    joao.sees("até aqui")
    joao.taps("Pronto")
    joao.sees("o cadastro voltou sozinho para a prefeitura")
    bia.sees("O cadastro voltou corrigido")
    bia.taps("Abrir o caso")
    bia.sees("Com você.")
    bia.taps("Conferir documentos")
    bia.sees(f"⏳ {REFUSED}")
    bia.taps("Aceitar")
    bia.sees("Todos os documentos enviados foram conferidos")
    bia.taps("Aprovar")
    bia.sees("Aprovar este cadastro?")
    bia.taps("Sim, aprovar")
    joao.sees("O seu cadastro foi aprovado")
    joao.taps("Abrir meu cadastro")
    joao.sees("Próximas datas")
    picture(page, pictures / "approved.png")

    today = date_on(page)
    page.locator("[data-role='plus-7']").click()
    expect(page.locator(CLOCK)).to_have_attribute("datetime", starts(today + timedelta(days=7)), timeout=PATIENCE)
    page.locator("[data-role='go-to']").click()
    page.locator("[data-role='go-to-when']").fill(f"{today + timedelta(days=362)}T12:00")
    page.locator("[data-role='go-to-send']").click()
    expect(page.locator(CLOCK)).to_have_attribute("datetime", starts(today + timedelta(days=362)), timeout=PATIENCE)
    joao.has("Lembrete")
    joao.has("Certidão negativa criminal")
    picture(page, pictures / "reminded.png")


def test_a_passenger_complains_and_agrees_with_the_outcome(page: Page, pictures: Path) -> None:
    """On a small screen: Ana tells what happened, with a photograph; Bia asks and concludes; Ana confirms."""
    page.set_viewport_size(SMALL)
    expect(page.locator("[data-phone]:visible")).to_have_count(1)
    ana, bia = Handset(page, "Passageira"), Handset(page, "Servidora")
    ana.writes("/reclamar")
    ana.sees("O que você quer contar?")
    expect(ana.messages.last).to_contain_text("190")
    picture(page, pictures / "danger-first.png")
    ana.taps("Reclamação do serviço")
    ana.sees("Qual destes é o assunto?")
    ana.taps("Não recebi o recibo da viagem")
    ana.sees("O que aconteceu?")
    ana.writes("Pedi o recibo <b>duas</b> vezes & nada.")
    ana.sees("Onde foi?")
    ana.writes("Praça central")
    ana.sees("Quando foi?")
    ana.taps("Ontem")
    ana.sees("Qual era o veículo")
    ana.writes("abc-1d23")
    ana.sees("Tem fotos")
    ana.attaches("sample-photo")
    ana.sees("até aqui")
    ana.taps("Pronto")
    ana.sees("Como você quer se identificar?")
    picture(page, pictures / "identity.png")
    ana.taps("Com o meu nome")
    ana.sees("Confira o seu relato")
    picture(page, pictures / "report.png")
    ana.taps("Enviar para a prefeitura")
    protocol = protocol_in(ana.sees("A prefeitura recebeu o seu relato"))

    bia.writes("/fila")
    bia.sees("Ouvidoria: 2 na fila")
    bia.taps("Ouvidoria (2)")
    bia.sees("Ouvidoria ·")
    bia.taps(protocol.split("-", 2)[2])
    bia.sees("Pedi o recibo <b>duas</b> vezes & nada.")
    bia.taps("Assumir o caso")
    bia.sees("Com você.")
    bia.taps("Perguntar")
    bia.sees("O que você quer perguntar?")
    bia.writes("A que horas foi?")
    bia.sees("A que horas foi?")
    bia.taps("Enviar a pergunta")
    bia.sees("Pergunta enviada")
    ana.sees("A que horas foi?")
    picture(page, pictures / "asked.png")
    ana.taps("Responder")
    ana.sees("Escreva a sua resposta")
    ana.writes("Às 14h30.")
    ana.sees("Agora a vez é da prefeitura")
    bia.sees("Às 14h30.")
    bia.taps("Abrir o caso")
    bia.sees("Com você.")
    bia.taps("Concluir")
    bia.sees("Como o caso termina?")
    bia.taps("Resolvido")
    bia.sees("Explique o resultado")
    bia.writes("A operadora enviou o recibo e foi advertida.")
    bia.sees("Conclusão")
    bia.taps("Enviar a conclusão")
    bia.sees("Conclusão enviada")
    ana.sees("A operadora enviou o recibo e foi advertida.")
    picture(page, pictures / "concluded.png")
    ana.taps("Sim, resolve")
    ana.sees("O caso está encerrado")
    bia.sees("O cidadão confirmou o resultado")
    picture(page, pictures / "confirmed.png")


def date_on(page: Page) -> date:
    """Return the day of the page's clock (UTC)."""
    return datetime.fromisoformat(page.locator(CLOCK).get_attribute("datetime") or "").date()


def starts(day: date) -> re.Pattern[str]:
    """Match an instant on this day."""
    return re.compile(f"^{day.isoformat()}")


def protocol_in(message: Locator) -> str:
    """Return the protocol that a message tells."""
    found = re.search(r"[A-Z]{5}-\d{4}-\d{5}-\d", message.inner_text())
    assert found, message.inner_text()
    return found.group()


def picture(page: Page, path: Path) -> None:
    """Keep what the page shows, without the passing words over it."""
    page.evaluate("document.querySelectorAll('.toast').forEach((one) => one.remove())")
    page.screenshot(path=path, animations="disabled")
