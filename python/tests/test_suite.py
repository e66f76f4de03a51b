"""The suite of solved positions."""

from pathlib import Path

import numpy as np
import pytest

import tengen


def test_the_values_of_the_suite_are_those_of_the_solver() -> None:
    positions = tengen.solved_positions()
    small = [solved for solved in positions if solved.position.points == 9]
    assert len(small) > 50 and len(positions) > 800
    for solved in small[::10]:
        found = tengen.solve(solved.position, all_moves=True, progress=False)
        assert found.value == solved.value
        assert {move: proved.value for move, proved in found.moves.items()} == solved.values
        assert set(found.best_moves) == set(solved.best_moves)


def test_the_player_to_move_wins_with_the_best_moves_alone() -> None:
    for solved in tengen.solved_positions("train")[::50]:
        position = solved.position
        assert set(np.flatnonzero(position.legal())) == set(solved.values)
        for move, value in solved.values.items():
            is_won = (value - position.komi) * position.to_play > 0
            assert is_won == (move in solved.best_moves) == (solved.regret(move) == 0)
        assert solved.ply >= 0 and solved.source
    with pytest.raises(ValueError, match="T19"):
        solved.regret("T19")


def test_no_position_is_to_be_fitted_and_measured() -> None:
    def pattern(solved: tengen.SolvedPosition) -> bytes:
        board = np.array(solved.position.stones) * solved.position.to_play
        turns = [np.rot90(one, turn) for one in (board, board.T) for turn in range(4)]
        return min(str(one.shape).encode() + one.tobytes() for one in turns)

    train = [pattern(solved) for solved in tengen.solved_positions("train")]
    test = [pattern(solved) for solved in tengen.solved_positions("test")]
    assert len(set(train + test)) == len(train) + len(test)


def test_a_file_of_other_positions_is_read_or_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    tengen.command("positions", str(own), add=2, size="2x3", seed=3, threads=1, progress=False)
    assert [solved.position.size for solved in tengen.solved_positions(own)] == [(2, 3)] * 2
    own.write_text("position,value\n../..,4\n")
    with pytest.raises(ValueError, match="no file of solved positions"):
        tengen.solved_positions(own)
    columns = "size,source,ply,to_play,position,value,moves"
    for row in ("2x2,x,0,black,../..,x,A1:1", "2x2,x,0,black", "2x2,x,0,black,../..,1,"):
        own.write_text(f"{columns}\n{row}\n")
        with pytest.raises(ValueError, match="no file of solved positions: line 2"):
            tengen.solved_positions(own)
    with pytest.raises(TypeError):
        tengen.solved_positions()[0].regret(1.5)  # type: ignore[arg-type]


def test_bots_are_measured_on_the_suite(tmp_path: Path) -> None:
    run = tengen.suite(
        bot={"random": "random", "solver": "solver"},
        size="3x3",
        out=tmp_path / "run",
        threads=1,
        progress=False,
    )
    assert list(run.summary["bot"]) == ["random", "solver"]
    assert run.summary["regret"][1] == 0 < run.summary["regret"][0]
    assert run.kind == "convergence" and len(run.plots)
