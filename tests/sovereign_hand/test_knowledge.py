"""What a seat knows of The Sovereign Hand: views, `check`, guesses."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from handfast.envs.core.batch import Batch
from handfast.envs.core.compiling import JIT
from handfast.envs.sovereign_hand import rules
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    SUITS,
    Position,
    cards,
    cards_fit,
    choose,
    is_sound,
    names,
    position,
    random_steps,
    random_story,
    reckoning,
    retell,
    start,
    tell,
)


def guesses(game: Position, seat: int, n: int, first_seed: int = 1) -> list[Position]:
    """Full games that this could be, as far as a seat knows."""
    view = game.seen_by(seat)
    games = GAME.unchecked.guess(np.repeat(view.games, n), seat, np.arange(first_seed, first_seed + n))
    return [Position(games[i : i + 1]) for i in range(n)]


# --- Views ----------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_house_and_how_many_cards_the_others_hold():
    game = start(5, seed=6)
    for seat in range(5):
        view = game.seen_by(seat)
        assert view.hands == [game.hands[other] if other == seat else [0] * 10 for other in range(5)]
        assert view.houses == [game.houses[other] if other == seat else 0 for other in range(5)]
        assert view.house_counts == [3] * 5
        assert view.counts[0] == [7] * 5
        assert view.sign == game.sign
        assert view.seed == 0


@ruling("R10")
def test_a_seat_remembers_its_own_spare_card_and_nobody_else_learns_it():
    game = position(["3H", "6D", "9D"], ["8S", "", ""], claims=[8])
    choose(game, "0: call 8S", "1: play 6D", "2: play 9D")
    assert game.seen_by(0).hand(0, 1) == "3H"
    assert game.seen_by(1).hand(0, 1) == ""
    assert game.seen_by(1).counts[0] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("answer", "void"), [("play 7H", ""), ("call 8H", ""), ("play 4D", "H"), ("call TD", "H"), ("call 3C", "H")]
)
@ruling("R1")
def test_only_a_card_of_another_suit_tells_that_the_hand_lacks_the_suit_led(answer, void):
    hand = "4D 5S" if void else "7H 4D"
    game = position(["AH 6S", hand, "QH 5C"], ["", "8H TD 3C", ""], sign="2C")
    choose(game, "0: play AH", f"1: {answer}")
    assert game.voids[0][1] == sum(1 << SUITS.index(suit) for suit in void)
    if void:  # of the hand, not of the House
        assert any("H" in guess.house(1) for guess in guesses(game, 0, many(200, 12)))
    hearts = [any("H" in card for card in guess.hand(1).split()) for guess in guesses(game, 0, many(200, 12))]
    assert any(hearts) != bool(void)


def test_what_was_shown_void_is_forgotten_when_new_hands_are_dealt():
    game = reckoning([8, 0, 0], [8, 0, 0], ["", "", ""], trick="")
    game.record.voids[0, 1] = 15
    assert game.round_no == 2
    assert game.voids[1] == [0] * 5


# --- check ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_check_holds_on_random_games(players):
    for batch in random_steps(many(200, 2), many(500, 40), players, seed=1):
        assert GAME.judge(batch.games)[2].all()


def test_check_holds_on_finished_games():
    batch = Batch(GAME, many(100, 1), 4, seed=1, restart=False)
    while (batch.seats >= 0).any():
        batch.step_at_random()
    assert GAME.judge(batch.games)[2].all()


def with_past(game: Position, seen: str, spares: Iterable[tuple[int, str, str]] = (), past: int = 0) -> Position:
    """The same position with an earlier round of which all know that the cards `seen` were in no hand at its end.

    `spares` are the cards that seats had left, with the suits that they had shown void by then.
    """
    game.record.seen[past] = cards(seen)
    for seat, card, void in spares:
        game.record.hands[seat, past] = cards(card)
        game.record.counts[past, seat] = 1
        game.record.voids[past, seat] = sum(1 << SUITS.index(suit) for suit in void)
    assert cards_fit(game)
    return game


def spoilt(field: str, change: object) -> Position:
    """A position in which nothing is as it should be in this field."""
    hands, houses = ["AH 3C", "KH 4D", "QS 5C"], ["TD", "8H 9H", ""]
    game = with_past(position(hands, houses, round_no=2, called=[]), "2C 3C", [(1, "TS", "H")])
    value = game.games[field][0].copy()
    change(value)
    game.games[field][0] = value
    return game


def adds(place: int | tuple[int, int], more: str):
    """A change that adds cards to a place."""

    def change(value: np.ndarray) -> None:
        value[place] |= cards(more)

    return change


def sets(place: int | tuple[int, int], number: int):
    """A change that puts a number in a place."""

    def change(value: np.ndarray) -> None:
        value[place] = number

    return change


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("hands", adds((0, 1), "AD")),
        ("hands", sets((0, 1), cards("AH"))),
        ("hands", sets((0, 1), cards("AH KH"))),  # in two hands
        ("hands", sets((0, 1), cards("AH TD"))),  # in the own House
        ("hands", sets((0, 1), cards("AH 8H"))),  # in another House
        ("hands", sets((0, 1), cards("AH 2C"))),  # the Sign
        ("hands", sets((1, 0), cards("9H"))),  # now in a House, which is never refilled
        ("hands", sets((1, 0), cards("7H"))),  # void of hearts
        ("hands", sets((1, 0), cards("3C"))),  # seen elsewhere
        ("hands", sets((2, 0), cards("7C"))),  # had none left
        ("houses", sets(0, cards("8H"))),
        ("houses", sets(0, cards("3C"))),  # seen in the first round
        ("houses", sets(0, cards("TS"))),  # a spare card of the first round
        ("houses", adds(0, "JD")),
        ("house_counts", sets(1, 3)),
        ("counts", sets((1, 2), 1)),
        ("counts", sets((0, 1), 0)),
        ("seen", adds(0, "TD")),
        ("seen", adds(1, "QS")),
        ("voids", sets((1, 1), 4)),
    ],
)
def test_check_finds_whatever_cannot_be(field, change):
    assert cards_fit(spoilt(field, lambda value: None))
    assert not cards_fit(spoilt(field, change))
    assert not is_sound(spoilt(field, change))


def exchanged(game: Position, random: np.random.Generator) -> Position:
    """The game with a card that is in a House or a hand exchanged for another: in the Houses, in the hands of a round, or in both."""
    game = game.copy()
    past = int(random.integers(game.round_no))
    places = [game.record.houses, game.record.hands[:, past]]
    held = names(int(np.bitwise_or.reduce(np.concatenate(places)))).split()
    a = cards([str(random.choice(held or ALL_CARDS))])
    b = cards([str(random.choice([card for card in ALL_CARDS if cards([card]) != a]))])
    first, end = ((0, 1), (1, 2), (0, 2))[random.integers(3)]
    for place in places[first:end]:
        for seat in range(game.players):
            if bool(place[seat] & a) != bool(place[seat] & b):
                place[seat] ^= a | b
    return game


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_check_holds_for_just_those_cards_with_which_the_whole_game_can_be_told(players):
    random = np.random.default_rng(players)
    told = Counter()
    for seed in range(many(30, 2)):
        events = random_story(players, seed, int(random.integers(1, many(250, 80))))
        game = tell(players, events)
        for _ in range(many(8, 3)):
            other = exchanged(game, random)
            again = retell(events, other)
            same = again is not None and again.games.tobytes() == other.games.tobytes()
            assert is_sound(other) == same, (seed, len(events))
            told[same] += 1
    assert min(told.values()) > many(25, -1)


# --- Guesses --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_with_the_cards_of_a_guess_the_whole_game_can_be_told_as_the_seat_saw_it(players):
    random = np.random.default_rng(players)
    for seed in range(many(25, 1)):
        events = random_story(players, 100 + seed, int(random.integers(1, many(600, 60))))
        game = tell(players, events)
        for seat in range(players):
            guess = guesses(game, seat, 1, first_seed=seed)[0]
            again = retell(events, guess)
            assert again is not None
            assert again.seen_by(seat).games.tobytes() == game.seen_by(seat).games.tobytes()
            guess.record.seed = 0
            assert again.games.tobytes() == guess.games.tobytes()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_guess_is_a_sound_game_that_looks_the_same(players):
    random = np.random.default_rng(3)
    for batch in random_steps(many(100, 2), many(300, 8), players, seed=2):
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
    assert one.houses != two.houses
    assert guesses(game, 1, 1)[0].games.tobytes() == one.games.tobytes()
    other = guesses(one, 1, 1)[0]  # the hidden cards are others now
    assert other.games.tobytes() == one.games.tobytes()


def test_a_guess_does_not_know_the_luck_to_come():
    game = start(4, seed=999)
    assert [guess.seed for guess in guesses(game, 1, 20)] == list(range(1, 21))


def seen_outside(events: list[dict], seat: int) -> set[str]:
    """The cards that a seat has seen outside the Houses, or holds in its own: by the events as it sees them."""
    found: set[str] = set()
    for event in events:
        if event.get("chance") == "houses":
            found |= set(event["houses"][seat])
        elif event.get("chance") == "deal":
            found |= {event["sign"], *event["hands"][seat]}
        verb, _, card = event.get("action", "").partition(" ")
        if verb in ("play", "call", "answer", "clear"):
            found.add(card)
    return found


@pytest.mark.parametrize("players", [3, 4, 5])
@ruling("R2")
def test_another_house_may_hold_just_the_cards_that_were_never_seen_outside_one(players):
    for seed in range(many(8, 1)):
        events = random_story(players, seed, many(160, 50))
        game = tell(players, events)
        for seat in range(players):
            drawn = guesses(game, seat, many(400, 20))
            others = [other for other in range(players) if other != seat]
            housed = {card for guess in drawn for other in others for card in guess.house(other).split()}
            possible = set(ALL_CARDS) - seen_outside(events, seat)
            assert housed <= possible
            if game.voids == [[0] * 5] * 10 and sum(game.house_counts) > 3:
                assert housed == possible


@ruling("R10")
def test_the_own_spare_card_is_in_no_other_house_and_may_be_in_one_for_all_that_others_know():
    game = position(["3H", "6D", "9D"], ["8S", "KC QC JC", "7S"], claims=[8])
    choose(game, "0: call 8S", "1: play 6D", "2: play 9D")
    for seat in range(3):
        housed = [cards("3H") & sum(guess.houses) != 0 for guess in guesses(game, seat, many(600, 60))]
        assert any(housed) == (seat != 0)


# --- Every game that fits, and no other -----------------------------------------------------------------------

Key = tuple[str, ...]


def deals(free: set[str], places: list[tuple[int, str]]) -> Iterator[tuple[str, ...]]:
    """Every way to give each place its number of these cards, none of the suits that it lacks."""
    if not places:
        yield ()
        return
    (number, void), *rest = places
    for chosen in itertools.combinations(sorted(card for card in free if card[1] not in void), number):
        for more in deals(free - set(chosen), rest):
            yield (" ".join(chosen), *more)


def completions(view: Position, seat: int) -> set[Key]:
    """All that the other Houses, and then the other hands by round, could hold as far as a seat knows."""
    others = [other for other in range(view.players) if other != seat]
    unknown, needs = [], []
    for past in range(view.round_no):
        known = view.seen[past] | view.hands[seat][past] | view.houses[seat]
        unknown.append({card for card in ALL_CARDS if not cards(card) & known})
        voids = ["".join(suit for i, suit in enumerate(SUITS) if view.voids[past][other] >> i & 1) for other in others]
        needs.append([(view.counts[past][other], void) for other, void in zip(others, voids, strict=True)])
    found = set()
    for houses in deals(set.intersection(*unknown), [(view.house_counts[other], "") for other in others]):
        housed = set(" ".join(houses).split())
        ways = [deals(free - housed, places) for free, places in zip(unknown, needs, strict=True)]
        found |= {(*houses, *itertools.chain(*hands)) for hands in itertools.product(*ways)}
    return found


def key_of(guess: Position, seat: int) -> Key:
    """What the other Houses, and then the other hands by round, hold in a guess."""
    others = [other for other in range(guess.players) if other != seat]
    sets = [guess.houses[other] for other in others]
    sets += [guess.hands[other][past] for past in range(guess.round_no) for other in others]
    return tuple(" ".join(sorted(names(one).split())) for one in sets)


def all_but(hidden: str) -> str:
    """Every card but these."""
    return " ".join(card for card in ALL_CARDS if card not in hidden.split())


def small(hands: list[str], houses: list[str], undealt: str, voids: Iterable[tuple[int, str]] = (), **more) -> Position:
    """A position in which seat 0 has seen all cards but these: more than a round can show, to keep completions few."""
    game = position(hands, houses, sign="AS", **more)
    hidden = " ".join([*hands, *houses, undealt])
    game.record.seen[game.round_no - 1] = cards(all_but(hidden))
    for seat, void in voids:
        game.record.voids[game.round_no - 1, seat] = sum(1 << SUITS.index(suit) for suit in void)
    assert cards_fit(game)
    return game


SMALL = {
    "nothing shown void": (
        lambda: small(["AH", "2H", "3H"], ["", "4H", "5H"], "6H"), 24 * 5),
    "a hand void of a suit": (
        lambda: small(["AH AD", "2H 3H", "2S 3S"], ["", "4H", "4S"], "5S", [(1, "S")]), None),
    "two hands that need what is left of two suits": (
        lambda: small(["AH AD", "2H 3H", "2S 3S"], ["", "4D", "5D"], "6D", [(1, "SDC"), (2, "HDC")]), 6),
    "hands that share a suit and leave one of its cards": (
        lambda: small(["AH AD", "2H 3H", "4H 5D"], ["", "6H", "5S"], "6D", [(1, "SDC"), (2, "SC")]), None),
    "a spare card of one suit": (
        lambda: with_past(small(["AH", "2H", "3H"], ["", "4H", "5S"], "6S", round_no=2),
                          all_but("4H 5S 6H 7S"), [(1, "6H", "SDC")]), None),
    "a spare card that can only have been one": (
        lambda: with_past(small(["AH", "2H", "3S"], ["", "4S", "5S"], "6H", round_no=2),
                          all_but("4S 5S 6H"), [(2, "6H", "SDC")]), None),
    "spare cards of two seats in one round": (
        lambda: with_past(small(["AH", "2H", "3S"], ["", "4S", "5S"], "6H", round_no=2),
                          all_but("4S 5S 6H 2H 7S"), [(1, "2H", "SDC"), (2, "7S", "")]), None),
    "spare cards of two rounds": (
        lambda: with_past(with_past(small(["AH", "2H", "3S"], ["", "4S 4H", "5S"], "6H", round_no=3),
                                    all_but("4S 5S 6H 2H 4H 7S"), [(1, "6H", "SDC")]),
                          all_but("4S 5S 7S 4H 8D 8H"), [(1, "7S", "DH"), (2, "8D", "H")], past=1), None),
    "an own spare card": (
        lambda: with_past(small(["AH", "2H", "3H"], ["", "4H", "5H"], "6H", round_no=2),
                          all_but("2H 3H 4H 5H 6H"), [(0, "6H", "")]), 4 * 3 * 3 * 2),
    "the last trick of five players": (
        lambda: small(["AH", "2H", "3S", "4D", "5C"], ["", "6H", "6S", "", ""], "6D", [(1, "S"), (3, "HS")]), None),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
@ruling("R1", "R10")
def test_guesses_are_all_games_that_fit_and_no_others(name):
    build, number = SMALL[name]
    game = build()
    possible = completions(game.seen_by(0), 0)
    assert number is None or len(possible) == number
    assert key_of(game, 0) in possible
    drawn = guesses(game, 0, many(20000, 25))
    assert all(cards_fit(guess) for guess in drawn[: many(300, 5)])
    guessed = {key_of(guess, 0) for guess in drawn}
    assert guessed <= possible
    if JIT:
        assert guessed == possible


def chi_square(found: Counter, of: int) -> float:
    """How far these counts are from all `of` outcomes being as likely."""
    expected = sum(found.values()) / of
    return sum((number - expected) ** 2 / expected for number in found.values()) + expected * (of - len(found))


@pytest.mark.skipif(not JIT, reason="too many guesses for plain Python")
def test_guesses_are_all_as_likely_where_nothing_was_shown_void():
    game = SMALL["nothing shown void"][0]()
    found = Counter(key_of(guess, 0) for guess in guesses(game, 0, 20000))
    assert chi_square(found, 120) < 173.6  # exceeded once in a thousand with 119 degrees of freedom


@pytest.mark.skipif(not JIT, reason="too many guesses for plain Python")
def test_every_set_of_cards_that_the_houses_could_hold_is_as_likely():
    game = SMALL["a hand void of a suit"][0]()
    housed = [" ".join(sorted(" ".join(key[:2]).split())) for key in completions(game.seen_by(0), 0)]
    found = Counter(" ".join(sorted(" ".join(key_of(guess, 0)[:2]).split())) for guess in guesses(game, 0, 10000))
    assert set(found) <= set(housed)
    assert len(set(housed)) == 18  # of the 21 pairs of 7 cards those that leave seat 1 two hearts
    assert chi_square(found, 18) < 40.8  # exceeded once in a thousand with 17 degrees of freedom


def test_the_phases_of_a_reckoning_can_be_guessed_too():
    game = reckoning([0, 1, 1], [8, 0, 0], ["6H 7H", "6D", ""], marks=[1, 0, 0])
    assert game.phase == rules.DEBT
    for seat in range(3):
        for guess in guesses(game, seat, 10):
            assert cards_fit(guess)
            assert [len(guess.house(other).split()) for other in range(3)] == [2, 1, 0]
