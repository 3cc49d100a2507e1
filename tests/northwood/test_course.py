"""The course of play of For Northwood!: setups, visits, tricks, the end."""

import itertools
from collections import Counter

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, FINISHED
from handfast.envs.northwood import rules
from handfast.envs.northwood.cards import CALL, CHARACTERS, NAMES, REPLACE, RESPOND, USE, VISIT
from tests.rulings import many, ruling

from .table import (
    GAME,
    Position,
    choose,
    end,
    in_order,
    is_sound,
    legal,
    luck,
    position,
    random_steps,
    split,
    start,
    visit_over,
)

# --- Setups ---------------------------------------------------------------------------------------------------


def own(game: Position) -> list[str]:
    """The allies."""
    return [name for number, name in enumerate(CHARACTERS) if game.own >> number & 1]


def test_the_introductory_setup_has_the_jacks_as_allies_and_queens_and_kings_in_random_order():
    orders = set()
    for seed in range(20):
        game = start(seed, setup="introductory")
        assert own(game) == ["JC", "JF", "JL", "JE"]
        assert sorted(game.reign) == sorted(rank + suit for rank in "QK" for suit in "CFLE")
        orders.add(tuple(game.reign))
    assert len(orders) == 20


def test_the_standard_setup_has_a_random_ally_and_two_random_rulers_of_each_suit():
    allies, rulers, first = Counter(), Counter(), Counter()
    for seed in range(many(300, 60)):
        game = start(seed)
        assert [name[1] for name in own(game)] == list("CFLE")
        assert Counter(name[1] for name in game.reign) == {"C": 2, "F": 2, "L": 2, "E": 2}
        assert not set(own(game)) & set(game.reign)
        allies.update(own(game))
        rulers.update(game.reign)
        first[game.reign[0][1]] += 1
    assert set(allies) == set(rulers) == set(CHARACTERS)
    assert set(first) == set("CFLE")


RULERS = ["JC", "KC", "BC", "QF", "LF", "PL", "JE", "BE"]


@pytest.mark.parametrize("allies", [[], ["QE"], ["QE", "KL", "QC"], ["PC", "LC", "QC", "QE"]])
@ruling("R11")
def test_a_custom_setup_has_the_allies_named_and_the_rulers_from_left_to_right(allies):
    game = start(5, setup="custom", allies=allies, rulers=RULERS)
    assert sorted(own(game)) == sorted(allies)
    assert game.reign == RULERS
    assert is_sound(game)


@ruling("R11")
def test_without_allies_there_is_nothing_to_choose_but_fiefs_and_responses():
    game = start(5, setup="custom", rulers=RULERS)
    while game.seat != FINISHED:
        assert {words.split()[0] for words in legal(game)} in ({"visit"}, {"play"})
        luck(choose(game, min(legal(game))))
    assert game.visited == 255


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"setup": "custom", "rulers": RULERS[:7]}, "names 8 rulers, not 7"),
        ({"setup": "custom"}, "names 8 rulers, not 0"),
        ({"setup": "custom", "rulers": [*RULERS[:7], "JC"]}, "JC is named twice in the custom setup"),
        ({"setup": "custom", "allies": ["BE"], "rulers": RULERS}, "BE is named twice in the custom setup"),
        ({"setup": "custom", "allies": ["QE", "QE"], "rulers": RULERS}, "QE is named twice"),
        ({"allies": ["QE"]}, "named with setup 'custom' alone"),
        ({"setup": "introductory", "rulers": RULERS}, "named with setup 'custom' alone"),
        ({"off": ["QE", "KC", "QE"]}, "QE is named twice in the option 'off'"),
        ({"order": [0, 1, 2]}, "names each fief from 0 to 7 once"),
        ({"order": [0, 1, 2, 3, 4, 5, 6, 6]}, "names each fief from 0 to 7 once"),
        ({"setup": "custom", "allies": ["QE"] * 5, "rulers": RULERS}, "option 'allies' must be"),
        ({"setup": "custom", "allies": ["XX"], "rulers": RULERS}, "option 'allies' must be"),
        ({"goal": 0}, "option 'goal' must be"),
        ({"stars": [1, 2, 3]}, "option 'stars' must be"),
        ({"numbers": [9] * 8}, "option 'numbers' must be"),
    ],
)
@ruling("R11")
def test_options_that_make_no_game_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        start(0, **options)


def test_luck_is_the_same_for_the_same_seed_however_it_is_played():
    one, two = start(3), start(3)
    assert one.games.tobytes() == two.games.tobytes()
    choose(one, "visit 2")
    choose(two, "visit 6")
    for game in (one, two):
        while not visit_over(game):
            choose(game, min(legal(game)) if game.phase != USE else "listen")
        luck(game)
    assert (one.held, one.stock) == (two.held, two.stock)


# --- Visits ---------------------------------------------------------------------------------------------------


def test_every_visit_begins_with_all_cards_shuffled_a_hand_of_eight_and_the_rest_as_the_deck():
    game, hands = start(4), set()
    for visit in range(1, 9):
        assert (game.visit_no, len(split(game.held)), game.deck_count) == (visit, 8, 24)
        assert in_order(f"{game.held} {game.stock}") == " ".join(NAMES)
        assert (game.discarded, game.trophies, game.exhausted) == ("", "", 0)
        hands.add(game.held)
        while game.visit_no == visit and game.seat == 0:
            choose(game, idle_choice(game))
        luck(game)
    assert len(hands) == 8


def idle_choice(game: Position) -> str:
    """A choice that uses no ability and calls nobody."""
    return next(words for words in sorted(legal(game)) if words.split()[0] in ("listen", "begin", "play", "visit"))


def test_the_fief_is_chosen_with_the_hand_in_sight_among_those_not_visited():
    game = start(4)
    assert game.phase == VISIT
    assert legal(game) == {f"visit {fief}" for fief in range(8)}
    game = position("1C", "8E", visited=[0, 3], won=[5], phase=VISIT, fief=-3)
    assert legal(game) == {f"visit {fief}" for fief in (1, 2, 4, 6, 7)}


def test_the_last_fief_is_visited_without_asking():
    game = position("1C", "8C", in_play="JC", visited=[0, 1, 2, 3, 5, 7])
    choose(game, "listen", "play 1C")
    luck(game)
    assert (game.fief, game.visit_no) == (6, 8)
    assert game.phase == USE


def test_the_suit_of_the_ruler_is_trump():
    for ruler, trump in (("KF", True), ("KL", False)):
        game = position("1F 8C", "7E 6E", ruler=ruler)
        choose(game, "listen", "play 1F")
        assert (game.trophies == "1F") == trump


def won_before(friendly: str, **where) -> Position:
    """A position at the beginning of a visit with friendly rulers."""
    rulers = dict(zip((0, 1), split("KF KE"), strict=True))
    return position("1C 2C", "8E 7E", won=[0, 1], rulers=rulers, friendly=friendly, phase=CALL, **where)


def test_any_number_of_friendly_rulers_may_come_in_for_as_many_allies():
    game = won_before("KF KE", in_play="JC JF JL")
    assert legal(game) == {"call KF", "call KE", "begin"}
    choose(game, "call KE")
    assert (game.phase, legal(game)) == (REPLACE, {"replace JC", "replace JF", "replace JL"})
    choose(game, "replace JF")
    assert (game.ready, game.friends) == ("JC JL KE", "KF")
    assert legal(game) == {"call KF", "begin"}
    choose(game, "call KF")
    assert legal(game) == {"replace JC", "replace JL"}
    choose(game, "replace JC")
    assert legal(game) == {"use KF", "use JL", "use KE", "listen"}  # no friendly ruler is left: play begins


def test_play_may_begin_without_calling_anyone():
    game = choose(won_before("KF KE", in_play="JC JF"), "begin")
    assert (legal(game), game.friends) == ({"use JC", "use JF", "listen"}, "KF KE")


def test_the_only_ally_is_replaced_without_asking_and_then_nobody_can_be_called():
    game = choose(won_before("KF KE", in_play="JC"), "call KF")
    assert (game.phase, legal(game), game.friends) == (USE, {"use KF", "listen"}, "KE")


def test_without_allies_or_friendly_rulers_nothing_is_asked():
    deals = [("1C 2C 3C 4C 5C 6C 7C 8C", "1F")]
    game = start(1, deals, setup="custom", rulers=RULERS)
    choose(game, "visit 7")
    assert game.phase == RESPOND
    game = start(1, deals, setup="custom", allies=["QE"], rulers=RULERS)
    choose(game, "visit 7")
    assert game.phase == USE


def test_a_ruler_called_in_leaves_the_game_used_or_not_and_the_allies_come_back():
    for use in (True, False):
        game = choose(won_before("KF KE", in_play="JC JF"), "call KE", "replace JC", "begin")
        choose(game, *(("use KE", "name L") if use else ("listen",)))
        while not visit_over(game):
            choose(game, max(words for words in legal(game) if not words.startswith("use")))
        luck(game)
        assert game.friends == "KF"
        choose(game, "visit 2")
        assert legal(game) == {"call KF", "begin"}
        assert (game.ready, game.tired) == ("JC JF", "")


def test_a_ruler_called_in_keeps_its_fief_won():
    game = choose(won_before("KF KE", in_play="JC JF"), "call KE", "replace JC", "begin", "listen")
    while not visit_over(game):
        choose(game, max(words for words in legal(game) if not words.startswith("use")))
    assert GAME.judge(game.games)[0][0, 0] >= 4 + 3
    assert game.won & 3 == 3


def test_allies_are_refreshed_between_visits():
    game = position("1C", "8C 7E", in_play="JC QE", ruler="KF", exhausted="QE")
    choose(game, "use JC")
    assert game.tired == "JC QE"
    while not visit_over(game):
        choose(game, min(legal(game)))
    luck(game)
    assert game.tired == ""


def test_a_fief_is_won_by_exactly_its_number():
    for trophies, won in (("", False), ("5C 6C 7C", False), ("4C 5C 6C 7C", True), ("3C 4C 5C 6C 7C", False)):
        game = position("1C", "8C", ruler="KF", scored=trophies)
        choose(game, "listen", "play 1C")
        assert (game.won == 1 << 4) == won
        assert (game.friends == "KF") == won
        assert game.visited == 1 << 4


def test_fief_0_is_won_without_a_trick():
    game = position("1C", "8C", ruler="KF", fief=0)
    choose(game, "listen", "play 1C")
    assert (game.won, GAME.judge(game.games)[0][0, 0]) == (1, 4)


def test_the_ruler_of_a_lost_fief_is_friendly_to_nobody():
    game = position("1C", "8C", ruler="KF", fief=5)
    choose(game, "listen", "play 1C")
    luck(game)
    assert (game.friends, game.won) == ("", 0)


# --- Tricks ---------------------------------------------------------------------------------------------------


def test_the_decks_top_card_is_the_statement_and_goes_to_the_discard_pile():
    game = position("1C 2C", "8E 7E", discards="3F")
    choose(game, "listen")
    assert (game.discarded, game.phase) == ("8E 3F", RESPOND)
    assert game.stock.startswith("7E")


def test_a_response_follows_suit_where_it_can():
    game = choose(position("1C 2E 5E 7F", "8E"), "listen")
    assert legal(game) == {"play 2E", "play 5E"}


def test_any_card_may_respond_where_the_suit_is_not_held():
    game = choose(position("1C 7F", "8E"), "listen")
    assert legal(game) == {"play 1C", "play 7F"}


def test_a_response_is_asked_for_even_where_one_card_is_legal():
    game = choose(position("1C 2E", "8E"), "listen")
    assert legal(game) == {"play 2E"}


@pytest.mark.parametrize(
    ("ruler", "stated", "response", "wins"),
    [
        ("KF", "5E", "6E", True),
        ("KF", "5E", "4E", False),
        ("KF", "5E", "1F", True),
        ("KF", "5E", "8L", False),
        ("KE", "5E", "6E", True),
        ("KE", "5E", "4E", False),
        ("KE", "5E", "8L", False),
        ("KF", "8E", "1F", True),
        ("KC", "1E", "8F", False),
    ],
)
def test_a_response_wins_by_a_higher_card_of_the_suit_or_by_trump_on_another(ruler, stated, response, wins):
    game = position(f"{response} 2L", f"{stated} 1L", ruler=ruler, in_play="JC")
    choose(game, "listen", f"play {response}")
    if wins:
        assert (game.trophies, game.discarded) == (response, stated)
    else:
        assert (game.trophies, game.discarded) == ("", f"{response} {stated}")


def test_every_pair_of_cards_is_compared_as_the_rules_say():
    for stated, response in itertools.permutations(NAMES, 2):
        if stated[0] in "158" and response[0] in "258":
            game = position(response, stated, ruler="KF", visits=1)
            choose(game, "listen", f"play {response}")
            same = stated[1] == response[1]
            wins = response[0] > stated[0] if same else response[1] == "F"
            assert (game.trophies == response) == wins


def test_the_deck_leads_whoever_won_the_last_trick():
    game = position("8E 8C", "7E 7C 7F", ruler="KF", in_play="QE", exhausted="QE", phase=RESPOND, discards="1E 2E")
    choose(game, "play 8E")
    assert (game.trophies, game.discarded.split()[0], game.phase) == ("8E", "7E", RESPOND)


@ruling("R2")
def test_an_empty_hand_ends_the_visit():
    assert visit_over(choose(position("1C", "8E 7E"), "listen", "play 1C"))


@ruling("R2")
def test_an_empty_deck_ends_the_visit():
    assert visit_over(choose(position("1C 2C", "8E", rest="discards"), "listen", "play 1C"))


@ruling("R2")
def test_the_player_never_ends_a_visit_by_choice():
    verbs = {GAME.choice(action, 0, 1).split()[0] for action in range(GAME.actions)}
    before = {"visit", "call", "replace", "begin", "use", "listen", "play"}
    assert verbs == before | {"pick", "skip", "fief", "value", "name", "refresh", "draw", "stop"}


@ruling("R10")
def test_discard_and_score_pile_are_open_in_their_order():
    game = position("1C 2C", "8E 7E", discards="3F 4L", scored="5E 6E")
    assert (game.view().discarded, game.view().trophies) == ("3F 4L", "5E 6E")


# --- The end --------------------------------------------------------------------------------------------------


def test_the_game_ends_after_eight_visits():
    for batch in random_steps(many(64, 3), many(300, 190), seed=2, restart=False):  # noqa: B007  the last is looked at
        pass
    over = batch.games["seat"] == FINISHED
    assert over.mean() > 0.5
    assert (batch.games["visited"][over] == 255).all()
    assert (batch.games["visit_no"][over] == 8).all()
    assert (batch.ends <= 1).all()


def last_visit(won: list[int], wins: bool = True, fief: int = 4, **options) -> Position:
    """A game that ends with the next response, with these fiefs won before."""
    others = [other for other in range(8) if other not in (*won, fief)]
    number = options.get("numbers", range(8))[fief]
    scored = " ".join(NAMES[8 : 8 + number + (not wins)])
    game = position("1C", "8C", ruler="KF", visited=others, won=won, scored=scored, fief=fief, **options)
    return choose(game, "listen", "play 1C")


@pytest.mark.parametrize(
    ("won", "stars", "winners"),
    [
        ([0, 1, 2, 3, 5, 6, 7], 20, [0]),
        ([0, 1, 2, 3, 5, 7], 17, [0]),
        ([0, 1, 2, 3, 6], 14, []),
        ([0, 1, 2, 6, 7], 17, [0]),
        ([0, 1, 3, 7, 6], 16, [0]),
        ([0, 1, 6, 7], 15, []),
        ([], 1, []),
    ],
)
def test_sixteen_of_twenty_stars_win(won, stars, winners):
    assert end(last_visit(won)) == {"end": "finished", "scores": [stars], "winners": winners}


@pytest.mark.parametrize(("goal", "wins"), [(16, True), (17, True), (18, False), (20, False), (1, True), (40, False)])
def test_the_goal_is_an_option(goal, wins):
    assert end(last_visit([0, 1, 2, 6, 7], goal=goal))["winners"] == [0] * wins


def test_a_lost_fief_gives_no_stars():
    assert end(last_visit([0, 1], wins=False)) == {"end": "finished", "scores": [7], "winners": []}


def test_whether_the_goal_is_reached_is_known_before_the_end():
    game = position("1C 2C", "8C", won=[0, 1, 2, 6, 7])
    assert GAME.judge(game.games)[1][0, 0] == 1
    game = position("1C 2C", "8C", won=[0, 1, 6, 7])
    assert GAME.judge(game.games)[1][0, 0] == 0


def test_a_finished_game_offers_no_choice():
    game = last_visit([0, 1])
    assert (game.seat, game.phase) == (FINISHED, VISIT)
    assert GAME.look(game.games, 0)[1].sum() == 0
    mask = np.zeros(GAME.actions, np.int8)
    getattr(rules.legal, "py_func", rules.legal)(game.record, mask)
    assert mask.sum() == 0


# --- Scenarios ------------------------------------------------------------------------------------------------


def test_stars_and_numbers_of_the_fiefs_are_options():
    numbers, stars = [3, 3, 3, 3, 2, 3, 3, 3], [5, 0, 0, 0, 9, 0, 0, 0]
    assert end(last_visit([0], numbers=numbers, stars=stars))["scores"] == [14]
    assert end(last_visit([0], wins=False, numbers=numbers, stars=stars))["scores"] == [5]


@pytest.mark.parametrize("size", [1, 5, 16])
def test_the_hand_size_is_an_option(size):
    game = start(3, hand_size=size)
    assert (len(split(game.held)), game.deck_count) == (size, 32 - size)


def test_a_fixed_order_of_visits_is_gone_through_without_asking():
    order, seen = [3, 1, 4, 0, 5, 7, 2, 6], []
    game = start(5, order=order)
    while game.seat != FINISHED:
        assert game.phase != VISIT
        if game.visit_no > len(seen):
            seen.append(game.fief)
        luck(choose(game, idle_choice(game)))
    assert seen == order


@ruling("R6")
def test_a_fixed_order_leaves_out_what_pl_has_visited_already():
    game = position("1C", "8C 7C", in_play="PL", visited=[7], fief=4, order=[7, 4, 5, 0, 1, 2, 3, 6])
    choose(game, "use PL", "fief 5", "play 1C")
    luck(game)
    assert game.fief == 4  # left before, and now the first that is unvisited


def test_fewer_visits_end_the_game_sooner():
    game = position("1C", "8C", ruler="KF", visited=[0, 1], visits=3)
    choose(game, "listen", "play 1C")
    assert end(game)["scores"] == [0]


def test_an_ability_that_is_off_is_not_offered():
    game = position("1C 2C", "8E 7E 6E", in_play="JC QE", off=["JC"])
    assert legal(game) == {"use QE", "listen"}
    choose(game, "use QE", "play 1C")
    assert game.phase == RESPOND  # nobody is left whose ability is on


@ruling("R5")
def test_ql_copies_no_ability_that_is_off():
    game = position("1C 2C", "8E 7E", in_play="QL", ruler="JE", off=["JE"])
    choose(game, "use QL")
    assert (game.held, game.phase, game.tired) == (in_order("1C 2C"), RESPOND, "QL")


def test_with_calls_off_friendly_rulers_stay_at_home():
    deals = [("1C 2C 3C 4C 5C 6C 7C 8C", "1F")]
    for calls in (True, False):
        game = position("1C", "8C", ruler="KF", fief=0, in_play="JC", calls=calls)
        choose(game, "listen", "play 1C")
        luck(game, deals)
        assert game.friends == "KF"
        choose(game, "visit 2")
        assert game.phase == (CALL if calls else USE)


def test_random_games_of_any_options_are_sound_and_end():
    random = np.random.default_rng(2)
    for options in (
        {"setup": "introductory", "hand_size": 3, "goal": 5},
        {"setup": "custom", "rulers": RULERS, "allies": ["QL", "LL", "PE", "LC"]},
        {"setup": "custom", "rulers": ["BE", "PL", "JL", "BL", "LL", "PE", "BC", "PC"], "allies": ["QL", "LE", "KL", "LC"]},
        {"hand_size": 16, "order": random.permutation(8).tolist(), "off": list(CHARACTERS[::2])},
        {"visits": 2, "calls": False},
    ):  # fmt: skip
        for batch in random_steps(many(64, 2), many(250, 60), seed=2, **options):
            assert GAME.judge(batch.games)[2].all()


def test_luck_comes_between_visits():
    game = choose(position("1C", "8C"), "listen", "play 1C")
    assert game.seat == CHANCE
    GAME.move(game.games, kernels.ROLL)
    assert GAME.words.chance(game.record)["visit"] == 2
