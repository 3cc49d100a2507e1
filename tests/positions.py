"""Random positions of any game, at every player count and with random options."""

from typing import Any

import numpy as np

from handfast.envs.core.batch import Batch
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.game import Game
from handfast.envs.core.table import Option

SHORT = 40  # a turn limit that cuts some games short


def random_options(game: Game, random: np.random.Generator, short: bool = True) -> dict[str, Any]:
    """Random options that go together. Ranges and lists are often the default, ranges without `short` always."""
    while True:
        chosen = {name: random_value(option, random, short) for name, option in game.options.items()}
        try:
            return game.check_options(chosen)
        except ValueError:
            continue  # these do not go together


def random_value(option: Option, random: np.random.Generator, short: bool) -> Any:
    """A random value of one option."""
    if option.length is not None:
        most = len(option.values)
        size = int(random.integers(option.length[0], option.length[1] + 1))
        places = random.choice(most, min(size, most), replace=False)
        return option.default if random.integers(2) else [option.values[int(place)] for place in places]
    if isinstance(option.values, range):
        small = int(max(option.values[0], min(option.values[-1], random.integers(1, SHORT))))
        return small if short and random.integers(4) == 0 else option.default
    return bool(random.integers(2)) if option.values is bool else str(random.choice(option.values))


def positions(game: Game, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """`n` games at random moments of random play, someone to move in each, and a random seat that looks at it."""
    random = np.random.default_rng(seed)
    wide = min(n, 128)
    rows = [random_options(game, random) for _ in range(wide)]
    options = {name: [row[name] for row in rows] for name in game.options}
    players = [int(random.choice(game.player_counts)) for _ in range(wide)]
    batch = Batch(game, wide, players, seed, **options)
    found: list[np.ndarray] = []
    while sum(map(len, found)) < n:
        for _ in range(int(random.integers(1, 12))):
            batch.step_at_random()
        found.append(batch.games[random.random(wide) < 0.3])
    games = np.concatenate(found)[:n]
    lookers = random.integers(0, games["players"])
    return games, np.where(random.random(n) < 0.5, games["seat"], lookers).astype(np.int32)


def seen(game: Game, games: np.ndarray, seats: np.ndarray) -> tuple[bytes, bytes, bytes]:
    """All that these seats see of the games: view, choices and features, as bytes."""
    views, masks, features = game.unchecked.look(games, seats)
    return as_bytes(views).tobytes(), masks.tobytes(), features.tobytes()
