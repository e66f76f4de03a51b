"""Join a table of many runs into one, whose column `run` has the names of the runs' folders.

Leaves out what a repetition writes again (moves, seeds, times, checksums), and columns
that are empty in all rows. A path that ends in .xz is compressed.

Example: python results/scripts/join.py runs/pair-savings games.csv games.csv.xz
"""

from __future__ import annotations

import argparse
import lzma
import re
import sys
from pathlib import Path

from tables import Fault, Row, csv_text, find, read_rows

LEFT_OUT = re.compile(r"run|seed|\w+_seconds|\w+_simulations|moves|comments|fingerprint|check")


def joined(folder: Path, table: str) -> list[Row]:
    """The rows of the table in each run below `folder`."""
    rows = [
        {**row, "run": config.parent.name}
        for config in sorted(folder.glob("*/config.toml"))
        for row in read_rows(find(config.parent, table), "")
    ]
    if not rows:
        raise Fault(f"{folder}: no run with a table {table}")
    kept = {
        name: ""
        for name in rows[0]
        if name == "run" or not LEFT_OUT.fullmatch(name) and any(row[name] for row in rows)
    }
    return [{name: row[name] for name in kept} for row in rows]


def main() -> int:
    """Write the joined table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder with the runs")
    parser.add_argument("table", help="the name of the table")
    parser.add_argument("out", type=Path, help="the file to write")
    given = parser.parse_args()
    try:
        content = csv_text(joined(given.folder, given.table)).encode()
    except Fault as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    given.out.write_bytes(lzma.compress(content) if given.out.suffix == ".xz" else content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
