"""A refusal has a code and facts; its sentence lives in ``handlers/errors.py``."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar


class ErrorCode(StrEnum):
    """Every reason for which the counter says no; each has one sentence per language."""

    NOT_ALLOWED = "not_allowed"
    NOT_FOUND = "not_found"
    CITY_UNKNOWN = "city_unknown"
    CASE_TAKEN = "case_taken"
    OWN_CASE = "own_case"
    CASE_MOVED_ON = "case_moved_on"
    CASE_CLOSED = "case_closed"
    NOT_YOUR_CASE = "not_your_case"
    ITEM_UNKNOWN = "item_unknown"
    ITEM_ALREADY_DECIDED = "item_already_decided"
    CHECKLIST_INCOMPLETE = "checklist_incomplete"
    ITEMS_UNDECIDED = "items_undecided"
    INVITE_UNKNOWN = "invite_unknown"
    INVITE_EXPIRED = "invite_expired"
    INVITE_USED = "invite_used"
    INVITE_NEEDLESS = "invite_needless"
    RECEIPT_UNKNOWN = "receipt_unknown"
    TERM_FIXED = "term_fixed"
    TERM_EXTENDED = "term_extended"
    TERM_OVER = "term_over"
    TEXT_MISSING = "text_missing"
    FILE_MISSING = "file_missing"


class DomainError(Exception):
    """A refusal that a person hears as a clear sentence. What was already given is kept.

    The message is for the log and names no person; ``facts`` fill the sentence.
    """

    code: ClassVar[ErrorCode]

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts: dict[str, Any] = facts


class NotAllowed(DomainError):
    """The person's roles do not include this."""

    code = ErrorCode.NOT_ALLOWED


class NotFound(DomainError):
    """No such thing, or not for this person: the two are told alike."""

    code = ErrorCode.NOT_FOUND
