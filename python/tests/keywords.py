"""Writes ``tengen/_keywords.py``: the keywords of the functions that make runs, with their types,
from the declarations of the program. ``python python/tests/keywords.py`` writes it again."""

import inspect
import keyword
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import tengen
from tengen._runs import DECLARED

FILE = Path(__file__).parents[1] / "tengen" / "_keywords.py"
FUNCTIONS: list[Callable[..., Any]] = [*DECLARED, tengen.scaling]
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


def own_settings(function: Callable[..., Any]) -> list[tengen.Setting]:
    """The settings that are no parameters of `function`, without range and default: these differ
    between functions, and `tengen.settings` has them."""
    parameters = set(inspect.signature(function).parameters)
    settings = [s for s in tengen.settings(function.__name__) if s.name not in parameters]
    return [replace(s, help=s.help.split(" [")[0], default=None, group="") for s in settings]


def declared(name: str, bases: list[str], settings: list[tengen.Setting], doc: str) -> str:
    """A class of keywords."""
    words = [s for s in settings if keyword.iskeyword(s.name)]
    lines = []
    if words:
        fields = ", ".join(f'"{s.name}": "{TYPES[s.kind]} | None"' for s in words)
        lines += [f'_{name} = TypedDict("_{name}", {{{fields}}}, total=False)', "", ""]
        bases = [*bases, f"_{name}"]
    arguments = [*(bases or ["TypedDict"]), "total=False"]
    head = f"class {name}({', '.join(arguments)}):"
    if len(head) > 100:
        inside = ", ".join(arguments)
        inside = inside if len(inside) <= 96 else ",\n    ".join(arguments) + ","
        head = f"class {name}(\n    {inside}\n):"
    lines += [head, f'    """{doc}"""']
    for setting in settings:
        if setting in words:
            continue
        lines += ["", f"    {setting.name}: {TYPES[setting.kind]} | None"]
        text = setting.help.replace("\\", "\\\\")
        text += "" if text.endswith(".") else "."
        lines += [f"    {line}" for line in textwrap.wrap(f'"""{text}"""', 96)]
    return "\n".join(lines)


def written() -> str:
    """The text of the file; settings that several functions share are in a class of their own."""
    settings = {function.__name__: own_settings(function) for function in FUNCTIONS}
    groups: dict[tuple[str, ...], list[tengen.Setting]] = {}
    for setting in dict.fromkeys(s for own in settings.values() for s in own):
        users = tuple(name for name, own in settings.items() if setting in own)
        groups.setdefault(users, []).append(setting)
    classes = []
    names = {users: "Of" + "And".join(map(str.capitalize, users)) for users in groups}
    for users, shared in groups.items():
        if len(users) > 1:
            classes.append(declared(names[users], [], shared, f"Keywords of {', '.join(users)}."))
    for name in settings:
        bases = [names[users] for users in groups if name in users and len(users) > 1]
        own = groups.get((name,), [])
        doc = f"Keywords of `tengen.{name}`."
        classes.append(declared(f"{name.capitalize()}Settings", bases, own, doc))
    return HEAD + "".join(f"\n\n{declaration}\n" for declaration in classes)


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
