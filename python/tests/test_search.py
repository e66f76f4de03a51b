"""Searches as arrays, evaluators in Python, and continued searches."""

import itertools
import json
import pickle
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from test_position import random_game
from test_runs import program

import tengen
from tengen import IllegalMove, Leaves, Position, RunError, Searches, SearchResults, search
from tengen._search import _with_figures


def judge(planes: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A policy and a value that look random but depend only on each leaf."""
    flat = planes.reshape(len(planes), -1).astype(np.float64)
    mixed = flat @ np.sin(np.arange(flat.shape[1]) + 1.0)
    policy = (np.sin(mixed[:, None] * 7 + np.arange(legal.shape[1])) + 1) ** 3
    return policy, (np.sin(mixed * 5) + 1) / 2


def games(size: object = 5, count: int = 6) -> list[Position]:
    return [random_game(size, seed, 2 * seed) for seed in range(count)]


def assert_equal(one: SearchResults, other: SearchResults) -> None:
    for name, value in vars(one).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(other, name), err_msg=name)
    assert one.principal_variations == other.principal_variations


@pytest.mark.parametrize(
    "bot",
    [
        "uct:simulations=300",
        "uct:simulations=200,workers=3",
        "uct:evaluator=playouts,simulations=150",
    ],
)
def test_the_program_finds_the_same(bot: str) -> None:
    positions = [Position(5), Position(5)]
    positions[1].play("C3")
    found = search(positions, bot, seed=7)
    for place, moves in enumerate(["", "C3"]):
        command = [
            program("tengen"),
            "analyze",
            "--size=5",
            f"--bot={bot}",
            f"--moves={moves}",
            "--json",
        ]
        command.append(f"--seed={found.seeds[place]}")
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows = [json.loads(line) for line in lines.splitlines()]
        for row in rows:
            move = positions[place].number(row["move"])
            assert found.visits[place, move] == row["visits"]
            assert found.values[place, move] == pytest.approx(row["win_rate"], abs=1e-6)
        assert (found.visits[place] > 0).sum() == len(rows)
        line = [positions[place].number(move) for move in rows[0]["variation"]]
        assert found.principal_variations[place] == line
    assert found.seeds[0] == 7


def test_arrays_agree_with_each_other() -> None:
    positions = games(7)
    found = search(positions, "uct:simulations=400", tree=True)
    assert found.visits.shape == found.priors.shape == found.scores.shape == (6, 50)
    assert (found.visits.sum(axis=1) <= 400).all() and (found.simulations == 400).all()
    assert (np.isnan(found.values) == (found.visits == 0)).all()
    assert (found.amaf_visits >= 0).all() and np.isnan(found.priors).all()
    for place, position in enumerate(positions):
        best = found.principal_variations[place][0]
        assert found.visits[place, best] == found.visits[place].max()
        assert position.is_legal(int(found.best[place]))
        tree = found.tree(place)
        assert len(tree.moves) == found.nodes[place] and tree.visits[0] == 400
        children = slice(tree.first_children[0], tree.first_children[0] + tree.children[0])
        of_root = np.zeros(50, np.int64)
        of_root[tree.moves[children]] = tree.visits[children]
        np.testing.assert_array_equal(of_root, found.visits[place])
        counted = found.amaf_visits[place, tree.moves[children]]
        np.testing.assert_array_equal(tree.amaf_visits[children], counted)
        below = np.flatnonzero(tree.parents >= 0)
        assert (tree.depths[below] == tree.depths[tree.parents[below]] + 1).all()
        first = tree.first_children[tree.parents[below]]
        assert ((below >= first) & (below < first + tree.children[tree.parents[below]])).all()
        assert tree.depths.max() <= found.max_depths[place]


def test_one_position_has_no_first_axis() -> None:
    position = Position(5)
    one, several = search(position, "uct:simulations=50"), search([position], "uct:simulations=50")
    assert one.visits.shape == (26,) and one.best == several.best[0]
    np.testing.assert_array_equal(one.visits, several.visits[0])
    assert one.principal_variations == several.principal_variations[0]
    assert one.seeds == 0 and several.bot == one.bot == "uct:simulations=50"


def test_proofs_and_final_moves() -> None:
    position = Position(rows="OO./OO./...", komi=0)
    position.play("pass")
    found = search(position, "uct:simulations=1000,proofs=true,rave=none,prior=none,expansion=2")
    assert found.proofs[9] == 1 and found.best == 9
    drawn = search([Position(5)] * 20, "uct:simulations=60,temperature=1:30", seed=3)
    assert len(set(drawn.best.tolist())) > 3
    by_value = search(Position(5), "uct:simulations=100,final_move=value")
    assert by_value.best == np.nanargmax(by_value.values)


@pytest.mark.parametrize("evaluator", [None, judge])
def test_threads_batches_and_other_positions_change_nothing(evaluator: Any) -> None:
    positions = games(9, 7)
    bot = "uct:simulations=120,in_flight=3"
    one = search(positions, bot, seed=5, evaluator=evaluator)
    assert_equal(one, search(positions, bot, seed=5, evaluator=evaluator, threads=3, batch=5))
    fewer = search(positions[:3], bot, seed=5, evaluator=evaluator, batch=1)
    np.testing.assert_array_equal(fewer.visits, one.visits[:3])
    other = search(positions, bot, seed=6, evaluator=evaluator)
    assert (other.visits != one.visits).any() or evaluator is not None


def test_an_evaluator_has_its_own_defaults() -> None:
    found = search(Position(5), "uct:simulations=90", evaluator=judge)
    settings = "selection=puct,exploration=1.25,first_play=parent-0.2"
    told = search(Position(5), f"uct:simulations=90,{settings}", evaluator=judge)
    assert_equal(found, told)
    with_noise = search(Position(5), "uct:simulations=90,root_noise=0.3:0.25", evaluator=judge)
    assert (with_noise.visits != found.visits).any()
    np.testing.assert_array_equal(with_noise.priors, found.priors)
    # The normalized policy at the root, of moves in the tree and others.
    policy = judge(Position(5).planes()[None], Position(5).legal(own_eyes=False)[None])[0][0]
    np.testing.assert_allclose(found.priors, policy / policy.sum(), rtol=1e-5)


def test_planes_are_those_of_the_positions() -> None:
    positions = games(9)
    seen: list[np.ndarray] = []

    def keep(planes: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert planes.dtype == np.float32 and legal.dtype == np.bool_
        np.testing.assert_array_equal(planes[:, 2].reshape(len(planes), -1), legal[:, :-1])
        assert legal[:, -1].all()
        seen.append(planes[::1])
        return judge(planes, legal)

    search(positions, "uct:simulations=30", evaluator=keep)
    # Arrays that the callable kept, also as views, are not overwritten.
    roots = np.stack([position.planes() for position in positions])
    np.testing.assert_array_equal(seen[0], roots)
    assert all(
        (one != other).any() for one, other in itertools.pairwise(seen) if len(one) == len(other)
    )


class AsTensor:
    """An object that numpy converts to an array, as it does a tensor."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.array


@pytest.mark.parametrize(
    "kind", ["float16", "float32", "float64", "longdouble", "list", "column", "strided", "protocol"]
)
def test_any_floats_will_do(kind: str) -> None:
    def evaluator(planes: np.ndarray, legal: np.ndarray) -> Any:
        policy = np.round(judge(planes, legal)[0] * 8)
        value = np.round(judge(planes, legal)[1] * 8) / 8
        match kind:
            case "list":
                return [policy.tolist(), value.tolist()]
            case "column":
                return policy, value[:, None]
            case "strided":
                return np.asfortranarray(policy), np.repeat(value, 2)[::2]
            case "protocol":
                return AsTensor(policy), AsTensor(value)
        return policy.astype(kind), value.astype(kind)

    def plain(planes: np.ndarray, legal: np.ndarray) -> Any:
        policy, value = judge(planes, legal)
        return np.round(policy * 8).astype("f4"), (np.round(value * 8) / 8).astype("f4")

    bot = "uct:simulations=40"
    assert_equal(search(games(), bot, evaluator=evaluator), search(games(), bot, evaluator=plain))


def answer(policy: Any, value: Any) -> Any:
    return lambda planes, legal: (
        policy(legal) if callable(policy) else policy,
        value(legal) if callable(value) else value,
    )


def ones(legal: np.ndarray) -> np.ndarray:
    return np.ones(legal.shape, np.float32)


def even(legal: np.ndarray) -> np.ndarray:
    return np.full(len(legal), 0.5)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("evaluator", "error", "said"),
    [
        (
            answer(lambda it: ones(it)[:, 1:], even),
            ValueError,
            r"policy has the shape \[\d, 25\]: expected \[\d, 26\]",
        ),
        (answer(lambda it: ones(it)[0], even), ValueError, r"policy has the shape \[26\]"),
        (
            answer(ones, lambda it: even(it)[None]),
            ValueError,
            r"value has the shape \[1, \d\]: expected \[\d\]",
        ),
        (answer(ones, 0.5), ValueError, r"value has the shape \[\]"),
        (answer(ones, lambda it: even(it) * 3), ValueError, "a value is 1.5: expected 0 to 1"),
        (answer(ones, lambda it: even(it) * np.nan), ValueError, "a value is NaN: expected 0 to 1"),
        (
            answer(lambda it: ones(it) * np.nan, even),
            ValueError,
            "a prior is NaN: expected a number from 0",
        ),
        (answer(lambda it: -ones(it), even), ValueError, "a prior is -1: expected a number from 0"),
        (
            answer(lambda it: ones(it) * 1j, even),
            TypeError,
            "policy has the dtype complex64: expected floats",
        ),
        (
            answer(ones, lambda it: np.array(["?"] * len(it))),
            TypeError,
            "value has the dtype <U1: expected floats",
        ),
        (
            answer(ones, lambda it: np.array([None] * len(it))),
            TypeError,
            "value has the dtype object: expected floats",
        ),
        (
            lambda planes, legal: None,
            TypeError,
            r"returned NoneType: expected a pair \(policy, value\)",
        ),
        (lambda planes, legal: (ones(legal),), TypeError, r"returned tuple: expected a pair"),
        (lambda planes: None, TypeError, "takes 1 positional argument but 2 were given"),
        (5, TypeError, r"an evaluator is a function of \(planes, legal\), not int"),
    ],
)
def test_wrong_answers(evaluator: Any, error: type[Exception], said: str, threads: int) -> None:
    with pytest.raises(error, match=said):
        search(games(), "uct:simulations=20", evaluator=evaluator, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_of_an_evaluator_come_out_unchanged(threads: int) -> None:
    class Own(Exception):
        pass

    error = Own("mine")
    calls = 0

    def fails(planes: np.ndarray, legal: np.ndarray) -> Any:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise error
        return judge(planes, legal)

    with pytest.raises(Own) as caught:
        search(games(9), "uct:simulations=50", evaluator=fails, threads=threads)
    assert caught.value is error
    assert any(entry.name == "fails" for entry in caught.traceback)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([],), "no position"),
        (([Position(5), Position(7)],), "different sizes"),
        ((Position(5), "random"), "a search takes `uct` bots"),
        ((Position(5), "nonsense"), "invalid kind of bot `nonsense`"),
        ((Position(5), "uct:x=1"), "unknown setting `x`"),
        ((Position(5), "uct:seconds=1"), "takes no `seconds`"),
        ((Position(5), "uct:evaluator=none-such"), "evaluator `none-such`: not registered"),
        (
            (Position(5), "uct:evaluator=python,simulations=9"),
            "it stands for the argument `evaluator`",
        ),
    ],
)
def test_wrong_arguments(arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises((ValueError, RunError), match=said):
        search(*arguments)


def test_wrong_arguments_by_name() -> None:
    over = Position(5)
    over.play("pass")
    over.play("pass")
    with pytest.raises(ValueError, match="position 1 is over"):
        search([Position(5), over])
    with pytest.raises(ValueError, match="invalid threads 0"):
        search(Position(5), threads=0)
    with pytest.raises(ValueError, match="invalid batch 0"):
        search(Position(5), batch=0)
    with pytest.raises(ValueError, match="`evaluator` is both a setting"):
        search(Position(5), "uct:evaluator=playouts", evaluator=judge)
    with pytest.raises(ValueError, match="bot `uct:rave=equivalence:3`: `evaluator` is python"):
        search(Position(5), "uct:rave=equivalence:3", evaluator=judge)
    with pytest.raises(ValueError, match="no trees were kept"):
        search(Position(5), "uct:simulations=5").tree()
    with pytest.raises(OverflowError):
        search(Position(5), seed=-1)
    with pytest.raises(TypeError):
        search("D4")  # type: ignore[arg-type]


@pytest.mark.parametrize("evaluator", [None, judge])
@pytest.mark.parametrize("in_flight", [1, 4])
@pytest.mark.parametrize("threads", [1, 2])
def test_searches_that_go_on_find_what_one_search_finds(
    evaluator: Any, in_flight: int, threads: int
) -> None:
    bot = f"uct:simulations=150,in_flight={in_flight}"
    expected = search(games(7), bot, seed=2, evaluator=evaluator)
    searches = Searches(games(7), bot, seed=2, evaluator=evaluator, threads=threads, batch=4)
    assert (searches.visits() == 0).all() and (searches.best() == -1).all()
    for simulations in (1, 50, 0, 99):
        searches.run(simulations)
    found = searches.results()
    for name in ("visits", "values", "scores", "priors", "best", "simulations", "seeds"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    assert found.principal_variations == expected.principal_variations or in_flight > 1


def answered(searches: Searches, simulations: int, most: int | None = None) -> int:
    batches = 0
    for leaves in searches.steps(simulations):
        leaves.reply(*judge(leaves.planes, leaves.legal))
        batches += 1
        if batches == most:
            break
    return batches


@pytest.mark.parametrize("threads", [1, 3])
def test_steps_find_what_an_evaluator_finds(threads: int) -> None:
    bot = "uct:simulations=100,in_flight=2,playout_share=0.25"
    expected = search(games(7), bot, evaluator=judge)
    searches = Searches(games(7), bot, evaluator="replies", batch=5, threads=threads)
    assert answered(searches, 40) > 30
    assert answered(searches, 60) > 50
    for name in ("visits", "values", "scores", "priors"):
        found = getattr(searches.results(), name)
        np.testing.assert_array_equal(found, getattr(expected, name), err_msg=name)


def test_a_loop_that_is_left_loses_nothing() -> None:
    expected = search(games(7), "uct:simulations=100", evaluator=judge)
    searches = Searches(games(7), evaluator=judge, batch=4)
    waiting = None
    for leaves in searches.steps(100):
        waiting = leaves
        break
    assert waiting is not None and (searches.visits() == 0).all()
    again = next(searches.steps(0))
    np.testing.assert_array_equal(again.planes, waiting.planes)
    np.testing.assert_array_equal(again.index, [0, 1, 2, 3])
    for wrong in (np.ones((4, 3)), np.full((4, 50), np.nan)):
        with pytest.raises(ValueError):
            again.reply(wrong, np.full(4, 0.5))
    assert not again.is_answered and len(again) == 4
    again.reply(*judge(again.planes, again.legal))
    with pytest.raises(ValueError, match="have their reply already"):
        again.reply(*judge(again.planes, again.legal))
    with pytest.raises(ValueError, match="have no reply"):
        for _ in searches.steps(1):
            pass

    def fails(planes: np.ndarray, legal: np.ndarray) -> Any:
        raise KeyError("once")

    searches._evaluator = fails
    with pytest.raises(KeyError):
        searches.run(1)
    searches._evaluator = judge
    # Continue to 100 simulations each, unfinished ones included.
    begun = searches.results().simulations
    for _ in range(100):
        searches.run(1)
        done = searches.results().simulations
        full = done == 100
        np.testing.assert_array_equal(searches.visits()[full], expected.visits[full])
        if (done >= 100).all():
            break
    assert begun.max() <= 1 and (done >= 100).all()


# For play the program adds a prior and a policy if a bot sets none; searches do not.
PLAIN = "uct:simulations=60,prior=heuristic:20,policy=capture-escape:0.9"
KEPT = [PLAIN, "uct:simulations=80,evaluator=playouts"]


@pytest.mark.parametrize("bot", KEPT)
def test_kept_trees_are_those_of_a_bot_with_reuse(bot: str) -> None:
    bot_words = f"--bot={bot},reuse=true,in_flight=1"
    command = [program("tengen"), "gtp", "--size=7", "--seed=9", bot_words]
    asked = "".join(f"genmove {'bw'[ply % 2]}\n" for ply in range(12))
    told = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout
    played = [Position(7).number(line[2:]) for line in told.splitlines() if line]
    searches = Searches([Position(7)], bot, seed=9)
    chosen = []
    for _ in played:
        searches.run(int(bot.split("=")[1].split(",")[0]))
        chosen.append(int(searches.best()[0]))
        searches.advance(searches.best())
    assert chosen == played


def test_trees_are_kept_or_not() -> None:
    positions = games(5, 4)
    kept, fresh = (Searches(positions, seed=9, evaluator=judge, threads=2) for _ in range(2))
    for searches, keep in ((kept, True), (fresh, False)):
        searches.run(60)
        searches.advance(searches.best(), keep=keep)
        searches.run(60)
        assert (searches.results().simulations == 60).all()
    assert (kept.visits().sum(axis=1) > 61).all()
    assert (fresh.visits().sum(axis=1) == 59).all()
    # Without its tree, the search equals that of a new bot.
    seeds = fresh.results().seeds
    for place, position in enumerate(fresh.positions):
        alone = search(position, "uct:simulations=60", seed=int(seeds[place]), evaluator=judge)
        np.testing.assert_array_equal(alone.visits, fresh.visits()[place])


def test_games_end() -> None:
    searches = Searches(
        [Position(3), Position(3, max_plies=2)], "uct:simulations=20", evaluator=judge
    )
    searches.run(20)
    searches.advance([9, 9])
    searches.run(20)
    searches.advance(["B2", "pass"])
    assert searches.is_over.tolist() == [False, True]
    searches.run(20)
    assert searches.best()[1] == -1 and searches.best()[0] >= 0
    assert searches.visits()[1].sum() == 0 and np.isnan(searches.values()[1]).all()
    with pytest.raises(IllegalMove, match="position 0: black B2: the point is occupied"):
        searches.advance([4, 0])
    with pytest.raises(ValueError, match="3 moves for 2 positions"):
        searches.advance([0, 0, 0])
    searches.advance([0, -1])
    assert [position.ply for position in searches.positions] == [3, 2]
    searches.restart([1], Position(3), [77])
    searches.run(20)
    assert not searches.is_over.any() and searches.visits()[1].sum() > 0
    alone = search(Position(3), "uct:simulations=20", seed=77, evaluator=judge)
    np.testing.assert_array_equal(alone.visits, searches.visits()[1])
    with pytest.raises(ValueError, match="no search 2: there are 2"):
        searches.restart([2], Position(3), [1])
    with pytest.raises(ValueError, match="a position of 5x5"):
        searches.restart([1], Position(5), [1])
    next(searches.steps(1))
    with pytest.raises(ValueError, match="leaves wait for a reply"):
        searches.restart([1], Position(3), [1])
    searches.run(0)
    searches.restart([0], Position(3), [1])
    searches.run(5)
    assert (searches.visits().sum(axis=1) >= 4).all()


def test_one_search_that_goes_on() -> None:
    searches = Searches(Position(5), evaluator="replies")
    answered(searches, 30)
    searches.advance(int(searches.best()))
    assert searches.positions.ply == 1 and searches.is_over is False
    for leaves in searches.steps(1):
        assert isinstance(leaves, Leaves)
        break
    searches.advance("pass")
    assert searches.visits().shape == (26,) and len(searches) == 1


def test_wrong_searches() -> None:
    with pytest.raises(ValueError, match="takes one worker"):
        Searches(Position(5), "uct:workers=2")
    with pytest.raises(ValueError, match='invalid evaluator "mine"'):
        Searches(Position(5), evaluator="mine")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        Searches(Position(5), evaluator=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no evaluator to run"):
        Searches(Position(5), evaluator="replies").run(5)
    with pytest.raises(ValueError, match="playouts judge the leaves"):
        next(Searches(Position(5)).steps(5))


def test_an_evaluator_cannot_use_its_own_searches() -> None:
    def recursive(planes: np.ndarray, legal: np.ndarray) -> Any:
        return searches.run(3)

    searches = Searches(Position(5), evaluator=recursive)
    with pytest.raises(RuntimeError, match="[Bb]orrowed"):
        searches.run(5)


def test_results_are_pickled() -> None:
    found = search(games(), "uct:simulations=40", tree=True)
    again = pickle.loads(pickle.dumps(found))
    assert_equal(found, again)
    np.testing.assert_array_equal(found.tree(3).visits, again.tree(3).visits)


def test_a_figure_without_a_field_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    added = ["terminals", "simulations that ended the game", "[N]"]
    monkeypatch.setattr("tengen._tengen.figures", lambda: [["visits", "", ""], added])
    own = {"__doc__": "Results.", "__annotations__": {"visits": int}}
    results: Any = dataclass(_with_figures(type("Results", (), own)))
    assert vars(results(visits=1, terminals=2)) == {"visits": 1, "terminals": 2}
    assert results.__doc__ == "Results.\n    terminals: Simulations that ended the game: [N]."


def test_any_bot_chooses_a_move() -> None:
    position = Position(rows="...../XXX../OOX../.OX../.X...")
    assert tengen.genmove(position, "two-ply") == position.number("A2")
    assert tengen.genmove(position, "uct:simulations=200") == position.number("A2")
    moves = tengen.genmove([position] * 9, "random", seed=1, threads=2)
    np.testing.assert_array_equal(moves, tengen.genmove([position] * 9, "random", seed=1))
    assert len(set(moves.tolist())) > 2
    with pytest.raises(RunError):
        tengen.genmove(position, "gtp:no-such-program-anywhere")


def test_root_values_are_those_of_the_tree() -> None:
    positions = [Position(5), Position(5)]
    positions[1].play("C3")
    found = tengen.search(positions, "uct:simulations=300", tree=True)
    expected = [1 - found.tree(number).values[0] for number in range(2)]
    np.testing.assert_allclose(found.root_values, expected, atol=1e-6)
    one = tengen.search(positions[0], "uct:simulations=300")
    assert one.root_values == found.root_values[0]
    assert np.isnan(tengen.Searches(positions).results().root_values).all()


def test_results_are_shown_on_a_line() -> None:
    one = search(Position(5), "uct:simulations=50", seed=1)
    assert repr(one).startswith("<tengen.SearchResults of 1 position by uct:simulations=50: 50 sim")
    two = search([Position(5)] * 2, "uct:simulations=50")
    assert "2 positions" in repr(two)
    shown = [one._repr_html_(), two._repr_html_()]
    visited = [np.minimum((np.atleast_2d(f.visits) > 0).sum(axis=1), 5).sum() for f in (one, two)]
    assert [text.count("<tr>") for text in shown] == [1 + count for count in visited]
    assert f"<td>{one.best}</td><td>{one.visits[one.best]}</td>" in shown[0]
    played = tengen.playouts([Position(5)] * 2, 8)
    assert repr(played) == "<tengen.Playouts: 8 of each of 2 positions>"


@pytest.mark.parametrize(("outstanding", "threads"), [(1, 1), (2, 1), (3, 2), (50, 1)])
def test_batches_that_are_out_together_change_no_result(outstanding: int, threads: int) -> None:
    expected = search(games(7), "uct:simulations=60", evaluator=judge)
    searches = tengen.Searches(games(7), evaluator="replies", threads=threads, batch=4)
    most = 0
    with ThreadPoolExecutor(4) as pool:
        out: list[Any] = []
        for leaves in searches.steps(60, outstanding=outstanding):
            out = [other for other in out if not other.is_answered]
            out.append(leaves)
            most = max(most, len(out))
            leaves.reply_later(pool.submit(judge, leaves.planes, leaves.legal))
    assert most == min(outstanding, int((expected.simulations > 0).sum()))
    np.testing.assert_array_equal(searches.visits(), expected.visits)
    np.testing.assert_array_equal(searches.values(), expected.values)


def test_a_loop_with_batches_out_is_left_and_goes_on() -> None:
    searches = tengen.Searches(games(6), evaluator=judge)
    with ThreadPoolExecutor(2) as pool:
        for number, leaves in enumerate(searches.steps(60, outstanding=2)):
            leaves.reply_later(pool.submit(judge, leaves.planes, leaves.legal))
            if number == 9:
                break
    with pytest.raises(ValueError, match="leaves wait for a reply"):
        next(searches.steps(0, outstanding=3))
    with pytest.raises(ZeroDivisionError):
        for leaves in searches.steps(0, outstanding=2):
            leaves.reply_later(Later())
    with pytest.raises(ValueError, match="outstanding is 0"):
        next(searches.steps(1, outstanding=0))
    before = searches.results().simulations
    searches.run(1)
    assert (searches.results().simulations > before).all()


class Later:
    def result(self) -> tuple[Any, Any]:
        raise ZeroDivisionError


def test_searches_show_their_positions() -> None:
    start = games(4)
    over = Position(start[0].size)
    over.play("pass")
    over.play("pass")
    searches = tengen.Searches([*start, over])
    expected = [position.planes() for position in [*start, over]]
    np.testing.assert_array_equal(searches.planes(), expected)
    legal = searches.legal(own_eyes=False)
    for mask, position in zip(legal, start, strict=False):
        np.testing.assert_array_equal(mask, position.legal(own_eyes=False))
    assert not legal[-1].any()
    assert searches.to_play.tolist() == [position.to_play for position in [*start, over]]
    one = tengen.Searches(start[0])
    assert one.planes().ndim == 3 and one.legal().ndim == 1 and one.to_play == start[0].to_play
