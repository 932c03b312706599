"""Statements that are made once: SQLAlchemy writes their SQL and says how values are converted, the driver runs them.

Running a statement through SQLAlchemy costs ten times what SQLite itself needs for it, and most of what the counter
asks is asked again and again.
"""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Dialect, Integer, Text, TypeDecorator, bindparam, literal_column
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.dml import UpdateBase

Convert: TypeAlias = Callable[[Any], Any]


class Statement:
    """One Core statement. What changes from one run to the next is a ``bindparam`` or, in an INSERT, a column.

    Args:
        statement: The statement, or, where the databases spell it in dialects of their own, how it is made from the
            ``insert`` of one of them.
        columns: Of an INSERT, the columns whose values each run gives.
    """

    def __init__(
        self, statement: Executable | Callable[[Any], Executable], columns: Collection[str] | None = None
    ) -> None:
        self._statement, self._columns = statement, columns
        self._ready: dict[str, Ready] = {}

    def on(self, dialect: Dialect) -> Ready:
        """Return the statement as one database's driver takes it."""
        ready = self._ready.get(dialect.name)
        if ready is None:
            ready = self._ready[dialect.name] = Ready(self._made(dialect), self._columns, dialect)
        return ready

    def _made(self, dialect: Dialect) -> Any:
        if isinstance(self._statement, Executable):
            return self._statement
        return self._statement(sqlite.insert if dialect.name == "sqlite" else postgresql.insert)


class Ready:
    """A statement as SQL, and its values and rows between Python and a driver."""

    def __init__(self, statement: Any, columns: Collection[str] | None, dialect: Dialect) -> None:
        compiled: Any = statement.compile(
            dialect=dialect,
            column_keys=None if columns is None else list(columns),
        )
        self.sql = str(compiled)
        self.writes = isinstance(statement, UpdateBase)
        fixed: dict[str, Any] = compiled.params
        given = {name for name, bound in compiled.binds.items() if bound.required} | set(columns or ())
        self._values: list[tuple[str | None, Convert | None, Any]] = []
        for name in compiled.positiontup:
            convert = compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)
            if name in given:
                self._values.append((name, convert, None))
            else:
                self._values.append((None, None, fixed[name] if convert is None else convert(fixed[name])))
        answers = [] if not getattr(statement, "exported_columns", None) else list(statement.exported_columns)
        self._converts = [
            (place, convert)
            for place, column in enumerate(answers)
            if (convert := column.type.dialect_impl(dialect).result_processor(dialect, None)) is not None
        ]
        self._row = _named([column.name for column in answers])

    def values(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return what the driver is given.

        Raises:
            KeyError: A value is missing.
        """
        return tuple(
            fixed if name is None else given[name] if convert is None else convert(given[name])
            for name, convert, fixed in self._values
        )

    def rows(self, found: Iterable[Sequence[Any]]) -> list[Any]:
        """Return what the driver found, as rows with names."""
        make, converts = self._row._make, self._converts
        if not converts:
            return [make(row) for row in found]
        rows = []
        for row in found:
            values = list(row)
            for place, convert in converts:
                values[place] = convert(values[place])
            rows.append(make(values))
        return rows


def _named(names: Sequence[str]) -> Any:
    return namedtuple("Row", names)


class _List(TypeDecorator[Any]):
    """A list as one value: JSON for SQLite, an array for PostgreSQL."""

    impl = Text
    cache_ok = True

    def __init__(self, item: Any) -> None:
        super().__init__()
        self._item = item

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        return dialect.type_descriptor(Text() if dialect.name == "sqlite" else postgresql.ARRAY(self._item))

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return json.dumps(list(value)) if dialect.name == "sqlite" else list(value)


class _Among(ColumnElement[bool]):
    inherit_cache = False

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column = column
        self.listed = bindparam(name, required=True, type_=_List(column.type))


@compiles(_Among, "sqlite")
def _among_sqlite(element: _Among, compiler: Any, **more: Any) -> str:
    listed = compiler.process(element.listed, **more)
    return f"{compiler.process(element.column, **more)} IN (SELECT value FROM json_each({listed}))"  # noqa: S608 - SQL


@compiles(_Among, "postgresql")
def _among_postgresql(element: _Among, compiler: Any, **more: Any) -> str:
    return f"{compiler.process(element.column, **more)} = ANY ({compiler.process(element.listed, **more)})"


def first(rows: int) -> ColumnElement[int]:
    """Return a limit that stands in the statement itself.

    For any number of rows PostgreSQL keeps no plan, and makes one anew for each run.
    """
    return literal_column(str(rows), Integer)


def among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that a column is one of a list, which a run gives as one value, however long it is."""
    return _Among(column, name)
