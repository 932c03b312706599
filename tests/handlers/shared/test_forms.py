"""A form over several messages: every kind of answer, every way back and out, every wrong thing."""

from __future__ import annotations

from typing import Any

import pytest

from domain.files.model import FileKind, FileTrouble
from handlers.shared.buttons import Press
from handlers.shared.context import BotContext
from handlers.shared.forms import engine
from handlers.shared.forms.model import Kind, Option, Question
from handlers.shared.outgoing import Kind as Carrier
from handlers.shared.texts import Translator
from tests.support.builders import CITY
from tests.support.errands import Errand, colour, name, question
from tests.support.turns import Chat, chat


def why_blue() -> Question:
    return Question(
        key="why", prompt="Por quê?", accepts=(Kind.TEXT,), when=lambda view: view.value("colour") == "blue"
    )


async def at(errand: Errand, **who: Any) -> Chat:
    """Return a chat in which the errand was just begun from the menu."""
    ana = await chat(errand, city=CITY, **who)
    await ana.sends("/menu")
    await ana.presses("Dar um recado")
    return ana


async def test_a_form_is_asked_question_by_question_reviewed_and_sent_once() -> None:
    """Ana answers two questions, sees both before sending, and a hasty second press sends nothing twice."""
    errand = Errand(name(), colour())
    ana = await at(errand)
    assert "Passo 1 de 2" in ana.text
    assert "Qual é o nome?" in ana.text

    await ana.sends("Ana <b>&</b> 😀 שלום; DROP TABLE")
    assert "Passo 2 de 2" in ana.text
    await ana.presses("Azul")
    assert "Confira antes de enviar" in ana.text
    assert "Ana <b>&</b> 😀 שלום; DROP TABLE" in ana.text

    button = next(b for row in ana.screen.buttons for b in row if b.text == "Enviar")
    where = max(ana.shown)
    await ana.presses("Enviar")
    await ana.presses_data(button.data or "", where)

    assert errand.sent == [{"name": "Ana <b>&</b> 😀 שלום; DROP TABLE", "colour": "blue"}]
    assert ana.text == "Recebido."
    assert [toast.text for toast in ana.toasts()] == [""]


TYPED = [
    (Kind.DATE, "05/03/2027", "2027-03-05", "05/03/2027"),
    (Kind.TIME, "14h30", "14:30", "14:30"),
    (Kind.NUMBER, "1.234,5", "1234.5", "1.234,5"),
    (Kind.YEAR, "2019", 2019, "2019"),
    (Kind.MONEY, "R$ 12", "12.00", "R$\xa012,00"),
    (Kind.PLATE, "abc 1234", "ABC1234", "ABC-1234"),
    (Kind.CPF, "52998224725", "52998224725", "529.982.247-25"),
    (Kind.CNPJ, "12abc34501de35", "12ABC34501DE35", "12.ABC.345/01DE-35"),
    (Kind.CNH, "52333356446", "52333356446", "52333356446"),
    (Kind.RENAVAM, "17652792140", "17652792140", "17652792140"),
    (Kind.NIT, "19852600900", "19852600900", "198.52600.90-0"),
    (Kind.PHONE, "65 99999-0000", "+5565999990000", "(65) 99999-0000"),
    (Kind.YESNO, "claro", True, "Sim"),
    (Kind.YESNO, "NÃO", False, "Não"),
    (Kind.TEXT, "  duas\nlinhas ", "  duas\nlinhas ", "duas\nlinhas"),
]


@pytest.mark.parametrize(("kind", "typed", "kept", "shown"), TYPED)
async def test_what_is_typed_is_kept_and_shown_for_review(kind: Kind, typed: str, kept: Any, shown: str) -> None:
    """Each kind of answer is kept in one form and read back in the other."""
    errand = Errand(question(kind))
    ana = await at(errand)

    await ana.sends(typed)

    assert shown in ana.text
    await ana.presses("Enviar")
    assert errand.sent == [{kind.value: kept}]


WRONG = [
    (Kind.DATE, "29/02/2027", "29 de fevereiro não existe em 2027"),
    (Kind.DATE, "banana", "Não entendi a data"),
    (Kind.TIME, "25h", "Esse horário não existe"),
    (Kind.NUMBER, "doze", "Preciso de um número"),
    (Kind.YEAR, "1900", "O ano 1900 não serve aqui"),
    (Kind.PLATE, "AB-12", "aqui contei 4"),
    (Kind.CPF, "5299822472", "aqui contei 10"),
    (Kind.PHONE, "99999-0000", "Faltou o DDD"),
    (Kind.MONEY, "caro", "Preciso de um valor"),
]


@pytest.mark.parametrize(("kind", "typed", "told"), WRONG)
async def test_bad_input_is_told_with_an_example_and_loses_nothing(kind: Kind, typed: str, told: str) -> None:
    """Ana mistypes the second answer: the first one stays, and the sentence shows what would be right."""
    errand = Errand(name(), question(kind))
    ana = await at(errand)
    await ana.sends("Ana")

    await ana.sends(typed)

    assert told in ana.text
    assert "Exemplo:" in ana.text
    assert f"Pergunta {kind.value}?" in ana.text
    place = ana.conversation.place
    assert place is not None
    assert place.answers == {"name": {"kind": "text", "value": "Ana"}}


async def test_an_inferred_date_is_read_back_and_can_be_corrected() -> None:
    """ "amanhã" is asked back with its weekday; "não" goes back to the question and "sim" goes on."""
    errand = Errand(question(Kind.DATE))
    ana = await at(errand)

    await ana.sends("amanhã")
    assert "terça-feira, 1 de dezembro de 2026" in ana.text
    await ana.sends("não")
    assert "Pergunta date?" in ana.text
    await ana.sends("5/3")
    await ana.presses("Corrigir")
    await ana.sends("5/3")
    await ana.sends("10/12")
    assert "quinta-feira, 10 de dezembro de 2026" in ana.text
    await ana.sends("sim")
    await ana.sends("enviar")

    assert errand.sent == [{"date": "2026-12-10"}]


async def test_check_digits_that_do_not_fit_warn_and_never_block() -> None:
    """The CPF on Ana's worn card fails the check: she confirms it and goes on."""
    errand = Errand(question(Kind.CPF))
    ana = await at(errand)

    await ana.sends("529.982.247-26")
    assert "não conferem" in ana.text
    assert "529.982.247-26" in ana.text
    await ana.presses("Sim, confirmo")
    await ana.presses("Enviar")

    assert errand.sent == [{"cpf": "52998224726"}]


async def test_a_long_text_is_asked_to_be_shortened_and_its_second_half_is_no_answer() -> None:
    """5,000 characters come as two messages: neither slips in as an answer to anything."""
    errand = Errand(name(), question(Kind.TEXT))
    ana = await at(errand)
    await ana.sends("Ana")

    await ana.sends("x" * 4096, message_id=500)
    assert "Encurte em 2096" in ana.text
    assert await ana.sends("x" * 904, message_id=501) == []
    await ana.sends("x" * 1999, message_id=502)
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana", "text": "x" * 1999}]


async def test_an_option_can_be_typed_without_accents_or_case() -> None:
    """The label, or the beginning of just one, chooses as well as a press; anything else is told what is awaited."""
    errand = Errand(colour())
    ana = await at(errand)

    await ana.sends("roxo")
    assert "Espero uma das opções" in ana.text
    await ana.sends("VERDE AGUA")
    await ana.presses("Enviar")

    assert errand.sent == [{"colour": "green"}]


async def test_long_lists_are_shown_in_pages() -> None:
    """Twenty options fit on three pages, eight at a time, and the last page has a way back."""
    options = tuple(Option(f"n{number}", f"Linha número {number:02}") for number in range(20))
    errand = Errand(Question(key="line", prompt="Qual linha?", accepts=(Kind.CHOICE,), options=options))
    ana = await at(errand)

    assert ana.labels()[:8] == [f"Linha número {number:02}" for number in range(8)]
    await ana.presses("Mais opções")
    await ana.presses("Mais opções")
    assert "Mais opções" not in ana.labels()
    await ana.presses("Opções anteriores")
    await ana.presses("Linha número 12")
    await ana.presses("Enviar")

    assert errand.sent == [{"line": "n12"}]


async def test_who_does_not_find_theirs_finds_another_on_every_page() -> None:
    """ "Outra" ends the first page of a long list as well as the last: nobody has to turn pages to learn of it."""
    lines = [Option(f"n{number}", f"Linha número {number:02}") for number in range(10)]
    options = (*lines, Option("other", "Outra linha"))
    question = Question(key="line", prompt="Qual linha?", accepts=(Kind.CHOICE,), options=options, pinned="other")
    errand = Errand(question)
    ana = await at(errand)

    assert ana.labels()[6:9] == ["Linha número 06", "Outra linha", "Mais opções"]
    await ana.presses("Mais opções")
    assert ana.labels()[:4] == ["Linha número 07", "Linha número 08", "Linha número 09", "Outra linha"]
    await ana.presses("Outra linha")
    await ana.presses("Enviar")

    assert errand.sent == [{"line": "other"}]


async def test_conditions_decide_what_is_asked_and_how_many_steps_there_are() -> None:
    """Only who chooses blue is asked why; changing the colour afterwards drops the reason."""
    reason = Question(
        key="why",
        prompt="Por quê?",
        accepts=(Kind.TEXT,),
        when=lambda view: view.value("colour") == "blue",
        label="Motivo",
    )
    errand = Errand(colour(), reason, name())
    ana = await at(errand)
    assert "Passo 1 de 2" in ana.text

    await ana.presses("Azul")
    assert "Passo 2 de 3" in ana.text
    await ana.sends("Porque sim")
    await ana.sends("Ana")
    await ana.presses("Corrigir")
    await ana.presses("Cor")
    await ana.presses("Vermelho")
    assert "Porque sim" not in ana.text
    await ana.presses("Enviar")

    assert errand.sent == [{"colour": "red", "name": "Ana"}]


async def test_a_correction_that_opens_a_question_asks_it_before_the_review() -> None:
    """Red becomes blue at the review: why is asked, then the review comes back."""
    reason = Question(
        key="why", prompt="Por quê?", accepts=(Kind.TEXT,), when=lambda view: view.value("colour") == "blue"
    )
    errand = Errand(colour(), reason, name())
    ana = await at(errand)
    await ana.presses("Vermelho")
    await ana.sends("Ana")

    await ana.presses("Corrigir")
    await ana.presses("Cor")
    await ana.presses("Azul")
    assert "Por quê?" in ana.text
    await ana.sends("Gosto")

    assert "Confira" in ana.text
    await ana.presses("Enviar")
    assert errand.sent == [{"colour": "blue", "why": "Gosto", "name": "Ana"}]


async def test_back_skip_keep_and_correct_lead_everywhere() -> None:
    """Ana wanders: back from the last question to the first, keeps an answer, skips, corrects one, sends."""
    errand = Errand(name(), colour(optional=True), question(Kind.YEAR))
    ana = await at(errand)
    assert "Voltar" not in ana.labels()
    await ana.sends("Ana")
    await ana.presses("Pular")
    await ana.presses("Voltar")
    await ana.presses("Voltar")
    assert "Resposta atual: Ana" in ana.text
    await ana.presses("Manter")
    assert "Pergunta year?" in ana.text
    await ana.sends("2019")
    assert "não informado" in ana.text

    await ana.presses("Corrigir")
    await ana.presses("Voltar")
    await ana.presses("Corrigir")
    await ana.presses("Nome")
    assert "Correção" in ana.text
    await ana.presses("Voltar")
    await ana.presses("Corrigir")
    await ana.presses("Nome")
    await ana.sends("Ana Maria")
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana Maria", "year": 2019}]


async def test_cancel_asks_only_when_something_would_be_lost() -> None:
    """An untouched form closes at once; a touched one asks, can be kept, and is gone when discarded."""
    errand = Errand(name(), colour())
    ana = await at(errand)
    await ana.presses("Cancelar")
    assert ana.conversation.place is None
    assert "não enviei nada" in ana.text

    await ana.presses("Dar um recado")
    await ana.sends("Ana")
    await ana.sends("/cancelar")
    assert "Descartar" in ana.text
    await ana.presses("Não, continuar")
    assert "Qual é a cor?" in ana.text
    await ana.presses("Cancelar")
    await ana.presses("Sim, descartar")
    assert ana.conversation.place is None
    assert ana.conversation.saved == {}
    assert errand.sent == []


@pytest.mark.parametrize("answered", [0, 1, 2, 3])
async def test_saved_at_any_step_it_goes_on_at_that_step(answered: int) -> None:
    """Put aside at a question, at a confirmation or at the review, it is offered in the menu and goes on there."""
    errand = Errand(name(), question(Kind.DATE))
    ana = await at(errand)
    for text in ("Ana", "5/3", "sim")[:answered]:
        await ana.sends(text)
    before = ana.text

    await ana.presses("Guardar para depois")
    assert "Continuar: Recado" in ana.labels()
    await ana.presses("Continuar: Recado")

    assert ana.text == before
    for text in ("Ana", "5/3", "sim")[answered:]:
        await ana.sends(text)
    await ana.sends("enviar")
    assert errand.sent == [{"name": "Ana", "date": "2027-03-05"}]


async def test_a_refusal_leaves_everything_at_the_review() -> None:
    """The use case says no: Ana hears why, still sees what she gave, and sends it a minute later."""
    errand = Errand(name(), colour())
    errand.refuse = True
    ana = await at(errand)
    await ana.sends("Ana")
    await ana.presses("Azul")

    await ana.presses("Enviar")
    assert "Ainda não atendemos essa cidade" in ana.text
    assert "Confira antes de enviar" in ana.text
    errand.refuse = False
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana", "colour": "blue"}]


async def test_a_mistake_of_ours_keeps_what_was_given() -> None:
    """The use case breaks: Ana is told that the team knows, and her answers are still there."""
    errand = Errand(name())
    errand.broken = True
    ana = await at(errand)
    await ana.sends("Ana")

    await ana.presses("Enviar")
    assert "a equipe já foi avisada" in ana.text
    assert ana.labels() == ["Menu"]
    errand.broken = False
    await ana.presses("Menu")
    await ana.presses("Continuar: Recado")
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana"}]


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        (Kind.PHOTO, {"kind": FileKind.PHOTO}),
        (Kind.PHOTO, {"kind": FileKind.DOCUMENT, "media_type": "image/png"}),
        (Kind.DOCUMENT, {"kind": FileKind.DOCUMENT}),
        (Kind.VOICE, {"kind": FileKind.VOICE}),
        (Kind.VIDEO, {"kind": FileKind.VIDEO}),
    ],
)
async def test_a_file_is_an_answer_with_its_caption(kind: Kind, file: dict[str, Any]) -> None:
    """What was sent is read by its content; the words with it are kept."""
    errand = Errand(question(kind))
    ana = await at(errand)

    await ana.sends_file(**file, caption="frente & verso")
    assert "1 arquivo · frente & verso" in ana.text
    await ana.presses("Enviar")

    view = errand.views[0]
    assert len(view.files(kind.value)) == 1
    assert view.caption(kind.value) == "frente & verso"


async def test_any_number_of_files_until_done() -> None:
    """An album of three is answered once, one more is added, "Pronto" ends."""
    errand = Errand(question(Kind.PHOTO, Kind.VIDEO, many=True), name())
    ana = await at(errand)

    assert "Pronto" not in ana.labels()
    await ana.sends_file(album="a")
    assert "que você enviou juntos estão chegando" in ana.text
    assert "Recebi 1" not in ana.text
    assert await ana.sends_file(album="a") == []
    assert await ana.sends_file(album="a") == []
    await ana.sends_file(FileKind.VIDEO)
    assert "Recebi 4 arquivos" in ana.text
    await ana.sends("foi ontem")
    await ana.presses("Pronto")
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert len(errand.views[0].files("photo")) == 4
    assert errand.views[0].caption("photo") == "foi ontem"


async def test_an_album_for_one_photo_keeps_the_first_and_says_so_once() -> None:
    """Three photos where one was asked for: the form goes on with the first."""
    errand = Errand(question(Kind.PHOTO), name())
    ana = await at(errand)

    await ana.sends_file(album="a")
    told = await ana.sends_file(album="a")
    assert "fiquei com o primeiro" in told[0].text
    assert await ana.sends_file(album="a") == []
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert len(errand.views[0].files("photo")) == 1


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (FileTrouble.TOO_BIG, "20 MB"),
        (FileTrouble.EMPTY, "vazio"),
        (FileTrouble.UNREADABLE, "Não consigo abrir"),
        (FileTrouble.NOT_FETCHED, "Envie de novo"),
    ],
)
async def test_a_file_in_trouble_keeps_its_caption(trouble: FileTrouble, told: str) -> None:
    """The file is lost, the words that came with it are not: they go with the next one."""
    errand = Errand(question(Kind.DOCUMENT, Kind.PHOTO))
    ana = await at(errand)

    await ana.sends_file(FileKind.DOCUMENT, caption="CNH, frente", trouble=trouble)
    assert told in ana.text
    assert "ficou guardado" in ana.text
    await ana.sends_file()
    await ana.presses("Enviar")

    assert errand.views[0].caption("document") + errand.views[0].caption("photo") == "CNH, frente"


async def test_a_place_can_be_shared_or_written() -> None:
    """The phone's button, a pin or words: each answers, and the keyboard below the text field goes away."""
    errand = Errand(question(Kind.LOCATION, Kind.TEXT), name())
    ana = await at(errand)
    assert ana.labels()[0] == "Enviar o local onde estou"
    assert "Cancelar" in ana.labels()

    said = await ana.posts(location={"latitude": -16.07, "longitude": -57.68})
    assert any(message.remove_reply_buttons for message in said)
    await ana.presses("Voltar")
    await ana.sends("Rua A, 10")
    await ana.presses("Voltar")
    await ana.sends("Manter")
    await ana.sends("Ana")
    await ana.presses("Enviar")

    assert errand.sent == [{"location": "Rua A, 10", "name": "Ana"}]


async def test_a_contact_can_be_shared_or_written() -> None:
    """A shared contact keeps its name; a typed number is read as one."""
    errand = Errand(question(Kind.CONTACT))
    ana = await at(errand)

    await ana.posts(contact={"phone_number": "5565999990000", "first_name": "Bia"})
    assert "Bia, (65) 99999-0000" in ana.text
    await ana.presses("Enviar")

    assert errand.sent == [{"contact": {"phone": "+5565999990000", "name": "Bia"}}]


async def test_a_typed_phone_answers_a_contact() -> None:
    """Who shares no contact types the number."""
    errand = Errand(question(Kind.CONTACT))
    ana = await at(errand)

    await ana.sends("65 99999-0000")
    await ana.presses("Enviar")

    assert errand.sent == [{"contact": {"phone": "+5565999990000", "name": ""}}]


POLL = {
    "id": "1", "question": "?", "options": [], "total_voter_count": 0, "is_closed": False, "is_anonymous": True,
    "type": "regular", "allows_multiple_answers": False, "allows_revoting": False, "members_only": False,
}  # fmt: skip
STICKER = {
    "file_id": "s", "file_unique_id": "s", "width": 1, "height": 1, "is_animated": False, "is_video": False,
    "type": "regular",
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ({"sticker": STICKER}, "uma figurinha"),
        ({"poll": POLL}, "uma enquete"),
        ({"dice": {"emoji": "🎲", "value": 1}}, "um dado"),
        ({"location": {"latitude": 1, "longitude": 1}}, "um local"),
        ({"contact": {"phone_number": "1", "first_name": "B"}}, "um contato"),
    ],
)
async def test_the_wrong_kind_is_told_what_is_awaited(content: dict[str, Any], what: str) -> None:
    """A date is awaited and something else comes: one sentence says both."""
    errand = Errand(question(Kind.DATE, Kind.TEXT))
    ana = await at(errand)

    await ana.posts(**content)

    assert f"Aqui não consigo usar {what}. Espero uma data ou um texto." in ana.text
    assert "Pergunta date?" in ana.text


async def test_a_voice_where_a_date_is_awaited_is_told_so() -> None:
    """Files are no dates, and typed text is no file."""
    errand = Errand(question(Kind.DATE), question(Kind.PHOTO))
    ana = await at(errand)

    await ana.sends_file(FileKind.VOICE)
    assert "Espero uma data" in ana.text
    await ana.sends("05/03/2027")
    await ana.sends("olha a foto")
    assert "Espero uma foto" in ana.text
    await ana.sends_file(FileKind.VOICE, caption="na frente da casa")
    assert "Espero uma foto" in ana.text
    await ana.sends_file()
    assert "na frente da casa" in ana.text


async def test_an_edited_answer_is_noticed() -> None:
    """Ana edits what she answered: nothing changes silently, and she hears how to change it."""
    errand = Errand(name(), colour())
    ana = await at(errand)
    await ana.sends("Ana", message_id=700)

    await ana.edits(700, "Ana Maria")
    assert "toque em Voltar" in ana.text
    await ana.edits(12, "outra coisa")
    assert "corrigir tudo antes de enviar" in ana.text
    await ana.presses("Azul")
    await ana.presses("Enviar")
    await ana.edits(700, "de novo")
    assert "não muda" in ana.text

    assert errand.sent == [{"name": "Ana", "colour": "blue"}]


async def test_a_button_of_an_old_screen_shows_the_current_one() -> None:
    """Ana scrolls up and presses an answer she left behind: nothing changes, and she is where she was."""
    errand = Errand(colour(), name())
    ana = await at(errand)
    old, where = ana.screen, max(ana.shown)
    await ana.sends("azul")

    await ana.presses_data(old.buttons[0][0].data or "", where)

    assert [toast.text for toast in ana.toasts()] == ["Esta tela já passou."]
    assert ana.shown[where].buttons == ()
    assert "Qual é o nome?" in ana.text
    place = ana.conversation.place
    assert place is not None
    assert place.answers["colour"]["value"] == "blue"


async def test_a_hasty_second_press_does_nothing() -> None:
    """The same button pressed twice: the second press finds the next question already there, and only that."""
    errand = Errand(colour(), name())
    ana = await at(errand)
    data = ana.screen.buttons[0][0].data or ""
    where = max(ana.shown)
    await ana.presses_data(data, where)
    first = ana.stored

    said = await ana.presses_data(data, where)

    assert [(message.kind, message.text) for message in said] == [(Carrier.TOAST, "")]
    assert ana.stored == first


@pytest.mark.parametrize(
    "data",
    [
        "",
        "s",
        "s:1:send",
        "s:99999:send",
        "s:{n}:o:purple",
        "s:{n}:send",
        "s:{n}:q:colour",
        "s:-1:back",
        "s:{n}:BACK",
        "s:{n}:page:x",
        "menu:go",
        "menu:go:../../x",
        "menu:go:none",
        "city:page:0",
        "nobody:knows:1",
        "lang:set:xx",
        "c:take:1e9",
        "ç:é",
    ],
)
async def test_a_forged_button_is_refused_and_changes_nothing(data: str) -> None:
    """Data that no screen offered: politely refused or sent to the current screen, always answered, never obeyed."""
    errand = Errand(colour(), name())
    ana = await at(errand)
    before = ana.conversation.place

    await ana.presses_data(data.format(n=ana.conversation.screen))

    assert len(ana.toasts()) == 1
    assert ana.errors == []
    assert errand.sent == []
    if not data.startswith("menu:go:"):
        assert ana.conversation.place == before


async def test_every_command_works_in_mid_form_and_the_form_goes_on() -> None:
    """/ajuda and /idioma leave the question open; /menu and /inicio put it aside; /xyz is unknown."""
    errand = Errand(name(), colour())
    ana = await at(errand)

    for command in ("/ajuda", "/help", "/idioma", "/language"):
        await ana.sends(command)
        assert "Continuar o preenchimento" in ana.labels()
    await ana.sends("/xyz")
    assert "Não conheço o comando /xyz" in ana.text
    await ana.sends("Ana")
    for command in ("/menu", "/inicio", "/start"):
        await ana.sends(command)
        assert "é só continuar" in ana.text
        await ana.presses("Continuar: Recado")
        assert "Qual é a cor?" in ana.text
    await ana.presses("Azul")
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana", "colour": "blue"}]


async def test_starting_another_form_keeps_the_first() -> None:
    """Ana is asked something else in between: what she had begun is in the menu."""
    first, second = Errand(name(), colour()), Errand(colour(), key="other", title="Outro")
    ana = await at(first)
    ana.app.bot_data["desk"].form("other", second.build)
    await ana.sends("Ana")

    async def begin(context: BotContext, press: Press) -> None:
        await engine.start(context, "other", params={"case": press.number()})

    ana.app.bot_data["desk"].press("x", "begin", begin)
    await ana.presses_data("x:begin:7")
    assert "ficou guardado" in ana.text
    await ana.presses("Azul")
    await ana.presses("Enviar")
    assert second.sent == [{"colour": "blue"}]

    await ana.sends("/menu")
    await ana.presses("Continuar: Recado")
    assert "Qual é a cor?" in ana.text


async def test_a_form_that_is_no_more_is_closed_politely() -> None:
    """The next version has no such form: Ana is told, and the menu is there."""
    ana = await at(Errand(name()))
    del ana.app.bot_data["desk"].forms["errand"]

    await ana.sends("Ana")

    assert "não existe mais" in ana.text
    assert ana.conversation.place is None


async def test_a_broken_form_can_be_left() -> None:
    """A form that cannot even be built does not hold Ana: /cancelar and /menu still work."""
    errand = Errand(name())
    ana = await at(errand)

    def broken(view: object) -> Any:
        raise RuntimeError("a mistake of ours")

    ana.app.bot_data["desk"].forms["errand"] = broken
    await ana.sends("Ana")
    assert "a equipe já foi avisada" in ana.text
    await ana.sends("/menu")
    assert "Dar um recado" in ana.labels()
    await ana.presses("Dar um recado")
    await ana.sends("/cancelar")

    assert ana.conversation.place is None


async def test_a_shortcut_counts_at_once() -> None:
    """What a button says need not be asked back, though the same word typed would be."""
    errand = Errand(question(Kind.DATE, options=(Option("ontem", "Ontem"),), tense="past"))
    ana = await at(errand)

    await ana.presses("Ontem")
    await ana.presses("Enviar")

    assert errand.sent == [{"date": "2026-11-29"}]


async def test_a_short_form_sends_without_review() -> None:
    """One answer, no review: the answer is the end of it."""
    errand = Errand(name(), review=False)
    ana = await at(errand)
    assert ana.labels() == ["Cancelar"]

    await ana.sends("Ana")

    assert errand.sent == [{"name": "Ana"}]


async def test_the_review_fits_into_one_message_whatever_was_given() -> None:
    """Ten answers of 2,000 characters are cut for display and kept whole."""
    questions = [Question(key=f"q{n}", prompt=f"Pergunta {n}?", accepts=(Kind.TEXT,)) for n in range(10)]
    errand = Errand(*questions)
    ana = await at(errand)
    for _ in questions:
        await ana.sends("&😀" * 1000)

    assert len(ana.text.encode("utf-16-le")) // 2 < 4096
    assert ana.text.count("… (vai inteiro)") == 10
    await ana.presses("Enviar")
    assert errand.sent[0]["q9"] == "&😀" * 1000


@pytest.mark.parametrize("language", ["pt_BR", "en", "es"])
async def test_a_form_can_be_filled_in_in_every_language(language: str) -> None:
    """Labels of the person's language are pressed and typed alike, and dates are read in it."""
    tr = Translator(language)
    errand = Errand(question(Kind.YESNO), question(Kind.DATE))
    ana = await at(errand, language=language)

    await ana.presses(tr("Sim"))
    await ana.sends({"pt_BR": "5 de março de 2027", "en": "March 5, 2027", "es": "5 de marzo de 2027"}[language])
    await ana.sends(tr("Enviar"))

    assert errand.sent == [{"yesno": True, "date": "2027-03-05"}]
