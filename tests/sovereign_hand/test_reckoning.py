"""The rules of The Sovereign Hand after the last trick of a round: Seals, Debts, Marks, the crown, the end."""

import numpy as np
import pytest

from handfast.envs.core.batch import Batch
from handfast.envs.core.table import CHANCE, ENDED, FINISHED
from handfast.envs.sovereign_hand import rules
from tests.rulings import many, ruling

from .table import GAME, Position, choose, deal_on, end, legal, marked, names, position, random_steps, reckoning

HOUSES = ["6H 7H 8H", "6D 7D 8D", "6C 7C 8C", "9H TH JH", "9D TD JD"]


# --- Seals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claims", "taken", "seals"),
    [
        ([3, 3, 1], [3, 3, 2], [1, 1, 0]),
        ([0, 3, 4], [0, 3, 5], [1, 1, 0]),
        ([8, 0, 1], [8, 0, 0], [2, 1, 0]),
        ([4, 2, 3], [4, 3, 1], [2, 0, 0]),
        ([5, 3, 1], [5, 3, 0], [2, 1, 0]),
        ([0, 0, 4, 4], [0, 0, 4, 4], [1, 1, 2, 2]),
        ([4, 3, 0, 0, 1], [4, 3, 0, 0, 0], [2, 1, 1, 1, 0]),
        ([3, 4, 1, 0, 0], [3, 4, 0, 0, 0], [1, 2, 0, 1, 1]),
    ],
)
@ruling("R3")
def test_an_exact_claim_takes_a_seal_and_a_bold_one_of_4_or_more_two(claims, taken, seals):
    game = reckoning(claims, taken, HOUSES[: len(claims)])
    assert game.seals[: len(claims)] == seals


def test_whoever_missed_its_claim_over_or_under_owes_one_debt():
    game = reckoning([5, 0, 3, 3], [3, 5, 0, 0], HOUSES[:4])
    assert marked(game.owing) == {0, 1, 2, 3}
    for card in ("6H", "6D", "6C", "9H"):
        choose(game, f"answer {card}")
    assert game.house_counts[:4] == [2, 2, 2, 2]
    assert (game.seat, game.owing) == (CHANCE, 0)


# --- Debts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_debts_are_settled_clockwise_from_the_dealers_left(dealer):
    game = reckoning([1, 1, 0, 1], [8, 0, 0, 0], HOUSES[:4], dealer=dealer)
    asked = []
    while game.phase == rules.DEBT:
        asked.append(game.seat)
        choose(game, min(legal(game)))
    assert asked == [seat for seat in ((dealer + left) % 4 for left in range(1, 5)) if seat != 2]


def test_the_house_may_pay_with_any_of_its_cards():
    game = reckoning([0, 0, 0], [8, 0, 0], HOUSES[:3])
    assert legal(game) == {"answer 6H", "answer 7H", "answer 8H"}
    choose(game, "answer 7H")
    assert (names(game.houses[0]), game.house_counts[0], game.seals[0], game.marks[0]) == ("6H 8H", 2, 0, 0)


def test_a_debtor_may_make_a_seat_with_fewer_seals_pay_and_takes_a_mark():
    game = reckoning([0, 1, 1, 1], [8, 0, 0, 0], HOUSES[:4], seals=[3, 2, 3, 0])
    assert (game.seat, legal(game)) == (0, {"answer 6H", "answer 7H", "answer 8H", "sacrifice 1"})
    choose(game, "sacrifice 1")
    assert (game.seals[:4], game.marks[:4]) == ([3, 1, 3, 0], [1, 0, 0, 0])
    assert game.house_counts[0] == 3


def test_a_sacrifice_names_any_weaker_seat_however_they_sit():
    game = reckoning([8, 7, 6, 5, 4], [0, 0, 7, 0, 0], seals=[1, 4, 2, 4, 0], dealer=2, houses=HOUSES)
    assert (game.seat, legal(game) - {"answer 9H", "answer TH", "answer JH"}) == (3, {"sacrifice 0", "sacrifice 2"})
    choose(game, "sacrifice 0")
    assert game.seals == [0, 4, 2, 4, 0]
    assert game.seat == 4
    assert legal(game) == {"answer 9D", "answer TD", "answer JD"}


@ruling("R8")
def test_who_has_fewer_seals_is_judged_when_that_debt_is_settled():
    # Seat 1's exact claim comes first: it has a Seal to lose, and seat 0 no more than it.
    game = reckoning([0, 0, 1], [8, 0, 0], HOUSES[:3], seals=[2, 0, 1])
    assert game.seals[:3] == [2, 1, 1]
    assert legal(game) >= {"sacrifice 1", "sacrifice 2"}
    game = reckoning([0, 0, 1], [8, 0, 0], HOUSES[:3], seals=[2, 1, 1])
    assert legal(game) - {"answer 6H", "answer 7H", "answer 8H"} == {"sacrifice 2"}
    # Then seat 0's Debt: seat 2, sacrificed, has none left that seat 3 could take.
    game = reckoning([0, 0, 1, 1], [8, 0, 0, 0], HOUSES[:4], seals=[3, 2, 1, 2])
    choose(game, "0: sacrifice 2", "2: answer 6C")
    assert (game.seat, legal(game)) == (3, {"answer 9H", "answer TH", "answer JH"})
    # And seat 0, which paid itself from 3 to 2, is weaker than seat 3 for a moment.
    game = reckoning([0, 0, 1, 1], [8, 0, 0, 0], ["", *HOUSES[1:4]], seals=[3, 5, 3, 3])
    assert (game.seals[0], game.seat) == (2, 2)  # nobody is weaker than seat 0: it bleeds
    assert legal(game) == {"answer 6C", "answer 7C", "answer 8C", "sacrifice 0"}


@ruling("R8")
def test_the_only_way_to_pay_is_presented():
    game = reckoning([0, 1, 1], [8, 0, 0], ["", "", ""], seals=[3, 2, 0])
    assert (game.seat, legal(game)) == (0, {"sacrifice 1"})
    game = reckoning([0, 0, 0], [8, 0, 0], ["6H", "", ""])
    assert (game.seat, legal(game)) == (0, {"answer 6H"})


def test_the_hand_bleeds_only_where_nothing_else_is_possible():
    game = reckoning([0, 0, 0], [8, 0, 0], ["", "6D", "6C"], seals=[3, 2, 3])  # with this round's: 3, 3, 4
    assert (game.seals[:3], game.seat, game.owing) == ([2, 3, 4], CHANCE, 0)
    game = reckoning([0, 0, 0], [8, 0, 0], ["", "6D", "6C"], seals=[3, 1, 3])
    assert (game.seat, legal(game), game.seals[:3]) == (0, {"sacrifice 1"}, [3, 2, 4])


def test_a_debt_of_a_seat_without_seals_is_forgiven():
    game = reckoning([0, 1, 1], [8, 0, 0], ["", "", ""])
    assert (game.seals[:3], game.marks[:3], game.owing, game.seat) == ([0, 0, 0], [0, 0, 0], 0, CHANCE)


def test_nobody_without_a_seal_and_nobody_as_strong_can_be_made_to_pay():
    game = reckoning([0, 1, 1, 1], [8, 0, 0, 0], HOUSES[:4], seals=[2, 0, 2, 3])
    assert legal(game) == {"answer 6H", "answer 7H", "answer 8H"}


def test_the_three_ways_to_pay_in_their_order():
    with_all = reckoning([0, 1, 1], [8, 0, 0], ["6H", "", ""], seals=[2, 1, 3])
    assert legal(with_all) == {"answer 6H", "sacrifice 1"}
    without_house = reckoning([0, 1, 1], [8, 0, 0], ["", "", ""], seals=[2, 1, 3])
    assert legal(without_house) == {"sacrifice 1"}
    without_either = reckoning([0, 1, 1], [8, 0, 0], ["", "", ""], seals=[2, 0, 3])
    assert without_either.seals[0] == 1


# --- Marks ----------------------------------------------------------------------------------------------------


@ruling("R5")
def test_marks_are_cleared_after_all_debts_clockwise_from_the_dealers_left():
    game = reckoning([0, 0, 1, 1], [8, 0, 0, 0], HOUSES[:4], seals=[0, 0, 0, 0], marks=[0, 1, 0, 2], dealer=1)
    choose(game, "2: answer 6C", "3: answer 9H", "0: answer 6H")
    assert (game.phase, game.seat) == (rules.CLEARING, 3)
    assert legal(game) == {"clear TH", "clear JH", "keep"}
    choose(game, "3: keep")
    assert (game.seat, legal(game)) == (1, {"clear 6D", "clear 7D", "clear 8D", "keep"})
    choose(game, "1: clear 7D")
    assert (names(game.houses[1]), game.house_counts[1], game.marks[:4]) == ("6D 8D", 2, [0, 0, 0, 2])
    assert game.seat == CHANCE


@ruling("R5")
def test_a_seat_may_clear_several_marks_with_a_house_card_each():
    game = reckoning([8, 0, 0], [8, 0, 0], HOUSES[:3], marks=[4, 0, 0])
    choose(game, "0: clear 6H", "0: clear 7H", "0: clear 8H")
    assert (game.marks[0], game.house_counts[0], game.seat) == (1, 0, CHANCE)
    game = reckoning([8, 0, 0], [8, 0, 0], HOUSES[:3], marks=[2, 0, 1])
    choose(game, "0: clear 6H", "0: keep", "2: clear 6C")
    assert (game.marks[:3], game.seat) == ([1, 0, 0], CHANCE)


def test_without_a_mark_or_without_a_house_card_nothing_is_asked():
    game = reckoning([8, 0, 0], [8, 0, 0], ["", "6D", "6C"], marks=[2, 0, 0])
    assert (game.marks[0], game.seat) == (2, CHANCE)


def test_a_mark_may_be_cleared_at_the_very_reckoning_that_brought_it():
    game = reckoning([0, 1, 1], [8, 0, 0], ["6H", "", ""], seals=[2, 1, 0])
    choose(game, "0: sacrifice 1", "0: clear 6H")
    assert (game.seals[:3], game.marks[:3], game.house_counts[0]) == ([2, 0, 0], [0, 0, 0], 0)


def test_a_seat_that_kept_its_marks_is_asked_again_at_the_next_reckoning():
    game = reckoning([8, 0, 0], [8, 0, 0], HOUSES[:3], marks=[1, 0, 0])
    choose(game, "0: keep")
    deal_on(game)
    while game.phase in (rules.CLAIM, rules.TRICK) or game.phase == rules.DEBT:
        choose(game, min(legal(game), key=lambda words: (words.startswith("call"), words)))
    assert (game.phase, game.seat) == (rules.CLEARING, 0)


# --- The crown ------------------------------------------------------------------------------------------------


def test_five_seals_without_a_mark_win_at_a_reckoning():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[3, 0, 0])
    assert end(game) == {"end": "finished", "scores": [5, 1, 0], "winners": [0]}
    assert game.round_no == 1


def test_four_seals_are_not_enough():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[2, 0, 0])
    assert (game.seat, game.round_no) == (CHANCE, 2)


def test_a_marked_seat_with_five_seals_is_not_crowned():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[5, 0, 0], marks=[1, 0, 0])
    assert (game.seals[0], game.seat, game.round_no) == (7, CHANCE, 2)


def test_a_seat_that_clears_its_last_mark_is_crowned_at_once():
    story = reckoning([8, 0, 1], [8, 0, 0], ["6H", "", ""], seals=[3, 0, 0], marks=[1, 0, 0])
    assert end(choose(story.copy(), "0: clear 6H"))["winners"] == [0]
    assert choose(story.copy(), "0: keep").round_no == 2


def test_a_sacrifice_can_take_the_fifth_seal_before_the_crown():
    game = reckoning([0, 0, 1], [8, 0, 0], ["", "", ""], seals=[7, 4, 0])
    assert game.seals[1] == 5
    choose(game, "0: sacrifice 1")
    assert (game.seals[:3], game.marks[:3], game.seat) == ([7, 4, 0], [1, 0, 0], CHANCE)


def test_a_debt_can_cost_the_fifth_seal_and_the_crown():
    game = reckoning([0, 1, 1], [8, 0, 0], ["", "", ""], seals=[5, 0, 0])
    assert (game.seals[0], game.seat) == (4, CHANCE)


@pytest.mark.parametrize(
    ("seals", "houses", "winners"),
    [
        ([5, 6, 0], ["6H", "", ""], [1]),  # the most Seals
        ([5, 5, 0], ["", "6D", ""], [1]),  # then the most House cards
        ([5, 5, 0], ["6H", "6D", "6C 7C"], [0, 1]),  # then they share the crown
        ([5, 5, 5], ["", "", ""], [0, 1, 2]),
    ],
)
def test_several_crowns_go_by_seals_then_by_house_cards_and_else_are_shared(seals, houses, winners):
    game = reckoning([8, 0, 0], [8, 0, 0], houses, seals=[seals[0] - 2, seals[1] - 1, max(0, seals[2] - 1)])
    assert game.seals[:2] == seals[:2]
    assert end(game)["winners"] == winners


@ruling("R7")
def test_the_crowned_win_whatever_the_scores_say():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[3, 8, 0], marks=[0, 1, 0])
    assert end(game) == {"end": "finished", "scores": [5, 7, 0], "winners": [0]}


@ruling("R9")
def test_a_crown_in_round_ten_is_a_crown():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[3, 8, 0], marks=[0, 1, 0], round_no=10)
    assert end(game) == {"end": "finished", "scores": [5, 7, 0], "winners": [0]}


# --- The end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seals", "marks", "houses", "scores", "winners"),
    [
        ([1, 3, 1], [0, 0, 0], ["", "", ""], [3, 4, 2], [1]),
        ([2, 9, 0], [0, 3, 0], ["", "", ""], [4, 4, 1], [0, 1]),  # still tied: shared
        ([2, 9, 0], [0, 3, 0], ["6H", "", "6C 7C"], [4, 4, 1], [0]),  # a tie goes to the most House cards
        ([2, 9, 0], [0, 4, 0], ["", "", ""], [4, 2, 1], [0]),
        ([0, 0, 1], [2, 3, 2], ["", "", ""], [-2, -5, -2], [0, 2]),
    ],
)
def test_after_ten_rounds_the_highest_score_wins_and_a_tie_goes_to_the_most_house_cards(
    seals, marks, houses, scores, winners
):
    game = reckoning([8, 0, 0], [8, 0, 0], houses, seals=seals, marks=marks, round_no=10)
    assert end(game) == {"end": "finished", "scores": scores, "winners": winners}
    assert (game.ended, game.round_no) == (ENDED, 10)


@ruling("R6")
def test_seals_and_marks_have_no_limit_and_each_mark_costs_two_seals_once():
    game = reckoning([8, 0, 0], [8, 0, 0], ["", "", ""], seals=[18, 17, 18], marks=[9, 10, 1], round_no=10)
    assert game.seals[:3] == [20, 18, 19]
    assert end(game) == {"end": "finished", "scores": [2, -2, 17], "winners": [2]}


def test_before_round_ten_the_game_goes_on_without_a_crown():
    game = reckoning([8, 0, 0], [8, 0, 0], ["", "", ""], seals=[1, 2, 0], round_no=9)
    assert (game.seat, game.phase, game.round_no, game.ended) == (CHANCE, rules.DEAL, 10, 0)


def test_a_finished_game_offers_no_choice():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[3, 0, 0])
    assert game.seat == FINISHED
    for seat in range(3):
        assert not GAME.unchecked.look(game.games, seat)[1].any()


def test_scores_are_seals_less_two_for_each_mark_at_any_time():
    game = position(["AH", "KH", "QH"], seals=[3, 1, 4], marks=[0, 1, 0])
    scores, winners, _ = GAME.unchecked.judge(game.games)
    assert scores[0].tolist() == [3, -1, 4, 0, 0]
    assert winners[0].tolist() == [0, 0, 1, 0, 0]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_end_with_a_crown_or_after_ten_rounds(players):
    batch = Batch(GAME, many(300, 1), players=players, seed=1, restart=False)
    while (batch.seats >= 0).any():
        batch.step_at_random()
    ended = [Position(batch.games[i : i + 1]) for i in range(batch.n)]
    for game in ended:
        crowned = {seat for seat in range(players) if game.seals[seat] >= 5 and game.marks[seat] == 0}
        assert crowned or game.round_no == 10
        winners = set(end(game)["winners"])
        assert winners <= (crowned or set(range(players)))
        assert winners
    assert 10 in {game.round_no for game in ended}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_house_cards_and_seals_never_go_below_zero_and_tricks_add_up(players):
    for batch in random_steps(many(100, 2), many(300, 40), players, seed=6):
        games = batch.games
        assert (games["seals"] >= 0).all()
        assert (games["marks"] >= 0).all()
        assert (games["house_counts"] >= 0).all()
        reckons = np.isin(games["phase"], (rules.DEBT, rules.CLEARING))
        assert (games["taken"][reckons].sum(1) == (7 if players == 5 else 8)).all()
        assert (games["taken"].sum(1) <= (7 if players == 5 else 8)).all()
