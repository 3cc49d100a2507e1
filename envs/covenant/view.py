"""What a seat knows of The Covenant: secrets, guesses and features."""

import numpy as np

from handfast.envs.core.cards import RANKS, SUITS, bit, count, deck, has, lowest, mark
from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets, relative
from handfast.envs.core.guessing import fill_places
from handfast.envs.core.luck import below, luck, shuffle
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import of_suit, rank_of, strength, suit_of
from handfast.envs.covenant.rules import (
    ABSTAIN,
    CARDS,
    COVENANT,
    DEAL,
    DECK,
    HIGHEST,
    PLAYER_COUNTS,
    ROUNDS,
    SEALING,
    SEATS,
    SIGNER,
    SUBSCRIBE,
    SUIT_COUNT,
    captured,
    card_in_trick,
    table_cards,
)
from handfast.envs.covenant.soundness import check, has_secret_choice, has_signed

__all__ = ["AT", "FEATURES", "HIDDEN_FEATURES", "check", "conceal", "encode", "encode_hidden", "guess", "unseen_cards"]

RELATIVE = relative(SEATS)
OTHERS = RELATIVE[1:]
RANK_COUNT = len(RANKS)


def of_seats(seats: tuple[str, ...], labels: str) -> list[str]:
    """A label for each seat and each of these."""
    return [f"{seat} {label}" for seat in seats for label in labels]


FEATURES_VERSION = 1  # raised by any change in what the features or actions mean: networks for another are refused
FEATURES = {
    "hand": block(deck(CARDS), "cards in hand"),
    "unseen": block(deck(CARDS), "cards that may be in other hands or face down"),
    "unseen of": block(SUITS, "how many of a suit are unseen", RANK_COUNT),
    "cards": block(RELATIVE, "cards in each hand", CARDS // 3),
    "players": block(PLAYER_COUNTS, "how many players"),
    "present": block(RELATIVE, "whether the seat takes part"),
    "to move": block(RELATIVE, "who is to move"),
    "dealer": block(RELATIVE, "who deals this round"),
    "phase": block(("signer", "covenant", "sealing", "trick"), "what is to be decided"),
    "round": block(range(1, ROUNDS + 1), "the round"),
    "signer": block(SUITS, "the suit that the seat itself believes in"),
    "choice": block(SUITS + RANKS + "-", "suit and rank of its own choice at the Covenant Table until all are revealed; -: to abstain"),
    "seal": block(SUITS + RANKS, "suit and rank of the card that it has sealed this round"),
    "pile": block(SUITS, "cards on each pile of the Covenant Table", RANK_COUNT),
    "pile top": block(SUITS, "the rank of its top card, 1 to 13; 0: no card", RANK_COUNT),
    "ahead": block(SUITS, "the suit that would be Ratified now"),
    "subscribed": block(of_seats(RELATIVE, SUITS), "cards that the seat has subscribed to the suit in all rounds", ROUNDS),
    "fresh": block(of_seats(RELATIVE, SUITS), "the suit that the seat has subscribed to this round"),
    "fresh rank": block(RELATIVE, "the rank of that card, 1 to 13", RANK_COUNT),
    "abstained": block(RELATIVE, "the seat has abstained this round"),
    "cubes": block(RELATIVE, "Marked cubes", ROUNDS),
    "captured": block(RELATIVE, "Trump cards captured", CARDS),
    "trump": block((*SUITS, "none"), "this round's Trump; none: Unsettled"),
    "table seal": block((), "cards left over from this round's deal", max(PLAYER_COUNTS) - 1),
    "void": block(of_seats(RELATIVE, SUITS), "the seat's hand is known not to hold the suit"),
    "led": block(SUITS, "the suit led to the trick"),
    "trick suit": block(of_seats(RELATIVE, SUITS), "the suit of the seat's card in the trick"),
    "trick rank": block(of_seats(RELATIVE, RANKS), "its rank"),
    "highest": block(RELATIVE, "whose card is the trick's highest so far"),
    "lowest": block(RELATIVE, "whose card is the trick's lowest so far"),
    "landslide": block((), "option landslide"),
    "top card highest": block((), "option top_card is highest"),
}  # fmt: skip
AT = offsets(FEATURES)

HIDDEN_FEATURES = {
    "hand": block([f"{seat} {card}" for seat in OTHERS for card in deck(CARDS)], "cards in the other hands"),
    "signer": block(of_seats(OTHERS, SUITS), "the suits that the others believe in"),
    "choice": block(of_seats(OTHERS, SUITS + RANKS + "-"), "their choices at the Covenant Table until all are revealed"),
    "seal": block(of_seats(OTHERS, SUITS + RANKS), "suit and rank of the cards that they have sealed this round"),
}  # fmt: skip
HIDDEN_AT = offsets(HIDDEN_FEATURES)

# Purposes of luck in a guess.
FOR_SIGNER, FOR_CARDS, FOR_FACE_DOWN, FOR_CHOICE = 11, 12, 13, 14


@rule
def conceal(view, seat):
    """While the cards are dealt nobody has a hand."""
    if view.phase == DEAL:
        view.hands[seat] = 0


@rule
def unseen_cards(view, seat):
    """The cards of the game that this seat has not located: in other hands or face down."""
    if not is_dealt(view):
        return np.int64(0)
    cards = np.int64(DECK) & ~(table_cards(view) | view.hands[seat] | view.sealed[seat])
    for other in range(view.players):
        cards &= ~view.played[other]
    return cards


@rule
def is_dealt(view):
    """Whether the cards have been dealt; between two rounds they lie where the last one left them."""
    return view.phase > DEAL or view.round_no > 1


# --- Guesses --------------------------------------------------------------------------------------------------


@rule
def guess(view, seat, seed):
    """Complete a view to one full game that it could be.

    Each unseen card in random order goes to one of the places where it may lie, drawn by free room; no card to a hand
    known to be void of its suit. Every Signer, and every choice pending at the Covenant Table, is as likely as any other.
    """
    view.seed = seed
    for other in range(view.players):
        if other != seat and has_signed(view, other):
            view.signers[other] = 1 + below(luck(seed, FOR_SIGNER, 0, other), SUIT_COUNT)
            if view.revealed[other] != 0:
                view.signers[other] = view.revealed[other]
    deal_unseen(view, seat, seed)
    for other in range(view.players):
        if other != seat and has_secret_choice(view, other):
            view.choices[other] = any_choice(view.hands[other], luck(seed, FOR_CHOICE, 0, other))


@rule
def deal_unseen(view, seat, seed):
    """Deal the unseen cards to the other hands and, as one more place, face down: the others' seals and the Table Seal."""
    cards = unseen_cards(view, seat)
    face_down = view.players
    room = np.zeros(face_down + 1, np.int64)
    allowed = np.zeros(face_down + 1, np.int64)
    out = np.zeros(face_down + 1, np.int64)
    allowed[face_down] = DECK
    for other in range(view.players):
        if other != seat:
            room[other] = view.counts[other]
            allowed[other] = np.int64(DECK) & ~view.lacks[other]
    room[face_down] = max(0, count(cards) - room.sum())
    fill_places(cards, room, allowed, seed, FOR_CARDS, out)
    order = np.empty(CARDS, np.int64)
    lying = shuffle(out[face_down], seed, FOR_FACE_DOWN, 0, order)
    view.table_seal = out[face_down]
    at = 0
    for other in range(view.players):
        if other != seat:
            view.hands[other] = out[other]
            if view.seals[other] != 0 and at < lying:
                view.sealed[other] = bit(order[at])
                view.table_seal &= ~bit(order[at])
                at += 1


@rule
def any_choice(hand, key):
    """One of the choices that a hand has at the Covenant Table, each as likely."""
    skipped = below(key, count(hand) + 1)
    for card in range(CARDS):
        if has(hand, card):
            if skipped == 0:
                return SUBSCRIBE + card
            skipped -= 1
    return ABSTAIN


# --- Features -------------------------------------------------------------------------------------------------


@rule
def encode(view, seat, features):
    """Features of what `seat` knows, by the table FEATURES; seats are relative to it."""
    mark(features, AT.hand, view.hands[seat])
    unseen = unseen_cards(view, seat)
    mark(features, AT.unseen, unseen)
    features[AT.players + view.players - PLAYER_COUNTS[0]] = 1
    features[AT.dealer + steps_left(seat, view.dealer, view.players)] = 1
    features[AT.round + view.round_no - 1] = 1
    features[AT.landslide] = view.landslide
    features[AT.top_card_highest] = view.top_card == HIGHEST
    if view.seat >= 0:
        features[AT.to_move + steps_left(seat, view.seat, view.players)] = 1
        features[AT.phase + (0 if view.phase == SIGNER else view.phase - COVENANT + 1)] = 1
    encode_secrets(view, seat, AT.signer, AT.choice, AT.seal, features)
    encode_table(view, unseen, features)
    if view.phase >= SEALING:
        features[AT.trump + (SUIT_COUNT if view.trump == NONE else view.trump)] = 1
    face_down = count(unseen)
    for left in range(view.players):
        other = at_left(seat, left, view.players)
        encode_seat(view, other, left, features)
        if left > 0:
            face_down -= view.counts[other] + view.seals[other]
    features[AT.table_seal] = face_down
    if view.trick != 0:
        encode_trick(view, seat, features)


@rule
def encode_secrets(game, seat, at_signer, at_choice, at_seal, features):
    """What a seat alone knows beside its hand: its Signer, its choice at the Covenant Table, its seal."""
    if game.signers[seat] != 0:
        features[at_signer + game.signers[seat] - 1] = 1
    if game.choices[seat] == ABSTAIN:
        features[at_choice + SUIT_COUNT + RANK_COUNT] = 1
    elif game.choices[seat] != 0:
        mark_suit_and_rank(game.choices[seat] - SUBSCRIBE, at_choice, features)
    if game.sealed[seat] != 0:
        mark_suit_and_rank(lowest(game.sealed[seat]), at_seal, features)


@rule
def mark_suit_and_rank(card, first, features):
    """Mark a card in a run of features that has four suits and then the ranks."""
    features[first + suit_of(card)] = 1
    features[first + SUIT_COUNT + rank_of(card)] = 1


@rule
def encode_table(view, unseen, features):
    """The Covenant Table's piles, and how many cards of each suit are unseen."""
    table = table_cards(view)
    for suit in range(SUIT_COUNT):
        features[AT.unseen_of + suit] = count(of_suit(unseen, suit))
        features[AT.pile + suit] = count(of_suit(table, suit))
        if view.tops[suit] != NONE:
            features[AT.pile_top + suit] = rank_of(view.tops[suit]) + 1
    features[AT.ahead + view.ratified] = 1


@rule
def encode_seat(view, other, left, features):
    """What everyone knows of the seat that sits `left` steps to the left of the one that looks."""
    features[AT.present + left] = 1
    features[AT.cards + left] = view.counts[other]
    features[AT.cubes + left] = view.cubes[other]
    features[AT.captured + left] = captured(view, other)
    for suit in range(SUIT_COUNT):
        features[AT.subscribed + SUIT_COUNT * left + suit] = count(of_suit(view.subscribed[other], suit))
        features[AT.void + SUIT_COUNT * left + suit] = has(view.lacks[other], suit)  # the suit's 2 stands for all
    if view.phase >= SEALING:
        fresh = view.subscribed[other] & view.fresh
        if fresh != 0:
            card = lowest(fresh)
            features[AT.fresh + SUIT_COUNT * left + suit_of(card)] = 1
            features[AT.fresh_rank + left] = rank_of(card) + 1
        else:
            features[AT.abstained + left] = 1


@rule
def encode_trick(view, seat, features):
    """The cards of the trick, and whose is the highest and the lowest so far."""
    features[AT.led + view.led] = 1
    highest, lowest_so_far = 0, 0
    high, low = -1, 1 << 10
    for left in range(view.players):
        other = at_left(seat, left, view.players)
        if view.played[other] & view.trick:
            card = card_in_trick(view, other)
            features[AT.trick_suit + SUIT_COUNT * left + suit_of(card)] = 1
            features[AT.trick_rank + RANK_COUNT * left + rank_of(card)] = 1
            height = strength(card, view.led, view.trump)
            if height > high:
                high, highest = height, left
            if height < low:
                low, lowest_so_far = height, left
    features[AT.highest + highest] = 1
    features[AT.lowest + lowest_so_far] = 1


@rule
def encode_hidden(game, seat, features):
    """The others' hands, Signers, pending choices and seals, in the order in which they sit to the left of `seat`."""
    for place in range(game.players - 1):
        other = at_left(seat, place + 1, game.players)
        mark(features, HIDDEN_AT.hand + CARDS * place, game.hands[other])
        signer = HIDDEN_AT.signer + SUIT_COUNT * place
        choice = HIDDEN_AT.choice + (SUIT_COUNT + RANK_COUNT + 1) * place
        seal = HIDDEN_AT.seal + (SUIT_COUNT + RANK_COUNT) * place
        encode_secrets(game, other, signer, choice, seal, features)
