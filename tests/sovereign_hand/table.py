"""The Sovereign Hand's table in words: positions, choices and stories as records write them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from handfast.envs.core import kernels, records
from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import card_names, parse_cards
from handfast.envs.core.table import CHANCE, FINISHED
from handfast.envs.registry import get
from handfast.envs.sovereign_hand import soundness
from handfast.envs.sovereign_hand.rules import DECK, TRICK

GAME = get("sovereign_hand")
SUITS, RANKS = "HSDC", "23456789TJQKA"
ALL_CARDS = [rank + suit for rank in RANKS for suit in SUITS]


# --- Cards ----------------------------------------------------------------------------------------------------


def cards(names: str | Iterable[str]) -> int:
    """The set of these cards: `cards("7H 7S")`."""
    return parse_cards(names.split() if isinstance(names, str) else list(names), DECK)


def names(cards: int) -> str:
    """A set of cards in writing: `7H 7S`."""
    return " ".join(card_names(cards))


def size(players: int) -> int:
    """Cards in a hand when it is dealt."""
    return 7 if players == 5 else 8


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

    def hand(self, seat: int, round_no: int | None = None) -> str:
        """What a seat holds, or held at the end of an earlier round."""
        return names(self.hands[seat][(round_no or self.round_no) - 1])

    def house(self, seat: int) -> str:
        return names(self.houses[seat])

    def copy(self) -> "Position":
        return Position(self.games.copy())

    def seen_by(self, seat: int) -> "Position":
        """What a seat sees."""
        return Position(GAME.unchecked.look(self.games, seat)[0])


def start(
    players: int,
    seed: int = 0,
    dealer: int | None = None,
    houses: Sequence[str] | None = None,
    hands: Sequence[str] | None = None,
    sign: str | None = None,
) -> Position:
    """A game's first claim, dealt by luck where nothing is said."""
    game = Position(GAME.blank(players))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    deal_on(game, dealer=dealer, houses=houses, hands=hands, sign=sign)
    return game


def deal_on(game: Position, **wanted: Any) -> Position:
    """Luck decides, up to the next choice: as it will, or as `wanted`: dealer, houses, hands, sign."""
    while game.seat == CHANCE:
        GAME.move(game.games, kernels.ROLL)
        event = GAME.words.chance(game.record)
        if event["chance"] == "dealer" and wanted.get("dealer") is not None:
            event["seat"] = wanted["dealer"]
        for key in ("houses", "hands"):
            if key in event and wanted.get(key) is not None:
                event[key] = [cards.split() for cards in wanted[key]]
        if "sign" in event and wanted.get("sign") is not None:
            event["sign"] = wanted["sign"]
        GAME.words.fill_chance(game.record, event)
        GAME.move(game.games, kernels.RESUME)
    return game


def position(
    hands: Sequence[str],
    houses: Sequence[str] = (),
    sign: str = "2C",
    trick: str = "",
    leader: int = 0,
    dealer: int | None = None,
    claims: Sequence[int] = (),
    taken: Sequence[int] = (),
    called: Iterable[int] = (),
    seals: Sequence[int] = (),
    marks: Sequence[int] = (),
    round_no: int = 1,
) -> Position:
    """A position within a round, `leader` to lead or the next after the cards of `trick` to play.

    The seat at seat 0's right deals, claims are 0, and seat 0 took the tricks of which nothing is said. Cards that are not
    named were played before, or not dealt. Of earlier rounds nothing is known. So only the cards need be such as the
    rules can reach: the claims may add up to the tricks there are, and nobody asks how the Seals were won.
    """
    players = len(hands)
    games = GAME.blank(players)
    GAME.move(games, kernels.DEAL)
    record = games.view(np.recarray)[0]
    now, laid = round_no - 1, trick.split()
    record.round_no, record.phase = round_no, TRICK
    record.dealer = players - 1 if dealer is None else dealer
    record.leader = leader
    record.seat = (leader + len(laid)) % players
    record.called = sum(1 << seat for seat in called)
    record.sign = ALL_CARDS.index(sign)
    free = DECK & ~cards(sign)
    for place, card in enumerate(laid):
        record.trick[(leader + place) % players] = ALL_CARDS.index(card)
        free &= ~cards(card)
    if laid:
        record.led = SUITS.index(laid[0][1])
    lefts = set()
    for seat, hand in enumerate(hands):
        record.hands[seat, now] = parse_cards(hand.split(), free)
        free &= ~cards(hand)
        record.counts[now, seat] = len(hand.split())
        lefts.add(len(hand.split()) - (seat in called) + ((seat - leader) % players < len(laid)))
    for seat, house in enumerate(houses):
        record.houses[seat] = parse_cards(house.split(), free)
        free &= ~cards(house)
        record.house_counts[seat] = len(house.split())
    assert len(lefts) == 1, f"hands for {lefts} tricks"
    record.claims[:players] = 0
    record.claims[: len(claims)] = claims
    record.taken[: len(taken)] = taken
    record.taken[0] += size(players) - lefts.pop() - int(record.taken.sum())
    record.seals[: len(seals)] = seals
    record.marks[: len(marks)] = marks
    before = card_names(free)[: int(record.taken.sum()) * players]
    record.seen[now] = cards([sign, *laid, *before])
    game = Position(games)
    assert cards_fit(game), "no such position"
    return game


def reckoning(
    claims: Sequence[int], taken: Sequence[int], houses: Sequence[str] = (), seals: Sequence[int] = (), **more: Any
) -> Position:
    """A Reckoning: the last trick of a round has just ended it with these tricks taken."""
    winner = next(seat for seat in range(len(claims)) if taken[seat] > 0)
    ranks = ["A" if seat == winner else rank for seat, rank in enumerate(RANKS[1 : len(claims) + 1])]
    before = [tricks - (seat == winner) for seat, tricks in enumerate(taken)]
    assert sum(taken) == size(len(claims))
    game = position([f"{rank}S" for rank in ranks], houses, claims=claims, taken=before, seals=seals, **more)
    return choose(game, *(f"play {rank}S" for rank in ranks))


# --- Choices --------------------------------------------------------------------------------------------------


class NotSo(AssertionError):
    """A choice that the position does not allow."""


def legal(game: Position) -> set[str]:
    """The choices of the seat to move."""
    return set(records.legal_words(GAME, game.games))


def choose(game: Position, *choices: str) -> Position:
    """Take these choices, `3: play AH` or without the seat; also in positions that are only as sound as `position` says."""
    for words in choices:
        seat, colon, choice = words.rpartition(": ")
        if colon and int(seat) != game.seat:
            raise NotSo(f"{words!r}, but seat {game.seat} is to move")
        if choice not in legal(game):
            raise NotSo(f"{choice!r} is not legal for seat {game.seat}; legal are {sorted(legal(game))}")
        GAME.unchecked.move(game.games, kernels.DECIDE, actions=GAME.action(choice, game.seat, game.players))
    return game


def marked(number: int, players: int = 5) -> set[int]:
    """The seats of a number with a bit a seat."""
    return {seat for seat in range(players) if number >> seat & 1}


def end(game: Position) -> dict[str, Any]:
    """How the game ended: the last line of its record."""
    assert game.seat == FINISHED, "the game goes on"
    return records.ending(GAME, game.games)


def is_sound(game: Position) -> bool:
    """Whether `check` holds."""
    return bool(GAME.judge(game.games)[2][0])


def cards_fit(game: Position) -> bool:
    """Whether no card is in two places, and the numbers of cards agree."""
    with np.errstate(over="ignore"):  # counting cards wraps round in plain Python
        return bool(soundness.houses_fit(game.record) and soundness.hands_fit(game.record))


def random_steps(n: int, steps: int, players: int, seed: int = 0, **more: Any) -> Iterator[Batch]:
    """A batch of games at each step of random play."""
    batch = Batch(GAME, n, players=players, seed=seed, **more)
    for _ in range(steps):
        yield batch
        batch.step_at_random()


# --- Stories --------------------------------------------------------------------------------------------------


def random_story(players: int, seed: int, decisions: int, calls: float = 0.5) -> list[dict[str, Any]]:
    """The events of a game after its header, as far as so many decisions; Houses are called more often than at random."""
    random = np.random.default_rng([seed, players])
    batch = Batch(GAME, 1, players, [seed], restart=False)
    actions: list[int] = []
    while batch.seats[0] != FINISHED and len(actions) < decisions:
        choices = np.flatnonzero(batch.masks[0])
        words = [GAME.choice(int(action), int(batch.seats[0]), players) for action in choices]
        calling = [action for action, word in zip(choices, words, strict=True) if word.startswith("call")]
        chosen = calling if calling and random.random() < calls / 4 else choices
        actions.append(int(random.choice(chosen)))
        batch.step(np.array([actions[-1]]))
    return list(records.transcript(GAME, players, {}, seed, actions))[1:]


def tell(players: int, events: Sequence[Mapping[str, Any]]) -> Position | None:
    """The position after these events, whoever held what; None where they cannot happen."""
    game = Position(GAME.blank(players))
    GAME.move(game.games, kernels.DEAL)
    try:
        for event in events:
            if "chance" in event:
                records.take_chance(GAME, game.games, dict(event), 0, None)
            elif "end" not in event:
                choose(game, f"{event['seat']}: {event['action']}")
    except (NotSo, records.RecordError):
        return None
    return game


def retell(events: Sequence[Mapping[str, Any]], guess: Position) -> Position | None:
    """The same story with the hands and Houses of a guess at its end; None where it could not be told so."""
    players = guess.players
    houses = [guess.house(seat).split() for seat in range(players)]
    hands = [[guess.hand(seat, now + 1).split() for seat in range(players)] for now in range(10)]
    now = 0
    for event in events:
        if event.get("chance") == "deal":
            now = event["round"]
        verb, _, card = event.get("action", "").partition(" ")
        if verb == "play":
            hands[now - 1][event["seat"]].append(card)
        elif verb in ("call", "answer", "clear"):
            houses[event["seat"]].append(card)
    changed = []
    for event in events:
        if event.get("chance") == "houses":
            changed.append({**event, "houses": houses})
        elif event.get("chance") == "deal":
            changed.append({**event, "hands": hands[event["round"] - 1]})
        else:
            changed.append(event)
    return tell(players, changed)
