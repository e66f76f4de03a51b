from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, SupportsIndex, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen._types import Bot, Move, Size

__version__: str

class IllegalMove(ValueError):
    """A move that the rules forbid; the position is unchanged."""

class RunError(RuntimeError):
    """Work that could not be finished. What a run has written stays, and the run can be resumed."""

@final
class Position:
    """A game of Go at one of its positions: the board, the player to move, the rules and the moves made.

    `size` is a number, a pair (width, height), or text such as "9x7"; the default is 9. `rules` is a preset:
    "tengen" (positional superko, suicide forbidden), "chinese", "tromp-taylor", "aga", "new-zealand" or "simple";
    `ko` ("none", "simple", "psk", "ssk", "nssk") and `suicide` ("no", "multi", "all") replace its parts. `komi` is what
    White receives, in points; the default depends on the size (7.5 on 9x9). A game of `max_plies` plies (default 4
    times the points + 100) is over. The first position is empty, or given by `rows`, a diagram with the top row first
    ("..X/.O./..."), or by `stones`, an array as `Position.stones`; `to_play` is 1 (Black) or -1 (White).

    A move is a number: that of its point, 0 for A1, then row by row from the lowest line; the number of points is the
    pass. Methods also take text: "D4", "pass". Arrays over the board are [H, W], the first row is line 1 at the bottom.

    Raises ValueError for wrong arguments."""
    def __new__(
        cls,
        size: Size | None = None,
        *,
        komi: float | None = None,
        rules: str = "tengen",
        ko: str | None = None,
        suicide: str | None = None,
        max_plies: int | None = None,
        rows: str | None = None,
        stones: ArrayLike | None = None,
        to_play: int = 1,
    ) -> Position: ...
    @staticmethod
    def from_sgf(
        text: str,
        *,
        moves: int | None = None,
        komi: float | None = None,
        rules: str | None = None,
    ) -> Position:
        """The position of the first game of the SGF `text` after `moves` moves, or at the end of its main line. `komi` and `rules` replace its
        own; without either it is simple ko without suicide and komi 0. Warns where the record has Japanese rules, since the score is
        counted by area."""
    @staticmethod
    def from_gtp(text: str) -> Position:
        """The position after the GTP commands boardsize, komi, clear_board and play, a line each, under the rules of this package."""
    def play(self, move: Move, color: int | None = None, /) -> None:
        """Play `move`, for the player to move or for `color`. Raises IllegalMove if the rules forbid
        it; the position is then unchanged."""
    def undo(self) -> int | None:
        """Undo the last move and return it; None if there is none."""
    def copy(self) -> Position:
        """A copy, with its history."""
    def legal(self, *, own_eyes: bool = True) -> NDArray[np.bool_]:
        """The legal moves of the player to move, superko considered: bool [points + 1], the pass last. After the end none is legal.
        Without `own_eyes`, points that fill an own eye are left out, as searches do."""
    def is_legal(self, move: Move) -> bool:
        """Whether the player to move may play `move`."""
    def ownership(self) -> NDArray[np.int8]:
        """The owner of each point by area, as the board stands: int8 [H, W], 1 for Black, -1 for
        White, 0 for neither."""
    def score(self) -> float:
        """The area score as the board stands, in points: Black's area minus White's minus komi."""
    def planes(
        self, names: Sequence[str] | None = None, *, own_eyes: bool = False
    ) -> NDArray[np.float32]:
        """The position as evaluators see it: float32 [6, H, W]. Stones of the player to move, stones
        of the opponent, legal points, the last move, the move before it, and komi from the view of
        the player to move divided by 20. `names` chooses other planes, float32 [C, H, W]:
        "stones:N", "legal", "last:N", "liberties:N", "ko", "color", "komi", "ones"."""
    def number(self, text: str) -> int:
        """The number of the move that `text` names, such as "D4" or "pass"."""
    def name(self, number: SupportsIndex) -> str:
        """The name of the move of this number, such as "D4" or "pass"."""
    def to_sgf(self) -> str:
        """The game as SGF."""
    def to_gtp(self) -> str:
        """GTP commands, a line each, that set up the position: boardsize, komi, clear_board and play."""
    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board."""
    @property
    def points(self) -> int:
        """The number of points, which is also the number of the pass."""
    @property
    def to_play(self) -> int:
        """The player to move: 1 for Black, -1 for White."""
    @property
    def ply(self) -> int:
        """The number of plies (moves and passes) made."""
    @property
    def moves(self) -> list[tuple[int, int]]:
        """The moves made, first to last: pairs of the player, 1 or -1, and the move."""
    @property
    def is_over(self) -> bool:
        """Whether two passes, or the limit of plies, have ended the game."""
    @property
    def komi(self) -> float:
        """What White receives, in points, without points for handicap stones."""
    @property
    def ko(self) -> str:
        """The ko rule: "none", "simple", "psk", "ssk" or "nssk"."""
    @property
    def suicide(self) -> str:
        """The suicide rule: "no", "multi" or "all"."""
    @property
    def max_plies(self) -> int:
        """The limit of plies, at which the game is over."""
    @property
    def hash(self) -> int:
        """The Zobrist hash of the stones: 64 bits, the same on every machine."""
    @property
    def captures(self) -> tuple[int, int]:
        """The numbers of opponent's stones that Black and White have captured."""
    @property
    def stones(self) -> NDArray[np.int8]:
        """The stones: int8 [H, W], 1 for Black, -1 for White, 0 for none."""
    @property
    def rows(self) -> str:
        """The stones as a diagram on one line, the top row first: "..X/.O./..."."""
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: Any) -> Position: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _restore(rules: Any, start: Any, moves: Any, to_play: int) -> Position: ...
    def _repr_svg_(self) -> str: ...

def playouts(
    positions: Position | Sequence[Position],
    n: int,
    *,
    seed: int,
    policy: str,
    stop: str,
    ownership: bool,
    first_plays: bool,
    threads: int,
) -> dict[str, NDArray[Any]]: ...
def call(
    words: Sequence[str],
    progress: Callable[[int, int, str, str], object] | None = None,
    note: Callable[[str], object] | None = None,
    executor: object | None = None,
) -> tuple[str, Path | None]: ...
def make_block(block: bytes) -> bytes: ...

@final
class Answers:
    def put(self, ticket: int, answer: bytes | None, fault: str = "") -> None: ...

def experiments() -> list[str]: ...
def options(name: str) -> list[dict[str, Any]] | None: ...
def suite_text(split: str) -> str: ...
def parse_toml(text: str) -> dict[str, Any]: ...
def main(words: Sequence[str]) -> int: ...
def answer(folder: Path) -> tuple[str, str] | None: ...
def card(folder: Path) -> tuple[str | None, list[str]]: ...
def conditions(text: str) -> str | None: ...
def kind(folder: Path) -> tuple[str, str]: ...
def read_table(folder: Path, name: str) -> list[tuple[str, NDArray[Any]]] | None: ...

@final
class VectorEnv:
    """Games of Go side by side, stepped by arrays of moves, one ply each. tengen.vector_env makes one,
    and describes it."""
    @staticmethod
    def from_positions(
        positions: Position | Sequence[Position],
        *,
        copies: int = 1,
        own_eyes: bool = True,
        auto_reset: bool = True,
        observations: bool = True,
        threads: int = 1,
    ) -> VectorEnv:
        """An environment whose games begin, and begin again, at `positions` with their rules and
        moves, `copies` games at each."""
    def reset(self, which: NDArray[np.bool_] | Sequence[bool] | None = None) -> Step:
        """Begin all games again, or those for which `which`, bool [N], is true, and return the new
        state of all games."""
    def step(self, actions: ArrayLike) -> Step:
        """Play one of `actions`, integers [N], in each game."""
    def sample(self, seed: int = 0) -> NDArray[np.int64]:
        """A move for each game: a legal point that fills no own eye, drawn uniformly, or the pass if there is none: int64 [N].
        It is a function of `seed`, of the number of the game, of how often the game was begun again, and of its ply."""
    def positions(self) -> list[Position]:
        """Copies of the games, with their moves."""
    @property
    def n(self) -> int:
        """The number of games, N."""
    def __len__(self) -> int: ...
    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board."""
    @property
    def points(self) -> int:
        """The number of points, which is also the number of the pass."""
    @property
    def plies(self) -> NDArray[np.int64]:
        """The number of plies made in each game: int64 [N]."""
    @property
    def own_eyes(self) -> bool:
        """Whether points that fill an own eye are among the legal moves."""
    @property
    def auto_reset(self) -> bool:
        """Whether games that end begin again at once."""

@final
class Step:
    """All games after a step or a reset."""
    @property
    def observations(self) -> NDArray[np.float32]:
        """Planes as of Position.planes, from the view of the player to move: float32 [N, 6, H, W]. The plane of legal points has those of
        `legal`: with own_eyes also points that fill an own eye, which `uct` does not consider by default. AttributeError without
        observations."""
    @property
    def legal(self) -> NDArray[np.bool_]:
        """The moves that step accepts: bool [N, points + 1], the pass last. All False if a game is
        over."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """Rewards of Black, then White: float32 [N, 2]. 1 for the winner of a game that this step
        ended, -1 for the loser, else 0."""
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether two passes ended the game: bool [N]."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether the limit of plies ended the game: bool [N]."""
    @property
    def to_play(self) -> NDArray[np.int8]:
        """The player to move, 1 for Black or -1 for White: int8 [N]."""
    @property
    def scores(self) -> NDArray[np.float32]:
        """Area scores of the games that ended, in points: Black's minus White's minus komi; NaN of the others: float32 [N]."""
    @property
    def ended(self) -> NDArray[np.int64]:
        """The numbers of the games that this step ended, ascending: int64 [K]."""
    @property
    def final_observations(self) -> NDArray[np.float32]:
        """Planes of the final positions of the games in `ended`: float32 [K, 6, H, W]. AttributeError
        without observations."""

def wilson_intervals(
    scores: NDArray[np.float64], n: NDArray[np.float64], level: float
) -> NDArray[np.float64]: ...
def elos(scores: NDArray[np.float64]) -> NDArray[np.float64]: ...
def scores(elos: NDArray[np.float64]) -> NDArray[np.float64]: ...
def summary(cells: Sequence[int], level: float) -> dict[str, Any]: ...
def pair_kind(
    split: float | None, correlation: float, jigo: float
) -> tuple[float, float, float]: ...
def pilot(path: str | PathLike[str]) -> tuple[float, float, float, float]: ...
def plan(
    correlation: float,
    jigo: float,
    level: float,
    power: float,
    margin: float,
    within: float | None,
    elos: Sequence[float],
    pairs: Sequence[float],
) -> dict[str, Any]: ...
def courses(
    correlation: float,
    jigo: float,
    test: str,
    truths: Sequence[float] | None,
    most: int,
    tests: int,
    seed: int,
) -> dict[str, Any]: ...
def ratings(
    wins: NDArray[np.int64],
    draws: NDArray[np.int64],
    losses: NDArray[np.int64],
    names: Sequence[str],
    level: float,
) -> dict[str, Any]: ...
def speedups(
    factors: NDArray[np.float64],
    sequential: NDArray[np.int64],
    searches: NDArray[np.int64],
    opponent: float | None,
    seed: int,
) -> list[NDArray[np.float64]]: ...

@final
class Sprt:
    def __new__(
        cls, elo0: float, elo1: float, alpha: float, beta: float, model: str, pairs: bool
    ) -> Sprt: ...
    def copy(self) -> Sprt: ...
    def add(self, results: NDArray[np.float64]) -> int: ...
    def set_counts(self, cells: Sequence[int]) -> None: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def llr(self) -> float: ...
    @property
    def bounds(self) -> tuple[float, float]: ...
    @property
    def decision(self) -> Literal["H0", "H1"] | None: ...

@final
class Player:
    """A bot of any kind that plays one game, as on the command line. `bot` is a text such as
    "uct:simulations=800", "two-ply" or "random", or a function as of `tengen.register.bot`; all its
    random draws follow from `seed`. Raises ValueError for a wrong text."""
    def __new__(cls, bot: Bot, *, seed: int = 0) -> Player: ...
    def choose(self, position: Position) -> int | None:
        """The move of the player to move in `position`, which continues the game of the call before; None if the bot resigns.
        Raises ValueError if the game is over, and RunError if the bot finds no move, or one that the rules forbid."""

def search(
    positions: Position | Sequence[Position],
    bot: str,
    *,
    seed: int,
    evaluator: Callable[..., Any] | None,
    planes: Sequence[str] | None,
    boards: int,
    batch: int,
    threads: int,
    tree: bool,
) -> dict[str, Any]: ...
def figures() -> list[list[str]]: ...
def genmove(
    positions: Position | Sequence[Position], bot: Bot, *, seed: int, threads: int
) -> Any: ...

@final
class Searches:
    def __new__(
        cls,
        positions: Position | Sequence[Position],
        bot: str,
        *,
        seed: int,
        is_asked: bool,
        planes: Sequence[str] | None,
        boards: int,
        batch: int,
        threads: int,
    ) -> Searches: ...
    def run(self, simulations: int, evaluator: Callable[..., Any] | None) -> None: ...
    def begin_steps(self, simulations: int, parts: int) -> int: ...
    def gather(
        self, part: int
    ) -> (
        tuple[int, tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64], Any]] | None
    ): ...
    def reply(self, part: int, number: int, policy: Any, value: Any) -> None: ...
    def found(self, tree: bool) -> dict[str, Any]: ...
    def advance(self, moves: Any, keep: bool) -> None: ...
    def restart(
        self,
        numbers: Sequence[int],
        positions: Position | Sequence[Position],
        seeds: Sequence[int],
    ) -> None: ...
    @property
    def plane_names(self) -> str | None: ...
    @property
    def own_eyes(self) -> bool: ...
    @property
    def is_asked(self) -> bool: ...
    @property
    def is_one(self) -> bool: ...
    def __len__(self) -> int: ...
    def positions(self) -> list[Position]: ...
    def is_over(self) -> NDArray[np.bool_]: ...
    def save(self) -> bytes: ...
    @staticmethod
    def load(bytes: bytes) -> Searches: ...

def unregister(text: str) -> None: ...
def register_evaluator(
    name: str,
    f: Callable[..., Any],
    version: str,
    batch: int,
    priors: bool,
    planes: Sequence[str] | None,
    boards: int,
) -> None: ...
def register_bot(name: str, choose: Callable[..., Any], version: str) -> None: ...
def register_selection(
    name: str, f: Callable[..., Any], version: str, unvisited: bool, priors: bool
) -> None: ...
def register_prior(name: str, f: Callable[..., Any], version: str) -> None: ...
def register_policy(name: str, f: Callable[..., Any], version: str) -> None: ...
def register_back_up(name: str, f: Callable[..., Any], version: str) -> None: ...
def register_final_move(name: str, f: Callable[..., Any], version: str) -> None: ...
