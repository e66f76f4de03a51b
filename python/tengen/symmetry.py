"""The symmetries of the board: rotations and reflections of planes, policies and moves.

A symmetry is a number from 0 to 7, or to 3 on boards that are not square. Its bit 0 mirrors the
columns, bit 1 the rows, and bit 2 then exchanges columns and rows; 0 changes nothing.
"""

from __future__ import annotations

from operator import index
from typing import SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["all_of", "inverse", "of_move", "of_planes", "of_policy"]

Scalar = TypeVar("Scalar", bound=np.generic)
Shape = tuple[int, int]


def all_of(shape: Shape) -> range:
    """The symmetries of boards of `shape`, which is (height, width): eight if it is square, else
    four."""
    return range(8 if shape[0] == shape[1] else 4)


def inverse(symmetry: SupportsIndex) -> int:
    """The symmetry that undoes `symmetry`."""
    number = index(symmetry)
    if not 0 <= number <= 7:
        raise ValueError(f"symmetry is {number}: expected 0 to 7")
    mirrors = number & 3
    if number & 4:
        # After the exchange of axes, the two mirrors swap roles.
        mirrors = (mirrors >> 1) | (mirrors & 1) << 1
    return number & 4 | mirrors


def of_planes(planes: NDArray[Scalar], symmetry: SupportsIndex) -> NDArray[Scalar]:
    """The image of arrays over the board: [..., H, W], such as planes, stones and ownership. It is
    a view."""
    number = _number(symmetry, planes.shape[-2:])
    if number & 1:
        planes = planes[..., :, ::-1]
    if number & 2:
        planes = planes[..., ::-1, :]
    return planes.swapaxes(-1, -2) if number & 4 else planes


def of_policy(policy: NDArray[Scalar], symmetry: SupportsIndex, shape: Shape) -> NDArray[Scalar]:
    """The image of arrays over moves: [..., P + 1] on boards of `shape`, which is (height, width),
    such as policies, visits and legal moves. The pass, which is last, stays."""
    points = shape[0] * shape[1]
    if policy.shape[-1] != points + 1:
        raise ValueError(
            f"policy has shape {policy.shape}: expected [..., {points + 1}] on a board of {shape}"
        )
    board = policy[..., :-1].reshape(*policy.shape[:-1], *shape)
    image = of_planes(board, symmetry).reshape(*policy.shape[:-1], points)
    return np.concatenate([image, policy[..., -1:]], axis=-1)


def of_move(move: SupportsIndex, symmetry: SupportsIndex, shape: Shape) -> int:
    """The image of a move, by number, on boards of `shape`, which is (height, width)."""
    height, width = shape
    number, place = _number(symmetry, shape), index(move)
    if not 0 <= place <= height * width:
        raise ValueError(f"move is {place}: expected 0 to {height * width} on a board of {shape}")
    if place == height * width:
        return place
    row, column = divmod(place, width)
    if number & 1:
        column = width - 1 - column
    if number & 2:
        row = height - 1 - row
    return column * height + row if number & 4 else row * width + column


def _number(symmetry: SupportsIndex, shape: tuple[int, ...]) -> int:
    number = index(symmetry)
    last = 7 if shape[0] == shape[1] else 3
    if not 0 <= number <= last:
        raise ValueError(f"symmetry is {number}: expected 0 to {last} on a board of {shape}")
    return number
