"""Ana tells what happened: in two minutes, in her words, known or not, with the exits at hand."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import tests.support.turns
from domain.cases.model import Case, CaseKind
from domain.files.model import FileKind
from domain.law.loader import load_laws
from domain.privacy.model import IdentityMode
from tests.support.builders import CITY, OMBUDSMAN
from tests.support.office import office
from tests.support.turns import Chat, chat

LAWS = Path(tests.support.turns.__file__).parent / "laws"
SKIPPED = ("where", "when", "vehicle", "evidence")


async def begun(kind: str = "Reclamação do serviço", subject: str = "Cobrou a mais", **who: object) -> Chat:
    """Return Ana's chat at the question after the subject."""
    ana = await chat(city=CITY, **who)  # type: ignore[arg-type] # name and language
    await ana.sends("/reclamar")
    await ana.presses(kind)
    await ana.presses(subject)
    return ana


async def told(ana: Chat, text: str = "Cobrou o dobro.") -> None:
    """Tell the matter and skip whatever can be skipped, up to the identity."""
    await ana.sends(text)
    for _ in SKIPPED:
        await ana.sends("Pular")


def only_case(ana: Chat) -> Case:
    (case,) = ana.memory.committed.cases.values()
    return case


def length(text: str) -> int:
    """Return the length that Telegram counts: after the markup, in UTF-16."""
    return len(html.unescape(re.sub(r"<[^>]+>", "", text)).encode("utf-16-le")) // 2


async def test_a_complaint_takes_nine_touches_and_gets_a_protocol_and_a_date() -> None:
    """Ana skips all she can: eight answers and one "Enviar" later she has a protocol and knows until when."""
    ana = await begun()
    await told(ana)
    await ana.presses("Com o meu nome")
    assert "Confira o seu relato" in ana.text
    assert "Cobrou o dobro." in ana.text
    assert "Motorista e empresa: nada" in ana.text
    assert "Lei nº 13.460/2017, art. 16" in ana.text
    await ana.presses("Enviar para a prefeitura")

    case = only_case(ana)
    assert case.protocol is not None
    assert case.protocol in ana.text
    assert "até 30/12/2026" in ana.text
    assert "Ela pode prorrogar uma vez, até 29/01/2027" in ana.text
    assert case.facts == {"what": "Cobrou o dobro."}
    assert (case.kind, case.subject, case.city) == (CaseKind.COMPLAINT, "preco", CITY)
    assert ana.memory.committed.parties[case.id].person_id == ana.person.id
    assert ana.conversation.place is None
    assert not ana.errors


async def test_everything_told_reaches_staff_as_it_was_told() -> None:
    """Ana tells where, when, which plate and sends two files; Olga reads all of it on her card."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    await ana.sends("/reclamar")
    await ana.presses("Discriminação")
    await ana.presses("Ofendeu")
    await ana.sends("raça e idade")
    await ana.sends("Ele <b>gritou</b> & riu.")
    await ana.posts(location={"latitude": -16.07, "longitude": -57.68})
    await ana.sends("ontem às 14h30")
    assert "domingo, 29 de novembro de 2026, 14:30" in ana.text
    await ana.presses("Sim, confirmo")
    await ana.sends("abc 1234")
    await ana.sends_file(FileKind.PHOTO, caption="a placa", album="a")
    await ana.sends_file(FileKind.VIDEO, album="a")
    await ana.presses("Pronto")
    await ana.presses("Identidade protegida")
    await ana.presses("Enviar para a prefeitura")

    case = only_case(ana)
    assert case.facts == {
        "what": "Ele <b>gritou</b> & riu.",
        "grounds": "raça e idade",
        "where": {"latitude": -16.07, "longitude": -57.68, "title": ""},
        "when": "2026-11-29T14:30",
        "plate": "ABC1234",
        "evidence": "a placa",
    }
    await olga.sends(f"/caso {case.protocol}")
    for words in ("Ele <b>gritou</b> & riu.", "raça e idade", "29/11/2026 14:30", "ABC-1234", "a placa"):
        assert words in olga.text
    assert "Ana" not in olga.text
    assert len(town.memory.committed.attached) == 2


async def test_it_can_be_told_by_voice() -> None:
    """Ana does not like to write: a recording tells what happened, and staff finds it among the files."""
    ana = await begun()
    await ana.sends_file(FileKind.VOICE)
    for _ in SKIPPED:
        await ana.sends("Pular")
    await ana.presses("Identidade protegida")
    assert "Voz, rosto, sotaque e o que está escrito em um documento também identificam" in ana.text
    await ana.presses("Enviar para a prefeitura")

    assert len(ana.memory.committed.attached) == 1
    await ana.presses("Ver o caso")
    await ana.presses("O que contei")
    assert "Contado em áudio" in ana.text


async def test_the_exits_come_first_and_stay_at_hand() -> None:
    """Before the first question Ana reads whom to call; on each question the button says it and loses nothing."""
    ana = await chat(city=CITY)
    await ana.sends("/menu")
    await ana.presses("Quero reclamar ou denunciar")
    assert ana.text.index("190") < ana.text.index("180") < ana.text.index("Disque 100") < ana.text.index("Passo 1")

    for answer in ("Discriminação", "Ofendeu", "Cor"):
        assert "Estou em perigo" in ana.labels()
        await ana.presses(answer)
    before = ana.conversation.place
    await ana.presses("Estou em perigo")
    assert "ligue agora para o 190" in ana.text
    assert ana.conversation.place == before
    await ana.presses("Continuar o preenchimento")
    assert "O que aconteceu?" in ana.text
    await ana.sends("estou em perigo")
    assert "ligue agora para o 190" in ana.text
    assert ana.conversation.place is not None
    assert "what" not in ana.conversation.place.answers
    await ana.sends("/perigo")
    assert "ligue agora para o 190" in ana.text


async def test_nobody_classifies_for_the_person() -> None:
    """The grounds are offered alike; racism is named as a crime, help with it, and no prison term."""
    ana = await begun("Discriminação", "Ofendeu")
    assert "Todos valem do mesmo jeito" in ana.text
    assert "são crimes (Lei nº 7.716/1989)" in ana.text
    assert "Disque 100" in ana.text
    assert not re.search(r"reclus|prisão|anos|deten", ana.text)
    await ana.sends("Pular")
    assert "O que aconteceu?" in ana.text


async def test_a_report_put_aside_is_safe() -> None:
    """Ana is interrupted and keeps it for later; the menu offers it under a name that tells nobody anything."""
    ana = await begun("Discriminação", "Ofendeu")
    await ana.presses("Cor")
    await ana.sends("Foi assim.")
    await ana.sends("Guardar para depois")
    assert "Continuar: Meu relato" in ana.labels()
    assert ana.memory.committed.cases == {}

    await ana.presses("Continuar: Meu relato")
    assert "Onde foi?" in ana.text
    for _ in SKIPPED:
        await ana.sends("Pular")
    assert "Como você quer se identificar?" in ana.text


async def test_the_city_is_asked_only_of_who_has_none_and_remembered() -> None:
    """Caio comes straight with /reclamar: he is asked the city within the report; today is that city's day."""
    caio = await chat(name="Caio")
    await caio.sends("/reclamar")
    await caio.presses("Reclamação do serviço")
    assert "Em qual cidade foi?" in caio.text
    await caio.presses("Serra Alta (RO)")
    await caio.presses("Dirigiu com perigo")
    await told(caio)
    await caio.presses("Com o meu nome")
    await caio.presses("Enviar para a prefeitura")

    assert only_case(caio).city == "serra-alta-ro"
    assert caio.person.city == "serra-alta-ro" or caio.memory.committed.people[caio.person.id].city == "serra-alta-ro"


async def test_a_known_city_is_not_asked_but_can_be_corrected() -> None:
    """Ana lives in one city and was driven in the other: she corrects it at the end and it goes there."""
    ana = await begun()
    assert "Passo 3 de 8" in ana.text
    await told(ana)
    await ana.presses("Com o meu nome")
    await ana.presses("Corrigir")
    await ana.presses("Cidade")
    await ana.presses("Serra Alta (RO)")
    await ana.presses("Enviar para a prefeitura")
    assert only_case(ana).city == "serra-alta-ro"


async def test_no_proof_is_fine() -> None:
    """Asked for photographs, Ana writes "não tenho": it is an answer."""
    ana = await begun()
    await ana.sends("Cobrou o dobro.")
    for _ in range(3):
        await ana.sends("Pular")
    assert "fotos" in ana.text
    await ana.sends("Não tenho")
    assert "Como você quer se identificar?" in ana.text


@pytest.mark.parametrize(
    ("choice", "mode"),
    [("com o meu nome", IdentityMode.IDENTIFIED), ("protegida", None), ("anônimo", IdentityMode.ANONYMOUS)],
)
async def test_the_way_to_be_known_can_be_typed(choice: str, mode: IdentityMode | None) -> None:
    """Ana types what she wants; half a word that fits nothing is asked again and loses nothing."""
    ana = await begun()
    await told(ana)
    await ana.sends(choice)
    if mode is None:
        assert "Como você quer se identificar?" in ana.text
        return
    assert "Confira o seu relato" in ana.text
    await ana.presses("Enviar para a prefeitura")
    assert ana.memory.committed.parties[only_case(ana).id].mode is mode


async def test_the_longest_report_fits_into_its_messages() -> None:
    """Ana uses every character she is given, in emoji: review, protocol and "O que contei" all fit."""
    ana = await begun("Discriminação", "Ofendeu")
    await ana.sends("😀" * 300)
    await ana.sends("😀" * 3000)
    await ana.sends("😀" * 300)
    await ana.presses("Ontem")
    await ana.sends("😀" * 300)
    for number in range(4):
        await ana.sends_file(FileKind.PHOTO, caption=f"{number}" + "😀" * 1000)
    await ana.presses("Pronto")
    await ana.presses("Anônimo, com recibo")
    await ana.presses("Enviar para a prefeitura")
    await ana.presses("Ver o caso")
    await ana.presses("O que contei")
    while "Próxima página" in ana.labels():
        await ana.presses("Próxima página")

    assert only_case(ana).facts["what"] == "😀" * 3000
    assert max(length(message.text) for message in ana.shown.values()) <= 4096
    assert not ana.errors


async def test_where_the_law_has_a_formal_representation_it_is_offered_to_who_gives_a_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a city whose law has one, Ana learns what it adds and asks for; what she gives stands on the case."""
    laws = load_laws(only=["pelotas-rs"])
    monkeypatch.setattr(tests.support.turns, "laws", lambda: laws)
    ana = await chat(city="pelotas-rs")
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")
    await ana.presses("Não parou no ponto")
    await told(ana, "Passou direto.")
    await ana.presses("Com o meu nome")
    assert "representação formal (Lei nº 2.413/1978, art. 12)" in ana.text
    assert "Nome; Profissão; Endereço" in ana.text
    await ana.presses("Sim")
    await ana.sends("Ana Lima")
    await ana.sends("Professora")
    await ana.sends("Pular")
    await ana.sends("Eu estava no ponto.")
    assert "Segue como representação formal" in ana.text
    await ana.presses("Enviar para a prefeitura")

    given = only_case(ana).facts["representation"]
    assert list(given.values()) == ["Ana Lima", "Professora", "", "Eu estava no ponto."]
    await ana.presses("Ver o caso")
    await ana.presses("O que contei")
    assert "Representação formal" in ana.text
    assert "Professora" in ana.text


async def test_a_formal_representation_is_not_asked_of_who_stays_unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ana stays anonymous: no question about name and address, one line says why, the ouvidoria answers."""
    laws = load_laws(only=["pelotas-rs"])
    monkeypatch.setattr(tests.support.turns, "laws", lambda: laws)
    ana = await chat(city="pelotas-rs")
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")
    await ana.presses("Não parou no ponto")
    await told(ana, "Passou direto.")
    await ana.presses("Anônimo, com recibo")
    assert "Confira o seu relato" in ana.text
    assert "só existe com identificação" in ana.text
    assert "assunto de ouvidoria (Lei nº 13.460/2017, art. 16)" in ana.text


async def test_words_of_distress_lead_to_the_report() -> None:
    """Ana types "socorro, fui ofendida" into the empty chat: whom to call, then the way to report."""
    ana = await chat(city=CITY)
    await ana.sends("socorro, fui ofendida")
    assert "Ligue 190" in ana.text
    assert ana.labels()[:3] == ["Estou em perigo", "Ofendeu", "Quero reclamar ou denunciar"]


async def test_another_subject_is_offered_before_any_page_is_turned() -> None:
    """Pelotas has eighteen subjects of complaint: who finds none of hers sees "Outro assunto" at once."""
    ana = await chat(city="pelotas-rs", served=load_laws())
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")

    assert "Mais opções" in ana.labels()
    await ana.presses("Outro assunto")
    assert "O que aconteceu?" in ana.text


async def test_who_tells_it_where_a_button_is_awaited_has_told_it() -> None:
    """Asked "O que você quer contar?", Ana simply tells it: kind, subject and account are answered in one message."""
    ana = await chat(city="pelotas-rs", served=load_laws())
    await ana.sends("/reclamar")

    await ana.sends("o ônibus da linha 12 não passou hoje de manhã")

    assert "Entendi: O ônibus não cumpriu o horário." in ana.text
    assert "Onde foi?" in ana.text
    for _ in SKIPPED:
        await ana.sends("Pular")
    await ana.presses("Identidade protegida")
    assert "o ônibus da linha 12 não passou hoje de manhã" in ana.text
    await ana.presses("Enviar para a prefeitura")
    assert only_case(ana).subject == "horario"


async def test_a_subject_can_be_said_in_other_words_than_its_label() -> None:
    """ "Atraso" is on no button: it is found all the same, and what happened is still asked."""
    ana = await chat(city="pelotas-rs", served=load_laws())
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")

    await ana.sends("atraso")

    assert "Entendi: O ônibus não cumpriu o horário." in ana.text
    assert "O que aconteceu?" in ana.text


async def test_an_account_of_something_unlisted_is_kept_while_its_kind_is_asked() -> None:
    """No word of it is known: nothing is guessed, and nothing has to be written again."""
    ana = await chat(city="pelotas-rs", served=load_laws())
    await ana.sends("/reclamar")

    await ana.sends("entrou um papagaio e ninguém fez nada")
    assert "Guardei o que você escreveu." in ana.text
    assert "O que você quer contar?" in ana.text
    await ana.presses("Reclamação do serviço")
    await ana.presses("Outro assunto")

    assert "Onde foi?" in ana.text


async def test_what_was_told_is_not_replaced_by_words_typed_while_correcting() -> None:
    """At the review Ana corrects the subject by typing: her account stays as she told it."""
    ana = await chat(city="pelotas-rs", served=load_laws())
    await ana.sends("/reclamar")
    await ana.sends("o ônibus da linha 12 não passou hoje de manhã")
    for _ in SKIPPED:
        await ana.sends("Pular")
    await ana.presses("Identidade protegida")
    await ana.presses("Corrigir")
    await ana.presses("Assunto")

    await ana.sends("na verdade estava lotado demais")

    assert "Ônibus lotado demais" in ana.text
    assert "o ônibus da linha 12 não passou hoje de manhã" in ana.text


async def test_where_two_services_are_served_the_passenger_says_which(tmp_path: Path) -> None:
    """Ana's city has taxis too: she is asked once, and her complaint goes to the law of the one that she names."""
    text = (LAWS / CITY / "lei-10-2020.toml").read_text(encoding="utf-8")
    (tmp_path / CITY).mkdir()
    (tmp_path / CITY / "lei-10-2020.toml").write_text(text, encoding="utf-8")
    taxis = text.replace("[sources.lei-10-2020]", "[sources.lei-11-2020]").replace('key = "app"', 'key = "taxi"', 1)
    taxis = taxis.replace('label = "Transporte por aplicativo"', 'label = "Táxi"', 1)
    (tmp_path / CITY / "lei-11-2020.toml").write_text(taxis, encoding="utf-8")
    ana = await chat(city=CITY, served=load_laws(tmp_path))
    await ana.sends("/reclamar")
    await ana.presses("Reclamação do serviço")
    assert "Foi em qual serviço?" in ana.text
    await ana.presses("Táxi")
    await ana.presses("Cobrou a mais")
    await told(ana)
    await ana.presses("Com o meu nome")
    await ana.presses("Enviar para a prefeitura")

    assert only_case(ana).service == "taxi"
