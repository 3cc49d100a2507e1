"""The features of The Sovereign Hand: what a network is told."""

import numpy as np
import pytest

from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    cards,
    choose,
    deal_on,
    legal,
    position,
    random_steps,
    reckoning,
    start,
)


def features(game: Position, seat: int) -> dict[str, int]:
    """The features that are not zero, by name."""
    values = GAME.unchecked.look(game.games, seat)[2][0]
    return {name: int(value) for name, value in zip(GAME.feature_names, values, strict=True) if value}


def named(game: Position, seat: int, *kinds: str) -> dict[str, int]:
    """The features of these kinds that are not zero."""
    return {name: value for name, value in features(game, seat).items() if name.startswith(kinds)}


def listed(game: Position, seat: int, kind: str) -> set[str]:
    """The cards that a block of features marks."""
    return {name.split()[-1] for name in features(game, seat) if name.startswith(f"{kind} ")}


def test_the_features_of_a_trick_are_seen_from_the_seat():
    game = position(
        ["AH 3C", "KH 4D", "QS 5C", "6C 7C"], ["TD", "8H 9H", "", "JD"], "5S", claims=[2, 0, 3, 4], taken=[2, 1, 3, 0], leader=1,
        seals=[1, 4, 0, 2], marks=[0, 2, 0, 0], round_no=3, dealer=0,
    )  # fmt: skip
    choose(game, "1: play KH", "2: play QS")
    seen = {name: value for name, value in features(game, 0).items() if not name.startswith("hid")}
    seen = {name: value for name, value in seen.items() if not name.startswith("housed")}
    assert seen == {
        "hand AH": 1, "hand 3C": 1, "house TD": 1, "players 4": 1,
        "present own": 1, "present left 1": 1, "present left 2": 1, "present left 3": 1,
        "to move left 3": 1, "phase trick": 1, "round 3": 1, "dealer own": 1, "sovereign S": 1, "tricks left": 2,
        "claimed own": 1, "claimed left 1": 1, "claimed left 2": 1, "claimed left 3": 1,
        "claim own": 2, "claim left 2": 3, "claim left 3": 4, "total": 9,
        "taken own": 2, "taken left 1": 1, "taken left 2": 3,
        "needs own 0": 1, "needs left 1 fewer": 1, "needs left 2 0": 1, "needs left 3 4": 1,
        "cards own": 2, "cards left 1": 1, "cards left 2": 1, "cards left 3": 2,
        "house cards own": 1, "house cards left 1": 2, "house cards left 3": 1,
        "void left 2 H": 1, "leader left 1": 1, "led H": 1, "trick left 1 KH": 1, "trick left 2 QS": 1, "winning left 2": 1,
        "seals own": 1, "seals left 1": 4, "seals left 3": 2, "marks left 1": 2,
        "highest AH": 1, "sovereign hidden T": 1, "sovereign hidden J": 1, "sovereign hidden K": 1, "sovereign hidden A": 1,
    }  # fmt: skip
    assert named(game, 2, "hand", "to move", "dealer", "void", "trick left 3", "winning", "leader") == {
        "hand 5C": 1, "to move left 1": 1, "dealer left 2": 1, "void own H": 1, "trick left 3 KH": 1, "winning own": 1,
        "leader left 3": 1,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_takes_are_the_own_cards_that_would_win_the_trick_as_it_lies(players):
    found = 0
    for batch in random_steps(many(100, 4), many(200, 10), players, seed=3):
        for i in range(batch.n):
            game = Position(batch.games[i : i + 1].copy())
            seat = int(game.seat)
            laid = [ALL_CARDS[card] for card in game.trick if card >= 0]
            if game.led < 0 or seat < 0:
                continue
            led, sovereign = "HSDC"[game.led], ALL_CARDS[game.sign][1]
            own = {*game.hand(seat).split(), *game.house(seat).split()}
            right = {card for card in own if taker([*laid, card], led, sovereign) == card}
            assert listed(game, seat, "takes") == right, (laid, own, led, sovereign)
            found += len(right)
    assert found > many(100, 10)


def taker(laid, led, sovereign):
    """The card that takes a trick, by the rules page."""
    suit = sovereign if any(card[1] == sovereign for card in laid) else led
    ranks = {card[0] for card in laid if card[1] == suit}
    best = "2" if {"2", "A"} <= ranks else max(ranks, key="23456789TJQKA".index)
    return best + suit


@pytest.mark.parametrize("players", [3, 4, 5])
def test_highest_are_the_own_cards_that_no_hidden_card_of_their_suit_is_above(players):
    for batch in random_steps(many(6, 1), many(100, 25), players, seed=6):
        game = Position(batch.games[:1].copy())
        for seat in range(players):
            own, hidden = {*game.hand(seat).split(), *game.house(seat).split()}, listed(game, seat, "hidden")
            right = {card for card in own if not any(other[1] == card[1] and ALL_CARDS.index(other) > ALL_CARDS.index(card) for other in hidden)}  # fmt: skip
            assert listed(game, seat, "highest") == right


def test_the_features_of_claims_tell_the_total_and_who_has_claimed():
    game = choose(start(3, seed=1, dealer=2), "0: claim 3", "1: claim 0")
    assert named(game, 2, "phase", "to move", "claim", "total", "needs", "leader", "tricks left", "led", "winning") == {
        "phase claim": 1, "to move own": 1, "claimed left 1": 1, "claimed left 2": 1, "claim left 1": 3, "total": 3,
        "needs left 1 3": 1, "needs left 2 0": 1, "tricks left": 8,
    }  # fmt: skip


def test_the_features_of_a_reckoning_tell_who_owes_and_who_called():
    game = position(["AS", "KS", "QS"], ["6S", "7S", "8S"], claims=[0, 1, 1])
    choose(game, "0: play AS", "1: call 7S", "2: play QS")
    assert named(game, 0, "phase", "to move", "owing", "called", "cards", "tricks left") == {
        "phase debt": 1, "to move own": 1, "owing own": 1, "owing left 1": 1, "owing left 2": 1, "called left 1": 1,
        "cards left 1": 1,
    }  # fmt: skip
    game = reckoning([8, 0, 0], [8, 0, 0], ["6S", "", ""], marks=[2])
    assert named(game, 1, "phase", "to move", "marks") == {"phase clearing": 1, "to move left 2": 1, "marks left 2": 2}


def test_the_features_of_a_finished_game_name_nobody_to_move():
    game = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[3, 0, 0])
    for seat in range(3):
        assert named(game, seat, "phase", "to move", "led", "trick left", "owing") == {}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hidden_are_the_cards_that_the_seat_has_not_located_this_round(players):
    for batch in random_steps(many(6, 1), many(100, 25), players, seed=4):
        game = Position(batch.games[:1].copy())
        for seat in range(players):
            known = game.seen[game.round_no - 1] | game.hands[seat][game.round_no - 1] | game.houses[seat]
            assert listed(game, seat, "hidden") == {card for card in ALL_CARDS if not cards(card) & known}


@ruling("R2")
def test_housed_are_the_cards_that_were_never_seen_outside_a_house():
    game = start(3, seed=5)
    seen = set(" ".join([game.hand(0), game.house(0), ALL_CARDS[game.sign]]).split())
    assert listed(game, 0, "housed") == set(ALL_CARDS) - seen
    while game.round_no == 1:
        choose(game, max(legal(game)))
    deal_on(game)
    later = listed(game, 0, "housed")
    assert later < set(ALL_CARDS) - seen
    for other in (1, 2):
        assert set(game.house(other).split()) <= later


def test_hidden_features_are_the_other_hands_and_houses_from_the_left_on():
    game = position(["AH 3C", "KH 4D", "QS 5C"], ["TD", "8H 9H", ""], round_no=2)
    hidden = GAME.unchecked.reveal(game.games, 1)[0]
    marked = {name for name, value in zip(GAME.hidden_feature_names, hidden, strict=True) if value}
    assert marked == {"hand left 1 QS", "hand left 1 5C", "hand left 2 AH", "hand left 2 3C", "house left 2 TD"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_features_keep_within_their_bounds(players):
    highs = np.array(GAME.feature_highs)
    for batch in random_steps(many(100, 2), many(300, 20), players, seed=1):
        for seat in range(players):
            values = GAME.look(batch.games, seat)[2]
            assert (values >= 0).all()
            assert (values <= highs).all()


def test_the_most_seals_and_marks_that_a_game_can_bring_are_within_the_bounds():
    highs = dict(zip(GAME.feature_names, GAME.feature_highs, strict=True))
    game = reckoning([8, 0, 0], [8, 0, 0], ["", "", ""], seals=[18, 0, 0], marks=[10, 0, 0], round_no=10)
    assert named(game, 0, "seals", "marks") == {"seals own": 20, "seals left 1": 1, "seals left 2": 1, "marks own": 10}
    assert (highs["seals own"], highs["marks own"]) == (20, 10)
