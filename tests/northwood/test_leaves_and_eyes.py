"""The twelve abilities of leaves and eyes, each used by its character and copied by QL."""

import itertools

import numpy as np
import pytest

from handfast.envs.northwood.cards import NAMES, RESPOND, USE
from tests.rulings import many, ruling

from .table import NotSo, acting, choose, in_order, legal, position, split, use, value, visit_over

BOTH = pytest.mark.parametrize("copied", [False, True], ids=["itself", "copied"])


# --- Leaves ---------------------------------------------------------------------------------------------------


@BOTH
@ruling("R6")
def test_jl_exchanges_the_current_ruler_with_that_of_an_unvisited_fief_at_most_two_away(copied):
    game = acting("JL", copied, "1C 2C", "8E", visited=[3], rulers={6: "BF"})
    before = game.reign
    use("JL", copied, game)
    assert legal(game) == {"fief 2", "fief 5", "fief 6"}
    choose(game, "fief 6")
    assert (game.reign[4], game.reign[6]) == ("BF", before[4])
    assert game.reign[:4] + game.reign[5:6] == before[:4] + before[5:6]
    assert (game.fief, game.phase) == (4, RESPOND)


@BOTH
@pytest.mark.parametrize(("fief", "reach"), [(0, {1, 2}), (1, {0, 2, 3}), (6, {4, 5, 7}), (7, {5, 6})])
@ruling("R6")
def test_jl_does_not_reach_round_the_corner(copied, fief, reach):
    game = use("JL", copied, acting("JL", copied, "1C 2C", "8E", fief=fief))
    assert legal(game) == {f"fief {other}" for other in reach}


@BOTH
def test_jl_asks_nothing_where_one_fief_is_in_reach(copied):
    game = use("JL", copied, acting("JL", copied, "1C 2C", "8E", visited=[2, 3, 5], rulers={6: "BF"}))
    assert (game.reign[4], game.phase) == ("BF", RESPOND)


@BOTH
@ruling("R1", "R6")
def test_jl_with_nobody_in_reach_does_nothing(copied):
    game = acting("JL", copied, "1C 2C", "8E", visited=[2, 3, 5], won=[6])
    before = game.reign
    use("JL", copied, game)
    assert (game.reign, game.discarded) == (before, "8E")
    assert game.tired == ("QL" if copied else "JL")


@BOTH
@ruling("R6")
def test_after_jl_the_number_stays_and_trump_and_the_ruler_at_stake_change(copied):
    for won in (True, False):
        game = acting("JL", copied, "1F 8C", "5E 4E", rest="discards", rulers={5: "BF"}, scored="2C 3C 4C")
        use("JL", copied, game, "fief 5")
        choose(game, "play 1F" if won else "play 8C")  # a flower is trump now, a claw is not
        choose(game, "play 8C" if won else "play 1F")
        assert game.visited == 1 << 4
        assert (game.won, game.friends) == (1 << 4, "BF")  # number 4, and one trick was won either way


@BOTH
def test_a_ruler_exchanged_away_stays_neutral_in_its_new_fief(copied):
    game = acting("JL", copied, "1C", "5E", rulers={5: "BF"})
    ruler = game.reign[4]
    use("JL", copied, game, "fief 5")
    choose(game, "play 1C")
    assert (game.visited, game.reign[5], game.friends) == (1 << 4, ruler, "")


@BOTH
@ruling("R10", "R12")
def test_kl_looks_at_the_decks_top_card_and_exchanges_it_for_one_from_the_hand(copied):
    game = use("KL", copied, acting("KL", copied, "1C 2F", "8E 7E"))
    assert game.shown.startswith("8E ??")
    assert game.held == in_order("1C 2F")
    assert legal(game) == {"pick 1C", "pick 2F"}
    choose(game, "pick 2F")
    assert game.held == in_order("1C 8E")
    assert game.discarded == "2F"  # now the statement
    assert game.stock.startswith("7E")


@BOTH
def test_kl_must_exchange_even_the_only_card(copied):
    game = use("KL", copied, acting("KL", copied, "1C", "8E 7E"))
    assert (game.held, game.discarded) == ("8E", "1C")


@BOTH
@ruling("R6")
def test_pl_moves_the_visit_to_the_nearest_unvisited_fief_above_or_below(copied):
    game = acting("PL", copied, "1C 2C", "8E", visited=[3, 5], rulers={2: "KF", 6: "KE"})
    use("PL", copied, game)
    assert legal(game) == {"fief 2", "fief 6"}
    choose(game, "fief 2")
    assert (game.fief, game.phase) == (2, RESPOND)
    assert game.reign[2] == "KF"


@BOTH
@pytest.mark.parametrize(
    ("fief", "visited", "to"), [(0, [1, 2], 3), (7, [5, 6], 4), (5, [6, 7], 4), (2, [0, 1, 3, 4, 5], 6)]
)
@ruling("R6")
def test_pl_asks_nothing_where_one_way_is_open_and_does_not_go_round_the_corner(copied, fief, visited, to):
    game = use("PL", copied, acting("PL", copied, "1C 2C", "8E", fief=fief, visited=visited))
    assert (game.fief, game.phase) == (to, RESPOND)


@BOTH
@ruling("R1", "R6")
def test_pl_with_no_other_fief_does_nothing(copied):
    game = use("PL", copied, acting("PL", copied, "1C 2C", "8E", visited=[0, 1, 2, 3, 5, 6, 7]))
    assert (game.fief, game.discarded) == (4, "8E")


@BOTH
@ruling("R6")
def test_after_pl_number_ruler_and_trump_are_the_new_fiefs_and_the_old_stays_unvisited(copied):
    game = acting("PL", copied, "1F", "5E", rulers={5: "BF"}, scored="1C 2C 3C 4C")
    ruler = game.reign[4]
    use("PL", copied, game, "fief 5")
    choose(game, "play 1F")  # trump
    assert (game.visited, game.won, game.friends) == (1 << 5, 1 << 5, "BF")
    assert game.reign[4] == ruler
    assert game.visit_no == 2


@BOTH
@ruling("R9")
def test_ll_draws_a_card_and_refreshes_another_exhausted_character(copied):
    game = acting("LL", copied, "1C 2C", "8E 7E", others="JC JE QF", exhausted="JC JE")
    use("LL", copied, game)
    assert game.held == in_order("1C 2C 8E")
    assert legal(game) == {"refresh JC", "refresh JE"}
    choose(game, "refresh JC")
    assert (game.phase, game.discarded) == (RESPOND, "7E")
    assert game.ready == "JC QF"
    choose(game, "play 8E")
    assert (game.phase, legal(game)) == (USE, {"use JC", "use QF", "listen"})


@BOTH
def test_ll_refreshes_the_only_exhausted_character_without_asking(copied):
    game = use("LL", copied, acting("LL", copied, "1C 2C", "8E 7E", others="JC JE", exhausted="JC"))
    assert (game.ready, game.phase) == ("JC JE", RESPOND)


@BOTH
@ruling("R1", "R4")
def test_ll_with_nobody_else_exhausted_only_draws(copied):
    game = use("LL", copied, acting("LL", copied, "1C 2C", "8E 7E", others="JC JE"))
    assert (game.held, game.ready, game.discarded) == (in_order("1C 2C 8E"), "JC JE", "7E")


@BOTH
@ruling("R2")
def test_ll_that_draws_the_last_card_refreshes_first_and_then_ends_the_visit(copied):
    game = use("LL", copied, acting("LL", copied, "1C", "8E", others="JC JE", exhausted="JC JE", rest="discards"))
    assert legal(game) == {"refresh JC", "refresh JE"}
    choose(game, "refresh JE")
    assert visit_over(game)


@BOTH
def test_bl_may_exchange_with_the_discard_pile_and_then_with_the_score_pile(copied):
    game = acting("BL", copied, "4C 4L 6F 6E", "8E", discards="4F 1C", scored="6C 2C")
    use("BL", copied, game)
    assert legal(game) == {"pick 4C", "pick 4L", "skip"}
    choose(game, "pick 4L")
    assert (game.held, game.discarded) == (in_order("4C 4F 6F 6E"), "4L 1C")
    assert legal(game) == {"pick 6F", "pick 6E", "skip"}
    choose(game, "pick 6E")
    assert (game.held, game.trophies, game.discarded) == (in_order("4C 4F 6F 6C"), "6E 2C", "8E 4L 1C")


@BOTH
def test_bl_may_skip_the_one_and_take_the_other(copied):
    game = use("BL", copied, acting("BL", copied, "4C 6F", "8E", discards="4F", scored="6C"), "skip")
    assert legal(game) == {"pick 6F", "skip"}
    choose(game, "pick 6F")
    assert (game.held, game.trophies, game.discarded) == (in_order("4C 6C"), "6F", "8E 4F")


@BOTH
def test_bl_may_skip_both(copied):
    game = use("BL", copied, acting("BL", copied, "4C 6F", "8E", discards="4F", scored="6C"), "skip", "skip")
    assert (game.held, game.trophies, game.discarded) == (in_order("4C 6F"), "6C", "8E 4F")


@BOTH
@pytest.mark.parametrize(("discards", "scored"), [("5F", "6C"), ("", "6C"), ("5F 4F", "6C 1L")])
def test_bl_does_not_ask_for_a_pile_with_nothing_to_exchange(copied, discards, scored):
    game = use("BL", copied, acting("BL", copied, "4C 6F", "8E", discards=discards, scored=scored))
    assert legal(game) == {"pick 6F", "skip"}
    choose(game, "pick 6F")
    assert game.trophies.startswith("6F")


@BOTH
@pytest.mark.parametrize(("discards", "scored"), [("4F", ""), ("4F", "5C")])
def test_bl_ends_after_the_discard_pile_where_the_score_pile_has_nothing(copied, discards, scored):
    game = use("BL", copied, acting("BL", copied, "4C 6F", "8E", discards=discards, scored=scored), "pick 4C")
    assert (game.held, game.trophies, game.discarded) == (in_order("4F 6F"), scored, "8E 4C")


@BOTH
@ruling("R1")
def test_bl_without_equal_values_does_nothing(copied):
    game = use("BL", copied, acting("BL", copied, "4C 6F", "8E", discards="5F", scored="7C"))
    assert (game.held, game.discarded, game.phase) == (in_order("4C 6F"), "8E 5F", RESPOND)


@BOTH
def test_bl_may_give_to_the_score_pile_what_it_took_from_the_discard_pile(copied):
    game = use("BL", copied, acting("BL", copied, "4C 6F", "8E", discards="4F", scored="4E"), "pick 4C")
    assert legal(game) == {"pick 4F", "skip"}
    choose(game, "pick 4F")
    assert (game.held, game.trophies, game.discarded) == (in_order("6F 4E"), "4F", "8E 4C")


# --- Eyes -----------------------------------------------------------------------------------------------------


@BOTH
@ruling("R3")
def test_je_draws_two_and_discards_two(copied):
    game = use("JE", copied, acting("JE", copied, "1C 2F", "8E 7E 6E"))
    assert game.held == in_order("1C 2F 8E 7E")
    assert legal(game) == {"pick 1C", "pick 2F", "pick 8E", "pick 7E"}
    choose(game, "pick 8E")
    assert legal(game) == {"pick 1C", "pick 2F", "pick 7E"}
    choose(game, "pick 1C")
    assert (game.held, game.discarded) == (in_order("2F 7E"), "6E 1C 8E")


@BOTH
@ruling("R1", "R2")
def test_je_with_one_card_in_the_deck_draws_it_and_discards_two(copied):
    game = use("JE", copied, acting("JE", copied, "1C 2F", "8E", rest="discards", visits=1), "pick 2F", "pick 1C")
    assert game.held == "8E"
    assert visit_over(game)


@BOTH
@ruling("R10")
def test_qe_looks_at_the_top_three_cards_and_leaves_them_in_order(copied):
    game = use("QE", copied, acting("QE", copied, "1C 2F", "8E 7E 6E 5E"))
    assert game.discarded == "8E"
    assert game.shown.startswith("7E 6E ?? ??")
    assert game.stock.startswith("7E 6E 5E")


@BOTH
@ruling("R1", "R10")
def test_qe_looks_at_what_a_short_deck_has(copied):
    game = use("QE", copied, acting("QE", copied, "1C 2F", "8E 7E", rest="discards"))
    assert game.shown == "7E"


@BOTH
@ruling("R3")
def test_ke_names_a_suit_draws_two_and_discards_all_of_it(copied):
    game = use("KE", copied, acting("KE", copied, "1C 2F 3F", "4F 7E 6E"))
    assert legal(game) == {"name C", "name F", "name L", "name E"}
    assert game.held == in_order("1C 2F 3F")  # the suit is named before the cards are drawn
    choose(game, "name F")
    assert legal(game) == {"pick 2F", "pick 3F", "pick 4F"}
    choose(game, "pick 4F", "pick 2F")
    assert (game.held, game.discarded) == (in_order("1C 7E"), "6E 3F 2F 4F")


@BOTH
def test_ke_may_name_a_suit_that_is_not_held(copied):
    game = use("KE", copied, acting("KE", copied, "1C 2F", "8E 7E 6E"), "name L")
    assert (game.held, game.discarded) == (in_order("1C 2F 8E 7E"), "6E")


@BOTH
@ruling("R1", "R2")
def test_ke_draws_what_a_short_deck_has_and_may_end_the_visit(copied):
    game = use("KE", copied, acting("KE", copied, "1E", "8E", rest="discards"), "name E", "pick 8E")
    assert game.held == ""
    assert visit_over(game)


@BOTH
def test_pe_discards_one_and_draws_one(copied):
    game = use("PE", copied, acting("PE", copied, "1C 2F", "8E 7E 6E", others="JC QC"))
    assert legal(game) == {"pick 1C", "pick 2F"}
    choose(game, "pick 2F")
    assert (game.held, game.discarded, game.phase) == (in_order("1C 8E"), "7E 2F", RESPOND)


@BOTH
@ruling("R4")
def test_pe_repeats_for_each_other_exhausted_character(copied):
    game = acting("PE", copied, "1C 2F", "8E 7E 6E 5E", others="JC QC KC", exhausted="JC KC")
    use("PE", copied, game, "pick 2F")
    assert legal(game) == {"pick 1C", "pick 8E"}
    choose(game, "pick 8E")
    assert legal(game) == {"pick 1C", "pick 7E"}
    choose(game, "pick 1C")
    assert (game.held, game.discarded) == (in_order("7E 6E"), "5E 1C 8E 2F")


@BOTH
@ruling("R4")
def test_pe_counts_rulers_called_in_and_not_allies_replaced(copied):
    game = acting(
        "PE", copied, "1C 2F", "8E 7E 6E", called="KF", won=[2], rulers={2: "KF"}, exhausted="KF",
    )  # fmt: skip
    use("PE", copied, game, "pick 2F", "pick 8E")
    assert (game.held, game.discarded) == (in_order("1C 7E"), "6E 8E 2F")


@BOTH
@ruling("R12")
def test_pe_goes_on_discarding_where_the_deck_is_empty(copied):
    game = acting("PE", copied, "1C 2F 3F 4F", "8E", others="JC QC", exhausted="JC QC", rest="discards", visits=1)
    use("PE", copied, game, "pick 2F", "pick 3F", "pick 4F")
    assert game.held == in_order("1C 8E")
    assert visit_over(game)


@BOTH
@ruling("R12")
def test_pe_ends_where_no_card_is_left_to_discard(copied):
    game = acting("PE", copied, "1C", "8E", others="JC QC", exhausted="JC QC", rest="discards", visits=1)
    use("PE", copied, game)
    assert (game.held, game.discarded.split()[:2]) == ("", ["8E", "1C"])
    assert visit_over(game)


@BOTH
@ruling("R3")
def test_le_draws_two_and_discards_cards_of_exactly_their_sum(copied):
    game = use("LE", copied, acting("LE", copied, "2C 3C 4F 8L", "5E 1E 7E"))
    assert game.held == in_order("2C 3C 4F 8L 5E 1E")
    assert legal(game) == {"pick 1E", "pick 2C", "pick 3C", "pick 4F", "pick 5E"}
    choose(game, "pick 4F")  # and 2C, which alone makes the rest
    assert (game.held, game.discarded) == (in_order("3C 8L 5E 1E"), "7E 2C 4F")


@BOTH
def test_le_goes_on_until_the_sum_is_met(copied):
    game = use("LE", copied, acting("LE", copied, "1C 2C 3C 6C", "5E 1E 7E"), "pick 2C")
    assert legal(game) == {"pick 1C", "pick 1E", "pick 3C"}
    choose(game, "pick 1E")
    assert (game.held, game.discarded) == (in_order("1C 6C 5E"), "7E 3C 1E 2C")


@BOTH
@ruling("R1")
def test_le_can_always_discard_what_it_drew(copied):
    game = use("LE", copied, acting("LE", copied, "8C 8F", "2E 1E 7E"))
    assert legal(game) == {"pick 1E", "pick 2E"}
    choose(game, "pick 1E")
    assert (game.held, game.discarded) == (in_order("8C 8F"), "7E 2E 1E")


@BOTH
@ruling("R7")
def test_le_with_one_card_in_the_deck_discards_cards_of_its_value(copied):
    game = use("LE", copied, acting("LE", copied, "2C 3C 8F", "5E", rest="discards", visits=1))
    assert legal(game) == {"pick 2C", "pick 3C", "pick 5E"}
    choose(game, "pick 3C")
    assert game.held == in_order("8F 5E")
    assert visit_over(game)


@ruling("R1")
def test_le_offers_just_the_cards_that_are_part_of_some_right_sum():
    random = np.random.default_rng(1)
    for _ in range(many(200, 30)):
        names = random.permutation(NAMES).tolist()
        size = int(random.integers(1, 9))
        hand, (first, second) = names[:size], names[size : size + 2]
        game = use("LE", False, acting("LE", False, " ".join(hand), f"{first} {second}"))
        left, total = [*hand, first, second], value(first) + value(second)
        while game.ability >= 0:
            fitting = {
                f"pick {card}"
                for length in range(1, len(left) + 1)
                for some in itertools.combinations(left, length)
                if sum(map(value, some)) == total
                for card in some
            }
            assert legal(game) == fitting
            words = random.choice(sorted(fitting))
            choose(game, words)
            gone = [card for card in left if card not in split(game.held)]
            total -= sum(map(value, gone))
            left = [card for card in left if card not in gone]
        assert total == 0


@BOTH
@ruling("R5")
def test_be_draws_a_card_after_an_even_response(copied):
    game = use("BE", copied, acting("BE", copied, "2C 3C", "8C 7E 6E"))
    assert (game.held, game.discarded, game.phase) == (in_order("2C 3C"), "8C", RESPOND)
    choose(game, "play 2C")
    assert (game.held, game.discarded) == (in_order("3C 7E"), "6E 2C 8C")


@BOTH
@ruling("R5")
def test_be_discards_a_card_of_choice_after_an_odd_response(copied):
    game = use("BE", copied, acting("BE", copied, "2C 3C 4C", "8C 7E 6E"), "play 3C")
    assert legal(game) == {"pick 2C", "pick 4C"}
    choose(game, "pick 4C")
    assert (game.held, game.discarded) == ("2C", "7E 4C 3C 8C")


@BOTH
def test_be_acts_on_the_next_response_alone(copied):
    game = use("BE", copied, acting("BE", copied, "2C 4C 6C", "8C 7E 6E 5E"), "play 2C", "play 7E")
    assert game.held == in_order("4C 6C")  # a card was drawn once


@BOTH
@ruling("R7")
def test_be_draws_before_the_test_for_an_empty_hand(copied):
    game = use("BE", copied, acting("BE", copied, "2C", "8C 7E 6E"), "play 2C")
    assert (game.held, game.discarded) == ("7E", "6E 2C 8C")


@BOTH
@ruling("R7")
def test_be_discards_before_the_test_for_an_empty_deck(copied):
    game = use("BE", copied, acting("BE", copied, "3C 2C 4C", "8C", rest="discards", visits=1), "play 3C")
    assert legal(game) == {"pick 2C", "pick 4C"}
    choose(game, "pick 2C")
    assert game.held == "4C"
    assert visit_over(game)


@BOTH
@ruling("R7", "R12")
def test_be_after_an_odd_last_response_discards_nothing_and_the_visit_ends(copied):
    game = use("BE", copied, acting("BE", copied, "3C", "8C 7E"), "play 3C")
    assert visit_over(game)
    assert game.delayed == 0


@BOTH
@ruling("R1", "R7")
def test_be_after_an_even_response_to_the_last_statement_draws_nothing(copied):
    game = use("BE", copied, acting("BE", copied, "2C 3C", "8C", rest="discards", visits=1), "play 2C")
    assert game.held == "3C"
    assert visit_over(game)


def test_a_pick_that_would_leave_the_ability_undone_is_not_offered():
    game = use("LE", False, acting("LE", False, "8C 8F", "2E 1E 7E"))
    with pytest.raises(NotSo):
        choose(game, "pick 8C")


def test_a_question_with_one_answer_is_not_asked():
    game = position("1C 2C 3C", "8E", in_play="KC", ruler="QE")
    choose(game, "use KC")
    assert game.phase == RESPOND
