"""A training run: self-play, updates, matches against the anchors, checkpoints. Read top to bottom.

A run lives in a folder: `config.json`; `state.sealed`, from which it goes on; `best/`, the newest
checkpoint that was not clearly worse than the one before; `curves/` for TensorBoard; `lock`, held while it goes on.
"""

import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from handfast.agents import checkpoint, names
from handfast.agents.arena.duplicate import Match, duplicate, opponents
from handfast.agents.arena.intervals import Interval
from handfast.agents.arena.progress import display
from handfast.agents.network import NetworkAgent
from handfast.envs.core.batch import Batch, cores, default_players
from handfast.envs.core.decisions import Agent, random_agent
from handfast.envs.core.game import Game
from handfast.training import ppo, state
from handfast.training.config import Config, make
from handfast.training.rollout import Rollout, allocate, collect

STATE = "state.sealed"
FINAL_DEALS_SEED = 2**32  # no evaluation on the way is played on these deals


def train(game: Game, config: Config, folder: Path, resume: bool = False, quiet: bool = False) -> dict[str, Any]:
    """Train an agent in `folder`, or go on with the run that is there; returns the card of the best checkpoint."""
    config = _kept_config(game, folder) if resume else _new_config(game, config, folder)
    try:
        with FileLock(folder / "lock", timeout=0):
            return _run(game, config, folder, resume, quiet)
    except Timeout:
        raise ValueError(f"another process trains in {folder}: let it end, or stop it first") from None


def _run(game: Game, config: Config, folder: Path, resume: bool, quiet: bool) -> dict[str, Any]:
    """Self-play and updates up to the config's number of decisions, then the final matches."""
    torch.set_num_threads(config.threads)
    learner = ppo.begin(game, config)
    batch = _games(game, config)
    rollout = allocate(batch, config)
    kept = json.loads(json.dumps(dataclasses.asdict(config)))
    facts: dict[str, Any] = {"updates": 0, "seconds": 0.0, "evaluated": 0, "config": kept}
    if resume and ((folder / STATE).exists() or (folder / "best").exists()):
        facts = state.load(folder / STATE, learner, batch, rollout, kept)
    if not quiet:
        tqdm.write(f"training {game.title} in {folder}")
    total, played = updates_of(config), config.games * config.steps
    curves = SummaryWriter(str(folder / "curves"), purge_step=facts["updates"] * played)
    bar = tqdm(total=total * played, initial=facts["updates"] * played, unit=" decisions",
               unit_scale=True, disable=quiet or None, desc=f"training {game.name}", smoothing=0.1)  # fmt: skip

    while facts["updates"] < total:
        began = time.monotonic()
        collect(batch, learner.actor, rollout, config, learner.generator)
        figures = ppo.update(learner, rollout, config, facts["updates"], total)
        facts["updates"] += 1
        seconds = time.monotonic() - began
        facts["seconds"] += seconds
        _draw(curves, bar, rollout, figures, facts["updates"] * played, played, seconds)
        evaluate = facts["updates"] * config.evaluations // total > facts["evaluated"]
        if evaluate:
            facts["evaluated"] = facts["updates"] * config.evaluations // total
            said = _evaluate(game, config, folder, learner, facts, curves, facts["updates"] * played)
            if not quiet:
                tqdm.write(said)
        if evaluate or facts["updates"] % config.save_every == 0:
            state.save(folder / STATE, learner, batch, rollout, facts)
    bar.close()
    curves.close()
    return _measure(game, config, folder, quiet)


def updates_of(config: Config) -> int:
    """How many updates make up the run."""
    return max(1, config.decisions // (config.games * config.steps))


def _new_config(game: Game, config: Config, folder: Path) -> Config:
    """The config that a run keeps for life, its number of threads settled; written down, so that no other run takes the folder."""
    if any((folder / name).exists() for name in ("config.json", STATE, "best")):
        raise ValueError(f"{folder} holds a run already: resume it, or choose another folder")
    try:
        torch.empty(0, device=config.device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"PyTorch has no device {config.device!r} here: {str(error).splitlines()[0]}") from None
    config = dataclasses.replace(config, threads=config.threads or cores())
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "config.json", "x") as file:
        json.dump({"game": game.name, **dataclasses.asdict(config)}, file, indent=1)
        file.write("\n")
    return config


def _kept_config(game: Game, folder: Path) -> Config:
    """The config that the run in a folder began with."""
    path = folder / "config.json"
    try:
        kept = json.loads(path.read_text())
        name = kept.pop("game")
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no run to resume: there is no {path}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {error!r}") from None
    if name != game.name:
        raise ValueError(f"{folder} holds a run of {name!r}, not of {game.name!r}")
    try:
        return make(game, kept)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from None


def _games(game: Game, config: Config) -> Batch:
    """The games of self-play, the player counts mixed evenly."""
    players = [config.players[i % len(config.players)] for i in range(config.games)]
    batch = Batch(game, config.games, players, config.seed, config.reward, **config.options)
    _stagger(batch, config.seed)
    return batch


def _stagger(batch: Batch, seed: int) -> None:
    """Begin the games one after the other over the length of one: played in step, all would end in the same updates."""
    length, ended = 0, np.zeros(batch.n, bool)
    while 2 * ended.sum() < batch.n:
        batch.step_at_random()
        ended |= batch.ends > 0
        length += 1
    batch.reset(seed)
    for step in range(length):
        rows = np.arange(batch.n * step // length)
        batch.step(batch.ask(random_agent, rows), rows)


def _draw(
    curves: SummaryWriter, bar: tqdm, rollout: Rollout, figures: dict[str, float], at: int, played: int, seconds: float
) -> None:
    """One point of every curve."""
    ends, rewards = rollout.ends[rollout.overlap :], rollout.rewards[rollout.overlap :]
    games = max(int((ends > 0).sum()), 1)
    figures = figures | {
        "decisions_per_second": played / seconds,
        "decisions_per_game": played / games,
        "truncated": float((ends == 2).sum()) / games,
        "return": float(rewards.sum()) / games,
    }
    for name, value in figures.items():
        curves.add_scalar(f"train/{name}", value, at)
    bar.set_postfix(
        {"entropy": f"{figures.get('entropy', 0):.2f}", "explained": f"{figures.get('explained_variance', 0):.2f}"},
        refresh=False,
    )
    bar.update(played)


def _evaluate(
    game: Game,
    config: Config,
    folder: Path,
    learner: ppo.Learner,
    facts: dict[str, Any],
    curves: SummaryWriter,
    at: int,
) -> str:
    """Meet the anchors; keep the current network as the best unless it is clearly worse than the best so far; say how it went."""
    players = default_players(game) if default_players(game) in config.players else config.players[0]
    current = NetworkAgent(learner.average, device=config.device)
    said = f"{at:>12,} decisions, {facts['seconds'] / 60:5.1f} minutes: share of victories with {players} players"
    for name in names.built_in(game):
        match = _match(game, config, current, names.find(name, game), players, facts["evaluated"])
        curves.add_scalar(f"match/share_against_{name}", match.share.mean, at)
        said += f"  {match.share} against {name}"
    better = True
    if (folder / "best" / "card.json").exists():
        best = checkpoint.load(folder / "best", game, config.device)
        against_best = _match(game, config, current, best, players, facts["evaluated"])
        curves.add_scalar("match/share_against_best", against_best.share.mean, at)
        # The newer one has learned more: it takes evidence to refuse it. Who plays alone may reach the goal too seldom to tell.
        found, equal = (against_best.margin, 0.0) if players == 1 else (against_best.share, against_best.par)
        better = found.high >= equal
    if better:
        checkpoint.save(folder / "best", game, learner.average, _card(config, at, facts["seconds"]))
    return said + ("  kept" if better else "  the best so far is better")


def _match(game: Game, config: Config, challenger: Agent, other: Agent, players: int, number: int) -> Match:
    """A match of evaluation `number`, each on deals of its own."""
    return duplicate(
        game, challenger, [other] * opponents(game, players), config.evaluation_deals, number, config.options
    )


def _card(config: Config, decisions: int, seconds: float) -> dict[str, Any]:
    return {
        "players": list(config.players),
        "options": config.options,
        "seed": config.seed,
        "decisions": decisions,
        "minutes": round(seconds / 60, 1),
        "config": dataclasses.asdict(config),
    }


def _measure(game: Game, config: Config, folder: Path, quiet: bool) -> dict[str, Any]:
    """The best checkpoint's strength at every player count it was trained for, written into its card."""
    agent = checkpoint.load(folder / "best", game, config.device)
    card = checkpoint.read_card(folder / "best")
    rounds = [(players, name) for players in config.players for name in names.built_in(game)]
    strength = []
    with display(config.final_deals * sum(max(players, 2) for players, _ in rounds), "measuring", quiet) as progress:
        for players, name in rounds:
            match = duplicate(
                game,
                agent,
                [names.find(name, game)] * opponents(game, players),
                config.final_deals,
                FINAL_DEALS_SEED,
                config.options,
                progress=progress,
            )
            strength.append({"against": name, **match.to_dict()})
    facts = {key: card.get(key) for key in ("players", "options", "seed", "decisions", "minutes", "config")}
    return checkpoint.save(folder / "best", game, agent.network, facts | {"strength": strength})


def report(game: Game, card: dict[str, Any]) -> str:
    """The table of a checkpoint's strength."""
    lines = [
        f"{game.title}: {card['decisions']:,} decisions of self-play in {card['minutes']} minutes; duplicate matches on "
        f"{card['strength'][0]['deals']} deals, 95 % intervals",
        f"{'players':>8}  {'against':12}  {'share of victories':24}  {'equal':>5}  {'points':24}  margin",
    ]
    for row in card["strength"]:
        share, score, margin = (str(Interval(*row[name])) for name in ("share", "score", "margin"))
        lines.append(f"{row['players']:>8}  {row['against']:12}  {share:24}  {row['par']:.3f}  {score:24}  {margin}")
    return "\n".join(lines)
