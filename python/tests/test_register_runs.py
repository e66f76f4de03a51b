"""Evaluators, bots and formulas in Python, in tournaments."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_register import ucb1
from test_search import judge

import tengen
from tengen import Position, RunError, register


def draws(position: Position, seed: int) -> int:
    legal = np.flatnonzero(position.legal(own_eyes=False))
    return int(legal[seed % len(legal)])


def played(folder: Path, threads: int, *bots: str) -> Any:
    out = folder / f"{threads}"
    return tengen.tournament(
        bot=list(bots), size=5, pairs=3, threads=threads, out=out, progress=False
    )


def test_rows_do_not_depend_on_threads(tmp_path: Path) -> None:
    evaluator, bot = register.evaluator("judge", judge), register.bot("draws", draws)
    formula = register.selection("own-ucb1", ucb1)
    bots = [
        f"uct:simulations=30,{evaluator}",
        bot,
        f"uct:simulations=30,rave=none,prior=none,{formula}",
    ]
    one, two = (played(tmp_path, threads, *bots).games for threads in (1, 2))
    for column in one:
        if "seconds" not in column:
            assert str(list(one[column])) == str(list(two[column])), column


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_end_a_tournament(tmp_path: Path, threads: int) -> None:
    error = KeyError("mine")

    def bot(position: Position, seed: int) -> int:
        if position.ply > 4:
            raise error
        return draws(position, seed)

    with pytest.raises(RunError, match="the bot `failing` raised KeyError") as caught:
        played(tmp_path / "bot", threads, register.bot("failing", bot), "random")
    assert caught.value.__cause__ is error

    def evaluator(planes: Any, legal: Any) -> Any:
        raise error

    text = f"uct:simulations=30,{register.evaluator('failing', evaluator)}"
    with pytest.raises(RunError, match="the evaluator `failing` raised KeyError") as caught:
        played(tmp_path / "evaluator", threads, text, "random")
    assert caught.value.__cause__ is error

    calls = 0

    def formula(*children: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 300:
            raise ValueError("mine")
        return ucb1(*children)

    settings = f"rave=none,prior=none,{register.selection('failing', formula)}"
    with pytest.raises(ValueError, match="^mine"):
        played(tmp_path / "formula", threads, f"uct:simulations=30,{settings}", "random")


def test_an_illegal_move_loses_the_game(tmp_path: Path) -> None:
    bot = register.bot("illegal", lambda position, seed: 0)
    games = played(tmp_path, 1, bot, "random").games
    assert set(games["termination"]) == {"illegal"}
