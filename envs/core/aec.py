"""Every game as a PettingZoo AEC environment: one class for all."""

import copy
import json
import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from handfast.envs.core import drawing, records
from handfast.envs.core.batch import (
    ILLEGAL_REWARD,
    Batch,
    IllegalAction,
    check_illegal,
    check_reward,
    default_players,
    why_not,
)
from handfast.envs.core.files import seal, unseal
from handfast.envs.core.game import Game, check_seed
from handfast.envs.core.table import TRUNCATED
from handfast.messages import brief, shown

RENDER_MODES = ("ansi", "rgb_array", "human")
MOST_REWARD = 1e6  # of an illegal action, which PettingZoo's wrapper lets its user choose

# What changes while a game goes on.
_STANDING = (
    "_batch", "seed", "_agents_seed", "_taken", "_over", "_broken_off", "agents", "agent_selection", "rewards",
    "_cumulative_rewards", "terminations", "truncations", "_skip_agent_selection", "infos",
)  # fmt: skip


class CardGameEnv(AECEnv):
    """A game for agents `player_0` … `player_{players-1}`, who sit clockwise.

    Observations are `Dict(observation=Box float32 [features], action_mask=Box int8 [actions])`, from what the agent
    knows; `infos` carry the mask too. The mask of an agent that is not to move is all zero; once the game is over
    every mask is all ones. All agents end in the same step.

    `reward`: `outcome` (the victors share 1, less 1/players), `score` (points as they fall, more is better) or
    `margin` (own final score less the mean of the others'). `illegal`: `raise` refuses an illegal action with an
    IllegalAction that says why, and changes nothing; `terminate` ends the game, with -1 for the agent, as
    PettingZoo's TerminateIllegalWrapper does. `render_mode`: `ansi`, `rgb_array` or `human`; pictures show what the
    agent to move may see, or everything with `reveal`.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        reward: str = "outcome",
        render_mode: str | None = None,
        illegal: str = "raise",
        reveal: bool = False,
        **options: Any,
    ):
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {shown(render_mode)}")
        check_illegal(illegal)
        check_reward(reward)
        if not isinstance(reveal, bool):
            raise ValueError(f"reveal must be True or False, not {shown(reveal)}")
        self.game = game
        self.players = default_players(game) if players is None else game.check_players(players)
        self.options = game.check_options(options)
        self.reward, self.render_mode, self.illegal, self.reveal = reward, render_mode, illegal, reveal
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        high = np.array(game.feature_highs, np.float32)
        self._observation_space = spaces.Dict(
            observation=spaces.Box(np.zeros_like(high), high, dtype=np.float32),
            action_mask=spaces.Box(0, 1, (game.actions,), np.int8),
        )
        self._action_spaces = {agent: spaces.Discrete(game.actions) for agent in self.possible_agents}
        hidden = np.ones(game.hidden_features, np.float32)
        everything = np.concatenate([high, hidden])
        self.state_space = spaces.Box(np.zeros_like(everything), everything, dtype=np.float32)
        self._batch: Batch | None = None
        self._window: Any = None

    # --- Spaces

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Equal for all agents, each with a random generator of its own."""
        return self._action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        """The seat of an agent; ValueError that lists the agents where there is none of this name."""
        if not isinstance(agent, str) or agent not in self._seats:
            raise ValueError(f"there is no agent {shown(agent)}; the agents are {', '.join(self.possible_agents)}")
        return self._seats[agent]

    # --- Playing

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a game: on `seed`, or on what follows from the last game's seed. `options` are not used."""
        self._begin(None if seed is None else check_seed(seed))

    def _begin(self, seed: int | None, agents_seed: int | None = None) -> None:
        deal, agents = (None if one is None else [one] for one in (seed, agents_seed))
        if self._batch is None:
            self._batch = Batch(
                self.game, 1, self.players, deal, self.reward, restart=False, agents_seed=agents, **self.options
            )
        else:
            self._batch.reset(deal, agents)
        self.seed, self._agents_seed = self._batch.seeds_of(0)
        self._taken: list[int] = []
        self._over = False
        self._broken_off: tuple[str, float] | None = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._show_mover()
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _show_mover(self) -> None:
        self.agent_selection = self.possible_agents[self._played().seats.item(0)]

    def _mask(self, agent: str) -> np.ndarray:
        if self._over:
            return np.ones(self.game.actions, np.int8)
        if agent == self.agent_selection:
            return self._played().masks[0].copy()
        return np.zeros(self.game.actions, np.int8)

    def step(self, action: Any) -> None:
        """The agent to move takes an action; None once the game is over."""
        if self._batch is None:
            raise RuntimeError("reset() comes before the first step()")
        if not self.agents:
            raise RuntimeError("the game is over and every agent has left: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        batch = self._batch
        try:
            number = operator.index(action)
        except TypeError:
            self._refuse(agent, action, None)
            return
        if isinstance(action, bool):
            self._refuse(agent, action, None)
            return
        if not 0 <= number < self.game.actions or not batch.masks.item(number):
            self._refuse(agent, action, number)
            return
        batch.step_one(number)
        self._taken.append(number)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, batch.rewards[0].tolist(), strict=False))
        for other, reward in self.rewards.items():
            self._cumulative_rewards[other] += reward
        end = batch.ends.item(0)
        if end:
            self._end(self.truncations if end == TRUNCATED else self.terminations)
        else:
            self._show_mover()
            if agent != self.agent_selection:
                self.infos[agent] = {"action_mask": self._mask(agent)}
            self.infos[self.agent_selection] = {"action_mask": self._mask(self.agent_selection)}
        if self.render_mode == "human":
            self.render()

    def _end(self, *ends: dict[str, bool]) -> None:
        self._over = True
        for one in ends:
            one.update(dict.fromkeys(self.agents, True))
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def _refuse(self, agent: str, action: Any, number: int | None) -> None:
        if self.illegal == "raise":
            if number is None:
                raise IllegalAction(f"{agent} must choose the number of an action, not {shown(action)}")
            raise IllegalAction(why_not(self.game, self._played().views, self._seats[agent], number))
        self._break_off(agent, ILLEGAL_REWARD)

    def _break_off(self, agent: str, reward: float) -> None:
        """End the game, which an agent did not play by the rules."""
        self._broken_off = agent, reward
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: reward}
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._end(self.terminations, self.truncations)

    def _deads_step_first(self) -> str:
        """What PettingZoo's TerminateIllegalWrapper calls after it has ended the game by itself."""
        agent = self.agent_selection
        if not self._over and self.terminations[agent]:
            self._broken_off = agent, float(self.rewards[agent])
            self._over = True
            self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        return super()._deads_step_first()

    def last(self, observe: bool = True) -> tuple:
        """What the agent to move sees, what it was paid since its last decision, whether the game is over, and its info."""
        self._played()
        if not self.agents:
            raise RuntimeError("the game is over and every agent has left: call reset()")
        return super().last(observe)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What `agent` knows and, where it is to move, may do; fresh arrays. Works for every possible agent at any time."""
        batch, seat = self._played(), self._seat(agent)
        if batch.seats.item(0) == seat:
            features = batch.features[0]
        else:
            features = batch.look(seat)[2][0]
        return {"observation": features.astype(np.float32), "action_mask": self._mask(agent)}

    def _played(self) -> Batch:
        if self._batch is None:
            raise RuntimeError("reset() comes first")
        return self._batch

    def state(self) -> np.ndarray:
        """Everything there is to know, float32: what player_0 sees, then what is hidden from it."""
        batch = self._played()
        return np.concatenate([batch.look(0)[2][0], batch.reveal(0)[0]]).astype(np.float32)

    # --- Words

    def choices(self) -> dict[int, str]:
        """The legal actions of the agent to move, each in words; none once the game is over."""
        batch = self._played()
        if self._over:
            return {}
        seat, legal = int(batch.seats[0]), np.flatnonzero(batch.masks[0])
        return {int(action): self.game.choice(int(action), seat, self.players) for action in legal}

    def record(self) -> list[dict[str, Any]]:
        """The game so far as the events of a game record, hidden cards and seed included."""
        self._played()
        return list(records.transcript(self.game, self.players, self.options, self.seed, self._taken))

    def history(self, agent: str) -> list[dict[str, Any]]:
        """The game so far as the events that `agent` knows of; a game's page says where only its observations tell more."""
        self._played()
        seat = self._seat(agent)
        return list(records.transcript(self.game, self.players, self.options, self.seed, self._taken, seat))

    # --- Copies

    def save(self) -> bytes:
        """The environment in mid-game as bytes: how it was set up, the seeds, and what was chosen since."""
        self._played()
        status = self._setup() | {
            "seed": self.seed,
            "agents_seed": self._agents_seed,
            "taken": self._taken,
            "broken_off": self._broken_off,
            "left": self.players - len(self.agents),
        }
        return seal(json.dumps(status).encode())

    def _setup(self) -> dict[str, Any]:
        game = {"game": self.game.name, "version": self.game.version}
        return game | {"players": self.players, "options": self.options, "reward": self.reward}

    def restore(self, data: bytes) -> None:
        """Play again what `save` gave; ValueError for bytes of another game, number of players, options or reward."""
        try:
            status = json.loads(unseal(data))
            theirs = {name: status[name] for name in self._setup()}
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ValueError(f"these bytes are not a saved environment: {brief(error)}") from None
        if json.dumps(theirs) != json.dumps(self._setup()):
            raise ValueError(f"these bytes were saved by an environment with {brief(theirs)}, not {self._setup()}")
        again = CardGameEnv(self.game, self.players, self.reward, illegal=self.illegal, **self.options)
        try:
            again._replay(status)
        except (ValueError, TypeError, KeyError, RuntimeError, OverflowError) as error:
            raise ValueError(f"these bytes are not a saved environment: {brief(error)}") from None
        for name in _STANDING:
            setattr(self, name, getattr(again, name))

    def _replay(self, status: dict[str, Any]) -> None:
        """Play a saved game from its beginning."""
        self._begin(check_seed(status["seed"]), check_seed(status["agents_seed"]))
        for action in status["taken"]:
            if self._over:
                raise ValueError("choices after the game's end")
            self.step(action)
        if status["broken_off"] is not None:
            agent, reward = status["broken_off"]
            reward = float(reward) if type(reward) in (int, float) else np.nan
            if self._over or agent not in self.agents or not abs(reward) <= MOST_REWARD:
                raise ValueError(f"the game was not broken off by {shown(agent)}")
            self._break_off(agent, reward)
        left = status["left"]
        if type(left) is not int or left not in range(self.players + 1) or (left and not self._over):
            raise ValueError("agents left before the game's end")
        for _ in range(left):
            self.step(None)

    def clone(self) -> "CardGameEnv":
        """An independent copy in mid-game, with everything that was added to it."""
        return copy.deepcopy(self)

    __copy__ = clone

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}

    # --- Pictures

    def render(self) -> str | np.ndarray | None:
        """The table now: text for `ansi`, an array uint8 [height, width, 3] for `rgb_array`, a window for `human`."""
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given; the modes are {', '.join(RENDER_MODES)}")
        if self.render_mode == "ansi":
            return self.game.words.describe(self._position())
        image = drawing.raster(self.svg())
        if self.render_mode == "rgb_array":
            return image
        self._window = self._window or drawing.Window(self.game.title)
        self._window.show(image)
        return None

    def svg(self) -> str:
        """The table as an SVG picture."""
        return self.game.picture.draw(self._position())

    def _repr_svg_(self) -> str | None:
        return self.svg() if self._batch is not None else None

    def _position(self) -> Any:
        """What the picture shows: the view of the agent to move, or of player_0 once the game is over, or everything."""
        batch = self._played()
        seat = 0 if self._over else int(batch.seats[0])
        games = batch.games if self.reveal else batch.look(seat)[0]
        return games.view(np.recarray)[0]

    def close(self) -> None:
        """Close the window, where there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __str__(self) -> str:
        return f"handfast/{self.game.name}-v{self.game.version}"
