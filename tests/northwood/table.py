"""For Northwood!'s table in words: positions, choices and stories."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import card_names, parse_cards
from handfast.envs.core.records import ending, legal_words
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.northwood.cards import ALL_CARDS, CHARACTERS, FIEFS, NAMES, USE
from handfast.envs.registry import get

GAME = get("northwood")
EVERYONE = (1 << len(CHARACTERS)) - 1


# --- Cards and characters -------------------------------------------------------------------------------------


def split(names: str | Iterable[str]) -> list[str]:
    return names.split() if isinstance(names, str) else list(names)


def cards(names: str | Iterable[str]) -> int:
    """The set of these cards: `cards("7C 7F")`."""
    return parse_cards(split(names), ALL_CARDS, NAMES)


def characters(names: str | Iterable[str]) -> int:
    """The set of these characters: `characters("JC QF")`."""
    return parse_cards(split(names), EVERYONE, CHARACTERS)


def in_order(names: str | Iterable[str]) -> str:
    """Cards in writing, in the order of the deck of 32."""
    return " ".join(sorted(split(names), key=NAMES.index))


def value(card: str) -> int:
    return int(card[0])


# --- Positions ------------------------------------------------------------------------------------------------


class Position:
    """One game, `games` [1]; every field of its record is an attribute, and piles of cards are there in writing."""

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

    @property
    def held(self) -> str:
        """The hand, in order."""
        return " ".join(card_names(self.hand, NAMES))

    @property
    def stock(self) -> str:
        """The deck, the top first."""
        return " ".join(NAMES[card] for card in self.deck[: self.deck_count][::-1])

    @property
    def discarded(self) -> str:
        """The discard pile, the top first."""
        return " ".join(NAMES[card] for card in self.discards[: self.discard_count][::-1])

    @property
    def trophies(self) -> str:
        """The score pile, the top first."""
        return " ".join(NAMES[card] for card in self.scored[: self.score_count][::-1])

    @property
    def shown(self) -> str:
        """The deck as far as it is known, the top first."""
        return " ".join(NAMES[card - 1] if card else "??" for card in self.known[: self.deck_count][::-1])

    @property
    def ready(self) -> str:
        """The characters in play whose ability is not used."""
        return " ".join(card_names(self.active & ~self.exhausted, CHARACTERS))

    @property
    def tired(self) -> str:
        """The exhausted characters."""
        return " ".join(card_names(self.exhausted, CHARACTERS))

    @property
    def friends(self) -> str:
        """The friendly rulers that may still be called in."""
        return " ".join(card_names(self.friendly, CHARACTERS))

    @property
    def reign(self) -> list[str]:
        """The rulers from fief 0 to 7."""
        return [CHARACTERS[ruler] for ruler in self.ruler]

    def copy(self) -> "Position":
        return Position(self.games.copy())

    def view(self) -> "Position":
        """What the player sees."""
        return Position(GAME.look(self.games, 0)[0])


def position(
    hand: str,
    deck: str = "",
    *,
    in_play: str = "JC",
    ruler: str = "KC",
    discards: str = "",
    scored: str = "",
    rest: str = "deck",
    fief: int = 4,
    exhausted: str = "",
    called: str = "",
    rulers: Mapping[int, str] | None = None,
    visited: Iterable[int] = (),
    won: Iterable[int] = (),
    friendly: str = "",
    known: int = 0,
    phase: int = USE,
    **options: Any,
) -> Position:
    """A position before a statement. Deck, discard and score pile are written with the top card first.

    Cards that are not named lie below those of the pile `rest`. `in_play` are allies, `called` friendly rulers in
    play with them; `ruler` is the current one, of `fief`. The fiefs not in `rulers` get whoever is left. The player
    knows the top `known` cards of the deck. `won` fiefs are visited too. Before the first trick the hand is a full one.
    The cards still lie where they were after a visit that ended the game, `visits=1`.
    """
    seats = {fief: ruler, **(rulers or {})}
    left = [name for name in CHARACTERS if name not in (*split(in_play), *seats.values())]
    reign = [seats[number] if number in seats else left.pop() for number in range(FIEFS)]
    allies = split(in_play) + [left.pop(0) for _ in split(called)]  # each called in for an ally that is not in play
    if phase < USE:
        options["hand_size"] = len(split(hand))
    games = GAME.blank(1, {"setup": "custom", "allies": allies, "rulers": reign, **options})
    GAME.move(games, kernels.DEAL)
    record = games.view(np.recarray)[0]
    piles = {"deck": split(deck), "discards": split(discards), "scored": split(scored)}
    named = cards(f"{hand} {deck} {discards} {scored}")
    piles[rest] += card_names(ALL_CARDS & ~named, NAMES)
    record.hand = cards(hand)
    for name, count in (("deck", "deck_count"), ("discards", "discard_count"), ("scored", "score_count")):
        record[name][: len(piles[name])] = [NAMES.index(card) for card in reversed(piles[name])]
        record[count] = len(piles[name])
    if known:
        record.known[record.deck_count - known : record.deck_count] = (
            record.deck[record.deck_count - known : record.deck_count] + 1
        )
    record.ruler[:] = [CHARACTERS.index(name) for name in reign]
    record.own = characters(allies)
    record.active = characters(in_play) | characters(called)
    record.exhausted = characters(exhausted)
    record.friendly = characters(friendly)
    record.visited = sum(1 << number for number in {*visited, *won})
    record.won = sum(1 << number for number in won)
    record.visit_no = len({*visited, *won}) + 1
    record.fief = fief
    record.seat, record.phase = 0, phase
    assert is_sound(Position(games)), "no such position"
    return Position(games)


def start(
    seed: int | None = 0, deals: Sequence[tuple[str, str]] = (), setup_event: dict | None = None, **options: Any
) -> Position:
    """A game's first decision, dealt by luck where `deals` do not say what the hand is and the deck, the top first."""
    game = Position(GAME.blank(1, options))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    luck(game, list(deals), setup_event)
    return game


def luck(game: Position, deals: Sequence[tuple[str, str]] = (), setup_event: dict | None = None) -> Position:
    """Luck decides, up to the next decision: as it will, or first what it is told; cards not named come last in the deck."""
    deals = list(deals)
    while game.seat == CHANCE:
        GAME.move(game.games, kernels.ROLL)
        event = GAME.words.chance(game.record)
        if event["chance"] == "setup" and setup_event:
            GAME.words.fill_chance(game.record, {**event, **setup_event})
        elif event["chance"] == "deal" and deals:
            hand, deck = deals.pop(0)
            below = [card for card in NAMES if card not in split(hand) + split(deck)]
            GAME.words.fill_chance(game.record, {**event, "hand": split(hand), "deck": split(deck) + below})
        GAME.move(game.games, kernels.RESUME)
    return game


# --- Choices --------------------------------------------------------------------------------------------------


class NotSo(AssertionError):
    """A choice that the position does not allow."""


def legal(game: Position) -> set[str]:
    """The choices of the player."""
    return set(legal_words(GAME, game.games))


def choose(game: Position, *choices: str) -> Position:
    """Take these choices; luck stops it, and may be told what it decides by `luck`."""
    for words in choices:
        if game.seat != 0 or words not in legal(game):
            raise NotSo(f"{words!r} is not legal; legal are {sorted(legal(game)) if game.seat == 0 else 'none'}")
        GAME.move(game.games, kernels.DECIDE, actions=GAME.action(words, 0, 1))
    return game


def end(game: Position) -> dict[str, Any]:
    """How the game ended: the last line of its record."""
    assert game.seat == FINISHED, "the game goes on"
    return ending(GAME, game.games)


def is_sound(game: Position) -> bool:
    """Whether `check` holds."""
    return bool(GAME.judge(game.games)[2][0])


def visit_over(game: Position) -> bool:
    """Whether no fief is visited."""
    return game.fief == NONE


def random_steps(n: int, steps: int, seed: int = 0, **options: Any) -> Iterator[Batch]:
    """A batch of games at each step of random play."""
    batch = Batch(GAME, n, 1, seed=seed, **options)
    for _ in range(steps):
        yield batch
        batch.step_at_random()


# --- Abilities ------------------------------------------------------------------------------------------------


def acting(name: str, copied: bool, hand: str, deck: str = "", others: str = "", **where: Any) -> Position:
    """A position in which an ability can be used: its character is in play, or QL is and this character rules.

    The current ruler is of the same suit either way, so that trump is too.
    """
    if copied:
        return position(hand, deck, in_play=f"QL {others}", ruler=name, **where)
    ruler = next(f"{rank}{name[1]}" for rank in "KPLB" if f"{rank}{name[1]}" not in (name, *split(others)))
    return position(hand, deck, in_play=f"{name} {others}", ruler=ruler, **where)


def use(name: str, copied: bool, game: Position, *choices: str) -> Position:
    """Use the ability that `acting` put in play, and answer what it asks."""
    return choose(game, "use QL" if copied else f"use {name}", *choices)
