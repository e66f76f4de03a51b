"""Hooks of MkDocs for the book: generated pages, and links to files of the repository."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

Row = dict[str, str]

ROOT = Path(__file__).resolve().parent.parent
API = "reference/python-api"

COLUMNS = """\
# Columns of tables

Every column of the CSV tables of runs, with its type, unit (1 for shares and ratios) and meaning;
[Files of a run](files.md) has the conventions of tables.
"""
COMMANDS = """\
# Commands

The help of every command, as the program prints it. `tengen --help` lists the commands.
"""

SETTINGS = """\
# Settings

Every setting of every bot and of every kind of run, as the program declares them.

A bot is written `kind:key=value,key=value`. The settings of a run are options of its command,
`--key value` with `-` for `_`, and keys of its file in TOML.
"""

PYTHON = """\
# Python API

Every function and class of the package, from its docstrings:
"""

WRITERS = {
    "executor": "a [run by an executor](executors.md)",
    "study": "the scripts of a [study](../how-to/publish-a-run.md#studies)",
}
"""Writers of tables that are no commands of `tengen`."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, the Python API, and the pictures of published runs."""
    pages = {"commands": commands(), "settings": settings(), "columns": columns(ROOT)}
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    api = Path(os.environ["PYTHON_API"])
    modules = sorted(api.rglob("*.html"))
    for file in [*modules, *api.glob("*.js")]:
        name = f"{API}/{file.relative_to(api).as_posix()}"
        files.append(File.generated(config, name, abs_src_path=str(file)))
    text = PYTHON + "".join(
        f"\n- [`{'.'.join(file.relative_to(api).with_suffix('').parts)}`]"
        f"(python-api/{file.relative_to(api).as_posix()})"
        for file in modules
        if file.name != "index.html"
    )
    files.append(File.generated(config, "reference/python-api.md", content=text))
    for picture in sorted((ROOT / "results").glob("*/plots/*.svg")):
        name = f"results/{picture.relative_to(ROOT / 'results').as_posix()}"
        if name in _pictures():
            files.append(File.generated(config, name, abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Point links to repository files at the repository's host, and pictures of runs at copies
    here."""
    where = (ROOT / "docs" / page.file.src_uri).parent
    address = repository()

    def link(found: re.Match[str]) -> str:
        mark, target, anchor = found["mark"], found["target"], found["anchor"] or ""
        path = (where / target).resolve()
        if path.is_relative_to(ROOT / "docs") or ":" in target:
            return found[0]
        if not path.exists():
            raise PluginError(f"{page.file.src_uri}: {target} is not there")
        inside = path.relative_to(ROOT).as_posix()
        if mark.startswith("!"):
            return f"{mark}({'../' * page.file.src_uri.count('/')}{inside})"
        kind = "tree" if path.is_dir() else "blob"
        return f"{mark}({address}/{kind}/main/{inside}{anchor})"

    links = (
        r"(?P<mark>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>\.\.[^)#\s]*)(?P<anchor>#[^)\s]*)?\)"
    )
    # Attributes of tests in Rust, such as `no_run`, are for rustdoc alone.
    markdown = re.sub(r"^```rust,\w+$", "```rust", markdown, flags=re.MULTILINE)
    return re.sub(links, link, markdown).replace("REPOSITORY", address)


def on_page_content(html: str, *, page: Page, **_: Any) -> str:
    """Refuse a page with a fence that was not understood: it swallows what follows it."""
    if "```" in html:
        raise PluginError(f"{page.file.src_uri}: a fence of code is shown as text")
    return html


def repository() -> str:
    """The address of the repository, from Cargo.toml."""
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^repository = "(.*)"$', text, re.MULTILINE)
    if not found:
        raise PluginError("Cargo.toml has no `repository`")
    return found[1]


def _pictures() -> set[str]:
    """The pictures of published runs that pages show."""
    shown = set()
    for file in (ROOT / "docs").rglob("*.md"):
        text = file.read_text(encoding="utf-8")
        shown |= set(re.findall(r"!\[[^\]]*\]\((?:\.\./)+(results/[^)]*\.svg)\)", text))
    return shown


def _tengen(*arguments: str) -> str:
    """The output of the program with these arguments."""
    program = os.environ["TENGEN"]
    return subprocess.run(
        [program, *arguments], check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout


def commands() -> str:
    """The page reference/commands.md: the help of each command."""
    listed = _tengen("--help").split("Commands:\n")[1].split("\n\n")[0]
    names = [line.split()[0] for line in listed.splitlines()]
    sections = [
        f"## tengen {name}\n\n```text\n{_tengen(name, '--help').rstrip()}\n```\n"
        for name in names
        if name != "help"
    ]
    return "\n".join([COMMANDS, *sections])


def settings() -> str:
    """The page reference/settings.md: the settings of bots and of runs."""
    sections = [SETTINGS, "## Bots\n"]
    for line in _tengen("bots").splitlines():
        kind, said = line.split(": ", 1)
        name = re.split(r"[\[:]", kind)[0]
        sections.append(f"### {name}\n\n`{kind}`: {said}\n")
        text = _tengen("bots", name)
        if "\nall other settings as in " in text:
            sections.append(f"```text\n{text.split(chr(10), 2)[2]}```\n")
        elif len(table := _tengen("bots", name, "--markdown").splitlines()) > 2:
            sections.append("\n".join([*table, ""]))
    for name in re.findall(r"^ +- (\w+): ", _tengen("schema", "--help"), re.MULTILINE):
        described = json.loads(_tengen("schema", name))["properties"]
        rows = [_row_of_setting(key, one) for key, one in described.items() if key != "kind"]
        head = ["| key | values | default | meaning |", "|---|---|---|---|"]
        sections.append("\n".join([f"## {name}\n", *head, *rows, ""]))
    return "\n".join(sections)


def _row_of_setting(key: str, described: dict[str, Any]) -> str:
    """A row of the table of settings, from the JSON Schema of one."""
    found = re.fullmatch(r"(.*?)(?: \[default: (.*)\])?", described["description"], re.DOTALL)
    assert found is not None
    meaning, default = found[1], found[2] or ""
    cells = [f"`{key}`", _values(described), f"`{default}`" if default else "", meaning]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _values(described: dict[str, Any]) -> str:
    """The values of a setting in words."""
    one = described.get("anyOf", [described])[0]
    if "enum" in one:
        said = ", ".join(f"`{name}`" for name in one["enum"])
    elif one.get("type") == "boolean":
        said = "true or false"
    elif one.get("type") in ("integer", "number"):
        low, above = one.get("minimum"), one.get("exclusiveMinimum")
        lower = f"above {above}" if low is None else f"{low}"
        if low is None and above is None:
            said = "a number"
        elif "maximum" in one:
            said = f"{lower} to {one['maximum']}"
        else:
            said = f"{lower} or more" if above is None else lower
    else:
        said = described.get("title", one.get("title", "a text"))
    return f"{said}; a list of several" if "anyOf" in described else str(said)


def columns(root: Path) -> str:
    """The page reference/columns.md: the columns of all tables, from results/columns.csv."""
    with (root / "results" / "columns.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tables = dict.fromkeys(row["table"] for row in rows)
    sections = [_section(name, [row for row in rows if row["table"] == name]) for name in tables]
    return "\n".join([COLUMNS, *sections])


def _section(table: str, rows: list[Row]) -> str:
    """The section of a table, with one list for each set of columns that something writes."""
    columns: dict[str, list[Row]] = {}
    for row in rows:
        for writer in row["written_by"].split("; "):
            columns.setdefault(writer, []).append(row)
    writers: dict[tuple[str, ...], list[str]] = {}
    for writer, own in columns.items():
        writers.setdefault(tuple(row["column"] for row in own), []).append(writer)
    lists = [_list(names, columns[names[0]]) for names in writers.values()]
    return "\n".join([f"## {table}\n", *lists])


def _list(writers: list[str], rows: list[Row]) -> str:
    """The writers of these columns, and a list of the columns."""
    keys = ", ".join(f"`{row['column']}`" for row in rows if row["key"])
    if writers == [""]:
        said = "In published runs only:"
    else:
        *most, last = map(_writer, writers)
        said = f"Written by {', '.join(most)}{' and ' if most else ''}{last}."
        said += f" Key of a row: {keys}." if keys else ""
    lines = [said, "", "| column | type | unit | meaning |", "|---|---|---|---|"]
    for row in rows:
        meaning = row["description"].replace("|", "\\|")
        lines.append(f"| `{row['column']}` | {row['type']} | {row['unit']} | {meaning} |")
    return "\n".join(lines) + "\n"


def _writer(name: str) -> str:
    """The writer of a table, with a link: a command of `tengen` with its options, or another
    writer."""
    command = name.split()[0]
    return WRITERS.get(name) or f"[`tengen {name}`](commands.md#tengen-{command})"
