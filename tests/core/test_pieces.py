"""Pieces of rules that games share: tricks, dealing, standing, and hidden cards dealt to where they could be."""

import itertools
from collections import Counter

import numpy as np
import pytest

from handfast.envs.core.cards import STANDARD, bit, card_names, count, highest, lowest, parse_cards, parse_order
from handfast.envs.core.compiling import rule
from handfast.envs.core.dealing import as_set, deal_hands
from handfast.envs.core.guessing import fill_places
from handfast.envs.core.standing import mark_highest
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import answers, of_suit, rank_of, strength, suit_of

ALL = (1 << 52) - 1


def cards(names: str) -> int:
    return parse_cards(names.split(), ALL)


def card(name: str) -> int:
    return STANDARD.index(name)


# --- Tricks ---------------------------------------------------------------------------------------------------


def test_rank_and_suit_of_every_card() -> None:
    for number, name in enumerate(STANDARD):
        assert "23456789TJQKA"[rank_of(number)] + "HSDC"[suit_of(number)] == name


def test_whoever_holds_the_suit_led_must_answer_with_it() -> None:
    hand = np.int64(cards("2H 9H AS 3C"))
    assert card_names(answers(hand, 0)) == ["2H", "9H"]
    assert answers(hand, 2) == hand
    assert card_names(of_suit(hand, 3)) == ["3C"]


def test_trump_is_above_the_suit_led_and_that_above_the_rest() -> None:
    hearts, spades = 0, 1
    falling = ["AS", "2S", "AH", "KH", "2H", "AD", "AC", "KD", "2C"]
    strengths = [strength(card(name), hearts, spades) for name in falling]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(strengths)


def test_without_trump_the_suit_led_is_highest() -> None:
    assert strength(card("2H"), 0, NONE) > strength(card("AS"), 0, NONE)


def test_suits_of_one_rank_stand_in_the_order_h_s_d_c() -> None:
    for suit_led, trump in itertools.product(range(4), (NONE, 0, 1, 2, 3)):
        every = [strength(number, suit_led, trump) for number in range(52)]
        assert len(set(every)) == 52
    assert strength(card("5S"), 0, NONE) > strength(card("5D"), 0, NONE) > strength(card("5C"), 0, NONE)


# --- Sets, dealing, standing ----------------------------------------------------------------------------------


def test_lowest_and_highest_card_of_a_set() -> None:
    hand = np.int64(cards("3S TD AC"))
    assert STANDARD[lowest(hand)] == "3S"
    assert STANDARD[highest(hand)] == "AC"


def test_hands_are_dealt_from_the_top_seat_by_seat() -> None:
    order = np.array([card(name) for name in ["2H", "3H", "4H", "5H", "6H", "7H", "8H"]])
    hands = np.zeros(5, np.int64)
    assert deal_hands(order, 2, 3, hands) == 6
    assert [card_names(hand) for hand in hands] == [["2H", "3H"], ["4H", "5H"], ["6H", "7H"], [], []]
    assert card_names(as_set(order, 6, 7)) == ["8H"]


def test_an_order_of_cards_is_read_whole_or_not_at_all() -> None:
    few = cards("2H 3H 4S")
    assert parse_order(["4S", "2H", "3H"], few) == [card("4S"), card("2H"), card("3H")]
    for wrong, reason in (
        (["4S", "2H"], "3H is missing"),
        (["4S", "2H", "2H"], "2H is there twice"),
        (["4S", "2H", "5D"], "5D cannot be here"),
        (["4S", "2H", "1X"], "'1X' is not a card"),
    ):
        with pytest.raises(ValueError, match=reason):
            parse_order(wrong, few)


@pytest.mark.parametrize(
    ("keys", "marked"), [([3, 9, 4], [0, 1, 0]), ([-5, -5, -9], [1, 1, 0]), ([0, 0, 0], [1, 1, 1])]
)
def test_all_with_the_highest_key_are_marked(keys: list[int], marked: list[int]) -> None:
    out = np.zeros(5, np.int8)
    mark_highest(np.array([*keys, 99, 99]), 3, out)
    assert out.tolist() == [*marked, 0, 0]


# --- Hidden cards ---------------------------------------------------------------------------------------------


def dealt(hidden: str, room: list[int], allowed: list[str], seed: int) -> tuple[str, ...] | None:
    """One way to deal hidden cards: what each place gets; None where it says that there is none."""
    out = np.zeros(len(room), np.int64)
    sets = np.array([cards(one) for one in allowed])
    possible = fill_places(np.int64(cards(hidden)), np.array(room), sets, np.uint64(seed), 1, out)
    return tuple(" ".join(card_names(one)) for one in out) if possible else None


def every_way(hidden: str, room: list[int], allowed: list[str]) -> set[tuple[str, ...]]:
    """All ways to deal hidden cards, by trying every place for every card."""
    ways = set()
    names = hidden.split()
    for places in itertools.product(range(len(room)), repeat=len(names)):
        if Counter(places) == Counter({place: n for place, n in enumerate(room) if n}) and all(
            name in allowed[place].split() for name, place in zip(names, places, strict=True)
        ):
            held = [[name for name, where in zip(names, places, strict=True) if where == p] for p in range(len(room))]
            ways.add(tuple(" ".join(card_names(cards(" ".join(one)))) for one in held))
    return ways


HIDDEN = "2H 3H 4S 5S 6D 7D"


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ([2, 2, 2], [HIDDEN, HIDDEN, HIDDEN]),
        ([3, 3], ["2H 3H 4S 5S", HIDDEN]),
        ([2, 2, 2], ["2H 3H 4S 5S", "4S 5S 6D 7D", HIDDEN]),
        ([2, 2, 2], ["2H 3H", "4S 5S 6D 7D", "4S 5S 6D 7D"]),
        ([1, 1, 4], ["2H 4S", "2H 6D", HIDDEN]),
        ([0, 5, 1], [HIDDEN, HIDDEN, "7D"]),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_every_way_to_deal_hidden_cards_has_a_chance_and_nothing_else_has(room: list[int], allowed: list[str]) -> None:
    found = {dealt(HIDDEN, room, allowed, seed) for seed in range(4000)}
    assert found == every_way(HIDDEN, room, allowed)


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_without_limits_every_deal_is_as_likely() -> None:
    n = 9000
    found = Counter(dealt("2H 3H 4S 5S", [2, 2], ["2H 3H 4S 5S"] * 2, seed) for seed in range(n))
    assert len(found) == 6
    assert all(abs(times - n / 6) < 5 * (n / 6) ** 0.5 for times in found.values())


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_what_cannot_be_dealt_is_said_so() -> None:
    assert dealt("2H 3H", [1, 1], ["2H", "2H"], 1) is None


def test_fill_places_compiles_within_a_rule() -> None:
    @rule
    def whole():
        out = np.zeros(2, np.int64)
        room, allowed = np.array([1, 1]), np.array([3, 3])
        fill_places(np.int64(3), room, allowed, np.uint64(5), 1, out)
        return out[0] | out[1]

    with np.errstate(over="ignore"):
        assert whole() == 3
    assert count(bit(5)) == 1
