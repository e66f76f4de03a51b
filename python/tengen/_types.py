"""Types of arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, SupportsIndex, TypeAlias, TypeVar, Union

if TYPE_CHECKING:
    from tengen._tengen import Position

Bot: TypeAlias = Union[str, "Callable[[Position, int], SupportsIndex | str]"]
"""A bot: its text, or a function ``choose(position, seed) -> move``."""

Size: TypeAlias = SupportsIndex | tuple[int, int] | str
"""The size of a board: a number, a pair (width, height), or text such as "9x7"."""

Move: TypeAlias = SupportsIndex | str
"""A move: the number of a point, the number of points of the board for a pass, or text ("D4",
"pass")."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def names_counts(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """`function`, whose `OverflowError` for a seed or a count names the argument."""

    @functools.wraps(function)
    def call(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        try:
            return function(*arguments, **keywords)
        except OverflowError:
            given = inspect.signature(function).bind(*arguments, **keywords).arguments
            for name, value in given.items():
                if isinstance(value, int) and not 0 <= value < 1 << 64:
                    raise OverflowError(f"{name} is {value}: it is negative or too large") from None
            raise

    return call
