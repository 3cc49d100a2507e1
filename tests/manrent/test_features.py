"""Features of Manrent: what a network sees of what a seat knows."""

import numpy as np
import pytest

from tests.rulings import many, ruling

from .table import EVERY_COMMON, GAME, HANDS, Position, choose, position, random_steps, reshuffle, start

FOUR = ("2H", "2S", "2D", "2C")


def features(game: Position, seat: int) -> dict[str, int]:
    """The features that are not zero, by name."""
    values = GAME.unchecked.look(game.games, seat)[2][0]
    return {name: int(value) for name, value in zip(GAME.feature_names, values, strict=True) if value}


def named(game: Position, seat: int, *kinds: str) -> dict[str, int]:
    """The features of these kinds that are not zero."""
    return {name: value for name, value in features(game, seat).items() if name.startswith(kinds)}


def marked(game: Position, seat: int, kind: str) -> str:
    """What follows the kind in the names of its features that are not zero."""
    return " ".join(name.removeprefix(kind + " ") for name in features(game, seat) if name.startswith(kind + " "))


def test_the_features_of_a_first_turn():
    game = start(first=2)
    seen = {name: value for name, value in features(game, 3).items() if not name.startswith("where")}
    assert seen == {
        **{f"hand {card}": 1 for card in HANDS[3].split()},
        **{f"row {card}": 1 for card in ["9H", "9S", "9D", "9C"]},
        "worth hearts": 35, "worth spades": 35, "worth diamonds": 35, "worth clubs": 42,
        "cards own": 7, "cards left 1": 7, "cards left 2": 7, "cards left 3": 7,
        **{f"market {royal}": 1 for royal in ["JH", "JS", "JD", "JC", "QH", "QS", "QD", "QC", "KH"]},
        "to move left 3": 1, "phase draw": 1, "active left 3": 1, "first player left 3": 1, "round 1": 1,
        "stock": 5, "aces left": 1, "turns left": 127,
    }  # fmt: skip


def test_a_card_that_nobody_saw_is_where_the_room_is():
    game = start()
    for seat in range(4):
        hidden = [card for card in EVERY_COMMON if card not in game.hand(seat) and card not in game.places()]
        for card in hidden:
            assert named(game, seat, *(f"where left {left} {card}" for left in (1, 2, 3)), f"where Stock {card}") == {
                f"where left 1 {card}": 28, f"where left 2 {card}": 28, f"where left 3 {card}": 28,
                f"where Stock {card}": 16,
            }  # fmt: skip
        assert len(named(game, seat, "where")) == 4 * 25 == 4 * len(hidden)


def test_a_card_seen_to_come_into_a_hand_is_there():
    game = choose(position(HANDS, row="9H 9S 9D 9C", stock="TH TS TD TC"), "0: row 9S")
    assert named(game, 2, "where left 2 9S") == {"where left 2 9S": 100}
    assert (marked(game, 0, "open"), marked(game, 2, "open")) == ("9S", "")


def test_a_card_that_only_one_hand_has_room_for_is_known_to_be_there():
    game = position(["2H 3H", "2S", "", ""], rest=3)
    assert named(game, 3, "where left 2 2S", "where left 1 2S") == {"where left 1 2S": 66, "where left 2 2S": 33}
    assert named(position(["2H 3H", "", "", ""], rest=3), 3, "where left 1 2H") == {"where left 1 2H": 100}


def test_cards_of_a_reshuffled_stock_are_there_or_with_who_drew_from_it():
    game = position(["9H 9S 2C", "2S", "", ""], act=True, rest=3, row="TH TS TD TC")
    choose(game, "0: invite JH with 9H 9S", "1: stock")
    reshuffle(game, "9H 9S")
    assert named(game, 3, "where") == {
        "where left 1 2C": 50, "where left 1 2S": 50, "where left 2 2S": 50, "where left 2 2C": 50,
        "where left 2 9H": 50, "where left 2 9S": 50, "where Stock 9H": 50, "where Stock 9S": 50,
    }  # fmt: skip
    assert named(game, 1, "where Stock") == {"where Stock 9S": 100}


def test_the_features_of_a_payment():
    game = position(["9H 5S 2D", "2S", "2C", "3C"], act=True, courts=["", "", "JH", ""])
    choose(game, "0: entice JH", "pay 9H")
    assert marked(game, 0, "hand") == "2D 5S"
    assert marked(game, 0, "open") == "9H"
    kinds = ("target", "offered", "cost", "paid", "phase", "worth")
    assert named(game, 0, *kinds) == {
        "target JH": 1, "offered 9H": 1, "cost": 15, "paid": 10, "phase pay": 1,
        "worth hearts": 7, "worth spades": 8, "worth diamonds": 8, "worth clubs": 7,
    }  # fmt: skip
    assert named(game, 3, *kinds[:5]) == {
        "target JH": 1, "offered 9H": 1, "cost": 15, "paid": 10, "phase pay": 1,
    }  # fmt: skip
    assert marked(game, 3, "where left 1") != ""
    choose(game, "pay 5S", "done")
    assert named(game, 3, *kinds[:4]) == {}


def test_the_cost_of_securing_is_the_smaller_one():
    game = choose(position(["9H 5S", "", "", ""], act=True, courts=["QH", "", "", ""]), "0: secure QH")
    assert named(game, 2, "cost", "paid", "to move") == {"cost": 10, "to move left 2": 1}


def test_courts_and_houses_stand_by_seat_with_what_was_secured_this_round():
    game = position(courts=["JH", "QH", "", ""], houses=["", "QS KH", "JD", ""], upright="QS KH", rest=3)
    assert (marked(game, 1, "court"), marked(game, 1, "house")) == ("own QH left 3 JH", "own QS own KH left 1 JD")
    assert named(game, 1, "secured", "score") == {
        "secured own": 2, "score own": 10, "score left 1": 3, "score left 3": 1,
    }  # fmt: skip
    assert marked(game, 2, "market") == "JS JC QD QC"


def test_the_features_of_an_occupation():
    game = position(
        ["2H", "2S 3S", "2D", "2C"], courts=["JH QH", "JS QS", "JD", ""], round_no=2, stock="AH 9C AS 8C 9D 8D TS"
    )
    choose(game, "0: stock")
    kinds = ("tribute", "occupation", "compensation", "asked", "pending", "interrupted", "phase", "to move", "active")
    assert named(game, 3, *kinds) == {
        "tribute suit hearts": 1, "occupation at hearts left 1": 1, "asked JH": 1, "pending JH": 1, "pending QH": 1,
        "interrupted draw": 1, "phase occupation": 1, "to move left 1": 1, "active left 1": 1,
    }  # fmt: skip
    choose(game, "0: yield JH")
    assert named(game, 3, "compensation", "asked", "pending") == {
        "compensation hearts": 1, "asked QH": 1, "pending QH": 1,
    }  # fmt: skip
    choose(game, "0: yield QH", "1: protect JS", "tribute 2S")
    assert named(game, 3, *kinds) == {
        "tribute suit spades": 1, "occupation at hearts left 1": 1, "occupation at spades left 2": 1,
        "compensation hearts": 1, "asked JS": 1, "pending JS": 1, "pending QS": 1, "tributes left": 1,
        "interrupted draw": 1, "phase tribute": 1, "to move left 2": 1, "active left 1": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("choice", "interrupted"), [("0: stock", "draw"), ("0: row TH", "refill"), ("3: pass", "fill")]
)
def test_what_an_occupation_interrupted_is_told(choice, interrupted):
    filling = choice == "3: pass"
    row = "TH TS -- TC" if filling else "TH TS TD TC"
    game = position(
        FOUR,
        3 if filling else 0,
        row=row,
        stock="AH 9S 9C",
        courts=["JH", "", "", ""],
        act=filling,
        reached=not filling,
    )
    choose(game, choice)
    assert marked(game, 2, "interrupted") == interrupted
    assert marked(choose(game, "0: yield JH"), 2, "interrupted") == ""


@ruling("R12")
def test_aces_met_and_aces_known_to_be_in_the_stock():
    game = position(HANDS, stock="9H AS 9D AC 9C", shown="AC", round_no=3)
    assert named(game, 1, "ace") == {"aces left": 2, "ace out AH": 1, "ace in stock AC": 1}
    choose(game, "0: stock", "0: pass", "discard 2H", "1: stock")
    assert named(game, 1, "ace") == {"aces left": 1, "ace out AH": 1, "ace out AS": 1, "ace in stock AC": 1}
    game = position(HANDS, stock="9H AS 9D AC 9C", round_no=4)
    assert marked(game, 1, "ace in stock") == "AS AC"


def test_turns_left_are_shown_when_they_are_few():
    assert features(position(HANDS, turns=7, max_turns=10), 0)["turns left"] == 3
    assert features(position(HANDS), 0)["turns left"] == 127


def test_large_hands_and_payments_stay_within_bounds():
    game = choose(position(["", "", "", ""], rest=0, act=True, row="2H 2S 2D 2C"), "0: invite JH")
    assert (features(game, 0)["worth hearts"], features(game, 0)["cards own"]) == (127, 32)
    for card in game.hand(0).split():
        choose(game, f"pay {card}")
    assert features(game, 1)["paid"] == 127


def test_a_finished_game_shows_nobody_to_move():
    game = choose(position(HANDS, act=True, turns=9, max_turns=10), "0: pass")
    assert named(game, 1, "to move", "phase") == {}


def test_every_feature_stays_within_its_bounds_and_differs_in_some_game():
    high = np.array(GAME.feature_highs)
    most = np.zeros(GAME.features, int)
    for step, batch in enumerate(random_steps(many(1000, 3), many(900, 30), seed=3)):
        features = GAME.look(batch.games, (batch.seats + step) % 4)[2]
        assert (features >= 0).all()
        assert (features <= high).all()
        most = np.maximum(most, features.max(0))
    if many(1, 0):
        never = {name for name, value in zip(GAME.feature_names, most, strict=True) if not value}
        assert never <= {"interrupted fill"}  # a Row that stayed empty before: hardly ever at random


def test_what_is_hidden_are_the_other_hands_and_the_stocks_next_cards():
    game = start(stock="TH AH TS TD TC")
    values = GAME.reveal(game.games, 1)[0]
    hidden = {name for name, value in zip(GAME.hidden_feature_names, values, strict=True) if value}
    hands = {f"hand left {left} {card}" for left in (1, 2, 3) for card in game.hand((1 + left) % 4).split()}
    assert hidden == hands | {"stock 1 TH", "stock 2 AH", "stock 3 TS", "stock 4 TD"}
    choose(game, "0: stock", "0: pass", "discard TH", "1: stock", "1: pass", "discard TS", "2: stock")
    values = GAME.reveal(game.games, 1)[0]
    assert values[GAME.hidden_feature_names.index("stock 1 TC")] == 1
    assert values.sum() == 7 + 7 + 8 + 1


def test_what_is_unknown_adds_up_to_the_hands():
    """The chances of a hand's unknown cards add up to its size, but for rounding down."""
    for step, batch in enumerate(random_steps(many(100, 2), many(200, 21), seed=11)):
        if step % 20:
            continue
        for game in batch.games:
            one = Position(game[None].copy())
            chances = named(one, 0, "where")
            for left in (1, 2, 3):
                percent = sum(value for name, value in chances.items() if name.startswith(f"where left {left}"))
                assert 100 * one.counts[left] - len(chances) <= percent <= 100 * one.counts[left]
