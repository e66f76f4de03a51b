"""Figures with an interval in texts, and whether tables have them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tables import parse

NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?"
FIGURE = re.compile(
    rf"(?:^|[^\w.,×])(?P<text>(?P<value>{NUMBER})"
    r"(?:\s*(?:%|Elo))?(?:\s+\w+){0,6}?\s*[(|]\s*(?:95 %[^0-9]*?)?"
    rf"(?P<low>{NUMBER})\s*(?:%|Elo)?\s+to\s+(?P<high>{NUMBER}))",
    re.ASCII,
)
"""A figure as texts write it: a number, then its interval in brackets or in the next cell of a
table, as in `73.0 % of 200 games (66.4 to 78.7)` and `| 0.227 | 0.194 to 0.258 |`."""

Triples = NDArray[np.float64]
"""Numbers with the ends of their intervals: [N, 3]."""


@dataclass(frozen=True)
class Figure:
    """A figure in a text: its line (from 1 on), its spelling from the number to the end of the
    interval, and its three numbers with half a unit of the last digit of each."""

    line: int
    text: str
    numbers: tuple[float, ...]
    halves: tuple[float, ...]

    def is_in(self, triples: Triples) -> bool:
        """Whether one of `triples` rounds to this figure, a half rounded either way."""
        within = np.array(self.halves) * (1 + 1e-9) + 1e-12
        return bool((np.abs(triples - np.array(self.numbers)) <= within).all(axis=1).any())


def figures(text: str) -> list[Figure]:
    """The figures with an interval in a text."""
    found = []
    for line, content in enumerate(text.split("\n"), 1):
        for match in FIGURE.finditer(content):
            written = match["value"], match["low"], match["high"]
            plain = [number.replace(",", "").replace("−", "-") for number in written]
            value, low, high = numbers = tuple(float(number) for number in plain)
            halves = tuple(0.5 * 10.0 ** -len(number.partition(".")[2]) for number in plain)
            # Otherwise the range does not belong to the number before it.
            if low <= value <= high:
                found.append(Figure(line, " ".join(match["text"].split()), numbers, halves))
    return found


def triples(text: str, name: object) -> Triples:
    """The numbers of a table that have an interval: columns `x`, `x_low` and `x_high`, and a column
    with `low` and `high` after it. Each number is repeated in percent, and from the opponent's
    view: the loss rate for a win rate, the difference with the other sign."""
    header, rows = parse(text, name)
    named = [(column, f"{column}_low", f"{column}_high") for column in header]
    named += [(column, "low", "high") for column, low in pairwise(header) if low == "low"]
    columns = [three for three in named if set(three) <= set(header)]
    cells = [[number(row[column]) for column in three] for row in rows for three in columns]
    found = np.array(cells).reshape(-1, 3)
    found = found[np.isfinite(found).all(axis=1)]
    turned = found[:, [0, 2, 1]]
    ways = ((n * found, -n * turned, n - n * turned) for n in (1, 100))
    return np.concatenate([way for three in ways for way in three])


def number(cell: str) -> float:
    """The number in a cell; NaN if the cell has none."""
    try:
        return float(cell)
    except ValueError:
        return float("nan")
