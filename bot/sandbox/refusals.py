"""How the sandbox says no: Telegram's error codes and wording to the bot, Portuguese sentences to the page."""

from __future__ import annotations

from http import HTTPStatus


class ApiError(Exception):
    """A Bot API call is refused; becomes ``{"ok": false, ...}`` on the wire."""

    def __init__(self, code: int, description: str, *, retry_after: int | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after

    def body(self) -> dict[str, object]:
        """The JSON that Telegram answers with."""
        body: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.retry_after is not None:
            body["parameters"] = {"retry_after": self.retry_after}
        return body


class ControlError(Exception):
    """A person at the page asked for something that a phone cannot do."""

    def __init__(self, sentence: str, *, status: int = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


def bad_request(reason: str) -> ApiError:
    """400 in Telegram's form."""
    return ApiError(HTTPStatus.BAD_REQUEST, f"Bad Request: {reason}")


def forbidden(reason: str) -> ApiError:
    """403 in Telegram's form."""
    return ApiError(HTTPStatus.FORBIDDEN, f"Forbidden: {reason}")


def conflict(reason: str) -> ApiError:
    """409 in Telegram's form."""
    return ApiError(HTTPStatus.CONFLICT, f"Conflict: {reason}")


def too_many_requests(retry_after: int) -> ApiError:
    """429 with the seconds to wait."""
    return ApiError(
        HTTPStatus.TOO_MANY_REQUESTS, f"Too Many Requests: retry after {retry_after}", retry_after=retry_after
    )
