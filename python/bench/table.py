"""Speed per second of CPU time: Tengen from Python beside the libraries that are installed.

    python bench/table.py [--size 9] [--seconds 2] [--rounds 5] [--program PLAYOUTS]

Every round measures each line once, in turn, so that other load on the machine affects all of them
alike; the table has medians and ranges. CPU time is that of all threads of this process, or of the
program that was started. What is not installed is left out, and named below the table.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# One thread, of every library.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np  # noqa: E402

import tengen  # noqa: E402

GAMES = (64, 1024)
"""Numbers of games side by side, of vector environments."""
SIMULATIONS = 1000
"""Simulations of a search."""


@dataclass
class Line:
    """A measurement: `work` does some of it and says how much."""

    what: str
    unit: str
    library: str
    work: Callable[[], float]
    own_rate: bool = False
    """Whether `work` returns the rate itself."""
    rates: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Add the rate of about so many seconds of CPU time."""
        if self.own_rate:
            self.rates.append(self.work())
            return
        done, began = 0.0, time.process_time()
        while time.process_time() - began < seconds:
            done += self.work()
        self.rates.append(done / (time.process_time() - began))


def recorded(size: int) -> list[int]:
    """The moves of a random game that fills no own eye, with two passes at the end."""
    draw, position = random.Random(1), tengen.Position(size)
    while not position.is_over:
        legal = np.flatnonzero(position.legal(own_eyes=False)[:-1])
        position.play(int(draw.choice(legal)) if len(legal) else position.points)
    return [move for _, move in position.moves]


def tengen_lines(size: int, program: Path) -> Iterator[Line]:
    """Tengen's own lines."""
    empty = tengen.Position(size)
    name = f"tengen {tengen.__version__}"
    seeds = iter(range(1 << 62))

    def playouts() -> float:
        return tengen.playouts(empty, 4096, seed=next(seeds)).scores.size

    yield Line("random games to the end", "games", f"{name}, playouts of 4,096 a call", playouts)

    def of_program() -> float:
        command = [str(program), "--size", str(size), "--seconds", "2", "--repeats", "1"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        header, row = (line.strip() for line in output.strip().splitlines()[:2])
        columns = re.split(r"\s{2,}", header)
        cells = re.split(r"\s{2,}", row)
        return float(cells[columns.index("per cpu s")])

    if program.exists():
        line = Line("random games to the end", "games", "the program playouts", of_program)
        line.own_rate = True
        yield line

    for n in GAMES:
        for observations in (False, True):
            env = tengen.vector_env(n, size, own_eyes=False, observations=observations)
            env.reset()
            shown = "masks and planes" if observations else "masks"
            library = f"{name}, vector_env with {shown}"
            yield Line(f"{n} games side by side, random moves", "plies", library, stepping(env))

    moves = recorded(size)

    def single() -> float:
        position = tengen.Position(size)
        for move in moves:
            position.play(move)
            position.legal()
            position.is_over  # noqa: B018
        return len(moves)

    yield Line("play, legal moves, is it over", "plies", f"{name}, Position", single)

    def search() -> float:
        player = tengen.Player(f"uct:simulations={SIMULATIONS}", seed=next(seeds))
        player.choose(empty)
        return SIMULATIONS

    yield Line(
        f"search of {SIMULATIONS:,} simulations",
        "simulations",
        f"{name}, uct, its defaults",
        search,
    )


def stepping(env: tengen.VectorEnv) -> Callable[[], float]:
    """Random moves in all games of `env`."""

    def work() -> float:
        for _ in range(20):
            env.step(env.sample())
        return 20 * len(env)

    return work


def openspiel_lines(size: int) -> Iterator[Line]:
    """OpenSpiel's lines, which all measure its C++ code."""
    import pyspiel

    name = f"open_spiel {version('open_spiel')}"
    game = pyspiel.load_game("go", {"board_size": size, "komi": 7.5})
    seeds = iter(range(1 << 30))

    def bot(simulations: int, rollouts: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, next(seeds))
        return pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, next(seeds), False)

    def rollouts() -> float:
        # Python cannot call the evaluator alone: with so many rollouts per leaf the tree costs
        # little.
        bot(10, 20).step(game.new_initial_state())
        return 200

    yield Line("random games to the end", "games", f"{name}, RandomRolloutEvaluator", rollouts)
    moves = recorded(size)

    def single() -> float:
        state = game.new_initial_state()
        done = 0
        for move in moves:
            if state.is_terminal():
                break
            state.apply_action(move)
            state.legal_actions()
            done += 1
        return done

    yield Line("play, legal moves, is it over", "plies", f"{name}, State", single)

    def search() -> float:
        bot(SIMULATIONS, 1).step(game.new_initial_state())
        return SIMULATIONS

    yield Line(f"search of {SIMULATIONS:,} simulations", "simulations", f"{name}, MCTSBot", search)


def pgx_lines(size: int) -> Iterator[Line]:
    """Pgx on the CPU."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make(f"go_{size}x{size}")
    name = f"pgx {version('pgx')}, jax {version('jax')}"
    step, init = auto_reset(env.step, env.init), env.init

    def one(state: Any, key: Any) -> tuple[Any, None]:
        noise = jax.random.gumbel(key, state.legal_action_mask.shape)
        actions = jnp.argmax(jnp.where(state.legal_action_mask, noise, -jnp.inf), axis=-1)
        # The next game begins with the empty board, whatever the key.
        keys = jax.random.split(key, len(actions))
        return jax.vmap(step)(state, actions, keys), None

    @jax.jit
    def steps(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, state, jax.random.split(key, 10))[0]

    seeds = iter(range(1 << 30))

    def stepping(n: int) -> Callable[[], float]:
        held = [jax.jit(jax.vmap(init))(jax.random.split(jax.random.key(0), n))]

        def work() -> float:
            held[0] = jax.block_until_ready(  # type: ignore[no-untyped-call,unused-ignore]
                steps(held[0], jax.random.key(next(seeds)))
            )
            return 10 * n

        # Compiles.
        work()
        return work

    for n in GAMES:
        yield Line(f"{n} games side by side, random moves", "plies", name, stepping(n))


def pettingzoo_lines(size: int) -> Iterator[Line]:
    """PettingZoo's own game of Go."""
    from pettingzoo.classic import go_v5

    env = go_v5.env(board_size=size)
    moves = recorded(size)

    def single() -> float:
        env.reset()
        done = 0
        for move in moves[:40]:
            env.last()
            # PettingZoo numbers points from the upper left; any legal game will do.
            env.step(move)
            done += 1
        return done

    name = f"pettingzoo {version('pettingzoo')}, go_v5"
    yield Line("play, legal moves, is it over", "plies", name, single)


def sgfmill_lines(size: int) -> Iterator[Line]:
    """Moves on a board of sgfmill, which knows neither ko nor suicide, and so no legal moves."""
    from sgfmill import boards

    moves = recorded(size)

    def single() -> float:
        board = boards.Board(size)
        for ply, move in enumerate(moves):
            if move < size * size:
                board.play(move // size, move % size, "bw"[ply % 2])
        return len(moves)

    yield Line("play alone", "plies", f"sgfmill {version('sgfmill')}", single)


def sente_lines(size: int) -> Iterator[Line]:
    """Games of sente."""
    import sente

    moves = recorded(size)

    def single() -> float:
        game = sente.Game(size)
        for move in moves:
            if move < size * size:
                game.play(move // size + 1, move % size + 1)
            else:
                game.pss()
            game.get_legal_moves()
        return len(moves)

    name = f"sente {version('sente')}"
    yield Line("play, legal moves, is it over", "plies", name, single)


def version(package: str) -> str:
    """The version of an installed package."""
    return importlib.metadata.version(package)


def cpu() -> str:
    """The name of the CPU."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    names = re.findall(r"model name\s*: (.*)", text)
    has_avx512 = " avx512f" in text
    return f"{names[0] if names else platform.machine()}{', AVX-512' if has_avx512 else ''}"


@contextmanager
def left_out(missing: list[str], library: str) -> Iterator[None]:
    """Names a library that cannot be imported."""
    try:
        yield
    except ImportError as error:
        missing.append(f"{library} ({error})")


def rounded(rate: float) -> str:
    """Three digits."""
    return f"{float(f'{rate:.3g}'):,.0f}"


def main() -> None:
    """Measure, and write the table as Markdown."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--size", type=int, default=9)
    arguments.add_argument("--seconds", type=float, default=2.0, help="CPU time of a measurement")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--only", default="", help="lines whose library contains this text")
    program = Path(__file__).parents[2] / "target" / "release" / "playouts"
    arguments.add_argument("--program", type=Path, default=program, help="the program playouts")
    options = arguments.parse_args()
    lines: list[Line] = list(tengen_lines(options.size, options.program))
    missing: list[str] = []
    if not options.program.exists():
        missing.append(f"the program playouts (no {options.program})")
    others = [openspiel_lines, pgx_lines, pettingzoo_lines, sgfmill_lines, sente_lines]
    for make in others:
        with left_out(missing, make.__name__.removesuffix("_lines")):
            lines.extend(make(options.size))
    lines = [line for line in lines if options.only in line.library]
    for number in range(options.rounds):
        for line in lines:
            line.measure(options.seconds)
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    print(f"{options.size}x{options.size}, per second of CPU time.\n")
    print("| what | of | per second | range |")
    print("|---|---|---|---|")
    for line in sorted(lines, key=lambda line: (line.what, -statistics.median(line.rates))):
        ends = f"{rounded(min(line.rates))} to {rounded(max(line.rates))}"
        rate = f"{rounded(statistics.median(line.rates))} {line.unit}"
        print(f"| {line.what} | {line.library} | {rate} | {ends} |")
    print(
        f"\nMedians of {options.rounds} rounds in turns of {options.seconds:g} s of CPU time, "
        f"{cpu()}, Python {platform.python_version()}, numpy {np.__version__}."
    )
    if missing:
        print(f"Left out: {'; '.join(missing)}.")


if __name__ == "__main__":
    main()
