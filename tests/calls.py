"""The public functions called with whatever comes: types, shapes, seats, actions, rows, records and bytes at random.

`NUMBA_BOUNDSCHECK=1 python -m tests.calls CALLS [SEED]` runs the long form over all games.
"""

import contextlib
import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.batch import Batch
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.decisions import random_agent
from handfast.envs.core.files import seal, unseal
from handfast.envs.core.game import Game
from handfast.envs.core.seat import SeatEnv
from tests.fuzz import damaged, moments

REFUSED = (ValueError, TypeError, RuntimeError, IndexError, OverflowError, MemoryError)


class Caller:
    """Calls on one game, its objects kept between them as a careless user would."""

    def __init__(self, game: Game, others: list[Game], seed: int):
        self.game, self.others = game, others
        self.random = np.random.default_rng(seed)
        self.stock = moments(game, 512, seed)
        self.views = self._views()
        self.foreign = [moments(other, 8, seed) for other in others if other is not game]
        self.begin()

    def begin(self) -> None:
        """Objects anew."""
        self.batch = Batch(self.game, 5, seed=int(self.random.integers(2**32)), restart=bool(self.random.integers(2)))
        self.env = CardGameEnv(self.game, illegal=str(self.random.choice(["raise", "terminate"])))
        self.env.reset(seed=int(self.random.integers(2**32)))
        self.seat = SeatEnv(self.game)
        self.seat.reset(seed=int(self.random.integers(2**32)))

    def _views(self) -> np.ndarray:
        return self.game.look(self.stock, self.random.integers(0, self.stock["players"]))[0]

    # --- What is passed

    def number(self, most: int) -> Any:
        """Mostly a number from 0 to most - 1, at times anything."""
        kind = self.random.integers(12)
        if kind < 8:
            return int(self.random.integers(most))
        odd = [-1, -2, -3, most, most + 1, 10**9, 2**31, 2**63, 2**64, -(2**63), 1.5, None, "1", True, np.nan, [], b"1"]
        odd += [np.int8(1), np.uint64(2**63), np.float32(1), np.array(1), np.array([1]), np.array([[1]]), 0.0]
        return odd[self.random.integers(len(odd))]

    def numbers(self, n: int, most: int) -> Any:
        """Mostly `n` numbers from 0 to most - 1, at times anything."""
        kind = self.random.integers(10)
        if kind < 5:
            return self.random.integers(0, most, n)
        if kind == 5:
            return self.number(most)
        if kind == 6:
            return self.random.integers(-3, most + 3, n)
        if kind == 7:
            types = [np.int8, np.uint8, np.int16, np.float32, np.uint64, np.bool_, object, np.complex64]
            return self.random.integers(0, min(most, 100), n).astype(types[self.random.integers(len(types))])
        if kind == 8:
            return self.random.integers(0, most, self.random.integers(0, 9, self.random.integers(1, 3)))
        return [self.number(most) for _ in range(n)]

    def records(self) -> Any:
        """Records: real, damaged, of other games, random bytes, of another shape or kind."""
        n = int(self.random.integers(0, 4))
        rows = self.random.integers(len(self.stock), size=n)
        kind = self.random.integers(10)
        if kind < 3:
            return self.stock[rows]
        if kind < 6:
            return damaged(self.game, self.stock[rows], self.random) if n else self.stock[:0]
        if kind == 6:
            return self.views[rows]
        if kind == 7:
            noise = self.random.integers(0, 256, (n, self.game.dtype.itemsize), dtype=np.uint8)
            return np.frombuffer(noise.tobytes(), self.game.dtype)
        if kind == 8:
            return self.foreign[self.random.integers(len(self.foreign))][:n]
        odd = [
            self.stock[:4].reshape(2, 2),
            self.stock[0],
            self.stock[:6:2],
            as_bytes(self.stock[:2]),
            None,
            3,
            [],
            "x",
        ]
        odd += [self.stock[:2].view(np.recarray), np.zeros(3), self.stock[::-1][:3]]
        return odd[self.random.integers(len(odd))]

    def seen(self) -> Any:
        """Views: real ones, damaged ones, or any records."""
        kind = self.random.integers(3)
        rows = self.random.integers(len(self.views), size=2)
        if kind == 0:
            return self.views[rows]
        return damaged(self.game, self.views[rows], self.random) if kind == 1 else self.records()

    def data(self, real: bytes) -> Any:
        """Bytes: real, cut, or changed and sealed anew."""
        kind = self.random.integers(5)
        if kind == 0:
            return real
        if kind == 1:
            return real[: self.random.integers(len(real))]
        body = bytearray(unseal(real))
        for _ in range(self.random.integers(1, 4)):
            body[self.random.integers(len(body))] = self.random.integers(256)
        return seal(bytes(body)) if kind < 4 else bytes(body)

    # --- The calls

    def calls(self) -> list[Callable[[], Any]]:
        """Every public function, once."""
        game, batch, env, seat, random = self.game, self.batch, self.env, self.seat, self.random
        hows = [kernels.DEAL, kernels.DECIDE, kernels.ROLL, kernels.RESUME, 4, -1, None]

        def write() -> None:
            buffers = [batch.masks, batch.features, batch.seats, batch.keys, batch.actions, batch.rewards, batch.ends]
            buffer = buffers[random.integers(len(buffers))]
            buffer[:] = random.integers(-2, 127, buffer.shape).astype(buffer.dtype)

        def vandal(decisions: Any) -> Any:
            for name in ("masks", "features", "seats", "keys"):
                try:
                    getattr(decisions, name)[:] = 1
                except ValueError:
                    continue  # read-only, as it should be
            return self.numbers(len(decisions), game.actions)

        def move() -> None:
            games = self.records()
            game.move(games, hows[random.integers(len(hows))], self.numbers(2, 2**31), self.numbers(2, game.actions))

        def play_on() -> None:
            batch.step(random_agent(batch.decisions(np.arange(batch.n))))

        return [
            write,
            move,
            play_on,
            batch.step_at_random,
            lambda: game.look(self.records(), self.numbers(2, 5)),
            lambda: game.guess(self.seen(), self.numbers(2, 5), self.numbers(2, 2**31)),
            lambda: game.reveal(self.records(), self.numbers(2, 5)),
            lambda: game.judge(self.records()),
            lambda: game.blank(self.number(6), {}, self.number(4)),
            lambda: batch.step(self.numbers(5, game.actions)),
            lambda: batch.step(self.numbers(2, game.actions), self.numbers(2, 5)),
            lambda: batch.ask(vandal),
            lambda: batch.ask(vandal, self.numbers(2, 5)),
            lambda: batch.decisions(self.numbers(3, 5)),
            lambda: batch.renew(self.numbers(2, 5)),
            lambda: batch.reset(self.number(2**31), self.number(2**31)),
            lambda: batch.reset(self.numbers(5, 2**31)),
            lambda: batch.restore(self.data(batch.save())),
            lambda: batch.restore(self.data(batch.save(1)), self.number(5)),
            lambda: pickle.loads(pickle.dumps(batch)).step_at_random(),
            batch.hidden,
            lambda: env.step(self.number(game.actions)),
            lambda: env.step(int(env.observe(env.agent_selection)["action_mask"].argmax())),
            lambda: env.observe(f"player_{self.number(6)}"),
            env.state,
            env.last,
            env.choices,
            lambda: env.history("player_0"),
            lambda: env.restore(self.data(env.save())),
            lambda: copy.deepcopy(env).step(self.number(game.actions)),
            lambda: env.reset(self.number(2**31)),
            lambda: seat.step(self.number(game.actions)),
            lambda: seat.step(int(seat.action_masks().argmax())),
            lambda: seat.reset(seed=self.number(2**31)),
        ]

    def call(self, n: int) -> None:
        """`n` calls; what is refused is refused with an error, and every game that is left is sound."""
        calls = self.calls()
        for made in range(n):
            with contextlib.suppress(REFUSED):
                calls[self.random.integers(len(calls))]()
            if made % 64 == 0:
                assert self.game.judge(self.batch.games)[2].all()
                assert self.game.judge(self.env._batch.games)[2].all()
            if made % 1024 == 1023:
                self.begin()
                calls = self.calls()


def main(n: int, seed: int = 0) -> None:
    """`n` calls over all games."""
    from handfast.envs import GAMES

    games = list(GAMES.values())
    for number, game in enumerate(games):
        caller = Caller(game, games, seed + number)
        for done in range(0, n // len(games), 10_000):
            caller.call(10_000)
            print(f"{game.name}: {done + 10_000} calls", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(int, sys.argv[2:]))
