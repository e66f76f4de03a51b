"""Playouts as arrays."""

import pickle

import numpy as np
import pytest
from test_position import random_game

import tengen
from tengen import Position, playouts


@pytest.mark.parametrize("size", [1, 2, (3, 4), 5, 7, 9, (9, 13), 13, 19])
@pytest.mark.parametrize("policy", ["uniform", "capture-escape:0.9", "mogo:0.9:1"])
def test_ownership_and_scores_agree(size: object, policy: str) -> None:
    positions = [random_game(size, seed, 10) for seed in range(3)]
    results = playouts(positions, 40, seed=4, policy=policy, ownership=True, first_plays=True)
    assert results.scores.shape == results.lengths.shape == (3, 40)
    # The score of a playout is the sum of the owners of its points.
    total = results.ownership.sum(axis=(1, 2), dtype=np.float64) * 40
    np.testing.assert_allclose(total, results.scores.sum(axis=1), atol=1e-3)
    assert (results.lengths >= 0).all()
    # At most one colour is first on a point, at most once a playout.
    assert (results.first_plays.sum(axis=1) <= 40).all()
    assert (results.first_plays.sum(axis=(1, 2, 3)) <= results.lengths.sum(axis=1)).all()
    assert (results.first_play_wins <= results.first_plays).all()
    # Each playout is a win for one colour at most.
    everything = results.first_play_wins.sum(axis=(2, 3))
    assert ((everything >= 0) & (everything <= results.first_plays.sum(axis=(2, 3)))).all()


def test_win_rates_are_those_at_the_komi() -> None:
    position = Position(5, komi=3)
    results = playouts(position, 500)
    margin = results.scores.astype(float) - 3
    assert results.win_rates == np.mean((margin > 0) + 0.5 * (margin == 0))
    assert (margin == 0).any()


def test_results_depend_on_seed_and_place_alone() -> None:
    positions = [random_game(7, seed, 12) for seed in range(5)]
    one = playouts(positions, 333, seed=9, ownership=True, first_plays=True, threads=1)
    for threads in (2, 3, 7):
        other = playouts(positions, 333, seed=9, ownership=True, first_plays=True, threads=threads)
        for name in ("scores", "lengths", "ownership", "first_plays", "first_play_wins"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    few = playouts(positions[:2], 50, seed=9)
    np.testing.assert_array_equal(few.scores, one.scores[:2, :50])
    assert (playouts(positions, 333, seed=10).scores != one.scores).any()
    # A large call, on a thread of its own, begins with the playouts of a small one.
    large = playouts(positions[0], 40_000, seed=9)
    np.testing.assert_array_equal(large.scores[:333], one.scores[0])


def test_one_position_has_no_axis_of_positions() -> None:
    results = playouts(Position(5), 10, ownership=True, first_plays=True)
    assert results.scores.shape == (10,) and results.komi.shape == ()
    assert results.ownership.shape == (5, 5)
    assert results.first_plays.shape == (2, 5, 5)
    assert playouts((Position(5),), 10).scores.shape == (1, 10)


def test_early_stop_ends_games_earlier() -> None:
    position = Position(9)
    whole, stopped = playouts(position, 200), playouts(position, 200, stop="decided:10")
    assert stopped.lengths.mean() < whole.lengths.mean()


@pytest.mark.parametrize(
    ("arguments", "error", "fault"),
    [
        (([], 1), ValueError, "no position: expected one or more"),
        ((Position(5), 0), ValueError, "invalid n 0"),
        ((Position(5), -1), OverflowError, None),
        ((Position(5), 2**60), ValueError, "are too many"),
        ((3, 1), TypeError, "expected a Position or a sequence of them, not int"),
        (([Position(5), 3], 1), TypeError, "not int"),
        (([Position(5), Position(6)], 1), ValueError, "different sizes, 5x5 and 6x6"),
    ],
)
def test_wrong_arguments(
    arguments: tuple[object, int], error: type[Exception], fault: str | None
) -> None:
    with pytest.raises(error, match=fault):
        playouts(*arguments)  # type: ignore[arg-type]


def test_wrong_settings() -> None:
    with pytest.raises(ValueError, match="invalid policy `clever`: expected uniform"):
        playouts(Position(5), 1, policy="clever")
    with pytest.raises(ValueError, match="invalid stop rule `soon`"):
        playouts(Position(5), 1, stop="soon")
    with pytest.raises(ValueError, match="invalid threads 0"):
        playouts(Position(5), 1, threads=0)
    with pytest.raises(ValueError, match="different komi, 1.5 and 0.5: stop `mercy:9`"):
        playouts([Position(5, komi=1.5), Position(5, komi=0.5)], 1, stop="mercy:9")
    assert tengen.playouts(Position(1), 3).scores.tolist() == [0, 0, 0]


def test_arrays_that_were_not_asked_for_say_so() -> None:
    played = tengen.playouts(tengen.Position(5), 4)
    with pytest.raises(AttributeError, match="ownership was not asked for: playouts"):
        _ = played.ownership
    with pytest.raises(AttributeError, match="first_plays=True"):
        _ = played.first_play_wins
    assert pickle.loads(pickle.dumps(played)).scores.tolist() == played.scores.tolist()
