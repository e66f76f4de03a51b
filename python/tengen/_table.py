"""Tables: columns as numpy arrays."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHOWN = 20
"""Largest number of shown rows; a longer table shows its first and its last rows."""


class Table(Mapping[str, "NDArray[Any]"]):
    """The rows of a file as columns: a mapping from the name of a column to its values, all of one
    length.

    Whole numbers are int64 (uint64 for seeds beyond it), truth values bool, other numbers float64
    with NaN where a cell is empty, and texts are arrays of `str` (dtype object). ``len(table)`` is
    the number of rows, ``list(table)`` the names.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = dict(columns)
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}")
        self._length = lengths.pop() if lengths else 0

    def __getitem__(self, column: str) -> NDArray[Any]:
        try:
            return self._columns[column]
        except KeyError:
            raise KeyError(f"{column}: the columns are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return self._length > 0

    def __contains__(self, column: object) -> bool:
        return column in self._columns

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        same = list(self) == list(other) and len(self) == len(other)
        return same and all(_equal(self[name], other[name]) for name in self)

    __hash__ = None  # type: ignore[assignment]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows one after the other, each a dict by column."""
        for cells in zip(*(column.tolist() for column in self._columns.values()), strict=True):
            yield dict(zip(self._columns, cells, strict=True))

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with these columns."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame({name: _plain(column) for name, column in self._columns.items()})

    def to_polars(self) -> Any:
        """A `polars.DataFrame` with these columns."""
        polars = importlib.import_module("polars")
        return polars.DataFrame({name: _plain(column) for name, column in self._columns.items()})

    def _shown(self) -> tuple[list[list[str]], int]:
        """The cells of the shown rows, and the number of shown rows before the omitted ones."""
        most = SHOWN if len(self) > SHOWN else len(self)
        first = (most + 1) // 2 if len(self) > SHOWN else most
        places = [*range(first), *range(len(self) - (most - first), len(self))]
        columns = [[_text(column[place]) for place in places] for column in self._columns.values()]
        return [list(cells) for cells in zip(*columns, strict=True)], first

    def __repr__(self) -> str:
        rows, first = self._shown()
        names = self.columns
        is_text = [self[name].dtype == object for name in names]
        widths = [max(map(len, cells)) for cells in zip(names, *rows, strict=True)]

        def line(cells: list[str]) -> str:
            pairs = zip(cells, widths, is_text, strict=True)
            return "  ".join(c.ljust(w) if left else c.rjust(w) for c, w, left in pairs).rstrip()

        lines = [line(names), *map(line, rows)]
        if len(rows) < len(self):
            lines.insert(1 + first, f"… {len(self) - len(rows)} more rows …")
        return "\n".join([*lines, f"[{len(self)} rows x {len(names)} columns]"])

    def _repr_html_(self) -> str:
        rows, first = self._shown()

        def line(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        lines = [line(cells, "td") for cells in rows]
        if len(rows) < len(self):
            more = f"… {len(self) - len(rows)} more rows …"
            lines.insert(first, f'<tr><td colspan="{len(self.columns)}">{more}</td></tr>')
        head = line(self.columns, "th")
        return f"<table><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"


def _equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    may_miss = one.dtype.kind == "f" and other.dtype.kind == "f"
    return one.dtype == other.dtype and bool(np.array_equal(one, other, equal_nan=may_miss))


def _plain(column: NDArray[Any]) -> Any:
    """A column for other libraries, which take texts as a list of str."""
    return column.tolist() if column.dtype == object else column


def _text(value: Any) -> str:
    """A cell as it is shown: up to six digits of a number, nothing for a missing one, the beginning
    of a long text."""
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.6g}"
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"
