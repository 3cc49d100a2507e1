"""One seat against agents, alone and many at once."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from handfast.envs import GAMES
from handfast.envs.core.batch import IllegalAction
from handfast.envs.core.decisions import Decisions, random_agent
from handfast.envs.core.game import Game
from handfast.envs.core.seat import SeatEnv, SeatVectorEnv


def first_legal(decisions: Decisions) -> np.ndarray:
    return decisions.masks.argmax(1)


def test_gymnasiums_own_check_passes(game: Game, players: int) -> None:
    check_env(SeatEnv(game, players, illegal="terminate"), skip_render_check=True)


def test_games_are_registered_with_gymnasium() -> None:
    for game in GAMES.values():
        name = f"handfast/{game.name.title().replace('_', '')}-v{game.version}"
        env = gymnasium.make(name, players=game.player_counts[0])
        env.reset(seed=1)
        assert env.unwrapped.game is game


def test_the_outcome_is_paid_once_and_every_seat_can_be_played(game: Game, players: int) -> None:
    for seat in range(players):
        env = SeatEnv(game, players, seat, opponents=[first_legal] * (players - 1))
        observation, info = env.reset(seed=seat)
        assert env.observation_space.contains(observation)
        total, over = 0.0, False
        while not over:
            mask = env.action_masks()
            assert mask.dtype == bool
            assert (mask == info["action_mask"].astype(bool)).all()
            observation, reward, terminated, truncated, info = env.step(np.flatnonzero(mask)[-1])
            over = terminated or truncated
            total += reward
            assert over or reward == 0
        least = -1 / players if players > 1 else 0  # who plays alone has nothing to lose
        assert least - 1e-6 <= total <= least + 1 + 1e-6
        assert env.action_masks().all()
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)


def test_the_same_seed_is_the_same_game(game: Game) -> None:
    runs = []
    for _ in range(2):
        env = SeatEnv(game)
        observations = [env.reset(seed=3)[0], env.reset()[0]]
        runs.append(np.stack(observations))
    assert (runs[0] == runs[1]).all()
    assert (runs[0][0] != runs[0][1]).any()


def test_an_illegal_action_is_refused_or_ends_the_game() -> None:
    env = SeatEnv(GAMES["justiciar"])
    env.reset(seed=1)
    wrong = int(np.argmin(env.action_masks()))
    with pytest.raises(IllegalAction):
        env.step(wrong)
    env = SeatEnv(GAMES["justiciar"], illegal="terminate")
    env.reset(seed=1)
    assert env.step(wrong)[1:4] == (-1.0, True, False)


@pytest.mark.parametrize("code", [-1, -2])
def test_the_seat_cannot_wait_or_redeal(game: Game, code: int) -> None:
    env = SeatEnv(game)
    env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(code)
    many = SeatVectorEnv(game, 2)
    many.reset(seed=1)
    with pytest.raises(IllegalAction):
        many.step(np.array([code, code]))


def test_an_opponents_wrong_answer_is_no_turn_of_the_seat(game: Game) -> None:
    players = game.player_counts[-1]
    asked = []

    def wrong(decisions: Decisions) -> np.ndarray:
        asked.append(len(decisions))
        return np.full(len(decisions), -1)

    env = SeatEnv(game, seat=players - 1, players=players, opponents=wrong)
    for seed in range(20):
        before = len(asked)
        try:
            env.reset(seed=seed)
        except RuntimeError:
            assert len(asked) == before + 1
        else:
            assert len(asked) == before
    assert bool(asked) == (players > 1)


def test_an_opponents_wrong_answer_in_mid_game_is_not_charged_to_the_seat(game: Game) -> None:
    def wrong_after_a_while(decisions: Decisions) -> np.ndarray:
        asked.append(len(decisions))
        return first_legal(decisions) if len(asked) < 20 else np.full(len(decisions), -1)

    asked: list[int] = []
    env = SeatEnv(game, opponents=wrong_after_a_while, illegal="terminate")
    if env._table.players == 1:
        return  # nobody else to be wrong
    with pytest.raises(RuntimeError, match="an opponent chose what is not legal"):
        play_games(env, 20)


def play_games(env: SeatEnv, n: int) -> None:
    for seed in range(n):
        mask, over = env.reset(seed=seed)[1]["action_mask"], False
        while not over:
            _, _, over, cut, info = env.step(int(mask.argmax()))
            mask, over = info["action_mask"], over or cut


@pytest.mark.parametrize("action", [None, 1.0, "x", True, [0, 1], np.array([1, 2]), 10**30, -1])
def test_what_is_no_action_is_refused_or_ends_the_game(game: Game, action: object) -> None:
    env = SeatEnv(game)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"must choose the number|from 0 to"):
        env.step(action)
    env = SeatEnv(game, illegal="terminate")
    env.reset(seed=1)
    assert env.step(action)[1:4] == (-1.0, True, False)


def test_opponents_are_agents(game: Game) -> None:
    for wrong in (5, "expert", ["expert"]):
        with pytest.raises(ValueError, match="opponents are agents"):
            SeatEnv(game, opponents=wrong)


class Fails:
    """An opponent that fails at its ninth decision."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, decisions: Decisions) -> np.ndarray:
        self.asked += 1
        if self.asked == 9:
            raise OSError("no answer")
        return random_agent(decisions)


@pytest.mark.parametrize("make", [SeatEnv, SeatVectorEnv])
def test_after_an_opponent_has_failed_no_other_seat_is_played(make: type) -> None:
    for game in (GAMES["covenant"], GAMES["manrent"]):
        env = make(game, players=4, seat=2, opponents=Fails())

        def play(env=env) -> None:
            _, info = env.reset(seed=1)
            for _ in range(50):
                actions = info["action_mask"].argmax(-1)
                info = env.step(actions)[-1]

        with pytest.raises(OSError, match="no answer"):
            play()
        for call in (lambda env=env: env.step(np.zeros(1, int)), env.action_masks):
            with pytest.raises(RuntimeError, match="an opponent failed"):
                call()
        _, info = env.reset()  # the opponent answers again
        env.step(info["action_mask"].argmax(-1))


def test_the_vector_form_shows_nothing_before_the_first_game(game: Game) -> None:
    with pytest.raises(RuntimeError, match="reset"):
        SeatVectorEnv(game, 2).action_masks()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_a_refused_first_reset_begins_no_game(game: Game, seed: object) -> None:
    env = SeatEnv(game)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        env.reset(seed=seed)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    many = SeatVectorEnv(game, 2)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        many.reset(seed=seed)
    with pytest.raises(RuntimeError, match="reset"):
        many.step(np.zeros(2, int))


def test_without_a_seed_every_first_game_is_another(game: Game) -> None:
    seeds = []
    for _ in range(4):
        env, many = SeatEnv(game), SeatVectorEnv(game, 2)
        env.reset()
        many.reset()
        seeds += [env._table.batch.seeds_of(0)[0], *(many._table.batch.seeds_of(i)[0] for i in range(2))]
    assert len(set(seeds)) == 12


def test_nothing_is_shown_before_the_first_game(game: Game) -> None:
    env = SeatEnv(game, render_mode="ansi")
    for ask in (env.render, env.action_masks):
        with pytest.raises(RuntimeError, match="reset"):
            ask()


def test_the_vector_form_plays_as_many_single_ones_would(game: Game) -> None:
    n = 6
    many = SeatVectorEnv(game, n, opponents=first_legal)
    alone = [SeatEnv(game, opponents=first_legal) for _ in range(n)]
    seeds = list(range(20, 20 + n))
    observations, infos = many.reset(seed=seeds)
    singles = [env.reset(seed=seed)[0] for env, seed in zip(alone, seeds, strict=True)]
    ended = 0
    for _ in range(150):
        assert (observations == np.stack(singles)).all()
        actions = infos["action_mask"].argmax(1)
        observations, rewards, terminated, truncated, infos = many.step(actions)
        for i, env in enumerate(alone):
            singles[i], reward, over, cut, _ = env.step(actions[i])
            assert (reward, over, cut) == (pytest.approx(rewards[i]), terminated[i], truncated[i])
            if over or cut:
                ended += 1
                assert (infos["final_obs"][i] == singles[i]).all()
                final = infos["final_info"]
                assert (infos["_final_obs"][i], infos["_final_info"][i], final["_action_mask"][i]) == (True,) * 3
                assert (final["action_mask"][i] == env._info()["action_mask"]).all()
                singles[i] = env.reset()[0]
    assert ended > 0


def test_wrong_arguments_are_refused(game: Game) -> None:
    players = game.player_counts[-1]
    with pytest.raises(ValueError, match="seat must be"):
        SeatEnv(game, players, seat=players)
    with pytest.raises(ValueError, match="opponents are needed"):
        SeatEnv(game, players, opponents=[random_agent] * players)
    with pytest.raises(ValueError, match="render_mode"):
        SeatEnv(game, players, render_mode="human")
    with pytest.raises(RuntimeError, match="reset"):
        SeatEnv(game, players).step(0)
    with pytest.raises(ValueError, match="callables"):
        SeatEnv(game, players, opponents=["random"] * players)
