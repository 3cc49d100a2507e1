"""Trained agents on disk: a folder with `card.json` and the weights that the card names.

The card is written last and names its weights by their hash, so a kill at any moment leaves the old agent or the
new one. Loading reads tensors and JSON, and executes nothing.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from handfast.agents.network import Network, NetworkAgent, shapes
from handfast.envs.core.files import write_whole
from handfast.envs.core.game import Game
from handfast.messages import shown

FORMAT = 1
MOST = 1 << 14  # wide, or blocks deep
NAME = re.compile(r"[\w.-]{1,200}\.safetensors", re.ASCII)


class CheckpointError(ValueError):
    """A folder that holds no agent that can play this game here, with the reason."""


def save(folder: Path, game: Game, network: Network, facts: dict[str, Any]) -> dict[str, Any]:
    """Write an agent; `facts` (config, decisions, strength …) go into the card, which is returned."""
    body = safetensors.torch.save({name: tensor.contiguous().cpu() for name, tensor in network.state_dict().items()})
    digest = hashlib.sha256(body).hexdigest()
    weights = f"weights-{digest[:12]}.safetensors"
    card = {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "features_version": game.features_version,
        "width": network.first.out_features,
        "blocks": len(network.blocks),
        **facts,
        "weights": weights,
        "sha256": digest,
    }
    write_whole(folder / weights, body)
    write_whole(folder / "card.json", json.dumps(card, indent=1) + "\n")
    for old in folder.glob("weights-*.safetensors"):
        if old.name != weights:
            old.unlink()
    return card


def read_card(folder: Path) -> dict[str, Any]:
    """The card of a checkpoint; CheckpointError where there is none or it is damaged."""
    path = folder / "card.json"
    try:
        card = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise CheckpointError(f"{folder} holds no checkpoint: there is no {path}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: {shown(str(error))}") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise CheckpointError(f"{path} is no card of format {FORMAT}")
    return card


def load(folder: Path, game: Game, device: str = "cpu") -> NetworkAgent:
    """The agent in a folder; CheckpointError where it is damaged or made for another game or version."""
    return NetworkAgent(load_network(folder, game), device=device)


def load_network(folder: Path, game: Game) -> Network:
    """The network in a folder, checked against the game."""
    card = read_card(folder)
    if card.get("game") != game.name:
        raise CheckpointError(f"{folder} holds an agent for {shown(card.get('game'))}, not for {game.name!r}")
    if card.get("version") != game.version or card.get("features_version") != game.features_version:
        raise CheckpointError(
            f"{folder} holds an agent for {game.name} version {shown(card.get('version'))} with features version "
            f"{shown(card.get('features_version'))}; now they are {game.version} and {game.features_version}"
        )
    name, digest = card.get("weights"), card.get("sha256")
    width: Any = card.get("width")
    blocks: Any = card.get("blocks")
    sizes = type(width) is int and type(blocks) is int and 0 < width <= MOST and 0 <= blocks <= MOST
    if not isinstance(name, str) or not NAME.fullmatch(name) or not sizes:
        raise CheckpointError(f"{folder / 'card.json'} does not describe its network")
    try:
        body = (folder / name).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{folder}: the weights cannot be read: {error.strerror}: {name}") from None
    if hashlib.sha256(body).hexdigest() != digest:
        raise CheckpointError(f"{folder / name} is damaged: its hash is not the card's")
    tensors = _tensors(folder / name, body, shapes(game.features, game.actions, width, blocks))
    network = Network(game.feature_highs, game.actions, width, blocks)
    network.load_state_dict(tensors)
    return network


def _tensors(path: Path, body: bytes, expected: dict[str, tuple[int, ...]]) -> dict[str, torch.Tensor]:
    """The weights in a file, checked before a network is built of them: a card may claim any size, a file holds what it holds."""
    try:
        tensors = safetensors.torch.load(body)
    except (ValueError, KeyError, TypeError, RuntimeError, safetensors.SafetensorError) as error:
        raise CheckpointError(f"{path} holds no weights: {shown(str(error))}") from None
    found = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    for name in sorted(found.keys() ^ expected.keys()):
        raise CheckpointError(
            f"{path} does not fit its card: {'it has' if name in found else 'it lacks'} a tensor {shown(name)}"
        )
    for name, shape in expected.items():
        if found[name] != shape:
            raise CheckpointError(f"{path} does not fit its card: {name} is {found[name]}, by the card {shape}")
        if tensors[name].dtype != torch.float32:
            raise CheckpointError(f"{path}: {name} holds {tensors[name].dtype}, not float32")
        if not tensors[name].isfinite().all():
            raise CheckpointError(f"{path}: {name} holds numbers that are not finite")
    return tensors
