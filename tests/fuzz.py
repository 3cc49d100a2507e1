"""Records damaged on purpose: whatever a game calls sound must be played on without harm, and any view be guessed from.

`NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=… python -m tests.fuzz GAME RECORDS [SEED]` runs the long form, in which an index
out of bounds is an error. Give it a cache folder of its own: compiling with bounds checked takes half a minute a game.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.game import Game
from handfast.envs.core.table import CHANCE, FINISHED
from tests.mutants import mutated
from tests.positions import random_options
from tests.rulings import many

TOGETHER = 4096  # records that the long form plays on together
MOVES = 400


def moments(game: Game, n: int, seed: int) -> np.ndarray:
    """`n` records at random moments of whole random games: decisions, luck about to decide, luck just decided, ends."""
    random = np.random.default_rng(seed)
    wide = many(64, 4)
    games = np.zeros(wide, game.dtype)
    unfinished = np.ones(wide, bool)
    found: list[np.ndarray] = []

    def begin(rows: np.ndarray) -> None:
        for row in rows:
            games[row] = game.blank(int(random.choice(game.player_counts)), random_options(game, random))[0]
        move(rows, kernels.DEAL, seeds=random.integers(2**64, size=len(rows), dtype=np.uint64))

    def move(rows: np.ndarray, how: int, **what: np.ndarray) -> None:
        moved = games[rows]
        game.unchecked.move(moved, how, **what)
        games[rows] = moved

    def keep(rows: np.ndarray) -> None:
        found.append(games[rows[random.random(len(rows)) < 0.3]])

    begin(np.arange(wide))
    while unfinished.any() or sum(map(len, found)) < n:
        keep(np.arange(wide))
        chance = np.flatnonzero(games["seat"] == CHANCE)
        if len(chance):
            move(chance, kernels.ROLL)
            keep(chance)
            move(chance, kernels.RESUME)
            keep(chance)
        moving = np.flatnonzero(games["seat"] >= 0)
        if len(moving):
            masks = game.unchecked.look(games[moving], games["seat"][moving])[1]
            move(moving, kernels.DECIDE, actions=(masks * random.random(masks.shape)).argmax(1))
        over = np.flatnonzero(games["seat"] == FINISHED)
        unfinished[over] = False
        begin(over[random.random(len(over)) < 0.2])
    kept = np.concatenate(found)
    return kept[random.permutation(len(kept))[:n]]


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


def sound_pairs(game: Game, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Real records [n], and what damage made of each that the game calls sound; they differ in more than the seed.

    Half of the damage is to bytes, half to fields.
    """
    random = np.random.default_rng(seed)
    real: list[np.ndarray] = []
    found: list[np.ndarray] = []
    while sum(map(len, found)) < n:
        games = moments(game, many(2048, 50), int(random.integers(2**32)))
        for damage in (damaged, mutated) * 4:
            broken = damage(game, games, random)
            changed = np.flatnonzero((as_bytes(broken)[:, 8:] != as_bytes(games)[:, 8:]).any(1))
            sound = changed[game.judge(broken[changed])[2]]
            real.append(games[sound])
            found.append(broken[sound])
    return np.concatenate(real)[:n], np.concatenate(found)[:n]


def sound_ones(game: Game, n: int, seed: int) -> np.ndarray:
    """`n` damaged records that the game calls sound, each different from the one it was made from."""
    return sound_pairs(game, n, seed)[1]


def wrong_views(game: Game, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Real views [n], what damage made of each, with every field in its range, and whose they are."""
    random = np.random.default_rng(seed)
    games = moments(game, n, seed)
    seats = random.integers(0, games["players"]).astype(np.int32)
    views = game.unchecked.look(games, seats)[0]
    broken = np.concatenate([damaged(game, views[::2], random), mutated(game, views[1::2], random)])
    views, seats = np.concatenate([views[::2], views[1::2]]), np.concatenate([seats[::2], seats[1::2]])
    fine = game.table.in_range(broken, or_zero=True) & (broken["players"] == views["players"])
    return views[fine], broken[fine], seats[fine]


# --- Playing on -----------------------------------------------------------------------------------------------


def harmed(game: Game, games: np.ndarray, moves: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Play sound records on by random choices and luck; returns those that became unsound, as they were and as they are.

    At every tenth move each is also looked at, revealed and guessed from a random seat of its own, and one is told in
    words and drawn. A guess that is not sound is returned with the view that it was made from.
    """
    random = np.random.default_rng(seed)
    now = games.copy()
    for made in range(moves):
        going = np.flatnonzero(now["seat"] != FINISHED)
        if made % 10 == 0:
            rows = np.arange(len(now)) if made == 0 else going
            sound = game.judge(now[rows])[2]
            if not sound.all():
                return games[rows[~sound]], now[rows[~sound]]
            views, guesses = looked_at(game, now[rows], random)
            sound = game.judge(guesses)[2]
            if not sound.all():
                return views[~sound], guesses[~sound]
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
    sound = game.judge(now)[2]
    return games[~sound], now[~sound]


def looked_at(game: Game, games: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """What a random seat of each game sees, and a guess from that."""
    if len(games) == 0:
        return games, games
    seats = random.integers(0, games["players"]).astype(np.int32)
    views = game.unchecked.look(games, seats)[0]
    game.unchecked.reveal(games, seats)
    one = int(random.integers(len(games)))
    for shown in (games, views):
        record = shown[one : one + 1].copy().view(np.recarray)[0]
        game.words.describe(record)
        game.picture.draw(record)
    return views, game.unchecked.guess(views, seats, random.integers(2**64, size=len(games), dtype=np.uint64))


# --- The long form: what went wrong, each in a line -----------------------------------------------------------


def changes(game: Game, before: np.void, after: np.void) -> str:
    """What differs between two records, by field: `deck_count 24 -> 25, deck[3] 7 -> 9, known in 12 places`."""
    found = []
    for field in game.table.fields:
        old, new = np.asarray(before[field.name]), np.asarray(after[field.name])
        places = np.argwhere(old != new).tolist()
        for place in places if len(places) < 4 else ():
            where = "".join(f"[{one}]" for one in place)
            found.append(f"{field.name}{where} {old[tuple(place)]} -> {new[tuple(place)]}")
        if len(places) >= 4:
            found.append(f"{field.name} in {len(places)} places")
    return ", ".join(found)


def beyond_bounds(run: Callable[[slice], Any], first: int, end: int) -> Iterator[tuple[int, str]]:
    """The rows from `first` to `end` for which `run` alone leaves the bounds of an array, each with the error."""
    try:
        run(slice(first, end))
    except IndexError as error:
        if end - first == 1:
            yield first, str(error)
            return
        middle = (first + end) // 2
        yield from beyond_bounds(run, first, middle)
        yield from beyond_bounds(run, middle, end)


def failures_of_play(game: Game, n: int, seed: int) -> Iterator[str]:
    """Plays `n` damaged records on that are called sound."""
    real, games = sound_pairs(game, n, seed)
    found: list[tuple[np.void, np.void]] = []

    def play(rows: slice) -> None:
        for luck in range(1 if rows == slice(0, n) else 8):  # in a part of the records luck falls otherwise
            found.extend(zip(*harmed(game, games[rows], MOVES, seed + luck), strict=True))

    for row, error in beyond_bounds(play, 0, n):
        yield f"{changes(game, real[row], games[row])}; played on: {error}"
    rows = {record.tobytes(): row for row, record in enumerate(games)}
    for before, after in found:
        row = rows.get(before.tobytes())
        damage = "a guess" if row is None else changes(game, real[row], games[row])
        reason = game.table.out_of_range(after) or "not sound, or without a choice"
        yield f"{damage}; played on, {reason}: {changes(game, before, after)}"


def failures_of_guesses(game: Game, n: int, seed: int) -> Iterator[str]:
    """Guesses from `n` damaged views."""
    real, views, seats = wrong_views(game, n, seed)
    for row, error in beyond_bounds(lambda rows: game.unchecked.guess(views[rows], seats[rows], 0), 0, len(views)):
        yield f"{changes(game, real[row], views[row])}; guessed by seat {seats[row]}: {error}"


def main(name: str, n: int, seed: int = 0) -> None:
    """Play `n` damaged records on and guess from as many damaged views; the first failures end it, three of them told."""
    from handfast.envs import get

    game = get(name)
    for done in range(0, n, TOGETHER):
        part = min(TOGETHER, n - done)
        failures = [*failures_of_play(game, part, seed + done), *failures_of_guesses(game, part, seed + done)]
        print(f"{name}: {done + part} played on and guessed, {len(failures)} failed", flush=True)
        for failure in failures[:3]:
            print(f"  {failure}\n  again: python -m tests.fuzz {name} {part} {seed + done}")
        if failures:
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
