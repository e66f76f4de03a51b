"""Exact values of small boards."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen._runs import _call
from tengen._tengen import Position
from tengen._types import Size, names_counts

Bounds = tuple[int, int]


@dataclass(frozen=True)
class ProvedValue:
    """The proved bounds of the area score under best play, in points from Black's view, before
    komi.

    Attributes:
        value: The score; None if it is not proved, or if it depends on how endless games count.
        worst: Lower and upper bound of the score if an endless game (under simple ko) counts as
            Black's worst result.
        best: Lower and upper bound of the score if an endless game counts as Black's best result.
        draw: The score if an endless game is a draw; None while it is not proved.
        status: How the search ended: "solved", or what stopped it: "nodes", "time", "depth".
    """

    value: int | None
    worst: Bounds
    best: Bounds
    draw: int | None
    status: str

    @property
    def proof(self) -> str:
        """What is proved: "exact" for the score (both `worst` and `best`, if endless games make
        them differ), else "bound"."""
        return "exact" if all(low == high for low, high in (self.worst, self.best)) else "bound"

    @property
    def _in_words(self) -> str:
        if self.value is not None:
            return f"value {self.value}"
        if self.proof == "exact":
            return f"value {self.worst[0]}..{self.best[0]}"
        return f"worst {self.worst}, best {self.best}"


@dataclass(frozen=True)
class Solution(ProvedValue):
    """What :func:`solve` has proved of a position.

    Attributes:
        best_move: A best move; None if none is known. Moves are numbers, as of `Position`.
        variation: The principal variation: best moves of both players from here.
        moves: The value after each legal move; empty unless `all_moves` was given.
        best_moves: The moves that keep the value (both `worst` and `best`, if endless games make
            them differ); without `all_moves` only `best_move`.
        claim: The claim that was to be proved, in words; None if the value was to be found.
        proved: Whether the claim is proved; an unproved claim need not be false.
        nodes: The number of positions searched.
        seconds: The time that it took, in seconds.
        position: The position.
    """

    best_move: int | None
    variation: tuple[int, ...]
    moves: dict[int, ProvedValue]
    best_moves: tuple[int, ...]
    claim: str | None
    proved: bool | None
    nodes: int
    seconds: float
    position: Position

    def __repr__(self) -> str:
        parts = [self._in_words]
        if self.claim is not None:
            parts.insert(0, f"{self.claim}: {'proved' if self.proved else 'not proved'}")
        if self.best_move is not None:
            parts.append(f"move {self.position.name(self.best_move)}")
        return f"<tengen.Solution: {', '.join(parts)}, {self.proof}, {self.nodes} nodes>"


@names_counts
def solve(
    position: Position | Size,
    *,
    ko: str | None = None,
    to_play: int | None = None,
    all_moves: bool = False,
    at_least: int | None = None,
    at_most: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    progress: bool = True,
) -> Solution:
    """Prove the value of a position of up to 30 points: the area score under best play, without
    suicide, before komi.

    Args:
        position: a `Position`, a size such as 5, (5, 4) or "5x4" for its empty board, or a diagram
            on one line, the top row first ("..X/.O./...").
        ko: "simple", "psk" (positional superko) or "ssk" (situational); by default that of a
            `Position`, else "simple".
        to_play: the player to move, 1 (Black) or -1 (White); by default Black. A `Position` has its
            own.
        all_moves: whether to prove the value after each legal move too.
        at_least: prove only that Black scores so many points or more.
        at_most: prove only that Black scores so many points or fewer.
        nodes: stop after so many positions.
        seconds: stop after so many seconds.
        memory: the most memory of the table, in mebibytes (default 1024).
        progress: whether to show progress.

    A search that `nodes` or `seconds` stops returns the bounds that it has proved. Raises
    `ValueError` for wrong arguments, and `KeyboardInterrupt` at Ctrl-C.
    """
    if isinstance(position, Position):
        start, ko = position, ko or position.ko
        if start.is_over:
            raise ValueError("the game is over: undo the passes")
        if to_play is not None:
            raise ValueError("to_play is that of the Position: leave it out")
        if position.suicide != "no":
            raise ValueError(
                f"the solver knows no suicide, but suicide is {position.suicide!r} in the position"
            )
    elif isinstance(position, str) and set(position) <= set("XOxo./"):
        start = Position(rows=position, to_play=1 if to_play is None else to_play)
    else:
        start = Position(position, to_play=1 if to_play is None else to_play)
    settings: dict[str, object] = {
        "ko": ko or "simple",
        "to_play": "b" if start.to_play > 0 else "w",
        "all_moves": all_moves,
        "at_least": at_least,
        "at_most": at_most,
        "nodes": nodes,
        "seconds": seconds,
        "memory": memory,
        "progress": progress,
        "json": True,
    }
    # Superko depends on the history of the game, which an SGF record contains.
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        record = Path(folder) / "position.sgf"
        record.write_text(start.to_sgf(), encoding="utf-8")
        text, _ = _call("solve", [], settings | {"sgf": os.fspath(record)}, progress=progress)
    return _solution(json.loads(text), start)


def _solution(found: dict[str, Any], position: Position) -> Solution:
    def value(of: dict[str, Any]) -> ProvedValue:
        worst, best = tuple(of["worst"]), tuple(of["best"])
        return ProvedValue(of["value"], worst, best, of["draw"], of["status"])

    best = None if found["best_move"] is None else position.number(found["best_move"])
    moves = {position.number(of["move"]): value(of) for of in found.get("moves", [])}
    own = value(found)
    is_same = own.proof == "exact"
    same = [
        move
        for move, after in moves.items()
        if is_same and (after.worst, after.best) == (own.worst, own.best)
    ]
    return Solution(
        **vars(own),
        best_move=best,
        variation=tuple(map(position.number, found["variation"])),
        moves=moves,
        best_moves=tuple(same or ([] if best is None else [best])),
        claim=f"Black scores {found['claim']}" if "claim" in found else None,
        proved=found.get("proved"),
        nodes=found["nodes"],
        seconds=found["seconds"],
        position=position,
    )
