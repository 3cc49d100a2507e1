"""Manrent's rounds: setup, escalation, how a round and the game end, scores and ties."""

from collections import Counter

import numpy as np
import pytest

from handfast.envs.core.cards import card_names
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, TRUNCATED
from handfast.envs.manrent.cards import ACES, COMMONS, DEAL, FIRST
from tests.rulings import many, ruling

from .table import (
    GAME,
    HANDS,
    Position,
    cards,
    choose,
    deal_so,
    end,
    is_sound,
    legal,
    luck_decides,
    names,
    position,
    random_steps,
    score,
    start,
)

FIRST_MARKET = "JH JS JD JC QH QS QD QC KH"


def at_the_end_of(round_no: int, **places) -> Position:
    """A position where the Royal Market holds JH alone and seat 1 can Invite it."""
    royals = FIRST_MARKET.split()[1:] + ["KD", "KS", "KC"][: round_no - 1]
    rest = {"houses": [" ".join(royals[i::4]) for i in range(4)], "courts": ["", "", "", ""]}
    return position(["2H", "9H 7S 2S", "3H", "4H"], 1, act=True, round_no=round_no, **(rest | places))


LAST_INVITE = "invite JH with 9H 7S"


# --- Setup ----------------------------------------------------------------------------------------------------


def test_the_first_player_is_drawn_before_the_deal():
    firsts = Counter()
    for seed in range(many(200, 20)):
        game = Position(GAME.blank(4, {}))
        GAME.move(game.games, 0, seeds=seed)
        assert (game.seat, game.phase) == (CHANCE, FIRST)
        luck_decides(game)
        assert (game.seat, game.phase) == (CHANCE, DEAL)
        luck_decides(game)
        assert game.seat == game.active == game.first_player
        firsts[game.seat] += 1
    assert set(firsts) == set(range(4))


def test_seven_commons_each_four_in_the_row_and_four_with_an_ace_in_the_stock():
    for seed in range(many(100, 10)):
        game = start(seed=seed, by_luck=True)
        assert game.counts == [7, 7, 7, 7]
        assert all(len(game.hand(seat).split()) == 7 for seat in range(4))
        assert len(cards_of(game.places()) & set(card_names(COMMONS))) == 4
        assert len(game.stock_cards().split()) == game.stock_left == 5
        assert len(cards_of(game.stock_cards()) & set(card_names(ACES))) == 1
        assert names(game.market) == FIRST_MARKET
        assert game.courts == game.houses == [0] * 4
        assert game.discard == game.out == 0
        assert is_sound(game)


def cards_of(text: str) -> set[str]:
    return set(text.split())


@ruling("R9")
def test_the_aces_of_a_round_are_drawn_from_all_four():
    aces = Counter(names(cards(start(seed=seed, by_luck=True).stock_cards()) & ACES) for seed in range(many(400, 40)))
    assert set(aces) == {"AH", "AS", "AD", "AC"}


@ruling("R12")
def test_aces_met_while_the_row_is_laid_are_shown_and_back_in_the_stock():
    shown = 0
    for seed in range(many(300, 40)):
        game = start(seed=seed, by_luck=True)
        assert game.shown & ~cards(game.stock_cards()) == 0
        assert all(game.seen_by(seat).shown == game.shown for seat in range(4))
        assert not cards(game.places()) & ACES
        shown += game.shown != 0
    assert 0 < shown < many(300, 40) * 0.8


def test_an_ace_shown_lies_anywhere_in_the_stock():
    depths = Counter()
    for seed in range(many(1000, 100)):
        game = start(seed=seed, by_luck=True)
        if game.shown:
            depths[game.stock_cards().split().index(names(game.shown))] += 1
    assert set(depths) == set(range(5))


def test_two_games_on_one_seed_are_dealt_the_same_rounds():
    one, two = at_the_end_of(1, turns=3), at_the_end_of(1, turns=8)
    for game in (one, two):
        game.record.seed = 5
        luck_decides(choose(game, f"1: {LAST_INVITE}"))
    assert one.hands == two.hands
    assert (one.row, one.stock_cards()) == (two.row, two.stock_cards())


# --- Round end ------------------------------------------------------------------------------------------------


def test_an_emptied_royal_market_ends_the_round_at_once():
    game = choose(at_the_end_of(1), f"1: {LAST_INVITE}")
    assert (game.seat, game.phase, game.round_no) == (CHANCE, DEAL, 2)


def test_the_discard_phase_of_a_round_that_ended_is_not_played():
    game = position(
        ["2H", "9H 7S 2S 3S 4S 5S 6S 8S 9S 2D", "3H", "4H"], 1, act=True,
        houses=["JS JD JC", "QH QS", "QD QC", "KH"],
    )  # fmt: skip
    choose(game, f"1: {LAST_INVITE}")
    assert (game.seat, game.round_no) == (CHANCE, 2)


def test_the_third_royal_secured_in_a_round_ends_it_at_once():
    game = position(
        ["8H", *HANDS[1:]], act=True, courts=["JH", "", "", ""], houses=["JS JD", "", "", ""], upright="JS JD"
    )
    choose(game, "0: secure JH with 8H")
    assert (game.seat, game.phase, game.round_no) == (CHANCE, DEAL, 2)
    assert game.house(0) == "JH JS JD"


def test_royals_of_earlier_rounds_do_not_count_toward_three():
    game = position(
        ["8H", *HANDS[1:]],
        act=True,
        round_no=2,
        courts=["JH", "", "", ""],
        houses=["JS JD QH", "", "", ""],
        upright="JS",
    )
    choose(game, "0: secure JH with 8H")
    assert (game.seat, game.round_no) == (1, 2)
    assert names(game.upright) == "JH JS"


def test_three_royals_secured_by_different_seats_do_not_end_a_round():
    game = position(
        ["8H", *HANDS[1:]], act=True, courts=["JH", "", "", ""], houses=["JS", "JD", "", ""], upright="JS JD"
    )
    choose(game, "0: secure JH with 8H")
    assert (game.seat, game.round_no) == (1, 1)


@ruling("R8")
def test_an_occupation_that_takes_a_seats_last_royal_does_not_end_a_round():
    game = position(HANDS, stock="AH 9H 9S", courts=["JH", "", "", ""], act=False)
    choose(game, "0: stock", "0: yield JH")
    assert game.round_no == 1
    assert game.courts == [0] * 4
    assert "pass" in legal(game)


@ruling("R8")
def test_a_pass_does_not_end_a_round_and_neither_does_enticing():
    game = position(["9H 9S 9D", "2S", "2D", "2C"], act=True, courts=["", "KH", "", ""])
    choose(game, "0: entice KH with 9H 9S 9D")
    assert (game.seat, game.round_no) == (1, 1)
    assert game.round_no == choose(game, "1: stock").round_no == 1


# --- Cleanup --------------------------------------------------------------------------------------------------


def test_court_royals_go_back_to_the_market_houses_stay_and_the_next_king_arrives():
    game = at_the_end_of(
        1, courts=["JS", "", "QH", ""], houses=["JD", "JC QS", "", "QD QC KH"], upright="JC QC"
    )  # fmt: skip
    choose(game, f"1: {LAST_INVITE}")
    assert names(game.market) == "JH JS QH KD"
    assert [game.house(seat) for seat in range(4)] == ["JD", "JC QS", "", "QD QC KH"]
    assert game.courts == [0] * 4
    assert game.upright == 0


def test_an_old_king_stays_in_the_market_when_the_next_arrives():
    game = position(
        ["8H", *HANDS[1:]], act=True, courts=["JH", "", "", ""], houses=["JS JD", "", "", ""], upright="JS JD"
    )
    choose(game, "0: secure JH with 8H")
    assert names(game.market) == "JC QH QS QD QC KH KD"


@pytest.mark.parametrize(("round_no", "king"), [(2, "KD"), (3, "KS"), (4, "KC")])
def test_kings_arrive_diamonds_spades_clubs(round_no, king):
    game = at_the_end_of(round_no - 1)
    assert king not in names(game.market)
    choose(game, f"1: {LAST_INVITE}")
    assert king in names(game.market)


@pytest.mark.parametrize("round_no", [1, 2, 3])
def test_each_round_has_an_ace_more_and_the_marker_passes_left(round_no):
    game = at_the_end_of(round_no, first=2)
    choose(game, f"1: {LAST_INVITE}")
    assert game.first_player == 3
    luck_decides(game)
    assert (game.seat, game.active, game.round_no) == (3, 3, round_no + 1)
    assert (cards(game.stock_cards()) & ACES).bit_count() == round_no + 1
    assert game.stock_left == 4 + round_no + 1
    assert game.counts == [7] * 4
    assert game.known == [0] * 4
    assert game.discard == game.out == game.offered == 0
    assert is_sound(game)


@ruling("R9")
def test_the_last_round_has_all_four_aces_also_those_met_before():
    game = luck_decides(choose(at_the_end_of(3), f"1: {LAST_INVITE}"))
    assert names(cards(game.stock_cards()) & ACES) == "AH AS AD AC"


def test_the_marker_passes_from_the_last_seat_to_the_first():
    game = choose(at_the_end_of(1, first=3), f"1: {LAST_INVITE}")
    assert game.first_player == 0


def test_a_new_round_may_be_dealt_so():
    game = choose(at_the_end_of(1), f"1: {LAST_INVITE}")
    deal_so(game, stock="AC TH TS TD AH TC", shown="AC")
    assert (game.stock_cards(), names(game.shown)) == ("AC TH TS TD AH TC", "AC")
    assert [game.hand(seat) for seat in range(4)] == list(HANDS)


# --- The end of the game --------------------------------------------------------------------------------------


def test_the_game_ends_with_round_four_without_cleanup():
    game = at_the_end_of(
        4, courts=["JS", "", "", "KC"], houses=["JD JC", "QH QS", "QD KH", "QC KD KS"], upright="JC QC KD"
    )  # fmt: skip
    choose(game, f"1: {LAST_INVITE}")
    assert (game.seat, game.ended) == (FINISHED, ENDED)
    assert end(game) == {"end": "finished", "scores": [35, 45, 45, 75], "winners": [3]}
    assert is_sound(game)


def test_a_court_royal_scores_five_whatever_its_rank():
    game = position(courts=["JH", "QH", "KH", "JS QS"], rest=3)
    assert score(game) == [5, 5, 5, 10]


def test_housed_royals_score_by_rank_upright_or_sideways():
    game = position(houses=["JH", "QH", "KH", "JS QS"], upright="JH JS", rest=3)
    assert score(game) == [15, 20, 25, 35]


TIES = {
    "most Kings": (["KH JH", "QH QS", "", ""], [0]),
    "most Queens": (["QH QS QD", "JH JS JD JC", "", ""], [0]),
    "shared": (["KH QH", "KD QS", "KS", "QC"], [0, 1]),
    "shared by all": (["JH", "JS", "JD", "JC"], [0, 1, 2, 3]),
}


@pytest.mark.parametrize(("houses", "victors"), TIES.values(), ids=TIES)
def test_who_is_ahead_where_scores_are_equal(houses, victors):
    game = position(houses=houses, rest=3, round_no=4)
    marked = GAME.judge(game.games)[1][0]
    assert np.flatnonzero(marked).tolist() == victors


def test_kings_break_a_tie_before_queens_and_queens_before_jacks():
    """Court Royals make scores equal where Houses differ."""
    game = position(houses=["KH", "QH", "JH", ""], courts=["", "JS", "JD JC", "QS QD QC KD KS"], rest=3, round_no=4)
    assert score(game) == [25] * 4
    assert GAME.judge(game.games)[1][0].tolist() == [1, 0, 0, 0]
    game = position(houses=["", "QH", "JH", ""], courts=["QS QD QC KD", "", "JD", ""], rest=3, round_no=2)
    assert score(game) == [20, 20, 20, 0]
    assert GAME.judge(game.games)[1][0].tolist() == [0, 1, 0, 0]
    game = position(houses=["", "", "JH", ""], courts=["QS QD QC", "JS JD QH", "", ""], rest=3)
    assert score(game) == [15, 15, 15, 0]
    assert GAME.judge(game.games)[1][0].tolist() == [0, 0, 1, 0]


# --- The turn limit -------------------------------------------------------------------------------------------


@ruling("R7")
def test_a_game_is_truncated_when_the_last_turn_is_over():
    game = position(
        ["2H", "3H", "4H", "5H"],
        act=True,
        turns=8,
        max_turns=10,
        courts=["JH", "", "", "KH"],
        houses=["", "QH", "", ""],
    )
    choose(game, "0: pass")
    assert (game.seat, game.turns) == (1, 9)
    choose(game, "1: row TH")
    luck_decides(game)
    choose(game, "1: pass")
    assert (game.seat, game.ended, game.turns) == (FINISHED, TRUNCATED, 10)
    assert end(game) == {"end": "truncated", "scores": [5, 20, 0, 5], "winners": []}
    assert is_sound(game)


@ruling("R7")
def test_discarding_belongs_to_the_last_turn():
    game = position(["2H 3H 4H 5H 6H 7H 8H 9H", "", "", ""], act=True, turns=9, max_turns=10)
    choose(game, "0: pass")
    assert game.seat == 0
    choose(game, "0: discard 2H")
    assert game.ended == TRUNCATED


@ruling("R7")
def test_a_last_turn_that_ends_a_round_is_counted_and_scored_before_any_cleanup():
    game = at_the_end_of(
        2, turns=9, max_turns=10, courts=["JS", "", "", ""], houses=["JD", "JC QS", "QH", "QD QC KH KD"]
    )
    choose(game, f"1: {LAST_INVITE}")
    assert (game.ended, game.turns, game.round_no) == (TRUNCATED, 10, 2)
    assert end(game) == {"end": "truncated", "scores": [20, 40, 20, 90], "winners": []}


@ruling("R7")
def test_a_turn_that_ends_a_round_counts_like_any_other():
    game = choose(at_the_end_of(2, turns=8, max_turns=10), f"1: {LAST_INVITE}")
    assert (game.turns, game.round_no) == (9, 3)


@ruling("R7")
def test_a_last_turn_that_ends_round_four_finishes_the_game():
    game = choose(at_the_end_of(4, turns=9, max_turns=10), f"1: {LAST_INVITE}")
    assert (game.ended, game.turns) == (ENDED, 10)


@ruling("R7")
def test_a_game_of_one_turn():
    for batch in random_steps(many(100, 2), 30, seed=3, max_turns=1, restart=False):
        last = batch
    assert (last.games["seat"] == FINISHED).all()
    assert (last.games["turns"] == 1).all()


def test_check_holds_on_finished_games():
    for batch in random_steps(many(200, 2), many(2000, 60), seed=1, restart=False):
        last = batch
    over = last.games["seat"] == FINISHED
    assert over.mean() > many(0.4, -1)
    assert (last.games["ended"][over] == ENDED).all()
    assert GAME.judge(last.games)[2].all()
    assert (last.games["target"][over] < 0).all()
