"""What a training run is made of: typed defaults, overridden by a game's TOML file and by the command line."""

import dataclasses
import difflib
import math
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import handfast
from handfast.agents.checkpoint import MOST
from handfast.envs.core.batch import check_reward
from handfast.envs.core.game import Game, check_seed

CONFIGS = Path(str(handfast.__file__)).parent / "configs"


@dataclass(frozen=True)
class Config:
    """A training run. Sizes count decisions; the learning rate and the entropy weight change linearly over the run."""

    players: tuple[int, ...] = ()  # player counts, mixed evenly over the games; all that the game allows
    options: dict[str, Any] = field(default_factory=dict)  # of the game
    reward: str = "outcome"
    victory: float = 0.0  # added to the reward for the victory: times the outcome, shares of 1 less 1/players
    reward_scale: float = 1.0  # all of it is multiplied by this
    seed: int = 0

    decisions: int = 12_000_000  # length of the run
    games: int = 1024  # played in step
    steps: int = 64  # decisions a game between updates
    overlap_rounds: int = 4  # rounds of the table, in decisions, within which a seat's next decision comes
    epochs: int = 2  # passes over what was played
    minibatch: int = 4096

    width: int = 128
    blocks: int = 2
    critic_sees_hidden: bool = True

    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-4
    entropy: float = 0.05
    final_entropy: float = 0.01
    gae_lambda: float = 0.95
    clip: float = 0.2
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    averaging: float = 0.95  # of the actor's weights: the share of the mean so far that an update keeps

    evaluations: int = 8  # matches against the anchors and the best so far, spread over the run
    evaluation_deals: int = 64
    final_deals: int = 250
    save_every: int = 25  # updates between saved states
    threads: int = 0  # of PyTorch; 0: one a processor
    device: str = "cpu"

    def __post_init__(self) -> None:
        positive = (
            "decisions",
            "games",
            "steps",
            "overlap_rounds",
            "epochs",
            "minibatch",
            "width",
            "evaluations",
            "evaluation_deals",
            "final_deals",
            "save_every",
        )
        for name in positive:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("blocks", "threads", "victory", "entropy", "final_entropy", "final_learning_rate", "value_weight"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be a number from 0 on, not {getattr(self, name)}")
        for name in ("width", "blocks"):
            if getattr(self, name) > MOST:
                raise ValueError(f"{name} must be at most {MOST:,}, not {getattr(self, name):,}")
        for name in ("reward_scale", "learning_rate", "clip", "gradient_norm"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be a number above 0, not {getattr(self, name)}")
        for name in ("gae_lambda", "averaging"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)}")
        check_seed(self.seed)
        check_reward(self.reward)


TYPES = get_type_hints(Config)


def load(game: Game, changes: dict[str, Any] | None = None, file: Path | None = None) -> Config:
    """The config of a game: defaults, then configs/default.toml, then the game's file (or `file`), then `changes`."""
    values: dict[str, Any] = {}
    for path in (CONFIGS / "default.toml", file or CONFIGS / f"{game.name}.toml"):
        if path.exists():
            values |= read(path)
        elif file is not None:
            raise ValueError(f"there is no file {path}")
    return make(game, values | (changes or {}))


def read(path: Path) -> dict[str, Any]:
    """The values of a TOML file, checked; ValueError that names the file otherwise."""
    try:
        values = tomllib.loads(path.read_text())
        return {name: checked(name, value) for name, value in values.items()}
    except (ValueError, RecursionError) as error:  # also of TOML that cannot be read
        raise ValueError(f"{path}: {error}") from None


def make(game: Game, values: dict[str, Any]) -> Config:
    """A config from checked values, completed and checked against the game."""
    config = Config(**{name: checked(name, value) for name, value in values.items()})
    players = config.players or game.player_counts
    for count in players:
        game.check_players(count)
    if config.games < len(players):
        raise ValueError(f"games must be at least {len(players)}, one for each player count, not {config.games}")
    return dataclasses.replace(config, players=tuple(players), options=game.check_options(config.options))


def checked(name: str, value: Any) -> Any:
    """`value` in the type of the setting `name`; ValueError that names the nearest setting or the right type."""
    if name not in TYPES:
        near = difflib.get_close_matches(name, TYPES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the settings are {', '.join(TYPES)}"
        raise ValueError(f"there is no setting {name!r}; {hint}")
    kind = TYPES[name]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if name == "players":
        if isinstance(value, list | tuple) and all(type(one) is int for one in value):
            return tuple(value)
        raise ValueError(f"players must be a list of whole numbers, not {value!r}")
    right = dict if name == "options" else kind
    if type(value) is not right:
        raise ValueError(f"{name} must be {right.__name__}, not {value!r}")
    return value


def parse(assignment: str) -> tuple[str, Any]:
    """A setting from the command line, `name=value` with the value as in TOML (a bare word is a text)."""
    name, equals, text = assignment.partition("=")
    if not equals:
        raise ValueError(f"a setting is written name=value, not {assignment!r}")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    return name, checked(name, value)
