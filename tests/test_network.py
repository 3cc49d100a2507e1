"""Networks, sampling, and checkpoints that load nothing but numbers."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch

from handfast.agents import checkpoint, names
from handfast.agents.network import Network, NetworkAgent, masked_log_softmax, sample, shapes
from handfast.envs import get
from handfast.envs.core.batch import Batch
from tests.kuhn import GAME as KUHN


def network(game=KUHN) -> Network:
    return Network(game.feature_highs, game.actions, 16, 1, torch.Generator().manual_seed(1))


def test_a_network_begins_as_pytorchs_layers_do_and_draws_from_its_generator_alone() -> None:
    before = torch.get_rng_state()
    made, again = network(), network()
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(a, b) for a, b in zip(made.parameters(), again.parameters(), strict=True))
    for layer in (made.first, made.blocks[0].inner, made.blocks[0].outer):
        bound = layer.in_features**-0.5  # of nn.Linear
        for weights in (layer.weight.detach(), layer.bias.detach()):
            assert float(weights.abs().max()) <= bound
            assert float(weights.std()) == pytest.approx(bound / 3**0.5, rel=0.4)
    assert not made.last.bias.any()
    assert all(not parameter.any() or parameter.eq(1).all() for parameter in Network((1, 1), 2, 4, 1).parameters())


@pytest.mark.parametrize(("width", "blocks"), [(1, 0), (3, 2)])
def test_the_shapes_of_a_network_are_known_without_it(width: int, blocks: int) -> None:
    built = {name: tuple(tensor.shape) for name, tensor in Network((1,) * 5, 7, width, blocks).state_dict().items()}
    assert shapes(5, 7, width, blocks) == built


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


@pytest.mark.parametrize("sizes", [{"width": 16_384}, {"blocks": 16_384}, {"width": 16_384, "blocks": 3}])
def test_a_card_that_claims_another_size_is_refused_before_a_network_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: dict
) -> None:
    card = checkpoint.save(tmp_path, KUHN, network(), {})
    (tmp_path / "card.json").write_text(json.dumps(card | sizes))
    monkeypatch.setattr(checkpoint, "Network", None)
    with pytest.raises(checkpoint.CheckpointError, match="does not fit its card"):
        checkpoint.load(tmp_path, KUHN)


def seal_weights(folder: Path, tensors: dict[str, torch.Tensor] | bytes) -> None:
    """Put these tensors, or bytes, in the place of a checkpoint's weights, with a card that says so."""
    body = tensors if isinstance(tensors, bytes) else safetensors.torch.save(tensors)
    card = checkpoint.read_card(folder)
    (folder / card["weights"]).write_bytes(body)
    (folder / "card.json").write_text(json.dumps(card | {"sha256": hashlib.sha256(body).hexdigest()}))


@pytest.mark.parametrize(
    ("change", "message"),
    [(lambda t: t | {"first.bias": t["first.bias"].double()}, "first.bias holds torch.float64"), (lambda t: t | {"first.bias": t["first.bias"].bfloat16()}, "first.bias holds torch.bfloat16"), (lambda t: t | {"first.bias": t["first.bias"].int()}, "first.bias holds torch.int32"), (lambda t: t | {"last.bias": t["last.bias"] / 0 * 0}, "last.bias holds numbers that are not finite"), (lambda t: t | {"last.bias": t["last.bias"] + torch.inf}, "last.bias holds numbers that are not finite"), (lambda t: t | {"x" * 10_000: torch.zeros(1)}, "it has a tensor 'xxx"), (lambda t: {n: w for n, w in t.items() if n != "norm.bias"}, "it lacks a tensor 'norm.bias'"), (lambda t: t | {"norm.bias": torch.zeros(15)}, r"norm.bias is \(15,\), by the card \(16,\)"), (lambda t: b"rubbish", "holds no weights"), (lambda t: b"", "holds no weights")],
)  # fmt: skip
def test_weights_that_are_no_numbers_of_this_network_are_refused_by_name(
    tmp_path: Path, change: Callable[[dict], dict | bytes], message: str
) -> None:
    checkpoint.save(tmp_path, KUHN, network(), {})
    seal_weights(tmp_path, change(dict(network().state_dict())))
    with pytest.raises(checkpoint.CheckpointError, match=message) as caught:
        checkpoint.load(tmp_path, KUHN)
    assert "weights-" in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(tmp_path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "a\0b.safetensors",
        "\udcff.safetensors",
        "",
        ".",
        "..",
        "x" * 10_000 + ".safetensors",
        "/etc/passwd",
        None,
        3,
        ["a"],
    ],
)
def test_a_weights_name_that_names_no_file_of_the_folder_is_refused(tmp_path: Path, name: object) -> None:
    card = checkpoint.save(tmp_path, KUHN, network(), {})
    (tmp_path / "card.json").write_text(json.dumps(card | {"weights": name}))
    with pytest.raises(checkpoint.CheckpointError, match=r"card\.json does not describe its network"):
        checkpoint.load(tmp_path, KUHN)


def test_values_of_a_card_are_cut_where_they_are_told(tmp_path: Path) -> None:
    card = checkpoint.save(tmp_path, KUHN, network(), {})
    for name in ("game", "version", "features_version"):
        (tmp_path / "card.json").write_text(json.dumps(card | {name: "x\n" * 10**5}))
        with pytest.raises(checkpoint.CheckpointError) as caught:
            checkpoint.load(tmp_path, KUHN)
        assert len(str(caught.value)) < 500 + len(str(tmp_path))
        assert "\n" not in str(caught.value)


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
