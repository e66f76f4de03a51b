"""Vector environments play the same games as positions."""

import numpy as np
import pytest

import tengen
from tengen import IllegalMove, Position, VectorEnv, vector_env

RULES = [
    {},
    {"rules": "tromp-taylor"},
    {"ko": "ssk", "suicide": "multi"},
    {"ko": "nssk"},
    {"rules": "simple"},
]


def drawn(legal: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A legal move for each game, the pass as often as any other."""
    weights = draw.random(legal.shape) * legal
    return np.asarray(weights.argmax(axis=1))


def assert_shows(step: tengen.Step, game: int, position: Position, own_eyes: bool) -> None:
    legal = position.legal(own_eyes=own_eyes)
    np.testing.assert_array_equal(step.legal[game], legal)
    np.testing.assert_array_equal(
        step.observations[game], position.planes(own_eyes=own_eyes), strict=True
    )
    assert step.to_play[game] == position.to_play


@pytest.mark.parametrize("own_eyes", [True, False])
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [2, 3, (4, 3), 4, (2, 5)])
def test_games_are_those_of_positions_on_small_boards(
    size: int | tuple[int, int], rules: dict[str, str], own_eyes: bool
) -> None:
    check(size, 10, 250, own_eyes, max_plies=150, **rules)


@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_games_are_those_of_positions(size: int) -> None:
    check(size, 3, 450, own_eyes=False)


def check(size: int | tuple[int, int], n: int, steps: int, own_eyes: bool, **rules: object) -> None:
    env = vector_env(n, size, own_eyes=own_eyes, **rules)  # type: ignore[arg-type]
    new = Position(size, **rules)  # type: ignore[arg-type]
    positions = [new.copy() for _ in range(n)]
    draw = np.random.default_rng(1)
    step = env.reset()
    superko = ends = limits = 0
    for _ in range(steps):
        legal = step.legal.copy()
        # Seldom pass before the points are used up, so that games last.
        legal[:, -1] &= (draw.random(n) < 0.1) | (legal[:, :-1].sum(axis=1) == 0)
        actions = drawn(legal, draw)
        step = env.step(actions)
        ended: list[int] = []
        for game, position in enumerate(positions):
            position.play(int(actions[game]))
            over, full = position.is_over, position.ply == position.max_plies
            two_passes = [move for _, move in position.moves[-2:]] == [new.points] * 2
            assert step.terminated[game] == (over and two_passes)
            assert step.truncated[game] == (over and full and not two_passes)
            if over:
                score = position.score()
                assert step.scores[game] == score
                assert step.rewards[game].tolist() == [np.sign(score), -np.sign(score)]
                np.testing.assert_array_equal(
                    step.final_observations[len(ended)], position.planes(own_eyes=own_eyes)
                )
                ended.append(game)
                positions[game] = new.copy()
                ends, limits = ends + two_passes, limits + (not two_passes)
            else:
                assert np.isnan(step.scores[game]) and step.rewards[game].tolist() == [0, 0]
                superko += forbidden_by_superko(position)
            assert_shows(step, game, positions[game], own_eyes)
        assert step.ended.tolist() == ended
    assert env.positions() == positions
    assert env.plies.tolist() == [position.ply for position in positions]
    assert ends > 0
    # Wider boards have few repetitions in so few games.
    assert superko > 0 or new.points > 16 or position.ko == "simple", (ends, limits)


def forbidden_by_superko(position: Position) -> int:
    """The number of points that only a repeated position makes illegal."""
    if position.points > 16:
        return 0
    suicide, to_play = position.suicide, position.to_play
    alone = Position(rows=position.rows, ko="none", suicide=suicide, to_play=to_play)
    return int((alone.legal() & ~position.legal()).sum())


def test_the_limit_of_plies_truncates_and_the_score_stands() -> None:
    env = vector_env(2, 3, komi=0.5, max_plies=3, auto_reset=False)
    env.step([4, 4])
    env.step([9, 9])
    step = env.step([9, 0])
    # Two passes end the first game at the limit; the second is stopped by it.
    assert step.terminated.tolist() == [True, False]
    assert step.truncated.tolist() == [False, True]
    assert step.scores.tolist() == [8.5, 8.5]
    assert step.rewards.tolist() == [[1, -1], [1, -1]]


def test_without_auto_reset_ended_games_stay_until_reset() -> None:
    env = vector_env(3, 3, komi=0.5, auto_reset=False)
    env.step([9, 4, 4])
    step = env.step([9, 0, 0])
    assert step.terminated.tolist() == [True, False, False] and step.ended.tolist() == [0]
    assert step.rewards[0].tolist() == [-1, 1]
    # The action for the ended game is ignored.
    step = env.step([77, 8, 9])
    assert step.terminated.tolist() == [True, False, False] and step.ended.tolist() == []
    assert step.rewards.tolist() == [[0, 0]] * 3 and step.scores[0] == -0.5
    assert not step.legal[0].any() and step.legal[1].any()
    assert env.plies.tolist() == [2, 3, 3]
    step = env.reset(np.array([True, False, True]))
    assert env.plies.tolist() == [0, 3, 0]
    assert step.legal[0].all() and step.terminated.tolist() == [False] * 3


def test_games_begin_again_where_they_began() -> None:
    first, second = Position(rows=".X/.O", komi=0.5), Position(2, komi=0.5, max_plies=9)
    second.play("A1")
    env = VectorEnv.from_positions([first, second], copies=2)
    assert (env.n, len(env), env.size, env.points) == (4, 4, (2, 2), 4)
    start = env.positions()
    assert start == [first, first, second, second]
    step = env.reset()
    for _ in range(40):
        before = env.positions()
        actions = env.sample()
        step = env.step(actions)
        for game in step.ended:
            assert env.positions()[game] == start[game]
            before[game].play(int(actions[game]))
            assert before[game].is_over and before[game].score() == step.scores[game]
    with pytest.raises(ValueError, match="position 1 is over"):
        over = Position(2, max_plies=1)
        over.play(0)
        VectorEnv.from_positions([first, over])


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (4, IllegalMove, "game 1: white B2: the point is occupied"),
        (10, ValueError, r"game 1: invalid move 10: expected 0 to 9 \(the pass\) on 3x3"),
        (-1, ValueError, "game 1: invalid move -1"),
    ],
)
def test_an_illegal_action_names_its_game_and_changes_nothing(
    action: int, error: type[Exception], message: str
) -> None:
    env = vector_env(3, 3)
    env.step([4, 4, 4])
    before = env.positions()
    with pytest.raises(error, match=message):
        env.step([0, action, 4])
    assert env.positions() == before


def test_reasons_of_refusals() -> None:
    ko = Position(rows=".XO./XO.O/.XO./....")
    ko.play("C3")
    env = VectorEnv.from_positions(ko)
    with pytest.raises(IllegalMove, match="game 0: white B3: the move repeats"):
        env.step([ko.number("B3")])
    eyes = VectorEnv.from_positions(Position(rows=".X./XX./..."), own_eyes=False)
    assert not eyes.reset().legal[0, 6]
    with pytest.raises(IllegalMove, match="game 0: black A3: an own eye; .*own_eyes=True"):
        eyes.step([6])
    suicide = VectorEnv.from_positions(Position(rows=".O./O../..."))
    with pytest.raises(IllegalMove, match="game 0: black A3: the move is suicide"):
        suicide.step([6])


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="number of games 0"):
        vector_env(0, 9)
    with pytest.raises(ValueError, match="number of games -1"):
        vector_env(-1, 9)
    with pytest.raises(ValueError, match="number of games 2097152: expected 1 to 1048576"):
        vector_env(2**21, 9)
    for threads in (0, -1):
        with pytest.raises(ValueError, match=f"threads {threads}"):
            vector_env(1, 9, threads=threads)
    with pytest.raises(ValueError, match="board size"):
        vector_env(1, 20)
    with pytest.raises(ValueError, match="no position"):
        VectorEnv.from_positions([])
    env = vector_env(2, 5)
    with pytest.raises(ValueError, match="actions has 3 values: expected 2"):
        env.step([0, 0, 0])
    with pytest.raises(TypeError, match="array of float64 with shape"):
        env.step([0.0, 1.0])
    with pytest.raises(TypeError, match=r"shape \(1, 2\)"):
        env.step([[0, 1]])
    with pytest.raises(ValueError, match="which has 1 values"):
        env.reset(np.array([True]))
    with pytest.raises(TypeError, match="expected truth values"):
        env.reset(np.array([1, 0]))
    assert env.reset([True, False]).legal.all()


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint16, np.int64])
def test_actions_are_integers_of_any_kind(dtype: type[np.integer]) -> None:
    env = vector_env(4, 5)
    env.step(np.array([1, 2, 3, 25, 9, 9, 9, 9], dtype=dtype)[:4])
    env.step(np.array([0, 9, 0, 9, 0, 9, 0, 9], dtype=dtype)[::2])
    moves = [[move for _, move in position.moves] for position in env.positions()]
    assert moves == [[1, 0], [2, 0], [3, 0], [25, 0]]


def test_threads_change_nothing() -> None:
    seen = []
    for threads in (1, 2, 3):
        env = vector_env(257, 5, threads=threads, own_eyes=False)
        env.reset()
        sums = []
        for seed in range(80):
            step = env.step(env.sample(seed))
            arrays = [getattr(step, name) for name in NAMES]
            sums.append([array.tobytes() for array in arrays])
        seen.append(sums)
    assert seen[0] == seen[1] == seen[2]


NAMES = [
    "observations",
    "legal",
    "rewards",
    "terminated",
    "truncated",
    "to_play",
    "scores",
    "ended",
    "final_observations",
]


def test_arrays_stay_as_they_are_and_can_be_left_out() -> None:
    env, without = vector_env(3, 5), vector_env(3, 5, observations=False)
    first, other = env.reset(), without.reset()
    for name in ("observations", "final_observations"):
        with pytest.raises(AttributeError, match="observations=False"):
            getattr(other, name)
    before = {name: getattr(first, name).copy() for name in NAMES}
    for seed in range(30):
        actions = env.sample(seed)
        np.testing.assert_array_equal(env.step(actions).legal, without.step(actions).legal)
    for name, array in before.items():
        np.testing.assert_array_equal(getattr(first, name), array)
    shapes = {name: (array.shape, array.dtype) for name, array in before.items()}
    assert shapes == {
        "observations": ((3, 6, 5, 5), np.float32),
        "legal": ((3, 26), np.bool_),
        "rewards": ((3, 2), np.float32),
        "terminated": ((3,), np.bool_),
        "truncated": ((3,), np.bool_),
        "to_play": ((3,), np.int8),
        "scores": ((3,), np.float32),
        "ended": ((0,), np.int64),
        "final_observations": ((0, 6, 5, 5), np.float32),
    }


def test_samples_are_legal_fair_and_follow_the_seed() -> None:
    env = vector_env(2000, 3)
    step = env.reset()
    one = env.sample(1)
    np.testing.assert_array_equal(one, env.sample(1))
    assert (one != env.sample(2)).any()
    counts = np.bincount(one, minlength=10)
    # 222 of each of 9 points are expected, with a deviation of 14.
    assert counts[9] == 0 and counts[:9].min() > 150 and counts[:9].max() < 300
    for _ in range(60):
        actions = env.sample()
        assert step.legal[np.arange(2000), actions].all()
        step = env.step(actions)
