"""Cards and sets of cards.

A card is a small number, 4 * rank + suit; a set of cards is a signed 64-bit number with one bit a card.
Everything that touches a bit goes through `bit`, because `1 << i` is 64 bits wide compiled and 32 in plain NumPy.
"""

import numpy as np

from handfast.envs.core.compiling import rule
from handfast.messages import shown

SUITS = "HSDC"
RANKS = "23456789TJQKA"
SUIT_WORDS = ("hearts", "spades", "diamonds", "clubs")


def deck(size: int) -> tuple[str, ...]:
    """Names of the cards 0..size-1, low ranks first and H S D C within a rank: `2H 2S 2D 2C 3H …`."""
    return tuple(RANKS[card // 4] + SUITS[card % 4] for card in range(size))


STANDARD = deck(52)


@rule
def bit(card):
    """The set that holds just this card."""
    return np.int64(1) << np.int64(card)


@rule
def has(cards, card):
    """Whether the set holds this card."""
    return (cards >> np.int64(card)) & np.int64(1) != 0


@rule
def count(cards):
    """How many cards a set holds. In the form that LLVM turns into one instruction."""
    x = np.uint64(cards)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@rule
def lowest(cards):
    """The lowest card of a set that is not empty."""
    return count((cards & -cards) - np.int64(1))


@rule
def highest(cards):
    """The highest card of a set that is not empty."""
    card = 63
    while not has(cards, card):
        card -= 1
    return card


@rule
def mark(out, first, cards):
    """Set to 1, in a row of choices or features, the place of each card of a set, where `first` is that of card 0."""
    while cards != 0:
        out[first + lowest(cards)] = 1
        cards &= cards - np.int64(1)


def members(cards: int) -> list[int]:
    """The cards of a set, in rising order."""
    return [card for card in range(64) if int(cards) >> card & 1]


def card_names(cards: int, names: tuple[str, ...] = STANDARD) -> list[str]:
    """The cards of a set in writing, low ranks first and H S D C within a rank."""
    return [names[card] for card in members(cards)]


def parse_cards(written: list[str], among: int, names: tuple[str, ...] = STANDARD) -> int:
    """The set of these cards; ValueError where one is unknown, written twice, or not in the set `among`."""
    cards = 0
    for name in written:
        if name not in names:
            raise ValueError(f"{shown(name)} is not a card")
        card = 1 << names.index(name)
        if cards & card:
            raise ValueError(f"{name} is there twice")
        if not card & among:
            raise ValueError(f"{name} cannot be here")
        cards |= card
    return cards


def parse_order(written: list[str], among: int, names: tuple[str, ...] = STANDARD) -> list[int]:
    """The numbers of these cards in order, exactly the cards of the set `among`; ValueError otherwise."""
    missing = among & ~parse_cards(written, among, names)
    if missing:
        raise ValueError(f"{card_names(missing, names)[0]} is missing")
    return [names.index(name) for name in written]
