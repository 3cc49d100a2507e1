"""What a training run is made of: typed defaults, overridden by a game's TOML file and by the command line."""

import difflib
import math
import os
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import handfast
from handfast.agents.checkpoint import MOST
from handfast.agents.network import shapes
from handfast.envs.core.batch import check_reward
from handfast.envs.core.game import MOST_SEED, Game
from handfast.messages import brief, shown

CONFIGS = Path(str(handfast.__file__)).parent / "configs"


@dataclass(frozen=True)
class Config:
    """A training run; the defaults are what the games are trained with where their files say nothing else.

    Sizes count decisions with more than one option. The learning rate and the entropy weight change linearly over
    the run.
    """

    players: tuple[int, ...] = ()  # player counts, mixed evenly over the games; all that the game allows
    options: dict[str, Any] = field(default_factory=dict)  # of the game
    reward: str = "score"  # points as they fall teach early
    victory: float = 0.0  # weight of the zero-sum outcome (shares of 1 less 1/players) that is added to the reward
    reward_scale: float = 1.0  # all of it is multiplied by this
    seed: int = 0  # one of 64 bits is drawn where nobody gives one, see `load`

    decisions: int = 12_000_000  # length of the run
    games: int = 512  # played in step
    steps: int = 128  # decisions per game between updates; the longer, the smaller the share that waits for the next
    epochs: int = 1  # passes over what was played
    minibatch: int = 2048

    width: int = 128
    blocks: int = 2
    critic_sees_hidden: bool = True

    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-4
    entropy: float = 0.02
    final_entropy: float = 0.002
    gae_lambda: float = 0.95
    clip: float = 0.2
    gradient_norm: float = 0.5
    averaging: float = 0.95  # decay of the actor's mean weights, per update

    evaluations: int = 8  # matches against the anchors and the best so far, spread over the run
    evaluation_deals: int = 64  # against the best so far up to 8 times as many, the closer the more
    final_deals: int = 250
    save_every: int = 25  # updates between saved states
    threads: int = 0  # of PyTorch; 0: one a processor
    device: str = "cpu"


TYPES = get_type_hints(Config)

# What a number may be, both ends included; but these are above 0.
ABOVE_0 = ("reward_scale", "learning_rate", "clip", "gradient_norm")
RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, MOST_SEED),
    "victory": (0, 10**6),
    "reward_scale": (0, 10**6),
    "decisions": (1, 10**12),
    "games": (1, 2**20),
    "steps": (1, 2**16),
    "epochs": (1, 1000),
    "minibatch": (1, 2**30),
    "width": (1, MOST),
    "blocks": (0, MOST),
    "learning_rate": (0, 1),
    "final_learning_rate": (0, 1),
    "entropy": (0, 1000),
    "final_entropy": (0, 1000),
    "gae_lambda": (0, 1),
    "clip": (0, 1000),
    "gradient_norm": (0, 10**9),
    "averaging": (0, 1),
    "evaluations": (1, 10**6),
    "evaluation_deals": (1, 10**6),
    "final_deals": (1, 10**6),
    "save_every": (1, 10**9),
    "threads": (0, 1024),
}


def load(game: Game, changes: Mapping[str, Any] | None = None, file: Path | None = None) -> Config:
    """The config of a game: defaults, then the game's file (or `file`), then `changes`; ValueError names the file at fault.

    A seed that nobody gives is drawn, with 64 bits.
    """
    path = file or CONFIGS / f"{game.name}.toml"
    if file is not None and not path.exists():
        raise ValueError(f"there is no file {path}")
    values = {"seed": secrets.randbits(64)} | (read(path) if path.exists() else {})
    changes = changes or {}
    return make(game, values | dict(changes), {name: path for name in values if name not in changes})


def read(path: Path) -> dict[str, Any]:
    """The values of a TOML file in the types of their settings; ValueError that names the file otherwise."""
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        return {name: checked(name, value) for name, value in values.items()}
    except (ValueError, RecursionError) as error:  # also of TOML that cannot be read
        raise ValueError(f"{path}: {brief(error)}") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def make(game: Game, values: Mapping[str, Any], files: Mapping[str, Path] | None = None) -> Config:
    """A config, completed and checked against the game; ValueError names the file that a wrong value came from, by `files`."""
    files = files or {}
    right: dict[str, Any] = {}
    for name, value in values.items():
        try:
            right[name] = _for_game(game, name, checked(name, value))
        except ValueError as error:
            raise ValueError(_from(files, name) + brief(error)) from None
    right["players"] = right.get("players") or tuple(game.player_counts)
    try:
        right["options"] = game.check_options(right.get("options", {}))
    except ValueError as error:
        raise ValueError(_from(files, "options") + brief(error)) from None
    config = Config(**right)
    if config.games < len(config.players):
        need = f"games must be at least {len(config.players)}, one for each player count, not {config.games}"
        raise ValueError(_from(files, "games") + need)
    needed, there = memory(game, config), _memory_here()
    if needed > there:
        raise ValueError(
            f"games={config.games:,}, steps={config.steps:,}, width={config.width:,} and blocks={config.blocks:,} take "
            f"{needed / 2**30:,.1f} GiB of memory at least; this machine has {there / 2**30:,.1f}"
        )
    return config


def memory(game: Game, config: Config) -> int:
    """The least memory in bytes that a run takes: its games, one rollout, and its networks."""
    seen = game.features + game.hidden_features * config.critic_sees_hidden
    actor = sum(map(math.prod, shapes(game.features, game.actions, config.width, config.blocks).values()))
    critic = sum(map(math.prod, shapes(seen, 1, config.width, config.blocks).values()))
    # Weights, gradients and Adam's two; of the actor also the mean of the weights, and the best so far.
    numbers = 6 * actor + 4 * critic
    decision = game.features + game.hidden_features + game.actions + 4 * game.seats + 17  # of a rollout, in bytes
    return config.games * (config.steps * decision + 3 * game.dtype.itemsize) + 4 * numbers


def _memory_here() -> float:
    """The machine's memory in bytes, infinite where the system does not tell."""
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return math.inf
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def checked(name: str, value: Any) -> Any:
    """`value` in the type of the setting `name` and in its range; ValueError that names the nearest setting or says what is right."""
    if name not in TYPES:
        near = difflib.get_close_matches(name[:80], TYPES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the settings are {', '.join(TYPES)}"
        raise ValueError(f"there is no setting {shown(name)}; {hint}")
    kind = TYPES[name]
    if name == "players":
        if isinstance(value, list | tuple) and all(type(one) is int for one in value):
            return tuple(value)
        raise ValueError(f"players must be a list of whole numbers, not {shown(value)}")
    right: Any = dict if name == "options" else kind
    if type(value) is not right and not (right is float and type(value) is int):
        raise ValueError(f"{name} must be {right.__name__}, not {shown(value)}")
    if name in RANGES:
        low, high = RANGES[name]
        if not low <= value <= high or (value == 0 and name in ABOVE_0):  # before float(): it may be too large for one
            right_range = f"above 0 and at most {high:,}" if name in ABOVE_0 else f"from {low:,} to {high:,}"
            raise ValueError(f"{name} must be {right_range}, not {shown(value)}")
    if name == "reward":
        check_reward(value[:80])
    return right(value)


def _for_game(game: Game, name: str, value: Any) -> Any:
    """`value`, checked against what the game allows."""
    if name == "players":
        return tuple(game.check_players(count) for count in value)
    return value


def _from(files: Mapping[str, Path], name: str) -> str:
    return f"{files[name]}: " if name in files else ""


def parse(assignment: str) -> tuple[str, Any]:
    """A setting from the command line, `name=value` with the value as in TOML (a bare word is a text)."""
    name, equals, text = assignment.partition("=")
    if not equals:
        raise ValueError(f"a setting is written name=value, not {shown(assignment)}")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    except (ValueError, RecursionError):  # a number of thousands of digits, or a thousand brackets
        raise ValueError(f"{shown(name)} cannot be {shown(text)}") from None
    return name, checked(name, value)
