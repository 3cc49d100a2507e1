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
from handfast.envs.core.table import CHANCE, FINISHED, GOING_ON, Option, Table
from handfast.envs.core.unchecked import Unchecked
from handfast.messages import shown

MOST_SEED = 2**64 - 1


class Game:
    """One game of the suite, made from the modules of its folder.

    Attributes: `name`, `title`, `version`; `features_version`, raised by any change in what features or actions mean;
    `player_counts`; `seats`, the most players; `options` by name; `table`,
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
        self.features_version: int = view.FEATURES_VERSION
        self.feature_names = feature_table.names(view.FEATURES)
        self.feature_highs = feature_table.highs(view.FEATURES)
        self.features = len(self.feature_names)
        self.hidden_feature_names = feature_table.names(view.HIDDEN_FEATURES)
        self.hidden_features = len(self.hidden_feature_names)
        self.unchecked = Unchecked(self)

    def __repr__(self) -> str:
        return f"<Game {self.name}-v{self.version}>"

    def __reduce__(self) -> tuple:
        return _of_package, (str(self.rules.__package__),)

    @functools.cached_property
    def kernels(self) -> kernels.Kernels:
        """The compiled loops; the first use compiles them or reads them from disk."""
        return kernels.build(self.rules, self.view)

    @functools.cached_property
    def record_layout(self) -> str:
        """A hash of what a record holds: saved positions of another are refused."""
        return hashlib.sha256(repr((self.name, self.version, self.dtype.descr)).encode()).hexdigest()[:16]

    # --- Setting up

    def check_players(self, players: Any) -> int:
        """`players` if the game can be played by so many; ValueError otherwise."""
        if isinstance(players, bool) or not isinstance(players, int | np.integer) or players not in self.player_counts:
            right = ", ".join(map(str, self.player_counts))
            plural = "s" if self.seats > 1 else ""
            raise ValueError(f"{self.name} is played by {right} player{plural}, not {shown(players)}")
        return int(players)

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Every option with its value, defaults where `options` does not name it; ValueError for a wrong name or value.

        Where the rules have a `why_no_game(options)`, it may say why these values do not go together.
        """
        if not isinstance(options, Mapping):
            raise ValueError(f"options are names with their values, not {shown(options)}")
        for name in options:
            if name not in self.options:
                there = f"its options are {', '.join(self.options)}" if self.options else "it has none"
                raise ValueError(f"{self.name} has no option {shown(name)}; {there}")
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
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise ValueError(f"the number of records is a whole number from 0 on, not {shown(n)}")
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
        """One move of the rules on each game, in place: `kernels.DEAL`, `DECIDE`, `ROLL` or `RESUME`.

        ValueError where a game is not one on which this move can be made, and then nothing is changed.
        """
        games = self._checked(games, "games", in_place=True)
        if type(how) is not int or how not in (kernels.DEAL, kernels.DECIDE, kernels.ROLL, kernels.RESUME):
            raise ValueError(f"a move is DEAL, DECIDE, ROLL or RESUME of kernels, not {shown(how)}")
        if how == kernels.DEAL:
            self._check_blank(games)
        else:
            self.check_sound(games)
            chance = games["seat"] == CHANCE
            if not (games["seat"] >= 0 if how == kernels.DECIDE else chance).all():
                raise ValueError("a seat must be to move" if how == kernels.DECIDE else "luck must be to decide")
        seeds = _numbers(seeds, "seeds", len(games), 0, MOST_SEED).astype(np.uint64)
        actions = _numbers(actions, "actions", len(games), 0, self.actions - 1)
        if how == kernels.DECIDE:
            masks = self.unchecked.look(games, games["seat"])[1]
            illegal = np.flatnonzero(masks[np.arange(len(games)), actions] == 0)
            if len(illegal):
                raise ValueError(f"game {illegal[0]}: action {actions[illegal[0]]} is not legal")
        moved = games.copy()
        self.unchecked.move(moved, how, seeds, actions)
        if how == kernels.RESUME:  # what luck decides may have been filled in from outside
            self.check_sound(moved)
        games[:] = moved

    def look(self, games: np.ndarray, seats: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What `seats` see of `games`: views [n], masks int8 [n, actions], features int8 [n, features].

        ValueError where a game is not sound or has no such seat.
        """
        games = self._checked(games, "games")
        self.check_sound(games)
        return self.unchecked.look(games, self._seats_of(games, seats))

    def guess(self, views: np.ndarray, seats: Any, seeds: Any) -> np.ndarray:
        """One full game for each view that it could be, drawn at random; `views` are left as they are.

        ValueError where a view is none of a sound game, or was not seen by that seat.
        """
        views = self._checked(views, "views")
        self._check_range(views, "view", or_zero=True)
        seats = self._seats_of(views, seats)
        games = self.unchecked.guess(views, seats, _numbers(seeds, "seeds", len(views), 0, MOST_SEED).astype(np.uint64))
        self.check_sound(games, "view")
        same = (as_bytes(self.unchecked.look(games, seats)[0]) == as_bytes(views)).all(1)
        if not same.all():
            raise ValueError(f"view {int(np.argmin(same))} is not what seat {seats[np.argmin(same)]} could see")
        return games

    def reveal(self, games: np.ndarray, seats: Any) -> np.ndarray:
        """What is hidden from `seats`, as features int8 [n, hidden_features]; ValueError as `look`."""
        games = self._checked(games, "games")
        self.check_sound(games)
        return self.unchecked.reveal(games, self._seats_of(games, seats))

    def judge(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The games' points int32 [n, seats], who wins or leads int8 [n, seats], and whether each is sound bool [n].

        A game is sound where every field is in its range, `check` holds, and whoever is to move has a choice. Points
        and winners of one that is not are 0.
        """
        games = self._checked(games, "games")
        scores, winners = np.zeros((len(games), self.seats), np.int32), np.zeros((len(games), self.seats), np.int8)
        sound = self.table.in_range(games) & np.isin(games["players"], self.player_counts)
        sound &= (games["seat"] < games["players"]) & ((games["seat"] == FINISHED) == (games["ended"] != GOING_ON))
        rows = np.flatnonzero(sound)
        sound[rows] = [self._setup_fits(game) for game in games[rows]]
        rows = np.flatnonzero(sound)
        scores[rows], winners[rows], sound[rows] = self.unchecked.judge(games[rows])
        moving = np.flatnonzero(sound & (games["seat"] >= 0))
        sound[moving] = self.unchecked.look(games[moving], games["seat"][moving])[1].any(1)
        scores[~sound], winners[~sound] = 0, 0
        return scores, winners, sound

    def _checked(self, records: Any, what: str, in_place: bool = False) -> np.ndarray:
        """`records` as an array [n] that kernels take; ValueError where they are not this game's."""
        if not isinstance(records, np.ndarray) or records.ndim != 1 or records.dtype != self.dtype:
            found = (
                f"{shown(records.dtype)} of shape {records.shape}"
                if isinstance(records, np.ndarray)
                else shown(records)
            )
            raise ValueError(f"{what} are records of {self.name} in an array [n], not {found}")
        if in_place and not (records.flags.writeable and records.flags.c_contiguous):
            raise ValueError(f"{what} are changed in place: they must be contiguous and writable")
        records = np.require(records, requirements=["C", "W"])  # kernels are compiled for arrays of one form
        return records.view(np.ndarray).view(self.dtype)

    def _check_range(self, records: np.ndarray, what: str, or_zero: bool = False) -> None:
        fine = self.table.in_range(records, or_zero) & np.isin(records["players"], self.player_counts)
        if not fine.all():
            wrong = int(np.argmin(fine))
            players = f"players is {records['players'][wrong]}"
            raise ValueError(f"{what} {wrong}: {self.table.out_of_range(records[wrong], or_zero) or players}")

    def check_sound(self, games: np.ndarray, what: str = "game") -> None:
        """ValueError where one of these games is none that the rules can reach; `what` it is called."""
        self._check_range(games, what)
        sound = self.judge(games)[2]
        if not sound.all():
            raise ValueError(f"{what} {int(np.argmin(sound))} is none of {self.name} that the rules can reach")

    def _setup_fits(self, game: np.void) -> bool:
        """Whether a record's options are as `blank` stores them, and go together."""
        try:
            options = self.check_options({name: option.value(game[name]) for name, option in self.options.items()})
        except ValueError:
            return False
        stored = {name: self.options[name].stored(name, value) for name, value in options.items()}
        return all(np.array_equal(game[name], value) for name, value in stored.items())

    def _check_blank(self, games: np.ndarray) -> None:
        """ValueError unless these are records as `blank` makes them."""
        rest = games.copy()
        for name in ("players", *self.options):
            rest[name] = 0
        self._check_range(games, "game", or_zero=True)
        if as_bytes(rest).any() or not all(map(self._setup_fits, games)):
            raise ValueError("a game is dealt on a record that `blank` makes")

    def _seats_of(self, games: np.ndarray, seats: Any) -> np.ndarray:
        """`seats` int32 [n], each a seat of its game; ValueError otherwise."""
        found = _numbers(seats, "seats", len(games), 0, self.seats - 1)
        absent = np.flatnonzero(found >= games["players"])
        if len(absent):
            i = int(absent[0])
            raise ValueError(f"game {i} has seats from 0 to {games['players'][i] - 1}, not {found[i]}")
        return found.astype(np.int32)

    # --- Words

    def choice(self, action: int, seat: int, players: int) -> str:
        """An action of `seat` in words; ValueError where there is no such action."""
        if not 0 <= action < self.actions:
            raise ValueError(f"actions are numbers from 0 to {self.actions - 1}, not {shown(action)}")
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


def _numbers(values: Any, what: str, n: int, least: int, most: int) -> np.ndarray:
    """`values` as an array [n] of whole numbers from `least` to `most`, one for all or one for each; ValueError otherwise."""
    found = np.asarray(values)
    whole = found.dtype.kind in "iu" and found.shape in ((), (n,))
    if not whole or (found.size and not least <= int(found.min()) <= int(found.max()) <= most):
        expected = f"whole numbers from {least} to {most}, one or one for each of {n}"
        raise ValueError(f"{what} are {expected}, not {shown(values)}")
    return np.broadcast_to(found, n)


def check_seed(seed: Any) -> int:
    """`seed` as a whole number of 64 bits; ValueError otherwise."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) <= MOST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {shown(seed)}")
    return int(seed)
