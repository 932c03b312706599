"""What tests ask of the server: which calls came, what the bot earned, and failures on demand."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.refusals import ApiError, ControlError
from bot.sandbox.wire import Call, Json, Upload, methods

CALLS_KEPT = 10_000
DESCRIPTIONS = {
    400: "Bad Request: fault on demand",
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    404: "Not Found",
    409: "Conflict: fault on demand",
    429: "Too Many Requests: retry after {retry_after}",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


@dataclass
class Fault:
    """The next calls fail so.

    ``drop`` closes the connection instead of answering: before the call is acted on or, with ``after``, once it has
    been, so that only the answer is lost.
    """

    method: str
    status: int = 500
    times: int = 1
    retry_after: int | None = None
    chat_id: int | None = None
    drop: bool = False
    after: bool = False

    def meets(self, call: Call) -> bool:
        """Whether this call is to fail."""
        if self.method not in ("*", call.method) and self.method.lower() != call.method.lower():
            return False
        return self.chat_id is None or str(self.chat_id) == str(call.raw.get("chat_id"))

    def error(self) -> ApiError:
        """The answer of a call that fails."""
        wait = self.retry_after if self.retry_after is not None else 1
        description = DESCRIPTIONS.get(self.status, "fault on demand").format(retry_after=wait)
        return ApiError(self.status, description, retry_after=wait if self.status == 429 else self.retry_after)


@dataclass
class Record:
    """Every call by count, the latest in order, and every refusal that the bot earned itself."""

    counts: Counter[str] = field(default_factory=Counter)
    latest: deque[tuple[str, Json]] = field(default_factory=lambda: deque(maxlen=CALLS_KEPT))
    errors: list[Json] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def called(self, name: str, params: Json) -> None:
        """Count a call that was understood; the bytes of its files are not kept."""
        self.counts[name] += 1
        self.latest.append((name, {key: value for key, value in params.items() if not isinstance(value, Upload)}))

    def refused(self, name: str, error: ApiError) -> None:
        """Note a refusal that is the caller's own doing."""
        known = methods().get(name.lower())
        self.errors.append(
            {
                "method": known[0] if known else name,
                "error_code": error.code,
                "description": error.description,
            }
        )

    def add_fault(self, values: dict[str, Any]) -> Fault:
        """Order a failure."""
        try:
            fault = Fault(**values)
        except TypeError as error:
            raise ControlError(
                "Falha desconhecida: use method, status, times, retry_after, chat_id, drop, after."
            ) from error
        self.faults.append(fault)
        return fault

    def fault_for(self, call: Call) -> Fault | None:
        """Use up one ordered failure of this call, if there is one."""
        fault = next((fault for fault in self.faults if fault.meets(call)), None)
        if fault:
            fault.times -= 1
            if fault.times <= 0:
                self.faults.remove(fault)
        return fault
