"""Self-play: what the current network plays, and what its decisions were worth."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from handfast.agents.network import Network, masked_log_softmax, sample
from handfast.envs.core.batch import Batch
from handfast.envs.core.game import Game
from handfast.training.config import Config

GAP_GAMES, GAP_STEPS, GAP_QUANTILE = 256, 512, 0.995
MOST_FORCED = 10_000  # moves without a choice in a row: no game has so many, unless it has nothing else


@dataclass
class Rollout:
    """Decisions of `n` games in step, each of the seat to move; NumPy memory that PyTorch shares.

    Every decision here has more than one option: forced moves are played on the way to the next one and not kept.
    `fresh` steps are played between updates. They follow `overlap` steps of the rollout before: a decision is learned
    from once its seat's next decision, or the end, is known, so the last `overlap` steps wait for the next update.
    (To learn at once from those that happen to be known would favour decisions that end games.)

    `features`, `hidden`, `masks` int8 [steps, n, …]; `seats` and `actions` [steps, n]; `log_probabilities` float32
    [steps, n] of the actions when taken; `rewards` float32 [steps, n, seats], all that was paid up to the next step;
    `ends` int8 [steps, n], whether a game ended on the way there; `filled`, how many steps hold decisions yet, the
    last ones.
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


def allocate(batch: Batch, config: Config, overlap: int) -> Rollout:
    """Room for rollouts of this batch that carry `overlap` steps over."""
    game, n, fresh = batch.game, batch.n, config.steps
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
    rollout.filled = min(rollout.overlap, rollout.filled) + rollout.fresh
    play_forced(batch)  # of games that have just been dealt: nobody has chosen anything that this could pay for
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
        rollout.rewards[t], rollout.ends[t] = paid(batch, config.victory), batch.ends
        play_forced(batch, rollout.rewards[t], rollout.ends[t], config.victory)


def play_forced(
    batch: Batch, rewards: np.ndarray | None = None, ends: np.ndarray | None = None, victory: float = 0.0
) -> None:
    """Play on in every game until its seat to move has more than one option.

    What is paid on the way is added to `rewards` float32 [n, seats], and an end noted in `ends` int8 [n]; what a game
    pays that begins on the way belongs to no decision, and is left out. ValueError where a game offers no choice.
    """
    rows = np.arange(batch.n)
    for _ in range(MOST_FORCED):
        rows = rows[batch.masks[rows].sum(1, dtype=np.int16) == 1]
        if len(rows) == 0:
            return
        batch.step(batch.masks[rows].argmax(1), rows)
        if rewards is not None and ends is not None:
            going_on = rows[ends[rows] == 0]
            rewards[going_on] += paid(batch, victory)[going_on]
            ends[going_on] = batch.ends[going_on]
    raise ValueError(f"{batch.game.name} with these options never offers a choice: there is nothing to learn")


def paid(batch: Batch, victory: float) -> np.ndarray:
    """What the last step paid, float32 [n, seats]: the batch's rewards, and `victory` times the outcome."""
    if not victory or not batch.ends.any():
        return batch.rewards
    return batch.rewards + np.float32(victory) * np.where(batch.ends[:, None] > 0, batch.outcomes, 0).astype(np.float32)


def gaps(batch: Batch, steps: int) -> np.ndarray:
    """How often, in `steps` of random play, a decision's successor came after 0, 1, 2 … steps: int64 [longest gap + 1].

    A step is a decision with more than one option in every game; the successor is the same seat's next such decision,
    or the end of the game, which may come in the same step.
    """
    row, none = np.arange(batch.n), -1
    since = np.full((batch.n, batch.game.seats), none)
    found = np.zeros(steps, np.int64)
    play_forced(batch)
    for t in range(steps):
        before = since[row, batch.seats]
        np.add.at(found, t - before[before != none], 1)
        since[row, batch.seats] = t
        batch.step_at_random()
        ends = batch.ends.copy()
        play_forced(batch, np.zeros_like(batch.rewards), ends)
        waiting = since[ends > 0]
        np.add.at(found, t - waiting[waiting != none], 1)
        since[ends > 0] = none
    return np.trim_zeros(found, "b")


def overlap_of(game: Game, config: Config) -> int:
    """The steps to carry over: within so many all but 1 in 200 decisions have a successor in random play."""
    players = [config.players[i % len(config.players)] for i in range(GAP_GAMES)]
    found = gaps(Batch(game, GAP_GAMES, players, config.seed, **config.options), GAP_STEPS)
    return max(1, int(np.searchsorted(np.cumsum(found), GAP_QUANTILE * found.sum())))


def advantages(
    rollout: Rollout, values: np.ndarray, gae_lambda: float, reward_scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalized advantages [steps, n] of each decision over its seat's own next decisions, and which to learn from.

    A seat is paid for a decision whatever falls to it up to its next one. A decision whose successor is not known
    is used for bootstrapping only. Gamma is 1.
    """
    steps, n = rollout.seats.shape
    seats = rollout.rewards.shape[2]
    row = np.arange(n)
    owed, next_value, next_advantage = (np.zeros((n, seats), np.float32) for _ in range(3))
    succeeded = np.zeros((n, seats), bool)
    result, known = np.zeros((steps, n), np.float32), np.zeros((steps, n), bool)
    for t in range(steps - 1, steps - rollout.filled - 1, -1):
        over = rollout.ends[t] != 0
        owed[over], next_value[over], next_advantage[over], succeeded[over] = 0, 0, 0, True
        owed += rollout.rewards[t] * np.float32(reward_scale)
        seat = rollout.seats[t]
        delta = owed[row, seat] + next_value[row, seat] - values[t]
        known[t] = succeeded[row, seat]
        result[t] = np.where(known[t], delta + gae_lambda * next_advantage[row, seat], 0)
        owed[row, seat], next_value[row, seat], next_advantage[row, seat] = 0, values[t], result[t]
        succeeded[row, seat] = True
    known[rollout.fresh :] = False  # they wait for the next rollout
    return result, known


def flat(array: np.ndarray, rows: np.ndarray | slice) -> Tensor:
    """The chosen decisions [m, …] of an array [steps, n, …]."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:])[rows])
