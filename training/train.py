"""A training run: self-play, updates, matches against the anchors, checkpoints. Read top to bottom.

A run lives in a folder: `config.json`; `state.sealed`, all that it goes on from; `best/`, written after the state and
from it, the newest checkpoint that was not worse than the one before; `curves/` for TensorBoard; `lock`, held while it
goes on.
"""

import copy
import dataclasses
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from filelock import FileLock, Timeout
from tqdm import tqdm

from handfast.agents import checkpoint, names
from handfast.agents.arena.duplicate import duplicate, opponents
from handfast.agents.arena.intervals import Interval, mean_of
from handfast.agents.arena.progress import display
from handfast.agents.network import NetworkAgent
from handfast.envs.core.batch import Batch, cores, default_players
from handfast.envs.core.decisions import Agent, random_agent
from handfast.envs.core.files import clear_drafts, write_whole
from handfast.envs.core.game import Game
from handfast.messages import brief, shown
from handfast.training import ppo, state
from handfast.training.config import Config, make
from handfast.training.curves import Curves
from handfast.training.rollout import Rollout, allocate, collect, overlap_of

STATE = "state.sealed"
# A new network meets the best so far on fresh deals, twice as many each time, until it is clear which is better
LOOKS = 4
SLACK, SLACK_ALONE = 0.02, 0.5  # where it stays unclear: the share of victories, or alone the points, that may be lost


def train(game: Game, config: Config, folder: Path, resume: bool = False, quiet: bool = False) -> dict[str, Any]:
    """Train an agent in `folder`, or go on with the run that is there; returns the card of the best checkpoint.

    ValueError where the folder holds another run or none, or this machine cannot run it; OSError where the folder
    cannot be written. A run that stopped before its first state was written begins anew.
    """
    config = _kept_config(game, folder) if resume else dataclasses.replace(config, threads=config.threads or cores())
    _check_machine(config)
    if not resume:
        _check_free(folder)
        folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / "lock", timeout=0):
            clear_drafts(folder, ("config.json", STATE))
            clear_drafts(folder / "best", ("card.json", "weights-*.safetensors"))
            if not resume:
                _check_free(folder)  # nobody has been faster
                kept = {"game": game.name, **dataclasses.asdict(config)}
                write_whole(folder / "config.json", json.dumps(kept, indent=1) + "\n")
            return _run(game, config, folder, quiet)
    except Timeout:
        raise ValueError(f"another process trains in {folder}: let it end, or stop it first") from None


def _run(game: Game, config: Config, folder: Path, quiet: bool) -> dict[str, Any]:
    """Self-play and updates up to the config's number of decisions, then the final matches."""
    torch.set_num_threads(config.threads)
    learner = ppo.begin(game, config)
    batch = _games(game, config)
    rollout = allocate(batch, config, overlap_of(game, config))
    kept = json.loads(json.dumps(dataclasses.asdict(config)))
    facts: dict[str, Any] = {"updates": 0, "seconds": 0.0, "evaluated": 0, "best": None, "config": kept}
    if (folder / STATE).exists():
        facts = state.load(folder / STATE, learner, batch, rollout, kept)
        _write_best(game, config, folder, learner, facts)  # a kill may have come between the state and it
    if not quiet:
        tqdm.write(f"training {game.title} in {folder}")
    total, played = updates_of(config), config.games * config.steps
    with (
        Curves(folder / "curves", facts["updates"] * played + 1) as curves,
        tqdm(total=total * played, initial=facts["updates"] * played, unit=" decisions",
             unit_scale=True, disable=quiet or None, desc=f"training {game.name}", smoothing=0.1) as bar,
    ):  # fmt: skip
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
                said = _evaluate(game, config, learner, facts, curves, facts["updates"] * played)
                if not quiet:
                    tqdm.write(said)
            if evaluate or facts["updates"] % config.save_every == 0:
                state.save(folder / STATE, learner, batch, rollout, facts)
                _write_best(game, config, folder, learner, facts)
    return _measure(game, config, folder, learner, facts, quiet)


def updates_of(config: Config) -> int:
    """How many updates make up the run."""
    return max(1, config.decisions // (config.games * config.steps))


def _check_free(folder: Path) -> None:
    """ValueError where a folder holds a run."""
    if any((folder / name).exists() for name in ("config.json", STATE, "best")):
        raise ValueError(f"{folder} holds a run already: resume it, or choose another folder")


def _check_machine(config: Config) -> None:
    """ValueError where this machine lacks the config's device, or is set to use fewer threads: other weights would come of it."""
    try:
        torch.zeros(1, device=config.device).cpu()
    except (RuntimeError, AssertionError, ImportError, AttributeError, ValueError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise ValueError(f"PyTorch has no device {shown(config.device)} here: {reason}") from None
    limit, dynamic = os.environ.get("OMP_THREAD_LIMIT", ""), os.environ.get("OMP_DYNAMIC", "").strip().lower()
    for name, fewer in (
        ("OMP_THREAD_LIMIT", limit.isdecimal() and int(limit) < config.threads),
        ("OMP_DYNAMIC", dynamic in ("true", "1") and config.threads > 1),
    ):
        if fewer:
            raise ValueError(
                f"{name}={shown(os.environ[name])} may give this run fewer than its {config.threads} threads, and then "
                "its weights differ: unset it, or begin a run with threads=1"
            )


def _kept_config(game: Game, folder: Path) -> Config:
    """The config that the run in a folder began with."""
    path = folder / "config.json"
    try:
        kept = json.loads(path.read_bytes())
        name = kept.pop("game")
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no run to resume: there is no {path}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {shown(error)}") from None
    if name != game.name:
        raise ValueError(f"{folder} holds a run of {shown(name)}, not of {game.name!r}")
    try:
        config = make(game, kept)
        return dataclasses.replace(config, threads=config.threads or cores())
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {brief(error)}") from None


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
    curves: Curves, bar: tqdm, rollout: Rollout, figures: dict[str, float], at: int, played: int, seconds: float
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
    curves.add({f"train/{name}": value for name, value in figures.items()}, at)
    bar.set_postfix(
        {"entropy": f"{figures.get('entropy', 0):.2f}", "explained": f"{figures.get('explained_variance', 0):.2f}"},
        refresh=False,
    )
    bar.update(played)


def _evaluate(game: Game, config: Config, learner: ppo.Learner, facts: dict[str, Any], curves: Curves, at: int) -> str:
    """Meet the anchors; keep the current network as the best if it is not worse than the best so far; say how it went."""
    players = default_players(game) if default_players(game) in config.players else config.players[0]
    current = NetworkAgent(learner.average, device=config.device)
    said = f"{at:>12,} decisions, {facts['seconds'] / 60:5.1f} minutes: share of victories with {players} players"
    for name in names.built_in(game):
        match = duplicate(
            game,
            current,
            [names.find(name, game)] * opponents(game, players),
            config.evaluation_deals,
            [config.seed, facts["evaluated"], LOOKS],
            config.options,
            purpose="evaluation",
        )
        curves.add({f"match/share_against_{name}": match.share.mean}, at)
        said += f"  {match.share} against {name}"
    better = True
    if learner.best is not None:
        best = NetworkAgent(learner.best, device=config.device)

        def lead(look: int) -> Interval:
            seed = [config.seed, facts["evaluated"], look]  # fresh deals at every look of every evaluation
            return _lead(game, config, current, best, config.evaluation_deals << look, seed)

        better, found = not_worse(lead, SLACK_ALONE if game.player_counts == (1,) else SLACK)
        curves.add({"match/lead_over_best": found.mean}, at)
        said += f"  lead over the best so far {found}"
    if better:
        learner.best = copy.deepcopy(learner.average)
        facts["best"] = {"decisions": at, "seconds": facts["seconds"]}
    return said + ("  kept" if better else "  the best so far stays")


def not_worse(lead: Callable[[int], Interval], slack: float) -> tuple[bool, Interval]:
    """Whether a new network may take the best one's place, and its lead in the match that decided.

    `lead(look)` is its lead over the best in a match on fresh deals, twice as many at each look. The first match whose
    interval leaves out zero decides. Where none does, the old one stays unless the new one leads in the largest
    match and could be worse by `slack` at most. So a network that is worse by about a standard error of that match
    takes over in one of ten evaluations, a much worse one hardly ever, and a chain of them cannot walk downhill.
    """
    for look in range(LOOKS):
        found = lead(look)
        if found.low > 0 or found.high < 0:
            break
    return found.low > 0 or (found.mean >= 0 and found.low >= -slack), found


def _lead(game: Game, config: Config, challenger: Agent, best: Agent, deals: int, seed: list[int]) -> Interval:
    """What a challenger has more than its par at tables of the best so far, the mean over all player counts.

    In shares of victories; in points where one plays alone, who may reach the goal too seldom to tell.
    """
    counts = sorted(set(config.players))
    leads = []
    for players in counts:
        table = [best] * opponents(game, players)
        match = duplicate(game, challenger, table, -(-deals // len(counts)), seed, config.options, purpose="evaluation")
        found, par = (match.margin, 0.0) if players == 1 else (match.share, match.par)
        leads.append(Interval(*(figure - par for figure in found)))
    return mean_of(leads)


def _write_best(game: Game, config: Config, folder: Path, learner: ppo.Learner, facts: dict[str, Any]) -> None:
    """Write the best network so far into `best/`, where it is not there yet."""
    if learner.best is None:
        return
    try:
        there = checkpoint.load_network(folder / "best", game).state_dict()
    except checkpoint.CheckpointError:
        there = {}
    wanted = learner.best.state_dict()
    if there.keys() != wanted.keys() or not all(torch.equal(there[name], wanted[name].cpu()) for name in wanted):
        checkpoint.save(folder / "best", game, learner.best, _card(config, facts))


def _card(config: Config, facts: dict[str, Any]) -> dict[str, Any]:
    """What a checkpoint's card tells of the run."""
    best = facts["best"]
    return {
        "players": list(config.players),
        "options": config.options,
        "seed": config.seed,
        "decisions": best["decisions"],
        "minutes": round(best["seconds"] / 60, 1),
        "config": facts["config"],
    }


def _measure(
    game: Game, config: Config, folder: Path, learner: ppo.Learner, facts: dict[str, Any], quiet: bool
) -> dict[str, Any]:
    """The best checkpoint's strength at every player count it was trained for, written into its card."""
    assert learner.best is not None  # the last update is followed by an evaluation
    agent = NetworkAgent(learner.best, device=config.device)
    rounds = [(players, name) for players in config.players for name in names.built_in(game)]
    strength = []
    with display(config.final_deals * sum(max(players, 2) for players, _ in rounds), "measuring", quiet) as progress:
        for players, name in rounds:
            match = duplicate(
                game,
                agent,
                [names.find(name, game)] * opponents(game, players),
                config.final_deals,
                options=config.options,
                progress=progress,
                purpose="final",
            )
            strength.append({"against": name, **match.to_dict()})
    return checkpoint.save(folder / "best", game, agent.network, _card(config, facts) | {"strength": strength})


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
