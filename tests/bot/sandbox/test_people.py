"""What people do with their phones, and what their phones show."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from telegram import (
    Bot,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MenuButtonCommands,
    MenuButtonDefault,
    ReactionTypeEmoji,
    Update,
)
from telegram.error import BadRequest
from telegram.ext import Application, ApplicationBuilder, CallbackQueryHandler, CommandHandler, ContextTypes

from bot.sandbox.server import Sandbox
from tests.bot.sandbox.conftest import TOKEN, Clock
from tests.support.phone import Phone, Phones, Refused

CITIES = InlineKeyboardMarkup(
    [[InlineKeyboardButton("Cáceres", callback_data="c:1"), InlineKeyboardButton("Pelotas", callback_data="c:2")]]
)
STALE = "Query is too old and response timeout expired or query id is invalid"


async def press(ana: Phone, bot: Bot, data: str = "c:1") -> str:
    """Ana is asked and presses, and nobody answers yet; the id of her press."""
    message = await bot.send_message(ana.id, "Qual é a sua cidade?", reply_markup=CITIES)
    values = {"message_id": message.message_id, "data": data}
    return str((await ana.phones.post(f"/sandbox/phones/{ana.id}/press", values))[0]["callback_id"])


async def test_a_press_reaches_the_bot_with_its_message(bot: Bot, ana: Phone, phones: Phones) -> None:
    """The bot learns who pressed what and where; the press is open until it is answered."""
    callback_id = await press(ana, bot)
    query = (await bot.get_updates())[-1].callback_query
    assert query
    assert (query.id, query.data, query.from_user.id) == (callback_id, "c:1", ana.id)
    assert query.message
    assert query.message.reply_markup == CITIES  # type: ignore[attr-defined]  # accessible here
    assert (await phones.log())["unanswered_callbacks"] == [callback_id]
    assert await query.answer("Anotado")
    answer = await phones.until(lambda: phones.callback(callback_id))
    assert (answer["text"], answer["show_alert"]) == ("Anotado", False)
    assert (await phones.log())["unanswered_callbacks"] == []


async def test_a_press_is_answered_once_and_in_time(bot: Bot, ana: Phone, clock: Clock) -> None:
    """Twice, late, or an invented one: each is refused in Telegram's words."""
    callback_id = await press(ana, bot)
    assert await bot.answer_callback_query(callback_id)
    late = await press(ana, bot)
    clock.move(timedelta(seconds=31))
    for number in (callback_id, late, "123"):
        with pytest.raises(BadRequest, match=STALE):
            await bot.answer_callback_query(number)


async def test_only_a_button_that_is_there_can_be_pressed(bot: Bot, ana: Phone) -> None:
    """A button of an edited message is gone for honest clients; a forged press passes, even on a deleted message."""
    message = await bot.send_message(ana.id, "?", reply_markup=CITIES)
    await bot.edit_message_text("Pronto", ana.id, message.message_id)
    values = {"message_id": message.message_id, "data": "c:1"}
    with pytest.raises(Refused):
        await ana.phones.post(f"/sandbox/phones/{ana.id}/press", values)
    await ana.phones.post(f"/sandbox/phones/{ana.id}/press", values | {"data": "admin:all", "forge": True})
    await bot.delete_message(ana.id, message.message_id)
    await ana.phones.post(f"/sandbox/phones/{ana.id}/press", values | {"forge": True})
    *_, forged, gone = [update.callback_query for update in await bot.get_updates()]
    assert forged
    assert forged.data == "admin:all"
    assert gone
    assert gone.message
    assert not gone.message.is_accessible


async def test_a_long_text_leaves_the_phone_in_parts(bot: Bot, ana: Phone) -> None:
    """As from a real client: 5,000 characters are two messages."""
    await ana.sends("x" * 5000)
    *_, first, second = [update.message for update in await bot.get_updates()]
    assert first
    assert second
    assert (len(first.text or ""), len(second.text or "")) == (4096, 904)


async def test_unsupported_kinds_arrive_as_they_are(bot: Bot, ana: Phone) -> None:
    """A sticker and a poll are what the library takes them for."""
    await ana.sends_sticker()
    await ana.sends_poll()
    *_, sticker, poll = [update.message for update in await bot.get_updates()]
    assert sticker
    assert sticker.sticker
    assert poll
    assert poll.poll
    assert poll.poll.question == "Vai chover?"


@pytest.mark.parametrize(
    ("action", "values"),
    [
        ("send", {"text": "  "}),
        ("send", {"text": "oi", "reply_to": 999}),
        ("edit", {"message_id": 999, "text": "x"}),
        ("edit", {"message_id": "x", "text": "x"}),
        ("location", {"latitude": 91, "longitude": 0}),
        ("location", {}),
        ("open", {"url": "https://t.me/another_bot?start=x"}),
        ("open", {"url": f"https://t.me/balcao_sandbox_bot?start={'x' * 65}"}),
        ("open", {"url": "https://t.me/balcao_sandbox_bot?start=a%20b"}),
    ],
)
async def test_what_no_phone_can_do_is_refused(action: str, values: dict[str, object], ana: Phone) -> None:
    """With a sentence for the person at the page, and without a trace in the chat."""
    before = ana.history()
    with pytest.raises(Refused, match=r": 4\d\d \w"):
        await ana.phones.post(f"/sandbox/phones/{ana.id}/{action}", values)
    await ana.quiet(0.05)
    assert ana.history() == before


async def test_a_deep_link_starts_the_bot_with_its_payload(bot: Bot, phones: Phones) -> None:
    """Sixty-four characters of the permitted ones pass; without a payload it is a plain start."""
    ana = await phones.add("Ana")
    await ana.opens(f"https://t.me/{bot.username}?start={'aZ0_-' * 12}")
    await ana.opens(f"https://t.me/{bot.username}")
    assert [update.message.text for update in await bot.get_updates() if update.message] == [
        f"/start {'aZ0_-' * 12}",
        "/start",
    ]


async def test_a_blocked_bot_cannot_be_written_to(ana: Phone) -> None:
    """The person unblocks first, as in the real client."""
    await ana.blocks()
    with pytest.raises(Refused, match="desbloqueie"):
        await ana.sends("oi")
    await ana.unblocks()
    assert await ana.sends("oi")


async def test_the_command_menu_follows_scope_and_language(bot: Bot, phones: Phones, ana: Phone) -> None:
    """The most specific scope wins, the person's language before any; a change of language shows at once."""
    jane = await phones.add("Jane", language_code="en-gb")
    await bot.set_my_commands([("inicio", "Começar")])
    await bot.set_my_commands([("inicio", "Begin")], language_code="en")
    await bot.set_my_commands([("fila", "Fila")], scope=BotCommandScopeChat(ana.id))
    await ana.quiet(0.05)
    assert jane.facts()["commands"] == [{"command": "inicio", "description": "Begin"}]
    assert ana.facts()["commands"] == [{"command": "fila", "description": "Fila"}]

    await bot.delete_my_commands(scope=BotCommandScopeChat(ana.id))
    await bot.set_my_commands([("menu", "Menu")], scope=BotCommandScopeAllPrivateChats())
    await ana.quiet(0.05)
    assert ana.facts()["commands"] == [{"command": "menu", "description": "Menu"}]
    assert list(await bot.get_my_commands(scope=BotCommandScopeChat(ana.id))) == []


async def test_the_menu_button_is_set_for_one_or_for_all(bot: Bot, ana: Phone) -> None:
    """One chat's own button goes before the default."""
    await bot.set_chat_menu_button(menu_button=MenuButtonCommands())
    assert await bot.get_chat_menu_button(ana.id) == MenuButtonCommands()
    await bot.set_chat_menu_button(ana.id, MenuButtonDefault())
    assert await bot.get_chat_menu_button(ana.id) == MenuButtonDefault()
    await ana.quiet(0.05)
    assert ana.facts()["menu_button"] == {"type": "default"}


async def test_the_phone_shows_unread_and_typing(bot: Bot, ana: Phone) -> None:
    """Two messages are two unread; typing ends with the message; reading makes it none."""
    await bot.send_chat_action(ana.id, "typing")
    await ana.phones.until(lambda: ana.facts()["typing"] or None)
    await bot.send_message(ana.id, "1")
    await bot.send_message(ana.id, "2")
    await ana.sees("2")
    await ana.quiet(0.05)
    assert (ana.facts()["unread"], ana.facts()["typing"]) == (2, False)
    answer, _ = await ana.phones.post(f"/sandbox/phones/{ana.id}/read", {})
    assert answer["unread"] == 0


async def test_the_bot_asks_about_people(bot: Bot, ana: Phone) -> None:
    """A chat and its members, as far as Telegram tells."""
    chat = await bot.get_chat(ana.id)
    assert (chat.type, chat.first_name) == ("private", "Ana")
    assert (await bot.get_chat_member(ana.id, ana.id)).status == "member"
    assert (await bot.get_user_profile_photos(ana.id)).total_count == 0
    with pytest.raises(BadRequest, match="User not found"):
        await bot.get_chat_member(ana.id, 5)


async def test_the_bot_reacts_to_a_message(bot: Bot, ana: Phone) -> None:
    """One emoji, or none."""
    said = await ana.sends("Obrigada!")
    assert await bot.set_message_reaction(ana.id, said.id, [ReactionTypeEmoji("👍")])
    assert await bot.set_message_reaction(ana.id, said.id)


async def test_ids_are_as_large_as_telegrams(ana: Phone) -> None:
    """A column of 32 bits would not hold them."""
    assert ana.id > 2**32


async def start(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Ask for the city."""
    assert update.message
    await update.message.reply_html("<b>Qual é a sua cidade?</b>", reply_markup=CITIES)


async def chosen(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Read the choice back."""
    assert update.callback_query
    await update.callback_query.answer("Anotado")
    await update.callback_query.edit_message_text(f"Escolhido: {update.callback_query.data}")


async def test_a_real_application_serves_several_people(sandbox: Sandbox, phones: Phones) -> None:
    """python-telegram-bot, unmodified, polls; five people choose at once, and the bot makes no mistake."""
    builder: ApplicationBuilder[Bot, ContextTypes.DEFAULT_TYPE, dict, dict, dict, None] = Application.builder()  # type: ignore[type-arg, assignment]  # the library's own generics
    app = builder.token(TOKEN).base_url(f"{sandbox.url}/bot").base_file_url(f"{sandbox.url}/file/bot").build()
    app.add_handler(CommandHandler("start", start))
    app.add_handler(CallbackQueryHandler(chosen))
    assert app.updater
    async with app:
        await app.start()
        await app.updater.start_polling()
        people = [await phones.add(name) for name in ("Ana", "Bia", "Caio", "Davi", "Eva")]

        async def choose(person: Phone, city: str) -> str:
            await person.sends("/start")
            await person.sees("Qual é a sua cidade?")
            assert person.buttons() == ["Cáceres", "Pelotas"]
            assert await person.presses(city) == "Anotado"
            return (await person.sees("Escolhido")).text

        chose = await asyncio.gather(
            *(choose(person, "Pelo" if n % 2 else "Cáceres") for n, person in enumerate(people))
        )
        assert chose == [f"Escolhido: c:{1 + n % 2}" for n in range(5)]
        await app.updater.stop()
        await app.stop()
    log = await phones.log()
    assert (log["errors"], log["unanswered_callbacks"]) == ([], [])
