"""Every promise of the PettingZoo environment."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from handfast.envs import GAMES
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.batch import IllegalAction
from handfast.envs.core.game import Game

COPIES = [
    copy.deepcopy,
    lambda env: pickle.loads(pickle.dumps(env)),
    lambda env: env.clone(),
    lambda env: restored(env),
]


def restored(env: CardGameEnv) -> CardGameEnv:
    other = CardGameEnv(env.game, env.players, env.reward, **env.options)
    other.restore(env.save())
    return other


def legal(env: CardGameEnv) -> np.ndarray:
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"])


def play(env: CardGameEnv, decisions: int | None = None, seed: int = 0) -> None:
    """Random decisions: so many, or to the end."""
    random = np.random.default_rng(seed)
    while not any(env.terminations.values()) and not any(env.truncations.values()) and decisions != 0:
        env.step(random.choice(legal(env)))
        decisions = None if decisions is None else decisions - 1


@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_pettingzoos_own_tests_pass(game: Game, players: int, reward: str) -> None:
    api_test(CardGameEnv(game, players, reward), num_cycles=400)
    seed_test(lambda: CardGameEnv(game, players, reward), num_cycles=400)


def test_the_old_module_form_makes_the_same_environment() -> None:
    from handfast.envs import justiciar_v0

    for make in (justiciar_v0.env, justiciar_v0.raw_env):
        env = make(players=3, max_turns=50)
        assert isinstance(env, CardGameEnv)
        assert env.options["max_turns"] == 50
        api_test(env, num_cycles=200)
        seed_test(lambda make=make: make(players=5), num_cycles=100)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
def test_games_are_registered_with_pettingzoo() -> None:
    for game in GAMES.values():
        env = pettingzoo.make("aec", f"handfast/{game.name}-v{game.version}")
        env.reset(seed=1)
        assert str(env).startswith("handfast/") or env.unwrapped.game is game


def test_spaces_are_one_object_equal_for_all_seats_with_fixed_keys(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    spaces = [env.observation_space(agent) for agent in env.possible_agents]
    assert all(space is spaces[0] for space in spaces)
    assert list(spaces[0].spaces) == ["observation", "action_mask"]
    assert all(env.action_space(agent) == env.action_space("player_0") for agent in env.possible_agents)
    env.reset(seed=1)
    observation = env.observe("player_0")
    assert list(observation) == ["observation", "action_mask"]
    assert observation["action_mask"].dtype == np.int8
    assert spaces[0].contains(observation)


def test_shapes_are_the_same_at_every_player_count(game: Game) -> None:
    shapes = {
        CardGameEnv(game, players).observation_space("player_0")["observation"].shape for players in game.player_counts
    }
    assert len(shapes) == 1


def test_masks_are_zero_off_turn_and_ones_after_the_end(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    env.reset(seed=2)
    for _ in range(30):
        for agent in env.possible_agents:
            mask = env.observe(agent)["action_mask"]
            assert (mask.sum() > 0) == (agent == env.agent_selection)
            assert (env.infos[agent]["action_mask"] == mask).all()
            assert env.infos[agent]["action_mask"].dtype == np.int8
        play(env, 1)
        if any(env.terminations.values()):
            break
    play(env)
    for agent in env.possible_agents:
        assert (env.observe(agent)["action_mask"] == 1).all()
        assert (env.infos[agent]["action_mask"] == 1).all()


def test_all_agents_end_in_the_same_step_with_every_last_reward(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    for seed in range(5):
        env.reset(seed=seed)
        play(env, seed=seed)
        assert env.agents == env.possible_agents
        ends = {(env.terminations[agent], env.truncations[agent]) for agent in env.agents}
        assert ends in ({(True, False)}, {(False, True)})
        assert all(type(flag) is bool for flag in (*env.terminations.values(), *env.truncations.values()))
        victors = game.judge(env._played().games)[1][0, :players]
        right = victors / victors.sum() - 1 / players if players > 1 else victors
        assert list(env.rewards.values()) == pytest.approx(right.tolist())
        assert set(env.rewards) == set(env.possible_agents)
        for agent in env.agent_iter():
            _, reward, *_ = env.last()
            assert reward == env._cumulative_rewards[agent]
            env.step(None)
        assert env.agents == []
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)


def test_a_truncated_game_pays_by_its_standing() -> None:
    env = CardGameEnv(GAMES["justiciar"], 4, max_turns=9)
    env.reset(seed=3)
    play(env)
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert abs(sum(env.rewards.values())) < 1e-6
    assert env.record()[-1]["winners"] == []


@pytest.mark.parametrize("duplicate", COPIES, ids=["deepcopy", "pickle", "clone", "bytes"])
def test_a_copy_in_mid_game_plays_on_alike_and_apart(game: Game, players: int, duplicate: Callable) -> None:
    env = CardGameEnv(game, players, "score")
    env.reset(seed=4)
    play(env, 1)
    other = duplicate(env)
    history = env.history("player_0")
    play(other, seed=1)
    assert env.history("player_0") == history
    play(env, seed=1)
    assert env.record() == other.record()
    assert env.rewards == other.rewards
    assert env.agents == other.agents
    for agent in env.possible_agents:
        assert (env.observe(agent)["observation"] == other.observe(agent)["observation"]).all()
    env.reset()
    other.reset()
    assert env.seed == other.seed


def test_a_copy_before_the_first_reset_works(game: Game) -> None:
    other = copy.deepcopy(CardGameEnv(game))
    other.reset(seed=1)
    play(other, 1)


def test_an_illegal_action_is_refused_in_words_and_changes_nothing() -> None:
    env = CardGameEnv(GAMES["justiciar"], 4)
    env.reset(seed=5)
    before = env.save()
    wrong = int(np.argmin(env.observe(env.agent_selection)["action_mask"]))
    words = env.game.choice(wrong, env.possible_agents.index(env.agent_selection), 4)
    for action, reason in ((np.array([1]), "must choose the number"), (wrong, f"{env.agent_selection} may not choose `{words}`"), (10_000, "from 0 to"), (-1, "from 0 to"), (None, "not None"), ("x", "not 'x'"), (1.5, "not 1.5"), (True, "not True")):  # fmt: skip
        with pytest.raises(IllegalAction, match=reason):
            env.step(action)
        assert env.save() == before


def test_an_illegal_action_can_end_the_game_as_pettingzoo_does() -> None:
    env = CardGameEnv(GAMES["justiciar"], 4, illegal="terminate")
    env.reset(seed=5)
    agent = env.agent_selection
    env.step(int(np.argmin(env.observe(agent)["action_mask"])))
    assert set(env.terminations.values()) == set(env.truncations.values()) == {True}
    assert env.rewards[agent] == -1
    assert (env.observe(agent)["action_mask"] == 1).all()
    while env.agents:
        env.step(None)
    env.reset(seed=6)
    play(env, 3)


def test_the_stock_wrappers_of_pettingzoo_work_around_it(game: Game) -> None:
    from pettingzoo.utils import wrappers

    def wrapped() -> pettingzoo.AECEnv:
        env = wrappers.TerminateIllegalWrapper(CardGameEnv(game), illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))

    api_test(wrapped(), num_cycles=200)
    env = wrapped()
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    if not mask.all():
        env.step(int(np.argmin(mask)))
        assert set(env.terminations.values()) == {True}


def test_after_pettingzoos_own_ending_masks_choices_and_copies_agree() -> None:
    from pettingzoo.utils import wrappers

    game = GAMES["covenant"]
    env = wrappers.TerminateIllegalWrapper(CardGameEnv(game, 3, render_mode="ansi"), illegal_reward=-1)
    env.reset(seed=3)
    env.last()
    offender = env.agent_selection
    env.step(int(np.argmin(env.observe(offender)["action_mask"])))
    inner = env.unwrapped
    for agent in inner.possible_agents:
        assert env.observe(agent)["action_mask"].all()
        assert env.infos[agent]["action_mask"].all()
    assert inner.choices() == {}
    again = CardGameEnv(game, 3)
    again.restore(inner.save())
    assert again.rewards == inner.rewards
    assert again.rewards[offender] == -1
    assert again.terminations == again.truncations == dict.fromkeys(inner.possible_agents, True)
    for _ in range(3):
        assert again.last()[1] == env.last()[1]
        env.step(None)
        again.step(None)
    assert again.agents == inner.agents == []


def test_a_game_that_is_broken_off_is_shown_as_player_0_sees_it() -> None:
    game = GAMES["covenant"]
    env = CardGameEnv(game, 3, illegal="terminate", render_mode="ansi")
    env.reset(seed=3)
    while env.agent_selection == "player_0":
        env.step(legal(env)[0])
    env.step(-1)
    position = game.look(env._batch.games, 0)[0].view(np.recarray)[0]
    assert env.render() == game.words.describe(position)


class Counting(CardGameEnv):
    """An environment as a user may extend it: other arguments, state of its own."""

    def __init__(self, name: str):
        super().__init__(GAMES[name], players=3)
        self.steps = 0

    def step(self, action: object) -> None:
        self.steps += 1
        super().step(action)


@pytest.mark.parametrize("duplicate", [*COPIES[:3], copy.copy], ids=["deepcopy", "pickle", "clone", "copy"])
def test_a_copy_keeps_what_users_and_subclasses_added(duplicate: Callable) -> None:
    env = Counting("justiciar")
    env.reset(seed=1)
    env.note = ["mine"]
    env.metadata["name"] = "other"
    env.observation_space("player_0").seed(5)
    env.action_space("player_1").seed(5)
    env.step(legal(env)[0])
    other = duplicate(env)
    assert type(other) is Counting
    assert (other.steps, other.note, other.metadata["name"]) == (1, ["mine"], "other")
    sampled = [one.observation_space("player_0").sample()["action_mask"].tolist() for one in (env, other)]
    assert sampled[0] == sampled[1]
    sampled = [[one.action_space("player_1").sample() for _ in range(9)] for one in (env, other)]
    assert sampled[0] == sampled[1]
    other.step(legal(other)[0])
    other.note.append("other")
    assert (env.steps, env.note) == (1, ["mine"])
    assert len(env.record()) + 1 == len(other.record())


def test_reset_without_a_seed_goes_on_in_its_own_stream(game: Game) -> None:
    first, second = CardGameEnv(game), CardGameEnv(game)
    seeds = []
    for env in (first, second):
        env.reset(seed=7, options={"anything": 1})
        env.reset()
        env.reset()
        seeds.append(env.seed)
    assert seeds[0] == seeds[1] != 7
    fresh = CardGameEnv(game)
    fresh.reset()
    again = CardGameEnv(game)
    again.reset()
    assert fresh.seed != again.seed


def test_before_reset_every_call_says_so(game: Game) -> None:
    env = CardGameEnv(game)
    for call in (
        env.last,
        lambda: env.step(0),
        lambda: env.observe("player_0"),
        env.state,
        env.record,
        env.save,
        env.choices,
    ):
        with pytest.raises(RuntimeError, match="reset"):
            call()


def test_state_is_a_vector_of_everything(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    env.reset(seed=8)
    state = env.state()
    assert env.state_space.contains(state)
    games = env._batch.games
    everything = np.concatenate([game.look(games, 0)[2][0], game.reveal(games, 0)[0]])
    assert state.tolist() == everything.tolist()


def test_history_is_what_one_agent_knows(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    env.reset(seed=9)
    play(env, 2)
    for seat, agent in enumerate(env.possible_agents):
        events = env.history(agent)
        assert events[0]["seen_by"] == seat
        assert events[0]["seed"] is None
        assert all("legal" not in event for event in events if event.get("seat") not in (seat, None))
        assert "??" in str(events)
    assert "??" not in str(env.record())
    assert env.record()[0]["seed"] == 9


def test_choices_are_the_legal_actions_in_words(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    env.reset(seed=10)
    seat = env.possible_agents.index(env.agent_selection)
    for action, words in env.choices().items():
        assert env.observe(env.agent_selection)["action_mask"][action] == 1
        assert game.action(words, seat, players) == action
    play(env)
    assert env.choices() == {}


def test_wrong_arguments_are_refused() -> None:
    game = GAMES["justiciar"]
    for arguments in (
        {"players": 2},
        {"reward": "money"},
        {"render_mode": "3d"},
        {"illegal": "ignore"},
        {"max_turns": 0},
        {"colour": 1},
    ):
        with pytest.raises(ValueError):  # noqa: PT011  each says its own
            CardGameEnv(game, **arguments).reset()
    env = CardGameEnv(game)
    for seed in (-1, 1.5, "x", 2**64, True):
        with pytest.raises(ValueError, match="a seed is a whole number"):
            env.reset(seed=seed)
    env.reset(seed=1)
    for call in (env.observe, env.history, env.action_space):
        with pytest.raises(ValueError, match="there is no agent 'player_9'; the agents are player_0, player_1"):
            call("player_9")
    with pytest.raises(ValueError, match="no render_mode was given"):
        env.render()
    with pytest.raises(ValueError, match="these bytes"):
        env.restore(b"rubbish")
    other = CardGameEnv(game, 3)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="saved by an environment with"):
        env.restore(other.save())
