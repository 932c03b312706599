"""The one source of "now". Instants are UTC; whoever needs a legal day asks the city's zone for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """Real time."""

    def now(self) -> datetime:
        """Return this instant, UTC."""
        return datetime.now(UTC)


class MovableClock(Clock):
    """Real time plus an offset that only grows until it is reset: the sandbox's clock and the tests'."""

    def __init__(self, *, start: datetime | None = None) -> None:
        self._first = timedelta(0) if start is None else start.astimezone(UTC) - super().now()
        self.offset = self._first

    def now(self) -> datetime:
        return super().now() + self.offset

    def move_to(self, instant: datetime) -> None:
        """Make it ``instant`` now; an instant that has already passed changes nothing."""
        self.offset += max(instant.astimezone(UTC) - self.now(), timedelta(0))

    def reset(self) -> None:
        """Go back to where this clock began; only for a counter that forgets everything with it."""
        self.offset = self._first
