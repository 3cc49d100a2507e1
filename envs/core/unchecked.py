"""Positions of a game as its kernels take them: nothing is checked, so a wrong number may read or write any memory.

For records that the engine made itself. `Game` has the same functions with every check.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from handfast.envs.core.compiling import as_bytes

if TYPE_CHECKING:
    from handfast.envs.core.game import Game


class Unchecked:
    """The functions on records [n] of one game; `seats`, `seeds` and `actions` are one for all or one for each."""

    def __init__(self, game: "Game"):
        self.game = game

    def move(self, games: np.ndarray, how: int, seeds: Any = 0, actions: Any = 0) -> None:
        """One move of the rules on each game, in place: `kernels.DEAL`, `DECIDE`, `ROLL` or `RESUME`."""
        n = len(games)
        self.game.call(self.game.kernels.move, games, how, _each(seeds, np.uint64, n), _each(actions, np.int64, n))

    def look(self, games: np.ndarray, seats: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What `seats` see of `games`: views [n], masks int8 [n, actions], features int8 [n, features]."""
        game, n = self.game, len(games)
        views = np.zeros(n, game.dtype)
        masks = np.zeros((n, game.actions), np.int8)
        features = np.zeros((n, game.features), np.int8)
        seen = as_bytes(games), views, as_bytes(views), game.table.keep, _each(seats, np.int32, n), masks, features
        game.call(game.kernels.look, *seen)
        return views, masks, features

    def guess(self, views: np.ndarray, seats: Any, seeds: Any) -> np.ndarray:
        """One full game for each view that it could be, drawn at random; `views` are left as they are."""
        n = len(views)
        games = as_bytes(views).copy().view(views.dtype)[:, 0]  # many times faster than field by field
        self.game.call(self.game.kernels.complete, games, _each(seats, np.int32, n), _each(seeds, np.uint64, n))
        return games

    def reveal(self, games: np.ndarray, seats: Any) -> np.ndarray:
        """What is hidden from `seats`, as features int8 [n, hidden_features]."""
        hidden = np.zeros((len(games), self.game.hidden_features), np.int8)
        self.game.call(self.game.kernels.reveal, games, _each(seats, np.int32, len(games)), hidden)
        return hidden

    def judge(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The games' points int32 [n, seats], who wins or leads int8 [n, seats], and whether `check` holds bool [n]."""
        game, n = self.game, len(games)
        scores, winners = np.zeros((n, game.seats), np.int32), np.zeros((n, game.seats), np.int8)
        sound = np.zeros(n, np.bool_)
        game.call(game.kernels.judge, games, scores, winners, sound)
        return scores, winners, sound


def _each(values: Any, kind: type, n: int) -> np.ndarray:
    """[n] of its own, which can be written to: kernels are compiled anew for arrays that can't."""
    return np.array(np.broadcast_to(np.asarray(values, kind), n), order="C")
