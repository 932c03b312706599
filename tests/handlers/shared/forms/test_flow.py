"""A form from its first question to what is sent: conditions, ways back, the review."""

from __future__ import annotations

import pytest

from handlers.shared.context import BotContext
from handlers.shared.forms.model import FormView, Kind, Question
from handlers.shared.texts import Translator
from tests.support.errands import Errand, begun, colour, name, question


async def test_a_form_is_asked_question_by_question_reviewed_and_sent_once() -> None:
    """Ana answers two questions, sees both before sending, and a hasty second press sends nothing twice."""
    errand = Errand(name(), colour())
    ana = await begun(errand)
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
    ana = await begun(errand)
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
    ana = await begun(errand)
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
    ana = await begun(errand)
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


async def test_a_short_form_sends_without_review() -> None:
    """One answer, no review: the answer is the end of it."""
    errand = Errand(name(), review=False)
    ana = await begun(errand)
    assert ana.labels() == ["Cancelar"]

    await ana.sends("Ana")

    assert errand.sent == [{"name": "Ana"}]


async def test_a_form_whose_use_case_says_nothing_ends_on_the_home_screen() -> None:
    """Nobody is left looking at the last question."""

    class Quiet(Errand):
        async def submit(self, context: BotContext, view: FormView) -> None:
            self.sent.append(view.values)

    errand = Quiet(name(), review=False)
    ana = await begun(errand)
    await ana.sends("Ana")

    assert errand.sent == [{"name": "Ana"}]
    assert ana.text.startswith("Pronto.")
    assert "Dar um recado" in ana.labels()


async def test_the_review_fits_into_one_message_whatever_was_given() -> None:
    """Ten answers of 2,000 characters are cut for display and kept whole."""
    questions = [Question(key=f"q{n}", prompt=f"Pergunta {n}?", accepts=(Kind.TEXT,)) for n in range(10)]
    errand = Errand(*questions)
    ana = await begun(errand)
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
    ana = await begun(errand, language=language)

    await ana.presses(tr("Sim"))
    await ana.sends({"pt_BR": "5 de março de 2027", "en": "March 5, 2027", "es": "5 de marzo de 2027"}[language])
    await ana.sends(tr("Enviar"))

    assert errand.sent == [{"yesno": True, "date": "2027-03-05"}]
