"""Evaluators, bots, formulas and rules in Python, by name."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_search import assert_equal, games, judge

import tengen
from tengen import Position, RunError, register, search


def test_an_evaluator_by_name_is_that_of_the_argument() -> None:
    text = register.evaluator("judge", judge, batch=3)
    assert text == "evaluator=judge"
    expected = search(games(7), "uct:simulations=80", evaluator=judge)
    for threads in (1, 2):
        found = search(games(7), f"uct:simulations=80,{text}", threads=threads)
        assert_equal(found, expected)
    searches = tengen.Searches(games(7), f"uct:{text}")
    searches.run(80)
    np.testing.assert_array_equal(searches.visits(), expected.visits)


def test_an_evaluator_without_priors() -> None:
    def value_alone(planes: np.ndarray, legal: np.ndarray) -> Any:
        return None, judge(planes, legal)[1]

    text = register.evaluator("value-alone", value_alone, priors=False)
    found = search(games(5), f"uct:simulations=60,{text}")
    assert (found.simulations == 60).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_an_evaluator_is_the_cause(threads: int) -> None:
    error = LookupError("where\nis it")

    def fails(planes: np.ndarray, legal: np.ndarray) -> Any:
        raise error

    text = register.evaluator("fails", fails)
    said = "evaluator `fails`: the evaluator `fails` raised LookupError: where"
    with pytest.raises(RunError, match=said) as caught:
        search(games(), f"uct:{text}", threads=threads)
    assert caught.value.__cause__ is error and "\n" not in str(caught.value)
    searches = tengen.Searches(games(), f"uct:{text}")
    with pytest.raises(RunError):
        searches.run(5)
    with pytest.raises(RunError, match="lost"):
        searches.run(5)

    def exits(planes: np.ndarray, legal: np.ndarray) -> Any:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        search(games(), f"uct:{register.evaluator('exits', exits)}", threads=threads)


def wrong_shape(planes: np.ndarray, legal: np.ndarray) -> Any:
    return np.ones((1, 1)), np.ones(1)


def wrong_value(planes: np.ndarray, legal: np.ndarray) -> Any:
    return np.ones(legal.shape), np.full(len(legal), 2.0)


def test_wrong_answers_of_an_evaluator() -> None:
    with pytest.raises(RunError, match="policy has the shape") as caught:
        search(games(), f"uct:{register.evaluator('wrong-shape', wrong_shape)}")
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(RunError, match="`wrong-value`: a value is 2: expected 0 to 1"):
        search(games(), f"uct:{register.evaluator('wrong-value', wrong_value)}")


def test_a_bot_chooses_by_position_and_seed() -> None:
    seeds = []

    def choose(position: Position, seed: int) -> int | str:
        seeds.append(seed)
        assert 0 <= seed < 2**64
        return "pass" if position.ply > 1 else int(np.flatnonzero(position.legal())[seed % 5])

    assert register.bot("chooser", choose) == "chooser"
    position = Position(5)
    moves = [tengen.genmove(position, "chooser", seed=seed) for seed in (1, 1, 2)]
    assert moves[0] == moves[1] and seeds[0] == seeds[1] != seeds[2]
    position.play(0)
    position.play(1)
    assert tengen.genmove(position, "chooser") == 25
    with pytest.raises(ValueError, match="bot `chooser:x=1`: unknown setting `x`"):
        tengen.genmove(position, "chooser:x=1")


@pytest.mark.parametrize(
    ("chosen", "kind", "said"),
    [
        ("Z99", ValueError, "Z99"),
        (None, TypeError, "a move is"),
        (-1, ValueError, "invalid move -1"),
    ],
)
def test_wrong_moves_of_a_bot(chosen: Any, kind: type[Exception], said: str) -> None:
    register.bot("wrong-mover", lambda position, seed: chosen)
    with pytest.raises(
        RunError, match=f"bot `wrong-mover` raised {kind.__name__}.*{said}"
    ) as caught:
        tengen.genmove(Position(5), "wrong-mover")
    assert isinstance(caught.value.__cause__, kind)


def ucb1(visits: Any, values: Any, priors: Any, parent_visits: int, exploration: float) -> Any:
    with np.errstate(divide="ignore"):
        log = np.log(max(parent_visits, 1))
        return values + np.sqrt(exploration * exploration * log / visits)


@pytest.mark.parametrize(
    "settings", ["rave=none,prior=none", "rave=equivalence:300", "in_flight=3"]
)
def test_a_formula_that_is_ucb1_grows_its_tree(settings: str) -> None:
    own = register.selection("own-ucb1", ucb1)
    assert own == "selection=own-ucb1"
    bot = f"uct:simulations=150,exploration=0.6,expansion=2,{settings}"
    expected = search(games(5), bot, tree=True)
    found = search(games(5), f"{bot},{own}", tree=True)
    assert_equal(found, expected)
    for place in range(6):
        np.testing.assert_array_equal(found.tree(place).moves, expected.tree(place).moves)


def puct(visits: Any, values: Any, priors: Any, parent_visits: int, exploration: float) -> Any:
    assert priors.sum() <= 1.0001
    return values + exploration * priors * np.sqrt(max(parent_visits, 1)) / (1 + visits)


def test_a_formula_reads_priors_of_an_evaluator() -> None:
    own = register.selection("own-puct", puct, unvisited=True, priors=True)
    found = search(games(5), f"uct:simulations=100,{own},exploration=0.9", evaluator=judge)
    assert (found.visits.sum(axis=1) == 99).all()
    built_in = search(games(5), "uct:simulations=100,exploration=0.9", evaluator=judge)
    # Except for ties and rounding, the formula is PUCT.
    assert (found.visits == built_in.visits).mean() > 0.9


@pytest.fixture
def counted() -> Iterator[dict[str, int]]:
    yield {"calls": 0}


def failing(counted: dict[str, int], after: int, error: BaseException) -> Any:
    def fails(*arguments: Any) -> Any:
        counted["calls"] += 1
        if counted["calls"] > after:
            raise error
        return arguments[1] * 0 + 1

    return fails


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("evaluator", [None, judge])
def test_exceptions_of_a_formula_come_out(
    counted: dict[str, int], evaluator: Any, threads: int
) -> None:
    error = ArithmeticError("mine")
    text = register.selection("failing", failing(counted, 20, error))
    bot = f"uct:simulations=300,{text},first_play=1"
    with pytest.raises(ArithmeticError) as caught:
        search(games(), bot, evaluator=evaluator, threads=threads)
    assert caught.value is error
    if hasattr(error, "__notes__"):
        assert "selection formula `failing`" in error.__notes__[0]
    searches = tengen.Searches(games(), bot, evaluator=evaluator)
    with pytest.raises(ArithmeticError):
        searches.run(50)
    with pytest.raises(RunError, match="lost"):
        searches.run(50)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (lambda visits: visits[1:], "the urgencies are not an array of"),
        (lambda visits: visits * np.nan, "an urgency is nan"),
        (lambda visits: 1.0, "the urgencies are not an array of"),
        (lambda visits: "none", "could not convert"),
    ],
)
def test_wrong_urgencies(told: Any, said: str) -> None:
    text = register.selection("wrong-urgencies", lambda visits, *_: told(visits))
    with pytest.raises(ValueError, match=said):
        search(Position(5), f"uct:simulations=90,{text},rave=none,prior=none,expansion=1")


def test_a_prior_of_the_heuristic_kind() -> None:
    def centre(stones: np.ndarray, last: int | None) -> Any:
        assert stones.shape == (5, 5) and set(np.unique(stones)) <= {-1, 0, 1}
        values = np.full(26, 0.1)
        values[12] = 0.9
        return values

    text = register.prior("centre", centre, visits=30)
    assert text == "prior=centre:30"
    found = search(Position(5), f"uct:simulations=60,{text},expansion=2")
    assert found.visits[12] == found.visits.max()
    with pytest.raises(ValueError, match="25 values of moves: expected 26"):
        wrong = register.prior("short", lambda stones, last: np.ones(25))
        search(Position(5), f"uct:simulations=60,{wrong}")


def test_a_policy_draws_by_weight() -> None:
    def lowest(stones: np.ndarray, candidates: np.ndarray, last: int | None) -> Any:
        assert (stones.ravel()[candidates] == 0).all()
        return candidates == candidates.min()

    assert register.policy("lowest", lowest) == "policy=lowest"
    drawn = tengen.playouts(Position(3), 5, policy="lowest")
    # The policy leaves no choice: all playouts are equal.
    assert len(set(drawn.scores[:].tolist())) == 1
    found = search(Position(3), "uct:simulations=20,policy=lowest")
    assert found.simulations == 20
    register.policy("negative", lambda stones, candidates, last: -np.ones(len(candidates)))
    for call in (
        lambda: tengen.playouts(Position(3), 5, policy="negative"),
        lambda: tengen.playouts(Position(3), 5, policy="negative", threads=2),
        lambda: search(Position(3), "uct:simulations=20,policy=negative"),
    ):
        with pytest.raises(ValueError, match="a weight is -1: expected a number from 0"):
            call()


def test_a_back_up_that_is_the_mean() -> None:
    text = register.back_up("own-mean", lambda mean, visits, child_visits, child_values: mean)
    bot = "uct:simulations=80,rave=none,prior=none"
    expected, found = search(games(), bot), search(games(), f"{bot},{text}")
    np.testing.assert_array_equal(found.visits, expected.visits)
    np.testing.assert_allclose(found.values, expected.values, atol=1e-9)


def test_a_final_move() -> None:
    text = register.final_move("least", lambda visits, value, simulations: -visits)
    found = search(Position(5), f"uct:simulations=200,{text}")
    assert found.visits[found.best] == found.visits[found.visits > 0].min()

    def fails(*_: Any) -> float:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search(Position(5), f"uct:simulations=200,{register.final_move('failing', fails)}")
    with pytest.raises(ZeroDivisionError):
        tengen.genmove(Position(5), "uct:simulations=200,final_move=failing")
    searches = tengen.Searches(Position(5), "uct:final_move=failing")
    searches.run(200)
    with pytest.raises(ZeroDivisionError):
        searches.best()
    assert searches.positions == Position(5)


def test_names_that_cannot_be_registered() -> None:
    for name, said in (
        ("uct", "has one of this name"),
        ("a b", "cannot be registered"),
        ("", "cannot"),
    ):
        with pytest.raises(ValueError, match=said):
            register.bot(name, lambda position, seed: 0)
    with pytest.raises(ValueError, match="has one of this name"):
        register.selection("puct", ucb1)
    with pytest.raises(ValueError, match="version"):
        register.evaluator("unversioned", judge, version="")
    with pytest.raises(TypeError, match="a bot is a function, not int"):
        register.bot("number", 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="takes no parameters: write judge-2 alone"):
        search(Position(5), f"uct:{register.evaluator('judge-2', judge)}:3")


def test_a_name_is_replaced() -> None:
    register.bot("replaced", lambda position, seed: 1)
    assert tengen.genmove(Position(5), "replaced") == 1
    register.bot("replaced", lambda position, seed: 2, version="2")
    assert tengen.genmove(Position(5), "replaced") == 2


def first_legal(position: Position, seed: int) -> int:
    return int(position.legal().argmax())


class Last:
    def __call__(self, position: Position, seed: int) -> int:
        return int(position.legal()[:-1].nonzero()[0][-1])


def test_functions_are_bots(tmp_path: Path) -> None:
    name = register.named(first_legal)
    assert name.startswith("first-legal-") and register.named(first_legal) == name
    other, same_code = register.named(lambda position, seed: "A1"), register.named(Last())
    assert other.startswith("lambda-") and same_code.startswith("last-")
    assert register.named(Last()) == f"{same_code}-2"
    assert tengen.genmove(Position(5), first_legal) == 0
    assert tengen.genmove([Position(5)] * 2, Last()).tolist() == [24, 24]
    assert tengen.Player(first_legal).choose(Position(5)) == 0
    bots: dict[str, Any] = {"mine": first_legal, "random": "random"}
    given: list[Any] = [bots, [first_legal, "random"]]
    runs = [
        tengen.tournament(bot=bot, size=4, pairs=2, out=tmp_path / str(number), progress=False)
        for number, bot in enumerate(given)
    ]
    assert list(runs[0].summary["bot"][:1]) == ["mine"]
    assert list(runs[1].summary["bot"][:1]) == [name]
    script = f"import tengen; tengen.tournament(resume={str(runs[0].folder)!r}, progress=False)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    said = ended.stderr.splitlines()[-1]
    assert said.startswith("ValueError: ") and "register by tengen.register" in said
    with pytest.raises(TypeError, match="komi is a function: only bots may be functions"):
        tengen.tournament(bot=bots, size=4, komi=first_legal)  # type: ignore[arg-type]
    for wrong in (3, ["random"]):
        with pytest.raises(TypeError, match="a bot is a text or a function"):
            tengen.genmove(Position(5), wrong)  # type: ignore[call-overload]


@pytest.mark.parametrize("answer", ["J9", "A1"])
def test_a_move_that_the_rules_forbid_is_no_answer(answer: str) -> None:
    position = Position(5)
    position.play("A1")
    bot = register.bot("forbidden", lambda position, seed: answer)
    with pytest.raises(RunError, match=f"the bot chose {answer}"):
        tengen.genmove(position, bot)
    with pytest.raises(RunError, match=f"the bot chose {answer}"):
        tengen.Player(bot).choose(position)


def test_values_beyond_0_to_1_are_refused() -> None:
    settings = "uct:simulations=60,rave=none,expansion=1"
    for value in (np.nan, 2.0, -0.1):
        values = np.full(26, value)

        def wild(stones: np.ndarray, last: int | None, told: np.ndarray = values) -> np.ndarray:
            return told

        with pytest.raises(ValueError, match="the value of A1 is .*: expected 0 to 1"):
            search(Position(5), f"{settings},{register.prior('wild', wild)}")

    def unread(stones: np.ndarray, last: int | None) -> np.ndarray:
        return np.append(np.where(stones.ravel() == 0, 0.5, np.nan), 0.5)

    search(Position(5), f"{settings},{register.prior('unread', unread)}")
    wrong = register.back_up("twice", lambda mean, visits, child_visits, child_values: 2.0)
    with pytest.raises(ValueError, match="it returned 2: expected 0 to 1"):
        search(Position(5), f"{settings},prior=none,{wrong}")


def test_names_are_removed() -> None:
    def urgencies(visits: np.ndarray, values: np.ndarray, *_: Any) -> np.ndarray:
        return values + 1 / visits

    texts = [
        tengen.register.selection("gone", urgencies),
        tengen.register.evaluator("gone", lambda planes, legal: (legal * 1.0, planes[:, 5, 0, 0])),
        tengen.register.prior("gone", lambda stones, last: np.full(26, 0.5)),
        tengen.register.policy("gone", lambda stones, candidates, last: np.ones(len(candidates))),
        tengen.register.back_up("gone", lambda mean, *_: mean),
        tengen.register.final_move("gone", lambda visits, value, simulations: visits),
    ]
    for text in texts:
        tengen.register.unregister(text)
        with pytest.raises(ValueError, match="gone"):
            tengen.search(Position(5), f"uct:{text}")
        with pytest.raises(ValueError, match="was not registered"):
            tengen.register.unregister(text)
    bot = tengen.register.named(lambda position, seed: "pass")
    assert tengen.genmove(Position(5), bot) == 25
    tengen.register.unregister(bot)
    with pytest.raises(ValueError, match="invalid kind of bot"):
        tengen.genmove(Position(5), bot)
    with pytest.raises(ValueError, match="was not registered"):
        tengen.register.unregister("uct")


def test_many_names_do_not_slow_a_search_down() -> None:
    """A search looks up its names without passing through all of them: 20,000 names, 300
    lookups."""
    for number in range(20_000):
        tengen.register.bot(f"many-{number}", lambda position, seed: "pass")
    for number in range(300):
        assert tengen.genmove(Position(5), f"many-{number}") == 25
    for number in range(20_000):
        tengen.register.unregister(f"many-{number}")
