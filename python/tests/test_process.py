"""Threads, processes, signals and memory."""

import concurrent.futures
import importlib.util
import multiprocessing
import resource
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from tengen import Position, playouts


def interrupted(code: str) -> tuple[str, float]:
    """The output of a program that gets Ctrl-C after it printed "begun", and the seconds after
    that."""
    program = subprocess.Popen(
        [sys.executable, "-u", "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "begun\n"
    time.sleep(0.3)
    program.send_signal(signal.SIGINT)
    since = time.monotonic()
    said, _ = program.communicate(timeout=60)
    return said, time.monotonic() - since


@pytest.mark.parametrize("threads", [1, 2])
def test_control_c_ends_playouts(threads: int) -> None:
    said, _ = interrupted(f"""
        import tengen
        position = tengen.Position(19)
        print("begun")
        try:
            tengen.playouts(position, 100_000_000, threads={threads})
        except KeyboardInterrupt:
            print("interrupted", len(tengen.playouts(position, 10).scores))
    """)
    assert said == "interrupted 10\n"


def sum_of_scores(position: Position) -> int:
    return int(playouts(position, 1000, seed=1, threads=2).scores.sum())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_play_the_same(method: str) -> None:
    position = Position(9)
    expected = sum_of_scores(position)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(sum_of_scores, [position] * 3) == [expected] * 3


def test_threads_play_at_once() -> None:
    positions = [Position(9, komi=komi + 0.5) for komi in range(8)]
    alone = [sum_of_scores(position) for position in positions]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(sum_of_scores, positions)) == alone


def test_nothing_leaks() -> None:
    position = Position(9)

    def work(times: int) -> None:
        for _ in range(times):
            other = position.copy()
            other.play(40)
            other.legal()
            other.stones, other.planes(), other.moves, str(other)
            with pytest.raises(ValueError):
                other.play(99)
        playouts([position] * 8, times // 100, ownership=True, first_plays=True)

    def kibibytes() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    work(2_000)
    before = kibibytes()
    work(20_000)
    assert kibibytes() - before < 4_096


def test_a_second_interpreter_is_refused_clearly() -> None:
    names = ("_interpreters", "_xxsubinterpreters")
    name = next((name for name in names if importlib.util.find_spec(name)), None)
    if name is None:
        pytest.skip("this Python cannot make another interpreter")
    code = f"""
        import {name} as interpreters
        import tengen
        own = '''
        try:
            import tengen
        except ImportError as error:
            print(error)
        '''
        import textwrap
        interpreters.run_string(interpreters.create(), textwrap.dedent(own))
    """
    run = [sys.executable, "-u", "-c", textwrap.dedent(code)]
    said = subprocess.run(run, capture_output=True, text=True, timeout=60)
    # The error is Tengen's, or that of numpy, which is imported first.
    assert "interpreter" in said.stdout or "once per process" in said.stdout, said
