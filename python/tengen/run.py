"""A run of a settings file by other processes: ``python -m tengen.run RUN.toml --executor …``."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from tengen import _tengen
from tengen._executor import FORMS, Executor
from tengen._runs import RUNS


def kind_of(settings: dict[str, Any]) -> str:
    """The function that makes a run of `settings`."""
    kind = str(settings.get("kind", ""))
    if kind in RUNS:
        return kind
    if kind and not kind.startswith("scaling-"):
        raise ValueError(f"invalid `kind` {kind}: expected {', '.join(RUNS)}")
    keys = {"param": "tune", "positions": "convergence", "student": "learn", "teacher": "learn"}
    return next((kind for key, kind in keys.items() if key in settings), "tournament")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tengen.run",
        description="Play the run that a settings file describes, as the program of its kind "
        f"({', '.join(RUNS)}) does, in the processes of an executor.",
    )
    parser.add_argument("config", metavar="RUN.toml", nargs="?", help="the settings of the run")
    parser.add_argument("--executor", required=True, metavar="EXECUTOR", help=FORMS)
    parser.add_argument(
        "--out", metavar="DIR", help="the folder of the run (default: runs/DATE-NAME)"
    )
    parser.add_argument("--resume", metavar="DIR", help="go on with the stopped run in DIR")
    parser.add_argument(
        "--block",
        type=int,
        metavar="N",
        help="most games, or positions, of a block (default: as many as take about a minute)",
    )
    parser.add_argument(
        "--in-flight",
        type=int,
        metavar="N",
        help="most blocks submitted at once (default: 1.25 for each worker)",
    )
    parser.add_argument(
        "--audit",
        type=float,
        metavar="SHARE",
        help="share of the blocks that a second process makes again (0 to 1; default: 0)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        help="submit a block again after so many seconds without an answer "
        "(default: ten times the longest block, at least 600)",
    )
    parser.add_argument(
        "--mixed-hosts",
        action="store_true",
        help="let bots with a clock play on unlike processors, with more seconds on slower ones",
    )
    parser.add_argument(
        "--setup",
        metavar="MODULE",
        help="module that this process and each of processes:N imports first, from this folder too",
    )
    return parser


def main(words: list[str] | None = None) -> int:
    """Make the run, and print its tables; return the exit code."""
    command = parser()
    given = command.parse_args(words)
    if (given.config is None) == (given.resume is None):
        command.error("give either RUN.toml or --resume DIR")
    try:
        names = ("block", "in_flight", "audit", "patience", "setup")
        options = {name: getattr(given, name) for name in names}
        options = {name: value for name, value in options.items() if value is not None}
        executor = Executor(given.executor, mixed_hosts=given.mixed_hosts, **options)
        source = Path(given.config or Path(given.resume) / "config.toml")
        if given.resume is not None and not source.exists():
            raise FileNotFoundError(f"there is no run in {given.resume}: it has no config.toml")
        try:
            kind = kind_of(_tengen.parse_toml(source.read_text(encoding="utf-8")))
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
        settings = {"config": given.config, "resume": given.resume, "out": given.out}
        run = RUNS[kind](**settings, executor=executor)
    except (ValueError, ImportError, OSError) as error:
        hint = " (a bot of your own: --setup MODULE)" if "kind of bot" in str(error) else ""
        print(f"error: {error}{hint}", file=sys.stderr)
        return 2
    except (_tengen.RunError, KeyboardInterrupt) as error:
        said = re.sub(r'resume="([^"]*)"', r"--resume \1", str(error))
        print(f"error: {said}", file=sys.stderr)
        return 1
    print(run.text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
