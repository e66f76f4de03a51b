"""Types of arguments."""

from typing import SupportsIndex, TypeAlias

Size: TypeAlias = SupportsIndex | tuple[int, int] | str
"""The size of a board: a number, a pair (width, height), or text such as "9x7"."""

Move: TypeAlias = SupportsIndex | str
"""A move: the number of a point, that of all points for a pass, or text ("D4", "pass")."""
