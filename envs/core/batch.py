"""Many games in step: what training and matches run on."""

import functools
import hashlib
import itertools
import os
import secrets
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.compiling import JIT, as_bytes
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.files import seal, unseal
from handfast.envs.core.game import Game, check_seed
from handfast.envs.core.table import CHANCE, FINISHED
from handfast.messages import shown

REWARDS = ("outcome", "score", "margin")
ILLEGAL_REWARD = -1.0  # where an illegal action ends the game

Seeds = int | Sequence[int] | np.ndarray


class IllegalAction(ValueError):
    """An action that is not among the choices of the seat to move; nothing was changed."""


class Batch:
    """`n` games of one kind in step, in buffers that are allocated once and updated in place.

    Buffers: `seats` int32 [n], the seat to move or FINISHED; `masks` int8 [n, actions] and `features` int8
    [n, features] of the seat to move; `rewards` float32 [n, seats] of the last step; `ends` int8 [n], 1 where the
    last step ended the game, 2 where it was truncated; `scores` int32, `winners` int8 and `outcomes` float64 (the
    victors share 1, less 1/players; alone, 1 for a victory) [n, seats] of the game that ended last; `actions` int64
    [n] taken last; `keys` uint64 [n], a random number for the decision at hand. PyTorch reads them without a copy.
    They are for reading: copy what must outlive the next step. What is written into them changes nothing, since
    games, movers and legal actions are kept apart. `games` [n] is a copy of the games, `views` [n] what the seats to
    move see, read-only.

    `players` is a number or one for each game, and so is every option. `seed` is a number, from which each game
    gets its own, or one seed a game. `agents_seed` is the same for the agents' luck, which has nothing to do with the
    deal; without it, it follows from the games' seeds, but not they from it. With `restart` a finished game begins
    anew on the seeds that follow from its own; without, it stays finished. A seed of None is drawn at random.

    `threads` share the games out in slices. Calls from several threads are carried out one after the other; the
    buffers are those of whichever step came last.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        players: int | Sequence[int] | None = None,
        seed: Seeds | None = 0,
        reward: str = "outcome",
        restart: bool = True,
        threads: int = 1,
        agents_seed: Seeds | None = None,
        **options: Any,
    ):
        check_count("the number of games", n)
        check_count("threads", threads)
        check_reward(reward)
        self.game, self.n, self.restart, self.reward = game, n, restart, reward
        self._blanks = _blank_records(game, n, players, options)
        self._allocate(threads)
        if seed is None:
            seed = secrets.randbits(64)
            agents_seed = secrets.randbits(64) if agents_seed is None else agents_seed
        self.reset(seed, agents_seed)

    def _allocate(self, threads: int) -> None:
        game, n = self.game, self.n
        self.seats = np.full(n, FINISHED, np.int32)
        self.masks = np.zeros((n, game.actions), np.int8)
        self.features = np.zeros((n, game.features), np.int8)
        self.rewards = np.zeros((n, game.seats), np.float32)
        self.outcomes = np.zeros((n, game.seats), np.float64)
        self.scores = np.zeros((n, game.seats), np.int32)
        self.winners = np.zeros((n, game.seats), np.int8)
        self.ends = np.zeros(n, np.int8)
        self.actions = np.zeros(n, np.int64)
        self.keys = np.zeros(n, np.uint64)
        # Never handed out, or as copies.
        self._games = self._blanks.copy()
        self._views = np.zeros(n, game.dtype)
        self._masks = np.zeros((n, game.actions), np.int8)
        self._seeds = np.zeros((n, 2), np.uint64)
        self._course = np.zeros((n, 3), np.int64)
        self._orders, self._seats = self._course[:, kernels.ORDER], self._course[:, kernels.MOVER]
        self._row = np.arange(n)
        self.views = _read_only(self._views)
        handed_out = (self._views, self.seats, self.masks, self.features, self.keys)
        self._decisions = Decisions(game, *map(_read_only, handed_out))
        self._kind = REWARDS.index(self.reward)
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(int)
        run = game.kernels.run if JIT else functools.partial(game.call, game.kernels.run)
        self._kernels = [functools.partial(run, *self._arrays(slice(a, b))) for a, b in itertools.pairwise(bounds)]
        self._begin_in_process()
        _BATCHES.add(self)

    def _begin_in_process(self) -> None:
        """Lock and threads of this process: those of a parent process do not come along when it forks."""
        self._lock = threading.RLock()
        self._pool = None
        if len(self._kernels) > 1:
            self._pool = ThreadPoolExecutor(len(self._kernels), thread_name_prefix="handfast")
            weakref.finalize(self, self._pool.shutdown, wait=False)

    def _arrays(self, part: slice) -> tuple:
        games, views = self._games[part], self._views[part]
        head = games, as_bytes(games), as_bytes(self._blanks[part]), views, as_bytes(views), self.game.table.keep
        kept = (self._seeds, self._course, self._masks)
        shown = (self.actions, self.seats, self.masks, self.features, self.rewards, self.outcomes, self.scores)
        more = (self.winners, self.ends, self.keys)
        return *head, *(array[part] for array in kept + shown + more)

    def _run(self, how: int) -> None:
        if self._pool is None:
            self._kernels[0](how, self._kind, self.restart)
            return
        waiting = [self._pool.submit(kernel, how, self._kind, self.restart) for kernel in self._kernels]
        for done in waiting:
            done.result()

    @property
    def games(self) -> np.ndarray:
        """A copy of the games, records [n]."""
        with self._lock:
            return as_bytes(self._games).copy().view(self.game.dtype)[:, 0]  # many times faster than field by field

    def look(self, seats: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What `seats`, one for all or one for each game, see: see `Game.look`. Seats are not checked."""
        with self._lock:
            return self.game.unchecked.look(self._games, seats)

    def reveal(self, seats: Any) -> np.ndarray:
        """What is hidden from `seats`, int8 [n, hidden_features]. Seats are not checked."""
        with self._lock:
            return self.game.unchecked.reveal(self._games, seats)

    def seeds_of(self, i: int) -> tuple[int, int]:
        """The seed of game `i`, and that of its agents' luck."""
        with self._lock:
            return int(self._games["seed"][i]), int(self._seeds[i, kernels.AGENTS])

    # --- Playing

    def reset(self, seed: Seeds | None = None, agents_seed: Seeds | None = None) -> None:
        """Begin every game anew: from one seed (split per game), one seed per game, or each game's next seed.

        `agents_seed` likewise; without it the agents' luck follows from the games' seeds.
        """
        if seed is None and agents_seed is not None:
            raise ValueError("agents_seed needs a seed beside it")
        if seed is None:
            with self._lock:
                self._run(kernels.BEGIN_NEXT)
            return
        deals = self._split(seed)
        agents = agent_seeds(deals) if agents_seed is None else self._split(agents_seed)
        with self._lock:
            self._seeds[:, kernels.DEALS], self._seeds[:, kernels.AGENTS] = deals, agents
            self._run(kernels.BEGIN)

    def _split(self, seed: Seeds) -> np.ndarray:
        """A seed for each game, uint64 [n]."""
        if np.ndim(seed) == 0:
            return np.random.SeedSequence(check_seed(seed)).generate_state(self.n, np.uint64)
        seeds = np.asarray([check_seed(one) for one in np.asarray(seed, object)], np.uint64)
        if len(seeds) != self.n:
            raise ValueError(f"a batch of {self.n} games takes {self.n} seeds, not {len(seeds)}")
        return seeds

    def step(self, actions: Any, rows: np.ndarray | None = None) -> None:
        """Take one action in every game, or in these rows alone; games that are finished stay as they are.

        `actions` are whole numbers [n], or one for each row; IllegalAction names the first that is not among its
        game's choices, and then nothing is changed.
        """
        with self._lock:
            if rows is None:
                self._orders[:] = self._checked(actions, self._row, "actions must be")
            else:
                rows = self._checked_rows(rows)
                orders = self._checked(actions, rows, "actions must be")
                self._orders[:] = kernels.WAIT
                self._orders[rows] = orders
            self._run(kernels.STEP)

    def ask(self, agent: Agent, rows: np.ndarray | None = None) -> np.ndarray:
        """What an agent chooses in every game, or in these rows, checked as `step` does."""
        chosen = agent(self.decisions(rows))
        with self._lock:
            rows = self._row if rows is None else self._checked_rows(rows)
            return self._checked(chosen, rows, "an agent must give")

    def _checked(self, actions: Any, rows: np.ndarray, what: str) -> np.ndarray:
        """`actions` where they are one legal whole number for each row, WAIT where its game is finished."""
        actions = np.asarray(actions)
        if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
            raise ValueError(f"{what} {len(rows)} whole numbers, not {actions.dtype} of shape {actions.shape}")
        inside = np.clip(actions, 0, self.game.actions - 1)
        finished = (self._seats if rows is self._row else self._seats[rows]) == FINISHED
        fine = finished | (self._masks[rows, inside] != 0) & (inside == actions)
        if not fine.all():
            wrong = int(np.argmin(fine))
            i = int(rows[wrong])
            reason = why_not(self.game, self._views[i : i + 1], int(self._seats[i]), int(actions[wrong]))
            raise IllegalAction(f"game {i}: {reason}")
        return np.where(finished, kernels.WAIT, actions).astype(np.int64)

    def _checked_rows(self, rows: Any) -> np.ndarray:
        """`rows` as whole numbers, each a game of the batch and none twice; ValueError otherwise."""
        rows = np.asarray(rows)
        if rows.size == 0 and rows.ndim == 1:
            return rows.astype(np.int64)
        if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= self.n:
            raise ValueError(f"rows are numbers of games, from 0 to {self.n - 1}, not {shown(rows.tolist())}")
        rows = rows.astype(np.int64)
        if np.bincount(rows).max() > 1:
            raise ValueError(f"rows are different games; {int(np.argmax(np.bincount(rows)))} is there twice")
        return rows

    def renew(self, rows: np.ndarray) -> None:
        """Begin, in these rows, the game that follows from the last one's seeds."""
        with self._lock:
            rows = self._checked_rows(rows)
            self._orders[:] = kernels.WAIT
            self._orders[rows] = kernels.RENEW
            self._run(kernels.STEP)

    def step_one(self, action: int) -> None:
        """Take a legal action in a batch of one game: for environments, which have checked it."""
        with self._lock:
            self._orders[0] = action
            self._run(kernels.STEP)

    def step_at_random(self) -> None:
        """Take a random choice in every game, chosen inside the kernel; `actions` tells which."""
        with self._lock:
            self._run(kernels.STEP_AT_RANDOM)

    def decisions(self, rows: np.ndarray | None = None) -> Decisions:
        """The decisions at hand as an agent takes them, read-only: of all games, as they are until the next step, or copies of these rows."""
        if rows is None:
            return self._decisions
        with self._lock:
            rows = self._checked_rows(rows)
            chosen = (self._views, self._seats.astype(np.int32), self._masks, self.features, self.keys)
            return Decisions(self.game, *(_read_only(array[rows]) for array in chosen))

    def hidden(self) -> np.ndarray:
        """What is hidden from the seat to move, int8 [n, hidden_features]."""
        with self._lock:
            return self.reveal(np.maximum(self._seats, 0))

    # --- Keeping and bringing back

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            kept = {name: getattr(self, name).copy() for name in _KEPT}
        return kept | {name: getattr(self, name) for name in _SETUP} | {"threads": len(self._kernels)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in _SETUP:
            setattr(self, name, state[name])
        self._blanks = self._blanks.copy()
        self._allocate(state["threads"])
        for name in _KEPT:
            getattr(self, name)[:] = state[name]
        self._look()
        self.rewards[:], self.ends[:] = state["rewards"], state["ends"]

    def _look(self) -> None:
        """Fill the buffers of the decisions at hand from the games as they are."""
        self._run(kernels.LOOK)

    def save(self, i: int | None = None) -> bytes:
        """All games as bytes, or game `i` alone."""
        part = slice(None) if i is None else self._checked_rows([i])
        kept = (self._games, self._course[:, kernels.MADE], self._seeds[:, kernels.AGENTS])
        with self._lock:
            return seal(self.game.record_layout.encode() + b"".join(array[part].tobytes() for array in kept))

    def restore(self, data: bytes, i: int | None = None) -> None:
        """Bring back what `save` gave, into all games or into game `i`.

        ValueError for bytes of another game or size, or of games that the rules cannot reach; then nothing is changed.
        """
        part = slice(None) if i is None else self._checked_rows([i])
        n = self.n if i is None else 1
        body, head = unseal(data), self.game.record_layout.encode()
        if not body.startswith(head):
            raise ValueError(f"these bytes are not a saved {self.game.name} of this version")
        if len(body) != len(head) + n * (self.game.dtype.itemsize + 16):
            raise ValueError(f"these bytes do not hold {n} game(s)")
        end = len(head) + n * self.game.dtype.itemsize
        games = np.frombuffer(body[len(head) : end], self.game.dtype)
        made, agents = np.frombuffer(body[end:], np.int64).reshape(2, n)
        self.game.check_sound(games)
        if (games["seat"] == CHANCE).any() or made.min() < 0:
            raise ValueError("a saved game stands at a decision, or at its end")
        with self._lock:
            self._games[part], self._course[part, kernels.MADE] = games, made
            self._seeds[part, kernels.AGENTS] = agents.view(np.uint64)
            for name in ("players", *self.game.options):
                self._blanks[name][part] = games[name]
            last = self.rewards.copy(), self.ends.copy()
            self._look()
            self.rewards[:], self.ends[:] = last
            self.rewards[part], self.ends[part] = 0, 0


# What makes a copy of a batch: how it was set up, and what its games have come to.
_SETUP = ("game", "n", "restart", "reward", "_blanks")
_KEPT = (
    "_games", "_course", "_seeds", "rewards", "outcomes", "scores", "winners", "ends", "actions",
)  # fmt: skip

_BATCHES: weakref.WeakSet[Batch] = weakref.WeakSet()


def _after_fork() -> None:
    for batch in _BATCHES:
        batch._begin_in_process()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _read_only(array: np.ndarray) -> np.ndarray:
    """The same memory, which cannot be written to through it."""
    array = array.view()
    array.flags.writeable = False
    return array


def agent_seeds(seeds: np.ndarray) -> np.ndarray:
    """Seeds of the agents' luck for games whose seeds are given, uint64 [n], by a hash that cannot be run backwards."""
    texts = [int(seed).to_bytes(8, "little") for seed in seeds]
    digests = b"".join(hashlib.blake2b(text, digest_size=8, person=b"agents").digest() for text in texts)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def _blank_records(game: Game, n: int, players: Any, options: dict[str, Any]) -> np.ndarray:
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
        no_list = isinstance(value, str) or (isinstance(value, np.ndarray) and value.ndim == 0)
        if no_list or not hasattr(value, "__len__"):
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
    """The number of players where none is given: 4 where the game allows it."""
    return 4 if 4 in game.player_counts else game.player_counts[-1]


def check_count(what: str, number: Any) -> None:
    """ValueError where this is no whole number from 1 on."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise ValueError(f"{what} must be a whole number from 1 on, not {shown(number)}")


def check_reward(reward: Any) -> None:
    """ValueError where this is no kind of reward."""
    if reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {shown(reward)}")


def check_illegal(illegal: str) -> None:
    """ValueError where this is no way to treat an illegal action."""
    if illegal not in ("raise", "terminate"):
        raise ValueError(f"illegal must be 'raise' or 'terminate', not {shown(illegal)}")


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
