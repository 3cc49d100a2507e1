"""Luck, keyed by what it is for.

Every random number is a hash of (the game's seed, its purpose, the round, the item), not the next of a stream.
Two games with one seed therefore get the same deals however they were played, and decks that differ by a few
cards are shuffled as alike as can be: matches on the same deals need far fewer games.
"""

import numpy as np

from handfast.envs.core.compiling import rule

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)

# Purposes of the core's own; those of a game's rules are small numbers.
CHOICE = 1001  # the key of an agent's decision
NEXT_GAME = 1002  # the seed of the game that follows


@rule
def mixed(z):
    """The finalizer of splitmix64 (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))


@rule
def luck(seed, purpose, turn, item):
    """A uniform 64-bit number for this seed, purpose, turn (round, number of the decision …) and item."""
    key = np.uint64(purpose) * _STEP + (np.uint64(turn) << np.uint64(16)) + np.uint64(item)
    return mixed(mixed(seed + _STEP) ^ mixed(key))


@rule
def _turned(z, left):
    """The bits of `z` turned round by so many places to the left."""
    return (z << np.uint64(left)) | (z >> np.uint64(64 - left))


@rule
def _sip_round(a, b, c, d):
    """One round of SipHash."""
    a += b
    b = _turned(b, 13) ^ a
    a = _turned(a, 32)
    c += d
    d = _turned(d, 16) ^ c
    a += d
    d = _turned(d, 21) ^ a
    c += b
    b = _turned(b, 17) ^ c
    c = _turned(c, 32)
    return a, b, c, d


@rule
def choice_key(agents_seed, made):
    """A uniform 64-bit number for decision number `made` of a game: the luck that its agent is given.

    It comes from the agents' seed and not from the deal's, so that it tells nothing of the cards. `luck` can be run
    backwards, and a few keys made by it would tell those of the other agents: this is SipHash-1-3 (Aumasson,
    Bernstein 2012) of `made`, keyed by the agents' seed.
    """
    first, second = np.uint64(agents_seed), mixed(agents_seed + _STEP)
    a, b = first ^ np.uint64(0x736F6D6570736575), second ^ np.uint64(0x646F72616E646F6D)
    c, d = first ^ np.uint64(0x6C7967656E657261), second ^ np.uint64(0x7465646279746573)
    number, length = np.uint64(made), np.uint64(8 << 56)
    a, b, c, d = _sip_round(a, b, c, d ^ number)
    a ^= number
    a, b, c, d = _sip_round(a, b, c, d ^ length)
    a ^= length
    c ^= np.uint64(0xFF)
    for _ in range(3):
        a, b, c, d = _sip_round(a, b, c, d)
    return a ^ b ^ c ^ d


@rule
def below(number, n):
    """One of 0..n-1 from a uniform 64-bit number."""
    return np.int64(((number >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@rule
def shuffle(cards, seed, purpose, turn, order):
    """Write the cards of a set into `order` in random order; returns how many. Uses the sort keys' low 6 bits for the card."""
    keys = np.empty(64, np.uint64)
    n = 0
    for card in range(64):
        if (cards >> np.int64(card)) & np.int64(1):
            key = (luck(seed, purpose, turn, card) & ~np.uint64(63)) | np.uint64(card)
            at = n
            while at > 0 and keys[at - 1] > key:
                keys[at] = keys[at - 1]
                at -= 1
            keys[at] = key
            n += 1
    for i in range(n):
        order[i] = np.int64(keys[i] & np.uint64(63))
    return n
