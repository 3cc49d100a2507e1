"""The network, and the agent that plays by one."""

import numpy as np
import torch
from torch import Tensor, nn

from handfast.envs.core.decisions import Decisions

# Scores this far below the best have a negligible probability, but not a denormal one, which is many times slower.
SPREAD = 80.0


def _linear(inputs: int, outputs: int, generator: torch.Generator | None) -> nn.Linear:
    """A linear layer with PyTorch's default weights, uniform within 1/sqrt(inputs), from `generator`; zero without one."""
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, inputs, outputs)
    bound = inputs**-0.5
    for weights in (layer.weight, layer.bias):
        if generator is None:
            nn.init.zeros_(weights)
        else:
            nn.init.uniform_(weights, -bound, bound, generator)
    return layer


class Block(nn.Module):
    """A residual block: normalize, widen through one hidden layer of the same width, add."""

    def __init__(self, width: int, generator: torch.Generator | None = None):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = _linear(width, width, generator)
        self.outer = _linear(width, width, generator)

    def forward(self, x: Tensor) -> Tensor:
        """[n, width] to [n, width]."""
        return x + self.outer(torch.relu(self.inner(self.norm(x))))


class Network(nn.Module):
    """Features [n, inputs] of any number type, scaled by their largest values `highs`, to numbers [n, outputs].

    The weights are drawn from `generator`, as PyTorch's own layers draw theirs, so that no global random state is
    touched; without one they are zero, to be loaded.
    """

    scale: Tensor

    def __init__(
        self, highs: tuple[int, ...], outputs: int, width: int, blocks: int, generator: torch.Generator | None = None
    ):
        super().__init__()
        self.register_buffer("scale", 1.0 / torch.tensor(highs, dtype=torch.float32), persistent=False)
        self.first = _linear(len(highs), width, generator)
        self.blocks = nn.ModuleList(Block(width, generator) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.last = _linear(width, outputs, None)
        if generator is not None:  # begin by choosing evenly
            nn.init.normal_(self.last.weight, std=0.01 / width**0.5, generator=generator)

    def forward(self, features: Tensor) -> Tensor:
        x = self.first(features * self.scale)
        for block in self.blocks:
            x = block(x)
        return self.last(torch.relu(self.norm(x)))


def shapes(inputs: int, outputs: int, width: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor of a network, by name, without building it."""

    def linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
        return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}

    def norm(name: str) -> dict[str, tuple[int, ...]]:
        return {f"{name}.weight": (width,), f"{name}.bias": (width,)}

    found = linear("first", inputs, width) | norm("norm") | linear("last", width, outputs)
    for i in range(blocks):
        found |= norm(f"blocks.{i}.norm")
        found |= linear(f"blocks.{i}.inner", width, width) | linear(f"blocks.{i}.outer", width, width)
    return found


def masked_log_softmax(scores: Tensor, masks: Tensor) -> Tensor:
    """Log-probabilities [n, actions] of the legal actions, illegal ones at most 1e-34; `masks` [n, actions], nonzero where legal."""
    legal = scores.masked_fill(masks == 0, -torch.inf)
    least = legal.detach().amax(-1, keepdim=True) - SPREAD
    return torch.log_softmax(torch.maximum(legal, least), dim=-1)


def sample(log_probabilities: Tensor, uniform: Tensor) -> Tensor:
    """An action [n] for each row, by one number [n] in (0, 1], at least 1e-8: never one of no probability."""
    reached = log_probabilities.exp().cumsum(-1)
    return (reached < uniform[:, None] * reached[:, -1:]).sum(-1)


class NetworkAgent:
    """Plays by a network's scores: its most likely action, or with `greedy=False` one at random by its probabilities."""

    def __init__(self, network: Network, greedy: bool = True, device: str = "cpu"):
        self.network, self.greedy, self.device = network.to(device).eval(), greedy, device

    def __call__(self, decisions: Decisions) -> np.ndarray:
        """Actions int64 [n]."""
        with torch.inference_mode():
            features = torch.tensor(decisions.features).to(self.device)
            masks = torch.tensor(decisions.masks).to(self.device)
            log_probabilities = masked_log_softmax(self.network(features), masks)
            if self.greedy:
                return log_probabilities.argmax(-1).cpu().numpy()
            uniform = ((decisions.keys >> np.uint64(40)).astype(np.float32) + 1) / 2**24
            return sample(log_probabilities, torch.from_numpy(uniform).to(self.device)).cpu().numpy()
