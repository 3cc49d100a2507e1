"""The rules of The Justiciar, sentence by sentence."""

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, NONE
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    QUEENS,
    Position,
    better_plays,
    choose,
    deal_on,
    every_play,
    legal,
    names,
    passed,
    position,
    start,
)

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
    first = start(3, seed=0)
    second = choose(position(["9C", "5S KH", "6S"], holder=1, play="8H"), "0: play 9C")  # its seed is 0, too
    deal_on(second)
    assert second.hands != first.hands


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
    before = game.turns
    choose(game, "0: run 5-7")
    assert legal(game) == {"card 5H", "card 5S"}
    choose(game, "0: card 5S")
    assert legal(game) == {"card 7H", "card 7D", "card 7C"}
    choose(game, "0: card 7D")
    assert names(game.play_cards) == "5S 6D 7D"
    assert game.hand(0) == "5H 7H 7C 9H"
    assert (game.seat, game.play_owner, game.turns) == (1, 0, before + 1)


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
