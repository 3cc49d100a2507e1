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


# What deals are for; a number of its own for each, so that no deal of one is one of another. Training has none.
PURPOSES = {"arena": 1, "evaluation": 2, "final": 3}
_DEALS, _LUCK, _ORDER = 0, 1, 2


def duplicate(
    game: Game,
    challenger: Agent,
    others: Sequence[Agent],
    deals: int,
    seed: int | Sequence[int] = 0,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], Any] | None = None,
    purpose: str = "arena",
) -> Match:
    """Let `challenger` meet `others` (one for each other seat, in seat order) on `deals` deals, in every seat of each.

    In a game for one there is one other, who plays the same deals. Deals follow from `seed` and from what they are
    for, one of PURPOSES. Each seat is a round of its own, with the deals in an order and the agents' luck of its own,
    so that nothing that an agent is given tells which of its games are of one deal. `progress` as `play` takes it.
    """
    alone = game.player_counts == (1,)
    players = 1 if alone else len(others) + 1
    agents, numbers = distinct([challenger, *others])
    rounds = (
        numbers[:, None] if alone else numbers[[np.insert(np.arange(1, players), seat, 0) for seat in range(players)]]
    )

    def stream(what: int, turn: int = 0) -> np.random.SeedSequence:
        return np.random.SeedSequence(seed, spawn_key=(PURPOSES[purpose], what, turn))

    seeds = stream(_DEALS).generate_state(deals, np.uint64)
    results = []
    for turn, table in enumerate(rounds):
        order = np.random.default_rng(stream(_ORDER, turn)).permutation(deals)
        luck = stream(_LUCK, turn).generate_state(deals, np.uint64)
        tables = np.tile(table, (deals, 1))
        played = play(game, agents, tables, seeds[order], options, progress=progress, agent_seeds=luck)
        results.append(played.in_order(np.argsort(order)))
    return _alone(game, *results) if alone else _rotated(game, results)


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


def _alone(game: Game, own: Results, others: Results) -> Match:
    """The match of two who played the same deals of a game for one."""
    share = bootstrap(own.shares[:, 0], 0.0, 1.0)
    return Match(
        1,
        len(own.shares),
        float(others.shares.mean()),
        share,
        bootstrap(own.scores[:, 0].astype(float)),
        bootstrap(game.score_sign * (own.scores - others.scores)[:, 0].astype(float)),
        (share,),
        float(own.truncated.mean()),
        float(own.decisions.mean()),
    )


def _rotated(game: Game, results: Sequence[Results]) -> Match:
    """The match of games on the same deals with the challenger in seat 0, 1, …"""
    players = len(results)
    shares = np.stack([one.shares[:, seat] for seat, one in enumerate(results)], 1)
    scores = np.stack([one.scores[:, seat] for seat, one in enumerate(results)], 1).astype(float)
    totals = np.stack([one.scores.sum(1) for one in results], 1)
    others = (totals - scores) / (players - 1)
    return Match(
        players,
        len(shares),
        1 / players,
        bootstrap(shares.mean(1), 0.0, 1.0),
        bootstrap(scores.mean(1)),
        bootstrap(game.score_sign * (scores - others).mean(1)),
        tuple(bootstrap(shares[:, seat], 0.0, 1.0) for seat in range(players)),
        float(np.mean([one.truncated.mean() for one in results])),
        float(np.mean([one.decisions.mean() for one in results])),
    )
