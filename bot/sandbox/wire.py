"""From an HTTP request to a method call whose parameters are decoded and known.

Which methods exist, which parameters each takes, which are required and of which type is read off the signatures of
``telegram.Bot``: a parameter that a signature does not name is refused, where Telegram would silently ignore it.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

from aiohttp import web
from telegram import Bot

from bot.sandbox.refusals import ApiError, bad_request

Json = dict[str, Any]

ATTACHED = "attach://"
NOT_ON_THE_WIRE = {"api_kwargs", "filename", "bot", "frozen", "id_attrs"}

EMPTY_WORDING = {
    "text": "message text is empty",
    "chat_id": "chat_id is empty",
    "message_id": "message identifier is not specified",
    "message_ids": "message identifiers are not specified",
    "file_id": "file_id not specified",
}


class Kind(StrEnum):
    """How a parameter travels."""

    CHAT = "Integer or String"
    INTEGER = "Integer"
    NUMBER = "Float"
    BOOLEAN = "Boolean"
    STRING = "String"
    ARRAY = "Array"
    OBJECT = "Object"
    FILE = "InputFile"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method, as the signature gives it."""

    name: str
    kind: Kind
    required: bool


@dataclass(frozen=True)
class Upload:
    """A file as it arrived."""

    name: str
    content_type: str
    data: bytes


@dataclass(frozen=True)
class Call:
    """A method call off the wire, its parameters not decoded yet."""

    method: str
    raw: Mapping[str, Any]
    files: Mapping[str, Upload] = field(default_factory=dict)


@cache
def methods() -> dict[str, tuple[str, dict[str, Parameter]]]:
    """Every method of the Bot API that python-telegram-bot knows, by its lower-case name.

    Bot API methods are the camelCase coroutines of ``Bot``; what follows the ``*`` in a signature is a convenience
    of the library (timeouts, ``reply_to_message_id``) and never travels under that name.
    """
    found: dict[str, tuple[str, dict[str, Parameter]]] = {}
    for name, function in inspect.getmembers(Bot, inspect.iscoroutinefunction):
        parameters = inspect.signature(function).parameters
        if "_" in name or "api_kwargs" not in parameters:
            continue
        found[name.lower()] = (
            name,
            {
                p.name: Parameter(p.name, _kind(p.annotation), p.default is p.empty)
                for p in list(parameters.values())[1:]
                if p.kind is not p.KEYWORD_ONLY
            },
        )
    return found


@cache
def fields_of(cls: type) -> frozenset[str]:
    """The keys that an object of this Telegram type may carry."""
    slots = {slot for base in cls.__mro__ for slot in getattr(base, "__slots__", ())}
    return frozenset(slot.removeprefix("_") for slot in slots) - NOT_ON_THE_WIRE


def only_known_fields(value: object, cls: type, *, what: str) -> Json:
    """Refuse an object with a key that its Telegram type does not have."""
    if not isinstance(value, dict):
        raise bad_request(f"object expected as {what}")
    unknown = next((key for key in value if key not in fields_of(cls)), None)
    if unknown is not None:
        raise bad_request(f"unknown field {unknown} in {what}")
    return value


async def read_call(request: web.Request, method: str) -> Call:
    """Take a call out of a GET or POST request in any of the forms that Telegram accepts."""
    raw: Json = dict(request.query)
    files: dict[str, Upload] = {}
    if request.method == "POST" and request.content_type == "application/json":
        try:
            body = await request.json()
        except ValueError as error:
            raise bad_request("can't parse JSON object") from error
        if not isinstance(body, dict):
            raise bad_request("can't parse JSON object")
        raw |= body
    elif request.method == "POST":
        for key, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                files[key] = Upload(value.filename, value.content_type, value.file.read())
            elif isinstance(value, str):
                raw[key] = value
    return Call(method, raw, files)


def proper_name(method: str) -> str:
    """The method's name as Telegram spells it.

    Raises:
        ApiError: 404, there is no such method.
    """
    known = methods().get(method.lower())
    if known is None:
        raise ApiError(404, "Not Found")
    return known[0]


def decode(call: Call) -> Json:
    """The decoded parameters of a call whose method is known.

    Raises:
        ApiError: 400 for an unknown, missing or malformed parameter.
    """
    parameters = methods()[call.method.lower()][1]
    _refuse_unknown(call, parameters)
    decoded: Json = {}
    for parameter in parameters.values():
        value = call.files.get(parameter.name, call.raw.get(parameter.name))
        if value is None or value == "":
            if parameter.required and (value is None or parameter.kind is not Kind.STRING):
                raise bad_request(EMPTY_WORDING.get(parameter.name, f"there is no {parameter.name} in the request"))
            if value == "" and parameter.kind is Kind.STRING:
                decoded[parameter.name] = ""
            continue
        decoded[parameter.name] = _decoded(parameter, value, call)
    return decoded


def attached(value: object, files: Mapping[str, Upload]) -> Upload | str:
    """Resolve ``attach://name`` to the uploaded file; a file id or an address stays as it is."""
    if isinstance(value, Upload):
        return value
    if not isinstance(value, str) or not value:
        raise bad_request("there is no file in the request")
    if value.startswith(ATTACHED):
        upload = files.get(value.removeprefix(ATTACHED))
        if upload is None:
            raise bad_request("can't find the attached file in the request")
        return upload
    return value


def _refuse_unknown(call: Call, parameters: Mapping[str, Parameter]) -> None:
    unknown = next((key for key in call.raw if key not in parameters), None)
    if unknown is not None:
        raise bad_request(f"unknown parameter {unknown}")
    texts = (
        [value if isinstance(value, str) else json.dumps(value) for value in call.raw.values()] if call.files else []
    )
    for key in call.files:
        if key not in parameters and not any(f"{ATTACHED}{key}" in text for text in texts):
            raise bad_request(f"unknown parameter {key}")


def _kind(annotation: object) -> Kind:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    words = set(re.findall(r"\w+", text))
    if "FileInput" in words or "Path" in words:
        return Kind.FILE
    if "Sequence" in words:
        return Kind.ARRAY
    plain = words & {"int", "str", "float", "bool", "Literal"}
    if {"int", "str"} <= plain:
        return Kind.CHAT
    for word, kind in (("str", Kind.STRING), ("bool", Kind.BOOLEAN), ("float", Kind.NUMBER)):
        if word in plain:
            return kind
    return Kind.INTEGER if plain else Kind.OBJECT


def _decoded(parameter: Parameter, value: Any, call: Call) -> Any:
    match parameter.kind:
        case Kind.FILE:
            return attached(value, call.files)
        case Kind.ARRAY | Kind.OBJECT:
            return _structure(parameter, value)
        case Kind.BOOLEAN:
            return _boolean(parameter, value)
        case Kind.INTEGER | Kind.NUMBER:
            return _number(parameter, value)
        case Kind.CHAT:
            return int(value) if re.fullmatch(r"-?\d{1,19}", str(value)) else str(value)
        case Kind.STRING:
            if isinstance(value, str):
                return value
    raise _wrong(parameter)


def _structure(parameter: Parameter, value: Any) -> Any:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise bad_request(f"can't parse {parameter.name} JSON object") from error
    if not isinstance(value, list if parameter.kind is Kind.ARRAY else dict):
        raise _wrong(parameter)
    return value


def _boolean(parameter: Parameter, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "1"):
        return True
    if str(value).lower() in ("false", "0"):
        return False
    raise _wrong(parameter)


def _number(parameter: Parameter, value: Any) -> int | float:
    if isinstance(value, bool):
        raise _wrong(parameter)
    try:
        return float(value) if parameter.kind is Kind.NUMBER else int(str(value))
    except (TypeError, ValueError) as error:
        raise _wrong(parameter) from error


def _wrong(parameter: Parameter) -> ApiError:
    return bad_request(f'can\'t parse parameter "{parameter.name}": it must be of type {parameter.kind.value}')
