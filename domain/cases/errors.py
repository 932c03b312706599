"""Why something cannot happen to a case."""

from __future__ import annotations

from domain.errors import DomainError, ErrorCode


class CaseTaken(DomainError):
    """A colleague has the case."""

    code = ErrorCode.CASE_TAKEN

    def __init__(self, *, case_id: int, holder: str) -> None:
        super().__init__(f"case {case_id} is taken by a colleague", holder=holder)


class OwnCase(DomainError):
    """Nobody works on a case of their own."""

    code = ErrorCode.OWN_CASE

    def __init__(self, *, case_id: int) -> None:
        super().__init__(f"case {case_id} belongs to the member of staff who asks")


class CaseMovedOn(DomainError):
    """What was to happen no longer fits: somebody was faster, or it happened already."""

    code = ErrorCode.CASE_MOVED_ON

    def __init__(self, *, case_id: int) -> None:
        super().__init__(f"case {case_id} has moved on since it was shown")


class CaseClosed(DomainError):
    """The case is over; nothing more can be done in it."""

    code = ErrorCode.CASE_CLOSED

    def __init__(self, *, case_id: int, protocol: str | None) -> None:
        super().__init__(f"case {case_id} is over", protocol=protocol or "")


class NotYourCase(DomainError):
    """Only who has taken the case may do this."""

    code = ErrorCode.NOT_YOUR_CASE

    def __init__(self, *, case_id: int) -> None:
        super().__init__(f"case {case_id} is not held by this member of staff")


class TextMissing(DomainError):
    """What is told to the other side needs words."""

    code = ErrorCode.TEXT_MISSING

    def __init__(self, *, case_id: int) -> None:
        super().__init__(f"case {case_id}: the text is empty")
