"""“O que diz a lei?” in the chat: choosing, reading, asking why, searching, and always a way out."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from telegram.constants import InlineKeyboardButtonLimit, MessageLimit

from domain.law.loader import Laws, load_laws
from handlers.law import area
from handlers.law.entries import book_code
from handlers.law.screens import WORDS, carried
from handlers.passenger import area as passenger
from tests.support.turns import Chat, chat

PRIMAVERA, ROLIM, PELOTAS = "primavera-do-leste-mt", "rolim-de-moura-ro", "pelotas-rs"
CACERES = "caceres-mt"


@cache
def real() -> Laws:
    return load_laws()


async def ana(city: str | None = PRIMAVERA, language: str = "pt_BR", served: Laws | None = None) -> Chat:
    return await chat(area.register, passenger.register, city=city, language=language, served=served or real())


async def test_a_driver_reads_a_fine_from_the_menu() -> None:
    """Ana asks what smoking costs: amount in the law's unit, article, warning in its place, defence, and why."""
    phone = await ana()
    await phone.sends("/menu")
    await phone.presses("O que diz a lei?")
    await phone.presses("Prestador (motorista de aplicativo)")
    await phone.presses(next(label for label in phone.labels() if label.startswith("Infrações e multas (")))
    await phone.presses("Mais")
    fine = next(label for label in phone.labels() if "Fumar, ou deixar fumar" in label)
    await phone.presses(fine)

    assert "multa: de 50 UPF a 100 UPF (art. 59, I, a)" in phone.text
    assert "a advertência pode tomar o lugar da multa" in phone.text
    assert "Defesa prévia: 15 dias corridos, a contar da notificação" in phone.text
    assert "A lei diz isto com todas as letras." in phone.text

    await phone.presses("Por quê?")
    assert "Infração leve (grupo A) (arts. 30, I, e 31, I)." in phone.text
    await phone.presses("Voltar")
    await phone.presses("Voltar à lista")
    assert "Parte 2 de" in phone.text
    assert fine in phone.labels()


@pytest.mark.parametrize(
    ("city", "words", "who"),
    [("caceres-mt", "embarcar na rua", "Operadora de aplicativo"), (PELOTAS, "não fumar", "Empresa operadora")],
)
async def test_a_driver_reads_that_somebody_else_answers(city: str, words: str, who: str) -> None:
    """Where the law charges the company with what its drivers do, the driver's own entry says so."""
    phone = await ana(city)
    await phone.sends(f"/lei {words}")
    await phone.presses(next(label for label in phone.labels() if label.startswith("1. Não ")))

    assert f"Quem responde: {who}\n" in phone.text


async def test_a_term_shows_its_arithmetic() -> None:
    """A term of business days is counted from today as an example, with the days that do not count."""
    phone = await ana(ROLIM)
    await phone.sends("/lei pedido de reconsideração")
    await phone.presses(next(label for label in phone.labels() if "Pedido de reconsideração" in label))

    assert "Se começasse hoje, 30/11/2026, o último dia seria 07/12/2026." in phone.text
    await phone.presses("Por quê?")
    assert "Sábados e domingos que não contam: 2." in phone.text


async def test_a_duty_names_the_infraction_of_breaking_it_and_the_infraction_itself_does_not() -> None:
    """Ana reads what she must do and what it is called when she does not; there she reads no more of it."""
    phone = await ana(ROLIM)
    await phone.sends("/lei colete de segurança")
    await phone.presses(next(label for label in phone.labels() if "Usar colete" in label))
    assert "Descumprir é a infração: " in phone.text
    infraction = phone.text.split("Descumprir é a infração: ")[1].split(" (")[0]
    await phone.sends(f"/lei {infraction}")
    await phone.presses(next(label for label in phone.labels() if label.startswith("1. ")))
    assert phone.text.startswith(infraction)
    assert "Descumprir é a infração" not in phone.text


async def test_a_fee_says_on_which_day_of_this_year_it_was_due() -> None:
    """The fifteenth business day of January is counted out; a band of the tariff says on which days it is charged."""
    phone = await ana(CACERES)
    await phone.sends("/lei taxa anual da operadora")
    await phone.presses(next(label for label in phone.labels() if label.startswith("1. ")))
    assert "Vencimento em 2026: 22/01/2026." in phone.text
    primavera = await ana(PRIMAVERA)
    await primavera.sends("/lei taxa anual da autorização")
    await primavera.presses(next(label for label in primavera.labels() if "Taxa anual da autorização" in label))
    assert "A lei não fixa o dia do vencimento." in primavera.text
    rolim = await ana(ROLIM)
    await rolim.sends("/lei bandeiras")
    await rolim.presses(next(label for label in rolim.labels() if "Bandeiras" in label))
    assert "Bandeira II: das 20:00 às 05:00, aos domingos e nos feriados" in rolim.text


@pytest.mark.parametrize("command", ["/lei", "/law", "/ley"])
async def test_the_command_works_in_every_language(command: str) -> None:
    """Each name of the command finds the rule at once."""
    phone = await ana(ROLIM)
    await phone.sends(f"{command} mutla por fumr")

    assert "1. Fumar, ou deixar fumar, durante a viagem (art. 20, VII)" in phone.text


async def test_a_search_is_one_question_and_its_pages_keep_the_words() -> None:
    """Ana types words after the button, turns the page, opens an entry and comes back to the same page."""
    phone = await ana(ROLIM)
    await phone.sends("/lei")
    await phone.presses("Mototaxista")
    await phone.presses("🔎 Procurar por palavras")
    assert "O que você procura na lei?" in phone.text
    await phone.sends("moto")
    assert "Parte 1 de" in phone.text
    await phone.presses("Mais")
    second = phone.text
    await phone.presses(next(label for label in phone.labels() if label.startswith("9. ")))
    await phone.presses("Voltar à lista")

    assert phone.text == second
    assert phone.conversation.place is None


async def test_a_search_without_an_answer_names_near_words_and_the_topics() -> None:
    """Nobody ends in a blind alley: the words that come near, and every topic, are there."""
    phone = await ana(ROLIM)
    await phone.sends("/lei zumbidorx")

    assert "Não achei “zumbidorx” nesta lei." in phone.text
    assert any(label.startswith("Deveres") for label in phone.labels())
    assert "Menu" in phone.labels()


async def test_a_law_that_says_nothing_of_it_says_so_before_what_may_help() -> None:
    """Ana asks for the fine for smoking in a law without one: that comes first, then what is near."""
    phone = await ana(CACERES)
    await phone.sends("/lei multa por fumar")

    assert "Não achei “fumar” nesta lei.\nTalvez ajude:\n\n1. " in phone.text
    assert "resultados para" not in phone.text


@pytest.mark.parametrize("typed", [True, False])
async def test_words_typed_before_the_city_is_known_are_kept(typed: bool) -> None:
    """Ana asks before she chose her city: she names it, after a slip, or picks it, and reads the answer."""
    phone = await ana(city=None)
    await phone.sends("/lei multa por fumar")
    assert "Vou procurar “multa fumar” na lei assim que souber a cidade." in phone.text
    if typed:
        await phone.sends("a minha")
        await phone.sends("rolim de moura")
    else:
        await phone.presses("Rolim de Moura (RO)")
    assert "1. Fumar, ou deixar fumar, durante a viagem (art. 20, VII)" in phone.text

    await phone.sends("/menu")
    await phone.presses("Trocar de cidade")
    await phone.presses("Rolim de Moura (RO)")
    assert "O que diz a lei?" in phone.labels()


async def test_words_typed_before_the_law_is_chosen_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a city has two laws, each button carries the words to its law."""
    served = load_laws()
    books = served.rulebooks(ROLIM) + served.rulebooks(PELOTAS)
    monkeypatch.setattr(served, "rulebooks", lambda city: books)
    phone = await ana(ROLIM, served=served)
    await phone.sends("/lei multa por fumar")
    assert "De qual serviço?" in phone.text
    await phone.presses_data(next(data for data in buttons(phone) if data.startswith("law:in:")))

    assert "1. Fumar, ou deixar fumar, durante a viagem (art. 20, VII)" in phone.text


async def test_what_is_typed_is_never_markup() -> None:
    """Somebody types markup: only its words are looked for and shown."""
    phone = await ana(ROLIM)
    await phone.sends("/lei <u>zzqx</u> & <i>")

    assert "“<b>u zzqx u</b>”" in phone.screen.text


async def test_a_law_without_representation_sends_a_complaint_to_the_ouvidoria() -> None:
    """A passenger reads that this law has no representation, what it rests on, and a button to complain."""
    phone = await ana(ROLIM)
    await phone.sends("/lei")
    await phone.presses("Passageiro")
    await phone.presses(next(label for label in phone.labels() if label.startswith("Direitos do passageiro")))
    assert "Esta lei não tem representação; a reclamação é da ouvidoria" in phone.text
    assert "Lei nº 13.460" in phone.text

    while not any("touca" in label for label in phone.labels()):
        await phone.presses("Mais")
    await phone.presses(next(label for label in phone.labels() if "touca" in label))
    assert "art. 20, VIII" in phone.text
    await phone.presses("Quero reclamar ou denunciar")
    assert phone.conversation.place is not None


async def test_a_law_with_representation_says_who_may_and_what_it_holds() -> None:
    """In the city whose law has one, the passenger reads what a representation contains."""
    phone = await ana(PELOTAS)
    await phone.sends("/lei representação")
    await phone.presses(next(label for label in phone.labels() if label.startswith("1. ")))

    assert "Qualquer pessoa, contra ato ou omissão contrária à lei." in phone.text
    assert "• Profissão" in phone.text


async def test_what_the_law_leaves_open_has_its_own_topic() -> None:
    """Ana reads what her law does not fix, and that nothing was invented."""
    phone = await ana()
    await phone.sends("/lei")
    await phone.presses("Prestador (motorista de aplicativo)")
    await phone.presses(next(label for label in phone.labels() if label.startswith("O que a lei não diz")))

    assert "Nada é inventado." in phone.text
    assert "Esta lei não fixa idade mínima para o prestador (art." in phone.text


async def test_reais_are_shown_once_the_city_gave_the_units_value(tmp_path: Path) -> None:
    """With the value of the unit entered, a fine shows both, with the source and the day; before, it says it cannot."""
    phone = await ana(PRIMAVERA)
    await phone.sends("/lei multa por fumar")
    await phone.presses(next(label for label in phone.labels() if label.startswith("1. ")))
    assert "Em reais depende do valor da UPF" in phone.text
    assert "R$" not in phone.text

    (tmp_path / f"{PRIMAVERA}.toml").write_text(
        "[[units.UPF]]\nfrom = 2026-01-01\nvalue = '10.50'\n"
        "source = 'Decreto 1'\nentered_on = 2026-01-02\nauthor = 'Bia'\n"
    )
    phone = await ana(PRIMAVERA, served=load_laws(settings=tmp_path))
    await phone.sends("/lei multa por fumar")
    await phone.presses(next(label for label in phone.labels() if label.startswith("1. ")))
    assert "de 50 UPF a 100 UPF = de R$\xa0525,00 a R$\xa01.050,00" in phone.text
    assert "1 UPF = R$\xa010,50 desde 01/01/2026 (Decreto 1)." in phone.text


async def test_words_typed_at_home_lead_to_the_law() -> None:
    """Ana writes "qual é a multa" in the middle of nothing: the law is offered first."""
    phone = await ana()
    await phone.sends("/menu")
    await phone.sends("qual é a multa")

    assert "Parece que você procura “O que diz a lei?”" in phone.text


async def test_a_form_in_the_middle_is_kept() -> None:
    """Ana looks something up while she fills in a report; her report is there afterwards."""
    phone = await ana(ROLIM)
    await phone.sends("/menu")
    await phone.presses("Quero reclamar ou denunciar")
    await phone.presses("Reclamação do serviço")
    await phone.sends("/lei capacete")
    assert "capacete" in phone.text
    await phone.sends("/menu")

    assert any(label.startswith("Continuar:") for label in phone.labels())


@pytest.mark.parametrize(
    "data",
    [
        "law:home:00000000:d",
        "law:home:zz:d",
        "law:open:{book}:d:00000000:1:i:-",
        "law:list:{book}:d:1:zz:-",
        "law:list:{book}:x:1:i:-",
        "law:list:{book}:d:0:i:-",
        "law:list:{book}:d",
        "law:why:{book}:d",
        "law:find:x:d",
        "law:in:zz:fumar",
        "law:in:{book}",
        "law:words",
    ],
)
async def test_a_forged_button_is_refused(data: str) -> None:
    """A button that names no law, role, topic, page or rule of ours changes nothing."""
    phone = await ana(ROLIM)
    await phone.sends("/lei")
    before = phone.text
    await phone.presses_data(data.format(book=book_code(real().rulebook(ROLIM))))

    assert phone.toasts()[-1].alert
    assert phone.text == before
    assert not phone.errors


@pytest.mark.parametrize("city", list(load_laws()))
@pytest.mark.parametrize("language", ["pt_BR", "en", "es"])
async def test_every_screen_fits_and_has_a_way_out(city: str, language: str) -> None:
    """Every role, topic and page of every law fits into Telegram's limits and leads on."""
    phone = await ana(city, language)
    await phone.sends("/lei")
    pages = [data for data in buttons(phone) if data.startswith("law:home:")]
    seen: set[str] = set()
    while pages:
        data = pages.pop()
        if data in seen:
            continue
        seen.add(data)
        await phone.presses_data(data)
        assert len(phone.text) < MessageLimit.MAX_TEXT_LENGTH, data
        assert "menu:home" in buttons(phone), data
        assert all(len(one.encode()) <= InlineKeyboardButtonLimit.MAX_CALLBACK_DATA for one in buttons(phone))
        pages += [one for one in buttons(phone) if one.startswith("law:list:")]
    assert not phone.errors
    assert len(seen) > 20


def buttons(phone: Chat) -> list[str]:
    return [button.data or "" for row in phone.screen.buttons for button in row]


async def test_the_day_decides_which_rules_hold() -> None:
    """Before the law came into force there is nothing to read, and the screen says so."""
    phone = await ana(PRIMAVERA)
    phone.now = phone.now.replace(year=2020)
    await phone.sends("/lei")
    await phone.presses("Prestador (motorista de aplicativo)")

    assert "Esta lei ainda não está em vigor." in phone.text
    assert not any(label.startswith("Deveres") for label in phone.labels())


@pytest.mark.parametrize("words", ["multa por fumar", "a" * 200, "ação " * 60, "1.2.3", "🙂 capacete", "-"])
def test_words_fit_into_a_button(words: str) -> None:
    """Whatever is searched for, what a button carries of it stays short and plain."""
    kept = carried(words)

    assert len(kept) <= WORDS
    assert kept == "" or kept.replace(".", "").isalnum()
