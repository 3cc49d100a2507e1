"""Occupation in Manrent: an Ace drawn blind, met on a refill, or during compensation."""

from handfast.envs.core.table import CHANCE
from handfast.envs.manrent.cards import ACTING, DRAWING, OCCUPIED, PAYING_TRIBUTE
from tests.rulings import many, ruling

from .table import GAME, Position, choose, is_sound, legal, names, position, random_steps, reshuffle

FOUR = ("2H", "2S", "2D", "2C")


def occupied(hands=FOUR, stock="AH 9S 9C TS", courts=("JH", "", "", ""), **places) -> Position:
    """The active player has drawn an Ace blind."""
    game = position(hands, stock=stock, courts=courts, **places)
    return choose(game, f"{game.active}: stock")


# --- When -----------------------------------------------------------------------------------------------------


def test_an_ace_drawn_blind_begins_an_occupation_and_the_draw_is_completed_after_it():
    game = occupied()
    assert (game.seat, game.phase, names(game.out)) == (0, OCCUPIED, "AH")
    choose(game, "0: yield JH")
    assert (game.hand(0), game.phase) == ("2H 9S 9C", ACTING)
    assert game.stock_cards() == "TS"


def test_an_ace_met_on_a_refill_begins_an_occupation_and_the_refill_is_completed_after_it():
    game = position(FOUR, row="TH TD TC 8C", stock="AS 9S 9C", courts=["JH", "", "", ""])
    choose(game, "0: row TD")
    assert (game.seat, game.phase, game.places()) == (0, OCCUPIED, "TH -- TC 8C")
    choose(game, "0: yield JH")
    assert (game.hand(0), game.places(), game.phase) == ("2H 9S TD", "TH 9C TC 8C", ACTING)


def test_an_ace_met_as_the_row_is_filled_before_a_draw_begins_an_occupation():
    game = position(
        FOUR, active=3, act=True, row="TH -- -- TC", stock="9S AS 9C 8C", courts=["", "JH", "", ""], reached=False
    )
    choose(game, "3: pass")
    assert (game.active, game.seat, game.phase, game.places()) == (0, 1, OCCUPIED, "TH 9S -- TC")
    choose(game, "1: yield JH")
    assert (game.hand(1), game.places(), game.seat, game.phase) == ("2S 9C", "TH 9S 8C TC", 0, DRAWING)


@ruling("R1")
def test_a_row_pick_can_pay_tribute_to_the_ace_that_its_refill_reveals():
    game = position(FOUR, row="TH TD TC 8C", stock="AH 9S", courts=["JS", "", "", ""])
    choose(game, "0: row TH")
    assert legal(game) == {"protect JS", "yield JS"}
    choose(game, "0: protect JS with 2H TH")
    assert (game.court(0), game.hand(0), game.places()) == ("JS", "", "9S TD TC 8C")


def test_an_ace_passes_without_a_decision_where_every_court_is_empty():
    game = occupied(courts=("", "", "", ""), houses=("JH", "QH", "", ""))
    assert (game.seat, game.phase, game.hand(0), names(game.out)) == (0, ACTING, "2H 9S", "AH")


def test_an_ace_never_enters_a_hand_or_stays_in_the_row():
    for batch in random_steps(many(300, 3), many(300, 30), seed=4):
        assert not (batch.games["hands"] >> 36).any()
        assert (batch.games["row"] < 36).all()


# --- Who is asked what ----------------------------------------------------------------------------------------


def test_an_occupation_goes_clockwise_from_the_active_player_each_seat_in_full():
    game = occupied(active=2, courts=("JH", "JS", "JD QD", "JC"), stock="AH 9S 9C 9D 8S 8C 8D")
    choose(game, "2: yield JD", "2: yield QD")
    assert game.hand(2) == "2D 9S 9C"
    choose(game, "3: yield JC")
    assert game.hand(3) == "2C 9D"
    choose(game, "0: yield JH", "1: yield JS")
    assert (game.hand(0), game.hand(1), game.hand(2)) == ("2H 8S", "2S 8C", "2D 8D 9S 9C")
    assert (game.seat, game.phase) == (2, ACTING)


@ruling("R2")
def test_royals_are_asked_about_in_order_jacks_queens_kings_and_h_s_d_c_within_a_rank():
    order = ["JD", "JC", "QH", "QS", "KH", "KS"]
    game = occupied(courts=("KS QS KH JC QH JD", "", "", ""), round_no=3, stock="AH 9S")
    for royal in order:
        assert legal(game) == {f"yield {royal}"}
        choose(game, f"0: yield {royal}")


@ruling("R2")
def test_compensation_is_drawn_after_the_seats_last_royal():
    game = occupied(hands=("2H 3H", "2S", "2D", "2C"), courts=("JH QH KH", "", "", ""), stock="AH 4H 9C TS 8C")
    choose(game, "0: yield JH")
    assert (game.hand(0), game.court(0), legal(game)) == ("2H 3H", "QH KH", {"protect QH", "yield QH"})
    choose(game, "0: protect QH with 2H 3H", "0: yield KH")
    assert game.hand(0) == "4H 9C TS"
    assert game.court(0) == "QH"


@ruling("R2")
def test_tribute_is_two_cards_named_one_by_one():
    game = occupied(hands=("2H 3H 4H 2D", "2S", "", "2C"))
    choose(game, "0: protect JH")
    assert (game.phase, legal(game)) == (PAYING_TRIBUTE, {"tribute 2H", "tribute 3H", "tribute 4H"})
    choose(game, "tribute 3H")
    assert (game.phase, legal(game), game.counts[0]) == (PAYING_TRIBUTE, {"tribute 2H", "tribute 4H"}, 3)
    choose(game, "tribute 4H")
    assert (game.court(0), game.hand(0), game.phase) == ("JH", "2H 2D 9S", ACTING)
    assert {"3H", "4H"} <= set(names(game.discard).split())


def test_a_royal_that_cannot_be_protected_is_asked_about_too():
    assert legal(occupied()) == {"yield JH"}


def test_two_cards_of_the_tribute_suit_protect_any_royal_and_loyalty_never_counts():
    assert legal(occupied(hands=("2H 3H", "", "", ""), courts=("KC", "", "", ""), round_no=4)) == {
        "protect KC", "yield KC"
    }  # fmt: skip
    assert legal(occupied(hands=("TH 9S TS", "", "", ""), courts=("JH", "", "", ""), stock="AH 9C")) == {"yield JH"}


def test_each_protected_royal_costs_two_cards():
    game = occupied(hands=("2H 3H 4H", "", "", ""), courts=("JH JS", "", "", ""))
    choose(game, "0: protect JH with 2H 3H")
    assert legal(game) == {"yield JS"}


def test_a_seat_may_yield_what_it_could_protect():
    game = choose(occupied(hands=("2H 3H", "", "", "")), "0: yield JH")
    assert (game.court(0), game.hand(0)) == ("", "2H 3H 9S 9C")
    assert "JH" in names(game.market)


def test_housed_royals_are_safe():
    game = occupied(courts=("JH", "", "", ""), houses=("QH", "QS", "", ""))
    choose(game, "0: yield JH")
    assert (game.house(0), game.house(1), game.phase) == ("QH", "QS", ACTING)


def test_tribute_is_seen_by_everyone_and_compensation_by_its_drawer():
    game = occupied(hands=("2H 3H", "5H", "", ""), courts=("JH", "JS", "", ""))
    choose(game, "0: protect JH with 2H 3H", "1: yield JS")
    assert {"2H", "3H"} <= set(names(game.seen_by(3).discard).split())
    assert names(game.seen_by(1).hands[1]) == "5H 9S"
    assert game.seen_by(3).known == [0] * 4


# --- Nothing to draw ------------------------------------------------------------------------------------------


@ruling("R10")
def test_the_draw_that_met_an_ace_is_completed_with_tribute_just_discarded():
    game = occupied(hands=("2H 3H", "", "", ""), stock="AH", rest=3)
    choose(game, "0: protect JH with 2H 3H")
    assert game.seat == CHANCE
    reshuffle(game, "3H 2H")
    assert (game.hand(0), game.stock_cards(), game.discard, game.phase) == ("3H", "2H", 0, ACTING)


def test_compensation_is_lost_where_nothing_is_left():
    game = occupied(courts=("JH QH", "", "", ""), stock="AH 9S", rest=3)
    choose(game, "0: yield JH", "0: yield QH")
    assert (game.hand(0), game.phase, game.owed) == ("2H 9S", ACTING, [0] * 5)


def test_a_refill_that_met_an_ace_stays_undone_where_nothing_is_left():
    game = position(FOUR, row="TH TD TC 8C", stock="AH", rest=3, courts=["JH", "", "", ""])
    choose(game, "0: row TD", "0: yield JH")
    assert (game.places(), game.phase) == ("TH -- TC 8C", ACTING)


@ruling("R10")
def test_an_ace_met_in_compensation_does_not_use_the_compensation_up():
    game = occupied(stock="AH AS 9C TS", round_no=2)
    choose(game, "0: yield JH")
    assert (game.hand(0), game.phase) == ("2H 9C TS", ACTING)


# --- One Occupation within another ----------------------------------------------------------------------------


def test_an_ace_among_compensation_begins_anew_from_the_active_player_and_then_unfinished_draws_go_on():
    game = occupied(
        hands=("2H", "2S 3S", "2D", "2C"), courts=("JH QH", "JS", "JD", ""), round_no=2, stock="AH 9C AS 8C 9D 8D TS"
    )
    choose(game, "0: yield JH", "0: yield QH")
    assert (game.hand(0), game.seat, game.depth) == ("2H 9C", 1, 2)
    assert legal(game) == {"protect JS", "yield JS"}
    choose(game, "1: protect JS with 2S 3S", "2: yield JD")
    assert (game.hand(2), game.hand(0)) == ("2D 8C", "2H 9D 9C")  # the unfinished draw of seat 0
    assert (game.seat, game.depth, legal(game)) == (1, 1, {"yield JS"})
    choose(game, "1: yield JS")
    assert (game.hand(1), game.hand(0), game.depth, game.phase) == ("8D", "2H 9D 9C TS", 0, ACTING)
    assert names(game.out) == "AH AS"


def test_a_nested_occupation_asks_the_active_player_again_about_what_it_protected():
    game = occupied(hands=("2H 3H 4S 5S", "", "", ""), courts=("JH", "JS", "", ""), round_no=2, stock="AH AS 9C TS 8C")
    choose(game, "0: protect JH with 2H 3H", "1: yield JS")
    assert (game.seat, game.depth, legal(game)) == (0, 2, {"protect JH", "yield JH"})
    choose(game, "0: protect JH with 4S 5S")
    assert (game.hand(1), game.hand(0), game.court(0)) == ("9C", "TS", "JH")


def test_the_outer_occupation_asks_only_about_royals_that_the_nested_one_left():
    game = occupied(courts=("JH", "JS", "", "JC"), round_no=2, stock="AH AS 9C TS 8C 7C 6C")
    choose(game, "0: yield JH")
    choose(game, "1: yield JS", "3: yield JC")
    assert (game.depth, game.phase) == (0, ACTING)
    assert [game.hand(seat) for seat in range(4)] == ["2H 7C 8C", "2S 9C", "2D", "2C TS"]


@ruling("R9")
def test_four_occupations_within_one_another():
    game = occupied(
        courts=("JH QH", "JS", "JD", "JC"), round_no=4, stock="AH AS AD AC 9C TS 8C 7C 6C 5C 4C", active=0,
        hands=("2H", "2S", "2D", "2C"),
    )  # fmt: skip
    choose(game, "0: yield JH", "0: yield QH")
    assert (game.depth, game.seat) == (2, 1)
    choose(game, "1: yield JS")
    assert (game.depth, game.seat) == (3, 2)
    choose(game, "2: yield JD")
    assert (game.depth, game.seat) == (4, 3)
    choose(game, "3: yield JC")
    assert game.depth == 0
    assert [game.hand(seat) for seat in range(4)] == ["2H 5C 6C 7C", "2S 8C", "2D TS", "2C 9C"]
    assert is_sound(game)


def test_two_aces_on_one_refill_are_resolved_one_after_the_other():
    game = position(FOUR, row="TH TD TC 8C", stock="AH AS 9C", courts=["", "", "", ""], round_no=2)
    choose(game, "0: row TD")
    assert (game.places(), game.phase, names(game.out)) == ("TH 9C TC 8C", ACTING, "AH AS")


def test_a_reshuffle_may_interrupt_compensation():
    game = occupied(hands=("2H 3H 4H", "", "", ""), courts=("JH QH", "", "", ""), stock="AH", rest=3)
    choose(game, "0: protect JH with 2H 3H", "0: yield QH")
    reshuffle(game, "2H 3H")
    assert (game.hand(0), game.stock_left, game.phase) == ("2H 3H 4H", 0, ACTING)
    assert is_sound(game)


def test_deep_occupations_come_up_in_random_games():
    deepest = 0
    for batch in random_steps(many(600, 4), many(600, 20), seed=6):
        asked = batch.games["phase"] == OCCUPIED
        assert (batch.games["depth"][asked] > 0).all()
        assert (batch.games["pending"][asked] != 0).all()
        deepest = max(deepest, int(batch.games["depth"].max()))
    assert deepest >= many(3, 0)
    assert GAME.judge(batch.games)[2].all()
