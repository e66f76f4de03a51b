"""Types of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, Union

if TYPE_CHECKING:
    from tengen._tengen import Position

Bot: TypeAlias = Union[str, "Callable[[Position, int], int | str]"]
"""A bot: its text, or a function ``choose(position, seed) -> move``."""

Size: TypeAlias = SupportsIndex | tuple[int, int] | str
"""The size of a board: a number, a pair (width, height), or text such as "9x7"."""

Move: TypeAlias = SupportsIndex | str
"""A move: the number of a point, that of all points for a pass, or text ("D4", "pass")."""
