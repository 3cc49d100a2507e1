"""The Commission in The Justiciar: who receives it first, accusations, and what they come to."""

import pytest

from handfast.envs.core.table import CHANCE, NONE
from tests.rulings import ruling

from .table import QUEENS, choose, deal_on, legal, names, passed, position

# --- The first Commission -------------------------------------------------------------------------------------


@ruling("R3")
def test_the_first_seat_forced_to_pass_receives_the_commission():
    game = position(["4H 5C", "4S 5S", *QUEENS[1:]], play="9S")
    choose(game, "0: pass")
    assert game.holder == 0
    choose(game, "1: pass")
    assert game.holder == 0  # forced too, but not the first


@ruling("R3")
def test_a_pass_by_choice_does_not_draw_the_commission():
    game = position(["TH 5C", "4H 5S", *QUEENS[1:]], play="9S")
    choose(game, "0: pass")
    assert game.holder == NONE
    choose(game, "1: pass")
    assert game.holder == 1


@pytest.mark.parametrize(
    ("hand", "play", "forced"),
    [
        ("TH TS JD", "9H 9S", False),
        ("TH JS QC", "9H 9S", True),
        ("9D TC JD", "run 8-T", False),
        ("9D TC QD", "run 8-T", True),
        ("8D 9D TC", "run 8-T", True),
        ("3H 4H 5H 6H", "2H 2S 2D", True),
        ("3H 3S 3D 3C", "2H 2S 2D", False),
        ("KH KD KC 2C", "QH QD QC", False),
    ],
)
@ruling("R3")
def test_forced_is_to_pass_without_holding_a_better_play_of_the_same_type_and_size(hand, play, forced):
    game = position([hand, "5C", "5D", "5S"], play=play)
    assert (legal(game) == {"pass"}) == forced
    choose(game, "0: pass")
    assert game.holder == (0 if forced else NONE)


@ruling("R3")
def test_with_any_pass_the_first_pass_by_choice_draws_the_commission():
    game = position(["TH 5C", "4H 5S", *QUEENS[1:]], play="9S", first_commission="any_pass")
    choose(game, "0: pass", "1: pass")
    assert game.holder == 0


@ruling("R10")
def test_a_commission_received_by_a_forced_pass_serves_from_that_seats_next_turn():
    game = position(["4H 5C", "TH KH", "JH KS", "QH KD"], play="9S", by=3)
    choose(game, "0: pass")
    assert game.seat == 1
    choose(game, "1: play TH", "2: play JH", "3: play QH")
    assert {"accuse 1", "accuse 2", "accuse 3"} <= legal(game)


@pytest.mark.parametrize("round_no", [2, 3, 4])
def test_a_forced_pass_draws_nothing_while_somebody_holds_the_commission(round_no):
    game = position(["4H 5C", *QUEENS], play="9S", holder=2, round_no=round_no)
    choose(game, "0: pass")
    assert game.holder == 2


# --- Accusations ----------------------------------------------------------------------------------------------


def test_the_holder_may_accuse_every_other_seat_and_nobody_else_may_accuse():
    hands = ["4H 9C", "5S KH", "6S KS", "7S KD", "8S KC"]
    for players in (3, 4, 5):
        game = position(hands[:players], holder=0, play="8H")
        assert legal(game) == {"play 9C", "pass", *(f"accuse {seat}" for seat in range(1, players))}
        assert legal(position(hands[:players], holder=1, play="8H")) == {"play 9C", "pass"}


def test_the_last_seat_accuses_round_the_corner():
    game = position(["4H 9C", "5S KH", "6S KS"], to_move=2, holder=2)
    choose(game, "2: accuse 1")
    assert game.seat == 1


@pytest.mark.parametrize(("round_no", "card"), [(1, "4S"), (2, "4C"), (3, "4H"), (4, "4D")])
def test_every_round_names_its_own_suit(round_no, card):
    game = position(["9H KH", "4H 4S 4D 4C", *QUEENS[1:]], holder=0, round_no=round_no)
    choose(game, "0: accuse 1")
    assert legal(game) == {f"refute {card}", "accept"}


def test_any_card_of_the_suit_refutes():
    game = position(["9H KH", "4S 8S KS KD", *QUEENS[1:]], holder=0)
    choose(game, "0: accuse 1")
    assert legal(game) == {"refute 4S", "refute 8S", "refute KS", "accept"}


@ruling("R12")
def test_the_accused_is_asked_even_where_it_can_only_accept():
    game = position(["9H KH", "4H 8D", *QUEENS[1:]], holder=0)
    choose(game, "0: accuse 1")
    assert (game.seat, game.holder) == (1, 0)
    assert legal(game) == {"accept"}


@ruling("R12")
def test_what_others_see_of_an_accusation_does_not_tell_whether_the_suit_is_held():
    seen = []
    for hand, other in (("4H 8D", "QS 4S"), ("4S 8D", "QS 4H")):
        game = position(["9H KH", hand, other, "QD"], holder=0)
        choose(game, "0: accuse 1")
        seen += [game.seen_by(0).games.tobytes()]
    assert seen[0] == seen[1]


@ruling("R7")
def test_a_refuting_card_goes_to_the_accusers_hand_and_everyone_sees_it_until_it_is_played():
    game = position(["9H KH", "4S 8S 8D", *QUEENS[1:]], holder=0)
    choose(game, "0: accuse 1", "1: refute 8S")
    assert (game.hand(0), game.hand(1), game.counts[:2], game.holder) == ("8S 9H KH", "4S 8D", [3, 2], 0)
    for seat in (1, 2, 3):
        assert "8S" in names(game.seen_by(seat).shown[0])
    choose(game, "1: play 4S", "2: pass", "3: pass", "0: play 8S")
    assert game.shown == [0] * 5


@ruling("R7")
def test_a_card_that_was_given_can_be_given_on():
    game = position(["9H KH", "4S 8D 8C 9D", "6D KD", "QD QH"], holder=0)
    choose(game, "0: accuse 1", "1: refute 4S", "1: play 8D", "2: pass", "3: pass", "0: accuse 2", "2: accept")
    choose(game, "1: play 8C", "2: accuse 0")
    assert legal(game) == {"refute 4S", "accept"}
    choose(game, "0: refute 4S")
    assert [names(shown) for shown in game.shown] == ["", "", "4S", "", ""]
    assert [game.hand(seat) for seat in range(4)] == ["9H KH", "9D", "4S 6D KD", "QH QD"]


def test_accepting_moves_the_commission_and_no_card():
    game = position(["9H KH", "4S 8D", *QUEENS[1:]], holder=0)
    choose(game, "0: accuse 1", "1: accept")
    assert (game.holder, game.hand(0), game.hand(1), game.shown) == (1, "9H KH", "4S 8D", [0] * 5)


@ruling("R4")
def test_an_accusation_is_the_whole_turn_and_the_turn_goes_to_the_accusers_left():
    for answer in ("accept", "refute 6S"):
        game = position(["4H 9C", "5S KH", "6S KS", "7S KD"], holder=0, play="8H")
        before = game.turns
        choose(game, "0: accuse 2", f"2: {answer}")
        assert (game.seat, game.turns) == (1, before + 1)


@ruling("R4")
def test_an_accusation_counts_as_a_pass_when_the_turn_comes_round():
    game = position(["4H 9C", "5S KH", "6S KS", "7S KD"], holder=0, play="8H", by=3)
    choose(game, "0: accuse 1", "1: accept")
    assert (names(game.play_cards), passed(game)) == ("8H", {0})
    choose(game, "1: pass", "2: pass")
    assert (game.seat, game.play_size) == (3, 0)


@ruling("R4")
def test_an_accusation_by_the_right_neighbour_of_the_owner_clears_the_table():
    game = position(["4H 9C", "5S KH", "6S KS", "7S KD"], holder=0, play="8H", by=1)
    choose(game, "0: accuse 3", "3: refute 7S")
    assert (game.seat, game.play_size, passed(game)) == (1, 0, set())


@ruling("R4")
def test_after_an_accusation_on_an_empty_table_the_next_seat_leads():
    game = position(["4H 9C", "5S KH", "6S KS", "7S KD"], holder=0)
    choose(game, "0: accuse 2", "2: refute 6S")
    assert (game.seat, game.play_size, passed(game)) == (1, 0, set())
    assert legal(game) == {"play 5S", "play KH"}


@ruling("R4", "R10")
def test_an_owner_to_whom_the_turn_comes_back_accuses_on_an_empty_table():
    game = position(["4H 9C", "5S KH", "6S KS", "7S KD"], holder=0)
    choose(game, "0: play 9C", "1: pass", "2: pass", "3: pass", "0: accuse 1", "1: accept")
    assert (game.seat, game.play_size) == (1, 0)
    assert legal(game) == {"play 5S", "play KH", "accuse 0", "accuse 2", "accuse 3"}


def test_a_holder_may_accuse_the_same_seat_turn_after_turn():
    game = position(["4H 9C", "5S 6S KH", "KS"], holder=0, play="2H", by=2)
    choose(game, "0: accuse 1", "1: refute 5S", "1: play KH", "2: pass", "0: accuse 1")
    assert legal(game) == {"refute 6S", "accept"}


@ruling("R9")
def test_a_commission_moves_three_times_in_a_round_and_gives_no_extra_turn():
    game = position(["4H 9C", "5H KH", "6H KC", "7H KD"], holder=0, play="2D", by=3)
    choose(game, "0: accuse 2", "2: accept")
    assert (game.holder, game.seat) == (2, 1)
    choose(game, "1: pass", "2: accuse 1", "1: accept")
    assert (game.holder, game.seat) == (1, 3)
    choose(game, "3: play 7H", "0: pass", "1: accuse 3", "3: accept")
    assert (game.holder, game.seat, names(game.play_cards), passed(game)) == (3, 2, "7H", {0, 1})


@ruling("R5")
def test_refuting_with_the_last_card_ends_the_round_and_the_accuser_keeps_the_ace():
    game = position(["4H 9C", "5S", "6S KS", "7S KD 8D"], holder=0, play="8H")
    choose(game, "0: accuse 1", "1: refute 5S")
    assert game.seat == CHANCE
    assert game.points == [3, 0, 2, 3, 0]  # the accuser counts the card it was given
    assert game.frozen_by[0] == 0
    deal_on(game)
    assert (game.round_no, game.leader, game.seat, game.holder) == (2, 0, 0, 0)


def test_accepting_with_one_card_left_does_not_end_the_round():
    game = position(["4H 9C", "5S", "6S KS", "7S KD"], holder=0, play="8H")
    choose(game, "0: accuse 1", "1: accept")
    assert (game.seat, game.round_no, game.holder) == (1, 1, 1)
