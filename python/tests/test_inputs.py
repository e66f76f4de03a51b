"""What evaluators see: planes by name, and boards."""

from typing import Any

import numpy as np
import pytest
from test_search import games, judge

import tengen
from tengen import Boards, Position, Searches

ALL = ["stones:8", "legal", "last:8", "liberties:4", "ko", "color", "komi", "ones"]


def replayed(position: Position, count: int) -> Position:
    """The position after the first `count` moves of a game from the empty board."""
    again = Position(position.size, komi=position.komi)
    for _, move in position.moves[:count]:
        again.play(move)
    return again


def by_hand(position: Position) -> np.ndarray:
    """The planes of `ALL`, from the methods of a position alone."""
    own = position.to_play
    size = position.stones.shape
    past: list[np.ndarray] = []
    moves = position.moves
    for count in range(8):
        if count > len(moves):
            past += [np.zeros(size), np.zeros(size)]
            continue
        before = replayed(position, len(moves) - count).stones
        past += [before == own, before == -own]
    last = np.zeros((8, *size))
    for number, (_, move) in enumerate(moves[::-1][:8]):
        if move < position.points:
            last[number].flat[move] = 1
    liberties = np.zeros((4, *size))
    stones = position.stones
    for row, column in zip(*np.nonzero(stones), strict=True):
        chain, edge = set(), {(row, column)}
        free = set()
        while edge:
            chain |= edge
            near = {
                (r + a, c + b)
                for r, c in edge
                for a, b in [(0, 1), (1, 0), (0, -1), (-1, 0)]
                if 0 <= r + a < size[0] and 0 <= c + b < size[1]
            }
            free |= {point for point in near if stones[point] == 0}
            edge = {point for point in near if stones[point] == stones[row, column]} - chain
        liberties[min(len(free), 4) - 1, row, column] = 1
    ones = np.ones(size)
    komi = position.komi if own == -1 else -position.komi
    ko = position.planes(["ko"])[0]
    legal = position.legal(own_eyes=False)[:-1].reshape(size)
    return np.stack(
        [*past, legal, *last, *liberties, ko, ones * (own == 1), ones * komi / 20, ones]
    )


def test_planes_are_those_by_hand() -> None:
    kos = 0
    for position in games((5, 4), 12):
        planes = position.planes(ALL)
        assert planes.shape == (16 + 1 + 8 + 4 + 4, 4, 5)
        np.testing.assert_allclose(planes, by_hand(position), atol=1e-6)
        kos += int(planes[29].sum())
        usual = position.planes(["stones", "legal", "last:2", "komi"])
        np.testing.assert_array_equal(usual, position.planes())
    position = Position(5, rows="...../.XO../X.XO./.XO../.....", to_play=-1)
    position.play("B3")
    assert position.planes(["ko"])[0].sum() == 1


def test_evaluators_see_their_planes_and_boards() -> None:
    seen: list[tuple[np.ndarray, Boards]] = []

    def looking(planes: np.ndarray, legal: np.ndarray, boards: Boards) -> Any:
        assert planes.shape[1:] == (17, 5, 5) and boards.stones.shape[1:] == (3, 5, 5)
        assert boards.stones.dtype == np.int8 and boards.hashes.dtype == np.uint64
        seen.append((planes.copy(), boards))
        return judge(planes[:, :6], legal)

    positions = games(count=5)
    found = tengen.search(
        positions,
        "uct:simulations=60",
        evaluator=looking,
        planes=["stones:8", "color"],
        boards=3,
        tree=True,
    )
    for planes, boards in seen:
        for leaf, own in enumerate(boards.to_play):
            for age in range(3):
                stones = boards.stones[leaf, age]
                np.testing.assert_array_equal(planes[leaf, 2 * age], stones == own)
                np.testing.assert_array_equal(planes[leaf, 2 * age + 1], stones == -own)
    # The leaves of the first batch are the roots.
    planes, boards = seen[0]
    for leaf, position in enumerate(positions):
        assert (boards.hashes[leaf], boards.to_play[leaf]) == (position.hash, position.to_play)
        np.testing.assert_array_equal(planes[leaf], position.planes(["stones:8", "color"]))
        np.testing.assert_array_equal(boards.stones[leaf, 0], position.stones)
    # Replies and a registered evaluator give the same results.
    text = tengen.register.evaluator("looking", looking, planes="stones:8,color", boards=3)
    named = tengen.search(positions, f"uct:simulations=60,{text}")
    searches = Searches(
        positions, "uct", evaluator="replies", planes=["stones:8", "color"], boards=3
    )
    for leaves in searches.steps(60):
        assert leaves.boards is not None
        leaves.reply(*looking(leaves.planes, leaves.legal, leaves.boards))
    for other in (named, searches.results()):
        np.testing.assert_array_equal(other.visits, found.visits)
    again = searches.__reduce__()[0](*searches.__reduce__()[1])
    for leaves in again.steps(5):
        assert leaves.planes.shape[1] == 17 and leaves.boards is not None
        leaves.reply(*looking(leaves.planes, leaves.legal, leaves.boards))
    tengen.register.unregister(text)


def test_usual_inputs_have_no_boards() -> None:
    searches = Searches(Position(5), "uct", evaluator="replies")
    for leaves in searches.steps(3):
        assert leaves.boards is None and leaves.planes.shape[1] == 6
        leaves.reply(*judge(leaves.planes, leaves.legal))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"planes": ["stone"]}, "liberties:N"),
        ({"planes": ["stones:9"]}, "1 to 8"),
        ({"planes": []}, "liberties:N"),
        ({"boards": 9}, "boards is 9"),
    ],
)
def test_wrong_inputs(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tengen.search(Position(5), evaluator=judge, **arguments)
    if "planes" in arguments:
        with pytest.raises(ValueError, match=said):
            Position(5).planes(arguments["planes"])


def test_inputs_are_those_of_an_evaluator() -> None:
    for bot in ("uct", "uct:evaluator=playouts"):
        with pytest.raises(ValueError, match="planes needs the argument evaluator"):
            tengen.search(Position(5), bot, planes=["ones"])
        with pytest.raises(ValueError, match="boards needs the argument evaluator"):
            Searches(Position(5), bot, boards=2)
    searches = Searches(games(), "uct", evaluator="replies", planes="ones,color")
    assert searches.planes().shape == (6, 2, 5, 5)
    np.testing.assert_array_equal(Position(5).planes("ones,color"), searches.planes()[0])


def test_a_network_of_one_size_plays_there() -> None:
    def seven(planes: np.ndarray, legal: np.ndarray) -> Any:
        assert planes.shape[2:] == (7, 7)
        return legal * 1.0, np.full(len(legal), 0.5)

    text = tengen.register.evaluator("seven", seven)
    run = tengen.tournament(
        bot=[f"uct:{text},simulations=4", "random"], size=7, pairs=1, progress=False
    )
    assert len(run.games) == 2
    with pytest.raises(tengen.RunError, match="seven"):
        tengen.tournament(bot=[f"uct:{text},simulations=4", "random"], size=6, pairs=1)
    with pytest.raises(ValueError, match="Tengen has one of this name"):
        tengen.register.evaluator("python", seven)
    with pytest.raises(ValueError, match="was not registered"):
        tengen.register.unregister("evaluator=python")


def test_gumbel_gives_an_improved_policy() -> None:
    positions = games()
    bot = "uct:selection=gumbel:4:50:0.1:1,simulations=33"
    found = tengen.search(positions, bot, evaluator=judge, seed=2)
    for number, position in enumerate(positions):
        legal = position.legal(own_eyes=False)
        policy = found.improved_policy[number]
        np.testing.assert_array_equal(np.isnan(policy), ~legal)
        assert abs(np.nansum(policy) - 1) < 1e-9
        visits = np.sort(found.visits[number])[::-1]
        # 32 simulations: 4 moves 4 times each, and the better two 8 times more.
        expected = [12, 12, 4, 4] if legal.sum() >= 4 else visits[:4].tolist()
        assert visits[:4].tolist() == expected
        assert found.visits[number, found.best[number]] == visits[0] or legal.sum() < 4
    plain = tengen.search(positions, "uct:simulations=33", evaluator=judge)
    assert np.isnan(plain.improved_policy).all()
    with pytest.raises(ValueError, match="cannot keep the tree"):
        Searches(Position(5), bot, evaluator=judge).advance("C3")
    with pytest.raises(ValueError, match="selection"):
        tengen.search(Position(5), "uct:selection=gumbel,reuse=true", evaluator=judge)


@pytest.mark.parametrize(
    ("name", "value"), [("seed", -1), ("batch", -2), ("boards", -1), ("threads", 1 << 64)]
)
def test_a_count_out_of_range_is_named(name: str, value: int) -> None:
    arguments: dict[str, Any] = {name: value}
    for call in (tengen.search, Searches):
        with pytest.raises(OverflowError, match=f"{name} is {value}: it is negative or too large"):
            call(Position(5), evaluator=judge, **arguments)
    with pytest.raises(OverflowError, match="simulations is -5"):
        Searches(Position(5)).run(-5)
    with pytest.raises(OverflowError, match="n is -1"):
        tengen.playouts(Position(5), -1)

    def overflowing(planes: np.ndarray, legal: np.ndarray) -> Any:
        raise OverflowError("my own")

    with pytest.raises(OverflowError, match="my own"):
        tengen.search(Position(5), evaluator=overflowing)
