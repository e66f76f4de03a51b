"""Runs whose games other processes play."""

import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import pytest
from test_runs import rows

import tengen
from tengen import _executor

Pool = futures.ThreadPoolExecutor | futures.ProcessPoolExecutor

BOTS: dict[str, Any] = {"bot": ["uct:simulations=40", "random"], "size": 5, "progress": False}
TEST: dict[str, Any] = {
    "bot": ["uct:simulations=60", "uct:simulations=20"],
    "size": 5,
    "sprt": "elo0=0 elo1=60",
}
TUNING: dict[str, Any] = {
    "bot": "uct:simulations=20",
    "param": {"exploration": "0.05..2:log"},
    "size": 5,
}


def test_games_are_those_of_one_process(tmp_path: Path) -> None:
    one = tengen.tournament(**BOTS, pairs=8, threads=1, out=tmp_path / "one")
    other = tengen.tournament(**BOTS, pairs=8, executor="processes:2", out=tmp_path / "two")
    assert rows(other.folder) == rows(one.folder)
    (host,) = other.manifest["session"][0]["host"]
    assert host["units"] == 16 and host["audited"] == 0 and host["cpu_seconds"] >= 0
    units = [int(unit) for text in other.table("blocks")["units"] for unit in str(text).split()]
    assert sorted(units) == list(range(16))


@pytest.mark.parametrize("pool", [futures.ThreadPoolExecutor, futures.ProcessPoolExecutor])
def test_any_executor_serves(tmp_path: Path, pool: type[Pool]) -> None:
    one = tengen.tournament(**TEST, threads=1, out=tmp_path / "one", progress=False)
    with pool(2) as executor:
        other = tengen.tournament(**TEST, executor=executor, out=tmp_path / "two", progress=False)
        # The run has not closed the executor.
        assert executor.submit(abs, -1).result() == 1
    assert rows(other.folder) == rows(one.folder)
    assert other.text.splitlines()[-1] != ""


@pytest.mark.parametrize("method", ["thompson", "clop", "spsa"])
def test_a_tuning_is_that_of_one_process(tmp_path: Path, method: str) -> None:
    settings: dict[str, Any] = TUNING | {
        "method": method,
        "games": 60,
        "validation": 8,
        "progress": False,
    }
    one = tengen.tune(**settings, threads=1, out=tmp_path / "one")
    other = tengen.tune(**settings, executor="processes:2", out=tmp_path / "two")
    assert rows(other.folder) == rows(one.folder)
    assert rows(other.validation.folder) == rows(one.validation.folder)


def test_a_learning_run_and_its_searches(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"size": 5, "rounds": 1, "games": 12, "pairs": 4, "progress": False}
    settings |= {"teacher": "uct:simulations=30", "student": "uct:simulations=20"}
    one = tengen.learn(**settings, threads=1, out=tmp_path / "one")
    other = tengen.learn(**settings, executor="processes:2", out=tmp_path / "two")
    weights = [(run.folder / "round-1" / "weights.txt").read_text() for run in (one, other)]
    assert weights[0].splitlines()[2:] == weights[1].splitlines()[2:]
    match = [rows(run.folder / "round-1" / "match") for run in (one, other)]
    assert match[0] == match[1]


def test_a_convergence_is_that_of_one_process(tmp_path: Path) -> None:
    positions = tmp_path / "solved.csv"
    positions.write_text(
        "size,source,ply,to_play,position,value,moves\n"
        "2x2,random,2,white,X./.O,-4,A1:-4 B2:1 pass:4\n"
        "2x2,random,2,white,X./.O,-4,A1:-4 B2:1 pass:4\n"
    )
    settings: dict[str, Any] = {"positions": positions, "bot": ["uct", "plain"]}
    settings |= {"simulations": 4, "doublings": 2, "searches": 2, "progress": False}
    one = tengen.convergence(**settings, threads=1, out=tmp_path / "one")
    other = tengen.convergence(**settings, executor="processes:2", out=tmp_path / "two")
    texts = [(run.folder / "searches.csv").read_text() for run in (one, other)]
    assert texts[0] == texts[1]
    assert "host" in other.manifest["session"][0]


def test_a_weights_file_travels(tmp_path: Path) -> None:
    given = tmp_path / "weights.txt"
    given.write_bytes(learned(tmp_path))
    bots = {"learned": f"uct:simulations=20,prior=learned:{given}", "random": "random"}
    settings: dict[str, Any] = BOTS | {"bot": bots, "pairs": 4}
    one = tengen.tournament(**settings, threads=1, out=tmp_path / "one")
    other = tengen.tournament(**settings, executor="processes:2", out=tmp_path / "two")
    assert rows(other.folder) == rows(one.folder)


def learned(tmp_path: Path) -> bytes:
    settings: dict[str, Any] = {"size": 5, "rounds": 1, "games": 12, "pairs": 0, "progress": False}
    run = tengen.learn(**settings, teacher="uct:simulations=30", out=tmp_path / "learned")
    return (run.folder / "weights.txt").read_bytes()


def test_killed_processes_cost_their_blocks_alone(tmp_path: Path) -> None:
    settings: dict[str, Any] = BOTS | {
        "bot": ["uct:simulations=400", "uct:simulations=300"],
        "pairs": 60,
    }
    one = tengen.tournament(**settings, threads=1, out=tmp_path / "one")
    executor = tengen.Executor("processes:2", block=4)
    done = threading.Event()
    killed: list[int] = []

    # Fewer kills than the failures of a block that end its run: on a busy machine all may hit one.
    def kill() -> None:
        while len(set(killed)) < 5 and not done.wait(0.3):
            running = list(getattr(executor._carrier, "_running", []))
            for process in running[:1]:
                os.kill(process.pid, signal.SIGKILL)
                killed.append(process.pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        with pytest.warns(UserWarning, match="a worker process died .signal 9."):
            other = tengen.tournament(**settings, executor=executor, out=tmp_path / "two")
    finally:
        done.set()
        thread.join()
    assert rows(other.folder) == rows(one.folder)
    assert len(set(killed)) >= 2


class Lying(futures.ThreadPoolExecutor):
    """Two named workers, one of which returns false rows."""

    number = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:  # type: ignore[override]
        self.number += 1
        return super().submit(self.answer, self.number, *args)

    def answer(self, number: int, block: bytes) -> bytes:
        answer = json.loads(_executor.make_block(block))
        if "Made" in answer:
            answer["Made"]["process"]["process"] = f"worker-{number % 2}"
            if number % 2 == 0:
                answer["Made"]["searches"] = []
                answer["Made"]["rows"] = exchanged(answer["Made"]["rows"])
        return json.dumps(answer).encode()


def exchanged(text: str) -> str:
    """The rows with a false `reason`, and right checks."""
    header, *lines = text.splitlines()
    place = header.split(",").index("reason")
    changed = []
    for line in lines:
        cells = line.split(",")[:-1]
        cells[place] = "a lie"
        own = ",".join(cells)
        check = zlib.crc32(f"{header}\n{own}".encode())
        changed.append(f"{own},{check:08x}")
    return "\n".join([header, *changed]) + "\n"


def test_an_audit_names_the_liar(tmp_path: Path) -> None:
    one = tengen.tournament(**BOTS, pairs=12, threads=1, out=tmp_path / "one")
    with Lying(1) as pool:
        executor = tengen.Executor(pool, block=2, audit=0.5)
        with pytest.warns(UserWarning, match="process worker-0 of host .* answered wrongly"):
            other = tengen.tournament(**BOTS, pairs=12, executor=executor, out=tmp_path / "two")
    assert rows(other.folder) == rows(one.folder)


class Late(futures.ThreadPoolExecutor):
    """Answers to some blocks only after a while."""

    number = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:  # type: ignore[override]
        self.number += 1
        return super().submit(self.answer, self.number, fn, *args)

    def answer(self, number: int, fn: Callable[..., Any], *args: Any) -> Any:
        if number % 3 == 1:
            time.sleep(0.3)
        return fn(*args)


def test_blocks_that_nobody_answers_are_submitted_again(tmp_path: Path) -> None:
    one = tengen.tournament(**BOTS, pairs=12, threads=1, out=tmp_path / "one")
    with Late(4) as pool:
        executor = tengen.Executor(pool, block=2, patience=0.1)
        other = tengen.tournament(**BOTS, pairs=12, executor=executor, out=tmp_path / "two")
        assert pool.number > 12 + 1
    assert rows(other.folder) == rows(one.folder)


class Counting(tengen.Executor):
    """Counts the submitted blocks."""

    submitted = 0

    def _submit(self, ticket: int, block: bytes, first: _executor.Process | None) -> None:
        self.submitted += 1
        super()._submit(ticket, block, first)


def test_dask_makes_blocks_and_audits_elsewhere(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    one = tengen.tournament(**BOTS, pairs=24, threads=1, out=tmp_path / "one")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        executor = Counting(client, block=2, in_flight=8, audit=1.0)
        other = tengen.tournament(**BOTS, pairs=24, executor=executor, out=tmp_path / "two")
    assert rows(other.folder) == rows(one.folder)
    (host,) = other.manifest["session"][0]["host"]
    assert (host["processes"], host["audited"], host["differing"]) == (2, 24, 0)
    # Each block and its audit, each again if a worker lacks the settings.
    assert executor.submitted <= 24 + 24 + 2 * 8


def test_an_interrupted_run_is_resumed(tmp_path: Path) -> None:
    def interrupt(done: int, all: int, units: str, message: str) -> None:
        if done > 3:
            raise KeyboardInterrupt

    folder = tmp_path / "run"
    words = ["tournament", "--size=5", "--pairs=150", "--bot=uct:simulations=200", "--bot=random"]
    executor = tengen.Executor("processes:2", block=2)
    with pytest.raises(KeyboardInterrupt), _executor.opened(executor):
        tengen._tengen.call([*words, f"--out={folder}"], interrupt, None, executor)
    one = tengen.tournament(resume=folder, executor="processes:2", progress=False)
    other = tengen.tournament(
        bot=["uct:simulations=200", "random"],
        size=5,
        pairs=150,
        out=tmp_path / "whole",
        progress=False,
    )
    assert rows(one.folder) == rows(other.folder)
    assert len(one.manifest["session"]) == 2


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ("processes:0", ValueError, "names none: expected"),
        ("processes", ValueError, "'processes' names none"),
        ("dask:8786", ValueError, "dask://HOST:PORT"),
        ("slurm:many", ValueError, "slurm:N"),
        (3, TypeError, "int has no method submit"),
    ],
)
def test_what_is_no_executor_is_named(
    tmp_path: Path, given: Any, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        tengen.tournament(**BOTS, executor=given, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_work_without_units_takes_no_executor() -> None:
    with pytest.raises(ValueError, match="an executor makes the units of a run"):
        tengen.tune(synthetic="LOG", games=30, repeats=5, executor="processes:1", progress=False)


def test_numbers_out_of_range_are_named(tmp_path: Path) -> None:
    given: list[tuple[str, Any]] = [
        ("audit", 1.5),
        ("block", 0),
        ("in_flight", 0),
        ("patience", 0.0),
    ]
    for name, value in given:
        executor = tengen.Executor("processes:1", **{name: value})
        with pytest.raises(ValueError, match=f"`{name}`"):
            tengen.tournament(**BOTS, executor=executor, out=tmp_path / "run")
    with pytest.raises(ValueError, match="setup needs"):
        tengen.Executor(futures.ThreadPoolExecutor(1), setup="json")


def test_a_bot_that_workers_do_not_know_is_named_and_setup_registers_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "own_bot.py"
    module.write_text(
        "import tengen\n"
        "def first(position, seed):\n"
        "    return int(position.legal().argmax())\n"
        "tengen.register.bot('first_point', first)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("own_bot")

    settings: dict[str, Any] = BOTS | {"bot": ["first_point", "random"], "pairs": 2}
    with pytest.raises(tengen.RunError, match="first_point"):
        tengen.tournament(**settings, executor="processes:1", out=tmp_path / "a")
    one = tengen.tournament(**settings, threads=1, out=tmp_path / "one")
    executor = tengen.Executor("processes:1", setup="own_bot")
    other = tengen.tournament(**settings, executor=executor, out=tmp_path / "b")
    assert rows(other.folder) == rows(one.folder)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    words = (sys.executable, "-m", "tengen.run", *words)
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_the_command_makes_and_resumes_a_run(tmp_path: Path) -> None:
    settings = tmp_path / "run.toml"
    settings.write_text('size = 5\npairs = 3\nbot = ["uct:simulations=20", "random"]\n')
    out = tmp_path / "run"
    made = command(str(settings), "--executor", "processes:2", "--out", str(out))
    assert made.returncode == 0 and "uct" in made.stdout, made.stderr
    again = command("--resume", str(out), "--executor", "processes:2")
    assert again.returncode == 0 and again.stdout.split()[-3:] == made.stdout.split()[-3:]
    for words, said in [
        ([str(settings), "--executor", "nobody"], "names none"),
        (["absent.toml", "--executor", "processes:1"], "absent.toml"),
        (["--executor", "processes:1"], "RUN.toml or --resume"),
        ([str(settings), "--executor", "processes:1", "--audit", "2"], "audit"),
    ]:
        refused = command(*words)
        assert refused.returncode == 2 and said in refused.stderr, refused.stderr
        assert "Traceback" not in refused.stderr
