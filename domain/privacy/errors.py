"""Why a case of nobody's is not shown."""

from __future__ import annotations

from domain.errors import DomainError, ErrorCode


class ReceiptUnknown(DomainError):
    """No case has this receipt, or it is not one."""

    code = ErrorCode.RECEIPT_UNKNOWN

    def __init__(self) -> None:
        super().__init__("no case has this receipt")
