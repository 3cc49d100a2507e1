"""Self-play on a real game, against a plain replay of every move, forced ones included."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from handfast.envs import get
from handfast.envs.core.batch import Batch
from handfast.training import ppo, rollout
from handfast.training.config import Config, make
from tests.kuhn import GAME as KUHN

GAME = get("justiciar")
SETTINGS = {"games": 9, "steps": 40, "width": 8, "blocks": 0, "victory": 10.0, "threads": 1}


@dataclass
class Choice:
    """A decision with more than one option, as the replay met it, and all that its seat was paid for it."""

    seat: int
    features: np.ndarray
    mask: np.ndarray
    hidden: np.ndarray
    paid: float = 0.0
    over: bool = field(default=False)  # the seat has chosen again, or the game has ended


def replay(config: Config, i: int, actions: np.ndarray) -> list[Choice]:
    """Game `i` of a batch, move by move: forced ones are made, `actions` are the others."""
    players = config.players[i % len(config.players)]
    seeds = np.random.SeedSequence(config.seed).generate_state(config.games, np.uint64)
    batch = Batch(GAME, 1, players, [int(seeds[i])], "score")
    choices: list[Choice] = []
    last: dict[int, Choice] = {}
    while len(choices) < len(actions) or batch.masks.sum() == 1:
        seat = int(batch.seats[0])
        if batch.masks.sum() > 1:
            if seat in last:
                last[seat].over = True
            last[seat] = Choice(seat, batch.features[0].copy(), batch.masks[0].copy(), batch.hidden()[0])
            choices.append(last[seat])
            batch.step(actions[len(choices) - 1 : len(choices)])
        else:
            batch.step(batch.masks.argmax(1))
        for one, choice in last.items():
            choice.paid += float(batch.rewards[0, one])
            if batch.ends[0]:
                winners = batch.winners[0]
                choice.paid += 10.0 * (winners[one] / winners.sum() - 1 / players)
                choice.over = True
        if batch.ends[0]:
            last = {}
    return choices


def test_what_is_kept_are_choices_and_each_is_paid_what_its_seat_gets_up_to_its_next_one() -> None:
    config = make(GAME, SETTINGS)
    players = [config.players[i % len(config.players)] for i in range(config.games)]
    kept = {name: [] for name in rollout.ARRAYS}
    batch, learner = Batch(GAME, config.games, players, config.seed, "score"), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config, 0)
    for _ in range(8):
        rollout.collect(batch, learner.actor, room, config, learner.generator)
        for name, arrays in kept.items():
            arrays.append(getattr(room, name).copy())
    whole = {name: np.concatenate(arrays) for name, arrays in kept.items()}
    steps = len(whole["seats"])
    all_of_it = rollout.Rollout(steps, 0, steps, *(whole[name] for name in rollout.ARRAYS))
    nothing = np.zeros((steps, config.games), np.float32)
    advantage, known = rollout.advantages(all_of_it, nothing, 0.0, 1.0)
    assert (whole["masks"].sum(2) > 1).all()
    assert (whole["ends"] > 0).sum() > 5
    for i in range(config.games):
        choices = replay(config, i, whole["actions"][:, i])
        assert [one.seat for one in choices] == whole["seats"][:, i].tolist()
        assert known[:, i].tolist() == [one.over for one in choices]
        for t, one in enumerate(choices):
            assert (one.features == whole["features"][t, i]).all()
            assert (one.mask == whole["masks"][t, i]).all()
            assert (one.hidden == whole["hidden"][t, i]).all()
            if one.over:
                assert advantage[t, i] == pytest.approx(one.paid, abs=1e-4)


def test_the_gaps_between_a_seats_choices_are_those_of_the_game() -> None:
    """Kuhn poker: who begins waits one decision for the end or two for its own next, the other none or one."""
    found = rollout.gaps(Batch(KUHN, 64), 200)
    assert len(found) == 3
    games = found[2]  # pass, bet, answer: one gap of each kind
    assert found[0] > games
    assert found[1] > games
    assert rollout.overlap_of(KUHN, make(KUHN, {})) == 2


def test_more_players_are_waited_for_longer_and_the_same_config_waits_the_same() -> None:
    few, many, mixed = (rollout.overlap_of(GAME, make(GAME, {"players": players})) for players in ((3,), (5,), (3, 5)))
    assert few < mixed <= many
    assert rollout.overlap_of(GAME, make(GAME, {"players": (3,)})) == few


def test_nearly_every_choice_of_self_play_is_learned_from_and_the_share_that_is_not_is_told() -> None:
    config = make(GAME, SETTINGS | {"games": 60, "steps": 48})
    players = [config.players[i % len(config.players)] for i in range(config.games)]
    batch, learner = Batch(GAME, config.games, players, config.seed, "score"), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config, rollout.overlap_of(GAME, config))
    for number in range(4):
        rollout.collect(batch, learner.actor, room, config, learner.generator)
        figures = ppo.update(learner, room, config, number, 4)
    known = rollout.advantages(room, np.zeros(room.seats.shape, np.float32), 1.0, 1.0)[1]
    assert figures["dropped"] == pytest.approx(1 - known[: room.fresh].mean())
    assert 0 <= figures["dropped"] < 0.02
    assert figures["stale"] == pytest.approx(room.overlap / room.fresh, abs=0.02)


def test_a_forced_move_pays_up_to_the_games_end_and_what_begins_after_it_pays_nobody() -> None:
    """One game, three moves without a choice: one pays 2, the next 5 and ends the game, the first of a new one 7."""
    left = [(2.0, 0), (5.0, 1), (7.0, 0)]
    table: Any = SimpleNamespace(n=1, game=KUHN, masks=np.array([[1, 0]], np.int8))

    def step(actions: np.ndarray, rows: np.ndarray) -> None:
        reward, end = left.pop(0)
        table.rewards, table.ends = np.array([[reward, -reward]], np.float32), np.array([end], np.int8)
        table.masks[0, 1] = not left

    table.step = step
    rewards, ends = np.array([[1.0, 0.0]], np.float32), np.zeros(1, np.int8)
    rollout.play_forced(table, rewards, ends)
    assert not left
    assert rewards.tolist() == [[8, -7]]
    assert ends.tolist() == [1]


def test_a_game_without_any_choice_is_refused() -> None:
    forced: Any = SimpleNamespace(
        n=2, game=KUHN, masks=np.array([[1, 0], [1, 0]], np.int8), step=lambda actions, rows: None
    )
    with pytest.raises(ValueError, match="kuhn with these options never offers a choice"):
        rollout.play_forced(forced)
