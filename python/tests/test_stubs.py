"""The stub agrees with the compiled module."""

import keywords
from stub_docs import STUB, with_docs


def test_docstrings_of_the_stub_are_those_of_the_module() -> None:
    source = STUB.read_text()
    assert with_docs(source) == source, "run python/tests/stub_docs.py"


def test_keywords_are_those_of_the_program() -> None:
    assert keywords.FILE.read_text(encoding="utf-8") == keywords.written(), "run tests/keywords.py"
