"""Positions in which the value of every legal move is known."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from operator import index
from pathlib import Path

from tengen._run import StrPath
from tengen._tengen import Position, suite_text

SPLITS = ("test", "train")


@dataclass(frozen=True)
class SolvedPosition:
    """A position in which the value of every legal move is known: the area score under best play,
    in points from Black's view, under simple ko without suicide.

    Attributes:
        position: The position. Under its komi the player to move wins by half a point with a best
            move, and loses with any other move.
        values: The value after each legal move. Moves are numbers, as of `Position`.
        bounds: The moves whose value is a bound: to the player to move they are worth at most their
            value.
        source: The bot of both players of the game from which the position comes.
        ply: The plies of that game before the position.
    """

    position: Position
    values: dict[int, int]
    bounds: frozenset[int]
    source: str
    ply: int

    @property
    def value(self) -> int:
        """The value of the position, that of its best moves."""
        return (max if self.position.to_play > 0 else min)(self.values.values())

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that keep the value."""
        value = self.value
        return tuple(move for move, worth in self.values.items() if worth == value)

    def regret(self, move: int | str) -> int:
        """The points that `move` gives away, at least 0; if its value is a bound, a lower bound.
        Raises `ValueError` for an illegal move."""
        number = self.position.number(move) if isinstance(move, str) else index(move)
        if number not in self.values:
            raise ValueError(f"{move} is no legal move of the position")
        return abs(self.value - self.values[number])


def solved_positions(of: StrPath = "test") -> list[SolvedPosition]:
    """The solved positions of the suite, to measure a search on without playing games.

    Args:
        of: "test" for the positions to measure on, "train" for those to fit to, or a file that
            ``tengen positions`` has made. No position of "test" is in "train", turned, mirrored or
            with swapped colours.

    [Solved positions](../solved-positions.md) says how they were drawn. :func:`suite` measures bots
    on them. Raises `ValueError` if the file has other columns.
    """
    text = suite_text(str(of)) if of in SPLITS else Path(of).read_text(encoding="utf-8")
    return [_read(row, number) for number, row in enumerate(csv.DictReader(io.StringIO(text)), 2)]


def _read(row: dict[str, str], line: int) -> SolvedPosition:
    try:
        to_play = {"black": 1, "white": -1}[row["to_play"]]
        komi = int(row["value"]) - to_play / 2
        position = Position(
            rows=row["position"], to_play=to_play, rules="simple", suicide="no", komi=komi
        )
        pairs = [text.split(":") for text in row["moves"].split()]
        numbers = {position.number(name): value for name, value in pairs}
        if not numbers:
            raise ValueError("no moves")
        return SolvedPosition(
            position,
            {move: int(value.lstrip("<>=")) for move, value in numbers.items()},
            frozenset(move for move, value in numbers.items() if value[0] in "<>"),
            row["source"],
            int(row["ply"]),
        )
    except KeyError as why:
        raise ValueError(f"no file of solved positions: line {line}: {why} is missing") from why
    except (TypeError, ValueError, AttributeError) as why:
        raise ValueError(f"no file of solved positions: line {line}: {why}") from why
