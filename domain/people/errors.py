"""Why an invitation or a choice does not work."""

from __future__ import annotations

from domain.errors import DomainError, ErrorCode


class CityUnknown(DomainError):
    """The bot does not serve this city."""

    code = ErrorCode.CITY_UNKNOWN

    def __init__(self) -> None:
        super().__init__("no such city is served")


class InviteUnknown(DomainError):
    """Nobody wrote this invitation."""

    code = ErrorCode.INVITE_UNKNOWN

    def __init__(self) -> None:
        super().__init__("no invitation has this code")


class InviteExpired(DomainError):
    """The invitation is too old."""

    code = ErrorCode.INVITE_EXPIRED

    def __init__(self) -> None:
        super().__init__("the invitation has expired")


class InviteUsed(DomainError):
    """Somebody has used the invitation."""

    code = ErrorCode.INVITE_USED

    def __init__(self) -> None:
        super().__init__("the invitation was used already")


class InviteNeedless(DomainError):
    """The person holds the role already; the invitation is kept for somebody else."""

    code = ErrorCode.INVITE_NEEDLESS

    def __init__(self, *, city: str, role: str) -> None:
        super().__init__(f"the role {role} in {city} is held already", city=city, role=role)
