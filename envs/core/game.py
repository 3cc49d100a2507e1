"""A game: everything that follows from its rules, in one place."""

import functools
import hashlib
import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from handfast.envs.core import features as feature_table
from handfast.envs.core import kernels
from handfast.envs.core.compiling import JIT, as_bytes, boxed
from handfast.envs.core.table import Option, Table

MOST_SEED = 2**64 - 1


class Game:
    """One game of the suite, made from the modules of its folder.

    Attributes: `name`, `title`, `version`; `player_counts`; `seats`, the most players; `options` by name; `table`,
    the record's fields with who may see them; `actions` and `features`, their numbers; `feature_names`,
    `feature_highs` (the least value is 0); `hidden_features`, `hidden_feature_names` for the critic and `state()`;
    `score_sign`, -1 where fewer points are better.
    """

    def __init__(
        self,
        name: str,
        title: str,
        version: int,
        rules: ModuleType,
        view: ModuleType,
        words: ModuleType,
        picture: ModuleType,
    ):
        self.name, self.title, self.version = name, title, version
        self.rules, self.view, self.words, self.picture = rules, view, words, picture
        self.table: Table = rules.TABLE
        self.dtype = self.table.dtype
        self.options: dict[str, Option] = rules.OPTIONS
        self.player_counts: tuple[int, ...] = rules.PLAYER_COUNTS
        self.seats: int = rules.SEATS
        self.actions: int = rules.ACTIONS
        self.score_sign: int = rules.SCORE_SIGN
        self.feature_names = feature_table.names(view.FEATURES)
        self.feature_highs = feature_table.highs(view.FEATURES)
        self.features = len(self.feature_names)
        self.hidden_feature_names = feature_table.names(view.HIDDEN_FEATURES)
        self.hidden_features = len(self.hidden_feature_names)

    def __repr__(self) -> str:
        return f"<Game {self.name}-v{self.version}>"

    def __reduce__(self) -> tuple:
        return _of_package, (str(self.rules.__package__),)

    @functools.cached_property
    def kernels(self) -> kernels.Kernels:
        """The compiled loops; the first use compiles them or reads them from disk."""
        return kernels.build(self.rules, self.view)

    @functools.cached_property
    def layout(self) -> str:
        """A hash of what agents see and may do: networks for another are refused."""
        parts = (
            self.name,
            self.version,
            self.feature_names,
            self.feature_highs,
            self.hidden_feature_names,
        )
        words = tuple(self.choice(action, 0, self.player_counts[-1]) for action in range(self.actions))
        return hashlib.sha256(repr((parts, words)).encode()).hexdigest()[:16]

    @functools.cached_property
    def record_layout(self) -> str:
        """A hash of what a record holds as well: saved positions of another are refused."""
        return hashlib.sha256(repr((self.layout, self.dtype.descr)).encode()).hexdigest()[:16]

    # --- Setting up

    def check_players(self, players: Any) -> int:
        """`players` if the game can be played by so many; ValueError otherwise."""
        if isinstance(players, bool) or not isinstance(players, int | np.integer) or players not in self.player_counts:
            right = ", ".join(map(str, self.player_counts))
            plural = "s" if self.seats > 1 else ""
            raise ValueError(f"{self.name} is played by {right} player{plural}, not {players!r}")
        return int(players)

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Every option with its value, defaults where `options` does not name it; ValueError for a wrong name or value.

        Where the rules have a `why_no_game(options)`, it may say why these values do not go together.
        """
        for name in options:
            if name not in self.options:
                there = f"its options are {', '.join(self.options)}" if self.options else "it has none"
                raise ValueError(f"{self.name} has no option {name!r}; {there}")
        chosen = {}
        for name, option in self.options.items():
            chosen[name] = option.value(option.stored(name, options.get(name, option.default)))
        reason = self.rules.why_no_game(chosen) if hasattr(self.rules, "why_no_game") else None
        if reason:
            raise ValueError(reason)
        return chosen

    def changed_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options whose values are not the defaults."""
        defaults = self.check_options({})
        return {name: value for name, value in self.check_options(options).items() if value != defaults[name]}

    def blank(self, players: int, options: Mapping[str, Any] | None = None, n: int = 1) -> np.ndarray:
        """`n` records of zeroes with the number of players and the options filled in: what `deal` begins on."""
        games = np.zeros(n, self.dtype)
        games["players"] = self.check_players(players)
        for name, value in self.check_options(options or {}).items():
            games[name] = self.options[name].stored(name, value)
        return games

    # --- Positions, as records [n]

    def call(self, kernel: Any, *arguments: Any) -> None:
        """Run a kernel; in plain Python the random numbers' wrap-around is no error."""
        if JIT:
            kernel(*arguments)
        else:
            with np.errstate(over="ignore"):
                kernel(*(boxed(a) if isinstance(a, np.ndarray) and a.dtype == self.dtype else a for a in arguments))

    def move(self, games: np.ndarray, how: int, seeds: Any = 0, actions: Any = 0) -> None:
        """One move of the rules on each game, in place: `kernels.DEAL`, `DECIDE`, `ROLL` or `RESUME`."""
        n = len(games)
        seeds = np.ascontiguousarray(np.broadcast_to(np.asarray(seeds, np.uint64), n))
        actions = np.ascontiguousarray(np.broadcast_to(np.asarray(actions, np.int64), n))
        self.call(self.kernels.move, games, how, seeds, actions)

    def look(self, games: np.ndarray, seats: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What `seats` see of `games`: views [n], masks int8 [n, actions], features int8 [n, features]."""
        n = len(games)
        seats = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int32), n))
        views = np.zeros(n, self.dtype)
        masks = np.zeros((n, self.actions), np.int8)
        features = np.zeros((n, self.features), np.int8)
        self.call(self.kernels.look, as_bytes(games), views, as_bytes(views), self.table.keep, seats, masks, features)
        return views, masks, features

    def guess(self, views: np.ndarray, seats: Any, seeds: Any) -> np.ndarray:
        """One full game for each view that it could be, drawn at random; `views` are left as they are."""
        n = len(views)
        games = views.copy()
        seats = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int32), n))
        seeds = np.ascontiguousarray(np.broadcast_to(np.asarray(seeds, np.uint64), n))
        self.call(self.kernels.complete, games, seats, seeds)
        return games

    def reveal(self, games: np.ndarray, seats: Any) -> np.ndarray:
        """What is hidden from `seats`, as features int8 [n, hidden_features]."""
        seats = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int32), len(games)))
        hidden = np.zeros((len(games), self.hidden_features), np.int8)
        self.call(self.kernels.reveal, games, seats, hidden)
        return hidden

    def judge(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The games' points int32 [n, seats], who wins or leads int8 [n, seats], and whether `check` holds bool [n]."""
        n = len(games)
        scores, winners = np.zeros((n, self.seats), np.int32), np.zeros((n, self.seats), np.int8)
        sound = np.zeros(n, np.bool_)
        self.call(self.kernels.judge, games, scores, winners, sound)
        return scores, winners, sound

    # --- Words

    def choice(self, action: int, seat: int, players: int) -> str:
        """An action of `seat` in words."""
        return self._choices(seat, players)[action]

    def action(self, words: str, seat: int, players: int) -> int | None:
        """The action that these words of `seat` stand for, None where they stand for none."""
        return self._actions(seat, players).get(words)

    @functools.lru_cache(maxsize=64)  # noqa: B019  games live as long as the process
    def _choices(self, seat: int, players: int) -> tuple[str, ...]:
        return tuple(self.words.choice(action, seat, players) for action in range(self.actions))

    @functools.lru_cache(maxsize=64)  # noqa: B019
    def _actions(self, seat: int, players: int) -> dict[str, int]:
        return {words: action for action, words in enumerate(self._choices(seat, players))}


def _of_package(package: str) -> Game:
    """The game that this package defines; what a pickled game comes back as."""
    return importlib.import_module(package).GAME


def check_seed(seed: Any) -> int:
    """`seed` as a whole number of 64 bits; ValueError otherwise."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) <= MOST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return int(seed)
