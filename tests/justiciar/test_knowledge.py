"""What a seat knows of The Justiciar: views, guesses, `check`, features."""

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import card_names
from handfast.envs.core.compiling import JIT
from handfast.envs.core.table import NONE
from handfast.envs.justiciar.rules import CARD, DECK, PASS, PLAY_RUN, RUN
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    better_plays,
    cards,
    choose,
    hands_before,
    is_sound,
    names,
    position,
    random_steps,
    retell,
    start,
)


def guesses(game: Position, seat: int, n: int, first_seed: int = 0) -> list[Position]:
    """Full games that this could be, as far as a seat knows."""
    view = game.seen_by(seat)
    games = GAME.guess(np.repeat(view.games, n), seat, np.arange(first_seed, first_seed + n))
    return [Position(games[i : i + 1]) for i in range(n)]


# --- Views ----------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold():
    game = start(5, seed=6)
    for seat in range(5):
        view = game.seen_by(seat)
        assert view.hands == [game.hands[other] if other == seat else 0 for other in range(5)]
        assert view.counts == [9] * 5
        assert view.aside == view.seed == 0


def test_nobody_but_its_player_knows_that_a_run_is_being_laid():
    game = position(["5H 6D 7H 7D 8H", "QH", "QS"])
    before = [game.seen_by(seat).games.tobytes() for seat in (1, 2)]
    choose(game, "run 5-7")
    assert [game.seen_by(seat).games.tobytes() for seat in (1, 2)] == before
    assert (game.seen_by(0).phase, names(game.seen_by(0).run_cards)) == (RUN, "5H 6D")


# --- check ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("options", [{}, {"first_commission": "any_pass", "uneven_deal": True, "max_turns": 60}])
def test_check_holds_on_random_games(players, options):
    for batch in random_steps(many(200, 4), many(300, 70), players, seed=1, **options):
        assert GAME.judge(batch.games)[2].all()


def test_check_holds_on_finished_games():
    for batch in random_steps(many(100, 3), many(300, 100), 4, seed=1, restart=False, max_turns=80):
        last = batch
    assert (last.seats < 0).mean() > 0.5
    assert GAME.judge(last.games)[2].all()


def spoilt(**fields: object) -> Position:
    """A position in which nothing is as it should be in these fields: {field: change} or {field: value}."""
    game = position(["9H KH 4S", "TS KD 8S", "6S KS 7C"], holder=1, play="5H", given={"8S": (2, 1)})
    assert is_sound(game)
    for field, change in fields.items():
        value = game.games[field][0]
        game.games[field][0] = change(value.copy()) if callable(change) else change
    return game


def added(seat: int, more: str):
    """A change that adds cards to a seat's."""

    def change(value: np.ndarray) -> np.ndarray:
        value[seat] |= cards(more)
        return value

    return change


def less(seat: int, fewer: str):
    """A change that takes cards away from a seat's."""

    def change(value: np.ndarray) -> np.ndarray:
        value[seat] &= ~cards(fewer)
        return value

    return change


@pytest.mark.parametrize(
    "fields",
    [
        {"hands": added(0, "2H")},
        {"hands": less(0, "9H")},
        {"counts": lambda counts: counts + 1},
        {"points": lambda points: points - 1},
        {"shown": added(0, "8S")},
        {"origin": added(0, "9H")},
        {"played": added(1, "9H")},
        {"played": less(2, "5H")},
        {"aside": cards("5H")},
        {"phase": RUN, "run_cards": cards("TS")},
    ],
)
def test_check_finds_whatever_cannot_be(fields):
    assert not is_sound(spoilt(**fields))


def test_check_finds_a_pass_by_choice_that_could_not_beat_and_a_forced_one_that_could():
    game = position(["9H KH", "6H 7H", "6S 7S"], play="8H", by=2)
    choose(game, "0: pass", "1: pass")
    assert is_sound(game)
    assert game.drew_seat == 1
    for mine, theirs in (("9H", "2H"), ("KH", "2H")):
        other = game.copy()
        swap(other, 0, mine, theirs)
        assert is_sound(other)  # one better card is left
    swap(other, 0, "9H", "2S")
    assert not is_sound(other)
    other = game.copy()
    swap(other, 1, "6H", "9S")
    assert not is_sound(other)


def swap(game: Position, seat: int, card: str, other: str) -> None:
    """A seat holds `other`, played before, in place of `card`, as if it had always been so."""
    mine, theirs = cards(card), cards(other)
    owner = next(seat for seat in range(game.players) if game.played[seat] & theirs)
    game.record.hands[seat] ^= mine | theirs
    game.record.played[owner] ^= mine | theirs
    game.record.origin[owner] ^= mine | theirs
    order = game.record.order
    order[ALL_CARDS.index(card)], order[ALL_CARDS.index(other)] = order[ALL_CARDS.index(other)], 0


# --- Guesses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"first_commission": "any_pass", "uneven_deal": True}])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_guess_is_a_sound_game_that_looks_the_same(players, options):
    random = np.random.default_rng(3)
    for batch in random_steps(many(100, 3), many(60, 15), players, seed=2, **options):
        seats = random.integers(players, size=batch.n).astype(np.int32)
        views = GAME.look(batch.games, seats)[0]
        kept = views.tobytes()
        guessed = GAME.guess(views, seats, random.integers(2**63, size=batch.n))
        assert views.tobytes() == kept
        assert GAME.judge(guessed)[2].all()
        assert GAME.look(guessed, seats)[0].tobytes() == kept


def test_a_guess_follows_from_the_view_and_the_seed():
    game = start(4, seed=9)
    one, two = guesses(game, 1, 2)
    assert one.hands != two.hands
    assert guesses(game, 1, 1)[0].games.tobytes() == one.games.tobytes()
    other = guesses(one, 1, 1)[0]  # the hidden hands are others now
    assert other.games.tobytes() == one.games.tobytes()


def test_a_guess_does_not_know_the_luck_to_come():
    game = start(4, seed=999)
    assert [guess.seed for guess in guesses(game, 1, 20)] == list(range(20))
    assert game.seen_by(1).seed == 0


def test_hand_sizes_and_own_cards_are_kept():
    game = position(["9H KH 4S", "TS KD", "6S"], holder=1, play="5H")
    for guess in guesses(game, 1, 20):
        assert guess.hand(1) == "TS KD"
        assert [len(guess.hand(seat).split()) for seat in range(3)] == [3, 2, 1]
        assert set(f"{guess.hand(0)} {guess.hand(2)}".split()) == {"9H", "KH", "4S", "6S"}


def test_cards_set_aside_may_be_anywhere():
    game = start(5, seed=4)
    aside = Counter(card for guess in guesses(game, 0, many(300, 60)) for card in names(guess.aside).split())
    own = game.hand(0).split()
    assert not set(aside) & set(own)
    assert set(aside) == set(ALL_CARDS) - set(own)
    assert {len(names(guess.aside).split()) for guess in guesses(game, 0, 10)} == {3}


@ruling("R7")
def test_cards_given_in_a_refutation_stay_where_everyone_saw_them_go():
    game = position(["9H KH", "4S 8S 8D", "QD JD", "JC 3C"], holder=0)
    choose(game, "0: accuse 1", "1: refute 8S")
    for seat in (1, 2, 3):
        assert all("8S" in guess.hand(0).split() for guess in guesses(game, seat, 20))
    choose(game, "1: play 4S", "2: pass", "3: pass", "0: play 8S")
    for seat in (1, 2, 3):
        assert not any("8S" in "".join(guess.hand(other) for other in range(4)) for guess in guesses(game, seat, 20))


@ruling("R3")
def test_in_a_guess_who_drew_the_ace_of_spades_could_not_beat_the_table():
    game = start(3, seed=2, hands=STRETCHED, lead=0)
    choose(game, "0: play 9H 9S", "1: pass")
    assert game.holder == 1
    for guess in guesses(game, 0, many(100, 20)):
        assert not better_plays(guess.hand(1), "9H 9S")
    held = [bool(better_plays(guess.hand(2), "9H 9S")) for guess in guesses(game, 0, 20)]
    assert any(held)  # seat 2 has not been asked


@ruling("R3")
def test_in_a_guess_who_passed_by_choice_could_beat_the_table():
    game = start(3, seed=2, hands=STRETCHED, lead=0)
    choose(game, "0: play 2H 2S 2D 2C", "1: pass")
    assert game.holder == NONE
    for guess in guesses(game, 0, many(100, 20)):
        assert better_plays(guess.hand(1), "2H 2S 2D 2C")
    choose(game, "2: pass")
    assert game.holder == 2
    for guess in guesses(game, 0, many(100, 20)):
        assert better_plays(guess.hand(1), "2H 2S 2D 2C")
        assert not better_plays(guess.hand(2), "2H 2S 2D 2C")


STRETCHED = [
    "2H 2S 2D 2C 9H 9S 9D 9C 4H 5H 6H 7H 8H TH JH QH",
    "3H 3S 3D 3C 4S 5S 6S 7S 8S TS JS QS KH 4D 5D 6D",
    "4C 5C 6C 7D 7C 8D 8C TD TC JD JC QD QC KS KD KC",
]


@pytest.mark.parametrize(
    ("told", "options"),
    [
        ({"TS"}, {}),
        ({"TS", "3S", "4S"}, {"first_commission": "any_pass"}),
        ({"TS", "3S", "4S"}, {"holder": 0}),
        ({"TS", "3S", "4S"}, {"holder": 0, "round_no": 2}),
    ],
)
@ruling("R3")
def test_a_pass_tells_of_the_hand_only_where_it_might_have_drawn_the_commission(told, options):
    game = position(["9H 4H", "TS", "3S 4S"], **options)
    choose(game, "0: play 9H", "1: pass")
    assert {guess.hand(1) for guess in guesses(game, 0, 60)} == told


# --- Every game that fits, and no other -----------------------------------------------------------------------


def completions(view: Position, seat: int) -> Iterator[list[int]]:
    """Every way to deal the cards that a seat has not located to the other hands, by public counts alone."""
    known = view.hands[seat]
    for other in range(view.players):
        known |= view.played[other] | view.shown[other]
    others = [other for other in range(view.players) if other != seat]

    def fill(left: list[str], to_fill: list[int]) -> Iterator[dict[int, int]]:
        if not to_fill:
            yield {}
            return
        first, *rest = to_fill
        lacking = view.counts[first] - view.shown[first].bit_count()
        for chosen in itertools.combinations(left, lacking):
            for more in fill([card for card in left if card not in chosen], rest):
                yield {first: view.shown[first] | cards(chosen), **more}

    for hands in fill(card_names(DECK & ~known), others):
        hands[seat] = view.hands[seat]
        yield [hands[other] for other in range(view.players)]


def fitting(beginning: Position, story: list[str], seat: int) -> tuple[set[tuple[int, ...]], int]:
    """The hands with which this story can be told so that `seat` sees the same at its end, and of how many."""
    view = choose(beginning.copy(), *story).seen_by(seat)
    fit, tried = set(), 0
    for hands in completions(view, seat):
        tried += 1
        told = retell(beginning, hands_before(story, hands), story)
        if told and told.seen_by(seat).games.tobytes() == view.games.tobytes():
            fit.add(tuple(hands))
    return fit, tried


# Hands at the beginning, the story, who guesses, how many completions there are, how many fit.
STORIES = {
    "a pass by choice on a pair, then a forced one": (
        ["5H 5S KH", "7H 7S 9D", "8H 9S TD"],
        ["0: play 5H 5S", "1: pass", "2: pass"],
        0, 20, 4,
    ),
    "a pass by choice on a single": (
        ["TH 4H", "JS 3S", "4S 5S 6S"],
        ["0: play TH", "1: pass"],
        0, 10, 4,
    ),
    "the one who passed knows its own hand": (
        ["TH 4H", "JS 3S", "4S 5S 6S"],
        ["0: play TH", "1: pass"],
        1, 4, 4,
    ),
    "a pass by choice on four of a kind": (
        ["QH QS QD QC 2H", "KH KS KD KC 9H", "8H 7S 6D 5D 3C"],
        ["0: play QH QS QD QC", "1: pass"],
        0, 252, 6,
    ),
    "two passes on four of a kind": (
        ["3H 3S 3D 3C 2H", "5H 5S 5D 5C", "8H 8S 8D 8C"],
        ["0: play 3H 3S 3D 3C", "1: pass", "2: pass"],
        0, 70, 2,
    ),
    "two passes by choice for which the hand has just room": (
        ["5H 5S 2H 3H 4H KH", "6H 7S 7D 8C", "9H 9S TH JH"],
        ["0: play 5H 5S", "1: pass", "2: pass", "0: run 2-4 2H 3H 4H", "1: pass"],
        0, 70, 3,
    ),
    "a better card that is part of a better run": (
        ["QH 2H 3H 4H 9H", "JS QS KS", "6H 7S 8D KD"],
        ["0: play QH", "1: pass", "2: pass", "0: run 2-4 2H 3H 4H", "1: pass"],
        0, 35, 2,
    ),
    "a better card that the one needs and the other might take": (
        ["TH KH 2H", "JS 2S", "QH 3S 4S 5S", "KD 6S"],
        ["0: play TH", "1: pass", "2: play QH", "3: pass"],
        0, 210, 20,
    ),
    "a pass by choice and then a forced one of the same seat": (
        ["4H 4S TH TS JH QH", "8H 8S TD JS QS", "9D 9C 7H 6H"],
        ["0: play 4H 4S", "1: pass", "2: play 9D 9C", "0: pass", "1: pass"],
        2, 126, 12,
    ),
    "a better pair that must not be better than what forced the pass": (
        ["4H 4S TH TS JH JS", "8H 8S", "9D 9C 7H"],
        ["0: play 4H 4S", "1: pass", "2: play 9D 9C", "0: pass", "1: pass"],
        2, 15, 1,
    ),
    "a forced pass on a run": (
        ["2H 3H 4H KH", "5H 5S 7H 7S", "6H"],
        ["0: run 2-4 2H 3H 4H", "1: pass"],
        0, 5, 1,
    ),
    "a forced pass with a hand full of near runs": (
        ["2H 3H 4H KH", "5H 5S 7H 7S 9H 9S JH JS", "6H TH"],
        ["0: run 2-4 2H 3H 4H", "1: pass"],
        0, 45, 1,
    ),
    "a pass by choice on a run by a seat that has played of its better run since": (
        ["2H 3H 4H 5C KH", "6H 7S 8D 9C 2S", "TD JD QD KD"],
        ["0: run 2-4 2H 3H 4H", "1: pass", "2: pass", "0: play 5C", "1: play 7S", "2: pass"],
        0, 70, 11,
    ),
    "a forced pass, then a refutation": (
        ["TH 4H 5C", "8D 6S 9S", "JS QS KD"],
        ["0: play TH", "1: pass", "2: play JS", "0: pass", "1: accuse 2", "2: refute QS"],
        0, 4, 1,
    ),
    "a forced pass, and then the same seat gives a card away": (
        ["9H 9D 4H 5C 6D", "8S 6S TS 2D", "TD 7S 3C"],
        [
            "0: play 9H 9D", "1: pass", "2: pass", "0: play 4H", "1: accuse 2", "2: accept", "2: pass",
            "0: play 5C", "1: pass", "2: accuse 1", "1: refute TS",
        ],
        0, 20, 10,
    ),
    "a run being laid by the seat that guesses": (
        ["5H 6D 7H 7D 9H", "TD 3S", "JS QS 3C"],
        ["0: play 9H", "1: pass", "2: pass", "0: run 5-7"],
        0, 10, 9,
    ),
    "five players and cards set aside": (
        ["9H 4H", "TH", "3S", "4S", "5S"],
        ["0: play 9H", "1: pass", "2: pass"],
        0, 840, 240,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
@ruling("R3")
def test_guesses_are_all_games_with_which_the_story_can_be_told_and_no_others(name):
    hands, story, seat, of, fit = STORIES[name]
    if not JIT and of > 300:
        pytest.skip("too many completions for plain Python")
    beginning = position(hands)
    possible, tried = fitting(beginning, story, seat)
    assert (tried, len(possible)) == (of, fit)
    game = choose(beginning.copy(), *story)
    drawn = guesses(game, seat, many(6000, 50))
    assert all(is_sound(guess) for guess in drawn[: many(500, 50)])
    guessed = {tuple(guess.hands[: game.players]) for guess in drawn}
    assert guessed <= possible
    if fit <= many(1000, 6):  # the few guesses of plain Python do not find every one of many
        assert guessed == possible


def test_some_of_these_stories_are_more_than_dealing_at_random_can_tell():
    found_nothing = {name: (1 - fit / of) ** 16 for name, (*_, of, fit) in STORIES.items()}  # by 16 deals at random
    assert sum(chance > 0.15 for chance in found_nothing.values()) >= 7


def test_guesses_are_all_as_likely_where_dealing_at_random_finds_them():
    hands, story, seat, *_ = STORIES["a pass by choice on a pair, then a forced one"]
    game = choose(position(hands), *story[:2])
    n = many(20000, 300)
    found = Counter(tuple(guess.hands[:3]) for guess in guesses(game, seat, n))
    assert len(found) == 8
    expected = n / len(found)
    chi_square = sum((times - expected) ** 2 / expected for times in found.values())
    assert chi_square < 24.3  # exceeded once in a thousand with 7 degrees of freedom


class Chronicle:
    """Random games in step, each with its round's story as everyone could tell it."""

    def __init__(self, n: int, players: int, seed: int, **options: object):
        self.batch = Batch(GAME, n, players=players, seed=seed, **options)
        self.random = np.random.default_rng(seed)
        self.rounds = [-1] * n
        self.beginnings: list[Position] = [None] * n
        self.stories: list[list[str]] = [[] for _ in range(n)]
        self.unlaid: list[list[str]] = [[] for _ in range(n)]  # a run being laid: its player's choices
        self._begin_rounds()

    def _begin_rounds(self) -> None:
        for i in range(self.batch.n):
            if self.batch.games["round_no"][i] != self.rounds[i]:
                self.rounds[i] = self.batch.games["round_no"][i]
                self.beginnings[i] = Position(self.batch.games[i : i + 1].copy())
                self.stories[i], self.unlaid[i] = [], []

    def step(self) -> None:
        """A random choice in every game; half the time a pass where it is free."""
        batch = self.batch
        weights = batch.masks * self.random.random(batch.masks.shape)
        weights[:, PASS] += batch.masks[:, PASS] * (self.random.random(batch.n) < 0.5)
        actions = weights.argmax(1)
        seats, ended = batch.seats.copy(), batch.games["round_no"].copy()
        runs = (batch.games["phase"] == RUN) | ((actions >= PLAY_RUN) & (actions < CARD))
        batch.step(actions)
        for i, action in enumerate(actions):
            words = f"{seats[i]}: {GAME.choice(action, seats[i], int(batch.games['players'][i]))}"
            if not runs[i]:
                self.stories[i].append(words)
                continue
            self.unlaid[i].append(words)
            if batch.games["phase"][i] != RUN and batch.games["round_no"][i] == ended[i]:
                self.stories[i].append(f"{self.unlaid[i][0]} {names(batch.games['play_cards'][i])}")
                self.unlaid[i] = []
        for i in np.flatnonzero(batch.ends):
            self.rounds[i] = -1
        self._begin_rounds()


@pytest.mark.parametrize("options", [{}, {"uneven_deal": True}, {"first_commission": "any_pass"}])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_with_the_hands_of_a_guess_the_round_can_be_told_as_everyone_saw_it(players, options):
    chronicle = Chronicle(many(40, 2), players, seed=players, **options)
    told = 0
    for _ in range(many(60, 20)):
        chronicle.step()
        for i in np.flatnonzero(chronicle.random.random(chronicle.batch.n) < many(15, 50) / 100):
            game = Position(chronicle.batch.games[i : i + 1].copy())
            seat = int(chronicle.random.integers(players))
            story = chronicle.stories[i] + chronicle.unlaid[i] * (seat == game.seat)
            guess = guesses(game, seat, 1, first_seed=told)[0]
            again = retell(chronicle.beginnings[i], hands_before(story, guess.hands), story)
            assert again is not None, story
            assert again.seen_by(seat).games.tobytes() == game.seen_by(seat).games.tobytes(), story
            told += len(story) > 2
    assert told > many(200, 8)


@pytest.mark.parametrize("players", [3, 4, 5])
@ruling("R6")
def test_a_guess_hardly_ever_gives_up_the_passes(players):
    random = np.random.default_rng(players)
    asked = 0
    for batch in random_steps(many(500, 20), many(12, 8), players, seed=players):
        bare = np.flatnonzero((batch.games["holder"] == NONE) & (batch.games["could_beat"].any(1)))
        if len(bare):
            seats = random.integers(players, size=len(bare)).astype(np.int32)
            guessed = GAME.guess(GAME.look(batch.games[bare], seats)[0], seats, random.integers(2**63, size=len(bare)))
            assert GAME.judge(guessed)[2].all()
            asked += len(bare)
    assert asked > many(300, 5)


def test_a_guess_of_what_cannot_be_keeps_the_cards_and_gives_up_the_passes():
    game = position(["KH 4H", "JS 3S", "4S 5S 6S"])
    choose(game, "0: play KH")
    game.record.could_beat[game.plays] |= 1 << 1  # nothing beats a king
    view = GAME.unchecked.look(game.games, 0)[0]
    for seed in range(many(3, 1)):
        guess = Position(GAME.unchecked.guess(view, 0, seed))
        assert not is_sound(guess)
        assert [len(guess.hand(seat).split()) for seat in range(3)] == [1, 2, 3]
        guess.record.could_beat[:] = 0
        assert is_sound(guess)


# --- Features -------------------------------------------------------------------------------------------------


def features(game: Position, seat: int) -> dict[str, int]:
    """The features that are not zero, by name."""
    values = GAME.look(game.games, seat)[2][0]
    return {name: int(value) for name, value in zip(GAME.feature_names, values, strict=True) if value}


def named(game: Position, seat: int, *kinds: str) -> set[str]:
    """The names of the features of these kinds that are not zero."""
    return {name for name in features(game, seat) if name.startswith(kinds)}


def test_the_features_of_a_turn_are_seen_from_the_seat():
    game = position(
        ["7H 7D KC", "5H 6D", "5S 4C", "JS"], to_move=1, holder=2, play="8H 8D", by=3, points=[1, 0, 28, 3],
        round_no=2, frozen=[1], given={"KC": (2, 0), "4C": (1, 2)}, turns=940,
    )  # fmt: skip
    seen = {name: value for name, value in features(game, 0).items() if not name.startswith("out")}
    assert seen == {
        "hand 7H": 1, "hand 7D": 1, "hand KC": 1, "held 7": 2, "held K": 1, "players 4": 1,
        "present own": 1, "present left 1": 1, "present left 2": 1, "present left 3": 1,
        "to move left 1": 1, "phase turn": 1, "round 2": 1,
        "cards own": 3, "cards left 1": 2, "cards left 2": 2, "cards left 3": 1, "passed own": 1,
        "play size 2": 1, "play rank 8": 1, "play owner left 3": 1, "holder left 2": 1,
        "points own": 1, "points left 2": 28, "points left 3": 3, "aces left 1": 1,
        "shown own K": 1, "shown left 2 4": 1, "turns left": 60,
    }  # fmt: skip
    assert named(game, 3, "hand", "to move", "play owner", "holder", "aces", "shown", "passed") == {
        "hand JS", "to move left 2", "play owner own", "holder left 3", "aces left 2", "shown left 1 K", "shown left 3 4", "passed left 1",
    }  # fmt: skip


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("round_no", [1, 2, 3, 4])
def test_the_features_tell_who_played_how_many_of_each_rank_and_its_card_of_the_suit(players, round_no):
    game = position(["9H", "9S", "9D", "9C", "8C"][:players], round_no=round_no, holder=1)
    suit = "SCHD"[round_no - 1]
    for seat in range(players):
        expected = {}
        for left, label in enumerate(("own", "left 1", "left 2", "left 3", "left 4")[:players]):
            for card in names(game.played[(seat + left) % players]).split():
                expected[f"out {label} {card[0]}"] = expected.get(f"out {label} {card[0]}", 0) + 1
                if card[1] == suit:
                    expected[f"out of suit {label} {card[0]}"] = 1
        assert {name: value for name, value in features(game, seat).items() if name.startswith("out")} == expected


def test_the_features_of_a_run_being_laid_are_its_players_alone():
    game = position(["5H 5S 6D 7H 7D 9H", "QH", "QS"])
    choose(game, "run 5-7", "card 5S")
    assert named(game, 0, "phase", "run") == {"phase run", "run next 7", "run high 7"}
    assert named(game, 0, "hand") == {"hand 5H", "hand 7H", "hand 7D", "hand 9H"}
    assert features(game, 0)["cards own"] == 6
    assert named(game, 1, "phase", "run") == {"phase turn"}


def test_the_features_name_accused_and_accuser():
    game = position(["9H KH", "4H 8D", "QH"], holder=0)
    choose(game, "0: accuse 2")
    assert named(game, 1, "phase", "to move", "accuser") == {"phase accused", "to move left 1", "accuser left 2"}


def test_the_features_of_a_finished_game_name_nobody_to_move():
    game = position(["9H KH", "4S", "QH"], holder=0, round_no=1, turns=99, max_turns=100)
    choose(game, "0: accuse 1", "1: refute 4S")
    for seat in range(3):
        assert named(game, seat, "phase", "to move", "accuser", "turns left") == set()


def test_hidden_features_are_the_other_hands_from_the_left_on():
    game = position(["9H KH", "4H 8D", "QH"])
    hidden = GAME.reveal(game.games, 1)[0]
    marked = {name for name, value in zip(GAME.hidden_feature_names, hidden, strict=True) if value}
    assert marked == {"hand left 1 QH", "hand left 2 9H", "hand left 2 KH"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_features_keep_within_their_bounds(players):
    highs = np.array(GAME.feature_highs)
    for batch in random_steps(many(100, 3), many(200, 40), players, seed=1):
        for seat in range(players):
            values = GAME.look(batch.games, seat)[2]
            assert (values >= 0).all()
            assert (values <= highs).all()
