"""Manrent's table in words: positions, choices, and luck as records write it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import STANDARD, card_names, parse_cards, parse_order
from handfast.envs.core.records import ending, legal_words
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.manrent.cards import (
    ACES,
    ACTING,
    COMMONS,
    DEAL,
    DRAWING,
    FILL,
    JACKS_AND_QUEENS,
    KINGS,
    REFILL,
    RESHUFFLE,
)
from handfast.envs.registry import get

GAME = get("manrent")
DECK = (1 << 52) - 1
EVERY_COMMON = card_names(COMMONS)
NOBODY = ("", "", "", "")
HANDS = (
    "2H 3H 4H 5H 6H 7H 8H", "2S 3S 4S 5S 6S 7S 8S", "2D 3D 4D 5D 6D 7D 8D", "2C 3C 4C 5C 6C 7C 8C"
)  # fmt: skip


# --- Cards ----------------------------------------------------------------------------------------------------


def cards(names: str | Iterable[str]) -> int:
    """The set of these cards: `cards("7H 7S")`."""
    return parse_cards(names.split() if isinstance(names, str) else list(names), DECK)


def names(cards: int) -> str:
    """A set of cards in writing: `7H 7S`."""
    return " ".join(card_names(cards))


def number(card: str) -> int:
    """The number of a card."""
    return STANDARD.index(card)


# --- Positions ------------------------------------------------------------------------------------------------


class Position:
    """One game, `games` [1]; every field of its record is an attribute: a number or a list."""

    def __init__(self, games: np.ndarray):
        self.games = games

    def __getattr__(self, field: str) -> Any:
        if field.startswith("_") or field == "games":
            raise AttributeError(field)
        return self.games[field][0].tolist()

    @property
    def record(self) -> Any:
        """The game as the words module takes it; writing to it changes the game."""
        return self.games.view(np.recarray)[0]

    def hand(self, seat: int) -> str:
        return names(self.hands[seat])

    def court(self, seat: int) -> str:
        return names(self.courts[seat])

    def house(self, seat: int) -> str:
        return names(self.houses[seat])

    def places(self) -> str:
        """The Row, place by place."""
        return " ".join("--" if card == NONE else STANDARD[card] for card in self.row)

    def stock_cards(self) -> str:
        """The Stock from its top on."""
        return " ".join(STANDARD[card] for card in self.stock[: self.stock_left][::-1])

    def copy(self) -> "Position":
        return Position(self.games.copy())

    def seen_by(self, seat: int) -> "Position":
        """What a seat sees."""
        return Position(GAME.unchecked.look(self.games, seat)[0])


def position(
    hands: Sequence[str] = NOBODY,
    active: int = 0,
    row: str = "",
    stock: str = "",
    rest: int | None = None,
    courts: Sequence[str] = NOBODY,
    houses: Sequence[str] = NOBODY,
    upright: str = "",
    known: Sequence[str] = NOBODY,
    round_no: int = 1,
    first: int = 0,
    turns: int | None = None,
    shown: str = "",
    act: bool = False,
    reached: bool = True,
    **options: Any,
) -> Position:
    """A position at the Draw of a turn, or where it is to `act`. The `stock` is named from its top on, Aces included.

    The Row is the highest four others where it is not named. Commons that are not named lie in the Market Discard, or
    are in the hand of seat `rest`; Royals that are not named are in the Royal Market; the round's Aces that are not in
    the Stock were met before. Only `known` cards of the hands are public. The rules can reach the position unless
    `reached` is false: no game can leave a gap in the Row beside a Stock.
    """
    if not row:
        named = [*" ".join(hands).split(), *stock.split()]
        others = [rank + suit for rank in "T98765432" for suit in "HSDC" if rank + suit not in named]
        row = " ".join(others[:4])
    games = GAME.blank(4, options)
    GAME.move(games, kernels.DEAL)
    record = games.view(np.recarray)[0]
    record.round_no, record.first_player, record.active = round_no, first, active
    record.turns = round_no - 1 if turns is None else turns
    free = COMMONS
    record.row[:] = [NONE if card == "--" else number(card) for card in row.split()]
    record.stock_left = len(stock.split())
    record.stock[: record.stock_left] = parse_order(stock.split(), cards(stock))[::-1]
    free &= ~(cards(row.replace("--", "")) | cards(stock))
    for seat, hand in enumerate(hands):
        record.hands[seat] = parse_cards(hand.split(), free)
        free &= ~int(record.hands[seat])
    if rest is None:
        record.discard = free
    else:
        record.hands[rest] |= free
    for seat in range(4):
        record.known[seat] = cards(known[seat])
        record.counts[seat] = int(record.hands[seat]).bit_count()
        record.hidden[seat, 0] = (int(record.hands[seat]) & ~int(record.known[seat])).bit_count()
        record.courts[seat], record.houses[seat] = cards(courts[seat]), cards(houses[seat])
    royals = int(np.bitwise_or.reduce(record.courts) | np.bitwise_or.reduce(record.houses))
    record.market = (JACKS_AND_QUEENS | sum(1 << king for king in KINGS[:round_no])) & ~royals
    record.upright, record.shown = cards(upright), cards(shown)
    met = card_names(ACES & ~cards(stock))
    record.out = cards(met[: round_no - (cards(stock) & ACES).bit_count()])
    record.seat, record.phase = active, ACTING if act else DRAWING
    if act:
        record.errand = FILL if row == "-- -- -- --" else REFILL
    assert is_sound(Position(games)) == reached, "no such position"
    return Position(games)


def deal_event(
    hands: Sequence[str] = HANDS, row: str = "9H 9S 9D 9C", stock: str = "TH TS TD TC AH", shown: str = ""
) -> dict[str, Any]:
    """What the record of a deal says, but for the round."""
    return {
        "hands": [hand.split() for hand in hands], "row": row.split(), "shown": shown.split(), "stock": stock.split(),
    }  # fmt: skip


def start(first: int = 0, seed: int = 0, by_luck: bool = False, **deal: Any) -> Position:
    """A game's first turn, dealt so, or by luck."""
    game = Position(GAME.blank(4, {}))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    if by_luck:
        luck_decides(game)
        return luck_decides(game)
    GAME.words.fill_chance(game.record, {"chance": "first", "seat": first})
    GAME.move(game.games, kernels.RESUME)
    return deal_so(game, **deal)


def luck_decides(game: Position) -> Position:
    """The one chance event at hand, as luck will."""
    assert game.seat == CHANCE
    GAME.move(game.games, kernels.ROLL)
    GAME.move(game.games, kernels.RESUME)
    return game


def deal_so(game: Position, **deal: Any) -> Position:
    """The round is dealt so."""
    assert (game.seat, game.phase) == (CHANCE, DEAL)
    GAME.words.fill_chance(game.record, deal_event(**deal))
    GAME.move(game.games, kernels.RESUME)
    return game


def reshuffle(game: Position, stock: str) -> Position:
    """The Market Discard becomes this Stock, named from its top on."""
    assert (game.seat, game.phase) == (CHANCE, RESHUFFLE)
    GAME.words.fill_chance(game.record, {"chance": "reshuffle", "stock": stock.split()})
    GAME.move(game.games, kernels.RESUME)
    return game


# --- Choices --------------------------------------------------------------------------------------------------


class NotSo(AssertionError):
    """A choice that the position does not allow."""


def legal(game: Position) -> set[str]:
    """The choices of the seat to move."""
    return set(legal_words(GAME, game.games))


def choose(game: Position, *choices: str) -> Position:
    """Take these choices, `3: pass` or without the seat.

    `invite JH with 7H 8S` begins the payment, offers these cards and is done; `protect JH with 7H 8H` likewise.
    Also in positions that the rules cannot reach.
    """
    for words in choices:
        seat, colon, choice = words.rpartition(": ")
        if colon and int(seat) != game.seat:
            raise NotSo(f"{words!r}, but seat {game.seat} is to move")
        begin, _, paid = choice.partition(" with ")
        _take(game, begin)
        for card in paid.split():
            _take(game, f"tribute {card}" if begin.startswith("protect") else f"pay {card}")
        if paid and not begin.startswith("protect"):
            _take(game, "done")
    return game


def _take(game: Position, choice: str) -> None:
    if game.seat < 0 or choice not in legal(game):
        raise NotSo(f"{choice!r} is not legal for seat {game.seat}; legal are {game.seat >= 0 and sorted(legal(game))}")
    GAME.unchecked.move(game.games, kernels.DECIDE, actions=GAME.action(choice, game.seat, 4))


def end(game: Position) -> dict[str, Any]:
    """How the game ended: the last line of its record."""
    assert game.seat == FINISHED, "the game goes on"
    return ending(GAME, game.games)


def score(game: Position) -> list[int]:
    """The points that the table shows."""
    return GAME.judge(game.games)[0][0].tolist()


def is_sound(game: Position) -> bool:
    """Whether `check` holds."""
    return bool(GAME.judge(game.games)[2][0])


def random_steps(n: int, steps: int, seed: int = 0, **options: Any) -> Iterator[Batch]:
    """A batch of games at each step of random play."""
    batch = Batch(GAME, n, seed=seed, **options)
    for _ in range(steps):
        yield batch
        batch.step_at_random()
