"""How fast games and training run on this machine."""

import importlib.util
import math
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.batch import Batch, cores
from handfast.envs.core.game import Game

GAMES = 4096
SECONDS = 1.0
REPEATS = 3
FORMS = ("batch", "aec", "train")
COMPILING = 20.0  # seconds, where no kernels are on the disk yet
LEARNING = 2e10  # operations a CPU-second of the networks in training, roughly


def header() -> str:
    """The machine and the versions that the figures were measured with."""
    import numba

    versions = f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}"
    if importlib.util.find_spec("torch"):
        import torch

        versions += f", torch {torch.__version__}"
    return f"{processor()}, {cores()} processors; {versions}"


def processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def rows(game: Game, player_counts: Sequence[int], forms: Sequence[str] = FORMS) -> Iterator[dict[str, Any]]:
    """The figures of a game in these forms, one row per form; medians of three. `train` is left out without PyTorch."""
    for players in player_counts:
        if "batch" in forms:
            for threads in _threads():
                yield _row(game, players, "batch", threads, *batch_rates(game, players, threads))
        if "aec" in forms:
            yield _row(game, players, "aec", 1, *aec_rates(game, players))
        if "train" in forms and _can_train():
            cpu, wall, share, shapes = training_rates(game, players)
            row = _row(game, players, "train", cores(), cpu, wall)
            yield row | {"share_of_bare": round(share, 3), "note": shapes}


def estimate(game: Game, player_counts: Sequence[int], forms: Sequence[str] = FORMS) -> float:
    """About how many seconds `rows` of these will take here, kernels still to be compiled included."""
    seconds = COMPILING
    for players in player_counts:
        seconds += (REPEATS + 0.5) * SECONDS * (len(_threads()) * ("batch" in forms) + ("aec" in forms))
        if "train" in forms and _can_train():
            seconds += _training_seconds(game, players)
    return seconds


def _threads() -> tuple[int, ...]:
    return (1, 2) if cores() > 1 else (1,)


def _can_train() -> bool:
    return all(importlib.util.find_spec(name) for name in ("torch", "safetensors"))


def _training_seconds(game: Game, players: int) -> float:
    """What `training_rates` takes: six rollouts with their updates, five of the bare networks."""
    from handfast.agents.network import shapes
    from handfast.training.config import load

    config = load(game, {"players": [players], "seed": 0})
    sizes = (game.features, game.actions), (game.features + game.hidden_features * config.critic_sees_hidden, 1)
    weights = sum(math.prod(shape) for size in sizes for shape in shapes(*size, config.width, config.blocks).values())
    one = config.games * config.steps * (1 + 3 * config.epochs) * 2 * weights / LEARNING / cores()
    return (2 * REPEATS + (REPEATS + 2) * 0.75) * one


def _row(game: Game, players: int, form: str, threads: int, cpu: float, wall: float) -> dict[str, Any]:
    rates = {"decisions_per_cpu_second": round(cpu), "decisions_per_second": round(wall)}
    return {"game": game.name, "players": players, "form": form, "threads": threads, **rates}


def rates(play: Callable[[], int]) -> tuple[float, float]:
    """Decisions a CPU-second and a second of `play`, which plays some and tells how many; medians of three."""
    play()
    cpu, wall = [], []
    for _ in range(REPEATS):
        decisions, began_cpu, began = 0, time.process_time(), time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            decisions += play()
        cpu.append(decisions / (time.process_time() - began_cpu))
        wall.append(decisions / (time.perf_counter() - began))
    return statistics.median(cpu), statistics.median(wall)


def batch_rates(game: Game, players: int, threads: int) -> tuple[float, float]:
    """A random choice, and view, mask and features of the seat to move, in 4,096 games in step."""
    batch = Batch(game, GAMES, players, threads=threads)

    def play() -> int:
        batch.step_at_random()
        return GAMES

    return rates(play)


def aec_rates(game: Game, players: int) -> tuple[float, float]:
    """A random choice by index, with observation and mask, in one PettingZoo environment."""
    env = CardGameEnv(game, players)
    random = np.random.default_rng(0).random(1 << 16).tolist()
    env.reset(seed=0)

    def play() -> int:
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(random[decisions & 0xFFFF] * len(legal))])
            decisions += 1
        return decisions

    return rates(play)


def training_rates(game: Game, players: int) -> tuple[float, float, float, str]:
    """Decisions (of more than one option) per CPU-second and per second of self-play with its updates, by the game's config;

    what share that is of the bare networks' speed; the shapes.
    """
    import torch

    from handfast.training import ppo
    from handfast.training.config import load
    from handfast.training.rollout import allocate, collect, overlap_of

    config = load(game, {"players": [players], "seed": 0})
    batch = Batch(game, config.games, players, reward=config.reward, **config.options)
    learner, rollout = ppo.begin(game, config), allocate(batch, config, overlap_of(game, config))

    def full() -> None:
        collect(batch, learner.actor, rollout, config, learner.generator)
        ppo.update(learner, rollout, config, 0, 1)

    def inputs() -> tuple[Any, Any]:
        fresh = slice(rollout.overlap, None)
        features = torch.from_numpy(rollout.features[fresh]).flatten(0, 1)
        hidden = torch.from_numpy(rollout.hidden[fresh]).flatten(0, 1)
        return features.float(), ppo.critic_input(features, hidden, config).float()

    full()
    features, seen = inputs()
    for _ in range(2):
        full()
        bare(learner, features, seen, config)
    decisions = config.games * config.steps
    cpu, wall, shares = [], [], []
    for _ in range(REPEATS):
        began_cpu, began = time.process_time(), time.perf_counter()
        full()
        seconds = time.perf_counter() - began
        cpu.append(decisions / (time.process_time() - began_cpu))
        wall.append(decisions / seconds)
        began = time.perf_counter()
        bare(learner, features, seen, config)
        shares.append((time.perf_counter() - began) / seconds)
    shapes = (
        f"{config.games} games x {config.steps} steps, {config.epochs} epochs of {config.minibatch}; actor "
        f"{game.features}-{config.width}x{config.blocks}-{game.actions}, critic {learner.critic.first.in_features}-{config.width}x{config.blocks}-1"
    )
    return statistics.median(cpu), statistics.median(wall), statistics.median(shares), shapes


def bare(learner: Any, features: Any, seen: Any, config: Any) -> None:
    """The same networks on the same shapes as one update of training, and nothing else: forward passes and optimizer steps.

    `features` float32 [decisions, features] are the actor's input, `seen` the critic's.
    """
    import torch

    with torch.inference_mode():
        for at in range(0, len(features), config.games):
            learner.actor(features[at : at + config.games])
        for at in range(0, len(seen), 8192):
            learner.critic(seen[at : at + 8192])
    optimizer = torch.optim.SGD([*learner.actor.parameters(), *learner.critic.parameters()], lr=0.0)
    for _ in range(config.epochs):
        for at in range(0, len(features), config.minibatch):
            optimizer.zero_grad(set_to_none=True)
            part = slice(at, at + config.minibatch)
            (learner.actor(features[part]).square().mean() + learner.critic(seen[part]).square().mean()).backward()
            optimizer.step()
