"""The expert of The Covenant: what it does in positions where the right move is plain."""

import numpy as np
import pytest

from handfast.agents.experts.covenant import expert
from handfast.envs.core.cards import SUITS, parse_cards
from handfast.envs.core.decisions import Decisions
from handfast.envs.core.table import NONE
from handfast.envs.covenant.rules import COVENANT, DECK, SEALING, TRICK, all_of
from handfast.envs.registry import get

GAME = get("covenant")
OTHERS = 3  # the expert sits in seat 0 of four; seat 1 is next to play, seat 3 came before


def cards(names: str) -> int:
    return parse_cards(names.split(), DECK)


def blank(hand: str, others: int, table: str) -> np.ndarray:
    """A game in round 4 in which seat 0 holds this hand and the others so many cards; `table` was subscribed before."""
    games = GAME.blank(OTHERS + 1)
    game = games.view(np.recarray)[0]
    game.round_no, game.dealer, game.trump, game.led = 4, 0, NONE, NONE
    game.signers[0] = 1
    game.tops[:] = NONE
    game.subscribed[1] = cards(table)
    for name in table.split():
        game.tops[SUITS.index(name[1])] = cards(name).bit_length() - 1
    game.hands[0] = cards(hand)
    game.counts[: OTHERS + 1] = (len(hand.split()), *[others] * OTHERS)
    return games


def asked(games: np.ndarray) -> str:
    """What the expert chooses in seat 0."""
    games["seat"] = 0
    views, masks, features = GAME.unchecked.look(games, 0)
    action = int(expert(Decisions(GAME, views, np.zeros(1, np.int32), masks, features, np.zeros(1, np.uint64)))[0])
    assert masks[0, action] == 1
    return GAME.choice(action, 0, OTHERS + 1)


def plays(hand: str, trick: str = "", trump: str = "H", played: str = "", lacks: dict[int, str] | None = None) -> str:
    """The card it plays to a trick, the first card led, the last by seat 3; `played` were in tricks before."""
    laid = trick.split()
    games = blank(hand, len(hand.split()), "")
    game = games.view(np.recarray)[0]
    game.phase, game.trump = TRICK, SUITS.index(trump)
    for number, name in enumerate(laid):
        seat = OTHERS + 1 - len(laid) + number
        game.played[seat] = cards(name)
        game.counts[seat] -= 1
    game.played[1] |= cards(played)
    game.trick = cards(trick)
    if laid:
        game.led = SUITS.index(laid[0][1])
    for seat, suits in (lacks or {}).items():
        for suit in suits:
            game.lacks[seat] |= all_of(SUITS.index(suit))
    return asked(games).removeprefix("play ")


def subscribes(hand: str, table: str = "", believes: str = "H", last_dealer: int = 0) -> str:
    """What it chooses at the Covenant Table of round 4."""
    games = blank(hand, len(hand.split()), table)
    game = games.view(np.recarray)[0]
    game.phase, game.signers[0], game.dealer = COVENANT, 1 + SUITS.index(believes), last_dealer
    return asked(games)


# --- Tricks ---------------------------------------------------------------------------------------------------


def test_the_last_to_play_captures_with_the_lowest_trump_that_wins() -> None:
    assert plays("3H 7H KH 9D", "8S 4H 2S") == "7H"


def test_the_last_to_play_captures_two_trumps_even_with_the_ace() -> None:
    assert plays("2H AH 9D", "8S 4H QH") == "AH"


def test_it_ruffs_low_where_nobody_has_ruffed_and_nobody_is_left_to_play() -> None:
    assert plays("2H AH 9D", "8S 4S QS") == "2H"


def test_it_does_not_throw_good_trump_under_a_higher_one() -> None:
    for others in ("2C", "9D", "KD AD"):
        assert plays(f"JH KH {others}", "8S AH 2S") not in ("JH", "KH")


def test_forced_to_throw_trump_it_throws_the_lowest() -> None:
    assert plays("3H 5H 9H", "8S QH 2S") == "3H"


def test_it_captures_where_the_seats_left_to_play_have_no_trump() -> None:
    assert plays("3H 9D 8C", "8S", lacks={1: "H", 2: "H"}) == "3H"


def test_it_captures_a_trick_of_trump_with_the_highest() -> None:
    assert plays("KH 2H", "3H 5H QH", played="AH") == "KH"


def test_it_throws_the_lowest_under_a_trump_that_it_cannot_beat() -> None:
    assert plays("KH 2H", "3H AH QH") == "2H"


# --- The Covenant Table ---------------------------------------------------------------------------------------


def test_it_subscribes_the_suit_of_its_long_high_cards() -> None:
    hand = "AS KS QS JS TS 9S 4S 2D 5D 8C 3C 6H 7H"
    assert subscribes(hand).endswith("S")


def test_it_subscribes_the_suit_of_its_only_ace_and_keeps_the_ace() -> None:
    hopeless_signer = "9S TS JS QS KS"
    choice = subscribes("AD 3D 2D 7H 5H 4H 8S 6S 5S 9C 6C 3C 2C", hopeless_signer, believes="H")
    assert choice in ("subscribe 2D", "subscribe 3D")


@pytest.mark.parametrize("hand", ["2H 3S 4D 5C 6H 7S 8D 9C TH JS QD KC AH", "2H 3H 4S 5S 6D 7D 8C 9C TC JC QC KC AC"])
def test_a_cube_costs_more_than_a_card(hand: str) -> None:
    assert subscribes(hand).startswith("subscribe")


def test_in_the_last_round_it_saves_its_signer() -> None:
    hand = "2H 9S 4D 5C 6H 7S 8D 3C TH JS QD KC JH"  # of no suit much
    behind_by_none = {"H": "4H 5H 3S 4S", "D": "2D 3D 3S 4S", "C": "2C 4C 3S 4S"}
    for suit, table in behind_by_none.items():
        assert subscribes(hand, table, believes=suit).endswith(suit)


# --- Seals ----------------------------------------------------------------------------------------------------


def test_it_never_seals_a_trump_that_is_sure_to_capture() -> None:
    games = blank("AH KH QH 2S 9D", 5, "")
    game = games.view(np.recarray)[0]
    game.phase, game.trump, game.cubes[0] = SEALING, 0, 1
    assert asked(games) not in ("seal AH", "seal KH", "seal QH")


# --- Signers --------------------------------------------------------------------------------------------------


def test_it_believes_in_hearts_which_win_every_tie() -> None:
    games = GAME.blank(OTHERS + 1)
    games["round_no"], games["trump"], games["led"], games["phase"] = 1, NONE, NONE, 1
    games["tops"] = NONE
    assert asked(games) == "believe H"
