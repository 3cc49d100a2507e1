"""One update: what each setting does to it."""

from typing import Any

import numpy as np
import pytest
import torch

from handfast.agents.network import Network
from handfast.envs.core.batch import Batch
from handfast.training import ppo, rollout
from handfast.training.config import Config, make
from tests.kuhn import GAME

SETTINGS = {"games": 32, "steps": 16, "minibatch": 128, "width": 8, "blocks": 1, "threads": 1}


def played(config: Config) -> tuple[ppo.Learner, rollout.Rollout]:
    """A fresh learner and a rollout that it has played."""
    batch, learner = Batch(GAME, config.games, 2, config.seed, "score"), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config, 2)
    rollout.collect(batch, learner.actor, room, config, learner.generator)
    return learner, room


def weights(network: torch.nn.Module) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in network.parameters()])


def step(config: Config, learner: ppo.Learner, room: rollout.Rollout, advantage: float, entropy: float = 0.0) -> None:
    """One step of the optimizer on all decisions, each of the same advantage, every value 1."""
    figures: dict[str, list[float]] = {name: [] for name in ("policy_loss", "value_error", "entropy", "kl", "clipped")}
    rows = np.arange(room.overlap * config.games, room.seats.size)
    same, targets = np.full(room.seats.shape, advantage, np.float32), np.ones(room.seats.size, np.float32)
    ppo._minibatch(learner, room, config, rows, same.reshape(-1), targets, entropy, figures)


@pytest.mark.parametrize(("done", "rate", "weight"), [(0, 0.01, 0.4), (1, 0.008, 0.325), (4, 0.002, 0.1)])
def test_learning_rate_and_entropy_weight_change_linearly(
    monkeypatch: pytest.MonkeyPatch, done: int, rate: float, weight: float
) -> None:
    rates = {"learning_rate": 0.01, "final_learning_rate": 0.002, "entropy": 0.4, "final_entropy": 0.1}
    config = make(GAME, SETTINGS | rates)
    learner, room = played(config)
    entropy_weights = []
    minibatch = ppo._minibatch

    def spy(*arguments: Any) -> None:
        entropy_weights.append(arguments[6])
        minibatch(*arguments)

    monkeypatch.setattr(ppo, "_minibatch", spy)
    assert ppo.update(learner, room, config, done, 4)["learning_rate"] == pytest.approx(rate)
    assert entropy_weights == pytest.approx([weight] * len(entropy_weights))
    assert learner.optimizer.param_groups[0]["lr"] == pytest.approx(rate)


@pytest.mark.parametrize("entropy", [0.0, 1.0])
def test_the_entropy_weight_makes_choices_more_even(entropy: float) -> None:
    config = make(GAME, SETTINGS)
    learner, room = played(config)
    bias = learner.actor.last.bias
    with torch.no_grad():
        bias[0] = 1.0
    for _ in range(20):
        step(config, learner, room, 0.0, entropy)
    spread = float((bias[0] - bias[1]).detach())
    assert spread < 0.99 if entropy else spread == 1.0


@pytest.mark.parametrize("epochs", [1, 3])
def test_every_epoch_is_a_pass_over_all_that_is_learned_from(epochs: int) -> None:
    config = make(GAME, SETTINGS | {"epochs": epochs})
    learner, room = played(config)
    ppo.update(learner, room, config, 0, 1)
    steps = {int(moments["step"]) for moments in learner.optimizer.state_dict()["state"].values()}
    assert steps == {epochs * -(-14 * 32 // 128)}  # two of the sixteen steps wait


@pytest.mark.parametrize(("moved", "advantage", "learns"), [(-1, 1, False), (1, -1, False), (-1, -1, True), (1, 1, True), (0, 1, True)])  # fmt: skip
def test_what_has_moved_beyond_the_clip_is_pushed_no_further(moved: float, advantage: float, learns: bool) -> None:
    """Chosen with e times less probability than now, it is not made likelier still; nor less likely where it was e times more."""
    config = make(GAME, SETTINGS)
    learner, room = played(config)
    room.log_probabilities += moved
    before = weights(learner.actor), weights(learner.critic)
    step(config, learner, room, advantage)
    assert torch.equal(weights(learner.actor), before[0]) != learns
    assert not torch.equal(weights(learner.critic), before[1])


def test_the_gradient_of_each_network_is_at_most_as_long_as_the_config_says() -> None:
    config = make(GAME, SETTINGS | {"gradient_norm": 1e-3})
    learner, room = played(config)
    learner.optimizer = torch.optim.SGD([*learner.actor.parameters(), *learner.critic.parameters()], lr=1.0)  # type: ignore[assignment]
    for network in (learner.actor, learner.critic):
        before = weights(network)
        step(config, learner, room, 1.0)
        assert float((weights(network) - before).norm()) == pytest.approx(1e-3, rel=0.02)


def test_the_reward_scale_and_lambda_of_the_config_are_those_of_the_advantages(monkeypatch: pytest.MonkeyPatch) -> None:
    config = make(GAME, SETTINGS | {"reward_scale": 0.125, "gae_lambda": 0.5})
    learner, room = played(config)
    asked = []
    advantages = ppo.advantages

    def spy(*arguments: Any) -> Any:
        asked.append(arguments[2:])
        return advantages(*arguments)

    monkeypatch.setattr(ppo, "advantages", spy)
    ppo.update(learner, room, config, 0, 1)
    assert asked == [(0.5, 0.125)]


def test_a_loss_that_is_not_finite_ends_the_run() -> None:
    config = make(GAME, SETTINGS)
    learner, room = played(config)
    room.rewards[:] = np.inf
    with pytest.raises(ValueError, match="the loss is not finite"), np.errstate(invalid="ignore"):
        ppo.update(learner, room, config, 0, 1)


def test_nothing_global_is_drawn_from_or_seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*arguments: Any) -> None:
        raise AssertionError("the generators of all devices were seeded")

    for name in ("manual_seed", "seed"):
        monkeypatch.setattr(torch, name, forbidden)
        monkeypatch.setattr(torch.random, name, forbidden)
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002  the global one is what is watched
    config = make(GAME, SETTINGS)
    learner, room = played(config)
    ppo.update(learner, room, config, 0, 1)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002


def test_the_explained_variance_is_what_the_critic_leaves_of_the_targets_variance() -> None:
    config = make(GAME, SETTINGS)
    learner, room = played(config)
    with torch.no_grad():
        learner.critic.last.weight.mul_(100)  # so that it has something to say
    values = ppo.values_of(learner, room, config)
    advantage, known = rollout.advantages(room, values, config.gae_lambda, config.reward_scale)
    targets = (advantage + values)[known]
    figures = ppo.update(learner, room, config, 0, 1)
    expected = 1 - np.var(targets - values[known]) / np.var(targets)
    assert figures["explained_variance"] == pytest.approx(expected, rel=1e-3)
    assert abs(expected) > 1e-3


def test_a_new_network_begins_by_choosing_almost_evenly() -> None:
    network = Network((1,) * 8, 5000, 64, 0, torch.Generator().manual_seed(1))
    assert network.last.weight.std().item() == pytest.approx(0.01 / 8, rel=0.02)
    assert not network.last.bias.any()


@pytest.mark.parametrize(("done", "decay"), [(0, 0.1), (2, 0.25), (6, 0.4375), (500, 0.9)])
def test_the_mean_of_the_weights_forgets_the_first_updates_soon(
    monkeypatch: pytest.MonkeyPatch, done: int, decay: float
) -> None:
    config = make(GAME, SETTINGS | {"averaging": 0.9})
    learner, room = played(config)
    decays: list[float] = []
    monkeypatch.setattr(ppo, "_average", lambda learner, decay: decays.append(decay))
    ppo.update(learner, room, config, done, 1000)
    assert decays == [pytest.approx(decay)]
