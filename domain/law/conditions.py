"""Conditions over facts, as a rulebook writes them: ``vehicle_owner == "company" or hybrid``.

Three-valued: a fact that nobody has told yet makes an answer unknown (``None``), unless the rest settles it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, TypeAlias

FactValue: TypeAlias = str | int | bool | date
Facts: TypeAlias = Mapping[str, FactValue]

_WORDS = {"true": True, "false": False}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda value, options: value in options,
}


@lru_cache(maxsize=4096)
def _parsed(condition: str) -> ast.expr:
    try:
        tree = ast.parse(condition.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"the condition {condition!r} cannot be read") from None
    _check(tree, condition)
    return tree


def _check(node: ast.expr, condition: str) -> None:
    match node:
        case ast.Name() | ast.Constant(value=str() | int()):
            return
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            _check(inner, condition)
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                _check(part, condition)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            _check(left, condition)
            _check(right, condition)
        case _:
            raise ValueError(f"the condition {condition!r} says more than facts, comparisons, and, or, not")


def facts_in(condition: str) -> frozenset[str]:
    """Return the keys of the facts that a condition asks for.

    Raises:
        ValueError: It is not a condition.
    """
    return frozenset(
        node.id for node in ast.walk(_parsed(condition)) if isinstance(node, ast.Name) and node.id not in _WORDS
    )


def compared_values(condition: str) -> Iterator[tuple[str, FactValue]]:
    """Yield each fact with each constant that a condition compares it to, so that a misspelt option is noticed."""
    for node in ast.walk(_parsed(condition)):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
            for constant in ast.walk(node.comparators[0]):
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str | int):
                    yield node.left.id, constant.value


def holds(condition: str, facts: Facts) -> bool | None:
    """Say whether a condition holds; ``None`` while a fact that it turns on is not known."""
    value = _value(_parsed(condition), facts)
    return None if value is None else bool(value)


def _value(node: ast.expr, facts: Facts) -> Any:
    match node:
        case ast.Name(id=name):
            return _WORDS.get(name, facts.get(name))
        case ast.Constant(value=constant):
            return constant
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [_value(part, facts) for part in parts]
        case ast.UnaryOp(operand=inner):
            value = _value(inner, facts)
            return None if value is None else not value
        case ast.BoolOp(op=op, values=parts):
            values = [_value(part, facts) for part in parts]
            settles = isinstance(op, ast.Or)
            if any(value is not None and bool(value) is settles for value in values):
                return settles
            return None if None in values else not settles
        case ast.Compare(left=left, ops=[comparison], comparators=[right]):
            value = _value(left, facts)
            other = _value(right, facts)
            return None if value is None or other is None else _COMPARISONS[type(comparison)](value, other)
    raise AssertionError("_check lets no other node in")
