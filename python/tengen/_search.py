"""Searches as arrays."""

from __future__ import annotations

import html
import inspect
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen import _tengen
from tengen._tengen import Position
from tengen._types import Bot, Move, names_counts

Scalar = TypeVar("Scalar", bound=np.generic)


class Boards(NamedTuple):
    """The positions of a batch of N leaves, for an evaluator with `boards` = K above 0."""

    stones: NDArray[np.int8]
    """The stones, 1 for Black and -1 for White: [N, K, H, W]. The stones of the leaf come first,
    then those of the K - 1 positions before it; all are 0 before the start of the game."""
    hashes: NDArray[np.uint64]
    """`Position.hash` of the leaves: [N]."""
    to_play: NDArray[np.int8]
    """The player to move, 1 for Black and -1 for White: [N]."""


Evaluator = (
    Callable[[NDArray[np.float32], NDArray[np.bool_]], tuple[Any, Any]]
    | Callable[[NDArray[np.float32], NDArray[np.bool_], Boards], tuple[Any, Any]]
)
"""Judges a batch of N leaves: ``f(planes, legal) -> (policy, value)``, or with `boards`
``f(planes, legal, boards)``; see :func:`search`."""


@dataclass(frozen=True)
class Tree:
    """The nodes of a search tree as arrays [nodes], in breadth-first order: node 0 is the root, and
    the children of a node are contiguous. A node stands for the move that leads to it, and its
    values are from the view of the player who made this move. At the root this is the opponent of
    the player to move: for the player to move take ``1 - values[0]``.

    Attributes:
        parents: The number of the node above; -1 for the root.
        moves: The move that leads to the node; -1 for the root.
        depths: The number of moves from the root.
        visits: Simulations through the node.
        values: The mean result of the player who made the move, 0 to 1; NaN without visits.
        priors: The prior of the move; NaN if it has none.
        amaf_visits: RAVE visits (all moves as first), visits from priors included; NaN without
            RAVE.
        amaf_values: The mean result by RAVE, 0 to 1; NaN without RAVE.
        proofs: 1 for a proven win of the player who made the move, -1 for a proven loss, 0 for
            neither.
        first_children: The number of the first child: the children are ``first_children[i]`` and
            the ``children[i] - 1`` nodes after it.
        children: The number of children in the tree.
    """

    parents: NDArray[np.int32]
    moves: NDArray[np.int32]
    depths: NDArray[np.int32]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    priors: NDArray[np.float64]
    amaf_visits: NDArray[np.float64]
    amaf_values: NDArray[np.float64]
    proofs: NDArray[np.int8]
    first_children: NDArray[np.int32]
    children: NDArray[np.int32]

    @property
    def edges(self) -> NDArray[np.int32]:
        """Pairs (parent, child) of node numbers, [nodes - 1, 2], as graph libraries take them:
        ``networkx.DiGraph(tree.edges.tolist())``."""
        children = np.arange(1, len(self.parents), dtype=np.int32)
        return np.stack([self.parents[1:], children], axis=1)


def _with_figures(results: type) -> type:
    """`results` with a field for each figure of the program that has none there."""
    for name, meaning, shape in _tengen.figures():
        if name not in results.__annotations__:
            results.__annotations__[name] = NDArray[Any]
            doc = f"{meaning[0].upper()}{meaning[1:]}: {shape}."
            results.__doc__ = f"{inspect.getdoc(results)}\n    {name}: {doc}"
    return results


@dataclass(frozen=True, repr=False)
@_with_figures
class SearchResults:
    """The results of :func:`search` and of :class:`Searches` for N positions with P points each.
    The last entry of an array over moves is the pass. For a single `Position`, the first axis is
    missing, and `best` and other arrays [N] are numbers.

    Attributes:
        visits: Simulations that began with each move: [N, P + 1]. Their sum is `simulations`; with
            an evaluator one less, since the first simulation judges the root.
        values: The win rate of the player to move with each move, 0 to 1: [N, P + 1]. NaN without
            visits.
        scores: The mean lead of Black after komi in the playouts through each move, in points: [N,
            P + 1]. NaN without playouts.
        priors: The prior of each move, before any noise: [N, P + 1]. NaN for moves without a prior,
            and in searches that count priors as RAVE visits. With several workers, the priors of
            the first one.
        improved_policy: The policy that ``selection=gumbel`` derives from the search, over the
            searched moves: legal moves, without own eyes unless ``own_eyes=true``: [N, P + 1]. NaN
            for other moves, other formulas, and before the root has selected a move.
        amaf_visits: RAVE visits (all moves as first) of each move, visits from priors included: [N,
            P + 1]. NaN without RAVE.
        amaf_values: The win rate of the player to move by RAVE: [N, P + 1]. NaN without RAVE.
        proofs: 1 for moves that are proven wins of the player to move, -1 for proven losses, else
            0: [N, P + 1].
        best: The move that the bot plays by its rules (`final_move`, `temperature`), which never
            resigns here: [N]. -1 where there was no simulation.
        simulations: Simulations of each search, without the simulations of a tree that it
            continues: [N].
        mean_depths: The mean depth of the leaves, the root having depth 0: [N].
        max_depths: The depth of the deepest leaf: [N].
        nodes: Nodes of the trees: [N].
        tree_bytes: Memory of the trees, in bytes: [N].
        were_full: Whether a tree reached its largest number of nodes (`max_nodes`): [N].
        seeds: The seed of the bot for each position, as ``tengen analyze --seed`` takes it: [N].
        principal_variations: The most visited move and the most visited replies, a list of moves
            for each position.
        bot: The text of the bot with its non-default settings only.
        trees: The columns of the trees by position and worker; see :meth:`tree`.
    """

    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    scores: NDArray[np.float64]
    priors: NDArray[np.float64]
    improved_policy: NDArray[np.float64]
    amaf_visits: NDArray[np.float64]
    amaf_values: NDArray[np.float64]
    proofs: NDArray[np.int8]
    best: Any
    simulations: NDArray[np.int64]
    mean_depths: NDArray[np.float64]
    max_depths: NDArray[np.int64]
    nodes: NDArray[np.int64]
    tree_bytes: NDArray[np.int64]
    were_full: NDArray[np.bool_]
    seeds: NDArray[np.uint64]
    principal_variations: list[Any]
    bot: str
    trees: list[list[dict[str, NDArray[Any]]]]

    @property
    def root_values(self) -> NDArray[np.float64]:
        """The win rate of the player to move at the root, 0 to 1: [N]. It is the mean of `values`
        weighted by `visits`; NaN without visits."""
        visits = self.visits.astype(np.float64)
        weighted = np.where(visits > 0, self.values * visits, 0.0).sum(axis=-1)
        total = visits.sum(axis=-1)
        rates: NDArray[np.float64] = np.divide(
            weighted, total, out=np.full_like(total, np.nan), where=total > 0
        )
        return rates

    def __repr__(self) -> str:
        count = "1 position" if self.visits.ndim == 1 else f"{len(self.visits)} positions"
        return (
            f"<tengen.SearchResults of {count} by {self.bot}: "
            f"{int(np.sum(self.simulations))} simulations, best {self.best}>"
        )

    def _repr_html_(self) -> str:
        """The five most visited moves of each of the first ten positions."""
        is_one = self.visits.ndim == 1
        visits, values = (np.atleast_2d(array) for array in (self.visits, self.values))
        rows = []
        for number in range(min(len(visits), 10)):
            for move in np.argsort(-visits[number], kind="stable")[:5]:
                if visits[number, move] == 0:
                    break
                cells = [] if is_one else [str(number)]
                cells += [str(move), str(visits[number, move]), f"{values[number, move]:.3f}"]
                rows.append("".join(f"<td>{cell}</td>" for cell in cells))
        names = (
            ["move", "visits", "win rate"] if is_one else ["position", "move", "visits", "win rate"]
        )
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = f"<p>… {len(visits) - 10} more positions</p>" if len(visits) > 10 else ""
        return f"<p>{html.escape(repr(self))}</p><table><tr>{head}</tr>{body}</table>{more}"

    def tree(self, position: int = 0, worker: int = 0) -> Tree:
        """The search tree of a position. Raises `ValueError` if the search kept no trees
        (``tree=True``)."""
        if not any(self.trees):
            raise ValueError("no trees were kept: search with tree=True")
        return Tree(**self.trees[position][worker])


@names_counts
def search(
    positions: Position | Sequence[Position],
    bot: str = "uct",
    *,
    seed: int = 0,
    evaluator: Evaluator | None = None,
    planes: Sequence[str] | None = None,
    boards: int = 0,
    batch: int = 256,
    threads: int = 1,
    tree: bool = False,
) -> SearchResults:
    """Search each of `positions`, whose boards have one size, with a `uct` bot, such as
    ``"uct:simulations=800,exploration=0.7"``.

    The bot for the first position has the seed `seed`; the bot for position number i has a seed
    derived from `seed` and i (`SearchResults.seeds`). A search depends only on its position, the
    bot and this seed, not on other positions, `batch` or `threads`; ``tengen analyze --bot … --seed
    …`` with this seed makes the same search. Positions are searched even where a bot in a game
    would pass without a search.

    `threads` threads share the positions. With `tree` the results keep the trees.

    **Evaluators.** ``evaluator(planes, legal) -> (policy, value)`` judges the leaves in place of
    playouts. `planes` are float32 [N, 6, H, W], for the player to move at the leaf: own stones, the
    opponent's stones, legal points, the last move, the move before it, and komi from the view of
    that player divided by 20. `legal` is bool [N, P + 1]: the moves of the tree, the pass last. The
    callable may keep the arrays: an array is reused only if neither it nor a view of it was kept.

    `planes` names other planes, as for `Position.planes`: float32 [N, C, H, W] in the order of the
    names. The manual has a table of them. ``["stones", "legal", "last:2", "komi"]`` are the usual
    ones. With `boards`, 1 to 8, the callable gets a third argument, :class:`Boards`: the stones of
    the last `boards` positions.

    `policy` [N, P + 1] has weights of at least 0, such as the output of a softmax (not logits).
    Weights of illegal moves are ignored; the prior of a legal move is its share of the legal moves'
    sum, or an equal share if all are 0. `value` [N] or [N, 1] is the expected result, komi
    included, for the player to move: 0 for a loss to 1 for a win. Both may have any float type, and
    be anything that `numpy.asarray` takes, such as a torch tensor on the CPU without gradient.

    The evaluator is called on the calling thread, and its exceptions are raised unchanged. Each
    thread fills batches of up to `batch` leaves of its own positions: for a network, one thread
    makes the largest batches. The answer for a leaf must not depend on the other leaves: then
    results depend neither on `batch` nor on `threads`. The settings of the bot have the defaults of
    a search by an evaluator: ``selection=puct``, ``exploration=1.25``, ``first_play=parent-0.2``.

    Raises `ValueError` for wrong arguments, positions that are over, and answers of the wrong shape
    or range; `TypeError` for answers of the wrong type; `RunError` if a registered callable fails.
    Other threads of Python run meanwhile."""
    if evaluator is None:
        _refuse_inputs(planes, boards)
    arrays = _tengen.search(
        positions,
        bot,
        seed=seed,
        evaluator=evaluator,
        planes=planes,
        boards=boards,
        batch=batch,
        threads=threads,
        tree=tree,
    )
    return SearchResults(**arrays)


@overload
def genmove(positions: Position, bot: Bot, *, seed: int = 0, threads: int = 1) -> int: ...


@overload
def genmove(
    positions: Sequence[Position], bot: Bot, *, seed: int = 0, threads: int = 1
) -> NDArray[np.int64]: ...


@names_counts
def genmove(
    positions: Position | Sequence[Position], bot: Bot, *, seed: int = 0, threads: int = 1
) -> int | NDArray[np.int64]:
    """The move that `bot`, of any kind, chooses in each of `positions`: int64 [N], or one number;
    -1 if it resigns. `bot` is a text, or a function as of :func:`tengen.register.bot`.

    Seeds are derived as in :func:`search`, and bots pass where they would in a game. Each of
    `threads` threads takes one position after the other: for many positions and a `uct` bot
    :func:`search` is quicker. Raises `RunError` if a bot fails, or chooses a move that the rules
    forbid."""
    moves = _tengen.genmove(positions, bot, seed=seed, threads=threads)
    return int(moves) if isinstance(positions, Position) else moves


class Answer(Protocol):
    """An answer that comes later, such as a future."""

    def result(self) -> tuple[Any, Any]:
        """Wait for the answer of an `Evaluator`, and return it."""
        ...


class Leaves:
    """A batch of N leaves of :meth:`Searches.steps` that wait for a reply.

    Attributes:
        planes: The planes that an `Evaluator` gets: [N, 6, H, W], or [N, C, H, W] if the searches
            name C planes.
        legal: The moves of the tree at each leaf: [N, P + 1].
        index: The number of the search of each leaf: [N].
        boards: The positions, if the searches ask for `boards`; else None.
    """

    planes: NDArray[np.float32]
    legal: NDArray[np.bool_]
    index: NDArray[np.int64]
    boards: Boards | None

    def __init__(
        self,
        searches: _tengen.Searches,
        part: int,
        number: int,
        planes: NDArray[np.float32],
        legal: NDArray[np.bool_],
        index: NDArray[np.int64],
        boards: Boards | None,
    ) -> None:
        self.planes = planes
        self.legal = legal
        self.index = index
        self.boards = boards
        self._part, self._number = part, number
        self._searches: _tengen.Searches | None = searches
        self._later: Answer | None = None

    def __len__(self) -> int:
        return len(self.index)

    @property
    def is_answered(self) -> bool:
        """Whether the leaves have their reply."""
        return self._searches is None

    def reply(self, policy: Any, value: Any) -> None:
        """Hand the searches what an `Evaluator` returns: `policy` [N, P + 1] and `value` [N].

        Raises `ValueError` or `TypeError` for an unusable answer: the leaves then still wait."""
        if self._searches is None:
            raise ValueError("the leaves have their reply already")
        self._searches.reply(self._part, self._number, policy, value)
        self._searches = None

    def reply_later(self, answer: Answer) -> None:
        """Hand the searches `answer`, such as a future of an executor, whose ``result()`` waits for
        what an `Evaluator` returns. The loop calls it when it needs the result."""
        if self._searches is None:
            raise ValueError("the leaves have their reply already")
        self._later = answer

    def _settle(self) -> None:
        """Wait for the answer given to `reply_later`, if there is one, and reply with it."""
        if self._later is not None:
            policy, value = self._later.result()
            self.reply(policy, value)


class Searches:
    """Searches of many positions, one each, that can be continued: add simulations, look at the
    results, play a move in each position, and repeat.

    `positions`, `bot`, `seed`, `planes`, `boards`, `batch` and `threads` are as in :func:`search`.
    The bot has one worker. :meth:`run` gets the number of simulations; the bot's setting
    `simulations` only tells ``selection=gumbel`` how many to plan for. `evaluator` is a callable,
    or ``"replies"``: then the body of a loop over :meth:`steps` answers the leaves. Without
    `evaluator`, playouts judge the leaves, or the evaluator that the bot names.

    After equally many simulations the results equal those of :func:`search`; after moves they equal
    those of a bot with ``reuse=true`` that has played both sides so far."""

    @names_counts
    def __init__(
        self,
        positions: Position | Sequence[Position],
        bot: str = "uct",
        *,
        seed: int = 0,
        evaluator: Evaluator | Literal["replies"] | None = None,
        planes: Sequence[str] | None = None,
        boards: int = 0,
        batch: int = 256,
        threads: int = 1,
    ) -> None:
        _check_evaluator(evaluator)
        if evaluator is None:
            _refuse_inputs(planes, boards)
        self._evaluator: Evaluator | Literal["replies"] | None = evaluator
        self._searches = _tengen.Searches(
            positions,
            bot,
            seed=seed,
            is_asked=evaluator is not None,
            planes=planes,
            boards=boards,
            batch=batch,
            threads=threads,
        )

    @names_counts
    def run(self, simulations: int) -> None:
        """Add `simulations` simulations to each search, and as many more as complete a leaf of
        several playouts (`leaf_playouts`). After an exception or Ctrl-C a later call
        continues them."""
        if self._evaluator == "replies":
            raise ValueError(
                "there is no evaluator to run: answer the leaves of steps(simulations)"
            )
        self._searches.run(simulations, self._evaluator)

    def steps(self, simulations: int, *, outstanding: int = 1) -> Iterator[Leaves]:
        """Add `simulations` simulations to each search; the body of the loop answers the leaves::

            for leaves in searches.steps(800):
                policy, value = network(leaves.planes, leaves.legal)
                leaves.reply(policy, value)

        `outstanding` divides the searches into so many parts, each with batches of its own. As many
        batches can be with the network at once: it works on one while the trees of the other parts
        continue::

            with ThreadPoolExecutor(2) as pool:
                for leaves in searches.steps(800, outstanding=2):
                    leaves.reply_later(pool.submit(network, leaves.planes, leaves.legal))

        `outstanding` does not change the results: a search waits for its own leaves alone.

        Raises `ValueError` if a batch has no reply when the next one is due. A loop that is left
        early loses nothing: leaves without a reply come first in the next loop, and `run` continues
        too."""
        if self._evaluator is None:
            raise ValueError(
                "playouts judge the leaves: make the Searches with "
                'evaluator="replies", or a callable'
            )
        if outstanding < 1:
            raise ValueError(f"outstanding is {outstanding}: expected 1 or more")
        parts = deque(range(self._searches.begin_steps(simulations, outstanding)))
        waiting: deque[Leaves] = deque()
        while parts or waiting:
            if not parts or len(waiting) == outstanding:
                leaves = waiting.popleft()
                leaves._settle()
                parts.append(leaves._part)
                continue
            part = parts.popleft()
            gathered = self._searches.gather(part)
            if gathered is None:
                continue
            number, batch = gathered
            leaves = Leaves(self._searches, part, number, *batch)
            yield leaves
            if leaves.is_answered:
                parts.appendleft(part)
            elif leaves._later is not None:
                waiting.append(leaves)
            else:
                raise ValueError(
                    "the leaves have no reply: call leaves.reply(policy, value) in the loop"
                )

    def advance(self, moves: Move | Sequence[Move] | ArrayLike, *, keep: bool = True) -> None:
        """Play a move in each position, and search on from there. `moves` are numbers or a list of
        texts, one for each position, such as :meth:`best`. A move in a game that is over is
        ignored. With `keep` the trees below the moves are kept, as with the setting ``reuse``;
        simulations of leaves without a reply are lost.

        Raises `IllegalMove`, before any move is played, if one is illegal."""
        self._searches.advance(moves, keep)

    def restart(
        self, numbers: ArrayLike, positions: Position | Sequence[Position], seeds: ArrayLike
    ) -> None:
        """Replace the searches with these `numbers`, such as searches of ended games, by new ones.
        Give one of `positions` for each number or one for all, and a seed of the bot for each in
        `seeds`."""
        self._searches.restart(_wholes(numbers, "numbers"), positions, _wholes(seeds, "seeds"))

    def results(self, *, tree: bool = False) -> SearchResults:
        """The results so far. With leaves in flight (`in_flight`) the arrays of a tree count leaves
        without a result as losses; all other results leave these leaves out."""
        return SearchResults(**self._searches.found(tree))

    def visits(self) -> NDArray[np.int64]:
        """`SearchResults.visits`: [N, P + 1], visits of kept trees included; 0 if the game is
        over."""
        return self.results().visits

    def values(self) -> NDArray[np.float64]:
        """`SearchResults.values`: [N, P + 1]."""
        return self.results().values

    def best(self) -> NDArray[np.int64]:
        """`SearchResults.best`: [N], -1 where the game is over."""
        best: NDArray[np.int64] = self.results().best
        return best

    @property
    def positions(self) -> Any:
        """Copies of the positions: a list, or the one position."""
        positions = self._searches.positions()
        return positions[0] if self._searches.is_one else positions

    def planes(self) -> NDArray[np.float32]:
        """The planes of the positions as an evaluator gets them: [N, C, H, W], or [C, H, W]."""
        names, own_eyes = self._searches.plane_names, self._searches.own_eyes
        positions = self._searches.positions()
        return self._stacked([position.planes(names, own_eyes=own_eyes) for position in positions])

    def legal(self, *, own_eyes: bool = True) -> NDArray[np.bool_]:
        """`Position.legal` of the positions: [N, P + 1], or [P + 1]; all False if the game is
        over."""
        positions = self._searches.positions()
        return self._stacked([position.legal(own_eyes=own_eyes) for position in positions])

    @property
    def to_play(self) -> Any:
        """The player to move in each position, 1 for Black and -1 for White: int8 [N], or one
        number."""
        colors = np.array([position.to_play for position in self._searches.positions()], np.int8)
        return int(colors[0]) if self._searches.is_one else colors

    def _stacked(self, arrays: list[NDArray[Scalar]]) -> NDArray[Scalar]:
        return arrays[0] if self._searches.is_one else np.stack(arrays)

    @property
    def is_over(self) -> Any:
        """Whether each game is over: bool [N], or one bool."""
        is_over = self._searches.is_over()
        return bool(is_over[0]) if self._searches.is_one else is_over

    def __len__(self) -> int:
        return len(self._searches)

    def save(self, path: str | PathLike[str]) -> None:
        """Write all searches to the file `path`: their trees, positions, bot and random numbers.
        The file appears whole or not at all. Pickling and copying searches works in the same way.

        Searches that :meth:`load` returns give the same results as these from here on. Raises
        `ValueError` while leaves wait for a reply. With `in_flight` above 1 saving first backs up
        finished leaves out of turn: then results differ from those of searches that were never
        saved."""
        path, saved = Path(path), self._searches.save()
        part = path.with_name(f"{path.name}.part")
        try:
            part.write_bytes(saved)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        evaluator: Evaluator | Literal["replies"] | None = None,
    ) -> Searches:
        """The searches that :meth:`save` wrote. Pass `evaluator`, a callable or ``"replies"``, if
        and only if the saved searches had one. Names in the text of the bot must be registered."""
        _check_evaluator(evaluator)
        saved = Path(path).read_bytes()
        try:
            searches = cls._restored(saved, evaluator)
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None
        if searches._searches.is_asked != (evaluator is not None):
            raise ValueError(
                'these searches had an evaluator: pass one, a callable or "replies"'
                if evaluator is None
                else "these searches had no argument evaluator: leave it out"
            )
        return searches

    @classmethod
    def _restored(cls, saved: bytes, evaluator: Any) -> Searches:
        searches = cls.__new__(cls)
        searches._evaluator = evaluator
        searches._searches = _tengen.Searches.load(saved)
        return searches

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self)._restored, (self._searches.save(), self._evaluator))


def _check_evaluator(evaluator: object) -> None:
    """Refuse an evaluator that is neither callable nor "replies"."""
    if isinstance(evaluator, str) and evaluator != "replies":
        raise ValueError(
            f'invalid evaluator "{evaluator}": expected a callable or "replies"; one that is '
            f'registered is a setting of the bot: "uct:evaluator={evaluator}"'
        )
    if evaluator is not None and evaluator != "replies" and not callable(evaluator):
        raise TypeError(f'an evaluator is a callable or "replies", not {type(evaluator).__name__}')


def _refuse_inputs(planes: object, boards: int) -> None:
    """Refuse inputs that only a callable or a loop gets."""
    if planes is not None or boards:
        name = "boards" if planes is None else "planes"
        raise ValueError(
            f"{name} needs the argument evaluator; for an evaluator that the bot names pass {name} "
            "to tengen.register.evaluator"
        )


def _wholes(values: ArrayLike, name: str) -> list[int]:
    """`values`, one or more whole numbers."""
    array = np.atleast_1d(np.asarray(values))
    # Truth values would be the numbers 0 and 1, not a mask.
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(
            f"{name} is an array of {array.dtype} with shape {array.shape}: expected whole numbers"
        )
    found: list[int] = array.tolist()
    return found
