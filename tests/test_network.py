"""Networks, sampling, and checkpoints that load nothing but numbers."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from handfast.agents import checkpoint, names
from handfast.agents.network import Network, NetworkAgent, masked_log_softmax, sample
from handfast.envs import get
from handfast.envs.core.batch import Batch
from tests.kuhn import GAME as KUHN


def network(game=KUHN) -> Network:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        return Network(game.feature_highs, game.actions, 16, 1)


def test_an_illegal_action_is_never_sampled() -> None:
    generator = torch.Generator().manual_seed(0)
    scores = 40 * torch.randn(2000, 30, generator=generator)
    masks = (torch.rand(2000, 30, generator=generator) < 0.2).to(torch.int8)
    masks[torch.arange(2000), torch.randint(30, (2000,), generator=generator)] = 1
    for uniform in (
        torch.rand(2000, generator=generator).clamp(min=2**-24),
        torch.ones(2000),
        torch.full((2000,), 2**-24),
    ):
        actions = sample(masked_log_softmax(scores, masks), uniform)
        assert (masks[torch.arange(2000), actions] == 1).all()


def test_probabilities_are_those_of_the_legal_actions_alone() -> None:
    log_probabilities = masked_log_softmax(
        torch.tensor([[1.0, 2.0, 300.0]]), torch.tensor([[1, 1, 0]], dtype=torch.int8)
    )
    assert torch.allclose(log_probabilities[0, :2].exp(), torch.softmax(torch.tensor([1.0, 2.0]), 0))
    assert log_probabilities[0, 2].exp() < 1e-30


def test_sampling_follows_the_probabilities() -> None:
    wanted = torch.tensor([0.1, 0.0, 0.6, 0.3])
    uniform = (torch.arange(10_000) + 1) / 10_000
    actions = sample(wanted.clamp(min=1e-38).log().repeat(10_000, 1), uniform)
    times = torch.bincount(actions, minlength=4)
    assert times[1] == 0
    assert (times - torch.tensor([1000, 0, 6000, 3000])).abs().max() <= 1


def test_an_agent_plays_the_same_alone_and_among_others() -> None:
    batch = Batch(KUHN, 32)
    for greedy in (True, False):
        agent = NetworkAgent(network(), greedy)
        together = agent(batch.decisions())
        alone = [int(agent(batch.decisions(np.array([i])))[0]) for i in range(32)]
        assert together.tolist() == alone


def test_a_checkpoint_comes_back_as_it_was(tmp_path: Path) -> None:
    made = network()
    card = checkpoint.save(tmp_path, KUHN, made, {"decisions": 5})
    loaded = checkpoint.load_network(tmp_path, KUHN)
    assert all(torch.equal(a, b) for a, b in zip(made.parameters(), loaded.parameters(), strict=True))
    assert checkpoint.read_card(tmp_path) == card
    assert card["decisions"] == 5


def test_saving_again_leaves_one_agent_and_no_draft(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, KUHN, network(), {})
    other = network()
    with torch.no_grad():
        other.last.bias += 1
    checkpoint.save(tmp_path, KUHN, other, {})
    assert len(list(tmp_path.iterdir())) == 2
    assert torch.equal(checkpoint.load_network(tmp_path, KUHN).last.bias, other.last.bias)


def test_a_kill_between_the_two_files_leaves_the_old_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint.save(tmp_path, KUHN, network(), {})
    whole = checkpoint.write_whole

    def killed_before_the_card(path: Path, content: object) -> None:
        if path.name == "card.json":
            raise KeyboardInterrupt
        whole(path, content)

    monkeypatch.setattr(checkpoint, "write_whole", killed_before_the_card)
    other = network()
    with torch.no_grad():
        other.last.bias += 1
    with pytest.raises(KeyboardInterrupt):
        checkpoint.save(tmp_path, KUHN, other, {})
    assert torch.equal(checkpoint.load_network(tmp_path, KUHN).last.bias, network().last.bias)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 9}, "no card of format"),
        ({"game": "justiciar"}, "an agent for 'justiciar'"),
        ({"version": 4}, "version 4"),
        ({"features_version": 2}, "features version 2; now they are"),
        ({"weights": "../elsewhere"}, "does not describe its network"),
        ({"weights": "none.safetensors"}, "cannot be read"),
        ({"width": "wide"}, "does not describe its network"),
        ({"width": -1}, "does not describe its network"),
        ({"width": 10**9}, "does not describe its network"),
        ({"width": True}, "does not describe its network"),
        ({"width": 17}, "does not fit its card"),
        ({"sha256": "0"}, "is damaged"),
    ],
)
def test_a_wrong_card_is_refused_with_the_reason(tmp_path: Path, changes: dict, message: str) -> None:
    card = checkpoint.save(tmp_path, KUHN, network(), {})
    (tmp_path / "card.json").write_text(json.dumps(card | changes))
    with pytest.raises(checkpoint.CheckpointError, match=message):
        checkpoint.load(tmp_path, KUHN)


def test_a_damaged_or_missing_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(checkpoint.CheckpointError, match="holds no checkpoint"):
        checkpoint.load(tmp_path, KUHN)
    card = checkpoint.save(tmp_path, KUHN, network(), {})
    weights = tmp_path / card["weights"]
    weights.write_bytes(weights.read_bytes()[:-4])
    with pytest.raises(checkpoint.CheckpointError, match="is damaged"):
        checkpoint.load(tmp_path, KUHN)
    (tmp_path / "card.json").write_text("{")
    with pytest.raises(checkpoint.CheckpointError, match="is damaged"):
        checkpoint.load(tmp_path, KUHN)


def test_the_agents_in_checkpoints_play_the_games_that_their_cards_name() -> None:
    folders = [card.parent for card in names.CHECKPOINTS.glob("*/card.json")]
    assert folders
    for folder in folders:
        card = checkpoint.read_card(folder)
        game = get(card["game"])
        assert folder.name in names.kept(game)
        assert {(row["players"], row["against"]) for row in card["strength"]} == {
            (players, name) for players in card["players"] for name in names.built_in(game)
        }
        batch = Batch(game, 4)
        batch.step(checkpoint.load(folder, game)(batch.decisions()))


def test_agents_are_found_by_name(tmp_path: Path) -> None:
    game = get("justiciar")
    checkpoint.save(tmp_path, game, network(game), {})
    batch = Batch(game, 8)
    for name in ("random", "expert", f"checkpoint:{tmp_path}", *names.kept(game)):
        batch.step(names.find(name, game)(batch.decisions()))
    with pytest.raises(
        ValueError, match="there is no agent 'wizard' for justiciar; agents are random, expert, checkpoint:PATH"
    ):
        names.find("wizard", game)
    with pytest.raises(ValueError, match="there is no agent 'expert' for kuhn"):
        names.find("expert", KUHN)
