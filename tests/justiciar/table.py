"""The Justiciar's table in words: positions, choices and stories as the rules page writes them."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import RANKS, card_names, parse_cards
from handfast.envs.core.records import ending, legal_words
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.justiciar.rules import DECK, RUN, TURN
from handfast.envs.registry import get

GAME = get("justiciar")
RANK_NAMES = RANKS[:12]
ALL_CARDS = [rank + suit for rank in RANK_NAMES for suit in "HSDC"]
QUEENS = ["QH", "QS", "QD"]  # the hands of seats 1-3 where they don't matter


# --- Cards ----------------------------------------------------------------------------------------------------


def cards(names: str | Iterable[str]) -> int:
    """The set of these cards: `cards("7H 7S")`."""
    return parse_cards(names.split() if isinstance(names, str) else list(names), DECK)


def names(cards: int) -> str:
    """A set of cards in writing: `7H 7S`."""
    return " ".join(card_names(cards))


def every_play(hand: str) -> dict[str, tuple[str, int, int]]:
    """Every play in a hand, by its choice: its type, its size, and the place of its highest rank. By the rules page alone."""
    held = {rank: [card for card in hand.split() if card[0] == rank] for rank in RANK_NAMES}
    plays = {}
    for place, rank in enumerate(RANK_NAMES):
        for size in range(1, 5):
            for chosen in itertools.combinations(sorted(held[rank], key=ALL_CARDS.index), size):
                plays["play " + " ".join(chosen)] = ("set", size, place)
    for low, high in itertools.combinations(range(12), 2):
        if high - low >= 2 and all(held[rank] for rank in RANK_NAMES[low : high + 1]):
            plays[f"run {RANK_NAMES[low]}-{RANK_NAMES[high]}"] = ("run", high - low + 1, high)
    return plays


def play_of(laid: str) -> tuple[str, int, int]:
    """Type, size and the place of the highest rank of cards laid as one play."""
    ranks = sorted({RANK_NAMES.index(card[0]) for card in laid.split()})
    return "run" if len(ranks) > 1 else "set", len(laid.split()), ranks[-1]


def better_plays(hand: str, laid: str) -> set[str]:
    """The choices in a hand that beat the cards laid on the table."""
    kind, size, top = play_of(laid)
    return {choice for choice, (k, s, t) in every_play(hand).items() if (k, s) == (kind, size) and t > top}


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

    def copy(self) -> "Position":
        return Position(self.games.copy())

    def seen_by(self, seat: int) -> "Position":
        """What a seat sees."""
        return Position(GAME.look(self.games, seat)[0])


def position(
    hands: Sequence[str],
    to_move: int = 0,
    holder: int | None = None,
    play: str = "",
    by: int | None = None,
    round_no: int = 1,
    given: Mapping[str, tuple[int, int]] | None = None,
    points: Sequence[int] = (),
    frozen: Sequence[int | None] = (),
    turns: int | None = None,
    leader: int | None = None,
    **options: Any,
) -> Position:
    """A position in mid-round. `play` is on the table, `7H 7S` or `run 5-8` (of any suits), made `by` the seat at the right of the next.

    Whoever sits between them has passed it. `given` names cards in hand that came there in a refutation: {card: (from, to)}.
    `frozen` is who keeps each finished round's Ace; the last of them led, else whoever made the first play. The cards that are not named
    were played before, one at a time, by whoever was dealt too few; `turns` are as many as plays unless given.
    """
    players = len(hands)
    games = GAME.blank(players, options)
    GAME.move(games, kernels.DEAL)
    record = games.view(np.recarray)[0]
    opener = frozen[-1] if frozen else None
    record.round_no, record.leader = round_no, (opener or 0) if leader is None else leader
    record.seat, record.phase = to_move, TURN
    record.holder = NONE if holder is None else holder
    record.accuser = record.drew_seat = record.play_owner = NONE
    record.points[: len(points)] = points
    record.frozen_by[: len(frozen)] = [NONE if seat is None else seat for seat in frozen]
    free = DECK
    for seat, hand in enumerate(hands):
        record.hands[seat] = parse_cards(hand.split(), free)
        record.counts[seat] = len(hand.split())
        free &= ~int(record.hands[seat])
    for card, (giver, receiver) in (given or {}).items():
        assert cards(card) & int(record.hands[receiver]), f"{card} is not in the hand of {receiver}"
        record.origin[giver] |= cards(card)
        record.shown[receiver] |= cards(card)
    laid = 0
    if play:
        owner = (to_move - 1) % players if by is None else by
        laid = _laid(play, free)
        free &= ~laid
        record.played[owner] |= laid
        record.origin[owner] |= laid
    _play_the_rest(record, free)
    if play:
        record.plays += 1
        for card in card_names(laid):
            record.order[ALL_CARDS.index(card)] = record.plays
        kind, size, top = play_of(names(laid))
        record.play_size, record.play_run, record.play_rank = size, kind == "run", top
        record.play_owner, record.play_cards = owner, laid
        record.passed = sum(
            1 << seat % players for seat in range(owner + 1, owner + 1 + (to_move - owner - 1) % players)
        )
    if opener is None and leader is None and record.plays:
        first = 1 << record.order.tolist().index(1)
        record.leader = next(seat for seat in range(players) if int(record.played[seat]) & first)
    record.turns = record.plays + round_no - 1 if turns is None else turns
    assert is_sound(Position(games)), "no such position"
    return Position(games)


def _laid(play: str, free: int) -> int:
    """The cards of a play on the table; those of a run are whichever are free."""
    if not play.startswith("run"):
        return parse_cards(play.split(), free)
    low, high = (RANK_NAMES.index(rank) for rank in play.split()[1].split("-"))
    chosen = [next(rank + suit for suit in "HSDC" if cards(rank + suit) & free) for rank in RANK_NAMES[low : high + 1]]
    return cards(chosen)


def _play_the_rest(record: Any, free: int) -> None:
    """Cards that are nowhere yet were dealt to whoever was dealt too few, and played one at a time; what is over is set aside."""
    each, over = divmod(48, int(record.players))
    left = card_names(free)
    for seat in range(record.players):
        dealt = names((record.hands[seat] & ~record.shown[seat]) | record.origin[seat]).split()
        extra = bool(record.uneven_deal) and (seat - record.leader) % record.players < over
        lacking = each + extra - len(dealt)
        assert lacking >= 0, f"seat {seat} was dealt {each + extra} cards, not {len(dealt)}"
        for card in left[:lacking]:
            record.plays += 1
            record.order[ALL_CARDS.index(card)] = record.plays
        record.played[seat] |= cards(left[:lacking])
        record.origin[seat] |= cards(left[:lacking])
        left = left[lacking:]
    record.aside = cards(left)


def start(
    players: int, seed: int = 0, lead: int | None = None, hands: Sequence[str] | None = None, **options: Any
) -> Position:
    """A game's first turn, dealt by luck where `hands` are not given."""
    game = Position(GAME.blank(players, options))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    deal_on(game, lead, hands)
    return game


def deal_on(game: Position, lead: int | None = None, hands: Sequence[str] | None = None) -> None:
    """Luck decides, up to the next turn: as it will, or so that `lead` leads and these are the hands."""
    while game.seat == CHANCE:
        GAME.move(game.games, kernels.ROLL)
        event = GAME.words.chance(game.record)
        if event["chance"] == "lead" and lead is not None:
            GAME.words.fill_chance(game.record, {**event, "seat": lead})
        if event["chance"] == "deal" and hands is not None:
            dealt = [hand.split() for hand in hands]
            aside = [card for card in ALL_CARDS if not any(card in hand for hand in dealt)]
            GAME.words.fill_chance(game.record, {**event, "hands": dealt, "aside": aside})
        GAME.move(game.games, kernels.RESUME)


# --- Choices --------------------------------------------------------------------------------------------------


class NotSo(AssertionError):
    """A choice that the position does not allow."""


def legal(game: Position) -> set[str]:
    """The choices of the seat to move."""
    return set(legal_words(GAME, game.games))


def choose(game: Position, *choices: str) -> Position:
    """Take these choices, `3: accuse 2` or without the seat; `run 5-7 5H 6S 7D` chooses the run and then its cards."""
    for words in choices:
        seat, colon, choice = words.rpartition(": ")
        if colon and int(seat) != game.seat:
            raise NotSo(f"{words!r}, but seat {game.seat} is to move")
        verb, *rest = choice.split()
        if verb == "run" and len(rest) > 1:
            _take(game, f"run {rest[0]}")
            while game.phase == RUN and game.seat >= 0:
                _take(game, "card " + next(card for card in rest[1:] if card[0] == RANK_NAMES[game.run_rank]))
            if game.play_cards != cards(rest[1:]):
                raise NotSo(f"{words!r} laid {names(game.play_cards)}")
        else:
            _take(game, choice)
    return game


def _take(game: Position, choice: str) -> None:
    if choice not in legal(game):
        raise NotSo(f"{choice!r} is not legal for seat {game.seat}; legal are {sorted(legal(game))}")
    GAME.move(game.games, kernels.DECIDE, actions=GAME.action(choice, game.seat, game.players))


def passed(game: Position) -> set[int]:
    """Who passed since the current play."""
    return {seat for seat in range(game.players) if game.passed >> seat & 1}


def end(game: Position) -> dict[str, Any]:
    """How the game ended: the last line of its record."""
    assert game.seat == FINISHED, "the game goes on"
    return ending(GAME, game.games)


def is_sound(game: Position) -> bool:
    """Whether `check` holds."""
    return bool(GAME.judge(game.games)[2][0])


def random_steps(n: int, steps: int, players: int, seed: int = 0, **options: Any) -> Iterator[Batch]:
    """A batch of games at each step of random play."""
    batch = Batch(GAME, n, players=players, seed=seed, **options)
    for _ in range(steps):
        yield batch
        batch.step_at_random()


# --- Stories --------------------------------------------------------------------------------------------------


def hands_before(story: Sequence[str], hands: Sequence[int]) -> list[int]:
    """The hands at the beginning of a story that ends with these hands."""
    hands = [int(hand) for hand in hands]
    for i in reversed(range(len(story))):
        seat, verb, *rest = story[i].replace(":", "").split()
        if verb == "play":
            hands[int(seat)] |= cards(rest)
        elif verb == "run":
            hands[int(seat)] |= cards(rest[1:])
        elif verb == "refute":
            accuser = int(story[i - 1][0])
            hands[int(seat)] |= cards(rest)
            hands[accuser] &= ~cards(rest)
    return hands


def retell(beginning: Position, hands: Sequence[int], story: Sequence[str]) -> Position | None:
    """The same story from the same beginning with other hands, as they were then; None where it could not be told so."""
    game = beginning.copy()
    everything = game.aside
    for seat, hand in enumerate(hands):
        everything |= game.hands[seat]
        game.record.hands[seat] = hand
    game.record.aside = everything & ~int(np.bitwise_or.reduce(game.hands))
    try:
        return choose(game, *story)
    except NotSo:
        return None
