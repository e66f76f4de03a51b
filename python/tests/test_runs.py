"""Runs from Python: tournaments, tunings and measurements, and reading their results."""

from __future__ import annotations

import csv
import errno
import lzma
import math
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from tengen import _tengen
from tengen._runs import RUNS, _function

REPOSITORY = Path(__file__).resolve().parents[2]
PUBLISHED = REPOSITORY / "results" / "2026-11-29-default"
SMALL: dict[str, Any] = {
    "size": 4,
    "pairs": 3,
    "bot": ["random", "two-ply", "few=uct:simulations=20"],
    "progress": False,
}


def program(name: str) -> str:
    """The path of a program of Tengen; the test is skipped if it is not built."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    for profile in ("release", "debug"):
        path = target / profile / name
        if path.is_file():
            return str(path)
    pytest.skip(f"the program {name} is not built")


def rows(folder: Path) -> list[list[str]]:
    """The raw rows of games.csv, without the thinking times."""
    with open(folder / "games.csv", newline="") as file:
        table = list(csv.reader(file))
    keep = [
        place for place, name in enumerate(table[0]) if not name.endswith(("_seconds", "check"))
    ]
    return [[row[place] for place in keep] for row in table]


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_are_those_of_the_program(tmp_path: Path, threads: int) -> None:
    run = tengen.tournament(out=tmp_path / "python", threads=threads, **SMALL)
    words = [
        program("tournament"),
        "--size",
        "4",
        "--pairs",
        "3",
        "--out",
        str(tmp_path / "rust"),
        "--threads",
        "2",
    ]
    for bot in SMALL["bot"]:
        words += ["--bot", bot]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert rows(run.folder) == rows(tmp_path / "rust")
    for name in ("summary.csv", "ratings.csv", "differences.csv"):
        assert (run.folder / name).read_bytes() == (tmp_path / "rust" / name).read_bytes()

    def said(text: str) -> list[str]:
        """What the command prints, without the folder and the CPU times, which differ."""
        return text[: text.index("CPU s per move")].splitlines()[:-1]

    assert said(run.text) == said(printed)
    assert run.config == tengen.read(tmp_path / "rust").config


def test_a_run_is_tables_and_plots(tmp_path: Path) -> None:
    run = tengen.tournament(out=tmp_path / "run", seed=5, komi=0.5, **SMALL)
    assert (run.kind, run.name) == ("tournament", "run")
    assert run.tables == ["differences", "games", "ratings", "summary"]
    assert (len(run.games), len(run.summary), len(run.ratings)) == (18, 6, 3)
    assert run.config["komi"] == 0.5 and run.config["bot"][2]["simulations"] == 20
    assert run.config["bot"][2]["first_play"] == math.inf
    assert run.manifest["session"][0]["units"] == 18
    assert run.conditions.startswith("4x4, komi 0.5, tengen rules, 3 pairs per pairing")
    assert sorted(run.plots) == ["cross_table", "win_rates"]
    assert run.plots["win_rates"]._repr_svg_().startswith("<svg")
    shown = run._repr_html_()
    assert "komi 0.5" in shown and "<table>" in shown and "<svg" in shown
    assert set(run.games["black"]) == {"random", "two-ply", "few"}
    assert run.games["seed"].dtype.kind in "iu" and run.games["score"].dtype == np.float64
    assert np.isnan(run.games["black_simulations"][run.games["black"] == "random"]).all()
    with pytest.raises(AttributeError, match="tables are differences, games, ratings, summary"):
        _ = run.samples
    with pytest.raises(AttributeError, match="has no elo: its tables are"):
        _ = run.elo  # type: ignore[attr-defined]
    assert not hasattr(run, "validation") and "games" in repr(run)
    assert pickle.loads(pickle.dumps(run)).games == run.games
    (run.folder / "mine.csv").write_text("a,b\n1,x\n2,\n")
    assert run.mine["a"].sum() == 3 and list(run.mine["b"]) == ["x", ""]  # type: ignore[attr-defined]
    with pytest.raises(KeyError, match="the columns are run, game"):
        _ = run.games["black_score"]
    with pytest.raises(KeyError, match="cross_table"):
        _ = run.plots["elo"]


def test_bots_by_name_and_settings_of_all_kinds(tmp_path: Path) -> None:
    run = tengen.tournament(
        size=(3, 4),
        bot={"a": "uct:simulations=4,exploration=0.4", "1": "random"},
        sprt={"elo0": 0, "elo1": 400},
        pairs=4,
        comments=False,
        progress=False,
        out=tmp_path / "run",
    )
    assert run.config["size"] == "3x4" and run.config["sprt"]["elo1"] == 400
    assert run.config["comments"] is False
    assert set(run.summary["bot"]) == {"a", "1"}, "names stay texts"


def test_progress_ends_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tengen import _progress

    told: list[tuple[int, int, str, str]] = []
    monkeypatch.setattr(_progress.Progress, "show", lambda self, *units: told.append(units))
    tengen.tournament(out=tmp_path / "run", **{**SMALL, "progress": True})
    assert told[-1][:3] == (18, 18, "games") and "leads with" in told[-1][3]


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_progress_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], with_tqdm: bool
) -> None:
    from tengen import _progress

    if with_tqdm:
        pytest.importorskip("tqdm")
    shown = _progress.Progress(is_shown=True)
    if not with_tqdm:
        shown._tqdm = None
    shown._last -= 100
    shown.show(3, 10, "games", ", a leads with 60 %")
    with pytest.warns(UserWarning, match="lost rows"):
        shown.note("warning: x has lost rows")
    shown.close()
    said = capsys.readouterr().err
    assert "games" in said and "a leads with 60 %" in said


INTERRUPTED = """
import sys, tengen
try:
    bots = ["uct:simulations=600", "random"]
    tengen.tournament(size=5, pairs=400, bot=bots, out=sys.argv[1], threads=1, progress=False)
except KeyboardInterrupt as error:
    print(error)
    sys.exit(7)
"""


def test_an_interrupted_run_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(folder)], stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while (
        not (folder / "games.csv").is_file() or (folder / "games.csv").read_text().count("\n") < 4
    ):
        assert time.monotonic() < deadline and child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 7, said
    assert f'go on with resume="{folder}"' in said
    there = tengen.read(folder)
    assert 3 <= len(there.games) < 800 and there.tables == ["games"]
    few = tengen.tournament(resume=folder, progress=False)
    assert len(few.games) == 800 and list(few.games["game"]) == list(range(800))
    begun = rows(folder)[: 1 + 3]
    whole = tengen.tournament(
        size=5,
        pairs=2,
        bot=["uct:simulations=600", "random"],
        out=tmp_path / "whole",
        progress=False,
        threads=1,
    )
    # The digest of the settings does not depend on the number of pairs.
    name = whole.folder.name
    assert [row[1:] for row in begun] == [row[1:] for row in rows(tmp_path / name)[: 1 + 3]]


LONG = """
import sys, tengen
bots = [sys.argv[2], "random"]
print("begun", flush=True)
tengen.tournament(size=9, pairs=1, bot=bots, out=sys.argv[1], threads=1, progress=False)
"""


def interrupted(folder: Path, bot: str) -> str:
    """The message of a run that is interrupted in its first game."""
    words = [sys.executable, "-c", LONG, str(folder), bot]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (folder / "manifest.toml").is_file():
        assert time.monotonic() < deadline and child.poll() is None
        time.sleep(0.01)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    # A second for the command, and one for Python; more on a busy machine.
    _, last = child.communicate(timeout=30)
    assert child.returncode not in (0, None)
    (line,) = [line for line in last.splitlines() if line.startswith("KeyboardInterrupt")]
    return line


def test_an_interrupt_does_not_wait_for_games(tmp_path: Path) -> None:
    left = "what is being made ends in the background: go on with resume="
    # This search never checks whether to stop.
    assert left in interrupted(tmp_path / "clock", "uct:seconds=600,workers=2")
    # On a busy machine a second may be too short, but not always.
    searched = (interrupted(tmp_path / str(n), "uct:simulations=100000000") for n in range(5))
    said = next((line for line in searched if left not in line), "it never stops")
    assert "stopped with 0 of 2 games made: go on with resume=" in said


def test_an_error_of_a_callback_stops_the_run(tmp_path: Path) -> None:
    from tengen import _tengen

    def fails(*_: object) -> None:
        raise LookupError("mine")

    words = ["tournament", "--size=5", "--pairs=4000", "--bot=random", "--bot=uct:simulations=50"]
    with pytest.raises(LookupError, match="mine"):
        _tengen.call([*words, f"--out={tmp_path / 'run'}"], fails)
    assert len(tengen.read(tmp_path / "run").games) < 8000


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"size": 99}, "99"),
        ({"bot": ["uct:simulations=-1"]}, "simulations"),
        ({"bot": ["nothing"]}, "nothing"),
        ({"max_plies": 0}, "max_plies"),
        ({"bot": []}, "bot is empty: expected one or more"),
        ({"chunk": "1/2", "sprt": "elo0=0 elo1=50"}, "chunk"),
    ],
)
def test_wrong_settings_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    settings: dict[str, Any] = {
        "size": 4,
        "pairs": 1,
        "bot": ["random", "two-ply"],
        "progress": False,
    } | given
    with pytest.raises(ValueError, match=said) as caught:
        tengen.tournament(**settings)
    text = str(caught.value)
    assert "\n" not in text and "--" not in text
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        tengen.read(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="is not the folder of a run"):
        tengen.read(tmp_path)


def test_what_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="/proc/nowhere/run") as error:
        tengen.tournament(out="/proc/nowhere/run", **SMALL)
    assert error.value.errno == errno.ENOENT
    run = tengen.tournament(out=tmp_path / "run", **SMALL)
    (run.folder / "summary.csv").unlink()
    (run.folder / "summary.csv").mkdir()
    with pytest.raises(IsADirectoryError, match=r"summary\.csv"):
        tengen.tournament(report=run.folder, progress=False)


def test_a_full_disk_is_an_os_error(tmp_path: Path) -> None:
    code = """
import errno, resource, sys, tengen
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    tengen.tournament(bot=["random", "random"], size=5, pairs=60, out=sys.argv[1], progress=False)
except OSError as error:
    print(error.errno == errno.EFBIG, sys.argv[1] in str(error))
"""
    words = [sys.executable, "-c", code, str(tmp_path / "run")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["True", "True"]


def test_chunks_and_their_merge(tmp_path: Path) -> None:
    whole = tengen.tournament(out=tmp_path / "whole", **SMALL)
    for chunk in ("1/2", "2/2"):
        part = tengen.tournament(out=tmp_path / "parts", chunk=chunk, **SMALL)
        assert part.folder == tmp_path / "parts"
    merged = tengen.tournament(merge=tmp_path / "parts", progress=False)
    assert rows(merged.folder) == rows(whole.folder)
    again = tengen.tournament(report=merged.folder, progress=False)
    assert again.text == merged.text


TUNED: dict[str, Any] = {
    "bot": "uct:simulations=10,rave=none,prior=none",
    "size": 3,
    "games": 40,
    "validation": 6,
}


def test_a_tuning(tmp_path: Path) -> None:
    ranges = {"exploration": "0.1..1:log"}
    run = tengen.tune(**TUNED, param=ranges, out=tmp_path / "run", progress=False)
    assert run.kind == "tune" and len(run.samples) == 20
    assert run.samples["exploration"].dtype == np.float64
    assert run.estimate["exploration_flat"].dtype == bool
    assert len(run.validation.games) == 12 and run.validation.summary["games"][0] == 12
    assert "tuned bot: " in run.text and list(run.plots)
    assert "against" in run.conditions
    other: dict[str, Any] = {"exploration": (0.1, 1, "log")}
    again = tengen.tune(**TUNED, param=other, out=tmp_path / "again", progress=False)
    assert again.config["param"] == run.config["param"]


def test_what_no_keyword_and_no_file_is_has_its_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match="tournament has no keyword pears: did you mean pairs"):
        tengen.tournament(**SMALL, pears=3)  # type: ignore[call-arg]
    absent: list[dict[str, Any]] = [{"resume": "/nowhere"}, {"config": "none.toml"}]
    for given in absent:
        (name,) = given
        with pytest.raises(FileNotFoundError, match=name) as caught:
            tengen.tournament(**given, progress=False)
        assert caught.value.filename == given[name]
    empties: list[Any] = [[], ()]
    for empty in empties:
        with pytest.raises(ValueError, match="pairs is empty: expected a value"):
            tengen.tournament(**SMALL | {"pairs": empty})
    with pytest.raises(FileNotFoundError, match="plan"):
        tengen.tournament(plan="/nowhere", progress=False)
    # In `learn`, positions are a number and no file.
    with pytest.raises(ValueError, match="games"):
        tengen.learn(positions=5, games=0, progress=False)
    assert list(tmp_path.iterdir()) == []


def test_a_run_stays_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = tengen.tournament(**SMALL, out="here")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert len(run.games) == 18
    stored = pickle.dumps(run)
    assert len(pickle.loads(stored).games) == 18
    shutil.rmtree(tmp_path / "here")
    with pytest.raises(FileNotFoundError, match="here"):
        pickle.loads(stored)


def sequential_test(first: str, second: str, folder: Path) -> tengen.Run:
    return tengen.tournament(
        bot={"a": first, "b": second}, size=5, sprt="elo0=0 elo1=60", out=folder, progress=False
    )


def test_a_sequential_test_is_data(tmp_path: Path) -> None:
    run = sequential_test("plain:simulations=30", "random", tmp_path / "run")
    for found in (run, tengen.read(run.folder)):
        test = found.test
        assert test is not None and test.decision == "H1" and test.llr >= test.bounds[1]
        assert test.settings.startswith("elo0=0 elo1=60") and 2 * sum(test.pairs) == len(run.games)
        assert test.elo is not None and test.elo_interval is not None
        assert test.elo_interval[0] < test.elo < test.elo_interval[1]
        assert test.verdict in found.text and "after the test" in found.text
    assert tengen.read(run.folder).text == run.text
    assert tengen.tournament(**SMALL, out=tmp_path / "fixed").test is None


def test_where_every_pair_is_won_the_difference_is_infinite(tmp_path: Path) -> None:
    test = sequential_test("uct:simulations=200", "random", tmp_path / "run").test
    assert test is not None and sum(test.pairs[:4]) == 0
    assert test.elo == math.inf and test.elo_interval is not None
    low, high = test.elo_interval
    assert 0 < low < high == math.inf


def test_synthetic_surfaces_keep_their_scratch() -> None:
    run = tengen.tune(synthetic="LOG", method="clop", games=30, repeats=5, progress=False)
    assert run.kind == "synthetic" and len(run.regret) == 1
    folder = run.folder
    assert folder.is_dir()
    del run
    assert not folder.exists()


def test_speed_doubling_and_parallel(tmp_path: Path) -> None:
    speed = tengen.scaling(
        "speed", size=[3, 4], simulations=50, repeats=1, bot="uct", progress=False
    )
    assert list(speed.speed["size"]) == ["3x3", "4x4"] and speed.kind == "speed"
    assert speed.speed["simulations_per_second"].min() > 0
    doubling = tengen.scaling(
        "doubling",
        size=3,
        simulations=2,
        doublings=2,
        pairs=2,
        out=tmp_path / "doubling",
        progress=False,
    )
    assert doubling.kind == "scaling-doubling" and len(doubling.doubling) == 2
    parallel = tengen.scaling(
        part="parallel",
        size=3,
        simulations=4,
        parallel=[2],
        factors=[0.5, 1, 2],
        schemes="root",
        work="fixed_time",
        pairs=2,
        out=tmp_path / "parallel",
        progress=False,
    )
    assert parallel.kind == "scaling-parallel"
    assert list(parallel.parallel["scheme"]).count("root") == 1
    assert "doubling_curve" in parallel.plots
    again = tengen.scaling(resume=doubling.folder, progress=False)
    assert again.text == doubling.text


def test_a_convergence(tmp_path: Path) -> None:
    config = tmp_path / "settings.toml"
    default = (REPOSITORY / "experiments" / "configs" / "convergence.toml").read_text()
    config.write_text(default)
    positions = tmp_path / "solved.csv"
    text = tengen.command(
        "positions",
        str(positions),
        add=3,
        size="3x3",
        seed=2,
        nodes=100_000,
        threads=1,
        progress=False,
    )
    assert "3 positions added" in text
    run = tengen.convergence(
        config=config, positions=positions, out=tmp_path / "run", threads=2, progress=False
    )
    assert run.kind == "convergence" and len(run.positions) == 3
    assert set(run.searches["position"]) <= {0, 1, 2, 3}
    assert run.summary["optimal"].dtype == np.float64 and len(run.plots)


def test_a_learning_run_is_extended(tmp_path: Path) -> None:
    run = tengen.learn(
        size=3,
        rounds=1,
        games=24,
        max_plies=40,
        teacher="uct:simulations=20,prior=none,temperature=1:6",
        student="uct:simulations=20",
        pairs=4,
        threads=1,
        out=tmp_path / "run",
        progress=False,
    )
    assert run.kind == "learn" and list(run.rounds["round"]) == [1]
    assert (run.folder / "round-1" / "weights.txt").is_file()
    longer = tengen.learn(resume=run.folder, extend=2, threads=2, progress=False)
    assert list(longer.rounds["round"]) == [1, 2] and longer.text.count("round ") >= 2
    with pytest.raises(ValueError, match="each round needs the rounds before it"):
        tengen.learn(chunk="1/2", out=tmp_path / "other", progress=False)


def test_published_figures_are_read_as_they_are_written() -> None:
    run = tengen.read(PUBLISHED)
    for name in ("summary", "ratings", "differences", "games"):
        table = getattr(run, name)
        path = PUBLISHED / f"{name}.csv"
        packed = lzma.open(f"{path}.xz", "rt") if not path.exists() else None
        with packed or open(path, newline="") as file:
            expected = list(csv.DictReader(file))
        for cells in expected:
            cells.pop("check", None)  # of the line, not of the game
        assert len(table) == len(expected) and table.columns == list(expected[0])
        for row, cells in zip(table.rows(), expected, strict=True):
            for column, cell in cells.items():
                value = row[column]
                if isinstance(value, float):
                    assert math.isnan(value) if cell == "" else value == float(cell), (name, column)
                else:
                    assert str(value) == cell, (name, column)
    assert run.kind == "tournament" and run.manifest["session"][0]["units"] == 840


def test_every_published_run_is_read() -> None:
    folders = [
        path
        for path in sorted((REPOSITORY / "results").iterdir())
        if (path / "manifest.toml").is_file()
    ]
    assert len(folders) > 50
    kinds = set()
    for folder in folders:
        run = tengen.read(folder)
        kinds.add(run.kind)
        assert run.kind, folder
        assert all(
            len(run.table(name)) > 0 for name in run.tables if name not in ("games", "searches")
        ), folder
        assert folder.name in run._repr_html_()
    tuned = tengen.read(REPOSITORY / "results" / "2026-11-22-tune")
    assert tuned.validation.summary["win_rate"][0] == 0.4925 and len(tuned.validation.games) == 400
    assert {"tournament", "tune", "convergence", "playouts", "speed"} <= kinds


def test_every_experiment_has_a_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = _tengen.experiments()
    assert names == list(RUNS) and "tournament" in names
    assert all(getattr(tengen, name) is RUNS[name] for name in names)
    # An experiment whose keywords are not declared.
    monkeypatch.setattr("tengen._runs.DECLARED", ())
    function = _function("tournament")
    run = function(bot=["random", "two-ply"], size=3, pairs=1, out=tmp_path / "run", progress=False)
    assert run.kind == "tournament" and len(run.games) == 2
    with pytest.raises(TypeError, match="no keyword pair: did you mean pairs"):
        function(pair=1)
    with pytest.raises(AttributeError, match="no attribute 'tornament'"):
        getattr(tengen, "tornament")  # noqa: B009


def test_a_run_answers_in_sentences(tmp_path: Path) -> None:
    tuned = tengen.read(REPOSITORY / "results" / "2026-11-22-tune")
    assert tuned.question is not None and tuned.question.endswith("?")
    assert "the best exploration is 0.447" in tuned.answer[0] and tuned.text.startswith(
        tuned.answer[0]
    )
    assert tuned.answer[0] in tuned._repr_html_()
    study = tengen.read(REPOSITORY / "results" / "2026-11-24-exchange-7x7")
    assert study.kind == "study" and any("0.677 Elo" in sentence for sentence in study.answer)
    (tmp_path / "config.toml").write_text('kind = "learn"\n')
    begun = tengen.read(tmp_path)
    assert (begun.kind, begun.question, begun.answer, begun.text) == ("learn", None, [], "")


def test_tables_of_pandas() -> None:
    table = tengen.read(PUBLISHED).summary
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == table.columns
    assert frame["wins"].sum() == table["wins"].sum()


def test_tables_of_polars() -> None:
    table = tengen.read(PUBLISHED).summary
    polars = pytest.importorskip("polars")
    columns = table.to_polars()
    assert isinstance(columns, polars.DataFrame) and columns["bot"].to_list() == list(table["bot"])
    assert columns["win_rate"].to_list() == list(table["win_rate"])


def test_a_table_shows_itself() -> None:
    table = tengen.Table({"bot": np.array(["a", "b<c"], object), "elo": np.array([1.5, np.nan])})
    assert repr(table) == "bot  elo\na    1.5\nb<c\n[2 rows x 2 columns]"
    assert "b&lt;c" in table._repr_html_()
    assert (len(table), list(table), "elo" in table, bool(table)) == (2, ["bot", "elo"], True, True)
    assert table == tengen.Table(dict(table.items())) and table != tengen.Table({})
    long = tengen.Table({"n": np.arange(100)})
    assert repr(long).splitlines()[11:13] == ["… 80 more rows …", "90"]
    assert long._repr_html_().count("<tr>") == 22
    with pytest.raises(ValueError, match="different lengths"):
        tengen.Table({"a": np.arange(2), "b": np.arange(3)})


def test_settings_are_those_of_the_program() -> None:
    settings = tengen.settings("tournament")
    pairs = settings["pairs"]
    assert pairs.default is not None and pairs.kind == "one" and "pairing" in pairs.help
    assert "gauntlet" in settings["format"].choices
    assert settings["max_plies"].name == "max_plies" and "--" not in repr(settings)
    assert "max_plies" in settings._repr_html_()
    with pytest.raises(KeyError, match="pairs"):
        settings["pears"]
    with pytest.raises(ValueError, match="tourney"):
        tengen.settings("tourney")
    for name in ("tune", "learn", "convergence", "scaling", "solve", "playouts", "sprt"):
        assert len(tengen.settings(name)) > 5


def test_commands_as_text() -> None:
    assert "LLR" in tengen.command("sprt", pairs="20,55,40", elo1=50)
    assert '"order":0' in tengen.command("analyze", size=5, bot="uct:simulations=50", json=True)
    with pytest.raises(ValueError, match="process of its own"):
        tengen.command("gtp")
    with pytest.raises(ValueError, match="tourney"):
        tengen.command("tourney")


def test_two_tournaments_on_two_threads(tmp_path: Path) -> None:
    runs: dict[str, tengen.Run] = {}

    def play(name: str) -> None:
        runs[name] = tengen.tournament(out=tmp_path / name, threads=1, **SMALL)

    threads = [threading.Thread(target=play, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(runs["a"].folder) == rows(runs["b"].folder)


def _played(folder: str) -> int:
    return len(tengen.tournament(out=folder, threads=2, **SMALL).games)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_processes(tmp_path: Path, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    _played(str(tmp_path / "before"))
    with multiprocessing.get_context(method).Pool(2) as pool:
        counts = pool.map(_played, [str(tmp_path / name) for name in ("a", "b")])
    assert counts == [18, 18]
    assert rows(tmp_path / "a") == rows(tmp_path / "before")


def test_other_children_are_left_alone(tmp_path: Path) -> None:
    engine = shutil.which("gnugo") or "/usr/games/gnugo"
    if not os.path.exists(engine):
        pytest.skip("GNU Go is not installed")
    mine = subprocess.Popen(["sleep", "60"])
    try:
        tengen.tournament(
            size=5,
            pairs=1,
            bot=["random", "gtp:gnugo --mode gtp"],
            out=tmp_path / "run",
            progress=False,
        )
        assert mine.poll() is None
    finally:
        mine.kill()
        mine.wait()


def test_the_demo(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tengen.demo", str(tmp_path / "run")]
    done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=300)
    assert "840 games" in done.stdout and "two-ply" in done.stdout
    assert len(tengen.read(tmp_path / "run").games) == 840
    assert subprocess.run([*words, "x"], capture_output=True).returncode == 2
