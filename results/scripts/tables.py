"""Tables in CSV: how these scripts read, write and show them."""

from __future__ import annotations

import csv
import io
import lzma
from pathlib import Path

Row = dict[str, str]
Interval = tuple[float, float]


class Fault(Exception):
    """A fault of a published file, in one line."""


def find(folder: Path, name: str) -> Path:
    """The path of the table `name` in `folder`, plain or compressed by xz."""
    plain, packed = folder / name, folder / f"{name}.xz"
    return packed if packed.exists() and not plain.exists() else plain


def read_text(path: Path) -> str:
    """The text of a file, unpacked if its name ends in .xz."""
    try:
        content = path.read_bytes()
        return (lzma.decompress(content) if path.suffix == ".xz" else content).decode()
    except (OSError, ValueError, lzma.LZMAError) as why:
        raise Fault(f"{path}: {getattr(why, 'strerror', None) or why}") from why


def parse(text: str, name: object, columns: str = "") -> tuple[list[str], list[Row]]:
    """The header and the rows of the table `name`, which must have all of `columns`."""
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        rows, header = list(reader), list(reader.fieldnames or [])
    except csv.Error as why:
        raise Fault(f"{name}: {why}") from why
    for column in columns.split():
        if column not in header:
            raise Fault(f"{name}: expected a column `{column}`")
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise Fault(f"{name}: row {number} has not as many cells as the header")
    return header, rows


def read_rows(path: Path, columns: str) -> list[Row]:
    """The rows of the table at `path`, which must have all of `columns`."""
    return parse(read_text(path), path, columns)[1]


def csv_text(rows: list[Row]) -> str:
    """The text of a table, whose columns are those of its first row."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def shown(rows: list[Row]) -> str:
    """A table for people."""
    lines = [list(rows[0]), *(list(row.values()) for row in rows)] if rows else []
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    cells = ([f"{cell:>{w}}" for cell, w in zip(line, widths, strict=True)] for line in lines)
    return "".join("  ".join(line) + "\n" for line in cells)


def estimate(name: str, value: float | None, interval: Interval | None, decimals: int) -> Row:
    """The cells of an estimate and of the ends of its interval; empty where there is none."""
    cells = zip(("", "_low", "_high"), (value, *(interval or (None, None))), strict=True)
    return {name + end: "" if cell is None else f"{cell:.{decimals}f}" for end, cell in cells}


def verdict(interval: Interval | None, threshold: float, below: str, above: str) -> str:
    """The verdict of an interval on a threshold: below, above, or neither."""
    low, high = interval or (threshold, threshold)
    return below if high < threshold else above if low > threshold else "undecided"
