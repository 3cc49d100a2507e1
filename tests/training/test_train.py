"""Runs: reproducible, resumed to the bit, refused where they do not fit."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from filelock import FileLock

from handfast.agents import checkpoint
from handfast.envs.core.batch import Batch
from handfast.training import ppo, rollout, state
from handfast.training.config import Config, make
from handfast.training.train import _games, report, train, updates_of
from tests.kuhn import GAME

SETTINGS = {
    "decisions": 16_384, "games": 64, "steps": 8, "minibatch": 256, "width": 16, "blocks": 1, "threads": 1,
    "evaluations": 2, "evaluation_deals": 4, "final_deals": 8, "save_every": 3,
}  # fmt: skip


def weights(folder: Path) -> bytes:
    """The networks, optimizer, games and generator that a run ended with."""
    _, tensors = state.read(folder / "state.sealed")
    return b"".join(tensors[name].numpy().tobytes() for name in sorted(tensors))


@pytest.mark.slow
def test_the_same_config_and_seed_give_the_same_weights(tmp_path: Path) -> None:
    torch.manual_seed(0)
    before = torch.get_rng_state()
    for name in ("a", "b"):
        train(GAME, make(GAME, SETTINGS), tmp_path / name, quiet=True)
    train(GAME, make(GAME, SETTINGS | {"seed": 1}), tmp_path / "c", quiet=True)
    assert weights(tmp_path / "a") == weights(tmp_path / "b") != weights(tmp_path / "c")
    assert torch.equal(torch.get_rng_state(), before)  # no global random state is touched


def test_the_games_of_self_play_stand_at_different_decisions_from_the_start() -> None:
    """In step, all would end in the same updates, and the others would learn of one phase of the game each."""
    batch = _games(GAME, make(GAME, SETTINGS))
    counts = np.bincount(batch.made)
    assert len(counts) > 1
    assert counts.min() > batch.n // 8


SCRIPT = """
import sys
from pathlib import Path
from handfast.training.config import make
from handfast.training.train import train
from tests.kuhn import GAME
from tests.training.test_train import SETTINGS
train(GAME, make(GAME, SETTINGS | {"decisions": 65_536}), Path(sys.argv[1]), resume=sys.argv[2] == "resume", quiet=True)
"""


def run(folder: Path, how: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder), how], env=os.environ | {"OMP_NUM_THREADS": "1"})


@pytest.mark.slow
def test_a_run_that_was_killed_ends_with_the_weights_of_an_unbroken_one(tmp_path: Path) -> None:
    assert run(tmp_path / "whole", "begin").wait() == 0
    broken = tmp_path / "broken"
    saved, seen = broken / "state.sealed", None
    for how in ("begin", "resume", "resume"):
        process = run(broken, how)
        while not saved.exists() or saved.stat().st_mtime_ns == seen:
            assert process.poll() is None, "the run ended before it could be killed"
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen = saved.stat().st_mtime_ns
    process = run(broken, "resume")
    process.wait()
    assert process.returncode == 0
    assert weights(broken) == weights(tmp_path / "whole")
    cards = [checkpoint.read_card(folder / "best") for folder in (broken, tmp_path / "whole")]
    for card in cards:
        card.pop("minutes")
    assert cards[0] == cards[1]


def test_a_run_writes_its_config_curves_and_measured_best(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    card = train(GAME, make(GAME, SETTINGS), folder, quiet=True)
    assert json.loads((folder / "config.json").read_text())["game"] == "kuhn"
    assert list((folder / "curves").glob("events*"))
    assert card == checkpoint.read_card(folder / "best")
    assert card["strength"][0]["against"] == "random"
    assert card["strength"][0]["deals"] == 8
    assert "random" in report(GAME, card)
    agent = checkpoint.load(folder / "best", GAME)
    batch = Batch(GAME, 4)
    batch.step(agent(batch.decisions()))


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    train(GAME, make(GAME, SETTINGS), tmp_path, quiet=True)
    with pytest.raises(ValueError, match="holds a run already"):
        train(GAME, make(GAME, SETTINGS), tmp_path, quiet=True)
    (tmp_path / "config.json").unlink()
    with pytest.raises(ValueError, match="holds a run already"):
        train(GAME, make(GAME, SETTINGS), tmp_path, quiet=True)
    with pytest.raises(ValueError, match="no run to resume"):
        train(GAME, make(GAME, SETTINGS), tmp_path / "nowhere", resume=True, quiet=True)


def test_two_processes_cannot_train_in_one_folder(tmp_path: Path) -> None:
    train(GAME, make(GAME, SETTINGS), tmp_path, quiet=True)
    with FileLock(tmp_path / "lock"), pytest.raises(ValueError, match="another process trains in"):
        train(GAME, make(GAME, SETTINGS), tmp_path, resume=True, quiet=True)
    train(GAME, make(GAME, SETTINGS), tmp_path, resume=True, quiet=True)


def test_a_damaged_or_foreign_state_is_refused(tmp_path: Path) -> None:
    config = make(GAME, SETTINGS)
    train(GAME, config, tmp_path, quiet=True)
    path = tmp_path / "state.sealed"
    whole = path.read_bytes()
    for damaged in (b"", b"rubbish", whole[: len(whole) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(state.StateError, match="holds no state that a run can go on from"):
            train(GAME, config, tmp_path, resume=True, quiet=True)
    path.write_bytes(whole)
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    path.write_bytes(bytes(damaged))
    with pytest.raises(state.StateError, match="damaged"):
        train(GAME, config, tmp_path, resume=True, quiet=True)
    path.unlink()
    with pytest.raises(state.StateError, match="No such file"):
        train(GAME, config, tmp_path, resume=True, quiet=True)
    path.write_bytes(whole)
    kept = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(kept | {"steps": 16}))
    with pytest.raises(state.StateError, match="another config"):
        train(GAME, config, tmp_path, resume=True, quiet=True)
    for rubbish in ("", "{}", "[]", "null"):
        (tmp_path / "config.json").write_text(rubbish)
        with pytest.raises(ValueError, match=r"config\.json is damaged"):
            train(GAME, config, tmp_path, resume=True, quiet=True)


def test_a_run_that_cannot_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no device 'abacus'"):
        train(GAME, make(GAME, SETTINGS | {"device": "abacus"}), tmp_path / "run", quiet=True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("steps", [1, 3, 8, 11])
def test_short_rollouts_learn_only_from_decisions_that_were_made(tmp_path: Path, steps: int) -> None:
    config = make(GAME, SETTINGS | {"games": 4, "steps": steps, "decisions": 4 * steps * 20})
    train(GAME, config, tmp_path, quiet=True)
    batch, learner = Batch(GAME, 4, 2), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config)
    for _ in range(12):
        rollout.collect(batch, learner.actor, room, config, learner.generator)
        known = rollout.advantages(room, np.zeros(room.seats.shape, np.float32), 1.0, 1.0)[1]
        assert (room.masks[known].sum(1) > 0).all()


def test_a_longer_run_goes_through_every_update() -> None:
    assert updates_of(Config(decisions=1)) == 1
    assert updates_of(Config(decisions=10 * 1024 * 64 + 5)) == 10


# --- Advantages, against sums written out by hand -------------------------------------------------------------


def small_rollout(seats: list[int], rewards: list[list[float]], ends: list[int], fresh: int) -> rollout.Rollout:
    """A rollout of one game from lists over its steps."""
    steps = len(seats)
    nothing = np.zeros((steps, 1, 1), np.int8)
    return rollout.Rollout(
        fresh, steps - fresh, steps - fresh, nothing, nothing, nothing, np.array(seats)[:, None], np.zeros((steps, 1), int),
        np.zeros((steps, 1), np.float32), np.array(rewards, np.float32)[:, None], np.array(ends)[:, None],
    )  # fmt: skip


def test_a_seat_is_paid_for_a_decision_what_falls_to_it_up_to_its_next_one() -> None:
    played = small_rollout([0, 1, 0, 1], [[1, 0], [2, 5], [0, 0], [3, 7]], [0, 0, 0, 1], fresh=4)
    values = np.array([[0.5], [0.25], [0.125], [1.0]], np.float32)
    advantage, known = rollout.advantages(played, values, 0.5, 1.0)
    third, fourth = 0 + 3 - 0.125, 7 - 1.0
    first, second = 1 + 2 + 0.125 - 0.5 + 0.5 * third, 5 + 0 + 1.0 - 0.25 + 0.5 * fourth
    assert advantage[:, 0].tolist() == [first, second, third, fourth]
    assert known.all()


def test_a_decision_without_a_known_successor_only_lends_its_value() -> None:
    played = small_rollout([0, 1, 0, 2], [[0, 0, 0]] * 4, [0, 0, 0, 0], fresh=4)
    values = np.array([[1.0], [2.0], [4.0], [8.0]], np.float32)
    advantage, known = rollout.advantages(played, values, 1.0, 1.0)
    assert known[:, 0].tolist() == [True, False, False, False]
    assert advantage[0, 0] == 4.0 - 1.0


def test_a_game_that_begins_owes_nothing_to_the_one_before() -> None:
    played = small_rollout([0, 0, 1], [[1, -1], [0, 0], [-5, 5]], [1, 0, 1], fresh=3)
    advantage, known = rollout.advantages(played, np.zeros((3, 1), np.float32), 1.0, 1.0)
    assert advantage[:, 0].tolist() == [1, -5, 5]
    assert known.all()


def test_the_last_steps_wait_for_the_next_rollout() -> None:
    played = small_rollout([0, 0, 0], [[0], [0], [1]], [0, 0, 1], fresh=2)
    known = rollout.advantages(played, np.zeros((3, 1), np.float32), 1.0, 1.0)[1]
    assert known[:, 0].tolist() == [True, True, False]
    played.filled = 0
    known = rollout.advantages(played, np.zeros((3, 1), np.float32), 1.0, 1.0)[1]
    assert known[:, 0].tolist() == [False, True, False]


def test_every_decision_is_learned_from_once() -> None:
    config = make(GAME, SETTINGS | {"games": 16, "steps": 16})
    batch, learner = Batch(GAME, 16, 2), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config)
    made, learned = 0, 0
    for _ in range(5):
        rollout.collect(batch, learner.actor, room, config, learner.generator)
        made += 16 * 16
        learned += rollout.advantages(room, np.zeros(room.seats.shape, np.float32), 1.0, 1.0)[1].sum()
    assert learned == made - 16 * room.overlap


def test_a_victory_is_paid_on_top_of_the_points() -> None:
    config = make(GAME, SETTINGS | {"games": 16, "steps": 16, "reward": "score", "victory": 7.0})
    batch, learner = Batch(GAME, 16, 2, 1, "score"), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config)
    rollout.collect(batch, learner.actor, room, config, learner.generator)
    over = room.ends > 0
    assert over.sum() > 20
    points = room.rewards[over]
    assert (np.abs(points) > 3.5).all()  # half a victory, and one or two points
    assert np.allclose(points.sum(1), 0)
    assert (np.abs(room.rewards[~over]) < 3).all()


def test_the_critic_may_go_without_the_hidden_cards(tmp_path: Path) -> None:
    config = make(GAME, SETTINGS | {"critic_sees_hidden": False})
    assert ppo.begin(GAME, config).critic.first.in_features == GAME.features
    train(GAME, config, tmp_path, quiet=True)
    assert dataclasses.asdict(config)["critic_sees_hidden"] is False
