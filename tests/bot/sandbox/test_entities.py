"""Formatting as Telegram reads it: tags, entities, offsets in UTF-16, and its words when a tag is wrong."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Bot, Message, MessageEntity

from bot.sandbox.entities import formatted, parse_html, utf16_length
from bot.sandbox.refusals import ApiError
from tests.support.phone import Phone


def entity(kind: str, offset: int, length: int, **more: str) -> dict[str, Any]:
    """An entity as it travels."""
    return {"type": kind, "offset": offset, "length": length, **more}


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("<b>a</b> <strong>b</strong>", "a b", [entity("bold", 0, 1), entity("bold", 2, 1)]),
        ("<i>a</i><em>b</em>", "ab", [entity("italic", 0, 1), entity("italic", 1, 1)]),
        ("<u>a</u><ins>b</ins>", "ab", [entity("underline", 0, 1), entity("underline", 1, 1)]),
        (
            "<s>a</s><strike>b</strike><del>c</del>",
            "abc",
            [entity("strikethrough", n, 1) for n in range(3)],
        ),
        (
            '<span class="tg-spoiler">a</span><tg-spoiler>b</tg-spoiler>',
            "ab",
            [entity("spoiler", 0, 1), entity("spoiler", 1, 1)],
        ),
        (
            '<a href="https://x.gov.br/?a=1&amp;b=2">lei</a>',
            "lei",
            [entity("text_link", 0, 3, url="https://x.gov.br/?a=1&b=2")],
        ),
        ("<code>a&lt;b</code>", "a<b", [entity("code", 0, 3)]),
        ('<pre><code class="language-toml">x = 1</code></pre>', "x = 1", [entity("pre", 0, 5, language="toml")]),
        ("<pre>x</pre>", "x", [entity("pre", 0, 1)]),
        ("<blockquote>a</blockquote>", "a", [entity("blockquote", 0, 1)]),
        ("<blockquote expandable>a</blockquote>", "a", [entity("expandable_blockquote", 0, 1)]),
        ('<tg-emoji emoji-id="53">👍</tg-emoji>', "👍", [entity("custom_emoji", 0, 2, custom_emoji_id="53")]),
        ("👍<b>🇧🇷</b>", "👍🇧🇷", [entity("bold", 2, 4)]),
        ("<b>a<i>b</i></b>", "ab", [entity("bold", 0, 2), entity("italic", 1, 1)]),
        ("<code>a<b>b</b></code>", "ab", [entity("code", 0, 2)]),
        ("<b></b>x", "x", []),
        ("&quot;&#231;&#xe7;&amp;&nbsp;&ltd;", '"çç&&nbsp;&ltd;', []),
        ("<B>a</B >", "a", [entity("bold", 0, 1)]),
        ("<b>a</>", "a", [entity("bold", 0, 1)]),
        ("  <b> a </b>  ", " a", [entity("bold", 0, 2)]),
    ],
)
def test_html_becomes_text_and_entities(source: str, text: str, entities: list[dict[str, Any]]) -> None:
    """Every supported tag, nested or not, at the right place."""
    result = formatted(source, parse_mode="HTML")
    assert (result.text, list(result.entities)) == (text, entities)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<p>a</p>", 'Unsupported start tag "p" at byte offset 0'),
        ("ç <x>a", 'Unsupported start tag "x" at byte offset 3'),
        ("5 < 6 e 7 > 3", 'Unsupported start tag "" at byte offset 2'),
        ("5 < 6", "Unclosed start tag at byte offset 2"),
        ("<b>a", 'Can\'t find end tag corresponding to start tag "b"'),
        ("<b><i>a</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("a</b>", "Unexpected end tag at byte offset 1"),
        ("<b>a</b", "Unclosed end tag at byte offset 4"),
        ("<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("<a href>a</a>", 'Expected equal sign in declaration of an attribute of the tag "a" at byte offset 0'),
        ("<a =>a</a>", 'Empty attribute name in the tag "a" at byte offset 0'),
        ("<tg-emoji>👍</tg-emoji>", "Invalid custom emoji identifier specified"),
        ("José <maria>", 'Unsupported start tag "maria" at byte offset 6'),
    ],
)
async def test_wrong_html_is_refused_in_telegrams_words(source: str, reason: str) -> None:
    """A person's name with a sign in it, unescaped, costs the message."""
    with pytest.raises(ApiError) as refused:
        parse_html(source)
    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"


@given(st.text())
def test_an_escaped_text_survives_verbatim(text: str) -> None:
    """What is escaped as the bot escapes it comes out as it was written."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    assert parse_html(escaped).text == text


@given(st.text())
def test_any_text_is_read_or_refused(source: str) -> None:
    """No input makes the parser stumble, and entities stay inside the text."""
    with contextlib.suppress(ApiError):
        result = formatted(source, parse_mode="HTML")
        for found in result.entities:
            assert 0 <= found["offset"] < found["offset"] + found["length"] <= utf16_length(result.text)


@pytest.mark.parametrize(
    ("text", "kind", "piece"),
    [
        ("veja /protocolo agora", "bot_command", "/protocolo"),
        ("👍 /start@balcao_sandbox_bot", "bot_command", "/start@balcao_sandbox_bot"),
        ("leia https://www.gov.br/lei?x=1.", "url", "https://www.gov.br/lei?x=1"),
        ("escreva a ouvidoria@pelotas.rs.gov.br hoje", "email", "ouvidoria@pelotas.rs.gov.br"),
        ("fale com @prefeitura", "mention", "@prefeitura"),
        ("#táxi", "hashtag", "#táxi"),
    ],
)
def test_telegram_finds_entities_by_itself(text: str, kind: str, piece: str) -> None:
    """Commands and addresses in plain text are marked, as handlers and the page expect."""
    (found,) = formatted(text).entities
    assert found["type"] == kind
    units = text.encode("utf-16-le")
    assert units[found["offset"] * 2 : (found["offset"] + found["length"]) * 2].decode("utf-16-le") == piece


@pytest.mark.parametrize("text", ["1/2 hora", "dia 5/3/2026", "a//b", "placa ABC#1", "R$ 5"])
def test_ordinary_signs_are_no_entities(text: str) -> None:
    """A date is not a command."""
    assert formatted(text).entities == ()


async def test_the_library_reads_what_was_formatted(bot: Bot, ana: Phone) -> None:
    """python-telegram-bot finds the words of each entity, emoji before them or not."""
    message: Message = await bot.send_message(ana.id, "👩‍⚖️ <b>Defesa</b> até <i>18/03</i>: /prazos", parse_mode="HTML")
    assert list(message.parse_entities().values()) == ["Defesa", "18/03", "/prazos"]


async def test_entities_may_be_given_instead_of_markup(bot: Bot, ana: Phone) -> None:
    """Explicit entities are kept where they are."""
    message = await bot.send_message(ana.id, "Olá Ana", entities=[MessageEntity("bold", 4, 3)])
    assert message.parse_entity(message.entities[0]) == "Ana"
