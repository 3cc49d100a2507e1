"""The batch: rewards, ends, snapshots, and what it refuses."""

import copy
import pickle

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.batch import REWARDS, Batch, IllegalAction
from handfast.envs.core.game import Game
from handfast.envs.core.table import FINISHED
from tests.positions import positions


def test_whoever_is_to_move_has_a_choice(game: Game) -> None:
    games, _ = positions(game, 1000, seed=4)
    masks = game.look(games, games["seat"])[1]
    assert (masks.max(1) == 1).all()
    assert set(np.unique(masks)) <= {0, 1}


def test_features_stay_within_their_bounds(game: Game) -> None:
    games, seats = positions(game, 1000, seed=5)
    features = game.look(games, seats)[2]
    assert (features >= 0).all()
    assert (features <= np.array(game.feature_highs)).all()


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_follow_from_points_and_victors(game: Game, players: int, reward: str) -> None:
    near = {"goal": 1} if "goal" in game.options else {}  # so that somebody who plays alone at random wins
    batch = Batch(game, 64, players, 1, reward, restart=False, **near)
    total = np.zeros((64, game.seats))
    while (batch.seats != FINISHED).any():
        batch.step_at_random()
        total += batch.rewards
    scores, victors = batch.scores[:, :players].astype(float), batch.winners[:, :players].astype(float)
    assert set(victors.ravel()) == {0, 1}
    if reward == "score":
        right = game.score_sign * scores
    elif reward == "outcome":
        right = victors if players == 1 else victors / victors.sum(1, keepdims=True) - 1 / players
    else:
        others = scores.sum(1, keepdims=True) - scores
        right = game.score_sign * (scores - others / max(players - 1, 1))
    assert np.allclose(total[:, :players], right, atol=1e-4)
    assert (total[:, players:] == 0).all()


@pytest.mark.parametrize("reward", REWARDS)
def test_a_finished_game_begins_anew_and_keeps_its_last_figures(game: Game, players: int, reward: str) -> None:
    batch = Batch(game, 16, players, 2, reward)
    ended = np.zeros(16, int)
    last = np.zeros_like(batch.scores), np.zeros_like(batch.winners)
    for _ in range(1500):
        batch.step_at_random()
        over = batch.ends > 0
        ended += over
        last[0][over], last[1][over] = batch.scores[over], batch.winners[over]
        assert (batch.scores == last[0]).all()
        assert (batch.winners == last[1]).all()
        assert (batch.seats >= 0).all()
        assert (batch.winners[over].sum(1) >= (players > 1)).all()  # who plays alone may lose
        assert reward == "score" or (batch.rewards[~over] == 0).all()
        if ended.sum() > 20 and not over.any():
            break
    assert ended.sum() > 20


def test_without_restart_a_finished_game_stays_as_it_is(game: Game, players: int) -> None:
    batch = Batch(game, 4, players, 3, restart=False)
    while (batch.seats != FINISHED).any():
        batch.step_at_random()
    before = batch.games.tobytes()
    batch.step(np.zeros(4, int))
    assert batch.games.tobytes() == before
    assert (batch.rewards == 0).all()
    assert (batch.ends == 0).all()
    assert (batch.masks == 0).all()


def test_saved_games_come_back_in_mid_game(game: Game, players: int) -> None:
    batch = Batch(game, 8, players, 4)
    for _ in range(10):
        batch.step_at_random()
    saved, one = batch.save(), batch.save(3)
    then = [array.copy() for array in (batch.games, batch.masks, batch.features, batch.seats, batch.keys)]
    for _ in range(10):
        batch.step_at_random()
    batch.restore(saved)
    for before, after in zip(then, (batch.games, batch.masks, batch.features, batch.seats, batch.keys), strict=True):
        assert before.tobytes() == after.tobytes()
    batch.rewards[:], batch.ends[:] = 3, 1  # as if all had just ended
    batch.restore(one, 5)
    assert batch.games[5].tobytes() == then[0][3].tobytes()
    others = np.arange(8) != 5
    assert (batch.rewards[others] == 3).all()
    assert (batch.ends[others] == 1).all()
    assert batch.ends[5] == 0
    assert (batch.rewards[5] == 0).all()


def test_foreign_bytes_are_refused(game: Game, players: int) -> None:
    batch = Batch(game, 2, players, 5)
    saved = batch.save()
    for wrong in (b"", b"rubbish", saved[:-1], saved + b"x", batch.save(0)):
        with pytest.raises(ValueError, match="these bytes"):
            batch.restore(wrong)
    assert batch.save() == saved


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_batch_can_be_copied_and_pickled_in_mid_game(game: Game, duplicate) -> None:
    batch = Batch(game, 8, seed=6, threads=2)
    for _ in range(9):
        batch.step_at_random()
    other = duplicate(batch)
    for _ in range(50):
        batch.step_at_random()
        other.step_at_random()
    assert batch.games.tobytes() == other.games.tobytes()
    assert batch.rewards.tobytes() == other.rewards.tobytes()
    assert batch.features.tobytes() == other.features.tobytes()


def test_an_illegal_action_is_refused_with_its_reason_and_moves_no_game(game: Game) -> None:
    batch = Batch(game, 8, seed=7)
    batch.step_at_random()
    before = batch.save()
    for action in (-7, game.actions, int(np.argmin(batch.masks[5]))):
        if 0 <= action < game.actions and batch.masks[5, action]:
            continue  # every action is legal in this game
        actions = batch.masks.argmax(1)
        actions[5] = action
        with pytest.raises(IllegalAction, match="game 5: player_"):
            batch.step(actions)
        assert batch.save() == before


def test_actions_of_a_wrong_shape_or_type_are_refused(game: Game) -> None:
    batch = Batch(game, 3, seed=8)
    for wrong in ([0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0], 0):
        with pytest.raises(ValueError, match="actions must be 3 whole numbers"):
            batch.step(wrong)


def test_rows_that_are_no_games_are_refused(game: Game) -> None:
    batch = Batch(game, 3, seed=8)
    before = batch.save()
    for rows in ([3], [-1], [0.0], [[0]]):
        with pytest.raises(ValueError, match="numbers of games, from 0 to 2"):
            batch.step([0], np.array(rows))
        with pytest.raises(ValueError, match="numbers of games, from 0 to 2"):
            batch.renew(np.array(rows))
    with pytest.raises(ValueError, match="numbers of games, from 0 to 2"):
        batch.save(5)
    assert batch.save() == before


def test_without_a_seed_every_batch_and_game_is_another(game: Game) -> None:
    seeds = [*Batch(game, 3, seed=None).games["seed"], *Batch(game, 3, seed=None).games["seed"]]
    assert len(set(seeds)) == 6


def test_games_that_are_not_named_stay_as_they_are(game: Game) -> None:
    batch = Batch(game, 3, seed=9)
    before = batch.games.copy()
    batch.step(batch.masks[1:2].argmax(1), np.array([1]))
    assert batch.games[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    assert batch.games[1].tobytes() != before[1].tobytes()
    batch.renew(np.array([2]))
    assert batch.games[0].tobytes() == before[0].tobytes()
    assert batch.games["seed"][2] != before["seed"][2]


def test_an_agent_cannot_wait_redeal_or_answer_amiss(game: Game) -> None:
    batch = Batch(game, 4, seed=9)
    for code in (kernels.WAIT, kernels.RENEW):
        with pytest.raises(IllegalAction, match="game 0: player_"):
            batch.ask(lambda decisions, code=code: np.full(len(decisions), code))
    for answer in (None, [0.0] * 4, [0], "1111"):
        with pytest.raises(ValueError, match="an agent must give 4 whole numbers"):
            batch.ask(lambda decisions, answer=answer: answer)


def test_a_single_flipped_bit_in_saved_games_is_refused(game: Game) -> None:
    batch = Batch(game, 2, seed=5)
    saved = batch.save()
    for at in range(0, len(saved), 7):
        damaged = bytearray(saved)
        damaged[at] ^= 1 << at % 8
        with pytest.raises(ValueError, match="these bytes"):
            batch.restore(bytes(damaged))
    with pytest.raises(ValueError, match="numbers of games"):
        batch.save(2)
    with pytest.raises(ValueError, match="numbers of games"):
        batch.restore(batch.save(0), 5)


def test_wrong_settings_are_refused_with_the_right_ones(game: Game) -> None:
    with pytest.raises(ValueError, match="is played by"):
        Batch(game, 1, 17)
    with pytest.raises(ValueError, match="has no option 'colour'"):
        Batch(game, 1, colour=3)
    with pytest.raises(ValueError, match="reward must be one of outcome, score, margin"):
        Batch(game, 1, reward="money")
    with pytest.raises(ValueError, match="the number of games must be a whole number from 1 on"):
        Batch(game, 0)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Batch(game, 1, seed=-1)
    with pytest.raises(ValueError, match="takes 2 seeds"):
        Batch(game, 2, seed=[1, 2, 3])
    for name, option in game.options.items():
        with pytest.raises(ValueError, match=f"option '{name}' must be"):
            Batch(game, 1, **{name: object()})
        assert option.value(option.stored(name, option.default)) == option.default


def test_one_batch_mixes_player_counts_and_options(game: Game) -> None:
    counts = [game.player_counts[i % len(game.player_counts)] for i in range(6)]
    batch = Batch(game, 6, counts, 1)
    assert batch.games["players"].tolist() == counts
    with pytest.raises(ValueError, match="one value or 6"):
        Batch(game, 6, counts[:2] + [counts[0]] * 3)
