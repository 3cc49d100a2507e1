"""The Covenant's table in words: positions, choices, rounds and stories."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import STANDARD, card_names, parse_cards
from handfast.envs.core.records import ending, legal_words
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.covenant.rules import ABSTAIN, COVENANT, DECK, SIGNER, SUBSCRIBE, TRICK
from handfast.envs.registry import get

GAME = get("covenant")
ALL_CARDS = list(STANDARD)
SUITS = "HSDC"


# --- Cards ----------------------------------------------------------------------------------------------------


def cards(names: str | Iterable[str]) -> int:
    """The set of these cards: `cards("7H 7S")`."""
    return parse_cards(names.split() if isinstance(names, str) else list(names), DECK)


def names(cards: int) -> str:
    """A set of cards in writing: `7H 7S`."""
    return " ".join(card_names(cards))


def number(card: str) -> int:
    """The number of a card."""
    return ALL_CARDS.index(card)


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

    def pile(self, suit: str) -> str:
        """The cards of a pile of the Covenant Table."""
        everything = [card for cards in self.subscribed for card in card_names(cards)]
        return " ".join(sorted((card for card in everything if card[1] == suit), key=ALL_CARDS.index))

    def top(self, suit: str) -> str:
        """The top card of a pile."""
        return ALL_CARDS[self.tops[SUITS.index(suit)]]

    def copy(self) -> "Position":
        return Position(self.games.copy())

    def seen_by(self, seat: int) -> "Position":
        """What a seat sees."""
        return Position(GAME.look(self.games, seat)[0])


def blank(players: int, seed: int = 0, **options: Any) -> Position:
    """A game that waits for its dealer to be drawn."""
    game = Position(GAME.blank(players, options))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    return game


def luck_decides(game: Position, dealer: int | None = None, hands: Sequence[str] | None = None) -> Position:
    """The one chance event at hand: as luck will, or so that `dealer` deals and each hand holds at least these cards."""
    GAME.move(game.games, kernels.ROLL)
    event = GAME.words.chance(game.record)
    if event["chance"] == "dealer" and dealer is not None:
        GAME.words.fill_chance(game.record, {**event, "seat": dealer})
    if event["chance"] == "deal" and hands is not None:
        GAME.words.fill_chance(game.record, {**event, **dealt(event, hands)})
    GAME.move(game.games, kernels.RESUME)
    return game


def dealt(event: dict[str, Any], hands: Sequence[str]) -> dict[str, list]:
    """Hands of the same size with these cards in them, and a Table Seal; the other cards lie as they come."""
    wanted = [hand.split() for hand in hands] + [[]] * (len(event["hands"]) - len(hands))
    fixed = {card for hand in wanted for card in hand}
    rest = [card for hand in [*event["hands"], event["seal"]] for card in hand if card not in fixed]
    filled = []
    for hand, others in zip(wanted, event["hands"], strict=True):
        lacking = len(others) - len(hand)
        filled.append([*hand, *rest[:lacking]])
        rest = rest[lacking:]
    return {"hands": filled, "seal": rest}


def signed(players: int, dealer: int | None = None, signers: str = "H", seed: int = 0, **options: Any) -> Position:
    """A game before its first deal. `signers` are the suits by seat; the last one is repeated."""
    game = luck_decides(blank(players, seed, **options), dealer)
    while game.phase == SIGNER:
        choose(game, f"believe {signers[min(game.seat, len(signers) - 1)]}")
    return game


def start(
    players: int,
    hands: Sequence[str] | None = None,
    dealer: int | None = None,
    signers: str = "H",
    seed: int = 0,
    **options: Any,
) -> Position:
    """A game at its first choice at the Covenant Table."""
    return luck_decides(signed(players, dealer, signers, seed, **options), hands=hands)


def position(
    hands: Sequence[str],
    to_lead: int = 0,
    trump: str | None = None,
    earlier: Sequence[str] = (),
    dealer: int | None = None,
    signers: str = "H",
    captures: Sequence[int] = (),
    subscribers: int = 1,
    **options: Any,
) -> Position:
    """A position where a trick is led, in any round. `earlier` names the cards subscribed in each earlier round: `0:KH 2:4S`.

    With a `trump` the first `subscribers` seats have subscribed a card of it this round, and the others abstained;
    without, all have. The cards that are not named are those, sealed, played, or left over from the deal. `captures`
    are Hearts captured as Trump, by seat; Trump cards of this round's tricks that are not among them are seat 0's.
    """
    players = len(hands)
    game = blank(players, **options)
    record = game.record
    record.dealer = (to_lead - 1) % players if dealer is None else dealer
    record.round_no, record.seat, record.phase = len(earlier) + 1, to_lead, TRICK
    free = DECK
    for seat, hand in enumerate(hands):
        record.hands[seat] = parse_cards(hand.split(), free)
        record.counts[seat] = len(hand.split())
        free &= ~int(record.hands[seat])
        record.signers[seat] = SUITS.index(signers[min(seat, len(signers) - 1)]) + 1
    for choices in earlier:
        record.cubes[:players] += 1
        for choice in choices.split():
            seat, card = choice.split(":")
            free &= ~cards(card)
            _lay(record, int(seat), card)
    each = (52 - len(names(int(np.bitwise_or.reduce(record.subscribed))).split())) // players
    record.cubes[:players] += 1
    in_turn = [(int(record.dealer) + steps) % players for steps in range(1, players + 1)]
    for seat in [seat for seat in in_turn if trump and seat < subscribers]:
        card = next(card for card in card_names(free) if card[1] == trump)
        free &= ~cards(card)
        record.fresh |= cards(card)
        _lay(record, seat, card)
    record.trump = NONE if trump is None else SUITS.index(trump)
    table = card_names(int(np.bitwise_or.reduce(record.subscribed)))
    sizes = [sum(card[1] == suit for card in table) for suit in SUITS]
    ranks = [-1 if top == NONE else top // 4 for top in record.tops]
    record.ratified = max(range(4), key=lambda suit: (sizes[suit], ranks[suit], -suit))
    left = card_names(free)[::-1]
    for seat in range(players):
        if not trump or seat >= subscribers:
            record.sealed[seat], record.seals[seat] = cards(left.pop()), 1
        for _ in range(each - 1 - int(record.counts[seat])):
            record.played[seat] |= cards(left.pop())
    record.table_seal = cards(left)
    record.captures[: len(captures), 0] = captures
    if trump:
        taken = sum(card[1] == trump for seat in range(players) for card in card_names(record.played[seat]))
        record.captures[0, record.trump] += max(0, taken - int(record.captures[:, record.trump].sum()))
    assert is_sound(game), "no such position"
    return game


def _lay(record: Any, seat: int, card: str) -> None:
    """A seat has subscribed a card in place of taking a cube."""
    record.subscribed[seat] |= cards(card)
    record.cubes[seat] -= 1
    record.tops[SUITS.index(card[1])] = number(card)


# --- Choices --------------------------------------------------------------------------------------------------


class NotSo(AssertionError):
    """A choice that the position does not allow."""


def legal(game: Position) -> set[str]:
    """The choices of the seat to move."""
    return set(legal_words(GAME, game.games))


def choose(game: Position, *choices: str) -> Position:
    """Take these choices, `3: play 4H` or without the seat."""
    for words in choices:
        seat, colon, choice = words.rpartition(": ")
        if colon and int(seat) != game.seat:
            raise NotSo(f"{words!r}, but seat {game.seat} is to move")
        if choice not in legal(game):
            raise NotSo(f"{choice!r} is not legal for seat {game.seat}; legal are {sorted(legal(game))}")
        GAME.move(game.games, kernels.DECIDE, actions=GAME.action(choice, game.seat, game.players))
    return game


def at_the_table(game: Position, *choices: str) -> Position:
    """The choices at the Covenant Table by seat, `KH` or `-` to abstain, taken in turn; abstainers then seal their lowest card."""
    while game.phase == COVENANT:
        choice = choices[game.seat] if game.seat < len(choices) else "-"
        choose(game, "abstain" if choice == "-" else f"subscribe {choice}")
    while game.phase not in (COVENANT, TRICK):
        choose(game, f"seal {game.hand(game.seat).split()[0]}")
    return game


def play_tricks(game: Position) -> Position:
    """The tricks to the end of the round, each card the lowest that is legal."""
    while game.phase == TRICK and game.seat >= 0:
        choose(game, min(legal(game), key=lambda words: number(words[-2:])))
    return game


def play_round(game: Position, *choices: str) -> Position:
    """A whole round with these choices at the Covenant Table, by seat, dealt so that they can be made."""
    if game.seat == CHANCE:
        luck_decides(game, hands=["" if choice == "-" else choice for choice in choices])
    return play_tricks(at_the_table(game, *choices))


def end(game: Position) -> dict[str, Any]:
    """How the game ended: the last line of its record."""
    assert game.seat == FINISHED, "the game goes on"
    return ending(GAME, game.games)


def scores(game: Position) -> list[int]:
    """The points so far."""
    return GAME.judge(game.games)[0][0, : game.players].tolist()


def winners(game: Position) -> list[int]:
    """Who wins, or leads."""
    return [int(seat) for seat in np.flatnonzero(GAME.judge(game.games)[1][0])]


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


def retell(beginning: Position, end: Position, story: Sequence[str]) -> Position | None:
    """The same story from the same beginning, where all that was hidden then is as it is in the game `end`; None where it cannot be.

    The story's choices at the Covenant Table and its seals are those of that game, too. `beginning` and `end` are of
    one round; the hands at the beginning are those at the end with what has left them since.
    """
    game = beginning.copy()
    for seat in range(game.players):
        gone = end.played[seat] & ~game.played[seat]
        gone |= end.subscribed[seat] & ~game.subscribed[seat]
        gone |= 0 if game.seals[seat] else end.sealed[seat]
        game.record.hands[seat] = end.hands[seat] | gone
        game.record.signers[seat] = end.signers[seat]
        if game.seals[seat]:
            game.record.sealed[seat] = end.sealed[seat]
    game.record.table_seal = end.table_seal
    if not is_sound(game):
        return None
    try:
        for words in story:
            seat = int(words[0])
            pending = end.choices[seat]
            if "subscribe" in words or "abstain" in words:
                if pending:
                    choice = "abstain" if pending == ABSTAIN else f"subscribe {ALL_CARDS[pending - SUBSCRIBE]}"
                    words = f"{seat}: {choice}"
            elif "seal" in words:
                words = f"{seat}: seal {names(end.sealed[seat])}"
            choose(game, words)
    except NotSo:
        return None
    return game
