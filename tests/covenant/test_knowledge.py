"""What a seat knows of The Covenant: views, guesses, `check`, features."""

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import card_names
from handfast.envs.core.compiling import JIT
from handfast.envs.covenant.rules import ABSTAIN, COVENANT, DEAL, DECK, SEALING, SUBSCRIBE, TRICK
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    at_the_table,
    blank,
    cards,
    choose,
    is_sound,
    luck_decides,
    names,
    number,
    play_tricks,
    position,
    random_steps,
    retell,
    start,
)

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def guesses(game: Position, seat: int, n: int, first_seed: int = 0) -> list[Position]:
    """Full games that this could be, as far as a seat knows."""
    view = game.seen_by(seat)
    games = GAME.guess(np.repeat(view.games, n), seat, np.arange(first_seed, first_seed + n))
    return [Position(games[i : i + 1]) for i in range(n)]


def look_alike(game: Position, other: Position, seat: int) -> bool:
    """Whether two games look the same to a seat."""
    return game.seen_by(seat).games.tobytes() == other.seen_by(seat).games.tobytes()


# --- Views ----------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold():
    game = start(5, seed=6, signers="HSDCH")
    for seat in range(5):
        view = game.seen_by(seat)
        assert view.hands == [game.hands[other] if other == seat else 0 for other in range(5)]
        assert view.signers == [game.signers[other] if other == seat else 0 for other in range(5)]
        assert view.counts == [10] * 5
        assert view.table_seal == view.seed == 0


@ruling("R3")
def test_no_seat_sees_an_earlier_seats_choice_before_the_reveal():
    games = [start(4, ["", "KH 4S"], dealer=0) for _ in range(3)]
    for game, choice in zip(games, ("subscribe KH", "subscribe 4S", "abstain"), strict=True):
        choose(game, f"1: {choice}")
        assert game.seen_by(1).choices[1] == GAME.action(choice, 1, 4)
    for seat in (0, 2, 3):
        assert look_alike(games[0], games[1], seat)
        assert look_alike(games[0], games[2], seat)


@ruling("R3")
def test_no_seat_sees_anothers_signer_before_the_game_is_over():
    games = [start(3, signers=signers, dealer=2) for signers in ("HHH", "SHH")]
    for seat in (1, 2):
        assert look_alike(*games, seat)
    game = position(["2D", "3D", "4D"], earlier=["", "", ""], signers="HSD")
    assert game.seen_by(0).revealed == [0] * 5
    choose(game, "play 2D", "play 3D", "play 4D")
    assert game.seen_by(0).revealed == [1, 2, 3, 0, 0]


@ruling("R3")
def test_a_seal_is_known_to_its_seat_alone():
    game = at_the_table(start(3))
    for seat in range(3):
        view = game.seen_by(seat)
        assert view.sealed[:3] == [game.sealed[other] if other == seat else 0 for other in range(3)]
        assert view.seals == [1, 1, 1, 0, 0]


# --- check ----------------------------------------------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("options", [{}, {"landslide": True, "top_card": "highest"}])
def test_check_holds_on_random_games(players, options):
    for batch in random_steps(many(200, 2), many(250, 70), players, seed=1, **options):
        assert GAME.judge(batch.games)[2].all()


def test_check_holds_before_the_deal_and_between_rounds():
    game = luck_decides(blank(3), dealer=0)
    assert is_sound(game)
    choose(game, "1: believe H")
    assert is_sound(game)
    game = play_tricks(at_the_table(start(3)))
    assert game.phase == DEAL
    assert is_sound(game)


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


def changed(seat: int, number: int):
    """A change of one number."""

    def change(value: np.ndarray) -> np.ndarray:
        value[seat] = number
        return value

    return change


@pytest.mark.parametrize(
    "fields",
    [
        {"hands": added(0, "2H")},
        {"hands": less(0, "9H")},
        {"hands": less(0, "9H"), "counts": changed(0, 1)},
        {"counts": lambda counts: counts + 1},
        {"seals": changed(1, 0)},
        {"lacks": added(0, "2H 9H")},
        {"signers": changed(1, 0)},
        {"signers": changed(1, 5)},
        {"choices": changed(1, ABSTAIN)},
        {"cubes": changed(2, 2)},
        {"subscribed": less(0, "2S")},
        {"table_seal": cards("9H")},
        {"tops": changed(0, number("2H"))},
        {"tops": changed(1, -3)},
        {"played": less(2, "AC"), "table_seal": 0},
    ],
)
def test_check_finds_whatever_cannot_be(fields):
    game = position(["9H KH", "TS KD", "6S KS"], trump="S")
    assert is_sound(game)
    for field, change in fields.items():
        value = game.games[field][0]
        game.games[field][0] = change(value.copy()) if callable(change) else change
    assert not is_sound(game)


def test_check_finds_a_card_that_is_there_twice():
    game = position(["9H KH", "TS KD", "6S KS"], trump="S")
    card = card_names(game.played[1])[0]
    other = card_names(game.played[2])[0]
    game.record.played[2] ^= cards([card, other])
    assert not is_sound(game)


def test_check_finds_a_choice_that_could_not_be_pending():
    game = start(3, ["", "KH", "4S"], dealer=0)
    choose(game, "1: subscribe KH")
    for seat, choice in ((1, 0), (1, GAME.action("subscribe 4S", 0, 3)), (2, ABSTAIN)):
        other = game.copy()
        other.record.choices[seat] = choice
        assert not is_sound(other)
    game.record.choices[1] = ABSTAIN
    assert is_sound(game)


# --- Guesses --------------------------------------------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("options", [{}, {"landslide": True, "top_card": "highest"}])
def test_a_guess_is_a_sound_game_that_looks_the_same(players, options):
    random = np.random.default_rng(3)
    for batch in random_steps(many(100, 2), many(230, 40), players, seed=2, **options):
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


def test_hand_sizes_own_cards_own_seal_and_the_covenant_table_are_kept():
    game = at_the_table(start(5, ["KH", "", "2C"], seed=4), "KH", "-", "2C")
    for guess in guesses(game, 1, 20):
        assert (guess.hands[1], guess.sealed[1]) == (game.hands[1], game.sealed[1])
        assert guess.subscribed == game.subscribed
        assert [len(guess.hand(seat).split()) for seat in range(5)] == [9] * 5
        assert [len(names(sealed).split()) for sealed in guess.sealed] == [0, 1, 0, 1, 1]
        assert len(names(guess.table_seal).split()) == 2


def test_unseen_cards_may_be_in_any_hand_in_any_seal_and_in_the_table_seal():
    game = at_the_table(start(5, ["KH"], seed=4), "KH")
    drawn = guesses(game, 0, many(400, 40))
    unseen = set(ALL_CARDS) - {"KH"} - set(game.hand(0).split())
    for place in (lambda guess: guess.hands[3], lambda guess: guess.sealed[3], lambda guess: guess.table_seal):
        found = set().union(*(names(place(guess)).split() for guess in drawn))
        assert found <= unseen
        assert len(found) > 20
        assert found == unseen or not JIT


def test_a_signer_may_be_any_suit_until_it_is_revealed():
    game = start(3, signers="HSD")
    assert {tuple(guess.signers[:3]) for guess in guesses(game, 0, 200)} == set(
        itertools.product([1], range(1, 5), range(1, 5))
    )
    over = position(["2D", "3D", "4D"], earlier=["", "", ""], signers="HSD")
    choose(over, "play 2D", "play 3D", "play 4D")
    assert {tuple(guess.signers[:3]) for guess in guesses(over, 0, 50)} == {(1, 2, 3)}


def test_only_seats_that_have_chosen_have_a_signer():
    game = luck_decides(blank(4), dealer=3)
    choose(game, "0: believe D", "1: believe C")
    for guess in guesses(game, 1, 40):
        assert guess.signers[0] in (1, 2, 3, 4)
        assert guess.signers[1:4] == [4, 0, 0]
        assert guess.hands == [0] * 5


@ruling("R3")
def test_a_pending_choice_is_a_card_of_the_guessed_hand_or_to_abstain():
    game = start(4, seed=5, dealer=3)
    choose(game, "0: abstain", "1: abstain")
    chosen = Counter()
    n = many(4000, 60)
    for guess in guesses(game, 1, n):
        assert guess.choices[1:4] == [ABSTAIN, 0, 0]
        if guess.choices[0] != ABSTAIN:
            assert guess.hands[0] >> guess.choices[0] - SUBSCRIBE & 1
        chosen[guess.choices[0]] += 1
    assert chosen[ABSTAIN]
    if JIT:
        assert abs(chosen[ABSTAIN] / n - 1 / 14) < 0.02
        assert len(chosen) == 1 + 52 - 13


def test_who_did_not_follow_holds_none_of_the_suit():
    game = position(["AH 9D 8D", "2S 6S KC", "3H 4H 5C"], trump="S")
    choose(game, "0: play AH", "1: play KC", "2: play 4H")
    for guess in guesses(game, 0, 100):
        assert "H" not in guess.hand(1)
    assert any("H" in names(guess.sealed[1]) for guess in guesses(game, 0, many(400, 100)))  # but may have sealed one


def test_who_led_trump_holds_nothing_else_then_and_later():
    game = position(["2S 4S 5S", "3S KD QD", "9H 8H 7H"], trump="S")
    choose(game, "0: play 2S", "1: play 3S", "2: play 7H")
    assert game.seat == 2
    choose(game, "2: play 8H", "0: play 4S", "1: play KD")
    for guess in guesses(game, 2, 100):
        assert guess.hand(0)[1] == "S"


def test_what_a_round_told_of_a_hand_is_forgotten_with_the_next_deal():
    game = position(["AH", "2S", "3H"], trump="S", dealer=2)
    choose(game, "0: play AH", "1: play 2S", "2: play 3H")
    assert game.lacks[1] == cards([card for card in ALL_CARDS if card[1] == "H"])
    luck_decides(game)
    assert game.lacks == [0] * 5
    assert any("H" in guess.hand(1) for guess in guesses(game, 0, 20))


# --- Every game that fits, and no other -----------------------------------------------------------------------


def completions(view: Position, seat: int) -> Iterator[Position]:
    """Every way to deal the cards that a seat has not located to the other hands, their seals and the Table Seal, by public counts alone."""
    known = view.hands[seat] | view.sealed[seat]
    for other in range(view.players):
        known |= view.played[other] | view.subscribed[other]
    others = [other for other in range(view.players) if other != seat]
    rooms = [("hands", other, view.counts[other]) for other in others]
    rooms += [("sealed", other, 1) for other in others if view.seals[other]]

    def fill(left: list[str], to_fill: list[tuple[str, int, int]]) -> Iterator[dict]:
        if not to_fill:
            yield {"table_seal": cards(left)}
            return
        (field, other, size), *rest = to_fill
        for chosen in itertools.combinations(left, size):
            for more in fill([card for card in left if card not in chosen], rest):
                yield {(field, other): cards(chosen), **more}

    for filled in fill(card_names(DECK & ~known), rooms):
        game = view.copy()
        game.record.table_seal = filled.pop("table_seal")
        for (field, other), chosen in filled.items():
            game.record[field][other] = chosen
        yield game


def places(game: Position) -> tuple:
    """Where all cards are."""
    return (*game.hands, *game.sealed, game.table_seal)


# Hands at the beginning, the Trump, how many subscribed, the story, who guesses, how many completions there are, how many fit.
STORIES = {
    "nothing has been told": (["AH 2D", "KH 3C", "4C 5S"], None, 0, [], 0, 1260, 1260),
    "all have followed": (
        ["AH 2D", "KH 3C", "4H 5S"], "S", 1,
        ["0: play AH", "1: play KH", "2: play 4H"], 0, 120, 120,
    ),
    "one has shown a void": (
        ["AH 2H 3C", "2C 3D 6S", "4D 5H 7H"], "S", 3,
        ["0: play AH", "1: play 2C", "2: play 5H"], 0, 30, 18,
    ),
    "one has shown a void, and the suit may be sealed": (
        ["AH 2D 3D", "KC 3C 5S", "4H 5H 6S"], "S", 2,
        ["0: play AH", "1: play KC", "2: play 4H"], 0, 180, 120,
    ),
    "both others have shown a void": (
        ["AH 2H 3C", "2C 3D 6S", "4D 5C 7S"], "S", 3,
        ["0: play AH", "1: play 2C", "2: play 4D"], 0, 30, 30,
    ),
    "a void that leaves one place for a card": (
        ["3H 4H 2C", "2D 3D QC", "8H 9H 7C"], "S", 3,
        ["0: play 3H", "1: play 2D", "2: play 8H", "1: play 3D", "2: play 7C", "0: play 2C"], 0, 6, 4,
    ),
    "a trump lead": (
        ["2S 4S", "3H KD", "9H 8S"], "S", 2,
        ["0: play 2S", "1: play 3H"], 1, 60, 24,
    ),
    "a trump lead some tricks ago": (
        ["3S 7S 8S", "4S 5D 6D", "9H TH JH"], "S", 2,
        ["0: play 3S", "1: play 4S", "2: play 9H", "2: play TH", "0: play 7S"], 1, 24, 8,
    ),
    "a void in Trump, shown on a trump lead": (
        ["3S 7S 8S", "4S 5D 6D", "9H TH JH"], "S", 1,
        ["0: play 3S", "1: play 4S", "2: play 9H"], 0, 1260, 600,
    ),
    "four players, two voids": (
        ["AH 3D", "2C 4D", "5H 6H", "2D 6S"], "S", 4,
        ["0: play AH", "1: play 2C", "2: play 5H", "3: play 2D"], 0, 6, 2,
    ),
    "five players, one void": (
        ["AH 3D", "2C 4D", "5H 5D", "6H 8H", "7H 7S"], "S", 5,
        ["0: play AH", "1: play 2C", "2: play 5H", "3: play 6H", "4: play 7H"], 0, 360, 300,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
def test_guesses_are_all_games_with_which_the_story_can_be_told_and_no_others(name):
    hands, trump, subscribers, story, seat, of, fit = STORIES[name]
    if not JIT and of > 100:
        pytest.skip("too many completions for plain Python")
    beginning = position(hands, trump=trump, subscribers=subscribers)
    game = choose(beginning.copy(), *story)
    tried, possible = 0, set()
    for other in completions(game.seen_by(seat), seat):
        tried += 1
        other.record.signers = game.record.signers
        told = retell(beginning, other, story)
        if told and look_alike(told, game, seat):
            possible.add(places(other))
    assert (tried, len(possible)) == (of, fit)
    drawn = guesses(game, seat, many(20 * fit, 20))
    assert all(is_sound(guess) for guess in drawn)
    guessed = {places(guess) for guess in drawn}
    assert guessed <= possible
    if JIT:
        assert guessed == possible


@pytest.mark.parametrize("hands", [["AH 2D", "KH 3C", "4C 5S"], ["AH 2D", "KH 3C", "4C 5S", "6S 6C"]])
def test_guesses_are_all_as_likely_where_no_void_is_known(hands):
    game = position(hands, trump="S", subscribers=len(hands) - 1)
    n = many(20000, 300)
    found = Counter(guess.hand(1) for guess in guesses(game, 0, n))
    expected = n / len(found)
    chi_square = sum((times - expected) ** 2 / expected for times in found.values())
    assert chi_square < len(found) + 4 * (2 * len(found)) ** 0.5


class Chronicle:
    """Random games in step, each with its round's story as its own record tells it."""

    def __init__(self, n: int, players: int, seed: int, **options: object):
        self.batch = Batch(GAME, n, players=players, seed=seed, **options)
        self.beginnings = [Position(self.batch.games[i : i + 1].copy()) for i in range(n)]
        self.stories: list[list[str]] = [[] for _ in range(n)]

    def step(self) -> None:
        """A random choice in every game; to subscribe or to abstain as likely."""
        batch = self.batch
        weights = batch.masks * np.random.default_rng(int(batch.keys[0] % 2**32)).random(batch.masks.shape)
        weights[:, ABSTAIN] += batch.masks[:, ABSTAIN] * (batch.keys % 2)
        actions, seats = weights.argmax(1), batch.seats.copy()
        batch.step(actions)
        for i, action in enumerate(actions):
            self.stories[i].append(f"{seats[i]}: {GAME.choice(int(action), int(seats[i]), 5)}")
            begins = batch.games["phase"][i] == COVENANT and not batch.games["choices"][i].any()
            if begins or batch.ends[i]:
                self.beginnings[i] = Position(batch.games[i : i + 1].copy())
                self.stories[i] = []


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"top_card": "highest"}])
@PLAYERS
def test_with_the_cards_of_a_guess_the_round_can_be_told_as_everyone_saw_it(players, options):
    chronicle = Chronicle(many(40, 2), players, seed=players, **options)
    random = np.random.default_rng(players)
    told = Counter()
    for _ in range(many(130, 30)):
        chronicle.step()
        for i in np.flatnonzero(random.random(chronicle.batch.n) < many(10, 50) / 100):
            game = Position(chronicle.batch.games[i : i + 1].copy())
            if game.phase <= DEAL:
                continue
            seat = int(random.integers(players))
            guess = guesses(game, seat, 1, first_seed=int(random.integers(2**32)))[0]
            again = retell(chronicle.beginnings[i], guess, chronicle.stories[i])
            assert again is not None, chronicle.stories[i]
            assert look_alike(again, game, seat), chronicle.stories[i]
            told[game.phase] += 1
    assert told[COVENANT]
    assert told[TRICK] > many(100, 5)
    if JIT:
        assert told[SEALING] > 10
