"""Leaving a form and coming back: saved, cancelled, another begun, refused, broken, gone."""

from __future__ import annotations

from typing import Any

import pytest

from handlers.shared.buttons import Press
from handlers.shared.context import BotContext
from handlers.shared.forms import engine
from handlers.shared.forms.model import Kind
from tests.support.errands import Errand, begun, colour, name, question


async def test_cancel_asks_only_when_something_would_be_lost() -> None:
    """An untouched form closes at once; a touched one asks, can be kept, and is gone when discarded."""
    errand = Errand(name(), colour())
    ana = await begun(errand)
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
    ana = await begun(errand)
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


@pytest.mark.parametrize("way_out", ["/menu", "/start"])
async def test_a_form_that_was_only_looked_at_leaves_nothing_behind(way_out: str) -> None:
    """Ana opened it by mistake and goes home: no "Continuar" stands above what she came for."""
    ana = await begun(Errand(name(), colour()))
    await ana.sends(way_out)

    assert "ficou guardado" not in ana.text
    assert not any(label.startswith("Continuar") for label in ana.labels())
    assert ana.conversation.saved == {}


async def test_a_form_kept_by_her_own_wish_stays_although_it_is_empty() -> None:
    """Ana presses "Guardar para depois" at the first question: it is there today and after she looked at it again."""
    ana = await begun(Errand(name(), colour()))
    await ana.presses("Guardar para depois")
    await ana.presses("Continuar: Recado")
    await ana.sends("/menu")

    assert "Continuar: Recado" in ana.labels()


async def test_a_refusal_leaves_everything_at_the_review() -> None:
    """The use case says no: Ana hears why, still sees what she gave, and sends it a minute later."""
    errand = Errand(name(), colour())
    errand.refuse = True
    ana = await begun(errand)
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
    ana = await begun(errand)
    await ana.sends("Ana")

    await ana.presses("Enviar")
    assert "a equipe já foi avisada" in ana.text
    assert ana.labels() == ["Menu"]
    errand.broken = False
    await ana.presses("Menu")
    await ana.presses("Continuar: Recado")
    await ana.presses("Enviar")

    assert errand.sent == [{"name": "Ana"}]


async def test_every_command_works_in_mid_form_and_the_form_goes_on() -> None:
    """/ajuda and /idioma leave the question open; /menu and /inicio put it aside; /xyz is unknown."""
    errand = Errand(name(), colour())
    ana = await begun(errand)

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
    ana = await begun(first)
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
    ana = await begun(Errand(name()))
    del ana.app.bot_data["desk"].forms["errand"]

    await ana.sends("Ana")

    assert "não existe mais" in ana.text
    assert ana.conversation.place is None


@pytest.mark.parametrize("way_out", ["/cancelar", "/menu"])
async def test_a_broken_form_can_be_left(way_out: str) -> None:
    """A form that cannot even be built does not hold Ana."""
    errand = Errand(name())
    ana = await begun(errand)

    def broken(view: object) -> Any:
        raise RuntimeError("a mistake of ours")

    ana.app.bot_data["desk"].forms["errand"] = broken
    await ana.sends("Ana")
    assert "a equipe já foi avisada" in ana.text
    assert ana.conversation.place is not None
    await ana.sends(way_out)

    assert ana.conversation.place is None
    assert "Dar um recado" in ana.labels()
