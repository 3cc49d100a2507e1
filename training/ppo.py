"""Masked PPO: one update of actor and critic from one rollout."""

import copy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from handfast.agents.network import Network, masked_log_softmax
from handfast.envs.core.game import Game
from handfast.training.config import Config
from handfast.training.rollout import Rollout, advantages, flat

AT_ONCE = 8192  # decisions that the critic values in one pass


@dataclass
class Learner:
    """The networks in training, their optimizer, and the random generator of play and minibatches.

    `average` is the running mean of the actor's weights, and the agent that comes of the run: in games that are not
    transitive the last iterate cycles, the averaged one converges. `best` is the average that no later one has replaced.
    """

    actor: Network
    average: Network
    critic: Network
    optimizer: torch.optim.Adam
    generator: torch.Generator
    best: Network | None = None


def begin(game: Game, config: Config) -> Learner:
    """Fresh networks by the config's seed; no global random state is touched."""
    generator = torch.Generator().manual_seed(config.seed)
    seen = game.feature_highs + (1,) * game.hidden_features * config.critic_sees_hidden
    actor = Network(game.feature_highs, game.actions, config.width, config.blocks, generator).to(config.device)
    critic = Network(seen, 1, config.width, config.blocks, generator).to(config.device)
    average = copy.deepcopy(actor).requires_grad_(False)
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=config.learning_rate, eps=1e-5)
    return Learner(actor, average, critic, optimizer, generator)


def critic_input(features: Tensor, hidden: Tensor, config: Config) -> Tensor:
    """What the critic sees, int8 [m, …]."""
    return torch.cat([features, hidden], 1) if config.critic_sees_hidden else features


@torch.inference_mode()
def values_of(learner: Learner, rollout: Rollout, config: Config) -> np.ndarray:
    """The critic's values float32 [steps, n]."""
    total = rollout.seats.size
    values = np.empty(total, np.float32)
    for at in range(0, total, AT_ONCE):
        part = slice(at, at + AT_ONCE)
        seen = critic_input(flat(rollout.features, part), flat(rollout.hidden, part), config).to(config.device)
        values[part] = learner.critic(seen)[:, 0].cpu().numpy()
    return values.reshape(rollout.seats.shape)


def update(learner: Learner, rollout: Rollout, config: Config, done: int, total: int) -> dict[str, float]:
    """Improve both networks on a rollout, the update number `done` (from 0) of `total`. Returns the update's figures."""
    progress = done / total
    entropy_weight = config.entropy + progress * (config.final_entropy - config.entropy)
    for group in learner.optimizer.param_groups:
        group["lr"] = config.learning_rate + progress * (config.final_learning_rate - config.learning_rate)
    values = values_of(learner, rollout, config)
    advantage, known = advantages(rollout, values, config.gae_lambda, config.reward_scale)
    rows = np.flatnonzero(known)
    if len(rows) == 0:
        return {}
    due = (rollout.filled - rollout.overlap) * rollout.seats.shape[1]
    targets = (advantage + values).reshape(-1)
    chosen = advantage.reshape(-1)[rows]
    advantage = (advantage - chosen.mean()) / (chosen.std() + 1e-8)
    figures: dict[str, list[float]] = {name: [] for name in ("policy_loss", "value_error", "entropy", "kl", "clipped")}
    for _ in range(config.epochs):
        order = rows[torch.randperm(len(rows), generator=learner.generator).numpy()]
        for at in range(0, len(order), config.minibatch):
            part = order[at : at + config.minibatch]
            _minibatch(learner, rollout, config, part, advantage, targets, entropy_weight, figures)
    _average(learner, min(config.averaging, (1 + done) / (10 + done)))
    means = {name: float(np.mean(column)) for name, column in figures.items()}
    if not np.isfinite(list(means.values())).all():
        raise ValueError(f"the loss is not finite: {means}; a smaller learning_rate or reward_scale may help")
    spread = float(np.var(targets[rows]))
    explained = 1 - float(np.var(targets[rows] - values.reshape(-1)[rows])) / spread if spread > 0 else 0.0
    return means | {
        "explained_variance": explained,
        "learning_rate": learner.optimizer.param_groups[0]["lr"],
        "stale": float(known[: rollout.overlap].sum()) / len(rows),  # chosen by the weights before the last update
        "dropped": 1 - len(rows) / due,  # whose successor came too late to be waited for
    }


@torch.no_grad()
def _average(learner: Learner, decay: float) -> None:
    """Move the mean of the weights on by one update; the decay is small in the first ones, so that they are soon forgotten."""
    for mean, now in zip(learner.average.parameters(), learner.actor.parameters(), strict=True):
        mean.lerp_(now, 1 - decay)


def _minibatch(
    learner: Learner,
    rollout: Rollout,
    config: Config,
    rows: np.ndarray,
    advantage: np.ndarray,
    targets: np.ndarray,
    entropy_weight: float,
    figures: dict[str, list[float]],
) -> None:
    """One step of the optimizer on the decisions `rows`."""
    device = config.device
    features, masks = flat(rollout.features, rows).to(device), flat(rollout.masks, rows).to(device)
    actions, before = flat(rollout.actions, rows).to(device), flat(rollout.log_probabilities, rows).to(device)
    advantages_of, target = flat(advantage, rows).to(device), torch.from_numpy(targets[rows]).to(device)

    log_probabilities = masked_log_softmax(learner.actor(features), masks)
    change = log_probabilities.gather(1, actions[:, None])[:, 0] - before
    ratio = change.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.min(ratio * advantages_of, clipped * advantages_of).mean()
    entropy = -(log_probabilities.exp() * log_probabilities).sum(1).mean()

    value = learner.critic(critic_input(features, flat(rollout.hidden, rows).to(device), config))[:, 0]
    value_error = (value - target).square().mean()

    loss = policy_loss + value_error - entropy_weight * entropy
    learner.optimizer.zero_grad(set_to_none=True)
    loss.backward()
    for network in (learner.actor, learner.critic):
        nn.utils.clip_grad_norm_(network.parameters(), config.gradient_norm)
    learner.optimizer.step()

    with torch.no_grad():
        figures["policy_loss"].append(policy_loss.item())
        figures["value_error"].append(value_error.item())
        figures["entropy"].append(entropy.item())
        figures["kl"].append((ratio - 1 - change).mean().item())
        figures["clipped"].append(((ratio - 1).abs() > config.clip).float().mean().item())
