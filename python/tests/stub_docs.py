"""Writes the docstrings of the compiled public classes into the stub, where editors look for them.

    python python/tests/stub_docs.py

The docstrings come from the Rust code, the types from the stub. Needs the built package.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path
from typing import Any

import tengen
from tengen import _tengen

STUB = Path(__file__).parents[1] / "tengen" / "_tengen.pyi"


def is_public(node: ast.stmt) -> bool:
    """Whether users see what `node` of the stub declares; all else is documented in Rust alone."""
    name = getattr(node, "name", "__name__")
    return getattr(tengen, name, None) is getattr(_tengen, name)


def with_docs(source: str) -> str:
    """`source`, a stub, with the docstrings of the compiled module's public classes in place of its
    own."""
    lines = source.splitlines()
    edits: list[tuple[int, int, list[str]]] = []

    def visit(body: list[ast.stmt], owner: Any) -> None:
        for node in body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            item = inspect.getattr_static(owner, node.name)
            if isinstance(node, ast.ClassDef):
                visit(node.body, item)
            elif node.name.startswith("_"):
                # Docstrings of special methods say nothing of Tengen.
                continue
            own = inspect.getdoc(getattr(item, "__func__", item))
            edits.append(edit(node, own))

    def edit(node: ast.FunctionDef | ast.ClassDef, doc: str | None) -> tuple[int, int, list[str]]:
        indent = " " * (node.col_offset + 4)
        first, rest = node.body[0], node.body[1:]
        has_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        is_doc = has_doc and isinstance(first.value.value, str)  # type: ignore[attr-defined]
        written = textwrap.indent(f'"""{doc}"""', indent).splitlines() if doc else []
        decorators = getattr(first, "decorator_list", [])
        start = min([first.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        if is_doc and (rest or written):
            return start, first.end_lineno or first.lineno, written
        header = lines[start].rstrip()
        if header.endswith(": ...") and written:
            # `def f(): ...` on one line, or the last line of a longer signature.
            return start, start + 1, [header.removesuffix(" ..."), *written]
        return start, start, written

    visit([node for node in ast.parse(source).body if is_public(node)], _tengen)
    for start, end, new in sorted(edits, reverse=True):
        lines[start:end] = new
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    STUB.write_text(with_docs(STUB.read_text()))
