"""Exact values of small boards from Python."""

from __future__ import annotations

import pytest
from test_process import interrupted

import tengen


def test_the_value_of_an_empty_board() -> None:
    solved = tengen.solve(3, progress=False)
    assert (solved.value, solved.proof, solved.status) == (9, "exact", "solved")
    assert solved.best_move == 4 and solved.best_moves == (4,) and solved.variation[0] == 4
    assert solved.worst == (9, 9) and solved.nodes > 0
    assert repr(solved).startswith("<tengen.Solution: value 9, move B2, exact")


def test_moves_and_bounds() -> None:
    solved = tengen.solve((3, 3), all_moves=True, ko="psk", progress=False)
    assert set(solved.moves) == set(range(10)) and solved.moves[4].value == 9
    assert all(solved.moves[move].value == 9 for move in solved.best_moves)
    bound = tengen.solve("5x4", nodes=100, progress=False)
    assert (bound.value, bound.proof, bound.status) == (None, "bound", "nodes")
    claim = tengen.solve(3, at_least=9, progress=False)
    assert claim.proved is True and claim.claim == "Black scores at least 9"


def test_endless_games_have_two_exact_values() -> None:
    solved = tengen.solve(2, progress=False)
    assert (solved.value, solved.worst, solved.best, solved.draw) == (None, (-4, -4), (4, 4), 0)
    assert (solved.proof, solved.status) == ("exact", "solved")
    assert "value -4..4" in repr(solved)
    assert tengen.solve(2, ko="psk", progress=False).value == 1


def test_best_moves_keep_both_values() -> None:
    solved = tengen.solve(2, all_moves=True, progress=False)
    assert solved.value is None and solved.best_moves == (0, 1, 2, 3)


def test_positions_and_diagrams() -> None:
    rows = ".../.../..."
    assert tengen.solve(rows, to_play=-1, progress=False).value == -9
    position = tengen.Position(3, ko="psk")
    position.play("B2")
    after = tengen.solve(position, progress=False)
    assert after.value == 9 and after.position.to_play == -1
    white = tengen.solve(
        tengen.Position(rows="X.X/.X./X.X", ko="simple", to_play=-1), progress=False
    )
    assert white.value == 9


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(ValueError, match="30"):
        tengen.solve(9, progress=False)
    with pytest.raises(ValueError, match="suicide"):
        tengen.solve(tengen.Position(3, rules="tromp-taylor"), progress=False)
    with pytest.raises(ValueError, match="nssk"):
        tengen.solve(3, ko="nssk", progress=False)
    with pytest.raises(ValueError, match="leave it out"):
        tengen.solve(tengen.Position(3), to_play=1, progress=False)
    with pytest.raises(ValueError, match="colour 0"):
        tengen.solve(3, to_play=0, progress=False)
    over = tengen.Position(2)
    over.play("pass")
    over.play("pass")
    with pytest.raises(ValueError, match="the game is over"):
        tengen.solve(over, progress=False)


def test_ctrl_c_stops_the_solver() -> None:
    said, seconds = interrupted(
        "import tengen; print('begun'); tengen.solve((5, 5), progress=False)"
    )
    assert seconds < 10 and "\nKeyboardInterrupt: stopped" in said
