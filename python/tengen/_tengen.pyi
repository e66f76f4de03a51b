from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from tengen._types import Move, Size

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
        stones: NDArray[np.int8] | None = None,
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
        own; without either it is simple ko without suicide and komi 0."""
    @staticmethod
    def from_gtp(text: str) -> Position:
        """The position after the GTP commands boardsize, komi, clear_board and play, a line each, under the rules of this package."""
    def play(self, move: Move, color: int | None = None, /) -> None:
        """Play `move`, for the player to move or for `color`. Raises IllegalMove where the rules forbid it; the position is then unchanged."""
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
        """Whose area each point is as the board stands: int8 [H, W], 1 for Black, -1 for White, 0 for neither."""
    def score(self) -> float:
        """The area score as the board stands, in points: Black's area minus White's minus komi."""
    def planes(self, *, own_eyes: bool = False) -> NDArray[np.float32]:
        """The position as evaluators see it: float32 [6, H, W]. Stones of the player to move, stones of the opponent, legal points,
        the last move, the move before it, and komi from the view of the player to move divided by 20."""
    def number(self, text: str) -> int:
        """The number of the move that `text` names, such as "D4" or "pass"."""
    def name(self, number: int) -> str:
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
        """The stones that Black and White have captured."""
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
) -> dict[str, NDArray[Any]]:
    """Plays `n` playouts from each position: the arrays `scores`, `lengths`, and where they are wanted `ownership`,
    `first_plays` and `first_play_wins`, by name."""

def call(
    words: Sequence[str],
    progress: Callable[[int, int, str, str], object] | None = None,
    note: Callable[[str], object] | None = None,
) -> tuple[str, Path | None]:
    """Run the command whose name and arguments are `words`, and return what it prints and the folder of its run, if it has one.
    `progress` is called with (done, all, units, message), `note` with each line that the program would write to standard error."""

def options(name: str) -> list[tuple[str, str | None, str, str, str, list[str]]] | None:
    """The options of the command `name`: for each its name, what stands for its value, its kind ("flag", "truth", "one" or
    "many"), its help, its heading and the values that it may have. None if there is no such command."""

def parse_toml(text: str) -> dict[str, Any]:
    """What a TOML text says, as a dict."""

def conditions(text: str) -> str | None:
    """The conditions of a run with the settings `text` (its config.toml) in one line; None if it is neither a tournament nor a tuning."""

def read_table(folder: Path, name: str) -> list[tuple[str, NDArray[Any]]] | None:
    """Names and columns of the file `name` in `folder`, or of `name`.xz if that is there instead;
    None if neither is."""
