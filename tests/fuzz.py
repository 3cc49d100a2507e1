"""Records damaged on purpose: whatever a game calls sound must be played on without harm.

`NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=… python -m tests.fuzz GAME RECORDS [SEED]` runs the long form.
"""

import sys

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.game import Game
from handfast.envs.core.table import CHANCE, FINISHED
from tests.positions import random_options


def moments(game: Game, n: int, seed: int) -> np.ndarray:
    """About `n` records of random games at random moments: decisions, luck about to decide, luck just decided, ends."""
    random = np.random.default_rng(seed)
    wide = 64
    blanks = [game.blank(int(random.choice(game.player_counts)), random_options(game, random)) for _ in range(wide)]
    games = np.concatenate(blanks)
    found: list[np.ndarray] = []

    def keep() -> None:
        found.append(games[random.random(wide) < 0.2].copy())

    def move(rows: np.ndarray, how: int, **what: np.ndarray) -> None:
        moved = games[rows]
        game.unchecked.move(moved, how, **what)
        games[rows] = moved

    move(np.arange(wide), kernels.DEAL, seeds=random.integers(2**64, size=wide, dtype=np.uint64))
    while sum(map(len, found)) < n:
        keep()
        chance = np.flatnonzero(games["seat"] == CHANCE)
        if len(chance):
            move(chance, kernels.ROLL)
            keep()
            move(chance, kernels.RESUME)
        moving = np.flatnonzero(games["seat"] >= 0)
        if len(moving):
            masks = game.unchecked.look(games[moving], games["seat"][moving])[1]
            move(moving, kernels.DECIDE, actions=(masks * random.random(masks.shape)).argmax(1))
        over = np.flatnonzero(games["seat"] == FINISHED)
        if len(over):
            for row in over[random.random(len(over)) < 0.2]:
                games[row] = game.blank(int(games["players"][row]), random_options(game, random))[0]
                move(np.array([row]), kernels.DEAL, seeds=random.integers(2**64, size=1, dtype=np.uint64))
    return np.concatenate(found)[:n]


def damaged(game: Game, games: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The records with one to three bytes each changed: to anything, by a little, or in one bit."""
    broken = games.copy()
    data = as_bytes(broken)
    for change in range(3):
        rows = np.flatnonzero(random.random(len(games)) < (0.4 if change else 1.0))
        at = random.integers(data.shape[1], size=len(rows))
        old = data[rows, at]
        little = old + random.integers(-3, 4, size=len(rows)).astype(np.uint8)
        bit = old ^ (np.uint8(1) << random.integers(8, size=len(rows), dtype=np.uint8))
        anything = random.integers(256, size=len(rows), dtype=np.uint8)
        kind = random.integers(3, size=len(rows))
        data[rows, at] = np.choose(kind, [little, bit, anything])
    return broken


def sound_ones(game: Game, n: int, seed: int) -> np.ndarray:
    """`n` damaged records that the game calls sound, each different from the one it was made from."""
    random = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    while sum(map(len, found)) < n:
        games = moments(game, 2048, int(random.integers(2**32)))
        for _ in range(8):
            broken = damaged(game, games, random)
            changed = (as_bytes(broken)[:, 8:] != as_bytes(games)[:, 8:]).any(1)  # the seed alone changes no position
            broken = broken[changed]
            found.append(broken[game.judge(broken)[2]])
    return np.concatenate(found)[:n]


def harmed(game: Game, games: np.ndarray, moves: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Play sound records on by random choices and luck; returns those that became unsound, as they were and as they are.

    At every tenth move each is also looked at, revealed and guessed from a random seat of its own.
    """
    random = np.random.default_rng(seed)
    now = games.copy()
    live = np.arange(len(now))
    for made in range(moves):
        going = live[now["seat"][live] != FINISHED]
        if len(going) == 0:
            break
        chance = going[now["seat"][going] == CHANCE]
        rolled = now[chance]
        game.unchecked.move(rolled, kernels.ROLL)
        game.unchecked.move(rolled, kernels.RESUME)
        now[chance] = rolled
        moving = going[now["seat"][going] >= 0]
        part = now[moving]
        masks = game.unchecked.look(part, part["seat"])[1]
        stuck = moving[~masks.any(1)]
        if len(stuck):
            return games[stuck], now[stuck]
        game.unchecked.move(part, kernels.DECIDE, actions=(masks * random.random(masks.shape)).argmax(1))
        now[moving] = part
        if made % 10 == 0:
            part = now[going]
            sound = game.judge(part)[2]
            if not sound.all():
                return games[going[~sound]], part[~sound]
            seats = random.integers(0, part["players"])
            views, _, _ = game.unchecked.look(part, seats)
            game.unchecked.reveal(part, seats)
            guesses = game.unchecked.guess(views, seats, random.integers(2**63, size=len(part)).astype(np.uint64))
            sound = game.judge(guesses)[2]
            if not sound.all():
                return views[~sound], guesses[~sound]
    sound = game.judge(now)[2]
    return games[~sound], now[~sound]


def main(name: str, n: int, seed: int = 0) -> None:
    """Play `n` damaged records that are called sound on, 400 moves each, and say what was harmed."""
    from handfast.envs import get

    game = get(name)
    done = 0
    while done < n:
        games = sound_ones(game, min(4096, n - done), seed + done)
        before, after = harmed(game, games, 400, seed + done)
        done += len(games)
        print(f"{name}: {done} played on, {len(before)} harmed", flush=True)
        for i in range(min(3, len(before))):
            print("was", before[i], "\nis", after[i])
        if len(before):
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
