"""The one form of all answers: a question, and answers with standing, citation, assumption and arithmetic."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from domain.law.answers import Answer, Standing, Step, shown
from domain.law.citations import Citation
from domain.law.conduct import ACTIONS
from domain.law.fields import Length
from domain.law.model import Rulebook
from domain.law.terms import UNIT_NAMES, unit_name

Said = dict[str, Any]

STANDINGS = {
    "stated": "está na lei",
    "assumed": "suposto",
    "silent": "a lei não diz",
    "illegible": "ilegível na cópia",
    "regulation": "fica para regulamento",
}
BEARERS = {
    "driver": "motorista",
    "auxiliary": "condutor auxiliar",
    "vehicle": "veículo",
    "owner": "proprietário",
    "operator": "operadora",
    "employee": "empregado",
    "city": "município",
}
VERDICTS = {
    "met": "atende",
    "unmet": "não atende",
    "unknown": "falta saber",
    "required": "exigido",
    "depends": "depende",
    "not-required": "não se aplica",
    "in-time": "a tempo",
    "late": "fora do prazo",
    "first": "não é reincidência",
    "repeated": "é reincidência",
    "unchanged": "a reincidência não muda a pena",
    "complete": "completa",
    "incomplete": "incompleta",
    "named": "a lei cita",
    "not-named": "a lei não cita",
    "passed": "passou",
    "failed": "falhou",
    "none": "sem certificado",
    "pending": "ainda não vale: falta o pagamento da taxa",
    "provisional": "provisório, em vigor",
    "valid": "em vigor",
    "renewing": "em vigor até a decisão do pedido de renovação",
    "expired": "vencido",
    "suspended": "suspenso",
    "stopped": "parado até passar na vistoria",
    "revoked": "revogado",
    "cassated": "cassado",
    "out": "descadastrado",
}
UNITS = {unit.value: name for unit, name in UNIT_NAMES.items()}
EVERY = {"year": "ano", "month": "mês", "request": "pedido"}
SAID_ELSEWHERE = frozenset(
    {"rule", "label", "verdict", "value", "unit", "standing", "cite", "assumption", "bearer", "steps"}
)
FIELDS = {
    "amount": "valor",
    "length": "prazo",
    "before": "antes",
    "every": "a cada",
    "business_day": "dia útil",
    "least": "no mínimo",
    "most": "no máximo",
    "bar": "afasta por",
    "inhabitants": "habitantes",
    "requires": "traz:",
    "infraction": "descumprir é",
    "window": "dentro de",
    "from_count": "a partir da repetição",
    "factor": "multiplica por",
    "becomes": "passa a ser",
    "clean": "sem penalidade em",
    "once_in": "uma vez em",
    "penalties": "leva a",
    "fine": "multa",
    "unit": "em",
    "payer": "paga",
    "capacity": "lotação",
    "counts_driver": "contado o motorista:",
    "counted_from": "contado de",
    "valid_for": "vale",
    "months": "meses",
    "due": "vence:",
    "month": "mês",
    "bands": "bandeiras:",
    "starts": "das",
    "ends": "às",
    "holidays": "feriados",
    "weekdays": "dias da semana",
    "key": "chave",
    "label": "nome",
}
NAMES = {
    "note": "nota",
    "how": "como enviar",
    "what": "o que é",
    "alternatives": "ou",
    "condition": "se",
    "valid_months": "vale (meses)",
    "blocking": "impede",
    "due_on": "vence",
    "every": "a cada",
    "payer": "paga",
    "collector": "recebe",
    "exempt": "dispensado",
    "exempt_cite": "dispensa",
    "reais": "em reais",
    "missing": "falta saber",
    "kind": "tipo",
    "action": "consequência",
    "may": "facultativo",
    "until": "até",
    "may_work": "pode trabalhar",
    "may_ask_from": "novo pedido desde",
    "extends": "prolonga",
    "places": "dispositivos",
    "readings": "leituras",
    "default": "vale",
    "queue": "fila",
    "owed": "deve-se",
    "count": "reincidências",
    "effect": "muda a pena",
    "starts_on": "começa",
    "business_day": "dia útil do mês",
    "counted_from": "conta de",
    "to": "a quem",
    "who": "quem",
    "entered": "informado",
}


def answer(
    *,
    rule: str | None,
    standing: Standing | str,
    cite: Citation | str,
    label: str | None = None,
    verdict: str | None = None,
    value: Any = None,
    unit: str | None = None,
    assumption: str | None = None,
    bearer: str | None = None,
    steps: Iterable[Step | str] = (),
    **more: Any,
) -> Said:
    """Return one answer. It has a verdict or a value; what else is known of it follows."""
    said: Said = {"rule": rule, "label": label}
    value, unit = _measured(plain(value), unit)
    if verdict is not None:
        said["verdict"] = verdict
    if value is not None or verdict is None:
        said["value"] = value
    said |= {
        "unit": unit,
        "standing": str(standing.value if isinstance(standing, Standing) else standing),
        "cite": str(cite),
        "assumption": assumption,
        "bearer": bearer,
        "steps": [str(step) for step in steps],
    }
    return said | {key: plain(value) for key, value in more.items() if value not in (None, "", (), [])}


def of(found: Answer, **more: Any) -> Said:
    """Return an answer of the law in the envelope's form."""
    given: Said = {"steps": found.steps, "assumption": found.assumption, "standing": found.standing, "cite": found.cite}
    given |= {name: getattr(found, name) for name in ("rule", "label") if hasattr(found, name)}
    return answer(**(given | more))


def nothing(book: Rulebook, sentence: str, **more: Any) -> Said:
    """Return the answer where the law says nothing."""
    return answer(rule=None, standing=Standing.SILENT, cite=book.source.short, value=None, steps=[sentence], **more)


def plain(value: Any) -> Any:
    """Return a value as JSON keeps it."""
    match value:
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case datetime() | date():
            return value.isoformat()
        case Length():
            return {"amount": value.amount, "unit": value.unit.value}
        case Citation():
            return str(value)
        case dict():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
    return value


def _measured(value: Any, unit: str | None) -> tuple[Any, str | None]:
    """Return a plain duration as a number and its unit; anything else as it is."""
    match value:
        case {"amount": amount, "unit": str(of)}:
            return amount, of
        case {"least": {"amount": least, "unit": str(of)}, "most": {"amount": most, "unit": other}} if of == other:
            return (least if least == most else {"least": least, "most": most}), of
    return value, unit


def envelope(question: Mapping[str, Any], answers: Iterable[Said]) -> str:
    """Return the JSON of a question and its answers."""
    told = {"question": {key: plain(value) for key, value in question.items()}, "answers": list(answers)}
    return json.dumps(told, ensure_ascii=False, indent=2)


def lines(said: Said) -> Iterable[str]:
    """Yield an answer as people read it."""
    head = said["label"] or said["rule"] or ""
    yield f"{head} [{said['rule']}]" if said["rule"] and head != said["rule"] else head
    rows: list[tuple[str, Any]] = [("artigo", f"{said['cite']} ({STANDINGS[said['standing']]})")]
    if "verdict" in said:
        rows.append(("resposta", VERDICTS.get(said["verdict"], said["verdict"])))
    if said.get("value") is not None and said["value"] != head:
        rows.append(("valor", worded(said["value"], said["unit"])))
    if said["bearer"]:
        rows.append(("de quem", ", ".join(BEARERS.get(one, one) for one in said["bearer"].split(", "))))
    rows += [(NAMES.get(key, key), _row(key, value)) for key, value in said.items() if key not in SAID_ELSEWHERE]
    rows.append(("suposto", said["assumption"]))
    rows += [("conta", step) for step in said["steps"]]
    for name, value in rows:
        if value:
            yield f"  {name:16} {value}"


def worded(value: Any, unit: str | None = None) -> str:
    """Return a plain value in words."""
    if isinstance(value, dict) and value.keys() == {"least", "most"}:
        least, most = worded(value["least"], unit), worded(value["most"], unit)
        return least if least == most else f"de {worded(value['least'])} a {most}"
    if isinstance(value, dict) and value.keys() == {"amount", "unit"}:
        length = Length.model_validate(value)
        return f"{length.amount} {unit_name(length)}"
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, list):
        return "; ".join(worded(one, unit) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{FIELDS.get(key, key)} {worded(one)}" for key, one in value.items() if key != "test")
    text = str(value).replace(".", ",") if isinstance(value, float) else str(value)
    if isinstance(value, str) and unit == "date":
        return shown(date.fromisoformat(value))
    return f"{text} {UNITS.get(unit, unit)}" if unit and unit != "date" else text


def _row(key: str, value: Any) -> str:
    if key in ("due_on", "until", "may_ask_from", "starts_on") and isinstance(value, str) and value[:4].isdigit():
        return shown(date.fromisoformat(value))
    if key in ("payer", "collector", "who"):
        return BEARERS.get(value, str(value))
    if key == "every":
        return EVERY[value]
    if key == "action":
        return next((name for one, name in ACTIONS.items() if one.value == value), str(value))
    return worded(value)


def bearers(rule: object) -> list[str]:
    """Return on whom a rule falls, where it falls on anybody."""
    return [bearer.value for bearer in getattr(rule, "bearers", ())]
