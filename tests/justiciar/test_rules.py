"""The rules of The Justiciar, sentence by sentence."""

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.justiciar import rules
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    better_plays,
    choose,
    deal_on,
    end,
    every_play,
    is_sound,
    legal,
    names,
    passed,
    position,
    random_steps,
    start,
)

QUEENS = ["QH", "QS", "QD"]  # the hands of seats 1-3 where they don't matter


# --- The deal -------------------------------------------------------------------------------------------------


def every_card(game: Position) -> list[str]:
    """The cards in all hands and set aside."""
    return sorted(card for place in (*game.hands, game.aside) for card in names(place).split())


@pytest.mark.parametrize(("players", "each", "aside"), [(3, 16, 0), (4, 12, 0), (5, 9, 3)])
@ruling("R1")
def test_the_cards_are_dealt_evenly_and_the_remainder_is_set_aside(players, each, aside):
    game = start(players, seed=5)
    assert game.counts[:players] == [each] * players
    assert [len(game.hand(seat).split()) for seat in range(players)] == [each] * players
    assert len(names(game.aside).split()) == aside
    assert every_card(game) == sorted(ALL_CARDS)


@pytest.mark.parametrize(
    ("lead", "counts"),
    [
        (0, [10, 10, 10, 9, 9]),
        (1, [9, 10, 10, 10, 9]),
        (2, [9, 9, 10, 10, 10]),
        (3, [10, 9, 9, 10, 10]),
        (4, [10, 10, 9, 9, 10]),
    ],
)
@ruling("R1")
def test_an_uneven_deal_gives_the_extra_cards_to_the_seats_from_the_leader_on(lead, counts):
    seed = next(seed for seed in range(100) if start(5, seed).leader == lead)
    game = start(5, seed, uneven_deal=True)
    assert game.counts == counts
    assert [len(game.hand(seat).split()) for seat in range(5)] == counts
    assert game.aside == 0
    assert every_card(game) == sorted(ALL_CARDS)


@pytest.mark.parametrize("players", [3, 4])
@ruling("R11")
def test_an_uneven_deal_means_nothing_with_three_or_four_players(players):
    assert start(players, seed=3, uneven_deal=True).hands == start(players, seed=3).hands


@ruling("R11")
def test_an_uneven_deal_of_a_later_round_begins_with_the_holder_of_the_commission():
    game = position(["3H", "QH QS", "QD", "KH", "KS"], to_move=0, holder=3, play="2S", by=4, uneven_deal=True)
    choose(game, "0: play 3H")
    deal_on(game)
    assert game.leader == 3
    assert game.counts == [10, 9, 9, 10, 10]


@ruling("R11")
def test_the_leader_is_drawn_before_the_deal():
    game = Position(GAME.blank(4))
    GAME.move(game.games, kernels.DEAL, seeds=8)
    assert GAME.words.chance_form(game.record) == {"chance": "lead", "seat": int}
    GAME.move(game.games, kernels.ROLL)
    GAME.move(game.games, kernels.RESUME)
    assert GAME.words.chance_form(game.record)["chance"] == "deal"
    assert game.counts == [0] * 5
    leader = game.leader
    deal_on(game)
    assert game.seat == game.leader == leader


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_seat_may_be_drawn_to_lead_round_1_and_then_moves_first(players):
    games = [start(players, seed) for seed in range(60)]
    assert {game.leader for game in games} == set(range(players))
    assert all(game.seat == game.leader and game.holder == NONE and game.round_no == 1 for game in games)


def test_each_round_is_dealt_anew():
    game = start(3, seed=2)
    first = game.hands
    game.record.round_no = 2
    game.record.seat, game.record.phase = CHANCE, rules.DEAL
    deal_on(game)
    assert game.hands != first


# --- Plays ----------------------------------------------------------------------------------------------------


def test_a_run_of_four_is_beaten_only_by_a_run_of_four_with_a_higher_top():
    game = position(["2H 3H 4H 5H 7S 8S 9S TS JS KH KS KD", *QUEENS], play="run 3-6")
    assert legal(game) == {"run 7-T", "run 8-J", "pass"}


def test_a_run_with_the_same_top_does_not_beat():
    game = position(["3H 4H 5H 6H", *QUEENS], play="run 3-6")
    assert legal(game) == {"pass"}


def test_a_run_that_overlaps_with_a_higher_top_beats():
    assert legal(position(["4H 5H 6H 7H", *QUEENS], play="run 3-6")) == {"run 4-7", "pass"}


def test_four_of_a_kind_beats_nothing_but_a_lower_four_of_a_kind():
    hand = "9H 9S 9D 9C"
    assert legal(position([hand, *QUEENS], play="8H 8S 8D 8C")) == {f"play {hand}", "pass"}
    assert legal(position([hand, *QUEENS], play="TH TS TD TC")) == {"pass"}
    for lower in ("8H", "8H 8S", "8H 8S 8D", "run 2-4", "run 2-5"):
        assert f"play {hand}" not in legal(position([hand, *QUEENS], play=lower))


def test_2_3_4_is_the_lowest_run_and_j_q_k_the_highest_of_three():
    hand = "2H 3H 4H 5H JH QH KH"
    others = ["TH", "TS", "TD"]
    assert legal(position([hand, *others], play="run 2-4")) == {"run 3-5", "run J-K", "pass"}
    assert legal(position([hand, *others], play="run T-Q")) == {"run J-K", "pass"}
    assert legal(position([hand, *others], play="run J-K")) == {"pass"}


def test_a_run_does_not_go_round_from_king_to_2():
    leads = legal(position(["QH KH 2H 3H", "9H", "9S", "9D"]))
    assert leads == {"play QH", "play KH", "play 2H", "play 3H"}


def test_a_pair_of_any_suits_beats_a_lower_pair():
    game = position(["7H 7S 7D 9C 4H 4S", *QUEENS], play="5H 5S")
    assert legal(game) == {"play 7H 7S", "play 7H 7D", "play 7S 7D", "pass"}


def test_suits_do_not_count_and_the_same_rank_does_not_beat():
    assert legal(position(["7C 7D 8H", *QUEENS], play="7H")) == {"play 8H", "pass"}


def test_a_triple_is_beaten_only_by_a_higher_triple():
    game = position(["7H 7S 7D 9H 9S 9D 9C JH JS KH", *QUEENS], play="8H 8S 8D")
    assert legal(game) == {"play 9H 9S 9D", "play 9H 9S 9C", "play 9H 9D 9C", "play 9S 9D 9C", "pass"}


def test_nothing_beats_a_king():
    assert legal(position(["KH QC", *QUEENS], play="KS")) == {"pass"}


def test_a_leader_may_lead_any_set_and_any_run():
    game = position(["2H 2S 3H 4H 5D", *QUEENS])
    sets = {"play 2H", "play 2S", "play 2H 2S", "play 3H", "play 4H", "play 5D"}
    assert legal(game) == sets | {"run 2-4", "run 2-5", "run 3-5"}


def test_a_run_may_hold_all_twelve_ranks():
    game = position(["2H 3S 4D 5C 6H 7S 8D 9C TH JS QD KC", "2S", "2D", "2C"])
    assert "run 2-K" in legal(game)
    choose(game, "run 2-K")
    assert game.seat == CHANCE  # every card was automatic, and the hand is empty


def test_the_choices_are_those_of_the_rules_page_in_random_positions():
    random = np.random.default_rng(1)
    for _ in range(many(800, 100)):
        deck = random.permutation(ALL_CARDS).tolist()
        hand = " ".join(deck[: random.integers(1, 13)])
        rest = " ".join(deck[20:])
        plays = every_play(rest)
        size = random.integers(1, 6)
        fitting = [choice for choice, (_, s, _) in plays.items() if s == size]
        others = deck[17:20]
        if not fitting or random.random() < 0.2:
            assert legal(position([hand, *others])) == set(every_play(hand))
            continue
        choice = fitting[random.integers(len(fitting))]
        game = position([hand, *others], play=choice.removeprefix("play "))
        assert legal(game) == better_plays(hand, names(game.play_cards)) | {"pass"}


# --- A run's cards --------------------------------------------------------------------------------------------


def test_cards_of_a_run_are_asked_only_where_more_than_one_is_held():
    game = position(["5H 5S 6D 7H 7D 7C 9H", *QUEENS])
    choose(game, "0: run 5-7")
    assert legal(game) == {"card 5H", "card 5S"}
    choose(game, "0: card 5S")
    assert legal(game) == {"card 7H", "card 7D", "card 7C"}
    choose(game, "0: card 7D")
    assert names(game.play_cards) == "5S 6D 7D"
    assert game.hand(0) == "5H 7H 7C 9H"
    assert (game.seat, game.play_owner, game.turns) == (1, 0, 1)


def test_the_cards_chosen_for_a_run_stay_in_hand_until_the_last():
    game = position(["5H 5S 6D 7H 7D 8H", *QUEENS])
    choose(game, "run 5-7", "card 5S")
    assert game.hand(0) == "5H 5S 6D 7H 7D 8H"
    assert game.counts[0] == 6
    assert game.played[0] == position(["5H 5S 6D 7H 7D 8H", *QUEENS]).played[0]


def test_a_run_without_a_choice_is_laid_at_once():
    game = position(["5H 6D 7C 9H", *QUEENS])
    choose(game, "run 5-7")
    assert (names(game.play_cards), game.hand(0), game.seat) == ("5H 6D 7C", "9H", 1)


def test_a_run_of_which_only_the_last_card_is_a_choice_asks_for_that_one():
    game = position(["5H 6D 7C 7D 9H", *QUEENS])
    choose(game, "run 5-7")
    assert legal(game) == {"card 7D", "card 7C"}


def test_a_run_that_beats_becomes_the_current_play_by_its_top():
    game = position(["5H 6D 7C 9H", "6S 7S 8S QH", "7H 8D 9D QD", "QS"], play="run 2-4", by=3)
    choose(game, "0: run 5-7")
    assert legal(game) == {"run 6-8", "pass"}
    choose(game, "1: run 6-8")
    assert legal(game) == {"run 7-9", "pass"}


# --- Turns, passing, clearing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@ruling("R9")
def test_play_goes_clockwise(players):
    hands = ["2H KH", "3H KS", "4H KD", "5H KC", "6H QH"][:players]
    game = position(hands)
    choose(game, *(f"{seat}: play {hands[seat][:2]}" for seat in range(players)))
    assert game.seat == 0


@ruling("R2")
def test_whoever_could_beat_the_play_may_pass_all_the_same():
    game = position(["9H KS", *QUEENS], play="5H", holder=1)
    assert "pass" in legal(game)
    choose(game, "0: pass")
    assert (game.seat, passed(game), game.hand(0)) == (1, {0}, "9H KS")


@ruling("R2")
def test_the_leader_of_an_empty_table_may_not_pass():
    assert "pass" not in legal(position(["9H KS", *QUEENS]))


def test_a_pass_is_presented_even_where_it_is_the_only_choice():
    game = position(["4H 5C", *QUEENS], play="KS", holder=1)
    assert game.seat == 0
    assert legal(game) == {"pass"}


@ruling("R10")
def test_the_table_clears_when_the_turn_comes_back_to_the_owner_and_then_there_is_no_pass():
    game = position(["9H KS", "TH KH", "TS KD", "4C KC"], holder=1)
    choose(game, "0: play 9H", "1: pass", "2: pass")
    assert (game.play_size, passed(game)) == (1, {1, 2})
    choose(game, "3: pass")
    assert (game.seat, game.play_size, game.play_owner, game.play_cards, passed(game)) == (0, 0, NONE, 0, set())
    assert legal(game) == {"play KS"}


@ruling("R10")
def test_a_seat_that_passed_may_play_again_before_the_table_clears():
    game = position(["5H 7C KS", "9H KH", "6S TD", "4C KC"], holder=2)
    choose(game, "0: play 5H", "1: pass", "2: play 6S", "3: pass", "0: play 7C")
    assert passed(game) == set()
    choose(game, "1: play 9H")
    assert (game.play_owner, game.seat) == (1, 2)


@ruling("R10")
def test_a_new_play_makes_its_player_the_owner_to_whom_the_turn_must_come_back():
    game = position(["5H 7C", "9H KH", "6S TD", "4C KC"], holder=2)
    choose(game, "0: play 5H", "1: pass", "2: play 6S", "3: pass", "0: pass")
    assert (game.seat, game.play_size) == (1, 1)  # seat 2's play is still on the table
    choose(game, "1: pass")
    assert (game.seat, game.play_size) == (2, 0)


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
    for hand in ("4H 8D", "4S 8D"):
        game = position(["9H KH", hand, *QUEENS[1:]], holder=0)
        game.record.played[:], game.record.origin[:], game.record.order[:] = 0, 0, 0
        game.record.plays = 0
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
        choose(game, "0: accuse 2", f"2: {answer}")
        assert (game.seat, game.turns) == (1, 1)


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
    game = position(["4H 9C", "5S", "6S KS", "7S KD 8D"], holder=0, play="8H", points=[1, 2, 3, 4])
    choose(game, "0: accuse 1", "1: refute 5S")
    assert game.seat == CHANCE
    assert game.points == [4, 2, 5, 7, 0]  # the accuser counts the card it was given
    assert game.frozen_by[0] == 0
    deal_on(game)
    assert (game.round_no, game.leader, game.seat, game.holder) == (2, 0, 0, 0)


def test_accepting_with_one_card_left_does_not_end_the_round():
    game = position(["4H 9C", "5S", "6S KS", "7S KD"], holder=0, play="8H")
    choose(game, "0: accuse 1", "1: accept")
    assert (game.seat, game.round_no, game.holder) == (1, 1, 1)


# --- The end of a round ---------------------------------------------------------------------------------------


def test_a_round_ends_the_instant_a_hand_is_empty_and_every_card_left_is_a_point():
    game = position(["9C", "5S KH", "6S KS TH", "7S"], holder=1, play="8H", points=[0, 10, 5, 2])
    choose(game, "0: play 9C")
    assert game.seat == CHANCE
    assert game.points == [0, 12, 8, 3, 0]
    assert game.frozen_by == [1, NONE, NONE, NONE]


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
        ["9C", "5S KH", "6S", "7S QD"], holder=3, play="8H", round_no=4, frozen=[0, None, 2], points=[3, 20, 2, 20]
    )
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [8, 22, 8, 27], "winners": [0, 2]}
    game = position(
        ["9C", "5S KH", "6S", "7S QD"], holder=3, play="8H", round_no=4, frozen=[0, None, None], points=[3, 20, 7, 20]
    )
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [8, 22, 8, 27], "winners": [2]}


def test_an_ace_of_an_earlier_round_breaks_a_tie_as_well_as_the_last():
    game = position(["9C", "5S KH", "6S"], holder=0, play="8H", round_no=4, frozen=[1, 1, 0], points=[5, 3, 99])
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [15, 15, 100], "winners": [0, 1]}


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
        ["9C TH", "5S KH", "6S KS TD", "7S QD"], holder=1, play="8H", turns=41, max_turns=43, points=[1, 2, 3, 4]
    )
    choose(game, "0: play 9C")
    assert game.seat == 1
    choose(game, "1: pass")
    assert game.turns == 43
    assert end(game) == {"end": "truncated", "scores": [2, 4, 6, 6], "winners": []}


@ruling("R8")
def test_at_truncation_frozen_aces_count_and_the_current_one_does_not():
    game = position(["9C TH", "5S KH", "6S"], holder=1, play="8H", round_no=3, frozen=[0, 1], turns=9, max_turns=10)
    choose(game, "0: pass")
    assert end(game) == {"end": "truncated", "scores": [7, 7, 1], "winners": []}


@ruling("R8")
def test_an_accusation_and_its_answer_are_one_turn():
    game = position(["9C TH", "5S KH", "6S"], holder=0, play="8H", turns=9, max_turns=10)
    choose(game, "0: accuse 1")
    assert (game.seat, game.turns) == (1, 9)
    choose(game, "1: refute 5S")
    assert end(game) == {"end": "truncated", "scores": [3, 1, 1], "winners": []}


@ruling("R8")
def test_a_run_and_its_cards_are_one_turn():
    game = position(["5H 5S 6D 7H 7D 8H", *QUEENS], turns=9, max_turns=10)
    choose(game, "run 5-7", "card 5H")
    assert (game.seat, game.turns) == (0, 9)
    choose(game, "card 7D")
    assert end(game) == {"end": "truncated", "scores": [3, 1, 1, 1], "winners": []}


@ruling("R8")
def test_a_limit_exactly_on_a_rounds_end_scores_the_round_and_freezes_its_ace_first():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", turns=9, max_turns=10)
    choose(game, "0: play 9C")
    assert game.frozen_by[0] == 1
    assert end(game) == {"end": "truncated", "scores": [0, 7, 1], "winners": []}


@ruling("R8")
def test_a_limit_on_a_refutation_that_ends_the_round_scores_it_first():
    game = position(["9C TH", "5S", "6S"], holder=0, play="8H", turns=9, max_turns=10)
    choose(game, "0: accuse 1", "1: refute 5S")
    assert end(game) == {"end": "truncated", "scores": [8, 0, 1], "winners": []}


@ruling("R8")
def test_a_limit_on_the_end_of_round_4_finds_the_game_finished():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", round_no=4, turns=9, max_turns=10)
    choose(game, "0: play 9C")
    assert end(game) == {"end": "finished", "scores": [0, 7, 1], "winners": [0]}


@ruling("R8")
def test_a_limit_within_round_4_truncates():
    game = position(["9C TH", "5S KH", "6S"], holder=1, play="8H", round_no=4, turns=9, max_turns=10)
    choose(game, "0: play 9C")
    assert end(game) == {"end": "truncated", "scores": [1, 2, 1], "winners": []}


@ruling("R8")
def test_turns_are_counted_over_the_whole_game():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H", turns=9, max_turns=11)
    choose(game, "0: play 9C")
    deal_on(game)
    choose(game, "1: accuse 2", "2: accept")
    assert end(game)["end"] == "truncated"
    assert game.turns == 11


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
