"""The one source of "now". Instants are UTC; whoever needs a legal day asks the city's zone for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """Real time."""

    def now(self) -> datetime:
        """Return this instant, UTC."""
        return datetime.now(UTC)


class MovableClock(Clock):
    """Real time plus an offset that only grows: the sandbox's clock and the tests'."""

    def __init__(self, *, start: datetime | None = None) -> None:
        self.offset = timedelta(0)
        if start is not None:
            self.offset = start.astimezone(UTC) - super().now()

    def now(self) -> datetime:
        return super().now() + self.offset

    def move_to(self, instant: datetime) -> None:
        """Make it ``instant`` now; an instant that has already passed changes nothing."""
        self.offset += max(instant.astimezone(UTC) - self.now(), timedelta(0))
