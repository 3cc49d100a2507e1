"""How far a strategy of Kuhn poker is from equilibrium, exactly."""

import itertools

import numpy as np
import torch

from handfast.agents.network import Network
from tests.kuhn.view import AT, FEATURES

HISTORIES = {"": (), "c": (0,), "b": (1,), "cb": (0, 1)}  # what was chosen before a decision
Strategy = dict[tuple[int, str], np.ndarray]  # (card, history): probabilities of check and bet


def strategy(network: Network) -> Strategy:
    """The probabilities that a network gives in every situation."""
    found = {}
    for card, (history, moves) in itertools.product((1, 2, 3), HISTORIES.items()):
        features = torch.zeros(1, sum(len(block.labels) for block in FEATURES.values()))
        features[0, AT.card + card - 1] = 1
        for i, move in enumerate(moves):
            features[0, AT.move + 2 * i + move] = 1
        with torch.no_grad():
            found[card, history] = torch.softmax(network(features), -1)[0].numpy()
    return found


def value(first: Strategy, second: Strategy) -> float:
    """What the first player wins a hand, in antes."""
    return sum(_play(first, second, a, b, "") for a, b in itertools.permutations((1, 2, 3), 2)) / 6


def _play(first: Strategy, second: Strategy, a: int, b: int, history: str) -> float:
    sign = 1 if a > b else -1
    over = {"cc": sign, "bc": 1, "cbc": -1, "bb": 2 * sign, "cbb": 2 * sign}
    if history in over:
        return over[history]
    chances = second[b, history] if len(history) == 1 else first[a, history]
    return sum(chance * _play(first, second, a, b, history + move) for chance, move in zip(chances, "cb", strict=True))


def nash_conv(both: Strategy) -> float:
    """What the two players together could win more by each answering best; 0 in equilibrium."""
    gains = []
    for histories, own in ((("", "cb"), 0), (("c", "b"), 1)):
        situations = list(itertools.product((1, 2, 3), histories))
        answers = (
            both | dict(zip(situations, np.eye(2)[list(moves)], strict=True))
            for moves in itertools.product((0, 1), repeat=6)
        )
        gains.append(max(value(one, both) if own == 0 else -value(both, one) for one in answers))
    return sum(gains)
