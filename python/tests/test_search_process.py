"""Searches and threads, signals and memory."""

import concurrent.futures
import resource
from typing import Any

import numpy as np
import pytest
from test_process import interrupted
from test_search import judge

from tengen import Position, Searches, register, search

BEGIN = """
        import time
        import numpy as np
        import tengen
        from tengen import Position, Searches, register, search

        def judge(planes, legal):
            return np.ones(legal.shape, np.float32), np.full(len(legal), 0.5, np.float32)

        positions = [Position(9) for _ in range(8)]
        many = "uct:simulations=100000000,max_nodes=100000"
        print("begun")
"""

LONG = {
    "playouts": "search(positions, many)",
    "playouts-2": "search(positions, many, threads=2)",
    "evaluator": "search(positions, many, evaluator=judge)",
    "evaluator-2": "search(positions, many, evaluator=judge, threads=2)",
    "slow-evaluator": "search(positions, many, evaluator=lambda p, l: time.sleep(9))",
    "registered": "search(positions, f'{many},{register.evaluator(\"mine\", judge)}', threads=2)",
    "formula": "register.selection('mine', lambda visits, *_: -visits); "
    "search(positions, many + ',selection=mine')",
    "run": "Searches(positions, many).run(10**12)",
    "run-asked": "Searches(positions, many, evaluator=judge).run(10**12)",
    "steps": "for leaves in Searches(positions, many, evaluator='replies').steps(10**12):\n"
    "            leaves.reply(*judge(leaves.planes, leaves.legal))",
    # Close to the end of the game nearly all simulations end in the tree.
    "terminal": "search(Position(rows='XX./XX./XXX', komi=0, max_plies=2), many, evaluator=judge)",
}


@pytest.mark.parametrize("call", LONG)
def test_control_c_ends_a_search(call: str) -> None:
    said, seconds = interrupted(f"{BEGIN}        {LONG[call]}\n")
    assert "KeyboardInterrupt" in said and "panic" not in said, said
    assert seconds < 3


def test_searches_go_on_after_control_c() -> None:
    said, _ = interrupted(f"""{BEGIN}
        searches = Searches(positions, "uct:max_nodes=20000", evaluator=judge)
        by_playouts = Searches(positions, "uct:max_nodes=20000", threads=2)
        for own in (searches, by_playouts):
            try:
                own.run(10**12)
            except KeyboardInterrupt:
                done = own.results().simulations
                own.run(100)
                more = own.results().simulations - done
                print(done.min() > 0, abs(more - 100).max())
                if own is searches:
                    import os, signal, threading
                    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        """)
    assert said.split() == ["True", "0", "True", "0"] or said.split() == [
        "True",
        "1",
        "True",
        "0",
    ], said


def test_threads_search_at_once() -> None:
    positions = [Position(7, komi=komi + 0.5) for komi in range(6)]

    def found(position: Position, evaluator: Any) -> list[int]:
        bot = "uct:simulations=200"
        visits: list[int] = search(position, bot, evaluator=evaluator).visits.tolist()
        return visits

    for evaluator in (None, judge):
        alone = [found(position, evaluator) for position in positions]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            together = list(pool.map(found, positions, [evaluator] * 6))
        assert together == alone


def test_searches_in_use_by_another_thread() -> None:
    searches = Searches([Position(9)] * 4, evaluator=judge)

    def use(_: int) -> str:
        try:
            searches.run(50)
        except RuntimeError as error:
            return str(error)
        return ""

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        told = list(pool.map(use, range(8)))
    assert all(not error or "borrowed" in error for error in told) and "" in told
    assert searches.results().simulations[0] == 50 * told.count("")


def test_nothing_leaks() -> None:
    def fails(planes: np.ndarray, legal: np.ndarray) -> Any:
        raise ValueError

    formula = register.selection("leaks", lambda visits, values, *_: values)

    def work(times: int) -> None:
        for _ in range(times):
            search(Position(5), "uct:simulations=20", evaluator=judge, tree=True)
            search([Position(5)] * 2, "uct:simulations=20", evaluator=judge, threads=2)
            search(Position(5), f"uct:simulations=20,{formula}")
            with pytest.raises(ValueError):
                search(Position(5), "uct:simulations=20", evaluator=fails)
            searches = Searches([Position(5)] * 3, evaluator=judge)
            searches.run(5)
            for _leaves in searches.steps(5):
                break
            searches.advance(searches.best())

    def kibibytes() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    work(100)
    before = kibibytes()
    work(600)
    assert kibibytes() - before < 4_096
