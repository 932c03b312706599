"""Text with formatting: Telegram's HTML to plain text and entities, and the entities Telegram finds by itself.

Offsets and lengths count UTF-16 code units, as the Bot API does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from telegram import MessageEntity
from telegram.constants import MessageEntityType, MessageLimit, ParseMode

from bot.sandbox.refusals import ApiError, bad_request
from bot.sandbox.wire import Json, only_known_fields

TAGS = {
    "b": MessageEntityType.BOLD,
    "strong": MessageEntityType.BOLD,
    "i": MessageEntityType.ITALIC,
    "em": MessageEntityType.ITALIC,
    "u": MessageEntityType.UNDERLINE,
    "ins": MessageEntityType.UNDERLINE,
    "s": MessageEntityType.STRIKETHROUGH,
    "strike": MessageEntityType.STRIKETHROUGH,
    "del": MessageEntityType.STRIKETHROUGH,
    "span": MessageEntityType.SPOILER,
    "tg-spoiler": MessageEntityType.SPOILER,
    "tg-emoji": MessageEntityType.CUSTOM_EMOJI,
    "a": MessageEntityType.TEXT_LINK,
    "code": MessageEntityType.CODE,
    "pre": MessageEntityType.PRE,
    "blockquote": MessageEntityType.BLOCKQUOTE,
}
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot)(?![A-Za-z]));?")
LANGUAGE = "language-"
VERBATIM = (MessageEntityType.CODE, MessageEntityType.PRE)
OPAQUE = (*VERBATIM, MessageEntityType.TEXT_LINK)
FOUND = (
    (MessageEntityType.URL, re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?)\]]", re.IGNORECASE)),
    (MessageEntityType.EMAIL, re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (MessageEntityType.BOT_COMMAND, re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/<>])")),
    (MessageEntityType.MENTION, re.compile(r"(?<![\w.@])@[A-Za-z]\w{3,31}\b")),
    (MessageEntityType.HASHTAG, re.compile(r"(?<!\w)#\w*[^\W\d_]\w*")),
)


@dataclass(frozen=True)
class Formatted:
    """A text as it is shown, and its entities."""

    text: str
    entities: tuple[Json, ...] = ()

    def content(self, *, caption: bool = False) -> Json:
        """The message fields that carry it; none at all for an empty text."""
        if not self.text:
            return {}
        text, entities = ("caption", "caption_entities") if caption else ("text", "entities")
        return {text: self.text} | ({entities: list(self.entities)} if self.entities else {})


@dataclass(frozen=True)
class _Open:
    tag: str
    argument: str
    start: int


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def formatted(text: str, *, parse_mode: str | None = None, entities: Sequence[Json] | None = None) -> Formatted:
    """Apply a parse mode or explicit entities, trim as Telegram does and add the entities that Telegram finds."""
    if parse_mode and parse_mode.upper() == ParseMode.HTML:
        parsed = parse_html(text)
    elif parse_mode:
        if parse_mode.lower() not in (mode.lower() for mode in ParseMode):
            raise bad_request("unsupported parse_mode")
        raise bad_request(f"parse_mode {parse_mode} is not available in the sandbox; use HTML")
    else:
        parsed = Formatted(text, tuple(_checked(text, entities or ())))
    trimmed = _trimmed(parsed)
    every = [*trimmed.entities, *_found(trimmed)]
    every.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return Formatted(trimmed.text, tuple(every[: MessageLimit.MESSAGE_ENTITIES]))


def parse_html(source: str) -> Formatted:
    """Read Telegram's HTML.

    Raises:
        ApiError: An unsupported, unclosed or wrongly nested tag, in Telegram's wording.
    """
    out: list[str] = []
    offset = 0
    opened: list[_Open] = []
    entities: list[Json] = []
    position = 0
    while position < len(source):
        character = source[position]
        if character == "<":
            begin = position
            if source.startswith("</", begin):
                position = _close(source, begin, opened=opened, offset=offset, entities=entities)
            else:
                tag, argument, position = _start_tag(source, begin)
                opened.append(_Open(tag, argument, offset))
            continue
        reference = REFERENCE.match(source, position) if character == "&" else None
        decoded = _character(reference) if reference else None
        if reference and decoded:
            character, position = decoded, reference.end()
        else:
            position += 1
        out.append(character)
        offset += 1 if ord(character) <= 0xFFFF else 2
    if opened:
        raise _cannot_parse(f'Can\'t find end tag corresponding to start tag "{opened[-1].tag}"')
    return Formatted("".join(out), tuple(_without_nesting_in_code(entities)))


def _start_tag(source: str, begin: int) -> tuple[str, str, int]:
    end = source.find(">", begin)
    at = _byte(source, begin)
    name = re.compile(r"[^\s>]*").match(source, begin + 1)
    tag = name.group().lower() if name else ""
    if end < 0:
        raise _cannot_parse(f"Unclosed start tag at byte offset {at}")
    if tag not in TAGS:
        raise _cannot_parse(f'Unsupported start tag "{tag}" at byte offset {at}')
    attributes, end = _attributes(source, begin + 1 + len(tag), tag=tag, at=at)
    match tag:
        case "a":
            argument = attributes.get("href", "")
        case "code":
            argument = attributes.get("class", "").removeprefix(LANGUAGE)
        case "tg-emoji":
            argument = attributes.get("emoji-id", "")
            if not argument.isdigit():
                raise _cannot_parse("Invalid custom emoji identifier specified")
        case "blockquote":
            argument = "expandable" if "expandable" in attributes else ""
        case "span" if attributes.get("class") != "tg-spoiler":
            raise _cannot_parse(f'Tag "span" must have class "tg-spoiler" at byte offset {at}')
        case _:
            argument = ""
    return tag, argument, end


def _attributes(source: str, position: int, *, tag: str, at: int) -> tuple[dict[str, str], int]:
    attribute = re.compile(r"\s*([^\s=>/\"']+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
    attributes: dict[str, str] = {}
    while True:
        rest = re.compile(r"\s*>").match(source, position)
        if rest:
            return attributes, rest.end()
        match = attribute.match(source, position)
        if match is None:
            raise _cannot_parse(f'Empty attribute name in the tag "{tag}" at byte offset {at}')
        name = match.group(1).lower()
        value = next((group for group in match.groups()[1:] if group is not None), None)
        if value is None and not (tag == "blockquote" and name == "expandable"):
            raise _cannot_parse(
                f'Expected equal sign in declaration of an attribute of the tag "{tag}" at byte offset {at}'
            )
        attributes[name] = REFERENCE.sub(lambda found: _character(found) or found.group(), value or "")
        position = match.end()


def _close(source: str, begin: int, *, opened: list[_Open], offset: int, entities: list[Json]) -> int:
    at = _byte(source, begin)
    if not opened:
        raise _cannot_parse(f"Unexpected end tag at byte offset {at}")
    match = re.compile(r"</([^\s>]*)\s*(>?)").match(source, begin)
    if match is None or not match.group(2):
        raise _cannot_parse(f"Unclosed end tag at byte offset {at}")
    last = opened.pop()
    found = match.group(1).lower()
    if found and found != last.tag:
        raise _cannot_parse(
            f'Unmatched end tag at byte offset {at}, expected "</{last.tag}>", found "</{match.group(1)}>"'
        )
    if offset > last.start:
        _add(entities, last, offset - last.start)
    return match.end()


def _add(entities: list[Json], tag: _Open, length: int) -> None:
    kind = TAGS[tag.tag]
    entity: Json = {"type": kind.value, "offset": tag.start, "length": length}
    if kind is MessageEntityType.TEXT_LINK:
        if not re.match(r"(?:https?|tg|tel|mailto):", tag.argument, re.IGNORECASE):
            return
        entity["url"] = tag.argument
    elif kind is MessageEntityType.CUSTOM_EMOJI:
        entity["custom_emoji_id"] = tag.argument
    elif kind is MessageEntityType.BLOCKQUOTE and tag.argument:
        entity["type"] = MessageEntityType.EXPANDABLE_BLOCKQUOTE.value
    elif kind is MessageEntityType.CODE and tag.argument:
        entity["language"] = tag.argument
    elif kind is MessageEntityType.PRE and entities:
        inner = entities[-1]
        if inner["type"] == MessageEntityType.CODE and (inner["offset"], inner["length"]) == (tag.start, length):
            entities.pop()
            entity |= {"language": inner["language"]} if "language" in inner else {}
    entities.append(entity)


def _without_nesting_in_code(entities: Iterable[Json]) -> list[Json]:
    every = list(entities)
    code = [entity for entity in every if entity["type"] in VERBATIM]
    kept = [
        entity
        for entity in every
        if not any(_overlaps(entity, outer) and entity is not outer for outer in code) or entity in code
    ]
    for entity in kept:
        if entity["type"] == MessageEntityType.CODE:
            entity.pop("language", None)
    return kept


def _checked(text: str, entities: Sequence[Json]) -> list[Json]:
    limit = utf16_length(text)
    checked = []
    for entity in entities:
        only_known_fields(entity, MessageEntity, what="message entity")
        offset, length = entity.get("offset"), entity.get("length")
        if entity.get("type") not in list(MessageEntityType):
            raise bad_request(f"can't parse MessageEntity: unknown type {entity.get('type')}")
        if not isinstance(offset, int) or not isinstance(length, int) or offset < 0 or length <= 0:
            raise bad_request("can't parse MessageEntity: offset and length must be positive integers")
        if offset + length > limit:
            raise bad_request(f"entity beginning at UTF-16 offset {offset} ends after the end of the text")
        checked.append(dict(entity))
    return checked


def _trimmed(formatted: Formatted) -> Formatted:
    text = formatted.text.rstrip()
    leading = len(text) - len(text.lstrip())
    first = min((entity["offset"] for entity in formatted.entities), default=leading)
    leading = min(leading, first)
    text = text[leading:]
    length = utf16_length(text)
    entities = []
    for entity in formatted.entities:
        offset = entity["offset"] - leading
        kept = min(entity["length"], length - offset)
        if kept > 0:
            entities.append({**entity, "offset": offset, "length": kept})
    return Formatted(text, tuple(entities))


def _found(formatted: Formatted) -> list[Json]:
    taken = [entity for entity in formatted.entities if entity["type"] in OPAQUE]
    for kind, pattern in FOUND:
        for match in pattern.finditer(formatted.text):
            entity: Json = {
                "type": kind.value,
                "offset": utf16_length(formatted.text[: match.start()]),
                "length": utf16_length(match.group()),
            }
            if not any(_overlaps(entity, other) for other in taken):
                taken.append(entity)
    given = {id(entity) for entity in formatted.entities}
    return [entity for entity in taken if id(entity) not in given]


def _overlaps(one: Json, other: Json) -> bool:
    return bool(one["offset"] < other["offset"] + other["length"] and other["offset"] < one["offset"] + one["length"])


def _character(reference: re.Match[str]) -> str | None:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def _byte(source: str, position: int) -> int:
    return len(source[:position].encode())


def _cannot_parse(reason: str) -> ApiError:
    return bad_request(f"can't parse entities: {reason}")
