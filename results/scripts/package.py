"""results/datapackage.json: every published table with its columns, units, keys and checksum, as a
Data Package (https://specs.frictionlessdata.io/data-package/).

Each table has its schema beside its path, so that the package is one file. Only results/columns.csv
describes the columns: descriptions in each of 300 tables would be most of the package.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tables import Row, find, parse, read_rows, read_text

COLUMNS, PACKAGE = "columns.csv", "datapackage.json"
NO_RESULTS = (COLUMNS, "elsewhere.csv")
"""Tables about the results that are no results themselves."""
REBUILT = ("arms.csv", "differences.csv", "ratings.csv", "verdicts.csv")
"""Tables that follow from the games of a run, and exist only if somebody has rebuilt them."""
ENDS = ("_low", "_high", "_flat", "_opponent", "")
"""Suffixes of NAME in columns.csv, where NAME stands for each tuned parameter."""
ABOUT = {
    "profile": "tabular-data-package",
    "name": "tengen-results",
    "title": "Published runs of Tengen",
    "description": "Games, searches and measurements of Monte Carlo tree search on Go, with the "
    "tables computed from them. README.md of each folder has the question and the answer, "
    "columns.csv a description of each column.",
    "licenses": [{"name": "MIT", "path": "https://opensource.org/license/mit"}],
}
KIND = {
    "profile": "tabular-data-resource",
    "format": "csv",
    "mediatype": "text/csv",
    "encoding": "utf-8",
}


def text(results: Path, faults: list[str]) -> str:
    """The text of the package, with a line per table."""
    rows = read_rows(results / COLUMNS, "table column type unit key description")
    columns = {(row["table"], row["column"]): row for row in rows}
    # A column that some command writes needs no published table.
    used = {key for key, row in columns.items() if row.get("written_by")}
    resources = []
    for path in tables_below(results):
        name, table = path.relative_to(results).as_posix(), path.name.split(".csv")[0]
        header, _ = parse(read_text(path), path)
        for column in header:
            key = key_of(table, column, columns)
            if key not in columns.keys() | used:
                what = f"no column `{column}` of `{table}`, as in {name}"
                faults.append(f"results/{COLUMNS}: {what}")
            used.add(key)
        content = path.read_bytes()
        resource = KIND | {"name": resource_name(name), "path": name, "bytes": len(content)}
        resource["hash"] = f"sha256:{hashlib.sha256(content).hexdigest()}"
        packed = {"compression": "xz"} if path.suffix == ".xz" else {}
        resources.append({**resource, **packed, "schema": schema_of(table, header, columns)})
    for table, column in sorted(columns.keys() - used):
        remedy = "remove the row, or name in `written_by` what writes the column"
        what = f"no table `{table}` has the column `{column}`; {remedy}"
        faults.append(f"results/{COLUMNS}: {what}")
    # An object in braces, whose last key has a line for each resource.
    about = as_json(ABOUT, indent=2).removesuffix("\n}")
    lines = ",\n".join(as_json(resource) for resource in resources)
    return f'{about},\n  "resources": [\n{lines}\n  ]\n}}\n'


def write(results: Path, text: str) -> None:
    """Write the package."""
    (results / PACKAGE).write_bytes(text.encode())


def compare(results: Path, wanted: str, faults: list[str]) -> None:
    """Compare the wanted package with the existing file."""
    remedy = "write it again with `python results/scripts/check.py --package`"
    path = results / PACKAGE
    line = first_difference(read_text(path) if path.exists() else "", wanted)
    if line:
        faults.append(f"results/{PACKAGE}, line {line}: the tables say otherwise; {remedy}")


def first_difference(text: str, wanted: str) -> int | None:
    """The first line in which two texts differ; None if they are equal."""
    both = list(zip(text.split("\n"), wanted.split("\n"), strict=False))
    lines = [number for number, (one, other) in enumerate(both, 1) if one != other]
    return None if text == wanted else min(lines, default=len(both) + 1)


def tables_below(results: Path) -> list[Path]:
    """The published tables in the order of their paths."""
    paths = sorted([*results.rglob("*.csv"), *results.rglob("*.csv.xz")])
    own = [results / name for name in NO_RESULTS]
    return [path for path in paths if path not in own and not is_rebuilt(path, results)]


def is_rebuilt(path: Path, results: Path) -> bool:
    """Whether a table follows from games and is not published. A run in the folder of a study or of
    a tuning also publishes no summary."""
    is_below = len(path.relative_to(results).parts) > 2
    is_summary = is_below and path.name == "summary.csv" and find(path.parent, "games.csv").exists()
    return path.name in REBUILT or is_summary


def resource_name(path: str) -> str:
    """The path of a table as a resource name by the specification: lower case, with no signs but
    `.`, `_` and `-`."""
    return path.removesuffix(".xz").removesuffix(".csv").replace("/", "_").lower()


def key_of(table: str, column: str, columns: dict[tuple[str, str], Row]) -> tuple[str, str]:
    """The key in `columns` of the row that describes a column: its own, or the row of NAME."""
    names = [column, *(f"NAME{end}" for end in ENDS if column.endswith(end))]
    keys = [(table, name) for name in names]
    return next((key for key in keys if key in columns), (table, column))


def schema_of(table: str, header: list[str], columns: dict[tuple[str, str], Row]) -> Any:
    """The Table Schema of these columns of a table."""
    fields, key = [], []
    for name in header:
        row = columns.get(key_of(table, name, columns), {})
        fields.append({"name": name, **{k: row[k] for k in ("type", "unit") if row.get(k)}})
        key += [name] if row.get("key") == "yes" else []
    return {"fields": fields, "missingValues": [""], "primaryKey": key}


def as_json(value: Any, indent: int | None = None) -> str:
    """A value as JSON."""
    return json.dumps(value, indent=indent, ensure_ascii=False)
