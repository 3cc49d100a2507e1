"""Which records are games of The Justiciar that the rules can reach, and that whatever is called so can be played on."""

from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.justiciar.passes import search_witnesses
from handfast.envs.justiciar.rules import DEAL, DECK, LEAD, RUN
from tests.fuzz import damaged, harmed, moments, sound_ones
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    QUEENS,
    Position,
    cards,
    choose,
    deal_on,
    is_sound,
    names,
    position,
    random_steps,
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
    assert {(CHANCE, LEAD), (CHANCE, DEAL)} <= set(zip(games["seat"].tolist(), games["phase"].tolist(), strict=True))


def test_luck_is_a_move_of_its_own_that_can_be_made_at_every_moment():
    games = moments(GAME, many(6000, 60), seed=2)
    waiting = games[games["seat"] == CHANCE]
    GAME.move(waiting, kernels.ROLL)
    assert GAME.judge(waiting)[2].all()
    GAME.move(waiting, kernels.RESUME)
    assert GAME.judge(waiting)[2].all()


def test_before_its_luck_is_filled_in_a_deal_cannot_be_gone_on_from():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H")
    choose(game, "0: play 9C")
    with pytest.raises(ValueError, match="none of justiciar that the rules can reach"):
        GAME.move(game.games, kernels.RESUME)


@ruling("R1")
def test_nobody_sees_a_hand_while_the_cards_are_dealt():
    game = position(["9C", "5S KH", "6S"], holder=1, play="8H")
    choose(game, "0: play 9C")
    before = [game.seen_by(seat).games.tobytes() for seat in range(3)]
    GAME.move(game.games, kernels.ROLL)
    assert [game.seen_by(seat).games.tobytes() for seat in range(3)] == before
    assert game.seen_by(1).hands == [0] * 5


# --- What the rules cannot reach ------------------------------------------------------------------------------


def mid_round() -> Position:
    """Seat 0 is to beat the 5H of seat 2; seat 1 holds the Commission and a card that seat 2 gave it."""
    return position(["9H KH 4S", "TS KD 8S", "6S KS 7C"], holder=1, play="5H", given={"8S": (2, 1)})


def passed_by_one() -> Position:
    """Seat 1 was forced to pass the KH of seat 0."""
    return choose(position(["KH 4H", "JS 3S", "4S 5S 6S"], play="QH", by=2), "0: play KH", "1: pass")


def passed_by_choice() -> Position:
    """Seat 1 passed the TH of seat 0, holding the JS."""
    return choose(position(["TH 4H", "JS 3S", "4S 5S 6S"], play="9H", by=2), "0: play TH", "1: pass")


def first_turn() -> Position:
    """The cards are dealt, and nobody has had a turn."""
    return start(4, seed=1)


def laying_a_run() -> Position:
    """Seat 0 has chosen the 5S and has to choose a 7."""
    return choose(position(["5H 5S 6D 7H 7D 9H", *QUEENS[1:]]), "run 5-7", "card 5S")


def accused() -> Position:
    """Seat 2 is accused by seat 0."""
    return choose(position(["9H KH", "4H 8D", "QH"], holder=0), "accuse 2")


def after_a_round() -> Position:
    """Seat 0 has won round 1; seat 1 held its Commission and will lead the next."""
    return choose(position(["9C", "5S KH", "6S"], holder=1, play="8H"), "0: play 9C")


def over() -> Position:
    """The game has ended."""
    return choose(position(["9C", "5S KH", "6S"], holder=1, play="8H", round_no=4, frozen=[1, 1, 1]), "0: play 9C")


def cut_short() -> Position:
    """The game was truncated."""
    return choose(position(["9C TH", "5S KH", "6S"], holder=1, play="8H", turns=99, max_turns=100), "0: play 9C")


def before_the_deal() -> Position:
    """The leader of round 1 is drawn, and no card is dealt."""
    game = Position(GAME.blank(4))
    GAME.move(game.games, kernels.DEAL)
    return game


def at(card: str) -> int:
    return ALL_CARDS.index(card)


# Where it is not so, and what: {field: value} or {field: {place: value}}.
UNSOUND: list[tuple[str, Any, dict[str, Any]]] = [
    ("a seat that takes no part has points", mid_round, {"points": {3: 1}}),
    ("a seat that takes no part has cards", mid_round, {"counts": {3: 1}}),
    ("a seat that takes no part has played", mid_round, {"played": {4: cards("9H")}}),
    ("a seat that takes no part leads", mid_round, {"leader": 3}),
    ("a seat that takes no part holds the Commission", mid_round, {"holder": 3}),
    ("nobody holds the Commission, but by a wrong name", mid_round, {"holder": CHANCE}),
    ("a seat that takes no part keeps an Ace", after_a_round, {"frozen_by": {0: 4}}),
    ("a seat is to move while cards are dealt", mid_round, {"phase": DEAL}),
    ("luck is to decide in a turn", mid_round, {"seat": CHANCE}),
    ("the game is over and nobody ended it", mid_round, {"seat": FINISHED}),
    ("the game is over in round 1", mid_round, {"seat": FINISHED, "ended": ENDED}),
    ("the game is truncated before its limit", mid_round, {"seat": FINISHED, "ended": TRUNCATED}),
    ("the game is over as if it had been cut short", over, {"ended": TRUNCATED}),
    ("the game was cut short as if it were over", cut_short, {"ended": ENDED}),
    ("there are fewer turns than plays", mid_round, {"turns": 30}),
    ("there are more turns than the limit", mid_round, {"max_turns": 20}),
    ("the game goes on at its limit", mid_round, {"turns": 1000}),
    ("there are points in the first round", mid_round, {"points": {0: 1}}),
    ("the cards left over are not counted", after_a_round, {"points": {1: 0}}),
    ("there are more points than cards", after_a_round, {"points": {0: 49}}),
    ("the Ace of a round is frozen before its end", mid_round, {"frozen_by": {0: 1}}),
    ("the Ace of a finished round is with another than its holder", after_a_round, {"frozen_by": {0: 0}}),
    ("another than the holder will lead", after_a_round, {"leader": 2}),
    ("a leader is drawn though the Commission is held", after_a_round, {"phase": LEAD}),
    ("a Commission was held, and then was not", over, {"frozen_by": {1: NONE}}),
    ("a card is in two hands", mid_round, {"hands": {0: cards("9H KH 4S TS")}, "counts": {0: 4}}),
    ("a card is nowhere", mid_round, {"hands": {0: cards("9H KH")}, "counts": {0: 2}}),
    ("a count is wrong", mid_round, {"counts": {0: 2}}),
    ("a hand holds a card that was dealt to another", mid_round, {
        "hands": {0: cards("KH 4S"), 1: cards("TS KD 8S 9H")}, "counts": {0: 2, 1: 4},
    }),
    ("a card in hand is set aside", mid_round, {"hands": {0: cards("KH 4S")}, "counts": {0: 2}, "aside": cards("9H")}),
    ("a card was given that its receiver does not hold", mid_round, {"shown": {0: cards("8S")}}),
    ("a card that nobody gave was given", mid_round, {"shown": {1: cards("8S TS")}}),
    ("a card was given, but not by whom it was dealt to", mid_round, {"origin": {0: cards("8S")}}),
    ("a card of another suit was given", mid_round, {"shown": {1: cards("8S KD")}, "origin": {1: cards("KD")}}),
    ("a card was given while nobody held the Commission", mid_round, {"holder": NONE}),
    ("a card in hand was part of a play", mid_round, {"order": {at("9H"): 1}}),
    ("a card that was played was part of no play", mid_round, {"order": {at("5H"): 0}}),
    ("a card was part of a play to come", mid_round, {"order": {at("5H"): 48}}),
    ("a number of a play was left out", mid_round, {"plays": 48}),
    ("a play is of two ranks", mid_round, {"order": {at("2H"): 1, at("3H"): 1}}),
    ("the table shows another play than the last", mid_round, {"play_cards": cards("5S")}),
    ("the current play is larger than its cards", mid_round, {"play_size": 2}),
    ("the current play is of another rank than its cards", mid_round, {"play_rank": 11}),
    ("a single is a run", mid_round, {"play_run": 1}),
    ("the current play is another seat's", mid_round, {"play_owner": 1}),
    ("the current play is nobody's", mid_round, {"play_owner": NONE}),
    ("the table is empty, and cards lie on it", mid_round, {"play_size": 0}),
    ("the owner of the current play is to move", mid_round, {"seat": 2}),
    ("the owner has passed its own play", mid_round, {"passed": 1 << 2}),
    ("a seat passed whose turn has not come", mid_round, {"passed": 1 << 1}),
    ("a seat passed and did not", passed_by_one, {"passed": 0}),
    ("there is an accuser where nobody is accused", mid_round, {"accuser": 1}),
    ("nobody accuses the accused", accused, {"accuser": NONE}),
    ("a seat accuses itself", accused, {"seat": 0}),
    ("another than the holder accuses", accused, {"accuser": 1}),
    ("a run is being laid and nobody said which", mid_round, {"phase": RUN}),
    ("no run is being laid, but it has a rank", mid_round, {"run_high": 5}),
    ("a run of two ranks is being laid", laying_a_run, {"run_high": 4, "run_rank": 4}),
    ("a run is being laid beyond its end", laying_a_run, {"run_rank": 6}),
    ("a run is being laid and a rank below is open", laying_a_run, {"run_cards": cards("5S")}),
    ("a run is being laid with a card of another hand", laying_a_run, {"run_cards": cards("5C 6D")}),
    ("a run is being laid whose last rank is not held", laying_a_run, {"run_high": 6}),
    ("a run is being laid that does not beat the table", laying_a_run, {
        "play_size": 1, "play_rank": 0, "play_owner": 1, "play_cards": cards("2H"),
    }),
    ("a seat was forced to pass what it passed by choice", passed_by_one, {"could_beat": {42: 1 << 1}}),
    ("a seat passed by choice and it was not noted", passed_by_choice, {"could_beat": {42: 0}}),
    ("a seat passed by choice and holds nothing better", passed_by_choice, {
        "hands": {1: cards("3S 4S"), 2: cards("JS 5S 6S")},
    }),
    ("the first pass did not draw the Commission", passed_by_choice, {"first_commission": 1, "could_beat": {42: 0}}),
    ("another than the leader made the first play", passed_by_choice, {"leader": 1}),
    ("another than the leader is to make the first play", first_turn, {"seat": 2, "leader": 1}),
    ("the Commission was drawn by a seat that has not passed", passed_by_one, {"drew_seat": 2, "holder": 2}),
    ("a play was passed before it was made", mid_round, {"could_beat": {48: 1}}),
    ("a play of number 0 was passed", mid_round, {"could_beat": {0: 1}}),
    ("a play was passed by its owner", passed_by_one, {"could_beat": {42: 1}}),
    ("a play was passed by a seat that takes no part", passed_by_one, {"could_beat": {42: 1 << 4}}),
    ("a Commission was drawn that nobody holds", passed_by_one, {"holder": NONE}),
    ("the Commission was drawn at a play that was not made", passed_by_one, {"drew_play": 48}),
    ("the Commission was drawn at a play, but by nobody", mid_round, {"drew_play": 3}),
    ("a forced pass drew the Commission though any pass does", passed_by_one, {"first_commission": 1}),
    ("a forced pass could have beaten the play", passed_by_one, {"drew_play": 1}),
    ("turns were taken before the first deal", before_the_deal, {"turns": 1}),
    ("somebody holds the Commission before the first deal", before_the_deal, {"holder": 1}),
    ("cards were played before the first deal", before_the_deal, {"played": {0: cards("2H")}, "origin": {0: cards("2H")}}),
    ("one hand is dealt before the others", before_the_deal, {"phase": DEAL, "hands": {0: cards("2H 3H")}}),
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


def test_a_deal_of_wrong_hands_is_refused():
    game = before_the_deal()
    deal_on(game, lead=0)
    dealt = game.copy()
    dealt.record.seat, dealt.record.phase, dealt.record.counts[:] = CHANCE, DEAL, 0
    dealt.record.drew_seat = dealt.record.accuser = dealt.record.play_owner = 0
    assert is_sound(dealt)
    dealt.record.hands[0], dealt.record.hands[1] = dealt.record.hands[0] | dealt.record.hands[1], 0
    assert not is_sound(dealt)


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


# --- Where dealing at random does not find what the passes told -----------------------------------------------


def searched(game: Position, seat: int) -> Position:
    """A full game as a seat sees it, with the hands that the search builds; the cards that are still free go to whoever has room."""
    view = game.seen_by(seat)
    known = [view.hands[seat], *view.shown, *view.played]
    for other in set(range(view.players)) - {seat}:
        view.record.hands[other] = view.shown[other]
    hidden = np.int64(DECK & ~int(np.bitwise_or.reduce(known)))
    free = names(search_witnesses(view.record, seat, hidden)).split()
    for other in range(view.players):
        lacking = view.counts[other] - len(view.hand(other).split())
        view.record.hands[other] |= cards(free[:lacking])
        free = free[lacking:]
    view.record.aside = cards(free)
    return view


@ruling("R3")
def test_every_way_is_tried_to_build_hands_around_the_passes():
    asked = 0
    for players in (3, 4, 5):
        for batch in random_steps(many(300, 10), many(12, 8), players, seed=7):
            for i in np.flatnonzero(batch.games["could_beat"].any(1))[: many(20, 2)]:
                game = Position(batch.games[i : i + 1].copy())
                for seat in range(players):
                    assert is_sound(searched(game, seat))
                    asked += 1
    assert asked > many(500, 10)
