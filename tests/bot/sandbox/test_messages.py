"""Messages and files: sent, edited, answered, deleted, passed on and downloaded."""

from __future__ import annotations

from datetime import timedelta

import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    InputMediaPhoto,
    Message,
    ReplyParameters,
)
from telegram.error import BadRequest, Forbidden, InvalidToken, NetworkError

from bot.sandbox.server import Sandbox
from tests.bot.sandbox.conftest import Clock, picture
from tests.support.phone import Phone, Phones

YES = InlineKeyboardMarkup([[InlineKeyboardButton("Sim", callback_data="yes")]])
NO = InlineKeyboardMarkup([[InlineKeyboardButton("Não", callback_data="no")]])


async def test_a_message_is_dated_by_the_sandboxs_clock(bot: Bot, ana: Phone, clock: Clock) -> None:
    """A week later by the clock is a week later in the chat, for both sides."""
    clock.move(timedelta(days=7))
    assert (await bot.send_message(ana.id, "Bom dia")).date == clock.now()
    assert (await ana.sends("Bom dia")).raw["date"] == int(clock.now().timestamp())


async def test_a_message_is_edited_in_place(bot: Bot, ana: Phone) -> None:
    """Text and keyboard change together; a text edited without a keyboard loses it."""
    message = await bot.send_message(ana.id, "Pronto?", reply_markup=YES)
    edited = await bot.edit_message_text("Certeza?", ana.id, message.message_id, reply_markup=NO)
    assert isinstance(edited, Message)
    assert edited.edit_date
    screen = await ana.sees("Certeza?")
    assert (screen.id, screen.labels) == (message.message_id, ["Não"])

    await bot.edit_message_reply_markup(ana.id, message.message_id, reply_markup=YES)
    await ana.quiet(0.05)
    assert ana.buttons() == ["Sim"]
    await bot.edit_message_text("Feito.", ana.id, message.message_id)
    assert (await ana.sees("Feito.")).labels == []


async def test_an_edit_that_changes_nothing_is_refused(bot: Bot, ana: Phone) -> None:
    """The same text and keyboard again is an error, the same text with another keyboard is not."""
    message = await bot.send_message(ana.id, "<b>Pronto?</b>", parse_mode="HTML", reply_markup=YES)
    with pytest.raises(BadRequest, match="Message is not modified: specified new message content"):
        await bot.edit_message_text("<b>Pronto?</b>", ana.id, message.message_id, parse_mode="HTML", reply_markup=YES)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_reply_markup(ana.id, message.message_id, reply_markup=YES)
    assert await bot.edit_message_text("Pronto?", ana.id, message.message_id, reply_markup=YES)
    assert await bot.edit_message_text("Pronto?", ana.id, message.message_id, reply_markup=NO)


async def test_only_what_is_there_and_ones_own_can_be_edited(bot: Bot, ana: Phone, photo: bytes) -> None:
    """Not a deleted message, not a person's, not the text of a photo nor the caption of a text."""
    said = await ana.sends("minha")
    picture_sent = await bot.send_photo(ana.id, photo)
    text_sent = await bot.send_message(ana.id, "texto")
    for call, reason in (
        (bot.edit_message_text("x", ana.id, 999), "Message to edit not found"),
        (bot.edit_message_text("x", ana.id, said.id), "Message can't be edited"),
        (bot.edit_message_text("x", ana.id, picture_sent.message_id), "no text in the message to edit"),
        (bot.edit_message_caption(ana.id, text_sent.message_id, caption="x"), "no caption in the message to edit"),
        (bot.edit_message_text("", ana.id, text_sent.message_id), "Message text is empty"),
        (bot.edit_message_text("x", 5, 1), "Chat not found"),
    ):
        with pytest.raises(BadRequest, match=reason):
            await call
    edited = await bot.edit_message_caption(ana.id, picture_sent.message_id, caption="vista")
    assert isinstance(edited, Message)
    assert edited.caption == "vista"


async def test_a_message_can_be_deleted_for_two_days(bot: Bot, ana: Phone, clock: Clock) -> None:
    """Gone from the phone at once; after 48 hours Telegram keeps it."""
    first, second, third = [await bot.send_message(ana.id, text) for text in ("1", "2", "3")]
    await ana.sees("3")
    assert await bot.delete_message(ana.id, first.message_id)
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await bot.delete_message(ana.id, first.message_id)
    assert await bot.delete_messages(ana.id, [first.message_id, second.message_id])
    await ana.quiet(0.05)
    assert [screen.text for screen in ana.history()] == ["/start", "3"]

    clock.move(timedelta(hours=48, seconds=1))
    with pytest.raises(BadRequest, match="Message can't be deleted for everyone"):
        await bot.delete_message(ana.id, third.message_id)
    assert await bot.delete_messages(ana.id, [third.message_id])
    assert ana.last().text == "3"


async def test_a_message_can_answer_another(bot: Bot, ana: Phone) -> None:
    """The answered message travels along; a missing one is refused unless the bot allows it."""
    said = await ana.sends("Quando?", reply_to=(await bot.send_message(ana.id, "Pergunte.")).message_id)
    assert said.raw["reply_to_message"]["text"] == "Pergunte."
    answer = await bot.send_message(ana.id, "Amanhã.", reply_parameters=ReplyParameters(said.id))
    assert answer.reply_to_message
    assert answer.reply_to_message.text == "Quando?"
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await bot.send_message(ana.id, "?", reply_parameters=ReplyParameters(999))
    allowed = ReplyParameters(999, allow_sending_without_reply=True)
    assert (await bot.send_message(ana.id, "?", reply_parameters=allowed)).reply_to_message is None


async def test_a_photo_has_sizes_and_comes_back_as_sent(bot: Bot, ana: Phone, photo: bytes) -> None:
    """A person's photo arrives in several sizes, the last the largest, and can be downloaded."""
    await ana.sends_photo(photo, caption="Minha CNH")
    update = (await bot.get_updates())[-1]
    assert update.message
    sizes = update.message.photo
    assert [(size.width, size.height) for size in sizes] == [
        (90, 68),
        (320, 240),
        (800, 600),
        (1280, 960),
        (1600, 1200),
    ]
    assert update.message.caption == "Minha CNH"
    assert len({size.file_unique_id for size in sizes}) == 5
    assert bytes(await (await sizes[-1].get_file()).download_as_bytearray()) == photo


@pytest.mark.parametrize(("width", "height", "form"), [(64, 48, "PNG"), (33, 77, "JPEG")])
async def test_a_small_photo_has_its_own_size(width: int, height: int, form: str, bot: Bot, ana: Phone) -> None:
    """Width and height are read from the picture itself, PNG or JPEG."""
    message = await bot.send_photo(ana.id, picture(width, height, form))
    assert [(size.width, size.height) for size in message.photo] == [(width, height)]


async def test_a_document_keeps_its_name_and_type(bot: Bot, ana: Phone) -> None:
    """Accents in the name survive both ways, and the type follows the name when none is given."""
    await ana.sends_document(b"%PDF-1.7 ...", "certidão nº 3.pdf", caption="veja")
    update = (await bot.get_updates())[-1]
    assert update.message
    document = update.message.document
    assert document
    assert (document.file_name, document.mime_type) == ("certidão nº 3.pdf", "application/pdf")
    sent = await bot.send_document(ana.id, b"BEGIN:VCALENDAR", filename="prazos.ics")
    assert sent.document
    assert (sent.document.file_name, sent.document.mime_type) == ("prazos.ics", "text/calendar")


async def test_every_kind_of_file_arrives(bot: Bot, ana: Phone) -> None:
    """Voice, audio and video, both ways, with their durations."""
    ogg = b"OggS\x00\x02" + bytes(50) + b"OggS\x00\x04" + (48_000 * 7).to_bytes(8, "little") + bytes(20)
    await ana.sends_voice(ogg)
    await ana.sends_files("audio", [("som.mp3", b"ID3 ...")])
    await ana.sends_files("video", [("filme.mp4", b"....ftypmp42")])
    *_, voice, audio, video = [update.message for update in await bot.get_updates()]
    assert voice
    assert voice.voice
    assert (voice.voice.mime_type, voice.voice.duration) == ("audio/ogg", timedelta(seconds=7))
    assert audio
    assert audio.audio
    assert audio.audio.file_name == "som.mp3"
    assert video
    assert video.video

    assert (await bot.send_voice(ana.id, ogg)).voice
    assert (await bot.send_audio(ana.id, b"ID3 ...", filename="som.mp3")).audio
    assert (await bot.send_video(ana.id, b"....ftypmp42", filename="filme.mp4")).video
    assert (await bot.send_location(ana.id, -16.07, -57.68)).location
    assert (await bot.send_contact(ana.id, "+550000", "Guarda")).contact


async def test_a_known_file_is_sent_again_by_its_id(bot: Bot, ana: Phone, photo: bytes) -> None:
    """The id of this bot serves, as the kind it was; another bot's does not."""
    sent = await bot.send_photo(ana.id, photo)
    again = await bot.send_photo(ana.id, sent.photo[0].file_id, caption="de novo")
    assert (again.photo, again.caption) == (sent.photo, "de novo")
    with pytest.raises(BadRequest, match="Can't use file of type photo as document"):
        await bot.send_document(ana.id, sent.photo[0].file_id)


async def test_two_uploads_of_one_file_are_two_files(bot: Bot, ana: Phone, photo: bytes) -> None:
    """Telegram does not tell duplicates by their ids; only a hash does."""
    first, second = [await bot.send_photo(ana.id, photo) for _ in range(2)]
    assert first.photo[-1].file_unique_id != second.photo[-1].file_unique_id


async def test_a_large_file_arrives_and_cannot_be_downloaded(bot: Bot, ana: Phone) -> None:
    """21 MB from a person: the caption is there, the file is not."""
    await ana.sends_document(bytes(21_000_000), "laudo.pdf", caption="meu laudo")
    update = (await bot.get_updates())[-1]
    assert update.message
    assert update.message.document
    assert update.message.caption == "meu laudo"
    with pytest.raises(BadRequest, match="File is too big"):
        await update.message.document.get_file()
    await ana.sends_document(bytes(20_000_000), "cabe.pdf")
    update = (await bot.get_updates())[-1]
    assert update.message
    assert update.message.document
    assert await update.message.document.get_file()


async def test_a_download_link_lives_an_hour(bot: Bot, ana: Phone, photo: bytes, clock: Clock) -> None:
    """Asked again, it lives again."""
    sent = await bot.send_photo(ana.id, photo)
    file = await sent.photo[-1].get_file()
    clock.move(timedelta(minutes=61))
    with pytest.raises((InvalidToken, NetworkError, BadRequest)):
        await file.download_as_bytearray()
    assert bytes(await (await sent.photo[-1].get_file()).download_as_bytearray()) == photo


async def test_an_album_from_the_bot_is_several_messages(bot: Bot, ana: Phone, photo: bytes) -> None:
    """One id for all, a caption of its own for each, new files and known ones mixed."""
    known = (await bot.send_photo(ana.id, photo)).photo[-1].file_id
    album = await bot.send_media_group(
        ana.id, [InputMediaPhoto(photo, caption="<b>frente</b>", parse_mode="HTML"), InputMediaPhoto(known)]
    )
    assert len({message.media_group_id for message in album}) == 1
    assert [message.caption for message in album] == ["frente", None]
    papers = [InputMediaDocument(b"a", filename="a.pdf"), InputMediaDocument(b"b", filename="b.pdf")]
    assert len(await bot.send_media_group(ana.id, papers)) == 2


async def test_an_album_from_a_person_is_several_updates(bot: Bot, ana: Phone, photo: bytes) -> None:
    """Separate updates under one id, the caption on the first."""
    await ana.sends_album([photo, photo, photo], caption="As três páginas")
    messages = [update.message for update in (await bot.get_updates())[-3:]]
    assert len({message.media_group_id for message in messages if message}) == 1
    assert [message.caption for message in messages if message] == ["As três páginas", None, None]


async def test_messages_are_copied_and_forwarded(bot: Bot, phones: Phones, ana: Phone, photo: bytes) -> None:
    """A copy is the bot's own and may change its caption; a forward names the author; protected content stays."""
    bia = await phones.add("Bia")
    await bia.sends("/start")
    shown = await ana.sends_photo(photo, caption="frente")
    await bot.copy_message(bia.id, ana.id, shown.id, caption="copiada")
    assert (await bia.sees("copiada")).raw["photo"] == shown.raw["photo"]
    forwarded = await bot.forward_message(bia.id, ana.id, shown.id)
    assert forwarded.forward_origin
    assert forwarded.caption == "frente"
    secret = await bot.send_message(ana.id, "sigilo", protect_content=True)
    for call in (bot.copy_message, bot.forward_message):
        with pytest.raises(BadRequest, match="protected content"):
            await call(bia.id, ana.id, secret.message_id)
    with pytest.raises(BadRequest, match="Message to copy not found"):
        await bot.copy_message(bia.id, ana.id, 999)


async def test_a_message_is_pinned_and_let_go(bot: Bot, ana: Phone) -> None:
    """getChat shows the pinned one."""
    message = await bot.send_message(ana.id, "Protocolo 1/2026")
    assert await bot.pin_chat_message(ana.id, message.message_id)
    assert (await bot.get_chat(ana.id)).pinned_message == message
    assert await bot.unpin_chat_message(ana.id)
    assert (await bot.get_chat(ana.id)).pinned_message is None
    with pytest.raises(BadRequest, match="Message to unpin not found"):
        await bot.unpin_chat_message(ana.id)


async def test_who_never_wrote_cannot_be_written_to(bot: Bot, phones: Phones) -> None:
    """A stranger's number is not enough, and a number that does not exist is not found."""
    stranger = await phones.add("Davi")
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(stranger.id, "Oi")
    for chat_id in (5, "@ninguem"):
        with pytest.raises(BadRequest, match="Chat not found"):
            await bot.send_message(chat_id, "Oi")


async def test_who_blocked_the_bot_is_left_alone(bot: Bot, ana: Phone, photo: bytes) -> None:
    """403 for whatever is sent or edited, an update each way, and all is well after unblocking."""
    message = await bot.send_message(ana.id, "Oi")
    await ana.blocks()
    for call in (
        bot.send_message(ana.id, "Oi?"),
        bot.send_photo(ana.id, photo),
        bot.send_media_group(ana.id, [InputMediaPhoto(photo)] * 2),
        bot.send_chat_action(ana.id, "typing"),
        bot.edit_message_text("Olá", ana.id, message.message_id),
    ):
        with pytest.raises(Forbidden, match="bot was blocked by the user"):
            await call
    assert (await bot.get_chat_member(ana.id, bot.id)).status == "kicked"
    await ana.unblocks()
    assert await bot.send_message(ana.id, "Olá de novo")
    changes = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [change.new_chat_member.status for change in changes] == ["kicked", "member"]


async def test_a_message_queued_keeps_what_it_said_then(sandbox: Sandbox, bot: Bot, ana: Phone) -> None:
    """A person edits before the bot looks: it gets both, the first as it was."""
    said = await ana.sends("Placa ABC1234")
    await ana.edits(said, "Placa ABC1D23")
    *_, first, second = await bot.get_updates()
    assert first.message
    assert second.edited_message
    assert (first.message.text, second.edited_message.text) == ("Placa ABC1234", "Placa ABC1D23")
    assert second.edited_message.edit_date
