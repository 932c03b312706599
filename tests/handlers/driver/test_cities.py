"""The same road with the law of each city: no screen breaks, none is too long, none is a dead end."""

from __future__ import annotations

import pytest
from telegram.constants import MessageLimit

from domain.law.loader import Laws, load_laws
from domain.people.model import LANGUAGES
from domain.registration.commands import ApplicationCommand
from tests.support.driving import Driver, driver

LAWS: Laws = load_laws()
APPLICANTS = [
    (city.slug, book.service.key, applicant)
    for city in LAWS.cities()
    for book in LAWS.rulebooks(city.slug)
    for applicant in book.applicants
]
TYPED = {"date": "05/03/1990", "year": "2022", "number": "5", "plate": "abc1d23", "yesno": "sim"}


async def answers_all(who: Driver, city: str, service: str, applicant: str, *, known: bool) -> None:
    """Answer every question of the law, or skip them all."""
    book = LAWS.rulebook(city, service)
    questions = {asked.key: asked for asked in book.questions(*book.applicants[applicant].bearers)}
    while (place := who.phone.conversation.place) is not None and place.step:
        asked = questions[place.step]
        before = place.step
        data = next(b.data for row in who.phone.screen.buttons for b in row if b.data and b.data.endswith(":skip"))
        if not known:
            await who.phone.presses_data(data)
        elif asked.kind == "choice":
            pick = next(b.data for row in who.phone.screen.buttons for b in row if b.data and ":o:" in b.data)
            await who.phone.presses_data(pick)
        else:
            await who.sends(TYPED[asked.kind])
            if (now := who.phone.conversation.place) is not None and now.step == before:
                yes = [b.data for row in who.phone.screen.buttons for b in row if b.data and b.data.endswith(":yes")]
                await who.phone.presses_data(yes[0] if yes else data)
    if who.phone.conversation.place is not None:
        send = next(b.data for row in who.phone.screen.buttons for b in row if b.data and b.data.endswith(":send"))
        await who.phone.presses_data(send)


def sound(who: Driver) -> None:
    """Check that the screen fits, leads somewhere, and nothing failed."""
    assert not who.phone.errors
    assert len(who.phone.screen.text) < MessageLimit.MAX_TEXT_LENGTH
    assert any((b.data or "").startswith("menu:") for row in who.phone.screen.buttons for b in row)


@pytest.mark.parametrize("known", [True, False], ids=["answered", "skipped"])
@pytest.mark.parametrize(("city", "service", "applicant"), APPLICANTS)
async def test_everybody_whom_a_law_registers_comes_from_the_questions_to_the_approval(
    city: str, service: str, applicant: str, known: bool
) -> None:
    """Whoever a law registers answers, sends all, hands in, is approved and reads the dates, in their language."""
    language = LANGUAGES[len(city) % len(LANGUAGES)]
    who = await driver(city=city, language=language, served=LAWS)
    await who.phone.presses_data(f"r:new:{city}:{service}:{applicant}")
    await answers_all(who, city, service, applicant, known=known)
    case = who.case
    sound(who)
    for page in range(1, 8):
        await who.phone.presses_data(f"r:why_fit:{case.id}:{page}")
        sound(who)
    await who.phone.presses_data(f"r:list:{case.id}")
    sound(who)
    read = ApplicationCommand(by=who.phone.person, case_id=case.id)
    for line in (await who.office.does("application_of", read)).lines:
        await who.phone.presses_data(f"r:see:{case.id}:{line.key}")
        sound(who)
        await who.phone.presses_data(f"r:why_item:{case.id}:{line.key}")
        sound(who)
        if line.holds_up:
            await who.phone.presses_data(f"r:send:{case.id}:{line.key}")
            await who.sends_photo()
            done = next(b.data for row in who.phone.screen.buttons for b in row if b.data and b.data.endswith(":done"))
            await who.phone.presses_data(done)
    await who.phone.presses_data(f"r:submit:{case.id}")
    sound(who)
    assert who.case.protocol

    await who.approved()
    for data in (f"r:list:{case.id}", f"r:why_paper:{case.id}", "r:dates", f"r:undated:{case.id}"):
        await who.phone.presses_data(data)
        sound(who)
    for one in who.phone.memory.committed.obligations.values():
        await who.phone.presses_data(f"r:due:{one.id}")
        sound(who)
        await who.phone.presses_data(f"r:why_due:{one.id}")
        sound(who)
