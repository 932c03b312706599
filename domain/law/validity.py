"""May somebody work with a certificate on a day? A pure function of what happened and of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from domain.law.answers import N_, Answer, Shown, Standing, Step
from domain.law.calendar import Calendar
from domain.law.citations import Citation
from domain.law.conduct import ACTIONS, Action, SanctionRule, SanctionVersion
from domain.law.fields import Cause, Length, Unit
from domain.law.model import Rulebook
from domain.law.renewal import renewal
from domain.law.rules import CertificateRule, CertificateVersion
from domain.law.terms import add_months, after

State = Literal[
    "none",
    "pending",
    "provisional",
    "valid",
    "renewing",
    "expired",
    "suspended",
    "stopped",
    "revoked",
    "cassated",
    "out",
]
EventKind = Literal[
    "asked",
    "fee-paid",
    "provisional",
    "issued",
    "renewal-asked",
    "denied",
    "inspection-failed",
    "inspection-passed",
    "suspended",
    "reinstated",
    "revoked",
    "cassated",
    "driver-out",
]
EVENTS: tuple[EventKind, ...] = get_args(EventKind)
UNPAID = N_("Sem o pagamento da taxa ainda não vale.")
WORKING: frozenset[State] = frozenset({"provisional", "valid", "renewing"})
ENDED: dict[str, tuple[State, Action]] = {
    "revoked": ("revoked", Action.REVOCATION),
    "cassated": ("cassated", Action.CASSATION),
    "driver-out": ("out", Action.DRIVER_OUT),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to a certificate."""

    kind: EventKind
    on: date
    until: date | None = None  # the last day, where the act itself says it
    final_on: date | None = None  # the decision could not be appealed any more
    rule: str | None = None  # the sanction of the rulebook, where it has several of the kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity(Answer):
    """How a certificate stands on a day."""

    rule: str
    label: str
    state: State
    until: date | None  # the last day of this state, where it is known
    may_ask_from: date | None = None  # when something new may be asked for after a bar

    @property
    def may_work(self) -> bool:
        """Whether the service may be provided."""
        return self.state in WORKING


def validity(
    rulebook: Rulebook, events: Sequence[Event], on: date, calendar: Calendar, *, bearer: str | None = None
) -> Validity | None:
    """Return how a bearer's certificate stands on a day; ``None`` where this law has none.

    What ended the certificate comes before what interrupts it, and that before its own dates. Events after the day
    change nothing.
    """
    rule, version = _certificate(rulebook, on, bearer, provisional=False)
    if rule is None or version is None:
        return None
    past = sorted((event for event in events if event.on <= on), key=lambda event: event.on)
    return (
        _ended(rulebook, rule, past, on)
        or _interrupted(rulebook, rule, past, on)
        or _own_dates(rulebook, rule, version, past, on, calendar, bearer)
    )


def _certificate(
    rulebook: Rulebook, on: date, bearer: str | None, *, provisional: bool
) -> tuple[CertificateRule | None, CertificateVersion | None]:
    for rule in rulebook.of_kind(CertificateRule):
        if rule.provisional is provisional and (bearer is None or bearer in rule.bearers):
            return rule, rule.version(on)
    return None, None


def _last(past: Sequence[Event], *kinds: str) -> Event | None:
    return next((event for event in reversed(past) if event.kind in kinds), None)


def _sanction(
    rulebook: Rulebook, action: Action, on: date, name: str | None
) -> tuple[SanctionRule, SanctionVersion] | None:
    for rule in rulebook.of_kind(SanctionRule):
        version = rule.version(on)
        if rule.action is action and version is not None and name in (None, rule.id):
            return rule, version
    return None


def _ended(rulebook: Rulebook, rule: CertificateRule, past: Sequence[Event], on: date) -> Validity | None:
    end = _last(past, *ENDED)
    issued = _last(past, "issued", "provisional")
    if end is None or (issued is not None and issued.on > end.on):
        return None
    state, action = ENDED[end.kind]
    steps = [Step(N_("{what} em {day}."), {"what": ACTIONS[action], "day": end.on})]
    known = _sanction(rulebook, action, end.on, end.rule)
    if known is None:
        cite = rule.newest.cite
        steps.append(Step(N_("Esta lei não diz por quanto tempo não se pode voltar.")))
        return _said(rule, state, None, Standing.SILENT, cite, steps)
    version, bar, standing, assumption = known[1], known[1].bar, known[1].standing, known[1].assumption
    if version.doubt is not None:
        reading = rulebook.reading(version.doubt)
        bar = version.readings.get(reading)
        if bar is not None:
            standing, assumption = Standing.ASSUMED, rulebook.doubts[version.doubt].readings[reading]
    if bar is None:
        steps.append(Step(version.no_value or N_("Esta lei não diz por quanto tempo não se pode voltar.")))
        silent = version.standing if version.no_value else Standing.SILENT
        return _said(rule, state, None, silent, version.cite, steps)
    start = end.final_on if version.bar_from == "final" else end.on
    if start is None:
        steps.append(Step(N_("O impedimento conta do dia em que não cabe mais recurso, que não é conhecido.")))
        return _said(rule, state, None, standing, version.cite, steps, assumption)
    last = after(start, bar)
    facts: dict[str, Shown] = {"start": start, "last": last}
    steps.append(Step(N_("O impedimento conta de {start} e vai até {last}."), facts))
    back = last + timedelta(days=1)
    if on > last:
        steps.append(Step(N_("Desde {day} um novo pedido é possível."), {"day": back}))
    return _said(rule, state, last, standing, version.cite, steps, assumption, back)


def _interrupted(rulebook: Rulebook, rule: CertificateRule, past: Sequence[Event], on: date) -> Validity | None:
    halt = _last(past, "suspended")
    lifted = _last(past, "reinstated")
    if halt is not None and (lifted is None or lifted.on < halt.on):
        known = _sanction(rulebook, Action.SUSPENSION, halt.on, halt.rule)
        until = halt.until
        steps = [Step(N_("{what} em {day}."), {"what": ACTIONS[Action.SUSPENSION], "day": halt.on})]
        cite = known[1].cite if known else rule.newest.cite
        standing, assumption = (known[1].standing, known[1].assumption) if known else (Standing.SILENT, None)
        if until is None and known is not None and known[1].most is not None:
            longest = after(halt.on, known[1].most)
            if known[1].least == known[1].most:
                until = longest
            else:
                text = N_("A decisão diz por quanto tempo; no máximo até {day}.")
                steps.append(Step(text, {"day": longest}))
                if on > longest:
                    until = longest
        elif until is None and known is not None and known[1].no_value:
            steps.append(Step(known[1].no_value))
        if until is None or on <= until:
            if until is not None:
                steps.append(Step(N_("A suspensão vai até {day}."), {"day": until}))
            back = until + timedelta(days=1) if until is not None else None
            return _said(rule, "suspended", until, standing, cite, steps, assumption, back)
    failed, passed = _last(past, "inspection-failed"), _last(past, "inspection-passed")
    if failed is not None and (passed is None or passed.on < failed.on):
        known = _sanction(rulebook, Action.STOP, failed.on, failed.rule)
        if known is not None:
            steps = [Step(N_("A vistoria de {day} não foi aprovada."), {"day": failed.on})]
            longest_cure = known[1].most
            cure = after(failed.on, longest_cure) if longest_cure is not None else None
            if cure is not None:
                steps.append(Step(N_("O prazo para corrigir vai até {day}."), {"day": cure}))
            return _said(rule, "stopped", None, known[1].standing, known[1].cite, steps, known[1].assumption)
    return None


def _own_dates(
    rulebook: Rulebook,
    rule: CertificateRule,
    version: CertificateVersion,
    past: Sequence[Event],
    on: date,
    calendar: Calendar,
    bearer: str | None,
) -> Validity:
    issued = _last(past, "issued")
    if issued is None:
        return _provisional(rulebook, rule, past, on, bearer)
    paid = _payment(past, issued)
    if (version.needs_fee or version.counted_from is Cause.FEE_PAID) and paid is None and issued.until is None:
        return _unpaid(rule, version)
    start = paid.on if version.counted_from is Cause.FEE_PAID and paid is not None else issued.on
    ends = issued.until or (_ends(start, version.length) if version.length is not None else None)
    if ends is None:
        return _said(rule, "valid", None, version.standing, version.cite, [Step(version.no_value or "")])
    steps = [Step(N_("Vale de {start} até {ends}."), {"start": start, "ends": ends})]
    if on <= ends:
        return _said(rule, "valid", ends, version.standing, version.cite, steps, version.assumption)
    return _renewing(rulebook, rule, version, past, issued, ends, steps, calendar)


def _renewing(
    rulebook: Rulebook,
    rule: CertificateRule,
    version: CertificateVersion,
    past: Sequence[Event],
    issued: Event,
    ends: date,
    steps: list[Step],
    calendar: Calendar,
) -> Validity:
    asked = next((event for event in past if event.kind == "renewal-asked" and event.on >= issued.on), None)
    window = renewal(rulebook, ends, calendar, bearer=rule.bearers[0].value if rule.bearers else None)
    expired: State = "expired"
    if asked is None or window is None or window.ask_by is None:
        if asked is not None:
            steps.append(Step(N_("A lei não diz se o pedido de renovação mantém o certificado em vigor.")))
            return _said(rule, expired, None, Standing.SILENT, version.cite, steps)
        return _said(rule, expired, None, version.standing, version.cite, steps, version.assumption)
    told: dict[str, Shown] = {"asked": asked.on, "by": window.ask_by}
    if asked.on > window.ask_by:
        steps.append(Step(N_("A renovação foi pedida em {asked}, depois de {by}: não prolonga."), told))
        return _said(rule, expired, None, version.standing, window.cite, steps, version.assumption)
    if not window.extends:
        steps.append(Step(N_("A renovação foi pedida em {asked}, a tempo, e a lei não diz que isso prolonga."), told))
        return _said(rule, expired, None, Standing.SILENT, window.cite, steps)
    denied = next((event for event in past if event.kind == "denied" and event.on >= asked.on), None)
    cite = window.extends_cite or window.cite
    if denied is not None:
        steps.append(Step(N_("O pedido foi negado em {day}."), {"day": denied.on}))
        return _said(rule, expired, None, window.standing, cite, steps)
    steps.append(Step(N_("A renovação foi pedida em {asked}, até {by}: vale até a decisão."), told))
    return _said(rule, "renewing", None, window.standing, cite, steps, window.assumption)


def _provisional(
    rulebook: Rulebook, rule: CertificateRule, past: Sequence[Event], on: date, bearer: str | None
) -> Validity:
    given = _last(past, "provisional")
    other, version = _certificate(rulebook, on, bearer, provisional=True)
    if given is None or other is None or version is None:
        return _said(rule, "none", None, rule.newest.standing, rule.newest.cite, [Step(N_("Nada foi expedido ainda."))])
    paid = _payment(past, given)
    if version.counted_from is Cause.FEE_PAID and paid is None:
        return _unpaid(other, version)
    start = paid.on if paid is not None and version.counted_from is Cause.FEE_PAID else given.on
    ends = given.until or (_ends(start, version.length) if version.length is not None else None)
    state: State = "provisional" if ends is None or on <= ends else "expired"
    steps = [Step(N_("Vale de {start} até {ends}."), {"start": start, "ends": ends})] if ends is not None else []
    return _said(other, state, ends, version.standing, version.cite, steps, version.assumption)


def _unpaid(rule: CertificateRule, version: CertificateVersion) -> Validity:
    steps = [Step(UNPAID)]
    if version.fee_cite is not None:
        return _said(rule, "pending", None, Standing.STATED, version.fee_cite, steps)
    return _said(rule, "pending", None, version.standing, version.cite, steps, version.assumption)


def _payment(past: Sequence[Event], paper: Event) -> Event | None:
    """Return the payment that belongs to a paper: the last before it since the paper before, or the first after it."""
    before = next((event for event in reversed(past) if event.kind in ("issued",) and event.on < paper.on), None)
    paid = [event for event in past if event.kind == "fee-paid" and (before is None or event.on > before.on)]
    earlier = [event for event in paid if event.on <= paper.on]
    return earlier[-1] if earlier else next(iter(paid), None)


def _ends(start: date, length: Length) -> date:
    if length.unit is Unit.CALENDAR_DAY:
        return start + timedelta(days=length.amount)
    return add_months(start, length.amount * (12 if length.unit is Unit.YEAR else 1))


def _said(
    rule: CertificateRule,
    state: State,
    until: date | None,
    standing: Standing,
    cite: Citation,
    steps: Sequence[Step],
    assumption: str | None = None,
    may_ask_from: date | None = None,
) -> Validity:
    return Validity(
        rule=rule.id,
        label=rule.label,
        state=state,
        until=until,
        may_ask_from=may_ask_from,
        standing=standing,
        cite=cite,
        steps=tuple(steps),
        assumption=assumption,
    )
