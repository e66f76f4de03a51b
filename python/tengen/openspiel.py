"""Tengen's bots in OpenSpiel's game of Go, for which OpenSpiel (`pip install open_spiel`) must be
installed.

OpenSpiel's Go is played on square boards with simple ko, without suicide, by area; a repeated
position draws the game, and games have a limit of moves. Its actions are the numbers of Tengen's
moves: row by row from A1, then the pass.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from tengen._tengen import IllegalMove, Player, Position

__all__ = ["Bot", "position"]


def position(state: Any) -> Position:
    """The position of a state of OpenSpiel's game ``go``, with its moves, komi (and points for
    handicap stones) and limit of moves.

    Its rule of ko is positional superko, so that a search never plays a move by which OpenSpiel
    draws the game. Raises `ValueError` for a state of another game, and for a game that a repeated
    position has drawn: Tengen has no such position.
    """
    start = _start(state.get_game())
    _play(start, state.history())
    return start


def _play(position: Position, actions: list[int]) -> None:
    for action in actions:
        try:
            position.play(action)
        except IllegalMove as fault:
            raise ValueError(
                f"{fault}: OpenSpiel draws a game whose position is repeated"
            ) from None


def _start(game: Any) -> Position:
    if game.get_type().short_name != "go":
        raise ValueError(f"the game is {game.get_type().short_name}: expected OpenSpiel's go")
    first = game.new_initial_state()
    parameters = game.get_parameters()
    size, handicap = parameters["board_size"], parameters["handicap"]
    # Lines such as " 9 ++X++", the highest first; handicap stones stand on the board.
    lines = [line.split() for line in str(first).splitlines()]
    rows = [line[1] for line in lines if len(line) == 2 and line[0].isdigit()]
    if len(rows) != size:
        raise ValueError(f"OpenSpiel shows {len(rows)} rows of the board: expected {size}")
    return Position(
        rows="/".join(rows).replace("+", "."),
        to_play=1 if first.current_player() == 0 else -1,
        komi=parameters["komi"] + (handicap if handicap >= 2 else 0),
        max_plies=game.max_game_length(),
    )


class Bot(pyspiel.Bot):
    """A bot of Tengen as a player of OpenSpiel's game ``go``: ``Bot("uct:simulations=800")``.

    `bot` and `seed` are those of `Player`. A bot that resigns passes, since OpenSpiel knows no
    resignation.
    """

    def __init__(self, bot: str, *, seed: int = 0) -> None:
        super().__init__()
        self._text, self._seed = bot, seed
        self.restart()

    def restart(self) -> None:
        """Forget the game: the next one begins with the same random draws."""
        self._player = Player(self._text, seed=self._seed)
        self._seen: tuple[str, list[int]] = ("", [])
        self._position: Position | None = None

    def restart_at(self, state: Any) -> None:
        """Forget the game, and go on from `state`."""
        self.restart()
        self._follow(state)

    def step(self, state: Any) -> int:
        """The action of the player to move in `state`."""
        here = self._follow(state)
        move = self._player.choose(here)
        return here.points if move is None else move

    def _follow(self, state: Any) -> Position:
        """The position of `state`. If `state` continues the last one, only the new moves are
        played. A state without a position leaves the last one as it is."""
        game, history = str(state.get_game()), state.history()
        game_before, before = self._seen
        if self._position is None or (game, history[: len(before)]) != (game_before, before):
            here = position(state)
        else:
            here = self._position.copy()
            _play(here, history[len(before) :])
        self._position, self._seen = here, (game, history)
        return here
