"""Why the term of an answer stays as it is."""

from __future__ import annotations

from datetime import date

from domain.errors import DomainError, ErrorCode
from domain.law.citations import Citation


class TermFixed(DomainError):
    """No law lets the city take longer."""

    code = ErrorCode.TERM_FIXED

    def __init__(self, *, case_id: int) -> None:
        super().__init__(f"case {case_id}: no rule extends the term of its answer")


class TermExtended(DomainError):
    """The term was extended before; there is no second time."""

    code = ErrorCode.TERM_EXTENDED

    def __init__(self, *, case_id: int, due: date) -> None:
        super().__init__(f"case {case_id}: the term was extended already", due=due)


class TermOver(DomainError):
    """The term has ended: what is over cannot be extended."""

    code = ErrorCode.TERM_OVER

    def __init__(self, *, case_id: int, due: date, cite: Citation) -> None:
        super().__init__(f"case {case_id}: the term ended on {due.isoformat()}", due=due, cite=cite)
