"""A turn of Manrent: Draw, Act with its payment, Discard; the Stock and its reshuffles."""

import pytest

from handfast.envs.core.table import CHANCE
from handfast.envs.manrent.cards import ACTING, DISCARDING, DRAWING, PAYING, RESHUFFLE
from tests.rulings import many, ruling

from .table import (
    EVERY_COMMON,
    GAME,
    NOBODY,
    NotSo,
    cards,
    choose,
    is_sound,
    legal,
    luck_decides,
    names,
    position,
    random_steps,
    reshuffle,
    start,
)

FOUR = ("2H", "2S", "2D", "2C")


def acting(hand: str, **places):
    """Seat 0 is to act with this hand; every other Common is in seat 3's."""
    return position([hand, "", "", ""], act=True, rest=3, **places)


# --- Draw -----------------------------------------------------------------------------------------------------


def test_a_row_card_or_the_stock_may_be_drawn():
    game = position(FOUR, row="9H 9S 9D 9C", stock="TH TS")
    assert legal(game) == {"row 9H", "row 9S", "row 9D", "row 9C", "stock"}


def test_a_row_pick_comes_into_the_hand_and_its_place_is_refilled_from_the_stock():
    game = choose(position(FOUR, row="9H 9S 9D 9C", stock="TH TS"), "0: row 9S")
    assert (game.hand(0), game.places(), game.stock_cards()) == ("2H 9S", "9H TH 9D 9C", "TS")
    assert (game.seat, game.phase) == (0, ACTING)


def test_the_stocks_top_card_is_drawn_unseen_and_the_row_stays():
    game = choose(position(FOUR, row="9H 9S 9D 9C", stock="TH TS"), "0: stock")
    assert (game.hand(0), game.places(), game.stock_cards()) == ("2H TH", "9H 9S 9D 9C", "TS")
    assert (game.seat, game.phase) == (0, ACTING)


@ruling("R3")
def test_row_picks_are_known_to_everyone_and_stock_draws_to_the_drawer_alone():
    game = position(FOUR, row="9H 9S 9D 9C", stock="TH TS")
    assert names(choose(game.copy(), "0: row 9S").seen_by(2).known[0]) == "9S"
    choose(game, "0: stock")
    assert game.known == [0] * 4
    assert names(game.seen_by(0).hands[0]) == "2H TH"
    assert game.seen_by(1).hands[0] == 0
    assert game.seen_by(1).counts[0] == 2


@ruling("R6")
def test_empty_row_places_are_filled_at_the_start_of_a_draw_phase_the_lowest_first():
    game = position(FOUR, active=3, act=True, row="9H -- -- 9C", stock="TH TS 3H", reached=False)
    choose(game, "3: pass")
    assert (game.seat, game.phase) == (0, DRAWING)
    assert (game.places(), game.stock_cards()) == ("9H TH TS 9C", "3H")


@ruling("R6")
def test_empty_row_places_are_filled_after_a_row_pick_the_lowest_first():
    game = position(FOUR, row="-- 9S -- 9C", stock="TH TS 3H 4H", reached=False)
    choose(game, "0: row 9C")
    assert (game.places(), game.stock_cards()) == ("TH 9S TS 3H", "4H")


@ruling("R6")
def test_empty_row_places_stay_empty_after_a_draw_from_the_stock():
    game = choose(position(FOUR, row="-- 9S -- 9C", stock="TH TS", reached=False), "0: stock")
    assert game.places() == "-- 9S -- 9C"


def test_a_card_that_is_not_in_the_row_cannot_be_taken():
    game = position(FOUR, row="9H 9S 9D --", rest=3)
    with pytest.raises(NotSo):
        choose(game, "0: row 9C")


# --- The Stock is empty ---------------------------------------------------------------------------------------


@ruling("R10")
def test_the_market_discard_becomes_the_stock_when_a_card_is_needed_and_not_before():
    game = position(FOUR, row="9H 9S 9D 9C", stock="TH")
    choose(game, "0: row 9H")
    assert (game.stock_left, game.seat) == (0, 0)
    choose(game, "0: pass", "1: stock")
    assert (game.seat, game.phase) == (CHANCE, RESHUFFLE)
    discard = names(game.discard)
    reshuffle(game, discard)
    assert game.discard == 0
    assert cards(game.hand(1)) == cards("2S") | cards(discard.split()[0])
    assert game.stock_cards() == " ".join(discard.split()[1:])


@ruling("R10")
def test_a_single_discarded_card_becomes_the_stock_too():
    everything = " ".join(card for card in EVERY_COMMON if card[0] != "T" and card != "9C")
    game = position(["", "", "", everything], row="TH TS TD TC")
    assert names(game.discard) == "9C"
    assert "stock" in legal(game)
    choose(game, "0: row TD")
    reshuffle(game, "9C")
    assert (game.places(), game.stock_left, game.discard) == ("TH TS 9C TC", 0, 0)


@ruling("R10")
def test_the_stock_is_offered_where_only_aces_are_left_in_it():
    game = position(FOUR, stock="AH", rest=3)
    assert "stock" in legal(game)
    choose(game, "0: stock")
    assert (game.hand(0), game.phase, game.stock_left) == ("2H", ACTING, 0)
    assert names(game.out) == "AH"


def test_the_stock_is_not_offered_where_nothing_is_left_of_it():
    game = position(FOUR, rest=3)
    assert legal(game) == {"row TH", "row TS", "row TD", "row TC"}


def test_without_any_card_to_draw_the_draw_phase_is_skipped():
    game = position(["", "", "2H", "3H"], active=3, act=True, row="-- -- -- --", rest=3)
    game.record.counts[3] = 7
    choose(game, "3: pass")
    assert (game.seat, game.phase, game.turns) == (0, ACTING, 1)
    assert legal(game) == {"pass"}


def test_a_row_place_stays_empty_where_nothing_is_left_to_fill_it():
    game = position(FOUR, rest=3)
    choose(game, "0: row TD")
    assert (game.places(), game.phase) == ("TH TS -- TC", ACTING)
    choose(game, "0: pass", "1: row TH", "1: pass")
    assert game.places() == "-- TS -- TC"


def test_the_last_card_of_the_row_may_be_the_only_draw():
    game = position(FOUR, row="-- -- TD --", rest=3)
    assert legal(game) == {"row TD"}


def test_reshuffles_differ_from_one_another_and_from_round_to_round():
    orders = set()
    for round_no in (1, 2):
        for number in range(3):
            game = position(FOUR, round_no=round_no)
            game.record.reshuffles = number
            choose(game, "0: stock")
            luck_decides(game)
            orders.add(game.stock_cards())
    assert len(orders) == 6


# --- Act ------------------------------------------------------------------------------------------------------

COSTS = [("J", 15, 8), ("Q", 20, 10), ("K", 25, 13)]


@pytest.mark.parametrize(("rank", "invite", "secure"), COSTS)
def test_what_royals_cost(rank, invite, secure):
    """A hand of spades that counts just the cost toward a Heart Royal pays it; one less does not."""
    hands = {7: "7S", 8: "8S", 9: "9S", 10: "TS", 12: "5S 7S", 13: "5S 8S"}
    hands |= {14: "5S 9S", 15: "6S 9S", 19: "9S TS", 20: "2S 8S TS", 24: "5S 9S TS", 25: "6S 9S TS"}
    royal = f"{rank}H"
    places = {"invite": NOBODY, "entice": ["", royal, "", ""], "secure": [royal, "", "", ""]}
    for verb, cost in (("invite", invite), ("entice", invite), ("secure", secure)):
        assert f"{verb} {royal}" in legal(acting(hands[cost], courts=places[verb]))
        assert f"{verb} {royal}" not in legal(acting(hands[cost - 1], courts=places[verb]))


def test_a_nine_of_hearts_counts_ten_toward_any_heart_royal_and_nine_toward_others():
    game = acting("9H 5C")
    assert {"invite JH", "invite JC"} == {choice for choice in legal(game) if choice.startswith("invite J")}
    assert "invite QH" not in legal(game)
    assert {"secure KH"} <= legal(acting("9H 3C", courts=["KH", "", "", ""]))
    assert "secure KD" not in legal(acting("9H 3C", courts=["KD", "", "", ""], round_no=2))
    assert "secure QH" in legal(acting("9H", courts=["QH", "", "", ""]))
    assert "secure QS" not in legal(acting("9H", courts=["QS", "", "", ""]))
    assert "entice JH" in legal(acting("9H 5C", courts=["", "JH", "", ""]))
    assert "entice JS" not in legal(acting("9H 5C", courts=["", "JS", "", ""]))


@ruling("R5")
def test_an_action_may_be_begun_only_where_the_hand_can_pay():
    assert legal(acting("2H 3H")) == {"pass"}
    assert legal(acting("9S 6D")) == {"invite JH", "invite JS", "invite JD", "invite JC", "pass"}


def test_a_royal_is_invited_from_the_market_secured_at_home_and_enticed_abroad():
    game = acting("9H 9S 9D 9C", courts=["JH", "QH", "", "KH"], houses=["JS", "", "QS", ""])
    assert legal(game) == {
        "invite JD", "invite JC", "invite QD", "invite QC", "secure JH", "entice QH", "entice KH", "pass",
    }  # fmt: skip


def test_housed_royals_cannot_be_enticed_or_secured_again():
    game = acting("9H 9S 9D 9C", houses=["JH", "QH", "", ""])
    assert not legal(game) & {"secure JH", "entice JH", "invite JH", "entice QH", "secure QH", "invite QH"}


def test_an_invited_royal_comes_into_the_court_and_the_payment_to_the_market_discard():
    game = acting("9H 5S 2D")
    choose(game, "0: invite JH with 9H 5S")
    assert (game.court(0), game.hand(0), names(game.discard)) == ("JH", "2D", "5S 9H")
    assert "JH" not in names(game.market)
    assert (game.seat, game.target) == (1, -3)


def test_a_secured_royal_comes_into_the_house_upright():
    game = acting("8S 2D", courts=["JS", "", "", ""])
    choose(game, "0: secure JS with 8S")
    assert (game.court(0), game.house(0), names(game.upright), names(game.discard)) == ("", "JS", "JS", "8S")


def test_an_enticed_royal_changes_courts_and_the_payment_goes_to_its_former_owner():
    game = acting("9H 9S 2D 6D", courts=["", "", "QH", ""])
    choose(game, "0: entice QH with 9H 9S 2D")
    assert (game.court(0), game.court(2), game.house(0)) == ("QH", "", "")
    assert (game.hand(0), game.hand(2), game.discard) == ("6D", "2D 9H 9S", 0)


def test_an_enticed_royal_may_be_secured_on_a_later_turn():
    game = acting("9H 9S 2D 9D", courts=["", "", "QH", ""])
    choose(game, "0: entice QH with 9H 9S 2D", "1: row TH", "1: pass", "2: row TS", "2: pass", "3: row TD", "3: pass")
    while game.phase == DISCARDING:
        choose(game, min(legal(game)))
    luck_decides(game)
    choose(game, "0: row TC")
    assert "secure QH" in legal(game)


def test_passing_brings_nothing():
    game = acting("9H 9S")
    choose(game, "0: pass")
    assert (game.hand(0), game.seat, game.turns) == ("9H 9S", 1, 1)


# --- Payment --------------------------------------------------------------------------------------------------


@ruling("R4")
def test_a_payment_is_done_from_the_moment_that_the_cost_is_met_and_may_go_on():
    game = choose(acting("2D 5S 9H TH"), "0: invite JH")
    assert legal(game) == {"pay 2D", "pay 5S", "pay 9H", "pay TH"}
    choose(game, "pay 9H")
    assert legal(game) == {"pay 2D", "pay 5S", "pay TH"}
    choose(game, "pay 5S")
    assert legal(game) == {"pay 2D", "pay TH", "done"}
    choose(game, "pay TH", "pay 2D")
    assert legal(game) == {"done"}
    choose(game, "done")
    assert (game.hand(0), game.court(0)) == ("", "JH")


def test_excess_is_lost():
    game = choose(acting("9H TH 2D"), "0: invite JH with 9H TH")
    assert (game.hand(0), names(game.discard)) == ("2D", "9H TH")


@ruling("R11")
def test_cards_offered_stay_in_hand_until_done():
    game = choose(acting("2D 5S 9H TH"), "0: invite JH", "pay 9H", "pay 5S")
    assert (game.hand(0), game.counts[0], names(game.offered), game.discard) == ("2D 5S 9H TH", 4, "5S 9H", 0)
    assert is_sound(game)
    choose(game, "done")
    assert (game.hand(0), game.counts[0], game.offered, names(game.discard)) == ("2D TH", 2, 0, "5S 9H")


@ruling("R3")
def test_everyone_sees_what_is_offered():
    game = choose(acting("2D 5S 9H TH"), "0: invite JH", "pay 9H")
    for seat in range(4):
        assert names(game.seen_by(seat).offered) == names(game.seen_by(seat).known[0]) == "9H"


@ruling("R3")
def test_a_payment_received_is_known_until_it_leaves_the_hand_and_a_discard_lies_open():
    game = acting("9H 9S 2D 9D", courts=["", "JH", "QH", ""])
    choose(game, "0: entice QH with 9H 9S 2D", "1: row TH", "1: pass", "2: row TS")
    assert names(game.seen_by(3).known[2]) == "2D 9H 9S TS"
    choose(game, "2: entice JH with 9H 9S")
    view = game.seen_by(3)
    assert (names(view.known[2]), names(view.known[1])) == ("2D TS", "9H 9S TH")
    game = choose(acting("9H 5S"), "0: invite JH with 9H 5S")
    assert names(game.seen_by(2).discard) == "5S 9H"


@ruling("R5")
def test_a_payment_that_is_begun_must_be_carried_through():
    for batch in random_steps(many(300, 2), many(100, 20), seed=8):
        paying = batch.games["phase"] == PAYING
        passing = batch.masks[:, GAME.action("pass", 0, 4)]
        assert not passing[paying].any()
        assert (batch.masks[paying].max(1) == 1).all()


# --- Discard --------------------------------------------------------------------------------------------------

EIGHT = "2H 3H 4H 5H 6H 7H 8H 9H"


def test_a_hand_over_seven_is_discarded_down_to_seven_one_card_at_a_time():
    game = choose(position([EIGHT + " 9S", "2S", "2D", "2C"], act=True), "0: pass")
    assert (game.seat, game.phase) == (0, DISCARDING)
    assert legal(game) == {f"discard {card}" for card in [*EIGHT.split(), "9S"]}
    choose(game, "discard 2H")
    assert "discard 2H" not in legal(game)
    assert cards("2H") & game.discard
    choose(game, "discard 9S")
    assert (game.seat, game.hand(0), game.counts[0]) == (1, "3H 4H 5H 6H 7H 8H 9H", 7)


def test_seven_cards_may_be_kept():
    game = choose(position([EIGHT[:-3], "2S", "2D", "2C"], act=True), "0: pass")
    assert (game.seat, game.counts[0]) == (1, 7)


def test_cards_received_keep_a_hand_above_seven_until_the_end_of_its_own_turn():
    game = position(
        ["9H 9S 2D", "3D", "3C", EIGHT[:-3]], act=True, courts=["", "", "", "QH"], stock="4C 4D 4S 5C 5D 5S"
    )
    choose(game, "0: entice QH with 9H 9S 2D")
    assert (game.counts[3], game.seat) == (10, 1)
    choose(game, "1: stock", "1: pass", "2: stock", "2: pass", "3: stock")
    assert (game.counts[3], game.phase) == (11, ACTING)
    choose(game, "3: pass", "discard 2H", "discard 3H", "discard 4H")
    assert game.seat == 3
    choose(game, "discard 5H")
    assert (game.seat, game.counts[3]) == (0, 7)


def test_turns_go_left():
    game = position(FOUR, active=2, act=True)
    for seat in (2, 3, 0, 1, 2):
        assert game.seat == seat
        choose(game, f"{seat}: pass")
        while game.phase != DRAWING:
            luck_decides(game)
        choose(game, "row " + game.places().split()[0])
        while game.phase != ACTING:
            luck_decides(game)


# --- Every card in one place ----------------------------------------------------------------------------------


def test_cards_are_in_one_place_each_in_random_games():
    for batch in random_steps(many(300, 2), many(400, 40), seed=1):
        assert GAME.judge(batch.games)[2].all()


def test_a_game_can_be_begun_as_the_page_lays_it_out():
    game = start(first=2)
    assert (game.seat, game.places(), game.stock_cards()) == (2, "9H 9S 9D 9C", "TH TS TD TC AH")
    assert is_sound(game)
