"""Agents by name: `random`, a rule-based agent of the game, `checkpoint:PATH`, or the name of a folder in checkpoints/."""

import importlib
import importlib.util
import json
from pathlib import Path

import numpy as np

import handfast
from handfast.envs.core.decisions import Agent, Decisions, random_agent
from handfast.envs.core.game import Game
from handfast.messages import shown, typed_path

CHECKPOINTS = Path(str(handfast.__file__)).parent / "checkpoints"


def find(name: str, game: Game) -> Agent:
    """The agent of this name for a game; ValueError that says which names there are otherwise."""
    if name == "random":
        return random_agent
    if name in _rule_based(game):
        return _only_for(game, _rule_based(game)[name])
    if name.startswith("checkpoint:"):
        return _only_for(game, _load(typed_path(name.removeprefix("checkpoint:")), game))
    if name in kept(game):
        return _only_for(game, _load(CHECKPOINTS / name, game))
    names = ", ".join([*built_in(game), "checkpoint:PATH", *kept(game)])
    raise ValueError(f"there is no agent {shown(name)} for {game.name}; agents are {names}")


def find_all(listed: str, game: Game) -> dict[str, Agent]:
    """The agents of a list with commas between, by name; ValueError where one of them is none."""
    names = [name.strip() for name in listed.split(",")]
    try:
        return {name: find(name, game) for name in names}
    except ValueError as error:
        if len(names) > 1 and any(name.startswith("checkpoint:") for name in names):
            raise ValueError(f"{error}. (Commas separate agents: a checkpoint's path can hold none.)") from None
        raise


def built_in(game: Game) -> list[str]:
    """Names of the agents for a game that need no training: the fixed anchors of every measurement."""
    return ["random", *_rule_based(game)]


def _rule_based(game: Game) -> dict[str, Agent]:
    """The rule-based agents of a game by name, `expert` the strongest: `AGENTS` in its module in experts/."""
    module = f"handfast.agents.experts.{game.name}"
    if importlib.util.find_spec(module) is None:
        return {}
    return importlib.import_module(module).AGENTS


def kept(game: Game) -> list[str]:
    """Names of the agents for a game that come with the suite."""
    return sorted(card.parent.name for card in CHECKPOINTS.glob("*/card.json") if _game_of(card) == game.name)


def _game_of(card: Path) -> str | None:
    """The game that a checkpoint's card names; None where the card cannot be read."""
    try:
        return json.loads(card.read_bytes())["game"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _only_for(game: Game, agent: Agent) -> Agent:
    """The agent, which refuses decisions of another game."""

    def choose(decisions: Decisions) -> np.ndarray:
        if decisions.game.name != game.name:  # a copied or pickled game is the same one
            raise ValueError(f"this agent plays {game.name}, not {decisions.game.name}")
        return agent(decisions)

    return choose


def _load(folder: Path, game: Game) -> Agent:
    try:
        from handfast.agents import checkpoint
    except ImportError as error:
        raise ImportError(f"a trained agent needs PyTorch ({error}): pip install 'handfast[train]'") from error
    return checkpoint.load(folder, game)
