"""One seat of a game as a Gymnasium environment, the other seats played by given agents; alone, and many at once."""

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from handfast.envs.core.batch import ILLEGAL_REWARD, Batch, IllegalAction, check_illegal, default_players
from handfast.envs.core.decisions import Agent, random_agent
from handfast.envs.core.game import Game, check_seed
from handfast.envs.core.table import TRUNCATED
from handfast.messages import shown


class _Table:
    """`n` games in which one seat is played from outside and the others by agents."""

    def __init__(self, game: Game, n: int, players: int | None, seat: int, opponents: Any, reward: str, options: dict):
        self.players = default_players(game) if players is None else game.check_players(players)
        if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or seat not in range(self.players):
            raise ValueError(f"seat must be a number from 0 to {self.players - 1}, not {shown(seat)}")
        self.seat = seat
        self.agents = _by_seat(opponents, seat, self.players)
        self.batch = Batch(game, n, self.players, 0, reward, restart=False, **options)
        self.rewards = np.zeros(n, np.float32)
        self.ends = np.zeros(n, np.int8)
        self.failed = False  # whether the others were stopped on the way, so that a game stands at one of theirs

    def check_standing(self) -> None:
        """RuntimeError where the games do not stand at the seat's decisions."""
        if self.failed:
            raise RuntimeError("an opponent failed, and the game stands at its decision: call reset()")

    def reset(self, seed: Any) -> None:
        """Begin all games, and play on to the first decision of the seat."""
        self.batch.reset(seed)
        self.failed = True
        self.rewards[:], self.ends[:] = 0, 0
        self._play_others()
        self._skip_games_without_a_decision()
        self.failed = False

    def step(self, actions: np.ndarray) -> None:
        """One action of the seat in every game, then the others' up to its next decision or the end."""
        self.check_standing()
        self.batch.step(actions)
        self.failed = True
        self.rewards[:], self.ends[:] = 0, 0
        self._count()
        self._play_others()
        self.failed = False

    def renew(self, rows: np.ndarray) -> None:
        """Begin the next game in these rows; rewards and ends stay those of the games before."""
        rewards, ends = self.rewards.copy(), self.ends.copy()
        self.failed = True
        self.batch.renew(rows)
        self._play_others()
        self._skip_games_without_a_decision()
        self.failed = False
        self.rewards, self.ends = rewards, ends

    def _count(self) -> None:
        self.rewards += self.batch.rewards[:, self.seat]
        self.ends |= self.batch.ends

    def _play_others(self) -> None:
        while True:
            others = np.flatnonzero((self.batch.seats >= 0) & (self.batch.seats != self.seat))
            if len(others) == 0:
                return
            actions = np.empty(len(others), np.int64)
            for seat, agent in self.agents.items():
                own = np.flatnonzero(self.batch.seats[others] == seat)
                if len(own):
                    actions[own] = self._ask(agent, others[own])
            self.batch.step(actions, others)
            self._count()

    def _ask(self, agent: Agent, rows: np.ndarray) -> np.ndarray:
        try:
            return self.batch.ask(agent, rows)
        except IllegalAction as error:  # no fault of the seat's, whose own action has been taken
            raise RuntimeError(f"an opponent chose what is not legal: {error}") from error

    def _skip_games_without_a_decision(self) -> None:
        """A game may end before the seat's first decision: the next one is played in its place."""
        while (self.batch.seats < 0).any():
            self.batch.renew(np.flatnonzero(self.batch.seats < 0))
            self._play_others()
        self.rewards[:], self.ends[:] = 0, 0


def _by_seat(opponents: Agent | Sequence[Agent] | None, seat: int, players: int) -> dict[int, Agent]:
    others = [other for other in range(players) if other != seat]
    if opponents is None:
        opponents = random_agent
    agents = [opponents] * len(others) if callable(opponents) else opponents
    if not isinstance(agents, Sequence) or not all(callable(agent) for agent in agents):
        raise ValueError("opponents are agents: callables that take decisions and give actions, not names")
    if len(agents) != len(others):
        raise ValueError(f"{len(others)} opponents are needed, one for each other seat, not {len(agents)}")
    return dict(zip(others, agents, strict=True))


class SeatEnv(gymnasium.Env):
    """One seat of a game against `opponents`: an agent (see `Decisions`), or one for each other seat; random by default.

    Observation: Box float32 [features]; the legal actions are in `action_masks()`, bool [actions], and in
    `info["action_mask"]`, int8. Rewards as in `CardGameEnv`, from one decision of the seat to its next. An illegal
    action raises an IllegalAction, or with `illegal="terminate"` ends the game with -1.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012  Gymnasium's way

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        seat: int = 0,
        opponents: Agent | Sequence[Agent] | None = None,
        reward: str = "outcome",
        render_mode: str | None = None,
        illegal: str = "raise",
        **options: Any,
    ):
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode must be None, 'ansi' or 'rgb_array', not {shown(render_mode)}")
        check_illegal(illegal)
        self._table = _Table(game, 1, players, seat, opponents, reward, options)
        self.game, self.seat, self.render_mode, self.illegal = game, seat, render_mode, illegal
        self.observation_space = _observation_space(game)
        self.action_space = spaces.Discrete(game.actions)
        self._begun = False
        self._over = False

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Begin a game and play on to the seat's first decision."""
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._table.reset(None if seed is None else [seed])
        self._begun, self._over = True, False
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """One decision of the seat, and the others' that follow."""
        if not self._begun or self._over:
            raise RuntimeError("reset() comes before step() and after the end of a game")
        try:
            self._table.step(np.array([self._number(action)]))
        except IllegalAction:
            if self.illegal == "raise":
                raise
            self._over = True
            return self._observation(), ILLEGAL_REWARD, True, False, self._info()
        end = int(self._table.ends[0])
        self._over = end != 0
        reward = float(self._table.rewards[0])
        return self._observation(), reward, self._over and end != TRUNCATED, end == TRUNCATED, self._info()

    def _number(self, action: Any) -> int:
        """An action as a number of the game's; IllegalAction otherwise. Arrays of one number count, as learners give them."""
        action = action.item() if isinstance(action, np.ndarray) and action.size == 1 else action
        try:
            if isinstance(action, bool):
                raise TypeError
            return max(-1, min(operator.index(action), self.game.actions))
        except TypeError:
            raise IllegalAction(
                f"player_{self.seat} must choose the number of an action, not {shown(action)}"
            ) from None

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool [actions]; all of them once the game is over."""
        if not self._begun:
            raise RuntimeError("reset() comes before action_masks()")
        self._table.check_standing()
        return self._info()["action_mask"].astype(bool)

    def render(self) -> str | np.ndarray | None:
        """The table as the seat sees it: text for `ansi`, an array uint8 [height, width, 3] for `rgb_array`."""
        if not self._begun:
            raise RuntimeError("reset() comes before render()")
        position = self._table.batch.look(self.seat)[0].view(np.recarray)[0]
        if self.render_mode == "ansi":
            return self.game.words.describe(position)
        if self.render_mode == "rgb_array":
            from handfast.envs.core import drawing

            return drawing.raster(self.game.picture.draw(position))
        return None

    def _observation(self) -> np.ndarray:
        return self._table.batch.look(self.seat)[2][0].astype(np.float32)

    def _info(self) -> dict[str, np.ndarray]:
        if self._over:
            return {"action_mask": np.ones(self.game.actions, np.int8)}
        return {"action_mask": self._table.batch.masks[0].copy()}


class SeatVectorEnv(gymnasium.vector.VectorEnv):
    """`num_envs` games in step, one seat of each played from outside; `players`, `seat`, `opponents`, `reward` and options as for `SeatEnv`.

    A finished game begins anew in the same step; its last observation and info are in `infos["final_obs"]`
    and `infos["final_info"]`. An illegal action
    always raises an IllegalAction.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        players: int | None = None,
        seat: int = 0,
        opponents: Agent | Sequence[Agent] | None = None,
        reward: str = "outcome",
        **options: Any,
    ):
        self._table = _Table(game, num_envs, players, seat, opponents, reward, options)
        self.game, self.seat, self.num_envs = game, seat, num_envs
        self.single_observation_space = _observation_space(game)
        self.single_action_space = spaces.Discrete(game.actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        mode = getattr(gymnasium.vector, "AutoresetMode", None)
        self.metadata = {"autoreset_mode": mode.SAME_STEP} if mode else {}
        self._begun = False

    def reset(self, *, seed: Any = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Begin all games: by one seed for all, one each, or each by what follows from its last."""
        if seed is None and not self._begun:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._table.reset(seed)
        self._begun = True
        return self._table.batch.features.astype(np.float32), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """One decision of the seat in every game."""
        if not self._begun:
            raise RuntimeError("reset() comes before the first step()")
        table, batch = self._table, self._table.batch
        table.step(actions)
        rewards = table.rewards.copy()
        terminated = (table.ends != 0) & (table.ends != TRUNCATED)
        truncated = table.ends == TRUNCATED
        over = terminated | truncated
        final = None
        if over.any():
            final = batch.look(self.seat)[2].astype(np.float32)
            table.renew(np.flatnonzero(over))
        infos = self._infos()
        if final is not None:
            last = {"action_mask": np.ones((self.num_envs, self.game.actions), np.int8), "_action_mask": over}
            infos |= {"final_obs": final, "_final_obs": over, "final_info": last, "_final_info": over}
        return batch.features.astype(np.float32), rewards, terminated, truncated, infos

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool [num_envs, actions]."""
        if not self._begun:
            raise RuntimeError("reset() comes before action_masks()")
        self._table.check_standing()
        return self._table.batch.masks.astype(bool)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._table.batch.masks.copy()}


def _observation_space(game: Game) -> spaces.Box:
    high = np.array(game.feature_highs, np.float32)
    return spaces.Box(np.zeros_like(high), high, dtype=np.float32)
