"""Games between agents, many in step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from handfast.envs.core.batch import Batch
from handfast.envs.core.decisions import Agent
from handfast.envs.core.game import Game
from handfast.envs.core.table import TRUNCATED

AT_ONCE = 4096


@dataclass(frozen=True)
class Results:
    """What came of `n` games.

    `scores` int32 [n, players], the games' own points; `shares` float64 [n, players], 1 divided among the victors
    (of a truncated game: those who led); `truncated` bool [n]; `decisions` int64 [n]; `actions`, the actions of
    each game where they were kept.
    """

    scores: np.ndarray
    shares: np.ndarray
    truncated: np.ndarray
    decisions: np.ndarray
    actions: list[list[int]]

    def in_order(self, rows: np.ndarray) -> "Results":
        """The results of these games, in this order."""
        actions = [self.actions[row] for row in rows] if self.actions else []
        return Results(self.scores[rows], self.shares[rows], self.truncated[rows], self.decisions[rows], actions)


def play(
    game: Game,
    agents: Sequence[Agent],
    tables: np.ndarray,
    seeds: np.ndarray,
    options: Mapping[str, Any] | None = None,
    keep_actions: bool = False,
    progress: Callable[[int, int], Any] | None = None,
    agent_seeds: np.ndarray | None = None,
) -> Results:
    """Play game i on `seeds[i]` with `agents[tables[i, seat]]` in each seat; `tables` int [n, players].

    `agent_seeds` [n] are those of the agents' luck; without them it follows from the games' seeds.

    `progress` is told, at every step of the games, how many have ended and how many decisions were made since it was
    last called: games played in step end almost together, and between their ends only decisions tell that they go on.
    """
    parts = [
        _play_together(
            game,
            agents,
            tables[at : at + AT_ONCE],
            seeds[at : at + AT_ONCE],
            None if agent_seeds is None else agent_seeds[at : at + AT_ONCE],
            options or {},
            keep_actions,
            progress,
        )
        for at in range(0, len(tables), AT_ONCE)
    ]
    return Results(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.shares for part in parts]),
        np.concatenate([part.truncated for part in parts]),
        np.concatenate([part.decisions for part in parts]),
        [one for part in parts for one in part.actions],
    )


def _play_together(
    game: Game,
    agents: Sequence[Agent],
    tables: np.ndarray,
    seeds: np.ndarray,
    agent_seeds: np.ndarray | None,
    options: Mapping[str, Any],
    keep_actions: bool,
    progress: Callable[[int, int], Any] | None,
) -> Results:
    n, players = tables.shape
    batch = Batch(game, n, players, seeds, restart=False, agents_seed=agent_seeds, **options)
    kept: list[list[int]] = [[] for _ in range(n)]
    decisions = np.zeros(n, np.int64)
    truncated = np.zeros(n, bool)
    row = np.arange(n)
    while True:
        going_on = batch.seats >= 0
        if not going_on.any():
            break
        mover = np.where(going_on, tables[row, np.maximum(batch.seats, 0)], -1)
        actions = np.zeros(n, np.int64)
        for number, agent in enumerate(agents):
            rows = np.flatnonzero(mover == number)
            if len(rows):
                actions[rows] = batch.ask(agent, rows)
        batch.step(actions)
        decisions += going_on
        truncated |= batch.ends == TRUNCATED
        if keep_actions:
            for i in np.flatnonzero(going_on):
                kept[i].append(int(actions[i]))
        if progress:
            progress(int((batch.ends > 0).sum()), int(going_on.sum()))
    shares = batch.outcomes[:, :players] + (1 / players if players > 1 else 0)
    return Results(batch.scores[:, :players].copy(), shares, truncated, decisions, kept if keep_actions else [])
