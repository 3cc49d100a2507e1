"""The state of a run in one file: everything that must come back for an interrupted run to end as an unbroken one."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.torch
import torch

from handfast.agents.network import Network
from handfast.envs.core.batch import Batch
from handfast.envs.core.files import seal, unseal, write_whole
from handfast.training.ppo import Learner
from handfast.training.rollout import ARRAYS, Rollout


class StateError(ValueError):
    """A file that holds no state of this run, with the reason."""


def save(path: Path, learner: Learner, batch: Batch, rollout: Rollout, facts: dict[str, Any]) -> None:
    """Write networks, optimizer, generator, games, the decisions not yet learned from, and `facts` whole.

    The best network so far is among them: a state is all that a run needs, and `best/` is written after it.
    The file is tensors in safetensors' form, sealed by their hash; `facts` are what JSON can hold.
    """
    tensors = _fixed_tensors(learner, batch, rollout)
    for number, moments in learner.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": tensor for name, tensor in moments.items()}
    tensors["facts"] = _as_tensor(json.dumps(facts | {"filled": rollout.filled}).encode())
    plain = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    write_whole(path, seal(safetensors.torch.save(plain)))


def read(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """The facts and tensors of a state file; StateError where it is damaged."""
    try:
        tensors = safetensors.torch.load(unseal(path.read_bytes()))
        return json.loads(tensors.pop("facts").numpy().tobytes()), tensors
    except (OSError, KeyError, ValueError, safetensors.SafetensorError) as error:
        raise StateError(f"{path} holds no state that a run can go on from: {error}") from error


def load(path: Path, learner: Learner, batch: Batch, rollout: Rollout, config: dict[str, Any]) -> dict[str, Any]:
    """Bring a saved state back into `learner`, `batch` and `rollout`; returns the facts.

    StateError where the file is damaged, or was saved with another config than `config` (as JSON gives it).
    """
    facts, tensors = read(path)
    if facts.get("config") != config:
        raise StateError(f"{path} was saved with another config than the run's config.json now holds")
    learner.best = None if facts.get("best") is None else copy.deepcopy(learner.average)
    expected = {name: tensor.shape for name, tensor in _fixed_tensors(learner, batch, rollout).items()}
    found = {name: tensor.shape for name, tensor in tensors.items() if not name.startswith("adam.")}
    if found != expected:
        raise StateError(f"{path} does not hold the tensors of this run")
    for part, network in _networks(learner).items():
        network.load_state_dict(_under(f"{part}.", tensors))
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in _under("adam.", tensors).items():
        number, _, moment = name.partition(".")
        moments.setdefault(int(number), {})[moment] = tensor
    groups = learner.optimizer.state_dict()["param_groups"]
    learner.optimizer.load_state_dict({"state": moments, "param_groups": groups})
    learner.generator.set_state(tensors["generator"])
    batch.restore(tensors["games"].numpy().tobytes())
    for name, tensor in _under("overlap.", tensors).items():
        getattr(rollout, name)[rollout.fresh :] = tensor.numpy()
    rollout.filled = facts.pop("filled")
    return facts


def _fixed_tensors(learner: Learner, batch: Batch, rollout: Rollout) -> dict[str, torch.Tensor]:
    """Every tensor of a state but the optimizer's, which come with its first step."""
    tensors = {
        f"{part}.{name}": tensor
        for part, network in _networks(learner).items()
        for name, tensor in network.state_dict().items()
    }
    tensors |= {f"overlap.{name}": torch.from_numpy(getattr(rollout, name)[rollout.fresh :]) for name in ARRAYS}
    return tensors | {"generator": learner.generator.get_state(), "games": _as_tensor(batch.save())}


def _networks(learner: Learner) -> dict[str, Network]:
    """The learner's networks by name; `best` once there is one."""
    networks = {"actor": learner.actor, "average": learner.average, "critic": learner.critic}
    return networks if learner.best is None else networks | {"best": learner.best}


def _as_tensor(data: bytes) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(data, np.uint8).copy())


def _under(part: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name.removeprefix(part): tensor for name, tensor in tensors.items() if name.startswith(part)}
