"""Which records are games of The Covenant that the rules can reach, and that whatever is called so can be played on."""

from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.covenant.rules import ABSTAIN, COVENANT, DEAL, DEALER, SEALING, SIGNER, SUBSCRIBE, TRICK
from tests.fuzz import damaged, harmed, moments, sound_ones
from tests.rulings import many, ruling

from .table import (
    GAME,
    Position,
    at_the_table,
    blank,
    cards,
    choose,
    is_sound,
    luck_decides,
    number,
    play_round,
    position,
    signed,
    start,
)


def test_every_moment_of_a_game_is_sound_and_so_is_every_guess_of_it():
    games = moments(GAME, many(6000, 700), seed=1)
    assert GAME.judge(games)[2].all()
    random = np.random.default_rng(1)
    seats = random.integers(0, games["players"]).astype(np.int32)
    views = GAME.look(games, seats)[0]
    guessed = GAME.guess(views, seats, random.integers(2**63, size=len(games)))
    assert GAME.look(guessed, seats)[0].tobytes() == views.tobytes()
    assert {(CHANCE, DEALER), (CHANCE, DEAL)} <= set(zip(games["seat"].tolist(), games["phase"].tolist(), strict=True))


def test_luck_is_a_move_of_its_own_that_can_be_made_at_every_moment():
    games = moments(GAME, many(6000, 60), seed=2)
    waiting = games[games["seat"] == CHANCE]
    GAME.move(waiting, kernels.ROLL)
    assert GAME.judge(waiting)[2].all()
    GAME.move(waiting, kernels.RESUME)
    assert GAME.judge(waiting)[2].all()


def test_before_its_luck_is_filled_in_a_deal_cannot_be_gone_on_from():
    for game in (before_the_deal(), after_a_round()):
        with pytest.raises(ValueError, match="none of covenant that the rules can reach"):
            GAME.move(game.games, kernels.RESUME)


def test_under_a_fresh_deal_no_card_of_the_finished_round_lies_twice():
    games = after_a_round().games.copy()
    GAME.move(games, kernels.ROLL)
    assert GAME.judge(games)[2].all()
    first, second = (int(games["played"][0, seat]) for seat in (0, 1))
    pairs = [(a, b) for a in range(52) for b in range(52) if first >> a & 1 and second >> b & 1 and a % 4 == b % 4]
    for a, b in pairs:  # one of the suit, so that only its place tells
        broken = games.copy()
        broken["played"][0, 1] ^= 1 << a | 1 << b
        assert not GAME.judge(broken)[2].any()
    assert pairs


def test_nobody_sees_a_hand_while_the_cards_are_dealt():
    game = after_a_round()
    before = [game.seen_by(seat).games.tobytes() for seat in range(3)]
    GAME.move(game.games, kernels.ROLL)
    assert [game.seen_by(seat).games.tobytes() for seat in range(3)] == before
    assert game.seen_by(1).hands == [0] * 5


# --- What the rules cannot reach ------------------------------------------------------------------------------


def before_the_deal() -> Position:
    """All three have signed, and no card is dealt."""
    return signed(3)


def first_lead() -> Position:
    """All have abstained and sealed, and seat 0 is to lead the first trick."""
    return at_the_table(start(3, dealer=2))


def signing() -> Position:
    """Seat 2 is the second of three to choose its Signer."""
    return choose(luck_decides(blank(3), dealer=0), "1: believe H")


def choosing() -> Position:
    """Seat 2 is to choose at the Covenant Table; seat 1 chose to subscribe the KH."""
    return choose(start(3, ["", "KH", "4S"], dealer=0), "1: subscribe KH")


def sealing() -> Position:
    """Seat 0 has subscribed the KH, seat 1 has abstained and sealed, seat 2 has abstained."""
    game = choose(start(4, ["KH"], dealer=3), "0: subscribe KH", "1: abstain", "2: abstain", "3: abstain")
    return choose(game, f"1: seal {game.hand(1).split()[0]}")


def leading() -> Position:
    """Seat 0 is to lead the first of the last two tricks; seat 0 has subscribed 2S, the others sealed."""
    return position(["9H KH", "TS KD", "6S KS"], trump="S")


def in_a_trick() -> Position:
    """Seat 0 led the 9H, seat 1 played the KD for want of hearts, and seat 2 is to play."""
    return choose(position(["9H KH", "TS KD", "6S KS"], trump="S"), "0: play 9H", "1: play KD")


def after_a_trump_lead() -> Position:
    """Seat 0 led Trump, since it holds nothing else."""
    return choose(position(["9S KS", "TS KD", "6S 7H"], trump="S"), "0: play 9S")


def after_a_round() -> Position:
    """Round 1 is over: seat 0 subscribed the KH, seat 1 the 9H on it, seat 2 abstained. Seat 2 dealt, seat 0 is to deal."""
    return play_round(start(3, ["KH", "9H"], dealer=2), "KH", "9H", "-")


def over() -> Position:
    """The game is over; hearts are Ratified, and seat 0 believed in them."""
    game = position(["2D", "3D", "4D"], earlier=["0:AH", "", ""], signers="HSD")
    return choose(game, "play 2D", "play 3D", "play 4D")


# Where it is not so, and what: {field: value} or {field: {place: value}}.
UNSOUND: list[tuple[str, Any, dict[str, Any]]] = [
    ("a seat that takes no part deals", leading, {"dealer": 3}),
    ("a seat that takes no part has signed", leading, {"signers": {3: 1}}),
    ("a seat that takes no part has cards", leading, {"counts": {4: 1}}),
    ("a seat that takes no part has captured", leading, {"captures": {(3, 1): 1}}),
    ("a seat that takes no part bears a cube", leading, {"cubes": {3: 1}}),
    ("luck is to decide in a trick", leading, {"seat": CHANCE}),
    ("a seat is to move while cards are dealt", leading, {"phase": DEAL}),
    ("Signers are chosen in round 2", signing, {"round_no": 2}),
    ("the game is over in round 1", leading, {"seat": FINISHED, "ended": ENDED}),
    ("the game is truncated", over, {"ended": TRUNCATED}),
    ("the game is over before its last round", over, {"round_no": 3}),
    ("a Signer is chosen out of turn", signing, {"signers": {0: 1}}),
    ("a seat has no Signer", leading, {"signers": {1: 0}}),
    ("a Signer is revealed in mid-game", leading, {"revealed": {0: 1}}),
    ("a Signer is not revealed at the end", over, {"revealed": {0: 0}}),
    ("another Signer is revealed", over, {"revealed": {0: 2}}),
    ("a Signer of the Ratified suit gets nothing", over, {"bonus": {0: 0}}),
    ("a Signer of another suit gets something", over, {"bonus": {1: 2}}),
    ("a Signer gets points in mid-game", leading, {"bonus": {0: 2}}),
    ("the bonus is that of a landslide", over, {"landslide": 1}),
    ("a choice is not made in turn", choosing, {"choices": {1: 0}}),
    ("a choice is made out of turn", choosing, {"choices": {2: ABSTAIN}}),
    ("a card is chosen that another holds", choosing, {"choices": {1: SUBSCRIBE + number("4S")}}),
    ("what is chosen is none of the choices", choosing, {"choices": {1: SUBSCRIBE - 1}}),
    ("a choice is pending after the reveal", leading, {"choices": {0: ABSTAIN}}),
    ("a cube too many", leading, {"cubes": {2: 2}}),
    ("a cube too few", leading, {"cubes": {2: 0}}),
    ("an abstainer has not sealed", leading, {"sealed": {1: 0}, "seals": {1: 0}}),
    ("a seat seals that subscribed", sealing, {"seat": 0}),
    ("a seat seals before its right neighbour", sealing, {"seat": 3}),
    ("a seat seals again", sealing, {"seat": 1}),
    ("two cards are sealed", leading, {"sealed": {1: cards("2H 3H")}}),
    ("a new card lies on no pile", leading, {"fresh": cards("2S 3S")}),
    ("a card was new before the reveal", choosing, {"fresh": cards("KH")}),
    ("a pile has no top card", leading, {"tops": {1: NONE}}),
    ("a pile has a top card that is in a hand", leading, {"tops": {1: number("TS")}}),
    ("a pile that is none has a top card", leading, {"tops": {0: number("2H")}}),
    ("the first card laid is on top", after_a_round, {"tops": {0: number("KH")}}),
    ("the highest card is on top by the option alone", after_a_round, {"top_card": 1}),
    ("another suit is Trump", leading, {"trump": 0}),
    ("there is no Trump", leading, {"trump": NONE}),
    ("Trump is determined before the reveal", choosing, {"trump": 0}),
    ("another suit is Ratified", leading, {"ratified": 0}),
    ("a card is in two hands", leading, {"hands": {0: cards("9H KH TS")}, "counts": {0: 3}}),
    ("a card is nowhere", leading, {"hands": {0: cards("9H")}, "counts": {0: 1}}),
    ("a count is wrong", leading, {"counts": {0: 1}}),
    ("a hand is larger than the others", leading, {"hands": {0: cards("9H KH TS"), 1: cards("KD")}, "counts": {0: 3, 1: 1}}),
    ("cards were played before the first trick", sealing, {"played": {0: cards("2H")}}),
    ("a suit is led to no trick", leading, {"led": 0}),
    ("another suit was led", in_a_trick, {"led": 2}),
    ("no suit was led to the trick", in_a_trick, {"led": NONE}),
    ("a card of the trick was not played", in_a_trick, {"trick": cards("9H KD KS")}),
    ("the trick lacks a card", in_a_trick, {"trick": cards("9H")}),
    ("a seat is to play a second card to the trick", in_a_trick, {"seat": 1}),
    ("a seat is to play before its right neighbour", after_a_trump_lead, {"seat": 2}),
    ("a seat did not follow and may have the suit", in_a_trick, {"lacks": {1: 0}}),
    ("a seat led Trump and may have another suit", after_a_trump_lead, {"lacks": {0: 0}}),
    ("a hand lacks a suit that it holds", leading, {"lacks": {0: cards([rank + "H" for rank in "23456789TJQKA"])}}),
    ("a hand lacks a part of a suit", leading, {"lacks": {1: cards("2H")}}),
    ("a hand lacks a suit before a trick", sealing, {"lacks": {0: cards([rank + "C" for rank in "23456789TJQKA"])}}),
    ("the Trump cards of the tricks are captured by nobody", leading, {"captures": {(0, 1): 0}}),
    ("more is captured than was played", leading, {"captures": {(0, 1): 20}}),
    ("a suit is captured that was never Trump", leading, {"captures": {(0, 2): 1}}),
    ("a hand is left over from the last round", after_a_round, {"counts": {0: 1}}),
    ("another dealt the round that is over", after_a_round, {"dealer": 1}),
    ("a cube is borne before the first deal", before_the_deal, {"cubes": {0: 1}}),
    ("a card is played before the first deal", before_the_deal, {"played": {0: cards("2H")}}),
    ("one hand is dealt before the others", before_the_deal, {"hands": {0: cards("2H 3H")}}),
    ("another than the dealer's left leads the first trick", first_lead, {"seat": 1}),
    ("tricks begin before all have sealed", sealing, {"phase": TRICK}),
    ("seals are made before the reveal", choosing, {"phase": SEALING}),
    ("choices are made after the reveal", sealing, {"phase": COVENANT}),
    ("Signers are chosen after the deal", choosing, {"phase": SIGNER}),
]  # fmt: skip


@pytest.mark.parametrize(("where", "changes"), [row[1:] for row in UNSOUND], ids=[row[0] for row in UNSOUND])
def test_what_the_rules_cannot_reach_is_refused(where, changes):
    game = where()
    assert is_sound(game)
    for field, value in changes.items():
        for place, part in value.items() if isinstance(value, dict) else [(..., value)]:
            game.games[field][0, ...][place] = part
    assert not is_sound(game)
    with pytest.raises(ValueError, match="game 0"):
        GAME.look(game.games, 0)


@ruling("R1")
def test_what_lies_on_top_goes_by_the_dealer_of_the_round_that_is_over():
    game = after_a_round()
    assert (game.dealer, game.top("H")) == (0, "9H")
    assert is_sound(game)
    other = play_round(start(3, ["KH", "9H"], dealer=2, top_card="highest"), "KH", "9H", "-")
    assert (other.top("H"), is_sound(other)) == ("KH", True)


# --- Damage ---------------------------------------------------------------------------------------------------


def test_whatever_is_called_sound_is_played_on_without_harm():
    before, _ = harmed(GAME, sound_ones(GAME, many(1000, 20), seed=1), many(60, 10), seed=1)
    assert len(before) == 0


@pytest.mark.long
def test_whatever_is_called_sound_is_played_on_without_harm_for_long():
    before, _ = harmed(GAME, sound_ones(GAME, 30_000, seed=2), 400, seed=2)
    assert len(before) == 0


def test_a_guess_of_a_damaged_view_comes_to_an_end():
    games = moments(GAME, many(3000, 30), seed=3)
    random = np.random.default_rng(3)
    seats = random.integers(0, games["players"]).astype(np.int32)
    views = damaged(GAME, GAME.look(games, seats)[0], random)
    views = views[GAME.table.in_range(views, or_zero=True) & np.isin(views["players"], GAME.player_counts)]
    seats = random.integers(0, views["players"]).astype(np.int32)
    guessed = GAME.unchecked.guess(views, seats, np.arange(len(views)))
    sound = GAME.judge(guessed)[2]
    assert sound.any()
    for i in np.flatnonzero(~sound)[: many(20, 3)]:
        with pytest.raises(ValueError, match="view 0"):
            GAME.guess(views[i : i + 1], seats[i], 0)
