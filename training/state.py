"""The state of a run in one file: everything that must come back for an interrupted run to end as an unbroken one."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.torch
import torch

from handfast.envs.core.batch import Batch
from handfast.envs.core.files import write_whole
from handfast.training.ppo import Learner
from handfast.training.rollout import ARRAYS, Rollout


class StateError(ValueError):
    """A file that holds no state of this run, with the reason."""


def save(path: Path, learner: Learner, batch: Batch, rollout: Rollout, facts: dict[str, Any]) -> None:
    """Write networks, optimizer, generator, games, the decisions not yet learned from, and `facts` (plain numbers and words) whole."""
    tensors = {f"actor.{name}": tensor for name, tensor in learner.actor.state_dict().items()}
    tensors |= {f"average.{name}": tensor for name, tensor in learner.average.state_dict().items()}
    tensors |= {f"critic.{name}": tensor for name, tensor in learner.critic.state_dict().items()}
    for number, moments in learner.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": tensor for name, tensor in moments.items()}
    tensors["generator"] = learner.generator.get_state()
    tensors["games"] = torch.from_numpy(np.frombuffer(batch.save(), np.uint8).copy())
    for name in ARRAYS:
        tensors[f"overlap.{name}"] = torch.from_numpy(getattr(rollout, name)[rollout.fresh :])
    tensors = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    write_whole(path, safetensors.torch.save(tensors, {"facts": json.dumps(facts)}))


def load(path: Path, learner: Learner, batch: Batch, rollout: Rollout) -> dict[str, Any]:
    """Bring a saved state back into `learner`, `batch` and `rollout`; returns the facts. StateError where the file does not fit."""
    try:
        with safetensors.safe_open(path, "pt") as file:
            facts = json.loads(file.metadata()["facts"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  not a dict
        for part, network in (("actor.", learner.actor), ("average.", learner.average), ("critic.", learner.critic)):
            network.load_state_dict(_under(part, tensors))
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
        rollout.filled = True
    except (OSError, KeyError, TypeError, ValueError, RuntimeError, safetensors.SafetensorError) as error:
        raise StateError(f"{path} holds no state that this run can go on from: {error}") from error
    return facts


def _under(part: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name.removeprefix(part): tensor for name, tensor in tensors.items() if name.startswith(part)}
