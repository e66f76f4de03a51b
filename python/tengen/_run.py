"""Runs: the folders of tournaments, tunings and measurements."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tengen import _tengen
from tengen._table import Table

StrPath = str | os.PathLike[str]


class Svg:
    """A plot, which a notebook shows."""

    def __init__(self, text: str) -> None:
        self.text = text
        """The picture in SVG."""

    def save(self, path: StrPath) -> None:
        """Write the picture to the file `path`."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<tengen.Svg of {len(self.text)} characters>"


class Plots(Mapping[str, Svg]):
    """The plots of a run by name: the name of the file without its extension."""

    def __init__(self, folder: Path) -> None:
        self._files = {file.stem: file for file in sorted(folder.glob("*.svg"))}

    def __getitem__(self, name: str) -> Svg:
        try:
            return Svg(self._files[name].read_text(encoding="utf-8"))
        except KeyError:
            there = ", ".join(self._files) or "none"
            raise KeyError(f"{name}: the plots are {there}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def _repr_html_(self) -> str:
        return "".join(f"<figure>{plot.text}</figure>" for plot in self.values())

    def __repr__(self) -> str:
        return f"<tengen.Plots: {', '.join(self)}>"


@dataclass(frozen=True)
class SequentialTest:
    """The sequential test of a tournament of two bots, from the first bot's view.

    Attributes:
        settings: The settings of the test as text: "elo0=0 elo1=40 alpha=0.05 beta=0.05
            model=logistic".
        decision: The accepted hypothesis, "H0" or "H1"; None while the test is undecided.
        llr: The log-likelihood ratio.
        bounds: The log-likelihood ratios of a decision: H0 at most ``bounds[0]``, H1 at least
            ``bounds[1]``.
        pairs: Numbers of counted pairs by score: LL, LD, WL or DD, WD, WW.
        elo: The median-unbiased difference in Elo after the test, infinite where every pair was won
            or lost; None while the test continues.
        elo_interval: The 95 % interval of `elo`; an end may be infinite.
        verdict: The result in a sentence.
    """

    settings: str
    decision: Literal["H0", "H1"] | None
    llr: float
    bounds: tuple[float, float]
    pairs: tuple[int, ...]
    elo: float | None
    elo_interval: tuple[float, float] | None
    verdict: str


class Run:
    """A run in its folder, finished or not, opened for reading only. Each table is read at its
    first use, and then kept in memory.

    The kind of run decides which tables exist: `tables` lists them. Columns are named as in the
    files; the manual explains them.
    """

    def __init__(self, folder: StrPath, text: str = "") -> None:
        self.folder = Path(folder).absolute()
        """The folder."""
        self._text = text
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._tables: dict[str, Table] = {}
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{self.folder}: there is no such folder")
        named = ("config.toml", "manifest.toml", "solution.json")
        if not self.tables and not any((self.folder / name).is_file() for name in named):
            raise ValueError(
                f"{self.folder} is not the folder of a run: "
                "it has no config.toml, manifest.toml or tables"
            )

    def __reduce__(self) -> tuple[type[Run], tuple[Path, str]]:
        return Run, (self.folder, self._text)

    @property
    def text(self) -> str:
        """What the program prints at the end of the run; for a run opened by :func:`read`, the
        tables of a tournament, and `answer` of other kinds."""
        if not self._text:
            found = self._tournament
            return found[0] if found is not None else "\n".join(self.answer)
        return self._text

    @property
    def test(self) -> SequentialTest | None:
        """The sequential test of a tournament; None if it has none."""
        found = self._tournament
        test = json.loads(found[1])["test"] if found is not None else None
        if test is None:
            return None
        elo, interval = test["elo"], test["elo_interval"]
        if interval is not None:
            # Infinite numbers are texts in JSON.
            elo, low, high = float(elo), float(interval[0]), float(interval[1])
            interval = (low, high)
        return SequentialTest(
            settings=test["settings"],
            decision=test["decision"],
            llr=test["llr"],
            bounds=(test["lower"], test["upper"]),
            pairs=tuple(test["pairs"]),
            elo=elo,
            elo_interval=interval,
            verdict=test["verdict"],
        )

    @cached_property
    def _tournament(self) -> tuple[str, str] | None:
        return _tengen.answer(self.folder) if "games" in self.tables else None

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.resolve().name

    @cached_property
    def config(self) -> dict[str, Any]:
        """The settings, every default filled in (config.toml); empty where the run has none."""
        return self._toml("config.toml")

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What made the rows: commit, compiler, machine, threads and times of each session
        (manifest.toml)."""
        return self._toml("manifest.toml")

    @property
    def kind(self) -> str:
        """The kind: "tournament", "scaling-doubling", "scaling-parallel", "tune", "learn" or
        "convergence", as in config.toml; "playouts", "speed", "synthetic", "scaling" (of early
        versions); or "study" for any other folder."""
        return self._kind[0]

    @cached_property
    def _kind(self) -> tuple[str, str]:
        return _tengen.kind(self.folder)

    @property
    def question(self) -> str | None:
        """The question of a published run, as its page puts it."""
        return self._card[0]

    @property
    def answer(self) -> list[str]:
        """The answer in sentences, as the page shows it; empty while there is none."""
        return self._card[1]

    @cached_property
    def _card(self) -> tuple[str | None, list[str]]:
        return _tengen.card(self.folder)

    @property
    def tables(self) -> list[str]:
        """The names of the existing tables."""
        files = [*self.folder.glob("*.csv"), *self.folder.glob("*.csv.xz")]
        return sorted({file.name.split(".csv")[0] for file in files})

    @cached_property
    def plots(self) -> Plots:
        """The plots by name."""
        return Plots(self.folder / "plots")

    def table(self, name: str) -> Table:
        """The table `name`, of the file `name`.csv or `name`.csv.xz."""
        if name not in self._tables:
            columns = _tengen.read_table(self.folder, f"{name}.csv")
            if columns is None:
                raise AttributeError(f"{self.folder} has no {name}: {self._there()}")
            self._tables[name] = Table(dict(columns))
        return self._tables[name]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Any other table; for an unknown name, an error that names the existing tables."""
            if name.startswith("_") or name == "folder":
                raise AttributeError(name)
            return self.table(name)

    @property
    def games(self) -> Table:
        """The games, one row each."""
        return self.table("games")

    @property
    def summary(self) -> Table:
        """Wins, win rates and Elo of each bot and each pairing; of a convergence, the means of each
        bot."""
        return self.table("summary")

    @property
    def ratings(self) -> Table:
        """The Bradley-Terry rating of each bot in Elo, the best first."""
        return self.table("ratings")

    @property
    def differences(self) -> Table:
        """The difference in rating of each pairing, and the results that the ratings predict."""
        return self.table("differences")

    @property
    def samples(self) -> Table:
        """The pairs of games of a tuning, with the values of the parameters."""
        return self.table("samples")

    @property
    def estimate(self) -> Table:
        """The estimated optimum of a tuning after increasing numbers of games."""
        return self.table("estimate")

    @property
    def rounds(self) -> Table:
        """The rounds of a learning run: how well its weights predict, and its match."""
        return self.table("rounds")

    @property
    def searches(self) -> Table:
        """What the searches of a convergence found: one row per position, bot and number of
        simulations."""
        return self.table("searches")

    @property
    def positions(self) -> Table:
        """The solved positions of a convergence."""
        return self.table("positions")

    @property
    def speed(self) -> Table:
        """The measurements of simulations per second."""
        return self.table("speed")

    @property
    def playouts(self) -> Table:
        """The measurements of playouts per second."""
        return self.table("playouts")

    @property
    def doubling(self) -> Table:
        """The Elo of each doubling of the simulations."""
        return self.table("doubling")

    @property
    def parallel(self) -> Table:
        """The strength-speedup of each parallel search."""
        return self.table("parallel")

    @property
    def regret(self) -> Table:
        """The regret of methods of tuning on synthetic surfaces."""
        return self.table("regret")

    @cached_property
    def validation(self) -> Run:
        """The match of a tuned bot on fresh seeds and openings; its `summary` is the result of the
        bot."""
        folder = self.folder / "validation"
        if not folder.is_dir():
            raise AttributeError(f"{self.folder} has no validation: {self._there()}")
        run = Run(folder)
        if "summary" not in run.tables and "validation" in self.tables:
            run._tables["summary"] = self.table("validation")
        return run

    @property
    def conditions(self) -> str:
        """Board, rules, openings and seed in one line; for a run that is neither a tournament nor a
        tuning, what the run measures."""
        text = self._read("config.toml")
        known = _tengen.conditions(text) if text else None
        return known or self.kind

    def _there(self) -> str:
        there = [*self.tables, *(["validation"] if (self.folder / "validation").is_dir() else [])]
        return f"its tables are {', '.join(there)}" if there else "it has no tables"

    def _read(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def _toml(self, name: str) -> dict[str, Any]:
        try:
            return _tengen.parse_toml(self._read(name))
        except ValueError as error:
            raise ValueError(f"{self.folder / name}: {error}") from None

    def _main_table(self) -> Table | None:
        """The table that a notebook shows of the run, if there is one."""
        names = ("ratings", self._kind[1])
        return next((self.table(name) for name in names if name in self.tables), None)

    def __repr__(self) -> str:
        return f"<tengen.Run {self.kind or 'run'} in {self.folder}: {', '.join(self.tables)}>"

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.conditions)}</p>"]
        if self.answer:
            parts.append(f"<p>{html.escape(' '.join(self.answer))}</p>")
        if (table := self._main_table()) is not None:
            parts.append(table._repr_html_())
        for plot in list(self.plots.values())[:1]:
            parts.append(f"<figure>{plot.text}</figure>")
        return "".join(parts)


def read(folder: StrPath) -> Run:
    """Open the run in `folder`, one of yours or a published one, finished or not. Raises
    `FileNotFoundError` if `folder` does not exist, `ValueError` if it holds no run."""
    return Run(folder)
