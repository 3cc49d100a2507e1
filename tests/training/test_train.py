"""Runs: reproducible, resumed to the bit, refused where they do not fit."""

import dataclasses
import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from filelock import FileLock
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from handfast.agents import checkpoint
from handfast.agents.arena.duplicate import duplicate
from handfast.agents.arena.intervals import Interval
from handfast.envs import get
from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch
from handfast.envs.core.decisions import Decisions, random_agent
from handfast.training import ppo, rollout, state
from handfast.training import train as trainer
from handfast.training.config import Config, make
from handfast.training.train import SLACK, _games, _lead, not_worse, report, train, updates_of
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
    counts = np.bincount(batch._course[:, kernels.MADE])
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
    path.write_bytes(whole)
    kept = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(kept | {"steps": 16}))
    with pytest.raises(state.StateError, match="another config"):
        train(GAME, config, tmp_path, resume=True, quiet=True)
    for rubbish in ("", "{}", "[]", "null"):
        (tmp_path / "config.json").write_text(rubbish)
        with pytest.raises(ValueError, match=r"config\.json is damaged"):
            train(GAME, config, tmp_path, resume=True, quiet=True)


@pytest.mark.parametrize("steps", [1, 3, 8, 11])
def test_short_rollouts_learn_only_from_decisions_that_were_made(tmp_path: Path, steps: int) -> None:
    config = make(GAME, SETTINGS | {"games": 4, "steps": steps, "decisions": 4 * steps * 20})
    train(GAME, config, tmp_path, quiet=True)
    batch, learner = Batch(GAME, 4, 2), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config, 2)
    for _ in range(12):
        rollout.collect(batch, learner.actor, room, config, learner.generator)
        known = rollout.advantages(room, np.zeros(room.seats.shape, np.float32), 1.0, 1.0)[1]
        assert (room.masks[known].sum(1) > 0).all()


# --- Killed between any two writes ----------------------------------------------------------------------------

SHORT = SETTINGS | {"decisions": 4096, "save_every": 3}  # 8 updates, states after 3, 4, 6 and 8, evaluations at 4 and 8


class Killed(BaseException):
    """What a kill looks like from inside."""


def card_of(folder: Path) -> dict:
    return {name: value for name, value in checkpoint.read_card(folder / "best").items() if name != "minutes"}


def points(folder: Path) -> dict[str, list[int]]:
    """The steps at which each curve has a point, as TensorBoard reads them."""
    curves = EventAccumulator(str(folder / "curves"), size_guidance={"scalars": 0}).Reload()
    return {tag: [point.step for point in curves.Scalars(tag)] for tag in curves.Tags()["scalars"]}


def everything(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if not path.name.startswith("events."))


def go_on(folder: Path) -> None:
    """What a user does: go on where there is a run, else begin."""
    there = (folder / "config.json").exists()
    train(GAME, make(GAME, SHORT), folder, resume=there, quiet=True)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken")
    train(GAME, make(GAME, SHORT), folder, quiet=True)
    return folder


def assert_the_same_run(folder: Path, whole: Path) -> None:
    assert weights(folder) == weights(whole)
    assert card_of(folder) == card_of(whole)
    assert points(folder) == points(whole)
    assert everything(folder) == everything(whole)


REPLACEMENTS = (
    12  # of config.json; four states; weights and card twice or once; weights and card with the measured strength
)


def test_the_writes_of_a_run_are_all_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *paths: (calls.append(paths), replace(*paths)))
    train(GAME, make(GAME, SHORT), tmp_path / "run", quiet=True)
    assert len(calls) <= REPLACEMENTS


@pytest.mark.parametrize("error", [Killed(), OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EROFS, "Read-only file system")])  # fmt: skip
@pytest.mark.parametrize("number", range(1, REPLACEMENTS + 1))
def test_a_run_that_stopped_at_any_write_ends_as_an_unbroken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unbroken: Path, number: int, error: BaseException
) -> None:
    folder, done = tmp_path / "run", []
    replace, unlink = os.replace, Path.unlink

    def until(*paths: Path) -> None:
        done.append(paths)
        if len(done) >= number:
            raise error
        replace(*paths)

    monkeypatch.setattr(os, "replace", until)
    if isinstance(error, Killed):  # nobody tidies up after a kill
        monkeypatch.setattr(Path, "unlink", lambda path, **more: None if len(done) >= number else unlink(path, **more))
    try:
        train(GAME, make(GAME, SHORT), folder, quiet=True)
    except (Killed, OSError):
        pass
    else:
        assert len(done) < number  # a run of fewer writes
    monkeypatch.undo()
    go_on(folder)
    assert_the_same_run(folder, unbroken)


def test_a_run_killed_before_old_weights_are_removed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(path: Path, missing_ok: bool = False) -> None:
        raise Killed

    folder = tmp_path / "run"
    other = ppo.begin(GAME, make(GAME, SHORT | {"seed": 5})).average
    kept = train(GAME, make(GAME, SHORT | {"decisions": 2048}), folder, quiet=True)
    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(Killed):
        checkpoint.save(folder / "best", GAME, other, {"decisions": 1})
    monkeypatch.undo()
    assert len(list((folder / "best").glob("weights-*"))) == 2
    card = train(GAME, make(GAME, SHORT), folder, resume=True, quiet=True)
    assert card["decisions"] == kept["decisions"] > 1  # by the state, not by what lay there
    assert len(list((folder / "best").glob("weights-*"))) == 1


DYING = """
import os, sys
from pathlib import Path
from handfast.training.config import make
from handfast.training.train import train
from tests.kuhn import GAME
from tests.training.test_train import SHORT
left, replace = [int(sys.argv[2])], os.replace
def until(*paths):
    left[0] -= 1
    if left[0] == 0:
        os._exit(9)
    replace(*paths)
os.replace = until
train(GAME, make(GAME, SHORT), Path(sys.argv[1]), quiet=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3, 4, 9])
def test_a_process_that_died_at_a_write_leaves_nothing_that_stays(tmp_path: Path, unbroken: Path, number: int) -> None:
    folder = tmp_path / "run"
    died = subprocess.run([sys.executable, "-c", DYING, str(folder), str(number)], check=False)
    assert died.returncode == 9
    assert any(path.name.startswith(".") for path in folder.rglob("*"))  # a draft
    go_on(folder)
    assert_the_same_run(folder, unbroken)


def test_a_point_that_was_half_written_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unbroken: Path
) -> None:
    def killed(*arguments: Any) -> None:
        raise Killed

    monkeypatch.setattr(trainer, "_evaluate", killed)  # after the state of update 3, in update 4
    with pytest.raises(Killed):
        train(GAME, make(GAME, SHORT), tmp_path, quiet=True)
    monkeypatch.undo()
    (file,) = (tmp_path / "curves").iterdir()
    file.write_bytes(file.read_bytes()[:-7])
    go_on(tmp_path)
    assert points(tmp_path) == points(unbroken)


def test_a_folder_with_an_agent_but_no_state_begins_anew(tmp_path: Path, unbroken: Path) -> None:
    train(GAME, make(GAME, SHORT), tmp_path, quiet=True)
    (tmp_path / "state.sealed").unlink()
    train(GAME, make(GAME, SHORT), tmp_path, resume=True, quiet=True)
    assert_the_same_run(tmp_path, unbroken)


def test_a_finished_run_that_is_resumed_stays_as_it_was(tmp_path: Path, unbroken: Path) -> None:
    train(GAME, make(GAME, SHORT), tmp_path, quiet=True)
    for _ in range(2):
        train(GAME, make(GAME, SHORT), tmp_path, resume=True, quiet=True)
    assert_the_same_run(tmp_path, unbroken)
    steps = points(tmp_path)
    assert steps["train/entropy"] == [512 * number for number in range(1, 9)]
    assert steps["match/share_against_random"] == [2048, 4096]
    assert steps["match/lead_over_best"] == [4096]


# --- This machine ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["abacus", "meta", "", "cuda:99", "x" * 10**5])
def test_a_run_that_cannot_begin_leaves_nothing_behind(tmp_path: Path, device: str) -> None:
    with pytest.raises(ValueError, match="PyTorch has no device") as caught:
        train(GAME, make(GAME, SETTINGS | {"device": device}), tmp_path / "run", quiet=True)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "value"), [("OMP_THREAD_LIMIT", "1"), ("OMP_DYNAMIC", "true"), ("OMP_DYNAMIC", "TRUE")]
)
def test_settings_that_may_take_threads_away_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=rf"{name}='{value}' may give this run fewer than its 2 threads"):
        train(GAME, make(GAME, SHORT | {"threads": 2}), tmp_path / "two", quiet=True)
    assert not (tmp_path / "two").exists()
    train(GAME, make(GAME, SHORT), tmp_path / "one", quiet=True)


# --- The best so far ------------------------------------------------------------------------------------------


def leads(true: float, deals: int, seed: int) -> Callable[[int], Interval]:
    """Matches of a challenger whose share of the victories is by `true` above par, on fresh deals."""
    random = np.random.default_rng(seed)

    def lead(look: int) -> Interval:
        error = 0.22 / (deals << look) ** 0.5
        mean = random.normal(true, error)
        return Interval(mean, mean - 1.96 * error, mean + 1.96 * error)

    return lead


@pytest.mark.parametrize("worse", [0.003, 0.01, 0.03])
def test_a_chain_of_slightly_worse_networks_does_not_walk_downhill(worse: float) -> None:
    """Each is worse than the best so far by so much: 200 runs of 8 evaluations lose on average less than a point in a hundred."""
    lost = sum(worse * not_worse(leads(-worse, 64, seed), SLACK)[0] for seed in range(1600)) / 200
    assert lost < 0.015


def test_a_better_network_takes_over_and_a_worse_one_does_not() -> None:
    assert sum(not_worse(leads(0.05, 64, seed), SLACK)[0] for seed in range(50)) >= 48
    assert sum(not_worse(leads(-0.05, 64, seed), SLACK)[0] for seed in range(50)) <= 2


def test_the_closer_two_networks_are_the_more_deals_they_meet_on() -> None:
    asked: list[int] = []

    def lead(interval: Interval) -> Callable[[int], Interval]:
        asked.clear()
        return lambda look: (asked.append(look), interval)[1]

    assert not_worse(lead(Interval(0.1, 0.05, 0.15)), SLACK)[0]
    assert asked == [0]
    assert not not_worse(lead(Interval(-0.1, -0.15, -0.05)), SLACK)[0]
    assert asked == [0]
    assert not_worse(lead(Interval(0.001, -0.019, 0.021)), SLACK)[0]
    assert asked == [0, 1, 2, 3]
    assert not not_worse(lead(Interval(-0.001, -0.019, 0.021)), SLACK)[0]  # behind
    assert not not_worse(lead(Interval(0.001, -0.03, 0.04)), SLACK)[0]  # ahead, and perhaps far behind


def test_the_best_is_kept_where_the_new_network_is_worse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = SHORT | {"evaluations": 4}
    monkeypatch.setattr(trainer, "not_worse", lambda lead, slack: (False, Interval(-1.0, -1.0, -1.0)))
    assert train(GAME, make(GAME, settings), tmp_path / "refused", quiet=True)["decisions"] == 1024
    monkeypatch.setattr(trainer, "not_worse", lambda lead, slack: (True, Interval(1.0, 1.0, 1.0)))
    assert train(GAME, make(GAME, settings), tmp_path / "taken", quiet=True)["decisions"] == 4096


def takes_the_first(decisions: Decisions) -> np.ndarray:
    return decisions.masks.argmax(1)


def test_a_lead_over_the_best_is_measured_at_every_player_count() -> None:
    game = get("covenant")
    config = make(game, {"evaluation_deals": 12})
    found = _lead(game, config, takes_the_first, random_agent, 12, [1])
    matches = [
        duplicate(game, takes_the_first, [random_agent] * (players - 1), 4, [1], purpose="evaluation")
        for players in (3, 4, 5)
    ]
    assert found.mean == pytest.approx(np.mean([match.share.mean - match.par for match in matches]))
    assert found.low < found.mean < found.high


def test_alone_the_lead_is_in_points() -> None:
    game = get("northwood")
    ahead = _lead(game, make(game, {}), takes_the_first, random_agent, 20, [1])
    match = duplicate(game, takes_the_first, [random_agent], 20, [1], purpose="evaluation")
    assert ahead == pytest.approx(match.margin)


def test_no_deal_of_a_match_is_one_of_training_or_of_another_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Deals follow from purpose and seed (tests/test_arena.py), and training's from neither of these purposes."""
    played: list[tuple[str, Any]] = []
    met: list[set[tuple[str, Any]]] = []

    def spy(*arguments: Any, purpose: str, **more: Any) -> Any:
        played.append((purpose, tuple(arguments[4]) if len(arguments) > 4 else None))
        return duplicate(*arguments, purpose=purpose, **more)

    monkeypatch.setattr(trainer, "duplicate", spy)
    for number in (0, 1):
        played.clear()
        train(GAME, make(GAME, SHORT | {"seed": number}), tmp_path / str(number), quiet=True)
        on_the_way = set(played[:-1])
        assert len(on_the_way) >= 3  # of two evaluations, and of the best so far
        assert played[-1] == ("final", None)
        assert {purpose for purpose, _ in on_the_way} == {"evaluation"}
        met.append(on_the_way)
    assert not met[0] & met[1]  # another seed, other deals


def test_a_longer_run_goes_through_every_update() -> None:
    assert updates_of(Config(decisions=1)) == 1
    assert updates_of(Config(decisions=10 * 1024 * 64 + 5)) == 10


# --- Advantages, against sums written out by hand -------------------------------------------------------------


def small_rollout(
    seats: list[int], rewards: list[list[float]], ends: list[int], fresh: int, filled: int | None = None
) -> rollout.Rollout:
    """A rollout of one game from lists over its steps, of which the last `filled`, or all, hold decisions."""
    steps = len(seats)
    nothing = np.zeros((steps, 1, 1), np.int8)
    return rollout.Rollout(
        fresh, steps - fresh, filled or steps, nothing, nothing, nothing, np.array(seats)[:, None], np.zeros((steps, 1), int),
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
    played = small_rollout([0, 0, 0], [[0], [0], [1]], [0, 0, 1], fresh=2, filled=2)
    known = rollout.advantages(played, np.zeros((3, 1), np.float32), 1.0, 1.0)[1]
    assert known[:, 0].tolist() == [False, True, False]


def test_advantages_are_the_same_when_asked_again() -> None:
    played = small_rollout([0, 0, 0], [[0], [0], [1]], [0, 0, 1], fresh=2, filled=2)
    first, second = (rollout.advantages(played, np.zeros((3, 1), np.float32), 1.0, 1.0) for _ in range(2))
    assert (first[0] == second[0]).all()
    assert (first[1] == second[1]).all()
    assert played.filled == 2


def test_rewards_are_scaled_before_they_are_learned_from() -> None:
    played = small_rollout([0, 1, 0], [[1, -1], [2, 0], [5, -3]], [0, 0, 1], fresh=3)
    nothing = np.zeros((3, 1), np.float32)
    plain, scaled = (rollout.advantages(played, nothing, 1.0, scale)[0] for scale in (1.0, 0.25))
    assert plain[:, 0].tolist() == [8, -3, 5]
    assert (scaled == plain / 4).all()


def test_every_decision_is_learned_from_once() -> None:
    config = make(GAME, SETTINGS | {"games": 16, "steps": 16})
    batch, learner = Batch(GAME, 16, 2), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config, 2)
    made, learned = 0, 0
    for _ in range(5):
        rollout.collect(batch, learner.actor, room, config, learner.generator)
        made += 16 * 16
        learned += rollout.advantages(room, np.zeros(room.seats.shape, np.float32), 1.0, 1.0)[1].sum()
    assert learned == made - 16 * room.overlap


def test_a_victory_is_paid_on_top_of_the_points() -> None:
    config = make(GAME, SETTINGS | {"games": 16, "steps": 16, "reward": "score", "victory": 7.0})
    batch, learner = Batch(GAME, 16, 2, 1, "score"), ppo.begin(GAME, config)
    room = rollout.allocate(batch, config, 2)
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
