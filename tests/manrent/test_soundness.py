"""Which records of Manrent are sound: all that the rules reach, and none of these."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.manrent.cards import (
    ACTING,
    BETWEEN,
    BLIND,
    DEAL,
    DISCARDING,
    DRAWING,
    FILL,
    FIRST,
    OCCUPIED,
    PAYING,
    PAYING_TRIBUTE,
    RESHUFFLE,
)
from tests.fuzz import damaged, harmed, moments, sound_ones
from tests.mutants import mutated
from tests.rulings import many

from .table import GAME, HANDS, Position, cards, choose, is_sound, number, position

# --- What the rules reach -------------------------------------------------------------------------------------


@functools.cache
def reached() -> np.ndarray:
    """Games at all moments, all sound."""
    games = moments(GAME, many(6000, 300), 5)
    assert GAME.judge(games)[2].all()
    return games


def test_all_moments_of_games_are_sound():
    stages = {(int(game["phase"]), int(game["ended"])) for game in reached()}
    often = (FIRST, DEAL, RESHUFFLE, DRAWING, ACTING, PAYING, DISCARDING)
    assert stages >= {(phase, 0) for phase in many((*often, OCCUPIED, PAYING_TRIBUTE), often[:2])}


def test_luck_can_decide_step_by_step_and_what_it_decided_is_sound_before_anyone_is_told():
    games = reached()[reached()["seat"] == CHANCE]
    GAME.move(games, kernels.ROLL)
    assert GAME.judge(games)[2].all()
    GAME.move(games, kernels.RESUME)
    assert GAME.judge(games)[2].all()


def test_luck_that_has_decided_nothing_is_refused():
    game = choose(position(HANDS), "0: stock")
    assert game.phase == RESHUFFLE
    undealt = reached()[(reached()["phase"] == DEAL) & (reached()["hands"][:, 0] == 0)]
    for games in (game.games, undealt):
        with pytest.raises(ValueError, match="none of manrent that the rules can reach"):
            GAME.move(games, kernels.RESUME)


def test_a_guess_can_be_made_at_all_moments():
    games = reached()
    random = np.random.default_rng(1)
    seats = random.integers(4, size=len(games))
    views = GAME.look(games, seats)[0]
    guesses = GAME.guess(views, seats, random.integers(2**63, size=len(games)))
    assert (as_bytes(GAME.look(guesses, seats)[0]) == as_bytes(views)).all()


def test_what_lies_above_the_stock_is_nothing():
    for game in reached():
        if game["seat"] != CHANCE:
            assert not game["stock"][game["stock_left"] :].any()


# --- What they do not -----------------------------------------------------------------------------------------


def at_first() -> Position:
    """Luck is to draw the first player."""
    game = Position(GAME.blank(4))
    GAME.move(game.games, kernels.DEAL, seeds=1)
    return game


def at_deal() -> Position:
    """Luck is to deal the first round."""
    game = at_first()
    GAME.move(game.games, kernels.ROLL)
    GAME.move(game.games, kernels.RESUME)
    return game


def dealt() -> Position:
    """Luck has dealt, and nobody has been told yet."""
    game = at_deal()
    GAME.move(game.games, kernels.ROLL)
    return game


def drawing() -> Position:
    return position(
        HANDS, stock="9H AH 9S", courts=["JH", "", "", ""], houses=["", "QH", "", ""], upright="QH", round_no=2
    )


def acting() -> Position:
    return position(HANDS, stock="9H AH 9S", courts=["JH", "", "", ""], act=True)


def paying() -> Position:
    return choose(acting(), "0: secure JH", "pay 2H")


def discarding() -> Position:
    return choose(position(HANDS, stock="9H AH 9S"), "0: row TH", "0: pass")


def occupied() -> Position:
    """Seat 1 has yielded JS and is asked about QS, while seat 0's draw waits."""
    game = position(HANDS, stock="AS 9S 9D 9C", courts=["", "JS QS", "", ""])
    return choose(game, "0: stock", "1: yield JS")


def tribute() -> Position:
    return choose(occupied(), "1: protect QS")


def nested() -> Position:
    """The compensation of seat 1 met another Ace, and seat 2 is asked."""
    game = position(
        HANDS, stock="AS AD 9S 9D 9C", courts=["", "JS", "QS", ""], round_no=2,
    )  # fmt: skip
    choose(game, "0: stock", "1: yield JS")
    assert (game.depth, game.seat) == (2, 2)
    return game


def at_reshuffle() -> Position:
    return choose(position(HANDS), "0: stock")


def over() -> Position:
    """The turns are over."""
    return choose(position(HANDS, stock="9H AH", act=True, turns=9, max_turns=10), "0: pass")


def won() -> Position:
    """The fourth round ended with a third Royal Secured."""
    game = position(
        ["8H", *HANDS[1:]], act=True, round_no=4, courts=["JH", "", "", ""], houses=["JS JD", "", "", ""],
        upright="JS JD",
    )  # fmt: skip
    return choose(game, "0: secure JH with 8H")


EVERY_STAGE = (
    at_first, at_deal, dealt, drawing, acting, paying, discarding, occupied, tribute, nested, at_reshuffle, over, won,
)  # fmt: skip

Change = Callable[[Any], Any]
WRONG: dict[str, tuple[Callable[[], Position], Change]] = {}


def wrong(words: str, build: Callable[[], Position]) -> Callable[[Change], Change]:
    """The change that this function makes to a sound position makes it one that cannot be."""

    def noted(change: Change) -> Change:
        WRONG[words] = (build, change)
        return change

    return noted


def sets(build: Callable[[], Position], words: str, **fields: Any) -> None:
    """Likewise with these values of fields."""

    @wrong(words, build)
    def _(game):
        for field, value in fields.items():
            game[field] = value


@wrong("a Common is in a hand and in the Market Discard", drawing)
def _(game):
    game.discard |= cards("2H")


@wrong("a Common is nowhere", drawing)
def _(game):
    game.hands[0] &= ~cards("2H")
    game.counts[0] -= 1
    game.hidden[0, 0] -= 1


@wrong("a Royal is in the Stock", drawing)
def _(game):
    game.stock[1] = number("KC")


@wrong("a card lies above the Stock", drawing)
def _(game):
    game.stock[3] = number("9H")


@wrong("a Common is in the Row twice", drawing)
def _(game):
    game.row[0] = game.row[1]


@wrong("a place of the Row holds less than nothing", drawing)
def _(game):
    game.row[0] = -1


@wrong("the Row has a gap beside a Stock", acting)
def _(game):
    game.discard |= 1 << int(game.row[0])
    game.row[0] = NONE


@wrong("a Common of the Stock is of another batch", drawing)
def _(game):
    game.batch[number("9S")] = 1


@wrong("a Royal is in the Market and in a Court", drawing)
def _(game):
    game.market |= cards("JH")


@wrong("a King is there before its round", drawing)
def _(game):
    game.market |= cards("KS")


sets(drawing, "a Royal was Secured that is in no House", upright=cards("JH"))
sets(drawing, "an Ace is out and in the Stock", out=cards("AH"))
sets(drawing, "fewer Aces than the round has", out=0)
sets(drawing, "an Ace was shown that is not in the round", shown=cards("AC"))
sets(drawing, "an Ace in a Stock made of the Market Discard", reshuffles=1)
sets(drawing, "a hand has fewer cards than all know", counts=[7, 7, 8, 7])
sets(drawing, "all know of a card that the hand has not", known=[cards("2S"), 0, 0, 0])
sets(drawing, "no turns in a round that is over", turns=0)
sets(drawing, "a turn after the last", turns=1000)
sets(drawing, "a turn of another seat", active=1)
sets(drawing, "a payment where a card is to be drawn", target=number("JH"))
sets(drawing, "a draw that goes on of itself", phase=BETWEEN)
sets(drawing, "a draw in mid-draw", errand=BLIND)
sets(drawing, "a draw with a debt to the Row", owed=[1, 0, 0, 0, 0])
sets(drawing, "compensation that nobody is owed", owed=[0, 1, 0, 0, 0])
sets(drawing, "an Occupation that has stopped", depth=1, aces=[0, number("AS"), 0, 0, 0], out=cards("AS"))
sets(drawing, "tribute to nobody", tributes_left=1)
sets(drawing, "a question to nobody", pending=cards("JH"))
sets(drawing, "luck where a seat is to move", seat=CHANCE)
sets(acting, "an action while the Row is being filled", errand=FILL)
sets(acting, "a discard from a hand of seven", phase=DISCARDING)
sets(acting, "cards offered for nothing", offered=cards("2H"))
sets(acting, "a game that is over after a turn", seat=FINISHED, ended=TRUNCATED)
sets(paying, "a payment for no Royal", target=NONE)
sets(paying, "a payment for a Common", target=number("2H"))
sets(paying, "a payment for a Royal that is not there", target=number("KC"))
sets(paying, "a payment with a card that nobody has seen", offered=cards("3H"))
sets(paying, "a payment of another seat", seat=1)
sets(occupied, "a question to another seat", seat=2)
sets(occupied, "a question about another seat's Royal", pending=cards("JS"))
sets(occupied, "no question in an Occupation", pending=0)
sets(occupied, "an Occupation without an Ace", aces=[0, 0, 0, 0, 0])
sets(occupied, "an Occupation of an Ace that is not out", aces=[0, number("AD"), 0, 0, 0])
sets(occupied, "an Occupation that has asked all seats", asked=[0, 4, 0, 0, 0])
sets(occupied, "an Occupation that interrupts nothing", owed=[0, 1, 0, 0, 0])
sets(occupied, "more compensation than Royals yielded", owed=[1, 12, 0, 0, 0])
sets(occupied, "an Occupation at no level", depth=0)
sets(occupied, "tribute before it is promised", tributes_left=2)
sets(tribute, "tribute that is paid", tributes_left=0)
sets(nested, "one Ace of two Occupations", aces=[0, number("AS"), number("AS"), 0, 0])
sets(nested, "an Occupation interrupted in no compensation", owed=[1, 0, 0, 0, 0])
sets(at_reshuffle, "a Stock made of nothing", discard=0)
sets(at_reshuffle, "a new Stock that nobody needs", owed=[0, 0, 0, 0, 0])
sets(at_reshuffle, "a new Stock of other cards", stock=[number("3H")] * 36)
sets(at_first, "a second round before the first", round_no=2)
sets(at_first, "a King before the first round", market=at_first().market | cards("KH"))
sets(at_first, "a card before the first round", discard=1)
sets(at_deal, "a hand that is known of before a deal", counts=[7, 7, 7, 7])
sets(at_deal, "a Row before a deal", row=[0, 1, 2, 3])
sets(at_deal, "a Stock before a deal", stock_left=5)
sets(at_deal, "a Court before a deal", courts=[cards("JH"), 0, 0, 0], market=at_deal().market & ~cards("JH"))
sets(at_deal, "a seat to move before a deal", seat=0)
sets(dealt, "a deal without a hand", hands=[1, 2, 4, 8])
sets(dealt, "a deal without a Row", row=[NONE] * 4)
sets(dealt, "an Ace shown that was not dealt", shown=cards("AH AS"))
sets(over, "a game cut short before its last turn", turns=8)
sets(over, "a game that ended before its fourth round", ended=ENDED)
sets(over, "a game that is over and goes on", ended=0)
sets(over, "a game that is over in mid-draw", phase=DRAWING)
sets(won, "a game that ended in its fourth round and was cut short", ended=TRUNCATED, max_turns=4)
sets(won, "a game that ended with two Royals Secured", upright=cards("JS JD"))


@wrong("a round that is over and goes on: the Royal Market is empty", drawing)
def _(game):
    game.courts[0] |= game.market
    game.market = 0


@wrong("a round that is over and goes on: three Royals Secured", drawing)
def _(game):
    game.houses[1] |= cards("QS QD")
    game.upright |= cards("QS QD")
    game.market &= ~cards("QS QD")


@wrong("a payment for more than the hand counts", paying)
def _(game):
    game.hands[3] |= game.hands[0] & ~cards("2H")
    game.hands[0] = cards("2H")
    game.counts[0], game.counts[3] = 1, 13
    game.hidden[0, 0], game.hidden[3, 0] = 0, 13


@wrong("tribute from a hand that lacks it", tribute)
def _(game):
    game.hands[2:4], game.hands[1] = [game.hands[2], game.hands[1]], game.hands[3]


@pytest.mark.parametrize("build", EVERY_STAGE)
def test_every_stage_that_is_spoilt_here_is_sound(build):
    assert is_sound(build())


@pytest.mark.parametrize("words", WRONG)
def test_what_cannot_be_is_not_sound(words):
    build, change = WRONG[words]
    game = build().copy()
    assert is_sound(game)
    before = game.games.tobytes()
    change(game.record)
    assert game.games.tobytes() != before
    assert not is_sound(game)


def test_reshuffles_are_counted_no_further_than_the_number_holds():
    game = at_reshuffle()
    most = next(field.greatest for field in GAME.table.fields if field.name == "reshuffles")
    game.record.reshuffles = most
    GAME.move(game.games, kernels.ROLL)
    GAME.move(game.games, kernels.RESUME)
    assert game.reshuffles == most


# --- Damage ---------------------------------------------------------------------------------------------------


def test_damaged_games_that_are_sound_are_played_on_without_harm():
    before, after = harmed(GAME, sound_ones(GAME, many(250, 3), 1), many(400, 30), 1)
    assert len(before) == 0, (before[:1], after[:1])


@pytest.mark.parametrize("damage", [damaged, mutated])
def test_a_guess_from_a_damaged_view_ends(damage):
    games = reached()[: many(4000, 100)]
    random = np.random.default_rng(2)
    seats = random.integers(4, size=len(games))
    views = GAME.look(games, seats)[0]
    for _ in range(3):
        views = damage(GAME, views, random)
    fine = GAME.table.in_range(views, or_zero=True) & (views["players"] == 4)
    GAME.unchecked.guess(views[fine], seats[fine], 7)
    assert fine.any()


@pytest.mark.long
def test_games_changed_on_purpose_that_are_sound_are_played_on_without_harm():
    random = np.random.default_rng(3)
    for seed in range(40):
        broken = mutated(GAME, moments(GAME, 3000, seed), random)
        before, after = harmed(GAME, broken[GAME.judge(broken)[2]], 400, seed)
        assert len(before) == 0, (before[:1], after[:1])
