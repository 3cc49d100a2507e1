"""Nothing that is handed out can change a game, and nothing that is handed in can break one."""

import json
import multiprocessing
import pickle
import threading
from collections.abc import Callable

import numpy as np
import pytest

from handfast.envs import GAMES, get
from handfast.envs.core import kernels
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.batch import Batch, IllegalAction
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.decisions import Decisions, random_agent
from handfast.envs.core.files import seal, unseal
from handfast.envs.core.game import Game
from handfast.envs.core.table import CHANCE, FINISHED
from tests.positions import positions


def illegal_action(batch: Batch, row: int = 0) -> int | None:
    """An action that is not legal in a game; None where all are."""
    illegal = np.flatnonzero(batch.masks[row] == 0)
    return int(illegal[-1]) if len(illegal) else None


# --- What is handed out -----------------------------------------------------------------------------------------


def scribble(batch: Batch, how: str) -> None:
    """Write into every buffer."""
    buffers = [batch.masks, batch.features, batch.seats, batch.keys, batch.actions, batch.rewards, batch.scores]
    for buffer in [*buffers, batch.winners, batch.outcomes, batch.ends]:
        if how == "torch":
            torch = pytest.importorskip("torch")
            torch.from_numpy(buffer.view(np.int64) if buffer.dtype == np.uint64 else buffer).fill_(1)
        else:
            buffer[:] = 1


@pytest.mark.parametrize("how", ["numpy", "torch"])
def test_what_is_written_into_the_buffers_changes_no_game_and_makes_nothing_legal(game: Game, how: str) -> None:
    batch, untouched = Batch(game, 6, seed=3), Batch(game, 6, seed=3)
    wrong = illegal_action(batch)
    for _ in range(60):
        actions = random_agent(untouched.decisions())
        scribble(batch, how)
        if wrong is not None and untouched.masks[0, wrong] == 0:
            with pytest.raises(IllegalAction):
                batch.step(np.full(6, wrong))
        batch.step(actions)
        untouched.step(actions)
        for name in ("seats", "masks", "features", "keys", "rewards", "ends"):
            assert getattr(batch, name).tobytes() == getattr(untouched, name).tobytes(), name
        assert batch.games.tobytes() == untouched.games.tobytes()


def test_random_steps_are_legal_whatever_stands_in_the_buffers(game: Game) -> None:
    batch = Batch(game, 6, seed=4)
    for _ in range(100):
        scribble(batch, "numpy")
        batch.step_at_random()
        assert game.judge(batch.games)[2].all()


@pytest.mark.parametrize("rows", [None, np.array([0, 2])])
def test_an_agent_cannot_write_into_what_it_is_given(game: Game, rows: np.ndarray | None) -> None:
    batch = Batch(game, 3, seed=7)
    wrong = illegal_action(batch)

    def cheats(decisions: Decisions) -> np.ndarray:
        for name in ("views", "seats", "masks", "features", "keys"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(decisions, name)[:] = getattr(decisions, name)[:]
        return np.full(len(decisions), game.actions - 1 if wrong is None else wrong)

    if wrong is None:
        batch.ask(cheats, rows)
    else:
        with pytest.raises(IllegalAction):
            batch.ask(cheats, rows)


def test_games_and_views_of_a_batch_are_copies_or_read_only(game: Game) -> None:
    batch = Batch(game, 3, seed=7)
    before = batch.save()
    as_bytes(batch.games)[:] = 255
    assert batch.save() == before
    with pytest.raises(ValueError, match="read-only"):
        batch.views[:] = batch.views[::-1]


def test_decisions_of_some_rows_are_copies_that_outlive_the_next_step(game: Game) -> None:
    batch = Batch(game, 3, seed=7)
    kept = batch.decisions(np.array([0, 1, 2]))
    before = [getattr(kept, name).tobytes() for name in ("views", "seats", "masks", "features", "keys")]
    batch.step_at_random()
    assert [getattr(kept, name).tobytes() for name in ("views", "seats", "masks", "features", "keys")] == before


# --- What is handed in ------------------------------------------------------------------------------------------


def test_seats_that_a_game_has_not_are_refused(game: Game) -> None:
    games, seats = positions(game, 4)
    views = game.look(games, seats)[0]
    for wrong in (-1, -2, game.seats, 99, 10**6, 2**40, 0.0, None, "0", True, [0], [[0] * 4]):
        for call in (
            lambda wrong=wrong: game.look(games, wrong),
            lambda wrong=wrong: game.reveal(games, wrong),
            lambda wrong=wrong: game.guess(views, wrong, 1),
        ):
            with pytest.raises(ValueError, match="seats are whole numbers from 0 to"):
                call()


def test_a_seat_that_takes_no_part_is_refused(game: Game) -> None:
    least = game.player_counts[0]
    if least == game.seats:
        return
    games = Batch(game, 2, least, seed=1).games
    with pytest.raises(ValueError, match=f"game 0 has seats from 0 to {least - 1}, not {least}"):
        game.look(games, least)


def test_a_finished_game_is_seen_by_its_seats_and_by_nobody_else(game: Game) -> None:
    batch = Batch(game, 2, seed=1, restart=False)
    while (batch.seats != FINISHED).any():
        batch.step_at_random()
    assert not game.look(batch.games, 0)[1].any()
    with pytest.raises(ValueError, match="seats are whole numbers"):
        game.look(batch.games, batch.seats)


def test_what_are_no_records_of_the_game_is_refused(game: Game) -> None:
    games, seats = positions(game, 4)
    other = next(one for one in GAMES.values() if one is not game)
    wrong = [None, 3, games[0], games.reshape(2, 2), as_bytes(games), positions(other, 4)[0], np.zeros(4)]
    for records in wrong:
        for call in (
            lambda records=records: game.look(records, 0),
            lambda records=records: game.guess(records, 0, 1),
            lambda records=records: game.reveal(records, 0),
            lambda records=records: game.judge(records),
            lambda records=records: game.move(records, kernels.DECIDE),
        ):
            with pytest.raises(ValueError, match=f"are records of {game.name} in an array"):
                call()
    assert game.look(games[::2], seats[::2])[0].tobytes() == game.look(games, seats)[0][::2].tobytes()


def test_random_bytes_are_no_sound_game(game: Game) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (500, game.dtype.itemsize), dtype=np.uint8)
    games = noise.view(game.dtype)[:, 0]
    scores, winners, sound = game.judge(games)
    assert not sound.any()
    assert not scores.any()
    assert not winners.any()
    for call in (lambda: game.look(games, 0), lambda: game.guess(games, 0, 1), lambda: game.reveal(games, 0)):
        with pytest.raises(ValueError, match=r"(game|view) 0: \w+ is -?\d+, not from"):
            call()


def test_a_field_out_of_its_range_is_named(game: Game) -> None:
    games, _ = positions(game, 2)
    for field in game.table.fields[1:]:
        limits = np.iinfo(game.dtype[field.name].base)
        for wrong in (field.least - 1, field.greatest + 1):
            if limits.min <= wrong <= limits.max:
                broken = games.copy()
                broken[field.name][1] = wrong
                with pytest.raises(ValueError, match=f"game 1: {field.name} is {wrong}, not from {field.least} to"):
                    game.look(broken, 0)


def test_a_move_is_checked_and_changes_nothing_where_it_cannot_be_made(game: Game) -> None:
    batch = Batch(game, 2, seed=5)
    games, before = batch.games, batch.games
    wrong = illegal_action(batch)
    for action in (-1, game.actions, 10**9, 2.7, None, [0, 0, 0], *([] if wrong is None else [wrong])):
        with pytest.raises(ValueError, match=r"actions are whole numbers|is not legal"):
            game.move(games, kernels.DECIDE, actions=action)
        assert games.tobytes() == before.tobytes()
    for how, reason in (
        (kernels.ROLL, "luck must be to decide"),
        (kernels.RESUME, "luck must be to decide"),
        (kernels.DEAL, "a record that `blank` makes"),
        (17, "DEAL, DECIDE, ROLL or RESUME"),
    ):
        with pytest.raises(ValueError, match=reason):
            game.move(games, how)
        assert games.tobytes() == before.tobytes()
    game.move(games, kernels.DECIDE, actions=batch.masks.argmax(1))
    assert games.tobytes() != before.tobytes()


def test_records_in_memory_that_must_not_change_are_not_moved(game: Game) -> None:
    frozen = np.frombuffer(Batch(game, 2, seed=5).games.tobytes(), game.dtype)
    with pytest.raises(ValueError, match="contiguous and writable"):
        game.move(frozen, kernels.DECIDE, actions=0)
    with pytest.raises(ValueError, match="contiguous and writable"):
        game.move(Batch(game, 4, seed=5).games[::2], kernels.DECIDE, actions=0)


def test_a_whole_game_can_be_played_by_checked_moves(game: Game, players: int) -> None:
    random = np.random.default_rng(players)
    games = game.blank(players)
    game.move(games, kernels.DEAL, seeds=2**64 - 1)
    while games["seat"][0] != FINISHED:
        if games["seat"][0] == CHANCE:
            game.move(games, kernels.ROLL)
            game.move(games, kernels.RESUME)
        else:
            legal = np.flatnonzero(game.look(games, games["seat"])[1][0])
            game.move(games, kernels.DECIDE, actions=int(random.choice(legal)))
    assert game.judge(games)[2].all()


@pytest.mark.parametrize(
    "wrong", [lambda game: game.blank(game.seats, 5), lambda game: game.blank(game.seats, None, 1.5),
              lambda game: game.blank(game.seats, None, -1), lambda game: game.choice(-1, 0, game.seats),
              lambda game: game.choice(game.actions, 0, game.seats), lambda game: Batch(game, 1, np.array(99)),
              lambda game: game.move(Batch(game, 1).games, 1.0, actions=0)],
)  # fmt: skip
def test_what_makes_no_sense_is_a_value_error(game: Game, wrong: Callable[[Game], object]) -> None:
    with pytest.raises(ValueError, match=r"not |is played by"):
        wrong(game)


@pytest.mark.parametrize("name", [[], 5, None, "x" * 3000, "whist"])
def test_a_game_that_is_none_is_refused_in_a_short_line(name: object) -> None:
    with pytest.raises(ValueError, match="there is no game") as caught:
        get(name)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 250


def test_a_view_that_no_seat_could_have_is_refused(game: Game) -> None:
    games, seats = positions(game, 50)
    if game.seats == 1 or not (game.table.keep == 0).any():
        return
    with pytest.raises(ValueError, match="view"):
        game.guess(games, seats, 1)  # full games are no views: they tell what the seat cannot see


def test_a_view_is_guessed_for_the_seat_that_saw_it_alone(game: Game) -> None:
    games, seats = positions(game, 50)
    views = game.look(games, seats)[0]
    assert game.judge(game.guess(views, seats, 1))[2].all()
    with pytest.raises(ValueError, match="seeds are whole numbers"):
        game.guess(views, seats, -1)


# --- Saved bytes ------------------------------------------------------------------------------------------------


def test_crafted_bytes_do_not_bring_an_unsound_game_into_a_batch(game: Game) -> None:
    random = np.random.default_rng(0)
    batch = Batch(game, 2, seed=5)
    for _ in range(12):
        batch.step_at_random()
    saved, head = batch.save(), len(game.record_layout)
    refused = 0
    for _ in range(400):
        body = bytearray(unseal(saved))
        body[head + random.integers(len(body) - head)] = random.integers(256)
        try:
            batch.restore(seal(bytes(body)))
        except ValueError:
            refused += 1
        assert game.judge(batch.games)[2].all()
        assert (batch.seats >= 0).any()
        batch.restore(saved)
    assert refused > 100


def test_a_saved_environment_is_its_choices_and_played_again(game: Game, players: int) -> None:
    env = CardGameEnv(game, players)
    env.reset(seed=2**63 + 5)
    for _ in range(20):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    status = json.loads(unseal(env.save()))
    assert status["seed"] == 2**63 + 5
    assert len(status["taken"]) == sum("action" in event for event in env.record())
    other = CardGameEnv(game, players)
    other.restore(env.save())
    assert other.save() == env.save()
    assert other.state().tobytes() == env.state().tobytes()


def test_crafted_bytes_of_an_environment_are_refused(game: Game) -> None:
    env = CardGameEnv(game)
    env.reset(seed=1)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    good, before = json.loads(unseal(env.save())), env.save()
    wrong = [
        {"taken": [game.actions]}, {"taken": [-1]}, {"taken": [None]}, {"taken": 3}, {"taken": [1.5]}, {"taken": [[0]]},
        {"taken": [True]}, {"seed": -1}, {"seed": 2**64}, {"seed": None}, {"agents_seed": "x"}, {"left": 1}, {"left": -1},
        {"left": None}, {"left": False}, {"left": 0.0}, {"players": float(env.players)}, {"broken_off": ["player_0", 10**400]},
        {"broken_off": ["player_0", float("nan")]}, {"broken_off": ["player_0", 1e308]}, {"broken_off": ["player_0", True]},
        {"broken_off": ["player_9", -1.0]}, {"broken_off": 3}, {"broken_off": ["player_0", "x"]},
        {"players": 99}, {"game": "whist"}, {"version": 99},
    ]  # fmt: skip
    for change in wrong:
        with pytest.raises(ValueError, match="these bytes"):
            env.restore(seal(json.dumps(good | change).encode()))
        assert env.save() == before, change
    for missing in good:
        with pytest.raises(ValueError, match="these bytes"):
            env.restore(seal(json.dumps({name: good[name] for name in good if name != missing}).encode()))
    for data in (b"[]", b"3", b"{", b"\xff", b"[" * 100_000):
        with pytest.raises(ValueError, match="these bytes"):
            env.restore(seal(data))
    assert env.save() == before


# --- Threads and processes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_one_batch_can_be_stepped_from_several_threads(game: Game, threads: int) -> None:
    batch = Batch(game, 256, seed=1, threads=threads)

    def play() -> None:
        for _ in range(30):
            batch.step_at_random()

    workers = [threading.Thread(target=play) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    alone = Batch(game, 256, seed=1)
    for _ in range(120):
        alone.step_at_random()
    assert batch.games.tobytes() == alone.games.tobytes()


def test_what_another_thread_reads_is_never_half_a_step(game: Game) -> None:
    batch = Batch(game, 256, seed=1)
    other = Batch(game, 256, seed=2)
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            batch.step_at_random()

    worker = threading.Thread(target=play)
    worker.start()
    try:
        for _ in range(25):
            other.restore(batch.save())  # refuses what the rules cannot reach
            assert game.judge(batch.games)[2].all()
            pickle.loads(pickle.dumps(batch))
    finally:
        stop.set()
        worker.join()


def _steps(batch: Batch, pipe) -> None:
    for _ in range(5):
        batch.step_at_random()
    pipe.send_bytes(batch.games.tobytes())


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_made_before_a_fork_goes_on_in_the_child(game: Game, threads: int) -> None:
    batch = Batch(game, 64, seed=7, threads=threads)
    batch.step_at_random()
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    child = context.Process(target=_steps, args=(batch, there))
    child.start()
    assert here.poll(60)
    played = here.recv_bytes()
    child.join(60)
    assert child.exitcode == 0
    for _ in range(5):
        batch.step_at_random()
    assert batch.games.tobytes() == played


def test_a_batch_with_threads_comes_back_from_a_pickle(game: Game) -> None:
    batch = Batch(game, 64, seed=7, threads=2)
    other = pickle.loads(pickle.dumps(batch))
    batch.step_at_random()
    other.step_at_random()
    assert batch.games.tobytes() == other.games.tobytes()
