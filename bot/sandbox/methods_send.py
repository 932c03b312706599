"""Methods that put something new into a chat."""

from __future__ import annotations

from telegram import (
    InputMediaAudio,
    InputMediaDocument,
    InputMediaPhoto,
    InputMediaVideo,
    LinkPreviewOptions,
)
from telegram.constants import (
    ChatAction,
    ContactLimit,
    FileSizeLimit,
    LocationLimit,
    MediaGroupLimit,
    MessageAttachmentType,
)

from bot.sandbox.entities import utf16_length
from bot.sandbox.limits import caption_of, message_text
from bot.sandbox.methods import Request, chat_of, message_of, method, refuse_what_is_not_here, send, writable_chat
from bot.sandbox.refusals import ApiError, bad_request
from bot.sandbox.wire import Json, Upload, attached, only_known_fields

ALBUM = {
    "photo": InputMediaPhoto,
    "video": InputMediaVideo,
    "document": InputMediaDocument,
    "audio": InputMediaAudio,
}
ALONE = ("document", "audio")
OF_ITS_CHAT = ("message_id", "from", "chat", "date", "edit_date", "reply_to_message", "reply_markup", "media_group_id")


@method("sendMessage")
async def send_message(request: Request) -> Json:
    """A text."""
    if "link_preview_options" in request.params:
        only_known_fields(request.params["link_preview_options"], LinkPreviewOptions, what="link preview options")
    return send(request, message_text(request.params).content())[0]


@method("sendPhoto")
async def send_photo(request: Request) -> Json:
    """A picture."""
    return _send_file(request, "photo")


@method("sendDocument")
async def send_document(request: Request) -> Json:
    """A file of any kind."""
    return _send_file(request, "document")


@method("sendVoice")
async def send_voice(request: Request) -> Json:
    """A voice message: Ogg, MP3 or M4A."""
    return _send_file(request, "voice")


@method("sendAudio")
async def send_audio(request: Request) -> Json:
    """A piece of music."""
    return _send_file(request, "audio")


@method("sendVideo")
async def send_video(request: Request) -> Json:
    """A film."""
    return _send_file(request, "video")


@method("sendMediaGroup")
async def send_media_group(request: Request) -> list[Json]:
    """An album."""
    media = request.params["media"]
    if not MediaGroupLimit.MIN_MEDIA_LENGTH <= len(media) <= MediaGroupLimit.MAX_MEDIA_LENGTH:
        raise bad_request("wrong number of media in the album: it must include 2-10 items")
    kinds = {str(item.get("type")) if isinstance(item, dict) else "" for item in media}
    if kinds - ALBUM.keys():
        raise bad_request("can't use the media of the specified type in the album")
    if len(kinds) > 1 and kinds & set(ALONE):
        raise bad_request("document and audio can't be mixed with other media types in the album")
    writable_chat(request)
    contents = []
    for item in media:
        kind = item["type"]
        only_known_fields(item, ALBUM[kind], what="InputMedia")
        caption = caption_of(item).content(caption=True)
        contents.append(_file(request, kind, attached(item.get("media"), request.files)) | caption)
    album = {"media_group_id": str(next(request.world.album_ids))}
    return send(request, *(content | album for content in contents))


@method("sendLocation")
async def send_location(request: Request) -> Json:
    """A point on the map."""
    params = request.params
    if "live_period" in params or "proximity_alert_radius" in params or "heading" in params:
        raise bad_request("live locations are not available in the sandbox")
    latitude, longitude = params.get("latitude"), params.get("longitude")
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        raise bad_request("wrong location: latitude and longitude are required")
    location = {"latitude": latitude, "longitude": longitude}
    if "horizontal_accuracy" in params:
        if not 0 <= params["horizontal_accuracy"] <= LocationLimit.HORIZONTAL_ACCURACY:
            raise bad_request("wrong horizontal accuracy specified")
        location["horizontal_accuracy"] = params["horizontal_accuracy"]
    return send(request, {"location": location})[0]


@method("sendContact")
async def send_contact(request: Request) -> Json:
    """Somebody's number."""
    params = request.params
    if not params.get("phone_number"):
        raise bad_request("phone number is empty")
    if not params.get("first_name"):
        raise bad_request("first name is empty")
    if utf16_length(params.get("vcard", "")) > ContactLimit.VCARD:
        raise bad_request("vcard is too long")
    contact = {key: params[key] for key in ("phone_number", "first_name", "last_name", "vcard") if params.get(key)}
    return send(request, {"contact": contact})[0]


@method("sendChatAction")
async def send_chat_action(request: Request) -> bool:
    """The bot is seen typing, for a few seconds."""
    if request.params["action"] not in list(ChatAction):
        raise bad_request("wrong parameter action in request")
    refuse_what_is_not_here(request.params)
    chat = writable_chat(request)
    request.world.type(request.world.phones[chat.id])
    return True


@method("copyMessage")
async def copy_message(request: Request) -> Json:
    """The same message again, as the bot's own, perhaps under another caption."""
    params = request.params
    original = _original(request, wanted="to copy")
    content = _without_home(original)
    content.pop("forward_origin", None)
    if "caption" in params and "text" not in content:
        content = {key: value for key, value in content.items() if not key.startswith("caption")}
        content |= caption_of(params).content(caption=True)
    return {"message_id": send(request, content)[0]["message_id"]}


@method("forwardMessage")
async def forward_message(request: Request) -> Json:
    """The same message again, naming who first sent it."""
    original = _original(request, wanted="to forward")
    origin = {"type": "user", "sender_user": original["from"], "date": original["date"]}
    return send(request, {"forward_origin": origin, **_without_home(original)})[0]


def _send_file(request: Request, kind: str) -> Json:
    if "thumbnail" in request.params or "cover" in request.params:
        raise bad_request("thumbnails and covers are not available in the sandbox")
    caption = caption_of(request.params)
    writable_chat(request)
    return send(request, _file(request, kind, request.params[kind]) | caption.content(caption=True))[0]


def _file(request: Request, kind: str, given: Upload | str) -> Json:
    if isinstance(given, str):
        return request.world.files.resend(kind, given)
    if len(given.data) > FileSizeLimit.FILESIZE_UPLOAD:
        raise ApiError(413, "Request Entity Too Large")
    if kind == MessageAttachmentType.VOICE and not _can_be_voice(given.data):
        raise bad_request("wrong file type for a voice message: Ogg, MP3 or M4A expected")
    return request.world.files.receive(kind, given)


def _can_be_voice(data: bytes) -> bool:
    return data.startswith((b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3")) or data[4:8] == b"ftyp"


def _original(request: Request, *, wanted: str) -> Json:
    message = message_of(request, wanted=wanted, chat=chat_of(request, key="from_chat_id"))
    if message.get("has_protected_content"):
        raise bad_request("message has protected content and can't be forwarded or copied")
    return message


def _without_home(message: Json) -> Json:
    return {key: value for key, value in message.items() if key not in OF_ITS_CHAT}
