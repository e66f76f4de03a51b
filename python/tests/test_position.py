"""Positions: rules, text, copies."""

import copy
import csv
import pickle
import random
import warnings
from pathlib import Path

import numpy as np
import pytest

import tengen
from tengen import BLACK, WHITE, IllegalMove, Position

DATA = Path(__file__).parents[2] / "tests" / "data"


def random_game(size: object, seed: int, plies: int = 60, **rules: object) -> Position:
    position = Position(size, **rules)  # type: ignore[arg-type]
    draw = random.Random(seed)
    for _ in range(plies):
        if position.is_over:
            break
        position.play(int(draw.choice(np.flatnonzero(position.legal()))))
    return position


def test_a_move_captures_and_undo_takes_it_back() -> None:
    position = Position(rows=".OX/.X./...")
    before = position.copy()
    position.play("A3")
    assert position.rows == "X.X/.X./..."
    assert position.captures == (1, 0)
    assert position.moves == [(BLACK, position.number("A3"))]
    assert position.to_play == WHITE
    assert position.undo() == position.number("A3")
    assert position == before
    assert position.undo() is None


def test_rules_are_those_of_the_argument() -> None:
    ko = ".XO./X.XO/.XO./...."
    taken = Position(rows=ko, to_play=WHITE)
    taken.play("B3")
    assert not taken.is_legal("C3")
    with pytest.raises(IllegalMove, match="black C3: the move repeats an earlier position"):
        taken.play("C3")
    free = Position(rows=ko, to_play=WHITE, ko="none")
    free.play("B3")
    free.play("C3")
    lone = Position(rows=".X/X.", to_play=WHITE, rules="tromp-taylor", ko="none")
    lone.play("A2")
    assert lone.rows == ".X/X."
    assert (lone.ko, lone.suicide, lone.max_plies, lone.komi) == ("none", "all", 116, 2.5)
    short = Position(3, max_plies=2)
    short.play("A1")
    short.play("B1")
    assert short.is_over and not short.legal().any()
    with pytest.raises(IllegalMove, match="the game is over"):
        short.play("pass")


def test_perft() -> None:
    """The numbers of move sequences equal the counts of the oracle."""
    with open(DATA / "perft.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if 50 < int(row["count"]) < 5_000]
    assert len(rows) > 50

    def perft(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        count = 0
        for move in np.flatnonzero(position.legal()):
            position.play(int(move))
            count += perft(position, depth - 1)
            position.undo()
        return count

    for row in rows:
        position = Position(row["board"], ko=row["rule"], suicide=row["suicide"], max_plies=1000)
        assert perft(position, int(row["depth"])) == int(row["count"]), row


def test_masks_agree_with_single_checks() -> None:
    for seed, size in enumerate([2, 3, (4, 2), 5, 9, 13, (19, 7), 19]):
        position = random_game(size, seed)
        legal = position.legal()
        assert legal.dtype == np.bool_ and legal.shape == (position.points + 1,)
        assert legal.tolist() == [position.is_legal(move) for move in range(position.points + 1)]
        assert not (position.legal(own_eyes=False) & ~legal).any()


def test_arrays_show_the_board_from_the_bottom() -> None:
    position = Position((3, 2), rows="X.O/..X", to_play=WHITE)
    assert position.size == (3, 2)
    assert position.stones.tolist() == [[0, 0, 1], [1, 0, -1]]
    assert position.stones.dtype == np.int8
    assert [position.name(move) for move in range(7)] == [
        "A1",
        "B1",
        "C1",
        "A2",
        "B2",
        "C2",
        "pass",
    ]
    assert position.number("PASS") == 6
    planes = position.planes()
    assert planes.shape == (6, 2, 3) and planes.dtype == np.float32
    assert (planes[0] == (position.stones == -1)).all()
    assert (planes[1] == (position.stones == 1)).all()
    assert (planes[2].ravel() == position.legal(own_eyes=False)[:-1]).all()
    assert (planes[5] == np.float32(2.5 / 20)).all()
    position.play("B1")
    assert position.planes()[3].tolist() == [[0, 1, 0], [0, 0, 0]]
    again = Position(stones=position.stones, to_play=position.to_play)
    assert again.rows == position.rows


def test_area_and_score() -> None:
    position = Position(rows=".XO./.XO./.XO./.XO.", komi=0.5)
    assert position.ownership().tolist() == [[1, 1, -1, -1]] * 4
    assert position.score() == -0.5
    position = random_game(7, 3, 90)
    assert position.ownership().sum() == position.score() + position.komi


@pytest.mark.parametrize("rules", ["tengen", "tromp-taylor", "simple", "aga"])
@pytest.mark.parametrize("size", [2, (3, 5), 9, 19])
def test_copies_are_equal_and_independent(size: object, rules: str) -> None:
    position = random_game(size, 7, rules=rules, komi=3.5, max_plies=50)
    copies = [
        position.copy(),
        copy.copy(position),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
    ]
    for own in copies:
        assert own == position
        assert (own.legal() == position.legal()).all()
        assert (own.planes() == position.planes()).all()
        assert own.hash == position.hash
        own.undo()
        assert own != position
    sgf = Position.from_sgf(position.to_sgf())
    assert sgf.moves == position.moves and sgf.stones.tolist() == position.stones.tolist()
    assert (sgf.komi, sgf.ko, sgf.suicide) == (position.komi, position.ko, position.suicide)


def test_pickle_keeps_what_a_record_did() -> None:
    # White plays twice, a superko rule is broken, and two passes do not end the record.
    sgf = "(;SZ[4]KM[2]AB[bb]AW[dd];W[ab];W[ba];B[];W[];B[cc];W[dc])"
    position = Position.from_sgf(sgf, rules="tengen")
    assert pickle.loads(pickle.dumps(position)) == position
    assert len(Position.from_sgf(sgf, moves=2).moves) == 2
    with pytest.raises(ValueError, match="moves is 9, but the game has 6 moves"):
        Position.from_sgf(sgf, moves=9)


def test_gtp_sets_the_position_up() -> None:
    position = random_game(9, 11, ko="none")
    again = Position.from_gtp(position.to_gtp())
    assert again.moves == position.moves and again.komi == position.komi
    rectangle = Position.from_gtp("boardsize 5 4  # wide\n\nkomi 1.5\nplay b C3\nplay W pass\n")
    assert rectangle.size == (5, 4) and rectangle.ply == 2
    for text, fault in [
        ("play b C3", "GTP line `play b C3`: boardsize must come first"),
        ("boardsize 5\nplay b Q9", "GTP line `play b Q9`: the point is not on the board"),
        ("boardsize 5\nundo", "GTP line `undo`: expected boardsize, clear_board, komi or play"),
        ("", "the GTP text has no command"),
    ]:
        with pytest.raises(ValueError, match=fault):
            Position.from_gtp(text)


def test_a_notebook_draws_it() -> None:
    import xml.etree.ElementTree as xml

    position = random_game(9, 5, 20)
    picture = xml.fromstring(position._repr_svg_())
    circles = [item for item in picture.iter() if item.tag.endswith("circle")]
    # Stones, five marked points, the mark of the last move.
    assert len(circles) == np.count_nonzero(position.stones) + 5 + 1
    assert "9x9" in repr(position) and str(position) in repr(position)


@pytest.mark.parametrize(
    ("call", "error", "fault"),
    [
        (lambda: Position(20), ValueError, "invalid board size `20`: expected WIDTHxHEIGHT"),
        (lambda: Position(-1), ValueError, "invalid board size `-1`"),
        (lambda: Position((3, 4, 5)), TypeError, "a size is a number, a pair .width, height."),  # type: ignore[arg-type]
        (lambda: Position(9.5), TypeError, "a size is a number"),  # type: ignore[arg-type]
        (
            lambda: Position(9, komi=7.3),
            ValueError,
            "invalid komi `7.3`: expected a multiple of 0.5",
        ),
        (lambda: Position(9, komi=float("nan")), ValueError, "invalid komi `NaN`"),
        (lambda: Position(9, rules="japanese"), ValueError, "invalid set of rules `japanese`"),
        (lambda: Position(9, ko="super"), ValueError, "invalid ko rule `super`"),
        (lambda: Position(9, max_plies=0), ValueError, "invalid max_plies 0"),
        (lambda: Position(9, to_play=0), ValueError, "invalid colour 0: expected 1 .Black. or -1"),
        (
            lambda: Position(5, rows="../.."),
            ValueError,
            "size is 5x5, but the stones are those of 2x2",
        ),
        (lambda: Position(rows="O/X"), ValueError, "the chain at A1 has no liberty"),
        (lambda: Position(stones=np.full((2, 2), 2, np.int8)), ValueError, "stones has 2 at A1"),
        (lambda: Position(stones=np.zeros((30, 300), np.int8)), ValueError, "larger than 19x19"),
        (lambda: Position(stones=np.zeros((3, 3))), TypeError, None),
        (lambda: Position(5).play("K10"), IllegalMove, "black K10: the point is not on the board"),
        (lambda: Position(5).play(26), ValueError, "invalid move 26: expected 0 to 25"),
        (lambda: Position(5).play(2**80), ValueError, "invalid move 12089258"),
        (lambda: Position(5).play("A1", 3), ValueError, "invalid colour 3"),
        (lambda: Position(5).number("J9"), ValueError, "J9 is not on 5x5"),
        (lambda: Position.from_sgf("(;"), ValueError, None),
    ],
)
def test_wrong_arguments_are_named(call: object, error: type[Exception], fault: str | None) -> None:
    with pytest.raises(error, match=fault):
        call()  # type: ignore[operator]


def test_numpy_integers_are_moves() -> None:
    position = Position(5)
    position.play(np.int64(3))
    position.play(np.flatnonzero(position.legal())[0])
    assert position.ply == 2
    assert tengen.Position(np.int32(5)).size == (5, 5)


def test_japanese_rules_are_counted_by_area_not_silently() -> None:
    record = "(;SZ[5]RU[Japanese]KM[6.5];B[cc])"
    with pytest.warns(UserWarning, match="Japanese rules: it is counted by area"):
        Position.from_sgf(record)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Position.from_sgf(record, rules="chinese")
        Position.from_sgf(record.replace("Japanese", "Chinese"))
