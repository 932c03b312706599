"""Why a registration cannot go on."""

from __future__ import annotations

from domain.errors import DomainError, ErrorCode


class ItemUnknown(DomainError):
    """The checklist of this registration has no such item, or the reason is not one of the list."""

    code = ErrorCode.ITEM_UNKNOWN

    def __init__(self, *, case_id: int, item: str) -> None:
        super().__init__(f"case {case_id} has no item {item!r}", item=item)


class ItemAlreadyDecided(DomainError):
    """The item was accepted, or decided already in the way that is asked for."""

    code = ErrorCode.ITEM_ALREADY_DECIDED

    def __init__(self, *, case_id: int, item: str) -> None:
        super().__init__(f"case {case_id}: item {item!r} is decided", item=item)


class ChecklistIncomplete(DomainError):
    """Items are still to be sent, or to be corrected."""

    code = ErrorCode.CHECKLIST_INCOMPLETE

    def __init__(self, *, case_id: int, missing: tuple[str, ...]) -> None:
        super().__init__(f"case {case_id}: {len(missing)} items are missing", missing=missing, count=len(missing))


class ItemsUndecided(DomainError):
    """Items that the registration rests on are not accepted yet."""

    code = ErrorCode.ITEMS_UNDECIDED

    def __init__(self, *, case_id: int, undecided: tuple[str, ...]) -> None:
        super().__init__(f"case {case_id}: {len(undecided)} items are open", undecided=undecided, count=len(undecided))


class FileMissing(DomainError):
    """An item is sent with at least one file."""

    code = ErrorCode.FILE_MISSING

    def __init__(self, *, case_id: int) -> None:
        super().__init__(f"case {case_id}: an item came without a file")
