"""Abilities together: QL, delayed effects, visits that moved, characters that are refreshed."""

import pytest

from handfast.envs.core.table import CHANCE
from handfast.envs.northwood.cards import CHARACTERS, RESPOND, USE
from tests.rulings import ruling

from .table import acting, choose, in_order, legal, luck, position, use, visit_over

# --- QL -------------------------------------------------------------------------------------------------------


@ruling("R5")
def test_ql_is_exhausted_and_the_ruler_is_not():
    game = position("1C 2C", "8E 7E", in_play="QL JC", ruler="JE")
    choose(game, "use QL", "pick 1C", "pick 2C")
    assert (game.tired, game.ready) == ("QL", "JC")


@ruling("R5")
def test_ql_copying_pe_counts_the_others_without_itself():
    game = position("1C 2C", "8E 7E 6E 5E", in_play="QL JC QC", ruler="PE", exhausted="JC")
    choose(game, "use QL", "pick 1C", "pick 2C")  # once, and once more for JC
    assert (game.held, game.phase) == (in_order("8E 7E"), RESPOND)


@ruling("R4", "R5")
def test_ql_copying_ll_cannot_refresh_itself():
    game = position("1C 2C", "8E 7E", in_play="QL JC QC", ruler="LL", exhausted="JC")
    choose(game, "use QL")
    assert (game.tired, game.phase) == ("QL", RESPOND)


@ruling("R5")
def test_ql_copies_the_ruler_that_jl_put_in_place():
    game = position("1C 2C", "8E 7E 6E 5E", in_play="QL JL", ruler="PC", rulers={5: "JE"})
    choose(game, "use JL", "fief 5", "play 1C", "use QL")
    assert game.held == in_order("2C 7E 6E")  # JE draws two
    assert legal(game) == {"pick 2C", "pick 7E", "pick 6E"}


@ruling("R5")
def test_ql_copies_the_ruler_of_the_fief_to_which_pl_moved():
    game = position("1C 2C", "8E 7E 6E 5E", in_play="QL PL", ruler="PC", rulers={5: "QC"})
    choose(game, "use PL", "fief 5", "play 1C", "use QL")
    assert game.held == in_order("2C 7E 8E 1C")  # QC takes the tops of the deck and of both piles


@ruling("R5", "R6")
def test_ql_copying_jl_exchanges_the_ruler_that_it_copies():
    game = acting("JL", True, "1C 2C", "8E 7E", rulers={5: "QE"})
    use("JL", True, game, "fief 5")
    assert (game.reign[4], game.reign[5], game.phase) == ("QE", "JL", RESPOND)


@ruling("R1", "R5")
def test_ql_copying_an_ability_that_cannot_be_carried_out_is_used_up():
    game = position("1C 2C", "8E 7E", in_play="QL", ruler="QF")
    choose(game, "use QL", "play 1C")
    assert game.tired == "QL"
    assert game.phase == RESPOND  # nobody is left to use: the next statement is there


@ruling("R5", "R9")
def test_ql_refreshed_copies_a_second_time():
    game = position("1C 2C 3C", "8E 7E 6E 5E", in_play="QL LL", ruler="QE")
    choose(game, "use QL", "play 1C", "use LL", "play 7E")
    assert legal(game) == {"use QL", "listen"}
    choose(game, "use QL")
    assert game.tired == "QL LL"


@pytest.mark.parametrize("name", [name for name in CHARACTERS if name != "QL"])
@ruling("R5")
def test_ql_can_copy_everyone(name):
    game = position("1C 2C 3F 6L 7E", "8E 7F 6C 5L 4F", in_play="QL JC" if name != "JC" else "QL QC", ruler=name)
    choose(game, "use QL")
    while game.ability >= 0 and game.seat == 0:
        assert game.ability == CHARACTERS.index(name)
        choose(game, min(legal(game)))
    luck(game)
    assert (game.phase, game.tired) == (RESPOND, "QL")


# --- BE, which acts later -------------------------------------------------------------------------------------


@ruling("R5", "R7")
def test_a_copied_be_acts_once_and_not_again():
    game = position("2C 4C 6C", "8C 8E 8L 8F 7F", in_play="QL JL", ruler="BE", rulers={5: "KC"})
    choose(game, "use QL", "play 2C")
    assert (game.held, game.delayed) == (in_order("4C 6C 8E"), 0)
    choose(game, "use JL", "fief 5", "play 4C")
    assert game.held == in_order("6C 8E")


def test_be_acts_after_a_response_that_wins_too():
    game = position("8C 2C", "1C 7E 6E", in_play="BE", ruler="KF")
    choose(game, "use BE", "play 8C")
    assert (game.trophies, game.held) == ("8C", in_order("2C 7E"))


def test_be_refreshed_by_ll_acts_twice():
    game = position("2C 4C 6C 8C", "1F 3L 5L 7F 1E 3F 1L", in_play="BE LL", ruler="KE")
    choose(game, "use BE", "play 2C")
    assert game.held == in_order("3L 4C 6C 8C")
    choose(game, "use LL", "play 4C", "use BE", "play 6C")
    assert game.held == in_order("8C 3L 5L 3F")
    assert (game.tired, game.delayed) == ("LL BE", 0)


def test_the_discard_of_be_may_be_the_last_card():
    game = position("3C 2C", "8C 7E", in_play="BE", ruler="KF")
    choose(game, "use BE", "play 3C")  # 2C is discarded of itself
    assert visit_over(game)


# --- Moves of the visit ---------------------------------------------------------------------------------------


@ruling("R6")
def test_pl_after_jl_takes_the_visit_away_from_the_exchanged_ruler():
    game = position("8C 7C", "1E 2E 3E 4E", in_play="JL PL", ruler="KC", rulers={5: "BF", 3: "BE"}, rest="discards")
    choose(game, "use JL", "fief 5", "play 8C", "use PL", "fief 3", "play 7C")
    assert game.visited == 1 << 3
    assert (game.reign[3], game.reign[4], game.reign[5]) == ("BE", "BF", "KC")


@ruling("R6", "R9")
def test_pl_refreshed_may_move_the_visit_back():
    game = position("8C 7C 6C", "1E 2E 3E 4E", in_play="PL LL", ruler="KC")
    choose(game, "use PL", "fief 5", "play 8C", "use LL", "play 2E", "use PL")
    assert "fief 4" in legal(game)
    choose(game, "fief 4")
    assert (game.fief, game.visited) == (4, 0)


@ruling("R6")
def test_just_one_fief_is_resolved_a_visit():
    game = position("8C", "1E 2E", in_play="PL", ruler="KC", rulers={3: "BE", 5: "BF"})
    choose(game, "use PL", "fief 3", "play 8C")
    assert bin(game.visited).count("1") == 1
    assert (game.visit_no, game.seat, game.reign[4]) == (2, CHANCE, "KC")


@ruling("R6")
def test_jl_makes_another_suit_trump_for_the_next_statement():
    game = position("8C 2F", "7E 6E", in_play="JL", ruler="KC", rulers={5: "BF"})
    choose(game, "use JL", "fief 5", "play 2F")
    assert game.trophies == "2F"


# --- One ability before each trick ----------------------------------------------------------------------------


def test_one_ability_may_be_used_before_a_statement():
    game = position("1C 2C", "8E 7E", in_play="JC QE", ruler="KF")
    choose(game, "use QE")
    assert game.phase == RESPOND


def test_an_ability_can_be_used_once_a_visit():
    game = position("1C 2C 3C", "8E 7E 6E 5E", in_play="JC QE", ruler="KF")
    choose(game, "use QE", "play 1C")
    assert (game.phase, legal(game)) == (USE, {"use JC", "listen"})


def test_where_everyone_is_exhausted_the_statement_comes_of_itself():
    game = position("1C 2C 3C", "8E 7E 6E 5E", in_play="QE", ruler="KF")
    choose(game, "use QE", "play 1C")
    assert game.phase == RESPOND


@ruling("R9")
def test_ll_refreshes_one_that_then_serves_again():
    game = position("1F 2F 3F", "8E 7E 6E 5E 4E 3E", in_play="JE LL", ruler="KC")
    choose(game, "use JE", "pick 1F", "pick 2F", "play 8E", "use LL", "play 7E", "use JE")
    assert len(game.held.split()) == 4


@ruling("R8", "R9")
def test_bc_refreshed_shuffles_a_second_time_in_another_order():
    changed = 0
    for seed in range(10):
        game = position("2C 3C 4C", "8E 7E 6E 5E 4E 3E 2E 1E", in_play="BC LL", ruler="KC", rest="discards")
        game.record.seed = seed
        choose(luck(choose(game, "use BC", "value 4")), "play 4E", "use LL")
        choose(game, min(legal(game)), "use BC")
        before = game.stock.split()
        luck(choose(game, "value 3"))
        assert game.shuffles == 2
        after = [game.discarded.split()[0], *game.stock.split()]
        changed += after != [card for card in before if card in after]
    assert changed > 7
