"""Telegram's limits, each with its twin that just fits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeChat,
    CopyTextButton,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    InputMediaPhoto,
    KeyboardButton,
    ReplyKeyboardMarkup,
)
from telegram.error import BadRequest, NetworkError

from tests.bot.sandbox.conftest import Raw, picture
from tests.support.phone import Phone


def data_button(size: int) -> InlineKeyboardMarkup:
    """A keyboard whose button carries so many bytes."""
    return InlineKeyboardMarkup([[InlineKeyboardButton("Sim", callback_data="x" * size)]])


async def test_a_text_is_measured_after_its_markup_is_read(bot: Bot, ana: Phone) -> None:
    """4096 characters fit, tags not counted; one more does not; an emoji counts as two."""
    fits = await bot.send_message(ana.id, "<b>" + "é" * 4096 + "</b>", parse_mode="HTML")
    assert fits.text == "é" * 4096
    await bot.send_message(ana.id, "👍" * 2048)
    for text in ("é" * 4097, "👍" * 2048 + "x"):
        with pytest.raises(BadRequest, match="Message is too long"):
            await bot.send_message(ana.id, text)


@pytest.mark.parametrize("text", ["", "  \n ", "<b> </b>"])
async def test_an_empty_text_is_refused(text: str, bot: Bot, ana: Phone) -> None:
    """Nothing, or only space, is no message."""
    with pytest.raises(BadRequest, match="Message text is empty"):
        await bot.send_message(ana.id, text, parse_mode="HTML")


async def test_markdown_is_refused_plainly(bot: Bot, ana: Phone) -> None:
    """The product writes HTML; the sandbox does not pretend to read another markup."""
    with pytest.raises(BadRequest, match="not available in the sandbox"):
        await bot.send_message(ana.id, "*oi*", parse_mode="MarkdownV2")
    with pytest.raises(BadRequest, match="Unsupported parse_mode"):
        await bot.send_message(ana.id, "oi", parse_mode="BBCode")


async def test_a_caption_has_a_limit_of_its_own(bot: Bot, ana: Phone, photo: bytes) -> None:
    """1024 characters fit under a photo."""
    assert (await bot.send_photo(ana.id, photo, caption="x" * 1024)).caption == "x" * 1024
    with pytest.raises(BadRequest, match="caption is too long"):
        await bot.send_photo(ana.id, photo, caption="x" * 1025)


async def test_button_data_is_measured_in_bytes(bot: Bot, ana: Phone) -> None:
    """One to sixty-four bytes, and an accent is two of them."""
    await bot.send_message(ana.id, "?", reply_markup=data_button(64))
    with pytest.raises(BadRequest, match="Button_data_invalid"):
        await bot.send_message(ana.id, "?", reply_markup=data_button(65))
    accents = InlineKeyboardMarkup([[InlineKeyboardButton("Sim", callback_data="ã" * 33)]])
    with pytest.raises(BadRequest, match="Button_data_invalid"):
        await bot.send_message(ana.id, "?", reply_markup=accents)


@pytest.mark.parametrize(
    ("keyboard", "reason"),
    [
        ([[{"text": "a", "callback_data": ""}]], "BUTTON_DATA_INVALID"),
        ([[{"text": "a"}]], "Text buttons are unallowed"),
        ([[{"text": " ", "callback_data": "a"}]], 'Field "text" must be a non-empty String'),
        ([[{"callback_data": "a"}]], 'Field "text" must be a non-empty String'),
        ([[{"text": "a", "callback_data": "a", "url": "https://x.br"}]], "exactly one action"),
        ([[{"text": "a", "url": "veja aqui"}]], "URL 'veja aqui' is invalid"),
        ([[{"text": "a", "callback": "a"}]], "unknown field callback in inline keyboard button"),
        ([[{"text": "a", "copy_text": {"text": "x" * 257}}]], "BUTTON_COPY_TEXT_INVALID"),
        ([{"text": "a", "callback_data": "a"}], "array of arrays of buttons expected"),
        ([["a"]], "object expected as inline keyboard button"),
        ([[{"text": "a", "callback_data": "a"}] * 9], "too many buttons in a row"),
        ([[{"text": "a", "callback_data": "a"}]] * 101, "reply markup is too long"),
    ],
)
async def test_a_wrong_inline_keyboard_is_refused(
    keyboard: Sequence[object], reason: str, raw: Raw, ana: Phone
) -> None:
    """Telegram would refuse it, or show less than was meant."""
    body = await raw("sendMessage", chat_id=ana.id, text="?", reply_markup={"inline_keyboard": keyboard})
    assert body["error_code"] == 400
    assert reason in body["description"]


async def test_the_largest_keyboards_fit(bot: Bot, ana: Phone) -> None:
    """A hundred buttons, eight in a row, and text to copy."""
    button = InlineKeyboardButton("a", callback_data="a")
    copy = InlineKeyboardButton("Copiar", copy_text=CopyTextButton("x" * 256))
    rows = [[button] * 8] * 12 + [[button, button, button, copy]]
    message = await bot.send_message(ana.id, "?", reply_markup=InlineKeyboardMarkup(rows))
    assert message.reply_markup == InlineKeyboardMarkup(rows)


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ({"keyboard": []}, "reply keyboard must be non-empty"),
        ({"keyboard": [[{"text": ""}]]}, 'Field "text" must be a non-empty String'),
        ({"keyboard": [["a"] * 10] * 31}, "reply markup is too long"),
        ({"keyboard": [["a"]], "input_field_placeholder": "x" * 65}, "placeholder must be 1-64"),
        ({"force_reply": True, "input_field_placeholder": ""}, "placeholder must be 1-64"),
        ({"keyboard": [["a"]], "resize": True}, "unknown field resize in reply markup"),
        ({"buttons": []}, "object expected as reply markup"),
    ],
)
async def test_a_wrong_reply_keyboard_is_refused(markup: object, reason: str, raw: Raw, ana: Phone) -> None:
    """What hangs below the chat is checked too."""
    assert reason in (await raw("sendMessage", chat_id=ana.id, text="?", reply_markup=markup))["description"]


async def test_reply_keyboards_come_and_go(bot: Bot, ana: Phone) -> None:
    """A reply keyboard stays on the phone, a placeholder says what is awaited, a press is a text."""
    keyboard = ReplyKeyboardMarkup(
        [["Sim", KeyboardButton("Enviar meu número", request_contact=True)]],
        input_field_placeholder="Seu número",
        one_time_keyboard=True,
    )
    await bot.send_message(ana.id, "Número?", reply_markup=keyboard)
    await ana.sees("Número?")
    await ana.quiet(0.05)
    assert ana.buttons() == ["Sim", "Enviar meu número"]
    assert ana.facts()["placeholder"] == "Seu número"

    await ana.presses("Enviar meu número")
    await ana.quiet(0.05)
    assert ana.history()[-1].raw["contact"]["user_id"] == ana.id
    assert ana.facts()["reply_keyboard"] is None

    await bot.send_message(ana.id, "Nome?", reply_markup=ForceReply(input_field_placeholder="Seu nome"))
    await ana.quiet(0.05)
    assert ana.facts()["placeholder"] == "Seu nome"


async def test_an_alert_fits_two_hundred_characters(bot: Bot, ana: Phone) -> None:
    """One more is refused, and the press is still to be answered."""
    await bot.send_message(ana.id, "?", reply_markup=data_button(1))
    screen = await ana.sees("?")
    world_press = (await ana.phones.post(f"/sandbox/phones/{ana.id}/press", {"message_id": screen.id, "data": "x"}))[0]
    with pytest.raises(BadRequest, match="Message_too_long"):
        await bot.answer_callback_query(world_press["callback_id"], "x" * 201)
    assert await bot.answer_callback_query(world_press["callback_id"], "x" * 200, show_alert=True)


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ([("Inicio", "x")], "Bot_command_invalid"),
        ([("início", "x")], "Bot_command_invalid"),
        ([("a" * 33, "x")], "Bot_command_invalid"),
        ([("a", "")], "Bot_command_description_invalid"),
        ([("a", "x" * 257)], "Bot_command_description_invalid"),
        ([(f"c{n}", "x") for n in range(101)], "Bot_commands_too_much"),
    ],
)
async def test_a_wrong_command_is_refused(commands: list[tuple[str, str]], reason: str, bot: Bot) -> None:
    """Lower case letters, digits and underscores, thirty-two at most, each with its sentence."""
    with pytest.raises(BadRequest, match=reason):
        await bot.set_my_commands(commands)


async def test_the_largest_command_menu_fits(bot: Bot) -> None:
    """A hundred commands, thirty-two letters and 256 characters of description."""
    commands = [BotCommand(f"{'a' * 30}{n:02}", "x" * 256) for n in range(100)]
    assert await bot.set_my_commands(commands)
    assert list(await bot.get_my_commands()) == commands


async def test_commands_for_a_chat_that_is_not_there_are_refused(bot: Bot) -> None:
    """A scope names a chat that exists, in a language that exists."""
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.set_my_commands([("a", "b")], scope=BotCommandScopeChat(5))
    with pytest.raises(BadRequest, match="language code"):
        await bot.set_my_commands([("a", "b")], language_code="pt-br")


async def test_what_the_bot_says_of_itself_has_limits(bot: Bot) -> None:
    """Name, description and short description, per language."""
    for call, size in (
        (bot.set_my_name, 64),
        (bot.set_my_description, 512),
        (bot.set_my_short_description, 120),
    ):
        assert await call("x" * size)
        with pytest.raises(BadRequest, match="is too long"):
            await call("x" * (size + 1))
    await bot.set_my_name("Counter", language_code="en")
    assert ((await bot.get_my_name("en")).name, (await bot.get_my_name("es")).name) == ("Counter", "x" * 64)
    assert (await bot.get_my_description()).description == "x" * 512
    assert (await bot.get_my_short_description()).short_description == "x" * 120


async def test_an_album_has_two_to_ten_of_a_kind(bot: Bot, ana: Phone, photo: bytes) -> None:
    """One photo is no album, and documents do not mix with photos."""
    for count in (1, 11):
        with pytest.raises(BadRequest, match="2-10 items"):
            await bot.send_media_group(ana.id, [InputMediaPhoto(photo)] * count)
    with pytest.raises(BadRequest, match="can't be mixed"):
        await bot.send_media_group(ana.id, [InputMediaPhoto(photo), InputMediaDocument(photo)])


async def test_uploads_have_limits(bot: Bot, ana: Phone) -> None:
    """10 MB for a photo, 50 MB for anything, and an empty file is none."""
    big = picture(10, 10) + bytes(10_000_000)
    with pytest.raises(BadRequest, match="too big for a photo"):
        await bot.send_photo(ana.id, big)
    assert (await bot.send_document(ana.id, big, filename="foto.jpg")).document
    with pytest.raises(NetworkError, match="Request Entity Too Large"):
        await bot.send_document(ana.id, bytes(50_000_001), filename="a.bin")
    with pytest.raises(BadRequest, match="File must be non-empty"):
        await bot.send_document(ana.id, b"", filename="a.bin")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GIF89a, or so it says", "Image_process_failed"),
        (b"\xff\xd8\xff\xe0\x00\x04ab and no frame", "Image_process_failed"),
        (picture(2100, 100), "Photo_invalid_dimensions"),
        (picture(5001, 5000, "PNG"), "Photo_invalid_dimensions"),
    ],
)
async def test_what_is_no_photo_is_refused_as_one(data: bytes, reason: str, bot: Bot, ana: Phone) -> None:
    """Telegram looks into the picture."""
    with pytest.raises(BadRequest, match=reason):
        await bot.send_photo(ana.id, data)


async def test_what_is_no_recording_is_refused_as_voice(bot: Bot, ana: Phone) -> None:
    """A PDF does not speak."""
    with pytest.raises(BadRequest, match="Wrong file type for a voice"):
        await bot.send_voice(ana.id, b"%PDF-1.7")


@pytest.mark.parametrize(
    ("method", "params", "reason"),
    [
        ("sendLocation", {}, "latitude and longitude are required"),
        ("sendLocation", {"latitude": 91, "longitude": 0}, "latitude and longitude are required"),
        ("sendLocation", {"latitude": 1, "longitude": 1, "live_period": 60}, "live locations are not available"),
        ("sendLocation", {"latitude": 1, "longitude": 1, "horizontal_accuracy": 1501}, "wrong horizontal accuracy"),
        ("sendContact", {"first_name": "Ana"}, "phone number is empty"),
        ("sendContact", {"phone_number": "+55"}, "first name is empty"),
        ("sendContact", {"phone_number": "+55", "first_name": "Ana", "vcard": "x" * 2049}, "vcard is too long"),
        ("sendChatAction", {"action": "dancing"}, "wrong parameter action"),
        ("deleteMessages", {"message_ids": []}, "1-100 expected"),
        ("setMessageReaction", {"message_id": 1, "reaction": [{"type": "emoji", "emoji": "x"}]}, "REACTION_INVALID"),
        ("setMessageReaction", {"message_id": 1, "reaction": [{"type": "paid"}]}, "only emoji reactions"),
        ("setChatMenuButton", {"menu_button": {"type": "door"}}, "unsupported type specified"),
        ("sendDocument", {"document": "https://example.org/a.pdf"}, "failed to get HTTP URL content"),
        ("sendDocument", {"document": "BAADBAAD"}, "wrong file identifier/HTTP URL specified"),
        ("sendDocument", {}, "there is no document in the request"),
        ("sendMediaGroup", {"media": [{"type": "poll"}, {"type": "poll"}]}, "can't use the media"),
        ("getFile", {"file_id": "BAADBAAD"}, "invalid file_id"),
    ],
)
async def test_other_wrong_calls_are_refused(
    method: str, params: dict[str, object], reason: str, raw: Raw, ana: Phone
) -> None:
    """Each with its reason."""
    target = {} if method == "getFile" else {"chat_id": ana.id}
    body = await raw(method, **target, **params)
    assert body["error_code"] == 400
    assert reason in body["description"]
