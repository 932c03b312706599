"""Typing what a button says presses it, on every screen; only on the one that is there, and only where it is meant."""

from __future__ import annotations

import pytest

from domain.cases.commands import Decide
from domain.cases.model import CaseState, Outcome
from domain.privacy.model import IdentityMode
from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from tests.support.builders import CITY, OMBUDSMAN
from tests.support.errands import Errand, name
from tests.support.office import office
from tests.support.turns import chat


@pytest.mark.parametrize("typed", ["motorista", "MOTORISTA ", "Motoris"])
async def test_who_writes_for_whom_the_registration_is_need_not_press(typed: str) -> None:
    """Ana meets a screen with buttons and answers it as she would answer a person."""
    town = await office()
    ana = await town.phone("Ana")
    await ana.sends("/documentos")
    assert "Para quem é o cadastro?" in ana.text

    await ana.sends(typed)

    assert ana.conversation.place is not None
    assert ana.conversation.place.params["applicant"] == "driver"


async def test_staff_can_type_their_way_from_the_queue_to_a_taken_case() -> None:
    """Olga types what the buttons of the card say; what a press would flash is told in a message."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    filed = await town.counter.report(ana.person)
    await olga.sends(f"/caso {filed.protocol}")

    await olga.sends("assumir o caso")

    assert town.memory.committed.cases[filed.update.case.id].assignee == olga.person.id
    assert olga.has("O caso é seu.")
    await olga.sends("linha do tempo")
    assert "assumiu o caso" in olga.text


async def test_no_is_said_in_words() -> None:
    """Ana is asked whether the outcome settles it and writes "não": she is asked what was not settled."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await town.counter.taken_report(ana.person, olga.person)
    command = Decide(by=olga.person, case_id=case.id, outcome=Outcome.RESOLVED, text="A empresa pagou.")
    await town.counter.does("decide", command)
    await ana.presses_data(f"p:open:{case.id}")

    await ana.sends("não")

    assert "O que não ficou resolvido?" in ana.text
    assert town.memory.committed.cases[case.id].state is CaseState.DECIDED


async def test_too_little_or_what_two_buttons_share_presses_neither() -> None:
    """A letter is no word, and with more ways back nobody can tell which was meant: the menu comes, as for any text."""

    async def both(context: BotContext, press: Press) -> None:
        ways = (
            ("Voltar ao caso", "menu", "home"),
            ("Voltar ao início", "city", "ask"),
            ("Voltar ao caso", "x", "both"),
        )
        context.say("Três caminhos.", buttons=tuple((lasting(*way),) for way in ways))

    ana = await chat(Errand(name()), lambda desk: desk.press("x", "both", both), city=CITY)
    for words in ("v", "volt", "voltar ao caso"):
        await ana.presses_data("x:both")
        await ana.sends(words)
        assert "Para eu não errar o assunto" in ana.text


async def test_a_button_of_a_screen_that_is_gone_cannot_be_typed() -> None:
    """The question is above, the menu below: "sim, desistir" gives no case up until it is asked again."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await town.counter.taken_report(ana.person, olga.person)
    await ana.presses_data(f"p:drop:{case.id}")
    await ana.sends("/menu")
    await ana.sends("sim, desistir")
    assert town.memory.committed.cases[case.id].state is CaseState.TAKEN

    await ana.presses_data(f"p:drop:{case.id}")
    await ana.sends("sim, desistir")

    assert town.memory.committed.cases[case.id].state is CaseState.CLOSED


async def test_what_opens_an_anonymous_case_lies_in_no_row() -> None:
    """Ana looks at her anonymous case: its buttons can be pressed, and the chat's row knows none of them."""
    town = await office()
    ana = await town.phone("Ana")
    filed = await town.counter.report(ana.person, mode=IdentityMode.ANONYMOUS)

    await ana.sends(f"/recibo {filed.receipt}")

    assert "Linha do tempo" in ana.labels()
    assert (filed.receipt or "?") not in (ana.stored or "")
    await ana.sends("linha do tempo")
    assert "O que você quer fazer?" in ana.text
    await ana.sends(f"/recibo {filed.receipt}")
    await ana.sends("menu")
    assert "O que você quer fazer?" in ana.text
