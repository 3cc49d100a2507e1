"""Which records of The Sovereign Hand are sound: all that the rules reach, and none of these."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.sovereign_hand.rules import CLAIM, CLEARING, DEAL, DEALER, DEBT, HOUSES, TRICK
from tests.fuzz import damaged, harmed, moments, sound_ones
from tests.mutants import mutated
from tests.rulings import many

from .table import GAME, Position, is_sound, legal

# --- What the rules reach -------------------------------------------------------------------------------------


@functools.cache
def reached() -> np.ndarray:
    """Games at all moments, all sound."""
    games = moments(GAME, many(6000, 300), 5)
    assert GAME.judge(games)[2].all()
    return games


def test_all_moments_of_games_are_sound():
    stages = {(int(game["phase"]), int(game["ended"])) for game in reached()}
    assert {(phase, 0) for phase in (DEALER, HOUSES, DEAL, CLAIM, TRICK)} <= stages


def test_luck_can_decide_step_by_step_and_what_it_decided_is_sound_before_anyone_is_told():
    games = reached()[reached()["seat"] == CHANCE]
    GAME.move(games, kernels.ROLL)
    assert GAME.judge(games)[2].all()
    GAME.move(games, kernels.RESUME)
    assert GAME.judge(games)[2].all()


def test_luck_that_has_decided_nothing_is_refused():
    games = reached()[(reached()["phase"] == DEAL)]
    games = games[games["hands"][np.arange(len(games)), 0, games["round_no"] - 1] == 0]
    with pytest.raises(ValueError, match="none of sovereign_hand that the rules can reach"):
        GAME.move(games, kernels.RESUME)


def test_a_guess_can_be_made_at_all_moments():
    games = reached()
    random = np.random.default_rng(1)
    seats = random.integers(0, games["players"])
    views = GAME.look(games, seats)[0]
    guesses = GAME.guess(views, seats, random.integers(2**63, size=len(games)))
    assert (as_bytes(GAME.look(guesses, seats)[0]) == as_bytes(views)).all()


# --- What they do not -----------------------------------------------------------------------------------------


@functools.cache
def reach(phase: int, ended: int = 0, marked: bool = False) -> Position:
    """A game of three at a decision of this phase, in the second round or later, cards laid or a claim made in it.

    `marked`: where some seat bears a Mark.
    """
    for seed in range(1000):
        random = np.random.default_rng(seed)
        game = Position(GAME.blank(3))
        GAME.move(game.games, kernels.DEAL, seeds=seed)
        while game.seat != FINISHED:
            begun = phase > TRICK or any(number != NONE for number in (game.trick if phase == TRICK else game.claims))
            here = (game.phase, game.ended) == (phase, ended) and game.seat >= 0
            if here and game.round_no > 1 and begun and (any(game.marks) or not marked):
                return game
            if game.seat == CHANCE:
                GAME.move(game.games, kernels.ROLL)
                GAME.move(game.games, kernels.RESUME)
                continue
            choices = sorted(legal(game))
            cruel = [words for words in choices if words.startswith("sacrifice")]
            calls = [words for words in choices if words.startswith("call") and game.seat == 0]
            words = str(random.choice(cruel or calls or choices))
            GAME.move(game.games, kernels.DECIDE, actions=GAME.action(words, game.seat, 3))
        if ended:
            return game
    raise AssertionError("no such game")


WRONG: dict[str, tuple[Callable[[], Position], Callable[[Any], Any]]] = {}


def wrong(words: str, phase: int, **more: Any) -> Callable:
    """The change that this function makes to a sound game of a phase makes it one that cannot be."""

    def noted(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
        WRONG[words] = (functools.partial(reach, phase, **more), change)
        return change

    return noted


def held(cards: int) -> int:
    """The lowest card of a set."""
    return (int(cards) & -int(cards)).bit_length() - 1


def now(game: Any) -> int:
    return int(game.round_no) - 1


@wrong("a game of two", CLAIM)
def _(game):
    game.players = 2


@wrong("a seat that does not take part deals", TRICK)
def _(game):
    game.dealer = 3


@wrong("a seat that does not take part has a Seal", TRICK)
def _(game):
    game.seals[4] = 1


@wrong("a seat that does not take part owes a Debt", DEBT)
def _(game):
    game.owing |= 8


@wrong("a card is in two Houses", CLAIM)
def _(game):
    game.houses[0] = game.houses[1]


@wrong("a House has a card more than all know", CLAIM)
def _(game):
    game.house_counts[0] -= 1


@wrong("a card is in a hand and in a House", CLAIM)
def _(game):
    game.hands[0, now(game)] ^= 1 << held(game.hands[0, now(game)]) | 1 << held(game.houses[1])


@wrong("a card that was played is still in the hand", TRICK)
def _(game):
    game.hands[game.leader, now(game)] |= 1 << int(game.trick[game.leader])


@wrong("the hand holds a suit that it was seen not to hold", TRICK)
def _(game):
    game.voids[now(game), 0] = 15


@wrong("nobody has seen what was played in the first round", CLAIM)
def _(game):
    game.seen[0] = 0


@wrong("of the first round a seat has two spare cards", CLAIM)
def _(game):
    free = [card for card in range(52) if not int(game.seen[0]) >> card & 1]
    free = [card for card in free if not any(int(game.houses[seat]) >> card & 1 for seat in range(3))][:2]
    for seat in range(3):
        game.hands[seat, 0], game.counts[0, seat], game.voids[0, seat] = 0, 0, 0
    game.hands[1, 0], game.counts[0, 1] = sum(1 << card for card in free), 2


@wrong("a seat with a whole House has called", TRICK)
def _(game):
    game.called |= 2
    game.counts[now(game), 1] += 1
    game.house_counts[1] = 3


@wrong("cards of a round that is yet to be dealt", TRICK)
def _(game):
    game.seen[9] = 1


@wrong("more Seals than rounds can bring", CLAIM)
def _(game):
    game.seals[0] = 2 * now(game) + 1
    game.marks[0] = 1


@wrong("more Marks than rounds", CLAIM)
def _(game):
    game.marks[0] = now(game) + 1


@wrong("a crown with which the game went on", TRICK, marked=True)
def _(game):
    game.round_no, game.seals[0], game.marks[0] = 4, 5, 0


@wrong("a claim in the turn of another", CLAIM)
def _(game):
    game.seat = (game.seat + 1) % 3


@wrong("a card before the claims are made", CLAIM)
def _(game):
    game.phase = TRICK


@wrong("a claim that is no number of tricks", TRICK)
def _(game):
    game.claims[0] = NONE + 1


@wrong("claims that add up to the tricks there are", TRICK)
def _(game):
    game.claims[:3] = 8, 0, 0


@wrong("more tricks taken than cards played", TRICK)
def _(game):
    game.taken[game.leader] += 1


@wrong("a suit led that is not the leader's card's", TRICK)
def _(game):
    game.led = (game.led + 1) % 4


@wrong("a card led and no suit", TRICK)
def _(game):
    game.led = NONE


@wrong("a suit below none", TRICK)
def _(game):
    game.led = -1


@wrong("one card laid by two", TRICK)
def _(game):
    game.trick[game.seat] = game.trick[game.leader]


@wrong("a card laid that nobody has seen", TRICK)
def _(game):
    game.seen[now(game)] ^= 1 << int(game.trick[game.leader]) | 1 << held(~int(game.seen[now(game)]))


@wrong("a trick led by a seat that took none", TRICK)
def _(game):
    game.dealer = (game.dealer + 1) % 3


@wrong("a Debt in the middle of a round", TRICK)
def _(game):
    game.owing = 1


@wrong("a Reckoning before the last trick", TRICK)
def _(game):
    game.phase, game.owing, game.clearing = DEBT, 7, 7


@wrong("a Debt of a seat that made its claim", DEBT)
def _(game):
    game.claims[game.seat] = game.taken[game.seat]


@wrong("a Debt of a seat that cannot pay", DEBT)
def _(game):
    game.houses[game.seat], game.house_counts[game.seat], game.seals[:] = 0, 0, 0


@wrong("a Debt that another seat is asked to pay", DEBT)
def _(game):
    game.owing &= ~(1 << int(game.seat))


@wrong("Debts when Marks are cleared", CLEARING, marked=True)
def _(game):
    game.owing = 1 << int(np.argmax(game.claims[:3] != game.taken[:3]))


@wrong("a Mark to clear where there is none", CLEARING, marked=True)
def _(game):
    game.marks[game.seat] = 0


@wrong("a choice of a seat that chose to keep its Marks", CLEARING, marked=True)
def _(game):
    game.clearing &= ~(1 << int(game.seat))


@wrong("a game that is over and goes on", TRICK, ended=ENDED)
def _(game):
    game.ended = 0


@wrong("a game that was cut short", TRICK, ended=ENDED)
def _(game):
    game.ended = TRUNCATED


@wrong("a game that is over in the middle of a round", TRICK)
def _(game):
    game.seat, game.ended = FINISHED, ENDED


@pytest.mark.parametrize("words", WRONG)
def test_what_cannot_be_is_not_sound(words):
    build, change = WRONG[words]
    game = build().copy()
    assert is_sound(game)
    change(game.record)
    assert not is_sound(game)


# --- Damage ---------------------------------------------------------------------------------------------------


def test_damaged_games_that_are_sound_are_played_on_without_harm():
    before, after = harmed(GAME, sound_ones(GAME, many(250, 3), 1), many(400, 30), 1)
    assert len(before) == 0, (before[:1], after[:1])


@pytest.mark.parametrize("damage", [damaged, mutated])
def test_a_guess_from_a_damaged_view_ends(damage):
    games = reached()[: many(4000, 100)]
    random = np.random.default_rng(2)
    seats = random.integers(0, games["players"])
    views = GAME.look(games, seats)[0]
    for _ in range(3):
        views = damage(GAME, views, random)
    fine = GAME.table.in_range(views, or_zero=True) & (seats < views["players"])
    GAME.unchecked.guess(views[fine], seats[fine], 7)
    assert fine.any()


@pytest.mark.long
def test_games_changed_on_purpose_that_are_sound_are_played_on_without_harm():
    random = np.random.default_rng(3)
    for seed in range(40):
        broken = mutated(GAME, moments(GAME, 3000, seed), random)
        before, after = harmed(GAME, broken[GAME.judge(broken)[2]], 400, seed)
        assert len(before) == 0, (before[:1], after[:1])
