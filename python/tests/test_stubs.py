"""The stub says what the compiled module does."""

from stub_docs import STUB, with_docs


def test_docstrings_of_the_stub_are_those_of_the_module() -> None:
    source = STUB.read_text()
    assert with_docs(source) == source, "run python/tests/stub_docs.py"
