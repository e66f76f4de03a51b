"""Symmetries, against boards on which the images of the moves are played."""

from typing import Any

import numpy as np
import pytest
from test_position import random_game

from tengen import Position, symmetry


@pytest.mark.parametrize("size", [5, (4, 3)])
def test_a_game_of_images_is_the_image_of_the_game(size: Any) -> None:
    game = random_game(size, seed=3, plies=14)
    shape = game.stones.shape
    for number in symmetry.all_of(shape):
        image = Position(size)
        for color, move in game.moves:
            assert image.to_play == color
            image.play(symmetry.of_move(move, number, shape))
        np.testing.assert_array_equal(image.planes(), symmetry.of_planes(game.planes(), number))
        legal = symmetry.of_policy(game.legal(), number, shape)
        np.testing.assert_array_equal(image.legal(), legal)


@pytest.mark.parametrize("shape", [(5, 5), (3, 4)])
def test_inverses_undo(shape: tuple[int, int]) -> None:
    policies = np.random.default_rng(1).random((2, 3, shape[0] * shape[1] + 1))
    images = set()
    for number in symmetry.all_of(shape):
        back = symmetry.inverse(number)
        image = symmetry.of_policy(policies, number, shape)
        np.testing.assert_array_equal(symmetry.of_policy(image, back, shape), policies)
        for move in range(shape[0] * shape[1] + 1):
            there = symmetry.of_move(move, number, shape)
            assert symmetry.of_move(there, back, shape) == move
        images.add(image.tobytes())
    assert len(images) == len(symmetry.all_of(shape))


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="symmetry is 4: expected 0 to 3"):
        symmetry.of_planes(np.zeros((6, 3, 4)), 4)
    with pytest.raises(ValueError, match="expected .*26"):
        symmetry.of_policy(np.zeros(25), 1, (5, 5))
    with pytest.raises(ValueError, match="move is 26: expected 0 to 25"):
        symmetry.of_move(26, 1, (5, 5))
    with pytest.raises(ValueError, match="symmetry is 8: expected 0 to 7"):
        symmetry.inverse(8)
