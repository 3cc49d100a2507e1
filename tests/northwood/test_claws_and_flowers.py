"""The twelve abilities of claws and flowers, each used by its character and copied by QL."""

import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE
from handfast.envs.northwood.cards import RESPOND, SHUFFLE
from tests.rulings import ruling

from .table import GAME, acting, choose, in_order, legal, luck, use, visit_over

BOTH = pytest.mark.parametrize("copied", [False, True], ids=["itself", "copied"])


# --- Claws ----------------------------------------------------------------------------------------------------


@BOTH
def test_jc_draws_up_to_eight(copied):
    game = use("JC", copied, acting("JC", copied, "1C 2C 3F", "8E 7E 6E 5E 4E 3E"))
    assert game.held == in_order("1C 2C 3F 8E 7E 6E 5E 4E")
    assert (game.phase, game.discarded) == (RESPOND, "3E")  # the statement follows at once


@BOTH
@pytest.mark.parametrize("hand", ["1C 2C 3C 4C 5C 6C 7C 8C", "1C 2C 3C 4C 5C 6C 7C 8C 1F"])
@ruling("R1")
def test_jc_with_eight_or_more_in_hand_does_nothing_and_is_used_up(copied, hand):
    game = use("JC", copied, acting("JC", copied, hand, "8E 7E"))
    assert (game.held, game.discarded) == (in_order(hand), "8E")
    assert game.tired == ("QL" if copied else "JC")


@BOTH
@ruling("R1", "R2")
def test_jc_draws_what_a_short_deck_has_and_the_visit_ends(copied):
    game = use("JC", copied, acting("JC", copied, "1C", "8E 7E", rest="discards", scored="2C 3C 4C 5C", visits=1))
    assert game.held == in_order("1C 8E 7E")
    assert visit_over(game)
    assert game.won == 1 << 4


@BOTH
def test_jc_draws_up_to_the_hand_size_of_the_game(copied):
    game = use("JC", copied, acting("JC", copied, "1C", "8E 7E 6E", hand_size=3))
    assert game.held == in_order("1C 8E 7E")


@BOTH
def test_qc_takes_the_top_of_deck_discard_pile_and_score_pile(copied):
    game = use("QC", copied, acting("QC", copied, "1C", "8E 7E", discards="2F 3F", scored="4L 5L"))
    assert game.held == in_order("1C 8E 2F 4L")
    assert (game.discarded, game.trophies) == ("7E 3F", "5L")


@BOTH
@pytest.mark.parametrize(
    ("discards", "scored", "held"), [("", "", "1C 8E"), ("2F", "", "1C 8E 2F"), ("", "4L", "1C 8E 4L")]
)
@ruling("R1")
def test_qc_takes_from_the_piles_that_have_a_card(copied, discards, scored, held):
    game = use("QC", copied, acting("QC", copied, "1C", "8E 7E", discards=discards, scored=scored))
    assert (game.held, game.discarded, game.trophies) == (in_order(held), "7E", "")


@BOTH
@ruling("R2")
def test_qc_with_the_last_card_of_the_deck_ends_the_visit(copied):
    game = use("QC", copied, acting("QC", copied, "1C", "8E", rest="discards"))
    assert visit_over(game)


@BOTH
def test_kc_moves_the_highest_card_to_the_score_pile(copied):
    game = use("KC", copied, acting("KC", copied, "1C 7F 6L 6E", "8E", scored="2F"))
    assert (game.held, game.trophies) == (in_order("1C 6L 6E"), "7F 2F")


@BOTH
@ruling("R3")
def test_kc_moves_all_that_tie_for_highest_in_the_order_chosen(copied):
    game = use("KC", copied, acting("KC", copied, "1C 7F 7L 7E 6E", "8E"))
    assert legal(game) == {"pick 7F", "pick 7L", "pick 7E"}
    choose(game, "pick 7L")
    assert legal(game) == {"pick 7F", "pick 7E"}
    choose(game, "pick 7E")
    assert (game.held, game.trophies) == (in_order("1C 6E"), "7F 7E 7L")


@BOTH
@ruling("R2")
def test_kc_with_a_hand_of_one_value_ends_the_visit_and_may_win_it(copied):
    game = use("KC", copied, acting("KC", copied, "5C 5F", "8E", scored="2F 3F"), "pick 5C")
    assert visit_over(game)
    assert game.won == 1 << 4


@BOTH
def test_pc_draws_one_by_one_until_a_card_of_the_rulers_suit_comes(copied):
    game = use("PC", copied, acting("PC", copied, "1F", "8E 7E 2C 6E"))
    assert game.held == in_order("1F 8E")
    assert legal(game) == {"draw", "stop"}
    choose(game, "draw", "draw")
    assert (game.held, game.discarded) == (in_order("1F 8E 7E 2C"), "6E")


@BOTH
def test_pc_stops_when_the_player_does_but_has_drawn_once(copied):
    game = use("PC", copied, acting("PC", copied, "1F", "8E 7E 2C 6E"), "stop")
    assert (game.held, game.discarded) == (in_order("1F 8E"), "7E")


@BOTH
def test_pc_asks_nothing_where_the_first_card_is_of_the_rulers_suit(copied):
    game = use("PC", copied, acting("PC", copied, "1F", "2C 8E"))
    assert (game.held, game.discarded) == (in_order("1F 2C"), "8E")


@BOTH
@ruling("R2", "R9")
def test_pc_stops_by_itself_on_an_empty_deck_and_the_visit_ends(copied):
    game = use("PC", copied, acting("PC", copied, "1F", "8E 7E", rest="discards", visits=1), "draw")
    assert game.held == in_order("1F 8E 7E")
    assert visit_over(game)


@BOTH
def test_lc_discards_the_lowest_card_and_draws_as_many_as_its_value(copied):
    game = use("LC", copied, acting("LC", copied, "3F 4L 8C", "8E 7E 6E 5E", discards="1C"))
    assert game.held == in_order("4L 8C 8E 7E 6E")
    assert game.discarded == "5E 3F 1C"


@BOTH
def test_lc_asks_which_of_the_lowest_cards(copied):
    game = use("LC", copied, acting("LC", copied, "3F 3L 3E 8C", "8E 7E 6E 5E"))
    assert legal(game) == {"pick 3F", "pick 3L", "pick 3E"}
    choose(game, "pick 3L")
    assert (game.held, game.discarded) == (in_order("3F 3E 8C 8E 7E 6E"), "5E 3L")


@BOTH
@ruling("R1", "R2")
def test_lc_draws_what_a_short_deck_has(copied):
    game = use("LC", copied, acting("LC", copied, "7F 8C", "8E 7E", rest="discards", visits=1))
    assert game.held == in_order("8C 8E 7E")
    assert visit_over(game)


@BOTH
def test_lc_discards_the_last_card_and_draws_a_new_hand(copied):
    game = use("LC", copied, acting("LC", copied, "2F", "8E 7E 6E"))
    assert game.held == in_order("8E 7E")
    assert not visit_over(game)


@BOTH
def test_bc_takes_every_card_of_a_value_held_from_the_deck_and_shuffles_it(copied):
    game = use("BC", copied, acting("BC", copied, "2C 2F 5L", "8E 2L 7E 5C 2E 6E 1C", rest="discards"))
    assert legal(game) == {"value 2", "value 5"}
    choose(game, "value 2")
    assert (game.seat, game.phase) == (CHANCE, SHUFFLE)
    assert game.held == in_order("2C 2F 5L 2L 2E")
    GAME.move(game.games, kernels.ROLL)
    assert GAME.words.chance(game.record)["chance"] == "shuffle"
    assert in_order(game.stock) == in_order("8E 7E 5C 6E 1C")
    luck(game)
    assert game.phase == RESPOND
    assert in_order(f"{game.stock} {game.discarded.split()[0]}") == in_order("8E 7E 5C 6E 1C")


@BOTH
def test_bc_asks_no_value_where_the_hand_has_one(copied):
    game = use("BC", copied, acting("BC", copied, "2C 2F", "8E 2L 7E"))
    assert (game.phase, game.held) == (SHUFFLE, in_order("2C 2F 2L 2E"))


@BOTH
@ruling("R8")
def test_bc_shuffles_also_where_the_deck_has_no_card_of_the_value(copied):
    orders = set()
    for seed in range(10):
        game = acting("BC", copied, "2C", "8E 7E 6E 5E 4E", rest="discards", known=3)
        game.record.seed = seed
        use("BC", copied, game)
        assert (game.phase, game.held, game.shown) == (SHUFFLE, "2C", "?? ?? ?? ?? ??")
        luck(game)
        orders.add(game.stock)
        assert game.shown == "?? ?? ?? ??"
    assert len(orders) > 5


@BOTH
@ruling("R2", "R8")
def test_bc_that_empties_the_deck_still_shuffles_and_then_ends_the_visit(copied):
    game = use("BC", copied, acting("BC", copied, "2C", "2F 2L", rest="discards"))
    assert (game.seat, game.phase, game.stock) == (CHANCE, SHUFFLE, "")
    GAME.move(game.games, kernels.ROLL)
    assert GAME.words.chance(game.record) == {"chance": "shuffle", "deck": []}
    luck(game)
    assert game.visited == 1 << 4


# --- Flowers --------------------------------------------------------------------------------------------------


@BOTH
@ruling("R3")
def test_jf_discards_all_cards_of_the_rulers_suit_in_the_order_chosen(copied):
    game = use("JF", copied, acting("JF", copied, "1F 2F 3F 4L 5E", "8E"))
    assert legal(game) == {"pick 1F", "pick 2F", "pick 3F"}
    choose(game, "pick 2F")
    assert legal(game) == {"pick 1F", "pick 3F"}
    choose(game, "pick 3F")
    assert (game.held, game.discarded) == (in_order("4L 5E"), "8E 1F 3F 2F")


@BOTH
@ruling("R1")
def test_jf_without_a_card_of_the_suit_does_nothing(copied):
    game = use("JF", copied, acting("JF", copied, "1C 4L 5E", "8E"))
    assert (game.held, game.discarded) == (in_order("1C 4L 5E"), "8E")


@BOTH
@ruling("R2")
def test_jf_that_empties_the_hand_ends_the_visit(copied):
    assert visit_over(use("JF", copied, acting("JF", copied, "1F", "8E")))


@BOTH
@ruling("R10")
def test_qf_puts_the_score_piles_top_card_on_the_deck_where_it_stays_known(copied):
    game = acting("QF", copied, "1C 3C", "8E 7E", scored="2F 3F")
    use("QF", copied, game)
    assert (game.trophies, game.discarded) == ("3F", "2F")  # at once the statement
    assert game.stock.startswith("8E 7E")


@BOTH
@ruling("R1")
def test_qf_without_a_scored_card_does_nothing(copied):
    game = use("QF", copied, acting("QF", copied, "1C", "8E 7E"))
    assert (game.trophies, game.discarded) == ("", "8E")


@BOTH
@ruling("R1", "R3")
def test_kf_discards_two_cards_that_sum_to_nine(copied):
    game = use("KF", copied, acting("KF", copied, "1C 8F 8L 4E 5E 7C", "8E"))
    assert legal(game) == {"pick 1C", "pick 8F", "pick 8L", "pick 4E", "pick 5E"}
    choose(game, "pick 1C")
    assert legal(game) == {"pick 8F", "pick 8L"}
    choose(game, "pick 8L")
    assert (game.held, game.discarded) == (in_order("8F 4E 5E 7C"), "8E 8L 1C")


@BOTH
def test_kf_asks_for_the_order_of_the_only_pair(copied):
    game = use("KF", copied, acting("KF", copied, "4E 5E 7C", "8E"))
    assert legal(game) == {"pick 4E", "pick 5E"}
    choose(game, "pick 5E")
    assert game.discarded == "8E 4E 5E"


@BOTH
@ruling("R1")
def test_kf_without_a_pair_does_nothing(copied):
    game = use("KF", copied, acting("KF", copied, "1C 3F 7L 4E", "8E"))
    assert (game.held, game.discarded) == (in_order("1C 3F 7L 4E"), "8E")


@BOTH
@ruling("R3")
def test_pf_keeps_one_card_of_each_value(copied):
    game = use("PF", copied, acting("PF", copied, "2C 2F 2L 5C 5E 7C", "8E"))
    assert legal(game) == {"pick 2C", "pick 2F", "pick 2L", "pick 5C", "pick 5E"}
    choose(game, "pick 5C")
    assert legal(game) == {"pick 2C", "pick 2F", "pick 2L"}
    choose(game, "pick 2L")
    assert legal(game) == {"pick 2C", "pick 2F"}
    choose(game, "pick 2C")
    assert (game.held, game.discarded) == (in_order("2F 5E 7C"), "8E 2C 2L 5C")


@BOTH
@ruling("R1")
def test_pf_without_duplicates_does_nothing(copied):
    game = use("PF", copied, acting("PF", copied, "2C 5C 7C", "8E"))
    assert (game.held, game.discarded) == (in_order("2C 5C 7C"), "8E")


@BOTH
def test_lf_discards_one_card_whose_value_is_the_hand_size(copied):
    game = use("LF", copied, acting("LF", copied, "4C 4L 1F 8E", "7E"))
    assert legal(game) == {"pick 4C", "pick 4L"}
    choose(game, "pick 4L")
    assert (game.held, game.discarded) == (in_order("4C 1F 8E"), "7E 4L")


@BOTH
def test_lf_asks_nothing_where_one_card_fits(copied):
    game = use("LF", copied, acting("LF", copied, "3L 1F 8E", "7E"))
    assert (game.held, game.discarded) == (in_order("1F 8E"), "7E 3L")


@BOTH
@pytest.mark.parametrize("hand", ["4C 4L 1F", "1C 2C 3C 4C 5C 6C 7C 8C 8F"])
@ruling("R1")
def test_lf_without_such_a_card_does_nothing(copied, hand):
    game = use("LF", copied, acting("LF", copied, hand, "7E"))
    assert (game.held, game.discarded) == (in_order(hand), "7E")


@BOTH
@ruling("R3")
def test_bf_discards_every_1_2_and_3_in_the_order_chosen(copied):
    game = use("BF", copied, acting("BF", copied, "1C 2F 3L 4E 8E", "7E"))
    assert legal(game) == {"pick 1C", "pick 2F", "pick 3L"}
    choose(game, "pick 3L", "pick 1C")
    assert (game.held, game.discarded) == (in_order("4E 8E"), "7E 2F 1C 3L")


@BOTH
@ruling("R1")
def test_bf_without_low_cards_does_nothing(copied):
    game = use("BF", copied, acting("BF", copied, "4E 8E", "7E"))
    assert (game.held, game.discarded) == (in_order("4E 8E"), "7E")


@BOTH
@ruling("R2")
def test_bf_that_empties_the_hand_ends_the_visit(copied):
    assert visit_over(use("BF", copied, acting("BF", copied, "1C 2C 3C", "7E"), "pick 1C", "pick 2C"))
