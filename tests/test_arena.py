"""The arena: duplicate matches and their intervals."""

import math
import tracemalloc

import numpy as np
import pytest

from handfast.agents.arena.duplicate import PURPOSES, duplicate
from handfast.agents.arena.intervals import Interval, bootstrap, mean_of
from handfast.agents.arena.play import play
from handfast.envs.core.batch import Batch
from handfast.envs.core.decisions import Decisions, random_agent
from tests.kuhn import GAME


def always_bets(decisions: Decisions) -> np.ndarray:
    return np.ones(len(decisions), np.int64)


def always_checks(decisions: Decisions) -> np.ndarray:
    return np.zeros(len(decisions), np.int64)


def bets_with_a_king(decisions: Decisions) -> np.ndarray:
    return (decisions.views["cards"].max(1) == 3).astype(np.int64)


def test_a_match_of_equals_is_even_on_every_deal() -> None:
    match = duplicate(GAME, bets_with_a_king, [bets_with_a_king], 100)
    assert match.share.mean == 0.5
    assert match.share.high - match.share.low < 0.03
    assert match.margin == (0, 0, 0)
    assert sum(seat.mean for seat in match.seats) == pytest.approx(1)


def test_whoever_always_bets_wins_every_hand_of_whoever_always_folds() -> None:
    match = duplicate(GAME, always_bets, [always_checks], 50)
    assert (match.share.mean, match.share.high) == (1, 1)
    assert 0.9 < match.share.low < 1  # 50 deals are not all there are
    assert match.score == (1, 1, 1)
    assert match.margin == (2, 2, 2)
    assert match.decisions == 2.5  # bet, fold; or check, bet, fold
    assert duplicate(GAME, always_checks, [always_bets], 50).share[:2] == (0, 0)


def test_every_seat_of_a_deal_is_played_on_the_same_cards() -> None:
    seeds = np.repeat(np.arange(20, dtype=np.uint64), 2)
    tables = np.tile([[0, 1], [1, 0]], (20, 1))
    results = play(GAME, [always_bets, always_bets], tables, seeds)
    assert (results.scores[0::2] == results.scores[1::2]).all()
    assert np.abs(results.scores).max() == 2  # always a showdown


def test_results_do_not_depend_on_what_is_played_beside_them() -> None:
    seeds = np.arange(30, dtype=np.uint64)
    tables = np.zeros((30, 2), int)
    together = play(GAME, [random_agent], tables, seeds, keep_actions=True)
    for i in (0, 7, 29):
        assert (
            play(GAME, [random_agent], tables[:1], seeds[i : i + 1], keep_actions=True).actions[0]
            == together.actions[i]
        )


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, np.ndarray]]:
    """What every call of `play` in a match was given."""
    calls = []

    def watched(game, agents, tables, seeds, *rest, agent_seeds, **more):
        calls.append({"tables": tables, "seeds": seeds, "agent_seeds": agent_seeds})
        return play(game, agents, tables, seeds, *rest, agent_seeds=agent_seeds, **more)

    monkeypatch.setattr("handfast.agents.arena.duplicate.play", watched)
    return calls


def test_nothing_links_the_games_of_one_deal(played: list[dict[str, np.ndarray]]) -> None:
    """Agents never meet two games of one deal at once, nor the deals in one order, nor the same luck again."""
    duplicate(GAME, random_agent, [always_bets], 40)
    first, second = played
    assert first["tables"].tolist() == [[0, 1]] * 40
    assert second["tables"].tolist() == [[1, 0]] * 40
    assert sorted(first["seeds"]) == sorted(second["seeds"])
    assert len(set(first["seeds"])) == 40
    assert (first["seeds"] == second["seeds"]).sum() < 10
    assert len({*first["agent_seeds"], *second["agent_seeds"]}) == 80


def test_a_match_puts_the_games_of_each_deal_together_again() -> None:
    """Whoever always bets gets with each hand what its opponent does not: both seats of a deal sum to nothing."""
    match = duplicate(GAME, always_bets, [always_bets], 40)
    assert match.share.mean == 0.5
    assert match.margin == (0, 0, 0)


def test_deals_of_arena_evaluation_and_training_never_meet(played: list[dict[str, np.ndarray]]) -> None:
    for purpose in PURPOSES:
        for seed in (0, 1, [0, 1]):
            duplicate(GAME, always_bets, [always_bets], 30, seed, purpose=purpose)
    deals = {tuple(sorted(call["seeds"])) for call in played}
    assert len(deals) == 9  # each in two seats
    training = [Batch(GAME, 30, seed=seed).seeds_of(i)[0] for seed in (0, 1) for i in range(30)]
    every = [seed for deal in deals for seed in deal] + training
    assert len(set(every)) == len(every)


def test_progress_is_told_every_game_and_every_decision() -> None:
    told: list[tuple[int, int]] = []
    seeds = np.arange(25, dtype=np.uint64)
    results = play(GAME, [random_agent], np.zeros((25, 2), int), seeds, progress=lambda *step: told.append(step))
    assert sum(games for games, _ in told) == 25
    assert sum(decisions for _, decisions in told) == results.decisions.sum()
    assert told[0] == (0, 25)  # it moves before a game has ended


def test_intervals_hold_the_mean_as_often_as_they_say() -> None:
    random = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        mean, low, high = bootstrap(random.normal(3.0, 2.0, 80))
        assert low <= mean <= high
        held += low <= 3.0 <= high
    assert 0.91 < held / 400 < 0.98


def old_bootstrap(values: np.ndarray) -> tuple[float, float]:
    """All resamples at once."""
    draws = np.random.default_rng(0).integers(0, len(values), (2000, len(values)))
    means = np.sort(values[draws].mean(1))
    return float(means[50]), float(means[1949])


@pytest.mark.parametrize("n", [2, 250, 3001])
def test_resampling_in_blocks_changes_nothing(n: int) -> None:
    values = np.random.default_rng(1).normal(size=n)
    assert bootstrap(values)[1:] == old_bootstrap(values)


def test_many_deals_take_little_memory() -> None:
    values = np.random.default_rng(1).random(100_000)
    tracemalloc.start()
    interval = bootstrap(values, 0.0, 1.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 2**20
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 12**-0.5 / 100_000**0.5, rel=0.1)


@pytest.mark.parametrize("n", [50, 100, 250])
@pytest.mark.parametrize("p", [0.002, 0.01, 0.05, 0.5, 0.99])
def test_intervals_of_shares_hold_rates_near_none_and_all(p: float, n: int) -> None:
    """Exactly: the chance of each number of victories, times whether its interval holds the rate."""
    held = 0.0
    for won in range(n + 1):
        chance = math.comb(n, won) * p**won * (1 - p) ** (n - won)
        if chance > 1e-5:
            _, low, high = bootstrap(np.repeat([1.0, 0.0], [won, n - won]), 0.0, 1.0)
            held += chance * (low <= p <= high)
    assert held > 0.94


@pytest.mark.parametrize("p", [0.002, 0.05, 0.25])
def test_intervals_of_shares_of_four_seats_per_deal_hold_their_mean(p: float) -> None:
    random = np.random.default_rng(2)
    deals = random.binomial(4, p, (400, 100)) / 4
    held = np.mean([low <= p <= high for _, low, high in (bootstrap(one, 0.0, 1.0) for one in deals)])
    assert held > 0.93


def test_shares_that_are_all_the_same_leave_room_for_what_was_not_seen() -> None:
    assert bootstrap(np.zeros(50), 0.0, 1.0)[:2] == (0, 0)
    assert bootstrap(np.zeros(50), 0.0, 1.0).high == pytest.approx(1 - 0.025 ** (1 / 50), abs=0.003)  # by hand
    assert bootstrap(np.ones(50), 0.0, 1.0).low == pytest.approx(0.025 ** (1 / 50), abs=0.003)
    assert bootstrap(np.full(50, 3.0), -1.0, 3.0).low == pytest.approx(3 - 4 * (1 - 0.025 ** (1 / 50)), abs=0.012)
    even = bootstrap(np.full(50, 0.5), 0.0, 1.0)
    assert 0.45 < even.low < 0.5 < even.high < 0.55


def test_the_mean_of_two_figures_is_surer_than_each() -> None:
    assert mean_of([Interval(1.0, 0.0, 3.0)]) == (1, 0, 3)
    assert mean_of([Interval(1.0, 0.4, 1.3), Interval(3.0, 2.2, 3.4)]) == pytest.approx((2, 1.5, 2.25))


def test_an_interval_is_the_same_every_time() -> None:
    values = np.arange(50.0)
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(np.array([2.0])) == (2, 2, 2)
