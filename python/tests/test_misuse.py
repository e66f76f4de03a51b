"""Misuse is refused with a clear error, and nothing hangs or crashes."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_search import judge

from tengen import (
    Player,
    Position,
    RunError,
    Searches,
    playouts,
    register,
    search,
    stats,
    tournament,
)


def said_by(code: str) -> str:
    """The output of a program that must end by itself without an error."""
    run = [sys.executable, "-u", "-c", textwrap.dedent(code)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done
    return done.stdout


def test_more_playouts_than_memory() -> None:
    with pytest.raises(MemoryError, match=r"need 74505\.8 GiB"):
        playouts(Position(5), 10**13)


def test_a_player_is_not_asked_by_its_own_bot() -> None:
    register.bot("asks-itself", lambda position, seed: player.choose(position) or 0)
    player = Player("asks-itself")
    with pytest.raises(RunError, match="the player is choosing another move"):
        player.choose(Position(5))
    register.bot("asks-itself", lambda position, seed: "pass")


def test_what_a_replaced_callable_leaves_behind_may_use_names() -> None:
    assert said_by("""
        import tengen

        class Bot:
            def __call__(self, position, seed):
                return "pass"

            def __del__(self):
                print(tengen.genmove(tengen.Position(5), "other"))

        tengen.register.bot("other", lambda position, seed: "D4")
        tengen.register.bot("mine", Bot())
        tengen.register.bot("mine", lambda position, seed: "C3")
        print(tengen.genmove(tengen.Position(5), "mine"))
    """).split() == ["18", "12"]


def test_what_an_exception_holds_may_fail_too() -> None:
    assert (
        said_by("""
            import tengen

            class Held:
                def __del__(self):
                    try:
                        tengen.genmove(tengen.Position(5), "other")
                    except tengen.RunError:
                        pass

            def fails(position, seed):
                held = Held()
                raise ValueError(seed)

            def fails_too(position, seed):
                raise ValueError(seed)

            tengen.register.bot("mine", fails)
            tengen.register.bot("other", fails_too)
            for seed in range(40):
                # Two threads fail, and one of the exceptions is told.
                try:
                    tengen.genmove([tengen.Position(5)] * 2, "mine", seed=seed, threads=2)
                except tengen.RunError:
                    pass
            print("done")
        """)
        == "done\n"
    )


def test_leaves_of_before_answer_no_other_leaves() -> None:
    searches = Searches([Position(5), Position(5, komi=0.5)], evaluator="replies", batch=2)
    steps, same_steps = searches.steps(5), searches.steps(5)
    leaves, same = next(steps), next(same_steps)
    leaves.reply(*judge(leaves.planes, leaves.legal))
    now = next(steps)
    with pytest.raises(ValueError, match="wait for no reply any more"):
        same.reply(*judge(same.planes, same.legal))
    assert not same.is_answered
    searches.advance(["A1", "B2"])
    with pytest.raises(ValueError, match="wait for no reply any more"):
        now.reply(*judge(now.planes, now.legal))
    after = next(searches.steps(5))
    with pytest.raises(ValueError, match="wait for no reply any more"):
        now.reply(*judge(now.planes, now.legal))
    after.reply(*judge(after.planes, after.legal))


def test_an_exception_in_a_reply_loses_the_searches() -> None:
    def fails(*_: object) -> float:
        raise ZeroDivisionError

    rule = register.back_up("fails-in-reply", fails)
    searches = Searches(Position(5), f"uct:{rule}", evaluator="replies")
    with pytest.raises(ZeroDivisionError):
        for leaves in searches.steps(5):
            leaves.reply(*judge(leaves.planes, leaves.legal))
    with pytest.raises(RunError, match="they are lost"):
        searches.results()


def reshapes(planes: np.ndarray, legal: np.ndarray) -> Any:
    assert planes.ndim == 4
    answer = judge(planes, legal)
    planes.resize((len(planes), planes.size // len(planes)), refcheck=False)
    return answer


def closes(planes: np.ndarray, legal: np.ndarray) -> Any:
    answer = judge(planes, legal)
    planes.flags.writeable = legal.flags.writeable = False
    return answer


@pytest.mark.parametrize("changes", [reshapes, closes])
def test_an_evaluator_changes_its_arrays(changes: Callable[..., Any]) -> None:
    positions = [Position(5)] * 2
    own = search(positions, "uct:simulations=40", evaluator=changes).visits
    assert (own == search(positions, "uct:simulations=40", evaluator=judge).visits).all()


def test_a_formula_is_asked_about_children_only() -> None:
    def formula(visits: np.ndarray, *_: object) -> np.ndarray:
        return np.asarray(-visits / visits.max())

    formula_text = register.selection("needs-children", formula)
    assert search(Position(5), f"uct:simulations=60,{formula_text}").visits.sum() == 60


@pytest.mark.parametrize("kind", ["back_up", "final_move"])
def test_rules_that_return_nan(kind: str) -> None:
    rule = getattr(register, kind)("is-nan", lambda *_: float("nan"))
    with pytest.raises(ValueError, match="it returned nan: expected a number"):
        search(Position(5), f"uct:simulations=200,{rule}")


def test_numbers_that_raise() -> None:
    class Raises:
        def __index__(self) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Position(Raises())
    with pytest.raises(KeyboardInterrupt):
        Position(5).play(Raises())


def test_stones_of_any_whole_numbers() -> None:
    for stones in ([[0, 1], [0, -1]], np.array([[0, 1], [0, -1]], ">i4")):
        assert Position(stones=stones).rows == ".O/.X"
    for wrong in (np.zeros((3, 3)), np.zeros(9, np.int8), np.zeros((2, 2), bool), "x"):
        with pytest.raises(TypeError, match="stones is an array of"):
            Position(stones=wrong)
    with pytest.raises(ValueError, match="stones has 257 at A1"):
        Position(stones=np.full((2, 2), 257))


def test_numbers_of_searches_are_no_mask() -> None:
    searches = Searches([Position(5)] * 3)
    for wrong in ([True, False, True], [1.5], [[0]]):
        with pytest.raises(TypeError, match="expected whole numbers"):
            searches.restart(wrong, Position(5), [1, 2])


def test_no_searches_have_no_speedup() -> None:
    pairs = [[1, 2, 3, 4, 5], [0, 1, 2, 3, 9]]
    found = stats.strength_speedup([1, 2], pairs, np.zeros((0, 5), int))
    assert found.factor.shape == (0,) and found.interval.shape == (0, 2)


def test_folders_as_bytes(tmp_path: Path) -> None:
    run = tournament(
        bot=["random", "two-ply"],
        pairs=1,
        size=3,
        out=os.fsencode(tmp_path / "run"),  # type: ignore[arg-type]
        progress=False,
    )
    assert run.folder == tmp_path / "run"


def test_python_ends_while_threads_work() -> None:
    # If threads were not stopped in time, some of several programs would abort.
    for _ in range(4):
        assert (
            said_by("""
                import threading
                import time

                import numpy as np
                import tengen
                from tengen import Position, playouts, register, search

                def judge(planes, legal):
                    return np.ones(legal.shape, np.float32), np.full(len(legal), 0.5)

                bot = "uct:simulations=100000000,max_nodes=20000"
                own = bot + "," + register.evaluator("mine", judge)
                rule = register.policy("mine", lambda stones, points, last: np.ones(len(points)))

                def steps():
                    env = tengen.vector_env(512, 9)
                    while True:
                        env.step(env.sample())

                works = [
                    steps,
                    steps,
                    lambda: search([Position(9)] * 8, bot, evaluator=judge),
                    lambda: search([Position(9)] * 8, bot, evaluator=judge, threads=2),
                    lambda: search([Position(9)] * 8, own, threads=2),
                    lambda: playouts(Position(9), 10**7, policy=rule.removeprefix("policy=")),
                ]
                for work in works:
                    threading.Thread(target=work, daemon=True).start()
                time.sleep(0.3)
                print("done")
            """)
            == "done\n"
        )


def test_nothing_is_begun_at_the_end() -> None:
    said = said_by("""
        import atexit

        def last():
            try:
                tengen.search(tengen.Position(5), "uct:simulations=100")
            except tengen.RunError as error:
                print(error)

        atexit.register(last)
        import tengen
    """)
    assert said == "Python is ending: no work can be begun any more\n"


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, ZeroDivisionError])
def test_what_the_bot_of_a_player_raises(error: type[BaseException]) -> None:
    def fails(position: Position, seed: int) -> int:
        raise error

    player = Player(register.bot("fails-in-player", fails))
    with pytest.raises(RunError if error is ZeroDivisionError else error) as raised:
        player.choose(Position(5))
    assert error is not ZeroDivisionError or isinstance(raised.value.__cause__, error)
