"""Many games in step: what training and matches run on."""

import itertools
import os
import secrets
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.files import seal, unseal
from handfast.envs.core.game import Game, check_seed
from handfast.envs.core.table import FINISHED

REWARDS = ("outcome", "score", "margin")
ILLEGAL_REWARD = -1.0  # where an illegal action ends the game


class IllegalAction(ValueError):
    """An action that is not among the choices of the seat to move; nothing was changed."""


class Batch:
    """`n` games of one kind in step, in buffers that are allocated once and updated in place.

    Buffers: `seats` int32 [n], the seat to move or FINISHED; `masks` int8 [n, actions] and `features` int8
    [n, features] of the seat to move; `rewards` float32 [n, seats] of the last step; `ends` int8 [n], 1 where the
    last step ended the game, 2 where it was truncated; `scores` int32 and `winners` int8 [n, seats] of the game that
    ended last; `actions` int64 [n] taken last; `views` [n] of the seat to move; `keys` uint64 [n], a random number
    for the decision at hand; `games` [n], the games themselves. PyTorch reads them without a copy. They are for
    reading: copy what must outlive the next step.

    `players` is a number or one for each game, and so is every option. `seed` is a number, from which each game
    gets its own, or one seed a game. With `restart` a finished game begins anew on the seed that follows from its
    own; without, it stays finished. A seed of None is drawn at random. `threads` share the games out in slices.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        players: int | Sequence[int] | None = None,
        seed: int | Sequence[int] | np.ndarray | None = 0,
        reward: str = "outcome",
        restart: bool = True,
        threads: int = 1,
        **options: Any,
    ):
        check_count("the number of games", n)
        check_count("threads", threads)
        check_reward(reward)
        self.game, self.n, self.restart, self.reward = game, n, restart, reward
        self.blanks = _blanks(game, n, players, options)
        self._allocate(threads)
        self.reset(secrets.randbits(64) if seed is None else seed)

    def _allocate(self, threads: int) -> None:
        game, n = self.game, self.n
        self.games = self.blanks.copy()
        self.views = np.zeros(n, game.dtype)
        self.seats = np.full(n, FINISHED, np.int32)
        self.masks = np.zeros((n, game.actions), np.int8)
        self.features = np.zeros((n, game.features), np.int8)
        self.rewards = np.zeros((n, game.seats), np.float32)
        self.scores = np.zeros((n, game.seats), np.int32)
        self.winners = np.zeros((n, game.seats), np.int8)
        self.ends = np.zeros(n, np.int8)
        self.actions = np.zeros(n, np.int64)
        self.made = np.zeros(n, np.int64)
        self.keys = np.zeros(n, np.uint64)
        self._seeds = np.zeros(n, np.uint64)
        self._row = np.arange(n)
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._slices = [self._arrays(slice(a, b)) for a, b in itertools.pairwise(bounds)]
        self._pool = None
        if len(self._slices) > 1:
            self._pool = ThreadPoolExecutor(len(self._slices), thread_name_prefix="handfast")
            weakref.finalize(self, self._pool.shutdown, wait=False)

    def _arrays(self, part: slice) -> tuple:
        games, views = self.games[part], self.views[part]
        head = games, as_bytes(games), as_bytes(self.blanks[part]), views, as_bytes(views), self.game.table.keep
        tail = (self._seeds, self.actions, self.seats, self.masks, self.features, self.rewards, self.scores)
        more = (self.winners, self.ends, self.made, self.keys)
        return *head, *(array[part] for array in tail + more)

    def _run(self, how: int) -> None:
        kind = REWARDS.index(self.reward)
        kernel = self.game.kernels.run
        if self._pool is None:
            self.game.call(kernel, *self._slices[0], how, kind, self.restart)
            return
        waiting = [self._pool.submit(self.game.call, kernel, *part, how, kind, self.restart) for part in self._slices]
        for done in waiting:
            done.result()

    # --- Playing

    def reset(self, seed: int | Sequence[int] | np.ndarray | None = None) -> None:
        """Begin every game anew: by one seed for all, from which game i gets its own, by a seed a game, or each by what follows from its last seed."""
        if seed is None:
            self._run(kernels.BEGIN_NEXT)
            return
        if np.ndim(seed) == 0:
            self._seeds[:] = np.random.SeedSequence(check_seed(seed)).generate_state(self.n, np.uint64)
        else:
            seeds = np.asarray([check_seed(one) for one in np.asarray(seed, object)], np.uint64)
            if len(seeds) != self.n:
                raise ValueError(f"a batch of {self.n} games takes {self.n} seeds, not {len(seeds)}")
            self._seeds[:] = seeds
        self._run(kernels.BEGIN)

    def step(self, actions: Any, rows: np.ndarray | None = None) -> None:
        """Take one action in every game, or in these rows alone; games that are finished stay as they are.

        IllegalAction names the first game and choice that is wrong; then no game has moved.
        """
        actions = self._checked(actions, rows, "actions must be")
        self.actions[:] = kernels.WAIT
        self.actions[slice(None) if rows is None else rows] = actions
        self._run(kernels.STEP)

    def ask(self, agent: Agent, rows: np.ndarray | None = None) -> np.ndarray:
        """What an agent chooses in every game, or in these rows, checked as `step` does."""
        return self._checked(agent(self.decisions(rows)), rows, "an agent must give")

    def _checked(self, actions: Any, rows: np.ndarray | None, what: str) -> np.ndarray:
        """`actions` where they are one legal whole number for each row, -1 where its game is finished."""
        rows = self._row if rows is None else self._checked_rows(rows)
        actions = np.asarray(actions)
        if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
            raise ValueError(f"{what} {len(rows)} whole numbers, not {actions.dtype} of shape {actions.shape}")
        inside = np.clip(actions, 0, self.game.actions - 1)
        finished = self.seats[rows] == FINISHED
        fine = finished | (self.masks[rows, inside] != 0) & (inside == actions)
        if not fine.all():
            wrong = int(np.argmin(fine))
            i = int(rows[wrong])
            reason = why_not(self.game, self.views[i : i + 1], int(self.seats[i]), int(actions[wrong]))
            raise IllegalAction(f"game {i}: {reason}")
        return np.where(finished, kernels.WAIT, actions)

    def _checked_rows(self, rows: Any) -> np.ndarray:
        rows = np.asarray(rows)
        if rows.ndim != 1 or rows.dtype.kind not in "iu" or (len(rows) and (rows.min() < 0 or rows.max() >= self.n)):
            raise ValueError(f"rows are numbers of games, from 0 to {self.n - 1}, not {rows.tolist()}")
        return rows

    def renew(self, rows: np.ndarray) -> None:
        """Begin, in these rows, the game that follows from the last one's seed."""
        self.actions[:] = kernels.WAIT
        self.actions[self._checked_rows(rows)] = kernels.RENEW
        self._run(kernels.STEP)

    def step_at_random(self) -> None:
        """Take a random choice in every game, chosen inside the kernel; `actions` tells which."""
        self._run(kernels.STEP_AT_RANDOM)

    def decisions(self, rows: np.ndarray | None = None) -> Decisions:
        """The decisions at hand, of all games or of these rows, as an agent takes them."""
        if rows is None:
            return Decisions(self.game, self.views, self.seats, self.masks, self.features, self.keys)
        return Decisions(
            self.game, self.views[rows], self.seats[rows], self.masks[rows], self.features[rows], self.keys[rows]
        )

    def hidden(self) -> np.ndarray:
        """What is hidden from the seat to move, int8 [n, hidden_features]."""
        return self.game.unchecked.reveal(self.games, np.maximum(self.seats, 0))

    # --- Keeping and bringing back

    def __getstate__(self) -> dict[str, Any]:
        kept = (
            "game",
            "n",
            "restart",
            "reward",
            "blanks",
            "games",
            "rewards",
            "scores",
            "winners",
            "ends",
            "actions",
            "made",
        )
        return {name: getattr(self, name) for name in kept} | {"threads": len(self._slices)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.game, self.n, self.restart, self.reward = (state[name] for name in ("game", "n", "restart", "reward"))
        self.blanks = state["blanks"].copy()
        self._allocate(state["threads"])
        self.games[:], self.made[:] = state["games"], state["made"]
        self._run(kernels.LOOK)
        for name in ("rewards", "scores", "winners", "ends", "actions"):
            getattr(self, name)[:] = state[name]

    def save(self, i: int | None = None) -> bytes:
        """All games as bytes, or game `i` alone."""
        part = slice(None) if i is None else self._checked_rows([i])
        return seal(self.game.record_layout.encode() + self.games[part].tobytes() + self.made[part].tobytes())

    def restore(self, data: bytes, i: int | None = None) -> None:
        """Bring back what `save` gave, into all games or into game `i`; ValueError for bytes of another game or size."""
        part = slice(None) if i is None else self._checked_rows([i])
        n = self.n if i is None else 1
        body, head = unseal(data), self.game.record_layout.encode()
        if not body.startswith(head):
            raise ValueError(f"these bytes are no saved {self.game.name} of this version")
        if len(body) != len(head) + n * (self.game.dtype.itemsize + 8):
            raise ValueError(f"these bytes do not hold {n} game(s)")
        end = len(head) + n * self.game.dtype.itemsize
        self.games[part] = np.frombuffer(body[len(head) : end], self.game.dtype)
        self.made[part] = np.frombuffer(body[end:], np.int64)
        for name in ("players", *self.game.options):
            self.blanks[name][part] = self.games[name][part]
        last = self.rewards.copy(), self.ends.copy()
        self._run(kernels.LOOK)
        self.rewards[:], self.ends[:] = last
        self.rewards[part], self.ends[part] = 0, 0


def _blanks(game: Game, n: int, players: Any, options: dict[str, Any]) -> np.ndarray:
    """Records with players and options filled in, each given once for all games or as a sequence of n."""
    if players is None:
        players = default_players(game)

    def each(value: Any, is_one: bool) -> list:
        if is_one:
            return [value]
        if len(value) != n:
            raise ValueError(f"a batch of {n} games takes one value or {n}, not {len(value)}")
        return list(value)

    def is_one(name: str, value: Any) -> bool:
        if isinstance(value, str) or not hasattr(value, "__len__"):
            return True
        is_list = name in game.options and game.options[name].length is not None
        return is_list and not any(isinstance(one, list | tuple) for one in value)

    columns = {name: each(value, is_one(name, value)) for name, value in options.items()}
    counts = each(players, is_one("players", players))
    if len(counts) == 1 and all(len(column) == 1 for column in columns.values()):
        return game.blank(counts[0], {name: column[0] for name, column in columns.items()}, n)
    rows = [
        game.blank(counts[i % len(counts)], {name: column[i % len(column)] for name, column in columns.items()})
        for i in range(n)
    ]
    return np.concatenate(rows)


def default_players(game: Game) -> int:
    """How many play where nothing is said: 4 where the game allows it."""
    return 4 if 4 in game.player_counts else game.player_counts[-1]


def check_count(what: str, number: Any) -> None:
    """ValueError where this is no whole number from 1 on."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise ValueError(f"{what} must be a whole number from 1 on, not {number!r}")


def check_reward(reward: Any) -> None:
    """ValueError where this is no kind of reward."""
    if reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")


def check_illegal(illegal: str) -> None:
    """ValueError where this is no way to treat an illegal action."""
    if illegal not in ("raise", "terminate"):
        raise ValueError(f"illegal must be 'raise' or 'terminate', not {illegal!r}")


def why_not(game: Game, view: np.ndarray, seat: int, action: int) -> str:
    """Why an action is not legal for the seat to move, in words, from what that seat knows."""
    position = view.view(np.recarray)[0]
    if not 0 <= action < game.actions:
        return f"player_{seat} may not choose {action}: actions are numbers from 0 to {game.actions - 1}"
    words = game.choice(action, seat, int(position.players))
    return f"player_{seat} may not choose `{words}`: {game.words.why_not(position, action)}"


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
