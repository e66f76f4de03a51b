"""Which openings and which komi give most information per game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tables import Fault, Interval, Row, estimate, verdict

from studies import matches
from studies.matches import HALVES
from tengen import stats

DEFAULT = "random-4-8.5"
"""The cell of the default openings of 7×7, with which the others are compared."""
PSEUDO_PAIRS = (1, 0, 2, 0, 1)
"""Four pairs between equal players with independent games, added to estimate the error."""
PER_GAME = 800 / math.log(10) / math.sqrt(2)
"""Normalized Elo per game where the score of a pair differs from ½ by one deviation."""


@dataclass(frozen=True)
class Information:
    """Normalized Elo per game with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, cells: list[int]) -> Information | None:
        """The information of counted pairs: t = (μ - ½)/σ of the score of a pair, in normalized Elo
        of a game, and the error by the delta method: the influence of a score with the deviation d
        = (x - μ)/σ is d - t·(d² - 1)/2. None if no score differs from another."""
        value = stats.pairs(cells).normalized_elo
        if math.isnan(value):
            return None
        counts, scores = np.add(cells, PSEUDO_PAIRS), np.arange(5) / 4
        mean = np.average(scores, weights=counts)
        deviation = math.sqrt(np.average((scores - mean) ** 2, weights=counts))
        d, t = (scores - mean) / deviation, (mean - 0.5) / deviation
        square = np.average((d - 0.5 * t * (d * d - 1)) ** 2, weights=counts)
        return cls(value, PER_GAME * math.sqrt(square / sum(cells)))

    def interval(self, level: float = 0.95) -> Interval:
        """Its interval."""
        return matches.normal_interval(self.value, self.error, level)

    def minus(self, other: Information) -> Information:
        """The difference to `other`."""
        return Information(self.value - other.value, math.hypot(self.error, other.error))


@dataclass(frozen=True)
class Cell:
    """A run: openings of one kind, with one number of plies and one komi."""

    kind: str
    plies: int
    komi: float
    information: Information
    row: Row

    @classmethod
    def read(cls, folder: Path) -> Cell:
        """The run in `folder`."""
        rows, cells = matches.games(folder), matches.read(folder)[0].cells()[::-1]
        information = Information.of(cells)
        if information is None:
            raise Fault(f"{folder}: all pairs have one result")
        halves = [HALVES[row["outcome"]] for row in rows if row["outcome"] in HALVES]
        pairs, (lost, nearly_lost, split, nearly_won, won) = stats.pairs(cells), cells
        row = {"cell": folder.name, "pairs": str(sum(cells)), "won": str(nearly_won + won)}
        row |= {"split": str(split), "lost": str(lost + nearly_lost)}
        row["black"] = f"{sum(halves) / 2 / len(halves):.4f}"
        row |= estimate("win_rate", pairs.score, pairs.interval, 4)
        row |= estimate("normalized_elo", information.value, information.interval(), 1)
        kind, plies = folder.name.split("-")[0], int(rows[0]["opening_plies"])
        return cls(kind, plies, float(rows[0]["komi"]), information, row)

    def compared(self, default: Cell, level: float) -> Row:
        """The row of the cell, compared with the default by an interval of `level`."""
        if self is default:
            none = estimate("difference", None, None, 1)
            return self.row | none | {"games": "", "verdict": "the default"}
        own, other = self.information, default.information
        less, interval = own.minus(other), own.minus(other).interval(level)
        row = self.row | estimate("difference", less.value, interval, 1)
        row["games"] = f"{(other.value / own.value) ** 2:.3f}"
        return row | {"verdict": verdict(interval, 0, "less", "more")}


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    cells = [Cell.read(config.parent) for config in sorted(folder.glob("*/config.toml"))]
    default = next((cell for cell in cells if cell.row["cell"] == DEFAULT), None)
    if default is None:
        raise Fault(f"{folder}: no run `{DEFAULT}`")
    # Bonferroni: every cell but the default is compared with it.
    level = 1 - 0.05 / max(len(cells) - 1, 1)
    equal = [cell for cell in cells if cell.komi == default.komi and cell.plies]
    differences = [
        balanced.information.minus(random.information)
        for balanced in equal
        for random in equal
        if (balanced.kind, random.kind, balanced.plies) == ("balanced", "random", random.plies)
    ]
    row = {"comparison": "balanced less random", "cells": str(len(differences))}
    value, interval = None, None
    if differences:
        value = sum(each.value for each in differences) / len(differences)
        error = math.hypot(*(each.error for each in differences)) / len(differences)
        interval = matches.normal_interval(value, error)
    row |= estimate("difference", value, interval, 1)
    row["verdict"] = verdict(interval, 0, "less", "more")
    return {"cells.csv": [cell.compared(default, level) for cell in cells], "pooled.csv": [row]}
