"""Seat-rotated duplicate matches: the same deal with the challenger in every seat in turn, the others held fixed.

In a game for one, challenger and other each play the same deals alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from handfast.agents.arena.intervals import Interval, bootstrap
from handfast.agents.arena.play import Results, play
from handfast.envs.core.decisions import Agent
from handfast.envs.core.game import Game


@dataclass(frozen=True)
class Match:
    """A challenger's result, each figure with a 95 % interval by bootstrap over deals.

    `share` of victories, `par` being what equal players have (in a game for one: what the other has); `score`, the
    game's own points; `margin`, own points less the mean of the others', signed so that more is better; `seats`, the
    share in each seat.
    """

    players: int
    deals: int
    par: float
    share: Interval
    score: Interval
    margin: Interval
    seats: tuple[Interval, ...]
    truncated: float
    decisions: float

    def to_dict(self) -> dict[str, Any]:
        """The match as plain numbers, for JSON."""
        plain = {name: getattr(self, name) for name in ("players", "deals", "par", "truncated", "decisions")}
        for name in ("share", "score", "margin"):
            plain[name] = list(getattr(self, name))
        return plain | {"seats": [list(seat) for seat in self.seats]}


def duplicate(
    game: Game,
    challenger: Agent,
    others: Sequence[Agent],
    deals: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Match:
    """Let `challenger` meet `others` (one for each other seat, in seat order) on `deals` deals, in every seat of each.

    In a game for one there is one other, who plays the same deals. `progress` as `play` takes it.
    """
    if game.player_counts == (1,):
        return _alone(game, challenger, others[0], deals, seed, options, progress)
    players = len(others) + 1
    seeds = np.random.SeedSequence(seed).generate_state(deals, np.uint64)
    tables = np.array([np.insert(np.arange(1, players), seat, 0) for seat in range(players)])
    agents, numbers = distinct([challenger, *others])
    results = play(
        game, agents, numbers[np.tile(tables, (deals, 1))], np.repeat(seeds, players), options, progress=progress
    )
    return summary(game, results, deals, players)


def _alone(
    game: Game,
    challenger: Agent,
    other: Agent,
    deals: int,
    seed: int,
    options: Mapping[str, Any] | None,
    progress: Callable[[int, int], Any] | None,
) -> Match:
    """Challenger and other on the same deals of a game for one."""
    seeds = np.random.SeedSequence(seed).generate_state(deals, np.uint64)
    agents, numbers = distinct([challenger, other])
    own, others = (
        play(game, agents, np.full((deals, 1), number), seeds, options, progress=progress) for number in numbers
    )
    share = bootstrap(own.shares[:, 0])
    return Match(
        1,
        deals,
        float(others.shares.mean()),
        share,
        bootstrap(own.scores[:, 0].astype(float)),
        bootstrap(game.score_sign * (own.scores - others.scores)[:, 0].astype(float)),
        (share,),
        float(own.truncated.mean()),
        float(own.decisions.mean()),
    )


def opponents(game: Game, players: int) -> int:
    """How many others a challenger meets in a duplicate match: the other seats; in a game for one, one."""
    return max(players - 1, 1)


def distinct(agents: Sequence[Agent]) -> tuple[list[Agent], np.ndarray]:
    """The different agents among these, and for each of these its number, so that one agent decides all its games at once."""
    found: list[Agent] = []
    for agent in agents:
        if not any(agent is one for one in found):
            found.append(agent)
    return found, np.array([next(i for i, one in enumerate(found) if one is agent) for agent in agents])


def summary(game: Game, results: Results, deals: int, players: int) -> Match:
    """The match of games that come deal by deal with the challenger in seat 0, 1, … of each."""
    own = np.arange(players)
    shares = results.shares.reshape(deals, players, players)[:, own, own]
    points = results.scores.reshape(deals, players, players).astype(float)
    scores = points[:, own, own]
    others = (points.sum(2) - scores) / max(players - 1, 1)
    return Match(
        players,
        deals,
        1 / players,
        bootstrap(shares.mean(1)),
        bootstrap(scores.mean(1)),
        bootstrap(game.score_sign * (scores - others).mean(1)),
        tuple(bootstrap(shares[:, seat]) for seat in own),
        float(results.truncated.mean()),
        float(results.decisions.mean()),
    )
