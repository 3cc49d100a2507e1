"""The ends of The Justiciar: of a round, of the game, at the turn limit; whole games."""

import numpy as np
import pytest

from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.justiciar import rules
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    QUEENS,
    Position,
    choose,
    deal_on,
    end,
    is_sound,
    legal,
    position,
    random_steps,
    start,
)

# --- The end of a round ---------------------------------------------------------------------------------------


def test_a_round_ends_the_instant_a_hand_is_empty_and_every_card_left_is_a_point():
    game = position(["9C", "5S KH", "6S KS TH", "7S"], holder=1, play="8H", round_no=2, points=[0, 10, 5, 2])
    choose(game, "0: play 9C")
    assert game.seat == CHANCE
    assert game.points == [0, 12, 8, 3, 0]
    assert game.frozen_by == [NONE, 1, NONE, NONE]


def test_a_round_ends_on_a_run_whose_cards_are_chosen():
    game = position(["5H 6D 7C", "QH QS QD QC", "KH"], holder=1)
    choose(game, "run 5-7")
    assert (game.seat, game.points[:3]) == (CHANCE, [0, 4, 1])


def test_a_round_goes_on_until_a_hand_is_empty():
    game = position(["9C TC", "5S KH", "6S KS", "7S"], holder=1, play="8H")
    choose(game, "0: play 9C")
    assert (game.round_no, game.seat, game.points) == (1, 1, [0] * 5)


def test_the_holder_opens_the_next_round_with_its_fresh_ace_on_an_empty_table():
    game = position(["9C", "5S KH", "6S KS", "7S QD"], holder=2, play="8H")
    choose(game, "0: play 9C")
    deal_on(game)
    assert (game.round_no, game.leader, game.seat, game.holder, game.play_size) == (2, 2, 2, 2, 0)
    assert game.counts[:4] == [12] * 4
    assert {"accuse 0", "accuse 1", "accuse 3"} <= legal(game)
    assert "pass" not in legal(game)
    assert game.played == game.origin == game.shown == [0] * 5
    assert is_sound(game)


def test_an_empty_hand_of_the_holder_keeps_the_ace_too():
    game = position(["9C", "5S KH", "6S KS", "7S QD"], holder=0, play="8H")
    choose(game, "0: play 9C")
    assert game.frozen_by[0] == 0


@ruling("R6")
def test_where_nobody_was_forced_to_pass_the_ace_is_frozen_with_nobody_and_the_next_leader_is_drawn():
    leaders = set()
    for seed in range(40):
        game = position(["9C", "TS KH", "JS KS", "TD QD"], play="8H")
        game.record.seed = seed
        choose(game, "0: play 9C")
        assert game.frozen_by == [NONE] * 4
        assert GAME.words.chance_form(game.record) == {"chance": "lead", "seat": int}
        deal_on(game)
        assert (game.round_no, game.holder, game.seat) == (2, NONE, game.leader)
        leaders.add(game.leader)
    assert leaders == {0, 1, 2, 3}


@ruling("R6")
def test_after_a_round_without_commission_the_first_forced_pass_draws_that_rounds_ace():
    game = position(["9C", "TS KH", "JS KS", "TD QD"], play="8H")
    choose(game, "0: play 9C")
    hands = [" ".join(ALL_CARDS[seat::4]) for seat in range(4)]  # a suit each
    deal_on(game, lead=1, hands=hands)
    choose(game, "1: run 2-5", "2: pass")
    assert game.holder == NONE
    choose(game, "3: run T-K", "0: pass")
    assert (game.holder, game.round_no) == (0, 2)
    choose(game, "1: pass", "2: pass", "3: play 2C", "0: accuse 3")
    assert legal(game) == {"accept", *(f"refute {card}" for card in hands[3].split()[1:8])}


@ruling("R6")
def test_an_ace_that_nobody_keeps_costs_nobody():
    game = position(["9C", "TS KH", "JS KS", "TD QD"], play="8H", round_no=4, frozen=[None, None, None])
    choose(game, "0: play 9C")
    assert end(game)["scores"] == [0, 2, 2, 2]


# --- The end of the game --------------------------------------------------------------------------------------


def test_the_game_ends_after_round_4_and_counts_cards_and_five_for_each_frozen_ace():
    game = position(
        ["9C", "5S KH", "6S KS", "7S QD"], holder=2, play="8H", round_no=4, frozen=[2, 1, 2], points=[9, 8, 7, 6]
    )
    choose(game, "0: play 9C")
    assert (game.seat, game.frozen_by) == (FINISHED, [2, 1, 2, 2])
    assert end(game) == {"end": "finished", "scores": [9, 10 + 5, 9 + 15, 8], "winners": [3]}


def test_a_tie_goes_to_the_seat_with_fewer_aces():
    game = position(
        ["9C", "5S KH", "6S", "7S QD"], holder=3, play="8H", round_no=4, frozen=[None, 0, 2], points=[3, 20, 2, 20]
    )
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [8, 22, 8, 27], "winners": [0, 2]}
    game = position(
        ["9C", "5S KH", "6S", "7S QD"], holder=3, play="8H", round_no=4, frozen=[None, None, 0], points=[3, 20, 7, 20]
    )
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [8, 22, 8, 27], "winners": [2]}


def test_an_ace_of_an_earlier_round_breaks_a_tie_as_well_as_the_last():
    game = position(["9C", "5S KH", "6S"], holder=0, play="8H", round_no=4, frozen=[1, 1, 0], points=[5, 3, 70])
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [15, 15, 71], "winners": [0, 1]}


def test_fewer_points_win_against_fewer_aces():
    game = position(["9C", "5S KH", "6S"], holder=0, play="8H", round_no=4, frozen=[0, 0, 0], points=[0, 19, 20])
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [20, 21, 21], "winners": [0]}


def test_those_still_tied_share_the_victory():
    game = position(["9C", "5S KH", "6S"], play="8H", round_no=4, points=[3, 1, 2])
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [3, 3, 3], "winners": [0, 1, 2]}


def test_one_hand_may_keep_all_four_aces():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", round_no=4, frozen=[1, 1, 1])
    choose(game, "0: play 9C")
    assert end(game)["scores"] == [0, 22, 1]


def test_a_finished_game_offers_no_choice():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", round_no=4)
    choose(game, "0: play 9C")
    mask = np.zeros(GAME.actions, np.int8)
    legal_of = getattr(rules.legal, "py_func", rules.legal)
    legal_of(game.record, mask)
    assert mask.sum() == 0
    for seat in range(3):
        assert GAME.look(game.games, seat)[1].sum() == 0


# --- The turn limit -------------------------------------------------------------------------------------------


@ruling("R8")
def test_the_game_is_truncated_right_after_the_last_turn_and_counts_the_cards_now_in_hand():
    game = position(
        ["9C TH", "5S KH", "6S KS TD", "7S QD"],
        holder=1,
        play="8H",
        round_no=2,
        turns=91,
        max_turns=93,
        points=[1, 2, 3, 4],
    )
    choose(game, "0: play 9C")
    assert game.seat == 1
    choose(game, "1: pass")
    assert game.turns == 93
    assert end(game) == {"end": "truncated", "scores": [2, 4, 6, 6], "winners": []}


@ruling("R8")
def test_at_truncation_frozen_aces_count_and_the_current_one_does_not():
    game = position(["9C TH", "5S KH", "6S"], holder=1, play="8H", round_no=3, frozen=[0, 1], turns=99, max_turns=100)
    choose(game, "0: pass")
    assert end(game) == {"end": "truncated", "scores": [7, 7, 1], "winners": []}


@ruling("R8")
def test_an_accusation_and_its_answer_are_one_turn():
    game = position(["9C TH", "5S KH", "6S"], holder=0, play="8H", turns=99, max_turns=100)
    choose(game, "0: accuse 1")
    assert (game.seat, game.turns) == (1, 99)
    choose(game, "1: refute 5S")
    assert end(game) == {"end": "truncated", "scores": [3, 1, 1], "winners": []}


@ruling("R8")
def test_a_run_and_its_cards_are_one_turn():
    game = position(["5H 5S 6D 7H 7D 8H", *QUEENS], turns=99, max_turns=100)
    choose(game, "run 5-7", "card 5H")
    assert (game.seat, game.turns) == (0, 99)
    choose(game, "card 7D")
    assert end(game) == {"end": "truncated", "scores": [3, 1, 1, 1], "winners": []}


@ruling("R8")
def test_a_limit_exactly_on_a_rounds_end_scores_the_round_and_freezes_its_ace_first():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", turns=99, max_turns=100)
    choose(game, "0: play 9C")
    assert game.frozen_by[0] == 1
    assert end(game) == {"end": "truncated", "scores": [0, 7, 1], "winners": []}


@ruling("R8")
def test_a_limit_on_a_refutation_that_ends_the_round_scores_it_first():
    game = position(["9C TH", "5S", "6S"], holder=0, play="8H", turns=99, max_turns=100)
    choose(game, "0: accuse 1", "1: refute 5S")
    assert end(game) == {"end": "truncated", "scores": [8, 0, 1], "winners": []}


@ruling("R8")
def test_a_limit_on_the_end_of_round_4_finds_the_game_finished():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", round_no=4, turns=99, max_turns=100)
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [0, 7, 1], "winners": [0]}


@ruling("R8")
def test_a_limit_within_round_4_truncates():
    game = position(["9C TH", "5S KH", "6S"], holder=1, play="8H", round_no=4, turns=99, max_turns=100)
    choose(game, "0: play 9C")
    assert end(game) == {"end": "truncated", "scores": [1, 2, 1], "winners": []}


@ruling("R8")
def test_turns_are_counted_over_the_whole_game():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", turns=99, max_turns=101)
    choose(game, "0: play 9C")
    deal_on(game)
    choose(game, "1: accuse 2", "2: accept")
    assert end(game)["end"] == "truncated"
    assert game.turns == 101


@ruling("R8", "R11")
def test_the_limit_is_at_least_one_turn_and_1000_where_nothing_is_said():
    assert start(4).max_turns == 1000
    with pytest.raises(ValueError, match="max_turns"):
        start(4, max_turns=0)
    game = start(4, seed=1, max_turns=1)
    choose(game, f"play {game.hand(game.seat).split()[0]}")
    assert end(game)["end"] == "truncated"
    assert sum(end(game)["scores"]) == 47


@ruling("R8")
def test_accusations_can_go_round_until_the_limit():
    game = start(3, seed=1, max_turns=50, first_commission="any_pass")
    choose(game, f"play {game.hand(game.seat).split()[0]}", "pass")
    while game.seat != FINISHED:
        accusation = [choice for choice in sorted(legal(game)) if choice.startswith("accuse")]
        choose(game, *([accusation[0], "accept"] if accusation else [min(legal(game) & {"pass"} or legal(game))]))
    assert game.turns == 50
    assert end(game)["end"] == "truncated"


# --- Whole games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_end_within_the_limit_and_add_up(players):
    for batch in random_steps(many(200, 4), many(300, 180), players, seed=4, restart=False, max_turns=120):  # noqa: B007  the last is looked at
        pass
    over = batch.games["seat"] == FINISHED
    assert over.mean() > 0.5
    for i in np.flatnonzero(over):
        game = Position(batch.games[i : i + 1])
        aces = [game.frozen_by.count(seat) for seat in range(players)]
        scores = [game.points[seat] + 5 * aces[seat] for seat in range(players)]
        standings = list(zip(scores, aces, strict=True))
        assert batch.scores[i, :players].tolist() == scores
        assert [seat for seat in range(players) if batch.winners[i, seat]] == [
            seat for seat in range(players) if standings[seat] == min(standings)
        ]
        assert game.turns <= 120
