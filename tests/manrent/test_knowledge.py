"""What a seat knows of Manrent: views, guesses that agree with all of it, and `check`."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from handfast.envs.core.cards import card_names
from handfast.envs.core.compiling import JIT, as_bytes
from handfast.envs.core.table import CHANCE
from handfast.envs.manrent.cards import ACES, PAYING, PAYING_TRIBUTE
from tests.rulings import many, ruling

from .table import (
    GAME,
    HANDS,
    NotSo,
    Position,
    cards,
    choose,
    is_sound,
    luck_decides,
    names,
    number,
    position,
    random_steps,
    reshuffle,
    start,
)


def guesses(game: Position, seat: int, n: int, first_seed: int = 0) -> list[Position]:
    """Full games that this could be, as far as a seat knows."""
    view = game.seen_by(seat)
    games = GAME.guess(np.repeat(view.games, n), seat, np.arange(first_seed, first_seed + n))
    assert GAME.judge(games)[2].all()
    return [Position(games[i : i + 1]) for i in range(n)]


def hidden(game: Position) -> tuple:
    """What a guess fills in: hands and the Stock in order."""
    return tuple(game.hands), game.stock_cards()


# --- Views ----------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold():
    game = start()
    for seat in range(4):
        view = game.seen_by(seat)
        assert view.hands == [game.hands[other] if other == seat else 0 for other in range(4)]
        assert view.counts == [7] * 4
        assert (view.stock_left, view.seed) == (5, 0)
        assert not any(view.stock)


def test_everything_else_lies_open():
    game = choose(position(HANDS, act=True, courts=["JH", "QH", "", ""]), "0: invite JS with 7H 8H")
    view = game.seen_by(2)
    for field in ("row", "discard", "market", "courts", "houses", "upright", "known", "seat", "phase", "out", "shown"):
        assert getattr(view, field) == getattr(game, field)


# --- Guesses agree with everything ----------------------------------------------------------------------------


def test_guesses_are_sound_and_look_the_same_to_the_seat():
    random = np.random.default_rng(5)
    for step, batch in enumerate(random_steps(many(100, 3), many(300, 12), seed=2)):
        if step % 5 == 0:
            seats = random.integers(0, 4, batch.n).astype(np.int32)
            views, masks, features = GAME.look(batch.games, seats)
            guessed = GAME.guess(views, seats, random.integers(0, 2**63, batch.n).astype(np.uint64))
            assert GAME.judge(guessed)[2].all()
            again = GAME.look(guessed, seats)
            assert as_bytes(again[0]).tobytes() == as_bytes(views).tobytes()
            assert again[1].tobytes() == masks.tobytes()
            assert again[2].tobytes() == features.tobytes()


@ruling("R3")
def test_row_picks_stay_where_they_went_in_every_guess_until_they_leave():
    game = position(HANDS, row="9H 9S 9D 9C", stock="TH TS TD TC")
    choose(game, "0: row 9D", "0: pass", "discard 2H", "1: row TH", "1: pass", "discard 2S")
    assert all(
        cards("9D") & guess.hands[0] and cards("TH") & guess.hands[1] for guess in guesses(game, 2, many(50, 10))
    )
    choose(game, "2: stock", "2: pass", "discard 2D", "3: stock", "3: pass", "discard 2C")
    luck_decides(choose(game, "0: stock"))
    choose(game, "0: pass", "discard 9D")
    assert game.known[0] == 0
    assert all(cards("9D") & guess.discard for guess in guesses(game, 2, 10))


@ruling("R3")
def test_payments_received_stay_where_they_went_in_every_guess():
    game = position(HANDS, act=True, courts=["", "", "JH", ""])
    choose(game, "0: entice JH with 7H 8H")
    for guess in guesses(game, 1, many(50, 10)):
        assert cards("7H 8H") & ~guess.hands[2] == 0
        assert guess.hands[0].bit_count() == 5


def test_a_seats_own_stock_draws_are_in_its_hand_in_every_guess():
    game = choose(position(HANDS, stock="9H 9S 9D 9C"), "0: stock")
    assert all(cards("9H") & guess.hands[0] for guess in guesses(game, 0, 10))
    assert any(not cards("9H") & guess.hands[0] for guess in guesses(game, 1, 20))


def test_discards_are_never_in_a_hand_or_the_stock():
    game = choose(
        position(["2H 3H 4H 5H 6H 7H 8H 9H", *HANDS[1:]], act=True, stock="TH TS AH"), "0: pass", "discard 5H"
    )
    for guess in guesses(game, 1, 20):
        assert not any(cards("5H") & hand for hand in guess.hands)
        assert "5H" not in guess.stock_cards()


@ruling("R12")
def test_aces_shown_are_in_the_stock_in_every_guess_until_they_are_met():
    game = position(HANDS, stock="9H AS 9D AC 9C", shown="AC", round_no=2)
    aces = Counter(names(cards(guess.stock_cards()) & ACES) for guess in guesses(game, 0, many(200, 24)))
    assert set(aces) == {"AH AC", "AS AC", "AD AC"}
    choose(game, "0: stock", "0: pass", "discard 2H", "1: stock")
    assert names(game.out) == "AS"
    assert {names(cards(guess.stock_cards()) & ACES) for guess in guesses(game, 0, 20)} == {"AC"}


def test_in_the_last_round_everyone_knows_which_aces_are_in_the_stock():
    game = position(HANDS, stock="9H AH AD AC 9C", round_no=4)
    assert {names(cards(guess.stock_cards()) & ACES) for guess in guesses(game, 0, 20)} == {"AH AD AC"}


def test_after_a_reshuffle_everyone_knows_the_set_of_the_stock_and_not_its_order():
    game = position(HANDS, rest=None)
    pool = game.discard
    choose(game, "0: row TH")
    luck_decides(game)
    for seat in range(4):
        stocks = {guess.stock_cards() for guess in guesses(game, seat, 20)}
        assert {cards(stock) for stock in stocks} == {pool & ~cards(game.places())}
        assert len(stocks) > 1 or len(names(pool).split()) < 4


def test_who_drew_from_a_reshuffled_stock_holds_one_of_its_cards_in_every_guess():
    game = position(HANDS)
    pool = game.discard
    choose(game, "0: stock")
    luck_decides(game)
    drawn = Counter(names(guess.hands[0] & pool) for guess in guesses(game, 1, many(200, 40)))
    assert set(drawn) == set(card_names(pool))
    choose(game, "0: pass", f"discard {names(game.hands[0] & pool)}")
    assert not any(guess.hands[0] & pool for guess in guesses(game, 1, 20))


# --- Who is paying can pay ------------------------------------------------------------------------------------


@ruling("R5")
def test_who_began_a_payment_can_finish_it_in_every_guess():
    game = position(["TH TS", "2H 2S", "2D 2C", "3H 3S"], act=True, row="9H 9S 9D 9C", rest=3)
    choose(game, "0: invite QH")
    for seat in (1, 2, 3):
        for guess in guesses(game, seat, many(100, 4)):
            assert worth(guess.hand(0), "H") >= 20


def worth(hand: str, suit: str) -> int:
    """What a hand counts toward a Royal of a suit."""
    return sum((10 if card[0] == "T" else int(card[0])) + (card[1] == suit) for card in hand.split())


@ruling("R5", "R11")
def test_cards_offered_count_toward_what_the_hand_can_pay():
    game = position(["TH 9H 2D", "2H 2S", "8D 2C", "3H 3S"], act=True, rest=3)
    choose(game, "0: invite QH", "pay TH")
    for guess in guesses(game, 3, many(100, 4)):
        assert cards("TH") & guess.hands[0]
        assert worth(guess.hand(0), "H") >= 20
    choose(game, "pay 9H", "done")
    assert any(worth(guess.hand(0), "H") < 9 for guess in guesses(game, 1, many(100, 8)))


def test_a_protected_royal_says_that_two_cards_of_the_suit_are_held():
    game = position(["2H 3H 9S", "2S 4H", "2D", "2C"], stock="AH 9C", rest=3, courts=["JH", "", "", ""])
    choose(game, "0: stock", "0: protect JH")
    assert min(hearts_of(game, 1)) == 2
    choose(game, "tribute 2H")
    assert min(hearts_of(game, 1)) == 1
    choose(game, "tribute 3H")
    assert min(hearts_of(game, 1)) == 0


def hearts_of(game: Position, seat: int) -> set[int]:
    """How many hearts seat 0 holds in guesses of another."""
    return {guess.hand(0).count("H") for guess in guesses(game, seat, many(300, 12))}


def test_a_hand_that_hardly_any_deal_could_give_is_found_too():
    game = position(["2H 3H", "", "4H 5H 6H", ""], stock="AH 9C", rest=3, row="TH 9H 8H 7H", courts=["JH", "", "", ""])
    choose(game, "0: stock", "0: protect JH")
    assert all(guess.hand(0).count("H") == 2 for guess in guesses(game, 2, many(200, 3)))
    game = position(["TH TS", "", "", ""], act=True, rest=3, row="9H 9S 9D 9C")
    choose(game, "0: invite QH")
    pairs = itertools.combinations(card_names(int(np.bitwise_or.reduce(game.hands))), 2)
    right = {" ".join(pair) for pair in pairs if worth(" ".join(pair), "H") >= 20}
    found = {guess.hand(0) for guess in guesses(game, 1, many(2000, 5))}
    assert found == right if JIT else found <= right
    assert len(right) == 7


@pytest.mark.parametrize("phase", [PAYING, PAYING_TRIBUTE])
def test_who_is_paying_can_in_guesses_of_random_games(phase):
    found = 0
    for batch in random_steps(many(300, 6), many(200, 30), seed=4):
        paying = batch.games["phase"] == phase
        if paying.any():
            seats = (batch.games["seat"][paying] + 1) % 4
            views = GAME.look(batch.games[paying], seats)[0]
            assert GAME.judge(GAME.guess(views, seats, np.arange(paying.sum())))[2].all()
            found += int(paying.sum())
    assert found > 0 or not JIT


# --- Every completion has a chance ----------------------------------------------------------------------------


def tell(game: Position, story: Sequence[str], seen: list[bytes], seat: int) -> Iterator[Position]:
    """Every end of a story from this beginning, however luck reshuffles, that looks to a seat as `seen`, step by step."""
    if GAME.look(game.games, seat)[0].tobytes() != seen[0]:
        return
    if game.seat == CHANCE:
        for stock in itertools.permutations(card_names(game.discard)):
            yield from tell(reshuffle(game.copy(), " ".join(stock)), story, seen[1:], seat)
    elif story:
        try:
            after = choose(game.copy(), story[0])
        except NotSo:
            return
        yield from tell(after, story[1:], seen[1:], seat)
    else:
        yield game


def told(game: Position, story: Sequence[str], stocks: Sequence[str], seat: int) -> tuple[Position, list[bytes]]:
    """The true end of a story, and what a seat sees at every step."""
    seen, stocks = [], list(stocks)
    story = list(story)
    while True:
        seen.append(GAME.look(game.games, seat)[0].tobytes())
        if game.seat == CHANCE:
            reshuffle(game, stocks.pop(0))
        elif story:
            choose(game, story.pop(0))
        else:
            return game, seen


def redealt(game: Position, seat: int) -> Iterator[Position]:
    """Every game that deals the cards unknown to a seat at the beginning otherwise to the same places."""
    places = [
        card for other in range(4) if other != seat for card in card_names(game.hands[other] & ~game.known[other])
    ]
    places += game.stock_cards().split()
    for dealt in set(itertools.permutations(places)):
        other_game, left = game.copy(), list(dealt)
        record = other_game.record
        for other in range(4):
            if other != seat:
                size = game.counts[other] - game.known[other].bit_count()
                record.hands[other] = game.known[other] | cards(left[:size])
                left = left[size:]
        record.stock[: game.stock_left] = [number(card) for card in left[::-1]]
        if not any(hand & ACES for hand in other_game.hands):
            yield other_game


# Three hands hold what seat 3 does not; everything that it could tell apart lies open.
OPEN = "2H 2S 2D 2C 3H 3S 3D 3C 4H 4S 4D 4C 5H 5S 5D 5C 6H 6S 6D 6C 7H 7S"

STORIES = {
    "draws from a Stock with an Ace": (
        dict(hands=["9H", "9S", "", OPEN], row="TH TS TD TC", stock="8H AH 8S", rest=3),
        ["0: stock", "0: pass", "1: row TH", "1: pass"], [],
    ),
    "a reshuffle while two hands hold cards of the deal": (
        dict(hands=["9H 7C", "9S", "", OPEN], row="TH TS TD TC", stock="8H", rest=3),
        ["0: stock", "0: invite JH", "pay 9H", "pay 8H", "done", "1: stock", "1: pass", "2: row TH", "2: pass"],
        ["8H 9H"],
    ),
    "a card of the second batch comes to light": (
        dict(hands=["9H 9D", "", "7D", OPEN], row="TH TS TD TC", rest=3, stock="8D 8H"),
        [
            "0: stock", "0: invite JH", "pay 9H", "pay 8D", "done", "1: stock", "1: pass",
            "2: stock", "2: invite JD", "pay 8D",
        ],
        ["8D 9H"],
    ),
    "a card of the second batch is given away": (
        dict(hands=["9H 8C", "9S", "7D", OPEN], row="TH TS TD TC", rest=3, act=True),
        [
            "0: invite JS", "pay 9H", "pay 8C", "done", "1: stock", "1: entice JS", "pay 8C", "pay 9S", "done",
            "2: stock", "2: pass",
        ],
        ["8C 9H"],
    ),
    "a payment under way": (
        dict(hands=["9H 6S", "9S 8S", "7D", OPEN], row="TH TS TD TC", rest=3, act=True),
        ["0: invite JH", "pay 6S"], [],
    ),
    "tribute under way": (
        dict(hands=["9H 8H", "7H 9S", "7D", OPEN.replace("7H ", "")], row="TH TS TD TC", rest=3, stock="AH 9D",
             courts=["JH", "", "", ""]),
        ["0: stock", "0: protect JH"], [],
    ),
}  # fmt: skip


@pytest.mark.skipif(not JIT, reason="takes hours in plain Python")
@pytest.mark.parametrize(("places", "story", "stocks"), STORIES.values(), ids=STORIES)
def test_guesses_are_just_the_games_in_which_the_story_looks_the_same(places, story, stocks):
    """Brute force: every other deal and reshuffle, told again choice by choice, against what guesses fill in."""
    seat = 3
    rest = {card for hand in (*places["hands"][:3], places["row"], places.get("stock", "")) for card in hand.split()}
    places = places | {"hands": [*places["hands"][:3], " ".join(c for c in OPEN.split() if c not in rest)]}
    beginning = position(**places)
    game, seen = told(beginning.copy(), story, stocks, seat)
    possible = Counter(hidden(end) for other in redealt(beginning, seat) for end in tell(other, story, seen, seat))
    assert hidden(game) in possible
    assert len(set(possible.values())) == 1  # each as likely as another
    found = Counter(hidden(guess) for guess in guesses(game, seat, 60 * len(possible)))
    assert set(found) == set(possible)
    assert max(found.values()) < 2.2 * min(found.values())


def test_hidden_cards_of_several_reshuffles_are_told_apart():
    most = 0
    for batch in random_steps(many(600, 2), many(400, 40), seed=9):
        remembered = (batch.games["hidden"].sum(1) > 0).sum(1)
        most = max(most, int(remembered.max()))
    assert most >= many(3, 0)
    many_batches = batch.games[remembered > 1]
    if len(many_batches):
        guessed = GAME.guess(GAME.look(many_batches, 0)[0], 0, np.arange(len(many_batches)))
        assert GAME.judge(guessed)[2].all()


# --- check ----------------------------------------------------------------------------------------------------


def spoilt(game: Position, **changes: object) -> bool:
    """Whether `check` finds that something is wrong after these changes to the record."""
    broken = game.copy()
    for field, value in changes.items():
        broken.record[field] = value
    return not is_sound(broken)


def test_check_finds_cards_that_are_nowhere_or_in_two_places():
    game = position(HANDS, stock="9H AH 9S", courts=["JH", "", "", ""], houses=["", "QH", "", ""], upright="QH")
    assert is_sound(game)
    assert spoilt(game, discard=game.discard | cards("2H"))
    assert spoilt(game, discard=0)
    assert spoilt(game, stock_left=2)
    assert spoilt(game, stock=[number("9H")] * 36)
    assert spoilt(game, row=[number("TH"), number("TS"), number("TD"), number("2H")])
    assert spoilt(game, market=game.market | cards("JH"))
    assert spoilt(game, market=game.market & ~cards("KH"))
    assert spoilt(game, round_no=2)
    assert spoilt(game, upright=cards("JH"))
    assert spoilt(game, out=cards("AH"))
    assert spoilt(game, out=cards("AS"))
    assert spoilt(game, shown=cards("AS"))


def test_check_finds_knowledge_that_is_not_so():
    game = position(HANDS, stock="9H AH 9S", act=True)
    assert spoilt(game, counts=[7, 7, 7, 8])
    assert spoilt(game, known=[cards("2S"), 0, 0, 0])
    assert spoilt(game, known=[cards("2H"), 0, 0, 0])
    assert spoilt(game, stock_batch=1)
    assert spoilt(game, batch=[1] * 36)
    choose(game, "0: invite JH", "pay 2H")
    assert spoilt(game, offered=cards("3H"))
    poor = choose(position(["7H 8S", "", "", ""], act=True, rest=3), "0: invite JS")
    assert spoilt(poor, target=number("QS"))
