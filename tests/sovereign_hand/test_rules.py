"""The rules of The Sovereign Hand up to the last trick of a round, sentence by sentence."""

from collections import Counter

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, NONE
from handfast.envs.sovereign_hand import rules
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    RANKS,
    Position,
    cards,
    choose,
    deal_on,
    is_sound,
    legal,
    marked,
    names,
    position,
    random_steps,
    size,
    start,
)

# --- Setup ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_player_gets_a_house_of_3_cards_and_a_hand_of_8_or_7_and_a_sign_is_turned_up(players):
    game = start(players, seed=4)
    places = [*map(game.house, range(players)), *map(game.hand, range(players)), ALL_CARDS[game.sign]]
    every = " ".join(places).split()
    assert [len(place.split()) for place in places] == [3] * players + [size(players)] * players + [1]
    assert len(every) == len(set(every))
    assert game.house_counts[:players] == [3] * players
    assert game.counts[0][:players] == [{3: 8, 4: 8, 5: 7}[players]] * players
    assert (game.round_no, game.seals, game.marks) == (1, [0] * 5, [0] * 5)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_seat_may_be_the_first_dealer(players):
    assert {start(players, seed).dealer for seed in range(60)} == set(range(players))


def test_luck_decides_the_dealer_then_the_houses_then_the_deal():
    game = Position(GAME.blank(4))
    GAME.move(game.games, kernels.DEAL, seeds=8)
    told = []
    while game.seat == CHANCE:
        told.append(GAME.words.chance_form(game.record)["chance"])
        GAME.move(game.games, kernels.ROLL)
        GAME.move(game.games, kernels.RESUME)
    assert told == ["dealer", "houses", "deal"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_deal_passes_left_each_round_and_the_cards_are_dealt_anew(players):
    game = start(players, seed=1)
    dealer, hands = game.dealer, [game.hand(seat) for seat in range(players)]
    play_out_round(game)
    assert (game.round_no, game.dealer) == (2, (dealer + 1) % players)
    assert game.seat == (dealer + 2) % players
    assert [game.hand(seat) for seat in range(players)] != hands


def play_out_round(game: Position) -> Position:
    """Take the first choice again and again until the next round is dealt."""
    now = game.round_no
    while game.round_no == now:
        choose(game, min(legal(game)))
    return deal_on(game)


def test_house_cards_stay_out_of_the_deck():
    for batch in random_steps(many(200, 2), many(400, 50), 4, seed=5):
        for games in batch.games[batch.games["phase"] == rules.CLAIM][:3]:
            game = Position(games[None])
            housed = sum(game.houses)
            dealt = cards([ALL_CARDS[game.sign]]) | sum(hand[game.round_no - 1] for hand in game.hands)
            assert not housed & dealt


@ruling("R2")
def test_a_spent_house_card_goes_back_into_the_deck_and_no_house_is_refilled():
    story = position(["AS", "3S", "4S", "5S"], ["6H 7H", "8H", "9H", "TH"])
    dealt = Counter()
    for seed in range(many(60, 25)):
        game = story.copy()
        game.record.seed = seed
        choose(game, "play AS", "play 3S", "play 4S", "play 5S", "0: answer 6H")
        deal_on(game)
        assert game.house_counts[:4] == [1, 1, 1, 1]
        assert [game.house(seat) for seat in range(4)] == ["7H", "8H", "9H", "TH"]
        dealt.update(name for seat in range(4) for name in game.hand(seat).split())
        dealt[ALL_CARDS[game.sign]] += 1
    assert dealt["6H"] > 10
    assert not set(dealt) & {"7H", "8H", "9H", "TH"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_games_on_one_seed_get_the_same_first_deal(players):
    assert start(players, seed=3).games.tobytes() == start(players, seed=3).games.tobytes()
    assert start(players, seed=3).hands != start(players, seed=4).hands


# --- Claims ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("dealer", [0, 2])
def test_claims_go_round_from_the_dealers_left_and_the_dealer_claims_last(players, dealer):
    game = start(players, seed=2, dealer=dealer)
    for left in range(1, players):
        assert game.seat == (dealer + left) % players
        assert legal(game) == {f"claim {tricks}" for tricks in range(size(players) + 1)}
        choose(game, "claim 2")
    assert game.seat == dealer
    choose(game, "claim 1")
    assert (game.phase, game.seat) == (rules.TRICK, (dealer + 1) % players)
    assert game.claims[:players] == [1 if seat == dealer else 2 for seat in range(players)]


@pytest.mark.parametrize(
    ("players", "others", "barred"),
    [
        (3, [0, 0], 8),
        (3, [3, 2], 3),
        (3, [8, 0], 0),
        (3, [8, 1], None),
        (4, [2, 2, 2], 2),
        (4, [8, 8, 8], None),
        (5, [0, 0, 0, 0], 7),
        (5, [1, 2, 3, 1], 0),
        (5, [1, 2, 3, 2], None),
    ],
)
@ruling("R4")
def test_the_dealer_may_not_make_the_total_of_all_claims_equal_the_hand_size(players, others, barred):
    game = start(players, seed=2, dealer=0)
    for tricks in others:
        choose(game, f"claim {tricks}")
    assert legal(game) == {f"claim {tricks}" for tricks in range(size(players) + 1) if tricks != barred}


def test_only_the_dealer_is_barred():
    game = choose(start(3, seed=2, dealer=0), "claim 8")
    assert "claim 0" in legal(game)


# --- Tricks ---------------------------------------------------------------------------------------------------


def test_a_leader_may_lead_anything():
    game = position(["AH 3C 5D", "KH 4C 6D", "QH 5C 7D"], sign="2C")
    assert legal(game) == {"play AH", "play 3C", "play 5D"}


def test_a_suit_that_is_led_must_be_followed_and_without_it_anything_may_be_played():
    hands = ["AH 3C 5D", "KH 4C 6D", "8S 5C 7D"]
    game = choose(position(hands), "0: play AH")
    assert legal(game) == {"play KH"}
    choose(game, "1: play KH")
    assert legal(game) == {"play 8S", "play 5C", "play 7D"}


def test_a_choice_is_presented_even_where_it_is_the_only_one():
    game = choose(position(["AH", "KH", "QH"]), "play AH")
    assert (game.seat, legal(game)) == (1, {"play KH"})


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("7H 9H TH", 2),
        ("7H TH 9H", 1),
        ("TH 7H 9H", 0),
        ("7H AD KS", 0),  # other suits never win
        ("7H AD 3C", 2),  # the lowest Sovereign card beats every other suit
        ("AH 4C 3C", 1),
        ("3C AH 4C", 2),
        ("AC 3C KC", 0),
    ],
)
def test_the_highest_sovereign_card_wins_else_the_highest_of_the_suit_led(trick, winner):
    assert winner_of(trick, "5C") == winner


def trick_hands(trick: str) -> list[str]:
    """Hands of two cards each that play this trick; the other card is nothing that has to be played."""
    others = iter(card for card in ("6S", "7S", "8S", "9S", "TS") if card not in trick)
    return [f"{card} {next(others)}" for card in trick.split()]


def taken_by(game: Position) -> int:
    """Who took the trick that is just over, and now leads."""
    assert game.trick == [NONE] * 5
    assert game.led == NONE
    assert game.seat == game.leader
    assert sum(game.taken) == size(game.players) - 1
    return game.leader


def winner_of(trick: str, sign: str) -> int:
    """Who takes a trick of these cards, from seat 0 on."""
    game = position(trick_hands(trick), sign=sign)
    before = game.taken
    choose(game, *(f"play {card}" for card in trick.split()))
    winner = taken_by(game)
    assert [after - one for one, after in zip(before, game.taken, strict=True)] == [seat == winner for seat in range(5)]
    return winner


def test_the_winner_leads_next_and_the_others_follow_clockwise():
    game = position(["3H 4D", "AH 5D", "9H 6D", "8H 7D"])
    choose(game, "0: play 3H", "1: play AH", "2: play 9H", "3: play 8H")
    choose(game, "1: play 5D", "2: play 6D", "3: play 7D", "0: play 4D")


# --- The Usurper ----------------------------------------------------------------------------------------------


def test_the_example_of_the_rules():
    assert winner_of("AH KH 2H", "5S") == 2
    assert winner_of("AH KH 2H 3S", "5S") == 3
    for spade in RANKS:
        if spade != "5":
            assert winner_of(f"AH KH {spade}S 2H", "5S") == 2


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("2H AH KH", 0),
        ("AH 2H KH", 1),
        ("KH AH 2H", 2),
        ("KH 2H AH", 1),
        ("9H KH 2H AH", 2),
        ("2H KH QH TH AH", 0),
    ],
)
def test_a_2_beside_its_ace_is_the_highest_card_of_its_suit_whatever_the_order(trick, winner):
    assert winner_of(trick, "5S") == winner


def test_the_ace_alone_wins_and_the_2_alone_loses():
    assert winner_of("KH AH 3H", "5S") == 1
    assert winner_of("2H 3H 4H", "5S") == 2
    assert winner_of("KH 2H 3H", "5S") == 0


@pytest.mark.parametrize(
    ("trick", "winner"), [("AS 2S KS", 1), ("9H 2S AS", 1), ("9H AS 2S", 2), ("2S KS AS", 0), ("9H AS KS 2S", 3)]
)
def test_a_sovereign_2_beside_its_ace_is_the_highest_of_all(trick, winner):
    assert winner_of(trick, "5S") == winner


@pytest.mark.parametrize(("trick", "winner"), [("2S 3S 4S", 2), ("9H 2S KH", 1), ("9H 2S 3S", 2), ("AH 2S KH", 1)])
def test_a_sovereign_2_without_its_ace_is_the_lowest_sovereign_card(trick, winner):
    assert winner_of(trick, "5S") == winner


@pytest.mark.parametrize("trick", ["9H AD 2D", "9H 2D AD", "9H 2C AD", "9H AH 2D"])
def test_a_2_and_an_ace_that_do_not_follow_win_nothing(trick):
    assert winner_of(trick, "5S") == (1 if "AH" in trick else 0)


def test_a_2_beats_no_ace_of_another_suit():
    assert winner_of("AH 2D KH", "5S") == 0


def test_a_2_from_a_house_usurps_too():
    game = position(["AH 6S", "KH 7S", "9H 8S"], ["", "", "2H"], sign="5S")
    choose(game, "0: play AH", "1: play KH", "2: call 2H")
    assert taken_by(game) == 2


# --- Calls on the House ---------------------------------------------------------------------------------------


@ruling("R1")
def test_a_leader_may_call_any_house_card():
    game = position(["AH 3C", "KH 4C", "QH 5C"], ["8S 9D", "TS", "JS"])
    assert legal(game) == {"play AH", "play 3C", "call 8S", "call 9D"}


@ruling("R1")
def test_a_hand_that_can_follow_lets_the_house_answer_with_the_suit_led_alone():
    game = choose(position(["AH 3C", "KH 4C", "QH 5C"], ["", "TH 7H 8S", ""]), "play AH")
    assert legal(game) == {"play KH", "call TH", "call 7H"}
    game = choose(position(["AH 3C", "KH 4C", "QH 5C"], ["", "TD 8S", ""]), "play AH")
    assert legal(game) == {"play KH"}


@ruling("R1")
def test_a_hand_that_cannot_follow_may_call_any_house_card():
    game = choose(position(["AH 3C", "8D 4C", "QH 5C"], ["", "TH 7S", ""]), "play AH")
    assert legal(game) == {"play 8D", "play 4C", "call TH", "call 7S"}


def test_a_house_is_called_once_a_round_and_again_in_the_next():
    game = position(["3H 4H 5H", "6H 7H 8H", "9H TH JH"], ["2S 3S 4S", "", ""])
    choose(game, "0: call 2S", "1: play 6H", "2: play 9H")
    assert game.seat == 0
    assert (names(game.houses[0]), game.house_counts[0], marked(game.called)) == ("3S 4S", 2, {0})
    assert legal(game) == {"play 3H", "play 4H", "play 5H"}
    for seat, card in ((0, "3H"), (1, "7H"), (2, "TH"), (2, "JH"), (0, "4H"), (1, "8H")):
        choose(game, f"{seat}: play {card}")
    while game.round_no == 1:
        choose(game, min(legal(game)))
    deal_on(game)
    assert marked(game.called) == set()


@ruling("R1")
def test_the_spare_hand_card_stays_in_the_hand_and_must_follow_suit():
    game = position(["3H KD", "6D 7C", "9D TC"], ["8S", "", ""], sign="2C")
    choose(game, "0: call 8S", "1: play 6D", "2: play 9D")
    assert game.counts[0][:3] == [2, 1, 1]
    assert game.seat == 0
    choose(game, "0: play 3H", "1: play 7C", "2: play TC")
    assert game.hand(0, 1) == "KD"
    game = position(["3H KD 5D", "6D 7C", "9D TC"], ["", "", ""], sign="2C", leader=1, called=[0], taken=[4, 1, 1])
    choose(game, "1: play 6D", "2: play 9D")
    assert legal(game) == {"play KD", "play 5D"}  # and not the heart
    choose(game, "0: play KD")
    assert legal(game) == {"play 3H", "play 5D"}  # either may be the one that is spare


@ruling("R10")
def test_the_spare_hand_card_is_discarded_unseen_and_dealt_again():
    game = position(["3H", "6D", "9D"], ["8S", "", ""], sign="2C", claims=[8])
    choose(game, "0: call 8S", "1: play 6D", "2: play 9D")
    assert game.hand(0, 1) == "3H"
    assert game.counts[0] == [1, 0, 0, 0, 0]
    for seat in (1, 2):
        assert game.seen_by(seat).hands[0] == [0] * 10
    assert not cards("3H") & game.seen[0]
    dealt = set()
    for seed in range(many(60, 10)):
        later = game.copy()
        later.record.seed = seed
        deal_on(later)
        dealt |= {name for seat in range(3) for name in later.hand(seat).split()}
        assert later.hand(0, 1) == "3H"
    assert "3H" in dealt


def test_a_card_from_the_house_wins_a_trick_as_any_other():
    game = position(["AH 6S", "KH 7S", "9H 8S"], ["", "", "3C"], sign="5C")
    choose(game, "0: play AH", "1: play KH")
    assert legal(game) == {"play 9H"}
    game = position(["AH 6S", "KH 7S", "9D 8S"], ["", "", "3C"], sign="5C")
    choose(game, "0: play AH", "1: play KH", "2: call 3C")
    assert taken_by(game) == 2
    assert game.counts[0][:3] == [1, 1, 2]


# --- Random games ---------------------------------------------------------------------------------------------


def expected_choices(game: Position) -> set[str]:
    """The choices of the seat to move, by the rules page alone."""
    seat, players = game.seat, game.players
    hand, house = game.hand(seat).split(), game.house(seat).split()
    if game.phase == rules.CLAIM:
        claims = [claim for claim in game.claims[:players] if claim != NONE]
        barred = size(players) - sum(claims) if seat == game.dealer else None
        return {f"claim {tricks}" for tricks in range(size(players) + 1) if tricks != barred}
    if game.phase == rules.TRICK:
        led = "HSDC"[game.led] if game.led != NONE else None
        must = led is not None and any(card[1] == led for card in hand)
        fits = lambda card: not must or card[1] == led  # noqa: E731
        calls = set() if seat in marked(game.called) else {f"call {card}" for card in house if fits(card)}
        return {f"play {card}" for card in hand if fits(card)} | calls
    if game.phase == rules.DEBT:
        weaker = {other for other in range(players) if 1 <= game.seals[other] < game.seals[seat]}
        return {f"answer {card}" for card in house} | {f"sacrifice {other}" for other in weaker}
    return {f"clear {card}" for card in house} | {"keep"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_choices_are_those_of_the_rules_page_in_random_positions(players):
    phases, random = Counter(), np.random.default_rng(players)
    for batch in random_steps(many(60, 2), many(400, 50), players, seed=players):
        for i in np.flatnonzero(random.random(batch.n) < many(10, 100) / 100):
            game = Position(batch.games[i : i + 1].copy())
            assert legal(game) == expected_choices(game)
            assert is_sound(game)
            phases[game.phase] += 1
    assert set(phases) >= {rules.CLAIM, rules.TRICK, rules.DEBT}
