"""Outside a form: the home screen, cities, languages, commands, free text and everything else that may come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.files.model import FileKind
from handlers.shared.buttons import Press, lasting
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk, MenuEntry, staff_only
from handlers.shared.listing import CLIENT_LANGUAGES, commands_of, set_listing
from handlers.shared.outgoing import Kind
from tests.support.builders import CITY, OTHER_CITY, REGISTRY
from tests.support.errands import Errand, name
from tests.support.turns import Chat, chat


async def no_command(update: object, context: BotContext) -> None:
    context.say("A fila.")


def staff_area(desk: Desk) -> None:
    """An area for staff alone."""

    async def queue(context: BotContext) -> None:
        context.say("A fila.")

    async def take(context: BotContext, press: Press) -> None:
        context.replace(f"Caso {press.number()}", buttons=((lasting("Abrir", "q", "take", 2),),))

    async def invited(context: BotContext, code: str) -> None:
        context.say(f"Convite {code}")

    desk.entry(MenuEntry(key="queue", label="Fila", action=queue, when=staff_only, order=1))
    desk.press("q", "take", take)
    desk.start("conv_", invited)
    desk.command(
        Command(
            handler=no_command, names=dict.fromkeys(("pt_BR", "en", "es"), "fila"), description="A fila", staff=True
        )
    )


async def at_home(**who: Any) -> Chat:
    ana = await chat(Errand(name()), staff_area, city=CITY, **who)
    await ana.sends("/start")
    return ana


async def test_the_first_contact_greets_and_asks_the_city_when_there_are_several() -> None:
    """Ana is new: she picks her city, by a press or by its name, and it is remembered."""
    ana = await chat(Errand(name()))

    await ana.sends("/start")
    assert "De qual cidade se trata?" in ana.text
    assert ana.labels()[:2] == ["Serra Alta (RO)", "Vila Clara (MT)"]
    await ana.sends("vila clara")

    assert "Vila Clara" in ana.text
    assert ana.memory.committed.people[1].city == CITY
    await ana.sends("/menu")
    await ana.presses("Trocar de cidade")
    assert "De qual cidade se trata?" in ana.text
    await ana.presses("Serra Alta (RO)")
    assert ana.memory.committed.people[1].city == OTHER_CITY


async def test_staff_of_one_city_are_not_asked_for_it() -> None:
    """Who has a role in one city stands at its counter."""
    bruno = await chat(staff_area)
    bruno.memory.committed.people[1] = replace(bruno.person, grants=frozenset({REGISTRY}))

    await bruno.sends("/start")

    assert "Fila" in bruno.labels()
    assert bruno.memory.committed.people[1].city == CITY


async def test_the_home_screen_shows_what_is_for_this_person() -> None:
    """The queue is for staff: Ana does not see it, and a forged press of it leads home."""
    ana = await at_home()
    assert "Olá, Ana" in ana.text
    assert "Dar um recado" in ana.labels()
    assert "Fila" not in ana.labels()

    await ana.presses_data("menu:go:queue")

    assert "não está mais disponível" in ana.text


async def test_free_text_meets_the_menu_with_a_guess() -> None:
    """Words that sound like an entry bring it to the top; the label itself opens it; a greeting is no riddle."""
    ana = await at_home()

    await ana.sends("quero deixar um recado para o prefeito")
    assert "Parece que você procura “Dar um recado”" in ana.text
    assert ana.labels()[0] == "Dar um recado"
    await ana.sends("xyzzy")
    assert "escolha abaixo" in ana.text
    await ana.sends("Bom dia!")
    assert "O que você quer fazer?" in ana.text
    await ana.sends("obrigada")
    assert "De nada" in ana.text
    await ana.sends("DAR UM RECADO")
    assert "Qual é o nome?" in ana.text


async def test_nothing_sent_outside_a_form_meets_silence() -> None:
    """A sticker, a place, a photo: each is named and led to the menu; an album once."""
    ana = await at_home()
    sticker = {"file_id": "s", "file_unique_id": "s", "width": 1, "height": 1, "is_animated": False}

    await ana.posts(sticker=sticker | {"is_video": False, "type": "regular"})
    assert "uma figurinha" in ana.text
    await ana.posts(location={"latitude": 1, "longitude": 1})
    assert "um local" in ana.text
    await ana.sends_file(FileKind.VOICE)
    assert "Recebi um áudio" in ana.text
    await ana.sends_file(album="a")
    assert await ana.sends_file(album="a") == []
    await ana.sends("/nada")
    assert "Não conheço o comando /nada" in ana.text
    assert "Dar um recado" in ana.labels()


async def test_cancel_with_nothing_open_says_so() -> None:
    """And shows the way on."""
    ana = await at_home()

    await ana.sends("/cancelar")

    assert "Não há nada em andamento" in ana.text
    assert "Dar um recado" in ana.labels()


async def test_help_lists_the_commands_of_the_person() -> None:
    """Staff see theirs too."""
    ana = await at_home()
    await ana.sends("/ajuda")
    assert "/cancelar" in ana.text
    assert "/fila" not in ana.text

    ana.memory.committed.people[1] = replace(ana.memory.committed.people[1], grants=frozenset({REGISTRY}))
    await ana.sends("/ajuda")
    assert "/fila" in ana.text


async def test_a_chosen_language_is_remembered_and_lists_its_commands() -> None:
    """Ana picks English: the person, the words and this chat's list of commands follow."""
    ana = await at_home()

    await ana.presses("Idioma")
    await ana.presses("English")

    person = ana.memory.committed.people[1]
    assert (person.language, person.language_chosen) == ("en", True)
    listed = next(message for message in ana.said if message.kind is Kind.COMMANDS)
    assert [command for command, _ in listed.commands] == ["start", "menu", "help", "language", "cancel"]


async def test_the_language_can_change_in_mid_form() -> None:
    """The same question is asked again, in the other language."""
    ana = await at_home()
    await ana.presses("Dar um recado")

    await ana.sends("/language")
    await ana.presses("Español")

    assert "Qual é o nome?" in ana.text
    assert ana.conversation.place is not None


async def test_a_deep_link_reaches_its_area_and_an_unknown_one_the_menu() -> None:
    """The rest of the payload goes to who registered the prefix; nonsense is told."""
    ana = await at_home()

    await ana.sends("/start conv_Abc-123_x")
    assert ana.text == "Convite Abc-123_x"
    for payload in ("other_1", "conv_<b>", "conv_" + "x" * 70):
        await ana.sends(f"/start {payload}")
        assert "não leva mais a lugar nenhum" in ana.text


async def test_a_lasting_button_is_good_at_any_time_and_leaves_the_form_alone() -> None:
    """Pressed in mid-form it changes its own message; the question stays current."""
    ana = await at_home()
    ana.shown[50] = replace(ana.screen, buttons=((lasting("Assumir", "q", "take", 12),),))
    await ana.presses("Dar um recado")
    question = ana.text

    await ana.presses("Assumir")
    assert ana.shown[50].text == "Caso 12"
    assert ana.text == question
    await ana.sends("Ana")

    assert "Confira" in ana.text


@pytest.mark.parametrize("data", ["q:take", "q:take:0", "q:take:-1", "q:take:1x", "q:take:" + "9" * 30])
async def test_a_lasting_button_with_a_forged_number_is_refused(data: str) -> None:
    """Numbers are positive, whole and of a sane length, or they are not ours."""
    ana = await at_home()

    await ana.presses_data(data)

    assert [toast.alert for toast in ana.toasts()] == [True]
    assert len(ana.said) == 1


def test_a_button_that_would_not_come_back_is_a_mistake() -> None:
    """Data over 64 bytes, or of the wrong shape, is seen when it is built."""
    for ids in (("x" * 60,), ("a b",), ("ção",)):
        with pytest.raises(ValueError, match="button"):
            lasting("Abrir", "c", "open", *ids)


def test_two_areas_cannot_claim_one_name() -> None:
    """The start ends there, and not a person's press later."""
    desk = Desk()
    staff_area(desk)
    with pytest.raises(ValueError, match="registered twice"):
        staff_area(desk)


async def test_telegram_is_told_commands_and_descriptions_in_every_language() -> None:
    """Portuguese is what every other client gets; staff commands are not for everybody; all is within the limits."""
    ana = await at_home()
    calls: list[tuple[str, Any, dict[str, Any]]] = []

    class Recorder:
        def __getattr__(self, method: str) -> Any:
            async def call(*args: Any, **kwargs: Any) -> None:
                calls.append((method, args, kwargs))

            return call

    await set_listing(Recorder(), ana.app.bot_data["desk"])  # type: ignore[arg-type] # records in place of calling

    listed = {kwargs["language_code"]: args[0] for method, args, kwargs in calls if method == "set_my_commands"}
    assert set(listed) == set(CLIENT_LANGUAGES.values()) == {None, "en", "es"}
    assert [command for command, _ in listed[None]] == ["inicio", "menu", "ajuda", "idioma", "cancelar"]
    assert ("fila", "A fila") in commands_of(ana.app.bot_data["desk"], "pt_BR", staff=True)
    assert all(len(description) <= 256 for commands in listed.values() for _, description in commands)
    assert all(len(args[0]) <= 512 for method, args, _ in calls if method == "set_my_description")
    assert all(len(args[0]) <= 120 for method, args, _ in calls if method == "set_my_short_description")
