"""The commands of Tengen, called in this process."""

from __future__ import annotations

import difflib
import errno
import html
import os
import re
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tengen import _tengen
from tengen._executor import AnyExecutor, Executor, opened
from tengen._progress import Progress
from tengen._run import Run, StrPath
from tengen._types import Bot, Size
from tengen.register import named

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tengen._keywords import (
        ConvergenceSettings,
        LearnSettings,
        ScalingSettings,
        TournamentSettings,
        TuneSettings,
    )

Bots = Bot | Sequence[Bot] | Mapping[str, Bot]
"""Bots: one, several, or bots by name; each a text, or a function as of `tengen.register.bot`."""

Range = str | tuple[float, float] | tuple[float, float, str]
"""The range of a parameter: (0.05, 2), (0.05, 2, "log"), or text such as "0.05..2:log"."""


@dataclass(frozen=True)
class Setting:
    """A setting of a command: a keyword here, an option on the command line.

    Attributes:
        name: The keyword: the name of the option with `_` for `-`.
        value: The placeholder of the value in the command's help; empty for a flag.
        kind: How it is given. "flag": True or left out; "truth": True or False; "one": one value;
            "many": one value or a list.
        help: Its meaning, its range and its default.
        default: Its default in words, if it has one.
        choices: The allowed values; empty if they cannot be listed.
        group: Its heading in the command's help; empty for the main settings.
    """

    name: str
    value: str
    kind: str
    help: str
    default: str | None
    choices: tuple[str, ...]
    group: str


class Settings(Sequence[Setting]):
    """The settings of a command, in the order of its help."""

    def __init__(self, command: str, settings: Sequence[Setting]) -> None:
        self.command = command
        """The name of the command."""
        self._settings = tuple(settings)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, str):
            for setting in self._settings:
                if setting.name == place:
                    return setting
            raise KeyError(f"{place}: {self.command} has {', '.join(s.name for s in self)}")
        return self._settings[place]

    def __len__(self) -> int:
        return len(self._settings)

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._settings)

    def __repr__(self) -> str:
        lines = []
        for setting in self:
            lines.append(
                f"{setting.name}={setting.value}" if setting.value else f"{setting.name}=True"
            )
            lines.extend(
                textwrap.wrap(setting.help, 96, initial_indent="    ", subsequent_indent="    ")
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><td><code>{s.name}</code></td><td>{html.escape(s.help)}</td></tr>" for s in self
        )
        return f"<table><tbody>{''.join(rows)}</tbody></table>"


def settings(command: str) -> Settings:
    """The settings of a command, such as "tournament", "tune", "learn", "convergence" or "solve":
    they are the keywords of the function of this name. An example is
    ``settings("tournament")["pairs"].help``. Raises `ValueError` for an unknown command."""
    options = _tengen.options(command)
    if options is None:
        raise ValueError(f"{command} is no command of Tengen")
    found = [
        Setting(
            name=_keyword(option["name"]),
            value=option.get("value", ""),
            kind=option["kind"],
            help=_in_keywords(option["help"]),
            default=option.get("default"),
            choices=tuple(option["choices"]),
            group=option["heading"],
        )
        for option in options
    ]
    return Settings(command, found)


def command(name: str, *arguments: str, progress: bool = True, **settings: object) -> str:
    """Run any command of the program ``tengen`` in this process and return what it prints, such as
    ``command("sprt", pairs="20,55,40")``. Keywords are options with `_` for `-`; the value None
    leaves an option out. See :func:`settings`."""
    return _call(name, list(arguments), settings, progress=progress)[0]


def tournament(
    *,
    bot: Bots | None = None,
    size: Size | None = None,
    pairs: int | None = None,
    out: StrPath | None = None,
    threads: int | None = None,
    resume: StrPath | None = None,
    training: StrPath | None = None,
    executor: AnyExecutor | None = None,
    progress: bool = True,
    **settings: Unpack[TournamentSettings],
) -> Run:
    """Play a tournament between bots, as the program ``tournament`` does, and return its run.

    Every option of the program is a keyword, with `_` for `-`; ``tengen.settings("tournament")``
    lists them all. Settings that are left out have the program's defaults. The games equal those of
    the program, whatever `threads` is.

    Args:
        bot: the bots, as ``["random", "uct:simulations=800"]`` or ``{"name": "uct:exploration=0.4",
            ...}``; without bots the default tournament is played. A function ``choose(position,
            seed) -> move`` is a bot too (:func:`tengen.register.named`).
        size: the board: 9, (9, 7) as width and height, or "9x7".
        pairs: colour-swapped pairs of games of each pairing (two bots that meet).
        out: the folder; by default runs/<date>-<name>. One that is there is left alone: -2 is added
            to the name.
        threads: games at once; by default one per core.
        resume: the folder of a run that was stopped, to be played to its end.
        executor: has other processes play the games, on this machine or on others, such as
            ``"processes:8"``, a Dask ``Client`` or any ``concurrent.futures.Executor``; see
            :class:`tengen.Executor`. The games are the same.
        training: a file .npz for the positions in which bots searched, with visits and results.
        progress: whether to show progress, by tqdm if that is installed.

    Ctrl-C (or the interruption of a notebook) raises `KeyboardInterrupt` within a second.
    Unfinished games are discarded, and `resume` plays them again. A move that cannot be stopped,
    such as a move of another program, ends in the background.

    `memory` limits the search trees of the whole process, until the next run sets its own limit.

    Raises `ValueError` for wrong settings, `TypeError` for an unknown keyword and
    `FileNotFoundError` for a file or folder that is not there, before anything is written, and
    `RunError` where a run cannot go on.
    """
    return _run("tournament", **locals())


def tune(
    *,
    bot: Bot | None = None,
    param: str | Sequence[str] | Mapping[str, Range] | None = None,
    size: Size | None = None,
    games: int | None = None,
    out: StrPath | None = None,
    threads: int | None = None,
    resume: StrPath | None = None,
    executor: AnyExecutor | None = None,
    progress: bool = True,
    **settings: Unpack[TuneSettings],
) -> Run:
    """Find the settings of a bot that win most, as the program ``tune`` does, and return its run:
    `Run.samples`, `Run.estimate` and `Run.validation`, the match of the tuned bot on fresh seeds.

    `param` names the parameters and their ranges: ``{"exploration": (0.05, 2, "log")}``, which is
    the text ``"0.05..2:log"``. Every option of the program is a keyword;
    ``tengen.settings("tune")`` lists them. Everything else is as in :func:`tournament`.
    """
    return _run("tune", **locals())


def convergence(
    *,
    config: StrPath | None = None,
    bot: Bots | None = None,
    positions: StrPath | None = None,
    size: Size | Sequence[Size] | None = None,
    out: StrPath | None = None,
    threads: int | None = None,
    resume: StrPath | None = None,
    executor: AnyExecutor | None = None,
    progress: bool = True,
    **settings: Unpack[ConvergenceSettings],
) -> Run:
    """Measure how fast searches find the exact values of solved positions, as the program
    ``convergence`` does, and return its run: `Run.summary` and `Run.searches`. Settings that are
    left out are those of the TOML file `config`, or of the published run. Every option of the
    program is a keyword; ``tengen.settings("convergence")`` lists them. Everything else is as in
    :func:`tournament`."""
    return _run("convergence", **locals())


def suite(
    *,
    bot: Bots | None = None,
    size: Size | Sequence[Size] | None = None,
    positions: StrPath | None = None,
    out: StrPath | None = None,
    threads: int | None = None,
    resume: StrPath | None = None,
    executor: AnyExecutor | None = None,
    progress: bool = True,
    **settings: Unpack[ConvergenceSettings],
) -> Run:
    """Measure how often bots find the best move of solved positions, as ``tengen suite`` does, and
    return its run: `Run.summary` has the share of best moves and the points given away, by bot and
    size. Each bot, of any kind, moves by its own settings; without `bot` the bots are plain, uct
    and strong. Without `positions` they are those of ``solved_positions("test")``. Everything else
    is as in :func:`convergence`."""
    return _run("suite", **locals())


def learn(
    *,
    teacher: str | None = None,
    student: str | None = None,
    size: Size | None = None,
    rounds: int | None = None,
    out: StrPath | None = None,
    threads: int | None = None,
    resume: StrPath | None = None,
    executor: AnyExecutor | None = None,
    progress: bool = True,
    **settings: Unpack[LearnSettings],
) -> Run:
    """Learn a prior for uct by self-play, as the program ``learn`` does, and return its run:
    `Run.rounds`, and the accepted weights in the file ``weights.txt`` of its folder.

    Every option of the program is a keyword; give `--from` as ``**{"from": folder}``, since `from`
    is reserved in Python. ``tengen.settings("learn")`` lists them. ``learn(resume=folder,
    extend=8)`` adds rounds. Everything else is as in :func:`tournament`.
    """
    return _run("learn", **locals())


def scaling(
    part: str | None = None,
    *,
    size: Size | Sequence[Size] | None = None,
    out: StrPath | None = None,
    threads: int | Sequence[int] | None = None,
    resume: StrPath | None = None,
    progress: bool = True,
    **settings: Unpack[ScalingSettings],
) -> Run:
    """Measure how search scales, as the program ``scaling`` does, and return its run. `part` is
    "speed" (simulations per second: `Run.speed`), "doubling" (Elo of each doubling of the
    simulations: `Run.doubling`) or "parallel" (strength-speedup of parallel search:
    `Run.parallel`). Every option of the program is a keyword; ``tengen.settings("scaling")`` lists
    them. Without `out`, a run of "speed" lies in a temporary folder, deleted with the `Run`.
    Everything else is as in :func:`tournament`."""
    return _run("scaling", **locals())


DECLARED: tuple[Callable[..., Run], ...] = (tournament, tune, convergence, learn)
"""The functions of experiments that name their keywords."""


def _function(name: str) -> Callable[..., Run]:
    """The function of the experiment `name`."""
    for function in DECLARED:
        if function.__name__ == name:
            return function

    def run(
        *, executor: AnyExecutor | None = None, progress: bool = True, **settings: object
    ) -> Run:
        return _run(name, settings=settings, executor=executor, progress=progress)

    run.__name__ = run.__qualname__ = _keyword(name)
    run.__doc__ = (
        f"Make a run of the experiment, as ``tengen {name}`` does, and return it. Every option of "
        f"the program is a keyword; ``tengen.settings({name!r})`` lists them. Everything else is "
        "as in :func:`tournament`."
    )
    return run


def _run(
    name: str,
    /,
    *,
    settings: Mapping[str, object],
    progress: bool,
    executor: AnyExecutor | None = None,
    **own: object,
) -> Run:
    """Call the command `name` and return its run. The keywords are the arguments of the function
    `name`: its `own` settings, and all others as `settings`."""
    settings = {**own, **settings}
    is_scratch = settings.get("part") == "speed" or settings.get("synthetic") is not None
    if settings.get("out") is None and is_scratch:
        # Without `out` the program would write no files.
        scratch = tempfile.TemporaryDirectory(prefix="tengen-")
        settings["out"] = scratch.name
        run = _run(name, settings=settings, progress=progress, executor=executor)
        run._scratch = scratch
        return run
    with opened(executor) as carrier:
        text, folder = _call(name, [], settings, progress=progress, executor=carrier)
    if folder is None:
        raise ValueError(
            f"these settings of {name} make no run: tengen.command({name!r}, ...) returns its text"
        )
    return Run(folder, text)


def _call(
    name: str,
    arguments: Sequence[str],
    settings: Mapping[str, object],
    *,
    progress: bool,
    executor: Executor | None = None,
) -> tuple[str, StrPath | None]:
    """What the command prints, and the folder of its run."""
    words = [name, *_words(name, settings), *map(os.fspath, arguments)]
    shown = Progress(is_shown=progress)
    try:
        return _tengen.call(words, shown.show if progress else None, shown.note, executor)
    except OSError as error:
        # From the number, Python makes a PermissionError or the like.
        if error.errno is None or (error.__traceback__ and error.__traceback__.tb_next):
            raise
        raise OSError(error.errno, _in_keywords(str(error.strerror))) from error.__cause__
    except (ValueError, _tengen.RunError, KeyboardInterrupt) as error:
        # Exceptions of a callback stay unchanged.
        own = type(error) in (ValueError, _tengen.RunError, KeyboardInterrupt) and error.args
        if not own or (error.__traceback__ and error.__traceback__.tb_next):
            raise
        raise type(error)(_in_keywords(str(error))) from error.__cause__
    finally:
        shown.close()


def _words(command: str, given: Mapping[str, object]) -> Iterator[str]:
    """The settings `given` as words of a command line."""
    known = {setting.name: setting for setting in settings(command)}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f": did you mean {near[0]}?" if near else ""
            raise TypeError(f"{command} has no keyword {name}{hint}")
        setting = known[name]
        kind, option = setting.kind, "--" + name.replace("_", "-")
        if kind == "flag" and value is False:
            continue
        is_path = name in FILES and setting.value in ("FILE", "DIR")
        if is_path and not os.path.exists(os.fspath(value)):  # type: ignore[call-overload]
            raise FileNotFoundError(errno.ENOENT, f"{name}: there is no such file or folder", value)
        if value is True and kind != "truth":
            yield option
            continue
        if name == "size" and isinstance(value, tuple):
            value = "x".join(str(side) for side in value)
        if isinstance(value, Mapping):
            pairs = [f"{key}={_word(one, setting)}" for key, one in value.items()]
            value = pairs if kind == "many" else " ".join(pairs)
        if isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, Sequence):
            value = [value]
        if not value:
            wanted = "one or more" if kind == "many" else "a value"
            raise ValueError(f"{name} is empty: expected {wanted}")
        for one in value:
            yield f"{option}={_word(one, setting)}"


FILES = ("config", "plan", "positions", "from", "run", "resume", "merge", "report")
"""Settings that name an existing file or folder."""


def _word(value: object, setting: Setting) -> str:
    """A value of `setting` as a word of a command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if setting.name == "param" and isinstance(value, tuple) and len(value) in (2, 3):
        return f"{value[0]}..{value[1]}" + (f":{value[2]}" if len(value) == 3 else "")
    if isinstance(value, tuple):
        return "x".join(str(side) for side in value)
    if callable(value):
        if "SPEC" not in setting.value:
            raise TypeError(f"{setting.name} is a function: only bots may be functions")
        return named(cast("Callable[..., Any]", value))
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)


def _keyword(option: str) -> str:
    return option.replace("-", "_")


def _in_keywords(text: str) -> str:
    """`text` with keywords for options: ``max_plies`` for ``--max-plies``."""
    text = re.sub(r" ?\(--help shows the options\)", "", text)
    # Registered code of the user is in no commit of Tengen.
    own = r"(register by tengen.register what was registered then; else, \1"
    text = re.sub(r"\((this program, commit|the run was made by commit)", own, text)
    text = re.sub(r"go on with --resume (\S+)", r'go on with resume="\1"', text)
    return re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)", lambda found: _keyword(found.group(1)), text)


RUNS = {name: _function(name) for name in _tengen.experiments()}
"""The functions that make the run of a settings file, by its key `kind`."""
