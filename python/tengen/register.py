"""Your own evaluators, bots, formulas and rules in Python, by name.

Each function registers a callable in this process and returns a text that names it: :func:`bot` the
text of a bot, every other function a setting of a `uct` bot::

    formula = tengen.register.selection("mine", urgencies)  # "selection=mine"
    tengen.search(position, f"uct:simulations=200,{formula}")

From then on the text is valid wherever the text of a built-in bot is: in searches, tournaments and
tunings. The version is stored with every run: change it when the callable plays differently, since
a run is not resumed by another version. Registering a name again replaces its callable in texts
that are read from then on. A new or spawned process must register its names again.

A callable is called from the threads that search, one call at a time; what it returns must follow
from its arguments alone. Then results do not depend on the number of threads. An exception ends the
run: the call of the run raises it, or raises a `RunError` with it as the cause (`__cause__`). All
functions raise `ValueError` for a name that cannot be registered.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tengen import _tengen
from tengen._search import Evaluator
from tengen._tengen import Position

__all__ = [
    "back_up",
    "bot",
    "evaluator",
    "final_move",
    "named",
    "policy",
    "prior",
    "selection",
    "unregister",
]


def evaluator(
    name: str,
    f: Evaluator,
    version: str = "1",
    *,
    planes: Sequence[str] | None = None,
    boards: int = 0,
    batch: int = 64,
    priors: bool = True,
) -> str:
    """Register an evaluator of leaves, as :func:`tengen.search` describes it, and return
    ``"evaluator=NAME"``; `planes` and `boards` are those of a search. It gets batches of up to
    `batch` leaves; in a run, a batch has leaves of all games of a thread. The threads of Tengen
    call it, unlike the argument `evaluator` of a search.

    Without `priors` the policy is not read, and may be None: the callable judges leaves as playouts
    do, and selection and priors are those of a search by playouts."""
    _tengen.register_evaluator(name, f, version, batch, priors, planes, boards)
    return f"evaluator={name}"


def bot(
    name: str, choose: Callable[[Position, int], SupportsIndex | str], version: str = "1"
) -> str:
    """Register a bot, ``choose(position, seed) -> move``, and return its text, the name.

    `position` is a copy of the game, `seed` a number of 64 bits for this move: a random bot must
    draw by this seed, so that games can be repeated. A bot that returns an illegal move loses the
    game."""
    _tengen.register_bot(name, choose, version)
    return name


_NAMES: dict[int, tuple[object, str]] = {}
"""The functions that :func:`named` has registered, by identity, and their names."""


def named(choose: Callable[[Position, int], SupportsIndex | str]) -> str:
    """The name under which the bot `choose` is registered, by the first call: the function's name
    and a digest of its code. So a run is not resumed after a change of the function.

    Every function that takes the text of a bot also takes `choose`, and calls `named`. A process
    that was started anew, such as a worker of an executor, needs :func:`bot` with a name of your
    own."""
    known = _NAMES.get(id(choose))
    if known is not None:
        return known[1]
    own = getattr(choose, "__name__", type(choose).__name__)
    word = re.sub(r"[^a-z0-9]+", "-", own.lower()).strip("-") or "bot"
    digest = hashlib.sha256(_code_of(choose)).hexdigest()[:8]
    # Two functions of equal code may refer to different objects.
    others = sum(name.startswith(f"{word}-{digest}") for _, name in _NAMES.values())
    name = f"{word}-{digest}" + (f"-{others + 1}" if others else "")
    bot(name, choose, version=digest)
    # Keeps `choose` alive as long as its name: no other object can get its `id`.
    _NAMES[id(choose)] = (choose, name)
    return name


def _code_of(choose: object) -> bytes:
    """Bytes that differ between functions of different code."""
    function = choose if inspect.isroutine(choose) else type(choose)
    try:
        return inspect.getsource(function).encode()
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        if code is None:
            return repr(type(choose)).encode()
        return bytes(code.co_code) + repr(code.co_consts).encode()


Selection = Callable[
    [NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int, float], Any
]
"""``f(visits, values, priors, parent_visits, exploration) -> urgencies``, arrays over the children
of a node [C]."""


def selection(
    name: str, f: Selection, version: str = "1", *, unvisited: bool = False, priors: bool = False
) -> str:
    """Register a selection formula and return ``"selection=NAME"``.

    ``f(visits, values, priors, parent_visits, exploration)`` gets arrays over the children of a
    node [C]: visits, simulations in flight included; mean results, 0 to 1, for the player to move
    at the node, blended with RAVE or priors if the bot uses them; and priors, each divided by the
    sum of all, or 0 without priors. It also gets the visits of the node and the setting
    `exploration`. It returns urgencies [C]: the child with the highest one is selected.

    With `unvisited`, `f` also ranks children without visits, whose value is `first_play`; otherwise
    `first_play` is their urgency, whatever `f` returns. With `priors`, `f` weighs the priors
    itself, as PUCT does; otherwise the priors of the setting `prior` are blended into the
    values."""
    _tengen.register_selection(name, f, version, unvisited, priors)
    return f"selection={name}"


def prior(
    name: str,
    f: Callable[[NDArray[np.int8], int | None], Any],
    version: str = "1",
    *,
    visits: int = 20,
) -> str:
    """Register prior values of moves and return ``"prior=NAME:VISITS"``: a prior counts as `visits`
    visits.

    ``f(stones, last)`` gets the stones, int8 [H, W], 1 for those of the player to move and -1 for
    the opponent's, and the opponent's last move, None if it is not known. It returns the win rate
    that the player expects of each move, [P + 1], 0 to 1, where less than 0.01 counts as 0.01;
    entries of occupied points are not read."""
    _tengen.register_prior(name, f, version)
    return f"prior={name}:{visits}"


def policy(
    name: str,
    f: Callable[[NDArray[np.int8], NDArray[np.int64], int | None], Any],
    version: str = "1",
) -> str:
    """Register a playout policy and return ``"policy=NAME"``; :func:`tengen.playouts` takes the
    name alone. It is slow: a call for each move of each playout.

    ``f(stones, candidates, last)`` gets the stones, int8 [H, W], 1 for those of the player to move
    and -1 for the opponent's; the points to draw from [C]; and the point of the opponent's stone
    just played, or None. It returns the weight of each candidate, at least 0: one is drawn with a
    probability proportional to its weight."""
    _tengen.register_policy(name, f, version)
    return f"policy={name}"


def back_up(
    name: str,
    f: Callable[[float, int, NDArray[np.float64], NDArray[np.float64]], float],
    version: str = "1",
) -> str:
    """Register a rule of back-up and return ``"back_up=NAME"``.

    ``f(mean, visits, child_visits, child_values)`` gets the mean of a node's previous value and its
    new results; its visits; and the visits and values of its visited children. All values are for
    the player to move at the node. It returns the node's new value, 0 to 1. It is called for each
    node from the leaf of a simulation to the root."""
    _tengen.register_back_up(name, f, version)
    return f"back_up={name}"


def final_move(name: str, f: Callable[[int, float, int], float], version: str = "1") -> str:
    """Register a rule for the move that is played when the search is over and return
    ``"final_move=NAME"``.

    ``f(visits, value, simulations)`` gets the visits of a visited move at the root, the win rate of
    the player to move with it, 0 to 1, and the simulations of the search. It returns a number: the
    move with the highest is played."""
    _tengen.register_final_move(name, f, version)
    return f"final_move={name}"


def unregister(text: str) -> None:
    """Unregister a name, by the text that another function of this module has returned. Bots and
    settings that were read before keep working; a text with this name is an error from now on. The
    function stays in memory until the process ends. Raises `ValueError` if it is not registered."""
    _tengen.unregister(text)
    for key, (_, name) in list(_NAMES.items()):
        if name == text:
            del _NAMES[key]
