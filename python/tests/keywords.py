"""Writes ``tengen/_keywords.py``: the keywords of the functions that make runs, with their types,
from the declarations of the program. ``python python/tests/keywords.py`` writes it again."""

import inspect
import keyword
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tengen

FILE = Path(__file__).parents[1] / "tengen" / "_keywords.py"
FUNCTIONS: list[Callable[..., Any]] = [
    tengen.tournament,
    tengen.tune,
    tengen.convergence,
    tengen.learn,
    tengen.scaling,
]
TYPES = {"flag": "bool", "truth": "bool", "one": "One", "many": "Values"}
HEAD = '''"""The keywords of the functions that make runs, from the declarations of the program.
``python python/tests/keywords.py`` writes this file: do not edit it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict, Union

Value = Union[str, int, float, "os.PathLike[str]"]
One = Value | Mapping[str, Value]
Values = One | Sequence[Value]
'''


def keywords(function: Callable[..., Any]) -> str:
    """The keywords of `function` that are no parameters of its own, as a class."""
    own = set(inspect.signature(function).parameters)
    settings = [s for s in tengen.settings(function.__name__) if s.name not in own]
    name = f"{function.__name__.capitalize()}Settings"
    words = [s for s in settings if keyword.iskeyword(s.name)]
    lines, base = [], "TypedDict"
    if words:
        base = f"_{name}"
        fields = ", ".join(f'"{s.name}": "{TYPES[s.kind]} | None"' for s in words)
        lines += [f'{base} = TypedDict("{base}", {{{fields}}}, total=False)', "", ""]
    lines += [
        f"class {name}({base}, total=False):",
        f'    """Keywords of `tengen.{function.__name__}`."""',
    ]
    for setting in settings:
        if setting in words:
            continue
        lines += ["", f"    {setting.name}: {TYPES[setting.kind]} | None"]
        text = setting.help.replace("\\", "\\\\")
        text += "." if text[-1] not in ".]" else ""
        lines += [f"    {line}" for line in textwrap.wrap(f'"""{text}"""', 96)]
    return "\n".join(lines)


def written() -> str:
    """The file as it should be."""
    return HEAD + "".join(f"\n\n{keywords(function)}\n" for function in FUNCTIONS)


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
