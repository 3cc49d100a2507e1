"""Pieces of the words that games share: who, which hands were dealt, and what others see of it."""

from typing import Any

from handfast.envs.core.cards import parse_cards


def check_seat(what: str, seat: int, players: Any) -> int:
    """The seat; ValueError where there is none of this number."""
    if not 0 <= seat < players:
        raise ValueError(f"the {what} must be a seat from 0 to {int(players) - 1}, not {seat}")
    return seat


def parse_hands(hands: list[list[str]], sizes: list[int], left: int) -> tuple[list[int], int]:
    """The sets of cards dealt to each seat from the set `left`, and what is left of it; ValueError where a hand is not of its size."""
    dealt = []
    for seat, (names, size) in enumerate(zip(hands, sizes, strict=True)):
        if len(names) != size:
            raise ValueError(f"seat {seat} is dealt {size} cards, not {len(names)}")
        dealt.append(parse_cards(names, left))
        left &= ~dealt[-1]
    return dealt, left


def hidden(cards: list[str]) -> list[str]:
    """As many `??` as there are cards."""
    return ["??"] * len(cards)


def hands_seen(hands: list[list[str]], seat: int) -> list[list[str]]:
    """Hands as `seat` sees them dealt: its own, and the backs of the others."""
    return [hand if other == seat else hidden(hand) for other, hand in enumerate(hands)]
