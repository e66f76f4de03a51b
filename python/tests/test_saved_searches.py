"""Saved, pickled and copied searches continue exactly as the original searches do."""

import copy
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_search import assert_equal as assert_all_equal
from test_search import games, judge

import tengen
from tengen import Position, Searches, SearchResults

BOTS = [
    ("uct:exploration=0.7", None),
    ("plain:proofs=true", None),
    ("uct:rave=none,transpositions=true", None),
    ("uct:prior=learned,epoch=0.05", None),
    ("uct:evaluator=playouts,in_flight=4", None),
    ("uct:temperature=1:10,root_noise=0.1:0.25", judge),
    ("uct:selection=gumbel,simulations=120", judge),
    ("uct:own_eyes=true,playout_share=0.5", judge),
]


def assert_equal(one: SearchResults, other: SearchResults) -> None:
    """Equal but for the memory of trees, which is larger for a tree that grew in steps."""
    assert_all_equal(replace(one, tree_bytes=other.tree_bytes), other)


def saved_and_loaded(searches: Searches, folder: Path) -> Searches:
    searches.save(folder / "searches")
    return Searches.load(folder / "searches", evaluator=searches._evaluator)


def pickled(searches: Searches, _: Path) -> Searches:
    again: Searches = pickle.loads(pickle.dumps(searches))
    return again


def copied(searches: Searches, _: Path) -> Searches:
    return copy.deepcopy(searches)


@pytest.mark.parametrize("again", [saved_and_loaded, pickled, copied])
@pytest.mark.parametrize(("bot", "evaluator"), BOTS)
def test_they_go_on_as_if_nothing_had_been(
    bot: str, evaluator: Any, again: Any, tmp_path: Path
) -> None:
    keeps = "gumbel" not in bot
    # With leaves in flight, saving backs up leaves early, and so changes results.
    is_whole = "in_flight" not in bot
    whole, half = (Searches(games(), bot, seed=3, evaluator=evaluator) for _ in range(2))
    for searches in (whole, half):
        searches.run(70)
    other = again(half, tmp_path)
    assert_equal(half.results(), whole.results())
    for searches in (whole, half, other):
        searches.run(50)
    assert_equal(other.results(tree=True), half.results(tree=True))
    if is_whole:
        assert_equal(half.results(tree=True), whole.results(tree=True))
    best = half.best()
    for searches in (half, other):
        searches.advance(best, keep=keeps)
    last = again(other, tmp_path)
    for searches in (half, other, last):
        searches.run(40)
    assert_equal(last.results(), other.results())
    if is_whole:
        assert_equal(other.results(), half.results())
    assert [str(position) for position in last.positions] == [str(one) for one in half.positions]


def test_between_two_batches_of_a_loop(tmp_path: Path) -> None:
    whole = Searches(games(count=8), "uct", seed=1, evaluator="replies", batch=3)
    saving = Searches(games(count=8), "uct", seed=1, evaluator="replies", batch=3)
    for leaves in whole.steps(30):
        leaves.reply(*judge(leaves.planes, leaves.legal))
    loaded = []
    for number, leaves in enumerate(saving.steps(30)):
        if number == 0:
            with pytest.raises(ValueError, match="wait for a reply"):
                saving.save(tmp_path / "none")
            assert not list(tmp_path.iterdir())
        leaves.reply(*judge(leaves.planes, leaves.legal))
        if number in (0, 5, 20):
            loaded.append(saved(saving, tmp_path))
    assert_equal(saving.results(), whole.results())
    for searches in loaded:
        before = searches.results().simulations
        assert before.min() < 30
        for leaves in searches.steps(10):
            leaves.reply(*judge(leaves.planes, leaves.legal))
        np.testing.assert_array_equal(searches.results().simulations, before + 10)


def saved(searches: Searches, folder: Path) -> Searches:
    searches.save(folder / "searches")
    return Searches.load(folder / "searches", evaluator="replies")


def test_another_process_goes_on(tmp_path: Path) -> None:
    searches = Searches(Position(5), "uct", seed=5)
    searches.run(100)
    searches.save(tmp_path / "one")
    code = """
import sys, tengen
searches = tengen.Searches.load(sys.argv[1])
searches.run(100)
print(searches.results().visits.tolist())
"""
    words = [sys.executable, "-c", code, str(tmp_path / "one")]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    searches.run(100)
    assert said.strip() == str(searches.results().visits.tolist())


def test_games_that_are_over_and_names(tmp_path: Path) -> None:
    over = Position(3)
    over.play("pass")
    over.play("pass")
    searches = Searches([Position(3), over], "uct")
    searches.run(20)
    again = pickled(searches, tmp_path)
    again.run(20)
    assert again.results().simulations.tolist() == [40, 0]
    assert again.is_over.tolist() == [False, True]


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "searches"
    searches = Searches(games(), "uct", evaluator="replies")
    searches.save(path)
    with pytest.raises(ValueError, match="had an evaluator: pass one"):
        Searches.load(path)
    whole = path.read_bytes()
    for wrong, said in [
        (whole[:-1], f"{path}: the file is damaged"),
        (whole[:200] + bytes([whole[200] ^ 1]) + whole[201:], "the file is damaged"),
        (whole + b"x", "the file is damaged"),
        (b"", "holds no saved searches"),
        (b"tengen searches 9\n", "this version of Tengen does not read"),
    ]:
        path.write_bytes(wrong)
        with pytest.raises(ValueError, match=said):
            Searches.load(path, evaluator="replies")
    with pytest.raises(FileNotFoundError):
        Searches.load(tmp_path / "absent")
    with pytest.raises(ValueError, match='invalid evaluator "mine"'):
        Searches.load(path, evaluator="mine")  # type: ignore[arg-type]
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        searches.save(tmp_path / "folder")
    assert not (tmp_path / "folder.part").exists()
    Searches(Position(5)).save(path)
    with pytest.raises(ValueError, match="had no argument evaluator: leave it out"):
        Searches.load(path, evaluator=judge)


def test_another_version_of_a_formula_is_refused(tmp_path: Path) -> None:
    def urgencies(visits: np.ndarray, values: np.ndarray, *_: Any) -> np.ndarray:
        return values + 1 / visits

    text = tengen.register.selection("versioned", urgencies, version="1")
    Searches(Position(5), f"plain:{text}").save(tmp_path / "one")
    Searches.load(tmp_path / "one")
    tengen.register.selection("versioned", urgencies, version="2")
    with pytest.raises(ValueError, match="registered in version 1, and is in version 2 now"):
        Searches.load(tmp_path / "one")
    tengen.register.unregister(text)
    with pytest.raises(ValueError, match="must be registered before it is loaded"):
        Searches.load(tmp_path / "one")


def test_edges_are_those_of_a_tree() -> None:
    searches = Searches(Position(5), "uct")
    searches.run(300)
    tree = searches.results(tree=True).tree()
    edges = tree.edges
    assert edges.shape == (len(tree.visits) - 1, 2)
    for parent in range(len(tree.visits)):
        own = edges[edges[:, 0] == parent, 1]
        first, count = tree.first_children[parent], tree.children[parent]
        np.testing.assert_array_equal(own, np.arange(first, first + count))
