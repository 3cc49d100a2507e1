"""Self-play: what the current network plays, and what its decisions were worth."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from handfast.agents.network import Network, masked_log_softmax, sample
from handfast.envs.core.batch import Batch
from handfast.training.config import Config


@dataclass
class Rollout:
    """Decisions of `n` games in step, each of the seat to move; NumPy memory that PyTorch shares.

    `fresh` steps are played between updates. They follow `overlap` steps of the rollout before: a decision is learned
    from once its seat's next decision, or the end, is known, so the last `overlap` steps wait for the next update.
    (To learn at once from those that happen to be known would favour decisions that end games.)

    `features`, `hidden`, `masks` int8 [steps, n, …]; `seats` and `actions` [steps, n]; `log_probabilities` float32
    [steps, n] of the actions when taken; `rewards` float32 [steps, n, seats]; `ends` int8 [steps, n]; `filled`,
    how many steps of the overlap hold decisions yet, the last ones.
    """

    fresh: int
    overlap: int
    filled: int
    features: np.ndarray
    hidden: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    actions: np.ndarray
    log_probabilities: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray


ARRAYS = ("features", "hidden", "masks", "seats", "actions", "log_probabilities", "rewards", "ends")


def allocate(batch: Batch, config: Config) -> Rollout:
    """Room for rollouts of this batch."""
    game, n = batch.game, batch.n
    fresh, overlap = config.steps, config.overlap_rounds * int(batch.games["players"].max())
    steps = overlap + fresh
    return Rollout(
        fresh,
        overlap,
        0,
        np.zeros((steps, n, game.features), np.int8),
        np.zeros((steps, n, game.hidden_features), np.int8),
        np.zeros((steps, n, game.actions), np.int8),
        np.zeros((steps, n), np.int32),
        np.zeros((steps, n), np.int64),
        np.zeros((steps, n), np.float32),
        np.zeros((steps, n, game.seats), np.float32),
        np.zeros((steps, n), np.int8),
    )


@torch.inference_mode()
def collect(batch: Batch, actor: Network, rollout: Rollout, config: Config, generator: torch.Generator) -> None:
    """Keep the last steps as the overlap, play on with every seat by the actor's probabilities, and fill the rest."""
    device = config.device
    for name in ARRAYS:
        array = getattr(rollout, name)
        array[: rollout.overlap] = array[len(array) - rollout.overlap :].copy()
    for t in range(rollout.overlap, rollout.overlap + rollout.fresh):
        rollout.features[t], rollout.masks[t], rollout.seats[t] = batch.features, batch.masks, batch.seats
        if config.critic_sees_hidden:
            rollout.hidden[t] = batch.hidden()
        features, masks = torch.from_numpy(batch.features).to(device), torch.from_numpy(batch.masks).to(device)
        log_probabilities = masked_log_softmax(actor(features), masks)
        uniform = 1 - torch.rand(batch.n, generator=generator)
        actions = sample(log_probabilities, uniform.to(device))
        rollout.log_probabilities[t] = log_probabilities.gather(1, actions[:, None])[:, 0].cpu().numpy()
        rollout.actions[t] = actions.cpu().numpy()
        batch.step(rollout.actions[t])
        rollout.rewards[t], rollout.ends[t] = batch.rewards, batch.ends
        if config.victory:
            rollout.rewards[t] += np.float32(config.victory) * outcomes(batch)


def outcomes(batch: Batch) -> np.ndarray:
    """What the games that have just ended pay by outcome, float32 [n, seats]; 0 where none has ended."""
    players = batch.games["players"][:, None]
    won = batch.winners / np.maximum(batch.winners.sum(1, keepdims=True), 1)
    share = np.where(players > 1, 1 / players, 0)
    takes_part = np.arange(batch.game.seats) < players
    return np.where(takes_part & (batch.ends > 0)[:, None], won - share, 0).astype(np.float32)


def advantages(
    rollout: Rollout, values: np.ndarray, gae_lambda: float, reward_scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalized advantages [steps, n] of each decision over its seat's own next decisions, and which to learn from.

    A seat is paid for a decision whatever falls to it up to its next one. A decision whose successor is not known
    only lends its value to the one before it. Gamma is 1.
    """
    steps, n = rollout.seats.shape
    seats = rollout.rewards.shape[2]
    row = np.arange(n)
    paid, next_value, next_advantage = (np.zeros((n, seats), np.float32) for _ in range(3))
    succeeded = np.zeros((n, seats), bool)
    result, known = np.zeros((steps, n), np.float32), np.zeros((steps, n), bool)
    for t in range(steps - 1, rollout.overlap - rollout.filled - 1, -1):
        over = rollout.ends[t] != 0
        paid[over], next_value[over], next_advantage[over], succeeded[over] = 0, 0, 0, True
        paid += rollout.rewards[t] * np.float32(reward_scale)
        seat = rollout.seats[t]
        delta = paid[row, seat] + next_value[row, seat] - values[t]
        known[t] = succeeded[row, seat]
        result[t] = np.where(known[t], delta + gae_lambda * next_advantage[row, seat], 0)
        paid[row, seat], next_value[row, seat], next_advantage[row, seat] = 0, values[t], result[t]
        succeeded[row, seat] = True
    known[rollout.fresh :] = False  # they wait for the next rollout
    rollout.filled = min(rollout.overlap, rollout.filled + rollout.fresh)
    return result, known


def flat(array: np.ndarray, rows: np.ndarray) -> Tensor:
    """The chosen decisions [m, …] of an array [steps, n, …]."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:])[rows])
