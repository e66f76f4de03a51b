"""results/datapackage.json: every published table with its columns, units, keys and checksum, as a
Data Package (https://specs.frictionlessdata.io/data-package/).

The columns are described in results/columns.csv. Tables of one name whose columns differ have
schemas of their own, in results/schemas.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from tables import Row, parse, read_rows, read_text

COLUMNS, PACKAGE, SCHEMAS = "columns.csv", "datapackage.json", "schemas"
NO_RESULTS = (COLUMNS, "elsewhere.csv")
"""Tables about the results, which are no results."""
REBUILT = ("ratings.csv", "differences.csv")
"""Tables that follow from the games of a run, and are there where somebody has rebuilt them."""
ABOUT = {
    "profile": "tabular-data-package",
    "name": "tengen-results",
    "title": "Published runs of Tengen",
    "description": "Games, searches and measurements of Monte Carlo tree search on Go, with the "
    "tables computed from them. README.md of each folder has the question and the answer.",
    "licenses": [{"name": "MIT", "path": "https://opensource.org/license/mit"}],
}
KIND = {
    "profile": "tabular-data-resource",
    "format": "csv",
    "mediatype": "text/csv",
    "encoding": "utf-8",
}


def files(results: Path, faults: list[str]) -> dict[str, str]:
    """The schemas and the package, by their paths in the folder `results`."""
    rows = read_rows(results / COLUMNS, "table column type unit key description")
    columns = {(row["table"], row["column"]): row for row in rows}
    used = set[tuple[str, str]]()
    schemas: dict[str, list[list[str]]] = defaultdict(list)
    found, resources = {}, []
    for path in tables_below(results):
        name, table = path.relative_to(results).as_posix(), path.name.split(".csv")[0]
        header, _ = parse(read_text(path), path)
        for column in header:
            if (table, column) not in columns.keys() | used:
                what = f"no column `{column}` of `{table}`, as in {name}"
                faults.append(f"results/{COLUMNS}: {what}")
            used.add((table, column))
        if header not in schemas[table]:
            schemas[table].append(header)
        schema = f"{SCHEMAS}/{schema_name(table, schemas[table].index(header))}.json"
        found[schema] = as_json(schema_of(table, header, columns))
        content = path.read_bytes()
        resource = KIND | {"name": resource_name(name), "path": name, "schema": schema}
        resource["hash"] = f"sha256:{hashlib.sha256(content).hexdigest()}"
        packed = {"compression": "xz"} if path.suffix == ".xz" else {}
        resources.append({**resource, **packed, "bytes": len(content)})
    for table, column in sorted(columns.keys() - used):
        what = f"no table `{table}` has the column `{column}`; remove the row"
        faults.append(f"results/{COLUMNS}: {what}")
    found[PACKAGE] = as_json({**ABOUT, "resources": resources})
    return dict(sorted(found.items()))


def write(results: Path, files: dict[str, str]) -> None:
    """Write the files of the package, and remove schemas that are not among them."""
    (results / SCHEMAS).mkdir(exist_ok=True)
    for path in (results / SCHEMAS).iterdir():
        if f"{SCHEMAS}/{path.name}" not in files:
            path.unlink()
    for name, text in files.items():
        (results / name).write_bytes(text.encode())


def compare(results: Path, files: dict[str, str], faults: list[str]) -> None:
    """Compare the files of the package with those that are there."""
    remedy = "write it again with `python results/scripts/check.py --package`"
    for name, wanted in files.items():
        path = results / name
        line = first_difference(read_text(path) if path.exists() else "", wanted)
        if line:
            faults.append(f"results/{name}, line {line}: the tables say otherwise; {remedy}")


def first_difference(text: str, wanted: str) -> int | None:
    """The first line in which two texts differ; None if they are equal."""
    both = list(zip(text.split("\n"), wanted.split("\n"), strict=False))
    lines = [number for number, (one, other) in enumerate(both, 1) if one != other]
    return None if text == wanted else min(lines, default=len(both) + 1)


def tables_below(results: Path) -> list[Path]:
    """The published tables in the order of their paths."""
    paths = sorted([*results.rglob("*.csv"), *results.rglob("*.csv.xz")])
    own = [results / name for name in NO_RESULTS]
    return [path for path in paths if path not in own and path.name not in REBUILT]


def resource_name(path: str) -> str:
    """The path of a table as the specification wants the name of a resource: lower case, and of
    its signs only `.`, `_` and `-`."""
    return path.removesuffix(".xz").removesuffix(".csv").replace("/", "_").lower()


def schema_name(table: str, place: int) -> str:
    """The name of a schema: that of its table, with a number from the second on."""
    return f"{table}-{place + 1}" if place else table


def schema_of(table: str, header: list[str], columns: dict[tuple[str, str], Row]) -> Any:
    """The Table Schema of these columns of a table."""
    fields, key = [], []
    for name in header:
        row = columns.get((table, name), {})
        kept = {k: cell for k, cell in row.items() if k in ("type", "description")}
        fields.append({"name": name, **kept, **({"unit": row["unit"]} if row.get("unit") else {})})
        key += [name] if row.get("key") == "yes" else []
    return {"fields": fields, "missingValues": [""], "primaryKey": key}


def as_json(value: Any) -> str:
    """A value as the text of a file."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
