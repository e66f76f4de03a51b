"""Print the share of split pairs of equally strong bots in the published matches, by board.

A pair is split if each bot wins one of its games. In a match of unequal bots fewer pairs are
split. So the correlation of the two games of a pair is estimated from each match, and with it
the share if the bots were equal: (1 - correlation) / 2. Only matches of at least 50 pairs, without
jigo, of which the bots win 10 to 90 %, tell the correlation well enough.

Example: python results/scripts/split_pairs.py
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tables import Row, parse, read_text, shown

RESULTS = Path(__file__).resolve().parents[1]
LEAST_PAIRS = 50
EDGE = 0.1
PSEUDO = (1, 2, 1)
"""Lost, split and won pairs of equal bots, which are added where a variance is estimated."""


def share_of(row: Row) -> float | None:
    """The share of split pairs if the bots of a pairing were equal; none if it is left out."""
    counts = [int(row[name]) for name in ("pairs_lost", "pairs_split", "pairs_won")]
    if (
        sum(counts) < LEAST_PAIRS
        or int(row["jigo"])
        or not EDGE <= float(row["win_rate"]) <= 1 - EDGE
    ):
        return None
    lost, split, won = (count + more for count, more in zip(counts, PSEUDO, strict=True))
    pairs = lost + split + won
    mean = (won + split / 2) / pairs
    of_pair = (lost * mean**2 + split * (0.5 - mean) ** 2 + won * (1 - mean) ** 2) / pairs
    correlation = 2 * of_pair / (mean * (1 - mean)) - 1
    return (1 - correlation) / 2


def shares() -> Iterator[tuple[str, float]]:
    """Board and share of each match."""
    for path in sorted(RESULTS.glob("**/summary.csv")):
        settings = path.with_name("config.toml")
        if not settings.exists():
            continue
        # One board size; runs on several have no pairings.
        size = re.search(r'^size = "(\d+x\d+)"$', read_text(settings), re.MULTILINE)
        for row in parse(read_text(path), path)[1]:
            if size and row.get("kind") == "pairing":
                share = share_of(row)
                if share is not None:
                    yield size[1], share


def main() -> None:
    """Print the table."""
    by_size: dict[str, list[float]] = defaultdict(list)
    for size, share in shares():
        by_size[size].append(share)
    rows: list[Row] = []
    for size, found in sorted(by_size.items(), key=lambda entry: int(entry[0].split("x")[0])):
        rows.append(
            {
                "board": size,
                "matches": str(len(found)),
                "median": f"{statistics.median(found):.1%}",
                "lowest": f"{min(found):.1%}",
                "highest": f"{max(found):.1%}",
            }
        )
    print(shown(rows))


if __name__ == "__main__":
    main()
