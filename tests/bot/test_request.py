"""PTB's own ``Bot`` on our request backend, against the local server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from PIL import Image
from telegram import Bot, InputMediaPhoto
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter, TimedOut

from bot.clock import Clock
from bot.request import AiohttpRequest
from bot.sandbox.server import Sandbox
from tests.support.counter import TOKEN
from tests.support.phone import Phone, Phones


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """A local server."""
    server = Sandbox(token=TOKEN, clock=Clock(), pace=False)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def phones(sandbox: Sandbox) -> AsyncIterator[Phones]:
    """Its people."""
    async with Phones(sandbox.url) as opened:
        yield opened


@pytest.fixture
async def ana(sandbox: Sandbox, phones: Phones) -> Phone:
    """Somebody to whom the bot may write."""
    phone = await phones.add("Ana")
    sandbox.world.phone(phone.id).started = True
    return phone


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[Bot]:
    """The bot."""
    async with bot_on(sandbox.url) as opened:
        yield opened


def bot_on(url: str, token: str = TOKEN) -> Bot:
    return Bot(token, base_url=f"{url}/bot", base_file_url=f"{url}/file/bot", request=AiohttpRequest())


async def test_texts_and_uploads_arrive_whole(bot: Bot, ana: Phone) -> None:
    """A text, a document of two megabytes and an album reach Ana; the document comes back as it was."""
    content = b"%PDF-1.4" + bytes(range(256)) * 8000
    await bot.send_message(ana.id, "olá <b>você</b>", parse_mode="HTML")
    await ana.sees("olá você")
    sent = await bot.send_document(ana.id, content, filename="ofício nº 1.pdf", caption="ofício")
    assert sent.document is not None
    assert sent.document.file_name == "ofício nº 1.pdf"
    file = await bot.get_file(sent.document.file_id)
    assert bytes(await file.download_as_bytearray()) == content


async def test_each_trouble_has_ptbs_own_error(bot: Bot, ana: Phone, phones: Phones, sandbox: Sandbox) -> None:
    """What PTB's users catch is what they get, and no words of it hold the token."""
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(123456, "ninguém")
    await phones.fault("sendMessage", status=429, retry_after=7)
    with pytest.raises(RetryAfter):
        await bot.send_message(ana.id, "devagar")
    await phones.fault("sendMessage", status=502)
    with pytest.raises(NetworkError):
        await bot.send_message(ana.id, "oi")
    await phones.fault("sendMessage", drop=True)
    with pytest.raises(NetworkError) as dropped:
        await bot.send_message(ana.id, "oi")
    assert TOKEN not in str(dropped.value)
    with pytest.raises(InvalidToken):
        async with bot_on(sandbox.url, "4200001:another-token-of-nobody"):
            pass


async def test_a_server_that_is_not_there_or_does_not_answer() -> None:
    """Nobody listens: a network error. Somebody listens and says nothing: timed out, as long as was asked."""

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    bot = bot_on(f"http://127.0.0.1:{port}")
    await bot.request.initialize()
    with pytest.raises(TimedOut):
        await bot.get_me(read_timeout=0.1)
    server.close()
    await bot.request.shutdown()

    bot = bot_on("http://127.0.0.1:1")
    await bot.request.initialize()
    with pytest.raises(NetworkError):
        await bot.get_me()
    await bot.request.shutdown()


async def test_an_album_is_one_request(bot: Bot, ana: Phone) -> None:
    """Several files in one multipart body, each under its own name."""
    photos = [InputMediaPhoto(picture(colour)) for colour in ("red", "green")]
    sent = await bot.send_media_group(ana.id, photos)
    assert len({message.media_group_id for message in sent}) == 1


def picture(colour: str) -> bytes:
    made = BytesIO()
    Image.new("RGB", (32, 32), colour).save(made, "PNG")
    return made.getvalue()
